//! Manifest of a film's frames, in JSON beside them: the request, the program and driver that drew them, and their
//! hashes.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use data_encoding::HEXLOWER;
use gl::DeviceInfo;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use storage::OutFile;

use crate::FilmError;

/// Version of the manifest format that this program writes.
const FORMAT_VERSION: u32 = 1;
/// Largest manifest that is read: some ten million frames. Unit: bytes.
const MAX_BYTES: u64 = 2 << 30;

/// Everything that determines a film's frames on one machine: two parts belong together where this is equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Film {
    /// Version of the program.
    pub version: String,
    /// The scene's name.
    pub scene: String,
    /// Hash of settings, models, shaders and seed.
    pub scene_hash: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Width and height. Unit: pixels.
    pub size: (u32, u32),
    /// Quality tier that is drawn.
    pub quality: String,
    /// Frames a second.
    pub fps: String,
    /// Frames of the whole.
    pub frames: u64,
    /// The scene's time at the first one. Unit: s.
    pub start_s: f64,
    /// Path of the camera.
    pub camera: String,
    /// Stereo layout of the picture.
    pub stereo: String,
    /// Projection onto the picture.
    pub projection: String,
    /// Moments within the time of exposure.
    pub samples: u32,
    /// Time of exposure, without samples of no effect. Unit: s.
    pub shutter_s: f64,
    /// Diameter of the lens, 0 for none. Unit: mm.
    pub aperture_mm: f64,
    /// Focus distance, 0 for the middle of the first frame. Unit: m.
    pub focus_m: f64,
    /// Ending of the frames' files.
    pub format: String,
}

impl Film {
    /// Difference of another film, in words.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let [a, b] = [self, other].map(|film| serde_json::to_value(film).unwrap_or_default());
        let fields = a.as_object()?;
        // The request says more than the hash that follows from it.
        let mut names: Vec<&String> = fields.keys().filter(|name| a[*name] != b[*name]).collect();
        names.sort_by_key(|name| *name == "scene_hash");
        names.first().map(|name| match name.as_str() {
            "scene_hash" => "its settings, models, shaders or seed differ from this one's".into(),
            name => format!("its {name} is {}, this one's {}", b[name], a[name]),
        })
    }

    /// Same as [`Self::difference`] where the hash is not known yet, and another version of the program may have made
    /// the other film.
    pub fn difference_as_asked(&self, other: &Self) -> Option<String> {
        let Self { version, scene_hash, .. } = other.clone();
        Self { version, scene_hash, ..self.clone() }.difference(other)
    }
}

/// A SHA-256.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// Hash of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Finishes a hash.
    pub fn end(hash: Sha256) -> Self {
        Self(hash.finalize().into())
    }

    /// Hash of a file of any size.
    ///
    /// # Errors
    /// If it is not there or cannot be read.
    pub fn of_file(path: &Path) -> Result<Self, FilmError> {
        let mut hash = Sha256::new();
        storage::read_pieces(path, |piece| hash.update(piece))
            .map_err(|error| FilmError::File { path: path.into(), why: error.to_string() })?;
        Ok(Self::end(hash))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&HEXLOWER.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| de::Error::custom(format!("'{text}' is no SHA-256")))
    }
}

/// A frame that is whole.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameRecord {
    /// Its number, from 0.
    pub frame: u64,
    /// Hash of its file.
    pub sha256: Hash,
    /// Hash of its pixels: bytes of RGB, or little-endian floats of linear RGB, the top row first.
    pub pixels: Hash,
}

/// The one file that the frames were made into.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilmFile {
    /// Its name.
    pub name: String,
    /// Hash of the whole file.
    pub sha256: Hash,
    /// Program that encoded it, if that was another one.
    pub encoder: Option<String>,
    /// Command line of that program.
    pub command: Option<String>,
}

/// Manifest of frames, kept beside them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the manifest format.
    pub pelagic_film: u32,
    /// The film that they are frames of.
    pub film: Film,
    /// The driver that drew them.
    pub gl: DeviceInfo,
    /// Range of the frames to be made: from the first up to, and without, the second.
    pub range: (u64, u64),
    /// The command line.
    pub arguments: Vec<String>,
    /// The file they were made into.
    pub file: Option<FilmFile>,
    /// Whole frames, in their order.
    pub frames: Vec<FrameRecord>,
}

impl Manifest {
    /// Manifest of frames that are still to be made.
    pub fn new(film: Film, gl: DeviceInfo, range: Range<u64>, arguments: Vec<String>) -> Self {
        let range = (range.start, range.end);
        Self { pelagic_film: FORMAT_VERSION, film, gl, range, arguments, file: None, frames: Vec::new() }
    }

    /// File name of a whole film's manifest in its folder.
    pub const WHOLE: &str = "film.json";

    /// File name in its folder: `film.json`, or by its frames if they are not all.
    pub fn name(&self) -> String {
        match self.range {
            (0, to) if to == self.film.frames => Self::WHOLE.into(),
            (from, to) => format!("film-{from:06}-{to:06}.json"),
        }
    }

    /// Whether a file is named like a manifest.
    pub fn is_name(name: &str) -> bool {
        name == Self::WHOLE || (name.starts_with("film-") && name.ends_with(".json"))
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If it is not there or is no manifest.
    pub fn read(path: &Path) -> Result<Self, FilmError> {
        let failed = |why: String| FilmError::File { path: path.into(), why };
        let bytes = storage::read(path, MAX_BYTES).map_err(|error| failed(error.to_string()))?;
        let manifest: Self =
            serde_json::from_slice(&bytes).map_err(|error| failed(format!("it is no manifest of a film: {error}")))?;
        let in_order = manifest.frames.is_sorted_by(|a, b| a.frame < b.frame);
        let in_range =
            manifest.frames.iter().all(|record| (manifest.range.0..manifest.range.1).contains(&record.frame));
        match manifest.pelagic_film {
            FORMAT_VERSION if in_order && in_range && manifest.range.1 <= manifest.film.frames => Ok(manifest),
            FORMAT_VERSION => {
                Err(failed("it is no manifest of a film: frames are out of order or out of its range".into()))
            }
            other => Err(failed(format!(
                "it is a manifest of format {other}, and this program reads format {FORMAT_VERSION}"
            ))),
        }
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// If the disk is full and so on.
    pub fn write(&self, path: &Path) -> Result<(), FilmError> {
        let head = Self { frames: Vec::new(), ..self.clone_head() };
        let failed = |error: serde_json::Error| FilmError::File { path: path.into(), why: error.to_string() };
        // A line for each frame.
        let mut text = serde_json::to_string_pretty(&head).map_err(failed)?;
        let rest = text.rfind("[]").expect("the frames come last");
        text.truncate(rest);
        text.push('[');
        for (i, record) in self.frames.iter().enumerate() {
            text.push_str(if i == 0 { "\n    " } else { ",\n    " });
            text.push_str(&serde_json::to_string(record).map_err(failed)?);
        }
        text.push_str("\n  ]\n}\n");
        Ok(OutFile::check(path)?.write(text.as_bytes())?)
    }

    fn clone_head(&self) -> Self {
        let Self { film, gl, range, arguments, file, .. } = self;
        let mut head = Self::new(film.clone(), gl.clone(), range.0..range.1, arguments.clone());
        head.file = file.clone();
        head
    }
}
