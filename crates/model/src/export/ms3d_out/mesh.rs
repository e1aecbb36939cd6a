//! Vertices, triangles and groups.

use std::collections::HashMap;

use ms3d::{MAX_TRIANGLES, MAX_VERTICES, raw};

use super::name;
use crate::import::Imported;
use crate::{Mesh, Vertex};

/// Sub-version of the records of weights that are written.
const SUB_VERSION: i32 = 2;
/// Full weight of a vertex. Unit: percent.
const FULL: f32 = 100.0;

/// Key by which vertices are merged: position, own joint, other joints and weights.
type Key = ([u32; 3], i8, [i8; 3], [u8; 3]);

/// A model's geometry as the file has it.
pub(super) struct FileMesh {
    pub vertices: Vec<raw::Vertex>,
    pub triangles: Vec<raw::Triangle>,
    pub groups: Vec<raw::Group>,
    pub vertex_ex: Option<raw::VertexExSection>,
    /// Whether vertices name a joint after the others that never moves.
    pub has_rest_joint: bool,
}

/// The geometry of a model. Vertices at one position that move alike are merged.
///
/// # Errors
/// If there is more of it than the format can hold.
pub(super) fn mesh(model: &Imported) -> Result<FileMesh, String> {
    let rest = model.skeleton.joints.len() as u16;
    let lod = &model.mesh;
    let is_rest = |slot: usize, vertex: &Vertex| vertex.weights[slot] > 0.0 && vertex.joints[slot] >= rest;
    let rests_in_part = |vertex: &Vertex| {
        let resting = (0..4).filter(|&slot| is_rest(slot, vertex)).count();
        resting > 0 && resting < vertex.weights.iter().filter(|weight| **weight > 0.0).count()
    };
    let has_rest_joint = lod.vertices.iter().any(rests_in_part);
    let mut file =
        FileMesh { vertices: Vec::new(), triangles: Vec::new(), groups: Vec::new(), vertex_ex: None, has_rest_joint };
    let mut records = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    for (index, mesh) in lod.meshes.iter().filter(|mesh| mesh.count > 0).enumerate() {
        let first = file.triangles.len();
        let corners = &lod.indices[mesh.first as usize..][..mesh.count as usize];
        for corners in corners.chunks_exact(3) {
            let mut triangle = raw::Triangle {
                smoothing_group: 1,
                group_index: u8::try_from(index).unwrap_or(u8::MAX),
                ..Default::default()
            };
            for (slot, &corner) in corners.iter().enumerate() {
                let vertex = &lod.vertices[corner as usize];
                let (bone_id, record) = influences(vertex, rest, has_rest_joint);
                let bits = vertex.position.to_array().map(f32::to_bits);
                let place = *known.entry((bits, bone_id, record.bone_ids, record.weights)).or_insert_with(|| {
                    let position = vertex.position.to_array();
                    file.vertices.push(raw::Vertex { flags: 0, position, bone_id, reference_count: 0 });
                    records.push(record);
                    file.vertices.len() - 1
                });
                let stored = u16::try_from(place).ok().filter(|_| place < MAX_VERTICES);
                triangle.vertex_indices[slot] =
                    stored.ok_or(format!("it has more than {MAX_VERTICES} vertices, the most an MS3D file holds"))?;
                let used = &mut file.vertices[place].reference_count;
                *used = used.saturating_add(1);
                triangle.vertex_normals[slot] = vertex.normal.to_array();
                (triangle.s[slot], triangle.t[slot]) = (vertex.uv.x, vertex.uv.y);
            }
            file.triangles.push(triangle);
        }
        if file.triangles.len() > MAX_TRIANGLES {
            return Err(format!("it has more than {MAX_TRIANGLES} triangles, the most an MS3D file holds"));
        }
        file.groups.push(group(model, mesh, first, file.triangles.len())?);
    }
    if records.iter().any(|record| record.weights != [0; 3]) {
        file.vertex_ex = Some(raw::VertexExSection { sub_version: SUB_VERSION, records });
    }
    Ok(file)
}

fn group(model: &Imported, mesh: &Mesh, first: usize, end: usize) -> Result<raw::Group, String> {
    let material =
        i8::try_from(mesh.material).map_err(|_| "it has more than 128 materials, the most an MS3D file holds")?;
    Ok(raw::Group {
        flags: 0,
        name: name(&model.materials[mesh.material].name, ms3d::NAME_BYTES),
        triangle_indices: (first..end).map(|index| index as u16).collect(),
        material_index: material,
    })
}

/// A vertex's own joint and its record: three more joints, and weights in whole percents.
fn influences(vertex: &Vertex, rest: u16, has_rest_joint: bool) -> (i8, raw::VertexEx) {
    let own_only = raw::VertexEx { bone_ids: [-1; 3], weights: [0; 3], extra: [0; 2] };
    let stored = |joint: u16| match joint < rest || has_rest_joint {
        true => joint.min(rest) as i8,
        false => -1,
    };
    let used: Vec<(i8, f32)> = (0..4)
        .filter(|&slot| vertex.weights[slot] > 0.0)
        .map(|slot| (stored(vertex.joints[slot]), vertex.weights[slot]))
        .collect();
    let Some(&(own, _)) = used.first() else { return (-1, own_only) };
    let percents = percents(&used.iter().map(|(_, weight)| *weight).collect::<Vec<_>>());
    if percents[0] as f32 == FULL {
        return (own, own_only);
    }
    let bone = |slot: usize| used.get(slot).map_or(-1, |(joint, _)| *joint);
    let record = raw::VertexEx {
        bone_ids: [bone(1), bone(2), bone(3)],
        weights: [percents[0], percents[1], percents[2]],
        extra: [0; 2],
    };
    (own, record)
}

/// Weights as whole percents whose sum is 100: rounded down, and the largest remainders up.
fn percents(weights: &[f32]) -> [u8; 4] {
    let sum: f32 = weights.iter().sum();
    let exact: Vec<f32> = weights.iter().map(|weight| FULL * weight / sum).collect();
    let mut percents = [0; 4];
    percents.iter_mut().zip(&exact).for_each(|(percent, exact)| *percent = exact.floor() as u8);
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let missing = FULL as usize - percents.iter().map(|percent| usize::from(*percent)).sum::<usize>();
    order.iter().cycle().take(missing.min(4)).for_each(|&slot| percents[slot] += 1);
    percents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_sum_to_a_hundred() {
        assert_eq!(percents(&[1.0]), [100, 0, 0, 0]);
        assert_eq!(percents(&[0.5, 0.5]), [50, 50, 0, 0]);
        assert_eq!(percents(&[1.0, 1.0, 1.0]).iter().map(|p| u32::from(*p)).sum::<u32>(), 100);
        assert_eq!(percents(&[0.401, 0.3, 0.2, 0.099]), [40, 30, 20, 10]);
    }
}
