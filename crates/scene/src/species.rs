//! `[[species]]`: how a kind of animal looks, and how it lives.

use std::collections::BTreeMap;

use life::{Drive, LifeSettings};
use model::Forward;
use model::files::BUILTIN;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;
use validate::{Violation, within};

/// `[[species]]`: one kind of animal and how many of it.
// Unknown keys are found by the schema: serde cannot refuse them beside what is flattened.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("required" = ["name", "model"]))]
pub struct SpeciesSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// MS3D, glTF or MDL file, relative to this one; `builtin:NAME` for the project's own.
    pub model: String,
    /// Card it has its habits from: a card of the project, a file, or none; left out, the card of its model.
    ///
    /// The card says what this entry does not: every key but `name`, `model`, `count`, `home_m`, `path_m`,
    /// `path_spread_m` and `tint`. A file is named by a path relative to this one that ends in `.toml`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub card: String,
    /// Skin that it wears, of a file that has several: an MDL file's skin families.
    #[schemars(range(min = 0, max = 255))]
    pub skin: u32,
    /// Body that it has, of a file that has several: the choice of an MDL file's body parts.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub body: u32,
    /// Which way the file's creature looks, once the front that glTF and MDL have is -z.
    #[default(Forward::NegZ)]
    pub forward: Forward,
    /// How it lives.
    #[serde(flatten)]
    pub life: LifeSettings,
    /// Factor on its colours, linear red, green and blue.
    #[schemars(inner(range(min = 0, max = 4)))]
    #[default([1.0; 3])]
    pub tint: [f32; 3],
    /// Radiance that it emits by itself, linear red, green and blue; brightest at its rim.
    // Scene files keep the key by which it was first known.
    #[serde(rename = "glow")]
    #[schemars(inner(range(min = 0, max = 10)))]
    pub emissive: [f32; 3],
    /// Motions of the file: swim, idle, burst, turn_left, turn_right, feed.
    ///
    /// They come before those that the file itself names. `swim` (or `cruise`, `flap`, `pulse`, `crawl`) is how it
    /// usually moves; without any the first clip is. It shows `idle` where it rests or its fins alone drive it, `burst` where
    /// it sprints, the middle of `turn_left` and `turn_right` in curves if it has wings (what swims with its tail bends), and
    /// `feed` now and then; what has no clip of its own is shown by the usual one. Strokes are shown as wide as `swimming`
    /// has them.
    pub clips: BTreeMap<String, ClipSettings>,
    /// Shapes that it goes over into, by name: morph targets of its file, or MS3D files of the same triangles.
    pub morphs: BTreeMap<String, MorphSettings>,
}

impl SpeciesSettings {
    /// Values that do not go together.
    pub fn validate(&self) -> Vec<Violation> {
        let of_clips = self.clips.iter().flat_map(|(name, clip)| within(name, clip.validate()));
        self.life.validate().into_iter().chain(within("clips", of_clips)).collect()
    }

    /// The shapes that it goes over into. One of the project's own that its card names is left out for a model that is not:
    /// its triangles are others.
    pub fn fitting_morphs(&self) -> impl Iterator<Item = (&str, &MorphSettings)> {
        let is_own = self.model.starts_with(BUILTIN);
        let fits = move |morph: &MorphSettings| is_own || !morph.model.starts_with(BUILTIN);
        self.morphs.iter().filter(move |(_, morph)| fits(morph)).map(|(name, morph)| (name.as_str(), morph))
    }

    /// The shape that it takes by itself, if any: the first by name that says when.
    pub fn driven_morph(&self) -> Option<(&str, Drive)> {
        self.fitting_morphs().find_map(|(name, morph)| Some((name, morph.when?)))
    }

    /// How it lives, under its name and with what makes it take another shape.
    pub fn life(&self) -> LifeSettings {
        let drive = self.driven_morph().map(|(_, drive)| drive);
        LifeSettings { name: self.name.clone(), drive, ..self.life.clone() }
    }
}

/// A shape that an animal goes over into.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MorphSettings {
    /// MS3D file of the same triangles in this shape; left out, the morph target of that name in its file.
    ///
    /// It is relative to this one; `builtin:NAME` for the project's own.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// What makes it take the shape; left out, only clips do.
    ///
    /// One of its shapes may have it: of several the first by name counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Drive")]
    pub when: Option<Drive>,
}

/// Where a clip is in the file: a sequence, some of its frames, or frames of the whole time line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ClipSettings {
    /// Sequence, as the file calls it; left out, the whole time line, which only MS3D files have.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sequence: String,
    /// First frame, counted from 1 as MilkShape shows it; left out with a sequence, all of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f32", range(min = 0, max = 100_000), extend("x-unit" = "frames"))]
    pub from_frame: Option<f32>,
    /// Last frame, more than `from_frame`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f32", range(min = 0, max = 100_000), extend("x-unit" = "frames"))]
    pub to_frame: Option<f32>,
}

impl ClipSettings {
    /// Values that do not go together: frames need each other, and only a sequence can do without.
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
