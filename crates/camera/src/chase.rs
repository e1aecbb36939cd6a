//! A camera on a boom: round a place, round an animal, or behind and beside an animal.

use glam::{Quat, Vec2, Vec3};
use life::AnimalPose;
use math::mix;

use crate::collision::{CameraCollision, OUTSIDE_M};
use crate::fly::TURN_PER_PIXEL;
use crate::pose::Pose;
use crate::spring::{Spring, share_gone, unwound};
use crate::subject::{Subject, Surroundings};

/// Rate at which a boom's centre approaches its target. Unit: 1/s.
const CENTRE_RATE: f32 = 7.0;
/// Rate at which a boom follows the turns of an animal. Unit: 1/s.
const HEADING_RATE: f32 = 2.0;
/// Time in which a boom covers 63 % of a turn by hand or wheel. Unit: s.
const HAND_S: f32 = 0.08;
/// Time in which a boom shortens in front of rock. Unit: s.
const SHORTER_S: f32 = 0.1;
/// Time in which it lengthens again behind the rock. Unit: s.
const LONGER_S: f32 = 0.7;
/// Boom lengths that the wheel can choose. Unit: m.
const LENGTHS: std::ops::RangeInclusive<f32> = 0.25..=60.0;
/// Steepest pitch of a boom. Unit: rad.
const STEEPEST: f32 = 1.45;
/// Room between an eye and rock, including the room that an eye always keeps. Unit: m.
const MARGIN_M: f32 = OUTSIDE_M + 0.1;
/// Share of the picture's width that a followed animal takes at first.
const SHARE: f32 = 0.3;
/// Share of the picture's width that one animal among many takes: the others are to be seen too.
const SHARE_OF_SCHOOL: f32 = 0.17;
/// Fewest animals of a school that count as many.
const SCHOOL: usize = 12;
/// Least and greatest distance of a followed animal at first. Unit: m.
const FIRST_M: [f32; 2] = [0.4, 12.0];
/// Depth below the surface that the eye keeps while its target is under water. Unit: m.
const UNDER_SURFACE_M: f32 = 0.3;
/// Aspect ratio of a picture, for the share of it that an animal takes.
const ASPECT: f32 = 1.6;

/// A camera on a boom.
#[derive(Clone, Copy, Debug)]
pub struct Chase {
    /// The watched animal, if any.
    pub subject: Option<Subject>,
    /// Whether it turns with the animal.
    turns_with: bool,
    centre: Spring<Vec3>,
    /// Target of the centre at the last frame.
    target: Vec3,
    /// Direction of the animal's tail. Unit: rad.
    tail: Spring<f32>,
    tail_target: f32,
    wanted: Boom,
    shown: Boom,
}

/// Position of the eye relative to the centre.
#[derive(Clone, Copy, Debug)]
struct Boom {
    /// Turn about the vertical from the tail's direction, or from +z. Unit: rad.
    yaw: f32,
    /// Pitch. Unit: rad.
    pitch: f32,
    /// Length. Unit: m.
    length_m: f32,
}

impl Boom {
    /// Unit vector towards the eye, for a tail that points to `tail` (rad).
    fn direction(&self, tail: f32) -> Vec3 {
        Quat::from_rotation_y(tail + self.yaw) * Quat::from_rotation_x(-self.pitch) * Vec3::Z
    }
}

impl Chase {
    /// Creates a boom round a place, beginning at `from`.
    pub fn round(place: Vec3, from: Pose) -> Self {
        let way = from.eye - place;
        let boom = Boom {
            yaw: f32::atan2(way.x, way.z),
            pitch: (way.y / way.length().max(1e-3)).clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST),
            length_m: way.length().clamp(*LENGTHS.start(), *LENGTHS.end()),
        };
        Self::new(None, false, place, 0.0, boom)
    }

    /// Creates a boom round an animal, beginning at `from`.
    pub fn round_animal(subject: Subject, animal: &AnimalPose, from: Pose) -> Self {
        Self { subject: Some(subject), ..Self::round(animal.position, from) }
    }

    /// Creates a boom beside an animal and a little behind, on the side that is freer and nearer to `from`; `fov_y` is
    /// the picture's field of view.
    pub fn with(
        subject: Subject,
        animal: &AnimalPose,
        among: usize,
        from: Pose,
        fov_y: f32,
        collision: &CameraCollision<'_>,
    ) -> Self {
        let share = if among >= SCHOOL { SHARE_OF_SCHOOL } else { SHARE };
        let length_m = animal.length_m / (2.0 * (0.5 * fov_y).tan() * ASPECT * share);
        let length_m = length_m.clamp(FIRST_M[0] + 0.5 * animal.length_m, FIRST_M[1] + animal.length_m);
        let tail = tail_of(animal).unwrap_or(0.0);
        let nearer = (from.eye - animal.position).normalize_or_zero();
        let worth = |boom: &Boom| {
            let direction = boom.direction(tail);
            let free_m = collision.free_m(animal.position, direction, length_m, MARGIN_M);
            2.0 * free_m / length_m + 0.4 * direction.dot(nearer)
        };
        let booms = [60.0f32, -60.0, 85.0, -85.0, 130.0, -130.0, 180.0, 20.0]
            .into_iter()
            .flat_map(|yaw_deg| [0.12, 0.5].map(|pitch| Boom { yaw: yaw_deg.to_radians(), pitch, length_m }));
        // The first of several equally good ones, which gives the best side view.
        let best = booms.reduce(|best, boom| if worth(&boom) > worth(&best) + 0.1 { boom } else { best });
        let boom = best.unwrap_or(Boom { yaw: 1.0, pitch: 0.1, length_m });
        Self::new(Some(subject), true, animal.position, tail, boom)
    }

    fn new(subject: Option<Subject>, turns_with: bool, place: Vec3, tail: f32, boom: Boom) -> Self {
        Self {
            subject,
            turns_with,
            centre: Spring { value: place, velocity: Vec3::ZERO },
            target: place,
            tail: Spring { value: tail, velocity: 0.0 },
            tail_target: tail,
            wanted: boom,
            shown: boom,
        }
    }

    /// Turns the boom by a mouse movement in pixels.
    pub fn drag(&mut self, pixels: Vec2) {
        if pixels.is_finite() {
            self.wanted.yaw -= pixels.x * TURN_PER_PIXEL;
            self.wanted.pitch = (self.wanted.pitch + pixels.y * TURN_PER_PIXEL).clamp(-STEEPEST, STEEPEST);
        }
    }

    /// Shortens the boom by notches of the wheel; returns its length in m.
    pub fn approach(&mut self, notches: f32) -> f32 {
        let notches = if notches.is_nan() { 0.0 } else { notches.clamp(-10.0, 10.0) };
        let wanted_m = self.wanted.length_m * 1.15_f32.powf(-notches);
        self.wanted.length_m = wanted_m.clamp(*LENGTHS.start(), *LENGTHS.end());
        self.wanted.length_m
    }

    /// Advances the boom and returns the pose of the eye; `None` if the animal no longer exists.
    pub fn update(&mut self, dt_s: f32, about: &Surroundings<'_>) -> Option<Pose> {
        let (mut target, mut tail) = (self.target, self.tail_target);
        if let Some(subject) = self.subject {
            let animal = about.animal(subject)?;
            target = animal.position;
            if self.turns_with {
                tail = tail_of(&animal).map_or(tail, |now| unwound(now, tail));
            }
        }
        if dt_s > 0.0 {
            self.centre.follow(target, (target - self.target) / dt_s, CENTRE_RATE, dt_s);
            // Turns are followed with a lag: a fish that darts about does not swing the picture.
            self.tail.follow(tail, 0.0, HEADING_RATE, dt_s);
        }
        (self.target, self.tail_target) = (target, tail);
        self.move_boom(dt_s, &about.collision);
        let direction = self.shown.direction(self.tail.value);
        let mut eye = self.centre.value + direction * self.shown.length_m;
        if target.y < -UNDER_SURFACE_M {
            eye.y = eye.y.min(-UNDER_SURFACE_M);
        }
        let eye = about.collision.clear_of(eye, OUTSIDE_M);
        Some(Pose::looking(eye, self.centre.value - eye))
    }

    /// Moves the boom towards its wanted position, as far as nothing is in the way.
    fn move_boom(&mut self, dt_s: f32, collision: &CameraCollision<'_>) {
        let hand = share_gone(HAND_S, dt_s);
        self.shown.yaw = mix(self.shown.yaw, self.wanted.yaw, hand);
        self.shown.pitch = mix(self.shown.pitch, self.wanted.pitch, hand);
        let wanted_m = self.wanted.length_m;
        let direction = self.shown.direction(self.tail.value);
        let free_m = match self.subject {
            Some(_) => collision.free_m(self.centre.value, direction, wanted_m, MARGIN_M).max(*LENGTHS.start()),
            // The centre may lie inside rock.
            None => wanted_m,
        };
        let time_s = if free_m >= wanted_m && self.shown.length_m > 0.97 * wanted_m {
            HAND_S
        } else if free_m < self.shown.length_m {
            SHORTER_S
        } else {
            LONGER_S
        };
        self.shown.length_m = mix(self.shown.length_m, free_m.min(wanted_m), share_gone(time_s, dt_s));
    }
}

/// Direction of an animal's tail about the vertical; `None` for one that stands upright. Unit: rad.
fn tail_of(animal: &AnimalPose) -> Option<f32> {
    let back = animal.rotation * Vec3::Z;
    (back.with_y(0.0).length() > 0.2).then(|| f32::atan2(back.x, back.z))
}
