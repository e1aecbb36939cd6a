//! Sets of files that belong together, in one folder: either the whole new set is there or the whole old one.
//!
//! A set is staged in the folder `.pelagic-part`. Renamed to `.pelagic-new` it is committed, and old files without a
//! new one are removed; renamed to `.pelagic-moving` its files are moved to their places. The next claim after a kill
//! drops the first and finishes the other two, and readers look there first ([`read_from_folder`]).
#![expect(clippy::disallowed_methods, reason = "it waits for another writer")]

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::calls::{File, Metadata};
use crate::destination::{is_there, resolve};
use crate::out_file::fill;
use crate::parts::Part;
use crate::{StorageError, at, calls, read};

const PART: &str = ".pelagic-part";
const NEW: &str = ".pelagic-new";
const MOVING: &str = ".pelagic-moving";

/// A folder that this process has claimed for writing, until this is dropped or the process ends.
///
/// It may be reached through links, but its entries must not be links: sets are moved, which links would spoil.
#[derive(Debug)]
pub struct OutFolder {
    path: PathBuf,
    is_ours: fn(&str) -> bool,
    /// The open folder, which keeps the lock.
    _open: Option<File>,
}

/// A set of files that is being written.
#[derive(Debug)]
pub struct Staged<'a> {
    folder: &'a OutFolder,
    part: Part,
    subfolders: Vec<PathBuf>,
}

impl OutFolder {
    /// Claims a folder: makes it if need be, finishes an interrupted set in it, and checks that it can be written to.
    /// Files whose names `is_ours` accepts are removed when a set is written without them.
    ///
    /// # Errors
    /// If another process has claimed it ([`ErrorKind::ResourceBusy`]) or it cannot be written to.
    pub fn claim(path: &Path, is_ours: fn(&str) -> bool) -> Result<Self, StorageError> {
        calls::create_folders(path).map_err(at(path))?;
        // Folders can be opened and locked on Unix, on most of its file systems; elsewhere a claim cannot be detected.
        let open = cfg!(unix).then(|| calls::open(File::options().read(true), path)).transpose().map_err(at(path))?;
        if open.as_ref().is_some_and(is_claimed) {
            let why = io::Error::new(ErrorKind::ResourceBusy, "another pelagic is writing into it");
            return Err(at(path)(why));
        }
        let mut folder = Self { path: path.to_owned(), is_ours, _open: open };
        folder.finish()?;
        for name in folder.ours()? {
            folder.vacant(Path::new(&name))?;
        }
        // Folders may be writable by permission and not in fact (read-only mounts, quotas): only writing tells.
        folder.stage()?.add("probe", b"can this be written?")?;
        Ok(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of our files in the folder.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn ours(&self) -> Result<Vec<OsString>, StorageError> {
        let names = calls::names(&self.path).map_err(at(&self.path))?;
        Ok(names.into_iter().filter(|name| name.to_str().is_some_and(self.is_ours)).collect())
    }

    /// Removes the folder if it is empty, for when there is nothing to write after all.
    pub fn abandon(self) {
        // A folder that holds something, or is gone, is none of ours.
        let _ = calls::remove_empty_folder(&self.path);
    }

    /// Begins a set of files.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn stage(&mut self) -> Result<Staged<'_>, StorageError> {
        let part = fresh_part(&self.path)?;
        Ok(Staged { folder: self, part, subfolders: Vec::new() })
    }

    /// Metadata of the file at `name`, if there is one; fails if it may not be replaced.
    fn vacant(&self, name: &Path) -> Result<Option<Metadata>, StorageError> {
        let place = self.path.join(name);
        let (real, old) = resolve(&place).map_err(at(&place))?;
        if real == place { Ok(old) } else { Err(at(&place)(io::Error::other("it is a link"))) }
    }

    /// Whether there is a folder of that name.
    fn has_subfolder(&self, name: &Path) -> Result<bool, StorageError> {
        let subfolder = self.path.join(name);
        match calls::metadata_of_link(&subfolder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            there => match there.map_err(at(&subfolder))?.is_dir() {
                true => Ok(true),
                false => Err(at(&subfolder)(io::Error::other("it is no folder, or a link to one"))),
            },
        }
    }

    /// Puts a committed set into its place; a call after an interruption continues from there.
    fn finish(&self) -> Result<(), StorageError> {
        let (new, moving) = (self.path.join(NEW), self.path.join(MOVING));
        let is_there = |path: &Path| is_there(path).map_err(at(path));
        let sync = |path: &Path| calls::sync_folder(path).map_err(at(path));
        // A link in their place is no set of ours, and its target must not be moved.
        if self.has_subfolder(Path::new(NEW))? {
            sync(&self.path)?;
            for name in self.ours()? {
                let old = self.path.join(&name);
                if !is_there(&new.join(&name))? {
                    calls::remove_file(&old).map_err(at(&old))?;
                }
            }
            calls::rename(&new, &moving).map_err(at(&new))?;
        }
        if self.has_subfolder(Path::new(MOVING))? {
            for name in calls::names(&moving).map_err(at(&moving))? {
                let from = moving.join(&name);
                if calls::metadata_of_link(&from).map_err(at(&from))?.is_dir() {
                    let subfolder = self.path.join(&name);
                    if !self.has_subfolder(Path::new(&name))? {
                        calls::create_folder(&subfolder).map_err(at(&subfolder))?;
                    }
                    for file in calls::names(&from).map_err(at(&from))? {
                        self.place(&from.join(&file), &Path::new(&name).join(&file))?;
                    }
                    sync(&subfolder)?;
                } else {
                    self.place(&from, Path::new(&name))?;
                }
            }
            sync(&self.path)?;
            calls::remove_folder(&moving).map_err(at(&moving))?;
        }
        Ok(())
    }

    fn place(&self, from: &Path, name: &Path) -> Result<(), StorageError> {
        self.vacant(name)?;
        calls::rename(from, &self.path.join(name)).map_err(at(&self.path.join(name)))
    }
}

impl Staged<'_> {
    /// Adds a folder, which may be there already, for files such as `models/a.ms3d`.
    ///
    /// # Errors
    /// If it cannot be written to or is no folder.
    pub fn subfolder(&mut self, name: &str) -> Result<(), StorageError> {
        let subfolder = self.folder.path.join(name);
        if self.folder.has_subfolder(Path::new(name))? {
            drop(fresh_part(&subfolder)?);
        }
        calls::create_folder(&self.part.path().join(name)).map_err(at(&subfolder))?;
        self.subfolders.push(name.into());
        Ok(())
    }

    /// Adds a file, by a name in the folder or in a [`Self::subfolder`].
    ///
    /// # Errors
    /// If it cannot be written, or the present one may not be replaced.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let place = self.folder.path.join(name);
        let old = self.folder.vacant(Path::new(name))?;
        let file = calls::create_file(&self.part.path().join(name)).map_err(at(&place))?;
        fill(&file, bytes, old.as_ref()).map_err(at(&place))
    }

    /// Puts the files into their places and removes those of ours that are not among them.
    ///
    /// # Errors
    /// If that fails. Then the old set is there, or the new one is, in `.pelagic-new` or `.pelagic-moving`, and comes
    /// into its place when the folder is next claimed.
    pub fn commit(self) -> Result<(), StorageError> {
        let Self { folder, part, subfolders } = self;
        for staged in subfolders.iter().map(|name| part.path().join(name)).chain([part.path().to_owned()]) {
            calls::sync_folder(&staged).map_err(at(&staged))?;
        }
        // A call that failed once may succeed the second time, and half-way is the worst place to stop.
        part.commit(&folder.path.join(NEW), || folder.finish().or_else(|_| folder.finish()))
    }
}

/// Makes a new part in a claimed folder, and removes an old one.
fn fresh_part(folder: &Path) -> Result<Part, StorageError> {
    let part = folder.join(PART);
    if is_there(&part).map_err(at(&part))? {
        calls::remove_folder(&part).map_err(at(&part))?;
    }
    Part::folder(part).map_err(at(folder))
}

/// Whether another process keeps the lock of an open folder. A process that is being started shares it for a moment.
fn is_claimed(open: &File) -> bool {
    (0..5).all(|earlier_tries| {
        if earlier_tries > 0 {
            thread::sleep(Duration::from_millis(20));
        }
        calls::try_lock(open).is_ok_and(|ours| !ours)
    })
}

/// The bytes of a file of the newest set in a folder, as [`read`](fn@read) reads them.
///
/// # Errors
/// As of [`read`](fn@read).
pub fn read_from_folder(folder: &Path, name: &str, most_bytes: u64) -> io::Result<Vec<u8>> {
    let places = [NEW, MOVING].map(|waiting| folder.join(waiting).join(name));
    let waiting = places.iter().map(|place| read(place, most_bytes));
    let mut found = waiting.filter(|found| !found.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound));
    found.next().unwrap_or_else(|| read(&folder.join(name), most_bytes))
}
