//! Beds: where everyone sleeps, dealt out before the first step so that no two are given the same place. What crawls lies in
//! a crevice, head and neck out.

use std::collections::HashMap;

use glam::{IVec3, Vec2, Vec3};

use crate::life::Habitat;
use crate::life::animal::{Animal, Bed, NOOKS, Species};
use crate::life::habitat::{Crevice, floor};
use crate::life::settings::Routine;
use crate::life::swim::is_free;

/// Shelters, the nearest ones, at which a bed is looked for, and places about each.
const SHELTERS: u32 = 6;
const PLACES: usize = 26;

/// Distance of the first place from the middle of its shelter: by the length of the body, and at most. Units: m, body
/// lengths, m.
const FIRST_OUT: [f32; 3] = [0.1, 0.8, 0.3];

/// Distance of two beds over the lengths of both sleepers together.
const APART: f32 = 0.8;

/// Distance of two that lie in crevices: in the rock nobody else sleeps. Unit: body lengths.
const CREVICES_APART: f32 = 0.8;

/// Height over the ground up to which a shelter is one that stands on it. Unit: m.
const LOW_M: f32 = 1.0;

/// Room below a sleeper, whose fins stand out below it. Unit: body lengths.
const LIES_BL: f32 = 0.15;

/// How much of a body is out of its crevice. Unit: body lengths.
pub(super) const SHOWS_BL: f32 = 0.3;

/// Beds that are taken and the lengths of those who sleep there, by cubes of a metre.
type Taken = HashMap<IVec3, Vec<(Vec3, f32)>>;

/// Gives a bed to everyone that sleeps in a shelter: on the ground or by the rock, out of each other's way.
pub(super) fn make(species: &mut [Species], animals: &[Animal], habitat: &Habitat) {
    let mut taken = Taken::new();
    for one in species {
        if !one.habits.has(Routine::Rest) || one.habits.shelters.is_empty() || !one.is_gregarious() {
            continue;
        }
        for index in one.animals.clone() {
            let animal = &animals[index];
            let crevice = if one.laws.crawls { crevice(animal, one, habitat) } else { None };
            let bed = crevice.unwrap_or_else(|| {
                let place = bed(animal, index as u32, one, habitat, &taken);
                Bed { place, out: None }
            });
            taken.entry(cube(bed.place)).or_default().push((bed.place, animal.length));
            one.beds.push(bed);
        }
    }
}

/// A bed in the crevice whose door is nearest to the middle of the range, of those that others of its kind leave.
fn crevice(animal: &Animal, species: &Species, habitat: &Habitat) -> Option<Bed> {
    let body = (animal.length, animal.clearance());
    let place = |one: &Crevice| one.door - one.out * ((0.5 - SHOWS_BL) * animal.length);
    let far = |one: &Crevice| Vec2::new(one.door.x, one.door.z).distance_squared(species.home);
    let crevices = species.habits.shelters.iter().filter_map(|shelter| habitat.crevice_at(*shelter, body));
    let room = CREVICES_APART * animal.length;
    let left = crevices.filter(|one| species.beds.iter().all(|bed| bed.place.distance(place(one)) > room));
    let nearest = left.min_by(|a, b| far(a).total_cmp(&far(b)));
    nearest.map(|one| Bed { place: place(&one), out: Some(one.out) })
}

fn bed(animal: &Animal, index: u32, species: &Species, habitat: &Habitat, taken: &Taken) -> Vec3 {
    let mut sleeper = animal.clone();
    sleeper.mind.take_up(crate::life::mind::Intention::Do(Routine::Rest));
    let out = (FIRST_OUT[0] + FIRST_OUT[1] * animal.length).min(FIRST_OUT[2]);
    // Close by any of them before farther out by the first: who sleeps has something at its flank.
    for number in 0..PLACES {
        for nth in 0..SHELTERS {
            let own = species.habits.shelter_of(animal.mind.shelter, animal.position, f32::INFINITY, index + nth);
            let Some(shelter) = own else { break };
            let middle = species.habits.shelters[shelter as usize];
            sleeper.mind.shelter = shelter;
            let aside = NOOKS[number % NOOKS.len()] * (out * (number as f32).sqrt());
            let mut place = middle + Vec3::new(aside.x, 0.0, aside.y);
            let ground = habitat.floor_m(place.x, place.z);
            if place.y < ground + LOW_M {
                place.y = ground + animal.clearance() + LIES_BL * animal.length;
            }
            if is_free(&sleeper, species, habitat, place) && is_left(place, animal.length, taken) {
                return place;
            }
        }
    }
    sleeper.nook(species, index).unwrap_or(animal.position)
}

/// Whether nobody sleeps too near a place for one of a length (m) to join them.
fn is_left(place: Vec3, length: f32, taken: &Taken) -> bool {
    let middle = cube(place);
    (0..27).all(|i| {
        let near = taken.get(&(middle + IVec3::new(i % 3, i / 3 % 3, i / 9) - 1));
        near.is_none_or(|near| near.iter().all(|(bed, other)| bed.distance(place) >= APART * (length + other)))
    })
}

fn cube(p: Vec3) -> IVec3 {
    IVec3::new(floor(p.x), floor(p.y), floor(p.z))
}

#[cfg(test)]
mod tests;
