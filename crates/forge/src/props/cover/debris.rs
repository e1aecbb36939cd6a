//! Debris at the foot of a reef or a wreck: broken branches of dead coral, stones, broken planks.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::Vec3;
use math::{mix, smoothstep};

use super::{Colony, Place, entry, leaning, matt, sown};
use crate::maths::{rotation_about, rotation_y, scale_rotation_translation};
use crate::paint::{ramp, rgb};
use crate::props::relief::half_sphere;
use crate::{Entry, Forged, Noise};

/// The debris of this file.
pub const ENTRIES: &[Entry] = &[
    entry("coral_shards", "broken branches of dead coral", shards),
    entry("stones", "cobbles and chips of stone", stones),
    entry("planks", "broken planks of a ship", planks),
];

/// Bare skeleton with a film of algae, and pits where polyps were.
fn bleached(noise: &Noise, place: &Place) -> Vec3 {
    let tone = rgb(0x8f8266).lerp(rgb(0xc9bc9c), 0.5 + 0.9 * noise.at(place.round * 0.8));
    let film = smoothstep(-0.1, 0.4, noise.at(place.round * 0.6 + 7.0));
    let pit = smoothstep(0.34, 0.16, noise.cells(place.round * 4.0).0);
    tone.lerp(rgb(0x6c6440), 0.55 * film) * (1.0 - 0.35 * pit + 0.12 * noise.at(place.round * 3.7))
}

fn shards(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("coral_shards"), seed ^ 0x54A2);
    let noise = colony.noise;
    let count = 11;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let place = leaning(around + colony.between(-0.4, 0.4), FRAC_PI_2) * (0.46 * out);
        let way = leaning(TAU * colony.chance(), FRAC_PI_2 - colony.between(-0.1, 0.22));
        let (length, thick) = (colony.between(0.14, 0.36), colony.between(0.020, 0.042));
        let from = place + Vec3::Y * (0.6 * thick);
        let bend = way.cross(Vec3::Y) * colony.between(-0.06, 0.06);
        let path = [from, from + way * (0.5 * length) + bend, from + way * length];
        let blunt = [(0.0, 0.0), (0.04, 1.0), (0.6, 0.85), (0.97, 0.7), (1.0, 0.0)];
        let path = [path[0], path[0].lerp(path[1], 0.1), path[1], path[1].lerp(path[2], 0.9), path[2]];
        colony.branch(&path, 5, thick, &blunt);
        if n % 2 == 0 {
            let side = (rotation_y(colony.between(0.6, 1.1)) * way).with_y(0.12).normalize();
            let stub = [path[2], path[2] + side * (0.22 * length), path[2] + side * (0.38 * length)];
            colony.branch(&stub, 4, 0.8 * thick, &[(0.0, 1.0), (0.9, 0.7), (1.0, 0.0)]);
        }
    }
    let skin = |place: &Place| bleached(&noise, place);
    colony.finish(("coral_shards", "broken branches of staghorn coral, about 0.3 m across"), 64, skin, skin)
}

fn stones(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("stones"), seed ^ 0x5705);
    let noise = colony.noise;
    let (count, part) = (9, colony.part);
    for n in 0..count {
        let (around, out) = sown(n, count);
        let size = mix(0.17, 0.05, n as f32 / count as f32) * colony.between(0.8, 1.2);
        let place = leaning(around + colony.between(-0.5, 0.5), FRAC_PI_2) * (0.42 * out) - Vec3::Y * (0.2 * size);
        let cells = if n < 4 { 4 } else { 3 };
        let own = 5.0 * n as f32;
        let flat = colony.between(0.5, 0.85);
        let range = colony.mesh.drape(part, (cells, cells), super::BODY, |uv| {
            let way = half_sphere(uv);
            // Broken flat here and there.
            let face = 1.0 - 0.4 * smoothstep(0.1, 0.7, noise.at(way * 1.4 + own)) + 0.25 * noise.at(way * 2.4 + own);
            way * Vec3::new(1.0, flat, 0.8) * face
        });
        let turn = rotation_y(TAU * colony.chance()) * rotation_about(Vec3::X, colony.between(-0.3, 0.3));
        colony.mesh.transform(range, scale_rotation_translation(Vec3::splat(size), turn, place));
    }
    let stops = [(0.0, rgb(0x5b564c)), (0.5, rgb(0x8b8474)), (1.0, rgb(0xa49c88))];
    let skin = |place: &Place| {
        let fleck = smoothstep(0.3, 0.1, noise.cells(place.round * 3.0).0);
        let tone = ramp(&stops, 0.5 + 0.6 * noise.at(place.round * 1.1)) * (0.95 + 0.16 * noise.at(place.round * 4.3));
        tone.lerp(rgb(0xc4bca6), 0.4 * fleck)
    };
    colony.finish(("stones", "cobbles, about 0.3 m across"), 64, skin, skin)
}

/// Wood long under water: grey and brown along its grain, worm holes, a film of silt.
fn sodden(noise: &Noise, place: &Place) -> Vec3 {
    let along = place.round * Vec3::new(3.0, 0.22, 3.0);
    let grain = noise.at(along) + 0.5 * noise.at(along * 2.3 + 5.0);
    let tone = ramp(&[(0.0, rgb(0x2e261c)), (0.5, rgb(0x5d4f3b)), (1.0, rgb(0x857660))], 0.5 + 0.7 * grain);
    let hole = smoothstep(0.20, 0.10, noise.cells(place.round * Vec3::new(2.2, 1.4, 2.2)).0);
    let silt = smoothstep(0.0, 0.5, noise.at(place.round * 0.5 + 11.0));
    tone.lerp(rgb(0x6f6a4a), 0.45 * silt) * (1.0 - 0.55 * hole)
}

fn planks(seed: u64) -> Forged {
    let mut colony = Colony::new(matt("planks"), seed ^ 0x91A4);
    let noise = colony.noise;
    let count = 5;
    for n in 0..count {
        let (around, out) = sown(n, count);
        let place = leaning(around + colony.between(-0.5, 0.5), FRAC_PI_2) * (0.30 * out);
        let (length, half) = (colony.between(0.35, 0.95), colony.between(0.045, 0.085));
        let sag = colony.between(0.0, 0.03);
        let before = colony.mesh.vertices.len();
        // Splintered at either end.
        let torn = [colony.between(0.7, 1.0), colony.between(0.6, 1.0)];
        let profile =
            [(0.0, 0.0), (0.01, torn[0]), (0.10, 1.0), (0.5, 0.97), (0.86, 0.95), (0.99, torn[1]), (1.0, 0.0)];
        let path = profile.map(|(t, _)| Vec3::new(length * (t - 0.5), -sag * (2.0 * t - 1.0) * (2.0 * t - 1.0), 0.0));
        colony.branch(&path, 6, half, &profile);
        let range = before..colony.mesh.vertices.len();
        let own = 3.0 * n as f32;
        colony.mesh.bend(range.clone(), |p| {
            let end = (2.0 * p.x / length).abs();
            let ragged =
                0.05 * length * smoothstep(0.6, 1.0, end) * noise.at(Vec3::new(own, 26.0 * p.z, 9.0 * p.x.signum()));
            Vec3::new(p.x + ragged, p.y.clamp(-0.6 * half, 0.6 * half), p.z) * Vec3::new(1.0, 0.30, 1.0)
        });
        let lean =
            rotation_about(Vec3::Z, colony.between(-0.05, 0.22)) * rotation_about(Vec3::X, colony.between(-0.5, 0.5));
        let lift = Vec3::Y * colony.between(0.01, 0.05);
        let turn = rotation_y(TAU * colony.chance()) * lean;
        colony.mesh.transform(range, scale_rotation_translation(Vec3::ONE, turn, place + lift));
    }
    let skin = |place: &Place| sodden(&noise, place);
    colony.finish(("planks", "broken planks, about 1 m across"), 64, skin, skin)
}
