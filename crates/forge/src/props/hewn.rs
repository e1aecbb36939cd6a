//! Forms of rock hewn in space: broken into blocks, hollowed by caves, dissolved into ridges and knobs.
//!
//! A form worn along rays from its middle has neither overhangs nor roughness that looks the same from all sides: here
//! every stage moves the surface along its own normal, by fields that fill space.

use glam::{Vec2, Vec3};
use math::{Occupied, mix, smoothstep};

use crate::Noise;
use crate::props::even::{EvenMap, bilinear};

/// Points along a side of the sampled surface.
const SIDE: usize = 321;
/// Steps between the samples that a normal is taken over, for what moves metres and for what moves decimetres.
const BROAD: usize = 12;
const NARROW: usize = 8;

/// Steps between the samples whose openness to light is found out, the side of the cells that stand in its way, and the
/// distance within which they do. Unit of the last two: half widths of the rock.
const OPEN: (usize, f32, f32) = (4, 0.05, 1.6);

/// Strength of what wears a rock.
#[derive(Clone, Copy, Debug)]
pub struct Wear {
    /// Half the rock's width: the length that all else is measured in.
    pub unit: f32,
    /// Number of caves in its sides.
    pub caves: usize,
    /// Distance by which blocks between joints stand out or have fallen away.
    pub blocks: f32,
    /// Depth of hollows that water and borers leave, and height of knobs.
    pub knobs: f32,
}

/// A surface over (0, 0) to (1, 1), sampled; its texture lies evenly on it.
pub struct Hewn {
    points: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Openness to light of every fourth sample each way.
    open: Vec<f32>,
    laid: EvenMap,
}

impl Hewn {
    /// Hews a rock out of `form`, a surface over the same square whose edge stands on the ground, y = 0.
    pub fn new(form: impl Fn(Vec2) -> Vec3, noise: &Noise, wear: Wear) -> Self {
        let even = EvenMap::new(&form);
        let along = |n: usize| n as f32 / (SIDE - 1) as f32;
        let mut points: Vec<Vec3> =
            (0..SIDE * SIDE).map(|i| form(even.at(Vec2::new(along(i % SIDE), along(i / SIDE))))).collect();
        let caves = Caves::new(noise, &points, wear.caves);
        move_along(&mut points, BROAD, |p, n| {
            let (q, n) = (p / wear.unit, n);
            (wear.blocks * broken(noise, q) * n - caves.depth(noise, q) * (n * Vec3::new(1.0, 0.35, 1.0))) * wear.unit
        });
        move_along(&mut points, NARROW, |p, n| wear.knobs * dissolved(noise, p / wear.unit) * wear.unit * n);
        let laid = EvenMap::new(|uv| bilinear(&points, uv));
        let normals = (0..points.len()).map(|i| normal(&points, i, 1)).collect();
        let open = openness(&points, wear.unit);
        Self { points, normals, open, laid }
    }

    /// The surface at a place of the texture.
    pub fn at(&self, uv: Vec2) -> Vec3 {
        bilinear(&self.points, self.laid.at(uv))
    }

    /// Openness to light at a place of the texture: 1 free, 0 deep in a cave.
    pub fn openness(&self, uv: Vec2) -> f32 {
        bilinear(&self.open, self.laid.at(uv))
    }

    /// The surface and its normal at a place of the texture.
    pub fn with_normal(&self, uv: Vec2) -> (Vec3, Vec3) {
        let at = self.laid.at(uv);
        (bilinear(&self.points, at), bilinear(&self.normals, at).normalize_or(Vec3::Y))
    }
}

/// Openness to light of every so many samples each way.
fn openness(points: &[Vec3], unit: f32) -> Vec<f32> {
    let (every, cell, reach) = OPEN;
    let side = (SIDE - 1) / every;
    let corner = |x: usize, y: usize| points[every * (y * SIDE + x)];
    let faces = (0..side * side).flat_map(|i| {
        let (x, y) = (i % side, i / side);
        let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
        [[a, b, c], [a, c, d]]
    });
    let solid = Occupied::by(faces, cell * unit);
    let samples = (0..(side + 1) * (side + 1)).map(|i| every * (i / (side + 1) * SIDE + i % (side + 1)));
    samples.map(|i| solid.openness(points[i], normal(points, i, every), reach * unit)).collect()
}

/// Moves every point by `by(point, normal)`; near the ground only sideways.
fn move_along(points: &mut Vec<Vec3>, step: usize, by: impl Fn(Vec3, Vec3) -> Vec3) {
    let high = points.iter().fold(0.0_f32, |high, p| high.max(p.y));
    let moved = points.iter().enumerate().map(|(i, &p)| {
        let by = by(p, normal(points, i, step));
        p + by * Vec3::new(1.0, smoothstep(0.0, 0.12, p.y / high), 1.0)
    });
    *points = moved.collect();
}

/// Normal at a sample, over neighbours `step` away.
fn normal(points: &[Vec3], i: usize, step: usize) -> Vec3 {
    let (x, y) = (i % SIDE, i / SIDE);
    let at = |x: usize, y: usize| points[y * SIDE + x];
    let (left, right) = (x.saturating_sub(step), (x + step).min(SIDE - 1));
    let (above, below) = (y.saturating_sub(step), (y + step).min(SIDE - 1));
    (at(x, below) - at(x, above)).cross(at(right, y) - at(left, y)).normalize_or(Vec3::Y)
}

/// Hollows in the sides of a rock, each with its roof.
struct Caves(Vec<(Vec3, f32)>);

impl Caves {
    fn new(noise: &Noise, points: &[Vec3], count: usize) -> Self {
        let high = points.iter().fold(0.0_f32, |high, p| high.max(p.y));
        let wide = points.iter().fold(0.0_f32, |wide, p| wide.max(p.x.abs()));
        let cave = |n: usize| {
            let [a, b, c] = [0, 1, 2].map(|k| noise.hash(900 + 3 * n as i32 + k));
            // Random places of the sampled surface until one is on a side, steps of the golden ratio apart.
            let place = (0..40).map(|k| {
                let share = (a + (n + 7 * k) as f32 * 0.618_034).fract();
                (share * points.len() as f32) as usize % points.len()
            });
            let on_side = |i: &usize| {
                let level = points[*i].y / high;
                (0.12..0.75).contains(&level) && normal(points, *i, BROAD).y < 0.45
            };
            place.into_iter().find(on_side).map(|i| (points[i] / wide, mix(0.20, 0.42, b * c.sqrt())))
        };
        Self((0..count).filter_map(cave).collect())
    }

    /// Depth below the surface at a place, in half widths.
    fn depth(&self, noise: &Noise, q: Vec3) -> f32 {
        let ragged = 1.0 + 0.30 * noise.fbm(q * 3.1 + 15.0, 3);
        let depth = |(middle, radius): &(Vec3, f32)| {
            // Wider than high.
            let away = ((q - *middle) * Vec3::new(0.8, 1.35, 0.8)).length() / radius * ragged;
            1.25 * radius * (1.0 - away * away).max(0.0).sqrt() * smoothstep(1.0, 0.8, away)
        };
        self.0.iter().map(depth).fold(0.0, f32::max)
    }
}

/// Height of the block at a place, about -1 to 1, and the joint beside it.
fn broken(noise: &Noise, q: Vec3) -> f32 {
    let bent = q + 0.10 * Vec3::new(noise.at(q * 2.3 + 3.0), noise.at(q * 2.3 + 23.0), noise.at(q * 2.3 + 43.0));
    let level = |scale: f32, shift: f32| {
        // Blocks are flatter than they are wide.
        let (near, next, middle) = noise.cell(bent * Vec3::new(1.0, 1.5, 1.0) * scale + shift);
        let joint = smoothstep(0.17, 0.0, next - near) * smoothstep(-0.35, 0.15, noise.at(q * 0.9 * scale + 31.0));
        1.9 * noise.at(middle * 0.73 + 5.0) - 1.3 * joint
    };
    level(1.35, 11.0) + 0.45 * level(3.1, 67.0)
}

/// Height of the face that water, borers and old coral leave at a place, about -1 to 1: rounded hollows between sharp
/// ridges, holes as large as a head, knobs.
fn dissolved(noise: &Noise, q: Vec3) -> f32 {
    let ridges = noise.ridged(q * 1.7 + 47.0, 4) - 0.5;
    let (hole, _) = noise.cells(q * 2.7 + 53.0);
    let holes = smoothstep(0.52, 0.14, hole) * smoothstep(-0.25, 0.25, noise.at(q * 1.3 + 61.0));
    let (knob, _) = noise.cells(q * 4.9 + 67.0);
    let knobs = smoothstep(0.60, 0.05, knob) * smoothstep(-0.3, 0.3, noise.at(q * 1.9 + 71.0));
    let (small, _) = noise.cells(q * 9.5 + 71.0);
    1.1 * ridges + 0.6 * knobs - 1.3 * holes + 0.3 * smoothstep(0.6, 0.1, small) + 0.5 * noise.fbm(q * 6.3 + 83.0, 3)
}
