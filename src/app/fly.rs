//! The fly camera: a diver who stays off the ground and near the water, under it or over it.

use glam::{Quat, Vec2, Vec3};

use crate::app::ground_heights::GroundHeights;
use crate::scene::Camera;

/// Radians of turn a pixel of mouse movement.
const TURN_PER_PIXEL: f32 = 0.0025;
/// Steepest look up or down. Unit: rad.
const STEEPEST: f32 = 1.54;
/// Time in which the speed comes to 63 % of what the keys ask for. Unit: s.
const GLIDE_S: f32 = 0.15;
/// Speeds that the wheel can choose. Unit: m/s.
const SPEEDS: std::ops::RangeInclusive<f32> = 0.1..=40.0;
/// Factor on the speed while Shift is held.
const FAST: f32 = 3.0;
/// Highest the eye gets over the surface at rest. Unit: m.
const ABOVE_SURFACE_M: f32 = 30.0;
/// Nearest the eye comes to the ground. Unit: m.
const ABOVE_GROUND_M: f32 = 0.35;
/// Farthest the eye gets from the origin along x and z. Unit: m.
const FARTHEST_M: f32 = 500.0;

/// Which movements are asked for at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
}

/// A movement that a held key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// Where the diver looks.
    Forward,
    /// Away from there.
    Back,
    /// Sideways.
    Left,
    /// Sideways.
    Right,
    /// Towards the surface.
    Up,
    /// Away from it.
    Down,
    /// Faster, wherever it goes.
    Fast,
}

impl HeldKeys {
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

/// Where the diver is, looks and goes.
#[derive(Clone, Copy, Debug)]
pub struct FlyCamera {
    home: Camera,
    eye: Vec3,
    yaw: f32,
    pitch: f32,
    velocity: Vec3,
    speed: f32,
}

impl FlyCamera {
    /// Stands at `home`.
    pub fn new(home: Camera) -> Self {
        let forward = home.orientation * Vec3::NEG_Z;
        let yaw = f32::atan2(-forward.x, -forward.z);
        let pitch = forward.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST);
        Self { home, eye: home.eye, yaw, pitch, velocity: Vec3::ZERO, speed: 2.5 }
    }

    /// Back to where it stood at first; the speed stays.
    pub fn go_home(&mut self) {
        *self = Self { speed: self.speed, ..Self::new(self.home) };
    }

    /// Another home, without going there.
    pub fn set_home(&mut self, home: Camera) {
        self.home = home;
    }

    /// Turns by a mouse movement in pixels.
    pub fn look(&mut self, pixels: Vec2) {
        if !pixels.is_finite() {
            return;
        }
        self.yaw = (self.yaw - pixels.x * TURN_PER_PIXEL).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch - pixels.y * TURN_PER_PIXEL).clamp(-STEEPEST, STEEPEST);
    }

    /// Changes the speed by notches of the wheel and gives the new one in m/s.
    pub fn change_speed(&mut self, notches: f32) -> f32 {
        let notches = if notches.is_nan() { 0.0 } else { notches.clamp(-10.0, 10.0) };
        let wanted = self.speed * 1.2_f32.powf(notches);
        self.speed = wanted.clamp(*SPEEDS.start(), *SPEEDS.end());
        self.speed
    }

    /// Moves for `dt_s` seconds as the keys ask, staying above `ground`.
    pub fn update(&mut self, held: HeldKeys, dt_s: f32, ground: Option<&GroundHeights>) {
        let axis = |plus: bool, minus: bool| f32::from(i8::from(plus) - i8::from(minus));
        let wish = self.orientation() * Vec3::new(axis(held.right, held.left), 0.0, axis(held.back, held.forward))
            + Vec3::Y * axis(held.up, held.down);
        let speed = self.speed * if held.fast { FAST } else { 1.0 };
        let dt_s = dt_s.clamp(0.0, 0.1);
        self.velocity = self.velocity.lerp(wish.normalize_or_zero() * speed, 1.0 - (-dt_s / GLIDE_S).exp());
        self.eye = kept_in_reach(self.eye + self.velocity * dt_s, ground);
    }

    /// The camera now; `sway_s` is the time of the diver's breathing, `None` for none.
    pub fn camera(&self, sway_s: Option<f64>, ground: Option<&GroundHeights>) -> Camera {
        let (offset, roll) = sway_s.map_or((Vec3::ZERO, 0.0), sway);
        let orientation = self.orientation();
        Camera {
            eye: kept_in_reach(self.eye + orientation * offset, ground),
            orientation: orientation * Quat::from_rotation_z(roll),
            ..self.home
        }
    }

    fn orientation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(self.pitch)
    }
}

/// Offset (m, in view space) and roll (rad) of a diver who breathes and is rocked a little: periods that never meet.
fn sway(time_s: f64) -> (Vec3, f32) {
    let wave = |period_s: f64, phase: f64| ((time_s / period_s * std::f64::consts::TAU) + phase).sin() as f32;
    (Vec3::new(0.025 * wave(9.1, 0.0), 0.03 * wave(5.3, 1.0), 0.0), 0.004 * wave(7.7, 2.0))
}

fn kept_in_reach(eye: Vec3, ground: Option<&GroundHeights>) -> Vec3 {
    let x = eye.x.clamp(-FARTHEST_M, FARTHEST_M);
    let z = eye.z.clamp(-FARTHEST_M, FARTHEST_M);
    let lowest = ground.map_or(f32::NEG_INFINITY, |ground| ground.height(x, z) + ABOVE_GROUND_M);
    Vec3::new(x, eye.y.min(ABOVE_SURFACE_M).max(lowest), z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> Camera {
        Camera::look_at(Vec3::new(1.0, -5.0, 10.0), Vec3::new(-3.0, -6.0, 0.0), 1.0)
    }

    #[test]
    fn it_starts_exactly_in_the_first_view() {
        let camera = FlyCamera::new(home()).camera(None, None);
        assert_eq!(camera.eye, home().eye);
        assert!(camera.orientation.angle_between(home().orientation) < 1e-3);
    }

    #[test]
    fn it_goes_where_it_looks_and_glides_to_a_halt() {
        let mut fly = FlyCamera::new(home());
        let forward = home().orientation * Vec3::NEG_Z;
        for _ in 0..60 {
            fly.update(HeldKeys { forward: true, ..HeldKeys::default() }, 1.0 / 60.0, None);
        }
        let way = fly.camera(None, None).eye - home().eye;
        assert!(way.normalize().dot(forward) > 0.999 && way.length() > 1.5, "{way}");
        for _ in 0..120 {
            fly.update(HeldKeys::default(), 1.0 / 60.0, None);
        }
        assert!(fly.velocity.length() < 0.01);
    }

    #[test]
    fn it_crosses_the_surface_but_neither_flies_away_nor_enters_the_ground() {
        let corner = |x: f32, z: f32| Vec3::new(x, -8.0, z);
        let mesh = crate::scene::SeabedMesh {
            positions: vec![corner(-50.0, -50.0), corner(50.0, -50.0), corner(50.0, 50.0), corner(-50.0, 50.0)],
            indices: vec![0, 2, 1, 0, 3, 2],
            ..Default::default()
        };
        let ground = GroundHeights::new(&mesh).expect("a mesh");
        let mut fly = FlyCamera::new(home());
        for (held, expected) in [
            (HeldKeys { up: true, fast: true, ..HeldKeys::default() }, ABOVE_SURFACE_M),
            (HeldKeys { down: true, fast: true, ..HeldKeys::default() }, -8.0 + ABOVE_GROUND_M),
        ] {
            for second in 0..600 {
                fly.update(held, 0.05, Some(&ground));
                let y = fly.camera(Some(f64::from(second)), Some(&ground)).eye.y;
                assert!((-8.0 + ABOVE_GROUND_M..=ABOVE_SURFACE_M).contains(&y));
            }
            assert!((fly.eye.y - expected).abs() < 1e-3, "{}", fly.eye.y);
        }
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
        let camera = fly.camera(None, None);
        assert!((camera.orientation * Vec3::Y).y > 0.0 && (camera.orientation * Vec3::NEG_Z).y > 0.99);
        fly.look(Vec2::new(f32::NAN, 1.0));
        assert!(fly.camera(None, None).orientation.is_finite());
    }
}
