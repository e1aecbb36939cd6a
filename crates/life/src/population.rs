//! All animals of a scene, stepped together.

mod making;
mod newcomers;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3;
use math::{Fnv, Join, par_chunks, par_each, serial, splitmix64};
use ocean::Current;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::animal::{Animal, AnimalPose, Bed, Species};
use crate::attitude::orientation;
use crate::conduct::{self, fear};
use crate::event::{Event, event_of};
use crate::food::Food;
use crate::grid::{NeighbourGrid, Seen};
use crate::mind::{Intention, NOBODY};
use crate::path::Bout;
use crate::perception::{Chase, Perception};
use crate::school::{School, THREATS};
use crate::settings::Routine;
use crate::{Beam, Behaviour, DECISION_EVERY, DECISION_S, Gait, Habitat, STEP_S, beam, decide, spawn, swim};

pub use newcomers::{Newcomers, NewcomersPlan};

/// Animals in one parallel part: a tenth of a millisecond's work or more.
const ANIMALS_AT_ONCE: usize = 512;

/// Schools in one parallel part.
const SCHOOLS_AT_ONCE: usize = 16;

/// Colour and character of an individual; constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Appearance {
    tint: Vec3,
    variation: f32,
}

/// Position and motion of an animal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Middle of the body, in world space.
    pub position: Vec3,
    /// Unit vector along the nose.
    pub heading: Vec3,
    /// Speed. Unit: m/s.
    pub speed: f32,
    /// Length from nose to tail. Unit: m.
    pub length: f32,
}

/// All animals of a scene.
///
/// Fixed steps, in each of which every animal looks at the state of all before the step and changes only itself, by its
/// own random numbers: the same settings, habitat and seed give the same animals, bit for bit, on any number of
/// threads. A step uses only additions, products, quotients and square roots, so machines agree as well.
#[derive(Clone, Debug)]
pub struct Population {
    pub(super) habitat: Arc<Habitat>,
    pub(super) species: Vec<Species>,
    pub(super) animals: Vec<Animal>,
    pub(super) appearances: Vec<Appearance>,
    pub(super) schools: Vec<School>,
    /// All animals before the step.
    pub(super) seen: Vec<Seen>,
    /// Grids of schooling and reef fish, one for each size class, the smallest first.
    grids: Vec<NeighbourGrid>,
    /// Grid of all others: cruisers, drifters and still animals.
    large: NeighbourGrid,
    /// Feared hunters, before the step.
    hunters: Vec<Seen>,
    /// Animals that wait for a cleaner, before the step.
    waiting: Vec<Seen>,
    /// Chases before the step, in the order of the chased animals.
    chases: Vec<Chase>,
    pub(super) food: Vec<Food>,
    /// Number of released hunters.
    pub(super) released: usize,
    /// Daylight: 0 by night to 1 by day.
    daylight: f32,
    /// Beams of torches, and whether they have ever been set.
    beams: Vec<Beam>,
    has_beams: bool,
    onlooker: Option<Vec3>,
    /// Whether hunters leave their prey alone.
    pub(super) hunters_are_calm: bool,
    /// Events of the last step.
    events: Vec<Event>,
    seed: u64,
    join: Join,
    steps: u64,
    visits: u64,
}

impl Population {
    /// Memory of one animal, including its bed, its share of a school of a dozen, and its entry in a grid with four
    /// buckets, the most there are. Unit: bytes.
    pub const BYTES_AN_ANIMAL: usize = size_of::<Animal>()
        + size_of::<Appearance>()
        + size_of::<Bed>()
        + size_of::<School>() / 12
        + size_of::<Seen>()
        + NeighbourGrid::BYTES_AN_ENTRY
        + 4 * NeighbourGrid::BYTES_A_BUCKET;

    /// Advances by one step; `current` is the moving water, which carries jellyfish.
    pub fn step(&mut self, current: impl Into<Current>) {
        let (current, join) = (current.into(), self.join);
        match self.animals.len() <= ANIMALS_AT_ONCE {
            true => self.step_by(serial, &current),
            // The whole step runs on the thread pool: entering it takes time, and so happens only once.
            false => join(&mut || self.step_by(join, &current), &mut || ()),
        }
    }

    fn step_by(&mut self, join: Join, current: &Current) {
        self.step_food(current.mean);
        self.look(join);
        self.lead_schools(join);
        let scene = Perception {
            species: &self.species,
            schools: &self.schools,
            habitat: &self.habitat,
            seen: &self.seen,
            hunters: &self.hunters,
            waiting: &self.waiting,
            chases: &self.chases,
            food: &self.food,
            grids: &self.grids,
            large: &self.large,
            current: current.mean,
            daylight: self.daylight,
            beams: &self.beams,
            onlooker: self.onlooker,
            hunters_are_calm: self.hunters_are_calm,
            round: (self.steps / u64::from(DECISION_EVERY)) as u32,
        };
        let turn = (self.steps % u64::from(DECISION_EVERY)) as u32;
        let dice_seed = self.dice_seed(ANIMALS);
        let visits = AtomicU64::new(0);
        let step = self.steps;
        let events = Mutex::new(Vec::new());
        par_chunks(join, &mut self.animals, ANIMALS_AT_ONCE, &|first, animals| {
            let mut visited = 0;
            for (i, animal) in (first as u32..).zip(animals) {
                let species = &scene.species[animal.species as usize];
                if species.is_gregarious()
                    && scene.schools[animal.school as usize].fright > 0.0
                    && !conduct::is_asleep(animal, species, i)
                {
                    fear::catch(animal, scene.seen);
                }
                if i % DECISION_EVERY == turn {
                    visited += decide::decide(animal, i, &scene, &mut dice(dice_seed, i));
                }
                swim::advance(animal, species, scene.habitat, current);
                fear::subside(animal);
                animal.morph.step(species.drive, animal.alarm);
                if let Some(event) = event_of(animal, species, scene.habitat, (i, step)) {
                    events.lock().unwrap_or_else(PoisonError::into_inner).push((i, event));
                }
            }
            visits.fetch_add(visited as u64, Ordering::Relaxed);
        });
        self.visits += visits.into_inner();
        // In the animals' order, independent of the threads.
        let mut events = events.into_inner().unwrap_or_else(PoisonError::into_inner);
        events.sort_unstable_by_key(|(index, _)| *index);
        self.events.clear();
        self.events.extend(events.into_iter().map(|(_, event)| event));
        self.steps += 1;
    }

    /// Sets the places of a species that cleaners visit: from the middle of the body, right, up and back, in body
    /// lengths; none means anywhere on its flanks.
    pub fn set_cleaned_at(&mut self, species: usize, places: Vec<Vec3>) {
        if let Some(species) = self.species.get_mut(species) {
            species.cleaned_at = places;
        }
    }

    /// Number of animals.
    pub fn len(&self) -> usize {
        self.animals.len()
    }

    /// Whether there are no animals.
    pub fn is_empty(&self) -> bool {
        self.animals.is_empty()
    }

    /// Number of animals of the species at `species` in the list it was made from; 0 if there is no such entry.
    pub fn count(&self, species: usize) -> usize {
        self.species.get(species).map_or(0, |species| species.animals.len())
    }

    /// Poses of one species, `alpha` (0..=1) of the way from the last step but one to the last.
    pub fn poses(&self, species: usize, alpha: f32) -> impl ExactSizeIterator<Item = AnimalPose> {
        self.poses_of(species, 0..self.count(species), alpha)
    }

    /// Poses of the animals of one species that have these numbers; of what is not there there are none.
    pub fn poses_of(
        &self,
        species: usize,
        numbers: Range<usize>,
        alpha: f32,
    ) -> impl ExactSizeIterator<Item = AnimalPose> {
        let all = self.species.get(species).map_or(0..0, |species| species.animals.clone());
        let place = |number: usize| all.start + number.min(all.len());
        let range = place(numbers.start)..place(numbers.end).max(place(numbers.start));
        let appearances = &self.appearances[range.clone()];
        let animals = self.animals[range].iter().zip(appearances);
        animals.map(move |(animal, appearance)| pose(animal, appearance, &self.species[species], alpha))
    }

    /// Pose of one animal of a species, if there is one of that number.
    pub fn pose(&self, species: usize, number: usize, alpha: f32) -> Option<AnimalPose> {
        let of = self.species.get(species)?;
        let index = of.animals.start + number;
        of.animals.contains(&index).then(|| pose(&self.animals[index], &self.appearances[index], of, alpha))
    }

    /// Sets the daylight: 0 by night to 1 by day.
    pub fn set_daylight(&mut self, daylight: f32) {
        self.daylight = daylight.clamp(0.0, 1.0);
    }

    /// Sets the eye of an onlooker, whom the animals pass at a distance at which they are seen whole.
    pub fn set_onlooker(&mut self, eye: Option<Vec3>) {
        self.onlooker = eye;
    }

    /// Sets the beams of torches, from which animals flinch by night; eyes are used to those that are set first.
    pub fn set_beams(&mut self, beams: &[Beam]) {
        self.beams.clear();
        self.beams.extend_from_slice(beams);
        if !std::mem::replace(&mut self.has_beams, true) {
            beam::get_used(&mut self.animals, beams, &self.habitat);
        }
    }

    /// Events of the last step that stir the water.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Position and motion of the animal with index `index` among all.
    ///
    /// # Panics
    /// If there is no such animal.
    pub fn body(&self, index: usize) -> Body {
        let Animal { position, heading, speed, length, .. } = self.animals[index];
        Body { position, heading, speed, length }
    }

    /// Habitat of the animals.
    pub fn habitat(&self) -> &Habitat {
        &self.habitat
    }

    /// Polarisation of each school: 0 for random headings, 1 for equal ones.
    pub fn polarisations(&self) -> impl Iterator<Item = f32> {
        self.schools.iter().map(|school| school.heading.length())
    }

    /// Neighbours visited since the start: a measure of the search's cost, independent of the machine's speed.
    pub fn neighbour_visits(&self) -> u64 {
        self.visits
    }

    /// Hash of the bits of all positions, headings and gaits: equal for equal seeds and steps.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv::default();
        for a in &self.animals {
            let [x, y, z] = a.position.to_array();
            let [hx, hy, hz] = a.heading.to_array();
            let [weight, feed_progress, until_feed_s, gaits] = a.gait.parts();
            let parts =
                [x, y, z, hx, hy, hz, a.bank, a.speed, a.body.phase, weight, feed_progress, until_feed_s, gaits];
            parts.iter().for_each(|part| hash.word(part.to_bits()));
            hash.word(a.mind.intention.code().into());
        }
        hash.finish()
    }

    /// Records the visible state of all animals.
    fn look(&mut self, join: Join) {
        let Self { species, animals, seen, grids, large, hunters, waiting, chases, .. } = self;
        par_chunks(join, seen, ANIMALS_AT_ONCE, &|first, seen| {
            for ((index, seen), animal) in (first as u32..).zip(seen).zip(&animals[first..]) {
                let Animal { position, heading, speed, length, .. } = *animal;
                let kind = &species[animal.species as usize];
                let (key, group) = match kind.is_gregarious() {
                    true => (grids[kind.grid].key_at(position), animal.school),
                    false => (large.key_at(position.with_y(0.0)), animal.species),
                };
                let (intention, fright) = (animal.mind.intention, animal.mind.fright.shown());
                let strikes = intention.is_hunt() && animal.mind.other != NOBODY;
                *seen = Seen { position, key, heading, speed, length, group, index, intention, strikes, fright };
            }
        });
        par_each(join, grids, &|number, grid| {
            let members = species.iter().filter(|species| species.is_gregarious() && species.grid == number);
            grid.rebuild(join, seen, members.map(|species| species.animals.clone()));
        });
        let others = species.iter().filter(|species| !species.is_gregarious());
        large.rebuild(join, seen, others.map(|species| species.animals.clone()));
        hunters.clear();
        for one in species.iter().filter(|species| species.is_predator) {
            hunters.extend_from_slice(&seen[one.animals.clone()]);
        }
        waiting.clear();
        for one in species.iter().filter(|species| species.habits.has(Routine::VisitCleaner)) {
            let clients = &seen[one.animals.clone()];
            waiting.extend(clients.iter().filter(|one| one.intention == Intention::Do(Routine::VisitCleaner)).copied());
        }
        chases.clear();
        for one in species.iter().filter(|species| species.habits.has(Routine::Guard)) {
            // Few animals are chasing: filtering by `seen` is faster.
            let guards = seen[one.animals.clone()].iter().filter(|one| one.intention == Intention::Do(Routine::Guard));
            let who = guards.map(|guard| (guard.index, &animals[guard.index as usize]));
            let chasers = who.filter(|(_, one)| one.mind.other != NOBODY);
            chases.extend(chasers.map(|(by, one)| Chase { by, whom: one.mind.other, from: one.goal }));
        }
        // Each decision looks up its animal among the chased.
        chases.sort_by_key(|chase| chase.whom);
    }

    /// Advances the schools.
    fn lead_schools(&mut self, join: Join) {
        for species in &mut self.species {
            species.lap += species.cruise * STEP_S;
        }
        let (species, habitat, seen) = (&self.species, &self.habitat, &self.seen);
        let (hunters, calm) = (&self.hunters, self.hunters_are_calm);
        let turn = (self.steps % u64::from(DECISION_EVERY)) as u32;
        let dice_seed = self.dice_seed(SCHOOLS);
        par_chunks(join, &mut self.schools, SCHOOLS_AT_ONCE, &|first, schools| {
            for (i, school) in (first as u32..).zip(schools) {
                let members = &seen[school.animals.clone()];
                let species = &species[school.species as usize];
                school.fright = members.iter().fold(0.0, |most: f32, one| most.max(one.fright));
                lead(school, members, species, (habitat, calm), &mut dice(dice_seed, i));
                if i % DECISION_EVERY == turn {
                    if school.plan.stop().is_none() {
                        let course = conduct::school_course(school, species, habitat);
                        school.course = school.course.lerp(course, DECISION_S / 0.7).normalize_or(course);
                    }
                    heed(school, members, species, hunters);
                }
            }
        });
    }

    /// Seed of all random numbers of the next step, for animals or schools.
    fn dice_seed(&self, whose: u64) -> u64 {
        splitmix64(splitmix64(self.seed, whose), self.steps)
    }
}

/// Random stream of the animals.
const ANIMALS: u64 = 0;

/// Random stream of the schools.
const SCHOOLS: u64 = 1;

/// Random numbers of one animal or school for one step, independent of others and of their order.
fn dice(seed: u64, index: u32) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(splitmix64(seed, index.into()))
}

/// Updates a school's position, plan and next goal; `calm` hunters do not hunt.
fn lead(
    school: &mut School,
    members: &[Seen],
    species: &Species,
    (habitat, calm): (&Habitat, bool),
    rng: &mut Pcg64Mcg,
) {
    let share = 1.0 / members.len().max(1) as f32;
    school.centroid = members.iter().map(|a| a.position).sum::<Vec3>() * share;
    school.heading = members.iter().map(|a| a.heading).sum::<Vec3>() * share;
    school.plan.go_on(&species.habits, members.len(), (school.tension, calm), rng);
    school.figure.go_on(members.len(), rng);
    school.roles.go_on(members.len(), school.fright, rng);
    school.timer -= STEP_S;
    if school.plan.stop().is_some() {
        // Its slot stops with it.
        school.slot -= species.cruise * STEP_S;
        return;
    }
    let near = 1.5 * school.radius + 2.0 * species.length;
    if let Some(path) = &species.path {
        if school.timer <= 0.0 {
            school.bout = Bout::new(species.path_spread, species.length, rng);
            school.timer = school.bout.lasts_s;
        }
        let lead = species.lead(1.2 * school.radius);
        let on_path = school.bout.on_path(school.centroid, species.home);
        school.along = path.lead(school.along, on_path, lead / school.bout.scale);
        school.goal = species.near_ground(habitat, school.bout.place(path.at(school.along), species.home));
        // Schools on one path keep their order in it; gliding ones run ahead and fall behind.
        let pace = if species.laws.glides_down { school.bout.pace } else { 1.0 };
        school.pace = pace * species.pace_on(path, school.along, lead, school.slot);
    } else if school.timer <= 0.0 || school.centroid.distance(school.goal) < near {
        school.goal = spawn::school_place(species, school.radius, habitat, rng);
        school.timer = 10.0 + 15.0 * rng.random::<f32>();
        school.pace = 0.75 + 0.55 * rng.random::<f32>();
    }
}

/// Finds the hunters that a school has to heed, and their pressure.
fn heed(school: &mut School, members: &[Seen], species: &Species, hunters: &[Seen]) {
    /// Time constants of a school drawing together and opening again. Unit: s.
    const DRAWS_TOGETHER_S: [f32; 2] = [1.2, 8.0];
    let far2 = members.iter().map(|a| a.position.distance_squared(school.centroid)).fold(0.0, f32::max);
    school.extent = far2.sqrt();
    let squares: f32 =
        members.iter().map(|a| (a.position.y - school.centroid.y) * (a.position.y - school.centroid.y)).sum();
    // The variance of an evenly filled ellipsoid is a fifth of its half axis squared.
    school.height = (5.0 * squares / members.len().max(1) as f32).sqrt();
    let (mut pressure, mut below) = (0.0f32, 0.0f32);
    let mut nearest = [(f32::INFINITY, NOBODY); THREATS];
    if species.habits.flinches {
        for (number, hunter) in (0u32..).zip(hunters) {
            // Species that hunt themselves react only to a rush.
            if !species.habits.is_timid && hunter.rush() <= 0.0 {
                continue;
            }
            let to = hunter.position - school.centroid;
            let reach = fear::reach(hunter, species.length, species.habits.boldness) + 0.4 * hunter.length;
            let far = school.extent + 2.0 * reach;
            if to.length_squared() > far * far {
                continue;
            }
            let distance = to.length();
            // It notices hunters from farther than it flees them.
            let presses = (1.0 - (distance - school.extent) / (2.0 * reach)).min(1.0);
            pressure = pressure.max(presses);
            if -to.y > 0.5 * distance {
                below = below.max(presses);
            }
            let starts = fear::wariness(school.roles.unease)
                * fear::reach_now(hunter, species.length, species.habits.boldness)
                + 0.4 * hunter.length;
            let mut next = if distance < school.extent + starts { (distance, number) } else { (f32::INFINITY, NOBODY) };
            for one in &mut nearest {
                if next.0 < one.0 {
                    std::mem::swap(one, &mut next);
                }
            }
        }
    }
    school.threats = nearest.map(|(_, number)| number);
    let toward = |from: f32, to: f32| from + (to - from) * (DECISION_S / DRAWS_TOGETHER_S[usize::from(to < from)]);
    school.tension = toward(school.tension, pressure);
    school.hunted_from_below = toward(school.hunted_from_below, below);
}

/// Roll of a schooling fish as it snaps at plankton: its flank flashes. Unit: rad.
const SNAP_ROLL: f32 = 0.8;

fn pose(animal: &Animal, appearance: &Appearance, species: &Species, alpha: f32) -> AnimalPose {
    let heading = animal.prev_heading.lerp(animal.heading, alpha).normalize_or(animal.heading);
    let mut bank = animal.prev_bank + (animal.bank - animal.prev_bank) * alpha;
    let gait = animal.gait.blend_at(alpha);
    if species.behaviour == Behaviour::School && gait.blend == Gait::Feed {
        // A smooth bump; half of them roll to the left.
        let bump = 4.0 * gait.feed_progress * (1.0 - gait.feed_progress);
        bank += (SNAP_ROLL * bump * bump * gait.weight).copysign(appearance.variation - 0.5);
    }
    let motion = animal.body.at(alpha, &species.laws, animal.speed);
    AnimalPose {
        position: animal.prev_position.lerp(animal.position, alpha),
        rotation: orientation(heading, bank),
        length_m: animal.length,
        motion,
        gait,
        tint: appearance.tint,
        variation: appearance.variation,
        morph_weight: animal.morph.weight(species.drive, motion.phase),
    }
}

#[cfg(test)]
mod kinematics;
#[cfg(test)]
mod tests;
