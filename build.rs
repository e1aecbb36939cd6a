//! Embeds `assets/models` and `assets/textures`, and names the commit the program is built from.
//!
//! Works without git, outside a repository, and with the folders empty or absent.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo:rerun-if-changed=build.rs");
    // The sources too: an edit can make the tree dirty, and nothing is compiled again unless the commit's text changes.
    for watched in ["assets", "crates", "shaders", "src", "Cargo.toml"] {
        watch(&root.join(watched));
    }

    let mut table = String::new();
    write_table(&mut table, "MODELS", &root, "assets/models", &["ms3d"])?;
    write_table(&mut table, "TEXTURES", &root, "assets/textures", &["png", "jpg", "jpeg", "tga", "bmp"])?;
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("builtin.rs");
    // An unchanged table keeps its time, so that nothing is compiled again for it.
    if fs::read_to_string(&out).ok().as_deref() != Some(&table) {
        fs::write(out, table)?;
    }

    if let Some(commit) = commit(&root) {
        println!("cargo:rustc-env=PELAGIC_COMMIT={commit}");
    }
    Ok(())
}

/// Asks for a new run when `path` changes. A path that does not exist would ask for one at every build.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}

/// Writes one sorted table of (file name, bytes).
fn write_table(out: &mut String, table: &str, root: &Path, folder: &str, extensions: &[&str]) -> io::Result<()> {
    let mut names = Vec::new();
    if let Ok(entries) = fs::read_dir(root.join(folder)) {
        for entry in entries {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let extension = Path::new(&name).extension().and_then(|e| e.to_str()).unwrap_or_default();
            if entry.path().is_file() && extensions.iter().any(|e| extension.eq_ignore_ascii_case(e)) {
                names.push(name);
            }
        }
    }
    names.sort();
    let _ = writeln!(out, "static {table}: &[(&str, &[u8])] = &[");
    for name in names {
        let path = format!("/{folder}/{name}");
        let _ = writeln!(out, "    ({name:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),");
    }
    let _ = writeln!(out, "];");
    Ok(())
}

/// Short commit hash, with `-dirty` if tracked files differ from it; `None` unless `root` is a repository of its own.
fn commit(root: &Path) -> Option<String> {
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    if fs::canonicalize(top).ok()? != fs::canonicalize(root).ok()? {
        return None;
    }
    let head = git(root, &["symbolic-ref", "-q", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(head.as_deref()) {
        if let Some(path) = git(root, &["rev-parse", "--git-path", name]) {
            watch(&root.join(path));
        }
    }
    let hash = git(root, &["rev-parse", "--short", "HEAD"])?;
    let changed = git(root, &["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { hash } else { format!("{hash}-dirty") })
}

/// Standard output of a git command that succeeded.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
