//! Files: the only place that writes, renames or removes any, and that opens what a user names.
//!
//! Nothing hangs: what is not a file, such as a pipe, is never waited for ([`read`]). Nothing is half written: a file
//! ([`OutFile`], [`OutStream`]), or a set of files that belong together ([`OutFolder`]), is staged beside its place, flushed to the disk
//! and then renamed, so that after a failure, a full disk or a kill the old one is there whole, or the new one. What a
//! forced end would leave staged goes with [`abandon_parts`].
//!
//! Every call to the system goes through `calls`, where tests let each of them fail in turn. In a browser, which has no
//! files, `memory` is in their place.
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

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct StorageError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub why: io::Error,
}

/// Finds that a file may be written to `path`: nothing is there, or what is there `is_ours` to replace.
///
/// # Errors
/// If what is there is somebody's ([`ErrorKind::AlreadyExists`]).
pub fn refuse_replacing(path: &Path, is_ours: impl FnOnce(&Path) -> bool) -> Result<(), StorageError> {
    // What cannot even be looked at cannot be written either, and whoever tries says why.
    match destination::is_there(path).unwrap_or(false) && !is_ours(path) {
        true => Err(at(path)(io::Error::new(ErrorKind::AlreadyExists, "it is there already"))),
        false => Ok(()),
    }
}

/// What makes an error of the system one about `path`.
fn at(path: &Path) -> impl Fn(io::Error) -> StorageError + Copy {
    move |why| StorageError { path: path.to_owned(), why }
}
