//! Whether the files of a scene have changed on the disk.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files being watched by looking at them now and then.
#[derive(Clone, Debug, Default)]
pub struct FileWatcher(Vec<File>);

#[derive(Clone, Debug)]
struct File {
    path: PathBuf,
    /// As it was when it was last read.
    known: Option<Stamp>,
    /// As it was at the last look.
    seen: Option<Stamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    bytes: u64,
}

impl FileWatcher {
    /// Watches `files`, taking them to be read just now.
    pub fn new(files: &[PathBuf]) -> Self {
        let file = |path: &PathBuf| {
            let stamp = stamp(path);
            File { path: path.clone(), known: stamp, seen: stamp }
        };
        Self(files.iter().map(file).collect())
    }

    /// Whether a file is another than the one that was read, and has stayed the same since the look before: one that
    /// is still being written, or is gone while an editor replaces it, waits for the next look. Each change is told
    /// once. Look about every 250 ms.
    pub fn changed(&mut self) -> bool {
        let mut changed = false;
        for file in &mut self.0 {
            let now = stamp(&file.path);
            let settled = now == file.seen;
            file.seen = now;
            if now.is_some() && now != file.known && settled {
                file.known = now;
                changed = true;
            }
        }
        changed
    }

    /// Also watches files that a new version of the scene has come to extend; call it after each loading, good or bad.
    pub fn follow(&mut self, files: &[PathBuf]) {
        let new: Vec<PathBuf> =
            files.iter().filter(|path| self.0.iter().all(|file| file.path != **path)).cloned().collect();
        self.0.extend(Self::new(&new).0);
    }

    /// What is watched.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|file| file.path.as_path())
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some(Stamp { modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), bytes: metadata.len() })
}
