//! Transition from one camera to another: a fast, smooth flight over obstacles between.

use glam::Vec3;
use math::{ease, smoothstep};

use crate::collision::CameraCollision;
use crate::pose::Pose;

/// Shortest duration of a flight. Unit: s.
const SHORTEST_S: f32 = 0.7;
/// Longest duration of a flight. Unit: s.
const LONGEST_S: f32 = 3.2;
/// Time in which the eye's initial speed falls to 37 %. Unit: s.
const CARRIED_S: f32 = 0.25;
/// Clearance over obstacles. Unit: m.
const OVER_M: f32 = 0.6;
/// Number of places on the way that are checked for obstacles.
const LOOKS: u32 = 24;
/// Share of the way over which the flight rises and sinks for a single obstacle.
const RISE: f32 = 0.3;

/// State of a flight.
#[derive(Clone, Copy, Debug)]
pub struct CameraTransition {
    from: Pose,
    velocity: Vec3,
    passed_s: f32,
    lasts_s: f32,
}

impl CameraTransition {
    /// Creates a flight from `from`, where the eye moves at `velocity` (m/s), to a target that is about `to` now.
    pub fn new(from: Pose, velocity: Vec3, to: Vec3) -> Self {
        let lasts_s = (SHORTEST_S + 0.6 * (0.5 * from.eye.distance(to)).ln_1p()).min(LONGEST_S);
        Self { from, velocity, passed_s: 0.0, lasts_s }
    }

    /// Advances the flight; `false` when it has arrived.
    pub fn go_on(&mut self, dt_s: f32) -> bool {
        self.passed_s += dt_s;
        self.passed_s < self.lasts_s
    }

    /// Current pose of a flight whose target is at `to` at this moment.
    pub fn pose(&self, to: Pose, collision: &CameraCollision<'_>) -> Pose {
        let s = ease((self.passed_s / self.lasts_s).clamp(0.0, 1.0));
        // The initial speed dies away while the flight begins.
        let from = self.from.eye + self.velocity * (CARRIED_S * (1.0 - (-self.passed_s / CARRIED_S).exp()));
        let eye = from.lerp(to.eye, s);
        let lift_m = self.lift_m(from, to.eye, s, collision) * smoothstep(0.0, 0.15, s) * smoothstep(1.0, 0.8, s);
        let eye = collision.held_out(self.from.eye, eye + lift_m * Vec3::Y);
        let toward = if self.from.orientation.dot(to.orientation) < 0.0 { -to.orientation } else { to.orientation };
        Pose { eye, orientation: self.from.orientation.slerp(toward, s).normalize() }
    }

    /// Rise of the flight at a share `s` of the way, over all obstacles on the line. Unit: m.
    fn lift_m(&self, from: Vec3, to: Vec3, s: f32, collision: &CameraCollision<'_>) -> f32 {
        let rise_for = |look: u32| {
            let there = look as f32 / LOOKS as f32;
            let off = (there - s) / RISE;
            if off.abs() >= 1.0 {
                return 0.0;
            }
            let place = from.lerp(to, there);
            let missing_m = (collision.roof_m(place, OVER_M) - place.y).max(0.0);
            missing_m * (1.0 - off * off).powi(2)
        };
        (0..=LOOKS).map(rise_for).fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use life::{Habitat, Obstacle};

    use super::*;
    use crate::collision::tests::level_ground;

    #[test]
    fn it_flies_over_a_rock_without_a_jolt_and_arrives() {
        let rock = Obstacle { center: Vec3::new(0.0, -8.0, 0.0), radii: Vec3::new(2.0, 4.0, 2.0) };
        let (habitat, ground) = (Habitat::new(None, vec![rock]), level_ground(-8.0));
        let collision = CameraCollision { ground: Some(&ground), habitat: &habitat };
        let from = Pose::looking(Vec3::new(-12.0, -6.0, 0.5), Vec3::X);
        let to = Pose::looking(Vec3::new(12.0, -7.0, 0.0), Vec3::Z);
        let mut transition = CameraTransition::new(from, Vec3::ZERO, to.eye);
        let (mut before, mut speed) = (from.eye, Vec3::ZERO);
        let dt_s = 1.0 / 120.0;
        while transition.go_on(dt_s) {
            let eye = transition.pose(to, &collision).eye;
            assert!(habitat.is_clear(eye, 0.1) && eye.y > -8.0, "{eye}");
            let now = (eye - before) / dt_s;
            assert!((now - speed).length() < 6.0, "from {speed} to {now} at {eye}");
            (before, speed) = (eye, now);
        }
        assert!(transition.pose(to, &collision).eye.distance(to.eye) < 1e-4 && transition.passed_s < 3.5);
    }
}
