//! The C-start of a frightened fish: the body bends, and the fish is off.

use glam::Vec3;

use crate::STEP_S;
use crate::attitude::{MAX_PITCH_SINE, level_off};

/// Duration of the bend of a body of [`BENT_LENGTH_M`]: a Chromis of 0.08 m takes 42 ms for bend and stroke. Unit: s.
const BEND_S: f32 = 0.025;

/// Body length to which [`BEND_S`] refers. Unit: m.
const BENT_LENGTH_M: f32 = 0.08;

/// Longest bend. Unit: s.
const LONGEST_BEND_S: f32 = 0.12;

/// Time from the end of the bend to full speed: the peak comes within 60 ms. Unit: s.
const RUSH_S: f32 = 0.036;

/// Greatest acceleration in that time, a pike's (Harper & Blake 1990): large bodies take longer. Unit: m/s^2.
const MAX_ACCELERATION: f32 = 120.0;

/// Greatest change of a body's acceleration from one step to the next. Unit: m/s^2.
const MAX_CHANGE: f32 = 120.0;

/// Time in which the bend itself brakes a moving body. Unit: s.
const BRAKES_S: f32 = 0.1;

/// Duration of full speed after the end of the bend. Unit: s.
const SPRINT_S: f32 = 0.3;

/// Bend of the body. Unit: rad over the whole length.
const BEND_RAD: f32 = 2.4;

/// State of a start under way, or none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Start {
    /// Time to its end. Unit: s.
    left_s: f32,
    /// Side to which it bends: 1 left, -1 right.
    side: f32,
    /// Acceleration in the last step. Unit: m/s^2.
    push: Vec3,
}

impl Start {
    /// Creates the start of a body of a length (m) that looks along `heading` and wants to be off along `want`.
    pub fn new(heading: Vec3, want: Vec3, length_m: f32) -> Self {
        let bend_s = (BEND_S * (length_m / BENT_LENGTH_M).sqrt()).min(LONGEST_BEND_S);
        let side = if heading.cross(want).y < 0.0 { -1.0 } else { 1.0 };
        Self { left_s: bend_s + SPRINT_S, side, push: Vec3::ZERO }
    }

    /// Whether it is under way.
    pub fn is_on(&self) -> bool {
        self.left_s > 0.0
    }

    /// Bend of the fore part, positive to the left; `None` if no start is under way.
    pub fn bend(&self) -> Option<f32> {
        // The stroke back goes past the middle.
        let share = if self.bends() { 1.0 } else { -0.4 };
        let strokes = self.left_s > SPRINT_S - 2.0 * RUSH_S;
        strokes.then_some(share * self.side * BEND_RAD).filter(|_| self.is_on())
    }

    /// Side to which it bends: 1 left, -1 right.
    pub fn side(&self) -> f32 {
        self.side
    }

    fn bends(&self) -> bool {
        self.left_s > SPRINT_S
    }

    /// Advances by one step: returns the new heading and speed (m/s) of an animal whose burst speed is `burst`.
    pub fn advance(&mut self, heading: Vec3, want: Vec3, speed: f32, burst: f32) -> (Vec3, f32) {
        let turn_left_s = self.left_s - SPRINT_S;
        // At speed a curve takes force as well.
        let most_turn = MAX_ACCELERATION * STEP_S / speed.max(1e-3);
        let (heading, speed) = match self.bends() {
            true => {
                let share = (STEP_S / turn_left_s).min(1.0);
                // It turns on the side it bends to, or it would stop half way with danger straight ahead.
                let aside = Vec3::Y.cross(heading) * (self.side * (1.0 - share) * (1.0 - heading.dot(want)));
                let braked = speed * (1.0 - STEP_S / BRAKES_S);
                let turn = ((want - heading + aside) * share).clamp_length_max(most_turn);
                (level_off(heading + turn, MAX_PITCH_SINE, heading), braked)
            }
            false => {
                let turn = ((want - heading) * (STEP_S / RUSH_S)).clamp_length_max(most_turn);
                let most = speed.max(burst);
                // Force used for turning is not available for acceleration.
                let across = (turn.length() * speed).min(MAX_ACCELERATION * STEP_S);
                let left = (MAX_ACCELERATION * STEP_S * MAX_ACCELERATION * STEP_S - across * across).sqrt();
                let gain = (burst * (STEP_S / RUSH_S)).min(left);
                (level_off(heading + turn, MAX_PITCH_SINE, heading), (speed + gain).min(most))
            }
        };
        self.left_s -= STEP_S;
        (heading, speed)
    }

    /// Limits the change of velocity from `was` (m/s) to the wanted heading and speed: muscles take a moment to pull.
    pub fn ease(&mut self, was: Vec3, heading: Vec3, speed: f32) -> (Vec3, f32) {
        let wanted = (heading * speed - was) / STEP_S;
        let change = wanted - self.push;
        if change.length_squared() <= MAX_CHANGE * MAX_CHANGE {
            self.push = wanted;
            return (heading, speed);
        }
        self.push += change.clamp_length_max(MAX_CHANGE);
        let velocity = was + self.push * STEP_S;
        (velocity.normalize_or(heading), velocity.length())
    }
}
