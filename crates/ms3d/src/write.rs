//! Data to bytes.

use super::layout::vertex_ex_bytes;
use super::raw::*;
use super::{
    MAGIC, MAX_GROUPS, MAX_JOINTS, MAX_KEYS_PER_TRACK, MAX_MATERIALS, MAX_TRIANGLES, MAX_TRIANGLES_PER_GROUP,
    MAX_VERTICES, NAME_BYTES, PATH_BYTES, Section, WriteError,
};

/// Writes a whole file; reading it gives an equal document.
///
/// String fields are filled up with zeros, so a file that was read and is written again has the same bytes except for
/// garbage after string terminators, and for what [`read`](super::read) dropped with a warning.
///
/// # Errors
/// If the format cannot hold the document: too many records, texts too long, a tail with a gap.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    if !matches!(document.version, 3 | 4) {
        return Err(WriteError::UnsupportedVersion { version: document.version });
    }
    check_tail_order(document)?;
    let mut out = Writer::default();
    out.bytes.extend(MAGIC);
    out.i32(document.version);

    out.count16(Section::Vertices, document.vertices.len(), MAX_VERTICES)?;
    for vertex in &document.vertices {
        out.u8(vertex.flags);
        out.floats(&vertex.position);
        out.i8(vertex.bone_id);
        out.u8(vertex.reference_count);
    }

    out.count16(Section::Triangles, document.triangles.len(), MAX_TRIANGLES)?;
    for triangle in &document.triangles {
        out.u16(triangle.flags);
        triangle.vertex_indices.iter().for_each(|&index| out.u16(index));
        triangle.vertex_normals.iter().for_each(|normal| out.floats(normal));
        out.floats(&triangle.s);
        out.floats(&triangle.t);
        out.u8(triangle.smoothing_group);
        out.u8(triangle.group_index);
    }

    out.count16(Section::Groups, document.groups.len(), MAX_GROUPS)?;
    for (record, group) in document.groups.iter().enumerate() {
        let at = Place { section: Section::Groups, record };
        out.u8(group.flags);
        out.text(at, "name", &group.name, NAME_BYTES)?;
        out.part_count(at, "triangle indices", group.triangle_indices.len(), MAX_TRIANGLES_PER_GROUP)?;
        group.triangle_indices.iter().for_each(|&index| out.u16(index));
        out.i8(group.material_index);
    }

    out.count16(Section::Materials, document.materials.len(), MAX_MATERIALS)?;
    for (record, material) in document.materials.iter().enumerate() {
        let at = Place { section: Section::Materials, record };
        out.text(at, "name", &material.name, NAME_BYTES)?;
        out.floats(&material.ambient);
        out.floats(&material.diffuse);
        out.floats(&material.specular);
        out.floats(&material.emissive);
        out.floats(&[material.shininess, material.transparency]);
        out.u8(material.mode);
        out.text(at, "texture", &material.texture, PATH_BYTES)?;
        out.text(at, "alphamap", &material.alphamap, PATH_BYTES)?;
    }

    out.floats(&[document.keyframer.fps, document.keyframer.current_time]);
    out.i32(document.keyframer.total_frames);

    out.count16(Section::Joints, document.joints.len(), MAX_JOINTS)?;
    for (record, joint) in document.joints.iter().enumerate() {
        let at = Place { section: Section::Joints, record };
        out.u8(joint.flags);
        out.text(at, "name", &joint.name, NAME_BYTES)?;
        out.text(at, "parent name", &joint.parent_name, NAME_BYTES)?;
        out.floats(&joint.rotation);
        out.floats(&joint.position);
        out.part_count(at, "rotation keys", joint.rotation_keys.len(), MAX_KEYS_PER_TRACK)?;
        out.part_count(at, "translation keys", joint.translation_keys.len(), MAX_KEYS_PER_TRACK)?;
        for key in joint.rotation_keys.iter().chain(&joint.translation_keys) {
            out.floats(&[key.time]);
            out.floats(&key.value);
        }
    }

    write_tail(&mut out, document)?;
    Ok(out.bytes)
}

/// Checks that the sections present are a prefix of all sections, and that trailing bytes do not look like the next
/// one.
fn check_tail_order(document: &Document) -> Result<(), WriteError> {
    let tail = &document.tail;
    let sections = [
        (Section::Comments, tail.comments.is_some()),
        (Section::VertexEx, tail.vertex_ex.is_some()),
        (Section::JointEx, tail.joint_ex.is_some()),
        (Section::ModelEx, tail.model_ex.is_some()),
    ];
    let mut missing = None;
    for (section, present) in sections {
        match (present, missing) {
            (true, _) if document.version == 3 => return Err(WriteError::TailInVersion3 { section }),
            (true, Some(missing)) => return Err(WriteError::TailGap { section, missing }),
            (false, None) => missing = Some(section),
            _ => {}
        }
    }
    let Some(missing) = missing else { return Ok(()) };
    if document.version == 3 || tail.trailing.is_empty() {
        return Ok(());
    }
    let unread = tail.trailing.first_chunk().is_some_and(|&sub_version| {
        let sub_version = i32::from_le_bytes(sub_version);
        if missing == Section::VertexEx { vertex_ex_bytes(sub_version).is_none() } else { sub_version != 1 }
    });
    if unread { Ok(()) } else { Err(WriteError::AmbiguousTrailing { missing }) }
}

fn write_tail(out: &mut Writer, document: &Document) -> Result<(), WriteError> {
    if let Some(comments) = &document.tail.comments {
        out.sub_version(Section::Comments, comments.sub_version, comments.sub_version == 1)?;
        out.comments(Section::GroupComments, &comments.groups)?;
        out.comments(Section::MaterialComments, &comments.materials)?;
        out.comments(Section::JointComments, &comments.joints)?;
        out.i32(i32::from(comments.model.is_some()));
        if let Some(text) = &comments.model {
            out.comment_text(Place { section: Section::ModelComment, record: 0 }, text)?;
        }
    }
    if let Some(section) = &document.tail.vertex_ex {
        let sub_version = section.sub_version;
        out.sub_version(Section::VertexEx, sub_version, vertex_ex_bytes(sub_version).is_some())?;
        same_count(Section::VertexEx, section.records.len(), Section::Vertices, document.vertices.len())?;
        for (record, vertex) in section.records.iter().enumerate() {
            vertex.bone_ids.iter().for_each(|&id| out.i8(id));
            out.bytes.extend(vertex.weights);
            // Sub-version n has room for n - 1 words.
            let words = usize::try_from(sub_version - 1).unwrap_or(0).min(vertex.extra.len());
            let (held, lost) = vertex.extra.split_at(words);
            if lost.iter().any(|&word| word != 0) {
                return Err(WriteError::ExtraNotHeld { record, sub_version, extra: vertex.extra });
            }
            held.iter().for_each(|&word| out.u32(word));
        }
    }
    if let Some(section) = &document.tail.joint_ex {
        out.sub_version(Section::JointEx, section.sub_version, section.sub_version == 1)?;
        same_count(Section::JointEx, section.colors.len(), Section::Joints, document.joints.len())?;
        section.colors.iter().for_each(|color| out.floats(color));
    }
    if let Some(section) = &document.tail.model_ex {
        out.sub_version(Section::ModelEx, section.sub_version, section.sub_version == 1)?;
        out.floats(&[section.joint_size]);
        out.i32(section.transparency_mode);
        out.floats(&[section.alpha_ref]);
    }
    out.bytes.extend(&document.tail.trailing);
    Ok(())
}

fn same_count(section: Section, count: usize, of: Section, expected: usize) -> Result<(), WriteError> {
    if count == expected { Ok(()) } else { Err(WriteError::WrongRecordCount { section, count, expected, of }) }
}

#[derive(Clone, Copy)]
struct Place {
    section: Section,
    record: usize,
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    fn i8(&mut self, value: i8) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn i32(&mut self, value: i32) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn floats(&mut self, values: &[f32]) {
        for value in values {
            self.bytes.extend(value.to_le_bytes());
        }
    }

    fn count16(&mut self, section: Section, count: usize, limit: usize) -> Result<(), WriteError> {
        match u16::try_from(count) {
            Ok(stored) if count <= limit => self.u16(stored),
            _ => return Err(WriteError::TooMany { section, count, limit }),
        }
        Ok(())
    }

    fn part_count(&mut self, at: Place, what: &'static str, count: usize, limit: usize) -> Result<(), WriteError> {
        let Place { section, record } = at;
        let stored =
            u16::try_from(count).map_err(|_| WriteError::TooManyParts { section, record, what, count, limit })?;
        self.u16(stored);
        Ok(())
    }

    fn text(&mut self, at: Place, field: &'static str, text: &Text, width: usize) -> Result<(), WriteError> {
        let Place { section, record } = at;
        let length = text.0.len();
        let Some(padding) = width.checked_sub(length) else {
            return Err(WriteError::TextTooLong { section, record, field, length, limit: width });
        };
        if text.0.contains(&0) {
            return Err(WriteError::TextHasNul { section, record, field });
        }
        self.bytes.extend(&text.0);
        self.bytes.extend(std::iter::repeat_n(0, padding));
        Ok(())
    }

    fn sub_version(&mut self, section: Section, sub_version: i32, known: bool) -> Result<(), WriteError> {
        if !known {
            return Err(WriteError::UnknownSubVersion { section, sub_version });
        }
        self.i32(sub_version);
        Ok(())
    }

    fn comments(&mut self, section: Section, comments: &[Comment]) -> Result<(), WriteError> {
        let limit = i32::MAX as usize;
        let count =
            i32::try_from(comments.len()).map_err(|_| WriteError::TooMany { section, count: comments.len(), limit })?;
        self.i32(count);
        for (record, comment) in comments.iter().enumerate() {
            self.i32(comment.index);
            self.comment_text(Place { section, record }, &comment.text)?;
        }
        Ok(())
    }

    fn comment_text(&mut self, at: Place, text: &[u8]) -> Result<(), WriteError> {
        let Place { section, record } = at;
        let limit = i32::MAX as usize;
        let length = i32::try_from(text.len()).map_err(|_| WriteError::TextTooLong {
            section,
            record,
            field: "text",
            length: text.len(),
            limit,
        })?;
        self.i32(length);
        self.bytes.extend(text);
        Ok(())
    }
}
