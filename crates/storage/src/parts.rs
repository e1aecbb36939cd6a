//! Parts: files and folders that are staged and not yet in their places.
#![expect(clippy::disallowed_methods, reason = "it waits for threads that write")]

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use crate::calls::File;
use crate::destination::is_there;
use crate::{StorageError, at, calls};

/// The parts of this process that are on the disk.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A staged file or folder, removed on drop unless it was moved to its place.
#[derive(Debug)]
pub(super) struct Part(PathBuf);

impl Part {
    /// Makes a file, which must not be there.
    pub fn file(path: PathBuf) -> io::Result<(Self, File)> {
        let mut parts = lock();
        let file = calls::create_file(&path)?;
        parts.push(path.clone());
        Ok((Self(path), file))
    }

    /// Makes a folder, which must not be there.
    pub fn folder(path: PathBuf) -> io::Result<Self> {
        let mut parts = lock();
        calls::create_folder(&path)?;
        parts.push(path.clone());
        Ok(Self(path))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Moves it to its place and runs `rest`, which a forced end waits for.
    pub fn commit(self, place: &Path, rest: impl FnOnce() -> Result<(), StorageError>) -> Result<(), StorageError> {
        let mut parts = lock();
        calls::rename(&self.0, place).map_err(at(place))?;
        parts.retain(|part| *part != self.0);
        rest()
    }

    /// Moves it to the first free one of `places` and runs `rest` there, which a forced end waits for.
    ///
    /// A file that another program puts there at the same moment is kept, except on a file system without links.
    pub fn commit_new(
        self,
        places: impl Iterator<Item = PathBuf>,
        rest: impl FnOnce(&Path) -> Result<(), StorageError>,
    ) -> Result<PathBuf, StorageError> {
        let mut parts = lock();
        for place in places {
            match calls::link(&self.0, &place) {
                // Dropping `self` removes the name that it was staged under.
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(_) if is_there(&place).map_err(at(&place))? => continue,
                Err(_) => {
                    calls::rename(&self.0, &place).map_err(at(&place))?;
                    parts.retain(|part| *part != self.0);
                }
            }
            return rest(&place).map(|()| place);
        }
        Err(at(&self.0)(io::Error::new(ErrorKind::AlreadyExists, "every name for it is taken")))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut parts = lock();
        if parts.contains(&self.0) {
            parts.retain(|part| *part != self.0);
            remove(&self.0);
        }
    }
}

/// Removes a part; one that cannot be removed is left for the next writer.
fn remove(part: &Path) {
    let _ = calls::remove_file(part).or_else(|_| calls::remove_folder(part));
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all parts, for the moment before a forced end of the process. A commit in progress is waited for, but not
/// beyond `patience`: a disk may hang.
///
/// From then on any thread that stages, commits or drops a part waits for ever, so the process must end.
pub fn abandon_parts(patience: Duration) {
    std::mem::forget(abandon(&PARTS, patience));
}

fn abandon(parts: &Mutex<Vec<PathBuf>>, patience: Duration) -> Option<MutexGuard<'_, Vec<PathBuf>>> {
    let began = Instant::now();
    loop {
        match parts.try_lock() {
            Ok(parts) => {
                parts.iter().for_each(|part| remove(part));
                return Some(parts);
            }
            // The thread that panicked was not within a call.
            Err(TryLockError::Poisoned(_)) => parts.clear_poison(),
            Err(TryLockError::WouldBlock) if began.elapsed() < patience => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forced_end_waits_for_a_commit_but_not_for_ever() {
        let room = tempfile::tempdir().expect("a folder");
        let (file, folder) = (room.path().join("file"), room.path().join("folder"));
        std::fs::write(&file, "half").expect("written");
        std::fs::create_dir_all(folder.join("sub")).expect("made");
        let parts = Mutex::new(vec![file.clone(), folder.clone()]);
        let committing = parts.lock().expect("whole");
        assert!(abandon(&parts, Duration::ZERO).is_none() && file.exists());
        drop(committing);
        assert!(abandon(&parts, Duration::ZERO).is_some());
        assert!(!file.exists() && !folder.exists());
    }
}
