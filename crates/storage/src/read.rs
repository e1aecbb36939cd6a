//! Reading: whole files of a limited size, without ever waiting.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::calls::{self, OpenOptions};
use crate::destination::plain;

/// The bytes of a file.
///
/// # Errors
/// If there is none ([`ErrorKind::NotFound`]), it is a folder ([`ErrorKind::IsADirectory`]), a pipe or the like, it
/// cannot be read, or it has more than `most_bytes` ([`ErrorKind::FileTooLarge`]).
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    is_file(path)?;
    let file = calls::open(OpenOptions::new().read(true), path)?;
    // Another file may have taken its place since.
    let metadata = calls::metadata_of_open(&file)?;
    plain(&metadata)?;
    let too_large = || {
        let (most, unit) = match most_bytes {
            0..1024 => (most_bytes, "bytes"),
            1024..0x10_0000 => (most_bytes >> 10, "KiB"),
            _ => (most_bytes >> 20, "MiB"),
        };
        io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {most} {unit}"))
    };
    if metadata.len() > most_bytes {
        return Err(too_large());
    }
    // One byte more tells "too long" from "just fits": it may grow meanwhile.
    let bytes = calls::read(&file, most_bytes.saturating_add(1))?;
    if bytes.len() as u64 > most_bytes { Err(too_large()) } else { Ok(bytes) }
}

/// The first bytes of a file of any size, `most_bytes` of them or all there are.
///
/// # Errors
/// As of [`read`], but for the size.
#[cfg(not(target_arch = "wasm32"))]
pub fn read_start(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    is_file(path)?;
    let file = calls::open(OpenOptions::new().read(true), path)?;
    plain(&calls::metadata_of_open(&file)?)?;
    calls::read(&file, most_bytes)
}

/// Passes the bytes of a file of any size to `piece`, some at a time.
///
/// # Errors
/// As of [`read`], but for the size.
#[cfg(not(target_arch = "wasm32"))]
pub fn read_pieces(path: &Path, mut piece: impl FnMut(&[u8])) -> io::Result<()> {
    const PIECE_BYTES: u64 = 1 << 20;
    is_file(path)?;
    let file = calls::open(OpenOptions::new().read(true), path)?;
    plain(&calls::metadata_of_open(&file)?)?;
    loop {
        match calls::read(&file, PIECE_BYTES)? {
            none if none.is_empty() => return Ok(()),
            bytes => piece(&bytes),
        }
    }
}

/// Removes files of a folder, and the folder if nothing is left in it. Those that are gone already are no error.
///
/// # Errors
/// If one of them cannot be removed.
pub fn remove_files<'a>(folder: &Path, names: impl Iterator<Item = &'a str>) -> io::Result<()> {
    for name in names {
        match calls::remove_file(&folder.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    // A file of somebody else keeps the folder.
    let _ = calls::remove_empty_folder(folder);
    Ok(())
}

/// Checks that there is a plain file.
///
/// # Errors
/// If there is none, or something else, which the error names.
pub fn is_file(path: &Path) -> io::Result<()> {
    let metadata = calls::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => io::Error::new(ErrorKind::NotFound, "there is no such file"),
        _ => error,
    })?;
    plain(&metadata)
}

/// Whether anything is there, links followed.
pub fn is_there(path: &Path) -> bool {
    calls::metadata(path).is_ok()
}

/// Final target of a path, links followed.
///
/// # Errors
/// If nothing is there.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
    calls::follow(path)
}

/// Time of the last change of a file in nanoseconds since 1970, its size in bytes and its number in the file system, 0
/// where there is none; `None` if it is not there.
pub fn modified(path: &Path) -> Option<(u128, u64, u64)> {
    let metadata = calls::metadata(path).ok()?;
    let since_1970 = metadata.modified().ok().and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let number = 0;
    Some((since_1970.unwrap_or_default().as_nanos(), metadata.len(), number))
}

/// Names of all entries of a folder, sorted.
///
/// # Errors
/// If there is no such folder or it cannot be read.
pub fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    calls::names(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}
