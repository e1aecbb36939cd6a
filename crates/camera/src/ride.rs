//! A camera that rides on an animal's back.

use glam::{Quat, Vec2, Vec3};
use life::AnimalPose;

use crate::collision::OUTSIDE_M;
use crate::fly::TURN_PER_PIXEL;
use crate::pose::Pose;
use crate::spring::{Spring, turned};
use crate::subject::{Subject, Surroundings};

/// Rate at which the seat approaches its target. Unit: 1/s.
const SEAT_RATE: f32 = 14.0;
/// Time in which the view covers 63 % of a turn of the animal. Unit: s.
const TURN_S: f32 = 0.35;
/// Share of the animal's roll that the view follows.
const ROLL: f32 = 0.35;
/// Steepest pitch that the view follows. Unit: rad.
const STEEPEST: f32 = 0.9;
/// Offset of the seat above and behind the middle of the body. The back and the head are seen. Unit: body lengths.
const SEAT_BL: Vec3 = Vec3::new(0.0, 0.3, 0.62);
/// Additional offset, for the smallest animals. Unit: m.
const SEAT_M: Vec3 = Vec3::new(0.0, 0.03, 0.12);
/// Downward tilt of the view. Unit: rad.
const DOWN: f32 = 0.16;

/// A camera on an animal.
#[derive(Clone, Copy, Debug)]
pub struct Ride {
    /// The animal.
    pub subject: Subject,
    middle: Spring<Vec3>,
    target: Vec3,
    orientation: Quat,
    /// Turn of the rider's head by the mouse. Unit: rad.
    turned: Vec2,
}

impl Ride {
    /// Creates a ride on that animal.
    pub fn new(subject: Subject, animal: &AnimalPose) -> Self {
        let middle = Spring { value: animal.position, velocity: Vec3::ZERO };
        Self { subject, middle, target: animal.position, orientation: felt(animal), turned: Vec2::ZERO }
    }

    /// Turns the view by a mouse movement in pixels.
    pub fn look(&mut self, pixels: Vec2) {
        if pixels.is_finite() {
            self.turned -= pixels * TURN_PER_PIXEL;
            self.turned.y = self.turned.y.clamp(-1.2, 1.2);
        }
    }

    /// Advances the ride and returns the pose of the eye; `None` if the animal no longer exists.
    pub fn update(&mut self, dt_s: f32, about: &Surroundings<'_>) -> Option<Pose> {
        let animal = about.animal(self.subject)?;
        if dt_s > 0.0 {
            self.middle.follow(animal.position, (animal.position - self.target) / dt_s, SEAT_RATE, dt_s);
        }
        self.target = animal.position;
        self.orientation = turned(self.orientation, felt(&animal), TURN_S, dt_s);
        // The seat that the model defines, or a place from which the back and the head are seen.
        let seat = match about.seat(self.subject) {
            Some(seat) => self.middle.value + (seat - animal.position),
            None => self.middle.value + self.orientation * (SEAT_BL * animal.length_m + SEAT_M),
        };
        let eye = about.collision.clear_of(seat, OUTSIDE_M);
        let head = Quat::from_rotation_y(self.turned.x) * Quat::from_rotation_x(self.turned.y - DOWN);
        Some(Pose { eye, orientation: self.orientation * head })
    }
}

/// Orientation that a rider feels: the animal's, with limited pitch and reduced roll.
fn felt(animal: &AnimalPose) -> Quat {
    let forward = animal.rotation * Vec3::NEG_Z;
    let level = Quat::from_rotation_y(f32::atan2(-forward.x, -forward.z))
        * Quat::from_rotation_x(forward.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST));
    let right = level.inverse() * (animal.rotation * Vec3::X);
    level * Quat::from_rotation_z(ROLL * f32::atan2(right.y, right.x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rider_feels_a_third_of_the_roll_and_never_stands_on_the_head() {
        let animal = |rotation| AnimalPose {
            position: Vec3::ZERO,
            rotation,
            length_m: 1.0,
            motion: Default::default(),
            gait: Default::default(),
            tint: Vec3::ONE,
            variation: 0.0,
            morph_weight: 0.0,
        };
        let rolled = felt(&animal(Quat::from_rotation_z(0.8)));
        assert!(rolled.angle_between(Quat::from_rotation_z(ROLL * 0.8)) < 1e-3);
        let dives = felt(&animal(Quat::from_rotation_x(-1.57)));
        assert!(dives.angle_between(Quat::from_rotation_x(-STEEPEST)) < 1e-2, "{dives}");
    }
}
