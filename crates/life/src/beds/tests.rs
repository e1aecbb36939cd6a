use glam::{Vec2, Vec3};

use crate::beds::SHOWS_BL;
use crate::population::Population;
use crate::settings::{Active, Routine, Swimming};
use crate::{Behaviour, Habitat, HeightMap, LifeSettings, Obstacle, Shelter, serial};

const SECOND: u32 = 60;

fn boulder() -> Obstacle {
    Obstacle { center: Vec3::new(0.0, -5.0, 0.0), radii: Vec3::new(0.8, 0.5, 0.8) }
}

/// A boulder on the sand with a shelter on one side, and an eel.
fn population(daylight: f32) -> Population {
    let eel = LifeSettings {
        name: "moray".into(),
        behaviour: Behaviour::Reef,
        swimming: Swimming::Anguilliform,
        routines: vec![Routine::Wander, Routine::Hide, Routine::Rest],
        active: Active::Night,
        shelter: vec!["boulder".into()],
        speed_bl_s: 0.3,
        depth_m: [1.0, 9.0],
        range_m: 4.0,
        ..LifeSettings::default()
    };
    let eel = LifeSettings { length_m: 1.0, length_spread: 0.0, ..eel };
    let floor = HeightMap::sample(Vec2::ZERO, 40.0, 1.0, |_, _| -5.0);
    let shelter = Shelter { model: "boulder".into(), place: Vec3::new(0.0, -4.75, 1.05), radius: 0.4 };
    let habitat = Habitat::new(Some(floor), vec![boulder()]).with_shelters([shelter]).at_daylight(daylight);
    Population::new(&[eel], habitat, 3, serial)
}

/// Distance of head and tail from the boulder, positive outside. Unit: m.
fn out(population: &Population) -> [f32; 2] {
    let eel = &population.animals[0];
    [0.5, -0.5].map(|end| {
        let p = eel.position + eel.heading.with_y(0.0).normalize_or(Vec3::Z) * (end * eel.length);
        (boulder().normalized_distance(p, 0.0) - 1.0) * 0.8
    })
}

fn run(population: &mut Population, seconds: u32) {
    (0..seconds * SECOND).for_each(|_| population.step(Vec3::ZERO));
}

#[test]
fn by_day_an_eel_has_its_head_out_of_its_crevice_and_draws_it_in_when_it_is_frightened() {
    let mut population = population(1.0);
    for _ in 0..20 {
        run(&mut population, 1);
        let [head, tail] = out(&population);
        assert!((head - SHOWS_BL).abs() < 0.06 && tail < 0.0, "head {head} m out, tail {tail} m");
        assert!(population.animals[0].heading.z > 0.85, "{}", population.animals[0].heading);
    }
    population.frighten(population.animals[0].position, 1.0);
    run(&mut population, 2);
    assert!(out(&population)[0] < 0.05, "in at once: {:?}", out(&population));
    run(&mut population, 30);
    assert!(out(&population)[0] > 0.2, "out again by and by: {:?}", out(&population));
}

#[test]
fn at_dusk_it_comes_out_and_at_dawn_it_backs_in() {
    let mut population = population(1.0);
    population.set_daylight(0.0);
    run(&mut population, 40);
    assert!(
        !population.animals[0].is_in_crevice && out(&population)[1] > -0.05,
        "all of it out: {:?}",
        out(&population)
    );
    population.set_daylight(1.0);
    let mut seen = Vec::new();
    for _ in 0..90 {
        run(&mut population, 1);
        seen.push(out(&population));
        let eel = &population.animals[0];
        let is_in_rock = boulder().normalized_distance(eel.position, 0.0) < 0.98;
        assert!(eel.is_in_crevice || !is_in_rock, "only by way of its crevice: {:?}", out(&population));
    }
    let [head, tail] = out(&population);
    assert!((head - SHOWS_BL).abs() < 0.06 && tail < 0.0, "back where it was: {seen:?}");
}

#[test]
fn a_kind_of_which_there_is_none_needs_no_bed() {
    let none = LifeSettings {
        name: "tang".into(),
        count: 0,
        behaviour: Behaviour::Reef,
        routines: vec![Routine::Wander, Routine::Rest],
        shelter: vec!["boulder".into()],
        ..LifeSettings::default()
    };
    let shelter = Shelter { model: "boulder".into(), place: Vec3::new(0.0, -4.75, 1.05), radius: 0.4 };
    let habitat = Habitat::new(None, vec![boulder()]).with_shelters([shelter]);
    let population = Population::new(&[none], habitat, 3, serial);
    assert!(population.animals.is_empty());
}

#[test]
fn nobody_lies_down_on_a_fan() {
    let turtle = LifeSettings {
        name: "turtle".into(),
        behaviour: Behaviour::Reef,
        routines: vec![Routine::Wander, Routine::Rest],
        shelter: vec!["boulder".into()],
        length_m: 0.8,
        count: 5,
        depth_m: [1.0, 9.0],
        range_m: 4.0,
        ..LifeSettings::default()
    };
    let beds = |fans: Vec<Obstacle>| {
        let floor = HeightMap::sample(Vec2::ZERO, 40.0, 1.0, |_, _| -5.0);
        let shelter = Shelter { model: "boulder".into(), place: Vec3::new(0.0, -4.75, 1.05), radius: 0.4 };
        let habitat = Habitat::new(Some(floor), vec![boulder()]).with_growths(fans).with_shelters([shelter]);
        let population = Population::new(std::slice::from_ref(&turtle), habitat, 3, serial);
        population.species[0].beds.clone()
    };
    let bare = beds(Vec::new());
    assert_eq!(bare.len(), 5);
    // A fan where the first one slept.
    let fan = Obstacle { center: bare[0].place, radii: Vec3::new(0.3, 0.4, 0.3) };
    for bed in beds(vec![fan]) {
        for end in [-0.4, 0.0, 0.4] {
            let p = bed.place + bed.heading * (end * turtle.length_m);
            assert!(fan.normalized_distance(p, 0.0) > 1.0, "{p} is in the fan");
        }
    }
}
