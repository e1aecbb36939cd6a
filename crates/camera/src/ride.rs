//! Riding along: as if on an animal's back.

use glam::{Quat, Vec2, Vec3};
use life::AnimalPose;

use crate::collision::OUTSIDE_M;
use crate::fly::TURN_PER_PIXEL;
use crate::pose::Pose;
use crate::spring::{Spring, turned};
use crate::subject::{Subject, Surroundings};

/// How fast the seat comes to where it should be. Unit: 1/s.
const SEAT_RATE: f32 = 14.0;
/// Time in which the view turns to 63 % of where the animal has turned. Unit: s.
const TURN_S: f32 = 0.35;
/// Share of the animal's roll that is felt.
const ROLL: f32 = 0.35;
/// Steepest that the view follows up or down. Unit: rad.
const STEEPEST: f32 = 0.9;
/// The seat: so far above the middle of the body and behind it, over the body's length. The back and the head are seen.
const SEAT_BL: Vec3 = Vec3::new(0.0, 0.3, 0.62);
/// The same besides, for the smallest. Unit: m.
const SEAT_M: Vec3 = Vec3::new(0.0, 0.03, 0.12);
/// How far down the view is tilted. Unit: rad.
const DOWN: f32 = 0.16;

/// A camera on an animal.
#[derive(Clone, Copy, Debug)]
pub struct Ride {
    /// The animal.
    pub subject: Subject,
    middle: Spring<Vec3>,
    target: Vec3,
    orientation: Quat,
    /// How far one has turned round in the saddle. Unit: rad.
    turned: Vec2,
}

impl Ride {
    /// On that animal.
    pub fn new(subject: Subject, animal: &AnimalPose) -> Self {
        let middle = Spring { value: animal.position, velocity: Vec3::ZERO };
        Self { subject, middle, target: animal.position, orientation: felt(animal), turned: Vec2::ZERO }
    }

    /// Turns round by a mouse movement in pixels.
    pub fn look(&mut self, pixels: Vec2) {
        if pixels.is_finite() {
            self.turned -= pixels * TURN_PER_PIXEL;
            self.turned.y = self.turned.y.clamp(-1.2, 1.2);
        }
    }

    /// Goes on and gives where the eye should be; `None` if the animal is no more.
    pub fn update(&mut self, dt_s: f32, about: &Surroundings<'_>) -> Option<Pose> {
        let animal = about.animal(self.subject)?;
        if dt_s > 0.0 {
            self.middle.follow(animal.position, (animal.position - self.target) / dt_s, SEAT_RATE, dt_s);
        }
        self.target = animal.position;
        self.orientation = turned(self.orientation, felt(&animal), TURN_S, dt_s);
        // The place of its model that is made for it, or one from which the back and the head are seen.
        let seat = match about.seat(self.subject) {
            Some(seat) => self.middle.value + (seat - animal.position),
            None => self.middle.value + self.orientation * (SEAT_BL * animal.length_m + SEAT_M),
        };
        let eye = about.collision.clear_of(seat, OUTSIDE_M);
        let head = Quat::from_rotation_y(self.turned.x) * Quat::from_rotation_x(self.turned.y - DOWN);
        Some(Pose { eye, orientation: self.orientation * head })
    }
}

/// How a rider is turned by an animal: as it is, but neither far up or down nor far over.
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
