//! Territory: an intruder that comes too near to a guarded place is driven off.
//!
//! Damselfish, tangs, triggerfish and clownfish hold territories of a square metre to some; a chase is short and ends
//! when the intruder has left.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::DECISION_S;
use crate::animal::{Animal, Species};
use crate::avoidance::{is_hidden, keep_apart};
use crate::conduct::Senses;
use crate::conduct::routines::{Course, live};
use crate::grid::Seen;
use crate::mind::{Intention, NOBODY};
use crate::perception::{Chase, Perception};
use crate::settings::Routine;

/// Interval, in decisions, at which a guard looks for intruders and checks whether rock hides the one that it chases:
/// about twice a second.
const LOOKS_EVERY: u32 = 8;

/// Distance beyond its territory to which it drives an intruder, constant and by length. Units: m, body lengths.
const DRIVES_BEYOND: (f32, f32) = (0.5, 2.0);

/// Longest chase. By eye. Unit: s.
const LONGEST_S: f32 = 3.5;

/// Least and greatest time between two chases. By eye. Unit: s.
const PAUSES_S: [f32; 2] = [12.0, 32.0];

/// Greatest speed of a chaser and of the chased over the burst: the chased is a little faster. By eye.
const CHASES: f32 = 0.45;
const FLEES: f32 = 0.55;

/// Distance that a chaser keeps from the chased. Unit: body lengths.
const LEAVES_BL: f32 = 1.2;

/// Length of an intruder over its own: least and greatest.
const RIVALS: [f32; 2] = [0.5, 2.0];

/// Whether an animal of a length (m) drives off one of another length.
pub(crate) fn is_rival(own: f32, other: f32) -> bool {
    (RIVALS[0] * own..=RIVALS[1] * own).contains(&other)
}

/// Centre of the guarded place: its host, its home, or its feeding spot; an animal travelling with its school has none.
fn middle(animal: &Animal, species: &Species) -> Option<Vec3> {
    let feeds = animal.mind.intention == Intention::Do(Routine::Graze) && animal.mind.stay_s > 0.0;
    match (species.habits.has(Routine::Host), feeds) {
        (true, _) => species.habits.shelters.get(animal.mind.shelter as usize).copied(),
        (false, true) => Some(animal.position),
        (false, false) => species.lives_alone().then_some(animal.home),
    }
}

/// Makes a guard notice an intruder and take up the chase.
pub(in crate::conduct) fn notice_intruder(animal: &mut Animal, senses: &Senses<'_>) -> bool {
    let Senses { index, species, scene, .. } = *senses;
    animal.mind.recovers_s -= DECISION_S;
    let is_busy = !matches!(animal.mind.intention, Intention::Live | Intention::Do(Routine::Graze | Routine::Plankton));
    if is_busy || animal.mind.recovers_s > 0.0 || !looks_about(senses) {
        return false;
    }
    let Some(middle) = middle(animal, species) else { return false };
    let reach = species.habits.territory_m;
    // A guard away from home does not see it.
    if animal.position.distance(middle) > 2.0 * reach {
        return false;
    }
    let is_meant = |seen: &Seen| {
        use Routine::{Clean, Guard, Hide, Rest, VisitCleaner};
        let is_let_be = seen.intention == Intention::Flee
            || matches!(seen.intention, Intention::Do(Clean | Guard | Hide | Rest | VisitCleaner));
        !is_let_be && seen.index != index && seen.group != animal.school && is_rival(animal.length, seen.length)
    };
    let Some(intruder) = scene.nearest_of(middle, reach, &species.habits.rivals, is_meant) else { return false };
    if is_hidden(scene.habitat, animal.position, intruder.position) {
        return false;
    }
    animal.mind.take_up(Intention::Do(Routine::Guard));
    animal.mind.other = intruder.index;
    animal.goal = middle;
    true
}

/// Whether this is a decision at which a guard looks about: see [`LOOKS_EVERY`].
fn looks_about(senses: &Senses<'_>) -> bool {
    (senses.scene.round + senses.index).is_multiple_of(LOOKS_EVERY)
}

/// Chases the intruder, until it is out of the territory.
pub(super) fn guard(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    let species = senses.species;
    let Some(other) = senses.scene.seen.get(animal.mind.other as usize) else { return live(animal, senses, rng) };
    let to = other.position - animal.position;
    let driven = species.habits.territory_m + DRIVES_BEYOND.0 + DRIVES_BEYOND.1 * animal.length;
    animal.mind.stay_s += DECISION_S;
    let is_over = animal.mind.stay_s > LONGEST_S
        || other.position.distance(animal.goal) > driven
        || looks_about(senses) && is_hidden(senses.scene.habitat, animal.position, other.position);
    if is_over {
        animal.mind.other = NOBODY;
        animal.mind.recovers_s = PAUSES_S[0] + (PAUSES_S[1] - PAUSES_S[0]) * rng.random::<f32>();
        (animal.goal, animal.timer) = (animal.position, 0.0);
    }
    let most = CHASES * species.habits.burst_bl_s * animal.length;
    let gap = to.length() - LEAVES_BL * animal.length.max(other.length);
    let speed = (other.speed + 3.0 * gap).clamp(0.3 * species.cruise, most.max(species.cruise));
    let course = Course::toward(animal, to, 2.2, speed);
    // Several guards may chase the same intruder.
    let others = senses.near.iter().filter(|(_, mate)| mate.index != other.index);
    let apart: Vec3 = others.map(|(_, mate)| keep_apart(animal, mate, species.spacing)).sum();
    Course { pull: course.pull + apart, ..course }
}

/// Pull and speed (m/s) of a chased animal: away from its chaser and out of the territory.
pub(crate) fn give_ground(animal: &Animal, species: &Species, chase: &Chase, scene: &Perception<'_>) -> Course {
    let chaser = &scene.seen[chase.by as usize];
    let away = (animal.position - chaser.position).normalize_or_zero();
    let out = (animal.position - chase.from).normalize_or_zero();
    let way = (away + 0.7 * out + 0.3 * animal.wander) * Vec3::new(1.0, 0.4, 1.0);
    let near = 1.0 - (animal.position.distance(chaser.position) / (3.0 * chaser.length + 0.5)).min(1.0);
    let most = FLEES * species.habits.burst_bl_s * animal.length;
    Course {
        pull: 2.5 * (way.normalize_or(animal.heading) - animal.heading),
        speed: species.cruise + (most - species.cruise).max(0.0) * near,
    }
}
