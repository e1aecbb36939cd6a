//! The program that is packed: built so that equal sources give equal bytes, in whatever folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{Release, root};

/// A program without symbols of debuggers.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file.
    pub bytes: Vec<u8>,
    /// Architecture that it is for, by Rust's name.
    pub arch: &'static str,
}

/// Start of the name of a version of glibc's symbols, up to its minor number.
const GLIBC: &[u8] = b"\0GLIBC_2.";

impl Program {
    /// Reads a program for this machine's architecture.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(Self { bytes, arch: std::env::consts::ARCH })
    }

    /// Minor version of the oldest glibc 2 that has all symbols which it asks for; `None` if it asks for none.
    pub fn glibc_minor(&self) -> Option<u32> {
        let places = self.bytes.windows(GLIBC.len()).enumerate().filter(|(_, name)| *name == GLIBC);
        let minor = |at: usize| {
            let rest = &self.bytes[at + GLIBC.len()..];
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
        };
        places.filter_map(|(at, _)| minor(at)).max()
    }
}

/// Builds the program in a folder of its own, `target/dist`; paths of this machine are left out of it.
///
/// # Errors
/// If Cargo or the compiler fails.
pub fn build() -> Result<Program> {
    let root = fs::canonicalize(root())?;
    let cargo_home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => PathBuf::from(std::env::var_os("HOME").context("HOME is not set")?).join(".cargo"),
    };
    let flags = [
        format!("--remap-path-prefix={}=/pelagic", root.display()),
        format!("--remap-path-prefix={}=/cargo", cargo_home.display()),
    ];
    let target = root.join("target/dist");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--locked", "--release", "--bin", "pelagic"])
        .args(["--config", "profile.release.strip=true", "--config", "profile.release.debug=false"])
        .arg("--target-dir")
        .arg(&target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .current_dir(&root)
        .status()
        .context("cargo build")?;
    ensure!(status.success(), "cargo build failed");
    Program::read(&target.join("release/pelagic"))
}

/// Version and time of the commit that is built.
///
/// # Errors
/// If this is no repository of git.
pub fn release(url: Option<String>) -> Result<Release> {
    let time_s = git(&["log", "-1", "--format=%ct"])?.parse().context("the commit's time")?;
    let tag = git(&["describe", "--tags", "--exact-match", "--match", "v[0-9]*"]).ok();
    let version = match tag.as_deref().and_then(|tag| tag.strip_prefix('v')) {
        Some(version) => version.to_owned(),
        None => format!("{}+g{}", build_info::VERSION, git(&["rev-parse", "--short", "HEAD"])?),
    };
    Ok(Release { version, time_s, url })
}

fn git(arguments: &[&str]) -> Result<String> {
    let told = Command::new("git").arg("-C").arg(root()).args(arguments).output().context("git")?;
    ensure!(told.status.success(), "git {}: {}", arguments.join(" "), String::from_utf8_lossy(&told.stderr).trim());
    Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
}
