//! Soft colonies: leather corals, whips, trees of bundles, mats of polyps, tufts of turf.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::Vec3;
use math::{mix, smoothstep};

use super::{BRANCH, Colony, SOFT, entry, leaning, matt, sown};
use crate::maths::{cos, sin};
use crate::paint::{ramp, rgb};
use crate::props::relief::half_sphere;
use crate::{Entry, Forged, Material};

/// The colonies of this file.
pub const ENTRIES: &[Entry] = &[
    entry("leather_coral", "folded caps on thick stalks", leather),
    entry("sea_whip", "slender wands from one foot", whips),
    entry("soft_coral", "a tree of soft bundles", tree),
    entry("zoanthid_mat", "a mat of small flowers", zoanthids),
    entry("turf_tuft", "a tuft of fine algae", turf),
];

fn leather(seed: u64) -> Forged {
    let mut colony = Colony::new(Material { translucency: 0.08, ..matt("leather_coral") }, seed ^ 0x1EA7);
    let noise = colony.noise;
    for n in 0..3 {
        let (around, out) = sown(n, 3);
        let size = if n == 0 { 1.0 } else { colony.between(0.45, 0.7) };
        let place = leaning(around, FRAC_PI_2) * (0.42 * out);
        let own = 4.0 * n as f32 + colony.chance();
        let profile = [
            (0.16, 0.0),
            (0.12, 0.16),
            (0.14, 0.30),
            (0.29, 0.355),
            (0.42, 0.385),
            (0.472, 0.41),
            (0.48, 0.445),
            (0.44, 0.47),
            (0.34, 0.47),
            (0.18, 0.445),
            (0.0, 0.42),
        ];
        colony.turned(&profile, if n == 0 { (44, 2) } else { (28, 1) }, |p, way| {
            let edge = smoothstep(0.12, 0.48, p.with_y(0.0).length());
            let fold = noise.at(way * 2.0 + own) + 0.22 * noise.at(way * 4.0 + own);
            let wide = 1.0 + 0.38 * fold * edge;
            let rough = 0.012 * noise.at(p * 9.0 + own);
            let high = p.y + 0.10 * edge * sin(4.5 * fold + own) + rough;
            place + Vec3::new(p.x * wide, high, p.z * wide) * size
        });
    }
    let skin = |place: &super::Place| {
        // Smooth stalk and underside; polyps like velvet on the cap.
        let cap = smoothstep(0.52, 0.60, place.up);
        let stalk = rgb(0x8c8068).lerp(rgb(0xb2a68c), 0.5 + 0.6 * noise.at(place.round * Vec3::new(5.0, 0.7, 5.0)));
        let flat = place.on_disc();
        let (polyp, next) = noise.cells(flat * 17.0);
        let light = 0.80 + 0.42 * smoothstep(0.45, 0.1, polyp) - 0.14 * smoothstep(0.15, 0.0, next - polyp);
        let rim = smoothstep(0.66, 0.58, place.up);
        let velvet = rgb(0x948669).lerp(rgb(0xc2b596), rim) * (light + 0.14 * noise.at(flat * 3.0));
        let shade = mix(0.45, 1.0, smoothstep(0.0, 0.25, place.up)) * mix(0.7, 1.0, cap);
        stalk.lerp(velvet, cap) * shade
    };
    let comment = "a leather coral, Sarcophyton, about 0.3 m across";
    colony.finish(("leather_coral", comment), 256, skin, skin)
}

fn whips(seed: u64) -> Forged {
    let mut colony = Colony::new(Material { translucency: 0.1, ..matt("sea_whip") }, seed ^ 0x3819);
    let noise = colony.noise;
    for n in 0..9 {
        let (around, out) = sown(n, 9);
        let length = colony.between(0.55, 1.0);
        let tilt = 0.15 + 0.75 * out * colony.between(0.6, 1.0);
        let foot = leaning(around, FRAC_PI_2) * (0.06 * out);
        let drift = Vec3::new(colony.between(-0.2, 0.2), 0.0, colony.between(-0.2, 0.2));
        let path: Vec<Vec3> = (0..=6)
            .map(|k| {
                let t = k as f32 / 6.0;
                // Out, and up again toward the light.
                let way = leaning(around, tilt * (1.0 - 0.55 * t));
                foot + way * (length * t) + drift * (sin(3.0 * t + n as f32) * t)
            })
            .collect();
        colony.branch(&path, 4, 0.019, &[(0.0, 1.3), (0.2, 0.9), (0.94, 0.75), (1.0, 0.0)]);
    }
    let skin = |place: &super::Place| {
        // Rows of polyps, pale against the bark.
        let (polyp, _) = noise.cells(place.round * Vec3::new(1.9, 4.5, 1.9));
        let bark = rgb(0x6e5a48).lerp(rgb(0x9a846a), 0.5 + 0.6 * noise.at(place.round * Vec3::new(2.0, 1.0, 2.0)));
        bark.lerp(rgb(0xd8ccb2), 0.75 * smoothstep(0.45, 0.15, polyp)) * mix(0.55, 1.0, smoothstep(0.0, 0.15, place.up))
    };
    colony.finish(("sea_whip", "sea whips such as Ellisella, about 0.5 m high"), 64, skin, skin)
}

fn tree(seed: u64) -> Forged {
    let mut colony = Colony::new(Material { translucency: 0.3, ..matt("soft_coral") }, seed ^ 0x7EE5);
    let noise = colony.noise;
    let top = Vec3::new(0.05, 0.52, -0.03);
    let trunk = [Vec3::ZERO, Vec3::new(0.03, 0.2, 0.01), Vec3::new(0.02, 0.4, -0.02), top];
    colony.limb(&trunk, (10, 5), (0.085, &[(0.0, 1.2), (0.4, 0.85), (1.0, 0.5)]), |p| 0.10 * noise.at(p * 9.0));
    for n in 0..8 {
        let around = n as f32 * 2.4 + colony.between(-0.3, 0.3);
        let rise = (n as f32 + 0.5) / 8.0;
        let from = trunk[1].lerp(top, rise);
        let way = leaning(around, mix(1.45, 0.35, rise));
        let length = mix(0.34, 0.26, rise) * colony.between(0.85, 1.15);
        let end = from + way * length;
        colony.branch(&[from, from.lerp(end, 0.5) - Vec3::Y * 0.02, end], 6, 0.034, &[(0.0, 1.1), (1.0, 0.7)]);
        for k in 0..4 {
            let [a, b, c] = [colony.chance(), colony.chance(), colony.chance()];
            let out = (way + 1.1 * leaning(TAU * a, 0.3 + 1.5 * b)).normalize();
            let base = from.lerp(end, 0.55 + 0.15 * k as f32);
            let lump = 0.09 + 0.05 * c;
            // A bundle, lumpy with polyps.
            let profile = [(0.0, 0.55), (0.5, 1.0), (1.0, 0.85)];
            colony.limb(&[base, base + out * (1.15 * lump)], (8, 2), (0.062, &profile), |p| {
                0.18 * noise.at(p * 13.0) + 0.24 * noise.at(p * 27.0)
            });
        }
    }
    let skin = |place: &super::Place| {
        let (polyp, next) = noise.cells(place.on_limb(2.6) * 4.6);
        let tone = ramp(&SOFT, 0.3 + 0.6 * place.up);
        // Needles of chalk show through.
        let needle = smoothstep(0.12, 0.02, next - polyp);
        tone * (0.80 + 0.36 * smoothstep(0.5, 0.12, polyp)) + 0.08 * needle
    };
    colony.finish(("soft_coral", "a soft coral, Dendronephthya, about 0.3 m high"), 128, skin, skin)
}

fn zoanthids(seed: u64) -> Forged {
    let mut colony = Colony::new(Material { translucency: 0.1, ..matt("zoanthid_mat") }, seed ^ 0x20A7);
    let noise = colony.noise;
    let mound = |way: Vec3| 1.0 + 0.35 * noise.at(way * 1.7 + 3.0);
    colony.mesh.drape(colony.part, (12, 12), BRANCH, |uv| {
        let way = half_sphere(uv);
        way * Vec3::new(0.48, 0.13, 0.48) * mound(way)
    });
    let count = 28;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let tilt = 1.35 * out + colony.between(-0.1, 0.1);
        let way = leaning(around + colony.between(-0.15, 0.15), tilt);
        let at = way * Vec3::new(0.46, 0.12, 0.46) * mound(way);
        let up = (way + Vec3::Y * 0.9).normalize();
        let size = colony.between(0.070, 0.110);
        let turn = crate::maths::rotation_arc(Vec3::Y, up);
        // A stalk, an uneven saucer, and the mouth.
        let profile = [(0.42, -0.2), (0.55, 0.55), (1.0, 1.0), (0.86, 1.04), (0.35, 0.92), (0.0, 0.84)];
        let own = 2.0 * n as f32;
        colony.body(&profile, 10, |p, way| {
            let uneven = 1.0 + 0.16 * noise.at(way * 1.8 + own);
            at + turn * (Vec3::new(p.x * uneven, p.y, p.z * uneven) * size)
        });
    }
    let skin = |place: &super::Place| {
        let angle = crate::maths::atan2(place.round.z, place.round.x);
        let ray = 0.5 + 0.5 * cos(16.0 * angle);
        let stops = [
            (0.0, rgb(0x2c261e)),
            (0.35, rgb(0x6c6048)),
            (0.55, rgb(0xc8ba98)),
            (0.72, rgb(0x8c7c5c)),
            (0.86, rgb(0xa89674)),
            (0.97, rgb(0x3a3024)),
        ];
        ramp(&stops, place.up)
            * (0.86 + 0.22 * ray * smoothstep(0.3, 0.5, place.up) + 0.12 * noise.at(place.round * 3.0))
    };
    // Between them the mat shows, with sand in it.
    let mat = |place: &super::Place| {
        let (grain, _) = noise.cells(place.dome * 22.0);
        rgb(0x5c5140).lerp(rgb(0x8a7b60), 0.5 + 0.5 * noise.at(place.dome * 4.0))
            * (0.75 + 0.35 * smoothstep(0.5, 0.1, grain))
    };
    colony.finish(("zoanthid_mat", "a mat of zoanthids, Palythoa, about 0.2 m across"), 128, mat, skin)
}

fn turf(seed: u64) -> Forged {
    let mut colony = Colony::new(Material { translucency: 0.25, ..matt("turf_tuft") }, seed ^ 0x7F2F);
    let noise = colony.noise;
    let count = 46;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let foot = leaning(around + colony.between(-0.2, 0.2), FRAC_PI_2) * (0.42 * out);
        let way = leaning(around + colony.between(-0.7, 0.7), 0.25 + 0.75 * out * colony.chance());
        let length = colony.between(0.16, 0.38) * (1.0 - 0.35 * out);
        let bent = (way + Vec3::new(0.45, 0.1, 0.3)).normalize();
        let path = [foot - way * 0.02, foot + way * (0.5 * length), foot + (way * 0.5 + bent * 0.5) * length];
        let thick = colony.between(0.016, 0.030);
        colony.branch(&path, 3, thick, &[(0.0, 1.0), (0.55, 0.9), (1.0, 0.0)]);
    }
    let stops = [(0.0, rgb(0x2a2a1a)), (0.4, rgb(0x5c5a38)), (0.8, rgb(0x8c8656)), (1.0, rgb(0xb4aa7c))];
    let skin = |place: &super::Place| {
        let joints = 0.08 * sin(place.up * 60.0);
        ramp(&stops, place.up) * (0.95 + joints + 0.2 * noise.at(place.round * 2.0))
    };
    colony.finish(("turf_tuft", "a tuft of turf algae, about 0.08 m across"), 64, skin, skin)
}
