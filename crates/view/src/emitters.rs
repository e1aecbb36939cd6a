//! Emitters: artificial lights, and flat patches for measuring.

use glam::{Vec2, Vec3};

use crate::Camera;

/// Artificial lights in one frame at most.
pub const LIGHTS: usize = 4;

/// An artificial light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointLight {
    /// Position in world space.
    pub position: Vec3,
    /// Unit vector along the middle of its cone.
    pub direction: Vec3,
    /// Cosine of half the cone's angle; -1 shines all round.
    pub cos_cone: f32,
    /// Irradiance at one metre in clear air, linear RGB.
    pub intensity: Vec3,
    /// Gain of what the water scatters of it, but for a cone that shines at the eye; 0 hides its beam, 1 is the usual.
    pub beam: f32,
    /// Whether it casts the shadows, in place of the sun or the moon: a cone that a map can take in.
    pub casts_shadows: bool,
}

/// A flat square emitter that faces the eye it was placed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestPatch {
    /// The camera it was placed from.
    pub placed_from: Camera,
    /// Its middle in that camera's picture as shares of width and height, from the top left.
    pub at: Vec2,
    /// Distance of its middle from that camera. Unit: m.
    pub distance_m: f32,
    /// Its width as a share of the picture's.
    pub width: f32,
    /// Radiance that it emits, linear RGB.
    pub radiance: Vec3,
}
