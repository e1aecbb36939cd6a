//! One file that is written piece by piece, or by another program, and appears whole or not at all.

use std::path::{Path, PathBuf};

use crate::calls::{File, Metadata};
use crate::destination::{folder_of, resolve};
use crate::out_file::new_part;
use crate::parts::Part;
use crate::{StorageError, at, calls};

/// A file that grows beside its place until it is whole; it is removed if dropped before.
#[derive(Debug)]
pub struct OutStream {
    place: PathBuf,
    real: PathBuf,
    old: Option<Metadata>,
    part: Part,
    file: File,
}

impl OutStream {
    /// Begins a file for `path`, making its folder if need be; the old file stays until [`Self::commit`].
    ///
    /// # Errors
    /// If it cannot be written there, or there is something other than a file, or a read-only one.
    pub fn create(path: &Path) -> Result<Self, StorageError> {
        let folder = folder_of(path);
        calls::create_folders(folder).map_err(at(folder))?;
        let (real, old) = resolve(path).map_err(at(path))?;
        let (part, file) = new_part(&real).map_err(at(path))?;
        // A lock shows others that the part is not a dead program's. Without one it is never swept.
        let _ = calls::try_lock(&file);
        Ok(Self { place: path.to_owned(), real, old, part, file })
    }

    /// Path of the growing part, for another program that is to write it in our place.
    pub fn growing(&self) -> &Path {
        self.part.path()
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// If the disk is full and so on.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        calls::write(&self.file, bytes).map_err(at(&self.place))
    }

    /// Overwrites bytes that are there, whichever program wrote them.
    ///
    /// # Errors
    /// If the disk will not.
    pub fn amend(&mut self, offset: u64, bytes: &[u8]) -> Result<(), StorageError> {
        calls::seek(&self.file, offset).and_then(|()| calls::write(&self.file, bytes)).map_err(at(&self.place))
    }

    /// Moves it to its place when it is on the disk.
    ///
    /// # Errors
    /// If that fails; the old file is then unchanged.
    pub fn commit(self) -> Result<(), StorageError> {
        let Self { place, real, old, part, file } = self;
        old.map_or(Ok(()), |old| calls::take_after(&file, &old)).map_err(at(&place))?;
        calls::sync(&file).map_err(at(&place))?;
        part.commit(&real, || calls::sync_folder(folder_of(&real)).map_err(at(&place)))
    }

    /// Moves it to its place when it is on the disk, or, if that is taken by then, to the first free one of `others`,
    /// all in the same folder; returns its path.
    ///
    /// # Errors
    /// If that fails, or all of them are taken. No existing file is ever replaced.
    pub fn commit_new(self, others: impl Iterator<Item = PathBuf>) -> Result<PathBuf, StorageError> {
        let Self { place, part, file, .. } = self;
        calls::sync(&file).map_err(at(&place))?;
        let places = std::iter::once(place).chain(others);
        part.commit_new(places, |place| calls::sync_folder(folder_of(place)).map_err(at(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::at_every_call;
    use testing::{room_of, texts};

    #[test]
    fn a_name_that_is_taken_while_it_grows_is_left() {
        let room = room_of([]);
        let place = |name: &str| room.path().join(name);
        let mut stream = OutStream::create(&place("1.mp4")).expect("writable");
        stream.write(b"film").expect("written");
        std::fs::write(place("1.mp4"), "another's").expect("written");
        let names = ["1.mp4", "2.mp4"].map(place).into_iter();
        assert_eq!(stream.commit_new(names).expect("there is a name left"), place("2.mp4"));
        let found: Vec<_> = texts(room.path()).into_iter().collect();
        assert_eq!(found, [("1.mp4", "another's"), ("2.mp4", "film")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn a_stream_is_the_old_or_the_new_file_whatever_fails() {
        for old in [None, Some("old")] {
            at_every_call(
                || room_of(old.map(|old| ("a.y4m", old)).into_iter().chain([("mine", "mine")])),
                |room| {
                    let mut stream = OutStream::create(&room.path().join("a.y4m"))?;
                    stream.write(b"first, ")?;
                    stream.write(b"second")?;
                    stream.amend(0, b"First")?;
                    stream.commit()
                },
                |room, done, fault| {
                    drop(OutStream::create(&room.path().join("a.y4m")).expect("all is well again"));
                    let mut found = texts(room.path());
                    assert_eq!(found.remove("mine").as_deref(), Some("mine"));
                    let file = found.remove("a.y4m");
                    let is_new = file.as_deref() == Some("First, second");
                    assert!(is_new || (done.is_err() && file.as_deref() == old), "{fault:?}");
                    assert!(found.is_empty(), "{fault:?} left {found:?}");
                },
            );
        }
    }
}
