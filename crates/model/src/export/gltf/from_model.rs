//! glTF files out of models as they are drawn.

use std::collections::BTreeSet;

use glam::Mat3;
use serde_json::{Value, json};

use super::pack::{Pack, Role};
use super::{Frame, influences, materials, skeleton};
use crate::import::Imported;
use crate::{Files, Material, Vertex};

/// Writes a model of any format as a glTF file.
///
/// # Errors
/// If a texture cannot be encoded.
pub(in crate::export) fn from_model(
    model: &Imported,
    name: &str,
    is_binary: bool,
    files: &dyn Files,
) -> Result<Vec<u8>, String> {
    let mut pack = Pack::default();
    let mut frame = Frame::new(&mut pack, name, Mat3::IDENTITY, &model.skeleton);
    frame.places(&mut pack, &model.skeleton, &model.attachments);
    let shown = || model.mesh.meshes.iter().filter(|mesh| mesh.count > 0);
    let used: BTreeSet<usize> = shown().map(|mesh| mesh.material).collect();
    let list: Vec<Material> = used.iter().map(|&material| model.materials[material].clone()).collect();
    materials::materials(&mut pack, &list, files)?;
    skeleton::animations(&mut pack, &model.skeleton, &frame.joints, &model.clips);
    let is_skinned = !model.skeleton.joints.is_empty();
    let of_mesh = |mesh: &crate::Mesh| {
        let indices = &model.mesh.indices[mesh.first as usize..][..mesh.count as usize];
        let material = used.range(..mesh.material).count();
        primitive(&mut pack, &model.mesh.vertices, indices, material, is_skinned)
    };
    let shown = shown().map(of_mesh).collect();
    frame.finish(&mut pack, &model.skeleton, shown, Vec::new());
    Ok(pack.finish(is_binary, None))
}

/// Triangles of one material, with the vertices that they use.
fn primitive(pack: &mut Pack, vertices: &[Vertex], indices: &[u32], material: usize, is_skinned: bool) -> Value {
    let mut places = vec![u32::MAX; vertices.len()];
    let mut used: Vec<&Vertex> = Vec::new();
    let corner = |&index: &u32| {
        let place = &mut places[index as usize];
        if *place == u32::MAX {
            *place = used.len() as u32;
            used.push(&vertices[index as usize]);
        }
        *place
    };
    let corners: Vec<u32> = indices.iter().map(corner).collect();
    fn each<T, const N: usize>(vertices: &[&Vertex], of: impl Fn(&Vertex) -> [T; N]) -> Vec<[T; N]> {
        vertices.iter().map(|vertex| of(vertex)).collect()
    }
    let mut attributes = json!({
        "POSITION": pack.accessor(&each(&used, |vertex| vertex.position.to_array()), Role::Positions),
        "NORMAL": pack.accessor(&each(&used, |vertex| vertex.normal.normalize_or(glam::Vec3::Y).to_array()), Role::Attribute),
        "TEXCOORD_0": pack.accessor(&each(&used, |vertex| vertex.uv.to_array()), Role::Attribute),
    });
    if is_skinned {
        let of = |vertex: &Vertex| influences(vertex.joints, vertex.weights);
        attributes["JOINTS_0"] = pack.accessor(&each(&used, |vertex| of(vertex).0), Role::Attribute).into();
        attributes["WEIGHTS_0"] = pack.accessor(&each(&used, |vertex| of(vertex).1), Role::Attribute).into();
    }
    json!({ "attributes": attributes, "indices": pack.indices(&corners), "material": material })
}
