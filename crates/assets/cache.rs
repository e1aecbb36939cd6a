//! Cache of generated files on the disk: atomic, and safe for concurrent builds.
//!
//! A folder for each key holds the files and [`SUMS`], their hashes in the format of `sha256sum`. It is filled under
//! another name and renamed when complete; a build that finds a wrong hash makes it anew. A lock lets one build make
//! the files while the others wait for them.
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "it keeps files between builds")]

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use forge::Files;
use sha2::{Digest, Sha256};

/// The list of a folder's files.
pub const SUMS: &str = "SHA256SUMS";
/// Number of folders of other keys that are kept: other checkouts, branches and earlier builds may use them.
const KEPT: usize = 3;
/// Beginning of the names of folders that are being filled.
const PART: &str = ".part-";

/// Origin of the files in their folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Found in place.
    Found,
    /// Copied from another place.
    Copied,
    /// Made.
    Made,
}

/// Returns the files of `key`, which are then in the folder of that name under `place`: found there, copied from
/// `shared`, which other builds use too, or made and kept in both. Errors in `shared` go to `warn` and are not fatal.
///
/// # Errors
/// If `make` fails, or they cannot be kept in `place`.
pub fn provide<E: From<io::Error>>(
    place: &Path,
    shared: Option<&Path>,
    key: &str,
    make: impl FnOnce() -> Result<Files, E>,
    mut warn: impl FnMut(io::Error),
) -> Result<(Files, Origin), E> {
    let found = || read(&place.join(key)).ok().map(|files| (files, Origin::Found));
    if let Some(found) = found() {
        return Ok(found);
    }
    // The shared folder is always locked first, to avoid a deadlock.
    let shared = shared.and_then(|shared| match lock(shared) {
        Ok(lock) => Some((shared, lock)),
        Err(error) => {
            warn(error);
            None
        }
    });
    let _lock = lock(place)?;
    if let Some(found) = found() {
        return Ok(found);
    }
    if let Some(Ok(files)) = shared.as_ref().map(|(shared, _)| read(&shared.join(key))) {
        keep(place, key, &files)?;
        return Ok((files, Origin::Copied));
    }
    let files = make()?;
    keep(place, key, &files)?;
    if let Some((shared, _lock)) = shared {
        keep(shared, key, &files).unwrap_or_else(warn);
    }
    Ok((files, Origin::Made))
}

/// The lines of [`SUMS`]: SHA-256 and path of each file.
pub fn sums(files: &Files) -> String {
    files.iter().map(|(path, bytes)| format!("{}  {path}\n", hash(bytes))).collect()
}

/// SHA-256 in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads all files of a folder.
///
/// # Errors
/// If one is missing, or its hash differs from that in [`SUMS`].
pub fn read(folder: &Path) -> io::Result<Files> {
    let sums = fs::read_to_string(folder.join(SUMS))?;
    let file = |line: &str| {
        let damaged = || io::Error::new(ErrorKind::InvalidData, format!("{}: damaged: {line}", folder.display()));
        let (sum, path) = line.split_once("  ").ok_or_else(damaged)?;
        let bytes = fs::read(folder.join(path))?;
        if hash(&bytes) == sum { Ok((path.to_owned(), bytes)) } else { Err(damaged()) }
    };
    sums.lines().map(file).collect()
}

/// Locks a folder against other builds, creates it if missing, and removes partial folders of interrupted builds.
fn lock(place: &Path) -> io::Result<File> {
    let take = || {
        fs::create_dir_all(place)?;
        let lock = File::create(place.join(".lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                eprintln!("waiting for another build, which fills {}", place.display());
                lock.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        for (_, part) in folders(place, |name| name.starts_with(PART))? {
            fs::remove_dir_all(part)?;
        }
        Ok(lock)
    };
    take().map_err(at(place))
}

/// Adds the path `place` to an I/O error.
fn at(place: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", place.display()))
}

/// Stores files in the folder of `key` atomically, and removes the oldest folders.
fn keep(place: &Path, key: &str, files: &Files) -> io::Result<()> {
    let (part, folder) = (place.join(format!("{PART}{key}")), place.join(key));
    let fill = || {
        for (path, bytes) in files {
            let path = part.join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, bytes)?;
        }
        fs::write(part.join(SUMS), sums(files))?;
        // A damaged folder may be in the way.
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::rename(&part, &folder)
    };
    let filled = fill();
    if filled.is_err() {
        // If this fails too, the next lock clears it.
        let _ = fs::remove_dir_all(&part);
        return filled.map_err(at(&folder));
    }
    let mut others = folders(place, |name| name != key)?;
    others.sort();
    let surplus = others.len().saturating_sub(KEPT);
    others.into_iter().take(surplus).try_for_each(|(_, path)| fs::remove_dir_all(path))
}

/// Folders in `place` whose name is wanted, with the time of their last change.
fn folders(place: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<Vec<(SystemTime, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_dir() && entry.file_name().to_str().is_some_and(&is_wanted) {
            found.push((metadata.modified()?, entry.path()));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn files() -> Files {
        [("models/a.ms3d", "a"), ("textures/a.png", "skin")].map(|(path, text)| (path.into(), text.into())).into()
    }

    /// Calls [`provide`]; returns the files' origin, the number of calls of `make`, and the warnings.
    fn provided(place: &Path, shared: &Path, key: &str) -> (Origin, u32, Vec<String>) {
        let (mut made, mut warned) = (0, Vec::new());
        let make = || {
            made += 1;
            Ok::<_, io::Error>(files())
        };
        let warn = |error: io::Error| warned.push(error.to_string());
        let (provided, origin) = provide(place, Some(shared), key, make, warn).expect("provided");
        assert_eq!(provided, files());
        assert_eq!(read(&place.join(key)).expect("whole"), files());
        (origin, made, warned)
    }

    #[test]
    fn what_was_made_once_is_found_beside_the_build_and_by_other_builds() {
        let room = tempfile::tempdir().expect("a folder");
        let (one, other, shared) = (room.path().join("one"), room.path().join("other"), room.path().join("user"));
        assert_eq!(provided(&one, &shared, "k"), (Origin::Made, 1, vec![]));
        assert_eq!(provided(&one, &shared, "k"), (Origin::Found, 0, vec![]));
        assert_eq!(provided(&other, &shared, "k"), (Origin::Copied, 0, vec![]));
        assert_eq!(provided(&one, &shared, "another"), (Origin::Made, 1, vec![]));
        assert_eq!(provided(&one, &shared, "k"), (Origin::Found, 0, vec![]), "both are kept");
    }

    #[test]
    fn what_is_damaged_or_half_there_is_made_anew() {
        let room = tempfile::tempdir().expect("a folder");
        let (place, shared) = (room.path().join("target"), room.path().join("user"));
        provided(&place, &shared, "k");
        fs::write(place.join("k/textures/a.png"), "skim").expect("written");
        assert_eq!(provided(&place, &shared, "k"), (Origin::Copied, 0, vec![]), "the other is whole");
        for folder in [&place, &shared] {
            fs::remove_file(folder.join("k/models/a.ms3d")).expect("removed");
        }
        // An interrupted build.
        fs::create_dir_all(place.join(format!("{PART}k/models"))).expect("made");
        assert_eq!(provided(&place, &shared, "k"), (Origin::Made, 1, vec![]));
        assert_eq!(read(&shared.join("k")).expect("mended too"), files());
        assert!(!place.join(format!("{PART}k")).exists());
    }

    #[test]
    fn a_shared_place_that_takes_nothing_is_told_of_and_does_without() {
        let room = tempfile::tempdir().expect("a folder");
        let (place, shared) = (room.path().join("target"), room.path().join("user"));
        fs::write(&shared, "no folder").expect("written");
        let (origin, made, warned) = provided(&place, &shared, "k");
        assert_eq!((origin, made, warned.len()), (Origin::Made, 1, 1));
        assert!(warned[0].starts_with(&shared.display().to_string()), "{warned:?}");
        let refused = provide(&shared, None, "k", || Ok::<_, io::Error>(files()), |_| {});
        assert!(refused.is_err(), "there is nowhere else");
        let failed = provide(&place, None, "new", || Err(io::Error::other("no")), |_| {});
        assert!(failed.is_err() && !place.join("new").exists());
    }

    #[test]
    fn of_two_builds_at_once_one_makes() {
        let room = tempfile::tempdir().expect("a folder");
        let (shared, made) = (room.path().join("user"), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for name in ["one", "other", "one"] {
                let (place, shared, made) = (room.path().join(name), &shared, &made);
                scope.spawn(move || {
                    let make = || {
                        made.fetch_add(1, Ordering::Relaxed);
                        Ok::<_, io::Error>(files())
                    };
                    provide(&place, Some(shared), "k", make, |error| panic!("{error}")).expect("provided");
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }

    #[test]
    fn old_ones_go() {
        let room = tempfile::tempdir().expect("a folder");
        for n in 0..KEPT + 3 {
            keep(room.path(), &format!("{n}"), &files()).expect("kept");
            // Their times must differ.
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let left = folders(room.path(), |_| true).expect("listed");
        assert_eq!(left.len(), KEPT + 1);
        assert!(!room.path().join("1").exists() && room.path().join("2").exists());
    }

    #[test]
    fn hashes_are_those_of_sha256sum() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sums(&[("a.txt".into(), b"abc".to_vec())].into()), format!("{abc}  a.txt\n"));
    }
}
