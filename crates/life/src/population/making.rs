//! The making of a population: everybody in place, and under way.

use std::sync::Arc;

use glam::Vec3;
use math::Join;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::animal::{Bed, Species};
use crate::gait::GaitState;
use crate::grid::{NeighbourGrid, Seen};
use crate::home::shelters_in_reach;
use crate::perception::LARGE_CELL_M;
use crate::population::{Appearance, Population};
use crate::settings::Routine;
use crate::{Habitat, LifeSettings, beds, conduct, spawn};

/// Steps taken in advance, so that the first frame finds schools under way.
const WARM_UP_STEPS: u32 = 90;

impl Population {
    /// Creates the population, schooled and swimming; `join` runs this and every step in parallel.
    pub fn new(settings: &[LifeSettings], habitat: Habitat, seed: u64, join: Join) -> Self {
        let daylight = habitat.daylight();
        Self::beside(&[], settings, Arc::new(habitat), daylight, (seed, join))
    }

    /// Creates the population at a `daylight` of 0..=1, with beds other than those of `sleepers`, by species.
    pub(super) fn beside(
        sleepers: &[Vec<Bed>],
        settings: &[LifeSettings],
        habitat: Arc<Habitat>,
        daylight: f32,
        (seed, join): (u64, Join),
    ) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let (mut species, mut animals, mut schools) = (Vec::new(), Vec::new(), Vec::new());
        for (i, entry) in settings.iter().enumerate() {
            // A random stream of its own for each entry: changing one leaves the places of the others.
            let mut own = Pcg64Mcg::seed_from_u64(seed ^ (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let first = animals.len();
            let mut one = Species::new(entry, first..first);
            one.habits.shelters = shelters_in_reach(&entry.shelter, one.home, one.range, &habitat).collect();
            spawn::populate(entry, &one, i as u32, &habitat, &mut own, &mut animals, &mut schools);
            one.animals = first..animals.len();
            species.push(one);
        }
        for (i, animal) in animals.iter_mut().enumerate() {
            animal.gait = GaitState::new(settings[animal.species as usize].behaviour, (seed as u32) ^ (i as u32));
        }
        let appearances =
            animals.iter().map(|a| appearance(&settings[a.species as usize], a.length, &mut rng)).collect();
        let mut sizes: Vec<i32> = species.iter().filter(|s| s.is_gregarious()).map(Species::size_class).collect();
        sizes.sort_unstable();
        sizes.dedup();
        for one in &mut species {
            one.grid = sizes.partition_point(|size| *size < one.size_class());
        }
        let grids = sizes.iter().map(|size| NeighbourGrid::new(1.45 * (0.5 * *size as f32).exp2())).collect();
        let large = NeighbourGrid::new(LARGE_CELL_M);
        let seen = vec![Seen::default(); animals.len()];
        beds::make(&mut species, &animals, &habitat, sleepers);
        for (index, animal) in (0u32..).zip(&mut animals) {
            spawn::put_to_bed(animal, index, &species[animal.species as usize], (&habitat, daylight));
        }
        know_prey(&mut species, settings);
        let mut population = Self {
            habitat,
            species,
            animals,
            appearances,
            schools,
            seen,
            grids,
            large,
            hunters: Vec::new(),
            waiting: Vec::new(),
            chases: Vec::new(),
            food: Vec::new(),
            released: 0,
            daylight,
            beams: Vec::new(),
            has_beams: false,
            onlooker: None,
            hunters_are_calm: false,
            events: Vec::new(),
            seed,
            join,
            steps: 0,
            visits: 0,
        };
        for _ in 0..WARM_UP_STEPS {
            population.step(Vec3::ZERO);
        }
        population.visits = 0;
        population.events.clear();
        population
    }
}

/// Sets the prey of every species, and whether it has hunters to fear.
fn know_prey(species: &mut [Species], settings: &[LifeSettings]) {
    let has_hunters = species.iter().any(|one| one.is_predator);
    let gregarious: Vec<bool> = species.iter().map(Species::is_gregarious).collect();
    for (one, own) in species.iter_mut().zip(settings) {
        // Species that hunt stand their ground.
        one.habits.flinches = has_hunters && one.is_gregarious();
        one.habits.is_timid = one.habits.flinches && !one.is_predator && !one.habits.hunts();
        let is_prey = |i: &usize| gregarious[*i] && (own.prey.is_empty() || own.prey.contains(&settings[*i].name));
        one.habits.prey = (0..settings.len()).filter(is_prey).map(|i| i as u32).collect();
        // Animals that live by the ground, as it does, are in its way.
        let is_rival = |i: &usize| {
            let Some(other) = settings.get(*i) else { return false };
            gregarious[*i]
                && !other.hunts
                && !other.routines.contains(&Routine::Clean)
                && conduct::is_rival(one.length, other.length_m)
        };
        one.habits.rivals = (0..settings.len()).filter(is_rival).map(|i| i as u32).collect();
    }
}

/// Loss of brightness of an animal of twice the mean length: it is older. Chosen by eye.
const AGE_DULLS: f32 = 0.3;

fn appearance(settings: &LifeSettings, length: f32, rng: &mut Pcg64Mcg) -> Appearance {
    let spread = settings.colour_spread.clamp(0.0, 1.0);
    let older = length / settings.length_m.max(0.01) - 1.0;
    let bright = (1.0 + spread * (rng.random::<f32>() - 0.5)) * (1.0 - AGE_DULLS * older.clamp(-0.5, 1.0));
    let hue = Vec3::new(rng.random(), rng.random(), rng.random()) - 0.5;
    let own = Vec3::splat(bright) * (Vec3::ONE + 0.5 * spread * hue);
    Appearance { tint: own, variation: rng.random() }
}
