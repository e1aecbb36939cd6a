//! Parts of a film, checked and joined.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use storage::{OutFile, StorageError};

use crate::FilmError;
use crate::folder::{frame_name, manifests, parts_of, read_rgb};
use crate::manifest::{Film, FilmFile, FrameRecord, Hash, Manifest};
use crate::sink::Sink;

/// Parts that belong together.
pub struct Parts {
    /// Manifest of all of them.
    pub manifest: Manifest,
    /// Folder and record of each frame, by its number.
    frames: BTreeMap<u64, (PathBuf, FrameRecord)>,
    /// The drivers that drew them, if they are more than one.
    pub drivers: Vec<String>,
}

impl Parts {
    /// Finds the parts in folders; their manifests are believed until the files are checked.
    ///
    /// # Errors
    /// If there are none, or of different films, or two have different frames of one number.
    pub fn find(folders: &[PathBuf]) -> Result<Self, FilmError> {
        let mut found: Option<Manifest> = None;
        let mut frames = BTreeMap::<u64, (PathBuf, FrameRecord)>::new();
        let mut drivers = BTreeSet::new();
        for folder in folders {
            let all = manifests(folder)?;
            if all.is_empty() {
                let why = "there is no film here: no film.json, nor one of a part";
                return Err(FilmError::File { path: folder.clone(), why: why.into() });
            }
            for manifest in all {
                let first = found.get_or_insert_with(|| manifest.clone());
                if let Some(difference) = first.film.difference(&manifest.film) {
                    let what = format!("another film than {}: {difference}", folders[0].display());
                    return Err(FilmError::Foreign { folder: folder.clone(), what });
                }
                drivers.insert(format!("{} {}", manifest.gl.renderer, manifest.gl.version));
                for record in &manifest.frames {
                    let (other, first) = frames.entry(record.frame).or_insert_with(|| (folder.clone(), *record));
                    if first.pixels != record.pixels {
                        return Err(FilmError::Refused(format!(
                            "frame {} in {} is not the one in {}: they were not drawn alike",
                            record.frame,
                            folder.display(),
                            other.display()
                        )));
                    }
                }
            }
        }
        let mut manifest = found.ok_or_else(|| FilmError::Refused("no folder is named".into()))?;
        manifest.range = (0, manifest.film.frames);
        (manifest.frames, manifest.file) = (frames.values().map(|(_, record)| *record).collect(), None);
        let drivers = if drivers.len() > 1 { drivers.into_iter().collect() } else { Vec::new() };
        Ok(Self { manifest, frames, drivers })
    }

    /// The frames of the whole that no part has.
    pub fn missing(&self) -> Vec<Range<u64>> {
        ranges((0..self.manifest.film.frames).filter(|frame| !self.frames.contains_key(frame)))
    }

    /// Files of frames that are gone or changed, each with the reason.
    pub fn damaged(&self, told: &mut dyn FnMut(u64)) -> Vec<(PathBuf, String)> {
        let check = |(folder, record): &(PathBuf, FrameRecord)| {
            told(record.frame);
            let path = folder.join(frame_name(record.frame, &self.manifest.film.format));
            match Hash::of_file(&path) {
                Ok(hash) if hash == record.sha256 => None,
                Ok(_) => Some((path, "it is not what was written".to_owned())),
                Err(FilmError::File { why, .. }) => Some((path, why)),
                Err(error) => Some((path, error.to_string())),
            }
        };
        self.frames.values().filter_map(check).collect()
    }

    /// Makes one file of all frames.
    ///
    /// # Errors
    /// If one cannot be read or the file not be written.
    pub fn encode(&self, mut sink: Sink, told: &mut dyn FnMut(u64)) -> Result<FilmFile, FilmError> {
        for (folder, record) in self.frames.values() {
            if platform::interrupt::requested() {
                return Err(runtime::AppError::Interrupted.into());
            }
            sink.frame(&read_rgb(&folder.join(frame_name(record.frame, &self.manifest.film.format)))?)?;
            told(record.frame);
        }
        sink.finish()
    }

    /// Checks that all frames can be copied into one folder.
    ///
    /// # Errors
    /// If another film is there, or it cannot be written to.
    pub fn check_folder(&self, into: &Path) -> Result<(), FilmError> {
        parts_of(into, |other| self.manifest.film.difference(other))?;
        Ok(OutFile::check(&into.join(Manifest::WHOLE)).map(drop)?)
    }

    /// Copies all frames into one folder, except those that are there, and writes the whole film's manifest.
    ///
    /// # Errors
    /// If another film is there, or it cannot be written to.
    pub fn gather(&self, into: &Path, told: &mut dyn FnMut(u64)) -> Result<(), FilmError> {
        self.check_folder(into)?;
        for (folder, record) in self.frames.values() {
            if platform::interrupt::requested() {
                return Err(runtime::AppError::Interrupted.into());
            }
            let name = frame_name(record.frame, &self.manifest.film.format);
            let place = into.join(&name);
            let is_there = storage::is_there(&place) && Hash::of_file(&place).is_ok_and(|hash| hash == record.sha256);
            if !is_there {
                let bytes = storage::read(&folder.join(&name), u64::MAX - 1)
                    .map_err(|error| FilmError::File { path: folder.join(&name), why: error.to_string() })?;
                OutFile::check(&place)?.write(&bytes)?;
            }
            told(record.frame);
        }
        self.manifest.write(&into.join(self.manifest.name()))
    }
}

/// Checks a film's file against the manifest beside it.
///
/// # Errors
/// If it has none, or the file has changed since it was written.
pub fn verify_file(path: &Path) -> Result<Manifest, FilmError> {
    let manifest = Manifest::read(&manifest_beside(path))?;
    let failed = |why: &str| FilmError::File { path: path.into(), why: why.into() };
    let file = manifest.file.as_ref().ok_or_else(|| failed("the manifest beside it tells of no file"))?;
    match Hash::of_file(path)? == file.sha256 {
        true => Ok(manifest),
        false => Err(failed("it is not what was written")),
    }
}

/// Checks that a film's file and the manifest beside it may be written: nothing is there, or the unchanged file that
/// record wrote for the same frames of the same film. `difference` tells how another film differs from it.
///
/// # Errors
/// If something else is there.
pub fn refuse_other(
    path: &Path,
    range: (u64, u64),
    difference: impl Fn(&Film) -> Option<String>,
) -> Result<(), StorageError> {
    let is_ours = |path: &Path| {
        verify_file(path).is_ok_and(|manifest| manifest.range == range && difference(&manifest.film).is_none())
    };
    storage::refuse_replacing(path, is_ours)?;
    storage::refuse_replacing(&manifest_beside(path), |beside| Manifest::read(beside).is_ok())
}

/// Path of the manifest of a film's file: its name with `.json` after it.
pub fn manifest_beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// Ranges of ordered numbers.
fn ranges(numbers: impl Iterator<Item = u64>) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => ranges.push(number..number + 1),
        }
    }
    ranges
}

/// Ranges in words.
pub fn in_words(ranges: &[Range<u64>]) -> String {
    const MAX: usize = 8;
    let mut words: Vec<String> =
        ranges.iter().take(MAX).map(|range| format!("{}..{}", range.start, range.end)).collect();
    if ranges.len() > MAX {
        words.push(format!("and {} more", ranges.len() - MAX));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_ranges_and_words() {
        let missing = ranges([3, 4, 5, 9, 11, 12].into_iter());
        assert_eq!(missing, [3..6, 9..10, 11..13]);
        assert_eq!(in_words(&missing), "3..6, 9..10, 11..13");
        let many = ranges((0..40).step_by(2));
        assert!(in_words(&many).ends_with("14..15, and 12 more"), "{}", in_words(&many));
    }
}
