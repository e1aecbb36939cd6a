//! Windows and off-screen contexts, input, camera control, hot reload, capture.
//!
//! A [`context::Context`] is an OpenGL context with or without a window. A [`offscreen::Session`] is a scene on an
//! off-screen context, for `shot`, `bench` and the tests, [`window_session::WindowSession`] one in a window that nobody
//! steers; a [`film`] is many pictures of one; [`demo`] is the scene in a window, for people, and [`viewer`] a model
//! in one.

pub(crate) mod camera;
pub mod check;
pub mod clock;
#[cfg(not(target_arch = "wasm32"))]
pub mod context;
pub mod context_error;
pub mod demo;
mod error;
pub mod files;
#[cfg(not(target_arch = "wasm32"))]
pub mod film;
mod ground_heights;
#[cfg(not(target_arch = "wasm32"))]
pub mod interrupt;
mod load;
pub mod memory;
#[cfg(not(target_arch = "wasm32"))]
pub mod offscreen;
pub mod out_folders;
#[cfg(not(target_arch = "wasm32"))]
pub mod panorama;
pub mod picture_file;
pub mod stderr;
mod steps;
#[cfg_attr(target_arch = "wasm32", path = "in_turn.rs")]
pub mod threads;
#[cfg(not(target_arch = "wasm32"))]
pub mod user_folders;
#[cfg(not(target_arch = "wasm32"))]
pub mod viewer;
#[cfg(not(target_arch = "wasm32"))]
pub mod window_session;
pub mod words;

pub use error::AppError;
pub use load::{DEFAULT_SIZE, SceneOptions, check_camera, load, load_quietly, parse_size};
