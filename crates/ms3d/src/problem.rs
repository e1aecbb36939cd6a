//! Problems of a document's contents: kinds, severity and messages.

use std::fmt;

use super::raw::Text;
use super::{Location, Section};

/// Severity of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Odd, but programs open such files: the field's stated fallback is used.
    Warning,
    /// The document cannot be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A problem and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Start of the record, or of its section, in the file.
    pub at: Location,
    /// Kind of the problem.
    pub kind: ProblemKind,
}

impl Problem {
    /// Severity of the problem.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

impl fmt::Display for Problem {
    /// `triangles 3 (byte 1042): vertex 812 outside vertices (length 812)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.kind)
    }
}

/// One of a joint's two lists of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyTrack {
    /// [`Joint::rotation_keys`](super::raw::Joint::rotation_keys).
    Rotation,
    /// [`Joint::translation_keys`](super::raw::Joint::translation_keys).
    Translation,
}

impl fmt::Display for KeyTrack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rotation => "rotation",
            Self::Translation => "translation",
        })
    }
}

/// Kind of a problem. Indices count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemKind {
    /// Error: a triangle names a vertex, or a group a triangle, that does not exist.
    #[error("index {index} outside {of} (length {length})")]
    IndexOutside {
        /// The index.
        index: usize,
        /// Section that it points into.
        of: Section,
        /// Number of records of that section.
        length: usize,
    },
    /// Error: a joint is among its own ancestors.
    #[error("the joint is its own ancestor")]
    ParentCycle,
    /// Error: a section with one record per vertex or joint has another number of records.
    #[error("{count} records, where {expected} are expected, one for each of the {of}")]
    RecordCount {
        /// Number of records.
        count: usize,
        /// Number of records required.
        expected: usize,
        /// Section whose number of records must be the same.
        of: Section,
    },
    /// A number is NaN or infinite.
    #[error("the {field} is not finite")]
    NotFinite {
        /// The field.
        field: &'static str,
    },
    /// A key's time or value is NaN or infinite.
    #[error("{track} key {key} is not finite")]
    KeyNotFinite {
        /// List that holds the key.
        track: KeyTrack,
        /// The key.
        key: usize,
    },
    /// A key is not later than the one before it.
    #[error("{track} key {key} is not later than the key before it")]
    KeyOrder {
        /// List that holds the key.
        track: KeyTrack,
        /// The key.
        key: usize,
    },
    /// A key lies before the start of the time line.
    #[error("{track} key {key} has a time below 0")]
    KeyBeforeStart {
        /// List that holds the key.
        track: KeyTrack,
        /// The key.
        key: usize,
    },
    /// A vertex names a joint that does not exist; it stays at rest.
    #[error("joint {joint} outside joints (length {length}): the vertex stays at rest")]
    JointOutside {
        /// The joint.
        joint: i8,
        /// Number of joints.
        length: usize,
    },
    /// A vertex's further joint does not exist; its weight is dropped.
    #[error("joint {joint} outside joints (length {length}): its weight is dropped")]
    ExtraJointOutside {
        /// The joint.
        joint: i8,
        /// Number of joints.
        length: usize,
    },
    /// The stored reference count is wrong; programs do not need it.
    #[error("reference count {stored}, but {counted} triangle corners use the vertex")]
    ReferenceCount {
        /// Stored count.
        stored: u8,
        /// Number of corners that use the vertex.
        counted: usize,
    },
    /// Two corners of a triangle are the same vertex.
    #[error("vertex {vertex} is at two corners: the triangle has no area")]
    RepeatedVertex {
        /// The vertex.
        vertex: u16,
    },
    /// A triangle's corners lie on a line.
    #[error("the triangle has no area")]
    ZeroArea,
    /// A corner's normal has no direction.
    #[error("the normal of corner {corner} is zero")]
    ZeroNormal {
        /// The corner.
        corner: usize,
    },
    /// A smoothing group above the specification's 32. 0, "none", is common.
    #[error("smoothing group {smoothing_group} is above 32")]
    SmoothingGroup {
        /// The smoothing group.
        smoothing_group: u8,
    },
    /// No group lists the triangle; it is not drawn.
    #[error("no group lists the triangle: it is not drawn")]
    TriangleInNoGroup,
    /// Several groups, or one group several times, list the triangle.
    #[error("the triangle is listed {times} times")]
    TriangleListedOften {
        /// Number of listings.
        times: usize,
    },
    /// The triangle's own group index disagrees with the groups' lists, which count.
    #[error("group index {stored}, but group {listed} lists the triangle")]
    GroupIndex {
        /// Group index of the triangle.
        stored: u8,
        /// The first group that lists it.
        listed: usize,
    },
    /// A group's material does not exist; it is drawn with the default material.
    #[error("material {material} outside materials (length {length}): the default material is used")]
    MaterialOutside {
        /// The material.
        material: i8,
        /// Number of materials.
        length: usize,
    },
    /// The exponent is outside its range.
    #[error("shininess {shininess} is not from 0 to 128")]
    Shininess {
        /// The exponent.
        shininess: f32,
    },
    /// The opacity is outside its range.
    #[error("transparency {transparency} is not from 0 to 1")]
    Transparency {
        /// The opacity.
        transparency: f32,
    },
    /// The material is invisible by its transparency, opaque by its colour.
    #[error("transparency 0 (invisible) with an opaque diffuse colour: probably written inverted")]
    TransparencyInverted,
    /// Frames a second below 1 count as 1.
    #[error("{fps} frames a second, counted as 1")]
    Fps {
        /// Frames a second.
        fps: f32,
    },
    /// The time line has a negative length.
    #[error("{total_frames} frames in total")]
    TotalFrames {
        /// Frames.
        total_frames: i32,
    },
    /// Two joints have one name, so that children may get the wrong parent.
    #[error("the same name as joint {first}, ASCII case aside: children may hang on the wrong one")]
    NameCollision {
        /// The first joint of the name.
        first: usize,
    },
    /// A parent's name is no joint's; the joint is used as a root.
    #[error("parent \"{name}\" is no joint's name: the joint is used as a root", name = name.0.escape_ascii())]
    UnknownParent {
        /// The name.
        name: Text,
    },
    /// A comment's index is out of range.
    #[error("comment on {index}, which is outside {of} (length {length})")]
    CommentOutside {
        /// The index.
        index: i32,
        /// Section that it points into.
        of: Section,
        /// Number of records of that section.
        length: usize,
    },
    /// The stored weights exceed their scale; they are normalised.
    #[error("weights sum to {sum} of {full}: they are normalised")]
    WeightSum {
        /// Their sum.
        sum: u32,
        /// The scale's full weight.
        full: u8,
    },
    /// Some weight belongs to slots without a joint; the rest is normalised. Up to 2 % passes as rounding.
    #[error("{lost} of {full} of the weight belongs to no joint: the rest is normalised")]
    WeightLost {
        /// The weight without a joint.
        lost: u32,
        /// The scale's full weight.
        full: u8,
    },
    /// Weights are 0..255 where the specification says percent.
    #[error("weights are taken as 0 to 255, though sub-version {sub_version} has percent")]
    ByteWeights {
        /// The section's sub-version.
        sub_version: i32,
    },
    /// A transparency mode that is not documented.
    #[error("transparency mode {mode} is not 0, 1 or 2")]
    TransparencyMode {
        /// The mode.
        mode: i32,
    },
    /// Further problems that are not listed, of the severity in the field.
    #[error("and {count} more {severity}s")]
    More {
        /// Their number.
        count: usize,
        /// Their severity.
        severity: Severity,
    },
}

impl ProblemKind {
    /// Severity of this kind.
    pub fn severity(&self) -> Severity {
        match self {
            Self::IndexOutside { .. } | Self::ParentCycle | Self::RecordCount { .. } => Severity::Error,
            Self::More { severity, .. } => *severity,
            _ => Severity::Warning,
        }
    }

    /// The kind's name for machines, such as `index_outside`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::IndexOutside { .. } => "index_outside",
            Self::ParentCycle => "parent_cycle",
            Self::RecordCount { .. } => "record_count",
            Self::NotFinite { .. } => "not_finite",
            Self::KeyNotFinite { .. } => "key_not_finite",
            Self::KeyOrder { .. } => "key_order",
            Self::KeyBeforeStart { .. } => "key_before_start",
            Self::JointOutside { .. } => "joint_outside",
            Self::ExtraJointOutside { .. } => "extra_joint_outside",
            Self::ReferenceCount { .. } => "reference_count",
            Self::RepeatedVertex { .. } => "repeated_vertex",
            Self::ZeroArea => "zero_area",
            Self::ZeroNormal { .. } => "zero_normal",
            Self::SmoothingGroup { .. } => "smoothing_group",
            Self::TriangleInNoGroup => "triangle_in_no_group",
            Self::TriangleListedOften { .. } => "triangle_listed_often",
            Self::GroupIndex { .. } => "group_index",
            Self::MaterialOutside { .. } => "material_outside",
            Self::Shininess { .. } => "shininess",
            Self::Transparency { .. } => "transparency",
            Self::TransparencyInverted => "transparency_inverted",
            Self::Fps { .. } => "fps",
            Self::TotalFrames { .. } => "total_frames",
            Self::NameCollision { .. } => "name_collision",
            Self::UnknownParent { .. } => "unknown_parent",
            Self::CommentOutside { .. } => "comment_outside",
            Self::WeightSum { .. } => "weight_sum",
            Self::WeightLost { .. } => "weight_lost",
            Self::ByteWeights { .. } => "byte_weights",
            Self::TransparencyMode { .. } => "transparency_mode",
            Self::More { .. } => "more",
        }
    }
}
