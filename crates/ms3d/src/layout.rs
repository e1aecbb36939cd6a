//! Lengths of records, and the place of each in its file.

use super::raw::{Comment, Document};
use super::{Location, MAGIC, Section};

pub(super) const VERTEX_BYTES: usize = 15;
pub(super) const TRIANGLE_BYTES: usize = 70;
/// A group without its triangle indices, 2 bytes each.
pub(super) const GROUP_BYTES: usize = 36;
pub(super) const MATERIAL_BYTES: usize = 361;
pub(super) const KEYFRAMER_BYTES: usize = 12;
/// A joint without its keys.
pub(super) const JOINT_BYTES: usize = 93;
pub(super) const KEY_BYTES: usize = 16;
/// A comment without its text.
pub(super) const COMMENT_BYTES: usize = 8;
pub(super) const JOINT_EX_BYTES: usize = 12;
/// The section without its sub-version.
pub(super) const MODEL_EX_BYTES: usize = 12;

/// Length of a `vertex_ex` record, `None` for an unknown sub-version.
pub(super) fn vertex_ex_bytes(sub_version: i32) -> Option<usize> {
    match sub_version {
        1 => Some(6),
        2 => Some(10),
        3 => Some(14),
        _ => None,
    }
}

/// Offsets of sections and records: where [`write`](super::write) puts them, hence where [`read`](super::read) found
/// them.
pub(super) struct Layout {
    sections: Vec<(Section, Span)>,
}

struct Span {
    start: usize,
    records: Records,
}

enum Records {
    None,
    Fixed { first: usize, bytes: usize },
    Listed(Vec<usize>),
}

impl Layout {
    pub(super) fn of(document: &Document) -> Self {
        let mut layout = Builder { sections: Vec::new(), offset: 0 };
        layout.plain(Section::Header, MAGIC.len() + 4);
        layout.fixed(Section::Vertices, 2, VERTEX_BYTES, document.vertices.len());
        layout.fixed(Section::Triangles, 2, TRIANGLE_BYTES, document.triangles.len());
        let group_bytes = document.groups.iter().map(|group| GROUP_BYTES + 2 * group.triangle_indices.len());
        layout.listed(Section::Groups, 2, group_bytes);
        layout.fixed(Section::Materials, 2, MATERIAL_BYTES, document.materials.len());
        layout.plain(Section::Keyframer, KEYFRAMER_BYTES);
        let joint_bytes = document
            .joints
            .iter()
            .map(|joint| JOINT_BYTES + KEY_BYTES * (joint.rotation_keys.len() + joint.translation_keys.len()));
        layout.listed(Section::Joints, 2, joint_bytes);

        let tail = &document.tail;
        if let Some(comments) = &tail.comments {
            layout.plain(Section::Comments, 4);
            let bytes = |comment: &Comment| COMMENT_BYTES + comment.text.len();
            layout.listed(Section::GroupComments, 4, comments.groups.iter().map(bytes));
            layout.listed(Section::MaterialComments, 4, comments.materials.iter().map(bytes));
            layout.listed(Section::JointComments, 4, comments.joints.iter().map(bytes));
            layout.plain(Section::ModelComment, 4 + comments.model.as_ref().map_or(0, |text| 4 + text.len()));
        }
        if let Some(section) = &tail.vertex_ex {
            let bytes = vertex_ex_bytes(section.sub_version).unwrap_or(0);
            layout.fixed(Section::VertexEx, 4, bytes, section.records.len());
        }
        if let Some(section) = &tail.joint_ex {
            layout.fixed(Section::JointEx, 4, JOINT_EX_BYTES, section.colors.len());
        }
        if tail.model_ex.is_some() {
            layout.plain(Section::ModelEx, 4 + MODEL_EX_BYTES);
        }
        layout.plain(Section::Trailing, tail.trailing.len());
        Self { sections: layout.sections }
    }

    /// Place of a section as a whole: that of its count or sub-version. A section that the document lacks is placed at
    /// the end of the file.
    pub(super) fn section(&self, section: Section) -> Location {
        let offset = self.span(section).or(self.span(Section::Trailing)).map_or(0, |span| span.start);
        Location { section, record: None, offset }
    }

    /// Place at which a record of a section begins.
    pub(super) fn record(&self, section: Section, record: usize) -> Location {
        let offset = self.span(section).and_then(|span| match &span.records {
            Records::None => None,
            Records::Fixed { first, bytes } => Some(first + record * bytes),
            Records::Listed(starts) => starts.get(record).copied(),
        });
        let offset = offset.unwrap_or_else(|| self.section(section).offset);
        Location { section, record: Some(record), offset }
    }

    fn span(&self, section: Section) -> Option<&Span> {
        self.sections.iter().find(|(found, _)| *found == section).map(|(_, span)| span)
    }
}

struct Builder {
    sections: Vec<(Section, Span)>,
    offset: usize,
}

impl Builder {
    fn plain(&mut self, section: Section, bytes: usize) {
        self.sections.push((section, Span { start: self.offset, records: Records::None }));
        self.offset += bytes;
    }

    fn fixed(&mut self, section: Section, head: usize, bytes: usize, count: usize) {
        let first = self.offset + head;
        self.sections.push((section, Span { start: self.offset, records: Records::Fixed { first, bytes } }));
        self.offset = first + count * bytes;
    }

    fn listed(&mut self, section: Section, head: usize, lengths: impl Iterator<Item = usize>) {
        let start = self.offset;
        self.offset += head;
        let starts = lengths
            .map(|length| {
                let begin = self.offset;
                self.offset += length;
                begin
            })
            .collect();
        self.sections.push((section, Span { start, records: Records::Listed(starts) }));
    }
}
