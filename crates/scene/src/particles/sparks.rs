//! Plankton that sparks where something moves.
//!
//! Dinoflagellates flash once, for about a tenth of a second, where the water shears them: from a stress of about 0.1
//! N/m^2 on (Latz, Nauen & Rohr 2004, J. Plankton Res. 26:1529). The boundary layer of a swimming body reaches that
//! stress from a quarter of a metre a second on: stress = friction / 2 x density x speed^2, friction about 0.003.

use glam::Vec3;
use life::Population;
use ocean::Current;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use view::Spark;

/// Greatest number of sparks at once.
const MAX_SPARKS: usize = 512;

/// Time that a spark lasts. Unit: s.
const LIFE_S: f32 = 0.14;

/// Least speed at which a body makes sparks, and the speed at which it makes most. Unit: m/s.
const SPEEDS_M_S: [f32; 2] = [0.2, 1.2];

/// Sparks from a body of a metre at the upper speed, if all plankton can spark. Unit: 1/s.
const RATE_HZ: f32 = 1800.0;

/// Greatest rate of sparks from one body. Unit: 1/s.
const MAX_HZ: f32 = 400.0;

/// Length of the stirred water, from behind the snout backward. Unit: body lengths.
const WAKE_BL: f32 = 2.2;

#[derive(Clone, Debug)]
struct OneSpark {
    position: Vec3,
    age_s: f32,
    brightness: f32,
}

/// All sparks in the water.
#[derive(Clone, Debug)]
pub struct Sparks {
    share: f32,
    alive: Vec<OneSpark>,
    rng: Pcg64Mcg,
}

impl Sparks {
    /// Dark water in which a `share` of the plankton sparks.
    pub fn new(share: f32, seed: u64) -> Self {
        Self { share, alive: Vec::new(), rng: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// Steps by `dt` seconds; the animals of `population` stir the water.
    pub fn step(&mut self, dt: f32, current: &Current, population: &Population) {
        for spark in &mut self.alive {
            spark.age_s += dt;
            spark.position += current.velocity(spark.position) * dt;
        }
        self.alive.retain(|spark| spark.age_s < LIFE_S);
        if self.share <= 0.0 || population.is_empty() {
            return;
        }
        // Rejection sampling: random animals are drawn and accepted with their probability, instead of asking each one.
        let rng = &mut self.rng;
        let draws = population.len() as f32 * MAX_HZ * dt;
        for _ in 0..(draws + rng.random::<f32>()) as usize {
            let body = population.body(rng.random_range(0..population.len()));
            let [least, most] = SPEEDS_M_S;
            let stirred = ((body.speed - least) / (most - least)).clamp(0.0, 1.0);
            let wanted = self.share * RATE_HZ * stirred * body.length * body.length;
            if rng.random::<f32>() * MAX_HZ >= wanted || self.alive.len() >= MAX_SPARKS {
                continue;
            }
            // From behind the snout along the skin and into the wake, which widens and fades.
            let back = WAKE_BL * rng.random::<f32>();
            let around = 2.0 * Vec3::new(rng.random(), rng.random(), rng.random()) - 1.0;
            let aside = around - body.heading * around.dot(body.heading);
            let width = body.length * (0.07 + 0.06 * back);
            let position = body.position + body.heading * (body.length * (0.4 - back)) + aside * width;
            if position.y < 0.0 {
                let (random, left) = (rng.random::<f32>(), 1.0 - back / WAKE_BL);
                self.alive.push(OneSpark { position, age_s: 0.0, brightness: left * (0.25 + random * random) });
            }
        }
    }

    /// Replaces the content of `out` by the sparks as they were `ago_s` seconds before the last step.
    pub fn extract(&self, ago_s: f32, out: &mut Vec<Spark>) {
        out.clear();
        out.extend(self.alive.iter().map(|spark| {
            let age = ((spark.age_s - ago_s) / LIFE_S).max(0.0);
            // It brightens during the first fifth of its life.
            let shown = (5.0 * age).min(1.25 * (1.0 - age));
            Spark { position: spark.position, brightness: spark.brightness * shown * shown }
        }));
    }
}

#[cfg(test)]
mod tests {
    use life::{Habitat, LifeSettings, serial};

    use super::*;

    fn population(speed_bl_s: f32) -> Population {
        let species = LifeSettings { count: 40, length_m: 0.5, speed_bl_s, ..LifeSettings::default() };
        Population::new(&[species], Habitat::default(), 7, serial)
    }

    fn sparks(share: f32, population: &Population) -> Sparks {
        let mut sparks = Sparks::new(share, 1);
        for _ in 0..30 {
            sparks.step(1.0 / 60.0, &Current::default(), population);
        }
        sparks
    }

    #[test]
    fn they_flash_by_what_is_fast_and_nowhere_else() {
        let fast = population(2.0);
        let sparks_of_fast = sparks(0.5, &fast);
        assert!(sparks_of_fast.alive.len() > 20, "{}", sparks_of_fast.alive.len());
        let near = |spark: &OneSpark| {
            (0..fast.len()).any(|i| fast.body(i).position.distance(spark.position) < 2.2 * fast.body(i).length)
        };
        assert!(sparks_of_fast.alive.iter().all(near), "each within reach of a body");
        assert!(sparks(0.5, &population(0.1)).alive.is_empty(), "too slow to shear anything");
        assert!(sparks(0.0, &fast).alive.is_empty(), "no plankton");
    }

    #[test]
    fn a_spark_flares_up_and_is_gone_within_a_seventh_of_a_second() {
        let mut one = Sparks::new(0.0, 1);
        one.alive.push(OneSpark { position: -Vec3::Y, age_s: 0.0, brightness: 1.0 });
        let none = Population::new(&[], Habitat::default(), 1, serial);
        let mut seen = Vec::new();
        let mut out = Vec::new();
        for _ in 0..10 {
            one.step(1.0 / 60.0, &Current::default(), &none);
            one.extract(0.0, &mut out);
            seen.push(out.first().map_or(0.0, |spark| spark.brightness));
        }
        assert!(seen[1] > 0.5 && seen[1] > seen[0] && seen[6] < 0.1 && seen[9] == 0.0, "{seen:?}");
    }
}
