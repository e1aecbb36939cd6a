//! Small life that fills the gaps of a reef at arm's length: feather stars, fan worms, sea squirts, shells.
//!
//! There are many of each, so they have few triangles and small pictures.

use std::f32::consts::{PI, TAU};

use glam::{Mat3, Vec2, Vec3, Vec4};
use math::{GOLDEN_ANGLE, mix, smoothstep};

use crate::maths::{cos, powf, rotation_arc, rotation_x, rotation_y, rotation_z, sin};
use crate::paint::{ramp, rgb};
use crate::shapes::Rect;
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The things of this file.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "feather_star",
        kind: Category::Flora,
        description: "curled arms like feathers round a small cup",
        make: feather_star,
    },
    Entry {
        name: "fan_worm",
        kind: Category::Flora,
        description: "banded crowns on a bundle of tubes",
        make: fan_worm,
    },
    Entry {
        name: "sea_squirt",
        kind: Category::Flora,
        description: "a clump of barrels with two mouths each",
        make: sea_squirt,
    },
    Entry { name: "shells", kind: Category::Prop, description: "empty shells strewn on the sand", make: shells },
];

/// Assembles a thing from its mesh and its only picture, reduced to few enough shades to compress.
fn finish((name, comment): (&str, &str), mut mesh: Mesh, mut canvas: Canvas) -> Forged {
    mesh.settle();
    canvas.bleed(6);
    canvas.fill(Rect::FULL, |_, old| ((old.truncate() * 40.0).round() / 40.0).extend((old.w * 16.0).round() / 16.0));
    assemble(name, comment, &mesh, &Rig::still(), vec![(format!("{name}.png"), canvas.to_picture())])
}

fn feather_star(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xFEA7);
    let (plume, bark) = (Rect::new(0.0, 0.0, 1.0, 0.80), Rect::new(0.0, 0.86, 1.0, 1.0));
    let mut mesh = Mesh::new();
    let arms = mesh.material(Material::new("arms", "feather_star.png").membrane(0.35));
    let cup = mesh.material(Material::new("cup", "feather_star.png").glossy(0.05, 12.0));
    let (arms, cup) = (mesh.part("arms", arms), mesh.part("cup", cup));
    let (count, rows) = (16, 6);
    for n in 0..count {
        let [a, b, c] = [0, 1, 2].map(|k| noise.hash(3 * n + k));
        let around = GOLDEN_ANGLE * n as f32 + 0.5 * (a - 0.5);
        let out = Vec3::new(cos(around), 0.0, sin(around));
        let across = Vec3::Y.cross(out);
        // Outer arms lie nearly level, inner ones stand; all curl in at their tips, some to a fiddlehead.
        let (low, curl) = (mix(0.15, 1.15, b), mix(1.2, 2.7, c * c));
        let step = mix(0.42, 0.56, a) / rows as f32;
        let turn = |t: f32| low + curl * t * t * t + 0.25 * sin(5.0 * t + TAU * c) * t;
        let mut path = vec![Vec3::Y * 0.07 + out * 0.03];
        for k in 0..rows {
            let lean = turn((k as f32 + 0.5) / rows as f32);
            let aside = across * (0.35 * (b - 0.5) * k as f32 / rows as f32);
            let way = (out * cos(lean) + Vec3::Y * sin(lean) + aside).normalize();
            path.push(path[k] + way * step);
        }
        mesh.grid(arms, 2, rows, |i, j| {
            let (side, t) = (i as f32 - 1.0, j as f32 / rows as f32);
            let wide = 0.055 * smoothstep(-0.1, 0.22, t) * mix(1.0, 0.55, smoothstep(0.6, 1.0, t));
            let lean = turn(t);
            let normal = Vec3::Y * cos(lean) - out * sin(lean);
            // The two rows of branches stand up like a trough.
            (path[j] + (across * side + normal * (0.55 * side.abs())) * wide, plume.at(Vec2::new(t, 0.5 + 0.5 * side)))
        });
    }
    // Claws that hold on to the rock, under a knob.
    for n in 0..5 {
        let around = n as f32 * TAU / 5.0;
        let out = Vec3::new(cos(around), 0.0, sin(around));
        let claw = [out * 0.02 + Vec3::Y * 0.055, out * 0.07 + Vec3::Y * 0.05, out * 0.09];
        mesh.tube(cup, &claw, 3, bark, |t| 0.009 * (1.0 - 0.7 * t));
    }
    mesh.revolve(
        cup,
        &[Vec2::new(0.03, 0.03), Vec2::new(0.05, 0.07), Vec2::new(0.03, 0.10), Vec2::new(0.0, 0.105)],
        7,
        bark,
    );
    let mut canvas = Canvas::new(256, 128, Vec4::ZERO);
    canvas.fill(plume, |p, _| {
        let (side, t) = ((2.0 * p.y - 1.0).abs(), p.x);
        let row = f32::from(p.y > 0.5);
        // Branches slant to the tip and end at lengths of their own.
        let along = 34.0 * t - 5.0 * side + 0.5 * row;
        let long = 0.80 + 0.18 * noise.hash(along.round() as i32 + 200 * row as i32);
        let line = 0.5 + 0.5 * cos(TAU * along);
        let branch = smoothstep(0.30, 0.62, line) * smoothstep(long, long - 0.10, side);
        let spine = smoothstep(0.17, 0.10, side);
        let bands = smoothstep(0.1, 0.5, sin(TAU * 3.5 * t + 1.2 * noise.at(Vec3::new(6.0 * t, row, 1.0))));
        let c = ramp(&[(0.0, rgb(0x37141a)), (0.4, rgb(0x74282a)), (0.85, rgb(0xb0713c)), (1.0, rgb(0xdcb878))], side);
        let c = c.lerp(rgb(0xcbb184), 0.45 * bands * smoothstep(0.15, 0.5, side)).lerp(rgb(0x2c1014), 0.7 * spine);
        (c * (0.9 + 0.25 * line)).extend(branch.max(spine))
    });
    canvas.fill(Rect::new(0.0, 0.84, 1.0, 1.0), |p, _| {
        (rgb(0x3a2422).lerp(rgb(0x8a6a52), 0.5 + 0.5 * sin(TAU * 9.0 * p.x)) * 0.9).extend(1.0)
    });
    finish(("feather_star", "a feather star such as Comanthus, about 0.3 m across"), mesh, canvas)
}

fn fan_worm(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xFA40);
    let (crown, bark) = (Rect::new(0.0, 0.0, 1.0, 0.78), Rect::new(0.0, 0.84, 1.0, 1.0));
    let mut mesh = Mesh::new();
    let gills = mesh.material(Material::new("crowns", "fan_worm.png").membrane(0.45));
    let tube = mesh.material(Material::new("tubes", "fan_worm.png").glossy(0.03, 8.0));
    let (gills, tube) = (mesh.part("crowns", gills), mesh.part("tubes", tube));
    for n in 0..5 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let around = GOLDEN_ANGLE * n as f32 + a;
        let flat = Vec3::new(cos(around), 0.0, sin(around));
        let foot = flat * if n == 0 { 0.0 } else { 0.10 + 0.08 * b };
        let height = mix(0.28, 0.62, c) * if n == 0 { 1.15 } else { 1.0 };
        let top = foot + flat * (0.10 + 0.16 * d) + Vec3::Y * height;
        let middle = foot.lerp(top, 0.5) - flat * 0.05;
        mesh.tube(tube, &[foot, middle, top], 5, bark, |t| mix(0.026, 0.034, t));
        // A funnel of gills, split in two halves that overlap, open to the side the worm leans to.
        let radius = mix(0.15, 0.24, b);
        let tilt = rotation_arc(Vec3::Y, (Vec3::Y + flat * mix(0.25, 0.9, d)).normalize());
        let (sides, rows) = (13, 2);
        mesh.grid(gills, sides, rows, |i, j| {
            let (turn, t) = (TAU * 1.12 * i as f32 / sides as f32, j as f32 / rows as f32);
            let spread = radius * (0.12 + 0.88 * powf(t, 0.8)) * (1.0 + 0.10 * sin(3.0 * turn + 4.0 * a) * t);
            let rise = radius * (0.95 * t - 0.45 * t * t + 0.05 * (turn - PI) / PI * t);
            let place = Vec3::new(cos(turn) * spread, rise, sin(turn) * spread);
            (top + tilt * place, crown.at(Vec2::new(0.02 + 0.96 * i as f32 / sides as f32, 1.0 - t)))
        });
    }
    let mut canvas = Canvas::new(256, 128, Vec4::ZERO);
    canvas.fill(crown, |p, _| {
        let t = 1.0 - p.y;
        let along = 44.0 * p.x;
        let line = 0.5 + 0.5 * cos(TAU * along);
        let long = 0.86 + 0.13 * noise.hash(along.round() as i32);
        let gill = smoothstep(mix(0.0, 0.28, t), mix(0.15, 0.60, t), line) * smoothstep(long, long - 0.05, t);
        let band = smoothstep(-0.15, 0.35, sin(TAU * 4.2 * t + 0.9 * noise.at(Vec3::new(p.x * 7.0, 2.0, 3.0))));
        let c = rgb(0x5c2430).lerp(rgb(0xddcdb4), band).lerp(rgb(0x3a1a20), 0.7 * smoothstep(0.18, 0.0, t));
        (c * (0.78 + 0.3 * line)).extend(gill)
    });
    canvas.fill(Rect::new(0.0, 0.82, 1.0, 1.0), |p, _| {
        let grain = noise.fbm(Vec3::new(p.x * 14.0, p.y * 5.0, 2.0), 3);
        let c = rgb(0x7d7360).lerp(rgb(0xb0a488), 0.5 + 0.7 * grain);
        c.lerp(rgb(0x2a2018), smoothstep(0.93, 1.0, p.x)).extend(1.0)
    });
    finish(("fan_worm", "feather duster worms, Sabellastarte, crowns about 0.08 m wide"), mesh, canvas)
}

fn sea_squirt(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x5E51);
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("tunic", "sea_squirt.png").glossy(0.22, 26.0));
    let part = mesh.part("tunics", skin);
    // Radius and height: up the wall, over the lip and down into the dark.
    let wall = [
        (0.16, 0.0),
        (0.22, 0.18),
        (0.22, 0.46),
        (0.16, 0.70),
        (0.105, 0.80),
        (0.112, 0.89),
        (0.080, 0.89),
        (0.0, 0.74),
    ];
    let siphon = [(0.085, 0.0), (0.072, 0.10), (0.078, 0.16), (0.050, 0.16), (0.0, 0.08)];
    let mut barrel = |foot: Vec3, way: Mat3, size: f32, wall: &[(f32, f32)], sides: usize, from: f32, key: f32| {
        let last = (wall.len() - 1) as f32;
        mesh.grid(part, sides, wall.len() - 1, |i, j| {
            let turn = TAU * (i % sides) as f32 / sides as f32;
            let round = Vec3::new(sin(turn), 0.0, cos(turn));
            let (radius, height) = wall[j];
            let lump = 1.0 + 0.16 * noise.at(round * 1.4 + Vec3::new(key, 3.0 * height, key));
            let t = from + (1.0 - from) * j as f32 / last;
            (
                foot + way * (round * radius * lump + Vec3::Y * height) * size,
                Vec2::new(i as f32 / sides as f32, 1.0 - t),
            )
        });
    };
    for n in 0..5 {
        let [a, b, c] = [0, 1, 2].map(|k| noise.hash(3 * n + k));
        let around = GOLDEN_ANGLE * n as f32 + 0.6 * a;
        let flat = Vec3::new(cos(around), 0.0, sin(around));
        let away = if n == 0 { 0.0 } else { 0.30 + 0.10 * b };
        let size = mix(0.48, 0.85, c) * if n == 0 { 1.1 } else { 0.9 };
        let lean = rotation_arc(Vec3::Y, (Vec3::Y + flat * 0.6 * away).normalize());
        let foot = flat * away - Vec3::Y * 0.04;
        barrel(foot, lean, size, &wall, 8, 0.0, 3.1 * n as f32);
        // The second mouth looks aside.
        let aside = lean * rotation_y(TAU * b);
        let place = foot + aside * Vec3::new(0.13, 0.50, 0.0) * size;
        barrel(place, aside * rotation_z(-0.9), size, &siphon, 5, 0.45, 5.7 * n as f32);
    }
    let mut canvas = Canvas::new(128, 128, Vec4::ONE);
    canvas.fill(Rect::FULL, |p, _| {
        let t = 1.0 - p.y;
        let round = Vec3::new(cos(TAU * p.x), 5.5 * t, sin(TAU * p.x));
        let (cell, next) = noise.cells(round * 2.3 + 3.0);
        // Ivory, netted with violet, gold toward the mouths; dirty at the foot.
        let c = rgb(0xb9b094).lerp(rgb(0xd6cdb2), smoothstep(0.6, 0.1, cell));
        let c = c.lerp(rgb(0x5b4668), 0.75 * smoothstep(0.16, 0.03, next - cell));
        let c = c.lerp(rgb(0xb8892f), smoothstep(0.42, 0.60, t + 0.06 * noise.at(round * 2.0)));
        let c = c.lerp(rgb(0xdfb75c), smoothstep(0.66, 0.72, t)).lerp(rgb(0x17110e), smoothstep(0.76, 0.86, t));
        let dirt = smoothstep(0.22, 0.0, t + 0.10 * noise.at(round * 3.0));
        (c.lerp(rgb(0x5a5440), 0.85 * dirt) * (0.94 + 0.16 * noise.at(round * 8.0))).extend(1.0)
    });
    finish(("sea_squirt", "a clump of gold-mouthed sea squirts, Polycarpa aurata, each about 0.1 m high"), mesh, canvas)
}

fn shells(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x5E11);
    let (ribbed, wound, inside) =
        (Rect::new(0.0, 0.0, 0.62, 0.5), Rect::new(0.0, 0.52, 1.0, 1.0), Rect::new(0.66, 0.0, 1.0, 0.48));
    let mut mesh = Mesh::new();
    let shell = mesh.material(Material { two_sided: true, ..Material::new("shell", "shells.png") }.glossy(0.10, 20.0));
    let (valves, whorls) = (mesh.part("valves", shell), mesh.part("whorls", shell));
    let spire = Curve::new(&[(0.0, 0.0), (0.30, 0.16), (0.62, 0.34), (0.78, 0.36), (0.94, 0.16), (1.0, 0.05)]);
    for n in 0..12 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let around = GOLDEN_ANGLE * n as f32 + a;
        let place = Vec3::new(cos(around), 0.0, sin(around)) * (0.46 * ((n as f32 + 0.3) / 12.0).sqrt());
        let size = mix(0.09, 0.20, b * b);
        let turn = rotation_y(TAU * c) * rotation_x(0.5 * (d - 0.5));
        if n % 3 == 2 {
            // A whelk on its side.
            let (steps, sides) = (11, 9);
            let path: Vec<Vec3> = (0..=steps)
                .map(|k| k as f32 / steps as f32)
                .map(|t| place + turn * (Vec3::X * (t - 0.5) + Vec3::Y * 0.22) * (1.5 * size))
                .collect();
            mesh.tube(whorls, &path, sides, wound, |t| {
                spire.at(t) * size * (1.0 + 0.16 * sin(TAU * 4.0 * powf(t, 1.6)) * smoothstep(0.85, 0.6, t))
            });
            continue;
        }
        // A valve, hollow side down for most.
        let up = if d > 0.78 { -1.0 } else { 1.0 };
        let (columns, rows) = (8, 2);
        let rect = if up > 0.0 { ribbed } else { inside };
        mesh.grid(valves, columns, rows, |i, j| {
            let (q, r) = (i as f32 / columns as f32, j as f32 / rows as f32);
            let angle = mix(-1.25, 1.25, q);
            let reach = r * (0.82 + 0.18 * cos(angle));
            let dome = 0.36 * (1.0 - r * r) * powf(r, 0.35) + 0.03 * (i % 2) as f32 * r;
            let p = Vec3::new(sin(angle) * reach, up * (dome - 0.12) + 0.10, cos(angle) * reach - 0.5);
            (place + turn * p * size, rect.at(Vec2::new(q, 1.0 - r)))
        });
    }
    let mut canvas = Canvas::new(128, 128, Vec4::ONE);
    canvas.fill(ribbed, |p, _| {
        let r = 1.0 - p.y;
        let ribs = 0.5 + 0.5 * cos(TAU * 9.0 * p.x);
        let years = 0.5 + 0.5 * sin(26.0 * r * r + 0.8 * noise.at(Vec3::new(p.x * 5.0, r * 4.0, 1.0)));
        let c = rgb(0xb3a488).lerp(rgb(0x8c5f48), 0.65 * years).lerp(rgb(0x7f8468), 0.30 * (1.0 - ribs));
        (c * mix(0.72, 1.05, ribs) * mix(0.8, 1.0, r)).extend(1.0)
    });
    canvas.fill(wound, |p, _| {
        let band = 0.5 + 0.5 * sin(TAU * (9.0 * p.x + p.y));
        let fleck = smoothstep(0.34, 0.2, noise.cells(Vec3::new(p.x * 15.0, p.y * 7.0, 2.0)).0);
        let c = rgb(0xaa9a7c).lerp(rgb(0x774c34), 0.6 * band).lerp(rgb(0x4c3426), 0.7 * fleck);
        (c * (0.95 + 0.15 * noise.at(Vec3::new(p.x * 40.0, p.y * 12.0, 5.0)))).extend(1.0)
    });
    canvas.fill(inside, |p, _| rgb(0x98887c).lerp(rgb(0xb4a89a), p.y).extend(1.0));
    finish(("shells", "valves of scallops and a few whelks, each 0.04 to 0.1 m"), mesh, canvas)
}
