//! Soft animals that grow on rock: tube sponges, anemones; and a starfish.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};

use crate::forge::curve::{mix, smoothstep};
use crate::forge::paint::{over, ramp, rgb};
use crate::forge::props::relief::Relief;
use crate::forge::shapes::Rect;
use crate::forge::{Canvas, Curve, Entry, Forged, Kind, Material, Mesh, Noise, Rig, assemble};

/// The animals of this file.
pub const ENTRIES: &[Entry] = &[
    Entry { name: "tube_sponge", kind: Kind::Flora, description: "a cluster of hollow tubes", make: tube_sponge },
    Entry { name: "anemone", kind: Kind::Flora, description: "a disc of thick tentacles", make: anemone },
    Entry { name: "starfish", kind: Kind::Flora, description: "five rough arms", make: starfish },
];

fn tube_sponge(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x7B5E);
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("sponge", "tube_sponge.png"));
    let part = mesh.part("tubes", skin);
    let profile = Curve::new(&[(0.0, 1.05), (0.12, 0.82), (0.45, 0.95), (0.8, 1.12), (1.0, 1.0)]);
    for n in 0..7 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let around = n as f32 * 2.4 + 0.8 * a;
        let (height, radius) = (1.0 - 0.11 * n as f32 + 0.1 * b, 0.095 - 0.005 * n as f32);
        let away = if n == 0 { 0.0 } else { 0.08 + 0.05 * c };
        let lean = Vec3::new(around.cos(), 0.0, around.sin()) * (0.1 + 0.28 * d) * if n == 0 { 0.3 } else { 1.0 };
        let foot = Vec3::new(around.cos() * away, 0.0, around.sin() * away);
        let sway = Vec3::new(b - 0.5, 0.0, d - 0.5) * 0.12;
        let axis = |t: f32| foot + (Vec3::Y * t + lean * t * (0.5 + 0.5 * t) + sway * (4.0 * t).sin()) * height;
        let sides = 13;
        // Up the outside, over the lip and down the inside to a dark floor.
        let rings: [(f32, f32); 14] = [
            (0.0, 1.0),
            (0.13, 1.0),
            (0.26, 1.0),
            (0.39, 1.0),
            (0.52, 1.0),
            (0.65, 1.0),
            (0.78, 1.0),
            (0.90, 1.0),
            (0.97, 0.99),
            (1.0, 0.92),
            (1.0, 0.80),
            (0.96, 0.70),
            (0.82, 0.60),
            (0.80, 0.0),
        ];
        mesh.grid(part, sides, rings.len() - 1, |i, j| {
            let (t, inner) = rings[j];
            let turn = TAU * (i % sides) as f32 / sides as f32;
            let way = Vec3::new(turn.sin(), 0.0, turn.cos());
            let at = axis(t) + way * 0.1;
            let lumps = 1.0 + 0.34 * noise.at(at * 6.0) + 0.15 * noise.at(at * 15.0) + 0.05 * noise.at(at * 31.0);
            let rim = if inner < 1.0 { 0.014 * noise.at(at * 13.0 + 5.0) } else { 0.0 };
            let p = axis(t) + way * radius * profile.at(t) * inner * lumps + Vec3::Y * rim;
            let v = 1.0 - (j as f32 / (rings.len() - 1) as f32);
            (p, Vec2::new(i as f32 / sides as f32 + 0.37 * n as f32, v))
        });
    }
    mesh.settle();
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    canvas.fill(Rect::FULL, |p, _| {
        let up = 1.0 - p.y;
        let turn = TAU * p.x;
        let q = Vec3::new(turn.sin(), up * 5.0, turn.cos());
        let (near, next) = noise.cells(q * Vec3::new(3.2, 5.0, 3.2));
        let pit = smoothstep(0.38, 0.12, near);
        let rib = noise.ridged(q * Vec3::new(2.4, 0.7, 2.4), 3);
        let mut c = ramp(
            &[
                (0.0, rgb(0x5c4a34)),
                (0.25, rgb(0xa37b3c)),
                (0.55, rgb(0xc79c52)),
                (0.60, rgb(0xe9d6a0)),
                (0.66, rgb(0xe9d6a0)),
                (0.72, rgb(0x7a6240)),
                (0.85, rgb(0x302624)),
                (1.0, rgb(0x1a1514)),
            ],
            up + 0.02 * noise.at(q * 3.0),
        );
        let outside = smoothstep(0.68, 0.5, up);
        let stain = |shift: f32, from: f32| smoothstep(from, from + 0.3, noise.fbm(q * 0.9 + shift, 4)) * outside;
        c = c.lerp(rgb(0x7c7356), 0.6 * stain(4.0, 0.0)).lerp(rgb(0x9a6248), 0.5 * stain(17.0, 0.1));
        // Blunt cones over the skeleton's fibres, and the pores between them.
        let (cone, _) = noise.cells(q * Vec3::new(8.0, 13.0, 8.0) + 2.0);
        let cones = smoothstep(0.5, 0.1, cone);
        let light = 0.62 + 0.35 * rib - 0.35 * pit
            + 0.34 * cones
            + 0.1 * smoothstep(0.0, 0.3, next - near)
            + 0.22 * noise.fbm(q * 14.0, 2);
        (c * light).extend(1.0)
    });
    let comment = "a tube sponge such as Aplysina, about 0.7 m high";
    assemble("tube_sponge", comment, &mesh, &Rig::still(), vec![("tube_sponge.png".into(), canvas.to_image())])
}

fn anemone(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xA4E3);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material { translucency: 0.35, ..Material::new("tentacles", "anemone.png") });
    let body = mesh.part("body", material);
    let arms = mesh.part("tentacles", material);
    let column = [(0.34, 0.0), (0.27, 0.06), (0.26, 0.16), (0.33, 0.25), (0.3, 0.29), (0.12, 0.26), (0.0, 0.25)];
    let (foot, arm) = (Rect::new(0.0, 0.75, 1.0, 1.0), Rect::new(0.0, 0.0, 1.0, 0.7));
    mesh.revolve(body, &column.map(|(r, y)| Vec2::new(r, y)), 14, foot);
    let count = 76;
    for n in 0..count {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let (around, out) = (n as f32 * 2.399_963 + 0.4 * a, ((n as f32 + 1.0) / count as f32).sqrt());
        let way = Vec3::new(around.cos(), 0.0, around.sin());
        let from = way * 0.30 * out + Vec3::Y * 0.25;
        let length = 0.26 + 0.20 * a;
        let tilt = 0.15 + 1.25 * out + 0.7 * (b - 0.5);
        // Limp fingers: each bends its own way, the outer ones over the rim, and most tips turn up again.
        let aside = Vec3::Y.cross(way) * 1.5 * (c - 0.5) + way * 0.8 * (d - 0.5);
        let path: Vec<Vec3> = (0..6)
            .map(|k| {
                let t = k as f32 / 5.0;
                let lift = Vec3::Y * tilt.cos().max(-0.1) + way * tilt.sin() * (1.0 - 0.35 * t);
                let wave = aside * (t * t - 0.7 * t * t * t) + Vec3::Y * (0.55 * out * t * t * t - 0.22 * out * t * t);
                from + (lift * t + wave) * length
            })
            .collect();
        // Blunt, a little swollen before the tip.
        mesh.tube(arms, &path, 3, arm, |t| if t > 0.99 { 0.010 } else { 0.026 * (1.0 - 0.42 * t + 0.30 * t.powi(4)) });
    }
    mesh.settle();
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    canvas.fill(arm, |p, _| {
        let tone = ramp(
            &[
                (0.0, rgb(0x4c4630)),
                (0.45, rgb(0x857a54)),
                (0.78, rgb(0xb3a680)),
                (0.92, rgb(0xcbbfa4)),
                (1.0, rgb(0xb98aa8)),
            ],
            p.x,
        );
        // Lit through, with the folds of its muscles.
        let folds = noise.fbm(Vec3::new(p.x * 26.0, (TAU * p.y).sin() * 2.0, 1.0), 3);
        (tone * (0.92 + 0.22 * folds)).extend(1.0)
    });
    canvas.fill(foot, |p, _| {
        let streak = noise.fbm(Vec3::new((TAU * p.x).cos() * 4.0, p.y * 2.0, (TAU * p.x).sin() * 4.0), 3);
        let tone =
            rgb(0x5a3444).lerp(rgb(0x8a5468), 0.5 + 0.9 * streak).lerp(rgb(0x6a5d40), smoothstep(0.35, 0.1, p.y));
        tone.extend(1.0)
    });
    let comment = "a magnificent anemone, Heteractis magnifica, about 0.4 m across";
    assemble("anemone", comment, &mesh, &Rig::still(), vec![("anemone.png".into(), canvas.to_image())])
}

fn starfish(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x57A2);
    let outline = |angle: f32| {
        let lobe = (0.5 + 0.5 * (5.0 * angle).cos()).powf(1.7);
        mix(0.17, 0.5, lobe) * (1.0 + 0.05 * noise.at(Vec3::new(angle.cos(), angle.sin(), 0.0) * 2.0))
    };
    let surface = |uv: Vec2| {
        let q = 2.0 * uv - 1.0;
        // Polar, drawn square so that the texture is a picture from above.
        let (t, angle) = (q.length().min(1.0), q.y.atan2(q.x));
        let reach = outline(angle);
        let bend = 0.25 * t;
        let turned = angle + bend * 0.2 * (angle * 2.0).sin();
        let ridge = (1.0 - t * t).max(0.0).sqrt();
        Vec3::new(turned.cos() * reach * t, 0.12 * ridge * (0.55 + 0.45 * reach / 0.5), turned.sin() * reach * t)
    };
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("skin", "starfish.png").glossy(0.05, 10.0));
    let part = mesh.part("arms", skin);
    let (sides, rings) = (40, 5);
    mesh.grid(part, sides, rings, |i, j| {
        let angle = -TAU * (i % sides) as f32 / sides as f32;
        let uv = Vec2::splat(0.5) + 0.5 * Vec2::from_angle(angle) * (1.0 - j as f32 / rings as f32) * 0.998;
        (surface(uv), uv)
    });
    mesh.settle();
    let bumps = |p: Vec3| {
        let (near, _) = noise.cells(p * 26.0);
        smoothstep(0.5, 0.1, near)
    };
    let relief = Relief::new(256, 256, false, |uv| {
        let p = surface(uv);
        p + Vec3::Y * 0.012 * bumps(p.with_y(0.0))
    });
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    relief.paint(&mut canvas, Rect::FULL, |spot| {
        let p = spot.position;
        let c = rgb(0xa83e22).lerp(rgb(0xc8642c), 0.5 + noise.fbm(p * 7.0, 3)).extend(1.0);
        let c = over(c, rgb(0xe6b878), 0.7 * bumps(p.with_y(0.0)));
        c.truncate() * (1.0 + 0.5 * spot.lift - 0.3 * spot.hollow.max(0.0))
    });
    let comment = "a cushion star, about 0.25 m across";
    assemble("starfish", comment, &mesh, &Rig::still(), vec![("starfish.png".into(), canvas.to_image())])
}
