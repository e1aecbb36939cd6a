//! Stony corals: brain, staghorn, table.

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::paint::{ramp, rgb};
use crate::props::relief::{Relief, half_sphere};
use crate::shapes::Rect;
use crate::{Canvas, Category, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

mod staghorn;
mod table;

/// The stony corals.
pub const ENTRIES: &[Entry] = &[
    Entry { name: "brain_coral", kind: Category::Flora, description: "a furrowed dome", make: brain_coral },
    Entry {
        name: "staghorn_coral",
        kind: Category::Flora,
        description: "a thicket of pale-tipped branches",
        make: staghorn::make,
    },
    Entry { name: "table_coral", kind: Category::Flora, description: "wide plates on a short stem", make: table::make },
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
    assemble("brain_coral", comment, &mesh, &Rig::still(), vec![("brain_coral.png".into(), canvas.to_picture())])
}

/// A labyrinth of ridges (1) and valleys (0) about `half_wave` texels wide: noise, sharpened repeatedly at one scale
/// until it is all furrows, like a Turing pattern of short-range growth and long-range inhibition.
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
