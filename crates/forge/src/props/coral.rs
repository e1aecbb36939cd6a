//! Stony corals: brain, staghorn, table.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3, Vec4};
use math::{GOLDEN_ANGLE, mix, smoothstep};

use crate::paint::{ramp, rgb};
use crate::props::relief::{Relief, facing, half_sphere};
use crate::shapes::Rect;
use crate::{Canvas, Category, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The corals of this file.
pub const ENTRIES: &[Entry] = &[
    Entry { name: "brain_coral", kind: Category::Flora, description: "a furrowed dome", make: brain_coral },
    Entry {
        name: "staghorn_coral",
        kind: Category::Flora,
        description: "a thicket of pale-tipped branches",
        make: staghorn,
    },
    Entry { name: "table_coral", kind: Category::Flora, description: "wide plates on a short stem", make: table_coral },
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
    let ground = mesh.part("foot", material);
    let (bark, crust) = (Rect::new(0.0, 0.0, 1.0, 0.74), Rect::new(0.0, 0.76, 0.5, 1.0));
    let mut count = 0;
    let mut chance = || {
        count += 1;
        noise.hash(count)
    };
    // Old branches have broken and grown together into a low mound.
    mesh.drape(ground, (6, 6), crust, |uv| {
        let way = half_sphere(uv);
        way * Vec3::new(0.20, 0.09, 0.20) * (1.0 + 0.35 * noise.fbm(way * 1.6 + 9.0, 2)) - Vec3::Y * 0.01
    });
    let trunks = 10;
    let mut shoots: Vec<Shoot> = (0..trunks)
        .map(|n| {
            let around = 2.4 * n as f32 + 0.7 * chance();
            let far = ((n as f32 + 0.3) / trunks as f32).sqrt();
            let tilt = 0.10 + 1.05 * far * (0.75 + 0.4 * chance());
            let out = Vec3::new(around.cos(), 0.0, around.sin());
            Shoot {
                from: out * 0.15 * far + Vec3::Y * 0.03,
                way: (out * tilt.sin() + Vec3::Y * tilt.cos()).normalize(),
                thickness: 0.028 + 0.006 * chance(),
                length: 0.22 + 0.13 * chance(),
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
            let drift = Vec3::new(chance() - 0.5, chance() * 0.60, chance() - 0.5) * 0.55;
            way = (way + drift).normalize();
            path.push(path[path.len() - 1] + way * shoot.length / steps as f32);
        }
        let last = shoot.order == 2 || shoot.length < 0.08;
        let (thick, thin) = (shoot.thickness, shoot.thickness * if last { 0.40 } else { 0.74 });
        let tip = path[path.len() - 1] + way * thin * 1.6;
        path.push(tip);
        let span = if last { (0.45, 1.0) } else { (0.0, 0.45) };
        let rect = Rect::new(span.0, bark.min.y, span.1, bark.max.y);
        let end = 1.0 - thin * 1.6 / (shoot.length + thin * 1.6);
        let sides = [5, 4, 3][shoot.order as usize];
        mesh.tube(part, &path, sides, rect, |t| if t > end + 1e-3 { 0.0 } else { mix(thick, thin, t / end) });
        // Buds: branches that have just begun.
        for _ in 0..u32::from(shoot.order > 0) {
            let at = path[0].lerp(path[1], 0.3 + 0.6 * chance());
            let side = Quat::from_axis_angle(way, TAU * chance()) * way.any_orthonormal_vector();
            let grown = (side + 0.7 * way).normalize() * mix(0.018, 0.040, chance());
            let rect = Rect::new(0.80, bark.min.y, 1.0, bark.max.y);
            mesh.tube(part, &[at, at + grown], 3, rect, |t| if t > 0.99 { 0.0 } else { 0.6 * thin + 0.003 });
        }
        if !last {
            let forks = if shoot.order == 0 { 3 } else { 2 };
            for fork in 0..forks {
                let from = path[steps - usize::from(fork == 2)];
                let around = way.any_orthonormal_vector();
                let turn = TAU * (fork as f32 / forks as f32 + 0.3 * chance());
                let side = Quat::from_axis_angle(way, turn) * around;
                let way = (way + side * (0.50 + 0.55 * chance())).normalize();
                shoots.push(Shoot {
                    from: from - way * thin * 0.4,
                    way: way.with_y(way.y.max(0.08)).normalize(),
                    thickness: thin * 0.95,
                    length: shoot.length * (0.55 + 0.35 * chance()),
                    order: shoot.order + 1,
                });
            }
        }
    }
    mesh.settle();
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    let stops = [
        (0.0, rgb(0x4a4636)),
        (0.16, rgb(0x665c42)),
        (0.34, rgb(0x94784a)),
        (0.70, rgb(0xb0925e)),
        (0.84, rgb(0xccb88e)),
        (0.93, rgb(0xebe3d0)),
        (1.0, rgb(0xf6f2e8)),
    ];
    // Cups that stand out from the branch and open toward its tip.
    let cups = |q: Vec3| {
        let (near, _) = noise.cells(q * Vec3::new(1.9, 2.2, 1.9));
        smoothstep(0.58, 0.18, near)
    };
    canvas.fill(bark, |p, _| {
        // Round the branch is round a circle in noise space too, so that there is no seam.
        let round = Vec3::new((TAU * p.y).cos(), p.x * 16.0, (TAU * p.y).sin());
        let (near, _) = noise.cells(round * Vec3::new(1.9, 2.2, 1.9));
        let lit = facing(cups, round, 0.07 * Vec3::Y);
        let mouth = smoothstep(0.20, 0.08, near);
        let tone = ramp(&stops, p.x + 0.07 * noise.fbm(round * 1.1, 3));
        // Toward the foot turf and pink crusts hold the dead skeleton.
        let old = smoothstep(0.30, 0.05, p.x + 0.16 * noise.fbm(round * 1.7 + 7.0, 3));
        let turf = rgb(0x47482e).lerp(rgb(0x7d6560), 0.8 * smoothstep(0.10, 0.35, noise.fbm(round * 2.6 + 19.0, 3)));
        let tone = tone.lerp(turf * (0.9 + 0.5 * noise.at(round * 11.0)), 0.85 * old);
        let fine = noise.at(round * 8.0) + 0.7 * noise.at(round * 17.0);
        let light = 0.84 + (0.30 * cups(round) + 0.55 * lit - 0.65 * mouth) * (1.0 - 0.8 * old) + 0.07 * fine;
        (tone * light.max(0.2)).extend(1.0)
    });
    canvas.fill(Rect::new(0.0, 0.75, 1.0, 1.0), |p, _| {
        let q = Vec3::new(p.x * 18.0, p.y * 9.0, 5.0);
        let (near, next) = noise.cells(q * 0.8);
        let tone = rgb(0x55523a).lerp(rgb(0x7d705c), 0.5 + noise.fbm(q * 0.6, 4));
        let tone = tone.lerp(rgb(0x7c6058), 0.6 * smoothstep(0.15, 0.4, noise.fbm(q * 0.5 + 13.0, 3)));
        let light = 0.50 + 0.5 * smoothstep(0.02, 0.4, next - near) + 0.2 * noise.at(q * 3.0);
        (tone * light).extend(1.0)
    });
    let comment = "a staghorn coral, Acropora cervicornis, about 0.8 m across";
    assemble("staghorn_coral", comment, &mesh, &Rig::still(), vec![("staghorn_coral.png".into(), canvas.to_image())])
}

fn table_coral(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x7AB1);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("coral", "table_coral.png").membrane(0.05).glossy(0.04, 10.0));
    let plates = mesh.part("plates", material);
    let twigs = mesh.part("branchlets", material);
    let stem_part = mesh.part("stem", material);
    // The texture's left is a plate from above; to the right, one below the other: the same from below, stem, branchlet.
    let (above, below) = (Rect::new(0.0, 0.0, 0.6875, 1.0), Rect::new(0.70, 0.0, 1.0, 0.436));
    let (bark, twig) = (Rect::new(0.70, 0.46, 1.0, 0.70), Rect::new(0.70, 0.72, 1.0, 1.0));
    // How far out the fingers of its rim reach.
    let reach = |angle: f32| {
        let rim = Vec3::new(angle.cos(), angle.sin(), 2.0);
        0.92 + 0.06 * noise.at(rim * 4.0) + 0.06 * noise.at(rim * 9.0)
    };
    // Where a plate has died: by place on a disc of radius 1.
    let dead = |q: Vec2| noise.fbm((q * 1.15).extend(12.0), 3) + 0.12 * noise.at((q * 9.0).extend(3.0));
    let tiers = [
        (Vec3::new(0.02, 0.34, 0.0), 0.5, 0.0),
        (Vec3::new(-0.2, 0.27, 0.16), 0.29, 2.0),
        (Vec3::new(0.2, 0.2, -0.14), 0.26, 4.0),
    ];
    for (tier, (middle, radius, shift)) in tiers.into_iter().enumerate() {
        let outline = |angle: f32| {
            let way = Vec3::new(angle.cos(), shift, angle.sin());
            let bite = 0.22 * smoothstep(0.25, 0.55, noise.at(way * 1.9 + 5.0));
            1.0 + 0.18 * noise.fbm(way * 1.2, 2) + 0.08 * noise.at(way * 3.1) + 0.05 * noise.at(way * 6.5) - bite
        };
        let point = |angle: f32, t: f32, lower: bool| {
            let out = radius * t * outline(angle);
            let (x, z) = (out * angle.cos(), out * angle.sin());
            let bowl = 0.15 * t.powf(2.2) * radius
                + 0.09 * radius * noise.at(Vec3::new(x * 5.0, shift, z * 5.0))
                + 0.05 * radius * t * noise.at(Vec3::new(angle.cos() * 4.0, shift + 7.0, angle.sin() * 4.0));
            let thick =
                if lower { 0.07 * radius * (1.0 - 0.80 * t) + 0.16 * radius * smoothstep(0.4, 0.0, t) } else { 0.0 };
            middle + Vec3::new(x, bowl - thick, z)
        };
        let share = |rect: Rect, angle: f32, t: f32| rect.at(Vec2::splat(0.5) + Vec2::from_angle(angle) * t * 0.49);
        let main = tier == 0;
        let (sides, upper_rings, lower_rings) = if main { (30, 5, 3) } else { (17, 3, 2) };
        for (rect, rings, lower) in [(above, upper_rings, false), (below, lower_rings, true)] {
            mesh.grid(plates, sides, rings, |i, j| {
                let turn = TAU * (i % sides) as f32 / sides as f32;
                // Seen from outside, rows grow to the right and columns upward: toward the middle on top.
                let t = if lower { j as f32 / rings as f32 } else { 1.0 - j as f32 / rings as f32 };
                let angle = -turn;
                (point(angle, t, lower), share(rect, angle, t))
            });
        }
        // Branchlets stand on it like grass, at the rim they lean outward.
        let count = if main { 300 } else { 92 };
        for n in 0..count {
            let [a, b, c] = [0, 1, 2].map(|k| noise.hash(900 + 1000 * tier as i32 + 3 * n + k));
            let angle = GOLDEN_ANGLE * n as f32 + 0.5 * a;
            let t = 0.97 * ((n as f32 + 0.5) / count as f32).powf(0.42);
            if dead(Vec2::from_angle(angle) * t) > 0.20 || t > reach(angle) - 0.05 {
                continue;
            }
            let out = Vec3::new(angle.cos(), 0.0, angle.sin());
            let from = point(angle, t, false) - Vec3::Y * 0.004;
            let lean = out * (0.25 + 1.5 * smoothstep(0.75, 1.0, t)) + Vec3::new(b - 0.5, 1.0, c - 0.5);
            let tip = from + lean.normalize() * mix(0.016, 0.029, b);
            mesh.tube(twigs, &[from, tip], 3, twig, |s| if s > 0.99 { 0.0 } else { 0.0125 });
        }
        // The widest plate stands on the ground, the others branch off its stem.
        let foot = if main { Vec3::ZERO } else { Vec3::new(0.0, 0.4 * middle.y, 0.0) };
        let top = middle - Vec3::Y * 0.05 * radius;
        let joints = if main { 5 } else { 3 };
        let path: Vec<Vec3> = (0..=joints)
            .map(|n| n as f32 / joints as f32)
            .map(|t| foot.lerp(top, t) - if main { Vec3::ZERO } else { Vec3::Y * 0.05 * (PI * t).sin() })
            .collect();
        let (low, waist) = if main { (0.19_f32, 0.085_f32) } else { (0.05, 0.035) };
        mesh.tube(stem_part, &path, if main { 11 } else { 7 }, bark, |t| {
            let flare = low * smoothstep(0.45, 0.0, t) + 0.35 * radius * smoothstep(0.55, 1.0, t);
            waist.max(flare) * (1.0 + 0.25 * noise.at(Vec3::new(t * 4.0, shift, 0.5)))
        });
    }
    mesh.settle();

    let mut canvas = Canvas::new(1024, 704, Vec4::ONE);
    for (rect, top) in [(above, true), (below, false)] {
        canvas.fill(rect, |local, _| {
            let q = (local - 0.5) * 2.0 / 0.98;
            let (t, angle) = (q.length(), q.y.atan2(q.x));
            let p = (q * 10.0).extend(if top { 0.0 } else { 4.0 });
            // Between the fingers one sees through.
            let rim = Vec3::new(angle.cos(), angle.sin(), 2.0);
            let edge = reach(angle) + 0.06 * noise.at(rim * 23.0) - t;
            let growth = smoothstep(0.16, 0.01, edge);
            // It grew outward year by year.
            let years = 0.5 + 0.5 * (t * 46.0 + 2.5 * noise.at(p * 0.22)).sin();
            let mut c = rgb(0x5d5438).lerp(rgb(0x87724e), smoothstep(-0.4, 0.4, noise.fbm(p * 0.5, 3)));
            c = c.lerp(rgb(0x75714a), 0.5 * smoothstep(0.1, 0.5, noise.fbm(p * 0.25 + 8.0, 3)));
            let mut light;
            if top {
                // Each dot is a branchlet from above: a pale tip with a ring of cups, in the dark between its neighbours.
                let (near, next) = noise.cells(p * 3.1);
                let (cup, _) = noise.cells(p * 11.0 + 5.0);
                let knob = smoothstep(0.62, 0.20, near);
                c = c.lerp(rgb(0xc8b896), smoothstep(0.30, 0.08, near) * mix(0.38, 0.9, growth));
                light = 0.48 + 0.48 * knob - 0.18 * smoothstep(0.16, 0.0, next - near) + 0.10 * (years - 0.5);
                light -= 0.20 * smoothstep(0.30, 0.12, cup) * smoothstep(0.12, 0.25, near);
                light += 0.10 * noise.at(p * 13.0) + 0.12 * noise.fbm(p * 0.7 + 40.0, 2);
            } else {
                let rib = (angle * 34.0 + 2.5 * noise.at(p * 0.4)).sin() * smoothstep(0.15, 0.5, t);
                let (cup, _) = noise.cells(p * 4.5 + 5.0);
                light = 0.62 + 0.12 * rib + 0.12 * noise.fbm(p, 3) - 0.2 * smoothstep(0.3, 0.1, cup);
            }
            c = c.lerp(rgb(0xc4b6a8), 0.80 * growth);
            light += 0.25 * growth;
            // Where it has died: first white, then grown over with turf and pink crusts.
            let gone = dead(q);
            let turf = rgb(0x4c4c34).lerp(rgb(0x6e6650), 0.5 + noise.fbm(p * 1.7 + 50.0, 3));
            let turf = turf.lerp(rgb(0x856660), 0.55 * smoothstep(0.12, 0.32, noise.fbm(p * 0.9 + 70.0, 3)));
            c = c.lerp(rgb(0xd8d2c2), 0.85 * smoothstep(0.14, 0.18, gone));
            let over = smoothstep(0.20, 0.25, gone);
            c = c.lerp(turf, over);
            light = mix(light, 0.80 + 0.22 * noise.at(p * 7.0) + 0.15 * noise.at(p * 17.0), 0.75 * over);
            (c * light.max(0.12)).extend(if edge > 0.0 { 1.0 } else { 0.0 })
        });
    }
    canvas.fill(Rect::new(0.695, 0.45, 1.0, 0.71), |local, _| {
        let p = Vec3::new((TAU * local.y).cos() * 2.0, local.x * 6.0, (TAU * local.y).sin() * 2.0);
        let (near, next) = noise.cells(p * 2.2);
        let c = rgb(0x57503e).lerp(rgb(0x7d6f58), 0.5 + noise.fbm(p * 2.0, 4));
        let c = c.lerp(rgb(0x7a5c56), 0.5 * smoothstep(0.1, 0.3, noise.fbm(p * 1.4 + 21.0, 3)));
        (c * (0.72 + 0.3 * smoothstep(0.0, 0.3, next - near) + 0.22 * noise.at(p * 7.0))).extend(1.0)
    });
    canvas.fill(Rect::new(0.695, 0.71, 1.0, 1.0), |local, _| {
        let stops = [(0.0, rgb(0x39321f)), (0.35, rgb(0x5f5236)), (0.70, rgb(0x7f6d4a)), (0.92, rgb(0xbcab88))];
        let round = Vec3::new((TAU * local.y).cos(), local.x * 3.0, (TAU * local.y).sin());
        let (cup, _) = noise.cells(round * 2.4);
        (ramp(&stops, local.x) * (1.0 + 0.1 * noise.at(round * 5.0) - 0.3 * smoothstep(0.32, 0.12, cup))).extend(1.0)
    });
    canvas.bleed(8);
    let comment = "a table coral, Acropora hyacinthus, about 1.2 m across";
    assemble("table_coral", comment, &mesh, &Rig::still(), vec![("table_coral.png".into(), canvas.to_image())])
}
