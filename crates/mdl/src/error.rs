//! Reasons for refusing a file, and warnings about parts left out.

use std::fmt;

use super::companion::Companion;

/// A table of the file, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the names say it")]
pub enum Part {
    Header,
    Bones,
    Controllers,
    HitBoxes,
    Sequences,
    SequenceGroups,
    Events,
    Animation,
    Textures,
    Pixels,
    Skins,
    BodyParts,
    Models,
    Vertices,
    Normals,
    Meshes,
    Triangles,
    Attachments,
}

impl Part {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Bones => "bones",
            Self::Controllers => "bone controllers",
            Self::HitBoxes => "hit boxes",
            Self::Sequences => "sequences",
            Self::SequenceGroups => "sequence groups",
            Self::Events => "events",
            Self::Animation => "animation",
            Self::Textures => "textures",
            Self::Pixels => "texture pixels",
            Self::Skins => "skin families",
            Self::BodyParts => "body parts",
            Self::Models => "models",
            Self::Vertices => "vertices",
            Self::Normals => "normals",
            Self::Meshes => "meshes",
            Self::Triangles => "triangles",
            Self::Attachments => "attachments",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The table.
    pub part: Part,
    /// Record of the table, from 0; `None` for the table as such.
    pub record: Option<usize>,
    /// Byte from the beginning of the file, as the file gives it: it may lie outside.
    pub offset: i64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.record {
            Some(record) => write!(f, "{} {record} (byte {})", self.part, self.offset),
            None => write!(f, "{} (byte {})", self.part, self.offset),
        }
    }
}

/// Reason for refusing a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is longer than [`Limits::file_bytes`](super::Limits::file_bytes).
    #[error("the file has {bytes} bytes, more than the limit of {limit}")]
    FileTooLarge {
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The file does not start with `IDST`.
    #[error("header (byte 0): {}", not_a_model(found))]
    NotAModel {
        /// First bytes of the file.
        found: [u8; 4],
    },
    /// Another version: those from 44 on are of the Source engine and laid out otherwise.
    #[error("header (byte 4): version {version} is not supported, only 10 (GoldSrc) is{}",
        if *version >= 44 { "; this is a model of the Source engine" } else { "" })]
    UnsupportedVersion {
        /// The version.
        version: i32,
    },
    /// Bytes lie outside the file.
    #[error("{at}: {bytes} bytes lie outside the file, which has {length}")]
    Outside {
        /// Their place.
        at: Place,
        /// Their number.
        bytes: u64,
        /// Length of the file.
        length: usize,
    },
    /// A count is negative or above a limit.
    #[error("{at}: {count} records; 0 to {limit} are possible")]
    Count {
        /// Place of the count.
        at: Place,
        /// The count.
        count: i64,
        /// Greatest possible count.
        limit: usize,
    },
    /// A record refers to something that does not exist.
    #[error("{at}: {what} {index} is none of the {count} there are")]
    Index {
        /// The record that refers to it.
        at: Place,
        /// Kind of thing referred to, such as `bone`.
        what: &'static str,
        /// Its index.
        index: i64,
        /// Number of things of this kind.
        count: usize,
    },
    /// A bone's parent comes after it or is itself.
    #[error("{at}: its parent is bone {parent}, which does not come before it")]
    ParentAfterChild {
        /// The bone.
        at: Place,
        /// Its parent.
        parent: i32,
    },
    /// A run of equal frames has no frames, or no value.
    #[error("{at}: a run of frames is empty")]
    EmptyRun {
        /// The run.
        at: Place,
    },
}

impl ReadError {
    /// Place of the error; `None` when the file as a whole is too large.
    pub fn place(&self) -> Option<Place> {
        match *self {
            Self::FileTooLarge { .. } => None,
            Self::NotAModel { .. } => Some(Place { part: Part::Header, record: None, offset: 0 }),
            Self::UnsupportedVersion { .. } => Some(Place { part: Part::Header, record: None, offset: 4 }),
            Self::Outside { at, .. }
            | Self::Count { at, .. }
            | Self::Index { at, .. }
            | Self::ParentAfterChild { at, .. }
            | Self::EmptyRun { at } => Some(at),
        }
    }
}

fn not_a_model(found: &[u8; 4]) -> String {
    match found {
        b"IDSQ" => "this file holds only a group of sequences; open the model that it belongs to (without the two \
                    digits at the end of its name)"
            .into(),
        b"IDPO" => "this is a Quake model, not one of GoldSrc".into(),
        _ => format!("not a GoldSrc model: it starts with \"{}\" instead of \"IDST\"", found.escape_ascii()),
    }
}

/// A problem that does not stop the rest from being used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// The header's length is not the file's.
    #[error("header (byte 72): it says {said} bytes, the file has {length}")]
    Length {
        /// Length in the header.
        said: i32,
        /// The file's length.
        length: usize,
    },
    /// Another file of the model is missing or unusable.
    #[error("{companion}: {why}; what it holds is left out")]
    Companion {
        /// The file.
        companion: Companion,
        /// Reason.
        why: String,
    },
    /// A texture cannot be used.
    #[error("texture {index} '{name}' is left out: {why}")]
    Texture {
        /// Index of the texture.
        index: usize,
        /// Its name.
        name: String,
        /// Reason.
        why: ReadError,
    },
    /// A sequence cannot be used.
    #[error("sequence {index} '{name}' is left out: {why}")]
    Sequence {
        /// Index of the sequence.
        index: usize,
        /// Its name.
        name: String,
        /// Reason.
        why: ReadError,
    },
    /// A table that drawing does not need cannot be used.
    #[error("the table is left out: {why}")]
    Table {
        /// Reason.
        why: ReadError,
    },
    /// Flags of an extension of the format, whose meaning is not known here.
    #[error("{at}: flags {flags:#x} belong to an extension of the format and are not followed")]
    Extension {
        /// Place of the flags.
        at: Place,
        /// The unknown flags.
        flags: i32,
    },
    /// The model has no body parts: this is likely the texture file of another model.
    #[error("it has no body parts; if its name ends in t, it holds the textures of the model without that t")]
    NothingDrawn,
}
