//! Lists the shaders to embed.
#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../shaders");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", folder.display());
    list_shaders(&folder)
}

/// Writes a table of every shader by name, includes as `include/name`.
fn list_shaders(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for prefix in ["", "include/"] {
        for entry in fs::read_dir(folder.join(prefix))? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".glsl"));
            files.extend(name.map(|name| format!("    ({:?}, include_str!({path:?})),\n", format!("{prefix}{name}"))));
        }
    }
    files.sort();
    let table = format!("const BUILT_IN: &[(&str, &str)] = &[\n{}];\n", files.concat());
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("shaders.rs"), table)
}
