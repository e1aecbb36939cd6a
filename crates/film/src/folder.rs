//! A folder of frames: a file for each, and manifests that say which are whole.
#![expect(clippy::disallowed_methods, reason = "it writes the manifest now and then")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gl::DeviceInfo;
use render::Capture;
use storage::OutFile;

use crate::FilmError;
use crate::manifest::{Film, FrameRecord, Hash, Manifest};
use runtime::picture_file::{PictureFormat, rgb_of};

/// Longest time before a whole frame is recorded in the manifest; unrecorded frames are made anew after a kill.
const MANIFEST_EVERY: Duration = Duration::from_secs(2);
/// Largest frame that is read. Unit: bytes.
const MAX_BYTES: u64 = 4 << 30;

/// A folder that frames are kept in.
#[derive(Debug)]
pub struct FrameFolder {
    path: PathBuf,
    format: PictureFormat,
    manifest: Manifest,
    /// Whole frames of the wanted range.
    whole: BTreeMap<u64, FrameRecord>,
    /// Number of whole frames when the manifest was last written, and the time of that.
    written: (usize, Instant),
}

impl FrameFolder {
    /// Opens a folder for the frames of `range` of a film; it may hold some of them already.
    ///
    /// # Errors
    /// If another film is in it, or the same one drawn by another driver, or it cannot be written to.
    pub fn open(
        path: &Path,
        format: PictureFormat,
        (film, gl): (Film, DeviceInfo),
        range: Range<u64>,
        arguments: Vec<String>,
    ) -> Result<Self, FilmError> {
        let manifest = Manifest::new(film, gl, range.clone(), arguments);
        let foreign = |what: String| FilmError::Foreign { folder: path.into(), what };
        let mut whole = BTreeMap::new();
        for other in parts_of(path, |other| manifest.film.difference(other))? {
            let by = |gl: &DeviceInfo| format!("{} {}", gl.renderer, gl.version);
            if by(&other.gl) != by(&manifest.gl) {
                let (there, here) = (by(&other.gl), by(&manifest.gl));
                return Err(foreign(format!("frames that were drawn by {there}, and here is {here}")));
            }
            whole
                .extend(other.frames.iter().filter(|r| range.contains(&r.frame)).map(|record| (record.frame, *record)));
        }
        let ending = ending(format);
        whole.retain(|frame, record| {
            let file = path.join(frame_name(*frame, ending));
            storage::is_there(&file) && Hash::of_file(&file).is_ok_and(|hash| hash == record.sha256)
        });
        let mut folder = Self { path: path.into(), format, manifest, whole, written: (0, Instant::now()) };
        // The manifest says whose the folder is before there is a frame in it.
        folder.write_manifest()?;
        Ok(folder)
    }

    /// Checks that frames of a film, whose scene is not made yet, can be kept in a folder: no other film is in it, and
    /// it can be written to.
    ///
    /// # Errors
    /// If that is not so.
    pub fn check(path: &Path, film: &Film) -> Result<(), FilmError> {
        parts_of(path, |other| film.difference_as_asked(other))?;
        Ok(OutFile::check(&path.join(Manifest::WHOLE)).map(drop)?)
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records of the whole frames.
    pub fn whole(&self) -> &BTreeMap<u64, FrameRecord> {
        &self.whole
    }

    /// Keeps a frame.
    ///
    /// # Errors
    /// If the disk is full and so on.
    pub fn keep(&mut self, frame: u64, picture: &Capture) -> Result<(), FilmError> {
        let file = self.path.join(frame_name(frame, ending(self.format)));
        let failed = |why: String| FilmError::File { path: file.clone(), why };
        let bytes = self.format.encode(picture).map_err(|error| failed(error.to_string()))?;
        let pixels = match picture {
            Capture::Display { rgba, .. } => Hash::of(&rgb_of(rgba)),
            Capture::Linear { rgb, .. } => Hash::of(bytemuck::cast_slice(rgb)),
        };
        OutFile::check(&file)?.write(&bytes)?;
        self.whole.insert(frame, FrameRecord { frame, sha256: Hash::of(&bytes), pixels });
        let news = self.whole.len().saturating_sub(self.written.0);
        // Written more rarely as it grows, so that the total cost stays proportional to its length.
        if news > self.whole.len() / 32 || self.written.1.elapsed() > MANIFEST_EVERY {
            self.write_manifest()?;
        }
        Ok(())
    }

    /// A kept frame's pixels in display RGB.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, frame: u64) -> Result<Vec<u8>, FilmError> {
        read_rgb(&self.path.join(frame_name(frame, ending(self.format))))
    }

    /// Writes the manifest of the whole frames.
    ///
    /// # Errors
    /// If the disk is full and so on.
    pub fn write_manifest(&mut self) -> Result<(), FilmError> {
        self.manifest.frames = self.whole.values().copied().collect();
        self.manifest.write(&self.path.join(self.manifest.name()))?;
        self.written = (self.whole.len(), Instant::now());
        Ok(())
    }

    /// Manifest of the frames.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Removes the frames and their manifest, and the folder if it is empty then.
    ///
    /// # Errors
    /// If one of them stays.
    pub fn remove(self) -> Result<(), FilmError> {
        let ending = ending(self.format);
        let names = self.whole.keys().map(|frame| frame_name(*frame, ending)).chain([self.manifest.name()]);
        let names: Vec<String> = names.collect();
        storage::remove_files(&self.path, names.iter().map(String::as_str))
            .map_err(|error| FilmError::File { path: self.path.clone(), why: error.to_string() })
    }
}

/// The name of a frame's file.
pub(super) fn frame_name(frame: u64, ending: &str) -> String {
    format!("frame-{frame:06}.{ending}")
}

/// Ending of a frame's file.
pub(super) fn ending(format: PictureFormat) -> &'static str {
    match format {
        PictureFormat::Png => "png",
        PictureFormat::Exr => "exr",
    }
}

/// Reads a picture's pixels in display RGB.
pub(super) fn read_rgb(path: &Path) -> Result<Vec<u8>, FilmError> {
    let failed = |why: String| FilmError::File { path: path.into(), why };
    let bytes = storage::read(path, MAX_BYTES).map_err(|error| failed(error.to_string()))?;
    let picture = image::load_from_memory(&bytes).map_err(|error| failed(error.to_string()))?;
    Ok(picture.into_rgb8().into_raw())
}

/// The manifests of a folder; none where there is no folder.
pub(super) fn manifests(folder: &Path) -> Result<Vec<Manifest>, FilmError> {
    let names = names(folder)?;
    names.iter().filter(|name| Manifest::is_name(name)).map(|name| Manifest::read(&folder.join(name))).collect()
}

/// Manifests of a folder that may hold frames of one film only; `difference` tells how another film differs from it.
pub(super) fn parts_of(
    folder: &Path,
    difference: impl Fn(&Film) -> Option<String>,
) -> Result<Vec<Manifest>, FilmError> {
    let foreign = |what: String| FilmError::Foreign { folder: folder.into(), what };
    // Names first: another part that begins just now writes its manifest before its frames.
    let has_frames = names(folder)?.iter().any(|name| name.starts_with("frame-"));
    let parts = manifests(folder)?;
    if parts.is_empty() && has_frames {
        return Err(foreign("pictures that no film.json tells of".into()));
    }
    match parts.iter().find_map(|other| difference(&other.film)) {
        Some(difference) => Err(foreign(format!("another film: {difference}"))),
        None => Ok(parts),
    }
}

fn names(folder: &Path) -> Result<Vec<String>, FilmError> {
    if !storage::is_there(folder) {
        return Ok(Vec::new());
    }
    let names =
        storage::names(folder).map_err(|error| FilmError::File { path: folder.into(), why: error.to_string() })?;
    Ok(names.into_iter().filter_map(|name| name.into_string().ok()).collect())
}
