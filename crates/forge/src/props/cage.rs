//! A diver's cage of steel bars, and the line that it hangs on.
//!
//! Both are built in metres with their middle over the origin: the line begins where the cage ends.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};
use math::smoothstep;

use crate::maths::{cos, sin};
use crate::paint::{over, rgb};
use crate::shapes::Rect;
use crate::{Canvas, Category, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The things of this file.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "shark_cage",
        kind: Category::Prop,
        description: "a round cage for a standing diver, 2.2 m high, open at the height of the eyes",
        make: cage,
    },
    Entry {
        name: "cage_line",
        kind: Category::Prop,
        description: "the line of the cage: four legs, a rope of 7.6 m and a float",
        make: line,
    },
];

/// Radius of the cage to the middle of its bars, and its height. Unit: m.
const RADIUS: f32 = 0.95;
const HEIGHT: f32 = 2.2;
/// Heights of the rails below and above the opening at the eyes. Unit: m.
const OPENING: [f32; 2] = [1.25, 2.0];
/// Radius of a rail's tube, of a bar and of a bar of the floor. Unit: m.
const RAIL: f32 = 0.021;
const BAR: f32 = 0.011;
const GRATING: f32 = 0.008;
/// Number of bars round the cage, of which every sixth is a post that goes through the opening.
const BARS: usize = 24;
const POST_EVERY: usize = 6;

/// Regions of the cage's texture.
const PAINTED: Rect = Rect::new(0.0, 0.0, 1.0, 0.5);
const STEEL: Rect = Rect::new(0.0, 0.5, 1.0, 1.0);

/// Place on the cage's wall.
fn on_wall(turn: f32, y: f32) -> Vec3 {
    Vec3::new(RADIUS * sin(turn), y, RADIUS * cos(turn))
}

/// A ring round the cage at a height.
fn rail(mesh: &mut Mesh, part: usize, y: f32, thick: f32, rect: Rect) {
    const STEPS: usize = 30;
    let path: Vec<Vec3> = (0..=STEPS).map(|i| on_wall(TAU * (i % STEPS) as f32 / STEPS as f32, y)).collect();
    mesh.tube(part, &path, 6, rect, |_| thick);
}

fn cage(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xCA6E);
    let mut mesh = Mesh::new();
    let steel = mesh.material(Material::new("steel", "shark_cage.png").glossy(0.18, 22.0));
    let part = mesh.part("cage", steel);
    for y in [RAIL, HEIGHT - RAIL] {
        rail(&mut mesh, part, y, RAIL, PAINTED);
    }
    for y in OPENING {
        rail(&mut mesh, part, y, RAIL, PAINTED);
    }
    rail(&mut mesh, part, 0.62, BAR, STEEL);
    for n in 0..BARS {
        // Half a step aside: the way ahead, along -z, is between two posts.
        let turn = TAU * (n as f32 + 0.5 * POST_EVERY as f32) / BARS as f32;
        let (bottom, top) = (on_wall(turn, RAIL), on_wall(turn, HEIGHT - RAIL));
        if n % POST_EVERY == 0 {
            mesh.tube(part, &[bottom, top], 6, PAINTED, |_| RAIL);
            continue;
        }
        mesh.tube(part, &[bottom, on_wall(turn, OPENING[0])], 5, STEEL, |_| BAR);
        mesh.tube(part, &[on_wall(turn, OPENING[1]), top], 5, STEEL, |_| BAR);
    }
    grating(&mut mesh, part);
    // The roof: a cross, and a hatch in its middle.
    for turn in [0.125, 0.375].map(|turns| TAU * turns) {
        let y = HEIGHT - RAIL;
        mesh.tube(part, &[on_wall(turn, y), on_wall(turn + 0.5 * TAU, y)], 6, PAINTED, |_| RAIL);
    }
    let hatch: Vec<Vec3> =
        (0..=16).map(|i| on_wall(TAU * (i % 16) as f32 / 16.0, 0.0) * 0.42 + Vec3::Y * (HEIGHT - RAIL)).collect();
    mesh.tube(part, &hatch, 5, STEEL, |_| BAR);
    mesh.settle();
    let comment = "a diver's cage, 2.2 m high and 1.9 m wide";
    assemble("shark_cage", comment, &mesh, &Rig::still(), vec![("shark_cage.png".into(), steel_picture(&noise))])
}

/// Bars of the floor, whose upper side is at the height of the lowest rail's.
fn grating(mesh: &mut Mesh, part: usize) {
    const BESIDE_EACH_OTHER: i32 = 10;
    let chord = |offset: f32| (RADIUS * RADIUS - offset * offset).max(0.0).sqrt();
    for n in -BESIDE_EACH_OTHER..=BESIDE_EACH_OTHER {
        let x = RADIUS * n as f32 / (BESIDE_EACH_OTHER + 1) as f32;
        let (y, z) = (2.0 * RAIL - GRATING, chord(x));
        mesh.tube(part, &[Vec3::new(x, y, -z), Vec3::new(x, y, z)], 4, STEEL, |_| GRATING);
    }
    for n in -2i32..=2 {
        let z = 0.3 * n as f32;
        let (x, y) = (chord(z), 2.0 * RAIL - 2.6 * GRATING);
        mesh.tube(part, &[Vec3::new(-x, y, z), Vec3::new(x, y, z)], 4, STEEL, |_| BAR);
    }
}

fn line(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xCA61);
    let mut mesh = Mesh::new();
    let rope = mesh.material(Material::new("rope", "cage_line.png").glossy(0.05, 8.0));
    let part = mesh.part("line", rope);
    let (strands, float) = (Rect::new(0.0, 0.5, 1.0, 1.0), Rect::new(0.0, 0.0, 1.0, 0.5));
    let knot = Vec3::Y * 1.1;
    for n in 0..4 {
        let turn = TAU * (n as f32 + 0.5) / 4.0;
        mesh.tube(part, &[on_wall(turn, 0.0), knot], 5, strands, |_| 0.012);
    }
    let up: Vec<Vec3> = (0..=20).map(|i| knot.lerp(Vec3::Y * 7.2, i as f32 / 20.0)).collect();
    mesh.tube(part, &up, 6, strands, |_| 0.018);
    // The float, a spindle that the rope goes through.
    let wall: Vec<Vec2> = (0..=10)
        .map(|i| {
            let along = i as f32 / 10.0;
            Vec2::new(0.32 * sin(0.5 * TAU * along).max(0.0).sqrt(), 7.0 + 0.6 * along)
        })
        .collect();
    mesh.revolve(part, &wall, 16, float);
    mesh.settle();
    let comment = "the line of a diver's cage, 7.6 m long, with a float";
    assemble("cage_line", comment, &mesh, &Rig::still(), vec![("cage_line.png".into(), line_picture(&noise))])
}

/// Paints worn yellow paint over steel, and zinc that has gone dull.
fn steel_picture(noise: &Noise) -> crate::Picture {
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    canvas.fill(PAINTED, |p, _| {
        let q = Vec3::new(p.x * 22.0, p.y * 5.0, 0.3);
        let mut c = rgb(0xd8a018).lerp(rgb(0xb98512), smoothstep(-0.3, 0.4, noise.fbm(q, 3))).extend(1.0);
        c = over(c, rgb(0x5b5a52), 0.85 * smoothstep(0.28, 0.36, noise.fbm(q * 1.6 + 7.0, 4)));
        over(c, rgb(0x6e3d1c), 0.6 * smoothstep(0.34, 0.5, noise.fbm(q * 1.2 + 19.0, 4)))
    });
    canvas.fill(STEEL, |p, _| {
        let q = Vec3::new(p.x * 16.0, p.y * 4.0, 5.3);
        let mut c = rgb(0x7f8688).lerp(rgb(0x5f666a), smoothstep(-0.3, 0.4, noise.fbm(q, 3))).extend(1.0);
        c = over(c, rgb(0x9aa0a0), 0.5 * smoothstep(0.2, 0.4, noise.fbm(q * 2.3 + 11.0, 3)));
        over(c, rgb(0x6b4a30), 0.5 * smoothstep(0.3, 0.5, noise.fbm(q * 1.1 + 23.0, 4)))
    });
    canvas.to_picture()
}

/// Paints a laid rope and an orange float with weed about its foot.
fn line_picture(noise: &Noise) -> crate::Picture {
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    canvas.fill(Rect::new(0.0, 0.0, 1.0, 0.5), |p, _| {
        let q = Vec3::new(p.x * 8.0, p.y * 4.0, 2.3);
        let c = rgb(0xd9571c).lerp(rgb(0xb8451a), smoothstep(-0.3, 0.4, noise.fbm(q, 3))).extend(1.0);
        over(c, rgb(0x4f5a34), 0.8 * smoothstep(0.45, 0.95, p.y + 0.4 * noise.fbm(q * 1.5 + 3.0, 3)))
    });
    canvas.fill(Rect::new(0.0, 0.5, 1.0, 1.0), |p, _| {
        // Three strands, laid to the right.
        let lay = sin(TAU * (3.0 * p.y + 40.0 * p.x));
        let c = rgb(0x8a8468).lerp(rgb(0x4e4a3a), smoothstep(0.1, -0.9, lay)).extend(1.0);
        over(c, rgb(0x5c6238), 0.6 * smoothstep(0.1, 0.4, noise.fbm(Vec3::new(p.x * 30.0, p.y * 3.0, 9.0), 3)))
    });
    canvas.to_picture()
}
