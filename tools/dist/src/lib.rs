//! Pelagic packed for people who do not build it: an archive to unpack anywhere and a package for Debian and Ubuntu. A tool
//! of the project, no part of the program.
//!
//! ```text
//! pelagic-VERSION-linux-ARCH.tar.xz    pelagic, share/..., texts: unpack it and run ./pelagic
//! pelagic_VERSION_ARCH.deb             the same under /usr
//! pelagic-VERSION.cdx.json             every crate in it, as CycloneDX
//! SHA256SUMS                           of all of these
//! ```
//!
//! Equal input gives equal bytes: times are those of the commit, owners are root, names are sorted.

mod archive;
mod crates;
mod deb;
mod icon;
mod notices;
pub mod program;
mod sbom;
mod texts;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use build_info::APP_ID;

pub use archive::Archive;
pub use program::Program;
pub use tree::{Entry, Tree};

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Facts of a release that its files name.
#[derive(Clone, Debug)]
pub struct Release {
    /// Version, such as `0.2.0`, or `0.2.0+g1a2b3c4` between tags.
    pub version: String,
    /// Time of the commit, in seconds since 1970: that of all files.
    pub time_s: u64,
    /// Web address of the project, such as `https://example.org/pelagic`; the texts name none without it.
    pub url: Option<String>,
}

/// Packs a program into `out`; returns the files written.
///
/// # Errors
/// If a file cannot be read or written, or Cargo cannot tell the dependencies.
pub fn pack(program: &Program, release: &Release, out: &Path) -> Result<Vec<PathBuf>> {
    let crates = crates::of_program().context("the crates of the program")?;
    let tree = tree::of_program(program, release, &crates)?;
    let version = &release.version;
    let folder = format!("pelagic-{version}-linux-{}", program.arch);
    let made = [
        (format!("{folder}.tar.xz"), archive::tar_xz(&tree.unpacked_as(&folder), release.time_s)?),
        (format!("pelagic_{version}_{}.deb", deb::arch(program.arch)), deb::package(&tree, program, release)?),
        (format!("pelagic-{version}.cdx.json"), sbom::of(&crates, release)?),
    ];
    fs::create_dir_all(out).with_context(|| format!("{} cannot be made", out.display()))?;
    let mut paths = Vec::new();
    let mut sums = String::new();
    for (name, bytes) in &made {
        sums += &format!("{}  {name}\n", HEXLOWER.encode(&Sha256::digest(bytes)));
        paths.push(write(out, name, bytes)?);
    }
    paths.push(write(out, "SHA256SUMS", sums.as_bytes())?);
    Ok(paths)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(path)
}

/// The text of a file of the project.
fn text(path: &str) -> Result<String> {
    let path = root().join(path);
    fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))
}
