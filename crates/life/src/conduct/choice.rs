//! Action selection: the next intention of an animal, and the end of the present one.
//!
//! Intentions are weighed in the order of Tu and Terzopoulos' artificial fishes (SIGGRAPH 1994): danger first, then the
//! present intention, then the strongest drive, and company and roaming last.

use glam::Vec3;

use crate::animal::Animal;
use crate::conduct::Senses;
use crate::conduct::routines::notice_intruder;
use crate::food::Food;
use crate::mind::{Drives, Habits, Intention, NOBODY, PRESSING};
use crate::settings::Routine;

/// Fear above which everything else is forgotten, and the fear at which flight ends.
const FLIGHT: [f32; 2] = [0.5, 0.2];

/// Time for which an intention is kept at least, unless fear or lack of air ends it. Unit: s.
const MIN_S: f32 = 2.5;

/// Advantage of the present intention over other drives: the memory that prevents dithering.
const PERSISTENCE: f32 = 0.35;

/// Distance within which a frightened animal heads for its shelter. Unit: m.
const SHELTER_REACH_M: f32 = 10.0;

/// Distance from which food in the water draws fish. Unit: m.
const SMELLS_FOOD_M: f32 = 9.0;

/// Hunger down to which offered food is eaten.
const STILL_EATS: f32 = 0.1;

/// Time for which a hiding animal stays after its fear is gone, and longest time to get there. Unit: s.
const STAYS_HIDDEN_S: f32 = 6.0;
const GETS_THERE_S: f32 = 25.0;

/// Chooses an animal's intention.
pub(crate) fn choose(animal: &mut Animal, senses: &Senses<'_>) {
    let habits = &senses.species.habits;
    let now = animal.mind.intention;
    let is_in_flight = matches!(now, Intention::Flee | Intention::Do(Routine::Hide));
    if animal.alarm > FLIGHT[usize::from(is_in_flight)] {
        let shelter = if habits.has(Routine::Hide) {
            habits.shelter_of(animal.mind.shelter, animal.position, SHELTER_REACH_M, senses.index)
        } else {
            None
        };
        match shelter {
            // A hiding animal stays where it is; its way there is not changed in the middle.
            Some(_) if now == Intention::Do(Routine::Hide) => {}
            Some(shelter) => {
                animal.mind.take_up(Intention::Do(Routine::Hide));
                animal.mind.shelter = shelter;
            }
            None => animal.mind.take_up(Intention::Flee),
        }
        return;
    }
    let hides = now == Intention::Do(Routine::Hide);
    if hides && animal.mind.stay_s < STAYS_HIDDEN_S && animal.mind.since_s < GETS_THERE_S {
        return;
    }
    let drives = animal.mind.drives;
    if habits.has(Routine::Breathe)
        && (drives.breath >= 1.0 || now == Intention::Do(Routine::Breathe) && drives.breath > 0.5)
    {
        animal.mind.take_up(Intention::Do(Routine::Breathe));
        return;
    }
    let is_drawn = |food: &Food| food.place.distance_squared(animal.position) < SMELLS_FOOD_M * SMELLS_FOOD_M;
    if senses.species.is_gregarious() && drives.hunger > STILL_EATS && senses.scene.food.iter().any(is_drawn) {
        animal.mind.take_up(Intention::Eat);
        return;
    }
    let guards = now == Intention::Do(Routine::Guard);
    if guards && animal.mind.other != NOBODY || habits.has(Routine::Guard) && notice_intruder(animal, senses) {
        return;
    }
    if animal.mind.since_s < MIN_S && !is_in_flight && !guards {
        return;
    }
    let wanted = strongest(animal.position, &drives, habits, now, senses);
    if wanted == Intention::Do(Routine::Rest) && now != wanted {
        animal.mind.shelter =
            habits.shelter_of(animal.mind.shelter, animal.position, f32::INFINITY, senses.index).unwrap_or(0);
    }
    animal.mind.take_up(wanted);
}

/// Intention of the strongest drive of an animal at `p`; the present intention `now` has an advantage.
fn strongest(p: Vec3, drives: &Drives, habits: &Habits, now: Intention, senses: &Senses<'_>) -> Intention {
    let plan = senses.school.map_or(Intention::Live, |school| school.plan.intention());
    let finds_ground = |routine: Routine| routine != Routine::Graze || senses.has_ground(p);
    let plan = match plan {
        Intention::Do(routine) if !finds_ground(routine) => Intention::Live,
        plan => plan,
    };
    let mut best = (plan, PRESSING);
    let mut weigh = |routine: Routine, drive: f32| {
        let intention = Intention::Do(routine);
        let weight = if intention == now { drive + PERSISTENCE } else { drive };
        if habits.has(routine) && weight > best.1 && finds_ground(routine) {
            best = (intention, weight);
        }
    };
    weigh(Routine::Rest, drives.fatigue);
    let itches = drives.itch >= 1.0 || now == Intention::Do(Routine::VisitCleaner);
    if itches && senses.scene.cleaners().next().is_some() {
        weigh(Routine::VisitCleaner, 0.95 * drives.itch);
    }
    weigh(Routine::Clean, 0.9);
    // Members of a school hunt with it, when it does.
    let is_alone = senses.school.is_none() || senses.species.lives_alone();
    if let Some(hunting) = habits.hunting().filter(|_| is_alone && !senses.scene.hunters_are_calm) {
        weigh(hunting, drives.hunger);
    }
    // Members of a school eat with it; strays head for it first.
    match senses.school {
        Some(_) if !senses.species.lives_alone() => weigh(Routine::School, 0.9 * drives.loneliness),
        _ => {
            weigh(Routine::Graze, drives.hunger);
            weigh(Routine::Plankton, drives.hunger);
        }
    }
    best.0
}
