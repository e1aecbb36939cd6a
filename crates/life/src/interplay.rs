//! Interplay with an onlooker: frightening and feeding the animals, releasing a hunter, and reports on their identity
//! and state.

use glam::Vec3;

use crate::animal::Animal;
use crate::conduct::fear;
use crate::food::Food;
use crate::grid::Seen;
use crate::mind::{Intention, NOBODY, Plan};
use crate::population::Population;
use crate::roles::Roles;
use crate::school::{School, THREATS};
use crate::{Behaviour, STEP_S, spawn};

/// Greatest number of portions of food in the water; beyond that the oldest vanish.
const PORTIONS: usize = 8;

/// Sinking speed of food. Unit: m/s.
const SINKS_M_S: f32 = 0.06;

/// Distance, beyond its length, at which an animal eats of a portion. Unit: m.
const EATS_WITHIN_M: f32 = 0.15;

/// Time in which one animal eats a portion alone. Unit: s.
const PORTION_LASTS_S: f32 = 30.0;

/// Animals that can eat of a portion at a time; others wait for their turn.
const MOUTHS: usize = 3;

/// Greatest number of released hunters besides the scene's; after that released ones are reused.
const MAX_RELEASED: usize = 12;

/// Public state of an animal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimalReport {
    /// Index of the species in the list that the population was made from.
    pub species: usize,
    /// Index of its school, if its species has schools.
    pub school: Option<usize>,
    /// Middle of the body, in world space.
    pub position: Vec3,
    /// Unit vector along the nose.
    pub heading: Vec3,
    /// Roll, positive to the left. Unit: rad.
    pub bank: f32,
    /// Length of the body. Unit: m.
    pub length_m: f32,
    /// Speed. Unit: m/s.
    pub speed_m_s: f32,
    /// Current activity: `flee`, `eat`, the name of a routine, or that of its behaviour without a special intention.
    pub doing: &'static str,
    /// Fear, 0..=1.
    pub fear: f32,
    /// Hunger, 0..=1.
    pub hunger: f32,
    /// Need for rest by the time of day, 0..=1.
    pub fatigue: f32,
    /// Loneliness without its like, 0..=1.
    pub loneliness: f32,
}

impl Population {
    /// Sets whether hunters are calm: none takes up a hunt or begins a strike then; a strike under way is finished.
    pub fn set_hunters_calm(&mut self, are_calm: bool) {
        self.hunters_are_calm = are_calm;
    }

    /// Reports on all animals, in the order of their species.
    pub fn reports(&self) -> impl ExactSizeIterator<Item = AnimalReport> {
        self.animals.iter().map(|animal| {
            let drives = animal.mind.drives;
            AnimalReport {
                species: animal.species as usize,
                school: (!self.species[animal.species as usize].lives_alone()).then_some(animal.school as usize),
                position: animal.position,
                heading: animal.heading,
                bank: animal.bank,
                length_m: animal.length,
                speed_m_s: animal.speed,
                doing: animal.mind.intention.name(self.species[animal.species as usize].behaviour),
                fear: animal.alarm,
                hunger: drives.hunger,
                fatigue: drives.fatigue,
                loneliness: drives.loneliness,
            }
        })
    }

    /// Returns the food in the water.
    pub fn food(&self) -> &[Food] {
        &self.food
    }

    /// Frightens all gregarious animals within `reach` metres of `place`: they start away from it.
    pub fn frighten(&mut self, place: Vec3, reach: f32) {
        let species = &self.species;
        for animal in self.animals.iter_mut().filter(|animal| species[animal.species as usize].is_gregarious()) {
            let away = animal.position - place;
            if away.length_squared() < reach * reach {
                fear::start(animal, away.normalize_or(Vec3::Y), 1.0);
            }
        }
    }

    /// Drops a portion of food at `place`.
    pub fn drop_food(&mut self, place: Vec3) {
        if self.food.len() == PORTIONS {
            self.food.remove(0);
        }
        self.food.push(Food { place: place.min(Vec3::new(f32::MAX, -0.05, f32::MAX)), left: 1.0 });
    }

    /// Puts another animal of the first hunting species at `place`, hungry and swimming along `heading`; returns the
    /// index of the species, or `None` if there are no hunters.
    pub fn release_hunter(&mut self, place: Vec3, heading: Vec3) -> Option<usize> {
        let number = self.species.iter().position(|one| one.is_predator && !one.animals.is_empty())?;
        let at = self.species[number].animals.end;
        let again = (self.released >= MAX_RELEASED).then(|| at - MAX_RELEASED + self.released % MAX_RELEASED);
        self.released += 1;
        let mut animal = self.animals[again.unwrap_or(at - 1)].clone();
        animal.position = place;
        animal.position = spawn::free_place(&self.species[number], &animal, &self.habitat);
        animal.heading = heading.with_y(0.0).normalize_or(animal.heading);
        (animal.prev_position, animal.prev_heading) = (animal.position, animal.heading);
        (animal.want, animal.turn, animal.bank, animal.prev_bank) = (animal.heading, Vec3::ZERO, 0.0, 0.0);
        animal.mind.take_up(Intention::Live);
        animal.mind.drives.hunger = 1.0;
        animal.mind.recovers_s = 0.0;
        match again {
            Some(index) => self.animals[index] = animal,
            None => self.insert(at, animal, number),
        }
        Some(number)
    }

    /// Inserts an animal into the list: all index ranges beyond it are shifted by one.
    fn insert(&mut self, at: usize, mut animal: Animal, species: usize) {
        let schools = self.schools.iter_mut().map(|school| &mut school.animals);
        for range in self.species.iter_mut().map(|one| &mut one.animals).chain(schools) {
            // An empty range moves as a whole.
            let is_beyond = usize::from(range.start >= at);
            *range = range.start + is_beyond..range.end + is_beyond.max(usize::from(range.end > at));
        }
        self.species[species].animals.end = at + 1;
        if self.species[species].behaviour == Behaviour::School || self.species[species].is_gregarious() {
            let like = &self.schools[animal.school as usize];
            let school = School {
                animals: at..at + 1,
                centroid: animal.position,
                goal: animal.position,
                plan: Plan::default(),
                roles: Roles::default(),
                threats: [NOBODY; THREATS],
                ..like.clone()
            };
            animal.school = self.schools.len() as u32;
            self.schools.push(school);
        }
        self.animals.insert(at, animal);
        self.appearances.insert(at, self.appearances[at - 1]);
        self.seen.push(Seen::default());
        // Indices have moved: at the next decision all animals look about anew.
        for animal in &mut self.animals {
            animal.neighbours.fill(NOBODY);
            animal.mind.other = NOBODY;
        }
    }

    /// Lets food sink, drift and be eaten.
    pub(super) fn step_food(&mut self, drift: Vec3) {
        if self.food.is_empty() {
            return;
        }
        let Self { food, animals, habitat, .. } = self;
        for portion in food.iter_mut() {
            portion.place += (drift - Vec3::Y * SINKS_M_S) * STEP_S;
            portion.place.y = portion.place.y.max(habitat.floor_m(portion.place.x, portion.place.z) + 0.05);
            let is_eating = |animal: &&Animal| {
                let reach = EATS_WITHIN_M + animal.length;
                animal.mind.intention == Intention::Eat
                    && animal.position.distance_squared(portion.place) < reach * reach
            };
            let eaters = animals.iter().filter(is_eating).count();
            portion.left -= eaters.min(MOUTHS) as f32 * STEP_S / PORTION_LASTS_S;
        }
        food.retain(|portion| portion.left > 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Habitat, LifeSettings, serial};

    fn sprats(count: u32) -> LifeSettings {
        LifeSettings { count, length_m: 0.15, depth_m: [2.0, 12.0], ..LifeSettings::default() }
    }

    fn sharks() -> LifeSettings {
        let behaviour = Behaviour::Cruiser;
        LifeSettings { count: 2, length_m: 1.8, behaviour, hunts: true, depth_m: [2.0, 12.0], ..sprats(2) }
    }

    #[test]
    fn a_fright_sends_off_who_is_near_and_fades() {
        let mut population = Population::new(&[sprats(60)], Habitat::default(), 4, serial);
        let place = population.reports().next().expect("there are fish").position;
        let before: Vec<f32> = population.reports().map(|one| one.position.distance(place)).collect();
        population.frighten(place, 1.0);
        let near = |distance: &f32| *distance < 1.0;
        assert!(before.iter().filter(|d| near(d)).count() > 5);
        for _ in 0..30 {
            population.step(Vec3::ZERO);
        }
        let fled: Vec<f32> = population.reports().map(|one| one.position.distance(place)).collect();
        let mean = |all: &[f32]| {
            let near: Vec<f32> = all.iter().zip(&before).filter(|(_, before)| near(before)).map(|(d, _)| *d).collect();
            near.iter().sum::<f32>() / near.len() as f32
        };
        assert!(mean(&fled) > mean(&before) + 0.25, "{} m, before {} m", mean(&fled), mean(&before));
        assert!(population.reports().any(|one| one.doing == "flee"));
        for _ in 0..20 * 60 {
            population.step(Vec3::ZERO);
        }
        assert!(population.reports().all(|one| one.fear == 0.0), "calm again within 20 s");
    }

    #[test]
    fn food_draws_the_hungry_and_is_eaten() {
        let mut population = Population::new(&[sprats(40)], Habitat::default(), 4, serial);
        let middle = population.reports().map(|one| one.position).sum::<Vec3>() / 40.0;
        population.drop_food(middle + Vec3::new(3.0, 0.0, 0.0));
        let (mut most, mut lasted) = (0, 0);
        for _ in 0..40 * 60 {
            population.step(Vec3::ZERO);
            most = most.max(population.reports().filter(|one| one.doing == "eat").count());
            lasted += population.food().len();
        }
        assert!(most > 10, "{most} came");
        assert!(population.food().is_empty(), "{:?} is left", population.food());
        assert!(lasted > 9 * 60, "it lasts for {lasted} steps");
    }

    #[test]
    fn a_hunter_is_one_of_its_kind_and_all_others_stay_who_they_were() {
        let mut population = Population::new(&[sprats(30), sharks(), sprats(20)], Habitat::default(), 4, serial);
        let before: Vec<Vec3> = population.reports().map(|one| one.position).collect();
        let place = Vec3::new(1.0, -5.0, 2.0);
        assert_eq!(population.release_hunter(place, Vec3::X), Some(1));
        assert_eq!((population.len(), population.count(0), population.count(1), population.count(2)), (53, 30, 3, 20));
        let mut after: Vec<Vec3> = population.reports().map(|one| one.position).collect();
        assert!(after.remove(32).distance(place) < 0.5);
        assert_eq!(before, after);
        for _ in 0..60 {
            population.step(Vec3::ZERO);
        }
        for _ in 0..40 {
            assert_eq!(population.release_hunter(place, Vec3::X), Some(1));
        }
        assert_eq!(
            (population.count(0), population.count(1), population.count(2)),
            (30, 2 + MAX_RELEASED, 20),
            "and no more"
        );
        let mut population = Population::new(&[sharks(), sprats(0), sprats(9)], Habitat::default(), 4, serial);
        assert_eq!(population.release_hunter(place, Vec3::X), Some(0));
        population.step(Vec3::ZERO);
        assert_eq!((population.count(0), population.count(1), population.count(2)), (3, 0, 9));
        assert_eq!(Population::new(&[sprats(30)], Habitat::default(), 4, serial).release_hunter(place, Vec3::X), None);
    }
}
