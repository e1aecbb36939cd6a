//! Why a file is refused, and what of it is left out.

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

/// Where in a file something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The table.
    pub part: Part,
    /// Which record of it, from 0; `None` for the table as such.
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

/// Why a file was refused.
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
        /// What it starts with.
        found: [u8; 4],
    },
    /// Another version: those from 44 on are of the Source engine and laid out otherwise.
    #[error("header (byte 4): version {version} is not supported, only 10 (GoldSrc) is{}",
        if *version >= 44 { "; this is a model of the Source engine" } else { "" })]
    UnsupportedVersion {
        /// The version.
        version: i32,
    },
    /// Something lies outside the file.
    #[error("{at}: {bytes} bytes lie outside the file, which has {length}")]
    Outside {
        /// Where it should be.
        at: Place,
        /// Its length.
        bytes: u64,
        /// The file's.
        length: usize,
    },
    /// A count is negative or above a limit.
    #[error("{at}: {count} records; 0 to {limit} are possible")]
    Count {
        /// Where the count is.
        at: Place,
        /// The count.
        count: i64,
        /// The greatest there may be.
        limit: usize,
    },
    /// A record names one that is not there.
    #[error("{at}: {what} {index} is none of the {count} there are")]
    Index {
        /// The record that names it.
        at: Place,
        /// What it names, such as `bone`.
        what: &'static str,
        /// Which.
        index: i64,
        /// How many there are.
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
    /// A run of equal frames says that it has no frames, or no value.
    #[error("{at}: a run of frames is empty")]
    EmptyRun {
        /// The run.
        at: Place,
    },
}

impl ReadError {
    /// Where it went wrong; `None` when the file as a whole is too large.
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

/// Something that does not stop the rest from being used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// The header's length is not the file's.
    #[error("header (byte 72): it says {said} bytes, the file has {length}")]
    Length {
        /// What the header says.
        said: i32,
        /// The file's length.
        length: usize,
    },
    /// A file that the model needs is not there or is none.
    #[error("{companion}: {why}; what it holds is left out")]
    Companion {
        /// Which.
        companion: Companion,
        /// What is wrong.
        why: String,
    },
    /// A texture cannot be used.
    #[error("texture {index} '{name}' is left out: {why}")]
    Texture {
        /// Which.
        index: usize,
        /// Its name.
        name: String,
        /// What is wrong.
        why: ReadError,
    },
    /// A sequence cannot be used.
    #[error("sequence {index} '{name}' is left out: {why}")]
    Sequence {
        /// Which.
        index: usize,
        /// Its name.
        name: String,
        /// What is wrong.
        why: ReadError,
    },
    /// Parts beside what is drawn cannot be used.
    #[error("the table is left out: {why}")]
    Table {
        /// What is wrong.
        why: ReadError,
    },
    /// Flags of an extension of the format, whose meaning is not known here.
    #[error("{at}: flags {flags:#x} belong to an extension of the format and are not followed")]
    Extension {
        /// Where they are.
        at: Place,
        /// Those that are not known.
        flags: i32,
    },
    /// Nothing is drawn of it: this is likely the file of another model's textures.
    #[error("it has no body parts; if its name ends in t, it holds the textures of the model without that t")]
    NothingDrawn,
}
