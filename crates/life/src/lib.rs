//! The animals: species, minds, schooling and the kinematics of swimming. Metres, seconds, radians; speeds of settings
//! in body lengths a second, by name (`_bl_s`).
//!
//! Fixed step, seeded, no clock: the same seed and the same steps give the same fish on any machine and thread count.
//!
//! ```
//! use life::{Habitat, Population, LifeSettings, serial};
//!
//! let species = LifeSettings { count: 60, ..LifeSettings::default() };
//! let mut population = Population::new(&[species], Habitat::default(), 7, serial);
//! population.step(glam::Vec3::ZERO);
//! assert_eq!(population.poses(0, 1.0).len(), 60);
//! ```

mod animal;
mod attitude;
mod avoidance;
mod beam;
mod beds;
mod body;
mod conduct;
mod decide;
mod event;
mod figure;
mod food;
mod gait;
mod grid;
mod habitat;
mod height;
mod home;
mod interplay;
mod mind;
mod morph;
mod path;
mod perception;
mod population;
mod roles;
mod school;
mod settings;
mod spawn;
mod start;
mod swim;
mod swimming;
mod traces;
mod turning_about;

pub use animal::AnimalPose;
pub use beam::Beam;
pub use body::Motion;
pub use event::{Event, EventKind};
pub use food::Food;
pub use gait::{Gait, GaitBlend};
pub use habitat::{Habitat, HeightMap, Obstacle, Shelter};
pub use home::{PlacementProblem, PlacementProblemKind, placement_problems};
pub use interplay::AnimalReport;
pub use math::{Join, serial};
pub use population::{Body, Newcomers, NewcomersPlan, Population};
pub use settings::*;

/// Fixed steps of the simulation in a second.
pub const STEPS_PER_S: u32 = 60;

/// The simulation's fixed step. Unit: s.
const STEP_S: f32 = 1.0 / STEPS_PER_S as f32;

/// Interval, in steps, of an animal's decisions; each step handles its share of the animals.
const DECISION_EVERY: u32 = 4;

/// Time between an animal's decisions. Unit: s.
const DECISION_S: f32 = DECISION_EVERY as f32 * STEP_S;
