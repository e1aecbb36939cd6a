//! A remotely operated vehicle and its tether.
//!
//! An observation-class vehicle with a manipulator, by eye: 1.2 m long, 0.75 m wide and 0.8 m high, 1.5 m with its arm.
//! Built in units of 0.8 m. A block of syntactic foam over an open frame; two titanium housings; two vectored thrusters
//! aft and two in wells of the block; in front cameras, two lamps that are lit and two that are spare, a folded arm over
//! a drawer for samples.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::curve::bump;
use crate::form::{limb, lump, rounded_line, superellipse, turned};
use crate::maths::{cos, sin};
use crate::paint::{over, rgb};
use crate::shapes::Rect;
use crate::{Canvas, Category, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The vehicle and its tether.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "rov",
        kind: Category::Prop,
        description: "a remotely operated vehicle with lamps, cameras and an arm; it looks along -z",
        make: rov,
    },
    Entry {
        name: "rov_tether",
        kind: Category::Prop,
        description: "the tether of a vehicle: 6 m of cable held up by floats",
        make: tether,
    },
];

// Regions of the vehicle's texture; u along the part, v round it.
const FOAM: Rect = Rect::new(0.0, 0.0, 1.0, 0.40);
const FRAME: Rect = Rect::new(0.0, 0.41, 0.48, 0.60);
const METAL: Rect = Rect::new(0.50, 0.41, 1.0, 0.60);
const BLACK: Rect = Rect::new(0.0, 0.61, 0.48, 0.78);
const ARM: Rect = Rect::new(0.50, 0.61, 1.0, 0.78);
const DRAWER: Rect = Rect::new(0.0, 0.79, 0.48, 1.0);
const LAMP: Rect = Rect::new(0.50, 0.79, 0.74, 1.0);
const GLASS: Rect = Rect::new(0.76, 0.79, 1.0, 1.0);

/// Forward.
const AHEAD: Vec3 = Vec3::NEG_Z;
/// Distance of the frame's sides from the middle. Unit: 0.8 m.
const SIDE: f32 = 0.41;
/// Radius of the frame's tubes. Unit: 0.8 m.
const TUBE: f32 = 0.022;
/// Middle and half size of the block of foam. Unit: 0.8 m.
const FOAM_AT: Vec3 = Vec3::new(0.0, 0.80, 0.04);
const FOAM_HALF: Vec3 = Vec3::new(0.46, 0.165, 0.70);
/// Wells of the upright thrusters: their z, and their radius. Unit: 0.8 m.
const WELLS: ([f32; 2], f32) = ([-0.28, 0.36], 0.125);
/// Places of the lamps on the right, of which the upper one is lit. Unit: 0.8 m.
const LAMPS: [Vec3; 2] = [Vec3::new(0.34, 0.60, -0.74), Vec3::new(0.37, 0.30, -0.72)];

/// Parts of the mesh, by material.
struct Parts {
    foam: usize,
    frame: usize,
    metal: usize,
    glass: usize,
    lamp: usize,
}

fn rov(seed: u64) -> Forged {
    const TEXTURE: &str = "rov.png";
    let noise = Noise::new(seed ^ 0x0520);
    let mut mesh = Mesh::new();
    let foam = mesh.material(Material::new("foam", TEXTURE).glossy(0.16, 24.0));
    let frame = mesh.material(Material::new("frame", TEXTURE).glossy(0.14, 20.0));
    let metal = mesh.material(Material::new("metal", TEXTURE).glossy(0.40, 50.0));
    let glass = mesh.material(Material::new("glass", TEXTURE).glossy(0.80, 120.0));
    let lamp = mesh.material(Material { emissive: [1.0, 0.98, 0.92], ..Material::new("lamp", TEXTURE) });
    let parts = Parts {
        foam: mesh.part_with_crease("foam", foam, 0.7),
        frame: mesh.part_with_crease("frame", frame, 0.9),
        metal: mesh.part_with_crease("metal", metal, 0.8),
        glass: mesh.part_with_crease("glass", glass, 0.9),
        lamp: mesh.part_with_crease("lamp", lamp, 0.9),
    };
    buoyancy(&mut mesh, &parts);
    frame_bars(&mut mesh, &parts);
    housings(&mut mesh, &parts);
    thrusters(&mut mesh, &parts);
    sensors_and_lamps(&mut mesh, &parts);
    arm(&mut mesh, &parts);
    mesh.settle();
    let comment = "an observation-class remotely operated vehicle, 1.2 m long without its arm";
    assemble("rov", comment, &mesh, &Rig::still(), vec![(TEXTURE.into(), paint(&noise).to_picture())])
}

/// Adds the block of foam, blunt ahead and chamfered, with the mouths of its wells.
fn buoyancy(mesh: &mut Mesh, parts: &Parts) {
    let line =
        [-1.0, -0.97, -0.80, -0.4, 0.0, 0.4, 0.82, 0.97, 1.0].map(|t: f32| FOAM_AT + Vec3::Z * (t * FOAM_HALF.z));
    limb(mesh, parts.foam, (&line, Vec3::X), (20, 7.0), FOAM, |t| {
        let end = (2.0 * t - 1.0).abs();
        let chamfer = 1.0 - 0.12 * smoothstep(0.93, 1.0, end);
        let blunt = 1.0 - 0.10 * smoothstep(0.35, 0.0, t);
        Vec2::new(FOAM_HALF.x * chamfer * blunt, FOAM_HALF.y * chamfer)
    });
    let (wells, radius) = WELLS;
    let top = FOAM_AT.y + FOAM_HALF.y;
    for z in wells {
        let foot = Vec3::new(0.0, top, z);
        let rim = [(-0.02, radius + 0.022), (0.010, radius + 0.018), (0.012, radius), (-0.02, radius - 0.004)];
        duct(mesh, parts.frame, (foot, Vec3::Y), 16, BLACK, &rim);
        turned(mesh, parts.frame, (foot, Vec3::Y), 16, BLACK, &[(-0.004, radius), (0.002, radius - 0.002)]);
        propeller(mesh, parts.metal, (foot + Vec3::Y * 0.006, Vec3::Y), 0.9 * radius);
    }
    // The lifting eye, and the tether's bend restrictor.
    let eye: Vec<Vec3> = (0..=10)
        .map(|i| Vec3::new(0.055 * cos(TAU * i as f32 / 10.0), top + 0.03 + 0.055 * sin(TAU * i as f32 / 10.0), 0.04))
        .collect();
    mesh.tube(parts.metal, &eye, 5, METAL, |_| 0.013);
    let restrictor = [(0.0, 0.042), (0.05, 0.040), (0.16, 0.024), (0.24, 0.016)];
    turned(mesh, parts.frame, (tether_root(), Vec3::new(0.0, 0.86, 0.51)), 10, BLACK, &restrictor);
}

/// Place where the tether leaves the block. Unit: 0.8 m.
fn tether_root() -> Vec3 {
    FOAM_AT + Vec3::new(0.0, FOAM_HALF.y - 0.02, 0.58)
}

/// Adds the frame: runners with their noses up, posts, rails and cross bars, and plates at the sides.
fn frame_bars(mesh: &mut Mesh, parts: &Parts) {
    let mut bar = |path: &[Vec3], thick: f32| {
        mesh.tube(parts.frame, path, 6, FRAME, |_| thick);
    };
    let under = FOAM_AT.y - FOAM_HALF.y + 0.02;
    for x in [SIDE, -SIDE] {
        let at = |y: f32, z: f32| Vec3::new(x, y, z);
        bar(&rounded_line(&[at(0.14, -0.80), at(0.03, -0.68), at(0.03, 0.66), at(0.10, 0.74)], 10, 1), 1.3 * TUBE);
        bar(&[at(0.34, -0.70), at(0.34, 0.66)], TUBE);
        bar(&[at(0.60, -0.72), at(0.60, 0.66)], TUBE);
        for z in [-0.70, -0.18, 0.22, 0.64] {
            bar(&[at(0.03, z), at(under, z)], TUBE);
        }
        bar(&[at(0.05, -0.16), at(0.33, 0.20)], 0.7 * TUBE);
    }
    for (y, z) in [(0.03, -0.66), (0.34, -0.70), (0.60, -0.72), (0.03, 0.62), (0.34, 0.66), (0.60, 0.66), (0.18, 0.22)]
    {
        bar(&[Vec3::new(-SIDE, y, z), Vec3::new(SIDE, y, z)], TUBE);
    }
    for x in [0.16, -0.16] {
        bar(&[Vec3::new(x, 0.03, -0.66), Vec3::new(x, 0.03, 0.62)], 0.8 * TUBE);
    }
    for x in [SIDE + 0.008, -SIDE - 0.008] {
        lump(mesh, parts.foam, Vec3::new(x, 0.475, 0.44), AXES, Vec3::new(0.012, 0.115, 0.17), FOAM);
    }
}

/// Right, up and along.
const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// Adds the housings of the electronics, the junction box between them, and hoses.
fn housings(mesh: &mut Mesh, parts: &Parts) {
    let profile = [
        (0.0, 0.060),
        (0.02, 0.098),
        (0.06, 0.104),
        (0.061, 0.092),
        (0.64, 0.092),
        (0.641, 0.104),
        (0.68, 0.098),
        (0.70, 0.06),
    ];
    for x in [0.19, -0.19] {
        turned(mesh, parts.metal, (Vec3::new(x, 0.49, -0.42), Vec3::Z), 14, METAL, &profile);
    }
    lump(mesh, parts.frame, Vec3::new(0.0, 0.20, 0.20), AXES, Vec3::new(0.20, 0.10, 0.22), BLACK);
    lump(mesh, parts.frame, Vec3::new(0.0, 0.44, 0.42), AXES, Vec3::new(0.10, 0.08, 0.10), BLACK);
    for (x, sag) in [(0.19, 0.10), (-0.19, 0.14), (0.06, 0.07), (-0.08, 0.12)] {
        let from = Vec3::new(x, 0.49, 0.28);
        let to = Vec3::new(0.4 * x, 0.26, 0.38);
        let middle = 0.5 * (from + to) + Vec3::new(0.0, -sag, 0.16);
        mesh.tube(parts.frame, &rounded_line(&[from, middle, to], 7, 3), 5, BLACK, |_| 0.012);
    }
    for side in [1.0_f32, -1.0] {
        // Cables to the lamps, tied to the rails.
        let points = [
            Vec3::new(0.19 * side, 0.52, -0.40),
            Vec3::new(0.36 * side, 0.57, -0.48),
            Vec3::new(0.38 * side, 0.63, -0.66),
            LAMPS[0] * Vec3::new(side, 1.0, 1.0) + Vec3::Z * 0.08,
        ];
        mesh.tube(parts.frame, &rounded_line(&points, 10, 2), 5, BLACK, |_| 0.009);
    }
}

/// Adds the two vectored thrusters aft.
fn thrusters(mesh: &mut Mesh, parts: &Parts) {
    for side in [1.0_f32, -1.0] {
        let axis = Vec3::new(0.50 * side, 0.0, 0.87);
        let at = Vec3::new(0.27 * side, 0.43, 0.62);
        let nozzle = [(-0.08, 0.112), (0.0, 0.122), (0.09, 0.108), (0.092, 0.098), (0.0, 0.102), (-0.078, 0.100)];
        duct(mesh, parts.frame, (at, axis), 16, BLACK, &nozzle);
        turned(
            mesh,
            parts.metal,
            (at, axis),
            12,
            METAL,
            &[(-0.20, 0.020), (-0.17, 0.044), (-0.02, 0.046), (0.03, 0.030), (0.07, 0.010)],
        );
        propeller(mesh, parts.metal, (at + axis * 0.015, axis), 0.094);
        for turn in [0.0, 1.0 / 3.0, 2.0 / 3.0] {
            let out = across(axis, turn);
            mesh.tube(parts.frame, &[at - axis * 0.05, at - axis * 0.05 + out * 0.106], 5, BLACK, |_| 0.008);
        }
    }
}

/// Unit vector across an axis at a turn (0..1).
fn across(axis: Vec3, turn: f32) -> Vec3 {
    let right = axis.normalize_or(Vec3::Y).any_orthonormal_vector();
    right * cos(TAU * turn) + axis.cross(right) * sin(TAU * turn)
}

/// Adds a ring about `axis` whose wall goes once round a profile of distances along the axis and radii.
fn duct(mesh: &mut Mesh, part: usize, (foot, axis): (Vec3, Vec3), sides: usize, rect: Rect, profile: &[(f32, f32)]) {
    let right = axis.normalize_or(Vec3::Y).any_orthonormal_vector();
    let up = axis.cross(right);
    let rows = profile.len();
    mesh.grid(part, rows, sides, |i, j| {
        let (along, radius) = profile[i % rows];
        let unit = superellipse((j % sides) as f32 / sides as f32, 2.0);
        let uv = rect.at(Vec2::new(i as f32 / rows as f32, j as f32 / sides as f32));
        (foot + axis * along + (right * unit.x + up * unit.y) * radius, uv)
    });
}

/// Adds a propeller of four blades.
fn propeller(mesh: &mut Mesh, part: usize, (at, axis): (Vec3, Vec3), radius: f32) {
    for n in 0..4 {
        let out = across(axis, n as f32 / 4.0);
        let chord = axis.cross(out) * 0.85 + axis * 0.5;
        let line = [at + out * (0.15 * radius), at + out * (0.95 * radius)];
        limb(mesh, part, (&line, chord), (6, 2.0), METAL, |_| Vec2::new(0.24 * radius, 0.005));
    }
    turned(
        mesh,
        part,
        (at, axis),
        10,
        METAL,
        &[(-0.010, 0.22 * radius), (0.012, 0.20 * radius), (0.022, 0.08 * radius)],
    );
}

/// Adds cameras, lamps and a sonar.
fn sensors_and_lamps(mesh: &mut Mesh, parts: &Parts) {
    for side in [1.0_f32, -1.0] {
        for (place, front, rect) in [(LAMPS[0], parts.lamp, LAMP), (LAMPS[1], parts.glass, GLASS)] {
            let (at, axis) = (place * Vec3::new(side, 1.0, 1.0), AHEAD);
            let body = [(-0.13, 0.020), (-0.12, 0.040), (-0.03, 0.044), (-0.02, 0.062), (0.012, 0.066), (0.014, 0.060)];
            turned(mesh, parts.metal, (at, axis), 12, METAL, &body);
            turned(mesh, front, (at, axis), 12, rect, &[(0.0145, 0.056), (0.020, 0.034)]);
            lump(mesh, parts.frame, at + Vec3::new(0.0, 0.0, 0.05), AXES, Vec3::new(0.020, 0.055, 0.03), BLACK);
        }
    }
    // The main camera under its bracket, with a dome; a second beside it.
    for (at, radius) in [(Vec3::new(0.0, 0.48, -0.66), 0.072), (Vec3::new(-0.20, 0.41, -0.68), 0.046)] {
        let body = [(-0.22, 0.5), (-0.20, 0.9), (-0.02, 0.9), (-0.018, 1.08), (0.02, 1.08), (0.022, 0.94)];
        turned(mesh, parts.metal, (at, AHEAD), 12, METAL, &body.map(|(along, share)| (along, share * radius)));
        let dome = [0.0, 0.25, 0.5, 0.75, 0.95]
            .map(|t: f32| (0.022 + 0.8 * radius * sin(0.25 * TAU * t), 0.9 * radius * cos(0.25 * TAU * t)));
        turned(mesh, parts.glass, (at, AHEAD), 12, GLASS, &dome);
        lump(
            mesh,
            parts.frame,
            at + Vec3::new(0.0, radius + 0.02, 0.06),
            AXES,
            Vec3::new(0.4 * radius, 0.03, 0.05),
            BLACK,
        );
    }
    turned(
        mesh,
        parts.frame,
        (Vec3::new(0.17, 0.61, -0.70), Vec3::Y),
        12,
        BLACK,
        &[(0.0, 0.05), (0.07, 0.05), (0.09, 0.03)],
    );
}

/// Adds the folded arm with its jaws, and the drawer for samples.
fn arm(mesh: &mut Mesh, parts: &Parts) {
    let joints = [
        Vec3::new(0.27, 0.16, -0.60),
        Vec3::new(0.31, 0.30, -0.82),
        Vec3::new(0.24, 0.16, -0.98),
        Vec3::new(0.17, 0.10, -1.04),
    ];
    for (i, thick) in [(0, 0.036), (1, 0.030), (2, 0.024)] {
        let line = rounded_line(&joints[i..=i + 1], 3, 0);
        limb(mesh, parts.foam, (&line, Vec3::X), (8, 3.0), ARM, |t| Vec2::splat(thick * mix(1.0, 0.8, t)));
        turned(
            mesh,
            parts.metal,
            (joints[i] - Vec3::X * 0.05, Vec3::X),
            12,
            METAL,
            &[(0.0, 0.9 * thick), (0.005, 1.25 * thick), (0.095, 1.25 * thick), (0.1, 0.9 * thick)],
        );
    }
    let ahead = (joints[3] - joints[2]).normalize_or(AHEAD);
    let aside = ahead.cross(Vec3::Y).normalize_or(Vec3::X);
    for side in [1.0_f32, -1.0] {
        let root = joints[3] + aside * (0.016 * side);
        let jaw = [root, root + ahead * 0.05 + aside * (0.030 * side), root + ahead * 0.12 + aside * (0.008 * side)];
        mesh.tube(
            parts.metal,
            &rounded_line(&jaw, 6, 1),
            6,
            METAL,
            |t| if t >= 1.0 { 0.0 } else { mix(0.013, 0.008, t) },
        );
    }
    lump(mesh, parts.frame, Vec3::new(-0.10, 0.11, -0.56), AXES, Vec3::new(0.26, 0.065, 0.16), DRAWER);
}

/// Grain of paint and wear at a place of the texture.
fn worn(noise: &Noise, color: Vec3, p: Vec2, scale: f32) -> Vec4 {
    let q = Vec3::new(p.x * scale, p.y * scale, 0.7);
    let c = (color * (1.0 + 0.10 * noise.fbm(q, 4))).extend(1.0);
    over(c, color * 0.45, 0.55 * smoothstep(0.60, 0.85, noise.ridged(q * Vec3::new(0.8, 2.4, 1.0), 3)))
}

fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(512, 512, rgb(0x26282b).extend(1.0));
    canvas.fill(FOAM, |p, _| {
        // Yellow, a white band round it, mud on its belly and its lower edges; v 0.25 is the belly, u 0 and 1 the ends.
        let place = Vec3::new(6.0 * p.x, 3.0 * cos(TAU * p.y), 3.0 * sin(TAU * p.y));
        let mut c = (rgb(0xe0a51c) * (1.0 + 0.08 * noise.fbm(place * 1.5, 4))).extend(1.0);
        let flanks = smoothstep(0.01, 0.03, p.x) * smoothstep(0.99, 0.97, p.x);
        let mud = bump(0.25, 0.17, p.y) + 0.35 * noise.fbm(place * 2.0 + 4.0, 4);
        c = over(c, rgb(0x54452c), 0.6 * flanks * smoothstep(0.15, 0.9, mud));
        c = over(c, rgb(0xd8dad6), 0.92 * smoothstep(0.735, 0.745, p.x) * smoothstep(0.845, 0.835, p.x));
        let seam = bump(0.45, 0.005, p.x).max(bump(0.20, 0.005, p.x));
        c = over(c, rgb(0x4a3a14), 0.7 * seam);
        // Scratches, and paint that has gone at a few places.
        let scratch = noise.ridged(Vec3::new(3.0 * p.x, 40.0 * p.y, 8.0), 2);
        c = over(c, rgb(0x7a5c1c), 0.35 * smoothstep(0.80, 0.95, scratch));
        over(c, rgb(0xe9e2c8), 0.7 * smoothstep(0.50, 0.56, noise.fbm(place * 3.1 + 31.0, 4)))
    });
    canvas.fill(FRAME, |p, _| worn(noise, rgb(0x8d949a), p, 12.0));
    canvas.fill(METAL, |p, _| {
        let around = 0.86 + 0.14 * cos(2.0 * TAU * p.y);
        worn(noise, rgb(0xb4b8b8) * around, p, 10.0)
    });
    canvas.fill(BLACK, |p, _| worn(noise, rgb(0x34373b), p, 14.0));
    canvas.fill(ARM, |p, _| {
        let c = worn(noise, rgb(0xd8641c), p, 10.0);
        over(c, rgb(0x2a2b2d), smoothstep(0.86, 0.90, p.x) + smoothstep(0.12, 0.08, p.x))
    });
    canvas.fill(DRAWER, |p, _| {
        let c = worn(noise, rgb(0xb9c2c4), p, 8.0);
        let rib = smoothstep(0.4, 0.9, cos(TAU * 10.0 * p.x));
        over(c, rgb(0x6a7276), 0.5 * rib)
    });
    canvas.fill(LAMP, |_, _| rgb(0xfffdf4).extend(1.0));
    canvas.fill(GLASS, |p, _| rgb(0x10161c).lerp(rgb(0x38505c), smoothstep(0.3, 1.0, p.x)).extend(1.0));
    canvas
}

fn tether(seed: u64) -> Forged {
    const TEXTURE: &str = "rov_tether.png";
    let noise = Noise::new(seed ^ 0x0521);
    let mut mesh = Mesh::new();
    let cable = mesh.material(Material::new("cable", TEXTURE).glossy(0.12, 18.0));
    let part = mesh.part("tether", cable);
    let (jacket, ball) = (Rect::new(0.0, 0.5, 1.0, 1.0), Rect::new(0.0, 0.0, 1.0, 0.5));
    // Up and aft in a slack bow.
    let path = rounded_line(
        &[
            Vec3::ZERO,
            Vec3::new(0.0, 0.5, 0.3),
            Vec3::new(-0.25, 1.4, 0.75),
            Vec3::new(-0.15, 3.0, 0.95),
            Vec3::new(0.2, 4.6, 1.5),
            Vec3::new(0.1, 6.0, 1.7),
        ],
        40,
        8,
    );
    mesh.tube(part, &path, 6, jacket, |_| 0.014);
    for at in [7, 14, 21, 28, 35] {
        let (middle, axis) = (path[at], (path[at + 1] - path[at - 1]).normalize_or(Vec3::Y));
        let spindle: Vec<(f32, f32)> = (0..=8)
            .map(|i| {
                let t = i as f32 / 8.0;
                (0.16 * (t - 0.5), 0.016 + 0.05 * sin(0.5 * TAU * t).max(0.0).sqrt())
            })
            .collect();
        turned(&mut mesh, part, (middle, axis), 10, ball, &spindle);
    }
    mesh.settle();
    let mut canvas = Canvas::new(128, 128, Vec4::ONE);
    canvas.fill(jacket, |p, _| worn(&noise, rgb(0xd9a21e), p * Vec2::new(6.0, 1.0), 6.0));
    canvas.fill(ball, |p, _| worn(&noise, rgb(0xd0551b), p, 6.0));
    let comment = "the tether of a remotely operated vehicle, 28 mm thick, with five floats";
    assemble("rov_tether", comment, &mesh, &Rig::still(), vec![(TEXTURE.into(), canvas.to_picture())])
}
