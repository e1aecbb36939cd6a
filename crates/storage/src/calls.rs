//! The calls to the system, each through one point at which tests can make it fail.
#![expect(clippy::disallowed_methods, reason = "this is where files are opened and written")]

use std::ffi::OsString;
use std::fs::{self, TryLockError};
pub use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::faults::pass;

/// Purpose of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// It looks or reads.
    Look,
    /// It takes room on the disk.
    Grow,
    /// It renames, removes, or changes metadata of a file.
    Change,
}

/// Number that distinguishes the files of this process from another's.
pub fn process_id() -> u32 {
    std::process::id()
}

/// Metadata of `path`, links followed.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    pass(Call::Look, 0)?;
    fs::metadata(path)
}

/// Metadata of `path`, which may be a link.
pub fn metadata_of_link(path: &Path) -> io::Result<Metadata> {
    pass(Call::Look, 0)?;
    fs::symlink_metadata(path)
}

/// Final target of a link.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
    pass(Call::Look, 0)?;
    fs::canonicalize(path)
}

/// Metadata of an open file.
pub fn metadata_of_open(file: &File) -> io::Result<Metadata> {
    pass(Call::Look, 0)?;
    file.metadata()
}

/// Opens without waiting for the other end of a pipe.
pub fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    pass(Call::Look, 0)?;
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    options.open(path)
}

/// Reads at most `most_bytes` of the rest of a file.
pub fn read(file: &File, most_bytes: u64) -> io::Result<Vec<u8>> {
    pass(Call::Look, 0)?;
    let mut bytes = Vec::new();
    file.take(most_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Moves the position of an open file to `offset`.
pub fn seek(mut file: &File, offset: u64) -> io::Result<()> {
    pass(Call::Look, 0)?;
    file.seek(io::SeekFrom::Start(offset)).map(|_| ())
}

/// Names of all entries of a folder, sorted.
pub fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    pass(Call::Look, 0)?;
    let mut names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

/// Tries to lock an open file or folder; returns whether it is ours. The lock is kept until the file is closed, however
/// the program ends.
///
/// # Errors
/// If the file system keeps no locks.
pub fn try_lock(file: &File) -> io::Result<bool> {
    pass(Call::Look, 0)?;
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Makes a file, which must not be there.
pub fn create_file(path: &Path) -> io::Result<File> {
    pass(Call::Grow, 0)?;
    File::create_new(path)
}

/// Makes a folder, which must not be there.
pub fn create_folder(path: &Path) -> io::Result<()> {
    pass(Call::Grow, 0)?;
    fs::create_dir(path)
}

/// Makes a folder and its missing parents.
pub fn create_folders(path: &Path) -> io::Result<()> {
    pass(Call::Grow, 0)?;
    fs::create_dir_all(path).map_err(|error| in_the_way(path).unwrap_or(error))
}

/// Error that names the file in the way, if `path` leads through one: the system's own message names none.
fn in_the_way(path: &Path) -> Option<io::Error> {
    let other = path.ancestors().find(|part| fs::metadata(part).is_ok_and(|there| !there.is_dir()))?;
    Some(io::Error::new(io::ErrorKind::NotADirectory, format!("{} is a file, not a folder", other.display())))
}

/// Writes all of `bytes`, in as many calls as the system wants.
pub fn write(file: &File, bytes: &[u8]) -> io::Result<()> {
    struct Tried<'a>(&'a File);
    impl Write for Tried<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let most = pass(Call::Grow, bytes.len())?;
            self.0.write(&bytes[..most])
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    Tried(file).write_all(bytes)
}

/// Waits until an open file or folder is on the disk.
pub fn sync(file: &File) -> io::Result<()> {
    pass(Call::Grow, 0)?;
    file.sync_all()
}

/// Waits until the names in a folder are on the disk.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    pass(Call::Grow, 0)?;
    // Other systems cannot open folders.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Gives an open file the owner and the permissions of another. Only the superuser can give files away.
pub fn take_after(file: &File, other: &Metadata) -> io::Result<()> {
    pass(Call::Change, 0)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let _ = fchown(file, Some(other.uid()), Some(other.gid()));
    }
    file.set_permissions(other.permissions())
}

/// Renames a file or a folder; an existing file of that name is replaced.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    pass(Call::Change, 0)?;
    fs::rename(from, to)
}

/// Makes a hard link to a file; the new name must not be there.
pub fn link(from: &Path, to: &Path) -> io::Result<()> {
    pass(Call::Change, 0)?;
    fs::hard_link(from, to)
}

/// Removes a file.
pub fn remove_file(path: &Path) -> io::Result<()> {
    pass(Call::Change, 0)?;
    fs::remove_file(path)
}

/// Removes a folder with nothing in it.
pub fn remove_empty_folder(path: &Path) -> io::Result<()> {
    pass(Call::Change, 0)?;
    fs::remove_dir(path)
}

/// Removes a folder with its content.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    pass(Call::Change, 0)?;
    fs::remove_dir_all(path)
}
