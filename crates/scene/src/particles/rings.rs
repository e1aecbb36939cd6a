//! Rings that spread on the surface where bubbles break.

use glam::Vec2;
use ocean::{GRAVITY_M_S2, SEA_WATER_DENSITY_KG_M3, SURFACE_TENSION_N_M};
use view::SurfaceRing;

use crate::particles::bubbles::Burst;

/// Greatest number of rings at once; on a seething sea single rings cannot be told apart.
const MAX_RINGS: usize = 48;

/// Time in which a ring dies away. Unit: s.
const LIFE_S: f32 = 1.3;

/// Length of a ring's waves over the diameter of its bubble; by eye.
const LENGTH_PER_DIAMETER: f32 = 3.0;

/// Least and greatest length of a ring's waves: that at which gravity and surface tension are equal, and a hand's
/// width. Unit: m.
const LENGTHS_M: [f32; 2] = [0.017, 0.09];

/// Slope of the first wave; by eye.
const SLOPE: f32 = 0.35;

#[derive(Clone, Copy, Debug)]
struct Ring {
    place: Vec2,
    wave_length: f32,
    age_s: f32,
}

/// All rings on the sea.
#[derive(Clone, Debug, Default)]
pub struct SurfaceRings {
    alive: Vec<Ring>,
}

impl SurfaceRings {
    /// Steps by `dt` seconds; each of `bursts` starts a new ring.
    pub fn step(&mut self, dt: f32, bursts: &[Burst]) {
        for ring in &mut self.alive {
            ring.age_s += dt;
        }
        self.alive.retain(|ring| ring.age_s < LIFE_S);
        let room = MAX_RINGS - self.alive.len();
        self.alive.extend(bursts.iter().take(room).map(|burst| Ring {
            place: burst.place,
            wave_length: (LENGTH_PER_DIAMETER * burst.diameter).clamp(LENGTHS_M[0], LENGTHS_M[1]),
            age_s: 0.0,
        }));
    }

    /// Replaces the content of `out` by the rings as they were `ago_s` seconds before the last step.
    pub fn extract(&self, ago_s: f32, out: &mut Vec<SurfaceRing>) {
        out.clear();
        out.extend(self.alive.iter().map(|ring| {
            let age_s = (ring.age_s - ago_s).max(0.0);
            let left = 1.0 - age_s / LIFE_S;
            let radius = phase_speed(ring.wave_length) * age_s;
            SurfaceRing {
                place: ring.place,
                radius,
                wave_length: ring.wave_length,
                // The energy is constant on a growing circle.
                slope: SLOPE * left * left * (ring.wave_length / (ring.wave_length + radius)).sqrt(),
            }
        }));
    }
}

/// Speed of waves of a length (m) on deep water, gravity and surface tension together. Unit: m/s.
fn phase_speed(wave_length: f32) -> f32 {
    let wavenumber = std::f32::consts::TAU / wave_length;
    (GRAVITY_M_S2 / wavenumber + SURFACE_TENSION_N_M * wavenumber / SEA_WATER_DENSITY_KG_M3).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_wave_is_slower_than_23_cm_a_second() {
        assert!((phase_speed(LENGTHS_M[0]) - 0.23).abs() < 0.003);
        assert!(phase_speed(0.005) > 0.25 && phase_speed(0.09) > 0.3);
    }

    #[test]
    fn rings_widen_flatten_and_die_and_are_bounded() {
        let mut rings = SurfaceRings::default();
        let burst = Burst { place: Vec2::ONE, diameter: 0.01 };
        rings.step(0.1, &[burst; 100]);
        let mut out = Vec::new();
        let mut last = (-1.0, f32::INFINITY);
        for _ in 0..12 {
            rings.extract(0.0, &mut out);
            assert_eq!(out.len(), MAX_RINGS);
            assert!(out[0].radius > last.0 && out[0].slope < last.1);
            last = (out[0].radius, out[0].slope);
            rings.step(0.1, &[]);
        }
        assert!((0.25..0.6).contains(&last.0), "{} m", last.0);
        rings.step(0.2, &[]);
        rings.extract(0.0, &mut out);
        assert!(out.is_empty());
    }
}
