//! `[[species]]`: appearance and life of a kind of animal.

use std::collections::BTreeMap;

use life::{Drive, LifeSettings};
use model::Forward;
use model::files::BUILTIN;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;
use validate::{Violation, within};

/// `[[species]]`: one kind of animal and how many of it.
// The schema finds unknown keys: serde cannot refuse them beside flattened fields.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("required" = ["name", "model"]))]
pub struct SpeciesSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// MS3D, glTF or MDL file, relative to this one; `builtin:NAME` for the project's own.
    pub model: String,
    /// Card that gives its habits: a card of the project, a file, or none; left out, the card of its model.
    ///
    /// The card gives the keys that this entry leaves out, except `name`, `model`, `count`, `home_m`, `path_m`,
    /// `path_spread_m` and `tint`. A file is named by a path relative to this one that ends in `.toml`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub card: String,
    /// Index of its skin, for a file with several: an MDL file's skin families.
    #[schemars(range(min = 0, max = 255))]
    pub skin: u32,
    /// Index of its body, for a file with several: the choice of an MDL file's body parts.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub body: u32,
    /// Direction in which the file's creature looks, once the front of glTF and MDL is turned to -z.
    #[default(Forward::NegZ)]
    pub forward: Forward,
    /// Life of the species.
    #[serde(flatten)]
    pub life: LifeSettings,
    /// Factor on its colours, linear red, green and blue.
    #[schemars(inner(range(min = 0, max = 4)))]
    #[default([1.0; 3])]
    pub tint: [f32; 3],
    /// Radiance that it emits by itself, linear red, green and blue; brightest at its rim.
    // Scene files keep the original key.
    #[serde(rename = "glow")]
    #[schemars(inner(range(min = 0, max = 10)))]
    pub emissive: [f32; 3],
    /// Motions of the file: swim, idle, burst, turn_left, turn_right, feed.
    ///
    /// They take precedence over clips named in the file itself. `swim` (or `cruise`, `flap`, `pulse`, `crawl`) is the
    /// usual motion; without any of them it is a clip with such a word in its name, else an idle one, else the first.
    /// `idle` is shown when the animal rests or only its fins drive it, `burst` when it sprints, the middle of
    /// `turn_left` and `turn_right` in curves if it has wings (a tail swimmer bends instead), and `feed` now and then;
    /// the usual clip replaces a missing one. Strokes are as wide as `swimming` says.
    pub clips: BTreeMap<String, ClipSettings>,
    /// Shapes that it changes into, by name: morph targets of its file, or MS3D files of the same triangles.
    pub morphs: BTreeMap<String, MorphSettings>,
}

impl SpeciesSettings {
    /// Violations by values that do not go together.
    pub fn validate(&self) -> Vec<Violation> {
        let of_clips = self.clips.iter().flat_map(|(name, clip)| within(name, clip.validate()));
        self.life.validate().into_iter().chain(within("clips", of_clips)).collect()
    }

    /// The shapes that fit its model. A builtin shape, as its card may name it, is left out for a model that is not
    /// builtin: their triangles differ.
    pub fn fitting_morphs(&self) -> impl Iterator<Item = (&str, &MorphSettings)> {
        let is_own = self.model.starts_with(BUILTIN);
        let fits = move |morph: &MorphSettings| is_own || !morph.model.starts_with(BUILTIN);
        self.morphs.iter().filter(move |(_, morph)| fits(morph)).map(|(name, morph)| (name.as_str(), morph))
    }

    /// The shape that it takes by itself, if any, and the cause: the first by name that has `when`.
    pub fn driven_morph(&self) -> Option<(&str, Drive)> {
        self.fitting_morphs().find_map(|(name, morph)| Some((name, morph.when?)))
    }

    /// Its life settings, completed by its name and the cause of its change of shape.
    pub fn life(&self) -> LifeSettings {
        let drive = self.driven_morph().map(|(_, drive)| drive);
        LifeSettings { name: self.name.clone(), drive, ..self.life.clone() }
    }
}

/// A shape that an animal changes into.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MorphSettings {
    /// MS3D file of the same triangles in this shape; left out, the morph target of that name in its file.
    ///
    /// The path is relative to this file; `builtin:NAME` for the project's own.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// Cause of the change of shape; left out, only clips change it.
    ///
    /// Only one shape may have a cause: of several the first by name counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Drive")]
    pub when: Option<Drive>,
}

/// Frames of a clip in the file: a sequence, some of its frames, or frames of the whole time line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ClipSettings {
    /// Name of the sequence in the file; left out, the whole time line, which only MS3D files have.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sequence: String,
    /// First frame, counted from 1 as in MilkShape; left out with a sequence, the whole sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f32", range(min = 0, max = 100_000), extend("x-unit" = "frames"))]
    pub from_frame: Option<f32>,
    /// Last frame, more than `from_frame`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f32", range(min = 0, max = 100_000), extend("x-unit" = "frames"))]
    pub to_frame: Option<f32>,
}

impl ClipSettings {
    /// Violation by frames that are incomplete: both are needed, and only a sequence can do without them.
    fn validate(&self) -> Option<Violation> {
        let missing = |key| Some(Violation::error(key, "is missing".into()));
        match (self.from_frame, self.to_frame) {
            (Some(from), Some(to)) if to <= from => {
                let message = format!("to_frame {to} must be more than from_frame {from}");
                Some(Violation::error("to_frame", message).with("from_frame"))
            }
            (Some(_), Some(_)) => None,
            (None, None) if !self.sequence.is_empty() => None,
            (None, _) => missing("from_frame"),
            (_, None) => missing("to_frame"),
        }
    }
}
