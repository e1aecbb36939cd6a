//! Individual animals, and the data that a species shares.

use std::ops::Range;

use glam::{Quat, Vec2, Vec3};

use crate::body::{Body, Motion};
use crate::gait::GaitState;
use crate::mind::{Habits, Mind, NOBODY};
use crate::morph::Morph;
use crate::path::Path;
use crate::settings::{Drive, Routine};
use crate::start::Start;
use crate::swimming::Laws;
use crate::traces::Traces;
use crate::turning_about::TurningAbout;
use crate::{Behaviour, GaitBlend, Habitat, LifeSettings, STEP_S, Swimming};

/// Number of neighbours that an animal considers.
pub(super) const NEIGHBOURS: usize = 7;

/// An individual. Fields that others see come first, fields needed only at a decision last: a step goes through all
/// animals, and memory is slow.
#[derive(Clone, Debug)]
pub(super) struct Animal {
    pub position: Vec3,
    /// Unit vector along the nose.
    pub heading: Vec3,
    /// Speed along the nose. Unit: m/s.
    pub speed: f32,
    /// Length of the body. Unit: m.
    pub length: f32,
    /// Index of its species.
    pub species: u32,
    /// Index of its school; 0 if it has none.
    pub school: u32,
    /// State of its mind.
    pub mind: Mind,
    /// Fear, 0..=1.
    pub alarm: f32,
    /// Whether it has taken fright since the last step: it is off at its burst speed, whatever its intention.
    pub startled: bool,
    /// Whether nothing is near enough to be hit before its next decision.
    pub is_unobstructed: bool,
    /// Whether its body is in its crevice, inside rock.
    pub is_in_crevice: bool,
    /// Whether no larger animal was near when it last looked.
    pub has_room: bool,
    /// Whether it may skip every other decision: nothing solid is near, and it only swims along.
    pub coasts: bool,
    /// Half its height, with a small margin. Unit: m.
    pub half_height: f32,
    /// Rate of change of `heading`, across it. Unit: rad/s.
    pub turn: Vec3,
    /// Roll about the nose, positive to the left. Unit: rad.
    pub bank: f32,
    /// Roll that it wants in its curve: any deviation of `bank` is corrected at once. Unit: rad.
    pub lean: f32,
    /// Wanted heading since its last decision: unit vector.
    pub want: Vec3,
    /// Wanted speed. Unit: m/s.
    pub want_speed: f32,
    /// Velocity at which the water carries it over the ground, or its fins row it aside. Unit: m/s.
    pub carried: Vec3,
    /// Factor on its species' cruising speed; temporary for an animal on a path.
    pub pace: f32,
    /// Fast start in a fright.
    pub start: Start,
    /// Its last turn about, which it does not repeat at once.
    pub turning_about: TurningAbout,
    /// Degree to which its eyes are used to a torch's light, 0..=1.
    pub used_to_light: f32,
    /// Strokes and bend of its body.
    pub body: Body,
    pub gait: GaitState,
    /// Progress of its change of shape.
    pub morph: Morph,
    /// `position` before the last step.
    pub prev_position: Vec3,
    /// `heading` before the last step.
    pub prev_heading: Vec3,
    /// `bank` before the last step.
    pub prev_bank: f32,
    /// Indices of the school mates that it sees, nearest first, then [`NOBODY`](crate::mind::NOBODY).
    pub neighbours: [u32; NEIGHBOURS],
    /// Slow random pull of its own on the heading.
    pub wander: Vec3,
    /// Position of its home.
    pub home: Vec3,
    /// Position of its goal: a cruiser's waypoint, a reef fish's next stop.
    pub goal: Vec3,
    /// Distance of its goal along its species' path. Unit: m.
    pub along: f32,
    /// Distance of its own slot along the path at the start: the animals on a path are evenly spaced. Unit: m.
    pub slot: f32,
    /// Offset from the path. Unit: m.
    pub beside: Vec3,
    /// Factor on the current width of the path.
    pub scale: f32,
    /// Time until it picks another goal. Unit: s.
    pub timer: f32,
}

impl Animal {
    /// Half the height of the body, which must stay clear of ground and rocks. Unit: m.
    pub fn clearance(&self) -> f32 {
        self.half_height
    }

    /// Lowest and highest place, as y, over (x, z); `None` where the ground leaves no water for it.
    ///
    /// It keeps to its species' depths, unless its intention takes it out of them: to the surface for air, to the
    /// ground for food, away from a hunter or after prey. From there it returns gradually.
    pub fn levels(&self, species: &Species, habitat: &Habitat, x: f32, z: f32) -> Option<(f32, f32)> {
        let (low, high) = species.column(habitat, (self.length, self.half_height), x, z)?;
        if self.mind.intention.leaves_depths() || self.alarm > LEAVES_DEPTHS || self.mind.other != NOBODY {
            return Some((low, high));
        }
        let (bottom, top) = species.depths(low, high);
        let bottom = if species.keeps_near_ground() { low } else { bottom };
        // An animal in a sprint does not stop at once at the end of its depths.
        let slack = SPRINT_S * (self.speed - 2.0 * species.cruise).max(0.0);
        let y = self.position.y;
        Some((bottom.min((y - slack).max(low)), top.max((y + slack).min(high))))
    }

    /// Height of its grazing place over (x, z), as y, and whether that is on rock: on a solid thing as large as itself,
    /// or on the ground, where winged animals stay.
    pub fn footing(&self, species: &Species, habitat: &Habitat, x: f32, z: f32) -> (f32, bool) {
        let room = self.clearance().min(2.0) + GRAZES_BL * self.length;
        let ground = habitat.floor_m(x, z) + room;
        let rock = if species.laws.turns_by_wings { None } else { habitat.rock_top_m(x, z, room, self.length) };
        rock.filter(|top| *top > ground).map_or((ground, false), |top| (top, true))
    }

    /// Position in its shelter of the animal at `index`, if its species has shelters.
    pub fn nook(&self, species: &Species, index: u32) -> Option<Vec3> {
        let place = *species.habits.shelters.get(self.mind.shelter as usize)?;
        // Many share one shelter: each has a nook of its own, as florets share a sunflower's head (Vogel 1979).
        let number = index % NOOKS.len() as u32;
        let spread = if species.habits.has(Routine::Host) { GUESTS_SPREAD } else { 1.0 };
        let out = spread * (0.1 + 0.7 * self.length) * (number as f32).sqrt();
        let aside = NOOKS[number as usize] * out;
        Some(place + Vec3::new(aside.x, 0.25 * self.length * (index % 3) as f32, aside.y))
    }
}

/// Radius of the tightest curve that a path demands of a body. Unit: body lengths.
const MIN_RADIUS_BL: f32 = 0.9;

/// Room below a grazing animal. Unit: body lengths.
const GRAZES_BL: f32 = 0.1;

/// Factor on the spacing of the guests of a host: they are crowded. By eye.
const GUESTS_SPREAD: f32 = 0.35;

/// Directions in the plan, each a golden angle from the last.
pub(super) const NOOKS: [glam::Vec2; 13] = [
    glam::Vec2::new(1.0, 0.0),
    glam::Vec2::new(-0.737, 0.675),
    glam::Vec2::new(0.087, -0.996),
    glam::Vec2::new(0.608, 0.794),
    glam::Vec2::new(-0.985, -0.174),
    glam::Vec2::new(0.843, -0.537),
    glam::Vec2::new(-0.259, 0.966),
    glam::Vec2::new(-0.462, -0.887),
    glam::Vec2::new(0.940, 0.342),
    glam::Vec2::new(-0.924, 0.383),
    glam::Vec2::new(0.423, -0.906),
    glam::Vec2::new(0.300, 0.954),
    glam::Vec2::new(-0.866, -0.500),
];

/// Lowest and highest place, as y, of a body of a length and half a height (m) over (x, z); `None` where the ground
/// leaves no water.
fn water_column(habitat: &Habitat, (length, half_height): (f32, f32), x: f32, z: f32) -> Option<(f32, f32)> {
    let low = habitat.floor_m(x, z) + half_height;
    let high = -0.45 * length - 0.01;
    (low <= high).then_some((low, high))
}

/// Time for which a sprint may go on beyond the end of the depths. Unit: s.
const SPRINT_S: f32 = 0.3;

/// Fear above which an animal ignores its depths.
const LEAVES_DEPTHS: f32 = 0.3;

/// Greatest height of a crawling animal off the ground, over stones and into nooks. Unit: body lengths.
const CRAWLS_WITHIN_BL: f32 = 0.15;

/// Sleeping place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bed {
    /// The middle of the body.
    pub place: Vec3,
    /// Level unit vector along the nose of the sleeper; in a crevice, out of the crevice.
    pub heading: Vec3,
    /// Whether it is a crevice in rock.
    pub is_crevice: bool,
}

/// Data that the animals of one `[[species]]` of the scene file share.
#[derive(Clone, Debug)]
pub(super) struct Species {
    pub behaviour: Behaviour,
    /// Mean length. Unit: m.
    pub length: f32,
    /// Distance between neighbours. Unit: m.
    pub spacing: f32,
    /// Cruising speed. Unit: m/s.
    pub cruise: f32,
    /// Distance in one cycle of the swim clip, if the scene gives it. Unit: body lengths.
    pub stride_bl: Option<f32>,
    /// Tightest curve at its usual speed. Unit: m.
    pub turn_radius: f32,
    /// Laws of its swimming.
    pub laws: Laws,
    /// Cause of its change of shape, if any.
    pub drive: Option<Drive>,
    /// Curvature of the tightest curve at its usual speed, and in a sprint. Unit: 1/m.
    pub curvature: [f32; 2],
    /// Share of the wanted change of heading that one step takes up.
    pub ease: f32,
    /// Reciprocals of the cruising speed, which may be 0, and of the excess of the burst over it. Unit: s/m.
    pub per_cruise: f32,
    pub per_spare: f32,
    /// Least and greatest depth. Unit: m.
    pub depth: [f32; 2],
    /// Least and greatest height over ground and rock. Unit: m.
    pub height: [f32; 2],
    /// Middle of its range, x and z. Unit: m.
    pub home: Vec2,
    /// Radius of its range. Unit: m.
    pub range: f32,
    /// The closed path that it follows, if any.
    pub path: Option<Path>,
    /// Spread to either side of the path. Unit: m.
    pub path_spread: f32,
    /// Distance that the species as a whole has gone along its path. Unit: m.
    pub lap: f32,
    /// Index of the grid of its size class, the smallest size first; for gregarious species.
    pub grid: usize,
    /// Whether it hangs in the water with its like, as rods: level, parallel and the whole length clear of each other.
    pub is_rod: bool,
    /// Whether schooling and reef fish flee it.
    pub is_predator: bool,
    /// Habits of its animals.
    pub habits: Habits,
    /// Beds of its animals, in their order; empty without shelters to sleep by.
    pub beds: Vec<Bed>,
    /// Traces that it leaves in the water.
    pub traces: Traces,
    /// Places that cleaners visit, from its middle, right, up and back; empty: all of its flanks. Unit: body lengths.
    pub cleaned_at: Vec<Vec3>,
    /// Range of its animals in the population.
    pub animals: Range<usize>,
}

impl Species {
    pub fn new(settings: &LifeSettings, animals: Range<usize>) -> Self {
        let length = settings.length_m.max(0.01);
        let cruise = settings.speed_bl_s.max(0.0) * length;
        let path = Path::new(&settings.path_m);
        let path_spread = settings.path_spread_m.max(0.0);
        let (home, range) = match &path {
            None => (Vec2::from(settings.home_m), settings.range_m.max(0.5)),
            Some(path) => {
                let (middle, reach) = path.reach();
                (middle, reach + path_spread + 2.0 * length)
            }
        };
        let spacing = settings.spacing_bl.clamp(0.1, 10.0) * length;
        let behaviour = settings.behaviour;
        let laws = match behaviour {
            // Drifters swim in no other way.
            Behaviour::Drifter => Laws::of(Swimming::Medusan),
            Behaviour::Cruiser => Laws::of(settings.swimming).cruising(),
            _ => Laws::of(settings.swimming),
        };
        // Animals on a path turn as tightly as it demands, if a body can.
        let tightest = path.as_ref().map_or(f32::INFINITY, |path| (0.7 * path.tightest()).max(MIN_RADIUS_BL * length));
        let turn_radius = (laws.radius_bl[0] * length).min(0.3 * range).min(tightest);
        let tight_radius = (laws.radius_bl[1] * length).min(turn_radius);
        Self {
            behaviour,
            length,
            spacing,
            cruise,
            stride_bl: settings.stride_bl.map(|stride| stride.max(0.05)),
            turn_radius,
            laws,
            drive: settings.drive,
            curvature: [1.0 / turn_radius, 1.0 / tight_radius],
            ease: (STEP_S / (0.1 + 0.25 * length.sqrt())).min(1.0),
            per_cruise: 1.0 / cruise.max(1e-4),
            per_spare: 1.0 / (settings.burst_bl_s() * length - cruise).max(0.1 * length),
            depth: [settings.depth_m[0].max(0.0), settings.depth_m[1].max(settings.depth_m[0].max(0.0))],
            height: settings.height_m,
            home,
            range,
            path,
            path_spread,
            lap: 0.0,
            grid: 0,
            is_rod: behaviour == Behaviour::School && settings.routines.contains(&Routine::Ambush),
            is_predator: settings.hunts,
            habits: Habits::new(settings, Vec::new()),
            beds: Vec::new(),
            traces: Traces::of(settings),
            cleaned_at: Vec::new(),
            animals,
        }
    }

    /// Size class, by the spacing, in half octaves: animals with a spacing of 0.1 and 0.12 m swim among each other, of
    /// 0.1 and 0.3 m do not.
    pub fn size_class(&self) -> i32 {
        (2.0 * self.spacing.log2()).round() as i32
    }

    /// Factor on the speed of an animal whose goal is `along` the path, `lead` metres before it: animals behind their
    /// slot hurry, animals ahead of it slow down.
    pub fn pace_on(&self, path: &Path, along: f32, lead: f32, slot: f32) -> f32 {
        let late = path.ahead(along - lead, slot + self.lap);
        1.0 + 0.3 * (late / (2.0 * self.length)).clamp(-1.0, 1.0)
    }

    /// Distance from an animal or a school on a path to its goal. Unit: m.
    pub fn lead(&self, school_radius: f32) -> f32 {
        self.turn_radius + 0.6 * self.length + school_radius
    }

    /// Whether its animals live together and keep a distance from neighbours: schooling and reef fish.
    pub fn is_gregarious(&self) -> bool {
        matches!(self.behaviour, Behaviour::School | Behaviour::Reef)
    }

    /// Lowest and highest place, as y, for an animal of the given length over (x, z); `None` where the ground leaves
    /// no water for it.
    pub fn levels(&self, habitat: &Habitat, length: f32, x: f32, z: f32) -> Option<(f32, f32)> {
        let (low, high) = self.column(habitat, (length, self.laws.half_height(length)), x, z)?;
        let (bottom, top) = self.depths(low, high);
        if !self.keeps_near_ground() {
            return Some((bottom, top));
        }
        // Over ground deeper than its depths, a species that keeps near the ground goes down with it.
        let (least, most) = self.heights(habitat, x, z);
        let top = top.min(most.max(low));
        Some((bottom.min(top).max(least.min(top)), top))
    }

    /// Lowest and highest place, as y, over (x, z) regardless of the depth band: a crawling animal stays on the ground.
    fn column(&self, habitat: &Habitat, body: (f32, f32), x: f32, z: f32) -> Option<(f32, f32)> {
        let (low, high) = water_column(habitat, body, x, z)?;
        let crawls = self.laws.crawls && low.is_finite();
        Some((low, if crawls { high.min(low + CRAWLS_WITHIN_BL * body.0) } else { high }))
    }

    /// Depth band of the species within the water from `low` to `high`, as y.
    fn depths(&self, low: f32, high: f32) -> (f32, f32) {
        ((-self.depth[1]).clamp(low, high), (-self.depth[0]).clamp(low, high))
    }

    /// Bed of the animal at `index`, if it has one.
    pub fn bed(&self, index: u32) -> Option<Bed> {
        self.beds.get((index as usize).checked_sub(self.animals.start)?).copied()
    }

    /// Whether its animals do not follow a school.
    pub fn lives_alone(&self) -> bool {
        self.behaviour != Behaviour::School
    }
}

/// An animal at one moment, ready to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimalPose {
    /// Middle of the body, in world space.
    pub position: Vec3,
    /// World from body; the body looks along -z.
    pub rotation: Quat,
    /// Length from nose to tail. Unit: m.
    pub length_m: f32,
    /// Strokes and bend of the body.
    pub motion: Motion,
    /// Blend of its gaits.
    pub gait: GaitBlend,
    /// Factor of its own on its species' colours, linear RGB.
    pub tint: Vec3,
    /// Random number of the individual in 0..1.
    pub variation: f32,
    /// Progress of its change of shape, 0..=1.
    pub morph_weight: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_goes_before_the_depth_band() {
        let habitat = Habitat::new(Some(crate::HeightMap::sample(Vec2::ZERO, 10.0, 1.0, |_, _| -4.0)), vec![]);
        let settings = LifeSettings { depth_m: [6.0, 9.0], ..LifeSettings::default() };
        let (low, high) = Species::new(&settings, 0..1).levels(&habitat, 0.2, 0.0, 0.0).expect("there is water");
        assert!(low > -4.0 && high < -3.0 && low <= high);
        let dry = Habitat::new(Some(crate::HeightMap::sample(Vec2::ZERO, 10.0, 1.0, |_, _| -0.05)), vec![]);
        assert_eq!(Species::new(&settings, 0..1).levels(&dry, 0.2, 0.0, 0.0), None);
    }
}
