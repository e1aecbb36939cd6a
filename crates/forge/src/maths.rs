//! The forge's own mathematics: the same bits on every machine.
//!
//! The standard library's sine is the system's, and its last bit differs between systems; glam's SIMD types add in an
//! order that depends on the processor, and use fused multiply-add if it has that. So transcendental functions are
//! libm's here, and rotations are matrices of scalars, whose sums and products IEEE 754 rounds alike everywhere.
//! `clippy.toml` forbids the others in this crate.

use glam::{Affine3, Mat3, Vec2, Vec3};

pub use libm::{acosf as acos, asinf as asin, atan2f as atan2, atanf as atan, cosf as cos, expf as exp};
pub use libm::{hypotf as hypot, powf, sincosf as sin_cos, sinf as sin};

/// A whole power, by squaring.
pub fn powi(mut base: f32, mut exponent: u32) -> f32 {
    let mut power = 1.0;
    loop {
        if exponent & 1 == 1 {
            power *= base;
        }
        exponent >>= 1;
        if exponent == 0 {
            return power;
        }
        base *= base;
    }
}

/// Unit vector at an angle from +x toward +y. Unit: rad.
pub fn direction(angle: f32) -> Vec2 {
    let (sin, cos) = sin_cos(angle);
    Vec2::new(cos, sin)
}

/// Rotation about +x. Unit: rad.
pub fn rotation_x(angle: f32) -> Mat3 {
    let (sin, cos) = sin_cos(angle);
    Mat3::from_cols(Vec3::X, Vec3::new(0.0, cos, sin), Vec3::new(0.0, -sin, cos))
}

/// Rotation about +y. Unit: rad.
pub fn rotation_y(angle: f32) -> Mat3 {
    let (sin, cos) = sin_cos(angle);
    Mat3::from_cols(Vec3::new(cos, 0.0, -sin), Vec3::Y, Vec3::new(sin, 0.0, cos))
}

/// Rotation about +z. Unit: rad.
pub fn rotation_z(angle: f32) -> Mat3 {
    let (sin, cos) = sin_cos(angle);
    Mat3::from_cols(Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0), Vec3::Z)
}

/// Rotation about a unit vector. Unit: rad.
pub fn rotation_about(axis: Vec3, angle: f32) -> Mat3 {
    let (sin, cos) = sin_cos(angle);
    // Rodrigues' formula.
    let column = |unit: Vec3| unit * cos + axis.cross(unit) * sin + axis * (axis.dot(unit) * (1.0 - cos));
    Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z))
}

/// The shortest rotation that takes one unit vector to another.
pub fn rotation_arc(from: Vec3, to: Vec3) -> Mat3 {
    partial_rotation_arc(from, to, 1.0)
}

/// The first part, `t` in 0..1, of the [shortest rotation](rotation_arc) from one unit vector to another.
pub fn partial_rotation_arc(from: Vec3, to: Vec3, t: f32) -> Mat3 {
    let across = from.cross(to);
    let (sin, cos) = (across.length(), from.dot(to));
    let axis = across.try_normalize().unwrap_or(from.any_orthonormal_vector());
    rotation_about(axis, t * atan2(sin, cos))
}

/// Angles x, y, z of a rotation R = Rz Ry Rx. Unit: rad.
pub fn euler(turn: Mat3) -> Vec3 {
    let (x, y, z) = (turn.x_axis, turn.y_axis, turn.z_axis);
    let level = hypot(x.x, x.y);
    let pitch = atan2(-x.z, level);
    match level < 1e-6 {
        // At a pitch straight up or down the other two angles are one turn.
        true => Vec3::new(atan2(-z.y, y.y), pitch, 0.0),
        false => Vec3::new(atan2(y.z, z.z), pitch, atan2(x.y, x.x)),
    }
}

/// Scales, then turns, then moves.
pub fn scale_rotation_translation(scale: Vec3, turn: Mat3, place: Vec3) -> Affine3 {
    Affine3::from_mat3_translation(turn * Mat3::from_diagonal(scale), place)
}

#[cfg(test)]
#[expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "what they are held against")]
mod tests {
    use glam::{EulerRot, Quat};

    use super::*;

    #[test]
    fn turns_are_those_of_quaternions() {
        let is =
            |ours: Mat3, theirs: Quat| assert!(ours.abs_diff_eq(Mat3::from_quat(theirs), 1e-6), "{ours}, {theirs}");
        let axis = Vec3::new(0.6, -0.3, 0.4).normalize();
        for angle in [-2.9, -0.4, 0.0, 1.1, 3.0] {
            is(rotation_x(angle), Quat::from_rotation_x(angle));
            is(rotation_y(angle), Quat::from_rotation_y(angle));
            is(rotation_z(angle), Quat::from_rotation_z(angle));
            is(rotation_about(axis, angle), Quat::from_axis_angle(axis, angle));
            let to = rotation_about(Vec3::Y, angle) * axis;
            is(rotation_arc(axis, to), Quat::from_rotation_arc(axis, to));
            is(partial_rotation_arc(axis, to, 0.3), Quat::IDENTITY.slerp(Quat::from_rotation_arc(axis, to), 0.3));
            assert!(direction(angle).abs_diff_eq(Vec2::from_angle(angle), 1e-6));
        }
        assert!((rotation_arc(axis, -axis) * axis).abs_diff_eq(-axis, 1e-6), "any way round");
        assert!(rotation_arc(axis, axis).abs_diff_eq(Mat3::IDENTITY, 1e-6));
    }

    #[test]
    fn angles_rebuild_the_turn() {
        for [x, y, z] in [[1.1, -0.7, 0.4], [-3.0, 1.2, 2.5], [0.3, std::f32::consts::FRAC_PI_2, 0.0]] {
            let turn = rotation_z(z) * rotation_y(y) * rotation_x(x);
            let found = euler(turn);
            let again = Quat::from_euler(EulerRot::ZYX, found.z, found.y, found.x);
            assert!(turn.abs_diff_eq(Mat3::from_quat(again), 1e-5), "{found}");
        }
    }

    #[test]
    fn whole_powers_are_products() {
        assert_eq!([0, 1, 2, 5, 16].map(|n| powi(-1.5, n)), [1.0, -1.5, 2.25, -7.593_75, 656.840_8]);
    }

    /// Values whose last bits differ between common systems' libraries.
    #[test]
    fn bits_are_the_same_on_every_machine() {
        let mut hash = math::Fnv::default();
        for n in 1..2000 {
            let x = n as f32 * 0.0137;
            let values = [sin(x), cos(x), atan(x), exp(-x), powf(x, 0.85), atan2(x, 3.0 - x), hypot(x, 0.04)];
            let unit = (x * 0.03).min(1.0);
            values.into_iter().chain([asin(unit), acos(unit)]).for_each(|value| hash.word(value.to_bits()));
        }
        assert_eq!(hash.hex(), "a993acb088d7fd93");
    }
}
