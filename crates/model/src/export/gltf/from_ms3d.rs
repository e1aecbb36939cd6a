//! glTF files out of MS3D documents, which can be made MS3D documents again: see [`ms3d_extras`](crate::ms3d_extras).

use std::collections::HashMap;
use std::path::Path;

use glam::{Mat3, Vec3};
use ms3d::{raw, skeleton as parents};
use serde_json::{Value, json};

use super::pack::{Pack, Role};
use super::{Frame, influences, materials, skeleton};
use crate::import::from_ms3d::{self, JointWeights};
use crate::import::usable;
use crate::ms3d_extras::{
    BONES, GroupExtras, JointExtras, ModelExExtras, Ms3dExtras, NORMAL, VERTEX, WEIGHTS, WORDS, finite,
};
use crate::{Clip, Files, Forward};

/// Greatest difference of a normal's length from 1 at which the normal is written as it is.
const UNIT: f32 = 5e-4;
/// Mode of a primitive of points.
const POINTS: u32 = 0;

/// A document, the other shapes of its vertices, and its name.
pub(in crate::export) struct Source<'a> {
    /// The document, without errors.
    pub document: &'a raw::Document,
    /// Names of its other shapes and their documents, of the same topology.
    pub shapes: Vec<(String, raw::Document)>,
    /// Direction in which its creature looks.
    pub forward: Forward,
    /// Name of the model.
    pub name: &'a str,
    /// Path of the model, beside which its textures are looked for.
    pub path: &'a Path,
}

/// Writes a document, with its other shapes as morph targets, as a glTF file. Also returns warnings.
///
/// # Errors
/// If a texture cannot be encoded.
pub(in crate::export) fn from_ms3d(
    source: &Source<'_>,
    is_binary: bool,
    files: &dyn Files,
) -> Result<(Vec<u8>, Vec<String>), String> {
    let &Source { document, forward, name, path, .. } = source;
    let mut pack = Pack::default();
    let skeleton = from_ms3d::skeleton(document, Mat3::IDENTITY);
    let mut frame = Frame::new(&mut pack, name, forward.rotation(), &skeleton);
    frame.morphs = source.shapes.iter().map(|(name, _)| name.clone()).collect();
    let (places, odd) = from_ms3d::places(document, &skeleton, Mat3::IDENTITY);
    frame.places(&mut pack, &skeleton, &places);
    let (list, mut warnings) = from_ms3d::all_materials(document, path, files);
    warnings.extend(odd);
    materials::materials(&mut pack, &list, files)?;

    let (named, _) = from_ms3d::named_clips(document, skeleton.fps);
    let mut in_clips = !named.is_empty() && skeleton::animations(&mut pack, &skeleton, &frame.joints, &named);
    if !in_clips {
        // One animation with the times of the original.
        let whole = if named.is_empty() { "swim" } else { "time line" };
        let whole = Clip { name: whole.into(), start_s: 0.0, end_s: skeleton.duration_s };
        skeleton::animations(&mut pack, &skeleton, &frame.joints, &[whole]);
        in_clips = false;
    }

    let mut mesher = Mesher {
        document,
        shapes: &source.shapes,
        weights: (!document.joints.is_empty()).then(|| from_ms3d::joint_weights(document)),
        made_normals: None,
    };
    let (mut shown, mut hidden) = (Vec::new(), Vec::new());
    for group in document.groups.iter().filter(|group| !group.triangle_indices.is_empty()) {
        let material = usize::try_from(group.material_index).ok().filter(|&m| m < document.materials.len());
        let primitive = mesher.triangles(&mut pack, &group.triangle_indices, material);
        if group.flags & raw::FLAG_HIDDEN == 0 { shown.push(primitive) } else { hidden.push(primitive) }
    }
    let ungrouped = ungrouped(document);
    if !ungrouped.is_empty() {
        hidden.push(mesher.triangles(&mut pack, &ungrouped, None));
    }
    let loose = loose(document);
    if !loose.is_empty() {
        hidden.push(mesher.points(&mut pack, &loose));
    }
    let extras = extras(document, &frame.joints, &ungrouped, in_clips);
    frame.finish(&mut pack, &skeleton, shown, hidden);
    let extras = serde_json::to_value(extras).map_err(|error| error.to_string())?;
    Ok((pack.finish(is_binary, Some(extras)), warnings))
}

/// Triangles that no group lists.
fn ungrouped(document: &raw::Document) -> Vec<u16> {
    let mut listed = vec![false; document.triangles.len()];
    for &index in document.groups.iter().flat_map(|group| &group.triangle_indices) {
        listed[usize::from(index)] = true;
    }
    (0..).zip(&listed).filter(|(_, listed)| !**listed).map(|(index, _)| index).collect()
}

/// Vertices that no triangle uses.
fn loose(document: &raw::Document) -> Vec<u16> {
    let mut used = vec![false; document.vertices.len()];
    for &index in document.triangles.iter().flat_map(|triangle| &triangle.vertex_indices) {
        used[usize::from(index)] = true;
    }
    (0..).zip(&used).filter(|(_, used)| !**used).map(|(index, _)| index).collect()
}

/// Numbers as ranges: first and count.
fn ranges(indices: &[u16]) -> Vec<[u16; 2]> {
    let mut ranges: Vec<[u16; 2]> = Vec::new();
    for &index in indices {
        match ranges.last_mut() {
            Some([first, count]) if first.checked_add(*count) == Some(index) => *count += 1,
            _ => ranges.push([index, 1]),
        }
    }
    ranges
}

/// Builder of vertices out of corners.
struct Mesher<'a> {
    document: &'a raw::Document,
    /// Its other shapes.
    shapes: &'a [(String, raw::Document)],
    /// Joints and weights of each vertex, if there are joints.
    weights: Option<Vec<JointWeights>>,
    made_normals: Option<Vec<Vec3>>,
}

/// A corner of a triangle, or a vertex that no triangle uses.
#[derive(Clone, Copy)]
struct Corner {
    vertex: u16,
    /// The triangle and the number of the corner in it; `None` for a vertex that no triangle uses.
    of: Option<(u16, usize)>,
    normal: [f32; 3],
    uv: [f32; 2],
}

impl Mesher<'_> {
    /// A primitive of triangles. Corners that agree in vertex, normal and texture coordinates are one vertex.
    fn triangles(&mut self, pack: &mut Pack, triangles: &[u16], material: Option<usize>) -> Value {
        let mut known: HashMap<(u16, [u32; 5]), u32> = HashMap::new();
        let (mut corners, mut indices) = (Vec::new(), Vec::with_capacity(3 * triangles.len()));
        for &index in triangles {
            let triangle = &self.document.triangles[usize::from(index)];
            for corner in 0..3 {
                let vertex = triangle.vertex_indices[corner];
                let normal = triangle.vertex_normals[corner].map(finite);
                let uv = [triangle.s[corner], triangle.t[corner]].map(|value| usable([value; 3]).x);
                let [x, y, z] = normal.map(f32::to_bits);
                let key = (vertex, [x, y, z, uv[0].to_bits(), uv[1].to_bits()]);
                let slot = *known.entry(key).or_insert_with(|| {
                    corners.push(Corner { vertex, of: Some((index, corner)), normal, uv });
                    corners.len() as u32 - 1
                });
                indices.push(slot);
            }
        }
        let mut attributes = self.attributes(pack, &corners);
        let (normals, are_unit) = self.unit_normals(&corners);
        attributes["NORMAL"] = pack.accessor(&normals, Role::Attribute).into();
        if !are_unit {
            let stored: Vec<[f32; 3]> = corners.iter().map(|corner| corner.normal).collect();
            attributes[NORMAL] = pack.accessor(&stored, Role::Attribute).into();
        }
        let uvs: Vec<[f32; 2]> = corners.iter().map(|corner| corner.uv).collect();
        attributes["TEXCOORD_0"] = pack.accessor(&uvs, Role::Attribute).into();
        let mut primitive = json!({ "attributes": attributes, "indices": pack.indices(&indices) });
        self.add_targets(pack, &mut primitive, &corners, Some(&normals));
        if let Some(material) = material {
            primitive["material"] = material.into();
        }
        primitive
    }

    /// A primitive of points.
    fn points(&self, pack: &mut Pack, vertices: &[u16]) -> Value {
        let corner = |&vertex: &u16| Corner { vertex, of: None, normal: [0.0; 3], uv: [0.0; 2] };
        let corners: Vec<Corner> = vertices.iter().map(corner).collect();
        let mut primitive = json!({ "attributes": self.attributes(pack, &corners), "mode": POINTS });
        self.add_targets(pack, &mut primitive, &corners, None);
        primitive
    }

    /// Adds the other shapes as morph targets: changes of each vertex, and of its normal if it has one.
    fn add_targets(&self, pack: &mut Pack, primitive: &mut Value, corners: &[Corner], normals: Option<&[[f32; 3]]>) {
        let mut targets: Vec<Value> = Vec::new();
        for (_, shape) in self.shapes {
            let place = |document: &raw::Document, corner: &Corner| {
                usable(document.vertices[usize::from(corner.vertex)].position)
            };
            let moved = corners.iter().map(|corner| (place(shape, corner) - place(self.document, corner)).to_array());
            let mut target = json!({ "POSITION": pack.accessor(&moved.collect::<Vec<_>>(), Role::Positions) });
            if let Some(normals) = normals {
                let turned = corners.iter().zip(normals).map(|(corner, &own)| {
                    let of_shape = corner
                        .of
                        .map_or([0.0; 3], |(triangle, at)| shape.triangles[usize::from(triangle)].vertex_normals[at]);
                    // A corner without a normal in the shape keeps its normal at rest.
                    let normal = usable(of_shape).try_normalize();
                    normal.map_or([0.0; 3], |normal| (normal - Vec3::from(own)).to_array())
                });
                target["NORMAL"] = pack.accessor(&turned.collect::<Vec<_>>(), Role::Attribute).into();
            }
            targets.push(target);
        }
        if !targets.is_empty() {
            primitive["targets"] = targets.into();
        }
    }

    /// Attributes of the vertices other than normals and texture coordinates.
    fn attributes(&self, pack: &mut Pack, corners: &[Corner]) -> Value {
        fn each<T, const N: usize>(corners: &[Corner], of: impl Fn(usize) -> [T; N]) -> Vec<[T; N]> {
            corners.iter().map(|corner| of(usize::from(corner.vertex))).collect()
        }
        let vertices = &self.document.vertices;
        let positions = each(corners, |vertex| usable(vertices[vertex].position).to_array());
        let identities: Vec<[u16; 2]> = corners
            .iter()
            .map(|corner| {
                let vertex = &vertices[usize::from(corner.vertex)];
                [corner.vertex, u16::from_le_bytes([vertex.flags, vertex.reference_count])]
            })
            .collect();
        let mut attributes = json!({
            "POSITION": pack.accessor(&positions, Role::Positions),
            VERTEX: pack.accessor(&identities, Role::Attribute),
        });
        if let Some(weights) = &self.weights {
            let of = |vertex: usize| influences(weights[vertex].joints, weights[vertex].weights);
            attributes["JOINTS_0"] = pack.accessor(&each(corners, |vertex| of(vertex).0), Role::Attribute).into();
            attributes["WEIGHTS_0"] = pack.accessor(&each(corners, |vertex| of(vertex).1), Role::Attribute).into();
        }
        let records = self.document.tail.vertex_ex.as_ref().map(|section| &section.records);
        let record = |vertex: usize| records.map_or(NO_RECORD, |records| records[vertex]);
        let bones = each(corners, |vertex| {
            let [b, c, d] = record(vertex).bone_ids;
            [vertices[vertex].bone_id, b, c, d]
        });
        if bones.iter().any(|bones| *bones != [-1; 4]) {
            attributes[BONES] = pack.accessor(&bones, Role::Attribute).into();
        }
        if records.is_some() {
            let weights = each(corners, |vertex| {
                let [a, b, c] = record(vertex).weights;
                [a, b, c, 0]
            });
            attributes[WEIGHTS] = pack.accessor(&weights, Role::Attribute).into();
            let words = each(corners, |vertex| {
                let [a, b] = record(vertex).extra;
                [a as u16, (a >> 16) as u16, b as u16, (b >> 16) as u16]
            });
            if words.iter().any(|words| *words != [0; 4]) {
                attributes[WORDS] = pack.accessor(&words, Role::Attribute).into();
            }
        }
        attributes
    }

    /// Normals of unit length, and whether all are those of the file. A normal without direction is made from the
    /// triangles round its vertex.
    fn unit_normals(&mut self, corners: &[Corner]) -> (Vec<[f32; 3]>, bool) {
        let mut are_unit = true;
        let document = self.document;
        let mut unit = |corner: &Corner| {
            let normal = usable(corner.normal);
            if (normal.length() - 1.0).abs() < UNIT {
                return corner.normal;
            }
            are_unit = false;
            let made = || {
                let made = self.made_normals.get_or_insert_with(|| from_ms3d::normals(document));
                made[usize::from(corner.vertex)]
            };
            normal.try_normalize().unwrap_or_else(made).to_array()
        };
        (corners.iter().map(&mut unit).collect(), are_unit)
    }
}

/// Record of a vertex that has nothing but its own joint.
const NO_RECORD: raw::VertexEx = raw::VertexEx { bone_ids: [-1; 3], weights: [0; 3], extra: [0; 2] };

/// Data that the rest of the glTF file does not hold. `joints` are the joints' nodes.
fn extras(document: &raw::Document, joints: &[usize], ungrouped: &[u16], in_clips: bool) -> Ms3dExtras {
    let raw::Keyframer { fps, current_time, total_frames } = document.keyframer;
    let tail = &document.tail;
    let mut triangles: Vec<[usize; 4]> = Vec::new();
    for triangle in &document.triangles {
        let [flags, smoothing, group] =
            [usize::from(triangle.flags), triangle.smoothing_group.into(), triangle.group_index.into()];
        match triangles.last_mut() {
            Some([count, of @ ..]) if *of == [flags, smoothing, group] => *count += 1,
            _ => triangles.push([1, flags, smoothing, group]),
        }
    }
    let group = |group: &raw::Group| GroupExtras {
        name: (&group.name).into(),
        flags: group.flags,
        material: group.material_index,
        triangles: ranges(&group.triangle_indices),
    };
    let joint = |((joint, parent), &node): ((&raw::Joint, parents::Parent), &usize)| JointExtras {
        name: (&joint.name).into(),
        lost_parent: (parent == parents::Parent::Unknown).then(|| (&joint.parent_name).into()),
        flags: joint.flags,
        node,
    };
    Ms3dExtras {
        version: document.version,
        vertices: document.vertices.len(),
        triangles,
        groups: document.groups.iter().map(group).collect(),
        ungrouped: ranges(ungrouped),
        materials: document.materials.iter().map(Into::into).collect(),
        joints: document.joints.iter().zip(parents::parents(document)).zip(joints).map(joint).collect(),
        fps: finite(fps),
        current_time: finite(current_time),
        total_frames,
        in_clips,
        comments: tail.comments.as_ref().map(Into::into),
        vertex_ex: tail.vertex_ex.as_ref().map(|section| section.sub_version),
        joint_ex: tail.joint_ex.as_ref().map(|section| section.colors.iter().map(|c| c.map(finite)).collect()),
        model_ex: tail.model_ex.map(|section| ModelExExtras {
            joint_size: finite(section.joint_size),
            transparency_mode: section.transparency_mode,
            alpha_ref: finite(section.alpha_ref),
        }),
    }
}
