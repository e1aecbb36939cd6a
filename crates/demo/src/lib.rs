//! The interactive program: a scene on a screen, with keys, cameras, settings panel, overlay, recordings and films.
//! `pelagic` without a subcommand shows it in a window, and the page in a canvas.
//!
//! [`in_window::run`] is the program in a window; [`running::RunningDemo`] is the same without one: it is given a
//! [`Screen`](shell::screen::Screen) to draw on, [`Input`](input::Input)s and a clock. Times are in seconds, those of a
//! frame's parts in milliseconds.
//!
//! ```no_run
//! use std::time::Instant;
//!
//! use demo::DemoOptions;
//!
//! /// Shows a scene in a window until it is closed.
//! fn show(options: DemoOptions) -> Result<(), runtime::AppError> {
//!     demo::in_window::run(options, Instant::now())
//! }
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

use std::path::PathBuf;

use platform::out_folders::OutFolders;
use render::Stereo;
use runtime::SceneOptions;
use shell::messages::Language;

mod aim;
mod command;
mod controls;
mod crowd_maker;
#[cfg(not(target_arch = "wasm32"))]
mod events;
mod frame_times;
#[cfg(all(feature = "gamepad", not(target_arch = "wasm32")))]
mod gamepad;
#[cfg(not(target_arch = "wasm32"))]
pub mod in_window;
pub mod input;
pub mod keys;
mod live_benchmark;
#[cfg(not(target_arch = "wasm32"))]
mod live_film;
pub mod loading;
mod loading_screen;
pub mod overlay;
mod pace;
mod panel;
mod photo_mode;
mod photo_strip;
mod plaque;
mod pointer;
mod population;
mod recovery;
pub mod running;
mod saving;
pub mod scene_maker;
mod scene_switch;
pub mod session;
mod settings_editor;
pub mod shader_folder;
pub mod stage;
mod ui_input;
mod watched;
mod wearer;

/// The scene to show, and options for showing it.
#[derive(Clone, Debug, PartialEq)]
pub struct DemoOptions {
    /// The scene.
    pub scene: SceneOptions,
    /// Starts in full screen.
    pub fullscreen: bool,
    /// Waits for the screen; without it frames come as fast as they can.
    pub vsync: bool,
    /// Leaves after that many frames.
    pub frames: Option<u64>,
    /// Whether text is shown over the picture.
    pub ui: bool,
    /// Language of that text.
    pub language: Language,
    /// Whether a headset is sought, to show the scene in it.
    #[cfg(not(target_arch = "wasm32"))]
    pub headset: bool,
    /// Layout of two eyes' pictures in the window.
    pub stereo: Stereo,
    /// Whether the camera sways a little, as a diver does.
    pub sway: bool,
    /// Folders for pictures.
    pub pictures: OutFolders,
    /// Folders for new scene files.
    pub scenes: OutFolders,
    /// Folders for recorded benchmarks, each of which goes into a folder of its own.
    pub recordings: OutFolders,
    /// Folder for unsaved changes, in case the program ends before they are saved; `None` if there is no place for it.
    pub recovery: Option<PathBuf>,
    /// Path of the encoder for films, if it is installed.
    #[cfg(not(target_arch = "wasm32"))]
    pub ffmpeg: PathBuf,
}
