//! Checks of the place of a file that is to be written or read.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::calls::{self, Metadata, OpenOptions};

/// Refuses anything but a plain file, with an error that names its kind.
pub fn plain(metadata: &Metadata) -> io::Result<()> {
    let what = match metadata.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder, not a file")),
        #[cfg(unix)]
        kind if std::os::unix::fs::FileTypeExt::is_fifo(&kind) => "it is a pipe, not a file",
        #[cfg(unix)]
        kind if std::os::unix::fs::FileTypeExt::is_socket(&kind) => "it is a socket, not a file",
        _ => "it is a device, not a file",
    };
    Err(io::Error::new(ErrorKind::InvalidInput, what))
}

/// Real path of a file that is written to `path`, links followed, and the metadata of the file there now, which may be
/// replaced; `None` if nothing is there.
pub fn resolve(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    let real = match calls::metadata_of_link(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((path.to_owned(), None)),
        Ok(link) if link.is_symlink() => calls::follow(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::other("it is a link to a file that is not there"),
            _ => error,
        })?,
        there => there.map(|_| path.to_owned())?,
    };
    let there = calls::metadata(&real)?;
    plain(&there)?;
    // Permission on the folder would suffice to replace it, and the superuser may write anything.
    if there.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
    }
    calls::open(OpenOptions::new().write(true), &real)?;
    Ok((real, Some(there)))
}

/// Whether anything is there, even a dangling link.
pub fn is_there(path: &Path) -> io::Result<bool> {
    match calls::metadata_of_link(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        there => there.map(|_| true),
    }
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
