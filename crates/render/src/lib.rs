//! The renderer: a [`RenderScene`](view::RenderScene) becomes pixels. Metres, radians, linear RGB radiance; sizes in
//! pixels.
//!
//! It knows meshes, instances and media, not fish or files. [`FramePlan`] says which passes a frame has; `frame.rs` is
//! the frame from top to bottom; each pass is a file in `passes`, which names its shaders. A change is prepared beside
//! the objects in use and then swapped in ([`Renderer::prepare`]): drawing never compiles, unless the renderer was made
//! [with deferred compilation](Renderer::with_deferred_compilation).
//!
//! ```
//! use render::Quality;
//!
//! assert_eq!(Quality::Auto.drawn(true), Quality::Low, "on a software renderer");
//! assert_eq!(Quality::Auto.drawn(false), Quality::High, "on a GPU");
//! ```

mod caustic_slices;
mod constants;
mod cull;
mod debug_view;
mod deferred;
mod exposure;
mod frame;
mod frame_stats;
mod frame_uniforms;
pub mod governor;
mod ground;
mod lens;
mod levels;
mod material_maps;
mod mip_maps;
mod models;
mod pass_cache;
mod pass_clock;
mod passes;
mod patches;
mod plan;
mod settings;
mod setup;
mod shaders;
mod skinned;
mod static_scene;
mod std140;
mod stereo;
mod studio;
mod textures;
mod vertices;
mod water_colour;
mod water_radiance;

pub use cull::{BYTES_AN_INSTANCE, Frustum};
pub use debug_view::View;
pub use frame::*;
pub use frame_stats::FrameStats;
pub use lens::{LENS_SAMPLES, Lens, within_pixel};
pub use mip_maps::{MipMap, mip_maps};
pub use pass_clock::PassClock;
pub use passes::WaveMap;
pub use plan::*;
pub use settings::*;
pub use shaders::ShaderSource;
pub use skinned::{Corner, skinned};
pub use stereo::Stereo;
pub use studio::{Line, Paint, Studio, StudioView, joint_colour};
pub use textures::fitted;
pub use water_colour::WaterColours;

/// Reason that a renderer could not be made or changed.
pub type RenderError = gl::GlError;
