//! The chosen models' triangles, in the pose at rest.

use std::collections::{BTreeMap, HashMap};

use glam::{Mat4, Vec3};
use mdl::{Corner, Model};

use super::materials::Materials;
use super::usable;
use crate::{Lod, Mesh, Skeleton, Vertex};

/// The finest level. Each vertex follows one bone.
pub(super) fn mesh(shown: &[&Model], skeleton: &Skeleton, materials: &Materials) -> Lod {
    let bones: Vec<Mat4> = skeleton.joints.iter().map(|joint| joint.inverse_bind.inverse()).collect();
    let rest_joint = bones.len() as u16;
    let mut by_material: BTreeMap<usize, Vec<(usize, &[Corner; 3])>> = BTreeMap::new();
    for (model, mesh) in shown.iter().enumerate().flat_map(|(i, model)| model.meshes.iter().map(move |mesh| (i, mesh)))
    {
        let triangles = mesh.triangles.iter().map(|triangle| (model, triangle));
        by_material.entry(materials.of(mesh.slot)).or_default().extend(triangles);
    }
    let mut lod = Lod { max_joints: 1, pixels: f32::INFINITY, ..Lod::default() };
    for (material, triangles) in by_material {
        let first = lod.indices.len() as u32;
        let mut known: HashMap<(usize, Corner), u32> = HashMap::new();
        for (index, triangle) in triangles {
            let model = shown[index];
            // They are clockwise in the file.
            for corner in triangle.iter().rev() {
                let slot = *known.entry((index, *corner)).or_insert_with(|| {
                    let (bone, position) = model.vertices[usize::from(corner.vertex)];
                    let (normal_bone, normal) = model.normals[usize::from(corner.normal)];
                    let normal = bones[normal_bone].transform_vector3(usable(normal)).normalize_or(Vec3::Y);
                    lod.vertices.push(Vertex {
                        position: bones[bone].transform_point3(usable(position)),
                        normal,
                        uv: materials.uv(material, corner.texel.map(f32::from).into(), normal),
                        joints: [bone as u16, rest_joint, rest_joint, rest_joint],
                        weights: [1.0, 0.0, 0.0, 0.0],
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
    lod
}
