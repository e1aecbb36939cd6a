//! Plants: kelp and sea grass. They are rooted at y = 0; the shader sways them by height.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3, Vec4};

use crate::forge::curve::{mix, smoothstep};
use crate::forge::paint::{over, ramp, rgb};
use crate::forge::shapes::Rect;
use crate::forge::{Canvas, Curve, Entry, Forged, Kind, Material, Mesh, Noise, Rig, assemble};

/// The plants of this file.
pub const ENTRIES: &[Entry] = &[
    Entry { name: "kelp", kind: Kind::Flora, description: "a tall strand with blades and floats", make: kelp },
    Entry { name: "sea_grass", kind: Kind::Flora, description: "a tuft of ribbon leaves", make: sea_grass },
];

fn kelp(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x4E19);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("frond", "kelp.png").membrane(0.85).glossy(0.08, 14.0));
    let stem = mesh.part("stipe", material);
    let blades = mesh.part("blades", material);
    let (leaf, bark) = (Rect::new(0.0, 0.0, 1.0, 0.84), Rect::new(0.0, 0.87, 1.0, 1.0));
    // It winds up to the light, and the last of it lies down along the surface.
    let line = |t: f32| {
        let lying = smoothstep(0.80, 1.0, t);
        let wind = 0.018 * t.sqrt();
        Vec3::new(
            wind * (9.1 * t + 0.6).sin() + 0.16 * lying * lying,
            t - 0.09 * lying * lying,
            wind * (7.3 * t).sin() + 0.05 * lying,
        )
    };
    let path: Vec<Vec3> = (0..=18).map(|n| line(n as f32 / 18.0)).collect();
    mesh.tube(stem, &path, 4, bark, |t| mix(0.0050, 0.0024, t));
    let width = Curve::new(&[(0.0, 0.1), (0.12, 0.55), (0.35, 1.0), (0.7, 0.75), (1.0, 0.05)]);
    let count = 44;
    for n in 0..count {
        let [a, b, c] = [0, 1, 2].map(|k| noise.hash(3 * n + k));
        // Few below, crowded toward the light.
        let t = ((n as f32 + 0.6 + 0.5 * a) / (count as f32 + 0.6)).powf(0.72);
        let around = n as f32 * 2.2 + 0.9 * b;
        // The current combs them to one side.
        let out = Vec3::new(around.cos() + 0.45, 0.0, around.sin()).normalize();
        let side = Vec3::Y.cross(out);
        let length = (0.105 + 0.05 * c) * mix(0.75, 1.0, smoothstep(0.0, 0.5, t));
        let from = line(t);
        // A small float at the base of each blade keeps the strand upright.
        let float: Vec<Vec3> = (0..4).map(|k| from + (out + Vec3::Y * 0.7) * 0.0062 * k as f32).collect();
        mesh.tube(stem, &float, 3, bark, |s| 0.0052 * (PI * s).sin().max(0.0).powf(0.7));
        let root = float[3] - (out + Vec3::Y * 0.7) * 0.004;
        let roll = Quat::from_axis_angle(out, 1.7 * (a - 0.5) + 0.4);
        let (rows, columns) = (6, 2);
        let droop = 0.35 + 0.75 * b;
        mesh.grid(blades, columns, rows, |i, j| {
            let s = j as f32 / rows as f32;
            let across = i as f32 / columns as f32 - 0.5;
            // It leaves the stem upward, arches over and hangs; the edges ripple.
            let arch = out * (s * (0.9 - 0.35 * s) + 0.05 * (6.0 * s + 7.0 * a).sin() * s)
                + Vec3::Y * ((0.75 - 0.3 * c) * s - (0.6 + droop) * s * s)
                + side * (0.22 * (3.0 * s + 6.0 * c).sin() * s);
            let ripple = 0.34 * (TAU * (2.1 * s + a) + across * 5.0).sin() * across.abs();
            let turn = Quat::from_axis_angle(out, 1.1 * s * (b - 0.4)) * roll * side;
            let lift = turn.cross(out);
            let w = 0.0125 * width.at(s);
            let p = root
                + arch * length
                + turn * across * 2.0 * w
                + lift * (ripple * w * 2.0 - 0.5 * w * (1.0 - 4.0 * across * across));
            (p, leaf.at(Vec2::new(s, across + 0.5)))
        });
    }
    mesh.settle();

    let mut canvas = Canvas::new(512, 256, Vec4::ZERO);
    canvas.fill(leaf, |p, _| {
        let across = 2.0 * p.y - 1.0;
        let edge = 0.92 + 0.07 * (p.x * 95.0 + 3.0 * noise.at(Vec3::new(p.x * 9.0, across.signum(), 0.0))).sin()
            - 0.12 * smoothstep(0.25, 0.6, noise.at(Vec3::new(p.x * 13.0, across.signum() * 3.0, 4.0)));
        let vein = noise.ridged(Vec3::new(p.x * 5.0, across * 5.0, 1.0), 3);
        let mut c =
            ramp(&[(0.0, rgb(0x7d661f)), (0.3, rgb(0xa0862f)), (0.75, rgb(0xb39b42)), (1.0, rgb(0x8f7a35))], p.x)
                .extend(1.0);
        c = over(c, rgb(0xa39348), 0.5 * smoothstep(0.35, 0.75, vein));
        c = over(c, rgb(0x4a3d1b), 0.55 * smoothstep(0.1, 0.02, across.abs() - 0.02));
        c = over(
            c,
            rgb(0x9a9178),
            0.5 * smoothstep(0.35, 0.55, noise.fbm(Vec3::new(p.x * 14.0, across * 3.0, 8.0), 3)),
        );
        let light = 0.92 + 0.18 * noise.fbm(Vec3::new(p.x * 22.0, across * 6.0, 3.0), 3);
        let hole = noise.at(Vec3::new(p.x * 26.0, across * 7.0, 12.0)) > 0.62;
        (c.truncate() * light).extend(if across.abs() < edge && !hole { 1.0 } else { 0.0 })
    });
    canvas.bleed(10);
    canvas.fill(bark, |p, _| {
        let c = rgb(0x5c4d20).lerp(rgb(0x7c6a30), 0.5 + 0.5 * noise.fbm(Vec3::new(p.x * 20.0, p.y * 3.0, 0.0), 3));
        c.extend(1.0)
    });
    let comment = "a strand of giant kelp, Macrocystis pyrifera, about 9 m shown";
    assemble("kelp", comment, &mesh, &Rig::still(), vec![("kelp.png".into(), canvas.to_image())])
}

fn sea_grass(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x5EA6);
    let mut mesh = Mesh::new();
    let material = Material { two_sided: true, translucency: 0.45, ..Material::new("leaves", "sea_grass.png") };
    let material = mesh.material(material.glossy(0.05, 12.0));
    let part = mesh.part("leaves", material);
    let (leaves, joints) = (21, 4);
    for n in 0..leaves {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let around = n as f32 * 2.399_963 + 0.6 * a;
        let out = Vec3::new(around.cos(), 0.0, around.sin());
        let from = out * 0.17 * (n as f32 / leaves as f32).sqrt() + Vec3::new(b - 0.5, 0.0, c - 0.5) * 0.05;
        let height = 0.5 + 0.5 * d;
        let spread = (0.05 + 0.3 * b) * height;
        let side = Quat::from_rotation_y(1.2 * (c - 0.5)) * Vec3::Y.cross(out);
        let half = 0.017 + 0.007 * a;
        let column = (n % 4) as f32 / 4.0;
        let range = mesh.added(|mesh| {
            let rows: Vec<[u32; 2]> = (0..joints)
                .map(|k| {
                    let t = k as f32 / joints as f32;
                    let p = from + out * spread * t * t + Vec3::Y * height * (t - 0.12 * t * t * b);
                    let twist = Quat::from_rotation_y(0.9 * (a - 0.5) * t) * side;
                    let w = half * (0.75 + 0.25 * smoothstep(0.0, 0.3, t)) * smoothstep(1.15, 0.7, t);
                    [-1.0_f32, 1.0]
                        .map(|s| mesh.vertex(p + twist * w * s, Vec2::new(column + 0.125 + 0.11 * s, 1.0 - 0.94 * t)))
                })
                .collect();
            let tip = from + out * spread + Vec3::Y * height * (1.0 - 0.12 * b);
            let tip = mesh.vertex(tip, Vec2::new(column + 0.125, 0.03));
            for pair in rows.windows(2) {
                mesh.quad(part, [pair[0][0], pair[0][1], pair[1][1], pair[1][0]]);
            }
            let last = rows[rows.len() - 1];
            mesh.triangle(part, [last[0], last[1], tip]);
        });
        // Lit as a tuft rather than as single sheets, which would flicker as they turn.
        for vertex in &mut mesh.vertices[range] {
            vertex.normal = Some((vertex.position.with_y(0.0) * 1.6 + Vec3::Y * 0.75).normalize());
        }
    }
    mesh.settle();
    let mut canvas = Canvas::new(256, 512, Vec4::ONE);
    canvas.fill(Rect::FULL, |p, _| {
        let leaf = (p.x * 4.0).floor();
        let (across, up) = (2.0 * (p.x * 4.0).fract() - 1.0, 1.0 - p.y);
        let worn = up + 0.12 * noise.fbm(Vec3::new(across * 1.2, up * 7.0, leaf), 3);
        let stops = [
            (0.0, rgb(0x8d8a66)),
            (0.12, rgb(0x56643a)),
            (0.6, rgb(0x667443)),
            (0.85, rgb(0x7f7d48)),
            (1.0, rgb(0x8a744a)),
        ];
        let mut c = ramp(&stops, worn).extend(1.0);
        let ribs = (across * 14.0).sin().abs();
        c = over(c, rgb(0x3e4a2a), 0.28 * (1.0 - ribs));
        // Older leaves are furred with pale growth.
        let crust =
            smoothstep(0.1, 0.4, noise.fbm(Vec3::new(across * 3.0, up * 26.0, leaf * 7.0), 3) + 0.5 * (up - 0.7));
        c = over(c, rgb(0xa09a80), 0.6 * crust);
        (c.truncate() * mix(0.5, 1.0, smoothstep(0.0, 0.35, up))).extend(1.0)
    });
    let comment = "a tuft of turtle grass, Thalassia testudinum, about 0.4 m high";
    assemble("sea_grass", comment, &mesh, &Rig::still(), vec![("sea_grass.png".into(), canvas.to_image())])
}
