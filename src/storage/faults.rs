//! Files that fail when a test wants them to.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use tempfile::TempDir;

use crate::storage::calls::Call;

/// How calls fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// One call fails with this number of the system's.
    Once(i32),
    /// One write takes only half of what it is given.
    Short,
    /// From one call on the disk is full, after half of what is being written.
    Full,
    /// From one call on nothing does anything any more, as after a kill.
    Dead,
}

/// All of them.
const FAULTS: [Fault; 5] = [Fault::Once(libc::EIO), Fault::Once(libc::EACCES), Fault::Short, Fault::Full, Fault::Dead];

thread_local! {
    /// What this thread's calls have before them: how many pass, then how they fail.
    static PLAN: Cell<Option<(usize, Fault)>> = const { Cell::new(None) };
}

/// What becomes of a call: how many of `bytes` may be written.
pub fn pass(call: Call, bytes: usize) -> io::Result<usize> {
    let Some((passing, fault)) = PLAN.get() else { return Ok(bytes) };
    if passing > 0 {
        PLAN.set(Some((passing - 1, fault)));
        return Ok(bytes);
    }
    let failed = |number| Err(io::Error::from_raw_os_error(number));
    match fault {
        Fault::Once(number) => {
            PLAN.set(None);
            failed(number)
        }
        Fault::Short => {
            PLAN.set(None);
            Ok(bytes.div_ceil(2))
        }
        Fault::Full if call != Call::Grow => Ok(bytes),
        Fault::Full => {
            if bytes > 1 {
                Ok(bytes / 2)
            } else {
                failed(libc::ENOSPC)
            }
        }
        Fault::Dead => failed(libc::EIO),
    }
}

/// Does `work` on what `arrange` gives, with each file call of it failing in turn and in each way, and lets `check` look at
/// what came of it.
pub fn at_every_call<T, R>(arrange: impl Fn() -> T, work: impl Fn(&T) -> R, check: impl Fn(&T, R, Fault)) {
    for fault in FAULTS {
        for passing in 0.. {
            let room = arrange();
            PLAN.set(Some((passing, fault)));
            let done = work(&room);
            let left = PLAN.replace(None);
            check(&room, done, fault);
            // Some calls are left when it ends: none has failed.
            if left.is_some_and(|(passing, _)| passing > 0) {
                break;
            }
        }
    }
}

/// A folder of files by name and text. In memory if there is room there, where waiting for the disk takes no time.
pub fn room_of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> TempDir {
    let in_memory = Path::new("/dev/shm");
    let room = if in_memory.is_dir() { tempfile::tempdir_in(in_memory) } else { tempfile::tempdir() };
    let room = room.expect("a folder");
    for (name, text) in files {
        let path = room.path().join(name);
        fs::create_dir_all(path.parent().expect("in the room")).expect("made");
        fs::write(path, text).expect("written");
    }
    room
}

/// Texts of all files below a folder, by name.
pub fn texts(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        if entry.path().is_dir() {
            found.extend(texts(&entry.path()).into_iter().map(|(below, text)| (format!("{name}/{below}"), text)));
        } else {
            let bytes = fs::read(entry.path()).expect("readable");
            found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    found
}
