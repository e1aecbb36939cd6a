//! A surface sampled once per texel, which gives a painter position, normal and hollowness.
//!
//! The mesh samples the same surface at a few hundred points; detail too fine for the mesh is painted: light always
//! comes from above in the sea, so hollows and undersides of small forms may be darkened in the texture.

use glam::{Affine3, Vec2, Vec3};

use crate::shapes::Rect;
use crate::{Canvas, Mesh};

/// A surface over (0, 0) to (1, 1): seen from outside, u grows to the right and v downward, as in a texture.
pub struct Relief {
    width: usize,
    height: usize,
    wraps: bool,
    points: Vec<Vec3>,
}

/// Surface at a texel, as painters see it.
#[derive(Clone, Copy, Debug)]
pub struct ReliefTexel {
    /// Place on the surface, in the surface's own units.
    pub position: Vec3,
    /// Normal of the surface in full detail.
    pub normal: Vec3,
    /// Hollowness: 1 deep in a crack, 0 flat, -1 on an edge.
    pub hollow: f32,
    /// Upward tilt relative to its surroundings: positive catches light, negative lies in its own shade.
    pub lift: f32,
    /// Texture coordinates.
    pub uv: Vec2,
}

impl Relief {
    /// Samples a surface; `wraps` if u = 1 meets u = 0.
    pub fn new(width: usize, height: usize, wraps: bool, surface: impl Fn(Vec2) -> Vec3) -> Self {
        let size = Vec2::new(width as f32, height as f32);
        let at = |i: usize| surface((Vec2::new((i % width) as f32, (i / width) as f32) + 0.5) / size);
        Self { width, height, wraps, points: (0..width * height).map(at).collect() }
    }

    /// Paints a region of a canvas with `color(spot)`.
    pub fn paint(&self, canvas: &mut Canvas, rect: Rect, mut color: impl FnMut(&ReliefTexel) -> Vec3) {
        canvas.fill(rect, |local, old| {
            let x = ((local.x * self.width as f32) as usize).min(self.width - 1);
            let y = ((local.y * self.height as f32) as usize).min(self.height - 1);
            color(&self.spot(x as isize, y as isize)).extend(old.w)
        });
    }

    fn spot(&self, x: isize, y: isize) -> ReliefTexel {
        let position = self.point(x, y);
        let normal = self.normal(x, y, 1);
        let broad = self.normal(x, y, (self.width / 28) as isize);
        let mut hollow = 0.0;
        for (divisor, weight) in [(256, 1.0), (100, 1.1), (40, 0.9), (16, 0.7)] {
            let k = (self.width / divisor).max(1) as isize;
            let around = [(k, 0), (-k, 0), (0, k), (0, -k)].map(|(dx, dy)| self.point(x + dx, y + dy) - position);
            let reach: f32 = around.iter().map(|d| d.length()).sum::<f32>().max(1e-6);
            hollow += weight * around.iter().sum::<Vec3>().dot(broad) / reach;
        }
        let uv = (Vec2::new(x as f32, y as f32) + 0.5) / Vec2::new(self.width as f32, self.height as f32);
        ReliefTexel { position, normal, hollow: hollow.clamp(-1.0, 1.0), lift: normal.y - broad.y, uv }
    }

    fn point(&self, x: isize, y: isize) -> Vec3 {
        let (width, height) = (self.width as isize, self.height as isize);
        let x = if self.wraps { x.rem_euclid(width) } else { x.clamp(0, width - 1) };
        self.points[(y.clamp(0, height - 1) * width + x) as usize]
    }

    fn normal(&self, x: isize, y: isize, k: isize) -> Vec3 {
        let right = self.point(x + k, y) - self.point(x - k, y);
        let down = self.point(x, y + k) - self.point(x, y - k);
        down.cross(right).normalize_or(Vec3::Y)
    }
}

impl Mesh {
    /// Adds a grid of `columns` x `rows` quads over such a surface.
    pub fn drape(
        &mut self,
        part: usize,
        (columns, rows): (usize, usize),
        rect: Rect,
        surface: impl Fn(Vec2) -> Vec3,
    ) -> std::ops::Range<usize> {
        self.grid(part, columns, rows, |i, j| {
            let uv = Vec2::new(i as f32 / columns as f32, 1.0 - j as f32 / rows as f32);
            (surface(uv), rect.at(uv))
        })
    }

    /// Puts the lowest point on y = 0, the middle over the origin, and makes the greatest extent 1.
    pub fn settle(&mut self) {
        let corners = || self.triangles.iter().flat_map(|t| t.corners).map(|i| self.vertices[i as usize].position);
        let (low, high) = corners().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
        let middle = (0.5 * (low + high)).with_y(low.y);
        let scale = Vec3::splat(1.0 / (high - low).max_element());
        self.transform(0..self.vertices.len(), Affine3::from_scale(scale) * Affine3::from_translation(-middle));
    }
}

/// The upper half of the unit sphere over a square, nearly evenly (Cigolle et al. 2014, hemi-octahedral): the middle
/// looks up, the edge is the horizon.
pub fn half_sphere(uv: Vec2) -> Vec3 {
    let p = 2.0 * uv - 1.0;
    let (x, z) = (0.5 * (p.x - p.y), 0.5 * (p.x + p.y));
    Vec3::new(x, 1.0 - x.abs() - z.abs(), z).normalize()
}

/// Slope of a bump of `height` toward `step` at a place: above 0 it is lit from there, below 0 it is in its own shade.
pub fn facing(height: impl Fn(Vec3) -> f32, p: Vec3, step: Vec3) -> f32 {
    height(p - step) - height(p + step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dent_is_hollow_and_faces_up() {
        let dented = |uv: Vec2| {
            let d = uv.distance(Vec2::splat(0.5));
            Vec3::new(uv.x, -0.1 * (1.0 - (d / 0.1).min(1.0)), uv.y)
        };
        let relief = Relief::new(128, 128, false, dented);
        assert!(relief.spot(64, 64).hollow > 0.2);
        assert!(relief.spot(10, 10).hollow.abs() < 0.01);
        assert!(relief.spot(10, 10).normal.y > 0.99);
        assert!(relief.spot(60, 64).lift < -0.05, "its walls are steeper than what is around");
    }

    #[test]
    fn the_half_sphere_keeps_its_hand() {
        let mesh = |uv| half_sphere(uv);
        let right = mesh(Vec2::new(0.6, 0.5)) - mesh(Vec2::new(0.4, 0.5));
        let down = mesh(Vec2::new(0.5, 0.6)) - mesh(Vec2::new(0.5, 0.4));
        assert!(down.cross(right).y > 0.0);
        assert!((0..=10).all(|i| half_sphere(Vec2::new(i as f32 / 10.0, 0.0)).y.abs() < 1e-6));
    }
}
