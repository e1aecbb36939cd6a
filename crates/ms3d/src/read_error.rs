//! Reasons for refusing a file, and warnings about its tail.

use super::{Location, Section};

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
    /// The file does not start with [`MAGIC`](super::MAGIC).
    #[error(
        "header (byte 0): not a MilkShape 3D file: it starts with \"{}\" instead of \"MS3D000000\"",
        found.escape_ascii()
    )]
    NotMs3d {
        /// First bytes of the file.
        found: [u8; 10],
    },
    /// The version is neither 3 nor 4.
    #[error("header (byte 10): version {version} is not supported, only 3 and 4 are")]
    UnsupportedVersion {
        /// The version.
        version: i32,
    },
    /// The file ends inside a field or record.
    #[error("{at}: the file ends early: {needed} bytes needed, {left} left")]
    CutShort {
        /// Start of the field.
        at: Location,
        /// Bytes it needs.
        needed: usize,
        /// Bytes there are.
        left: usize,
    },
    /// A count promises more records than the rest of the file can hold.
    #[error("{at}: {count} records of {record_bytes} bytes or more do not fit into the {left} bytes left")]
    CountBeyondEnd {
        /// Place of the count.
        at: Location,
        /// The count.
        count: usize,
        /// Bytes of the smallest possible record.
        record_bytes: usize,
        /// Bytes left after the count.
        left: usize,
    },
    /// A count is above a limit.
    #[error("{at}: {count} records are more than the limit of {limit}")]
    TooMany {
        /// Place of the count.
        at: Location,
        /// The count.
        count: usize,
        /// Greatest count that the limits still allow.
        limit: usize,
    },
    /// The number of model comments is neither 0 nor 1.
    #[error("{at}: {count} comments of the model, where only 0 or 1 can be")]
    ModelCommentCount {
        /// Place of the count.
        at: Location,
        /// The count.
        count: u32,
    },
}

impl ReadError {
    /// Place of the error; `None` when the file as a whole is too large.
    pub fn location(&self) -> Option<Location> {
        match *self {
            Self::FileTooLarge { .. } => None,
            Self::NotMs3d { .. } => Some(Location { section: Section::Header, record: None, offset: 0 }),
            Self::UnsupportedVersion { .. } => Some(Location { section: Section::Header, record: None, offset: 10 }),
            Self::CutShort { at, .. }
            | Self::CountBeyondEnd { at, .. }
            | Self::TooMany { at, .. }
            | Self::ModelCommentCount { at, .. } => Some(at),
        }
    }
}

/// A problem of the tail that does not stop the rest from being used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadWarning {
    /// A section of the tail is damaged: it and all after it are dropped.
    #[error("{section} (byte {offset}): damaged, {dropped} bytes dropped from here on: {cause}")]
    DamagedTail {
        /// The first section dropped.
        section: Section,
        /// Byte at which it begins.
        offset: usize,
        /// Bytes dropped.
        dropped: usize,
        /// Reason for dropping it.
        cause: ReadError,
    },
    /// A section of the tail has an undocumented sub-version: from there on, bytes are kept as they are.
    #[error("{section} (byte {offset}): unknown sub-version {sub_version}, {kept} bytes kept unread from here on")]
    UnknownSubVersion {
        /// The section.
        section: Section,
        /// Byte at which it begins.
        offset: usize,
        /// Its sub-version.
        sub_version: i32,
        /// Bytes kept in [`Tail::trailing`](super::raw::Tail::trailing).
        kept: usize,
    },
    /// Bytes follow the last known section; they are kept in [`Tail::trailing`](super::raw::Tail::trailing).
    #[error("trailing bytes (byte {offset}): {kept} bytes after the last section, kept unread")]
    TrailingBytes {
        /// Byte at which they begin.
        offset: usize,
        /// Their number.
        kept: usize,
    },
}

impl ReadWarning {
    /// The kind's name for machines, such as `damaged_tail`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DamagedTail { .. } => "damaged_tail",
            Self::UnknownSubVersion { .. } => "unknown_sub_version",
            Self::TrailingBytes { .. } => "trailing_bytes",
        }
    }

    /// Place of the first section concerned.
    pub fn location(&self) -> Location {
        let (section, offset) = match *self {
            Self::DamagedTail { section, offset, .. } | Self::UnknownSubVersion { section, offset, .. } => {
                (section, offset)
            }
            Self::TrailingBytes { offset, .. } => (Section::Trailing, offset),
        };
        Location { section, record: None, offset }
    }
}
