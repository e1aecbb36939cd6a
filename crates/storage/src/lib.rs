//! File access: the only place that writes, renames or removes files and that opens those named by a user.
//!
//! Nothing hangs: anything that is not a file, such as a pipe, is never waited for ([`read`]). Nothing is half written:
//! a file ([`OutFile`], [`OutStream`]), or a set of files that belong together ([`OutFolder`]), is staged beside its
//! place, flushed to the disk and then renamed, so that after a failure, a full disk or a kill either the old or the
//! new one is there, whole. [`abandon_parts`] removes the staged parts that a forced end would leave.
//!
//! Every call to the system goes through `calls`, where tests let each of them fail in turn. In a browser, which has no
//! files, `memory` replaces it.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("a.txt");
//! std::fs::write(&path, "sea")?;
//! assert_eq!(storage::read(&path, 100)?, b"sea");
//! assert!(storage::read(&path, 2).is_err(), "larger than allowed");
//! # Ok::<(), std::io::Error>(())
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

#[cfg_attr(target_arch = "wasm32", path = "memory.rs")]
mod calls;
mod destination;
#[cfg(not(target_arch = "wasm32"))]
pub mod faults;
#[cfg(test)]
#[allow(dead_code, reason = "what only a browser calls")]
mod memory;
mod out_file;
mod out_folder;
#[cfg(not(target_arch = "wasm32"))]
mod out_stream;
mod parts;
mod read;
#[cfg(test)]
mod tests;

pub use calls::process_id;
#[cfg(target_arch = "wasm32")]
pub use calls::{put, take_written};
pub use out_file::OutFile;
pub use out_folder::{OutFolder, Staged, read_from_folder};
#[cfg(not(target_arch = "wasm32"))]
pub use out_stream::OutStream;
pub use parts::abandon_parts;
pub use read::{follow, is_file, is_there, modified, names, read, remove_files};
#[cfg(not(target_arch = "wasm32"))]
pub use read::{read_pieces, read_start};

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Reason why something was not written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct StorageError {
    /// The file or folder.
    pub path: PathBuf,
    /// The system's error.
    pub why: io::Error,
}

/// Checks that a file may be written to `path`: nothing is there, or `is_ours` says that it may be replaced.
///
/// # Errors
/// If something is there that may not be replaced ([`ErrorKind::AlreadyExists`]).
pub fn refuse_replacing(path: &Path, is_ours: impl FnOnce(&Path) -> bool) -> Result<(), StorageError> {
    // A place that cannot be looked at cannot be written either, and the attempt to write reports why.
    match destination::is_there(path).unwrap_or(false) && !is_ours(path) {
        true => Err(at(path)(io::Error::new(ErrorKind::AlreadyExists, "it is there already"))),
        false => Ok(()),
    }
}

/// Converts an error of the system into one about `path`.
fn at(path: &Path) -> impl Fn(io::Error) -> StorageError + Copy {
    move |why| StorageError { path: path.to_owned(), why }
}
