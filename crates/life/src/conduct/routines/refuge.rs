//! Refuge: hiding in the coral in a fright, sleeping there, and life about a host.

use glam::{Vec2, Vec3};
use rand_pcg::Pcg64Mcg;

use crate::DECISION_S;
use crate::animal::{Animal, Bed, NOOKS, Species};
use crate::avoidance::{is_hidden, keep_apart};
use crate::beds::SHOWS_BL;
use crate::conduct::Senses;
use crate::conduct::routines::{Course, roam};
use crate::mind::Intention;
use crate::settings::Routine;

/// Arrival distance from its place, and its increase with the body length. Units: m, body lengths.
const NEAR_ENOUGH: (f32, f32) = (0.25, 0.4);

/// Distance to its place within which a frightened animal stays if rock hides it from there. Unit: body lengths.
const BEHIND_BL: f32 = 10.0;

/// Growth of that for an animal that does not arrive: a nook may be taken, or rock in the way. Unit: m/s.
const GROWS_M_S: f32 = 0.12;

/// Sinking speed of an animal that goes to bed: by the distance that is left, and at most. Units: 1/s, body lengths/s.
const SINKS_PER_S: f32 = 0.5;
const SINKS_BL_S: f32 = 0.4;

/// Greatest speed at which fins row an animal at rest off another. By eye. Unit: body lengths/s.
const ROWS_APART_BL_S: f32 = 0.3;

/// Eagerness of a sleeper to turn to its bed's direction. By eye.
const COMES_ROUND: f32 = 0.6;

/// Distance from its bed within which an animal lies in it. Unit: body lengths.
const IN_BED_BL: f32 = 0.15;

/// Distance from its daytime place in a crevice until the body is clear of it. Unit: body lengths.
const LEAVES_BL: f32 = 1.1 - SHOWS_BL;

/// Speed of an eel out of its crevice or backward into it, and in a fright. By eye. Unit: body lengths/s.
const COMES_BL_S: f32 = 0.12;
const DRAWS_BACK_BL_S: f32 = 1.0;

/// Slowing rate at the end of that movement. Unit: 1/s.
const APPROACH_PER_S: f32 = 3.0;

/// Weights of looking up and about from the crevice, over ahead. By eye.
const LOOKS_UP: f32 = 0.1;
const LOOKS_ABOUT: f32 = 0.3;

/// Usual distance of a clownfish from its host, over the greatest: it is seldom seen at the limit.
const MOSTLY_WITHIN: f32 = 0.1;

fn near_enough(animal: &Animal) -> f32 {
    NEAR_ENOUGH.0 + NEAR_ENOUGH.1 * animal.length + GROWS_M_S * (animal.mind.since_s - 4.0).clamp(0.0, 15.0)
}

/// Rows a body that has come to rest off its neighbours, or two would turn about each other.
fn settle_in(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    let spacing = 0.7 * senses.species.spacing;
    let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, spacing)).sum();
    animal.carried += apart.clamp_length_max(1.0) * (ROWS_APART_BL_S * animal.length);
    Course { pull: -Vec3::Y * animal.heading.y, speed: 0.01 * senses.species.cruise }
}

/// Heads for its shelter as fast as it can, and stays there until the fear is gone.
pub(super) fn hide(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    let Some(place) = animal.nook(senses.species, senses.index) else {
        return Course { pull: Vec3::ZERO, speed: senses.species.cruise };
    };
    let to = place - animal.position;
    // Behind rock it is out of sight as well as in its shelter.
    let is_behind = to.length() < BEHIND_BL * animal.length && is_hidden(senses.scene.habitat, animal.position, place);
    if is_behind || to.length() < near_enough(animal) {
        animal.mind.stay_s += DECISION_S;
        return settle_in(animal, senses);
    }
    let burst = senses.species.habits.burst_bl_s * senses.species.length;
    // A shelter steeply below is approached to and fro, not down a spiral.
    let is_steep = to.with_y(0.0).length() < to.y.abs();
    let ahead = animal.heading.with_y(0.0).normalize_or_zero();
    let to = if is_steep { ahead * to.y.abs() + Vec3::Y * to.y } else { to };
    // It slows down for the turn, or it would go round and round a place beside it.
    let ahead = (to.dot(animal.heading) / to.length()).max(0.0);
    let braking = (0.3 + to.length() / animal.length) * (0.3 + 0.7 * ahead);
    Course::toward(animal, to, 2.0, (senses.species.cruise * braking).min(0.6 * burst))
}

/// Goes to its shelter, or down to the ground, to sleep.
pub(super) fn rest(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    let species = senses.species;
    let p = animal.position;
    let bed = species.bed(senses.index);
    if let Some(Bed { place, heading, is_crevice: true }) = bed {
        return back_in(animal, senses, place, heading);
    }
    let place = bed.map(|bed| bed.place).or_else(|| animal.nook(species, senses.index));
    let place = place.unwrap_or_else(|| on_the_ground(animal, senses));
    let to = place - p;
    if !species.laws.crawls {
        // It sinks onto its bed by its fins and stays level.
        let sinks = (to.y * SINKS_PER_S).clamp(-SINKS_BL_S * animal.length, SINKS_BL_S * animal.length);
        animal.carried.y += sinks;
    }
    if to.length() < near_enough(animal) {
        animal.mind.stay_s += DECISION_S;
        return settle_in(animal, senses);
    }
    let far = (to.with_y(0.0).length() / (4.0 * animal.length)).clamp(0.05, 1.0);
    Course::toward(animal, to, 1.0, 0.8 * species.cruise * far)
}

/// Sleeping place without a shelter: below its home or near that, on ground or rock where nothing grows that it would lie
/// on; in open water the present position.
fn on_the_ground(animal: &Animal, senses: &Senses<'_>) -> Vec3 {
    /// Greatest descent for that. Unit: m.
    const DEEPEST_M: f32 = 6.0;
    /// Distances from below its home at which it looks for a bare place. Unit: body lengths.
    const ASIDE_BL: [f32; 3] = [0.7, 1.3, 2.0];
    /// Half the width and length of the place. Unit: body lengths.
    const LIES_BL: f32 = 0.4;
    let (habitat, home) = (senses.scene.habitat, animal.home);
    // Flat animals lie on the ground, and bury themselves in it among what grows there.
    let is_flat = senses.species.laws.turns_by_wings;
    let gap = if is_flat { 0.0 } else { 0.1 * animal.length };
    let on_ground = |aside: Vec2| {
        let [x, z] = [home.x + aside.x, home.z + aside.y];
        let rock = habitat.rock_top_m(x, z, 0.0, 0.0).unwrap_or(f32::NEG_INFINITY);
        let ground = rock.max(habitat.floor_m(x, z));
        (ground > home.y - DEEPEST_M).then(|| Vec3::new(x, ground + animal.clearance() + gap, z))
    };
    let round = |out: f32| NOOKS.iter().map(move |way| *way * (out * animal.length));
    let near = std::iter::once(Vec2::ZERO).chain(ASIDE_BL.into_iter().flat_map(round)).filter_map(on_ground);
    let bare = near.into_iter().find(|place| is_flat || habitat.is_bare(*place, LIES_BL * animal.length));
    bare.or_else(|| on_ground(Vec2::ZERO)).unwrap_or(animal.position)
}

/// Whether a sleeping animal has arrived at its bed, where only a fright stirs it.
pub(crate) fn is_asleep(animal: &Animal, species: &Species, index: u32) -> bool {
    animal.mind.sleeps() && species.bed(index).is_some_and(|bed| !bed.is_crevice)
}

/// Sleeps: it lies in its bed in the bed's direction, and its fins take it back there.
pub(crate) fn sleep(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    let Some(Bed { place, heading, .. }) = senses.species.bed(senses.index) else {
        return Course { pull: Vec3::ZERO, speed: 0.0 };
    };
    let to = place - animal.position;
    animal.mind.stay_s += DECISION_S;
    animal.carried = (to * SINKS_PER_S).clamp_length_max(SINKS_BL_S * animal.length);
    animal.is_unobstructed = to.length() < IN_BED_BL * animal.length;
    Course { pull: COMES_ROUND * (heading - animal.heading), speed: 0.0 }
}

/// Goes before its crevice at `place`, turns and backs into it: eels swim backward as well (D'Aout & Aerts 1999).
fn back_in(animal: &mut Animal, senses: &Senses<'_>, place: Vec3, out: Vec3) -> Course {
    /// Cosine of the angle within which it is turned to its direction in the crevice.
    const IS_ROUND: f32 = 0.97;
    let to = place + out * (LEAVES_BL * animal.length) - animal.position;
    if to.length() > near_enough(animal) {
        let far = (to.length() / animal.length).clamp(0.1, 1.0);
        return Course::toward(animal, to, 1.2, senses.species.cruise * far);
    }
    animal.is_in_crevice = animal.heading.dot(out) > IS_ROUND;
    Course { pull: 2.0 * (out - animal.heading), speed: 0.0 }
}

/// Keeps to its crevice: head and neck out by day, looking about; drawn in completely while it is afraid; and leaves it
/// for any other intention.
pub(crate) fn keep_to_crevice(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    let Some(Bed { place, heading: out, is_crevice: true }) = senses.species.bed(senses.index) else {
        animal.is_in_crevice = false;
        return Course { pull: Vec3::ZERO, speed: 0.0 };
    };
    let (ahead_bl, speed_bl) = match animal.mind.intention {
        Intention::Do(Routine::Rest) => (0.0, COMES_BL_S),
        Intention::Do(Routine::Hide) | Intention::Flee => (-SHOWS_BL, DRAWS_BACK_BL_S),
        _ => (LEAVES_BL, COMES_BL_S),
    };
    let to = place + out * (ahead_bl * animal.length) - animal.position;
    animal.mind.stay_s += DECISION_S;
    animal.is_in_crevice = ahead_bl < LEAVES_BL || to.length() > 0.05 * animal.length;
    animal.carried = (to * APPROACH_PER_S).clamp_length_max(speed_bl * animal.length);
    let looks = out + LOOKS_UP * Vec3::Y + LOOKS_ABOUT * animal.wander;
    Course { pull: looks - animal.heading, speed: 0.0 }
}

/// Moves in short darts about its host, and rubs along it now and then.
pub(super) fn keep_to_host(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    let (above, reach) = over_host(animal, senses);
    let astray = animal.position.distance(above) > senses.species.habits.host_m;
    if astray {
        animal.goal = above;
    }
    roam::dart_about(animal, senses, above, Vec3::new(reach, 0.5 * reach, reach), rng)
}

/// Centre of a guest's usual range, and its reach to either side (m).
pub(super) fn over_host(animal: &Animal, senses: &Senses<'_>) -> (Vec3, f32) {
    let habits = &senses.species.habits;
    let host = habits.shelters.get(animal.mind.shelter as usize).copied().unwrap_or(animal.home);
    let reach = (MOSTLY_WITHIN * habits.host_m).max(animal.length);
    (host + Vec3::Y * (0.5 * reach + animal.length), reach)
}
