//! Flight: with the school if it has one, else away; round behind a slow hunter, in all directions before a fast one.

use glam::Vec3;

use crate::Behaviour;
use crate::animal::{Animal, Species};
use crate::conduct::Senses;
use crate::conduct::fear::Threat;
use crate::conduct::routines::{Course, school};

/// Increase of speed by fear after the start, over cruising. By eye: sprints end within a second.
const HASTE: f32 = 1.3;

/// Flees in a hurry.
pub(super) fn flee(animal: &Animal, senses: &Senses<'_>) -> Course {
    let hurry = 1.0 + HASTE * animal.alarm;
    match (senses.species.behaviour, senses.school) {
        (Behaviour::School, Some(school)) => {
            let course = school::school(animal, senses, school);
            // The course already follows the neighbours: without a limit they would spur each other on for ever.
            let most = senses.species.cruise * (1.0 + HASTE);
            Course { speed: (course.speed * hurry).min(most), ..course }
        }
        // Erratic: the direction is the animal's own for as long as it is afraid.
        _ => Course { pull: 1.5 * animal.wander, speed: senses.species.cruise * hurry },
    }
}

/// Push that a threat adds to any course.
///
/// The fountain manoeuvre (Hall et al. 1986): a fish keeps the hunter at the rear rim of its visual field, at about 135
/// degrees from its heading. Those before the hunter part to both sides of it, pass it and close behind it.
pub(crate) fn fountain(animal: &Animal, threat: &Threat) -> Vec3 {
    /// Cosine and sine of 45 degrees, the angle between 135 degrees and straight away.
    const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
    let backward = (-threat.heading).reject_from_normalized(threat.outward);
    let aside = threat.outward.reject_from_normalized(threat.heading);
    // Straight before the hunter's mouth either side will do: the one that the fish is turned to.
    let spare = animal.heading.reject_from_normalized(threat.outward);
    let round = (backward + 0.3 * spare).normalize_or(spare.normalize_or_zero());
    let way = DIAGONAL * (threat.outward + round) + 0.5 * aside.normalize_or_zero();
    let flat = Vec3::new(1.0, 0.6, 1.0);
    let strength = if threat.is_before { 5.0 } else { 1.5 };
    way * flat * (strength * threat.nearness)
}

/// Speed at which a fish of a length (m) makes way for a threat that it does not flee yet: the less time is left, the
/// faster. Unit: m/s.
pub(crate) fn evasion_speed(threat: &Threat, species: &Species, length: f32) -> f32 {
    /// Greatest share of the burst, and the arrival time below which it applies. By eye. Unit of the time: s.
    const MAX: f32 = 0.6;
    const HURRIES_S: f32 = 2.0;
    MAX * species.habits.burst_bl_s * length * (HURRIES_S / threat.arrival_s.max(HURRIES_S))
}
