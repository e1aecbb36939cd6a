//! Position and orientation of an eye.

use glam::{Quat, Vec3};
use view::Camera;

/// Pose of an eye in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position.
    pub eye: Vec3,
    /// World from view; it looks along -z.
    pub orientation: Quat,
}

impl Pose {
    /// Pose of a camera.
    pub fn of(camera: &Camera) -> Self {
        Self { eye: camera.eye, orientation: camera.orientation }
    }

    /// Pose at `eye`, looking along `direction` with the horizon level; along -z if there is no direction.
    pub fn looking(eye: Vec3, direction: Vec3) -> Self {
        Self::of(&Camera::look_at(eye, eye + direction.normalize_or(Vec3::NEG_Z), 1.0))
    }

    /// Unit vector in the direction of view.
    pub fn forward(&self) -> Vec3 {
        self.orientation * Vec3::NEG_Z
    }

    /// Whether position and orientation are finite.
    pub fn is_finite(&self) -> bool {
        self.eye.is_finite() && self.orientation.is_finite()
    }
}
