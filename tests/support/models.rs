//! Helpers of tests of model files: files of others, and bounds.

use std::path::{Path, PathBuf};

use glam::Vec3;
use pelagic::model::animation::{morphed, pose, skin};
use pelagic::model::{LoadedModel, Vertex};
use serde_json::{Value, json};

use super::harness::end_ignored;

/// The folder with files made by others, beside the checkout. Nobody has to have it: without it the test is told as ignored.
pub fn others(folder: &str) -> PathBuf {
    others_if_there(folder).unwrap_or_else(|| end_ignored(&format!("../shared/{folder} has no expected.json")))
}

/// The same, if it is there.
pub fn others_if_there(folder: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    folder.join("expected.json").is_file().then_some(folder)
}

/// Least and greatest corner of what is drawn at a moment.
pub fn bounds(loaded: &LoadedModel, time_s: f32) -> [Vec3; 2] {
    let lod = &loaded.model.lods[0];
    // Only vertices of triangles count.
    let used: Vec<Vertex> = lod.indices.iter().map(|&index| lod.vertices[index as usize]).collect();
    let pose = pose(&loaded.model.skeleton, time_s);
    let (positions, _) = skin(&morphed(&used, &loaded.model.morphs, &pose.morph_weights), &pose);
    let least = positions.iter().copied().reduce(Vec3::min).expect("it has triangles");
    [least, positions.iter().copied().fold(least, Vec3::max)]
}

/// A glTF file of boxes of `material`, each from its middle and half its extent; every side has the whole texture.
pub fn boxes(boxes: &[(Vec3, Vec3)], material: &Value) -> Value {
    let (mut places, mut normals, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new(), Vec::<u16>::new());
    for (middle, half) in boxes {
        for axis in 0..3 {
            for side in [-1.0_f32, 1.0] {
                let first = (places.len() / 3) as u16;
                for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    let mut corner = [0.0_f32; 3];
                    (corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (side, u * side, v);
                    places.extend((middle + half * Vec3::from(corner)).to_array());
                    normals.extend((0..3).map(|i| if i == axis { side } else { 0.0 }));
                    uvs.extend([f32::midpoint(u, 1.0), f32::midpoint(v, 1.0)]);
                }
                indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
            }
        }
    }
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let parts =
        [floats(&places), floats(&normals), floats(&uvs), indices.iter().flat_map(|i| i.to_le_bytes()).collect()];
    let (mut views, mut buffer) = (Vec::new(), Vec::new());
    for part in &parts {
        views.push(json!({ "buffer": 0, "byteOffset": buffer.len(), "byteLength": part.len() }));
        buffer.extend(part);
    }
    let accessor = |view: usize, kind: &str, number: u32, count: usize| json!({ "bufferView": view, "componentType": number, "count": count, "type": kind });
    let corners = places.len() / 3;
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2 }, "indices": 3, "material": 0
        }] }],
        "accessors": [
            accessor(0, "VEC3", 5126, corners), accessor(1, "VEC3", 5126, corners), accessor(2, "VEC2", 5126, corners),
            accessor(3, "SCALAR", 5123, indices.len())
        ],
        "bufferViews": views,
        "buffers": [{ "byteLength": buffer.len(), "uri": data_uri("application/octet-stream", &buffer) }],
        "materials": [material],
    })
}

/// Bytes of a kind, such as `image/png`, in an address that holds them itself.
pub fn data_uri(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", data_encoding::BASE64.encode(bytes))
}
