//! Sponges: barrels, crusts, ropes.

use std::f32::consts::FRAC_PI_2;

use glam::Vec3;
use math::{mix, smoothstep};

use super::{Colony, Place, entry, leaning, matt, sown};
use crate::maths::{atan2, cos, powf, sin};
use crate::paint::{ramp, rgb};
use crate::{Entry, Forged, Noise};

/// The sponges of this file.
pub const ENTRIES: &[Entry] = &[
    entry("barrel_sponge", "a ribbed barrel", barrel),
    entry("crust_sponge", "a lobed crust with chimneys", crust),
    entry("rope_sponge", "knotted ropes", ropes),
];

/// A sponge's skin: pores between blunt knobs.
fn pores(noise: &Noise, at: Vec3, size: f32, tone: Vec3) -> Vec3 {
    let (knob, next) = noise.cells(at * size);
    let (pore, _) = noise.cells(at * (1.7 * size) + 5.0);
    let light = 0.82 + 0.26 * smoothstep(0.55, 0.1, knob) - 0.12 * smoothstep(0.12, 0.0, next - knob);
    tone * (light - 0.42 * smoothstep(0.24, 0.12, pore) + 0.14 * noise.at(at * 1.4 + 3.0))
}

/// Ribs of a barrel.
const RIBS: f32 = 8.0;
/// Share of a barrel's profile below the rim of its mouth, and height of that.
const BARREL_RIM: (f32, f32) = (0.64, 0.785);

/// A barrel's ribs in a direction from its axis, at a height: 1 on their crests, 0 in the grooves between.
fn ribs(noise: &Noise, way: Vec3, y: f32) -> f32 {
    let wander = 1.6 * noise.at(Vec3::new(way.x, 1.2 * y, way.z) * 1.4);
    powf(cos(0.5 * (RIBS * atan2(way.z, way.x) + wander)).abs(), 0.7)
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
            (0.25, 0.17),
            (0.31, 0.42),
            (0.30, 0.62),
            (0.262, 0.755),
            (0.225, 0.785),
            (0.19, 0.745),
            (0.17, 0.56),
            (0.09, 0.44),
            (0.0, 0.42),
        ];
        colony.turned(&profile, if n == 0 { (48, 2) } else { (32, 1) }, |p, way| {
            let across = p.with_y(0.0).length();
            // Its wall is smooth within.
            let outside = smoothstep(0.195, 0.25, across).max(smoothstep(0.4, 0.2, p.y));
            let rough = 0.11 * noise.at(p * 6.0 + own) + 0.09 * noise.at(p * 13.0 + own);
            let rib = 1.0
                + (0.17 * (ribs(&noise, way, p.y) - 0.7) + rough) * mix(0.25, 1.0, outside)
                + 0.12 * noise.at(way * 1.2 + own);
            let uneven = 0.05 * noise.at(way * 2.4 + own) + 0.02 * noise.at(way * 6.0 + own);
            let aslant = (0.10 * way.x + uneven) * smoothstep(0.5, 0.8, p.y);
            place + Vec3::new(p.x * rib + 0.12 * p.y * p.y, p.y + aslant, p.z * rib) * size
        });
    }
    let skin = |place: &Place| {
        let stops = [
            (0.0, rgb(0x4a4238)),
            (0.12, rgb(0x8c7c68)),
            (0.55, rgb(0xb09c84)),
            (0.64, rgb(0xd6c6ac)),
            (0.72, rgb(0x5c5044)),
            (0.85, rgb(0x1c1814)),
        ];
        // The picture runs from +z toward +x.
        let way = Vec3::new(place.round.z, 0.0, place.round.x);
        let groove = 1.0 - ribs(&noise, way, BARREL_RIM.1 * (place.up / BARREL_RIM.0).min(1.0));
        let shade = 1.0 - 0.50 * smoothstep(0.15, 0.8, groove) * smoothstep(0.74, 0.64, place.up);
        let fibre = 1.0 + 0.16 * noise.at(place.round * Vec3::new(9.0, 2.0, 9.0));
        pores(&noise, place.round, 5.5, ramp(&stops, place.up)) * (shade * fibre)
    };
    colony.finish(("barrel_sponge", "a barrel sponge, Xestospongia, about 0.4 m high"), 256, skin, skin)
}

fn crust(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("crust_sponge"), seed ^ 0xC257);
    let noise = colony.noise;
    let lobed = |way: Vec3| {
        let flat = way.with_y(0.0).normalize_or_zero();
        let edge = smoothstep(0.95, 0.2, way.y);
        1.0 + (0.50 * noise.at(flat * 1.3 + 2.0) + 0.22 * noise.at(flat * 3.1 + 8.0)) * edge
    };
    let cells = 26;
    let bumps = |way: Vec3| {
        let knobs = 0.045 * smoothstep(0.45, 0.05, noise.cells(way * 2.2).0);
        0.10 + 0.045 * noise.at(way * 2.8) + knobs + 0.012 * noise.at(way * 9.0)
    };
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
        let profile = [(1.4, 0.0), (0.95, 0.5), (0.86, 0.95), (0.74, 1.06), (0.60, 0.98), (0.5, 0.3)];
        colony.turned(&profile, (14, 1), |p, way| {
            at + up * ((p * (1.0 + 0.10 * noise.at(way * 2.0 + n as f32)) + Vec3::Y * (0.1 * p.y * way.x)) * size)
        });
    }
    let skin = |place: &Place| {
        let at = place.dome * 2.4;
        let vein = smoothstep(0.06, 0.0, noise.at(at * 1.5 + 11.0).abs());
        let tone = rgb(0x96836c).lerp(rgb(0xb8a488), 0.5 + 0.7 * noise.at(at * 0.9));
        let thin = mix(0.7, 1.0, smoothstep(0.0, 0.3, place.dome.y));
        pores(&noise, at, 3.6, tone.lerp(rgb(0xcdbca0), 0.5 * vein)) * thin
    };
    colony.finish(("crust_sponge", "an encrusting sponge, about 0.25 m across"), 256, skin, skin)
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
        let path = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(at);
        let thick = colony.between(0.040, 0.058);
        let lumps = [(0.0, 1.25), (0.2, 0.85), (0.4, 1.05), (0.6, 0.82), (0.8, 1.0), (1.0, 0.85)];
        let knots = |p: Vec3| 0.16 * noise.at(p * 9.0 + own) + 0.13 * noise.at(p * 21.0);
        colony.limb(&path, (10, 11), (thick, &lumps), knots);
        if n % 2 == 0 {
            let (from, way) = (at(0.45), leaning(around + 1.9, 0.9));
            let path = [from, from + way * 0.14 * length, from + (way + Vec3::Y) * 0.19 * length];
            colony.limb(&path, (9, 5), (0.8 * thick, &[(0.0, 1.0), (0.5, 1.0), (1.0, 0.85)]), knots);
        }
    }
    let skin = |place: &Place| {
        let (mouth, _) = noise.cells(place.round * Vec3::new(1.1, 1.6, 1.1) + 2.0);
        let tone = rgb(0x8a745e).lerp(rgb(0xb49a7e), 0.5 + 0.6 * noise.at(place.round * 1.2));
        let tone =
            tone.lerp(rgb(0xd0bc9e), smoothstep(0.36, 0.28, mouth)).lerp(rgb(0x1c1612), smoothstep(0.24, 0.16, mouth));
        pores(&noise, place.on_limb(14.0), 3.4, tone) * mix(0.5, 1.0, smoothstep(0.0, 0.2, place.up))
    };
    colony.finish(("rope_sponge", "a rope sponge such as Aplysina, about 0.4 m high"), 128, skin, skin)
}
