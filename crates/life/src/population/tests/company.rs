//! Company: cohesion and spacing of schools, splitting before hunters, and giving way to larger animals.

use super::*;

#[test]
fn two_fish_keep_about_a_length_apart() {
    let settings = LifeSettings { length_spread: 0.0, depth_m: [5.0, 40.0], ..school(2) };
    let length = settings.length_m;
    // Least and mean distance over ten seconds.
    let apart = |seed| {
        let mut population = Population::new(std::slice::from_ref(&settings), Habitat::default(), seed, serial);
        population.animals[1].position = population.animals[0].position + Vec3::new(0.02, 0.0, 0.01);
        run(&mut population, 5 * SECOND);
        let (mut least, mut sum) = (f32::INFINITY, 0.0);
        for _ in 0..10 * SECOND {
            population.step(Vec3::ZERO);
            let apart = population.animals[0].position.distance(population.animals[1].position) / length;
            (least, sum) = (least.min(apart), sum + apart);
        }
        (least, sum / (10 * SECOND) as f32)
    };
    let (leasts, mut means): (Vec<f32>, Vec<f32>) = (0..21).map(apart).unzip();
    assert!(leasts.iter().all(|least| *least > 0.4), "{leasts:?}");
    means.sort_by(f32::total_cmp);
    assert!((0.6..2.5).contains(&means[10]), "{means:?}");
}

#[test]
fn a_school_swims_one_way_but_not_in_lockstep() {
    let mut population =
        Population::new(&[LifeSettings { range_m: 60.0, ..school(200) }], Habitat::default(), 6, serial);
    let mut sum = 0.0;
    for _ in 0..30 * SECOND {
        population.step(Vec3::ZERO);
        sum += population.polarisations().next().expect("one school");
    }
    let mean = sum / (30 * SECOND) as f32;
    assert!((0.8..0.9995).contains(&mean), "{mean}");
    let phases: Vec<f32> = population.animals.iter().map(|a| a.body.phase).collect();
    for quarter in 0..4 {
        let range = 0.25 * quarter as f32..0.25 * (quarter + 1) as f32;
        let share = phases.iter().filter(|p| range.contains(p)).count();
        assert!((25..=75).contains(&share), "{share} of 200 beat in quarter {quarter}");
    }
    assert!(population.polarisations().all(|p| p > 0.6));
}

#[test]
fn a_school_stays_together_about_a_length_apart() {
    let settings = LifeSettings { range_m: 60.0, length_spread: 0.0, ..school(200) };
    let length = settings.length_m;
    let mut population = Population::new(&[settings], Habitat::default(), 9, serial);
    run(&mut population, 30 * SECOND);
    let nearest = |i: usize| {
        let others = population.animals.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, o)| o.position.distance(population.animals[i].position)).fold(f32::INFINITY, f32::min)
    };
    let mut gaps: Vec<f32> = (0..200).map(|i| nearest(i) / length).collect();
    gaps.sort_by(f32::total_cmp);
    assert!((0.5..1.3).contains(&gaps[100]), "median gap {} lengths", gaps[100]);
    assert!(gaps[10] > 0.25, "near the least: {}", gaps[10]);
    let center = population.schools[0].centroid;
    let far = population.animals.iter().filter(|a| a.position.distance(center) > 20.0 * length).count();
    assert!(far < 10, "{far} of 200 are lost");
}

#[test]
fn members_of_a_school_climb_and_dive_a_little_each_in_its_own_way() {
    let mut population =
        Population::new(&[LifeSettings { range_m: 60.0, ..school(200) }], Habitat::default(), 6, serial);
    run(&mut population, 20 * SECOND);
    let climbs: Vec<f32> = population.animals.iter().map(|a| a.heading.y.asin().to_degrees()).collect();
    let mean = climbs.iter().sum::<f32>() / climbs.len() as f32;
    let spread = (climbs.iter().map(|c| (c - mean).powi(2)).sum::<f32>() / climbs.len() as f32).sqrt();
    assert!((3.0..10.0).contains(&spread), "{spread} degrees about {mean}");
}

#[test]
fn a_predator_opens_a_gap_that_closes_again() {
    let prey = LifeSettings { school_size: 300, range_m: 80.0, depth_m: [2.0, 30.0], ..school(300) };
    let hunter = LifeSettings { depth_m: [2.0, 30.0], range_m: 80.0, hunts: true, ..cruiser(1.6) };
    let mut population = Population::new(&[prey, hunter], Habitat::default(), 21, serial);
    let hunter = population.animals.len() - 1;
    let within = |population: &Population, at: Vec3| {
        population.animals[..hunter].iter().filter(|a| a.position.distance(at) < 0.5).count()
    };
    let before = within(&population, population.schools[0].centroid);
    population.animals[hunter].position = population.schools[0].centroid + Vec3::new(5.0, 0.0, 0.0);
    // A hunter led by hand through the middle of the school.
    let mut closest = (f32::INFINITY, usize::MAX);
    for _ in 0..5 * SECOND {
        let course = (population.schools[0].centroid - population.animals[hunter].position).normalize_or(Vec3::X);
        let fish = &mut population.animals[hunter];
        (fish.heading, fish.want, fish.speed) = (course, course, 1.5);
        population.step(Vec3::ZERO);
        let at = population.animals[hunter].position;
        let distance = at.distance(population.schools[0].centroid);
        if distance < closest.0 {
            closest = (distance, within(&population, at));
        }
    }
    assert!(before > 60, "{before}");
    assert!(closest.0 < 0.5 && closest.1 * 8 < before, "{closest:?}, {before} before");
    for _ in 0..25 * SECOND {
        population.animals[hunter].position = population.schools[0].centroid + Vec3::new(40.0, 0.0, 0.0);
        population.step(Vec3::ZERO);
    }
    assert!(population.schools[0].heading.length() > 0.8, "one heading again");
    let after = within(&population, population.schools[0].centroid);
    assert!(after > 3 * closest.1.max(8), "closed again: {after} where there were {} beside the predator", closest.1);
    let center = population.schools[0].centroid;
    let together = population.animals[..hunter].iter().filter(|a| a.position.distance(center) < 3.0).count();
    assert!(together > 270, "{together} of 300 are together again");
}

#[test]
fn those_who_hunt_frighten_and_others_do_not() {
    let scattered = |hunts| {
        let prey = LifeSettings { range_m: 80.0, depth_m: [2.0, 30.0], ..school(60) };
        let large = LifeSettings { depth_m: [2.0, 30.0], range_m: 80.0, hunts, ..cruiser(2.4) };
        let mut population = Population::new(&[prey, large], Habitat::default(), 21, serial);
        let beside = population.schools[0].centroid + Vec3::new(0.0, 0.0, 2.2);
        population.animals[60].position = beside;
        run(&mut population, SECOND / 2);
        population.animals[..60].iter().filter(|fish| fish.alarm > 0.0).count()
    };
    assert!(scattered(true) > 20, "{} take fright", scattered(true));
    assert_eq!(scattered(false), 0, "a large animal passes at a distance");
}

/// Least distance between any two fish, in mean lengths of the two, over the last 20 of 40 seconds.
fn nearest_ever(species: &[LifeSettings], seed: u64) -> f32 {
    let mut population = Population::new(species, Habitat::default(), seed, serial);
    run(&mut population, 20 * SECOND);
    let mut least = f32::INFINITY;
    for _ in 0..20 * SECOND {
        population.step(Vec3::ZERO);
        for (i, a) in population.animals.iter().enumerate() {
            let gaps = population.animals[i + 1..]
                .iter()
                .map(|b| 2.0 * a.position.distance(b.position) / (a.length + b.length));
            least = gaps.fold(least, f32::min);
        }
    }
    least
}

#[test]
fn large_fish_never_swim_through_each_other() {
    // Three shoals to and fro on one short path: they meet again and again.
    let shoals = LifeSettings {
        length_m: 0.36,
        speed_bl_s: 0.8,
        school_size: 5,
        path_m: vec![[-2.0, -5.9, 0.0], [0.4, -5.9, 0.7], [2.0, -5.9, 0.0], [0.4, -5.9, -0.3]],
        ..school(15)
    };
    let at_home = LifeSettings {
        behaviour: Behaviour::Reef,
        swimming: Swimming::Labriform,
        length_m: 0.3,
        range_m: 2.0,
        ..school(8)
    };
    let nearest = |species: &LifeSettings| {
        let mut of_seeds: Vec<f32> = (0..40).map(|seed| nearest_ever(std::slice::from_ref(species), seed)).collect();
        of_seeds.sort_by(f32::total_cmp);
        of_seeds
    };
    let moving = nearest(&shoals);
    assert!(moving[0] > 0.58, "shoals: {moving:?} lengths");
    // Two at one home may pick stops too near each other; they seldom do.
    let hovering = nearest(&at_home);
    assert!(hovering[0] > 0.2 && hovering[10] > 0.55, "at home: {hovering:?} lengths");
}

#[test]
fn small_fish_go_round_those_one_size_larger() {
    let path_m = vec![[-2.0, -5.9, 0.0], [0.4, -5.9, 0.7], [2.0, -5.9, 0.0], [0.4, -5.9, -0.3]];
    let large = LifeSettings { length_m: 0.36, speed_bl_s: 0.6, school_size: 1, path_m: path_m.clone(), ..school(5) };
    let small = LifeSettings { length_m: 0.22, school_size: 12, path_m, ..school(24) };
    let mut population = Population::new(&[large, small], Habitat::default(), 3, serial);
    run(&mut population, 10 * SECOND);
    let mut touches = 0;
    for _ in 0..20 * SECOND {
        population.step(Vec3::ZERO);
        let (large, small) = population.animals.split_at(5);
        let pairs = large.iter().flat_map(|a| small.iter().map(move |b| (a, b)));
        touches += pairs.filter(|(a, b)| a.position.distance(b.position) < 0.35 * a.length).count();
    }
    assert!(touches < 30, "{touches} of 144000 looks at a pair found one in the other");
}

#[test]
fn a_species_keeps_the_distance_that_it_asks_for() {
    let median = |spacing_bl| {
        let settings = LifeSettings { spacing_bl, range_m: 60.0, ..school(60) };
        let mut population = Population::new(&[settings], Habitat::default(), 9, serial);
        run(&mut population, 20 * SECOND);
        let nearest = |i: usize| {
            let others = population.animals.iter().enumerate().filter(|(j, _)| *j != i);
            others.map(|(_, o)| o.position.distance(population.animals[i].position)).fold(f32::INFINITY, f32::min)
        };
        let mut gaps: Vec<f32> = (0..60).map(nearest).collect();
        gaps.sort_by(f32::total_cmp);
        gaps[30] / 0.15
    };
    let (usual, wide) = (median(1.0), median(2.0));
    assert!(wide > 1.5 * usual && wide < 3.0, "{usual} and {wide} lengths");
}

#[test]
fn small_fish_give_way_to_large_ones() {
    let large = LifeSettings { behaviour: Behaviour::Still, length_m: 0.8, count: 1, ..school(1) };
    let mut population = Population::new(&[school(100), large], Habitat::default(), 4, serial);
    population.animals[100].position = population.schools[0].centroid;
    run(&mut population, 3 * SECOND);
    let at = population.animals[100].position;
    let inside = population.animals[..100].iter().filter(|a| a.position.distance(at) < 0.25).count();
    assert!(inside <= 2, "{inside}");
}

/// Least distance of any animal from `eye` in half a minute, in its own lengths, after five seconds to make way.
fn nearest_to(eye: Vec3, onlooker: Option<Vec3>, seed: u64) -> f32 {
    let near = |count: u32, length_m: f32| LifeSettings { count, range_m: 5.0, ..cruiser(length_m) };
    let fish = LifeSettings { range_m: 4.0, ..school(120) };
    let mut population = Population::new(&[near(3, 1.0), near(2, 2.0), fish], Habitat::default(), seed, serial);
    population.set_onlooker(onlooker);
    let mut nearest = f32::INFINITY;
    for step in 0..35 * SECOND {
        population.step(Vec3::ZERO);
        if step > 5 * SECOND {
            let lengths = population.animals.iter().map(|one| one.position.distance(eye) / one.length);
            nearest = lengths.fold(nearest, f32::min);
        }
    }
    nearest
}

#[test]
fn nobody_swims_into_the_eye_of_an_onlooker() {
    let eye = Vec3::new(0.5, -6.0, 0.5);
    let least = |onlooker| (0..8).map(|seed| nearest_to(eye, onlooker, seed)).fold(f32::INFINITY, f32::min);
    let (unseen, seen) = (least(None), least(Some(eye)));
    assert!(unseen < 0.4, "else they come there: {unseen}");
    assert!(seen > 0.9, "{seen} body lengths from the lens");
}
