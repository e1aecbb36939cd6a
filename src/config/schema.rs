//! Every key a scene file may hold: path, kind, range, unit, meaning. The checks, the suggestions and
//! `pelagic scene dump-default` all read this one table; a test ties it to the settings structs in both directions.
//!
//! In paths `[]` stands for an entry of a list of tables (`[[species]]`) and `*` for a name of the user's own
//! (`[camera.views.NAME]`).

use std::fmt;

/// Numbers from `min` to `max`, both allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
}

impl Range {
    /// Whether `value` is inside; NaN is not.
    pub fn contains(self, value: f64) -> bool {
        (self.min..=self.max).contains(&value)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.min, self.max)
    }
}

/// What a key's value must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A string that is not empty.
    Text,
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// A finite number; whole numbers need no point.
    Float(Range),
    /// A whole number.
    Int(Range),
    /// As many numbers as there are ranges.
    Vector(&'static [Range]),
    /// Any number of vectors.
    Vectors(&'static [Range]),
}

/// One key of the scene file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Where it stands, such as `water.type` or `species[].depth_m`.
    pub path: &'static str,
    /// What its value must be.
    pub kind: Kind,
    /// Unit of its numbers; empty for pure numbers and for what is no number.
    pub unit: &'static str,
    /// What it means, in a line.
    pub doc: &'static str,
    /// Whether the table it stands in makes no sense without it.
    pub required: bool,
}

/// A table of the scene file and what it is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableDoc {
    /// Path, as in [`Key::path`].
    pub path: &'static str,
    /// What it is about, in a line.
    pub doc: &'static str,
}

/// What the schema has at a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A value.
    Value(&'static Key),
    /// A table with keys of its own.
    Table,
    /// A list of tables.
    List,
    /// A table of tables under names of the user's own.
    Map,
}

/// Entries in one list of tables, names in one map and vectors in one list of vectors, at most.
pub const LIST_LIMIT: usize = 1000;

/// The project's own models are named with this before their name instead of a path.
pub const BUILTIN_PREFIX: &str = "builtin:";

const fn range(min: f64, max: f64) -> Range {
    Range { min, max }
}

const WATER_TYPES: &[&str] = &["I", "IA", "IB", "II", "III", "1C", "3C", "5C", "7C", "9C", "own"];
const AXES: &[&str] = &["+x", "-x", "+y", "-y", "+z", "-z"];
const BEHAVIOURS: &[&str] = &["school", "reef", "cruiser", "drifter", "still"];
const GROUNDS: &[&str] = &["any", "sand", "rock"];
const QUALITIES: &[&str] = &["auto", "low", "medium", "high", "ultra"];
const UNIT: Kind = Kind::Float(range(0.0, 1.0));
const TO_4: Kind = Kind::Float(range(0.0, 4.0));
const BEARING: Kind = Kind::Float(range(-360.0, 360.0));
const HEADINGS: Kind = Kind::Vector(&[range(-360.0, 360.0), range(-360.0, 360.0)]);
const COUNT: Kind = Kind::Int(range(0.0, 100_000.0));
const FRAME: Kind = Kind::Float(range(0.0, 100_000.0));
const PLACE: Range = range(-500.0, 500.0);
const POINT: Kind = Kind::Vector(&[PLACE, PLACE, PLACE]);
const COLOUR: Kind = Kind::Vector(&[range(0.0, 1.0), range(0.0, 1.0), range(0.0, 1.0)]);
const DEPTHS: Kind = Kind::Vector(&[range(0.0, 1000.0), range(0.0, 1000.0)]);
const ABSORPTION: Kind = Kind::Vector(&[range(0.001, 20.0), range(0.001, 20.0), range(0.001, 20.0)]);
const SCATTERING: Kind = Kind::Vector(&[range(0.0, 20.0), range(0.0, 20.0), range(0.0, 20.0)]);
const RADIANCE: Kind = Kind::Vector(&[range(0.0, 10.0), range(0.0, 10.0), range(0.0, 10.0)]);
const TINT: Kind = Kind::Vector(&[range(0.0, 4.0), range(0.0, 4.0), range(0.0, 4.0)]);
const WAY: Kind = Kind::Vectors(&[PLACE, PLACE, PLACE]);
const STANDS: Kind = Kind::Vectors(&[PLACE, PLACE, range(-360.0, 360.0), range(0.01, 100.0)]);

const fn float(path: &'static str, min: f64, max: f64, unit: &'static str, doc: &'static str) -> Key {
    key(path, Kind::Float(range(min, max)), unit, doc)
}

const fn key(path: &'static str, kind: Kind, unit: &'static str, doc: &'static str) -> Key {
    Key { path, kind, unit, doc, required: false }
}

const fn required(path: &'static str, kind: Kind, unit: &'static str, doc: &'static str) -> Key {
    Key { path, kind, unit, doc, required: true }
}

/// Every key, in the order in which a scene file is written.
pub const KEYS: &[Key] = &[
    key("name", Kind::Text, "", "Short name of the scene; the file's own name without it."),
    key("extends", Kind::Text, "", "Scene to start from: a built-in one by name, or a file relative to this one."),
    key(
        "water.type",
        Kind::Choice(WATER_TYPES),
        "",
        "Jerlov water type: I to III ocean, 1C to 9C coast; own for what follows.",
    ),
    float("water.inscatter", 0.0, 4.0, "", "Factor on in-scattered light; 0 leaves attenuation alone."),
    float("water.turbidity", 0.0, 10.0, "", "Factor on attenuation and scattering: more or less of the same water."),
    float(
        "water.particles",
        0.0,
        4.0,
        "",
        "Factor on scattering alone: less where what drifts in the water has settled.",
    ),
    float("water.asymmetry", -0.99, 0.99, "", "Asymmetry g of the particles' phase function."),
    key("water.absorption", ABSORPTION, "1/m", "Absorption of own water, linear red, green and blue."),
    key("water.scattering", SCATTERING, "1/m", "Scattering of own water, linear red, green and blue."),
    float("waves.wind_m_s", 0.0, 30.0, "m/s", "Wind speed at 10 m; 0 is a flat sea."),
    key("waves.direction_deg", BEARING, "degrees", "Where the wind blows to, from +x toward +z."),
    float("waves.fetch_km", 0.0, 2000.0, "km", "Length of open water upwind; more than 0 where there is wind."),
    float("waves.swell_height_m", 0.0, 10.0, "m", "Significant height of the swell."),
    float("waves.swell_period_s", 3.0, 20.0, "s", "Peak period of the swell."),
    float("waves.choppiness", 0.0, 1.5, "", "Horizontal displacement over Gerstner's."),
    float("sun.elevation_deg", -90.0, 90.0, "degrees", "Height of the sun above the horizon."),
    key("sun.azimuth_deg", BEARING, "degrees", "Direction toward the sun, from +x toward +z."),
    key("sun.brightness", TO_4, "", "Factor on the clear-sky irradiance."),
    key("sun.disc", Kind::Bool, "", "Whether the disc is seen; the beam is there in any case."),
    key("sun.by_clock", Kind::Bool, "", "Whether the sun stands where latitude, day and time put it."),
    float("sun.latitude_deg", -90.0, 90.0, "degrees", "Latitude, for by_clock; +x is east and -z north."),
    key("sun.day", Kind::Int(range(1.0, 366.0)), "", "Day of the year, for by_clock."),
    float("sun.time_h", 0.0, 24.0, "h", "True solar time, for by_clock: 12 when the sun is highest."),
    float("moon.elevation_deg", -90.0, 90.0, "degrees", "Height of the moon above the horizon."),
    key("moon.azimuth_deg", BEARING, "degrees", "Direction toward the moon, from +x toward +z."),
    key("moon.phase", UNIT, "", "Illuminated share of its disc: 0 new, 1 full."),
    key("moon.brightness", TO_4, "", "Factor on its light, as an eye used to the dark sees it."),
    key("sky.brightness", TO_4, "", "Factor on the sky's radiance."),
    key("sky.cloud_cover", UNIT, "", "Share of the sky that is grey cloud; dims the sun too."),
    key("sky.clouds", UNIT, "", "Share of the sky that white clouds cover, each for itself; they dim nothing."),
    float(
        "sky.uniform_radiance",
        0.0,
        100.0,
        "",
        "A sky of this radiance everywhere, for measuring; 0 for a real one.",
    ),
    required("lights[].name", Kind::Text, "", "Name, unique in the scene."),
    key("lights[].follow", Kind::Text, "", "What carries it: world, camera, or a species by name (the nearest few)."),
    key("lights[].at_m", POINT, "m", "Where: in the world, or right, up and forward of what carries it."),
    key("lights[].toward_m", POINT, "m", "What it points at, likewise."),
    float("lights[].cone_deg", 1.0, 360.0, "degrees", "Full angle of its cone; 360 shines all round."),
    key("lights[].colour", COLOUR, "", "Colour, linear red, green and blue."),
    float("lights[].intensity", 0.0, 100.0, "", "Irradiance at one metre in clear air; the sun's is 1."),
    float("current.speed_m_s", 0.0, 3.0, "m/s", "Speed of the mean drift."),
    key("current.direction_deg", BEARING, "degrees", "Where the water drifts to, from +x toward +z."),
    key("current.surge", TO_4, "", "Factor on the to-and-fro of the waves near the ground."),
    key("current.eddies", TO_4, "", "Speed of the eddies as a share of the mean drift."),
    float("current.eddy_size_m", 0.5, 200.0, "m", "Size of the eddies."),
    key("seabed.present", Kind::Bool, "", "Whether there is a ground; without it the water is bottomless."),
    float("seabed.depth_m", 0.5, 1000.0, "m", "Mean depth at the origin."),
    float("seabed.relief_m", 0.0, 50.0, "m", "Height of the hills, trough to crest."),
    float("seabed.relief_size_m", 1.0, 500.0, "m", "Size of the hills."),
    float("seabed.slope_deg", 0.0, 45.0, "degrees", "Slope of the whole."),
    key("seabed.slope_direction_deg", BEARING, "degrees", "Where it slopes down to, from +x toward +z."),
    float("seabed.ripple_height_m", 0.0, 0.2, "m", "Height of the sand ripples."),
    key("seabed.colour", COLOUR, "", "Diffuse reflectance of the sand, linear red, green and blue."),
    key("seabed.rubble", UNIT, "", "Share of rubble among the sand."),
    float("flora.density", 0.0, 10.0, "", "Factor on the counts of every prop that sways."),
    key("flora.sway", TO_4, "", "Factor on how far they sway."),
    required("species[].name", Kind::Text, "", "Name, unique in the scene."),
    required("species[].model", Kind::Text, "", "MS3D file, relative to this one; builtin:NAME for the project's own."),
    float("species[].length_m", 0.01, 30.0, "m", "Length from nose to tail."),
    float("species[].length_spread", 0.0, 0.9, "", "Spread of lengths, as a share of length_m."),
    key("species[].forward", Kind::Choice(AXES), "", "Which way the file's creature looks."),
    key("species[].count", COUNT, "", "How many; 0 removes the species."),
    key("species[].behaviour", Kind::Choice(BEHAVIOURS), "", "How it moves about."),
    key(
        "species[].school_size",
        Kind::Int(range(1.0, 100_000.0)),
        "",
        "Individuals in one school; the count is dealt out over as many schools as it takes.",
    ),
    float(
        "species[].spacing_bl",
        0.5,
        5.0,
        "body lengths",
        "Distance that schooling and reef fish keep from their like.",
    ),
    key(
        "species[].hunts",
        Kind::Bool,
        "",
        "Whether schooling and reef fish flee it, and it looks for them; for cruisers.",
    ),
    float("species[].speed_bl_s", 0.01, 10.0, "body lengths/s", "Cruising speed."),
    key("species[].depth_m", DEPTHS, "m", "Depth it keeps to: least and greatest."),
    key("species[].home_m", Kind::Vector(&[PLACE, PLACE]), "m", "Middle of its range: x and z."),
    float("species[].range_m", 1.0, 500.0, "m", "Radius of its range."),
    key("species[].path_m", WAY, "m", "Closed way through these points (x, y, z) in place of home_m and range_m."),
    float("species[].path_spread_m", 0.0, 100.0, "m", "How far to either side of path_m individuals keep."),
    float("species[].stride_bl", 0.05, 5.0, "body lengths", "Distance in one cycle of the swim clip: sets its pace."),
    key("species[].tint", TINT, "", "Factor on its colours, linear red, green and blue."),
    key("species[].colour_spread", UNIT, "", "Spread of colour from one individual to the next."),
    key("species[].glow", RADIANCE, "", "Radiance that it gives off by itself, linear red, green and blue."),
    required("species[].clips.*.from_frame", FRAME, "frames", "First frame, counted from 1 as MilkShape shows it."),
    required("species[].clips.*.to_frame", FRAME, "frames", "Last frame, more than from_frame."),
    required("props[].name", Kind::Text, "", "Name, unique in the scene."),
    required("props[].model", Kind::Text, "", "MS3D file, relative to this one; builtin:NAME for the project's own."),
    float("props[].size_m", 0.01, 100.0, "m", "Greatest extent."),
    float("props[].size_spread", 0.0, 0.9, "", "Spread of sizes, as a share of size_m."),
    key("props[].count", Kind::Int(range(0.0, 20_000.0)), "", "How many are scattered by rule, besides those in at."),
    key(
        "props[].on",
        Kind::Choice(GROUNDS),
        "",
        "What they stand on: sand is flat and open, rock is on or beside solids.",
    ),
    key("props[].clustering", UNIT, "", "How strongly they gather in patches."),
    float("props[].range_m", 1.0, 200.0, "m", "Radius about the origin in which they are scattered."),
    float("props[].sink", 0.0, 0.9, "", "Depth of the base below the ground, as a share of the size."),
    float("props[].sway", 0.0, 2.0, "", "How far the top sways in the surge: 0 rigid, 1 a plant."),
    key("props[].solid", Kind::Bool, "", "Whether animals keep out of it and corals may stand on it."),
    key("props[].tint", TINT, "", "Factor on its colours, linear red, green and blue."),
    key("props[].tint_spread", UNIT, "", "How much colours differ from one to the next, as a share."),
    key("props[].yaw_deg", HEADINGS, "degrees", "Headings of the scattered ones: least and greatest."),
    key("props[].at", STANDS, "", "Placed by hand: x and z (m), yaw (degrees) and size (m) each."),
    key("particles.snow_count", Kind::Int(range(0.0, 50_000.0)), "", "Flakes of marine snow."),
    float("particles.snow_size_mm", 0.1, 20.0, "mm", "Diameter of a flake."),
    key("particles.bubble_sources", Kind::Int(range(0.0, 200.0)), "", "Places from which bubbles rise."),
    float("particles.bubble_rate_hz", 0.0, 200.0, "per second", "Bubbles from one place."),
    float("particles.bubble_size_mm", 0.3, 50.0, "mm", "Diameter of a bubble at its source."),
    key("particles.glow", UNIT, "", "Share of the flakes that light up by themselves now and then."),
    required("cards[].name", Kind::Text, "", "Name, unique in the scene."),
    required("cards[].view", Kind::Text, "", "The view of camera.views from which the card stands where it says."),
    key(
        "cards[].at",
        Kind::Vector(&[range(0.0, 1.0), range(0.0, 1.0)]),
        "",
        "Its middle as shares of the width and of the height.",
    ),
    float("cards[].distance_m", 0.1, 200.0, "m", "Distance of its middle from the eye."),
    float("cards[].width", 0.001, 1.0, "", "Its width as a share of the picture's."),
    key(
        "cards[].radiance",
        Kind::Vector(&[range(0.0, 100.0), range(0.0, 100.0), range(0.0, 100.0)]),
        "",
        "Radiance that it emits, linear red, green and blue.",
    ),
    float("camera.fov_deg", 10.0, 140.0, "degrees", "Vertical field of view."),
    key("camera.eye_m", POINT, "m", "Eye of the first view: x, y and z; depth is -y."),
    key("camera.target_m", POINT, "m", "What the first view looks at."),
    float("camera.rail_period_s", 1.0, 600.0, "s", "Time once round the rail."),
    required("camera.rail[].eye_m", POINT, "m", "Eye at the waypoint."),
    required("camera.rail[].target_m", POINT, "m", "What it looks at there."),
    required("camera.views.*.eye_m", POINT, "m", "Eye of the view."),
    required("camera.views.*.target_m", POINT, "m", "What it looks at."),
    float("camera.views.*.fov_deg", 0.0, 140.0, "degrees", "Its own vertical field of view; 0 for that of the scene."),
    float("post.exposure_ev", -10.0, 10.0, "stops", "Exposure."),
    key(
        "post.auto_exposure",
        Kind::Bool,
        "",
        "Whether the eye adapts to the light at the camera; else exposure is 2^exposure_ev.",
    ),
    key(
        "post.white_balance",
        UNIT,
        "",
        "Balance toward the colour of the light at the camera: 0 physical, 1 all the way.",
    ),
    float("post.saturation", 0.0, 2.0, "", "Factor on colourfulness."),
    key("post.bloom", UNIT, "", "Strength of the glow round bright things."),
    key("render.quality", Kind::Choice(QUALITIES), "", "Tier; auto chooses by renderer and what frames take."),
    float("render.target_ms", 0.0, 1000.0, "ms", "What a frame may take with auto; 0: 16.7 on a GPU, 50 without."),
    float("render.scale", 0.25, 2.0, "", "Internal resolution over the output's."),
    key("render.effects.caustics", Kind::Bool, "", "Caustics."),
    key("render.effects.shafts", Kind::Bool, "", "Light shafts."),
    key("render.effects.shadows", Kind::Bool, "", "Sun shadows."),
    key("render.effects.surface", Kind::Bool, "", "The surface, seen from below or above."),
    key("render.effects.particles", Kind::Bool, "", "Marine snow and bubbles."),
    key("render.effects.bloom", Kind::Bool, "", "Bloom."),
];

/// Every table, in the order in which a scene file is written.
pub const TABLES: &[TableDoc] = &[
    TableDoc { path: "water", doc: "The medium." },
    TableDoc { path: "waves", doc: "The surface." },
    TableDoc { path: "sun", doc: "Where it stands and how bright it is." },
    TableDoc { path: "moon", doc: "The light of the night, once the sun is 6 degrees below the horizon." },
    TableDoc { path: "sky", doc: "The diffuse light above." },
    TableDoc { path: "lights[]", doc: "A lamp or a glowing animal; the four nearest the camera are drawn." },
    TableDoc { path: "current", doc: "The mean drift of the water." },
    TableDoc { path: "seabed", doc: "The ground." },
    TableDoc { path: "flora", doc: "Factors on every prop that sways." },
    TableDoc { path: "species[]", doc: "One kind of animal and how many of it." },
    TableDoc {
        path: "species[].clips.*",
        doc: "Ranges of the file's time line: swim, idle, burst, turn_left, turn_right, feed.",
    },
    TableDoc { path: "props[]", doc: "One kind of thing on the seabed." },
    TableDoc { path: "particles", doc: "Marine snow and bubbles." },
    TableDoc { path: "cards[]", doc: "A flat emitter for measuring, facing the eye of a view." },
    TableDoc { path: "camera", doc: "The first view, other views by name, and the benchmark's rail." },
    TableDoc { path: "camera.rail[]", doc: "A waypoint of the benchmark's path, gone round smoothly." },
    TableDoc { path: "camera.views.*", doc: "Another view: --camera NAME." },
    TableDoc { path: "post", doc: "From linear radiance to the screen." },
    TableDoc { path: "render", doc: "Quality." },
    TableDoc { path: "render.effects", doc: "Which effects are drawn; for measuring what each costs." },
];

impl Key {
    /// Last part of the path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// Path of the table it stands in; empty for the top of the file.
    pub fn table(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(table, _)| table)
    }

    /// What its value must be, in words: `a number from 0 to 30 m/s`.
    pub fn expected(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let each = |ranges: &[Range]| match ranges {
            [first, rest @ ..] if rest.iter().all(|r| r == first) => format!(" from {first}{unit}"),
            _ => ranges.iter().map(|r| format!(", {r}")).collect(),
        };
        match self.kind {
            Kind::Bool => "true or false".into(),
            Kind::Text => "a string".into(),
            Kind::Choice(choices) => format!("one of {}", choices.join(", ")),
            Kind::Float(range) => format!("a number from {range}{unit}"),
            Kind::Int(range) => format!("a whole number from {range}{unit}"),
            Kind::Vector(ranges) => format!("a list of {} numbers{}", ranges.len(), each(ranges)),
            Kind::Vectors(ranges) => format!("a list of lists of {} numbers{}", ranges.len(), each(ranges)),
        }
    }
}

/// The key at `path`.
pub fn key_at(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

/// What stands at `path`, if the schema has it.
pub(crate) fn shape(path: &str) -> Option<Shape> {
    if let Some(key) = key_at(path) {
        return Some(Shape::Value(key));
    }
    KEYS.iter().find_map(|key| {
        let rest = key.path.strip_prefix(path)?;
        if path.is_empty() {
            Some(Shape::Table)
        } else if rest.starts_with("[].") {
            Some(Shape::List)
        } else if rest.starts_with(".*.") {
            Some(Shape::Map)
        } else if rest.starts_with('.') {
            Some(Shape::Table)
        } else {
            None
        }
    })
}

/// Names that may stand in the table at `path`: keys and tables, each once, in order.
pub(crate) fn names_in(path: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    for key in KEYS {
        let rest = match path {
            "" => Some(key.path),
            _ => key.path.strip_prefix(path).and_then(|rest| rest.strip_prefix('.')),
        };
        let Some(rest) = rest else { continue };
        let name = rest.split(['.', '[']).next().unwrap_or(rest);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Path of `name` inside the table at `path`.
pub(crate) fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
