//! The frame: a [`RenderScene`](crate::scene::RenderScene) becomes pixels.
//!
//! It knows meshes, instances and media, not fish or files. `frame.rs` is the frame from top to bottom; each pass is a
//! file in `passes`, with shaders of the same name.

mod constants;
mod cull;
mod exposure;
mod frame;
mod frame_uniforms;
pub mod governor;
mod lens;
mod models;
mod pass_cache;
mod pass_clock;
mod passes;
mod plan;
mod settings;
mod shaders;
mod skinned;
mod static_scene;
mod std140;

pub use cull::ViewVolume;
pub use frame::*;
pub use lens::{Lens, PINHOLES};
pub use pass_clock::PassClock;
pub use passes::WaveMap;
pub use plan::*;
pub use settings::*;
pub use shaders::{ShaderSource, built_in_hash};
pub use skinned::skinned;
