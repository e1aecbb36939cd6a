//! Stony colonies: fingers, clubs, whorls, plates, knobs, discs, domes, blades.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use math::{GOLDEN_ANGLE, mix, smoothstep};

use super::{Colony, STONY, entry, leaning, matt, polyps, sown};
use crate::maths::{atan2, cos, powf, powi, rotation_arc, sin};
use crate::paint::{ramp, rgb};
use crate::{Entry, Forged, Material};

/// The colonies of this file.
pub const ENTRIES: &[Entry] = &[
    entry("digitate_coral", "a cluster of blunt fingers", digitate),
    entry("cauliflower_coral", "a head of stubby clubs", cauliflower),
    entry("whorl_coral", "ruffled funnels in each other", whorl),
    entry("plate_coral", "small tables in tiers", plates),
    entry("knob_coral", "a heap of round columns", knobs),
    entry("mushroom_coral", "a few ribbed discs", mushrooms),
    entry("star_coral", "a lobed dome of cups", star),
    entry("blade_coral", "upright wavy blades", blades),
];

/// Half widths of a blunt finger along its length.
const BLUNT: [(f32, f32); 3] = [(0.0, 1.15), (0.6, 1.0), (1.0, 0.72)];

fn digitate(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("digitate_coral"), seed ^ 0xD161);
    let noise = colony.noise;
    colony.dome(8, Vec2::new(0.30, 0.13), |way| 1.0 + 0.2 * noise.at(way * 2.0));
    let count = 15;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let around = around + colony.between(-0.3, 0.3);
        let way = leaning(around, 0.95 * out + colony.between(-0.1, 0.1));
        let from = leaning(around, 0.5 * std::f32::consts::PI) * (0.22 * out) + Vec3::Y * 0.06;
        let length = colony.between(0.26, 0.42) * (1.0 - 0.25 * out * out);
        let bent = (way + Vec3::Y * 0.45).normalize();
        let bend = from + way * (0.55 * length);
        let path = [from, bend, bend + bent * (0.47 * length)];
        let thick = colony.between(0.045, 0.060);
        let own = 2.0 * n as f32;
        colony.limb(&path, (9, 5), (thick, &BLUNT), |p| 0.12 * noise.at(p * 9.0 + own) + 0.14 * noise.at(p * 22.0));
    }
    let comment = "a digitate coral such as Acropora humilis, about 0.2 m across";
    let skin = |place: &_| polyps(&noise, place, 4.2, &STONY);
    colony.finish(("digitate_coral", comment), 128, skin, |place| polyps(&noise, place, 5.0, &STONY) * 0.7)
}

fn cauliflower(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("cauliflower_coral"), seed ^ 0xCA01);
    let noise = colony.noise;
    colony.dome(6, Vec2::new(0.30, 0.28), |_| 1.0);
    let count = 21;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let way = leaning(around + colony.between(-0.25, 0.25), 1.5 * out);
        let side = way.cross(Vec3::Y + Vec3::X * 0.1).normalize_or(Vec3::X);
        let length = colony.between(0.42, 0.54) * mix(1.0, 0.92, out);
        let aside = side * colony.between(-0.05, 0.05);
        let path = [way * 0.2, way * (0.72 * length) + aside, way * length + aside];
        let thick = colony.between(0.085, 0.115);
        let profile = [(0.0, 0.5), (0.6, 0.85), (0.85, 1.0), (1.0, 0.9)];
        // Warty all over.
        colony.limb(&path, (10, 3), (thick, &profile), |p| 0.13 * noise.at(p * 8.0) + 0.17 * noise.at(p * 17.0));
    }
    let stops = [(0.0, rgb(0x2c241e)), (0.45, rgb(0x6c5c4c)), (0.7, rgb(0xa48f7c)), (0.95, rgb(0xd8c8b8))];
    let skin = |place: &super::Place| {
        let (wart, next) = noise.cells(place.on_limb(4.0) * 3.2 + 4.0);
        let light = 0.70 + 0.42 * smoothstep(0.55, 0.12, wart) - 0.16 * smoothstep(0.14, 0.0, next - wart);
        ramp(&stops, place.up + 0.05 * noise.at(place.round)) * light
    };
    let comment = "a cauliflower coral, Pocillopora, about 0.2 m across";
    colony.finish(("cauliflower_coral", comment), 128, skin, |place| polyps(&noise, place, 5.0, &stops) * 0.55)
}

fn whorl(seed: u64) -> Forged {
    let mut colony = Colony::new(Material { translucency: 0.08, ..matt("whorl_coral") }, seed ^ 0x3041);
    let noise = colony.noise;
    for n in 0..4 {
        let (around, out) = sown(n, 4);
        let own = colony.chance() * TAU;
        let size = mix(0.46, 0.28, n as f32 / 3.0) * colony.between(0.9, 1.1);
        let foot = leaning(around, 0.5 * std::f32::consts::PI) * (0.30 * out);
        let lean = rotation_arc(Vec3::Y, leaning(around, 0.45 * out));
        colony.leaf((if n < 2 { 38 } else { 26 }, 4), (0.085 * size, 1.0), |s, t| {
            let turn = own + 1.25 * TAU * s;
            let ruffle = sin(5.0 * turn + own) * 0.09 + 0.20 * noise.at(Vec3::new(cos(turn), own, sin(turn)) * 1.6);
            // The ends of the leaf are round.
            let t = t * (1.0 - 0.55 * powi(2.0 * s - 1.0, 10));
            let reach = size * (0.12 + 0.88 * t) * (0.72 + 0.34 * s) * (1.0 + 0.5 * ruffle * t);
            let rise = size * (0.95 * powf(t, 0.75) * (0.7 + 0.35 * s) + ruffle * t * t);
            let flat = Vec3::new(cos(turn) * reach, rise, sin(turn) * reach);
            foot + lean * (flat + Vec3::Y * (0.06 * size * t * noise.at(flat * 8.0 + own)))
        });
    }
    let stops = [(0.0, rgb(0x3a3226)), (0.4, rgb(0x7d6d50)), (0.85, rgb(0xa08f6e)), (0.96, rgb(0xbcaa84))];
    let skin = |place: &super::Place| {
        // It grew outward in bands; its polyps stand apart.
        let bands = 0.07 * sin(place.up * 46.0 + 3.0 * noise.at(place.round * 1.2));
        let fine = bands + 0.14 * noise.at(place.round * Vec3::new(9.0, 1.0, 9.0));
        polyps(&noise, place, 5.5, &stops) * (1.0 + fine)
    };
    let comment = "a foliose coral such as Turbinaria, about 0.4 m across";
    colony.finish(("whorl_coral", comment), 256, skin, skin)
}

fn plates(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("plate_coral"), seed ^ 0x91A7);
    let noise = colony.noise;
    let stem = [Vec3::ZERO, Vec3::Y * 0.12, Vec3::Y * 0.30];
    colony.branch(&stem, 9, 0.12, &[(0.0, 1.3), (0.5, 0.8), (1.0, 0.9)]);
    for n in 0..3 {
        let toward = n as f32 * 2.2 + colony.between(-0.4, 0.4);
        let (size, own) = (mix(0.46, 0.30, n as f32 / 2.0), colony.chance() * 9.0);
        let middle = Vec3::Y * (0.14 + 0.11 * n as f32) + leaning(toward, 1.57) * 0.10;
        // From the middle of the lower side over the rim to the middle of the upper.
        let profile = [
            (0.0, -0.22),
            (0.25, -0.15),
            (0.62, -0.06),
            (0.90, 0.005),
            (0.98, 0.030),
            (1.0, 0.075),
            (0.97, 0.118),
            (0.88, 0.120),
            (0.50, 0.045),
            (0.0, 0.02),
        ];
        colony.turned(&profile, ([48, 42, 36][n], 1), |p, way| {
            let angle = way.x * cos(toward) + way.z * sin(toward);
            // Its rim grows in round lobes.
            let lobe = 4.5 * atan2(way.z, way.x) + 1.5 * noise.at(way * 1.5 + own);
            let lobes = 0.16 * noise.at(way * 1.5 + own) + 0.10 * (cos(lobe).abs() - 0.6);
            let edge = 0.74 + 0.26 * angle + lobes + 0.035 * noise.at(way * 8.0 + own);
            let out = p.with_y(0.0).length();
            let wave = 0.05 * noise.at(p * 3.0 + own) + 0.10 * out * out * noise.at(way * 2.4 + own + 5.0);
            // Branchlets stand on the upper side.
            let rough = 0.022 * noise.at(Vec3::new(p.x, 0.0, p.z) * 9.0 + own);
            middle + Vec3::new(p.x * edge, p.y + wave + rough, p.z * edge) * size
        });
    }
    let skin = |place: &super::Place| {
        // Up the profile: 0 below the middle, 0.5 the rim, 1 above the middle.
        let rim = smoothstep(0.16, 0.02, (place.up - 0.5).abs());
        let above = smoothstep(0.45, 0.55, place.up);
        let stops = [(0.0, rgb(0x453b2e)), (0.5, rgb(0x8a7a5e)), (1.0, rgb(0xe2d8c4))];
        let flat = place.on_disc();
        let tone = ramp(&stops, 0.16 + 0.34 * above + 0.5 * rim + 0.10 * noise.at(flat * 2.5));
        let (knob, next) = noise.cells(flat * 13.0);
        let gap = smoothstep(0.20, 0.0, next - knob);
        tone * (0.78 + 0.40 * smoothstep(0.5, 0.1, knob) - mix(0.12, 0.30, above) * gap)
    };
    let comment = "young table corals, Acropora, about 0.3 m across";
    colony.finish(("plate_coral", comment), 256, |place| polyps(&noise, place, 4.0, &STONY) * 0.6, skin)
}

fn knobs(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("knob_coral"), seed ^ 0x6A0B);
    let noise = colony.noise;
    let count = 12;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let foot = leaning(around + colony.between(-0.2, 0.2), 1.57) * (0.33 * out);
        let way = leaning(around, 0.5 * out + colony.between(0.0, 0.15));
        let height = colony.between(0.24, 0.46) * (1.0 - 0.4 * out * out);
        let thick = colony.between(0.085, 0.14);
        let at = |t: f32| foot + way * (height * t);
        let profile = [(0.0, 0.75), (0.45, 0.86), (0.8, 1.0), (1.0, 0.9)];
        let own = 3.0 * n as f32;
        colony.limb(&[at(-0.1), at(0.45), at(1.02)], (14, 5), (thick, &profile), |p| {
            0.16 * noise.at(p * 6.0 + own) + 0.07 * noise.at(p * 15.0)
        });
    }
    let stops = [(0.0, rgb(0x3b3428)), (0.35, rgb(0x6f6248)), (0.7, rgb(0x9c8c66)), (1.0, rgb(0xb9aa84))];
    let skin = |place: &super::Place| {
        let q = place.on_limb(4.0);
        let (polyp, next) = noise.cells(q * 4.5);
        let light = 0.86 + 0.26 * smoothstep(0.5, 0.1, polyp) - 0.16 * smoothstep(0.14, 0.0, next - polyp);
        ramp(&stops, place.up + 0.08 * noise.at(q * 1.3)) * (light + 0.14 * noise.at(q * 1.8 + 9.0))
    };
    let comment = "a knobbly massive coral such as Porites, about 0.25 m across";
    colony.finish(("knob_coral", comment), 128, skin, skin)
}

fn mushrooms(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("mushroom_coral"), seed ^ 0x3057);
    let noise = colony.noise;
    for n in 0..5 {
        let (around, out) = sown(n, 5);
        let size = colony.between(0.17, 0.27);
        let long = colony.between(1.0, 1.5);
        let place = leaning(around, 1.57) * (0.34 * out) + Vec3::Y * (0.03 * n as f32);
        let tilt = rotation_arc(Vec3::Y, leaning(colony.chance() * TAU, colony.between(0.05, 0.45)));
        let profile = [
            (0.50, -0.12),
            (0.86, -0.04),
            (0.985, 0.05),
            (1.0, 0.13),
            (0.92, 0.215),
            (0.72, 0.29),
            (0.42, 0.335),
            (0.14, 0.30),
            (0.0, 0.20),
        ];
        let own = n as f32;
        colony.turned(&profile, (32, 1), |p, way| {
            let edge = 1.0 + 0.10 * noise.at(way * 3.0 + own) + 0.04 * noise.at(way * 7.0 + own);
            let lift = 0.07 * noise.at(way * 2.0 + own + 3.0) * p.with_y(0.0).length();
            place + tilt * (Vec3::new(p.x * edge * long, p.y + lift, p.z * edge) * size)
        });
    }
    // Blades of its skeleton, long and short ones in turn, radiate from the mouth.
    let skin = |place: &super::Place| {
        let angle = atan2(place.round.z, place.round.x) + 0.05 * noise.at(place.round * 2.4);
        let blade = |count: f32| powf(0.5 + 0.5 * cos(angle * count), 0.7);
        let fine = blade(26.0).max(blade(52.0) * smoothstep(0.75, 0.5, place.up));
        let stops = [(0.0, rgb(0x332b22)), (0.25, rgb(0xb0a087)), (0.4, rgb(0xc6b69a)), (0.75, rgb(0x9a866a))];
        let mouth = smoothstep(0.86, 0.95, place.up);
        let tooth = 0.10 * noise.at(place.round * Vec3::new(8.0, 6.0, 8.0));
        ramp(&stops, place.up).lerp(rgb(0x3a2e25), mouth) * (mix(0.56, 1.06, fine) + tooth)
    };
    let comment = "mushroom corals, Fungia, each about 0.12 m across";
    colony.finish(("mushroom_coral", comment), 256, skin, skin)
}

fn star(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("star_coral"), seed ^ 0x57A4);
    let noise = colony.noise;
    let lobes = |way: Vec3| noise.cells(way * 1.5 + 3.0);
    colony.dome(34, Vec2::new(0.5, 0.40), |way| {
        let (lobe, next) = lobes(way);
        0.80 + 0.30 * smoothstep(0.9, 0.1, lobe) - 0.10 * smoothstep(0.3, 0.0, next - lobe)
            + 0.08 * noise.at(way * 2.2)
            + 0.025 * noise.at(way * 9.0)
    });
    let skin = |place: &super::Place| {
        let (cup, next) = noise.cells(place.dome * 13.0);
        let wall = smoothstep(0.26, 0.05, next - cup);
        let tone = rgb(0x8c7a5c).lerp(rgb(0xcebe9e), wall).lerp(rgb(0x2c251e), 0.9 * smoothstep(0.34, 0.14, cup));
        let (lobe, beside) = lobes(place.dome);
        let crease = smoothstep(0.22, 0.0, beside - lobe);
        let low = mix(0.6, 1.0, smoothstep(0.0, 0.4, place.dome.y));
        tone * (0.98 + 0.20 * noise.at(place.dome * 2.4) + 0.10 * noise.at(place.dome * 30.0) - 0.4 * crease) * low
    };
    let comment = "a star coral such as Favia, about 0.25 m across";
    colony.finish(("star_coral", comment), 256, skin, skin)
}

fn blades(seed: u64) -> Forged {
    let mut colony = Colony::new(Material { translucency: 0.05, ..matt("blade_coral") }, seed ^ 0xB1AD);
    let noise = colony.noise;
    let count = 10;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let foot = leaning(around, 1.57) * (0.30 * out);
        let turn = n as f32 * GOLDEN_ANGLE * 0.5 + colony.between(-0.3, 0.3);
        let (wide, high) = (colony.between(0.16, 0.28), colony.between(0.28, 0.52) * (1.0 - 0.3 * out));
        let (along, out_way) = (leaning(turn, 1.57), leaning(around, 1.57));
        let own = n as f32 * 3.7;
        colony.leaf((12, 4), (0.055, 0.4), |s, t| {
            let x = 2.0 * s - 1.0;
            let round = 1.0 - 0.80 * powi(x, 4);
            let wave = noise.at(Vec3::new(x * 1.6, t * 1.2, own)) + 0.14 * noise.at(Vec3::new(x * 4.0, t * 3.0, own));
            let notch = 1.0 + 0.20 * noise.at(Vec3::new(x * 3.0, own, 1.0)) * t;
            let across = along.cross(Vec3::Y);
            foot + along * (x * wide * (0.80 + 0.20 * t - 0.20 * t * x * x))
                + Vec3::Y * (high * t * round * notch)
                + across * (0.10 * wave + 0.05 * x * x)
                + out_way * (0.25 * high * t * t * out)
        });
    }
    let stops = [(0.0, rgb(0x3a2f20)), (0.4, rgb(0x866c42)), (0.8, rgb(0xab9058)), (0.96, rgb(0xeee2c4))];
    let skin = |place: &super::Place| {
        let pore = smoothstep(0.22, 0.08, noise.cells(place.round * 9.0).0);
        ramp(&stops, place.up + 0.05 * noise.at(place.round * 4.0))
            * (1.0 - 0.25 * pore + 0.12 * noise.at(place.round * 2.0))
    };
    let comment = "a bladed fire coral, Millepora, about 0.25 m across";
    colony.finish(("blade_coral", comment), 128, skin, skin)
}
