//! What a scene file may say about the seabed, props, particles and cameras; and the scene as a whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::life::SpeciesSettings;
use crate::ocean::{CurrentSettings, MoonSettings, SkySettings, SunSettings, WaterSettings, WavesSettings};

/// Everything a [`World`](super) is made from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneSettings {
    /// Short name, such as `reef`.
    pub name: String,
    /// The medium.
    pub water: WaterSettings,
    /// The surface.
    pub waves: WavesSettings,
    /// The sun.
    pub sun: SunSettings,
    /// The moon.
    pub moon: MoonSettings,
    /// The sky.
    pub sky: SkySettings,
    /// Lamps and glowing animals.
    pub lights: Vec<LightSettings>,
    /// The current.
    pub current: CurrentSettings,
    /// The ground.
    pub seabed: SeabedSettings,
    /// Factors on all plants.
    pub flora: FloraSettings,
    /// Animals.
    pub species: Vec<SpeciesSettings>,
    /// Rocks, corals, plants, wrecks.
    pub props: Vec<PropSettings>,
    /// Marine snow and bubbles.
    pub particles: ParticlesSettings,
    /// Emitters for measuring.
    pub cards: Vec<CardSettings>,
    /// Cameras.
    pub camera: CameraSettings,
}

/// `[[lights]]`: a lamp or a glowing animal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LightSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// What carries it: `world`, `camera`, or the name of a species, of which the nearest few shine.
    pub follow: LightCarrier,
    /// Where it is: in the world, or right, up and forward of what carries it. Unit: m. Range -500..=500 each.
    pub at_m: [f32; 3],
    /// What it points at, likewise. Unit: m. Range -500..=500 each.
    pub toward_m: [f32; 3],
    /// Full angle of its cone; 360 shines all round. Unit: degrees. Range 1..=360.
    pub cone_deg: f32,
    /// Colour, linear RGB. Range 0..=1 each.
    pub colour: [f32; 3],
    /// Irradiance at one metre in clear air, where the sun's is 1. Range 0..=100.
    pub intensity: f32,
}

/// What carries a light.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LightCarrier {
    /// Nothing: it stays in its place in the world.
    #[default]
    World,
    /// The camera, as a diver's torch.
    Camera,
    /// The animals of the species of this name.
    #[serde(untagged)]
    Species(String),
}

impl Default for LightSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            follow: LightCarrier::World,
            at_m: [0.0, -5.0, 0.0],
            toward_m: [0.0, -10.0, 0.0],
            cone_deg: 360.0,
            colour: [1.0, 1.0, 1.0],
            intensity: 1.0,
        }
    }
}

/// `[[cards]]`: a flat emitter for measuring, which faces the eye of a named view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CardSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// The view of `camera.views` from which it stands where it says.
    pub view: String,
    /// Its middle as shares of the picture's width and height, from the top left. Range 0..=1 each.
    pub at: [f32; 2],
    /// Distance of its middle from the eye. Unit: m. Range 0.1..=200.
    pub distance_m: f32,
    /// Its width as a share of the picture's; it is square. Range 0.001..=1.
    pub width: f32,
    /// Radiance that it emits, linear RGB. Range 0..=100 each.
    pub radiance: [f32; 3],
}

impl Default for CardSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            view: String::new(),
            at: [0.5, 0.5],
            distance_m: 4.0,
            width: 0.06,
            radiance: [1.0, 1.0, 1.0],
        }
    }
}

/// `[seabed]`: the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SeabedSettings {
    /// Whether there is one; without it the water is bottomless.
    pub present: bool,
    /// Mean depth at the origin. Unit: m. Range 0.5..=1000.
    pub depth_m: f32,
    /// Height of the noise hills, trough to crest. Unit: m. Range 0..=50.
    pub relief_m: f32,
    /// Size of the noise hills. Unit: m. Range 1..=500.
    pub relief_size_m: f32,
    /// Slope of the whole. Unit: degrees. Range 0..=45.
    pub slope_deg: f32,
    /// Where it slopes down to, from +x toward +z. Unit: degrees. Range -360..=360.
    pub slope_direction_deg: f32,
    /// Height of the sand ripples. Unit: m. Range 0..=0.2.
    pub ripple_height_m: f32,
    /// Diffuse reflectance of the sand, linear RGB. Range 0..=1 each.
    pub colour: [f32; 3],
    /// Share of rubble among the sand. Range 0..=1.
    pub rubble: f32,
}

impl Default for SeabedSettings {
    fn default() -> Self {
        Self {
            present: true,
            depth_m: 8.0,
            relief_m: 2.0,
            relief_size_m: 18.0,
            slope_deg: 0.0,
            slope_direction_deg: 0.0,
            ripple_height_m: 0.03,
            colour: [0.46, 0.40, 0.30],
            rubble: 0.2,
        }
    }
}

/// `[flora]`: factors on every prop that sways.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FloraSettings {
    /// Factor on their counts. Range 0..=10.
    pub density: f32,
    /// Factor on how far they sway. Range 0..=4.
    pub sway: f32,
}

impl Default for FloraSettings {
    fn default() -> Self {
        Self { density: 1.0, sway: 1.0 }
    }
}

/// `[[props]]`: one kind of thing on the seabed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PropSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// Model file, relative to the scene file; `builtin:NAME` for one of the project's own.
    pub model: String,
    /// Greatest extent. Unit: m. Range 0.01..=100.
    pub size_m: f32,
    /// Spread of sizes, as a share of `size_m`. Range 0..=0.9.
    pub size_spread: f32,
    /// How many are scattered by rule, besides those in `at`. Range 0..=20000.
    pub count: u32,
    /// What they stand on: `any`, `sand` (flat, away from rocks) or `rock` (on and close to solid props).
    pub on: Substrate,
    /// How strongly they gather in patches. Range 0..=1.
    pub clustering: f32,
    /// Radius about the origin in which they are scattered. Unit: m. Range 1..=200.
    pub range_m: f32,
    /// Depth of the base below the ground, as a share of the size. Range 0..=0.9.
    pub sink: f32,
    /// How far the top sways in the surge: 0 rigid, 1 a plant. Range 0..=2.
    pub sway: f32,
    /// Whether animals keep out of it and corals may stand on it.
    pub solid: bool,
    /// Factor on its colours, linear RGB. Range 0..=4 each.
    pub tint: [f32; 3],
    /// How much brightness and hue differ from one to the next, as a share. Range 0..=1.
    pub tint_spread: f32,
    /// Headings of the scattered ones: least and greatest. Unit: degrees. Range -360..=360 each.
    pub yaw_deg: [f32; 2],
    /// Placed by hand: x, z (m), yaw (degrees) and size (m) each.
    pub at: Vec<[f32; 4]>,
}

/// What a prop stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Substrate {
    /// Anywhere on the seabed.
    #[default]
    Any,
    /// Flat ground away from solid props.
    Sand,
    /// On or right beside solid props.
    Rock,
}

impl Default for PropSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            model: String::new(),
            size_m: 0.5,
            size_spread: 0.3,
            count: 0,
            on: Substrate::Any,
            clustering: 0.5,
            range_m: 40.0,
            sink: 0.1,
            sway: 0.0,
            solid: false,
            tint: [1.0; 3],
            tint_spread: 0.12,
            yaw_deg: [0.0, 360.0],
            at: Vec::new(),
        }
    }
}

/// `[particles]`: marine snow and bubbles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParticlesSettings {
    /// Flakes of marine snow drawn. Range 0..=50000.
    pub snow_count: u32,
    /// Diameter of a flake. Unit: mm. Range 0.1..=20.
    pub snow_size_mm: f32,
    /// Places from which bubbles rise. Range 0..=200.
    pub bubble_sources: u32,
    /// Bubbles from one place. Unit: 1/s. Range 0..=200.
    pub bubble_rate_hz: f32,
    /// Diameter of a bubble at its source. Unit: mm. Range 0.3..=50.
    pub bubble_size_mm: f32,
    /// Share of the flakes that light up by themselves now and then. Range 0..=1.
    pub glow: f32,
}

impl Default for ParticlesSettings {
    fn default() -> Self {
        Self {
            snow_count: 600,
            snow_size_mm: 2.0,
            bubble_sources: 3,
            bubble_rate_hz: 6.0,
            bubble_size_mm: 6.0,
            glow: 0.0,
        }
    }
}

/// `[camera]`: the first view, named views and the benchmark's rail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CameraSettings {
    /// Vertical field of view. Unit: degrees. Range 10..=140.
    pub fov_deg: f32,
    /// Eye of the first view. Unit: m. Range -500..=500 each.
    pub eye_m: [f32; 3],
    /// What the first view looks at. Unit: m. Range -500..=500 each.
    pub target_m: [f32; 3],
    /// Other views, by name: `--camera NAME`.
    pub views: BTreeMap<String, ViewSettings>,
    /// The benchmark's path: eye and target of each waypoint, gone round smoothly. Empty: the first view stands still.
    pub rail: Vec<WaypointSettings>,
    /// Time once round the rail. Unit: s. Range 1..=600.
    pub rail_period_s: f32,
}

/// A point of the rail: an eye and what it looks at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaypointSettings {
    /// Eye. Unit: m. Range -500..=500 each.
    pub eye_m: [f32; 3],
    /// Target. Unit: m. Range -500..=500 each.
    pub target_m: [f32; 3],
}

/// A named view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewSettings {
    /// Eye. Unit: m. Range -500..=500 each.
    pub eye_m: [f32; 3],
    /// Target. Unit: m. Range -500..=500 each.
    pub target_m: [f32; 3],
    /// Vertical field of view; 0 for the scene's. Unit: degrees. Range 0..=140.
    #[serde(default)]
    pub fov_deg: f32,
}

impl Default for CameraSettings {
    fn default() -> Self {
        Self {
            fov_deg: 60.0,
            eye_m: [0.0, -5.0, 12.0],
            target_m: [0.0, -5.0, 0.0],
            views: BTreeMap::new(),
            rail: Vec::new(),
            rail_period_s: 40.0,
        }
    }
}
