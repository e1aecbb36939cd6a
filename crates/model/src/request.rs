//! Requests for models, and reasons that one was not loaded.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use glam::{Mat3, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use suggest::nearest;

use crate::files::BUILTIN;
use crate::{Clip, FileVersion, Model};

/// Greatest size of a model file in bytes: 256 MiB.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// A model to load, and how to read its axes and time line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelRequest {
    /// `builtin:NAME` for one of the project's own, else the path of an MS3D, glTF or MDL file.
    pub source: String,
    /// Direction in which the file's creature looks; after loading it looks along -z.
    pub forward: Forward,
    /// Named clips. Empty: those that the file names, or one clip `swim` from the first key to the last.
    pub clips: BTreeMap<String, ClipRequest>,
    /// Family of skins that it wears, of a file that has several.
    pub skin: u32,
    /// Number of its body, of a file that has several.
    pub body: u32,
    /// Whether it is to swim: a model without motion of its own is given a [body's wave](crate::body_wave).
    pub swims: bool,
    /// Its morphs by name: an MS3D file with the same vertices and triangles in another shape; empty for one that the
    /// model's own file has.
    pub morphs: BTreeMap<String, String>,
    /// The morph that comes first, so that instances can have weights of their own for it.
    pub first_morph: Option<String>,
}

impl ModelRequest {
    /// The whole time line of `source`, which looks along -z already.
    pub fn new(source: impl Into<String>) -> Self {
        Self { source: source.into(), ..Self::default() }
    }

    /// Whether it names one of the project's own models.
    pub fn is_builtin(&self) -> bool {
        self.source.starts_with(BUILTIN)
    }
}

/// Range of a clip in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipRequest {
    /// The sequence, by the file's name for it; empty: the whole time line.
    pub sequence: String,
    /// First and last frame, counted from 1; `None`: all of the sequence. On MilkShape's time line frame f lies at f /
    /// fps seconds, in a sequence at (f - 1) / fps after its beginning.
    pub frames: Option<(f32, f32)>,
}

impl ClipRequest {
    /// A range of the whole time line.
    pub fn range(from: f32, to: f32) -> Self {
        Self { sequence: String::new(), frames: Some((from, to)) }
    }
}

/// The axis of the file along which a creature looks. Its up is +y, or +z if it looks along y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Forward {
    /// Along +x; up is +y.
    #[serde(rename = "+x")]
    PosX,
    /// Along -x; up is +y.
    #[serde(rename = "-x")]
    NegX,
    /// Along +y; up is +z.
    #[serde(rename = "+y")]
    PosY,
    /// Along -y; up is +z.
    #[serde(rename = "-y")]
    NegY,
    /// Along +z; up is +y.
    #[serde(rename = "+z")]
    PosZ,
    /// Along -z, as models look after loading; up is +y.
    #[default]
    #[serde(rename = "-z")]
    NegZ,
}

impl Forward {
    /// All of them in turn, as they are written: from the usual one on, each turned a little from the one before.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::NegZ, "-z"),
        (Self::PosX, "+x"),
        (Self::PosZ, "+z"),
        (Self::NegX, "-x"),
        (Self::PosY, "+y"),
        (Self::NegY, "-y"),
    ];

    /// The next one in turn, and how it is written.
    pub fn next(self) -> (Self, &'static str) {
        let at = Self::ALL.iter().position(|(forward, _)| *forward == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// Model from file: the rotation that makes the creature look along -z.
    pub fn rotation(self) -> Mat3 {
        let (forward, up) = match self {
            Self::PosX => (Vec3::X, Vec3::Y),
            Self::NegX => (Vec3::NEG_X, Vec3::Y),
            Self::PosY => (Vec3::Y, Vec3::Z),
            Self::NegY => (Vec3::NEG_Y, Vec3::Z),
            Self::PosZ => (Vec3::Z, Vec3::Y),
            Self::NegZ => return Mat3::IDENTITY,
        };
        Mat3::from_cols(forward.cross(up), up, -forward).transpose()
    }
}

/// A loaded model with its clips, warnings and files.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// The model. Its palette is empty until `animation::load_model` bakes it.
    pub model: Model,
    /// Its clips, by name; empty if nothing in it moves.
    pub clips: Vec<Clip>,
    /// Warnings about missing, odd or replaced parts.
    pub warnings: Vec<ModelWarning>,
    /// Versions of the files that it comes from and that may be edited; also of those that it names and that are
    /// missing.
    pub files: Vec<FileVersion>,
}

/// A problem of a model that is used all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelWarning {
    /// Part of the model that it is about.
    pub part: ModelPart,
    /// A sentence for people.
    pub text: String,
}

/// Part of a model that a warning is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelPart {
    /// The file as such: messages of [`ms3d`]'s reader and its validation.
    File,
    /// The meshes that are drawn.
    Mesh,
    /// A material and its textures.
    Material,
    /// The clip of this name; `None` for all clips.
    Clip(Option<String>),
}

impl ModelWarning {
    /// A warning about a part.
    pub fn new(part: ModelPart, text: impl Into<String>) -> Self {
        Self { part, text: text.into() }
    }
}

impl fmt::Display for ModelWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reason that a model could not be loaded. The messages name the source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file cannot be read.
    #[error("model '{}' cannot be read: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The file is larger than [`MAX_FILE_BYTES`].
    #[error("model '{}' is larger than {} MiB, the most a model may have", path.display(), MAX_FILE_BYTES >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The program holds no model of this name.
    #[error("there is no built-in model '{name}'; {}", listed(name, known))]
    UnknownBuiltin {
        /// The name after `builtin:`.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The file is something else than a model.
    #[error("model '{source_name}' is {what}")]
    Foreign {
        /// The source as requested.
        source_name: String,
        /// Its kind, and what to do.
        what: String,
    },
    /// The file's structure is broken.
    #[error("model '{source_name}' is not a usable {format} file: {error}")]
    Unreadable {
        /// The source as requested.
        source_name: String,
        /// Format that it was read as.
        format: &'static str,
        /// Place and reason.
        error: String,
    },
    /// The file's content makes no sense; every problem is listed.
    #[error("model '{source_name}' has errors:\n  {}", problems.join("\n  "))]
    Invalid {
        /// The source as requested.
        source_name: String,
        /// All problems.
        problems: Vec<String>,
    },
    /// A clip's frames make no sense.
    #[error("model '{source_name}', clip '{clip}': frames {from} to {to} are not a range; the last must be greater")]
    BadClip {
        /// The source as requested.
        source_name: String,
        /// The clip.
        clip: String,
        /// First frame.
        from: f32,
        /// Last frame.
        to: f32,
    },
    /// A clip's sequence is not in the file.
    #[error("model '{source_name}', clip '{clip}': {}", no_sequence(sequence, known))]
    UnknownSequence {
        /// The source as requested.
        source_name: String,
        /// The clip.
        clip: String,
        /// The sequence that it names.
        sequence: String,
        /// The known sequences.
        known: Vec<String>,
    },
    /// A morph is unknown, or its file cannot be one or has another topology.
    #[error("model '{source_name}', morph '{morph}': {why}")]
    BadMorph {
        /// The source as requested.
        source_name: String,
        /// The morph.
        morph: String,
        /// Reason.
        why: String,
    },
    /// There are too many clips.
    #[error("model '{source_name}': {count} clips are asked for; it may have {most}")]
    TooManyClips {
        /// The source as requested.
        source_name: String,
        /// Number of clips requested.
        count: usize,
        /// Greatest number allowed.
        most: usize,
    },
}

fn no_sequence(sequence: &str, known: &[String]) -> String {
    let asked = match sequence {
        "" => "it names no sequence of the file".into(),
        name => format!("there is no sequence '{name}' in the file"),
    };
    format!("{asked}; {}", listed(sequence, known))
}

/// Names known in place of an unknown one, the nearest first.
fn listed(name: &str, known: &[String]) -> String {
    let near = nearest(name, known.iter().map(String::as_str));
    let near = near.map_or(String::new(), |near| format!("did you mean '{near}'? "));
    let all = if known.is_empty() { "none".into() } else { known.join(", ") };
    format!("{near}there are: {all}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creatures_look_along_minus_z_and_stay_right_handed() {
        for (axis, forward, up) in [
            (Forward::PosX, Vec3::X, Vec3::Y),
            (Forward::NegX, Vec3::NEG_X, Vec3::Y),
            (Forward::PosY, Vec3::Y, Vec3::Z),
            (Forward::NegY, Vec3::NEG_Y, Vec3::Z),
            (Forward::PosZ, Vec3::Z, Vec3::Y),
            (Forward::NegZ, Vec3::NEG_Z, Vec3::Y),
        ] {
            let rotation = axis.rotation();
            assert_eq!(rotation * forward, Vec3::NEG_Z, "{axis:?}");
            assert_eq!(rotation * up, Vec3::Y, "{axis:?}");
            assert_eq!(rotation.determinant(), 1.0, "{axis:?}");
        }
    }
}
