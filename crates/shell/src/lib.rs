//! A program's window: the screen that is drawn on, panels painted over the picture, their colours and their language.
//!
//! A [`screen::Screen`] is a window or a page's canvas; [`window::WindowScreen`] is the former. Panels are laid out in an
//! egui [`context`](theme::context) and drawn by a [`painter::Painter`]; their texts are [`messages`].
//!
//! ```
//! use shell::messages::{Language, Messages};
//!
//! let english = Messages::new(Language::English);
//! assert_ne!(english.get("paused"), Messages::new(Language::Chinese).get("paused"));
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

pub mod context_loss;
pub mod messages;
pub mod painter;
pub mod rate;
pub mod screen;
#[cfg(not(target_arch = "wasm32"))]
pub mod test_screen;
pub mod theme;
#[cfg(not(target_arch = "wasm32"))]
pub mod window;
#[cfg(not(target_arch = "wasm32"))]
pub mod window_panels;
