//! Lost things.

use std::f32::consts::TAU;

use glam::{Affine3, Vec2, Vec3, Vec4};
use math::smoothstep;

use crate::maths::{cos, rotation_y, rotation_z, sin};
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
        (0.0, 0.022),
        (0.05, 0.034),
        (0.10, 0.060),
        (0.18, 0.110),
        (0.30, 0.142),
        (0.46, 0.150),
        (0.58, 0.146),
        (0.645, 0.128),
        (0.69, 0.078),
        (0.74, 0.058),
        (0.92, 0.054),
        (0.945, 0.072),
        (0.985, 0.076),
        (1.0, 0.070),
    ]);
    let surface = |uv: Vec2| {
        let (height, turn) = (1.0 - uv.y, TAU * uv.x);
        let way = Vec3::new(sin(turn), 0.0, cos(turn));
        let crust = 1.0 + 0.018 * noise.fbm(way * 1.3 + Vec3::Y * height * 4.0, 3);
        way * wall.at(height) * crust + Vec3::Y * height
    };
    let mut mesh = Mesh::new();
    let clay = mesh.material(Material { two_sided: true, ..Material::new("clay", "amphora.png") }.glossy(0.05, 10.0));
    let part = mesh.part("jar", clay);
    let round = |uv: Vec2| surface(if uv.x == 1.0 { uv.with_x(0.0) } else { uv });
    let outside = Rect::new(0.0, 0.03, 1.0, 1.0);
    mesh.drape(part, (20, 18), outside, round);
    // The inside of the neck, dark.
    let dark = Rect::new(0.0, 0.0, 1.0, 0.02);
    mesh.tube(part, &[Vec3::Y, Vec3::Y * 0.97, Vec3::Y * 0.8], 10, dark, |t| 0.070 - 0.026 * t.min(0.3) / 0.3);
    for side in [-1.0_f32, 1.0] {
        let points = [
            (0.050, 0.905),
            (0.077, 0.923),
            (0.100, 0.920),
            (0.117, 0.898),
            (0.125, 0.86),
            (0.127, 0.79),
            (0.121, 0.715),
            (0.110, 0.655),
        ];
        let path: Vec<Vec3> = points.iter().map(|&(x, y)| Vec3::new(x * side, y, 0.0)).collect();
        mesh.tube(part, &path, 6, Rect::new(0.1, 0.3, 0.9, 0.4), |_| 0.017);
    }
    let fallen = rotation_z(1.38) * rotation_y(0.5);
    let sky = fallen.inverse() * Vec3::Y;
    mesh.transform(0..mesh.vertices.len(), Affine3::from_mat3(fallen));
    mesh.settle();
    let relief = Relief::new(512, 512, true, |uv| {
        let p = surface(uv);
        let out = p.with_y(0.0).normalize_or_zero();
        let rings = 0.0022 * sin(p.y * 190.0);
        p + out * (rings + 0.006 * noise.fbm(p * 16.0, 4).max(0.0))
    });
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    relief.paint(&mut canvas, outside, |spot| {
        let p = spot.position;
        // It lies on one side; silt and growth cover the other, which faces the light.
        let upper =
            smoothstep(-0.4, 0.8, p.with_y(0.0).normalize_or_zero().dot(sky) + 0.5 * noise.fbm(p * 4.0 + 41.0, 3));
        let mut c = rgb(0x7c604a).lerp(rgb(0x947c66), 0.5 + noise.fbm(p * 5.0, 4)).extend(1.0);
        // Rings that the potter's fingers left, and darker firing clouds.
        c = over(c, rgb(0x5f4838), 0.35 * smoothstep(0.2, 0.9, sin(p.y * 190.0 + 0.8 * noise.at(p * 3.0))));
        c = over(c, rgb(0x4b3d33), 0.45 * smoothstep(0.05, 0.5, noise.fbm(p * 2.6 + 33.0, 3)));
        c = over(c, rgb(0x98907a), 0.70 * upper * smoothstep(-0.3, 0.4, noise.fbm(p * 9.0 + 3.0, 4)));
        c = over(c, rgb(0x555536), 0.75 * upper * smoothstep(0.10, 0.35, noise.fbm(p * 8.0 + 11.0, 4)));
        c = over(c, rgb(0x7f656a), 0.65 * smoothstep(0.26, 0.36, noise.fbm(p * 6.0 + 21.0, 4)));
        let (shell, _) = noise.cells(p * 30.0);
        c = over(
            c,
            rgb(0xcfc6b2),
            0.7 * smoothstep(0.16, 0.08, shell) * smoothstep(0.0, 0.3, noise.at(p * 4.0 + 51.0)),
        );
        let light = (1.0 - 0.6 * spot.hollow.max(0.0) + 0.16 * noise.at(p * 80.0)).clamp(0.3, 1.3);
        (c.truncate() * light * 48.0).round() / 48.0
    });
    canvas.fill(dark, |_, _| Vec4::new(0.1, 0.09, 0.08, 1.0));
    let comment = "a transport jar of the Roman type Dressel 1, about 1.1 m long";
    assemble("amphora", comment, &mesh, &Rig::still(), vec![("amphora.png".into(), canvas.to_picture())])
}
