use glam::Vec3;
use math::serial;

use super::*;
use crate::{Behaviour, Obstacle};

const STEP: Vec3 = Vec3::new(0.05, 0.0, 0.02);

/// Two kinds that school, with a cruiser that hunts them in between, and reef fish on a path.
fn settings(counts: [u32; 4]) -> Vec<LifeSettings> {
    let kind = |number: usize, behaviour, hunts| LifeSettings {
        name: format!("kind {number}"),
        count: counts[number],
        school_size: 40,
        depth_m: [2.0, 12.0],
        behaviour,
        hunts,
        ..LifeSettings::default()
    };
    let path_m = vec![[0.0, -5.0, 0.0], [20.0, -5.0, 0.0], [20.0, -5.0, 20.0]];
    vec![
        kind(0, Behaviour::School, false),
        kind(1, Behaviour::Cruiser, true),
        kind(2, Behaviour::School, false),
        LifeSettings { path_m, ..kind(3, Behaviour::School, false) },
    ]
}

fn sea() -> Habitat {
    Habitat::new(None, vec![Obstacle { center: Vec3::new(6.0, -8.0, 4.0), radii: Vec3::new(2.0, 3.0, 1.5) }])
}

fn population(counts: [u32; 4]) -> Population {
    let mut population = Population::new(&settings(counts), sea(), 7, serial);
    (0..50).for_each(|_| population.step(STEP));
    population
}

fn newcomers(population: &Population, counts: [u32; 4]) -> Option<Newcomers> {
    Some(population.plan_newcomers(settings(counts)).make(serial))
}

/// Position of an animal by its index; of nobody there is none.
fn place(population: &Population, index: u32) -> Option<Vec3> {
    population.animals.get(index as usize).map(|animal| animal.position)
}

/// Checks that all indices lead to animals that are there, and schools and their members know each other.
fn check(population: &Population) {
    assert_eq!(population.animals.len(), population.appearances.len());
    assert_eq!(population.species.last().map(|one| one.animals.end), Some(population.animals.len()));
    let mut members = 0;
    for (number, school) in population.schools.iter().enumerate() {
        members += school.animals.len();
        assert!(!school.animals.is_empty());
        let of_school = &population.animals[school.animals.clone()];
        assert!(of_school.iter().all(|one| (one.school, one.species) == (number as u32, school.species)));
    }
    let gregarious = population.species.iter().filter(|one| one.is_gregarious()).map(|one| one.animals.len());
    assert_eq!(members, gregarious.sum::<usize>());
    for (number, one) in population.species.iter().enumerate() {
        assert!(population.animals[one.animals.clone()].iter().all(|animal| animal.species as usize == number));
    }
}

#[test]
fn those_who_are_there_go_on_from_where_they_are_now() {
    let mut before = population([100, 2, 60, 30]);
    let coming = newcomers(&before, [80, 0, 45, 10]);
    (0..30).for_each(|_| before.step(STEP));
    let mut after = before.turned_over(&[0; 4], coming);
    check(&after);
    let counts = |population: &Population| [0, 1, 2, 3].map(|species| population.count(species));
    assert_eq!(counts(&after), [180, 2, 105, 40]);
    for species in 0..4 {
        for number in 0..before.count(species) {
            let old = &before.animals[before.species[species].animals.start + number];
            let new = &after.animals[after.species[species].animals.start + number];
            assert_eq!((old.position, old.heading, old.speed), (new.position, new.heading, new.speed));
            let known = |population: &Population, animal: &Animal| {
                let others = animal.neighbours.iter().chain([&animal.mind.other]);
                others.map(|index| place(population, *index)).collect::<Vec<_>>()
            };
            assert_eq!(known(&before, old), known(&after, new), "the same neighbours and prey");
        }
    }
    assert!(before.animals.iter().any(|animal| animal.neighbours[0] != NOBODY), "there are some");
    (0..30).for_each(|_| after.step(STEP));
    check(&after);
    assert!(after.animals.iter().all(|animal| animal.position.is_finite()));
}

#[test]
fn newcomers_are_others_than_those_who_are_there() {
    let before = population([100, 1, 60, 30]);
    let after = before.turned_over(&[0; 4], newcomers(&before, [100, 0, 60, 30]));
    let old = &after.species[0].animals;
    let (living, new) = after.animals[old.clone()].split_at(100);
    assert!(living.iter().zip(new).all(|(one, other)| one.position.distance(other.position) > 0.05));
    let late = |school: &School| {
        let path = after.species[3].path.as_ref().expect("a path");
        path.ahead(school.along, school.slot + after.species[3].lap).abs()
    };
    let schools: Vec<f32> = after.schools.iter().filter(|school| school.species == 3).map(late).collect();
    assert!(schools.len() == 2 && schools.iter().all(|late_m| *late_m < 5.0), "none is a lap behind: {schools:?}");
}

#[test]
fn the_last_to_come_are_the_first_to_leave() {
    let mut before = population([100, 2, 60, 30]);
    let more = before.turned_over(&[0; 4], newcomers(&before, [80, 0, 45, 10]));
    let again = more.turned_over(&[80, 0, 45, 10], None);
    check(&again);
    assert_eq!(again.state_hash(), before.state_hash());
    let mut fewer = before.turned_over(&[55, 1, 60, 7], None);
    check(&fewer);
    assert_eq!([0, 1, 2, 3].map(|species| fewer.count(species)), [45, 1, 0, 23]);
    assert_eq!(fewer.animals[..45].iter().map(|one| one.position).collect::<Vec<_>>(), {
        before.animals.truncate(45);
        before.animals.iter().map(|one| one.position).collect::<Vec<_>>()
    });
    (0..30).for_each(|_| fewer.step(STEP));
    let mut nobody = fewer.turned_over(&[1000; 4], None);
    check(&nobody);
    nobody.step(STEP);
    assert!(nobody.is_empty());
}

#[test]
fn a_released_hunter_stays_and_further_ones_replace_only_released_ones() {
    let mut before = population([100, 1, 60, 0]);
    for _ in 0..3 {
        before.release_hunter(Vec3::new(3.0, -5.0, 3.0), Vec3::X).expect("there is a hunter");
    }
    let mut after = before.turned_over(&[0; 4], newcomers(&before, [10, 0, 10, 10]));
    assert_eq!(after.count(1), 4);
    for _ in 0..20 {
        after.release_hunter(Vec3::new(3.0, -5.0, 3.0), Vec3::X).expect("there is a hunter");
    }
    assert_eq!(after.count(1), 13, "as many as without newcomers");
    check(&after);
    after.step(STEP);
}

#[test]
fn newcomers_are_of_one_population_only() {
    let (one, other) = (population([50, 0, 0, 0]), population([50, 0, 0, 0]));
    let coming = newcomers(&one, [5, 0, 0, 0]).expect("some");
    assert!(one.expects(&coming) && one.turned_over(&[9, 0, 0, 0], None).expects(&coming));
    assert!(!other.expects(&coming));
}
