//! A mesh under construction: vertices with texture coordinates and joint weights, triangles in parts, materials.

use std::collections::HashMap;
use std::ops::Range;

use crate::maths::cos;
use glam::{Affine3, Vec2, Vec3};

/// Joints and weights of a vertex: up to four, weights at or above 0; normalised and rounded to percent when written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointWeights(pub [(u8, f32); 4]);

impl JointWeights {
    /// All weight on one joint.
    pub fn rigid(joint: u8) -> Self {
        Self([(joint, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)])
    }

    /// The four heaviest of any number of influences, equal joints merged; weights sum 1.
    pub fn of(influences: &[(u8, f32)]) -> Self {
        let mut merged: Vec<(u8, f32)> = Vec::with_capacity(influences.len());
        for &(joint, weight) in influences.iter().filter(|(_, weight)| *weight > 1e-4) {
            match merged.iter_mut().find(|(j, _)| *j == joint) {
                Some((_, sum)) => *sum += weight,
                None => merged.push((joint, weight)),
            }
        }
        merged.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        merged.truncate(4);
        let total: f32 = merged.iter().map(|(_, weight)| weight).sum();
        let mut skin = Self::default();
        for (slot, (joint, weight)) in skin.0.iter_mut().zip(merged) {
            *slot = (joint, weight / total);
        }
        skin
    }

    /// Mixes two skins, `t` = 1 being all `other`.
    pub fn mix(self, other: Self, t: f32) -> Self {
        let influences: Vec<(u8, f32)> =
            self.0.iter().map(|&(j, w)| (j, w * (1.0 - t))).chain(other.0.iter().map(|&(j, w)| (j, w * t))).collect();
        Self::of(&influences)
    }

    /// Sum of the weights: 0 for a vertex that no joint moves.
    pub fn total(&self) -> f32 {
        self.0.iter().map(|(_, weight)| weight).sum()
    }
}

/// A vertex under construction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position. Unit: model units.
    pub position: Vec3,
    /// Texture coordinates; (0, 0) is the top left of the picture.
    pub uv: Vec2,
    /// Joints and weights; with the default no joint moves it.
    pub skin: JointWeights,
    /// A normal to use instead of the computed one: leaves that should be lit as a volume.
    pub normal: Option<Vec3>,
}

/// Reflection of light by a surface. Colours are display (sRGB) values as MilkShape shows them.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name, at most 31 bytes.
    pub name: String,
    /// Texture file such as `sardine.png`, empty for none.
    pub texture: String,
    /// Diffuse colour that multiplies the texture.
    pub diffuse: [f32; 3],
    /// Specular colour.
    pub specular: [f32; 3],
    /// Phong exponent, 0 to 128.
    pub shininess: f32,
    /// Emitted colour.
    pub emissive: [f32; 3],
    /// Whether both sides are drawn: fins, leaves.
    pub two_sided: bool,
    /// Fraction of light that passes through, 0 to 1.
    pub translucency: f32,
    /// Alpha below which a texel is not drawn; 0 draws all.
    pub alpha_cut: f32,
    /// Whether it is reef rock, which shows grain finer than its texture.
    pub stone: bool,
    /// Opacity: 1 hides the background; less lets it show through, all the more where the texture's alpha is below 1.
    pub opacity: f32,
    /// Fraction of light that pale parts reflect as a mirror does, 0 to 1.
    pub sheen: f32,
    /// Fraction of light that pupils, the black parts of the texture, send back to where it came from, 0 to 1.
    pub tapetum: f32,
    /// Scales in relief: number in a row over the texture's width, rows over its height, growth of their density toward
    /// the right, and height of the relief, 0 to 1.
    pub scales: Option<[f32; 4]>,
    /// Height of its texture's light parts above its dark ones, 0 to 1, if it has no scales.
    pub relief: f32,
}

impl Material {
    /// A matt, opaque, one-sided material.
    pub fn new(name: &str, texture: &str) -> Self {
        Self {
            name: name.into(),
            texture: texture.into(),
            diffuse: [1.0; 3],
            specular: [0.0; 3],
            shininess: 0.0,
            emissive: [0.0; 3],
            two_sided: false,
            translucency: 0.0,
            alpha_cut: 0.0,
            stone: false,
            opacity: 1.0,
            sheen: 0.0,
            tapetum: 0.0,
            scales: None,
            relief: 0.0,
        }
    }

    /// Sets a highlight of this strength (grey) and exponent.
    pub fn glossy(self, strength: f32, shininess: f32) -> Self {
        Self { specular: [strength; 3], shininess, ..self }
    }

    /// Raises the light parts of its texture above the dark ones, by 0 to 1.
    pub fn embossed(self, relief: f32) -> Self {
        Self { relief, ..self }
    }

    /// Makes it a thin membrane: two-sided, translucent, alpha cut at one half.
    pub fn membrane(self, translucency: f32) -> Self {
        Self { two_sided: true, translucency, alpha_cut: 0.5, ..self }
    }

    /// Matt reef rock.
    pub fn rock(texture: &str) -> Self {
        Self { stone: true, ..Self::new("stone", texture).glossy(0.04, 12.0) }
    }

    /// Words of the model's comment for properties without a field in MS3D; empty if all have their defaults.
    pub fn comment(&self) -> String {
        let mut words = Vec::new();
        if self.two_sided {
            words.push("two_sided".to_owned());
        }
        if self.translucency > 0.0 {
            words.push(format!("translucency={}", self.translucency));
        }
        // The alpha of stone is the amount of growth, so it is never tested: `alpha_cut` must be written even if 0.
        if self.alpha_cut > 0.0 || self.opacity < 1.0 || self.stone {
            words.push(format!("alpha_cut={}", self.alpha_cut));
        }
        if self.stone {
            words.push("stone".to_owned());
        }
        if self.sheen > 0.0 {
            words.push(format!("sheen={}", self.sheen));
        }
        if self.tapetum > 0.0 {
            words.push(format!("tapetum={}", self.tapetum));
        }
        if let Some([along, across, growth, relief]) = self.scales {
            words.push(format!("scales={along:.1}x{across:.1} scale_growth={growth:.3} relief={relief}"));
        } else if self.relief > 0.0 {
            words.push(format!("relief={}", self.relief));
        }
        words.join(" ")
    }
}

/// A named part of the triangles with one material: a group of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Name, at most 31 bytes.
    pub name: String,
    /// Index into [`Mesh::materials`].
    pub material: usize,
    /// Smoothing group, 1 to 32: normals are averaged only within one.
    pub smoothing: u8,
    /// Faces that meet at a greater angle keep a hard edge; pi smooths everything. Unit: rad.
    pub crease: f32,
}

/// A triangle: three vertices, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Indices into [`Mesh::vertices`].
    pub corners: [u32; 3],
    /// Index into [`Mesh::parts`].
    pub part: usize,
}

/// A mesh under construction.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Vertices; a texture seam repeats a position with other texture coordinates.
    pub vertices: Vec<Vertex>,
    /// Triangles.
    pub triangles: Vec<Triangle>,
    /// Parts.
    pub parts: Vec<Part>,
    /// Materials.
    pub materials: Vec<Material>,
}

impl Mesh {
    /// An empty mesh.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a material and returns its index.
    pub fn material(&mut self, material: Material) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }

    /// Adds a part with a smoothing group of its own, smooth everywhere, and returns its index.
    pub fn part(&mut self, name: &str, material: usize) -> usize {
        self.part_with_crease(name, material, std::f32::consts::PI)
    }

    /// Adds a part that keeps edges sharper than `crease`. Unit: rad.
    pub fn part_with_crease(&mut self, name: &str, material: usize, crease: f32) -> usize {
        let smoothing = (self.parts.len() % 32) as u8 + 1;
        self.parts.push(Part { name: name.into(), material, smoothing, crease });
        self.parts.len() - 1
    }

    /// Adds a vertex that no joint moves yet and returns its index.
    pub fn vertex(&mut self, position: Vec3, uv: Vec2) -> u32 {
        self.vertices.push(Vertex { position, uv, skin: JointWeights::default(), normal: None });
        (self.vertices.len() - 1) as u32
    }

    /// Adds a triangle, unless two of its corners coincide.
    ///
    /// # Panics
    /// If a corner is no vertex.
    pub fn triangle(&mut self, part: usize, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|i| self.vertices[i as usize].position);
        if a != b && b != c && c != a {
            self.triangles.push(Triangle { corners, part });
        }
    }

    /// Adds a quadrilateral a, b, c, d (counter-clockwise seen from outside), cut along its shorter diagonal.
    ///
    /// # Panics
    /// If a corner is no vertex.
    pub fn quad(&mut self, part: usize, [a, b, c, d]: [u32; 4]) {
        let at = |i: u32| self.vertices[i as usize].position;
        if at(a).distance_squared(at(c)) <= at(b).distance_squared(at(d)) * 1.0001 {
            self.triangle(part, [a, b, c]);
            self.triangle(part, [a, c, d]);
        } else {
            self.triangle(part, [a, b, d]);
            self.triangle(part, [b, c, d]);
        }
    }

    /// The range of vertices that `build` adds: to move, bend or skin them afterwards.
    pub fn added(&mut self, build: impl FnOnce(&mut Self)) -> Range<usize> {
        let first = self.vertices.len();
        build(self);
        first..self.vertices.len()
    }

    /// Moves vertices by a function of their position.
    ///
    /// # Panics
    /// If the range reaches beyond the vertices.
    pub fn bend(&mut self, range: Range<usize>, map: impl Fn(Vec3) -> Vec3) {
        for vertex in &mut self.vertices[range] {
            vertex.position = map(vertex.position);
        }
    }

    /// Moves vertices by a matrix, given normals too. A mirroring matrix turns the triangles of the range round.
    ///
    /// # Panics
    /// If the range reaches beyond the vertices.
    pub fn transform(&mut self, range: Range<usize>, matrix: Affine3) {
        for vertex in &mut self.vertices[range.clone()] {
            vertex.position = matrix.transform_point3(vertex.position);
            vertex.normal = vertex.normal.map(|n| matrix.transform_vector3(n).normalize_or_zero());
        }
        if matrix.matrix3.determinant() < 0.0 {
            for triangle in &mut self.triangles {
                if range.contains(&(triangle.corners[0] as usize)) {
                    triangle.corners.swap(1, 2);
                }
            }
        }
    }

    /// Sets the skin of vertices by a function of their position.
    ///
    /// # Panics
    /// If the range reaches beyond the vertices.
    pub fn skin(&mut self, range: Range<usize>, skin: impl Fn(Vec3) -> JointWeights) {
        for vertex in &mut self.vertices[range] {
            vertex.skin = skin(vertex.position);
        }
    }

    /// Copies vertices, and the triangles wholly among them, through a matrix; returns the new vertices.
    ///
    /// # Panics
    /// If the range reaches beyond the vertices.
    pub fn repeat(&mut self, range: Range<usize>, matrix: Affine3) -> Range<usize> {
        let (first, old_first) = (self.vertices.len(), range.start as u32);
        let inside = |triangle: &&Triangle| triangle.corners.iter().all(|&i| range.contains(&(i as usize)));
        let copies: Vec<Triangle> = self.triangles.iter().filter(inside).copied().collect();
        self.vertices.extend_from_within(range);
        self.triangles.extend(
            copies
                .into_iter()
                .map(|t| Triangle { corners: t.corners.map(|i| i - old_first + first as u32), part: t.part }),
        );
        let new = first..self.vertices.len();
        self.transform(new.clone(), matrix);
        new
    }

    /// Pushes vertices along their smooth normals by `amount(position, normal)`; vertices at one place stay together.
    ///
    /// # Panics
    /// If the range reaches beyond the vertices.
    pub fn displace(&mut self, range: Range<usize>, amount: impl Fn(Vec3, Vec3) -> f32) {
        let mut sums: HashMap<[u32; 3], Vec3> = HashMap::new();
        for triangle in &self.triangles {
            let weighted = self.corner_faces(triangle);
            for (corner, normal) in triangle.corners.iter().zip(weighted) {
                *sums.entry(key(self.vertices[*corner as usize].position)).or_default() += normal;
            }
        }
        for vertex in &mut self.vertices[range] {
            let normal = sums.get(&key(vertex.position)).map_or(Vec3::ZERO, |n| n.normalize_or_zero());
            vertex.position += normal * amount(vertex.position, normal);
        }
    }

    /// The unit normal of each triangle's corners: angle-weighted over the faces at the same place that share the
    /// smoothing group and meet at less than the part's crease.
    pub fn corner_normals(&self) -> Vec<[Vec3; 3]> {
        // By place and smoothing group: the faces there, and their normals weighted by the corner's angle.
        type Faces = Vec<(Vec3, Vec3)>;
        let mut around: HashMap<([u32; 3], u8), Faces> = HashMap::new();
        let faces: Vec<Vec3> = self.triangles.iter().map(|t| self.face_normal(t)).collect();
        for (triangle, face) in self.triangles.iter().zip(&faces) {
            let smoothing = self.parts[triangle.part].smoothing;
            for (corner, weighted) in triangle.corners.iter().zip(self.corner_faces(triangle)) {
                let place = key(self.vertices[*corner as usize].position);
                around.entry((place, smoothing)).or_default().push((*face, weighted));
            }
        }
        let corner_normal = |triangle: &Triangle, face: Vec3, corner: u32| {
            let vertex = &self.vertices[corner as usize];
            if let Some(normal) = vertex.normal {
                return normal;
            }
            let part = &self.parts[triangle.part];
            let least = cos(part.crease) - 1e-6;
            let sum: Vec3 = around[&(key(vertex.position), part.smoothing)]
                .iter()
                .filter(|(other, _)| other.dot(face) >= least)
                .map(|(_, weighted)| *weighted)
                .sum();
            if sum.length_squared() > 1e-20 { sum.normalize() } else { face }
        };
        self.triangles.iter().zip(&faces).map(|(t, &face)| t.corners.map(|c| corner_normal(t, face, c))).collect()
    }

    fn face_normal(&self, triangle: &Triangle) -> Vec3 {
        let [a, b, c] = triangle.corners.map(|i| self.vertices[i as usize].position);
        (b - a).cross(c - a).normalize_or_zero()
    }

    fn corner_faces(&self, triangle: &Triangle) -> [Vec3; 3] {
        let p = triangle.corners.map(|i| self.vertices[i as usize].position);
        let face = self.face_normal(triangle);
        [0, 1, 2].map(|i| {
            let (u, v) = (p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
            let angle = if u == Vec3::ZERO || v == Vec3::ZERO { 0.0 } else { u.angle_between(v) };
            face * angle
        })
    }
}

/// Hash key of a position; -0 and 0 are equal.
fn key(p: Vec3) -> [u32; 3] {
    (p + Vec3::ZERO).to_array().map(f32::to_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roof(crease: f32) -> Mesh {
        let mut mesh = Mesh::new();
        let material = mesh.material(Material::new("m", ""));
        let part = mesh.part_with_crease("roof", material, crease);
        let at =
            [(-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, -1.0), (-1.0, 0.0, -1.0), (1.0, 0.0, 0.0), (1.0, 0.0, -1.0)];
        let v: Vec<u32> = at.iter().map(|&(x, y, z)| mesh.vertex(Vec3::new(x, y, z), Vec2::ZERO)).collect();
        mesh.quad(part, [v[0], v[1], v[2], v[3]]);
        mesh.quad(part, [v[1], v[4], v[5], v[2]]);
        mesh
    }

    #[test]
    fn a_crease_keeps_the_ridge_hard() {
        assert!(roof(1.0).corner_normals().iter().flatten().all(|n| n.x.abs() > 0.5));
        assert!(roof(3.0).corner_normals().iter().flatten().any(|n| n.x.abs() < 0.1));
    }

    #[test]
    fn skins_keep_the_four_heaviest_and_sum_to_one() {
        let skin = JointWeights::of(&[(0, 0.1), (1, 0.3), (2, 0.2), (3, 0.2), (4, 0.05), (1, 0.1)]);
        assert!((skin.total() - 1.0).abs() < 1e-6);
        assert_eq!(skin.0[0].0, 1);
        assert!(skin.0.iter().all(|(joint, _)| *joint != 4));
    }
}
