//! What is drawn: meshes, materials, skeleton, clips and levels of detail, whatever file they came from.
//!
//! Model space after import: +y up, the creature looks along -z, units as in the file; the instance's scale makes them
//! metres. A joint index equal to `skeleton.joints.len()` means "at rest": palettes end with an identity joint for it.

mod types;

pub use types::*;
