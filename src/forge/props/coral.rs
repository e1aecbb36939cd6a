//! Stony corals: brain, staghorn, table.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3, Vec4};

use crate::forge::curve::{mix, smoothstep};
use crate::forge::paint::{ramp, rgb};
use crate::forge::props::relief::{Relief, half_sphere};
use crate::forge::shapes::Rect;
use crate::forge::{Canvas, Entry, Forged, Kind, Material, Mesh, Noise, Rig, assemble};

/// The corals of this file.
pub const ENTRIES: &[Entry] = &[
    Entry { name: "brain_coral", kind: Kind::Flora, description: "a furrowed dome", make: brain_coral },
    Entry {
        name: "staghorn_coral",
        kind: Kind::Flora,
        description: "a thicket of pale-tipped branches",
        make: staghorn,
    },
    Entry { name: "table_coral", kind: Kind::Flora, description: "wide plates on a short stem", make: table_coral },
];

fn brain_coral(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xB2A1);
    let maze = maze(512, 5, seed ^ 0x3A2E);
    let coarse = |uv: Vec2| {
        let way = half_sphere(uv);
        let lobes = 1.0 + 0.12 * noise.fbm(way * 1.7, 2) - 0.1 * smoothstep(0.35, 0.0, way.y);
        // The dome narrows again toward its foot.
        way * lobes * Vec3::new(1.0, 0.82, 0.94) + Vec3::Y * 0.16 * smoothstep(0.0, 0.5, way.y)
    };
    let ridge = |uv: Vec2| {
        let at = (uv * 512.0).as_usizevec2().min(glam::USizeVec2::splat(511));
        maze[at.y * 512 + at.x]
    };
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("coral", "brain_coral.png").glossy(0.05, 10.0));
    let part = mesh.part("dome", material);
    mesh.drape(part, (24, 24), Rect::FULL, coarse);
    mesh.settle();
    let relief = Relief::new(512, 512, false, |uv| coarse(uv) + half_sphere(uv) * 0.018 * ridge(uv));
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    let stops = [(0.0, rgb(0x4c5636)), (0.35, rgb(0x646440)), (0.6, rgb(0x8c7648)), (1.0, rgb(0xb49a68))];
    relief.paint(&mut canvas, Rect::FULL, |spot| {
        let p = spot.position;
        // A fine groove runs along each ridge, and some patches have bleached.
        let groove = smoothstep(0.86, 0.99, ridge(spot.uv));
        let tone = ramp(&stops, ridge(spot.uv) + 0.22 * noise.fbm(p * 4.0, 3)) * (1.0 - 0.25 * groove);
        let tone = tone.lerp(rgb(0xb9ab8a), 0.45 * smoothstep(0.25, 0.55, noise.fbm(p * 3.1 + 23.0, 3)));
        let tone = tone.lerp(rgb(0x9a7672), 0.5 * smoothstep(0.0, 0.5, noise.fbm(p * 1.8 + 9.0, 3)));
        let foot = smoothstep(0.0, 0.3, p.y + 0.1 * noise.fbm(p * 6.0, 2));
        let tone = rgb(0x5f5a4c).lerp(tone, foot);
        tone * (1.0 - 0.35 * spot.hollow.max(0.0) + 0.35 * spot.lift + 0.16 * noise.at(p * 60.0)) * mix(0.55, 1.0, foot)
    });
    let comment = "a brain coral such as Diploria, about 0.6 m across";
    assemble("brain_coral", comment, &mesh, &Rig::still(), vec![("brain_coral.png".into(), canvas.to_image())])
}

/// A labyrinth of ridges (1) and valleys (0) about `half_wave` texels wide: noise, sharpened again and again at one
/// size until it is all furrows, as short-range growth against long-range hindrance does.
pub fn maze(side: usize, half_wave: usize, seed: u64) -> Vec<f32> {
    let noise = Noise::new(seed);
    let mut field: Vec<f32> = (0..side * side).map(|i| noise.hash(i as i32) - 0.5).collect();
    for _ in 0..14 {
        let near = blur(&blur(&field, side, half_wave / 3), side, half_wave / 3);
        let far = blur(&blur(&near, side, half_wave * 3 / 4), side, half_wave * 3 / 4);
        let spread = near.iter().zip(&far).map(|(a, b)| (a - b).abs()).sum::<f32>() / near.len() as f32;
        field = near.iter().zip(&far).map(|(a, b)| ((a - b) / spread.max(1e-9)).clamp(-1.0, 1.0)).collect();
    }
    blur(&field, side, 1).iter().map(|v| 0.5 + 0.5 * v).collect()
}

/// Mean over a square of 2 `radius` + 1 texels, wrapping round.
fn blur(field: &[f32], side: usize, radius: usize) -> Vec<f32> {
    let line = |from: &[f32], step: usize, next: usize| {
        let mut out = vec![0.0; from.len()];
        for n in 0..side {
            let at = |i: usize| n * next + (i % side) * step;
            let mut sum: f32 = (0..2 * radius + 1).map(|i| from[at(i + side - radius)]).sum();
            for i in 0..side {
                out[at(i)] = sum / (2 * radius + 1) as f32;
                sum += from[at(i + radius + 1)] - from[at(i + side - radius)];
            }
        }
        out
    };
    line(&line(field, 1, side), side, 1)
}

/// A branch that has still to be grown.
struct Shoot {
    from: Vec3,
    way: Vec3,
    thickness: f32,
    length: f32,
    order: u32,
}

fn staghorn(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x57A6);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("coral", "staghorn_coral.png").glossy(0.05, 10.0));
    let part = mesh.part("branches", material);
    let mut count = 0;
    let mut chance = || {
        count += 1;
        noise.hash(count)
    };
    let mut shoots: Vec<Shoot> = (0..9)
        .map(|n| {
            let around = TAU * (n as f32 + 0.6 * chance()) / 9.0;
            let tilt = 0.35 + 0.75 * chance();
            let out = Vec3::new(around.cos(), 0.0, around.sin());
            Shoot {
                from: out * 0.09 * chance() - Vec3::Y * 0.02,
                way: (out * tilt.sin() + Vec3::Y * tilt.cos()).normalize(),
                thickness: 0.034 + 0.008 * chance(),
                length: 0.26 + 0.12 * chance(),
                order: 0,
            }
        })
        .collect();
    while let Some(shoot) = shoots.pop() {
        // Branches turn toward the light as they grow.
        let mut path = vec![shoot.from];
        let mut way = shoot.way;
        let steps = if shoot.order == 0 { 3 } else { 2 };
        for _ in 0..steps {
            let drift = Vec3::new(chance() - 0.5, chance() * 0.55, chance() - 0.5) * 0.42;
            way = (way + drift).normalize();
            path.push(path[path.len() - 1] + way * shoot.length / steps as f32);
        }
        let last = shoot.order == 2 || shoot.length < 0.09;
        let (thick, thin) = (shoot.thickness, shoot.thickness * if last { 0.45 } else { 0.72 });
        let tip = path[path.len() - 1] + way * thin * 1.2;
        path.push(tip);
        let span = if last { (0.45, 1.0) } else { (0.0, 0.45) };
        let rect = Rect::new(span.0, 0.0, span.1, 1.0);
        let end = 1.0 - thin * 1.2 / (shoot.length + thin * 1.2);
        let sides = 6 - shoot.order as usize;
        mesh.tube(part, &path, sides, rect, |t| if t > end + 1e-3 { 0.0 } else { mix(thick, thin, t / end) });
        if !last {
            let forks = if shoot.order == 0 { 3 } else { 2 };
            for fork in 0..forks {
                let from = path[steps - usize::from(fork == 2)];
                let around = way.any_orthonormal_vector();
                let turn = TAU * (fork as f32 / forks as f32 + 0.3 * chance());
                let side = Quat::from_axis_angle(way, turn) * around;
                let way = (way + side * (0.55 + 0.5 * chance())).normalize();
                shoots.push(Shoot {
                    from: from - way * thin * 0.4,
                    way: way.with_y(way.y.max(0.05)).normalize(),
                    thickness: thin * 0.95,
                    length: shoot.length * (0.6 + 0.25 * chance()),
                    order: shoot.order + 1,
                });
            }
        }
    }
    mesh.settle();
    let mut canvas = Canvas::new(512, 256, Vec4::ONE);
    let stops =
        [(0.0, rgb(0x5c5138)), (0.3, rgb(0x86693f)), (0.8, rgb(0xa88a58)), (0.93, rgb(0xc9b48c)), (1.0, rgb(0xe2d8c4))];
    canvas.fill(Rect::FULL, |p, _| {
        // Round the branch is round a circle in noise space too, so that there is no seam.
        let round = Vec3::new((TAU * p.y).cos(), p.x * 14.0, (TAU * p.y).sin());
        let (near, _) = noise.cells(round * Vec3::new(2.6, 1.7, 2.6));
        let cup = smoothstep(0.42, 0.15, near);
        let rim = smoothstep(0.7, 0.42, near) * (1.0 - cup);
        let tone = ramp(&stops, p.x + 0.06 * noise.fbm(round * 1.5, 3));
        (tone * (0.9 + 0.3 * rim - 0.42 * cup + 0.12 * noise.at(round * 9.0))).extend(1.0)
    });
    let comment = "a staghorn coral, Acropora cervicornis, about 0.8 m across";
    assemble("staghorn_coral", comment, &mesh, &Rig::still(), vec![("staghorn_coral.png".into(), canvas.to_image())])
}

fn table_coral(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x7AB1);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("coral", "table_coral.png").membrane(0.05).glossy(0.04, 10.0));
    let plates = mesh.part("plates", material);
    let stem_part = mesh.part("stem", material);
    // The texture's upper left is a plate from above, its upper right the same from below, the rest the stem.
    let (above, below, bark) =
        (Rect::new(0.0, 0.0, 0.5, 1.0), Rect::new(0.5, 0.0, 1.0, 0.8), Rect::new(0.5, 0.82, 1.0, 1.0));
    let tiers = [
        (Vec3::new(0.02, 0.34, 0.0), 0.5, 0.0),
        (Vec3::new(-0.2, 0.27, 0.16), 0.27, 2.0),
        (Vec3::new(0.2, 0.2, -0.14), 0.25, 4.0),
    ];
    for (middle, radius, shift) in tiers {
        let outline = |angle: f32| {
            let way = Vec3::new(angle.cos(), shift, angle.sin());
            1.0 + 0.16 * noise.fbm(way * 1.2, 2) + 0.05 * noise.at(way * 4.0)
        };
        let point = |angle: f32, t: f32, lower: bool| {
            let out = radius * t * outline(angle);
            let (x, z) = (out * angle.cos(), out * angle.sin());
            let bowl = 0.16 * t.powf(2.2) * radius + 0.05 * radius * noise.at(Vec3::new(x * 6.0, shift, z * 6.0));
            let thick =
                if lower { 0.07 * radius * (1.0 - 0.85 * t) + 0.16 * radius * smoothstep(0.4, 0.0, t) } else { 0.0 };
            middle + Vec3::new(x, bowl - thick, z)
        };
        let share = |rect: Rect, angle: f32, t: f32| rect.at(Vec2::splat(0.5) + Vec2::from_angle(angle) * t * 0.49);
        let (sides, rings) = if radius > 0.4 { (32, 7) } else { (20, 5) };
        for (rect, lower) in [(above, false), (below, true)] {
            mesh.grid(plates, sides, rings, |i, j| {
                let turn = TAU * (i % sides) as f32 / sides as f32;
                // Seen from outside, rows grow to the right and columns upward: toward the middle on top.
                let t = if lower { j as f32 / rings as f32 } else { 1.0 - j as f32 / rings as f32 };
                let angle = -turn;
                let p = point(angle, t, lower);
                (p, share(rect, angle, t))
            });
        }
        // The widest plate stands on the ground, the others branch off its stem.
        let main = radius > 0.4;
        let foot = if main { Vec3::ZERO } else { Vec3::new(0.0, 0.4 * middle.y, 0.0) };
        let top = middle - Vec3::Y * 0.05 * radius;
        let path: Vec<Vec3> = (0..6)
            .map(|n| n as f32 / 5.0)
            .map(|t| foot.lerp(top, t) - if main { Vec3::ZERO } else { Vec3::Y * 0.05 * (PI * t).sin() })
            .collect();
        let (low, waist) = if main { (0.17_f32, 0.085_f32) } else { (0.05, 0.035) };
        mesh.tube(stem_part, &path, 9, bark, |t| {
            let flare = low * smoothstep(0.45, 0.0, t) + 0.35 * radius * smoothstep(0.55, 1.0, t);
            waist.max(flare) * (1.0 + 0.25 * noise.at(Vec3::new(t * 4.0, shift, 0.5)))
        });
    }
    mesh.settle();

    let mut canvas = Canvas::new(1024, 1024, Vec4::ONE);
    for (rect, top) in [(above, true), (below, false)] {
        canvas.fill(rect, |local, _| {
            let q = (local - 0.5) * 2.0 / 0.98;
            let (t, angle) = (q.length(), q.y.atan2(q.x));
            let p = (q * 10.0).extend(if top { 0.0 } else { 4.0 });
            let (near, next) = noise.cells(p * 3.4);
            let knob = smoothstep(0.55, 0.1, near);
            // Fingers at the rim, between which one sees through.
            let rim = Vec3::new(angle.cos(), angle.sin(), 2.0);
            let reach = 0.9 + 0.1 * noise.at(rim * 3.0) + 0.07 * noise.at(rim * 9.0) + 0.06 * noise.at(rim * 21.0);
            let growth = smoothstep(0.55, 0.97, t);
            let mut c = rgb(0x6e6444).lerp(rgb(0x96805a), smoothstep(-0.4, 0.4, noise.fbm(p * 0.5, 3)));
            c = c
                .lerp(rgb(0xa9a0c4), 0.85 * growth)
                .lerp(rgb(0x7a7a4a), 0.25 * smoothstep(0.1, 0.5, noise.fbm(p * 0.25 + 8.0, 3)));
            let light = if top {
                0.56 + 0.62 * knob + 0.14 * noise.at(p * 9.0) + 0.12 * noise.fbm(p * 0.7 + 40.0, 2)
                    - 0.30 * smoothstep(0.18, 0.0, next - near)
            } else {
                let rib = (angle * 22.0 + 2.0 * noise.at(p * 0.3)).sin();
                0.8 + 0.1 * rib + 0.15 * noise.fbm(p, 3)
            };
            (c * light).extend(if t < reach { 1.0 } else { 0.0 })
        });
    }
    canvas.fill(bark, |local, _| {
        let p = Vec3::new((TAU * local.y).cos() * 2.0, local.x * 6.0, (TAU * local.y).sin() * 2.0);
        let c = rgb(0x5d5442).lerp(rgb(0x7d6f58), 0.5 + noise.fbm(p * 2.0, 4));
        (c * (0.85 + 0.25 * noise.at(p * 7.0))).extend(1.0)
    });
    canvas.bleed(8);
    let comment = "a table coral, Acropora hyacinthus, about 1.2 m across";
    assemble("table_coral", comment, &mesh, &Rig::still(), vec![("table_coral.png".into(), canvas.to_image())])
}
