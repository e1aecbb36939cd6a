//! Windows and off-screen contexts, input, camera control, hot reload, capture.
//!
//! A [`context::Context`] is an OpenGL context with or without a window. A [`offscreen::Session`] is a scene on an
//! off-screen context, for `shot`, `bench` and the tests, [`window_session::WindowSession`] one in a window that nobody
//! steers; [`demo`] is the scene in a window, for people, and [`viewer`] a model
//! in one.

mod camera;
pub mod check;
pub mod clock;
pub mod context;
pub mod demo;
mod error;
pub mod files;
mod ground_heights;
pub mod interrupt;
mod load;
pub mod memory;
pub mod offscreen;
pub mod out_folders;
pub mod picture_file;
pub mod stderr;
mod steps;
pub mod threads;
pub mod viewer;
pub mod window_session;
pub mod words;

pub use error::AppError;
pub use load::{DEFAULT_SIZE, SceneOptions, load, load_quietly};
