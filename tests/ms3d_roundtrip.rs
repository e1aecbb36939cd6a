//! Write then read gives equal data; re-writing an undamaged file gives equal bytes.

use std::path::PathBuf;

use pelagic::ms3d::{self, Limits};

/// Files made by others, beside the checkout when they are there; tests that need them skip loudly otherwise.
fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/ms3d");
    let found = folder.join("expected.json").is_file();
    if !found {
        eprintln!("SKIPPED: no ../shared/ms3d beside the checkout");
    }
    found.then_some(folder)
}

#[test]
fn shared_files_rewrite_to_equal_bytes() {
    let Some(folder) = shared() else { return };
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).expect("folder is readable") {
        let path = entry.expect("entry is readable").path();
        if path.extension().is_none_or(|e| e != "ms3d") {
            continue;
        }
        files += 1;
        let bytes = std::fs::read(&path).expect("file is readable");
        let outcome = ms3d::read(&bytes, &Limits::default()).expect("a real file is read");
        assert_eq!(outcome.warnings, [], "{}", path.display());
        let again = ms3d::write(&outcome.document).expect("a file that was read can be written");
        assert_eq!(again.len(), bytes.len(), "{}", path.display());
        let differing: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] != again[i]).collect();
        eprintln!("{}: {} bytes differ", path.display(), differing.len());
        assert!(differing.iter().all(|&i| again[i] == 0), "{}: differs beyond string garbage", path.display());
        assert_eq!(ms3d::read(&again, &Limits::default()).expect("written file is read"), outcome);
    }
    assert_eq!(files, 7, "the set of shared files changed");
}
