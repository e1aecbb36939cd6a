//! MS3D documents become models: one file for each thing that has to be translated.
//!
//! Documents are expected without an error of [`ms3d::validate`]; what it warns about is dealt
//! with here. Numbers that are not finite, or so large that sums of them would not be, count as 0.

mod clips;
mod geometry;
mod materials;
mod mesh;
mod rig;

pub use clips::clips;
pub use geometry::{FileGeometry, geometry};
pub use materials::{Materials, materials};
pub use mesh::{mesh, shown_groups};
pub use rig::{JointWeights, joint_weights, skeleton};

use glam::Vec3;

/// A vector of the file with numbers that can be reckoned with.
fn usable(values: [f32; 3]) -> Vec3 {
    Vec3::from(values.map(|value| if value.abs() < 1e12 { value } else { 0.0 }))
}
