//! Soft animals that grow on rock: tube sponges, anemones; and two stars.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};
use math::{GOLDEN_ANGLE, mix, smoothstep};

use crate::maths::{atan2, cos, direction, partial_rotation_arc, powf, sin};
use crate::paint::{over, ramp, rgb};
use crate::props::relief::{Relief, facing};
use crate::shapes::Rect;
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The animals of this file.
pub const ENTRIES: &[Entry] = &[
    Entry { name: "tube_sponge", kind: Category::Flora, description: "a cluster of hollow tubes", make: tube_sponge },
    Entry { name: "anemone", kind: Category::Flora, description: "a disc of thick tentacles", make: anemone },
    Entry { name: "starfish", kind: Category::Flora, description: "five rough arms", make: starfish },
    Entry { name: "brittle_star", kind: Category::Flora, description: "five thin banded arms", make: brittle_star },
];

fn tube_sponge(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x7B5E);
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("sponge", "tube_sponge.png"));
    let part = mesh.part("tubes", skin);
    let profile = Curve::new(&[(0.0, 1.05), (0.10, 0.70), (0.40, 0.80), (0.75, 1.10), (0.93, 1.16), (1.0, 1.06)]);
    for n in 0..7 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let around = n as f32 * 2.4 + 0.8 * a;
        let (height, radius) = (1.0 - 0.11 * n as f32 + 0.1 * b, 0.095 - 0.005 * n as f32);
        let away = if n == 0 { 0.0 } else { 0.08 + 0.05 * c };
        let lean = Vec3::new(cos(around), 0.0, sin(around)) * (0.1 + 0.28 * d) * if n == 0 { 0.3 } else { 1.0 };
        let foot = Vec3::new(cos(around) * away, 0.0, sin(around) * away);
        let sway = Vec3::new(b - 0.5, 0.0, d - 0.5) * 0.12;
        let axis = |t: f32| foot + (Vec3::Y * t + lean * t * (0.5 + 0.5 * t) + sway * sin(4.0 * t)) * height;
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
            (0.97, 1.01),
            (1.0, 0.95),
            (0.99, 0.86),
            (0.92, 0.79),
            (0.62, 0.64),
            (0.60, 0.0),
        ];
        // The mouth looks aside, outward for the most part, so that a diver sees into it.
        let mouth = (Vec3::new(cos(around), 0.0, sin(around)) + 1.2 * Vec3::new(b - 0.5, 0.0, c - 0.5)).normalize();
        mesh.grid(part, sides, rings.len() - 1, |i, j| {
            let (t, inner) = rings[j];
            let turn = TAU * (i % sides) as f32 / sides as f32;
            let way = Vec3::new(sin(turn), 0.0, cos(turn));
            let at = axis(t) + way * 0.1;
            let lumps = 1.0 + 0.34 * noise.at(at * 6.0) + 0.15 * noise.at(at * 15.0) + 0.05 * noise.at(at * 31.0);
            let aslant = radius * mix(0.35, 0.75, d) * way.dot(mouth) * smoothstep(0.55, 1.0, t.max(1.0 - inner));
            let rim = if inner < 1.0 { 0.014 * noise.at(at * 13.0 + 5.0) } else { 0.0 } - aslant;
            let p = axis(t) + way * radius * profile.at(t) * inner * lumps + Vec3::Y * rim;
            let v = 1.0 - (j as f32 / (rings.len() - 1) as f32);
            (p, Vec2::new(i as f32 / sides as f32 + 0.37 * n as f32, v))
        });
    }
    mesh.settle();
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    // Blunt cones over the ends of the skeleton's fibres; shallow furrows between them.
    let skin = |q: Vec3| {
        let (cone, _) = noise.cells(q * Vec3::new(5.0, 6.0, 5.0) + 2.0);
        let (knob, _) = noise.cells(q * Vec3::new(11.0, 13.0, 11.0) + 8.0);
        let furrow = noise.ridged(q * Vec3::new(2.2, 0.16, 2.2) + 5.0, 2);
        smoothstep(0.62, 0.0, cone) + 0.45 * smoothstep(0.5, 0.1, knob) + 0.7 * furrow
    };
    canvas.fill(Rect::FULL, |p, _| {
        let up = 1.0 - p.y;
        let turn = TAU * p.x;
        // Radii of a tube, round it and along it alike.
        let q = Vec3::new(sin(turn), up * 16.0, cos(turn));
        let mut c = ramp(
            &[
                (0.0, rgb(0x4a4230)),
                (0.08, rgb(0x87703e)),
                (0.30, rgb(0xae924c)),
                (0.52, rgb(0xbea45e)),
                (0.61, rgb(0xc7b177)),
                (0.675, rgb(0xe3d5aa)),
                (0.72, rgb(0xa08850)),
                (0.76, rgb(0x3f3325)),
                (0.84, rgb(0x17120e)),
                (1.0, rgb(0x080706)),
            ],
            up + 0.03 * noise.fbm(q * 1.4, 3),
        );
        let outside = smoothstep(0.68, 0.60, up);
        // Grey with silt here, olive with algae there, a few bare and pale scars.
        let stain = |scale: f32, shift: f32, from: f32| {
            smoothstep(from, from + 0.25, noise.fbm(q * scale + shift, 4)) * outside
        };
        c = c.lerp(rgb(0x827c50), 0.45 * stain(0.9, 4.0, 0.05)).lerp(rgb(0x9c7a58), 0.40 * stain(1.1, 17.0, 0.1));
        c = c.lerp(rgb(0xc9bd9c), 0.55 * stain(2.2, 41.0, 0.42)).lerp(rgb(0x5c5634), 0.5 * stain(2.6, 59.0, 0.40));
        let height = skin(q);
        let lit = facing(skin, q, 0.045 * Vec3::Y);
        // Water goes in through pores all over and out of canals inside.
        let (pore, _) = noise.cells(q * Vec3::new(7.0, 8.0, 7.0) + 31.0);
        let dark = smoothstep(0.24, 0.13, pore) * smoothstep(1.2, 0.7, height) * outside;
        let (canal, _) = noise.cells(q * Vec3::new(4.0, 5.0, 4.0) + 13.0);
        let dark = dark.max(0.8 * smoothstep(0.42, 0.25, canal) * smoothstep(0.70, 0.76, up));
        let light = 0.80 + 0.12 * height + 0.26 * lit * outside + 0.06 * noise.at(q * 19.0);
        // Few enough shades to compress.
        ((c * light.clamp(0.25, 1.35) * (1.0 - 0.66 * dark) * 48.0).round() / 48.0).extend(1.0)
    });
    let comment = "a tube sponge such as Aplysina, about 0.7 m high";
    assemble("tube_sponge", comment, &mesh, &Rig::still(), vec![("tube_sponge.png".into(), canvas.to_picture())])
}

fn anemone(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xA4E3);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material { translucency: 0.35, ..Material::new("tentacles", "anemone.png") });
    let body = mesh.part("body", material);
    let arms = mesh.part("tentacles", material);
    // Three tints of tentacles lie one below the other.
    let arm = |n: usize| Rect::new(0.0, 0.19 * n as f32, 1.0, 0.19 * n as f32 + 0.17);
    let (wall, face) = (Rect::new(0.0, 0.60, 0.56, 1.0), Rect::new(0.60, 0.60, 1.0, 1.0));
    // The face round the mouth is domed, its edge hangs in folds.
    let way = |around: f32| Vec3::new(sin(around), 0.0, cos(around));
    let disc = |around: f32, out: f32| {
        let (fold, wave) = (noise.at(way(around) * 1.5 + 3.0), noise.at(way(around) * 2.3 + 8.0));
        let height = 0.15 + 0.17 * (1.0 - out * out) + 0.10 * wave * out * out;
        way(around) * 0.30 * out * (1.0 + 0.30 * fold * out) + Vec3::Y * height
    };
    let (sides, rows, rings) = (16, 3, 3);
    let turn = |i: usize| TAU * (i % sides) as f32 / sides as f32;
    mesh.grid(body, sides, rows, |i, j| {
        let t = j as f32 / rows as f32;
        let out = way(turn(i));
        let foot = out * (0.27 + 0.05 * noise.at(out * 1.9 + 21.0));
        let waist = 1.0 - 0.24 * sin(t * std::f32::consts::PI) + 0.05 * noise.at(out * 4.0 + 2.0);
        let p = foot.lerp(disc(turn(i), 1.0), t);
        (p * Vec3::new(waist, 1.0, waist), wall.at(Vec2::new(i as f32 / sides as f32, 1.0 - t)))
    });
    mesh.grid(body, sides, rings, |i, j| {
        let out = 1.0 - j as f32 / rings as f32;
        let flat = way(turn(i)) * out * 0.49;
        (disc(turn(i), out), face.at(Vec2::new(0.5 + flat.x, 0.5 + flat.z)))
    });
    let count = 124;
    let drift = Vec3::new(0.35, 0.0, 0.20);
    for n in 0..count {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let around = n as f32 * GOLDEN_ANGLE + 0.5 * a;
        let out = mix(0.16, 1.0, ((n as f32 + 0.5) / count as f32).sqrt());
        let from = disc(around, 0.98 * out);
        let tilt = 1.62 * powf(out, 1.6) + 0.35 * (b - 0.5);
        let rise = way(around) * sin(tilt) + Vec3::Y * cos(tilt);
        // Neighbours bend alike, as the surge combs them, and tips turn up again.
        let eddy = Vec3::new(noise.at(from * 5.0 + 11.0), 0.0, noise.at(from * 5.0 + 37.0));
        let curl = drift + 1.8 * eddy + Vec3::new(c - 0.5, 0.7 + 0.5 * out, d - 0.5);
        let curled = curl.normalize_or(Vec3::Y);
        let length = mix(0.18, 0.30, a) * mix(0.85, 1.15, out);
        let stops: &[f32] = if out > 0.74 { &[0.0, 0.32, 0.63, 0.93, 1.0] } else { &[0.0, 0.46, 0.94, 1.0] };
        let mut path = vec![from - Vec3::Y * 0.015];
        for pair in stops.windows(2) {
            let bent = 0.5 * (pair[0] + pair[1]);
            let step = partial_rotation_arc(rise, curled, 0.85 * bent) * rise * (pair[1] - pair[0]) * length;
            path.push(path[path.len() - 1] + step);
        }
        let thick = mix(0.0145, 0.0190, d);
        mesh.tube(arms, &path, 3, arm(n as usize % 3), |t| if t > 0.999 { 0.0 } else { thick * mix(1.15, 0.62, t) });
    }
    mesh.settle();
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    let tints = [
        [rgb(0x3a3a26), rgb(0x66643f), rgb(0x8f8a62), rgb(0xb4ab88), rgb(0xe3dac0)],
        [rgb(0x42392a), rgb(0x6e5e42), rgb(0x9a8564), rgb(0xbfab8c), rgb(0xeaddd0)],
        [rgb(0x403a34), rgb(0x665a4e), rgb(0x8c7c70), rgb(0xb09f96), rgb(0xe0cdc6)],
    ];
    for (n, tint) in tints.into_iter().enumerate() {
        canvas.fill(arm(n), |p, _| {
            let stops = [0.0, 0.25, 0.60, 0.86, 0.97];
            // Their feet stand in each other's shade; the tips are lit through.
            let tone = ramp(&[0, 1, 2, 3, 4].map(|k| (stops[k], tint[k])), p.x);
            let round = Vec3::new(cos(TAU * p.y) * 1.5, p.x * 20.0, sin(TAU * p.y) * 1.5);
            let rings = 0.05 * sin(p.x * 70.0 + 2.0 * noise.at(round));
            (tone * (0.96 + rings + 0.16 * noise.fbm(round * 1.6 + n as f32, 3))).extend(1.0)
        });
    }
    canvas.fill(wall, |p, _| {
        let round = Vec3::new(cos(TAU * p.x), 1.6 * p.y, sin(TAU * p.x));
        let streak = noise.fbm(round * Vec3::new(5.0, 0.8, 5.0), 3);
        let tone = rgb(0x4c3a38).lerp(rgb(0x7c665a), 0.5 + 0.8 * streak);
        let tone = tone.lerp(rgb(0x6a6048), smoothstep(0.1, 0.5, noise.fbm(round * 2.4 + 5.0, 3)));
        // Warts in rows, pale; sand sticks to the foot, the folds above throw shade.
        let (wart, _) = noise.cells(round * Vec3::new(7.0, 8.0, 7.0) + 3.0);
        let tone = tone.lerp(rgb(0xb8a68e), 0.75 * smoothstep(0.26, 0.10, wart));
        let tone = tone.lerp(rgb(0x6b624e), 0.7 * smoothstep(0.80, 1.0, p.y + 0.08 * streak));
        (tone * mix(0.42, 1.0, smoothstep(0.0, 0.35, p.y)) * (1.0 - 0.25 * smoothstep(0.36, 0.26, wart))).extend(1.0)
    });
    canvas.fill(face, |p, _| {
        let q = (p - 0.5) / 0.49;
        let (r, angle) = (q.length(), atan2(q.y, q.x));
        // Between the tentacles: more of them, short, in the shade. Round the mouth: bare, with grooves.
        let (near, _) = noise.cells((q * 9.0).extend(1.0));
        let tone = rgb(0x2a2719).lerp(rgb(0xa39b76), smoothstep(0.62, 0.15, near));
        let bare = rgb(0x8a7a5c) * (0.85 + 0.15 * sin(angle * 26.0));
        let tone = tone.lerp(bare, smoothstep(0.22, 0.14, r));
        (tone.lerp(rgb(0x241c16), smoothstep(0.06, 0.03, r))).extend(1.0)
    });
    let comment = "a magnificent anemone, Heteractis magnifica, about 0.4 m across";
    assemble("anemone", comment, &mesh, &Rig::still(), vec![("anemone.png".into(), canvas.to_picture())])
}

fn starfish(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x57A2);
    let outline = |angle: f32| {
        let lobe = powf(0.5 + 0.5 * cos(5.0 * angle), 1.7);
        mix(0.17, 0.5, lobe) * (1.0 + 0.05 * noise.at(Vec3::new(cos(angle), sin(angle), 0.0) * 2.0))
    };
    let surface = |uv: Vec2| {
        let q = 2.0 * uv - 1.0;
        // Polar, drawn square so that the texture is a picture from above.
        let (t, angle) = (q.length().min(1.0), atan2(q.y, q.x));
        let reach = outline(angle);
        let bend = 0.25 * t;
        let turned = angle + bend * 0.2 * sin(angle * 2.0);
        let ridge = (1.0 - t * t).max(0.0).sqrt();
        Vec3::new(cos(turned) * reach * t, 0.12 * ridge * (0.55 + 0.45 * reach / 0.5), sin(turned) * reach * t)
    };
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("skin", "starfish.png").glossy(0.05, 10.0));
    let part = mesh.part("arms", skin);
    let (sides, rings) = (40, 5);
    mesh.grid(part, sides, rings, |i, j| {
        let angle = -TAU * (i % sides) as f32 / sides as f32;
        let uv = Vec2::splat(0.5) + 0.5 * direction(angle) * (1.0 - j as f32 / rings as f32) * 0.998;
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
    assemble("starfish", comment, &mesh, &Rig::still(), vec![("starfish.png".into(), canvas.to_picture())])
}

/// Rings along an arm of a brittle star.
const ARM_STEPS: usize = 15;

/// A brittle star (Ophiura, Ophiothrix): a small disc and five arms that wind about, each three times as long.
fn brittle_star(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xB217);
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("skin", "brittle_star.png").glossy(0.05, 14.0));
    let part = mesh.part("arms", skin);
    let (disc, arm) = (Rect::new(0.0, 0.0, 1.0, 0.3), Rect::new(0.0, 0.32, 1.0, 1.0));
    let profile = [(0.066, 0.004), (0.074, 0.018), (0.060, 0.036), (0.030, 0.044), (0.0, 0.045)];
    mesh.revolve(part, &profile.map(|(radius, height)| Vec2::new(radius, height)), 15, disc);
    for n in 0..5 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let (turns, sweep, lift) = (4.0 + 2.5 * a, 1.5 * (b - 0.5), 0.02 + 0.03 * d);
        let mut at = 0.05 * direction(n as f32 * TAU / 5.0 + 0.25 * (c - 0.5));
        let mut path = Vec::new();
        for step in 0..=ARM_STEPS {
            let t = step as f32 / ARM_STEPS as f32;
            let humps = lift * t * (1.0 - t) * (1.0 + sin(turns * t + TAU * d));
            path.push(Vec3::new(at.x, 0.018 * (1.0 - 0.7 * t) + humps, at.y));
            // It winds the more toward its tip.
            let wind = 1.3 * t * sin(turns * t + TAU * c) + sweep * t;
            at += (0.47 / ARM_STEPS as f32) * direction(n as f32 * TAU / 5.0 + 0.25 * (c - 0.5) + wind);
        }
        mesh.tube(part, &path, 6, arm, |t| 0.023 * powf(1.0 - t, 0.75));
    }
    mesh.settle();
    let mut canvas = Canvas::new(128, 128, Vec4::ONE);
    canvas.fill(Rect::FULL, |uv, _| {
        let mottled = 0.5 + 0.7 * noise.fbm(uv.extend(0.0) * 18.0, 3);
        rgb(0x8c6a52).lerp(rgb(0xc9a98a), mottled).extend(1.0)
    });
    // Joints all along the arms, and bands of several.
    canvas.glaze(arm, rgb(0x4d3226), |uv| {
        let joints = 0.5 - 0.5 * cos(30.0 * TAU * uv.x);
        let bands = smoothstep(0.1, 0.5, sin(6.0 * TAU * uv.x + 1.4 * noise.fbm(uv.extend(0.5) * 5.0, 2)));
        0.6 * bands + 0.25 * joints
    });
    let comment = "a brittle star, about 0.2 m across";
    assemble("brittle_star", comment, &mesh, &Rig::still(), vec![("brittle_star.png".into(), canvas.to_picture())])
}
