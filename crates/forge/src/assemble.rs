//! Mesh, rig and textures become one MS3D document.

use std::collections::HashMap;

use glam::Vec3;
use ms3d::raw;

use crate::{Forged, JointWeights, Mesh, Picture, Rig};

/// Builds the document. `comment` becomes the model's comment: a description and the sources of its proportions.
///
/// # Panics
/// If the mesh does not fit into the format (65534 vertices or triangles, 255 parts, 128 joints): a maker's mistake.
pub fn assemble(name: &str, comment: &str, mesh: &Mesh, rig: &Rig, textures: Vec<(String, Picture)>) -> Forged {
    let normals = mesh.corner_normals();
    let (vertices, skins, welded) = weld(mesh);
    assert!(vertices.len() <= 65534, "{name}: {} vertices, the format takes 65534", vertices.len());
    assert!(mesh.triangles.len() <= 65534, "{name}: {} triangles, the format takes 65534", mesh.triangles.len());
    assert!(mesh.parts.len() <= 255 && rig.joints.len() <= 128, "{name}: too many parts or joints");

    let triangles = mesh.triangles.iter().zip(&normals).map(|(triangle, normals)| {
        let uv = triangle.corners.map(|i| mesh.vertices[i as usize].uv);
        raw::Triangle {
            flags: 0,
            vertex_indices: triangle.corners.map(|i| welded[i as usize]),
            vertex_normals: normals.map(|n| n.to_array()),
            s: uv.map(|uv| uv.x),
            t: uv.map(|uv| uv.y),
            smoothing_group: mesh.parts[triangle.part].smoothing,
            group_index: triangle.part as u8,
        }
    });
    let triangles: Vec<raw::Triangle> = triangles.collect();
    let mut vertices = vertices;
    for index in triangles.iter().flat_map(|t| t.vertex_indices) {
        let count = &mut vertices[usize::from(index)].reference_count;
        *count = count.saturating_add(1);
    }

    let document = raw::Document {
        version: 4,
        groups: groups(mesh),
        materials: mesh.materials.iter().map(material).collect(),
        keyframer: rig.keyframer(),
        joints: rig.to_raw(),
        tail: raw::Tail {
            comments: Some(comments(mesh, &format!("{comment}\n{}", rig.comment()))),
            vertex_ex: Some(raw::VertexExSection { sub_version: 2, records: skins }),
            joint_ex: Some(raw::JointExSection { sub_version: 1, colors: vec![[0.9, 0.6, 0.1]; rig.joints.len()] }),
            model_ex: Some(raw::ModelEx { sub_version: 1, joint_size: 0.02, transparency_mode: 1, alpha_ref: 0.5 }),
            trailing: Vec::new(),
        },
        vertices,
        triangles,
    };
    Forged { name: name.into(), document, shapes: Vec::new(), textures }
}

/// Merges vertices of one place and one skin: the file keeps texture coordinates at the corners. Vertices that no
/// triangle uses are left out.
fn weld(mesh: &Mesh) -> (Vec<raw::Vertex>, Vec<raw::VertexEx>, Vec<u16>) {
    let (mut vertices, mut skins, mut known) = (Vec::new(), Vec::new(), HashMap::new());
    let mut used = vec![false; mesh.vertices.len()];
    mesh.triangles.iter().flat_map(|t| t.corners).for_each(|i| used[i as usize] = true);
    let mut welded = vec![u16::MAX; mesh.vertices.len()];
    for (vertex, slot) in
        mesh.vertices.iter().zip(&mut welded).zip(used).filter_map(|(pair, used)| used.then_some(pair))
    {
        let (bone_id, extra) = percent(vertex.skin);
        let position = (vertex.position + Vec3::ZERO).to_array();
        let key = (position.map(f32::to_bits), bone_id, extra.bone_ids, extra.weights);
        *slot = *known.entry(key).or_insert_with(|| {
            vertices.push(raw::Vertex { flags: 0, position, bone_id, reference_count: 0 });
            skins.push(extra);
            u16::try_from(vertices.len() - 1).unwrap_or(u16::MAX)
        });
    }
    (vertices, skins, welded)
}

/// Own joint and the vertex_ex record: whole percents that sum to 100.
fn percent(skin: JointWeights) -> (i8, raw::VertexEx) {
    let sorted = JointWeights::of(&skin.0);
    let total = sorted.total();
    if total <= 0.0 {
        return (-1, raw::VertexEx { bone_ids: [-1; 3], weights: [0; 3], extra: [0; 2] });
    }
    let mut weights = sorted.0.map(|(_, w)| (w / total * 100.0).round() as i32);
    weights[0] += 100 - weights.iter().sum::<i32>();
    let joint = |slot: usize| if weights[slot] > 0 { sorted.0[slot].0 as i8 } else { -1 };
    let extra = raw::VertexEx {
        bone_ids: [joint(1), joint(2), joint(3)],
        weights: [0, 1, 2].map(|slot| weights[slot] as u8),
        extra: [0; 2],
    };
    (sorted.0[0].0 as i8, extra)
}

fn groups(mesh: &Mesh) -> Vec<raw::Group> {
    let own = |part: usize| {
        let indices = mesh.triangles.iter().enumerate().filter(move |(_, t)| t.part == part);
        indices.map(|(i, _)| i as u16).collect()
    };
    let group = |(index, part): (usize, &crate::mesh::Part)| raw::Group {
        flags: 0,
        name: part.name.as_str().into(),
        triangle_indices: own(index),
        material_index: part.material as i8,
    };
    mesh.parts.iter().enumerate().map(group).collect()
}

fn material(material: &crate::Material) -> raw::Material {
    let opaque = |rgb: [f32; 3]| [rgb[0], rgb[1], rgb[2], 1.0];
    raw::Material {
        name: material.name.as_str().into(),
        ambient: opaque(material.diffuse.map(|c| 0.2 * c)),
        diffuse: opaque(material.diffuse),
        specular: opaque(material.specular),
        emissive: opaque(material.emissive),
        shininess: material.shininess,
        transparency: material.opacity,
        mode: 0,
        texture: material.texture.as_str().into(),
        alphamap: "".into(),
    }
}

/// The model's comment, with a line for each material that has hints. A comment on the material itself would be the
/// place for them, but Assimp (5.2) reads the numbers of comments as two bytes where the format has four, and then
/// refuses the file.
fn comments(mesh: &Mesh, model: &str) -> raw::Comments {
    let mut text = model.trim_end().to_owned();
    for material in &mesh.materials {
        let hints = material.comment();
        if !hints.is_empty() {
            text.push_str(&format!("\npelagic: material {} {hints}", material.name));
        }
    }
    raw::Comments {
        sub_version: 1,
        groups: Vec::new(),
        materials: Vec::new(),
        joints: Vec::new(),
        model: (!text.is_empty()).then(|| text.into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::Material;

    #[test]
    fn percents_sum_to_a_hundred() {
        for influences in [&[(0, 1.0), (1, 1.0), (2, 1.0)][..], &[(3, 0.4), (4, 0.3), (5, 0.2), (6, 0.1)], &[(7, 2.0)]]
        {
            let (_, extra) = percent(JointWeights::of(influences));
            let named: i32 = extra.weights.iter().map(|&w| i32::from(w)).sum();
            let fourth = 100 - named;
            assert!(fourth == 0 || extra.bone_ids[2] >= 0, "{extra:?}");
        }
    }

    #[test]
    fn seams_weld_and_keep_their_texture_coordinates() {
        let mut mesh = Mesh::new();
        let material = mesh.material(Material::new("fin", "fin.png").membrane(0.4));
        let part = mesh.part("fin", material);
        mesh.grid(part, 1, 1, |i, j| (Vec3::new(i as f32, j as f32, 0.0), Vec2::new(i as f32, j as f32)));
        mesh.grid(part, 1, 1, |i, j| (Vec3::new(1.0 + i as f32, j as f32, 0.0), Vec2::ZERO));
        let forged = assemble("fin", "a fin", &mesh, &Rig::still(), Vec::new());
        assert_eq!(forged.document.vertices.len(), 6);
        assert_eq!(forged.document.groups[0].triangle_indices, [0, 1, 2, 3]);
        let comments = forged.document.tail.comments.expect("written");
        let text = b"a fin\npelagic: material fin two_sided translucency=0.4 alpha_cut=0.5";
        assert_eq!(comments.model.as_deref(), Some(&text[..]));
    }
}
