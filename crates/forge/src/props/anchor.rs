//! An iron anchor.

use std::f32::consts::TAU;

use glam::{Affine3, Mat3, Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{cos, powf, rotation_arc, rotation_x, rotation_y, sin};
use crate::paint::{over, rgb};
use crate::shapes::{Rect, arc_fractions};
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The anchor.
pub const ENTRIES: &[Entry] = &[Entry {
    name: "anchor",
    kind: Category::Prop,
    description: "a rusted stocked anchor with its chain",
    make: anchor,
}];

/// The bar's region of the texture: all iron shows it.
const BAR: Rect = Rect::new(0.0, 0.0, 1.0, 0.5);

fn anchor(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xA2C0);
    let mut mesh = Mesh::new();
    let iron = mesh
        .material(Material { two_sided: true, stone: true, ..Material::new("iron", "anchor.png") }.glossy(0.06, 10.0));
    let part = mesh.part("anchor", iron);
    // Built upright: the shank along y, arms in the x-y plane, the stock along z under the ring.
    shank_and_arms(&mut mesh, part, &noise);
    palms(&mut mesh, part);
    stock(&mut mesh, part, &noise);
    ring(&mut mesh, part, Vec3::Y * 1.06, Mat3::IDENTITY, Vec2::splat(0.075), 0.016);
    // Then laid down: one arm in the sand, the stock's end on it.
    let fallen = rotation_y(0.4) * rotation_x(1.12) * rotation_y(0.62);
    mesh.transform(0..mesh.vertices.len(), Affine3::from_mat3(fallen));
    let low = mesh.vertices.iter().map(|v| v.position.y).fold(f32::MAX, f32::min);
    let sand = low + 0.09;
    mesh.bend(0..mesh.vertices.len(), |p| p.with_y(p.y.max(sand)));
    chain(&mut mesh, part, fallen * (Vec3::Y * 1.12), sand);
    mesh.settle();
    let comment = "an iron anchor with a stock, admiralty pattern, about 2.2 m long";
    assemble("anchor", comment, &mesh, &Rig::still(), vec![("anchor.png".into(), paint(&noise).to_picture())])
}

/// A straight path in `n` steps.
fn line(a: Vec3, b: Vec3, n: usize) -> Vec<Vec3> {
    (0..=n).map(|i| a.lerp(b, i as f32 / n as f32)).collect()
}

/// Factor on a bar's radius where rust has swollen it.
fn lumpy(noise: &Noise, p: Vec3) -> f32 {
    1.0 + 0.16 * noise.fbm(p * 9.0, 3)
}

fn shank_and_arms(mesh: &mut Mesh, part: usize, noise: &Noise) {
    mesh.tube(part, &line(Vec3::ZERO, Vec3::Y * 1.0, 10), 9, BAR, |t| {
        if t <= 0.0 || t >= 1.0 { 0.0 } else { mix(0.052, 0.034, t) * lumpy(noise, Vec3::Y * t) }
    });
    let arms: Vec<Vec3> = (0..=18)
        .map(|i| {
            let turn = mix(-1.12, 1.12, i as f32 / 18.0);
            Vec3::new(0.46 * sin(turn), 0.43 - 0.46 * cos(turn), 0.0)
        })
        .collect();
    mesh.tube(part, &arms, 9, BAR, |t| {
        let out = (2.0 * t - 1.0).abs();
        if out >= 1.0 { 0.0 } else { mix(0.058, 0.022, out * out) * lumpy(noise, Vec3::X * t * 2.0) }
    });
}

/// Spade-shaped plates at the ends of the arms, which face the shank.
fn palms(mesh: &mut Mesh, part: usize) {
    for side in [-1.0_f32, 1.0] {
        let turn = 0.86_f32;
        let middle = Vec3::new(side * 0.46 * sin(turn), 0.43 - 0.46 * cos(turn), 0.0);
        let (up, inward) = (Vec3::new(side * cos(turn), sin(turn), 0.0), Vec3::new(-side * sin(turn), cos(turn), 0.0));
        let wide = Curve::new(&[(0.0, 0.02), (0.25, 0.10), (0.6, 0.085), (1.0, 0.0)]);
        let range = mesh.grid(part, 8, 6, |i, j| {
            // Round the plate: along the front to the edge, along the back to the start.
            let (s, t) = (i as f32 / 8.0, j as f32 / 6.0);
            let across = cos(TAU * s);
            let thick = 0.012 * sin(TAU * s);
            let p = middle + up * (0.34 * (t - 0.45)) + Vec3::Z * (across * wide.at(t)) + inward * (0.040 + thick);
            (p, BAR.at(Vec2::new(0.1 + 0.5 * t, 0.2 + 0.3 * across.abs())))
        });
        // Mirrored for one side.
        if side < 0.0 {
            for triangle in &mut mesh.triangles {
                if range.contains(&(triangle.corners[0] as usize)) {
                    triangle.corners.swap(1, 2);
                }
            }
        }
    }
}

fn stock(mesh: &mut Mesh, part: usize, noise: &Noise) {
    let path = line(Vec3::new(0.0, 0.88, -0.44), Vec3::new(0.0, 0.88, 0.44), 10);
    mesh.tube(part, &path, 8, BAR, |t| {
        let out = (2.0 * t - 1.0).abs();
        if out >= 1.0 {
            0.0
        } else {
            (mix(0.036, 0.022, out) + 0.024 * smoothstep(0.84, 0.92, out)) * lumpy(noise, Vec3::Z * t)
        }
    });
}

/// A ring or a link of the chain: `size` holds its half axes to the middle of the bar, `thick` is the bar's radius.
fn ring(mesh: &mut Mesh, part: usize, middle: Vec3, turn: Mat3, size: Vec2, thick: f32) {
    let path: Vec<Vec3> = (0..=14)
        .map(|i| {
            let angle = TAU * (i % 14) as f32 / 14.0;
            middle + turn * Vec3::new(size.x * cos(angle), size.y * sin(angle), 0.0)
        })
        .collect();
    mesh.tube(part, &path, 6, BAR, |_| thick);
}

/// The chain hangs from the ring at `from` and runs off over the sand.
fn chain(mesh: &mut Mesh, part: usize, from: Vec3, sand: f32) {
    let hang: Vec<Vec3> = (0..=60)
        .map(|i| {
            let t = i as f32 / 60.0;
            let drop = (from.y - sand - 0.03) * powf(1.0 - smoothstep(0.0, 0.36, t), 1.4);
            Vec3::new(from.x + 0.16 * sin(4.5 * t), sand + 0.03 + drop, from.z + 0.95 * t)
        })
        .collect();
    let along = arc_fractions(&hang);
    let long: f32 = hang.windows(2).map(|w| w[0].distance(w[1])).sum();
    let count = (long / 0.092) as usize;
    for n in 0..count {
        let i = along.partition_point(|a| *a < n as f32 / count as f32).min(hang.len() - 2);
        let way = (hang[i + 1] - hang[i]).normalize_or(Vec3::Z);
        let turn = rotation_arc(Vec3::X, way);
        let roll = if n % 2 == 0 { 1.25 } else { -0.32 };
        ring(mesh, part, hang[i], turn * rotation_x(roll), Vec2::new(0.066, 0.040), 0.0145);
    }
}

/// Paints flaked rust with crusts and turf on it.
fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    canvas.fill(Rect::FULL, |p, _| {
        let q = Vec3::new(p.x * 14.0, p.y * 10.0, 0.7);
        let flake = noise.fbm(q * 1.3, 4);
        let mut c = rgb(0x5a3a28).lerp(rgb(0x8a5430), smoothstep(-0.3, 0.4, flake)).extend(1.0);
        c = over(c, rgb(0x2a201c), 0.8 * smoothstep(0.12, 0.45, noise.fbm(q * 2.1 + 9.0, 4)));
        c = over(c, rgb(0xb0703a), 0.5 * smoothstep(0.25, 0.5, noise.fbm(q * 4.0 + 3.0, 3)));
        c = over(c, rgb(0x9c7078), 0.75 * smoothstep(0.12, 0.30, noise.fbm(q * 0.9 + 21.0, 4)));
        c = over(c, rgb(0x73754f), 0.70 * smoothstep(0.10, 0.40, noise.fbm(q * 0.8 + 33.0, 4)));
        let (near, _) = noise.cells(q * 2.6);
        c = over(c, rgb(0xd0c8b6), 0.7 * smoothstep(0.26, 0.16, near) * smoothstep(0.05, 0.3, noise.fbm(q + 41.0, 3)));
        (c.truncate() * (0.95 + 0.20 * noise.at(q * 7.0))).extend(1.0)
    });
    canvas
}
