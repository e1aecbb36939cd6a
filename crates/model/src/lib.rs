//! Models as they are drawn: meshes, materials, skeleton, clips and levels of detail, whatever file they came from.
//!
//! Model space after import: +y up, the creature looks along -z, units as in the file; the instance's scale makes them
//! metres. A joint index equal to `skeleton.joints.len()` means "at rest": palettes end with an identity joint for it.
//!
//! Files come in through [`Files`]; [`load`] leaves [`Model::palette`] empty, since posing is [`animation`]'s;
//! [`animation::load_model`] does both, and scenes call it.
//!
//! ```
//! use std::ffi::OsString;
//! use std::io;
//! use std::path::Path;
//!
//! use model::{Files, ModelRequest};
//!
//! /// A disk with nothing on it.
//! struct Nothing;
//!
//! impl Files for Nothing {
//!     fn read(&self, _: &Path, _: u64) -> io::Result<Vec<u8>> {
//!         Err(io::ErrorKind::NotFound.into())
//!     }
//!     fn names(&self, _: &Path) -> Vec<OsString> {
//!         Vec::new()
//!     }
//! }
//!
//! let error = model::load(&ModelRequest::new("fish.glb"), &Nothing).expect_err("no such file");
//! assert!(error.to_string().contains("fish.glb"));
//! ```

pub mod animation;
pub mod body_wave;
pub mod export;
pub mod files;
mod foreign;
pub mod import;
pub mod lod;
pub mod material;
mod rest_pose;
pub mod sheet;
mod sideways;
pub mod texture;
pub mod triangle_order;
mod usual_clip;

mod load;
mod ms3d_extras;
mod request;
mod types;

pub use files::{FileVersion, Files, Stamp};
pub use foreign::foreign;
pub use load::{LEVELS, format_of, load, pack_levels, read_document};
pub use request::{
    ClipRequest, Forward, LoadedModel, MAX_FILE_BYTES, ModelError, ModelPart, ModelRequest, ModelWarning,
};
pub use sideways::sideways;
pub use types::*;
pub use usual_clip::{GAIT_CLIPS, USUAL_CLIPS, usual_clip};

#[cfg(test)]
mod tests;
