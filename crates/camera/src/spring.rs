//! Smooth following that gives the same result at any frame rate.

use std::ops::{Add, Mul, Sub};

use glam::{Quat, Vec3};

/// Value type of a spring.
pub trait Quantity: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self> {}

impl Quantity for f32 {}
impl Quantity for Vec3 {}

/// A value on a critically damped spring: it approaches its target as fast as possible without overshooting.
#[derive(Clone, Copy, Debug)]
pub struct Spring<T> {
    /// Current value.
    pub value: T,
    /// Rate of change per second.
    pub velocity: T,
}

impl<T: Quantity> Spring<T> {
    /// Advances by `dt_s` seconds towards a target that is at `target` by then and moved at `target_velocity`
    /// meanwhile: a steadily moving target is followed without lag. `rate` is the decay rate of the distance (1/s).
    ///
    /// The exact solution of x'' = -2 `rate` x' - `rate`² x for the distance x from the target.
    pub fn follow(&mut self, target: T, target_velocity: T, rate: f32, dt_s: f32) {
        let distance = self.value - (target - target_velocity * dt_s);
        let closing = self.velocity - target_velocity;
        let sum = closing + distance * rate;
        let decay = (-rate * dt_s).exp();
        self.value = target + (distance + sum * dt_s) * decay;
        self.velocity = target_velocity + (closing - sum * (rate * dt_s)) * decay;
    }
}

/// Share of a distance that is gone after `dt_s` if the distance falls to 37 % in `time_s`.
pub fn share_gone(time_s: f32, dt_s: f32) -> f32 {
    1.0 - (-dt_s / time_s).exp()
}

/// Turns `from` towards `to` for `dt_s`; the angle between them falls to 37 % in `time_s`.
pub fn turned(from: Quat, to: Quat, time_s: f32, dt_s: f32) -> Quat {
    // Both signs are the same rotation; the way over the nearer one is the short way.
    let to = if from.dot(to) < 0.0 { -to } else { to };
    from.slerp(to, share_gone(time_s, dt_s)).normalize()
}

/// Adds whole turns to `angle`, so that it lies within half a turn of `near`. Unit: rad.
pub fn unwound(angle: f32, near: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    near + (angle - near + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position of a spring after 4 s behind a target that swims in a circle, at a given frame rate.
    fn chased(frames_a_second: u32) -> Vec3 {
        let target = |t: f32| 3.0 * Vec3::new((0.8 * t).cos(), 0.1 * t, (0.8 * t).sin());
        let dt_s = 1.0 / frames_a_second as f32;
        let mut spring = Spring { value: Vec3::new(8.0, 0.0, -4.0), velocity: Vec3::ZERO };
        for frame in 1..=4 * frames_a_second {
            let (before, now) = (target((frame - 1) as f32 * dt_s), target(frame as f32 * dt_s));
            spring.follow(now, (now - before) / dt_s, 3.0, dt_s);
        }
        spring.value
    }

    #[test]
    fn the_way_is_the_same_at_any_frame_rate() {
        let smooth = chased(960);
        for rate in [15, 30, 120] {
            assert!(chased(rate).distance(smooth) < 0.01, "{rate} frames a second: {} and {smooth}", chased(rate));
        }
    }

    #[test]
    fn it_never_swings_over_and_keeps_up_with_what_moves_steadily() {
        let mut spring = Spring { value: 0.0, velocity: 0.0 };
        for _ in 0..200 {
            spring.follow(1.0, 0.0, 5.0, 0.02);
            assert!(spring.value <= 1.0);
        }
        assert!(spring.value > 0.999);
        let mut behind = Spring { value: 0.0, velocity: 0.0 };
        for frame in 1..=200 {
            behind.follow(0.02 * frame as f32, 1.0, 5.0, 0.02);
        }
        assert!((behind.value - 4.0).abs() < 1e-3, "{}", behind.value);
    }

    #[test]
    fn angles_take_the_short_way() {
        assert!((unwound(-3.0, 3.0) - 3.283_185).abs() < 1e-5);
        assert!((unwound(7.0, 0.5) - 0.716_815).abs() < 1e-5);
        let (from, to) = (Quat::from_rotation_y(0.1), -Quat::from_rotation_y(0.5));
        assert!(turned(from, to, 0.2, 10.0).angle_between(Quat::from_rotation_y(0.5)) < 1e-3);
    }
}
