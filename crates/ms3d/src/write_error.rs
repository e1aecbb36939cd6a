//! Reasons that a document cannot be written.

use super::Section;

/// Reason that a document cannot be written. Records count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The version is neither 3 nor 4.
    #[error("header: version {version} cannot be written, only 3 and 4 can")]
    UnsupportedVersion {
        /// The version.
        version: i32,
    },
    /// More records than the format allows.
    #[error("{section}: {count} records are more than the {limit} the format allows")]
    TooMany {
        /// The section.
        section: Section,
        /// Number of records.
        count: usize,
        /// Greatest number allowed.
        limit: usize,
    },
    /// More parts of one record than its count can hold.
    #[error("{section} {record}: {count} {what} are more than the {limit} the format allows")]
    TooManyParts {
        /// The section.
        section: Section,
        /// The record.
        record: usize,
        /// The parts.
        what: &'static str,
        /// Number of parts.
        count: usize,
        /// Greatest number allowed.
        limit: usize,
    },
    /// A text is longer than its field.
    #[error("{section} {record}: the {field} takes {length} bytes, its field has {limit}")]
    TextTooLong {
        /// The section.
        section: Section,
        /// The record.
        record: usize,
        /// The field.
        field: &'static str,
        /// Its length in bytes.
        length: usize,
        /// The field's width in bytes.
        limit: usize,
    },
    /// A text holds a NUL byte, which would end it.
    #[error("{section} {record}: the {field} holds a NUL byte")]
    TextHasNul {
        /// The section.
        section: Section,
        /// The record.
        record: usize,
        /// The field.
        field: &'static str,
    },
    /// A section's sub-version is unknown.
    #[error("{section}: sub-version {sub_version} cannot be written")]
    UnknownSubVersion {
        /// The section.
        section: Section,
        /// Its sub-version.
        sub_version: i32,
    },
    /// A section with one record per vertex or joint has another number of records.
    #[error("{section}: {count} records, where {expected} are expected, one for each of the {of}")]
    WrongRecordCount {
        /// The section.
        section: Section,
        /// Number of records.
        count: usize,
        /// Number of records required.
        expected: usize,
        /// Section whose number of records must be the same.
        of: Section,
    },
    /// An extra word is set that the section's sub-version has no room for.
    #[error("vertex_ex {record}: sub-version {sub_version} has no room for its extra words {extra:?}")]
    ExtraNotHeld {
        /// The record.
        record: usize,
        /// The section's sub-version.
        sub_version: i32,
        /// The words.
        extra: [u32; 2],
    },
    /// A section follows one that is missing.
    #[error("{section}: cannot be written without {missing}, which comes before it")]
    TailGap {
        /// The section.
        section: Section,
        /// The missing section.
        missing: Section,
    },
    /// Version 3 has no tail.
    #[error("{section}: version 3 has no such section")]
    TailInVersion3 {
        /// The section.
        section: Section,
    },
    /// The trailing bytes would be read as the section that is missing before them.
    #[error("trailing bytes: they would be read as {missing}, which is missing before them")]
    AmbiguousTrailing {
        /// The missing section.
        missing: Section,
    },
}
