//! Food dropped into the water.

use glam::Vec3;

/// A portion of food in the water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Food {
    /// Position in world space.
    pub place: Vec3,
    /// Remaining share, 0..=1.
    pub left: f32,
}
