//! Names the code that makes levels of detail by a hash of its text, so that levels made by other code are not used.
#![expect(clippy::disallowed_methods, reason = "a build script reads files")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::{fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=src/lod");
    let mut paths = fs::read_dir("src/lod")?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    let mut hasher = DefaultHasher::new();
    for path in paths {
        fs::read(path)?.hash(&mut hasher);
    }
    println!("cargo:rustc-env=LEVELS_HASH={:016x}", hasher.finish());
    Ok(())
}
