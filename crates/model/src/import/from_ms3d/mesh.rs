//! Meshes out of groups, by material, and vertices out of triangle corners.

use std::collections::{BTreeMap, HashMap};

use glam::{Mat3, Vec2, Vec3};
use ms3d::raw;

use super::{JointWeights, usable};
use crate::{Lod, Mesh, Vertex};

/// The groups that are drawn: those without the flag "hidden".
pub(super) fn shown_groups(document: &raw::Document) -> impl Iterator<Item = &raw::Group> {
    document.groups.iter().filter(|group| group.flags & raw::FLAG_HIDDEN == 0)
}

/// The finest level: the triangles that the shown groups list, by material, turned by `rotation` (model from file).
///
/// Corners that agree in vertex, normal and texture coordinates are one vertex. `material` gives a group's material. A
/// normal without direction is made from the triangles round its vertex. Also returns, for each vertex, a triangle of
/// the file and the corner of it that it stands for.
pub(super) fn mesh(
    document: &raw::Document,
    weights: &[JointWeights],
    rotation: Mat3,
    mut material: impl FnMut(&raw::Group) -> usize,
) -> (Lod, Vec<(u16, usize)>) {
    let mut by_material: BTreeMap<usize, Vec<u16>> = BTreeMap::new();
    for group in shown_groups(document).filter(|group| !group.triangle_indices.is_empty()) {
        by_material.entry(material(group)).or_default().extend(&group.triangle_indices);
    }

    let mut lod = Lod { max_joints: 4, pixels: f32::INFINITY, ..Lod::default() };
    let mut made_normals: Option<Vec<Vec3>> = None;
    let mut known: HashMap<(u16, [u32; 5]), u32> = HashMap::new();
    let mut corners = Vec::new();
    for (material, triangles) in by_material {
        let first = lod.indices.len() as u32;
        for number in triangles {
            let triangle = &document.triangles[usize::from(number)];
            for corner in 0..3 {
                let index = triangle.vertex_indices[corner];
                let normal = usable(triangle.vertex_normals[corner])
                    .try_normalize()
                    .unwrap_or_else(|| made_normals.get_or_insert_with(|| normals(document))[usize::from(index)]);
                let uv = Vec3::truncate(usable([triangle.s[corner], triangle.t[corner], 0.0]));
                let bits = [normal.x, normal.y, normal.z, uv.x, uv.y].map(f32::to_bits);
                let slot = *known.entry((index, bits)).or_insert_with(|| {
                    corners.push((number, corner));
                    let JointWeights { joints, weights } = weights[usize::from(index)];
                    lod.vertices.push(Vertex {
                        position: rotation * usable(document.vertices[usize::from(index)].position),
                        normal: rotation * normal,
                        uv: Vec2::new(uv.x, uv.y),
                        joints,
                        weights,
                        morph_row: 0,
                        color: Vertex::WHITE,
                    });
                    lod.vertices.len() as u32 - 1
                });
                lod.indices.push(slot);
            }
        }
        lod.meshes.push(Mesh { first, count: lod.indices.len() as u32 - first, material });
    }
    (lod, corners)
}

/// A normal for every vertex from the triangles round it, larger ones counting more; +y where they give none.
pub(crate) fn normals(document: &raw::Document) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; document.vertices.len()];
    for triangle in &document.triangles {
        let corners = triangle.vertex_indices.map(usize::from);
        let [a, b, c] = corners.map(|index| usable(document.vertices[index].position));
        let cross = (b - a).cross(c - a);
        for index in corners.into_iter().filter(|_| cross.is_finite()) {
            sums[index] += cross;
        }
    }
    sums.into_iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}
