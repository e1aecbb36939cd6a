//! Where an eye is and how it looks.

use glam::{Quat, Vec3};
use view::Camera;

/// An eye in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where it is.
    pub eye: Vec3,
    /// World from view; it looks along -z.
    pub orientation: Quat,
}

impl Pose {
    /// That of a camera.
    pub fn of(camera: &Camera) -> Self {
        Self { eye: camera.eye, orientation: camera.orientation }
    }

    /// At `eye`, looking along `direction` with the horizon level; -z for no direction.
    pub fn looking(eye: Vec3, direction: Vec3) -> Self {
        Self::of(&Camera::look_at(eye, eye + direction.normalize_or(Vec3::NEG_Z), 1.0))
    }

    /// Unit vector where it looks.
    pub fn forward(&self) -> Vec3 {
        self.orientation * Vec3::NEG_Z
    }

    /// Whether it is anywhere.
    pub fn is_finite(&self) -> bool {
        self.eye.is_finite() && self.orientation.is_finite()
    }
}
