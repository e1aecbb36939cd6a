//! Helpers that tests of several crates share: folders of files and what is in them afterwards, and a check of JSON
//! against a schema.
//!
//! ```
//! let room = testing::room_of([("a.txt", "sea")]);
//! assert_eq!(testing::texts(room.path())["a.txt"], "sea");
//! ```
#![expect(clippy::disallowed_methods, reason = "tests write files")]

pub mod json_schema;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// Makes a folder of files by name and text. It is in memory where there is `/dev/shm`: syncing takes no time there.
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
