//! Solid blades: shark fins, flippers, a ray's wings. Two sides round a middle surface, closed at edge and tip.

use std::f32::consts::PI;
use std::ops::Range;

use glam::{Vec2, Vec3};

use crate::Mesh;
use crate::maths::cos;
use crate::shapes::Rect;

/// Half thickness of a blade over s (0 leading to 1 trailing edge), at most 1: the NACA four-digit section.
pub fn section(s: f32) -> f32 {
    let s = s.clamp(0.0, 1.0);
    let s2 = s * s;
    (10.0 * (0.2969 * s.sqrt() - 0.1260 * s - 0.3516 * s2 + 0.2843 * s2 * s - 0.1036 * s2 * s2)).max(0.0)
}

/// Adds a blade. `point(s, t)` gives the middle surface and the offset from it to the first side, s from leading to
/// trailing edge, t from root to tip. The texture's region is split: first side in the left half (u rising with s),
/// second side mirrored in the right half; root at the bottom, tip on top. Vertices come s-major, t fastest.
pub fn blade(
    mesh: &mut Mesh,
    part: usize,
    (columns, rows): (usize, usize),
    rect: Rect,
    point: impl Fn(f32, f32) -> (Vec3, Vec3),
) -> Range<usize> {
    let chord_fraction = |q: usize| 0.5 - 0.5 * cos(PI * q as f32 / columns as f32);
    let place = |i: usize, j: usize| {
        let t = j as f32 / rows as f32;
        let (s, side) = if i <= columns { (chord_fraction(i), 1.0) } else { (chord_fraction(2 * columns - i), -1.0) };
        let (middle, offset) = point(s, t);
        // Both sides meet in one vertex at each edge: the edges are sharp.
        let edge = i == 0 || i == columns || i == 2 * columns;
        let u = if side > 0.0 { 0.5 * s } else { 1.0 - 0.5 * s };
        let position = if edge { middle } else { middle + offset * side };
        (position, rect.at(Vec2::new(0.01 + 0.98 * u, 0.98 - 0.96 * t)))
    };
    let (a, b) = (point(0.45, 0.5), point(0.55, 0.5));
    let along = point(0.5, 0.55).0 - point(0.5, 0.45).0;
    let flipped = (b.0 - a.0).cross(along).dot(a.1) < 0.0;
    let first = mesh.triangles.len();
    let range = mesh.grid(part, 2 * columns, rows, place);
    if flipped {
        mesh.triangles[first..].iter_mut().for_each(|t| t.corners.swap(1, 2));
    }
    range
}

/// Converts coordinates in 0..1 across a blade's region to s, t, and whether it is the second side.
pub fn blade_st(local: Vec2) -> (f32, f32, bool) {
    let u = ((local.x - 0.01) / 0.98).clamp(0.0, 1.0);
    let t = ((0.98 - local.y) / 0.96).clamp(0.0, 1.0);
    if u <= 0.5 { (2.0 * u, t, false) } else { (2.0 - 2.0 * u, t, true) }
}
