//! Windows and off-screen contexts, input, camera control, hot reload, capture.
//!
//! A [`context::Context`] is an OpenGL context with or without a window. A [`offscreen::Session`] is a scene on an
//! off-screen context, for `shot`, `bench` and the tests, [`in_window::InWindow`] one in a window that nobody steers;
//! [`demo`] is the scene in a window, for people.

pub mod context;
pub mod demo;
mod error;
pub mod files;
mod fly;
mod ground;
pub mod in_window;
pub mod interrupt;
mod keys;
mod load;
pub mod offscreen;
pub mod output;
mod overlay;
mod steps;

pub use error::AppError;
pub use load::{DEFAULT_SIZE, SceneOptions, load};
