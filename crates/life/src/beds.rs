//! Beds: sleeping places, assigned before the first step so that no two animals get the same one. Crawling animals lie
//! in a crevice, head and neck out.

use std::collections::HashMap;

use glam::{IVec3, Vec2, Vec3};

use crate::animal::{Animal, Bed, NOOKS, Species};
use crate::habitat::{Crevice, floor};
use crate::mind::Intention;
use crate::settings::Routine;
use crate::swim::is_free;
use crate::{Habitat, Obstacle};

/// Places examined round the foot of a rock.
const ABOUT_A_ROCK: u32 = 16;

/// Greatest distance of the rock from a shelter at its foot, and of the ground below the shelter. Unit: m.
const BESIDE_M: f32 = 0.6;
const LOW_M: f32 = 0.45;

/// Gap between rock and flank. Unit: m.
const FLANK_GAP_M: f32 = 0.02;

/// Beds in one coral, and distance of the outermost from its middle: by body length, and at most. Units: body lengths,
/// m.
const IN_A_CORAL: usize = 7;
const CORAL_BL: f32 = 2.0;
const CORAL_M: f32 = 0.35;

/// Least distance of two beds over the summed lengths of both sleepers.
const APART: f32 = 0.6;

/// Least distance of two beds in crevices: nobody else sleeps in the rock. Unit: body lengths.
const CREVICES_APART: f32 = 0.8;

/// Extra distance worth swimming to a bed that is closed all round, over one in the open. By eye. Unit: m.
const WORTH_M: f32 = 4.0;

/// Length below which a sleeper lies among corals and plants, rather than on them. Unit: m.
const AMONG_M: f32 = 0.4;

/// Room below a sleeper, whose fins stand out below it. Unit: body lengths.
const LIES_BL: f32 = 0.15;

/// Length of the body that shows out of its crevice. Unit: body lengths.
pub(super) const SHOWS_BL: f32 = 0.3;

/// Taken beds with the lengths of their sleepers, by cubes of a metre.
type Taken = HashMap<IVec3, Vec<(Vec3, f32)>>;

/// Assigns a bed to every animal that sleeps in a shelter: on the ground or by the rock, out of each other's way and of
/// the `sleepers` whose beds are given by species.
pub(super) fn make(species: &mut [Species], animals: &[Animal], habitat: &Habitat, sleepers: &[Vec<Bed>]) {
    let mut taken = Taken::new();
    for (beds, one) in sleepers.iter().zip(&*species) {
        for bed in beds {
            taken.entry(cube(bed.place)).or_default().push((bed.place, one.length));
        }
    }
    for (number, one) in species.iter_mut().enumerate() {
        let others = sleepers.get(number).map_or(&[][..], Vec::as_slice);
        let sleeps_in_shelter = one.habits.has(Routine::Rest) && !one.habits.shelters.is_empty();
        if one.animals.is_empty() || !sleeps_in_shelter || !one.is_gregarious() {
            continue;
        }
        let mut left = if one.laws.crawls { Vec::new() } else { places(one, &animals[one.animals.start], habitat) };
        for index in one.animals.clone() {
            let animal = &animals[index];
            let crevice = if one.laws.crawls { crevice(animal, one, habitat, others) } else { None };
            let bed = crevice.or_else(|| nearest(animal, one, habitat, &mut left, &taken));
            let bed = bed.unwrap_or_else(|| {
                let place = animal.nook(one, index as u32).unwrap_or(animal.position);
                Bed { place, heading: animal.heading.with_y(0.0).normalize_or(Vec3::X), is_crevice: false }
            });
            taken.entry(cube(bed.place)).or_default().push((bed.place, animal.length));
            one.beds.push(bed);
        }
    }
}

/// Bed in the free crevice whose door is nearest to the middle of the range.
fn crevice(animal: &Animal, species: &Species, habitat: &Habitat, others: &[Bed]) -> Option<Bed> {
    let body = (animal.length, animal.clearance());
    let place = |one: &Crevice| one.door - one.out * ((0.5 - SHOWS_BL) * animal.length);
    let far = |one: &Crevice| Vec2::new(one.door.x, one.door.z).distance_squared(species.home);
    let crevices = species.habits.shelters.iter().filter_map(|shelter| habitat.crevice_at(*shelter, body));
    let room = CREVICES_APART * animal.length;
    let left = crevices.filter(|one| {
        let mut beds = species.beds.iter().chain(others);
        beds.all(|bed| bed.place.distance(place(one)) > room)
    });
    let nearest = left.min_by(|a, b| far(a).total_cmp(&far(b)));
    nearest.map(|one| Bed { place: place(&one), heading: one.out, is_crevice: true })
}

/// Takes the free bed that is nearest to the animal's position.
fn nearest(animal: &Animal, species: &Species, habitat: &Habitat, left: &mut Vec<Bed>, taken: &Taken) -> Option<Bed> {
    let mut sleeper = animal.clone();
    sleeper.mind.take_up(Intention::Do(Routine::Rest));
    // A guest sleeps with its own host.
    let host = species.habits.shelters.get(animal.mind.shelter as usize).filter(|_| species.habits.has(Routine::Host));
    let is_own = |bed: &&Bed| host.is_none_or(|host| bed.place.distance(*host) < species.habits.host_m);
    let far = |bed: &Bed| bed.place.distance(animal.position) - WORTH_M * enclosed(bed.place, habitat);
    let mut own: Vec<(f32, Bed)> = left.iter().filter(is_own).map(|bed| (far(bed), *bed)).collect();
    own.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let fits = |bed: &Bed| is_free(&sleeper, species, habitat, bed.place) && is_left(bed.place, animal.length, taken);
    let bed = own.into_iter().map(|(_, bed)| bed).find(fits);
    match bed {
        Some(bed) => left.retain(|one| one.place != bed.place),
        // A place that is too small for one is too small for the next.
        None if !species.habits.has(Routine::Host) => left.clear(),
        None => {}
    }
    bed
}

/// Share of a place's surroundings that is rock or ground: 0 in the open to 1 in a hole.
fn enclosed(place: Vec3, habitat: &Habitat) -> f32 {
    /// Distance examined, to all sides and up. Unit: m.
    const LOOKS_M: f32 = 0.6;
    let is_closed = |way: Vec3| {
        let p = place + LOOKS_M * way;
        p.y < habitat.floor_m(p.x, p.z) || !habitat.is_clear(p, 0.0)
    };
    let sides = NOOKS.iter().map(|nook| Vec3::new(nook.x, 0.0, nook.y)).chain([Vec3::Y, Vec3::Y]);
    sides.filter(|way| is_closed(*way)).count() as f32 / (NOOKS.len() + 2) as f32
}

/// Possible beds of a species: at the foot of every sheltering rock, along its side, and among the branches of every
/// coral.
fn places(species: &Species, animal: &Animal, habitat: &Habitat) -> Vec<Bed> {
    let mut rocks: Vec<Obstacle> = Vec::new();
    let mut all = Vec::new();
    let lies = animal.clearance() + LIES_BL * animal.length;
    for &shelter in &species.habits.shelters {
        let is_low = shelter.y < habitat.floor_m(shelter.x, shelter.z) + LOW_M;
        let near = |o: &&Obstacle| is_low && o.normalized_distance(shelter, BESIDE_M) < 1.0;
        let rock = habitat.obstacles_near(shelter).filter(near).max_by(|a, b| a.radii.x.total_cmp(&b.radii.x));
        match rock {
            Some(rock) if rocks.contains(rock) => {}
            Some(rock) => {
                rocks.push(*rock);
                (0..ABOUT_A_ROCK).for_each(|i| all.extend(at_foot(rock, i, lies, animal, habitat)));
            }
            None => {
                let out = (CORAL_BL * animal.length).min(CORAL_M);
                for (number, nook) in NOOKS.iter().take(IN_A_CORAL).enumerate() {
                    let aside = *nook * (out * (number as f32 / IN_A_CORAL as f32).sqrt());
                    let place = shelter + Vec3::new(aside.x, 0.0, aside.y);
                    let place = place.with_y(place.y.max(habitat.floor_m(place.x, place.z) + lies));
                    all.push(Bed { place, heading: Vec3::new(-nook.y, 0.0, nook.x), is_crevice: false });
                }
            }
        }
    }
    all
}

/// The `i`th bed of [`ABOUT_A_ROCK`] round a rock: with the flank to it, `lies` metres over the ground.
fn at_foot(rock: &Obstacle, i: u32, lies: f32, animal: &Animal, habitat: &Habitat) -> Option<Bed> {
    /// Offset of head and tail from the middle. Unit: body lengths.
    const ENDS_BL: f32 = 0.4;
    /// Greatest depth of the ground below the rock's middle, over its half height: deeper, there is no flank.
    const OVERHANGS: f32 = 0.95;
    let turn = (i as f32 + 0.5) / ABOUT_A_ROCK as f32 * std::f32::consts::TAU;
    let out = Vec3::new(turn.cos(), 0.0, turn.sin());
    let grown = rock.radii + animal.clearance() + FLANK_GAP_M;
    let reach = 1.0 / (out / grown).length();
    // The ground slopes: twice is near enough.
    let mut place = rock.center + out * reach;
    for _ in 0..2 {
        place.y = habitat.floor_m(place.x, place.z) + lies;
        let level = (place.y - rock.center.y) / grown.y;
        if level.abs() > OVERHANGS {
            return None;
        }
        place = (rock.center + out * (reach * (1.0 - level * level).sqrt())).with_y(place.y);
    }
    let side = rock.normal(place, 0.0).with_y(0.0).normalize_or(out).cross(Vec3::Y);
    let heading = if i.is_multiple_of(2) { side } else { -side };
    let is_open = |end: f32| {
        let p = place + heading * (end * animal.length);
        habitat.floor_m(p.x, p.z) < p.y
            && habitat.is_clear(p, 0.25 * animal.clearance())
            && (animal.length < AMONG_M || habitat.is_bare(p, animal.clearance()))
    };
    [0.0, ENDS_BL, -ENDS_BL].into_iter().all(is_open).then_some(Bed { place, heading, is_crevice: false })
}

/// Whether a place is far enough from all sleepers for another one of a length (m).
fn is_left(place: Vec3, length: f32, taken: &Taken) -> bool {
    let middle = cube(place);
    // The middle one first: in a crowd it is there that a sleeper is too near.
    (13..27).chain(0..13).all(|i| {
        let near = taken.get(&(middle + IVec3::new(i % 3, i / 3 % 3, i / 9) - 1));
        near.is_none_or(|near| near.iter().all(|(bed, other)| bed.distance(place) >= APART * (length + other)))
    })
}

fn cube(p: Vec3) -> IVec3 {
    IVec3::new(floor(p.x), floor(p.y), floor(p.z))
}

#[cfg(test)]
mod tests;
