//! Scales that a fish loses to a hunter: silver discs that seesaw down and are lost in the water.
//!
//! They are drawn as flat bubbles: both mirror what is round them.

use std::f32::consts::TAU;

use glam::Vec3;
use life::Event;
use math::Fnv;
use ocean::Current;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use view::Bubble;

/// Greatest number of scales at once.
const MAX_SCALES: usize = 120;

/// Number of scales that fall after a strike: the fewest, and the spread above it. This and the numbers below are by eye.
const SHED: [usize; 2] = [6, 5];

/// Radii of the smallest and the largest scale, and of the place where they come loose. Unit: m.
const RADII_M: [f32; 2] = [0.003, 0.006];
const LOOSE_M: f32 = 0.09;

/// Shortest and longest time until a scale is lost to the eye. Unit: s.
const LIFE_S: [f32; 2] = [7.0, 13.0];

/// Sinking speeds of a scale that flutters. Unit: m/s.
const SINKING_M_S: [f32; 2] = [0.018, 0.035];

/// Greatest speed at which scales are flung about, and the time constant with which drag slows them. Unit: m/s, s.
const FLUNG_M_S: f32 = 0.5;
const DRAG_S: f32 = 0.3;

/// Way to each side of a seesaw, and the slowest and the quickest rate. Unit: m, rad/s.
const ASIDE_M: f32 = 0.012;
const SEESAW_RAD_S: [f32; 2] = [3.5, 8.0];

/// Height over width of a scale, and its size edge on over that when it flashes.
const FLATNESS: f32 = 0.3;
const EDGE_ON: f32 = 0.3;

#[derive(Clone, Debug)]
struct FallingScale {
    /// Middle of its seesaw, in world space.
    position: Vec3,
    /// Velocity relative to the water. Unit: m/s.
    velocity: Vec3,
    /// Sinking speed. Unit: m/s.
    sinking: f32,
    radius: f32,
    /// Phase of its seesaw, and its rate. Unit: rad, rad/s.
    phase: f32,
    rate: f32,
    /// Direction of its seesaw.
    aside: Vec3,
    age_s: f32,
    life_s: f32,
    /// Height of the ground below it. Unit: m.
    floor_m: f32,
}

/// All scales that fall.
#[derive(Clone, Debug)]
pub struct FallenScales {
    alive: Vec<FallingScale>,
    rng: Pcg64Mcg,
}

impl FallenScales {
    /// Water without scales.
    pub fn new(seed: u64) -> Self {
        Self { alive: Vec::new(), rng: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// Sheds a handful of scales at a strike over a ground at the height `floor_m`.
    pub fn shed(&mut self, strike: &Event, floor_m: f32) {
        let rng = &mut self.rng;
        let [fewest, more] = SHED;
        let count = fewest + (rng.random::<f32>() * (more + 1) as f32) as usize;
        for _ in 0..count.min(MAX_SCALES - self.alive.len()) {
            let [about, way] = [(); 2].map(|()| 2.0 * Vec3::new(rng.random(), rng.random(), rng.random()) - 1.0);
            let mut between = |[least, most]: [f32; 2]| least + (most - least) * rng.random::<f32>();
            let turn = between([0.0, TAU]);
            self.alive.push(FallingScale {
                position: strike.position + LOOSE_M * about,
                velocity: 0.15 * strike.velocity + FLUNG_M_S * way,
                sinking: between(SINKING_M_S),
                radius: between(RADII_M),
                phase: between([0.0, TAU]),
                rate: between(SEESAW_RAD_S),
                aside: Vec3::new(turn.cos(), 0.0, turn.sin()),
                age_s: 0.0,
                life_s: between(LIFE_S),
                floor_m,
            });
        }
    }

    /// Steps by `dt` seconds in moving water.
    pub fn step(&mut self, dt: f32, current: &Current) {
        for scale in &mut self.alive {
            scale.age_s += dt;
            scale.velocity -= scale.velocity * (dt / (DRAG_S + dt));
            scale.phase += scale.rate * dt;
            scale.position += (scale.velocity + current.velocity(scale.position) - scale.sinking * Vec3::Y) * dt;
        }
        // On the ground, or out of the water, they are not seen.
        self.alive
            .retain(|scale| scale.age_s < scale.life_s && (scale.floor_m..-scale.radius).contains(&scale.position.y));
    }

    /// Adds the scales as they were `ago_s` seconds before the last step to `out`.
    pub fn extract(&self, ago_s: f32, current: &Current, out: &mut Vec<Bubble>) {
        out.extend(self.alive.iter().map(|scale| {
            let phase = scale.phase - scale.rate * ago_s;
            let moving = scale.velocity + current.velocity(scale.position) - scale.sinking * Vec3::Y;
            let left = 1.0 - (scale.age_s - ago_s).max(0.0) / scale.life_s;
            // Face on it is a mirror, edge on hardly anything.
            let facing = phase.cos().powi(4);
            Bubble {
                position: scale.position - moving * ago_s + scale.aside * (ASIDE_M * phase.sin()),
                radius: scale.radius * left.sqrt() * (EDGE_ON + (1.0 - EDGE_ON) * facing),
                flatness: FLATNESS,
                wobble: phase,
            }
        }));
    }

    /// Adds the scales' positions to a hash.
    pub fn hash(&self, hash: &mut Fnv) {
        self.alive.iter().flat_map(|scale| scale.position.to_array()).for_each(|part| hash.word(part.to_bits()));
    }
}

#[cfg(test)]
mod tests {
    use life::EventKind;

    use super::*;

    fn strike() -> Event {
        Event {
            kind: EventKind::Strike,
            animal: (0, 0),
            position: Vec3::new(0.0, -3.0, 0.0),
            velocity: Vec3::new(4.0, 0.0, 0.0),
            volume_l: 0.0,
        }
    }

    fn seen(scales: &FallenScales) -> Vec<Bubble> {
        let mut out = Vec::new();
        scales.extract(0.0, &Current::from(Vec3::ZERO), &mut out);
        out
    }

    #[test]
    fn a_handful_falls_from_the_place_drifts_and_is_gone_within_a_quarter_of_a_minute() {
        let mut scales = FallenScales::new(5);
        scales.shed(&strike(), -9.0);
        let first = seen(&scales);
        assert!((6..=11).contains(&first.len()), "{} scales", first.len());
        assert!(first.iter().all(|one| one.position.distance(strike().position) < 0.2));
        let drift = Current::from(Vec3::new(0.0, 0.0, 0.1));
        let (mut heights, mut areas) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            for _ in 0..60 {
                scales.step(1.0 / 60.0, &drift);
            }
            let now = seen(&scales);
            heights.push(now.iter().map(|one| one.position.y).sum::<f32>() / now.len() as f32);
            assert!(now.iter().all(|one| one.radius < 0.0061), "no larger than scales");
        }
        assert!(heights.windows(2).all(|two| two[1] < two[0] - 0.01), "they sink: {heights:?}");
        let now = seen(&scales);
        assert!(now.iter().all(|one| one.position.z > 0.4), "they go with the water");
        // Over one seesaw of the slowest.
        for _ in 0..110 {
            scales.step(1.0 / 60.0, &drift);
            areas.extend(seen(&scales).first().map(|one| one.radius));
        }
        let (least, most) = (areas.iter().fold(1.0f32, |a, b| a.min(*b)), areas.iter().fold(0.0f32, |a, b| a.max(*b)));
        assert!(most > 2.0 * least, "they glitter: {least} to {most}");
        for _ in 0..60 * 8 {
            scales.step(1.0 / 60.0, &drift);
        }
        assert!(seen(&scales).is_empty());
    }

    #[test]
    fn the_seed_decides_and_the_number_is_bounded() {
        let shed = |seed| {
            let mut scales = FallenScales::new(seed);
            (0..100).for_each(|_| scales.shed(&strike(), -9.0));
            seen(&scales)
        };
        assert_eq!(shed(1), shed(1));
        assert_ne!(shed(1), shed(2));
        assert_eq!(shed(1).len(), MAX_SCALES);
        let after = |floor_m: f32| {
            let mut scales = FallenScales::new(1);
            scales.shed(&strike(), floor_m);
            for _ in 0..60 * 6 {
                scales.step(1.0 / 60.0, &Current::from(Vec3::ZERO));
            }
            seen(&scales)
        };
        assert!(after(-3.1).iter().all(|one| one.position.y >= -3.1), "none below the ground");
        assert!(after(-3.1).len() < after(-9.0).len(), "the ground ends them");
    }
}
