//! Settings of a scene file for the seabed, props, particles and cameras; and of the scene as a whole.

use std::collections::BTreeMap;

use life::LifeSettings;
use ocean::{
    CurrentSettings, EnvironmentSettings, MoonSettings, SkySettings, SunSettings, WaterSettings, WavesSettings,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;
use validate::{Violation, within};
use view::Eyes;

use crate::{CoverSettings, SpeciesSettings};

/// Everything a [`World`](super) is made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SceneSettings {
    /// Short name of the scene; the file's own name without it.
    pub name: String,
    /// The medium.
    pub water: WaterSettings,
    /// The surface.
    pub waves: WavesSettings,
    /// Position and brightness of the sun.
    pub sun: SunSettings,
    /// The light of the night, once the sun is 6 degrees below the horizon.
    pub moon: MoonSettings,
    /// The diffuse light above.
    pub sky: SkySettings,
    /// A lamp or a luminous animal; the four nearest the camera are drawn.
    pub lights: Vec<LightSettings>,
    /// The mean drift of the water.
    pub current: CurrentSettings,
    /// The ground.
    pub seabed: SeabedSettings,
    /// Factors on every prop that sways.
    pub flora: FloraSettings,
    /// One kind of animal and how many of it.
    pub species: Vec<SpeciesSettings>,
    /// One kind of thing on the seabed.
    pub props: Vec<PropSettings>,
    /// One kind of small colony on rock.
    pub cover: Vec<CoverSettings>,
    /// Marine snow and bubbles.
    pub particles: ParticlesSettings,
    /// A test patch: a flat emitter for measuring, facing the eye of a view.
    // Scene files keep the original key.
    #[serde(rename = "cards")]
    pub test_patches: Vec<TestPatchSettings>,
    /// The first view, other views by name, and the benchmark's rail.
    pub camera: CameraSettings,
}

impl SceneSettings {
    /// Violations by values that are valid alone but do not go together.
    pub fn validate(&self) -> Vec<Violation> {
        let species = self.species.iter().flat_map(|species| {
            let buried = self.seabed.burial(species.life.depth_m[0]);
            within(&species.name, species.validate().into_iter().chain(buried))
        });
        within("water", self.water.validate())
            .chain(within("waves", self.waves.validate()))
            .chain(within("species", species))
            .chain(within("camera", self.camera.validate()))
            .collect()
    }

    /// Life settings of the species, in their order.
    pub fn lives(&self) -> Vec<LifeSettings> {
        self.species.iter().map(SpeciesSettings::life).collect()
    }

    /// Settings of water, waves and light, and of the ground that they meet.
    pub fn environment(&self) -> EnvironmentSettings {
        EnvironmentSettings {
            water: self.water,
            waves: self.waves,
            sun: self.sun.clone(),
            moon: self.moon.clone(),
            sky: self.sky.clone(),
            seabed_depth_m: if self.seabed.present { self.seabed.depth_m } else { f32::INFINITY },
        }
    }
}

/// `[[lights]]`: a lamp or a luminous animal.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["name"]))]
pub struct LightSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// Carrier: `world`, `camera`, or a species by name (the nearest few).
    pub follow: LightCarrier,
    /// Place of the species' model that it sits on, by name: a joint, node or attachment; left out, its origin.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Position in the world, or right, up and forward of the carrier.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    #[default([0.0, -5.0, 0.0])]
    pub at_m: [f32; 3],
    /// Point that it shines at, in the same axes.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    #[default([0.0, -10.0, 0.0])]
    pub toward_m: [f32; 3],
    /// Full angle of its cone; 360 shines all round.
    #[schemars(range(min = 1, max = 360), extend("x-unit" = "degrees"))]
    #[default = 360.0]
    pub cone_deg: f32,
    /// Colour, linear red, green and blue.
    #[schemars(inner(range(min = 0, max = 1)))]
    #[default([1.0, 1.0, 1.0])]
    pub colour: [f32; 3],
    /// Irradiance at one metre in clear air; the sun's is 1.
    #[schemars(range(min = 0, max = 100))]
    #[default = 1.0]
    pub intensity: f32,
    /// Gain of its beam in the water, or of its halo; 0 hides it. A cone that shines at the eye keeps its glow.
    #[schemars(range(min = 0, max = 100))]
    #[default = 1.0]
    pub beam: f32,
    /// Casts the shadows in place of sun and moon; only the nearest cone of at most 140 degrees does.
    pub shadows: bool,
}

/// Widest cone of which shadows can be drawn: a map is flat. Unit: degrees.
const MAX_SHADOW_CONE_DEG: f32 = 140.0;

impl LightSettings {
    /// Whether it can cast the shadows.
    pub fn casts_shadows(&self) -> bool {
        self.shadows && self.cone_deg <= MAX_SHADOW_CONE_DEG
    }
}

/// Carrier of a light.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LightCarrier {
    /// The world: the light stays in its place.
    #[default]
    World,
    /// The camera, as a diver's torch.
    Camera,
    /// The animals of the species of this name.
    #[serde(untagged)]
    Species(String),
}

/// `[[cards]]`: a flat emitter for measuring, which faces the eye of a named view.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["name", "view"]))]
pub struct TestPatchSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// View of `camera.views` in which the patch has its position.
    pub view: String,
    /// Its middle as shares of the picture's width and height, from the top left.
    #[schemars(inner(range(min = 0, max = 1)))]
    #[default([0.5, 0.5])]
    pub at: [f32; 2],
    /// Distance of its middle from the eye.
    #[schemars(range(min = 0.1, max = 200), extend("x-unit" = "m"))]
    #[default = 4.0]
    pub distance_m: f32,
    /// Its width as a share of the picture's; it is square.
    #[schemars(range(min = 0.001, max = 1))]
    #[default = 0.06]
    pub width: f32,
    /// Radiance that it emits, linear red, green and blue.
    #[schemars(inner(range(min = 0, max = 100)))]
    #[default([1.0, 1.0, 1.0])]
    pub radiance: [f32; 3],
}

/// `[seabed]`: the ground.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SeabedSettings {
    /// Whether there is a ground; without it the water is bottomless.
    #[default = true]
    pub present: bool,
    /// Mean depth at the origin.
    #[schemars(range(min = 0.5, max = 1000), extend("x-unit" = "m"))]
    #[default = 8.0]
    pub depth_m: f32,
    /// Depth for which the scene's positions are chosen; 0: `depth_m`.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "m"))]
    pub laid_out_for_m: f32,
    /// Height of the hills, trough to crest.
    #[schemars(range(min = 0, max = 50), extend("x-unit" = "m"))]
    #[default = 2.0]
    pub relief_m: f32,
    /// Size of the hills.
    #[schemars(range(min = 1, max = 500), extend("x-unit" = "m"))]
    #[default = 18.0]
    pub relief_size_m: f32,
    /// Slope of the whole ground.
    #[schemars(range(min = 0, max = 45), extend("x-unit" = "degrees"))]
    pub slope_deg: f32,
    /// Downhill direction, from +x toward +z.
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "degrees"))]
    pub slope_direction_deg: f32,
    /// Height of the sand ripples.
    #[schemars(range(min = 0, max = 0.2), extend("x-unit" = "m"))]
    #[default = 0.03]
    pub ripple_height_m: f32,
    /// Share of the ground that animals have dug over as they do in mud: mounds, burrows, trails.
    #[schemars(range(min = 0, max = 1))]
    pub burrows: f32,
    /// Diffuse reflectance of the sand, linear red, green and blue.
    #[schemars(inner(range(min = 0, max = 1)))]
    #[default([0.46, 0.40, 0.30])]
    pub colour: [f32; 3],
    /// Share of rubble among the sand.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.2]
    pub rubble: f32,
}

impl SeabedSettings {
    /// Violation by animals that keep below a depth at which there is only ground. A sloping ground reaches any depth
    /// somewhere.
    fn burial(&self, depth_m: f32) -> Option<Violation> {
        let lowest_m = self.depth_m + self.relief_m;
        let is_below = self.present && self.slope_deg == 0.0 && depth_m > lowest_m;
        let message = || format!("keeps below {depth_m} m, but the ground is at {lowest_m} m");
        is_below.then(|| Violation::warning("depth_m", message()))
    }
}

/// `[flora]`: factors on every prop that sways.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FloraSettings {
    /// Factor on the counts of every prop that sways.
    #[schemars(range(min = 0, max = 10))]
    #[default = 1.0]
    pub density: f32,
    /// Factor on the amplitude of their swaying.
    #[schemars(range(min = 0, max = 4))]
    #[default = 1.0]
    pub sway: f32,
}

/// `[[props]]`: one kind of thing on the seabed.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["name", "model"]))]
pub struct PropSettings {
    /// Name, unique in the scene.
    pub name: String,
    /// MS3D, glTF or MDL file, relative to this one; `builtin:NAME` for the project's own.
    pub model: String,
    /// Index of its skin, for a file with several: an MDL file's skin families.
    #[schemars(range(min = 0, max = 255))]
    pub skin: u32,
    /// Index of its body, for a file with several: the choice of an MDL file's body parts.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub body: u32,
    /// Greatest extent.
    #[schemars(range(min = 0.01, max = 100), extend("x-unit" = "m"))]
    #[default = 0.5]
    pub size_m: f32,
    /// Spread of sizes, as a share of `size_m`.
    #[schemars(range(min = 0, max = 0.9))]
    #[default = 0.3]
    pub size_spread: f32,
    /// Number scattered by rule, besides those in `at`.
    #[schemars(range(min = 0, max = 20_000))]
    pub count: u32,
    /// Ground that they stand on: sand is flat and open, rock is on or beside solids.
    pub on: Substrate,
    /// Strength with which they gather in patches.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.5]
    pub clustering: f32,
    /// Radius about the origin in which they are scattered.
    #[schemars(range(min = 1, max = 200), extend("x-unit" = "m"))]
    #[default = 40.0]
    pub range_m: f32,
    /// Depth of the base below the ground, as a share of the size.
    #[schemars(range(min = 0, max = 0.9))]
    #[default = 0.1]
    pub sink: f32,
    /// Amplitude with which the top sways in the surge: 0 rigid, 1 a plant.
    #[schemars(range(min = 0, max = 2))]
    pub sway: f32,
    /// Whether animals keep out of it; unless it stands on sand, corals may stand on it.
    pub solid: bool,
    /// Factor on its colours, linear red, green and blue.
    #[schemars(inner(range(min = 0, max = 4)))]
    #[default([1.0; 3])]
    pub tint: [f32; 3],
    /// Spread of brightness and hue from one to the next, as a share.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.12]
    pub tint_spread: f32,
    /// Kind of bubbles that rise from it.
    pub breath: Breath,
    /// Headings of the scattered ones: least and greatest.
    #[schemars(inner(range(min = -360, max = 360)), extend("x-unit" = "degrees"))]
    #[default([0.0, 360.0])]
    pub yaw_deg: [f32; 2],
    /// Placed by hand: x and z (m), yaw (degrees) and size (m) each.
    #[schemars(schema_with = "placements")]
    pub at: Vec<[f32; 4]>,
    /// Hung in the water: x, y and z of the foot (m), yaw (degrees) and size (m) each.
    #[schemars(schema_with = "hung_placements")]
    pub hung: Vec<[f32; 5]>,
}

impl PropSettings {
    /// Whether it is rock, on which corals may stand: a solid prop that, unlike a clam, does not lie on sand.
    pub fn is_rock(&self) -> bool {
        self.solid && self.on != Substrate::Sand
    }
}

/// Ranges of a coordinate (m), a yaw (degrees) and a size (m) of a thing that is placed by hand.
const COORDINATE: [f64; 2] = [-500.0, 500.0];
const YAW: [f64; 2] = [-360.0, 360.0];
const SIZE: [f64; 2] = [0.01, 100.0];

/// The schema of [`PropSettings::at`], whose four numbers have ranges of their own.
fn placements(_: &mut SchemaGenerator) -> Schema {
    lists_of([COORDINATE, COORDINATE, YAW, SIZE])
}

/// The schema of [`PropSettings::hung`], whose five numbers have ranges of their own.
fn hung_placements(_: &mut SchemaGenerator) -> Schema {
    lists_of([COORDINATE, COORDINATE, COORDINATE, YAW, SIZE])
}

/// Schema of any number of lists of numbers in these ranges.
fn lists_of<const N: usize>(ranges: [[f64; 2]; N]) -> Schema {
    let numbers = ranges.map(|[min, max]| json_schema!({ "type": "number", "minimum": min, "maximum": max }));
    json_schema!({
        "type": "array",
        "items": { "type": "array", "prefixItems": numbers.to_vec(), "minItems": N, "maxItems": N },
    })
}

/// Ground that a prop stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// Kind of bubbles that rise from a prop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Breath {
    /// None.
    #[default]
    None,
    /// Strings of air from its top, as from a vent, of `particles.bubble_rate_hz` and `bubble_size_mm`.
    Air,
    /// Pearls of oxygen, as from a plant in the light of a high sun, of `particles.pearl_rate_hz` and `pearl_size_mm`.
    Oxygen,
}

/// `[particles]`: marine snow, bubbles, sand and sparks.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ParticlesSettings {
    /// Flakes of marine snow.
    #[schemars(range(min = 0, max = 50_000))]
    #[default = 600]
    pub snow_count: u32,
    /// Diameter of a flake.
    #[schemars(range(min = 0.1, max = 20), extend("x-unit" = "mm"))]
    #[default = 2.0]
    pub snow_size_mm: f32,
    /// Places of the bare ground from which bubbles rise, besides props that breathe air.
    #[schemars(range(min = 0, max = 200))]
    #[default = 3]
    pub bubble_sources: u32,
    /// Bubbles from one place.
    #[schemars(range(min = 0, max = 200), extend("x-unit" = "per second"))]
    #[default = 6.0]
    pub bubble_rate_hz: f32,
    /// Diameter of a bubble at its source.
    #[schemars(range(min = 0.3, max = 50), extend("x-unit" = "mm"))]
    #[default = 6.0]
    pub bubble_size_mm: f32,
    /// Bubbles of oxygen from one plant under a high sun.
    #[schemars(range(min = 0, max = 20), extend("x-unit" = "per second"))]
    #[default = 0.25]
    pub pearl_rate_hz: f32,
    /// Diameter of such a bubble.
    #[schemars(range(min = 0.3, max = 10), extend("x-unit" = "mm"))]
    #[default = 2.0]
    pub pearl_size_mm: f32,
    /// Factor on the sand that animals stir up.
    #[schemars(range(min = 0, max = 4))]
    #[default = 1.0]
    pub sand_clouds: f32,
    /// Share of the plankton that flashes where animals or the camera stir the water; seen in the dark.
    // Scene files keep the original key.
    #[serde(rename = "glow")]
    #[schemars(range(min = 0, max = 1))]
    pub emissive_share: f32,
}

/// `[camera]`: the first view, named views and the benchmark's rail.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CameraSettings {
    /// Vertical field of view.
    #[schemars(range(min = 10, max = 140), extend("x-unit" = "degrees"))]
    #[default = 60.0]
    pub fov_deg: f32,
    /// Eye of the first view: x, y and z; depth is -y.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    #[default([0.0, -5.0, 12.0])]
    pub eye_m: [f32; 3],
    /// Target of the first view.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    #[default([0.0, -5.0, 0.0])]
    pub target_m: [f32; 3],
    /// Standing place of a person with a headset; left out, the head begins where the eye is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "StandingSettings")]
    pub standing: Option<StandingSettings>,
    /// Another view: `--camera NAME`.
    pub views: BTreeMap<String, ViewSettings>,
    /// A waypoint of the benchmark's path, gone round smoothly; without any the first view stands still.
    pub rail: Vec<WaypointSettings>,
    /// Time once round the rail.
    #[schemars(range(min = 1, max = 600), extend("x-unit" = "s"))]
    #[default = 40.0]
    pub rail_period_s: f32,
    /// The two eyes of a stereo picture: `--stereo`.
    pub stereo: StereoSettings,
}

impl CameraSettings {
    /// Violations by views whose eye and target coincide, and by a standing place right above or below its target.
    fn validate(&self) -> Vec<Violation> {
        let same = |eye: [f32; 3], target: [f32; 3]| {
            let message = || "is where the eye is, which gives no direction to look in".into();
            (eye == target).then(|| Violation::error("target_m", message()).with("eye_m"))
        };
        let views = self.views.iter().flat_map(|(name, view)| within(name, same(view.eye_m, view.target_m)));
        let rail = self.rail.iter().enumerate();
        let rail = rail.flat_map(|(i, at)| within(&i.to_string(), same(at.eye_m, at.target_m)).collect::<Vec<_>>());
        let first = same(self.eye_m, self.target_m);
        let standing = within("standing", self.standing.as_ref().and_then(StandingSettings::validate));
        first.into_iter().chain(standing).chain(within("views", views)).chain(within("rail", rail)).collect()
    }
}

/// `[camera.standing]`: the standing place of a person with a headset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StandingSettings {
    /// Place of the feet: x, y and z; on the ground where that is higher.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    pub at_m: [f32; 3],
    /// Point that is ahead at first; its height does not matter.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    pub target_m: [f32; 3],
}

impl StandingSettings {
    /// Violation by a target without a bearing.
    fn validate(&self) -> Option<Violation> {
        let [x, _, z] = self.at_m;
        let message = || "is above or below the feet, which gives no direction to face".into();
        let is_ahead = [self.target_m[0], self.target_m[2]] != [x, z];
        (!is_ahead).then(|| Violation::error("target_m", message()).with("at_m"))
    }
}

/// `[camera.stereo]`: the two eyes of a stereo picture.
#[derive(Clone, Copy, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StereoSettings {
    /// Distance between the eyes; a person's is 0.064. More makes the sea look smaller and nearer.
    #[schemars(range(min = 0, max = 2), extend("x-unit" = "m"))]
    #[default = 0.064]
    pub interocular_m: f32,
    /// Distance that appears at the screen: nearer things come out of it, farther ones lie behind.
    #[schemars(range(min = 0.2, max = 1000), extend("x-unit" = "m"))]
    #[default = 3.0]
    pub convergence_m: f32,
}

impl StereoSettings {
    /// The distances as the renderer takes them.
    pub fn eyes(self) -> Eyes {
        let Self { interocular_m, convergence_m } = self;
        Eyes { interocular_m, convergence_m }
    }
}

/// A point of the rail: an eye and its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaypointSettings {
    /// Eye at the waypoint.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    pub eye_m: [f32; 3],
    /// Target at the waypoint.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    pub target_m: [f32; 3],
}

/// A named view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewSettings {
    /// Eye of the view.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    pub eye_m: [f32; 3],
    /// Target of the view.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    pub target_m: [f32; 3],
    /// Its own vertical field of view; 0 for that of the scene.
    #[serde(default)]
    #[schemars(range(min = 0, max = 140), extend("x-unit" = "degrees"))]
    pub fov_deg: f32,
}
