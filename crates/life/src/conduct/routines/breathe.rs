//! Air: turtles and dolphins rise to the surface, breathe there for a moment and go down again.

use glam::Vec3;

use crate::DECISION_S;
use crate::animal::Animal;
use crate::conduct::Senses;
use crate::conduct::routines::Course;

/// Depth at which the animal can breathe, over the length of the body.
const AIR_WITHIN_BL: f32 = 0.65;

/// Time at the surface: two or three breaths. Unit: s.
const AT_SURFACE_S: f32 = 3.5;

/// Rises to the surface and stays there for a moment.
pub(super) fn breathe(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    let cruise = senses.species.cruise;
    let is_up = animal.mind.stay_s > 0.0;
    if -animal.position.y > if is_up { 1.5 } else { 1.0 } * AIR_WITHIN_BL * animal.length {
        animal.mind.stay_s = 0.0;
        let ahead = animal.heading.with_y(0.0).normalize_or(Vec3::NEG_Z);
        return Course::toward(animal, ahead + 0.6 * Vec3::Y, 1.2, 1.3 * cruise);
    }
    animal.mind.stay_s += DECISION_S;
    if animal.mind.stay_s > AT_SURFACE_S {
        animal.mind.drives.breath = 0.0;
    }
    Course { pull: -Vec3::Y * animal.heading.y, speed: 0.6 * cruise }
}
