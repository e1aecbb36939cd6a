//! A scene opened and kept going: from what was asked for to checked settings, models and shaders from files, room in
//! memory, threads, fixed steps.
//!
//! An [`offscreen::Session`] is a scene on an off-screen context, for pictures, benchmarks and tests;
//! [`window_session::WindowSession`] is one in a window that nobody steers.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

pub mod check;
mod error;
pub mod files;
mod load;
pub mod memory;
#[cfg(not(target_arch = "wasm32"))]
pub mod offscreen;
pub mod picture_file;
pub mod steps;
#[cfg_attr(target_arch = "wasm32", path = "in_turn.rs")]
pub mod threads;
#[cfg(not(target_arch = "wasm32"))]
pub mod window_session;

pub use error::AppError;
pub use load::{DEFAULT_SIZE, SceneOptions, check_camera, load, load_quietly, parse_size};
