//! Events: actions of animals that stir the water; the scene turns them into bubbles, clouds of sand and fallen scales.

use glam::Vec3;

use crate::animal::{Animal, Species};
use crate::traces::Traces;
use crate::{DECISION_EVERY, Habitat, STEPS_PER_S};

/// An action of an animal in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Kind of the action.
    pub kind: EventKind,
    /// Index of the animal's species, and the animal's number in it.
    pub animal: (usize, usize),
    /// Position in world space.
    pub position: Vec3,
    /// Velocity of the animal. Unit: m/s.
    pub velocity: Vec3,
    /// Volume of the air breathed out, or of the water that is clouded with sand. Unit: L.
    pub volume_l: f32,
}

/// Kind of an action that stirs the water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It breathes out.
    Exhale,
    /// It bites at the ground.
    Bite,
    /// It voids the sand that it has eaten with its food.
    Void,
    /// It beats the ground with its fins, to uncover food or itself with sand.
    Settle,
    /// It reaches the fish that it strikes at, which loses scales.
    Strike,
}

/// Time between breaths let go under water: the shortest, and the spread above it. Unit: s.
const BREATHS_S: [u32; 2] = [16, 17];

/// Time between a diver's breaths: the shortest, and the spread above it. Unit: s.
const DIVERS_BREATHS_S: [u32; 2] = [5, 2];

/// Duration of an exhalation. Unit: steps.
const BREATH_STEPS: u32 = 72;

/// Depth of the head below which a rising animal lets go of surplus air. Unit: m.
const LAST_BREATH_M: f32 = 1.2;

/// Sine of the climb that counts as rising.
const CLIMB_SINE: f32 = 0.2;

/// Air of a twentieth of a breath, for a length of a metre. Unit: L.
const BREATH_L: f32 = 0.0035;

/// Air of a twentieth of a diver's breath, for a length of a metre: about a litre a breath at 2.56 m, torch and fins
/// included. Unit: L.
const DIVERS_BREATH_L: f32 = 0.0031;

/// Time between a grazer's droppings: the shortest, and the spread above it. Unit: s.
const DROPPINGS_S: [u32; 2] = [20, 25];

/// Greatest height over the ground at which a grazer voids sand, so that the sand is seen to come from its feeding
/// place. By eye. Unit: body lengths.
const DROPS_BELOW_BL: f32 = 2.5;

/// Duration of a dropping. Unit: steps.
const DROPPINGS_STEPS: u32 = 54;

/// Water clouded by a bite, by each dropping and by a digging ray, for a length of a metre; by eye. Unit: L.
const CLOUDED_L: [f32; 3] = [12.0, 1.0, 45.0];

/// Returns the event of an animal, number `index` of all, in step `step`.
pub(super) fn event_of(
    animal: &Animal,
    species: &Species,
    habitat: &Habitat,
    (index, step): (u32, u64),
) -> Option<Event> {
    let Traces { breathes, has_tank, grinds, digs } = species.traces;
    let Animal { heading, length, .. } = *animal;
    let event = |kind, along: f32, volume_l: f32| {
        let position = animal.position + heading * (along * length);
        let volume_l = volume_l * length * length * length;
        let animal_of = (animal.species as usize, (index as usize).saturating_sub(species.animals.start));
        Some(Event { kind, animal: animal_of, position, velocity: heading * animal.speed, volume_l })
    };
    if breathes {
        let head_m = animal.position.y + 0.45 * length * heading.y;
        let comes_up = heading.y > CLIMB_SINE && head_m > -LAST_BREATH_M;
        if step.is_multiple_of(4) && (comes_up || is_time(BREATHS_S, BREATH_STEPS, index, step)) {
            return event(EventKind::Exhale, 0.45, BREATH_L);
        }
    }
    if has_tank && step.is_multiple_of(4) && is_time(DIVERS_BREATHS_S, BREATH_STEPS, index, step) {
        return event(EventKind::Exhale, 0.25, DIVERS_BREATH_L);
    }
    // Its mind is made up in one step of several.
    if animal.mind.has_struck && u64::from(index % DECISION_EVERY) == step % u64::from(DECISION_EVERY) {
        return event(EventKind::Strike, 0.3, 0.0);
    }
    let [bite_l, dropping_l, dig_l] = CLOUDED_L;
    if (grinds || digs) && animal.gait.bites() {
        let mouth = animal.position + heading * (0.45 * length);
        let over_ground = mouth.y - habitat.floor_m(mouth.x, mouth.z);
        if digs && over_ground < 0.6 * length {
            return event(EventKind::Settle, 0.0, dig_l);
        }
        if grinds && (over_ground < 0.8 * length || !habitat.is_clear(mouth, 0.35 * length)) {
            return event(EventKind::Bite, 0.45, bite_l);
        }
    }
    let is_low = || animal.position.y - habitat.floor_m(animal.position.x, animal.position.z) < DROPS_BELOW_BL * length;
    if grinds && step.is_multiple_of(6) && is_time(DROPPINGS_S, DROPPINGS_STEPS, index, step) && is_low() {
        return event(EventKind::Void, -0.25, dropping_l);
    }
    None
}

/// Whether an animal is in the first `lasting` steps of its individual period: the shortest, in seconds, plus up to a
/// spread.
fn is_time([shortest_s, longer_s]: [u32; 2], lasting: u32, index: u32, step: u64) -> bool {
    // Weyl sequences: neighbours are far apart both in period and in phase.
    let spread = |factor: u32| u64::from(index.wrapping_mul(factor) >> 8);
    let period = u64::from(STEPS_PER_S) * (u64::from(shortest_s) + spread(0x9e37_79b9) % u64::from(longer_s));
    (step + spread(0x85eb_ca6b)) % period < u64::from(lasting)
}

#[cfg(test)]
mod tests;
