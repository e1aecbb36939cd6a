//! The program that is packed: built so that equal sources give equal bytes, in whatever folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{Release, System, root, windows};

/// A program without symbols of debuggers.
#[derive(Clone, Debug)]
pub struct Program(pub Vec<u8>);

/// Linker of programs for Windows.
const MINGW: &str = "x86_64-w64-mingw32-gcc";
/// Start of the name of a version of glibc's symbols, up to its minor number.
const GLIBC: &[u8] = b"\0GLIBC_2.";

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self(fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?))
    }

    /// Minor version of the oldest glibc 2 that has all symbols which it asks for; `None` if it asks for none.
    pub fn glibc_minor(&self) -> Option<u32> {
        let places = self.0.windows(GLIBC.len()).enumerate().filter(|(_, name)| *name == GLIBC);
        let minor = |at: usize| {
            let rest = &self.0[at + GLIBC.len()..];
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
        };
        places.filter_map(|(at, _)| minor(at)).max()
    }
}

/// Builds the program for a system in a folder of its own, `target/dist`; paths of this machine are left out of it.
///
/// # Errors
/// If Cargo, the compiler or the linker fails.
pub fn build(system: System) -> Result<Program> {
    let root = fs::canonicalize(root())?;
    let cargo_home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => PathBuf::from(std::env::var_os("HOME").context("HOME is not set")?).join(".cargo"),
    };
    let mut flags = vec![
        format!("--remap-path-prefix={}=/pelagic", root.display()),
        format!("--remap-path-prefix={}=/cargo", cargo_home.display()),
    ];
    let target = root.join("target/dist");
    let mut cargo = match system {
        System::Windows => {
            flags.push(format!("-Clink-arg={}", windows::resources(&target.join("windows"))?.display()));
            // Else the time of the build is in it.
            flags.push("-Clink-arg=-Wl,--no-insert-timestamp".into());
            let mut cargo = Command::new(root.join("scripts/cargo-for.sh"));
            cargo.args([&system.triple(), "build"]).env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", MINGW);
            // Without it twelve megabytes of code are left that nothing calls.
            cargo.args(["--config", "profile.release.lto=\"fat\"", "--config", "profile.release.codegen-units=1"]);
            cargo.args(["--config", "profile.release.split-debuginfo=\"off\""]);
            cargo
        }
        System::Linux | System::Web => {
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.arg("build");
            cargo
        }
    };
    let status = cargo
        .args(["--locked", "--release", "--bin", "pelagic"])
        .args(["--config", "profile.release.strip=true", "--config", "profile.release.debug=false"])
        .arg("--target-dir")
        .arg(&target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .current_dir(&root)
        .status()
        .context("cargo build")?;
    ensure!(status.success(), "cargo build failed");
    match system {
        System::Windows => Program::read(&target.join(system.triple()).join("release/pelagic.exe")),
        System::Linux | System::Web => Program::read(&target.join("release/pelagic")),
    }
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
