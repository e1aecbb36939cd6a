//! MilkShape 3D files: bytes to data ([`read()`]) and back ([`write()`]), and a check of their contents
//! ([`validate()`]).
//!
//! [`mod@format`] describes the files to the last byte. [`raw`] mirrors the file record for record, under the
//! specification's names (group, smoothing group, joint). Nothing here uses a graphics API, a maths crate, the clock or
//! the file system.
//!
//! [`read()`] checks structure and [`Limits`] only, so that a file with a wrong index still loads. [`validate()`] lists
//! everything wrong with the contents. [`write()`] returns an error for a document that the format cannot hold.
//! [`weights`] and [`skeleton`] decode the data that the records leave to the reader: the joints that move a vertex,
//! and the parents of joints. [`columns`] puts a file's bytes into an order that compresses well.
//!
//! ```
//! use ms3d::raw;
//!
//! let document = raw::Document {
//!     version: 4,
//!     vertices: vec![raw::Vertex { bone_id: -1, ..Default::default() }],
//!     triangles: Vec::new(),
//!     groups: Vec::new(),
//!     materials: Vec::new(),
//!     keyframer: raw::Keyframer { fps: 24.0, current_time: 0.0, total_frames: 1 },
//!     joints: Vec::new(),
//!     tail: raw::Tail::default(),
//! };
//! let bytes = ms3d::write(&document)?;
//! let outcome = ms3d::read(&bytes, &ms3d::Limits::default())?;
//! assert_eq!(outcome.document, document);
//! assert!(outcome.warnings.is_empty());
//!
//! let refused = ms3d::read(&bytes[..20], &ms3d::Limits::default()).unwrap_err();
//! assert_eq!(
//!     refused.to_string(),
//!     "vertices (byte 14): 1 records of 15 bytes or more do not fit into the 4 bytes left"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod columns;
mod cursor;
#[doc = include_str!("../FORMAT.md")]
pub mod format {}
mod layout;
mod limits;
mod location;
mod problem;
pub mod raw;
mod read;
mod read_error;
mod read_tail;
pub mod skeleton;
mod validate;
pub mod weights;
mod write;
mod write_error;

pub use limits::{
    Limits, MAX_GROUPS, MAX_JOINTS, MAX_KEYS_PER_TRACK, MAX_MATERIALS, MAX_PROBLEMS, MAX_TRIANGLES,
    MAX_TRIANGLES_PER_GROUP, MAX_VERTICES,
};
pub use location::{Location, Section};
pub use problem::{KeyTrack, Problem, ProblemKind, Severity};
pub use read::{ReadOutcome, read};
pub use read_error::{ReadError, ReadWarning};
pub use validate::validate;
pub use write::write;
pub use write_error::WriteError;

/// The first ten bytes of every file.
pub const MAGIC: [u8; 10] = *b"MS3D000000";

/// Bytes of a name field.
pub const NAME_BYTES: usize = 32;
/// Bytes of a path field (texture, alpha map).
pub const PATH_BYTES: usize = 128;

/// The examples of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
