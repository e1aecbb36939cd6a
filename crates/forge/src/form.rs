//! Limbs, lumps, turned solids and rounded lines, in metres: parts of people and their machines.

use std::f32::consts::TAU;
use std::ops::Range;

use glam::{Vec2, Vec3};

use crate::Mesh;
use crate::maths::{cos, powf, sin};
use crate::shapes::{Rect, arc_fractions};

/// Point at a turn (0..1) of a superellipse of half axes 1: exponent 2 is a circle, more is nearer to a square.
pub fn superellipse(turn: f32, exponent: f32) -> Vec2 {
    let angle = -TAU * turn;
    let part = |x: f32| x.signum() * powf(x.abs(), 2.0 / exponent);
    Vec2::new(part(cos(angle)), part(sin(angle)))
}

/// A line through joints, rounded at them: `count` + 1 points at even distances.
pub fn rounded_line(joints: &[Vec3], count: usize, softening: usize) -> Vec<Vec3> {
    let along = arc_fractions(joints);
    let at = |t: f32| {
        let i = along.partition_point(|a| *a <= t).clamp(1, joints.len() - 1);
        let share = (t - along[i - 1]) / (along[i] - along[i - 1]).max(1e-6);
        joints[i - 1].lerp(joints[i], share.clamp(0.0, 1.0))
    };
    let mut points: Vec<Vec3> = (0..=count).map(|n| at(n as f32 / count as f32)).collect();
    for _ in 0..softening {
        let before = points.clone();
        for i in 1..count {
            points[i] = 0.25 * before[i - 1] + 0.5 * before[i] + 0.25 * before[i + 1];
        }
    }
    points
}

/// Adds a closed skin round a line: `size(t)` is its half width and half height at t in 0..1 along it, across the
/// direction `right` and the one square to it. u runs along it, v round it.
pub fn limb(
    mesh: &mut Mesh,
    part: usize,
    (line, right): (&[Vec3], Vec3),
    (sides, exponent): (usize, f32),
    rect: Rect,
    size: impl Fn(f32) -> Vec2,
) -> Range<usize> {
    let along = arc_fractions(line);
    let last = line.len() - 1;
    let ring = |i: usize, open: f32| -> (Vec3, Vec3, Vec3, f32) {
        let ahead = (line[(i + 1).min(last)] - line[i.saturating_sub(1)]).normalize_or(Vec3::Z);
        let across = (right - ahead * right.dot(ahead)).normalize_or(Vec3::X);
        let size = size(along[i]) * open;
        (line[i], across * size.x, ahead.cross(across) * size.y, along[i])
    };
    // One ring of no size at each end closes it.
    let rings: Vec<_> = std::iter::once(ring(0, 0.0))
        .chain((0..=last).map(|i| ring(i, 1.0)))
        .chain(std::iter::once(ring(last, 0.0)))
        .collect();
    mesh.grid(part, rings.len() - 1, sides, |i, j| {
        let (middle, across, up, u) = rings[i];
        let unit = superellipse((j % sides) as f32 / sides as f32, exponent);
        (middle + across * unit.x + up * unit.y, rect.at(Vec2::new(u, j as f32 / sides as f32)))
    })
}

/// Adds a rounded block: half sizes along `axes`, which are right, up and along.
pub fn lump(mesh: &mut Mesh, part: usize, middle: Vec3, axes: [Vec3; 3], half: Vec3, rect: Rect) -> Range<usize> {
    let [right, _, along] = axes;
    let line: Vec<Vec3> = [-1.0, -0.86, 0.86, 1.0].map(|t: f32| middle + along * (t * half.z)).to_vec();
    limb(mesh, part, (&line, right), (8, 3.6), rect, |t| {
        let open = if (0.02..0.98).contains(&t) { 1.0 } else { 0.78 };
        Vec2::new(half.x, half.y) * open
    })
}

/// Adds a solid of revolution about `axis` from `foot`, closed at its ends: distances along the axis and radii.
pub fn turned(
    mesh: &mut Mesh,
    part: usize,
    (foot, axis): (Vec3, Vec3),
    sides: usize,
    rect: Rect,
    profile: &[(f32, f32)],
) -> Range<usize> {
    let across = if axis.x.abs() < 0.9 { Vec3::X } else { Vec3::Y };
    let across = (across - axis * across.dot(axis)).normalize_or(Vec3::X);
    let up = axis.cross(across);
    let (first, last) = (profile[0].0, profile[profile.len() - 1].0);
    let rows = profile.len() + 1;
    mesh.grid(part, rows, sides, |i, j| {
        let (along, radius) = profile[i.clamp(1, rows - 1) - 1];
        let radius = if i == 0 || i == rows { 0.0 } else { radius };
        let unit = superellipse((j % sides) as f32 / sides as f32, 2.0);
        let u = (along - first) / (last - first).max(1e-6);
        (foot + axis * along + (across * unit.x + up * unit.y) * radius, rect.at(Vec2::new(u, j as f32 / sides as f32)))
    })
}
