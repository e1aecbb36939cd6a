//! The fly camera: a diver who stays off ground and rock and near the water, under it or over it.

use glam::{Quat, Vec2, Vec3};

use crate::collision::CameraCollision;
use crate::pose::Pose;
use crate::spring::share_gone;

/// Turn for each pixel of mouse movement. Unit: rad.
pub const TURN_PER_PIXEL: f32 = 0.0025;
/// Steepest look up or down. Unit: rad.
const STEEPEST: f32 = 1.54;
/// Time in which the speed reaches 63 % of the requested speed. Unit: s.
const GLIDE_S: f32 = 0.15;
/// Time in which a horizon left tilted by another camera levels to 37 %. Unit: s.
const LEVEL_S: f32 = 0.4;
/// Speeds that the wheel can choose. Unit: m/s.
const SPEEDS: std::ops::RangeInclusive<f32> = 0.1..=40.0;
/// Speed at first. Unit: m/s.
const SPEED: f32 = 2.5;
/// Factor on the speed while Shift is held.
const FAST: f32 = 3.0;

/// Movements requested at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldKeys {
    /// W.
    pub forward: bool,
    /// S.
    pub back: bool,
    /// A.
    pub left: bool,
    /// D.
    pub right: bool,
    /// E.
    pub up: bool,
    /// Q.
    pub down: bool,
    /// Shift.
    pub fast: bool,
    /// A gamepad's sticks.
    pub sticks: Sticks,
}

/// Deflection of a gamepad's sticks, each axis -1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sticks {
    /// Requested movement to the right, up, back.
    pub go: Vec3,
    /// Requested turn to the right, up.
    pub look: Vec2,
}

/// A movement that a held key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// In the direction of view.
    Forward,
    /// Against the direction of view.
    Back,
    /// Sideways.
    Left,
    /// Sideways.
    Right,
    /// Towards the surface.
    Up,
    /// Away from the surface.
    Down,
    /// Faster, in any direction.
    Fast,
}

impl HeldKeys {
    /// Whether any key or stick requests a movement.
    pub fn go(self) -> bool {
        let sticks = Sticks { look: Vec2::ZERO, ..self.sticks };
        Self { fast: false, sticks, ..self } != Self::default()
    }

    /// Notes that the key of a movement went down or up.
    pub fn hold(&mut self, movement: Movement, down: bool) {
        *match movement {
            Movement::Forward => &mut self.forward,
            Movement::Back => &mut self.back,
            Movement::Left => &mut self.left,
            Movement::Right => &mut self.right,
            Movement::Up => &mut self.up,
            Movement::Down => &mut self.down,
            Movement::Fast => &mut self.fast,
        } = down;
    }
}

/// Position, direction of view and velocity of the diver.
#[derive(Clone, Copy, Debug)]
pub struct FlyCamera {
    eye: Vec3,
    yaw: f32,
    pitch: f32,
    roll: f32,
    velocity: Vec3,
    speed: f32,
}

impl FlyCamera {
    /// Creates a camera at `pose`, with the horizon level.
    pub fn new(pose: Pose) -> Self {
        let mut fly = Self { eye: pose.eye, yaw: 0.0, pitch: 0.0, roll: 0.0, velocity: Vec3::ZERO, speed: SPEED };
        fly.take_over(pose, Vec3::ZERO);
        fly.roll = 0.0;
        fly
    }

    /// Continues from the pose and velocity of another camera; the speed set by the wheel stays.
    pub fn take_over(&mut self, pose: Pose, velocity: Vec3) {
        let forward = pose.forward();
        self.eye = pose.eye;
        self.yaw = f32::atan2(-forward.x, -forward.z);
        self.pitch = forward.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST);
        let right = self.level().inverse() * (pose.orientation * Vec3::X);
        self.roll = f32::atan2(right.y, right.x);
        self.velocity = velocity;
    }

    /// Turns by a mouse movement in pixels.
    pub fn look(&mut self, pixels: Vec2) {
        if !pixels.is_finite() {
            return;
        }
        self.yaw = (self.yaw - pixels.x * TURN_PER_PIXEL).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch - pixels.y * TURN_PER_PIXEL).clamp(-STEEPEST, STEEPEST);
    }

    /// Changes the speed by notches of the wheel and returns the new speed in m/s.
    pub fn change_speed(&mut self, notches: f32) -> f32 {
        let notches = if notches.is_nan() { 0.0 } else { notches.clamp(-10.0, 10.0) };
        let wanted = self.speed * 1.2_f32.powf(notches);
        self.speed = wanted.clamp(*SPEEDS.start(), *SPEEDS.end());
        self.speed
    }

    /// Moves for `dt_s` seconds as the keys ask, unless something is in the way.
    pub fn update(&mut self, held: HeldKeys, dt_s: f32, collision: &CameraCollision<'_>) {
        let axis = |plus: bool, minus: bool| f32::from(i8::from(plus) - i8::from(minus));
        let wish = self.level() * Vec3::new(axis(held.right, held.left), 0.0, axis(held.back, held.forward))
            + Vec3::Y * axis(held.up, held.down);
        let pushed = self.level() * held.sticks.go.with_y(0.0) + Vec3::Y * held.sticks.go.y;
        let wanted =
            (wish.normalize_or_zero() + pushed).clamp_length_max(1.0) * self.speed * if held.fast { FAST } else { 1.0 };
        // Exact for a speed that approaches the wanted speed exponentially.
        let gone = share_gone(GLIDE_S, dt_s);
        let way = wanted * dt_s + (self.velocity - wanted) * (GLIDE_S * gone);
        self.velocity = self.velocity.lerp(wanted, gone);
        self.roll *= 1.0 - share_gone(LEVEL_S, dt_s);
        self.eye = collision.slide(self.eye, self.eye + way);
    }

    /// Current pose.
    pub fn pose(&self) -> Pose {
        Pose { eye: self.eye, orientation: self.level() * Quat::from_rotation_z(self.roll) }
    }

    fn level(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(self.pitch)
    }
}

#[cfg(test)]
mod tests {
    use life::Habitat;
    use view::Camera;

    use super::*;
    use crate::collision::tests::level_ground;
    use crate::collision::{ABOVE_GROUND_M, ABOVE_SURFACE_M};

    fn home() -> Pose {
        Pose::of(&Camera::look_at(Vec3::new(1.0, -5.0, 10.0), Vec3::new(-3.0, -6.0, 0.0), 1.0))
    }

    fn open_water(habitat: &Habitat) -> CameraCollision<'_> {
        CameraCollision { ground: None, habitat }
    }

    #[test]
    fn it_starts_exactly_in_the_first_view() {
        let pose = FlyCamera::new(home()).pose();
        assert_eq!(pose.eye, home().eye);
        assert!(pose.orientation.angle_between(home().orientation) < 1e-3);
    }

    #[test]
    fn it_goes_where_it_looks_and_glides_to_a_halt() {
        let (mut fly, habitat) = (FlyCamera::new(home()), Habitat::default());
        for _ in 0..60 {
            let forward = HeldKeys { forward: true, ..HeldKeys::default() };
            fly.update(forward, 1.0 / 60.0, &open_water(&habitat));
        }
        let way = fly.pose().eye - home().eye;
        assert!(way.normalize().dot(home().forward()) > 0.999 && way.length() > 1.5, "{way}");
        for _ in 0..120 {
            fly.update(HeldKeys::default(), 1.0 / 60.0, &open_water(&habitat));
        }
        assert!(fly.velocity.length() < 0.01);
    }

    #[test]
    fn it_comes_as_far_at_any_frame_rate() {
        let flown = |frames_a_second: u32| {
            let (mut fly, habitat) = (FlyCamera::new(home()), Habitat::default());
            for frame in 0..2 * frames_a_second {
                let held = HeldKeys { forward: frame < frames_a_second, ..HeldKeys::default() };
                fly.update(held, 1.0 / frames_a_second as f32, &open_water(&habitat));
            }
            fly.pose().eye
        };
        assert!(flown(15).distance(flown(120)) < 1e-3, "{} and {}", flown(15), flown(120));
    }

    #[test]
    fn it_crosses_the_surface_but_neither_flies_away_nor_enters_the_ground() {
        let (ground, habitat) = (level_ground(-8.0), Habitat::default());
        let collision = CameraCollision { ground: Some(&ground), habitat: &habitat };
        let mut fly = FlyCamera::new(home());
        for (held, expected) in [
            (HeldKeys { up: true, fast: true, ..HeldKeys::default() }, ABOVE_SURFACE_M),
            (HeldKeys { down: true, fast: true, ..HeldKeys::default() }, -8.0 + ABOVE_GROUND_M),
        ] {
            for _ in 0..600 {
                fly.update(held, 0.05, &collision);
                assert!((-8.0 + ABOVE_GROUND_M..=ABOVE_SURFACE_M).contains(&fly.pose().eye.y));
            }
            assert!((fly.eye.y - expected).abs() < 1e-3, "{}", fly.eye.y);
        }
    }

    #[test]
    fn what_another_camera_left_tilted_and_moving_comes_level_and_to_a_halt() {
        let (mut fly, habitat) = (FlyCamera::new(home()), Habitat::default());
        let tilted = Pose { orientation: home().orientation * Quat::from_rotation_z(0.4), ..home() };
        fly.take_over(tilted, Vec3::X);
        assert!(fly.pose().orientation.angle_between(tilted.orientation) < 1e-3);
        (0..100).for_each(|_| fly.update(HeldKeys::default(), 0.05, &open_water(&habitat)));
        assert!(fly.pose().orientation.angle_between(home().orientation) < 1e-3);
        assert!(fly.pose().eye.distance(tilted.eye + GLIDE_S * Vec3::X) < 1e-3, "{}", fly.pose().eye);
    }

    #[test]
    fn a_wheel_that_turns_by_no_number_changes_nothing() {
        let mut fly = FlyCamera::new(home());
        let speed = fly.change_speed(0.0);
        assert_eq!(fly.change_speed(f32::NAN), speed);
        assert!(fly.change_speed(f32::NEG_INFINITY) < speed);
    }

    #[test]
    fn looking_straight_up_never_tips_over() {
        let mut fly = FlyCamera::new(home());
        fly.look(Vec2::new(0.0, -1e9));
        let pose = fly.pose();
        assert!((pose.orientation * Vec3::Y).y > 0.0 && pose.forward().y > 0.99);
        fly.look(Vec2::new(f32::NAN, 1.0));
        assert!(fly.pose().orientation.is_finite());
    }
}
