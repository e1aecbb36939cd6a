//! Floating things: bubbles and their rings, sand, plankton that flashes, marine snow.

use glam::{Vec2, Vec3};

/// An air bubble.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bubble {
    /// Centre in world space.
    pub position: Vec3,
    /// Radius of the sphere of equal volume. Unit: m.
    pub radius: f32,
    /// Height over width: 1 a sphere, less for a flattened large bubble.
    pub flatness: f32,
    /// Phase of its wobble. Unit: rad.
    pub wobble: f32,
}

/// A ring that spreads on the surface of the sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceRing {
    /// Its middle, x and z.
    pub place: Vec2,
    /// Radius. Unit: m.
    pub radius: f32,
    /// Length of its waves. Unit: m.
    pub wave_length: f32,
    /// Their steepest slope.
    pub slope: f32,
}

/// A soft ball of sand in the water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SandPuff {
    /// Middle in world space.
    pub position: Vec3,
    /// Radius. Unit: m.
    pub radius: f32,
    /// Optical depth through its middle.
    pub optical_depth: f32,
    /// Height of the ground below it. Unit: m.
    pub floor_m: f32,
    /// A number of its own in 0..1.
    pub variation: f32,
}

/// A flash of plankton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spark {
    /// Position in world space.
    pub position: Vec3,
    /// Brightness; 1 is a bright spark at its brightest.
    pub brightness: f32,
}

/// Marine snow: flakes fill a cube that goes with the camera, wrapping round; the vertex shader places them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MarineSnow {
    /// Number of flakes.
    pub count: u32,
    /// Side of the cube. Unit: m.
    pub extent_m: f32,
    /// Mean radius of a flake. Unit: m.
    pub radius_m: f32,
    /// Drift of the flakes since the scene began. Unit: m.
    pub drift: Vec3,
    /// Velocity at which the water carries them. Unit: m/s.
    pub velocity: Vec3,
    /// Seed of their places.
    pub seed: u32,
    /// Share of them that are plankton and flash where the camera stirs the water.
    pub emissive_share: f32,
    /// Number of plankton, besides, that a torch has drawn into its beam by night.
    pub swarm: u32,
}
