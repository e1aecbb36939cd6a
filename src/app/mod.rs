//! Windows and off-screen contexts, input, camera control, hot reload, capture.
//!
//! A [`context::Context`] is an OpenGL context with or without a window. A [`offscreen::Session`] is a scene on an
//! off-screen context, for `shot`, `bench` and the tests; [`demo`] is the scene in a window, for people.

pub mod context;
mod error;
pub mod interrupt;
mod load;
pub mod offscreen;

pub use error::AppError;
pub use load::{SceneOptions, deal_fish, fish_of, load};
