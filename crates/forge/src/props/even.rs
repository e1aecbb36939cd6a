//! Texture coordinates that are relaxed so that a picture is not streaked: bulges of the surface get more of the
//! square.

use glam::{Vec2, Vec3};

/// Cells of the laid grid along a side.
const CELLS: usize = 40;
/// Samples of the surface along a side.
const LOOKED_UP: usize = 161;
/// Rounds of relaxation: more make no visible difference.
const ROUNDS: usize = 600;

/// Strength of the springs in the square itself, over that of those on the surface.
const IN_SQUARE: f32 = 0.02;

/// A map of the square 0..1 onto itself that keeps its edges and corners.
pub struct EvenMap {
    /// Positions of the corners of the grid's cells, row by row.
    nodes: Vec<Vec2>,
}

impl EvenMap {
    /// Computes a map that makes the grid's edges on `surface` about equally long: springs between neighbours, which
    /// pull harder the longer they are, relax to rest.
    pub fn new(surface: impl Fn(Vec2) -> Vec3) -> Self {
        let along = |n: usize, of: usize| n as f32 / of as f32;
        let square = |side: usize| {
            (0..side * side).map(move |i| Vec2::new(along(i % side, side - 1), along(i / side, side - 1)))
        };
        let places: Vec<Vec3> = square(LOOKED_UP).map(&surface).collect();
        let place = |uv: Vec2| bilinear(&places, uv);
        let mut nodes: Vec<Vec2> = square(CELLS + 1).collect();
        for _ in 0..ROUNDS {
            nodes = relaxed(&nodes, place);
        }
        Self { nodes }
    }

    /// Maps a point of the square.
    pub fn at(&self, uv: Vec2) -> Vec2 {
        bilinear(&self.nodes, uv)
    }
}

/// One round of relaxation: each node moves part of the way along the pull of its springs.
fn relaxed(nodes: &[Vec2], place: impl Fn(Vec2) -> Vec3) -> Vec<Vec2> {
    const SIDE: usize = CELLS + 1;
    let step = 1.0 / (LOOKED_UP - 1) as f32;
    let places: Vec<Vec3> = nodes.iter().map(|uv| place(*uv)).collect();
    let moved = nodes.iter().enumerate().map(|(i, &uv)| {
        let (x, y) = (i % SIDE, i / SIDE);
        let [inside_x, inside_y] = [x, y].map(|n| n > 0 && n < CELLS);
        // A node on an edge of the square slides along the edge.
        let beside = inside_x.then(|| [i - 1, i + 1]);
        let over = inside_y.then(|| [i - SIDE, i + SIDE]);
        let (mut pull, mut strength, mut least, mut away) = (Vec3::ZERO, 1e-12, f32::MAX, Vec2::ZERO);
        for n in beside.into_iter().chain(over).flatten() {
            let edge = places[n] - places[i];
            pull += edge * edge.length_squared();
            strength += edge.length_squared();
            least = least.min(nodes[n].distance(uv));
            away += nodes[n] - uv;
        }
        let [u, v] = [Vec2::X, Vec2::Y].map(|axis| {
            let (a, b) =
                ((uv - step * axis).clamp(Vec2::ZERO, Vec2::ONE), (uv + step * axis).clamp(Vec2::ZERO, Vec2::ONE));
            (place(b) - place(a)) / (b - a).dot(axis)
        });
        let pull = 0.2 * pull / strength;
        // The step in the square that best matches the pull on the surface (least squares, normal equations).
        let (uu, across, vv) = (u.dot(u), u.dot(v), v.dot(v));
        let determinant = uu * vv - across * across;
        let met = Vec2::new(u.dot(pull), v.dot(pull));
        let by = match (inside_x, inside_y) {
            (true, true) if determinant > 1e-9 => {
                Vec2::new(vv * met.x - across * met.y, uu * met.y - across * met.x) / determinant
            }
            (true, false) => Vec2::new(met.x / uu.max(1e-9), 0.0),
            (false, true) => Vec2::new(0.0, met.y / vv.max(1e-9)),
            _ => Vec2::ZERO,
        };
        // Weak springs in the square keep nodes from slipping off a summit. A node never passes a neighbour.
        let by = if inside_x || inside_y { by + IN_SQUARE * away } else { by };
        (uv + by.clamp_length_max(0.25 * least.min(1.0))).clamp(Vec2::ZERO, Vec2::ONE)
    });
    moved.collect()
}

/// Bilinear interpolation in a square of values, row by row, over (0, 0) to (1, 1).
pub fn bilinear<T>(values: &[T], uv: Vec2) -> T
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Mul<f32, Output = T>,
{
    let side = values.len().isqrt();
    let at = uv.clamp(Vec2::ZERO, Vec2::ONE) * (side - 1) as f32;
    let [x, y] = [at.x, at.y].map(|a| (a as usize).min(side - 2));
    let (s, t) = (at.x - x as f32, at.y - y as f32);
    let row = |y: usize| values[y * side + x] * (1.0 - s) + values[y * side + x + 1] * s;
    row(y) * (1.0 - t) + row(y + 1) * t
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::exp;

    #[test]
    fn a_hill_gets_more_of_the_square() {
        let hill = |uv: Vec2| Vec3::new(uv.x, 0.5 * exp(-(uv - 0.5).length_squared() / 0.04), uv.y);
        let map = EvenMap::new(hill);
        let longest = |at: &dyn Fn(Vec2) -> Vec2| {
            let edge = |x: usize, y: usize| {
                let place = |x: usize| hill(at(Vec2::new(x as f32, y as f32) / 40.0));
                place(x).distance(place(x + 1))
            };
            (0..40).flat_map(|x| (0..41).map(move |y| (x, y))).map(|(x, y)| edge(x, y)).fold(0.0, f32::max)
        };
        let (before, after) = (longest(&|uv| uv), longest(&|uv| map.at(uv)));
        assert!(after < 0.9 * before, "{before} {after}");
        for corner in [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE] {
            assert_eq!(map.at(corner), corner);
        }
        assert!((0..=40).all(|n| map.at(Vec2::new(n as f32 / 40.0, 1.0)).y == 1.0));
    }
}
