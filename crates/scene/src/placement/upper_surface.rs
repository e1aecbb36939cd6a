//! The upper surface of a placed thing, on which others may stand.

use glam::{Vec2, Vec3};

/// The upper surface of a placed thing as a height map in world space.
pub struct UpperSurface {
    /// Least x and z. Unit: m.
    min: Vec2,
    /// Distance between points. Unit: m.
    cell: f32,
    /// Points in a row along x; 0 without triangles.
    width: usize,
    /// Minus infinity where there is nothing. Unit: m.
    heights: Vec<f32>,
    reach: f32,
}

impl UpperSurface {
    /// The surface of triangles in world space.
    pub fn new(triangles: &[[Vec3; 3]]) -> Self {
        let flat = |p: &Vec3| Vec2::new(p.x, p.z);
        let (min, max) = triangles
            .iter()
            .flatten()
            .fold((Vec2::MAX, Vec2::MIN), |(low, high), p| (low.min(flat(p)), high.max(flat(p))));
        if triangles.is_empty() {
            return Self { min: Vec2::ZERO, cell: 1.0, width: 0, heights: Vec::new(), reach: 0.0 };
        }
        let extent = max - min;
        let cell = (extent.max_element() / 40.0).max(0.01);
        let (width, depth) = ((extent.x / cell) as usize + 2, (extent.y / cell) as usize + 2);
        let mut heights = vec![f32::NEG_INFINITY; width * depth];
        for [a, b, c] in triangles {
            let (pa, pb, pc) = (flat(a) - min, flat(b) - min, flat(c) - min);
            let area = (pb - pa).perp_dot(pc - pa);
            if area.abs() < 1e-9 {
                continue;
            }
            let (low, high) = (pa.min(pb).min(pc) / cell, pa.max(pb).max(pc) / cell);
            for j in low.y.ceil() as usize..=(high.y as usize).min(depth - 1) {
                for i in low.x.ceil() as usize..=(high.x as usize).min(width - 1) {
                    let p = Vec2::new(i as f32, j as f32) * cell;
                    let (u, v) = ((pc - pb).perp_dot(p - pb) / area, (pa - pc).perp_dot(p - pc) / area);
                    if u >= -1e-4 && v >= -1e-4 && u + v <= 1.0001 {
                        let height = u * a.y + v * b.y + (1.0 - u - v) * c.y;
                        let best = &mut heights[j * width + i];
                        *best = best.max(height);
                    }
                }
            }
        }
        Self { min, cell, width, heights, reach: 0.5 * extent.length() }
    }

    /// Half the diagonal of the map: the greatest distance of any of its points from the middle. Unit: m.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// Height and normal above a place, `None` beside the thing.
    pub fn sample(&self, at: Vec2) -> Option<(f32, Vec3)> {
        let p = (at - self.min) / self.cell;
        if p.x < 0.0 || p.y < 0.0 || self.width == 0 {
            return None;
        }
        let (i, j) = (p.x as usize, p.y as usize);
        if i + 1 >= self.width {
            return None;
        }
        let get = |i: usize, j: usize| self.heights.get(j * self.width + i).copied().filter(|h| h.is_finite());
        let (a, b, c, d) = (get(i, j)?, get(i + 1, j)?, get(i, j + 1)?, get(i + 1, j + 1)?);
        let (u, v) = (p.x.fract(), p.y.fract());
        let height = (a + (b - a) * u) * (1.0 - v) + (c + (d - c) * u) * v;
        let normal = Vec3::new(a - b + c - d, 2.0 * self.cell, a - c + b - d).normalize_or(Vec3::Y);
        Some((height, normal))
    }
}
