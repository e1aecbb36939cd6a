//! Checks of a document's contents.

use std::collections::HashMap;

use super::layout::Layout;
use super::problem::{KeyTrack, Problem, ProblemKind, Severity};
use super::raw::*;
use super::skeleton::{self, Parent};
use super::weights::WeightScale;
use super::{Location, MAX_PROBLEMS, Section};

/// Lists everything wrong with the contents, in file order.
///
/// A document without an [`Severity::Error`](super::Severity::Error) can be drawn and posed, each
/// [`Severity::Warning`](super::Severity::Warning) names the fallback. Hidden groups, smoothing group 0, joints without
/// keys, empty groups, empty files, several roots and rotation and translation keys of different number are no
/// problems.
///
/// Problems beyond [`MAX_PROBLEMS`] are only counted, at the end, errors and warnings apart.
pub fn validate(document: &Document) -> Vec<Problem> {
    let mut found = Found { layout: Layout::of(document), problems: Vec::new(), more: [0; 2] };
    vertices(&mut found, document);
    triangles(&mut found, document);
    groups(&mut found, document);
    materials(&mut found, document);
    keyframer(&mut found, document);
    joints(&mut found, document);
    comments(&mut found, document);
    vertex_ex(&mut found, document);
    joint_ex(&mut found, document);
    model_ex(&mut found, document);
    found.all()
}

struct Found {
    layout: Layout,
    problems: Vec<Problem>,
    /// Errors and warnings that are not listed.
    more: [usize; 2],
}

impl Found {
    fn record(&mut self, section: Section, record: usize, kind: ProblemKind) {
        self.add(kind, |layout| layout.record(section, record));
    }

    fn section(&mut self, section: Section, kind: ProblemKind) {
        self.add(kind, |layout| layout.section(section));
    }

    fn add(&mut self, kind: ProblemKind, at: impl Fn(&Layout) -> Location) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem { at: at(&self.layout), kind });
        } else {
            self.more[usize::from(kind.severity() == Severity::Warning)] += 1;
        }
    }

    fn all(mut self) -> Vec<Problem> {
        let at = self.layout.section(Section::Trailing);
        for (count, severity) in self.more.into_iter().zip([Severity::Error, Severity::Warning]) {
            if count > 0 {
                self.problems.push(Problem { at, kind: ProblemKind::More { count, severity } });
            }
        }
        self.problems
    }
}

fn finite(values: &[f32]) -> bool {
    values.iter().all(|value| value.is_finite())
}

/// Whether an index is out of range; -1 means none and is fine.
fn outside(index: i8, length: usize) -> bool {
    index != -1 && !usize::try_from(index).is_ok_and(|index| index < length)
}

fn vertices(found: &mut Found, document: &Document) {
    let mut used = vec![0_usize; document.vertices.len()];
    for index in document.triangles.iter().flat_map(|triangle| triangle.vertex_indices) {
        if let Some(count) = used.get_mut(usize::from(index)) {
            *count += 1;
        }
    }
    let length = document.joints.len();
    for (record, (vertex, counted)) in document.vertices.iter().zip(used).enumerate() {
        let mut add = |kind| found.record(Section::Vertices, record, kind);
        if !finite(&vertex.position) {
            add(ProblemKind::NotFinite { field: "position" });
        }
        if outside(vertex.bone_id, length) {
            add(ProblemKind::JointOutside { joint: vertex.bone_id, length });
        }
        // Writers either stop at 255 or wrap.
        let stored = vertex.reference_count;
        if counted.min(255) != usize::from(stored) && counted % 256 != usize::from(stored) {
            add(ProblemKind::ReferenceCount { stored, counted });
        }
    }
}

fn triangles(found: &mut Found, document: &Document) {
    let mut listings = vec![(0_usize, 0_usize); document.triangles.len()];
    for (group, indices) in document.groups.iter().map(|group| &group.triangle_indices).enumerate() {
        for &index in indices {
            match listings.get_mut(usize::from(index)) {
                Some(listing @ &mut (0, _)) => *listing = (1, group),
                Some((times, _)) => *times += 1,
                None => {}
            }
        }
    }
    for (record, (triangle, (times, listed))) in document.triangles.iter().zip(listings).enumerate() {
        let mut add = |kind| found.record(Section::Triangles, record, kind);
        corners(triangle, &document.vertices, &mut add);
        for (corner, normal) in triangle.vertex_normals.iter().enumerate() {
            if !finite(normal) {
                add(ProblemKind::NotFinite { field: "normal" });
            } else if *normal == [0.0; 3] {
                add(ProblemKind::ZeroNormal { corner });
            }
        }
        if !finite(&triangle.s) || !finite(&triangle.t) {
            add(ProblemKind::NotFinite { field: "texture coordinate" });
        }
        let smoothing_group = triangle.smoothing_group;
        if smoothing_group > 32 {
            add(ProblemKind::SmoothingGroup { smoothing_group });
        }
        match times {
            0 => add(ProblemKind::TriangleInNoGroup),
            _ if usize::from(triangle.group_index) != listed => {
                add(ProblemKind::GroupIndex { stored: triangle.group_index, listed });
            }
            _ => {}
        }
        if times > 1 {
            add(ProblemKind::TriangleListedOften { times });
        }
    }
}

/// Checks indices and area of a triangle.
fn corners(triangle: &Triangle, vertices: &[Vertex], add: &mut impl FnMut(ProblemKind)) {
    let [a, b, c] = triangle.vertex_indices;
    let mut all_exist = true;
    for index in [a, b, c].map(usize::from) {
        if index >= vertices.len() {
            all_exist = false;
            add(ProblemKind::IndexOutside { index, of: Section::Vertices, length: vertices.len() });
        }
    }
    if a == b || a == c || b == c {
        add(ProblemKind::RepeatedVertex { vertex: if b == c { b } else { a } });
    } else if all_exist {
        let [a, b, c] = [a, b, c].map(|index| vertices[usize::from(index)].position.map(f64::from));
        let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
        let (u, v) = (edge(b), edge(c));
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        // NaN is reported at the vertex.
        if cross == [0.0; 3] {
            add(ProblemKind::ZeroArea);
        }
    }
}

fn groups(found: &mut Found, document: &Document) {
    let (triangles, materials) = (document.triangles.len(), document.materials.len());
    for (record, group) in document.groups.iter().enumerate() {
        let mut add = |kind| found.record(Section::Groups, record, kind);
        for index in group.triangle_indices.iter().map(|&index| usize::from(index)).filter(|&index| index >= triangles)
        {
            add(ProblemKind::IndexOutside { index, of: Section::Triangles, length: triangles });
        }
        if outside(group.material_index, materials) {
            add(ProblemKind::MaterialOutside { material: group.material_index, length: materials });
        }
    }
}

fn materials(found: &mut Found, document: &Document) {
    for (record, material) in document.materials.iter().enumerate() {
        let mut add = |kind| found.record(Section::Materials, record, kind);
        let colors = [
            ("ambient colour", material.ambient),
            ("diffuse colour", material.diffuse),
            ("specular colour", material.specular),
            ("emissive colour", material.emissive),
        ];
        for (field, _) in colors.into_iter().filter(|(_, color)| !finite(color)) {
            add(ProblemKind::NotFinite { field });
        }
        // NaN is in no range.
        if !(0.0..=128.0).contains(&material.shininess) {
            add(ProblemKind::Shininess { shininess: material.shininess });
        }
        if !(0.0..=1.0).contains(&material.transparency) {
            add(ProblemKind::Transparency { transparency: material.transparency });
        }
        if material.transparency == 0.0 && material.diffuse[3] == 1.0 {
            add(ProblemKind::TransparencyInverted);
        }
    }
}

fn keyframer(found: &mut Found, document: &Document) {
    let Keyframer { fps, total_frames, .. } = document.keyframer;
    if !fps.is_finite() {
        found.section(Section::Keyframer, ProblemKind::NotFinite { field: "number of frames a second" });
    } else if fps < 1.0 {
        found.section(Section::Keyframer, ProblemKind::Fps { fps });
    }
    if total_frames < 0 {
        found.section(Section::Keyframer, ProblemKind::TotalFrames { total_frames });
    }
}

fn joints(found: &mut Found, document: &Document) {
    let parents = skeleton::parents(document);
    let mut in_cycle = vec![false; parents.len()];
    skeleton::cycles(&parents).into_iter().for_each(|joint| in_cycle[joint] = true);
    let mut names = HashMap::new();
    for (record, joint) in document.joints.iter().enumerate() {
        let mut add = |kind| found.record(Section::Joints, record, kind);
        let first = *names.entry(joint.name.0.to_ascii_lowercase()).or_insert(record);
        if first != record && !joint.name.is_empty() {
            add(ProblemKind::NameCollision { first });
        }
        if parents[record] == Parent::Unknown {
            add(ProblemKind::UnknownParent { name: joint.parent_name.clone() });
        }
        if in_cycle[record] {
            add(ProblemKind::ParentCycle);
        }
        if !finite(&joint.rotation) {
            add(ProblemKind::NotFinite { field: "reference rotation" });
        }
        if !finite(&joint.position) {
            add(ProblemKind::NotFinite { field: "reference position" });
        }
        keys(KeyTrack::Rotation, &joint.rotation_keys, &mut add);
        keys(KeyTrack::Translation, &joint.translation_keys, &mut add);
    }
}

fn keys(track: KeyTrack, keys: &[Key], add: &mut impl FnMut(ProblemKind)) {
    let mut before = f32::NEG_INFINITY;
    for (key, Key { time, value }) in keys.iter().enumerate() {
        if !time.is_finite() || !finite(value) {
            add(ProblemKind::KeyNotFinite { track, key });
        }
        if *time < 0.0 {
            add(ProblemKind::KeyBeforeStart { track, key });
        }
        if *time <= before {
            add(ProblemKind::KeyOrder { track, key });
        }
        if time.is_finite() {
            before = *time;
        }
    }
}

fn comments(found: &mut Found, document: &Document) {
    let Some(comments) = &document.tail.comments else { return };
    let lists = [
        (Section::GroupComments, &comments.groups, Section::Groups, document.groups.len()),
        (Section::MaterialComments, &comments.materials, Section::Materials, document.materials.len()),
        (Section::JointComments, &comments.joints, Section::Joints, document.joints.len()),
    ];
    for (section, list, of, length) in lists {
        for (record, &Comment { index, .. }) in list.iter().enumerate() {
            if !usize::try_from(index).is_ok_and(|index| index < length) {
                found.record(section, record, ProblemKind::CommentOutside { index, of, length });
            }
        }
    }
}

fn vertex_ex(found: &mut Found, document: &Document) {
    let Some(section) = &document.tail.vertex_ex else { return };
    same_count(found, Section::VertexEx, section.records.len(), Section::Vertices, document.vertices.len());
    let scale = WeightScale::of(document);
    let full = scale.full();
    if section.sub_version >= 2 && scale == WeightScale::Byte {
        found.section(Section::VertexEx, ProblemKind::ByteWeights { sub_version: section.sub_version });
    }
    let length = document.joints.len();
    let exists = |joint: i8| joint != -1 && !outside(joint, length);
    for (record, (vertex, ex)) in document.vertices.iter().zip(&section.records).enumerate() {
        let mut add = |kind| found.record(Section::VertexEx, record, kind);
        for joint in ex.bone_ids.into_iter().filter(|&joint| outside(joint, length)) {
            add(ProblemKind::ExtraJointOutside { joint, length });
        }
        if ex.weights == [0; 3] || !exists(vertex.bone_id) {
            continue;
        }
        let [a, b, c] = ex.weights.map(u32::from);
        let sum = a + b + c;
        if sum > u32::from(full) {
            add(ProblemKind::WeightSum { sum, full });
        }
        let rest = u32::from(full).saturating_sub(sum);
        let lost = ex.bone_ids.iter().zip([b, c, rest]).filter(|(joint, _)| !exists(**joint)).map(|(_, w)| w).sum();
        if lost > u32::from(full) / 50 {
            add(ProblemKind::WeightLost { lost, full });
        }
    }
}

fn joint_ex(found: &mut Found, document: &Document) {
    let Some(section) = &document.tail.joint_ex else { return };
    same_count(found, Section::JointEx, section.colors.len(), Section::Joints, document.joints.len());
    for (record, _) in section.colors.iter().enumerate().filter(|(_, color)| !finite(*color)) {
        found.record(Section::JointEx, record, ProblemKind::NotFinite { field: "colour" });
    }
}

fn same_count(found: &mut Found, section: Section, count: usize, of: Section, expected: usize) {
    if count != expected {
        found.section(section, ProblemKind::RecordCount { count, expected, of });
    }
}

fn model_ex(found: &mut Found, document: &Document) {
    let Some(section) = document.tail.model_ex else { return };
    if !section.joint_size.is_finite() {
        found.section(Section::ModelEx, ProblemKind::NotFinite { field: "joint size" });
    }
    if !(0..=2).contains(&section.transparency_mode) {
        found.section(Section::ModelEx, ProblemKind::TransparencyMode { mode: section.transparency_mode });
    }
    if !section.alpha_ref.is_finite() {
        found.section(Section::ModelEx, ProblemKind::NotFinite { field: "alpha reference" });
    }
}

#[cfg(test)]
mod tests;
