//! Places in a file.

use std::fmt;

/// A part of the file, in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Magic and version.
    Header,
    /// Vertices.
    Vertices,
    /// Triangles.
    Triangles,
    /// Groups.
    Groups,
    /// Materials.
    Materials,
    /// Frames a second, cursor, length.
    Keyframer,
    /// Joints with their keys.
    Joints,
    /// Sub-version of the comments.
    Comments,
    /// Comments of groups.
    GroupComments,
    /// Comments of materials.
    MaterialComments,
    /// Comments of joints.
    JointComments,
    /// Comment of the model.
    ModelComment,
    /// Extra joints and weights of vertices.
    VertexEx,
    /// Joint colours.
    JointEx,
    /// Display settings of the model.
    ModelEx,
    /// Bytes after the last known section.
    Trailing,
}

impl Section {
    /// The section's name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Vertices => "vertices",
            Self::Triangles => "triangles",
            Self::Groups => "groups",
            Self::Materials => "materials",
            Self::Keyframer => "keyframer",
            Self::Joints => "joints",
            Self::Comments => "comments",
            Self::GroupComments => "group comments",
            Self::MaterialComments => "material comments",
            Self::JointComments => "joint comments",
            Self::ModelComment => "model comment",
            Self::VertexEx => "vertex_ex",
            Self::JointEx => "joint_ex",
            Self::ModelEx => "model_ex",
            Self::Trailing => "trailing bytes",
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A place in a file. Records and bytes both count from 0; bytes from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The section.
    pub section: Section,
    /// The record of the section, `None` for the section as a whole.
    pub record: Option<usize>,
    /// Offset of the error, or of the record that holds it. Unit: bytes.
    pub offset: usize,
}

impl fmt::Display for Location {
    /// `triangles 3 (byte 1042)`, or `header (byte 10)` for a whole section.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.record {
            Some(record) => write!(f, "{} {record} (byte {})", self.section, self.offset),
            None => write!(f, "{} (byte {})", self.section, self.offset),
        }
    }
}
