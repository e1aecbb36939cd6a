//! Settings for a species' life; its looks are the scene's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;
use validate::Violation;

/// Height over the ground that means no limit. Unit: m.
pub(crate) const ANY_HEIGHT_M: f32 = 1000.0;

/// Life settings of one kind of animal, including its number: a part of `[[species]]`.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LifeSettings {
    /// Name, unique in the scene; the scene gives it.
    #[serde(skip)]
    pub name: String,
    /// Length from nose to tail.
    #[schemars(range(min = 0.01, max = 30), extend("x-unit" = "m"))]
    #[default = 0.2]
    pub length_m: f32,
    /// Spread of lengths, as a share of `length_m`.
    #[schemars(range(min = 0, max = 0.9))]
    #[default = 0.15]
    pub length_spread: f32,
    /// Number of animals; 0 removes the species.
    #[schemars(range(min = 0, max = 1_000_000))]
    #[default = 1]
    pub count: u32,
    /// Kind of movement.
    pub behaviour: Behaviour,
    /// Things it may want to do; to flee needs no entry. With none it does only what its behaviour says.
    pub routines: Vec<Routine>,
    /// Hours in which it is awake.
    pub active: Active,
    /// Individuals in one school; the count is divided among as many schools as needed.
    #[schemars(range(min = 1, max = 100_000))]
    #[default = 200]
    pub school_size: u32,
    /// Distance that schooling and reef fish keep from their like.
    #[schemars(range(min = 0.5, max = 5), extend("x-unit" = "body lengths"))]
    #[default = 1.0]
    pub spacing_bl: f32,
    /// Whether small fish are afraid of it.
    pub hunts: bool,
    /// Cruising speed.
    #[schemars(range(min = 0.01, max = 10), extend("x-unit" = "body lengths/s"))]
    #[default = 1.5]
    pub speed_bl_s: f32,
    /// Speed at which it flees and strikes; left out, five times that of cruising.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f32", range(min = 0.01, max = 30), extend("x-unit" = "body lengths/s"))]
    pub burst_bl_s: Option<f32>,
    /// Kind of swimming.
    pub swimming: Swimming,
    /// Whether it bites rock and voids it as sand, as parrotfish do: clouds of it tell where it has been.
    pub grinds_coral: bool,
    /// Lateness of its flight: 0 early and far, 1 at the last moment.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.5]
    pub boldness: f32,
    /// Models of the things on the ground in which it hides and sleeps, such as table_coral.
    pub shelter: Vec<String>,
    /// Radius of the territory that it guards: about its host or home, or where it feeds.
    #[schemars(range(min = 0.1, max = 20), extend("x-unit" = "m"))]
    #[default = 1.0]
    pub territory_m: f32,
    /// Greatest distance from its shelter if it lives as a host's guest.
    #[schemars(range(min = 0.1, max = 100), extend("x-unit" = "m"))]
    #[default = 3.0]
    pub host_m: f32,
    /// Species that it hunts, by name; with none, all small ones that live in groups.
    pub prey: Vec<String>,
    /// Depth it keeps to: least and greatest.
    #[schemars(inner(range(min = 0, max = 1000)), extend("x-unit" = "m"))]
    #[default([1.0, 50.0])]
    pub depth_m: [f32; 2],
    /// Height over the ground, or distance from the rock beneath or beside it, that it keeps to: least and greatest.
    #[schemars(inner(range(min = 0, max = 1000)), extend("x-unit" = "m"))]
    #[default([0.0, ANY_HEIGHT_M])]
    pub height_m: [f32; 2],
    /// Middle of its range: x and z.
    #[schemars(inner(range(min = -500, max = 500)), extend("x-unit" = "m"))]
    pub home_m: [f32; 2],
    /// Radius of its range.
    #[schemars(range(min = 1, max = 500), extend("x-unit" = "m"))]
    #[default = 25.0]
    pub range_m: f32,
    /// Closed path through these points (x, y, z) in place of `home_m` and `range_m`.
    ///
    /// Cruisers and schools go round it evenly spaced, reef fish live and drifters begin along it, those that are still
    /// stay on it and look along it. One point is a place. `depth_m` and `height_m` hold as well, also those of the
    /// species' card.
    #[schemars(inner(inner(range(min = -500, max = 500))), extend("x-unit" = "m"))]
    pub path_m: Vec<[f32; 3]>,
    /// Distance to either side of `path_m` that individuals keep within.
    #[schemars(range(min = 0, max = 100), extend("x-unit" = "m"))]
    #[default = 0.5]
    pub path_spread_m: f32,
    /// Distance in one cycle of the swim clip, which sets its pace; left out, as its kind of swimming has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f32", range(min = 0.05, max = 5), extend("x-unit" = "body lengths"))]
    pub stride_bl: Option<f32>,
    /// Spread of colour from one individual to the next.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.15]
    pub colour_spread: f32,
    /// Cause of its change of shape, if any: the scene finds it among the species' shapes.
    #[serde(skip)]
    pub drive: Option<Drive>,
}

impl LifeSettings {
    /// Returns conflicts between values.
    pub fn validate(&self) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (key, what, [least, greatest]) in
            [("depth_m", "depth", self.depth_m), ("height_m", "height", self.height_m)]
        {
            if least > greatest {
                let message = format!("the least {what} comes first, but {least} m is more than {greatest} m");
                violations.push(Violation::error(key, message));
            }
        }
        let cruise = self.speed_bl_s;
        if let Some(burst) = self.burst_bl_s.filter(|burst| *burst < cruise) {
            let message = format!("to flee at {burst} body lengths/s is slower than to cruise at {cruise}");
            violations.push(Violation::error("burst_bl_s", message).with("speed_bl_s"));
        }
        violations
    }

    /// Speed at which it flees and strikes, never less than the cruising speed. Unit: body lengths/s.
    pub fn burst_bl_s(&self) -> f32 {
        self.burst_bl_s.unwrap_or(5.0 * self.speed_bl_s).max(self.speed_bl_s)
    }
}

/// Cause of an animal's change of shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Drive {
    /// Fear: it takes the shape within a second, and loses it again as it calms down.
    Fear,
    /// Each stroke of its drive: it takes the shape in a third of it, and loses it in the rest, like a jelly's bell.
    Pulse,
}

/// Kind of movement of an animal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    pub fn has_nose(self) -> bool {
        matches!(self, Self::School | Self::Reef | Self::Cruiser)
    }
}

/// Something that an animal may want to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Routine {
    /// Swims about in its range, now here, now there.
    Wander,
    /// Keeps to others of its kind: separation, alignment, cohesion.
    School,
    /// Goes round and round with its school.
    Mill,
    /// Holds its place against current and surge, nose to the current.
    Station,
    /// Goes from spot to spot on the ground, stops and pecks.
    Graze,
    /// Picks plankton out of the water, facing the current.
    Plankton,
    /// Goes into its shelter when it is frightened.
    Hide,
    /// Keeps a cleaning station and dances before its clients.
    Clean,
    /// Goes to a cleaner now and then, tilts and waits.
    VisitCleaner,
    /// Stays within `host_m` of its shelter, as a clownfish does of its anemone.
    Host,
    /// Sleeps when it is not active, in its shelter if it has one.
    Rest,
    /// Hangs still until prey comes near, then strikes.
    Ambush,
    /// Looks for prey and runs it down.
    Pursue,
    /// Drives prey together from below, with others of its kind.
    Herd,
    /// Comes up to breathe.
    Breathe,
    /// Drives others, from half to twice its size, out of its territory.
    Guard,
}

impl Routine {
    /// Whether it is a way of hunting.
    pub fn is_hunt(self) -> bool {
        matches!(self, Self::Ambush | Self::Pursue | Self::Herd)
    }
}

/// The part of the day in which an animal is awake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Active {
    /// At any hour.
    #[default]
    Always,
    /// While the sun is up.
    Day,
    /// While the sun is down.
    Night,
    /// About sunrise and sunset.
    Twilight,
}

/// Kind of swimming: the classes of Webb (1984) and of Breder (1926), and animals other than fish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Swimming {
    /// The hinder half of the body waves: barracuda, shark.
    #[default]
    Subcarangiform,
    /// The hinder third waves: sardine.
    Carangiform,
    /// Tail and its stalk alone, stiff and fast: tuna.
    Thunniform,
    /// The whole body waves: eels.
    Anguilliform,
    /// The pectoral fins row or flap: parrotfish, wrasse, tang.
    Labriform,
    /// Waves along the dorsal and the anal fin: triggerfish.
    Balistiform,
    /// Small fins turn a stiff body: boxfish.
    Ostraciiform,
    /// Waves along the dorsal fin: seahorse.
    Amiiform,
    /// Waves along broad fins: stingray.
    Rajiform,
    /// Broad fins flap: manta.
    Mobuliform,
    /// Fore flippers beat: turtle.
    Chelonian,
    /// Flukes go up and down: dolphin.
    Cetacean,
    /// The bell pulses: jellyfish.
    Medusan,
    /// Legs with fins kick in turn: a diver, who breathes out bubbles under water.
    Flutter,
}
