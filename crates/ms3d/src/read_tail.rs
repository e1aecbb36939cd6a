//! Bytes to data: the sections after the joints.

use super::cursor::Cursor;
use super::layout::{COMMENT_BYTES, JOINT_EX_BYTES, vertex_ex_bytes};
use super::raw::*;
use super::{Limits, ReadError, ReadWarning, Section};

/// Reads the tail of a document that is read up to its joints. Damage ends it with a warning.
pub(super) fn read_tail(
    cursor: &mut Cursor<'_>,
    limits: &Limits,
    document: &Document,
    warnings: &mut Vec<ReadWarning>,
) -> Tail {
    TailReader { cursor, limits, warnings }.tail(document)
}

struct TailReader<'r, 'a> {
    cursor: &'r mut Cursor<'a>,
    limits: &'r Limits,
    warnings: &'r mut Vec<ReadWarning>,
}

impl TailReader<'_, '_> {
    fn tail(&mut self, document: &Document) -> Tail {
        let mut tail = Tail::default();
        if document.version == 3 {
            self.keep_trailing(&mut tail);
            return tail;
        }
        let limits = self.limits;
        tail.comments = self.section(&mut tail, Section::Comments, |cursor, sub_version| {
            (sub_version == 1).then(|| comments(cursor, limits))
        });
        if tail.comments.is_none() {
            return tail;
        }
        let vertices = document.vertices.len();
        tail.vertex_ex = self.section(&mut tail, Section::VertexEx, |cursor, sub_version| {
            vertex_ex_bytes(sub_version).map(|record_bytes| vertex_ex(cursor, sub_version, record_bytes, vertices))
        });
        if tail.vertex_ex.is_none() {
            return tail;
        }
        let joints = document.joints.len();
        tail.joint_ex = self.section(&mut tail, Section::JointEx, |cursor, sub_version| {
            (sub_version == 1).then(|| joint_ex(cursor, joints))
        });
        if tail.joint_ex.is_none() {
            return tail;
        }
        tail.model_ex = self
            .section(&mut tail, Section::ModelEx, |cursor, sub_version| (sub_version == 1).then(|| model_ex(cursor)));
        if tail.model_ex.is_some() {
            self.keep_trailing(&mut tail);
        }
        tail
    }

    /// Reads one section; `None` if the tail ends here: at the end of the file, at damage, at a sub-version for which
    /// `read` returns `None`.
    fn section<T>(
        &mut self,
        tail: &mut Tail,
        section: Section,
        read: impl FnOnce(&mut Cursor<'_>, i32) -> Option<Result<T, ReadError>>,
    ) -> Option<T> {
        let offset = self.cursor.offset();
        let left = self.cursor.left();
        if left == 0 {
            return None;
        }
        self.cursor.enter(section);
        let result = self.cursor.i32().and_then(|sub_version| match read(self.cursor, sub_version) {
            Some(result) => result.map(Ok),
            None => Ok(Err(sub_version)),
        });
        match result {
            Ok(Ok(content)) => Some(content),
            Ok(Err(sub_version)) => {
                tail.trailing = self.cursor.rest_from(offset).to_vec();
                self.warnings.push(ReadWarning::UnknownSubVersion { section, offset, sub_version, kept: left });
                None
            }
            Err(cause) => {
                self.warnings.push(ReadWarning::DamagedTail { section, offset, dropped: left, cause });
                None
            }
        }
    }

    fn keep_trailing(&mut self, tail: &mut Tail) {
        let (offset, kept) = (self.cursor.offset(), self.cursor.left());
        if kept > 0 {
            tail.trailing = self.cursor.rest_from(offset).to_vec();
            self.warnings.push(ReadWarning::TrailingBytes { offset, kept });
        }
    }
}

fn comments(cursor: &mut Cursor<'_>, limits: &Limits) -> Result<Comments, ReadError> {
    let mut comments_left = limits.comments;
    let mut list = |cursor: &mut Cursor<'_>, section| {
        cursor.enter(section);
        let count = cursor.count32(comments_left, COMMENT_BYTES)?;
        comments_left -= count;
        cursor.records(count, |cursor| Ok(Comment { index: cursor.i32()?, text: comment_text(cursor)? }))
    };
    let groups = list(cursor, Section::GroupComments)?;
    let materials = list(cursor, Section::MaterialComments)?;
    let joints = list(cursor, Section::JointComments)?;
    cursor.enter(Section::ModelComment);
    let at = cursor.location();
    let model = match cursor.u32()? {
        0 => None,
        1 => Some(comment_text(cursor)?),
        count => return Err(ReadError::ModelCommentCount { at, count }),
    };
    Ok(Comments { sub_version: 1, groups, materials, joints, model })
}

fn comment_text(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, ReadError> {
    let length = cursor.count32(usize::MAX, 1)?;
    Ok(cursor.take(length)?.to_vec())
}

fn vertex_ex(
    cursor: &mut Cursor<'_>,
    sub_version: i32,
    record_bytes: usize,
    vertices: usize,
) -> Result<VertexExSection, ReadError> {
    cursor.checked_count(cursor.offset(), vertices, usize::MAX, record_bytes)?;
    let records = cursor.records(vertices, |cursor| {
        Ok(VertexEx {
            bone_ids: [cursor.i8()?, cursor.i8()?, cursor.i8()?],
            weights: cursor.array()?,
            extra: [if sub_version >= 2 { cursor.u32()? } else { 0 }, if sub_version >= 3 { cursor.u32()? } else { 0 }],
        })
    })?;
    Ok(VertexExSection { sub_version, records })
}

fn joint_ex(cursor: &mut Cursor<'_>, joints: usize) -> Result<JointExSection, ReadError> {
    cursor.checked_count(cursor.offset(), joints, usize::MAX, JOINT_EX_BYTES)?;
    Ok(JointExSection { sub_version: 1, colors: cursor.records(joints, |cursor| cursor.floats())? })
}

fn model_ex(cursor: &mut Cursor<'_>) -> Result<ModelEx, ReadError> {
    Ok(ModelEx {
        sub_version: 1,
        joint_size: cursor.f32()?,
        transparency_mode: cursor.i32()?,
        alpha_ref: cursor.f32()?,
    })
}
