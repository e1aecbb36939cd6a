//! Animals that come or go while all others live on.

use std::iter::zip;
use std::ops::Range;
use std::sync::Arc;

use math::{Join, splitmix64};

use crate::animal::{Animal, Bed, Species};
use crate::grid::{NeighbourGrid, Seen};
use crate::mind::NOBODY;
use crate::population::{Appearance, Population};
use crate::roles::Roles;
use crate::school::{School, THREATS};
use crate::{Habitat, LifeSettings, beam};

/// Plan of the animals that are to join a population. To make them takes long, and nothing of the population.
#[derive(Debug)]
pub struct NewcomersPlan {
    /// Settings of all species of the population, with the numbers that come.
    settings: Vec<LifeSettings>,
    habitat: Arc<Habitat>,
    /// Beds that are taken, by species.
    beds: Vec<Vec<Bed>>,
    daylight: f32,
    seed: u64,
}

/// Animals that are ready to join a population.
#[derive(Debug)]
pub struct Newcomers(Population);

impl NewcomersPlan {
    /// Makes the animals, schooled and swimming; `join` runs this in parallel.
    pub fn make(self, join: Join) -> Newcomers {
        let Self { settings, habitat, beds, daylight, seed } = self;
        Newcomers(Population::beside(&beds, &settings, habitat, daylight, (seed, join)))
    }
}

/// Animals of one species that are in the next population: their range in this one, and the index of the first there.
struct Moved {
    from: Range<usize>,
    to: usize,
}

/// Population of which the animals move into the next one.
struct Part<'a> {
    population: &'a Population,
    /// By species.
    moved: Vec<Moved>,
    /// Distance by which each species is behind on its path. Unit: m.
    lag_m: Vec<f32>,
    /// Index of each school in the next population; [`NOBODY`] for one without members there.
    schools: Vec<u32>,
}

impl<'a> Part<'a> {
    /// Population that moves into the next one of `species`.
    fn new(population: &'a Population, species: &[Species]) -> Self {
        let lag_m = zip(species, &population.species).map(|(one, other)| one.lap - other.lap).collect();
        Self { population, moved: Vec::new(), lag_m, schools: Vec::new() }
    }

    /// Index in the next population of the animal at `index` in this one; nobody if it is not there.
    fn place(&self, index: u32) -> u32 {
        let index = index as usize;
        let species = self.population.species.partition_point(|one| one.animals.end <= index);
        let moved = self.moved.get(species).filter(|moved| moved.from.contains(&index));
        moved.map_or(NOBODY, |moved| (moved.to + index - moved.from.start) as u32)
    }

    /// Moves the schools that have members in the next population.
    fn move_schools(&mut self, all: &mut Vec<School>) {
        for school in &self.population.schools {
            let Moved { from, to } = &self.moved[school.species as usize];
            let (start, end) = (school.animals.start.max(from.start), school.animals.end.min(from.end));
            if start >= end {
                self.schools.push(NOBODY);
                continue;
            }
            self.schools.push(all.len() as u32);
            all.push(School {
                animals: start - from.start + to..end - from.start + to,
                // The numbers of members mean others in a smaller school.
                roles: if end < school.animals.end { Roles::default() } else { school.roles.clone() },
                // Indices of hunters, which may have moved: at the next decision it looks about anew.
                threats: [NOBODY; THREATS],
                slot: school.slot - self.lag_m[school.species as usize],
                ..school.clone()
            });
        }
    }

    /// Moves the animals of one species.
    fn move_animals(&self, number: usize, all: &mut (Vec<Animal>, Vec<Appearance>)) {
        let from = self.moved[number].from.clone();
        let species = &self.population.species[number];
        all.0.extend(self.population.animals[from.clone()].iter().map(|animal| {
            let mut animal = animal.clone();
            animal.neighbours = animal.neighbours.map(|index| self.place(index));
            animal.mind.other = self.place(animal.mind.other);
            if species.is_gregarious() {
                animal.school = self.schools[animal.school as usize];
            }
            animal.slot -= self.lag_m[number];
            animal
        }));
        all.1.extend_from_slice(&self.population.appearances[from]);
    }
}

impl Population {
    /// Plans the animals that `settings` count, which are to come besides those that are there. But for the counts, the
    /// settings must be those that the population was made from.
    pub fn plan_newcomers(&self, settings: Vec<LifeSettings>) -> NewcomersPlan {
        NewcomersPlan {
            settings,
            habitat: Arc::clone(&self.habitat),
            beds: self.species.iter().map(|species| species.beds.clone()).collect(),
            daylight: self.daylight,
            // Others than those that came before.
            seed: splitmix64(self.seed, self.animals.len() as u64),
        }
    }

    /// Whether `newcomers` were planned for this population, or for one that it has come from.
    pub fn expects(&self, newcomers: &Newcomers) -> bool {
        Arc::ptr_eq(&self.habitat, &newcomers.0.habitat)
    }

    /// This population with `newcomers`, and without the last animals of each species, as many as `leaving` says. All
    /// others go on from where they are.
    ///
    /// # Panics
    /// If the newcomers are not [expected](Self::expects), or `leaving` has not a number for each species.
    pub fn turned_over(&self, leaving: &[usize], newcomers: Option<Newcomers>) -> Self {
        assert_eq!(leaving.len(), self.species.len(), "a number for each species");
        assert!(newcomers.as_ref().is_none_or(|newcomers| self.expects(newcomers)), "newcomers from elsewhere");
        let mut newcomers = newcomers.map(|newcomers| newcomers.0);
        if let Some(newcomers) = newcomers.as_mut().filter(|_| self.has_beams) {
            beam::get_used(&mut newcomers.animals, &self.beams, &self.habitat);
        }
        let mut stay = Part::new(self, &self.species);
        let mut come = newcomers.as_ref().map(|come| Part::new(come, &self.species));
        let (mut species, mut released, mut count) = (self.species.clone(), self.released, 0);
        for ((number, one), leaving) in species.iter_mut().enumerate().zip(leaving) {
            let first = count;
            let stays = one.animals.start..one.animals.end - (*leaving).min(one.animals.len());
            if let Some(last) = one.beds.last().copied() {
                one.beds.resize(stays.len(), last);
            }
            count += stays.len();
            let is_same = stays == one.animals && newcomers.as_ref().is_none_or(|come| come.count(number) == 0);
            if one.is_predator && !is_same {
                // The released ones are not its last any more.
                released = 0;
            }
            stay.moved.push(Moved { from: stays, to: first });
            if let Some(come) = &mut come {
                let others = &come.population.species[number];
                one.beds.extend_from_slice(&others.beds);
                come.moved.push(Moved { from: others.animals.clone(), to: count });
                count += others.animals.len();
            }
            one.animals = first..count;
        }
        let (mut schools, mut animals) = (Vec::new(), (Vec::with_capacity(count), Vec::with_capacity(count)));
        stay.move_schools(&mut schools);
        if let Some(come) = &mut come {
            come.move_schools(&mut schools);
        }
        for number in 0..species.len() {
            stay.move_animals(number, &mut animals);
            if let Some(come) = &come {
                come.move_animals(number, &mut animals);
            }
        }
        let (animals, appearances) = animals;
        Self {
            habitat: Arc::clone(&self.habitat),
            species,
            seen: vec![Seen::default(); animals.len()],
            animals,
            appearances,
            schools,
            // A step fills these.
            grids: self.grids.iter().map(NeighbourGrid::emptied).collect(),
            large: self.large.emptied(),
            hunters: Vec::new(),
            waiting: Vec::new(),
            chases: Vec::new(),
            events: Vec::new(),
            food: self.food.clone(),
            beams: self.beams.clone(),
            released,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests;
