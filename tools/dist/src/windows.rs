//! Resources of a program for Windows: its icon, version and name, compiled by mingw's `windres`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{icon, text};

/// Resource compiler.
const WINDRES: &str = "x86_64-w64-mingw32-windres";

/// Compiles the resources into an object file in `folder`.
///
/// # Errors
/// If the compiler is missing or refuses them.
pub fn resources(folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    fs::write(folder.join("pelagic.ico"), icon::ico(&text("tools/dist/files/pelagic.svg")?)?)?;
    let script = text("tools/dist/files/pelagic.rc")?
        .replace("@VERSION@", build_info::VERSION)
        .replace("@NUMBERS@", &build_info::VERSION.split(['-', '+']).next().unwrap_or_default().replace('.', ","));
    fs::write(folder.join("pelagic.rc"), script)?;
    let object = folder.join("resources.o");
    let told = Command::new(WINDRES)
        .args(["--input=pelagic.rc", "--output=resources.o", "--output-format=coff"])
        .current_dir(folder)
        .output()
        .with_context(|| format!("{WINDRES} (Debian, Ubuntu: apt install gcc-mingw-w64-x86-64)"))?;
    ensure!(told.status.success(), "{WINDRES}: {}", String::from_utf8_lossy(&told.stderr).trim());
    Ok(object)
}
