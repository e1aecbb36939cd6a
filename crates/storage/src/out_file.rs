//! One file, written whole or not at all.

use std::io;
use std::path::{Path, PathBuf};

use crate::calls::{File, Metadata, OpenOptions};
use crate::destination::{folder_of, resolve};
use crate::parts::Part;
use crate::{StorageError, at, calls};

/// A place for a file that was found to be writable.
///
/// A link is followed: its target is replaced, and keeps its owner and permissions. A read-only file is not replaced.
#[derive(Clone, Debug)]
pub struct OutFile(PathBuf);

impl OutFile {
    /// Checks that a file can be written to `path`, making its folder if need be.
    ///
    /// # Errors
    /// If it cannot, or if there is something other than a file, or a read-only one.
    pub fn check(path: &Path) -> Result<Self, StorageError> {
        let folder = folder_of(path);
        calls::create_folders(folder).map_err(at(folder))?;
        let (real, _) = resolve(path).map_err(at(path))?;
        // Folders may be writable by permission and not in fact (read-only mounts, quotas): only writing tells.
        new_part(&real).map_err(at(path))?;
        Ok(Self(path.to_owned()))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes the file beside its place and moves it there when it is whole and on the disk.
    ///
    /// # Errors
    /// If the disk is full, the folder is gone and so on; the old file is then unchanged.
    pub fn write(&self, bytes: &[u8]) -> Result<(), StorageError> {
        let failed = at(&self.0);
        let (real, old) = resolve(&self.0).map_err(failed)?;
        let (part, file) = new_part(&real).map_err(failed)?;
        // A lock shows others that the part is not a dead program's. Without one it is never swept.
        let _ = calls::try_lock(&file);
        fill(&file, bytes, old.as_ref()).map_err(failed)?;
        part.commit(&real, || calls::sync_folder(folder_of(&real)).map_err(failed))
    }

    /// Writes a new file to the first free one of `places`, all in one folder; returns its path.
    ///
    /// # Errors
    /// As [`Self::write`], or if all of them are taken. No existing file is ever replaced.
    pub fn write_new(places: impl Iterator<Item = PathBuf>, bytes: &[u8]) -> Result<PathBuf, StorageError> {
        let mut places = places.peekable();
        let first = places.peek().cloned().unwrap_or_default();
        let folder = folder_of(&first);
        calls::create_folders(folder).map_err(at(folder))?;
        let (part, file) = new_part(&first).map_err(at(&first))?;
        // As above.
        let _ = calls::try_lock(&file);
        fill(&file, bytes, None).map_err(at(&first))?;
        part.commit_new(places, |place| calls::sync_folder(folder_of(place)).map_err(at(place)))
    }
}

/// Writes `bytes` to an open file and syncs it; it takes owner and permissions of the `old` file that it replaces.
pub(super) fn fill(file: &File, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    calls::write(file, bytes)?;
    old.map_or(Ok(()), |old| calls::take_after(file, old))?;
    calls::sync(file)
}

/// Makes the part in which `real` is written until it is whole; parts left by others are removed first.
pub(super) fn new_part(real: &Path) -> io::Result<(Part, File)> {
    sweep(real);
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    Part::file(folder_of(real).join(format!(".{name}.{}.part", calls::process_id())))
}

/// Removes the parts of `real` left by programs that were killed.
fn sweep(real: &Path) {
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let is_part = |part: &str| {
        let number = part.strip_prefix(&format!(".{name}.")).and_then(|rest| rest.strip_suffix(".part"));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    for part in calls::names(folder_of(real)).unwrap_or_default() {
        if part.to_str().is_some_and(is_part) {
            let part = folder_of(real).join(part);
            let unused = calls::open(OpenOptions::new().read(true), &part).and_then(|file| calls::try_lock(&file));
            if unused.is_ok_and(|unused| unused) {
                // A part that is left is in nobody's way: no reason to fail.
                let _ = calls::remove_file(&part);
            }
        }
    }
}
