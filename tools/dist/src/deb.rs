//! Debian's packages: `deb(5)`.

use std::io::Write as _;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::archive::{Archive, tar_xz};
use crate::tree::{Entry, Tree};
use crate::{Program, Release, text};

/// Changes from version to version, in the tree.
const CHANGES: &str = "share/doc/pelagic/CHANGELOG.md";

/// Version of the format.
const FORMAT: &[u8] = b"2.0\n";

/// Debian's name of an architecture.
pub fn arch(rust: &str) -> &str {
    match rust {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "arm" => "armhf",
        other => other,
    }
}

/// A package that installs `tree` under `/usr`.
///
/// # Errors
/// If the list of libraries cannot be read.
pub fn package(tree: &Tree, program: &Program, release: &Release) -> Result<Archive> {
    // Debian's policy: manual pages and changes packed by gzip, a copyright file, no licences beside it.
    let mut data = tree.moved(|path| match path {
        CHANGES => "./usr/share/doc/pelagic/changelog".to_owned(),
        _ => format!("./usr/{path}"),
    });
    data.0.retain(|entry| !entry.path.contains("/LICENSE-"));
    for entry in data.0.iter_mut().filter(|entry| entry.path.contains("/man/") || entry.path.ends_with("/changelog")) {
        entry.path += ".gz";
        entry.bytes = gzip(&entry.bytes)?;
    }
    let licences = text("LICENSE-MIT")?;
    let copyright = format!(
        "Pelagic is under MIT or Apache-2.0, at your choice; the latter is in /usr/share/common-licenses/Apache-2.0.\n\
         Licences of what it is built from: /usr/share/doc/pelagic/NOTICES.txt\n\n{licences}"
    );
    let path = "./usr/share/doc/pelagic/copyright".to_owned();
    data.0.push(Entry { path, bytes: copyright.into_bytes(), is_program: false });
    data.0.sort_by(|a, b| a.path.cmp(&b.path));
    let control = Entry { path: "./control".into(), bytes: control(&data, program, release)?, is_program: false };
    let members = [
        ("debian-binary", FORMAT.to_vec()),
        ("control.tar.xz", tar_xz(&Tree(vec![control]), release.time_s)?),
        ("data.tar.xz", tar_xz(&data, release.time_s)?),
    ];
    let mut archive = ar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = ar::Header::new(name.into(), bytes.len() as u64);
        header.set_mtime(release.time_s);
        header.set_mode(0o100_644);
        archive.append(&header, &bytes[..]).context(name)?;
    }
    Ok(archive.into_inner()?)
}

/// Packed by gzip, without a name or a time.
fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(packed.finish()?)
}

fn control(data: &Tree, program: &Program, release: &Release) -> Result<Vec<u8>> {
    let kib: usize = data.0.iter().map(|entry| entry.bytes.len().div_ceil(1024)).sum();
    let mut libraries = libraries()?;
    if let Some(minor) = program.glibc_minor() {
        libraries.insert(0, format!("libc6 (>= 2.{minor})"));
    }
    let homepage = release.url.as_ref().map(|url| format!("Homepage: {url}\n")).unwrap_or_default();
    Ok(format!(
        "Package: pelagic\n\
         Version: {}\n\
         Architecture: {}\n\
         Maintainer: The Pelagic project <maintainers@pelagic.invalid>\n\
         Installed-Size: {kib}\n\
         Depends: {}, libgcc-s1\n\
         Section: graphics\n\
         Priority: optional\n\
         {homepage}\
         Description: real-time underwater world\n \
          Thousands of creatures swim through a sea whose caustics, light shafts, colour\n \
          and fog come from one wave field and one measured water type. It loads\n \
          MilkShape 3D, glTF and GoldSrc models, records films and measures frame times.\n",
        release.version,
        arch(std::env::consts::ARCH),
        libraries.join(", "),
    )
    .into_bytes())
}

/// Packages of the libraries that the program loads, from the list by which a build installs them.
fn libraries() -> Result<Vec<String>> {
    let script = text("scripts/system-packages.sh")?;
    let list = script.split_once("\npackages=(").and_then(|(_, rest)| rest.split_once(')'));
    let (names, _) = list.context("scripts/system-packages.sh lists no packages")?;
    Ok(names.split_whitespace().map(str::to_owned).collect())
}
