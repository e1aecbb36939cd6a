//! Models as they are drawn: meshes, materials, skeleton, clips and levels of detail, whatever file they came from.
//!
//! Model space after import: +y up, the creature looks along -z, units as in the file; the instance's scale makes them
//! metres. A joint index equal to `skeleton.joints.len()` means "at rest": palettes end with an identity joint for it.
//!
//! Files come in through [`Files`]; [`load`] leaves [`Model::palette`] empty, since posing is [`animation`]'s;
//! [`animation::load_model`] does both and is what a scene calls.

pub mod animation;
pub mod body_wave;
pub mod export;
pub mod files;
pub mod import;
pub mod lod;
pub mod material;
pub mod sheet;
pub mod texture;
pub mod triangle_order;

mod load;
mod ms3d_extras;
mod request;
mod types;

pub use files::{FileVersion, Files, Stamp};
pub use load::{LEVELS, format_of, load, pack_levels, read_document};
pub use request::{
    ClipRequest, Forward, LoadedModel, MAX_FILE_BYTES, ModelError, ModelPart, ModelRequest, ModelWarning,
};
pub use types::*;

#[cfg(test)]
mod tests;
