//! The page for browsers, built by the tool that makes it.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{Entry, root};

/// Builds the page and reads its files.
///
/// # Errors
/// If a step fails; its output is shown.
pub fn build() -> Result<Vec<Entry>> {
    let out = root().join("target/dist/page");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "run",
            "--locked",
            "--quiet",
            "--package",
            "pelagic-page",
            "--features",
            "bindgen",
            "--",
            "build",
            "--out",
        ])
        .arg(&out)
        .current_dir(root())
        .status()
        .context("the tool of the page")?;
    ensure!(status.success(), "the page was not built");
    read(&out)
}

/// All files of a folder, with paths from there.
///
/// # Errors
/// If one cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Entry>> {
    let (mut entries, mut left) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder_or_file) = left.pop() {
        if folder_or_file.is_dir() {
            for entry in fs::read_dir(&folder_or_file)? {
                left.push(entry?.path());
            }
            continue;
        }
        let path = folder_or_file.strip_prefix(folder)?.components();
        let path: Vec<_> = path.map(|part| part.as_os_str().to_string_lossy()).collect();
        let bytes = fs::read(&folder_or_file).with_context(|| folder_or_file.display().to_string())?;
        entries.push(Entry { path: path.join("/"), bytes, is_program: false });
    }
    Ok(entries)
}
