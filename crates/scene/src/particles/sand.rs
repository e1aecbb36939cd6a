//! Clouds of sand that animals stir up: soft puffs that spread, drift with the water and settle.

use glam::Vec3;
use life::{Event, EventKind};
use math::Fnv;
use ocean::Current;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use view::SandPuff;

/// Greatest number of puffs at once.
const MAX_PUFFS: usize = 160;

/// Shortest and longest time in which a puff settles or is lost in the water. Unit: s.
const LIFE_S: [f32; 2] = [6.0, 18.0];

/// Time constant with which drag slows a puff's own motion. Unit: s.
const DRAG_S: f32 = 0.45;

/// Sinking speed of grains of 0.1 mm in sea water, by Stokes' law for carbonate, 2700 kg/m^3. Unit: m/s.
const SINKING_M_S: f32 = 0.008;

/// Speed of the eddies in a fresh cloud, by which it spreads; by eye. Unit: m/s.
const EDDY_M_S: f32 = 0.05;

/// Time in which a puff comes up out of the ground, and its initial size over its first radius. By eye. Unit: s.
const RISES_S: f32 = 0.55;
const SMALL: f32 = 0.3;

/// Shape of a kind of cloud: number of puffs, optical depth through the middle of a fresh one, their spread over the
/// cloud's radius across and up, and the speeds at which they are thrown aside and up, in m/s. By eye.
struct Shape {
    puffs: usize,
    optical_depth: f32,
    spread: Vec3,
    thrown: Vec3,
}

impl Shape {
    fn of(kind: EventKind) -> Option<Self> {
        match kind {
            EventKind::Exhale | EventKind::Strike => None,
            EventKind::Bite => Some(Self {
                puffs: 5,
                optical_depth: 1.3,
                spread: Vec3::splat(0.6),
                thrown: Vec3::new(0.14, 0.10, 0.14),
            }),
            // A veil that trails behind and sinks.
            EventKind::Void => Some(Self {
                puffs: 2,
                optical_depth: 0.5,
                spread: Vec3::splat(0.8),
                thrown: Vec3::new(0.04, -0.30, 0.04),
            }),
            // From under the rim of a disc, low and wide.
            EventKind::Settle => Some(Self {
                puffs: 12,
                optical_depth: 1.0,
                spread: Vec3::new(1.6, 0.2, 1.6),
                thrown: Vec3::new(0.35, 0.10, 0.35),
            }),
        }
    }
}

#[derive(Clone, Debug)]
struct Puff {
    position: Vec3,
    /// Velocity relative to the water. Unit: m/s.
    velocity: Vec3,
    /// Radius at first. Unit: m.
    first_radius: f32,
    /// Initial optical depth through its middle.
    optical_depth: f32,
    radius: f32,
    age_s: f32,
    life_s: f32,
    /// Height of the ground below it. Unit: m.
    floor_m: f32,
    variation: f32,
}

/// All sand in the water.
#[derive(Clone, Debug)]
pub struct SandClouds {
    amount: f32,
    alive: Vec<Puff>,
    rng: Pcg64Mcg,
}

impl SandClouds {
    /// Clear water; `amount` is a factor on the sand that is stirred up.
    pub fn new(amount: f32, seed: u64) -> Self {
        Self { amount, alive: Vec::new(), rng: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// Stirs up the sand of an event over a ground at the height `floor_m`.
    pub fn stir(&mut self, event: &Event, floor_m: f32) {
        let Some(shape) = Shape::of(event.kind) else { return };
        if self.amount <= 0.0 || self.alive.len() + shape.puffs > MAX_PUFFS {
            return;
        }
        // Radius of a ball of the cloud's volume in litres, and of a puff, which overlaps its neighbours.
        let cloud = 0.062 * (self.amount * event.volume_l).cbrt();
        let first_radius = 1.4 * cloud / (shape.puffs as f32).cbrt();
        let rng = &mut self.rng;
        for _ in 0..shape.puffs {
            let aside = 2.0 * Vec3::new(rng.random(), rng.random(), rng.random()) - 1.0;
            let up = aside.with_y(aside.y.abs());
            let [shortest, longest] = LIFE_S;
            self.alive.push(Puff {
                position: event.position + cloud * shape.spread * up,
                velocity: 0.3 * event.velocity + shape.thrown * up,
                first_radius,
                optical_depth: shape.optical_depth,
                radius: first_radius,
                age_s: 0.0,
                life_s: shortest + (longest - shortest) * rng.random::<f32>(),
                floor_m,
                variation: rng.random(),
            });
        }
    }

    /// Steps by `dt` seconds in moving water.
    pub fn step(&mut self, dt: f32, current: &Current) {
        for puff in &mut self.alive {
            puff.age_s += dt;
            puff.velocity -= puff.velocity * (dt / (DRAG_S + dt));
            // Eddies of the cloud's own size spread it: the rate is their size times their speed.
            puff.radius += EDDY_M_S * puff.first_radius / puff.radius * dt;
            puff.position += (puff.velocity + current.velocity(puff.position) - SINKING_M_S * Vec3::Y) * dt;
            puff.position.y = puff.position.y.max(puff.floor_m + 0.25 * puff.radius);
        }
        self.alive.retain(|puff| puff.age_s < puff.life_s);
    }

    /// Replaces the content of `out` by the puffs as they were `ago_s` seconds before the last step.
    pub fn extract(&self, ago_s: f32, current: &Current, out: &mut Vec<SandPuff>) {
        out.clear();
        out.extend(self.alive.iter().map(|puff| {
            let age_s = (puff.age_s - ago_s).max(0.0);
            let left = 1.0 - age_s / puff.life_s;
            let thinned = puff.first_radius / puff.radius;
            let risen = math::ease((age_s / RISES_S).min(1.0));
            SandPuff {
                position: puff.position - (puff.velocity + current.velocity(puff.position)) * ago_s,
                radius: puff.radius * (SMALL + (1.0 - SMALL) * risen),
                optical_depth: puff.optical_depth * risen * left * left * thinned * thinned,
                floor_m: puff.floor_m,
                variation: puff.variation,
            }
        }));
    }

    /// Adds the puffs' positions to a hash.
    pub fn hash(&self, hash: &mut Fnv) {
        self.alive.iter().flat_map(|puff| puff.position.to_array()).for_each(|part| hash.word(part.to_bits()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bite() -> Event {
        Event {
            kind: EventKind::Bite,
            animal: (0, 0),
            position: Vec3::new(0.0, -4.9, 0.0),
            velocity: Vec3::ZERO,
            volume_l: 0.5,
        }
    }

    #[test]
    fn a_cloud_spreads_drifts_thins_and_settles() {
        let mut sand = SandClouds::new(1.0, 3);
        sand.stir(&bite(), -5.0);
        let drift = Current::from(Vec3::new(0.1, 0.0, 0.0));
        let mut out = Vec::new();
        let mut seen = Vec::new();
        for _ in 0..8 {
            for _ in 0..60 {
                sand.step(1.0 / 60.0, &drift);
            }
            sand.extract(0.0, &drift, &mut out);
            assert!(out.iter().all(|puff| puff.position.y > -5.0), "above the ground");
            seen.extend(out.first().copied());
        }
        assert!(
            seen.windows(2).all(|two| two[1].radius > two[0].radius && two[1].optical_depth < two[0].optical_depth)
        );
        assert!(seen[4].position.x > 0.35, "it goes with the water");
        for _ in 0..60 * 20 {
            sand.step(1.0 / 60.0, &drift);
        }
        assert!(sand.alive.is_empty(), "all has settled within 20 s");
    }

    #[test]
    fn a_cloud_comes_up_within_half_a_second() {
        let mut sand = SandClouds::new(1.0, 3);
        sand.stir(&bite(), -5.0);
        let still = Current::from(Vec3::ZERO);
        let mut out = Vec::new();
        let depths: Vec<f32> = (0..48)
            .map(|_| {
                sand.step(1.0 / 60.0, &still);
                sand.extract(0.0, &still, &mut out);
                out[0].optical_depth * out[0].radius * out[0].radius
            })
            .collect();
        let most = depths.iter().copied().fold(0.0, f32::max);
        assert!(depths[7] < 0.15 * most, "an eighth of a second on: {} of {most}", depths[7]);
        assert!(depths[20] < 0.9 * most && depths[36] > 0.9 * most, "{depths:?}");
    }

    #[test]
    fn breath_stirs_none_and_the_number_is_bounded() {
        let mut sand = SandClouds::new(1.0, 3);
        sand.stir(&Event { kind: EventKind::Exhale, ..bite() }, -5.0);
        assert!(sand.alive.is_empty());
        (0..1000).for_each(|_| sand.stir(&bite(), -5.0));
        assert!((MAX_PUFFS - 4..=MAX_PUFFS).contains(&sand.alive.len()));
        let mut none = SandClouds::new(0.0, 3);
        none.stir(&bite(), -5.0);
        assert!(none.alive.is_empty());
    }
}
