//! Mapping between directions and an equirectangular picture, and the position of each eye that looks along one.
//!
//! A column is a longitude, a row a latitude. In omnidirectional stereo (Ishiguro et al. 1992; Peleg et al. 2001) each
//! eye moves on a circle with the direction it looks in: every column has its own two eyes, side by side.
//!
//! Angles are in radians: `t` to the right of straight ahead, `p` up from the horizon. Directions and places are right,
//! up and back of the middle.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

/// One of the eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    /// The only one, in the middle.
    Only,
    /// The left one.
    Left,
    /// The right one.
    Right,
}

impl Eye {
    /// Side of the middle that it is on, along its circle's radius, seen in the direction of the view.
    fn side(self) -> f64 {
        match self {
            Self::Only => 0.0,
            Self::Left => -1.0,
            Self::Right => 1.0,
        }
    }
}

/// Longitude and latitude of a point of a picture `size` pixels large, in pixels from its upper left corner.
pub fn angles(at: DVec2, size: DVec2) -> DVec2 {
    DVec2::new((at.x / size.x - 0.5) * TAU, (0.5 - at.y / size.y) * PI)
}

/// The point of a picture with that longitude and latitude: the inverse of [`angles`].
pub fn place(angles: DVec2, size: DVec2) -> DVec2 {
    DVec2::new((angles.x / TAU + 0.5).rem_euclid(1.0) * size.x, (0.5 - angles.y / PI) * size.y)
}

/// The unit vector along that longitude and latitude.
pub fn direction(angles: DVec2) -> DVec3 {
    let ((sin_t, cos_t), (sin_p, cos_p)) = (angles.x.sin_cos(), angles.y.sin_cos());
    DVec3::new(sin_t * cos_p, sin_p, -cos_t * cos_p)
}

/// Longitude and latitude of a direction: the inverse of [`direction`].
pub fn angles_of(direction: DVec3) -> DVec2 {
    DVec2::new(direction.x.atan2(-direction.z), direction.y.atan2(direction.x.hypot(direction.z)))
}

/// Position of an eye that looks along a longitude, on a circle of `radius_m`.
pub fn origin(eye: Eye, radius_m: f64, longitude: f64) -> DVec3 {
    let (sin, cos) = longitude.sin_cos();
    DVec3::new(cos, 0.0, sin) * (eye.side() * radius_m)
}

/// Longitude and latitude along which an eye on a circle of `radius_m` sees a point; `None` for a point within the
/// circle's cylinder, which it never sees.
pub fn seen_at(eye: Eye, radius_m: f64, point: DVec3) -> Option<DVec2> {
    let rho = point.x.hypot(point.z);
    let along = rho * rho - radius_m * radius_m * eye.side().abs();
    if along <= 0.0 {
        return None;
    }
    // The left eye has to look farther right than the middle does, to see the same.
    let longitude = point.x.atan2(-point.z) - eye.side() * (radius_m / rho).asin();
    Some(DVec2::new(longitude, point.y.atan2(along.sqrt())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: DVec2 = DVec2::new(4096.0, 2048.0);

    #[test]
    fn pixels_and_directions_go_both_ways() {
        for x in (0..4096).step_by(111) {
            for y in (0..2048).step_by(97) {
                let at = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let toward = direction(angles(at, SIZE));
                assert!((toward.length() - 1.0).abs() < 1e-12);
                assert!(place(angles_of(toward), SIZE).distance(at) < 1e-8, "{at}");
            }
        }
        assert!(direction(DVec2::ZERO).distance(DVec3::NEG_Z) < 1e-15, "ahead is in the middle");
        assert!(
            direction(angles(DVec2::new(3072.0, 1024.0), SIZE)).distance(DVec3::X) < 1e-12,
            "right is to the right"
        );
        assert!(direction(angles(DVec2::new(7.0, 0.0), SIZE)).distance(DVec3::Y) < 1e-12, "up is the upper edge");
    }

    #[test]
    fn the_left_and_the_right_edge_are_neighbours() {
        for y in [0.5, 700.5, 1024.0, 2047.5] {
            let [left, right, next] = [0.5, 4095.5, 1.5].map(|x| direction(angles(DVec2::new(x, y), SIZE)));
            assert!((left.distance(right) - left.distance(next)).abs() < 1e-12, "row {y}");
        }
    }

    #[test]
    fn each_eye_sees_a_point_where_its_ray_goes_through_it() {
        for eye in [Eye::Only, Eye::Left, Eye::Right] {
            for (i, distance_m) in [0.2, 1.0, 3.0, 50.0].into_iter().enumerate() {
                for turn in 0..12 {
                    let looked = DVec2::new(-3.0 + 0.5 * f64::from(turn), -1.2 + 0.6 * i as f64);
                    let point = origin(eye, 0.032, looked.x) + distance_m * direction(looked);
                    let seen = seen_at(eye, 0.032, point).expect("it is outside");
                    assert!(place(seen, SIZE).distance(place(looked, SIZE)) < 1e-8, "{eye:?} {looked}");
                }
            }
        }
        assert_eq!(seen_at(Eye::Left, 0.032, DVec3::new(0.02, 5.0, 0.0)), None);
    }

    #[test]
    fn eyes_stand_side_by_side_wherever_one_looks() {
        for turn in 0..8 {
            let looked = DVec2::new(0.75 * f64::from(turn) - 3.0, 0.0);
            let [left, right] = [Eye::Left, Eye::Right].map(|eye| origin(eye, 0.032, looked.x));
            assert!((left.distance(right) - 0.064).abs() < 1e-12);
            assert!((right - left).dot(direction(looked)).abs() < 1e-12);
            // A near point is farther right to the left eye.
            let point = 2.0 * direction(looked);
            let shift = |eye| seen_at(eye, 0.032, point).expect("it is outside").x - looked.x;
            assert!((shift(Eye::Left) - (0.016f64).asin()).abs() < 1e-9 && shift(Eye::Right) < 0.0);
        }
    }
}
