//! Sponges: barrels, crusts, ropes.

use std::f32::consts::FRAC_PI_2;

use glam::Vec3;
use math::{mix, smoothstep};

use super::{Colony, Place, entry, leaning, matt, sown};
use crate::maths::{atan2, cos, sin};
use crate::paint::{ramp, rgb};
use crate::{Entry, Forged, Noise};

/// The sponges of this file.
pub const ENTRIES: &[Entry] = &[
    entry("barrel_sponge", "a ribbed barrel", barrel),
    entry("crust_sponge", "a lobed crust with chimneys", crust),
    entry("rope_sponge", "knotted ropes", ropes),
];

/// A sponge's skin: pores between blunt knobs.
fn pores(noise: &Noise, place: &Place, size: f32, tone: Vec3) -> Vec3 {
    let (knob, next) = noise.cells(place.round * size);
    let (pore, _) = noise.cells(place.round * (1.7 * size) + 5.0);
    let light = 0.82 + 0.26 * smoothstep(0.55, 0.1, knob) - 0.12 * smoothstep(0.12, 0.0, next - knob);
    tone * (light - 0.42 * smoothstep(0.24, 0.12, pore) + 0.14 * noise.at(place.round * 1.4 + 3.0))
}

fn barrel(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("barrel_sponge"), seed ^ 0xBA44);
    let noise = colony.noise;
    for n in 0..2 {
        let size = if n == 0 { 1.0 } else { 0.55 };
        let place = Vec3::new(0.36, 0.0, 0.14) * n as f32;
        let own = 5.0 * n as f32;
        let profile = [
            (0.17, 0.0),
            (0.25, 0.16),
            (0.31, 0.38),
            (0.31, 0.58),
            (0.27, 0.74),
            (0.23, 0.78),
            (0.19, 0.73),
            (0.17, 0.52),
            (0.0, 0.42),
        ];
        colony.body(&profile, if n == 0 { 24 } else { 16 }, |p, way| {
            let angle = atan2(way.z, way.x);
            let wander = 1.6 * noise.at(Vec3::new(way.x, 1.6 * p.y, way.z) * 1.4 + own);
            let rib =
                1.0 + 0.10 * cos(if n == 0 { 8.0 } else { 5.0 } * angle + wander) + 0.12 * noise.at(way * 1.2 + own);
            let aslant = 0.10 * way.x * smoothstep(0.5, 0.8, p.y);
            place + Vec3::new(p.x * rib + 0.12 * p.y * p.y, p.y + aslant, p.z * rib) * size
        });
    }
    let skin = |place: &Place| {
        let stops = [
            (0.0, rgb(0x4a4238)),
            (0.12, rgb(0x8c7c68)),
            (0.55, rgb(0xb09c84)),
            (0.64, rgb(0xcebca2)),
            (0.72, rgb(0x5c5044)),
            (0.85, rgb(0x1c1814)),
        ];
        let grooves = 1.0 - 0.28 * smoothstep(0.1, 0.5, noise.at(place.round * Vec3::new(4.5, 0.5, 4.5)));
        pores(&noise, place, 4.0, ramp(&stops, place.up)) * grooves
    };
    colony.finish(("barrel_sponge", "a barrel sponge, Xestospongia, about 0.4 m high"), 128, skin, skin)
}

fn crust(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("crust_sponge"), seed ^ 0xC257);
    let noise = colony.noise;
    let lobed = |way: Vec3| {
        let flat = way.with_y(0.0).normalize_or_zero();
        let edge = smoothstep(0.95, 0.2, way.y);
        1.0 + (0.50 * noise.at(flat * 1.3 + 2.0) + 0.22 * noise.at(flat * 3.1 + 8.0)) * edge
    };
    let cells = 10;
    let bumps = |way: Vec3| 0.10 + 0.045 * noise.at(way * 2.8) + 0.04 * smoothstep(0.4, 0.1, noise.cells(way * 2.2).0);
    let part = colony.part;
    colony.mesh.drape(part, (cells, cells), super::BODY, |uv| {
        let way = crate::props::relief::half_sphere(uv);
        let wide = lobed(way);
        Vec3::new(way.x * 0.5 * wide, way.y.max(0.0).sqrt() * bumps(way), way.z * 0.5 * wide)
    });
    for n in 0..5 {
        let (around, out) = sown(n, 5);
        let way = leaning(around + colony.chance(), 0.9 * out);
        let at = Vec3::new(way.x * 0.42, way.y.max(0.0).sqrt() * bumps(way) - 0.02, way.z * 0.42);
        let size = colony.between(0.035, 0.06);
        let up = crate::maths::rotation_arc(Vec3::Y, (Vec3::Y + way * 0.4).normalize());
        colony.body(&[(1.3, 0.0), (0.85, 1.0), (0.6, 1.05), (0.5, 0.3)], 7, |p, _| at + up * (p * size));
    }
    let skin = |place: &Place| {
        let vein = smoothstep(0.06, 0.0, noise.at(place.round * 1.5 + 11.0).abs());
        let tone = rgb(0x96836c).lerp(rgb(0xb8a488), 0.5 + 0.7 * noise.at(place.round * 0.9));
        pores(&noise, place, 3.6, tone.lerp(rgb(0xcdbca0), 0.5 * vein))
    };
    colony.finish(("crust_sponge", "an encrusting sponge, about 0.25 m across"), 128, skin, skin)
}

fn ropes(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("rope_sponge"), seed ^ 0x209E);
    let noise = colony.noise;
    for n in 0..7 {
        let (around, out) = sown(n, 7);
        let length = colony.between(0.5, 0.95);
        let tilt = 0.2 + 0.8 * out;
        let foot = leaning(around, FRAC_PI_2) * (0.10 * out);
        let own = 3.0 * n as f32;
        let at = |t: f32| {
            let way = leaning(around + 0.6 * sin(2.5 * t + own), tilt * (1.0 - 0.4 * t));
            let knot = Vec3::new(noise.at(Vec3::new(own, 3.0 * t, 0.5)), 0.0, noise.at(Vec3::new(own, 3.0 * t, 7.5)));
            foot + way * (length * t) + knot * (0.16 * t)
        };
        let path = [0.0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0].map(at);
        let thick = colony.between(0.040, 0.058);
        let lumps = [(0.0, 1.25), (0.2, 0.85), (0.4, 1.05), (0.6, 0.82), (0.8, 1.0), (0.95, 0.7), (1.0, 0.0)];
        colony.branch(&path, 6, thick, &lumps);
        if n % 2 == 0 {
            let (from, way) = (at(0.45), leaning(around + 1.9, 0.9));
            let path = [
                from,
                from + way * 0.14 * length,
                from + (way + Vec3::Y) * 0.17 * length,
                from + (way + Vec3::Y) * 0.19 * length,
            ];
            colony.branch(&path, 5, 0.8 * thick, &[(0.0, 1.0), (0.5, 1.0), (0.9, 0.7), (1.0, 0.0)]);
        }
    }
    let skin = |place: &Place| {
        let (mouth, _) = noise.cells(place.round * Vec3::new(1.1, 1.6, 1.1) + 2.0);
        let tone = rgb(0x8a745e).lerp(rgb(0xb49a7e), 0.5 + 0.6 * noise.at(place.round * 1.2));
        let tone =
            tone.lerp(rgb(0xd0bc9e), smoothstep(0.36, 0.28, mouth)).lerp(rgb(0x1c1612), smoothstep(0.24, 0.16, mouth));
        pores(&noise, place, 3.4, tone) * mix(0.5, 1.0, smoothstep(0.0, 0.2, place.up))
    };
    colony.finish(("rope_sponge", "a rope sponge such as Aplysina, about 0.4 m high"), 128, skin, skin)
}
