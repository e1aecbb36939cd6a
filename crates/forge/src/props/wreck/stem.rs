//! The wreck's stem: three curved timbers scarfed together, with a rabbet for the planks' ends and a worn cutwater.

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use super::board;
use crate::shapes::Rect;
use crate::{Curve, Mesh, Noise};

/// Edge toward the hull and edge toward the sea, from the keel up: z and y.
const EDGES: [[[f32; 2]; 8]; 2] = [
    [
        [-0.400, 0.005],
        [-0.440, 0.016],
        [-0.468, 0.050],
        [-0.486, 0.095],
        [-0.493, 0.150],
        [-0.497, 0.210],
        [-0.510, 0.270],
        [-0.536, 0.322],
    ],
    [
        [-0.400, -0.025],
        [-0.440, -0.014],
        [-0.476, 0.022],
        [-0.503, 0.075],
        [-0.521, 0.135],
        [-0.539, 0.195],
        [-0.565, 0.255],
        [-0.601, 0.310],
    ],
];

/// Half a section, from the hull's side forward: place between the edges, -1 to 1, and half width, 1 being the greatest. The
/// rabbet is the notch; before it the stem tapers to the cutwater.
const SECTION: [[f32; 2]; 6] = [[-1.0, 0.80], [-0.42, 1.0], [-0.30, 0.66], [-0.16, 0.94], [0.55, 0.66], [1.0, 0.26]];

/// Half width at the keel and at the head.
const HALF: [f32; 2] = [0.0125, 0.0095];

/// Pieces: first and last place along the stem, and rings between them.
const PIECES: [(f32, f32, usize); 3] = [(0.0, 0.36, 5), (0.36, 0.70, 4), (0.70, 1.0, 5)];

/// Slant of a scarf: distance along the stem from its middle to either edge.
const SCARF: f32 = 0.055;

/// Adds the stem.
pub fn build(mesh: &mut Mesh, part: usize, noise: &Noise) {
    let lines = EDGES.map(|edge| {
        [0, 1].map(|axis| Curve::new(&(0..8).map(|i| (i as f32 / 7.0, edge[i][axis])).collect::<Vec<_>>()))
    });
    let edge = |side: usize, t: f32| Vec2::new(lines[side][0].at(t), lines[side][1].at(t));
    for (piece, (from, to, steps)) in PIECES.into_iter().enumerate() {
        // No two were hewn to quite the same breadth.
        let own = [1.0, 0.90, 0.97][piece];
        let ring = |i: usize, wide: f32, more: f32| -> Vec<Vec3> {
            let middle = mix(from, to, i as f32 / steps as f32);
            let slant = if middle <= 0.0 { 0.0 } else { SCARF * smoothstep(0.5, 0.0, (middle - 0.5).abs() - 0.05) };
            let point = |k: usize| {
                let (k, side) = if k < SECTION.len() { (k, 1.0) } else { (2 * SECTION.len() - 1 - k, -1.0) };
                let [f, w] = SECTION[k];
                let t = (middle + slant * f).clamp(0.0, 1.0);
                // The cutwater is gnawed, and every edge rubbed.
                let worn = noise.hash(9500 + 40 * (10 * piece + i) as i32 + 2 * k as i32);
                let gnawed = if k == SECTION.len() - 1 { 0.22 * worn * worn } else { 0.05 * worn };
                let across = mix(-1.0, 1.0, 0.5 + 0.5 * f * wide) - gnawed * f.signum();
                let p = edge(0, t).lerp(edge(1, t), 0.5 + 0.5 * across);
                let up = (edge(0, (t + 0.02).min(1.0)) - edge(0, (t - 0.02).max(0.0))).normalize_or(Vec2::Y);
                let p = p + up * more * (0.6 + 0.8 * worn);
                let half = mix(HALF[0], HALF[1], t) * own * w * wide * (1.0 - 0.12 * worn);
                Vec3::new(side * half, p.y, p.x)
            };
            let mut points: Vec<Vec3> = (0..2 * SECTION.len()).map(point).collect();
            points.push(points[0]);
            points
        };
        let closed = |ring: &[Vec3]| {
            let middle = ring[1..].iter().sum::<Vec3>() / (ring.len() - 1) as f32;
            vec![middle; ring.len()]
        };
        let mut rings: Vec<Vec<Vec3>> = (0..=steps).map(|i| ring(i, 1.0, 0.0)).collect();
        if piece + 1 == PIECES.len() {
            // The head is rotten round.
            rings.push(ring(steps, 0.80, 0.010));
            rings.push(ring(steps, 0.42, 0.015));
        }
        if piece > 0 {
            rings.insert(0, closed(&rings[0]));
        }
        rings.push(closed(&rings[rings.len() - 1]));
        let own = board(5 + 3 * piece as i32);
        let first = mesh.triangles.len();
        mesh.loft(part, &rings, Rect { min: own.min, max: own.max });
        // Seen from inside out they must be the other way round.
        let inward = mesh.triangles[first..].iter().filter(|triangle| {
            let [a, b, c] = triangle.corners.map(|id| mesh.vertices[id as usize].position);
            let out = (a + b + c) / 3.0;
            (b - a).cross(c - a).x * out.x < 0.0
        });
        if 2 * inward.count() > mesh.triangles.len() - first {
            mesh.triangles[first..].iter_mut().for_each(|triangle| triangle.corners.swap(1, 2));
        }
    }
}
