//! Food that somebody dropped.

use glam::Vec3;

/// A portion of food in the water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Food {
    /// Where it is, in world space.
    pub place: Vec3,
    /// What is left of it, 0..=1.
    pub left: f32,
}
