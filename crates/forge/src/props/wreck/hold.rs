//! Contents of a wreck's hull: silt, ballast stones, and fallen boards.

use std::f32::consts::TAU;

use glam::Vec3;
use math::mix;

use super::timber::{Ends, Section, timber};
use super::{HEEL, Hull, board};
use crate::maths::{cos, powi, rotation_about, rotation_x, rotation_y, scale_rotation_translation, sin};
use crate::props::growth::{GrowthKind, GrowthSite};
use crate::shapes::Rect;
use crate::{Material, Mesh, Noise};

/// Range of the silt along the hull, z.
const SILT: [f32; 2] = [-0.43, 0.46];

/// Height of the silt over the keel at a place; level once the ship has heeled.
fn silt(noise: &Noise, x: f32, z: f32) -> f32 {
    // Drifted up against the ends, trodden out amidships by the surge.
    let drift = 0.052 + 0.05 * powi(z / 0.5, 2) + 0.016 * noise.at(Vec3::new(6.0 * x, 0.5, 6.0 * z));
    (drift - x * sin(HEEL)) / cos(HEEL)
}

/// Half the width of the silt on one side at z, up to the planks.
fn shore(hull: &Hull, noise: &Noise, z: f32, side: f32) -> f32 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..16 {
        let v = f32::midpoint(low, high);
        let p = hull.at(z, v, side);
        if p.y < silt(noise, p.x, z) { low = v } else { high = v }
    }
    hull.at(z, low, side).x.abs()
}

/// Fills the hold, before the ship heels.
pub fn fill(mesh: &mut Mesh, wood: usize, hull: &Hull, noise: &Noise) {
    let stone =
        |name: &str, diffuse: [f32; 3]| Material { diffuse, ..Material { stone: true, ..Material::new(name, "") } };
    let mud = mesh.material(stone("silt", [0.52, 0.48, 0.40]).glossy(0.02, 8.0));
    let part = mesh.part("silt", mud);
    let (columns, rows) = (18, 6);
    mesh.grid(part, columns, rows, |i, j| {
        let z = mix(SILT[0], SILT[1], i as f32 / columns as f32);
        let (left, right) = (-shore(hull, noise, z, -1.0), shore(hull, noise, z, 1.0));
        let x = 0.985 * mix(left, right, j as f32 / rows as f32);
        (Vec3::new(x, silt(noise, x, z), z), glam::Vec2::ZERO)
    });
    let rock = mesh.material(stone("ballast", [0.36, 0.35, 0.33]).glossy(0.03, 10.0));
    let part = mesh.part_with_crease("ballast", rock, 1.3);
    for n in 0..BALLAST {
        let (at, size) = stone_at(noise, n);
        let chance = |k: i32| noise.hash(4200 + 8 * n + k);
        let shift = Vec3::splat(2.9 * n as f32);
        let range = mesh.icosphere(part, 1.0, u32::from(size > 0.013), Rect::FULL);
        mesh.bend(range.clone(), |p| p * (1.0 + 0.30 * noise.at(p * 1.1 + shift)) * Vec3::new(1.0, 0.72, 0.86));
        let turn = rotation_y(TAU * chance(4)) * rotation_x(0.8 * (chance(5) - 0.5));
        mesh.transform(range, scale_rotation_translation(Vec3::splat(size), turn, at));
    }
    fallen(mesh, wood, hull, noise);
}

/// Number of ballast stones.
const BALLAST: i32 = 26;

/// Place and radius of a stone: a heap that has slid to the low side about the mast's foot.
fn stone_at(noise: &Noise, n: i32) -> (Vec3, f32) {
    let [a, b, c] = [0, 1, 2].map(|k| noise.hash(4200 + 8 * n + k));
    let (away, turn) = (0.5 * (a + b), TAU * c);
    let (x, z) = (0.030 + 0.070 * away * cos(turn), 0.03 + 0.20 * away * sin(turn));
    let size = mix(0.009, 0.022, powi(noise.hash(4203 + 8 * n), 2));
    // The nearer to the middle, the higher.
    let heap = 0.026 * (1.0 - away) * noise.hash(4206 + 8 * n);
    (Vec3::new(x, silt(noise, x, z) + heap + 0.15 * size, z), size)
}

/// Boards of the deck and of the sides that have fallen in, one end in the silt.
fn fallen(mesh: &mut Mesh, part: usize, hull: &Hull, noise: &Noise) {
    for n in 0..11 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4600 + 4 * n + k));
        let z = mix(-0.30, 0.36, (n as f32 + 0.6 * a) / 11.0);
        let side = if n % 3 == 0 { -1.0 } else { 1.0 };
        let reach = shore(hull, noise, z, side);
        let foot = |x: f32, z: f32| Vec3::new(x, silt(noise, x, z), z);
        // Some lie along the hull, some lean against its side.
        let (from, to) = if n % 2 == 0 {
            let x = side * reach * mix(0.1, 0.7, b);
            let far = z + mix(0.10, 0.17, c);
            (foot(x, z) + Vec3::Y * 0.004, foot(0.7 * x + 0.03 * (d - 0.5), far) + Vec3::Y * mix(0.006, 0.030, d))
        } else {
            let wall = hull.at(z + 0.03, mix(0.62, 0.82, c), side);
            (foot(-0.35 * side * reach * b, z - 0.05) - Vec3::Y * 0.006, wall * Vec3::new(0.86, 1.0, 1.0))
        };
        let along = (to - from).normalize_or(Vec3::Z);
        let wide = rotation_about(along, 0.5 * (d - 0.5)) * along.cross(Vec3::Y).normalize_or(Vec3::X);
        let thick = wide.cross(along) * 0.0034;
        let sections: Vec<Section> = (0..=3)
            .map(|i| {
                let t = i as f32 / 3.0;
                let sag = -0.006 * c * sin(std::f32::consts::PI * t);
                Section { at: from.lerp(to, t) + Vec3::Y * sag, wide: wide * mix(0.008, 0.0115, a), thick }
            })
            .collect();
        let ends = Ends { noise, key: 900 + n, torn: [0.010, mix(0.012, 0.03, b)] };
        timber(mesh, part, &sections, (board(n + 2), 0.4 * d), ends);
    }
}

/// Growths on the heap.
pub fn growths(noise: &Noise) -> Vec<GrowthSite> {
    let kinds = [GrowthKind::Sponge, GrowthKind::Bush, GrowthKind::Lumps, GrowthKind::Fingers, GrowthKind::Bush];
    let site = |(n, kind): (usize, GrowthKind)| {
        let (at, size) = stone_at(noise, 5 * n as i32 + 2);
        GrowthSite::new((at + Vec3::Y * (0.6 * size), Vec3::Y), mix(0.020, 0.034, size / 0.022), kind, 300 + n as i32)
    };
    kinds.into_iter().enumerate().map(site).collect()
}
