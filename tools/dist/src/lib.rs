//! Pelagic packed for people who do not build it: for Linux, Windows and browsers. A tool of the project, no part of the
//! program.
//!
//! ```text
//! pelagic-VERSION-linux-ARCH.tar.xz      pelagic, share/..., texts: unpack it and run ./pelagic
//! pelagic-VERSION-linux-ARCH.run         the same as one file that unpacks itself
//! pelagic_VERSION_ARCH.deb               the same under /usr
//! pelagic-VERSION-windows-x86_64.zip     pelagic.exe, texts
//! pelagic-VERSION-web.zip                the page for browsers, texts
//! pelagic-VERSION-SYSTEM.cdx.json        every crate in it, as CycloneDX
//! SHA256SUMS                             of all of these
//! ```
//!
//! Equal input gives equal bytes: times are those of the commit, owners are root, names are sorted.

mod archive;
mod crates;
mod deb;
mod icon;
mod notices;
pub mod page;
pub mod program;
mod sbom;
mod self_extracting;
mod system;
mod texts;
mod tree;
mod windows;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use build_info::APP_ID;

pub use archive::Archive;
pub use program::Program;
pub use system::System;
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

/// A part of a release, built.
#[derive(Clone, Debug)]
pub enum Part {
    /// The program for Linux.
    Linux(Program),
    /// The program for Windows.
    Windows(Program),
    /// The page for browsers: its files.
    Web(Vec<Entry>),
}

/// Packs parts of a release into `out`; returns the files written.
///
/// # Errors
/// If a file cannot be read or written, or Cargo cannot tell the dependencies.
pub fn pack(parts: &[Part], release: &Release, out: &Path) -> Result<Vec<PathBuf>> {
    let mut made = Vec::new();
    for part in parts {
        made.extend(packages(part, release)?);
    }
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

/// Names and bytes of the packages of a part.
fn packages(part: &Part, release: &Release) -> Result<Vec<(String, Archive)>> {
    let Release { version, time_s, .. } = release;
    let system = match part {
        Part::Linux(_) => System::Linux,
        Part::Windows(_) => System::Windows,
        Part::Web(_) => System::Web,
    };
    let crates = crates::of_program(system).context("the crates of the program")?;
    let folder = format!("pelagic-{version}-{}", system.name());
    let mut made = match part {
        Part::Linux(program) => {
            let tree = tree::of_program(program, release, &crates)?;
            let archive = archive::tar_xz(&tree.unpacked_as(&folder), *time_s)?;
            let package = format!("pelagic_{version}_{}.deb", deb::arch(std::env::consts::ARCH));
            vec![
                (format!("{folder}.run"), self_extracting::of(&archive, release)?),
                (format!("{folder}.tar.xz"), archive),
                (package, deb::package(&tree, program, release)?),
            ]
        }
        Part::Windows(Program(bytes)) => {
            let program = Entry { path: "pelagic.exe".into(), bytes: bytes.clone(), is_program: true };
            let tree = tree::unpacked(vec![program], &folder, &crates)?;
            vec![(format!("{folder}.zip"), archive::zip(&tree, *time_s)?)]
        }
        Part::Web(page) => {
            let tree = tree::unpacked(page.clone(), &folder, &crates)?;
            vec![(format!("{folder}.zip"), archive::zip(&tree, *time_s)?)]
        }
    };
    made.push((format!("{folder}.cdx.json"), sbom::of(&crates, release)?));
    Ok(made)
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
