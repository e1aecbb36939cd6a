//! Cover of cold, dim and dirty water: leafy weed, mussels, plumose anemones; and rust that grows on wrecks.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use super::{BODY, Colony, Place, entry, leaning, matt, sown};
use crate::maths::{rotation_arc, rotation_y, sin};
use crate::paint::{ramp, rgb};
use crate::{Entry, Forged, Material};

/// The cover of this file.
pub const ENTRIES: &[Entry] = &[
    entry("leafy_weed", "a bush of ruffled blades", weed),
    entry("mussels", "a clump of mussels", mussels),
    entry("plumose_anemone", "columns with feathery heads", plumose),
    entry("rusticles", "icicles of rust", rusticles),
];

fn weed(seed: u64) -> Forged {
    let thin = Material { two_sided: true, translucency: 0.45, ..matt("leafy_weed") };
    let mut colony = Colony::new(thin, seed ^ 0x3EED);
    let noise = colony.noise;
    let (count, rows, part) = (18, 5, colony.part);
    for n in 0..count {
        let (around, out) = sown(n, count);
        let around = around + colony.between(-0.3, 0.3);
        let (length, wide) = (colony.between(0.45, 0.85) * (1.0 - 0.2 * out), colony.between(0.07, 0.13));
        let tilt = 0.15 + 0.95 * out;
        let (own, across) = (3.1 * n as f32, leaning(around + FRAC_PI_2, FRAC_PI_2));
        let spin = colony.between(-0.9, 0.9);
        colony.mesh.grid(part, 2, rows, |i, j| {
            let (side, t) = (i as f32 - 1.0, j as f32 / rows as f32);
            let way = leaning(around, tilt * (0.55 + 0.5 * t));
            let across = rotation_y(spin * t) * across;
            let ruffle = noise.at(Vec3::new(own, 4.0 * t, 2.0 * side)) * 0.10;
            let breadth = wide * smoothstep(-0.08, 0.35, t) * mix(1.0, 0.5, smoothstep(0.6, 1.0, t));
            let edge = 1.0 + 0.35 * noise.at(Vec3::new(own, 6.0 * t, side));
            let p = way * (length * t)
                + across * (side * breadth * edge)
                + way.cross(across) * (ruffle * (0.4 + side.abs()));
            (p, BODY.at(Vec2::new(0.5 + 0.42 * side, 1.0 - t)))
        });
    }
    let stops = [(0.0, rgb(0x2e2420)), (0.3, rgb(0x6a5450)), (0.8, rgb(0x96807a)), (1.0, rgb(0xb4a096))];
    let skin = |place: &Place| {
        let vein = smoothstep(0.05, 0.0, noise.at(place.round * Vec3::new(2.0, 1.0, 2.0)).abs());
        ramp(&stops, place.up + 0.1 * noise.at(place.round)) * (0.95 - 0.2 * vein + 0.14 * noise.at(place.round * 4.0))
    };
    colony.finish(("leafy_weed", "red algae such as Palmaria, about 0.25 m high"), 64, skin, skin)
}

fn mussels(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("mussels").glossy(0.10, 24.0), seed ^ 0x3055);
    let noise = colony.noise;
    let count = 19;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let size = colony.between(0.15, 0.26);
        let place = leaning(around, FRAC_PI_2) * (0.42 * out) + Vec3::Y * (0.10 * (1.0 - out) - 0.03);
        let turn = rotation_arc(Vec3::Y, leaning(around + colony.between(-1.2, 1.2), 0.25 + 0.9 * out))
            * rotation_y(TAU * colony.chance());
        // A pointed, flattened drop, the gape along its outer edge.
        let profile = [(0.05, 0.0), (0.22, 0.18), (0.35, 0.42), (0.42, 0.66), (0.365, 0.86), (0.20, 0.97), (0.0, 1.0)];
        let own = 2.0 * n as f32;
        colony.body(&profile, 10, |p, _| {
            let belly = 1.0 - 0.45 * smoothstep(0.0, 0.3, -p.x);
            let worn = 1.0 + 0.06 * noise.at(p * 4.0 + own);
            place + turn * (Vec3::new(p.x * belly * worn, p.y, 0.62 * p.z * worn) * size)
        });
    }
    let skin = |place: &Place| {
        let years = 0.5 + 0.5 * sin(34.0 * place.up + 2.0 * noise.at(place.round));
        let tone = rgb(0x2a2c38).lerp(rgb(0x4c4c5c), 0.6 * years).lerp(rgb(0x8a7f70), smoothstep(0.25, 0.0, place.up));
        let barnacle = smoothstep(0.15, 0.09, noise.cells(place.round * 1.5 + 6.0).0);
        let worn = smoothstep(0.25, 0.5, noise.at(place.round * 1.3 + 4.0));
        tone.lerp(rgb(0x7a7d8c), 0.6 * worn).lerp(rgb(0xc8c0ae), 0.9 * barnacle)
    };
    colony.finish(("mussels", "blue mussels, Mytilus, each about 0.06 m long"), 128, skin, skin)
}

fn plumose(seed: u64) -> Forged {
    let mut colony = Colony::new(Material { translucency: 0.3, ..matt("plumose_anemone") }, seed ^ 0x9105);
    let noise = colony.noise;
    for n in 0..4 {
        let (around, out) = sown(n, 4);
        let size = if n == 0 { 1.0 } else { colony.between(0.4, 0.75) };
        let foot = leaning(around, FRAC_PI_2) * (0.34 * out);
        let lean = rotation_arc(Vec3::Y, leaning(colony.chance() * TAU, colony.between(0.05, 0.3)));
        let column = [
            (0.16, 0.0),
            (0.115, 0.06),
            (0.095, 0.20),
            (0.097, 0.38),
            (0.12, 0.46),
            (0.185, 0.50),
            (0.20, 0.525),
            (0.17, 0.555),
            (0.08, 0.555),
            (0.0, 0.54),
        ];
        colony.turned(&column, (if n == 0 { 20 } else { 14 }, 1), |p, way| {
            let frill = 0.4 * noise.at(way * 2.0 + n as f32) + 0.15 * noise.at(way * 5.0 + n as f32);
            let lobe = 1.0 + frill * smoothstep(0.45, 0.52, p.y) + 0.06 * noise.at(p * 12.0);
            foot + lean * (Vec3::new(p.x * lobe, p.y, p.z * lobe) * size)
        });
        let arms = if n == 0 { 42 } else { 16 };
        for k in 0..arms {
            let (turn, far) = sown(k, arms);
            let from = foot + lean * ((leaning(turn, FRAC_PI_2) * (0.19 * far) + Vec3::Y * 0.53) * size);
            let way = lean * leaning(turn + colony.between(-0.4, 0.4), 0.2 + 1.3 * far);
            let length = colony.between(0.09, 0.15) * size;
            colony.branch(
                &[from, from + way * (0.6 * length), from + way * length],
                4,
                0.024 * size,
                &[(0.0, 0.9), (0.6, 1.0), (1.0, 0.0)],
            );
        }
    }
    let arm = |place: &Place| ramp(&[(0.0, rgb(0x8c8272)), (0.6, rgb(0xc4baa6)), (1.0, rgb(0xe8e0d0))], place.up);
    let skin = |place: &Place| {
        let streak = noise.at(place.round * Vec3::new(4.0, 0.5, 4.0));
        let tone =
            ramp(&[(0.0, rgb(0x6c6252)), (0.5, rgb(0xa89c86)), (0.7, rgb(0xd0c6b2)), (1.0, rgb(0x8c8068))], place.up);
        tone * (0.95 + 0.15 * streak)
    };
    colony.finish(("plumose_anemone", "plumose anemones, Metridium, about 0.25 m high"), 128, arm, skin)
}

fn rusticles(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("rusticles"), seed ^ 0x2057);
    let noise = colony.noise;
    let count = 14;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let foot = leaning(around, FRAC_PI_2) * (0.24 * out);
        let length = colony.between(0.3, 0.95) * (1.0 - 0.4 * out);
        let aside = Vec3::new(colony.between(-0.05, 0.05), 0.0, colony.between(-0.05, 0.05));
        let at = |t: f32| foot + Vec3::Y * (length * t) + aside * (t * t);
        let path = [at(-0.05), at(0.25), at(0.5), at(0.8), at(1.0)];
        let thick = colony.between(0.05, 0.085);
        colony.branch(&path, 5, thick, &[(0.0, 1.5), (0.28, 0.8), (0.52, 0.65), (0.8, 0.42), (1.0, 0.0)]);
    }
    let skin = |place: &Place| {
        let run = noise.at(place.round * Vec3::new(2.6, 0.4, 2.6));
        let tone =
            rgb(0x2e1c12).lerp(rgb(0x8c4c22), 0.5 + 0.8 * run).lerp(rgb(0xb88a48), smoothstep(0.75, 1.0, place.up));
        tone * (0.9 + 0.3 * noise.at(place.round * 3.4))
    };
    colony.finish(("rusticles", "rusticles, about 0.3 m long"), 64, skin, skin)
}
