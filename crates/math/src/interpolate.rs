//! Interpolation between two values, and splines through several.

use glam::Vec3;

/// Linear interpolation from `a` (t = 0) to `b` (t = 1).
#[inline]
pub fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// The cubic 3t² - 2t³: rises from 0 to 1 with `t`, with zero slope at both ends.
#[inline]
pub fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// 0 up to `edge0`, 1 from `edge1` on, [eased](ease) between; the edges may be given in falling order.
#[inline]
pub fn smoothstep(edge0: f32, edge1: f32, x: f32) -> f32 {
    ease(((x - edge0) / (edge1 - edge0)).clamp(0.0, 1.0))
}

/// Uniform Catmull-Rom spline between `p[1]` (t = 0) and `p[2]` (t = 1); tangents are half the chord of the neighbours.
pub fn catmull_rom(p: [Vec3; 4], t: f32) -> Vec3 {
    let linear = p[2] - p[0];
    let square = 2.0 * p[0] - 5.0 * p[1] + 4.0 * p[2] - p[3];
    let cube = 3.0 * (p[1] - p[2]) + p[3] - p[0];
    p[1] + 0.5 * t * (linear + t * (square + t * cube))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothstep_is_level_outside_and_takes_edges_in_falling_order() {
        assert_eq!([-1.0, 2.0, 3.0, 4.0, 9.0].map(|x| smoothstep(2.0, 4.0, x)), [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!([-1.0, 2.0, 3.0, 4.0, 9.0].map(|x| smoothstep(4.0, 2.0, x)), [1.0, 1.0, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn splines_pass_their_points_and_keep_to_straight_lines() {
        let p = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(3.0, 1.0, -2.0)];
        assert_eq!((catmull_rom(p, 0.0), catmull_rom(p, 1.0)), (p[1], p[2]));
        let line = [0.0, 1.0, 2.0, 3.0].map(|x| x * Vec3::ONE);
        assert!(catmull_rom(line, 0.25).distance(1.25 * Vec3::ONE) < 1e-6);
    }
}
