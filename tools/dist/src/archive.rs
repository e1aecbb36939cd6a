//! Archives whose bytes depend on their files alone.

use std::collections::BTreeSet;
use std::io::{Cursor, Write as _};

use anyhow::{Context, Result};
use lzma_rust2::{XzOptions, XzWriter};
use pelagic::bench::host::utc;
use tar::{Builder, EntryType, Header};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::tree::{Entry, Tree};

/// Bytes of an archive.
pub type Archive = Vec<u8>;

/// Level of compression: beyond it a reader needs more memory than some small machines have.
const PRESET: u32 = 6;

/// A tar archive of the files and their folders, compressed by XZ; all were changed at `time_s`.
///
/// # Errors
/// If a path is longer than archives can hold.
pub fn tar_xz(tree: &Tree, time_s: u64) -> Result<Archive> {
    xz(&tar(tree, time_s)?)
}

/// A ZIP archive of the files; all were changed at `time_s`.
///
/// # Errors
/// If a file is too large for one, or the time lies before 1980 or after 2107.
pub fn zip(tree: &Tree, time_s: u64) -> Result<Archive> {
    let moment = utc(time_s);
    let part = |from: usize, to: usize| moment.get(from..to).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let day = (part(5, 7) as u8, part(8, 10) as u8);
    let clock = (part(11, 13) as u8, part(14, 16) as u8, part(17, 19) as u8);
    let time = DateTime::from_date_and_time(part(0, 4), day.0, day.1, clock.0, clock.1, clock.2)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in &tree.0 {
        let mode = if entry.is_program { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        let options = options.compression_level(Some(9)).last_modified_time(time).unix_permissions(mode);
        zip.start_file(&entry.path, options).with_context(|| entry.path.clone())?;
        zip.write_all(&entry.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Bytes compressed by XZ.
///
/// # Errors
/// None that is known of: it is written to memory.
pub fn xz(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(PRESET)).context("XZ")?;
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}

fn tar(tree: &Tree, time_s: u64) -> Result<Archive> {
    let header = |kind: EntryType, mode: u32, size: usize| -> Result<Header> {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(size as u64);
        header.set_mtime(time_s);
        header.set_uid(0);
        header.set_gid(0);
        header.set_username("root")?;
        header.set_groupname("root")?;
        Ok(header)
    };
    let mut tar = Builder::new(Vec::new());
    for folder in folders(&tree.0) {
        tar.append_data(&mut header(EntryType::Directory, 0o755, 0)?, &folder, &[][..]).context(folder.clone())?;
    }
    for entry in &tree.0 {
        let mode = if entry.is_program { 0o755 } else { 0o644 };
        let mut header = header(EntryType::Regular, mode, entry.bytes.len())?;
        tar.append_data(&mut header, &entry.path, &entry.bytes[..]).with_context(|| entry.path.clone())?;
    }
    Ok(tar.into_inner()?)
}

/// Folders of the files, outer ones first, each ending in a slash.
fn folders(entries: &[Entry]) -> BTreeSet<String> {
    let above = |path: &str| path.match_indices('/').map(|(at, _)| path[..=at].to_owned()).collect::<Vec<_>>();
    entries.iter().flat_map(|entry| above(&entry.path)).filter(|folder| folder != "./").collect()
}
