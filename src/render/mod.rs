//! The frame: a [`RenderScene`](crate::scene::RenderScene) becomes pixels.
//!
//! It knows meshes, instances and media, not fish or files.

mod frame;
mod settings;

pub use frame::*;
pub use settings::*;
