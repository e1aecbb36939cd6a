//! The MS3D document that a glTF file was converted from: see [`ms3d_extras`](crate::ms3d_extras).

use std::path::Path;

use glam::{EulerRot, Quat, Vec3};
use ms3d::raw::{self, Text};

use super::accessor::Accessors;
use super::animation::{MAX_KEYS, Track};
use super::container::{self, Container};
use super::document::{Document, Node, Primitive};
use super::tree::Place;
use crate::Files;
use crate::ms3d_extras::{BONES, JointExtras, KEY, Ms3dExtras, NORMAL, VERTEX, WEIGHTS, WORDS};

/// The document that the glTF file `path` was converted from; `None` if it was made otherwise.
///
/// # Errors
/// If it is broken, or was changed after the conversion.
pub(crate) fn original(bytes: &[u8], path: &Path, files: &dyn Files) -> Result<Option<raw::Document>, String> {
    let container = container::open(bytes, path, files)?;
    let Some(extras) = container.document.extras.get(KEY) else { return Ok(None) };
    let extras: Ms3dExtras =
        serde_json::from_value(extras.clone()).map_err(|error| format!("extras.{KEY} is wrong: {error}"))?;
    document(&container, extras).map(Some).map_err(|why| format!("it is no longer what an MS3D file became: {why}"))
}

fn document(container: &Container, extras: Ms3dExtras) -> Result<raw::Document, String> {
    let gltf = &container.document;
    let mut accessors = Accessors::new(container);
    let geometry = geometry(gltf, &extras, &mut accessors)?;
    let joints = joints(gltf, &extras, &mut accessors)?;
    let groups = extras.groups.into_iter().map(|group| raw::Group {
        flags: group.flags,
        name: group.name.into(),
        triangle_indices: listed(&group.triangles).collect(),
        material_index: group.material,
    });
    let vertex_ex = extras.vertex_ex.map(|sub_version| raw::VertexExSection { sub_version, records: geometry.records });
    let tail = raw::Tail {
        comments: extras.comments.map(Into::into),
        vertex_ex,
        joint_ex: extras.joint_ex.map(|colors| raw::JointExSection { sub_version: 1, colors }),
        model_ex: extras.model_ex.map(|section| raw::ModelEx {
            sub_version: 1,
            joint_size: section.joint_size,
            transparency_mode: section.transparency_mode,
            alpha_ref: section.alpha_ref,
        }),
        trailing: Vec::new(),
    };
    Ok(raw::Document {
        version: extras.version,
        vertices: geometry.vertices,
        triangles: geometry.triangles,
        groups: groups.collect(),
        materials: extras.materials.into_iter().map(Into::into).collect(),
        keyframer: raw::Keyframer {
            fps: extras.fps,
            current_time: extras.current_time,
            total_frames: extras.total_frames,
        },
        joints,
        tail,
    })
}

/// The numbers in ranges.
fn listed(ranges: &[[u16; 2]]) -> impl Iterator<Item = u16> {
    ranges.iter().flat_map(|&[first, count]| (0..count).map(move |index| first.wrapping_add(index)))
}

/// Vertices and triangles.
struct Geometry {
    vertices: Vec<raw::Vertex>,
    records: Vec<raw::VertexEx>,
    triangles: Vec<raw::Triangle>,
}

fn geometry(gltf: &Document, extras: &Ms3dExtras, accessors: &mut Accessors<'_>) -> Result<Geometry, String> {
    let most = usize::from(u16::MAX);
    let triangles = extras.triangles.iter().map(|[count, ..]| *count).fold(0, usize::saturating_add);
    if extras.vertices > most || triangles > most {
        return Err(format!("{} vertices and {triangles} triangles are promised", extras.vertices));
    }
    let mut geometry = Geometry {
        vertices: vec![raw::Vertex::default(); extras.vertices],
        records: vec![raw::VertexEx::default(); extras.vertices],
        triangles: Vec::with_capacity(triangles),
    };
    for &[count, flags, smoothing_group, group_index] in &extras.triangles {
        let triangle = raw::Triangle {
            flags: flags as u16,
            smoothing_group: smoothing_group as u8,
            group_index: group_index as u8,
            ..Default::default()
        };
        geometry.triangles.extend(std::iter::repeat_n(triangle, count));
    }
    // Primitives are in the order of writing: groups that are shown, groups that are hidden, triangles of no group,
    // points.
    let lists = |is_hidden: bool| {
        let groups = extras
            .groups
            .iter()
            .filter(move |group| (group.flags & raw::FLAG_HIDDEN != 0) == is_hidden && !group.triangles.is_empty());
        groups.map(|group| group.triangles.as_slice())
    };
    let ungrouped = Some(extras.ungrouped.as_slice()).filter(|ranges| !ranges.is_empty());
    let mut lists = lists(false).chain(lists(true)).chain(ungrouped);
    for primitive in gltf.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let corners = corners(primitive, extras, accessors)?;
        for corner in &corners {
            let index = usize::from(corner.vertex);
            *geometry.vertices.get_mut(index).ok_or("it has more vertices")? = corner.made();
            geometry.records[index] = corner.record;
        }
        let Some(indices) = primitive.indices else { continue };
        let indices = accessors.indices(indices)?;
        let list = lists.next().ok_or("it has more parts than groups")?;
        if listed(list).count() != indices.len() / 3 {
            return Err(format!("a group has {} triangles", indices.len() / 3));
        }
        for (triangle, of_corners) in listed(list).zip(indices.chunks_exact(3)) {
            let triangle = geometry.triangles.get_mut(usize::from(triangle)).ok_or("a group has other triangles")?;
            for (slot, &index) in of_corners.iter().enumerate() {
                let corner = corners.get(index).ok_or("an index is out of range")?;
                triangle.vertex_indices[slot] = corner.vertex;
                triangle.vertex_normals[slot] = corner.normal;
                [triangle.s[slot], triangle.t[slot]] = corner.uv;
            }
        }
    }
    if lists.next().is_some() { Err("it has fewer parts than groups".into()) } else { Ok(geometry) }
}

/// A vertex of a primitive.
struct Corner {
    vertex: u16,
    flags: u8,
    reference_count: u8,
    bone_id: i8,
    position: [f32; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    record: raw::VertexEx,
}

impl Corner {
    fn made(&self) -> raw::Vertex {
        raw::Vertex {
            flags: self.flags,
            position: self.position,
            bone_id: self.bone_id,
            reference_count: self.reference_count,
        }
    }
}

fn corners(primitive: &Primitive, extras: &Ms3dExtras, accessors: &mut Accessors<'_>) -> Result<Vec<Corner>, String> {
    let place = |name: &str| primitive.attributes.get(name).copied();
    let needed = |name: &str| place(name).ok_or_else(|| format!("a part has no {name}"));
    let positions = accessors.elements::<3>(needed("POSITION")?)?;
    let identities = accessors.elements::<2>(needed(VERTEX)?)?;
    let count = positions.len();
    // An attribute that is missing is the same for all vertices.
    fn or_same<const N: usize>(
        accessors: &mut Accessors<'_>,
        place: Option<usize>,
        same: [f32; N],
        count: usize,
    ) -> Result<Vec<[f32; N]>, String> {
        let elements = place.map_or_else(|| Ok(vec![same; count]), |place| accessors.elements::<N>(place))?;
        if elements.len() == count { Ok(elements) } else { Err("attributes differ in length".into()) }
    }
    let normals = or_same(accessors, place(NORMAL).or(place("NORMAL")), [0.0; 3], count)?;
    let uvs = or_same(accessors, place("TEXCOORD_0"), [0.0; 2], count)?;
    let bones = or_same(accessors, place(BONES), [-1.0; 4], count)?;
    let weights = or_same(accessors, place(WEIGHTS), [0.0; 4], count)?;
    let words = or_same(accessors, place(WORDS), [0.0; 4], count)?;
    if identities.len() != count {
        return Err("attributes differ in length".into());
    }
    let has_records = extras.vertex_ex.is_some();
    let corner = |index: usize| {
        let [vertex, flags] = identities[index].map(|value| value as u16);
        let [flags, reference_count] = flags.to_le_bytes();
        let [bone_id, b, c, d] = bones[index].map(|value| value as i8);
        let [low, high, low2, high2] = words[index].map(|value| value as u32);
        let [a, e, f, _] = weights[index].map(|value| value as u8);
        let record =
            raw::VertexEx { bone_ids: [b, c, d], weights: [a, e, f], extra: [low | high << 16, low2 | high2 << 16] };
        Corner {
            vertex,
            flags,
            reference_count,
            bone_id,
            position: positions[index],
            normal: normals[index],
            uv: uvs[index],
            record: if has_records { record } else { raw::VertexEx::default() },
        }
    };
    Ok((0..count).map(corner).collect())
}

fn joints(gltf: &Document, extras: &Ms3dExtras, accessors: &mut Accessors<'_>) -> Result<Vec<raw::Joint>, String> {
    let tracks = tracks(gltf, extras, accessors)?;
    let parent_of = |node: usize| {
        extras.joints.iter().find(|joint| gltf.nodes.get(joint.node).is_some_and(|of| of.children.contains(&node)))
    };
    let joint = |joint: &JointExtras| {
        let node: &Node = gltf.nodes.get(joint.node).ok_or("a joint's node is not there")?;
        let Place::Parts { translation, rotation, .. } = Place::of(node) else { return Err("a joint has a matrix") };
        let parent = joint.lost_parent.as_ref().or(parent_of(joint.node).map(|parent| &parent.name));
        let mut restored = raw::Joint {
            flags: joint.flags,
            name: joint.name.clone().into(),
            parent_name: parent.map_or(Text::default(), |name| name.clone().into()),
            rotation: angles(rotation),
            position: translation.to_array(),
            ..Default::default()
        };
        let to_joint = rotation.inverse();
        for (start_s, track) in tracks.iter().filter(|(_, track)| track.node == joint.node) {
            let key = |time_s: f32, value: [f32; 3]| raw::Key { time: start_s + time_s, value };
            let translations = track.values.translations().unwrap_or_default();
            let moved = |to: Vec3| (to_joint * (to - translation)).to_array();
            restored.translation_keys.extend(translations.iter().map(|&(time_s, to)| key(time_s, moved(to))));
            let rotations = track.values.rotations().unwrap_or_default();
            restored.rotation_keys.extend(rotations.iter().map(|&(time_s, to)| key(time_s, angles(to_joint * to))));
        }
        Ok(restored)
    };
    extras.joints.iter().map(|of| joint(of).map_err(String::from)).collect()
}

/// The tracks of the time line, each with the offset of its times.
fn tracks(gltf: &Document, extras: &Ms3dExtras, accessors: &mut Accessors<'_>) -> Result<Vec<(f32, Track)>, String> {
    let parts = if extras.in_clips { 0 } else { gltf.animations.len().saturating_sub(1) };
    let mut keys_left = MAX_KEYS;
    let mut tracks = Vec::new();
    for (index, animation) in gltf.animations.iter().enumerate().skip(parts) {
        let start_s = animation.extras.get("start_s").and_then(serde_json::Value::as_f64).unwrap_or(0.0) as f32;
        let read = Track::all(index, animation, gltf, accessors, &mut keys_left)?;
        tracks.extend(read.into_iter().map(|track| (start_s, track)));
    }
    Ok(tracks)
}

/// Angles about x, y and z, applied in this order.
fn angles(rotation: Quat) -> [f32; 3] {
    let (z, y, x) = rotation.as_dquat().normalize().to_euler(EulerRot::ZYX);
    [x, y, z].map(|angle| angle as f32)
}
