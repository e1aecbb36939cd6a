//! Names the commit that a release is built from. Works without git and outside a repository.
#![expect(clippy::disallowed_methods, reason = "a build script is told by its environment")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    // Debug builds name no commit: a new commit would otherwise recompile all dependent crates.
    let built = match env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        true => release(&root),
        false => Some("debug build".into()),
    };
    let version = built.map_or(version.clone(), |built| format!("{version} ({built})"));
    println!("cargo:rustc-env=PELAGIC_VERSION={version}");
}

/// Commit of a release, handed to the compiler as well.
fn release(root: &Path) -> Option<String> {
    // An edit of the sources can make the tree dirty.
    for watched in ["assets", "crates", "shaders", "src", "Cargo.toml"] {
        watch(&root.join(watched));
    }
    let commit = commit(root)?;
    println!("cargo:rustc-env=PELAGIC_COMMIT={commit}");
    Some(commit)
}

/// Asks for a new run when `path` changes. A path that does not exist would ask for one at every build.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo:rerun-if-changed={}", path.display());
    }
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
