//! `pelagic` without a subcommand: the scene in a window, or without a display a picture and a short benchmark.

use std::path::Path;
use std::time::Instant;

use crate::app::demo::{self, DemoOptions};
use crate::app::offscreen::Session;
use crate::app::picture_file::{PictureFile, screenshot_folder};
use crate::app::{AppError, SceneOptions};
use crate::bench::files;
use crate::cli::args::{LanguageChoice, OnOff, SceneArgs};
use crate::cli::{CliError, bench, shot};
use crate::render::View;

/// Where the picture goes that is made in place of a window.
const STILL: &str = "out/still.png";

/// Arguments.
#[derive(clap::Args, Debug)]
pub struct DemoArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Start in full screen.
    #[arg(long)]
    fullscreen: bool,
    /// Wait for the screen with each frame: on or off.
    #[arg(long, value_name = "ON|OFF", value_enum, default_value = "on")]
    vsync: OnOff,
    /// Quit after that many frames.
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Show no text over the picture.
    #[arg(long)]
    no_ui: bool,
    /// Language of the text over the picture.
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value = "auto", ignore_case = true)]
    lang: LanguageChoice,
    /// Keep the camera perfectly still.
    #[arg(long)]
    no_sway: bool,
}

/// Runs it. `started` is when the program was.
///
/// # Errors
/// If the scene is wrong, or there is neither a window nor any other usable OpenGL.
pub fn run(args: DemoArgs, started: Instant) -> Result<(), CliError> {
    if let Some(folder) = args.scene.shaders.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(CliError::Config(format!("--shaders {}: there is no such folder", folder.display())));
    }
    let options = DemoOptions {
        scene: args.scene.options(),
        fullscreen: args.fullscreen,
        vsync: args.vsync == OnOff::On,
        frames: args.frames,
        ui: !args.no_ui,
        language: args.lang.language(),
        sway: !args.no_sway,
        pictures: screenshot_folder(),
        recordings: files::RESULTS.into(),
    };
    match demo::run(options.clone(), started) {
        Err(AppError::Context(error)) if error.is_about_the_window() => {
            log::warn!("{error}");
            without_window(&options.scene)
        }
        outcome => Ok(outcome?),
    }
}

/// What is shown where there is no display.
fn without_window(options: &SceneOptions) -> Result<(), CliError> {
    log::info!("in place of the window: a picture, {STILL}, and a short benchmark");
    let still = PictureFile::check(Path::new(STILL))?;
    let mut session = Session::open(options)?;
    session.step_to(shot::TIME_S, 0)?;
    let camera = session.camera(None)?;
    still.write(&session.capture(camera, View::Final, still.is_linear())?)?;
    log::info!("picture written to {STILL}");
    bench::short(&mut session, options)
}
