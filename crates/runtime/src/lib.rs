//! A session of a scene: from options to checked settings, models and shaders from files, room in memory, threads,
//! fixed steps of simulation, and pictures written to files. Sizes are in pixels, times in seconds.
//!
//! An [`offscreen::Session`] is a scene on an off-screen context, for pictures, benchmarks and tests;
//! [`window_session::WindowSession`] is one in a window that nobody steers.
//!
//! ```
//! use runtime::SceneOptions;
//!
//! let options = SceneOptions { scene: "reef".into(), set: vec!["water.type=3C".into()], ..SceneOptions::default() };
//! let config = runtime::load(&options).expect("a built-in scene").config;
//! assert_eq!(config.scene.water.kind.to_string(), "3C");
//! ```
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
