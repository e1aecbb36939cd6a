//! The kept corpora of the fuzz targets, without a fuzzer.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

/// Most that the corpora may hold together: they are seeds and findings, not a collection. Unit: bytes.
const MAX_BYTES: usize = 100_000;

fn every_kept_input_is_taken_or_refused() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let mut bytes = 0;
    for (name, target) in targets::TARGETS {
        let folder = std::fs::read_dir(corpora.join(name)).expect("every target has a corpus");
        let mut files: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        assert!(files.len() >= 3, "{name}");
        for file in files {
            // The last line before a failure says which file it is of.
            println!("{}", file.display());
            let data = std::fs::read(&file).expect("it can be read");
            bytes += data.len();
            target(&data);
        }
    }
    assert!(bytes < MAX_BYTES, "{bytes} bytes");
}

fn every_corpus_has_its_target() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let names = |folder: &str| {
        let entries = std::fs::read_dir(fuzz.join(folder)).expect("it is there");
        let stem = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").path().with_extension("");
        let mut names: Vec<_> = entries.map(|entry| stem(entry).file_name().map(ToOwned::to_owned)).collect();
        names.sort();
        names
    };
    let mut targets: Vec<_> = targets::TARGETS.iter().map(|(name, _)| Some((*name).into())).collect();
    targets.sort();
    assert_eq!(names("corpus"), targets);
    assert_eq!(names("targets"), targets);
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    every_kept_input_is_taken_or_refused;
    every_corpus_has_its_target;
};
