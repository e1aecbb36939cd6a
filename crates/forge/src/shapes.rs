//! Ready-made surfaces: grids, lofts, tubes, surfaces of revolution, spheres.

use std::f32::consts::TAU;
use std::ops::Range;

use glam::{Vec2, Vec3};

use crate::Mesh;
use crate::maths::{asin, atan2, cos, rotation_arc, sin};

/// A rectangular region of a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Top left corner, texture coordinates.
    pub min: Vec2,
    /// Bottom right corner, texture coordinates.
    pub max: Vec2,
}

impl Rect {
    /// The whole texture.
    pub const FULL: Self = Self { min: Vec2::ZERO, max: Vec2::ONE };

    /// A region from left, top, right, bottom in 0..1.
    pub const fn new(left: f32, top: f32, right: f32, bottom: f32) -> Self {
        Self { min: Vec2::new(left, top), max: Vec2::new(right, bottom) }
    }

    /// Texture coordinates of a point given in 0..1 across the region.
    pub fn at(&self, local: Vec2) -> Vec2 {
        self.min + (self.max - self.min) * local
    }

    /// Position of a texture coordinate in 0..1 across the region.
    pub fn local(&self, uv: Vec2) -> Vec2 {
        (uv - self.min) / (self.max - self.min)
    }
}

impl Mesh {
    /// A surface over `rows` x `columns` quads: `point(i, j)` for i in 0..=rows, j in 0..=columns gives place and
    /// texture coordinates. Seen from outside, rows grow to the right and columns grow upward.
    pub fn grid(
        &mut self,
        part: usize,
        rows: usize,
        columns: usize,
        mut point: impl FnMut(usize, usize) -> (Vec3, Vec2),
    ) -> Range<usize> {
        self.added(|mesh| {
            let first = mesh.vertices.len() as u32;
            for i in 0..=rows {
                for j in 0..=columns {
                    let (position, uv) = point(i, j);
                    mesh.vertex(position, uv);
                }
            }
            let at = |i: usize, j: usize| first + (i * (columns + 1) + j) as u32;
            for i in 0..rows {
                for j in 0..columns {
                    mesh.quad(part, [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        })
    }

    /// A skin over rings of equally many points. Each ring repeats its first point at the end (the texture seam); seen
    /// along the direction in which rings follow each other, points run counter-clockwise. u runs along the rings, v
    /// round them, inside `rect`; a ring whose points all coincide closes the end.
    pub fn loft(&mut self, part: usize, rings: &[Vec<Vec3>], rect: Rect) -> Range<usize> {
        let rows = rings.len().saturating_sub(1);
        let columns = rings.first().map_or(0, |ring| ring.len().saturating_sub(1));
        let along = arc_fractions(&rings.iter().map(|ring| centre(ring)).collect::<Vec<_>>());
        self.grid(part, rows, columns, |i, j| {
            (rings[i][j], rect.at(Vec2::new(along[i], j as f32 / columns.max(1) as f32)))
        })
    }

    /// A tube round a path, `sides` sides, with `radius(t)` at t in 0..1 along it. Ends stay open unless the radius
    /// is 0 there. u runs along the path, v round it.
    pub fn tube(
        &mut self,
        part: usize,
        path: &[Vec3],
        sides: usize,
        rect: Rect,
        radius: impl Fn(f32) -> f32,
    ) -> Range<usize> {
        let along = arc_fractions(path);
        let rings: Vec<Vec<Vec3>> = frames(path)
            .iter()
            .zip(path)
            .zip(&along)
            .map(|((&across, &p), &t)| {
                let r = radius(t);
                circle(across, sides).map(|out| p + out * r).collect()
            })
            .collect();
        self.loft(part, &rings, rect)
    }

    /// A surface of revolution round +y: `profile` gives (radius, height) from the bottom up for an outside wall.
    /// u runs round, v up the profile (v = `rect`'s bottom at the first point).
    pub fn revolve(&mut self, part: usize, profile: &[Vec2], sides: usize, rect: Rect) -> Range<usize> {
        let along = arc_fractions(&profile.iter().map(|p| p.extend(0.0)).collect::<Vec<_>>());
        let columns = profile.len().saturating_sub(1);
        self.grid(part, sides, columns, |i, j| {
            let angle = TAU * (i % sides) as f32 / sides as f32;
            let place = Vec3::new(sin(angle) * profile[j].x, profile[j].y, cos(angle) * profile[j].x);
            (place, rect.at(Vec2::new(i as f32 / sides as f32, 1.0 - along[j])))
        })
    }

    /// A sphere made of a divided icosahedron: 20 * 4^`divisions` triangles of nearly equal size. Texture
    /// coordinates are longitude and latitude, with a seam.
    pub fn icosphere(&mut self, part: usize, radius: f32, divisions: u32, rect: Rect) -> Range<usize> {
        let g = f32::midpoint(1.0, 5.0_f32.sqrt());
        let (mut points, mut faces) = (Vec::new(), ICOSAHEDRON.to_vec());
        for (a, b) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
            points.extend([Vec3::new(a, b, 0.0), Vec3::new(0.0, a, b), Vec3::new(b, 0.0, a)].map(Vec3::normalize));
        }
        for _ in 0..divisions {
            let mut halves = std::collections::HashMap::new();
            let mut half = |a: u32, b: u32, points: &mut Vec<Vec3>| {
                *halves.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    points.push((points[a as usize] + points[b as usize]).normalize());
                    (points.len() - 1) as u32
                })
            };
            let mut finer = Vec::with_capacity(faces.len() * 4);
            for [a, b, c] in faces {
                let (ab, bc, ca) = (half(a, b, &mut points), half(b, c, &mut points), half(c, a, &mut points));
                finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
            }
            faces = finer;
        }
        self.added(|mesh| {
            for face in faces {
                let corners = face.map(|i| points[i as usize]);
                let longitude = corners.map(|p| atan2(p.x, p.z) / TAU + 0.5);
                let wraps = longitude.iter().any(|u| *u > 0.75);
                let ids = [0, 1, 2].map(|k| {
                    let u = if wraps && longitude[k] < 0.25 { longitude[k] + 1.0 } else { longitude[k] };
                    let v = 0.5 - asin(corners[k].y.clamp(-1.0, 1.0)) / std::f32::consts::PI;
                    let (position, uv) = (corners[k] * radius, rect.at(Vec2::new(u, v)));
                    mesh.vertex(position, uv)
                });
                mesh.triangle(part, ids);
            }
        })
    }
}

/// Faces over the points in the order that [`Mesh::icosphere`] makes them, counter-clockwise from outside.
#[rustfmt::skip]
const ICOSAHEDRON: [[u32; 3]; 20] = [
    [0, 1, 2], [0, 3, 1], [0, 2, 5], [0, 7, 3], [0, 5, 7],
    [1, 4, 2], [1, 3, 8], [1, 8, 4], [2, 4, 6], [2, 6, 5],
    [3, 7, 11], [3, 11, 8], [4, 9, 6], [4, 8, 9], [5, 6, 10],
    [5, 10, 7], [6, 9, 10], [7, 10, 11], [8, 11, 9], [9, 11, 10],
];

/// Fraction of the whole length (0..1) at each point of a line.
pub fn arc_fractions(points: &[Vec3]) -> Vec<f32> {
    let mut sum = 0.0;
    let mut along: Vec<f32> = vec![0.0];
    along.extend(points.windows(2).map(|w| {
        sum += w[0].distance(w[1]);
        sum
    }));
    along.truncate(points.len());
    if sum > 0.0 {
        along.iter_mut().for_each(|a| *a /= sum);
    }
    along
}

/// Two unit vectors across a path at each point, carried along without twist.
pub fn frames(path: &[Vec3]) -> Vec<(Vec3, Vec3)> {
    let tangent = |i: usize| {
        let (before, after) = (path[i.saturating_sub(1)], path[(i + 1).min(path.len() - 1)]);
        (after - before).try_normalize().unwrap_or(Vec3::Y)
    };
    let Some(first) = (!path.is_empty()).then(|| tangent(0)) else {
        return Vec::new();
    };
    let mut right = first.any_orthonormal_vector();
    let mut last = first;
    (0..path.len())
        .map(|i| {
            let along = tangent(i);
            right = rotation_arc(last, along) * right;
            right = (right - along * right.dot(along)).normalize_or(along.any_orthonormal_vector());
            last = along;
            (right, along.cross(right))
        })
        .collect()
}

/// Unit vectors round a path in the plane of one of its [`frames`], in the order of a [loft](Mesh::loft)'s rings; the
/// last is the first again.
pub fn circle((right, up): (Vec3, Vec3), sides: usize) -> impl Iterator<Item = Vec3> {
    (0..=sides).map(move |j| {
        let angle = -TAU * (j % sides) as f32 / sides as f32;
        right * cos(angle) + up * sin(angle)
    })
}

fn centre(ring: &[Vec3]) -> Vec3 {
    ring.iter().sum::<Vec3>() / ring.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Material;

    /// Six times the volume that a closed surface encloses: positive when its triangles look outward.
    fn volume(mesh: &Mesh) -> f32 {
        let at = |i: u32| mesh.vertices[i as usize].position;
        mesh.triangles.iter().map(|t| at(t.corners[0]).dot(at(t.corners[1]).cross(at(t.corners[2])))).sum()
    }

    fn with_part() -> (Mesh, usize) {
        let mut mesh = Mesh::new();
        let material = mesh.material(Material::new("m", ""));
        let part = mesh.part("p", material);
        (mesh, part)
    }

    #[test]
    fn closed_shapes_look_outward() {
        let (mut mesh, part) = with_part();
        mesh.icosphere(part, 1.0, 2, Rect::FULL);
        assert_eq!(mesh.triangles.len(), 320);
        assert!((volume(&mesh) / 6.0 - 4.19).abs() < 0.2, "sphere {}", volume(&mesh) / 6.0);

        let (mut mesh, part) = with_part();
        let path: Vec<Vec3> = (0..9).map(|i| Vec3::new(0.1 * i as f32, i as f32, 0.3)).collect();
        mesh.tube(part, &path, 8, Rect::FULL, |t| (t * (1.0 - t)).max(0.0).sqrt());
        assert!(volume(&mesh) > 0.0, "tube");

        let (mut mesh, part) = with_part();
        mesh.revolve(part, &[Vec2::new(0.0, -1.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)], 12, Rect::FULL);
        assert!(volume(&mesh) > 0.0, "revolved");
    }

    #[test]
    fn frames_stay_across_the_path() {
        let path: Vec<Vec3> = (0..30).map(|i| Vec3::new(sin(0.3 * i as f32), 0.2 * i as f32, 0.0)).collect();
        for (right, up) in frames(&path) {
            assert!(right.dot(up).abs() < 1e-4 && (right.length() - 1.0).abs() < 1e-4);
        }
    }
}
