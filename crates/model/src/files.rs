//! Sources of models and textures: this module opens no file itself.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Prefix of a model source that names one of the program's own models: `builtin:NAME`.
pub const BUILTIN: &str = "builtin:";

/// Stamp that tells one content of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Time of writing, since 1970. Unit: ns.
    pub modified_ns: u128,
    /// Its length.
    pub bytes: u64,
    /// Its number in the file system: times are coarse, and a file may be replaced by another within a tick.
    pub number: u64,
}

/// A file as it was at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVersion {
    /// The file.
    pub path: PathBuf,
    /// Stamp of its content; `None` if it was not there.
    pub stamp: Option<Stamp>,
}

/// Files by path: on a disk, in a table of the program, fetched by a web page.
///
/// The folder [`BUILTIN`] holds the program's own models and textures.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is none, it is something else than a file, it cannot be read, or it has more than `most_bytes`
    /// ([`io::ErrorKind::FileTooLarge`]).
    fn read(&self, path: &Path, most_bytes: u64) -> io::Result<Vec<u8>>;

    /// Names of the entries of a folder, in any order; empty if there is no such folder.
    fn names(&self, folder: &Path) -> Vec<OsString>;

    /// Present version of a file, by which edits are noticed; `None` for a file that is never edited.
    fn version(&self, _: &Path) -> Option<FileVersion> {
        None
    }

    /// Levels of detail that were kept under a key before, if any were.
    fn kept_levels(&self, _key: u64) -> Option<Vec<u8>> {
        None
    }

    /// Keeps levels of detail under a key, if there is a place for them.
    fn keep_levels(&self, _key: u64, _bytes: &[u8]) {}
}

/// Files that record which of them were asked for.
pub(super) struct RecordedFiles<'a> {
    files: &'a dyn Files,
    asked: RefCell<Vec<FileVersion>>,
}

impl<'a> RecordedFiles<'a> {
    pub fn new(files: &'a dyn Files) -> Self {
        Self { files, asked: RefCell::default() }
    }

    /// The files asked for, each as it was before it was first read.
    pub fn asked(self) -> Vec<FileVersion> {
        self.asked.into_inner()
    }
}

impl Files for RecordedFiles<'_> {
    fn read(&self, path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
        // Recorded before reading, so that no edit is missed.
        self.version(path);
        self.files.read(path, most_bytes)
    }

    fn names(&self, folder: &Path) -> Vec<OsString> {
        self.files.names(folder)
    }

    fn kept_levels(&self, key: u64) -> Option<Vec<u8>> {
        self.files.kept_levels(key)
    }

    fn keep_levels(&self, key: u64, bytes: &[u8]) {
        self.files.keep_levels(key, bytes);
    }

    fn version(&self, path: &Path) -> Option<FileVersion> {
        let version = self.files.version(path)?;
        let mut asked = self.asked.borrow_mut();
        if asked.iter().all(|known| known.path != path) {
            asked.push(version.clone());
        }
        Some(version)
    }
}

/// The file that a model's source names.
pub(super) fn path_of(source: &str) -> PathBuf {
    match source.strip_prefix(BUILTIN) {
        Some(name) => Path::new(BUILTIN).join(format!("{name}.ms3d")),
        None => source.into(),
    }
}

/// Name of a model: that of its file without the ending.
pub fn name_of(source: &str) -> String {
    path_of(source).file_stem().map_or_else(|| source.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Names of the program's own models, sorted.
pub(super) fn builtin_models(files: &dyn Files) -> Vec<String> {
    let names = files.names(Path::new(BUILTIN)).into_iter().filter_map(|name| name.into_string().ok());
    let mut models: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".ms3d")?.to_owned())).collect();
    models.sort();
    models
}

/// The file of a relative name below a folder, part by part: as it is written, else ignoring case; `None` if there is none.
pub(crate) fn find(files: &dyn Files, folder: &Path, name: &str) -> Option<PathBuf> {
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let (last, folders) = parts.split_last()?;
    let mut place = folder.to_owned();
    for part in folders {
        // A folder is not listed where files alone are.
        place = if *part == ".." {
            place.join(part)
        } else {
            member(files, &place, part).unwrap_or_else(|| place.join(part))
        };
    }
    member(files, &place, last)
}

/// The entry of a folder of that name, else of that name in another case.
fn member(files: &dyn Files, folder: &Path, name: &str) -> Option<PathBuf> {
    let mut names = files.names(folder);
    names.sort();
    let exact = names.iter().find(|found| *found == name);
    exact.or_else(|| names.iter().find(|found| found.eq_ignore_ascii_case(name))).map(|found| folder.join(found))
}

#[cfg(test)]
pub(super) mod in_memory {
    use std::collections::BTreeMap;
    use std::path::Component;

    use super::*;

    /// Files of a test, by path.
    #[derive(Default)]
    pub struct InMemory(BTreeMap<PathBuf, Vec<u8>>);

    impl InMemory {
        pub fn write(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
            self.0.insert(plain(path.as_ref()), bytes.into());
        }

        pub fn remove(&mut self, path: &str) {
            self.0.remove(Path::new(path)).expect("there is such a file");
        }
    }

    impl Files for InMemory {
        fn read(&self, path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
            let bytes = self.0.get(&plain(path)).ok_or(io::ErrorKind::NotFound)?;
            if bytes.len() as u64 > most_bytes { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.clone()) }
        }

        fn names(&self, folder: &Path) -> Vec<OsString> {
            let inside = self.0.keys().filter(|path| path.parent() == Some(&plain(folder)));
            inside.filter_map(|path| path.file_name()).map(Into::into).collect()
        }
    }

    /// A path without `..`.
    pub fn plain(path: &Path) -> PathBuf {
        path.components().fold(PathBuf::new(), |mut path, part| {
            if part == Component::ParentDir {
                path.pop();
            } else {
                path.push(part);
            }
            path
        })
    }
}
