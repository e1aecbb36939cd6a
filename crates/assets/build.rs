//! Lists the files to embed. Works with the folders empty or absent.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folders under `assets/`, and the extension of what is embedded from each.
const FOLDERS: [(&str, &str); 3] = [("models", "ms3d"), ("textures", "png"), ("fonts", "otf")];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let assets = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../assets");
    let mut files = Vec::new();
    for (folder, extension) in FOLDERS {
        let folder = assets.join(folder);
        // A path that does not exist would ask for a new run at every build.
        if folder.exists() {
            println!("cargo:rerun-if-changed={}", folder.display());
            list(&folder, extension, &mut files)?;
        }
    }
    files.sort();
    let mut names = String::from("const NAMES: &[&str] = &[\n");
    let mut table = String::from("static FILES: &[(&str, &[u8])] = &[\n");
    for (name, path) in files {
        let _ = writeln!(names, "    {name:?},");
        let _ = writeln!(table, "    ({name:?}, include_bytes!({path:?})),");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("names.rs"), names + "];\n")?;
    fs::write(out.join("files.rs"), table + "];\n")
}

/// Adds name and path of each file in `folder` that has the extension.
fn list(folder: &Path, extension: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && path.extension().is_some_and(|e| e == extension) {
            let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
            files.extend(name.map(|name| (name, path)));
        }
    }
    Ok(())
}
