//! Licences of everything that is in the program, with their texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::crates::Crate;
use crate::{root, text};

const HEAD: &str = "\
Pelagic itself is under MIT or Apache-2.0, at your choice. It contains the crates and fonts listed here.
Each licence's text follows the names of all that are under it.
";

/// Beginnings of the names of files that hold a licence or a notice, in lower case.
const NAMES: [&str; 6] = ["license", "licence", "copying", "notice", "copyright", "unlicense"];
/// Licence texts of fonts: the program's own, and those that egui brings, by crate and folder.
const OWN_FONT: &str = "assets/fonts/OFL.txt";
const FONTS: (&str, &str) = ("epaint_default_fonts", "fonts");

/// The page of notices.
///
/// # Errors
/// If a text cannot be read.
pub fn of(crates: &[Crate]) -> Result<String> {
    let mut page = HEAD.to_owned();
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in crates {
        writeln!(page, "{} {}: {}", one.name, one.version, one.license)?;
        let mut files = texts_in(&one.folder)?;
        if one.name == FONTS.0 {
            files.extend(texts_of_fonts(&one.folder.join(FONTS.1))?);
        }
        for file in files {
            let text = fs::read(&file).with_context(|| format!("{} cannot be read", file.display()))?;
            let text = String::from_utf8_lossy(&text).replace("\r\n", "\n").trim().to_owned();
            by_text.entry(text).or_default().push(format!("{} {}", one.name, one.version));
        }
    }
    by_text.entry(text(OWN_FONT)?.trim().to_owned()).or_default().push("Noto Sans SC (a part)".into());
    for (text, names) in by_text {
        writeln!(page, "\n{}\n{}\n\n{text}", "=".repeat(78), names.join(", "))?;
    }
    Ok(page)
}

/// Files of licences in a crate's folder, sorted.
fn texts_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = files(folder)?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        NAMES.iter().any(|known| name.starts_with(known))
    });
    Ok(files)
}

/// Text files beside fonts, sorted.
fn texts_of_fonts(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = files(folder)?;
    files.retain(|path| path.extension().is_some_and(|kind| kind == "txt"));
    Ok(files)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(root().join(folder)).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}
