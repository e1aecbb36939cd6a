//! Turning about: a fish that has just turned round does not turn round again at once.

use std::f32::consts::PI;

use glam::Vec3;

use crate::STEP_S;

/// Turn within [`WITHIN_S`] that counts as turning about. Unit: rad.
const TURN: f32 = 100.0 * PI / 180.0;

/// Samples of its turns in that time, and the steps from one to the next.
const SAMPLES: usize = 8;
const STEPS: u32 = 7;

/// Time after it in which the body only turns slowly, and the rate to which it keeps: less than a turn about in the time
/// of one. By eye. Units: s, rad/s.
const KEEPS_ON_S: f32 = 2.2;
const SLOW_YAW: f32 = 90.0 * PI / 180.0;

/// Turns of the last second, and the time for which it keeps on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TurningAbout {
    /// Sum of its turns in the plan. Unit: rad.
    sum: f32,
    /// Samples of that sum in the last second.
    samples: [f32; SAMPLES],
    /// Least and greatest of the samples.
    least: f32,
    most: f32,
    steps: u32,
    /// Time for which it still keeps on. Unit: s.
    keeps_on_s: f32,
}

impl TurningAbout {
    /// Takes down the turn of a step from one heading to another.
    pub fn look(&mut self, before: Vec3, heading: Vec3) {
        self.keeps_on_s = (self.keeps_on_s - STEP_S).max(0.0);
        self.sum += turn(before, heading);
        if self.sum - self.least > TURN || self.most - self.sum > TURN {
            *self = Self { keeps_on_s: KEEPS_ON_S, ..Self::default() };
        }
        if self.steps.is_multiple_of(STEPS) {
            self.samples[(self.steps / STEPS) as usize % SAMPLES] = self.sum;
            self.least = self.samples.iter().fold(f32::INFINITY, |least, sample| least.min(*sample));
            self.most = self.samples.iter().fold(f32::NEG_INFINITY, |most, sample| most.max(*sample));
        }
        self.steps += 1;
    }

    /// Greatest turning rate that it leaves of `most`. Unit: rad/s.
    pub fn limit(&self, most: f32) -> f32 {
        if self.keeps_on_s > 0.0 { most.min(SLOW_YAW) } else { most }
    }
}

/// Turn in the plan from one direction to another, positive to the left, at most a seventh too small; without calls of
/// trigonometric functions, whose last bit differs between machines. Unit: rad.
fn turn(from: Vec3, to: Vec3) -> f32 {
    /// Tangent of a turn that needs no more than two terms of its series.
    const SMALL: f32 = 0.2;
    let (cross, dot) = (from.z * to.x - from.x * to.z, from.x * to.x + from.z * to.z);
    // Nearly every step of nearly every animal.
    if cross.abs() < SMALL * dot {
        let tangent = cross / dot;
        return tangent - tangent * tangent * tangent / 3.0;
    }
    let scale = (cross * cross + dot * dot).sqrt().max(1e-6);
    let (sin, cos) = (cross / scale, dot / scale);
    // The tangent of a half of the half angle, times four.
    let half = sin / (1.0 + cos).max(1e-3);
    let quarter = half / (1.0 + (1.0 + half * half).sqrt());
    4.0 * quarter * (1.0 - quarter * quarter / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along(angle: f32) -> Vec3 {
        Vec3::new(angle.sin(), 0.0, angle.cos())
    }

    #[test]
    fn the_turn_is_the_angle_in_the_plan() {
        for degrees in [-170.0f32, -90.0, -20.0, -1.0, 0.0, 0.3, 30.0, 120.0, 175.0] {
            let turn = turn(along(0.4), along(0.4 + degrees.to_radians())).to_degrees();
            assert!((turn - degrees).abs() <= degrees.abs() / 7.0, "{degrees}: {turn}");
            assert!(degrees.abs() > 100.0 || (turn - degrees).abs() <= 0.03 * degrees.abs(), "{degrees}: {turn}");
        }
    }

    #[test]
    fn who_has_turned_about_keeps_on_for_two_seconds() {
        let mut about = TurningAbout::default();
        let mut angle = 0.0f32;
        let mut go = |about: &mut TurningAbout, rate: f32, steps: u32| {
            for _ in 0..steps {
                let before = along(angle);
                angle += rate * STEP_S;
                about.look(before, along(angle));
            }
        };
        go(&mut about, 1.5, 600);
        assert_eq!(about.limit(8.0), 8.0, "a wide curve is no turning about");
        go(&mut about, 0.0, 70);
        go(&mut about, 6.0, 18);
        assert_eq!(about.limit(8.0), SLOW_YAW);
        go(&mut about, SLOW_YAW, 110);
        assert_eq!(about.limit(8.0), SLOW_YAW);
        go(&mut about, 0.0, 24);
        assert_eq!(about.limit(8.0), 8.0);
    }
}
