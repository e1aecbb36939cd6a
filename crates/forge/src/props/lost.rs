//! Lost things.

use std::f32::consts::TAU;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use math::smoothstep;

use crate::paint::{over, rgb};
use crate::props::relief::Relief;
use crate::shapes::Rect;
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The things of this file.
pub const ENTRIES: &[Entry] = &[Entry {
    name: "amphora",
    kind: Category::Prop,
    description: "an overgrown jar, half fallen over",
    make: amphora,
}];

fn amphora(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xA3F0);
    // Radius over height from the spike to the lip.
    let wall = Curve::new(&[
        (0.0, 0.02),
        (0.06, 0.035),
        (0.14, 0.08),
        (0.3, 0.155),
        (0.5, 0.19),
        (0.64, 0.17),
        (0.72, 0.1),
        (0.78, 0.062),
        (0.93, 0.058),
        (0.96, 0.08),
        (1.0, 0.08),
    ]);
    let surface = |uv: Vec2| {
        let (height, turn) = (1.0 - uv.y, TAU * uv.x);
        let way = Vec3::new(turn.sin(), 0.0, turn.cos());
        let crust = 1.0 + 0.06 * smoothstep(0.0, 0.5, noise.fbm(way * 1.3 + Vec3::Y * height * 4.0, 3));
        way * wall.at(height) * crust + Vec3::Y * height
    };
    let mut mesh = Mesh::new();
    let clay = mesh
        .material(Material { two_sided: true, stone: true, ..Material::new("clay", "amphora.png") }.glossy(0.04, 12.0));
    let part = mesh.part("jar", clay);
    let round = |uv: Vec2| surface(if uv.x == 1.0 { uv.with_x(0.0) } else { uv });
    let outside = Rect::new(0.0, 0.03, 1.0, 1.0);
    mesh.drape(part, (20, 18), outside, round);
    // The inside of the neck, dark.
    let dark = Rect::new(0.0, 0.0, 1.0, 0.02);
    mesh.tube(part, &[Vec3::Y, Vec3::Y * 0.97, Vec3::Y * 0.8], 10, dark, |t| 0.078 - 0.03 * t.min(0.3) / 0.3);
    for side in [-1.0_f32, 1.0] {
        let points = [(0.055, 0.9), (0.12, 0.93), (0.165, 0.86), (0.17, 0.75), (0.15, 0.66)];
        let path: Vec<Vec3> = points.iter().map(|&(x, y)| Vec3::new(x * side, y, 0.0)).collect();
        mesh.tube(part, &path, 6, Rect::new(0.1, 0.3, 0.9, 0.4), |_| 0.021);
    }
    let fallen = Quat::from_rotation_z(1.28) * Quat::from_rotation_y(0.5);
    mesh.transform(0..mesh.vertices.len(), Mat4::from_quat(fallen));
    mesh.settle();
    let relief = Relief::new(512, 512, true, |uv| {
        let p = surface(uv);
        let out = p.with_y(0.0).normalize_or_zero();
        let rings = 0.0015 * (p.y * 190.0).sin();
        p + out * (rings + 0.012 * noise.fbm(p * 16.0, 4).max(0.0))
    });
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    relief.paint(&mut canvas, outside, |spot| {
        let p = spot.position;
        let grown = smoothstep(0.0, 0.35, noise.fbm(p * 5.0 + 3.0, 4));
        let mut c = rgb(0x8a5d40).lerp(rgb(0x9c7152), 0.5 + noise.fbm(p * 9.0, 3)).extend(1.0);
        c = over(c, rgb(0x8a8470), 0.8 * grown);
        c = over(c, rgb(0x5f6040), 0.6 * smoothstep(0.1, 0.4, noise.fbm(p * 7.0 + 11.0, 4)));
        c = over(c, rgb(0x94707a), 0.7 * smoothstep(0.22, 0.4, noise.fbm(p * 6.0 + 21.0, 4)));
        c = over(c, rgb(0xcfc6b2), 0.7 * smoothstep(0.18, 0.08, noise.cells(p * 34.0).0) * grown);
        c.truncate() * (1.0 - 0.5 * spot.hollow.max(0.0) + 0.2 * noise.at(p * 80.0)).clamp(0.3, 1.3)
    });
    canvas.fill(dark, |_, _| Vec4::new(0.1, 0.09, 0.08, 1.0));
    let comment = "a transport jar of the Roman type Dressel 1, about 1.1 m long";
    assemble("amphora", comment, &mesh, &Rig::still(), vec![("amphora.png".into(), canvas.to_image())])
}
