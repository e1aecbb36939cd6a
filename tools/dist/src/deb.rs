//! Debian's packages: `deb(5)`.

use anyhow::{Context, Result};

use crate::archive::{Archive, tar_xz};
use crate::tree::{Entry, Tree};
use crate::{Program, Release, text};

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
    // Debian's policy wants a copyright file, and completions for zsh and fish elsewhere than others do.
    let mut data = tree.moved(|path| format!("./usr/{path}"));
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
         Maintainer: The Pelagic project <pelagic@localhost>\n\
         Installed-Size: {kib}\n\
         Depends: {}, libgcc-s1\n\
         Section: games\n\
         Priority: optional\n\
         {homepage}\
         Description: real-time underwater world\n \
          Thousands of creatures swim through a sea whose caustics, light shafts, colour\n \
          and fog come from one wave field and one measured water type. It loads\n \
          MilkShape 3D, glTF and GoldSrc models, records films and measures frame times.\n",
        release.version,
        arch(program.arch),
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
