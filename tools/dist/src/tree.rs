//! Files of a package and where they are installed.

use anyhow::Result;

use crate::crates::Crate;
use crate::{APP_ID, Program, Release, icon, notices, text, texts};

/// A file to be installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Path below the prefix, such as `share/applications/pelagic.desktop`.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
    /// Whether it can be run.
    pub is_program: bool,
}

/// Files to be installed under a prefix, sorted by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree(pub Vec<Entry>);

impl Tree {
    fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.push(Entry { path: path.into(), bytes: bytes.into(), is_program: false });
    }

    /// Copies the files to the paths that `to` gives, and sorts them by these.
    pub fn moved(&self, to: impl Fn(&str) -> String) -> Self {
        let mut entries: Vec<Entry> = self.0.iter().map(|e| Entry { path: to(&e.path), ..e.clone() }).collect();
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Self(entries)
    }

    /// Layout of an archive: one folder, with the program and the texts that people look for first at its top.
    pub fn unpacked_as(&self, folder: &str) -> Self {
        self.moved(|path| {
            let top = path.strip_prefix("bin/").or_else(|| path.strip_prefix("share/doc/pelagic/"));
            format!("{folder}/{}", top.unwrap_or(path))
        })
    }
}

/// Texts that come with every package.
const TEXTS: [&str; 5] = ["README.md", "README.zh-CN.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Files of a package that is only unpacked: the program or the page, texts and notices in one folder.
///
/// # Errors
/// If a text cannot be read.
pub fn unpacked(parts: Vec<Entry>, folder: &str, crates: &[Crate]) -> Result<Tree> {
    let mut tree = Tree(parts);
    for name in TEXTS {
        tree.add(name, text(name)?);
    }
    tree.add("NOTICES.txt", notices::of(crates)?);
    Ok(tree.moved(|path| format!("{folder}/{path}")))
}

/// All files of the program's package for Linux.
///
/// # Errors
/// If one cannot be read or made.
pub fn of_program(program: &Program, release: &Release, crates: &[Crate]) -> Result<Tree> {
    let mut tree = Tree::default();
    tree.0.push(Entry { path: "bin/pelagic".into(), bytes: program.0.clone(), is_program: true });
    tree.add(
        format!("share/applications/{APP_ID}.desktop"),
        text("tools/dist/files/pelagic.desktop")?.replace("@ID@", APP_ID),
    );
    let svg = text("tools/dist/files/pelagic.svg")?;
    for side in icon::SIDES {
        tree.add(format!("share/icons/hicolor/{side}x{side}/apps/{APP_ID}.png"), icon::png(&svg, side)?);
    }
    tree.add(format!("share/icons/hicolor/scalable/apps/{APP_ID}.svg"), svg);
    tree.add(format!("share/metainfo/{APP_ID}.metainfo.xml"), texts::metainfo(release)?);
    for (path, bytes) in texts::manual_pages(release)?.into_iter().chain(texts::completions()) {
        tree.add(path, bytes);
    }
    for name in TEXTS {
        tree.add(format!("share/doc/pelagic/{name}"), text(name)?);
    }
    tree.add("share/doc/pelagic/NOTICES.txt", notices::of(crates)?);
    tree.0.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(tree)
}
