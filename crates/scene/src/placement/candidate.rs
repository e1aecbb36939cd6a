//! Candidate places for scattered things.

use std::f32::consts::TAU;

use glam::Vec2;
use math::{Fnv, ease, splitmix64};
use noise::{NoiseFn, OpenSimplex};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::PropSettings;

/// A candidate place of a thing.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Unit: m.
    pub x: f32,
    /// Unit: m.
    pub z: f32,
    /// Heading. Unit: rad.
    pub yaw: f32,
    /// Lean along x and z: the tangent of the angle.
    pub lean: Vec2,
    /// Greatest extent. Unit: m.
    pub size_m: f32,
    /// For things that grow on rock: whether this one may stand on the ground beside it.
    pub beside_rock: bool,
}

impl Candidate {
    /// The candidate of a placement in the scene file: x, z (m), yaw (degrees) and size (m).
    pub fn by_hand(&[x, z, yaw_deg, size_m]: &[f32; 4]) -> Self {
        Self { x, z, yaw: yaw_deg.to_radians(), lean: Vec2::ZERO, size_m, beside_rock: true }
    }

    /// Draws a random candidate; `None` where the patches are too thin. It always takes the same count of numbers from
    /// `rng`.
    pub fn draw(rng: &mut Pcg64Mcg, prop: &PropSettings, patches: &PatchDensity, beside_rock: bool) -> Option<Self> {
        let [distance, bearing, yaw, spread, leaning, lean_bearing, chance]: [f32; 7] = rng.random();
        // A little denser toward the middle, where the first view is.
        let (bearing, distance) = (bearing * TAU, prop.range_m * distance.powf(0.6));
        let candidate = Self {
            x: distance * bearing.cos(),
            z: distance * bearing.sin(),
            yaw: (prop.yaw_deg[0] + yaw * (prop.yaw_deg[1] - prop.yaw_deg[0])).to_radians(),
            lean: Vec2::from_angle(lean_bearing * TAU) * leaning * 0.14,
            size_m: prop.size_m * (1.0 + prop.size_spread * (2.0 * spread - 1.0)),
            beside_rock,
        };
        (chance < patches.at(candidate.x, candidate.z)).then_some(candidate)
    }
}

/// Density of a prop from place to place.
pub struct PatchDensity {
    noise: OpenSimplex,
    clustering: f32,
    size_m: f32,
}

impl PatchDensity {
    /// The patches of a prop.
    pub fn new(seed: u64, prop: &PropSettings) -> Self {
        // Rocks share one noise, so that large and small ones make outcrops together.
        let (noise, size_m) = if prop.is_rock() { (0, 11.0) } else { (name_hash(&prop.name), 5.0) };
        Self { noise: OpenSimplex::new(splitmix64(seed, noise ^ 0x50C4) as u32), clustering: prop.clustering, size_m }
    }

    /// Probability of a thing at a place. Range 0..=1.
    fn at(&self, x: f32, z: f32) -> f32 {
        let at = [f64::from(x / self.size_m), f64::from(z / self.size_m)];
        // Dense within a patch and bare between: about a third of the ground is patch.
        let patch = ease(((self.noise.get(at) as f32 - 0.02) / 0.3).clamp(0.0, 1.0));
        1.0 + (patch - 1.0) * self.clustering
    }
}

/// A hash that is the same on every machine and in every version.
pub fn name_hash(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(text.as_bytes());
    hash.finish()
}
