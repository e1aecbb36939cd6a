//! Owned GL objects and nothing else.
//!
//! Every object holds the shared function table, is labelled, and deletes itself on drop, which must happen while its
//! context is current. State is explicit: a draw is given its [`RenderState`], and only changes are sent to the driver.
//!
//! ```
//! use gl::{Blend, RenderState};
//!
//! let glow = RenderState { blend: Blend::Add, ..RenderState::FULLSCREEN };
//! assert_ne!(glow, RenderState::FULLSCREEN);
//! ```
#![allow(unsafe_code)]

use std::sync::Arc;

pub mod attributes;
mod buffer;
pub mod debug;
mod device;
mod dialect;
mod error;
#[cfg(not(target_arch = "wasm32"))]
pub mod faults;
pub mod feedback;
pub mod fence;
mod functions;
mod geometry;
#[cfg_attr(target_arch = "wasm32", path = "no_live.rs")]
mod live;
#[cfg(not(target_arch = "wasm32"))]
pub mod null;
mod pending;
mod program;
mod state;
mod target;
mod texture;
mod timer;
mod uniforms;

pub use buffer::{Buffer, BufferKind};
pub use device::DeviceInfo;
pub use dialect::Dialect;
pub use error::GlError;
pub use functions::Functions;
pub use geometry::{Attribute, AttributeKind, Geometry, Instances, Procedural, StreamedGeometry};
pub use live::live;
pub use pending::Pending;
pub use program::{Program, ShaderText, UniformBlock};
pub use state::{Blend, Cull, Depth, RenderState, apply, present, present_part, submit, take_back};
pub use target::{RenderTarget, TargetFormat};
pub use texture::{Filter, Format, Texture2d, Wrap};
pub use timer::{FrameTimers, with_core_queries};
pub use uniforms::{Declared, Slots, UniformSet, Uniforms};

/// The GL function table, shared by every object made with it. The context itself must be current on this thread.
pub type Gl = Arc<Functions>;
