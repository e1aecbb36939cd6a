//! One file for Linux that unpacks itself at its first start: a script with the archive behind it.

use anyhow::Result;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::archive::Archive;
use crate::{Release, text};

/// The file, of an archive whose one folder holds the program at its top.
///
/// # Errors
/// If the script cannot be read.
pub fn of(archive: &[u8], release: &Release) -> Result<Archive> {
    let sum = HEXLOWER.encode(&Sha256::digest(archive));
    let script = text("tools/dist/files/self-extracting.sh")?;
    let script = script
        .replace("@VERSION@", &release.version)
        .replace("@SUM@", &sum)
        .replace("@FIRST_LINE@", &(script.lines().count() + 1).to_string());
    Ok([script.as_bytes(), archive].concat())
}
