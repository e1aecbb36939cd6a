//! What a scene file may say about a species.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Forward;

/// `[[species]]`: one kind of animal and how many of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpeciesSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// Model file, relative to the scene file; `builtin:NAME` for one of the project's own.
    pub model: String,
    /// Length from nose to tail. Unit: m. Range 0.01..=30.
    pub length_m: f32,
    /// Spread of lengths, as a share of `length_m`. Range 0..=0.9.
    pub length_spread: f32,
    /// Which way the file's creature looks.
    pub forward: Forward,
    /// How many. Range 0..=100000. An entry with 0 removes the species it extends.
    pub count: u32,
    /// `school`, `reef`, `cruiser`, `drifter` or `still`.
    pub behaviour: Behaviour,
    /// Individuals in one school; the count is dealt out over as many schools as it takes. Range 1..=100000.
    pub school_size: u32,
    /// Distance that schooling and reef fish keep from their like. Unit: body lengths. Range 0.5..=5.
    pub spacing_bl: f32,
    /// Whether schooling and reef fish flee it, and it looks for them; for cruisers.
    pub hunts: bool,
    /// Cruising speed. Unit: body lengths a second. Range 0.01..=10.
    pub speed_bl_s: f32,
    /// Depth it keeps to: least and greatest. Unit: m. Range 0..=1000 each.
    pub depth_m: [f32; 2],
    /// Where it lives: x and z of the middle of its range. Unit: m. Range -500..=500 each.
    pub home_m: [f32; 2],
    /// Radius of its range. Unit: m. Range 1..=500.
    pub range_m: f32,
    /// Points of a closed way, x, y and z each, in place of `home_m` and `range_m`: cruisers and schools go round it evenly
    /// spaced, reef fish live and drifters begin along it, those that are still stay on it and look along it. One point
    /// is a place. `depth_m` holds as well. Unit: m. Range -500..=500 each.
    pub path_m: Vec<[f32; 3]>,
    /// How far to either side of the way individuals keep. Unit: m. Range 0..=100.
    pub path_spread_m: f32,
    /// Distance it covers in one cycle of the swim clip, which sets the clip's pace. Unit: body lengths. Range 0.05..=5.
    pub stride_bl: f32,
    /// Factor on its colours, linear RGB. Range 0..=4 each.
    pub tint: [f32; 3],
    /// Spread of colour from one individual to the next. Range 0..=1.
    pub colour_spread: f32,
    /// Radiance that it gives off by itself, linear RGB, brightest at its rim. Range 0..=10 each.
    pub glow: [f32; 3],
    /// Named ranges of the file's time line, before those that the file's own comment names. `swim` (or `cruise`, `flap`,
    /// `pulse`, `crawl`) is how it usually moves; without any the first clip is. It shows `idle` where it rests, `burst`
    /// where it sprints, the middle of `turn_left` and `turn_right` in curves, and `feed` now and then; what has no clip
    /// of its own is shown by the usual one.
    pub clips: BTreeMap<String, ClipRange>,
}

/// A clip as frames of the file's time line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipRange {
    /// First frame, counted from 1 as MilkShape shows it. Range 0..=100000.
    pub from_frame: f32,
    /// Last frame. Range 0..=100000, more than `from_frame`.
    pub to_frame: f32,
}

/// How an animal moves about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Behaviour {
    /// Keeps to a school: separation, alignment, cohesion.
    #[default]
    School,
    /// Stays about a home on the reef, loosely with others, turning often.
    Reef,
    /// Swims long slow curves through the whole range, alone.
    Cruiser,
    /// Goes with the current and pulses: jellyfish.
    Drifter,
    /// Stays where it is and only plays its clip.
    Still,
}

impl Behaviour {
    /// Whether it goes where its nose points.
    pub(super) fn has_nose(self) -> bool {
        matches!(self, Self::School | Self::Reef | Self::Cruiser)
    }
}

impl Default for SpeciesSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            model: String::new(),
            length_m: 0.2,
            length_spread: 0.15,
            forward: Forward::NegZ,
            count: 1,
            behaviour: Behaviour::School,
            school_size: 200,
            spacing_bl: 1.0,
            hunts: false,
            speed_bl_s: 1.5,
            depth_m: [1.0, 50.0],
            home_m: [0.0, 0.0],
            range_m: 25.0,
            path_m: Vec::new(),
            path_spread_m: 0.5,
            stride_bl: 0.65,
            tint: [1.0; 3],
            colour_spread: 0.15,
            glow: [0.0; 3],
            clips: BTreeMap::new(),
        }
    }
}
