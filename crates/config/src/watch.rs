//! Watching the files of a scene for changes on the disk.

use std::path::{Path, PathBuf};

use model::{FileVersion, Stamp};

/// Files that are watched by polling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileWatcher(Vec<File>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    path: PathBuf,
    /// Stamp just before the file was last read; `None` if it was not there.
    known: Option<Stamp>,
    /// Stamp at the last look.
    seen: Option<Stamp>,
    /// Looks since the file disappeared, if it was there when it was read.
    gone: u8,
}

/// Looks after which a file is gone and not just being replaced.
const LOOKS_GONE: u8 = 6;

impl FileWatcher {
    /// Watches `path` for edits from now on: to be called just before it is read, so that none is missed meanwhile.
    pub fn watch(&mut self, path: &Path) {
        self.watch_since(&Self::version(path));
    }

    /// Watches a file for edits since `version`.
    pub fn watch_since(&mut self, version: &FileVersion) {
        let FileVersion { path, stamp } = version.clone();
        self.put(File { path, known: stamp, seen: stamp, gone: 0 });
    }

    /// Present version of a file.
    pub fn version(path: &Path) -> FileVersion {
        FileVersion { path: path.to_owned(), stamp: stamp(path) }
    }

    /// Watches files that another watcher has followed while they were read, for edits since then.
    pub fn follow(&mut self, read: &Self) {
        read.0.iter().for_each(|file| self.put(file.clone()));
    }

    /// Watches `path` as a file that was not there before, unless it is watched already.
    pub fn expect(&mut self, path: &Path) {
        if self.0.iter().all(|file| file.path != path) {
            self.put(File { path: path.to_owned(), known: None, seen: None, gone: 0 });
        }
    }

    fn put(&mut self, new: File) {
        match self.0.iter_mut().find(|file| file.path == new.path) {
            Some(file) => *file = new,
            None => self.0.push(new),
        }
    }

    /// Returns the files that differ from those that were read and have not changed since the look before: one that is
    /// still being written, or is gone while an editor replaces it, waits for the next look. Each change is reported
    /// once. To be called about every 250 ms.
    pub fn edited(&mut self) -> Vec<PathBuf> {
        let mut edited = Vec::new();
        for file in &mut self.0 {
            let now = stamp(&file.path);
            let settled = now == file.seen;
            file.seen = now;
            file.gone = if now.is_none() && file.known.is_some() { file.gone.saturating_add(1) } else { 0 };
            if now.is_some() && now != file.known && settled {
                file.known = now;
                edited.push(file.path.clone());
            }
        }
        edited
    }

    /// The files that were there when they were read and have been missing for a while, each reported once. To be
    /// called after each [`Self::edited`].
    pub fn gone(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter(|file| file.gone == LOOKS_GONE).map(|file| file.path.as_path())
    }

    /// Whether any of them has been [`Self::edited`].
    pub fn changed(&mut self) -> bool {
        !self.edited().is_empty()
    }

    /// Watched paths, in the order in which they were read.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|file| file.path.as_path())
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let (modified_ns, bytes, number) = storage::modified(path)?;
    Some(Stamp { modified_ns, bytes, number })
}
