use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec2};

use super::*;
use crate::perception::MAX_VISITS;
use crate::{Behaviour, HeightMap, LifeSettings, Obstacle, Swimming, serial};

mod company;

const SECOND: u32 = 60;

fn school(count: u32) -> LifeSettings {
    LifeSettings { name: "sprat".into(), count, length_m: 0.15, depth_m: [2.0, 12.0], ..LifeSettings::default() }
}

fn cruiser(length_m: f32) -> LifeSettings {
    LifeSettings {
        count: 1,
        length_m,
        length_spread: 0.0,
        speed_bl_s: 0.7,
        behaviour: Behaviour::Cruiser,
        depth_m: [2.0, 12.0],
        ..LifeSettings::default()
    }
}

/// A ragged bay with rocks.
fn bay() -> Habitat {
    let floor = HeightMap::sample(Vec2::ZERO, 40.0, 0.5, |x, z| -7.0 + 1.5 * (0.4 * x).sin() * (0.3 * z).cos());
    let rocks = (0..40).map(|i| {
        let (x, z) = ((i * 37 % 41) as f32 - 20.0, (i * 23 % 43) as f32 - 21.0);
        Obstacle { center: Vec3::new(x, -6.5, z), radii: Vec3::new(1.4, 2.0, 0.9) }
    });
    Habitat::new(Some(floor), rocks.collect())
}

fn run(population: &mut Population, steps: u32) {
    for _ in 0..steps {
        population.step(Vec3::new(0.05, 0.0, 0.02));
    }
}

fn nose(pose: &AnimalPose) -> Vec3 {
    pose.rotation * Vec3::NEG_Z
}

#[test]
fn an_animal_takes_the_memory_that_is_reckoned() {
    // Buckets are a power of two: two to four for each animal.
    for (count, least) in [(2000, 0.85), (2050, 0.9)] {
        let groups = [200, 5, 2].map(|school_size| LifeSettings { school_size, ..school(count) });
        let settings = [
            groups[0].clone(),
            LifeSettings { count: count / 2, ..groups[1].clone() },
            LifeSettings { count: count / 4, ..groups[2].clone() },
        ];
        let population = Population::new(&settings, bay(), 3, serial);
        let Population { species, animals, appearances, schools, seen, grids, large, .. } = &population;
        let taken = size_of_val(&animals[..])
            + size_of_val(&appearances[..])
            + size_of_val(&schools[..])
            + size_of_val(&seen[..])
            + species.iter().map(|one| size_of_val(&one.beds[..])).sum::<usize>()
            + grids.iter().chain([large]).map(NeighbourGrid::bytes).sum::<usize>();
        let share = taken as f64 / (population.len() * Population::BYTES_AN_ANIMAL) as f64;
        assert!((least..=1.02).contains(&share), "{share} of it with {} animals", population.len());
    }
}

#[test]
fn a_lone_fish_swims_on_at_its_pace() {
    let settings = LifeSettings { range_m: 100.0, depth_m: [5.0, 40.0], ..school(1) };
    let cruise = settings.speed_bl_s * settings.length_m;
    let mut population = Population::new(&[settings], Habitat::default(), 5, serial);
    let start = population.animals[0].position;
    let mut way = 0.0;
    for _ in 0..8 * SECOND {
        population.step(Vec3::ZERO);
        let fish = &population.animals[0];
        way += fish.position.distance(fish.prev_position);
        assert!(fish.speed > 0.6 * cruise && fish.speed < 1.5 * cruise, "{} of {cruise}", fish.speed);
    }
    let straight = population.animals[0].position.distance(start);
    assert!(straight > 0.8 * way, "{straight} m of {way} m");
}

#[test]
fn nothing_slides_or_jumps() {
    let species = [school(300), LifeSettings { behaviour: Behaviour::Reef, ..school(40) }, cruiser(1.8)];
    let mut population = Population::new(&species, Habitat::default(), 4, serial);
    let (mut sideways, mut forward) = (0.0, 0.0);
    for _ in 0..20 * SECOND {
        population.step(Vec3::ZERO);
        for fish in &population.animals {
            let step = fish.position - fish.prev_position;
            let along = step.dot(fish.heading);
            let across = (step - along * fish.heading).length();
            // Fins row it aside where others come too near.
            assert!(across < 0.36 * fish.length * STEP_S + 1e-5, "sideways: {step}");
            assert!((step - fish.heading * (fish.speed * STEP_S)).length() < 0.36 * fish.length * STEP_S + 1e-4);
            (sideways, forward) = (sideways + across, forward + along);
            assert!(fish.heading.is_normalized());
            let turned = fish.heading.distance(fish.prev_heading) / STEP_S;
            let species = &population.species[fish.species as usize];
            assert!(
                turned < species.laws.turn_in_place + 1.1 * (fish.speed + 0.02) * species.curvature[1],
                "spins: {turned} rad/s"
            );
        }
    }
    assert!(sideways < 0.02 * forward, "{sideways} m of {forward} m");
}

#[test]
fn nobody_ever_leaves_the_water_or_enters_ground_and_rocks() {
    let reef = LifeSettings { behaviour: Behaviour::Reef, range_m: 18.0, ..school(80) };
    let drifter = LifeSettings { behaviour: Behaviour::Drifter, length_m: 0.3, speed_bl_s: 0.3, ..school(20) };
    let species = [LifeSettings { range_m: 20.0, depth_m: [0.0, 30.0], ..school(300) }, reef, cruiser(1.5), drifter];
    let habitat = bay();
    let mut population = Population::new(&species, habitat.clone(), 11, serial);
    for step in 0..60 * SECOND {
        population.step(Vec3::new(0.2, 0.0, 0.1));
        for fish in &population.animals {
            let p = fish.position;
            assert!(p.is_finite());
            assert!(p.y <= -0.4 * fish.length, "step {step}: above the surface at {p}");
            assert!(p.y >= habitat.floor_m(p.x, p.z) + 0.2 * fish.length, "step {step}: in the ground at {p}");
            assert!(habitat.is_clear(p, 0.15 * fish.length), "step {step}: in a rock at {p}");
        }
    }
}

#[test]
fn the_depth_band_and_the_range_hold() {
    let settings = LifeSettings { depth_m: [6.0, 9.0], range_m: 12.0, ..school(200) };
    let mut population = Population::new(&[settings], Habitat::default(), 8, serial);
    for _ in 0..40 * SECOND {
        population.step(Vec3::ZERO);
        for fish in &population.animals {
            assert!((-9.001..=-5.999).contains(&fish.position.y), "{}", fish.position);
            assert!(Vec2::new(fish.position.x, fish.position.z).length() < 15.0, "{}", fish.position);
        }
    }
}

#[test]
fn a_wall_across_the_way_is_swum_round() {
    let wall = Obstacle { center: Vec3::new(0.0, -6.0, 0.0), radii: Vec3::new(0.8, 6.0, 4.0) };
    let habitat = Habitat::new(None, vec![wall]);
    let mut population = Population::new(&[school(60)], habitat, 2, serial);
    for fish in &mut population.animals {
        fish.position += Vec3::new(4.0, -6.0, 0.0) - population.schools[0].centroid;
        fish.heading = Vec3::NEG_X;
        fish.want = Vec3::NEG_X;
    }
    let mut least = f32::INFINITY;
    for _ in 0..60 * SECOND {
        population.schools[0].goal = Vec3::new(-12.0, -6.0, 0.0);
        population.step(Vec3::ZERO);
        for fish in &population.animals {
            least = least.min(wall.normalized_distance(fish.position, 0.0));
        }
    }
    assert!(least >= 1.0, "{least}");
    let through = population.animals.iter().filter(|fish| fish.position.x < -1.0).count();
    assert!(through > 50, "{through} of 60 came round the wall");
}

#[test]
fn nobody_climbs_or_dives_beyond_the_limit() {
    let species = [
        LifeSettings { depth_m: [0.0, 30.0], ..school(200) },
        LifeSettings { behaviour: Behaviour::Reef, ..school(40) },
        cruiser(2.0),
    ];
    let mut population = Population::new(&species, bay(), 13, serial);
    for _ in 0..30 * SECOND {
        population.step(Vec3::ZERO);
        for pose in (0..3).flat_map(|species| population.poses(species, 0.5)) {
            assert!(nose(&pose).y.abs() < 36f32.to_radians().sin(), "{}", nose(&pose).y.asin().to_degrees());
        }
    }
}

#[test]
fn animals_lean_into_their_turns() {
    let mut population =
        Population::new(&[LifeSettings { range_m: 15.0, ..cruiser(1.5) }], Habitat::default(), 17, serial);
    let mut agreeing = 0;
    let mut turning = 0;
    for _ in 0..60 * SECOND {
        population.step(Vec3::ZERO);
        let fish = &population.animals[0];
        let yaw_rate = fish.heading.cross(fish.turn).y;
        if yaw_rate.abs() > 0.1 {
            turning += 1;
            agreeing += u32::from(yaw_rate * fish.bank > 0.0);
        }
    }
    assert!(turning > 2 * SECOND, "it did turn: {turning}");
    assert!(agreeing * 10 > turning * 8, "{agreeing} of {turning}");
}

#[test]
fn jellyfish_go_with_the_current_and_keep_their_depth() {
    let settings = LifeSettings {
        behaviour: Behaviour::Drifter,
        length_m: 0.3,
        speed_bl_s: 0.4,
        range_m: 60.0,
        depth_m: [4.0, 14.0],
        ..school(12)
    };
    let mut population = Population::new(&[settings], Habitat::default(), 5, serial);
    let before: Vec<Vec3> = population.animals.iter().map(|a| a.position).collect();
    let seconds = 40;
    for _ in 0..seconds * SECOND {
        population.step(Vec3::new(0.1, 0.0, 0.0));
    }
    let mean: Vec3 = population.animals.iter().zip(&before).map(|(a, &b)| a.position - b).sum::<Vec3>() / 12.0;
    assert!((0.4..1.3).contains(&(mean.x / (0.1 * seconds as f32))), "{mean}");
    assert!(mean.y.abs() < 1.5, "{mean}");
    assert!(population.poses(0, 1.0).all(|pose| (pose.rotation * Vec3::Y).y > 0.7), "upright, more or less");
}

#[test]
fn still_animals_stay() {
    let mut population =
        Population::new(&[LifeSettings { behaviour: Behaviour::Still, ..school(5) }], bay(), 5, serial);
    let before: Vec<AnimalPose> = population.poses(0, 1.0).collect();
    run(&mut population, 2 * SECOND);
    for (a, b) in before.iter().zip(population.poses(0, 1.0)) {
        assert_eq!(a.position, b.position);
        assert_ne!(a.motion.phase, b.motion.phase, "but they breathe");
    }
}

#[test]
fn the_seed_is_everything() {
    let species = [school(150), cruiser(1.2), LifeSettings { behaviour: Behaviour::Reef, ..school(20) }];
    let hash = |seed| {
        let mut population = Population::new(&species, bay(), seed, serial);
        run(&mut population, 2 * SECOND);
        population.state_hash()
    };
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));
    let mut population = Population::new(&species, bay(), 1, serial);
    let before = population.state_hash();
    population.step(Vec3::ZERO);
    assert_ne!(before, population.state_hash());
}

#[test]
fn threads_and_their_order_change_nothing() {
    let species = [
        LifeSettings { school_size: 60, ..school(1500) },
        LifeSettings { behaviour: Behaviour::Reef, ..school(600) },
        LifeSettings { hunts: true, count: 3, ..cruiser(1.2) },
        LifeSettings { behaviour: Behaviour::Drifter, ..school(20) },
    ];
    let end = |join| {
        let mut population = Population::new(&species, bay(), 1, join);
        run(&mut population, SECOND);
        (population.state_hash(), population.neighbour_visits())
    };
    let alone = end(serial);
    assert_eq!(end(|first, second| (second(), first()).0), alone, "the last first");
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let shared = pool.install(|| end(|first, second| rayon::join(first, second).0));
        assert_eq!(shared, alone, "{threads} threads");
    }
}

#[test]
fn the_cost_grows_with_the_number_and_no_faster() {
    let visits = |count| {
        let mut population = Population::new(&[school(count)], Habitat::default(), 3, serial);
        run(&mut population, 20);
        population.neighbour_visits()
    };
    let (few, many) = (visits(1_000), visits(10_000));
    assert!(many < 12 * few, "{few} visits for 1,000, {many} for 10,000");
    let bound = 10_000 * 20 / u64::from(DECISION_EVERY) * (MAX_VISITS as u64 + 20);
    assert!(many <= bound, "{many} of {bound}");
    // One place for all: the search is bounded however thick the crowd.
    let mut crowd = Population::new(&[school(2_000)], Habitat::default(), 3, serial);
    for fish in &mut crowd.animals {
        fish.position = Vec3::new(0.0, -5.0, 0.0);
    }
    crowd.step(Vec3::ZERO);
    assert!(crowd.neighbour_visits() <= 500 * MAX_VISITS as u64);
    run(&mut crowd, 10 * SECOND);
    assert!(crowd.animals.iter().all(|a| a.position.is_finite()));
}

#[test]
fn interpolation_hits_the_ends() {
    let mut population = Population::new(&[school(50)], Habitat::default(), 3, serial);
    let last: Vec<AnimalPose> = population.poses(0, 1.0).collect();
    population.step(Vec3::ZERO);
    let rotated = |a: Quat, b: Quat| a.angle_between(b) < 2e-3;
    for (a, b) in last.iter().zip(population.poses(0, 0.0)) {
        assert!(a.position == b.position && rotated(a.rotation, b.rotation));
        let gap = (a.motion.phase - b.motion.phase).abs();
        assert!(!(1e-4..=0.9999).contains(&gap), "{gap}");
    }
    for (fish, pose) in population.animals.iter().zip(population.poses(0, 1.0)) {
        assert_eq!(fish.position, pose.position);
        assert!(nose(&pose).angle_between(fish.heading) < 2e-3);
    }
    for ((a, b), m) in last.iter().zip(population.poses(0, 1.0)).zip(population.poses(0, 0.5)) {
        assert!(m.position.distance(0.5 * (a.position + b.position)) < 1e-4);
        assert!(m.rotation.angle_between(a.rotation) < FRAC_PI_2);
    }
}

#[test]
fn a_faster_fish_beats_faster() {
    let rate = |speed_bl_s| {
        let settings = LifeSettings { speed_bl_s, range_m: 100.0, ..school(1) };
        let mut population = Population::new(&[settings], Habitat::default(), 3, serial);
        run(&mut population, 3 * SECOND);
        let fish = &population.animals[0];
        fish.body.phase_rate
    };
    assert!(rate(3.0) > 1.5 * rate(1.5));
}

#[test]
fn individuals_differ() {
    let population = Population::new(&[school(100)], Habitat::default(), 3, serial);
    let poses: Vec<AnimalPose> = population.poses(0, 1.0).collect();
    let (mut least, mut most) = (f32::INFINITY, 0.0f32);
    for pose in &poses {
        (least, most) = (least.min(pose.length_m), most.max(pose.length_m));
        assert!((0.0..1.0).contains(&pose.variation) && (pose.length_m / 0.15 - 1.0).abs() <= 0.15 + 1e-5);
    }
    assert!(most > 1.1 * least);
    assert!(poses.windows(2).all(|w| w[0].tint != w[1].tint));
}

#[test]
fn odd_settings_do_no_harm() {
    let none = LifeSettings { count: 0, ..school(0) };
    let cramped = LifeSettings { range_m: 1.0, length_m: 30.0, count: 2, ..cruiser(30.0) };
    let mut crowded = LifeSettings { range_m: 1.0, school_size: 1, speed_bl_s: 0.01, ..school(50) };
    crowded.depth_m = [900.0, 1000.0];
    let dry = Habitat::new(Some(HeightMap::sample(Vec2::ZERO, 10.0, 1.0, |_, _| -0.01)), vec![]);
    for habitat in [Habitat::default(), bay(), dry] {
        let mut population = Population::new(&[none.clone(), cramped.clone(), crowded.clone()], habitat, 1, serial);
        run(&mut population, SECOND);
        assert_eq!([population.count(0), population.count(1), population.count(2), population.count(3)], [0, 2, 50, 0]);
        assert!(population.animals.iter().all(|a| a.position.is_finite() && a.heading.is_normalized()));
    }
}

/// An oval of 12 m by 5 m, four metres down.
fn oval() -> Vec<[f32; 3]> {
    vec![[6.0, -4.0, 0.0], [0.0, -4.0, 2.5], [-6.0, -4.0, 0.0], [0.0, -4.0, -2.5]]
}

fn off_the_oval(p: Vec3) -> f32 {
    let path = crate::path::Path::new(&oval()).expect("points");
    (0..400).map(|i| path.at(path.length() * i as f32 / 400.0).distance(p)).fold(f32::MAX, f32::min)
}

#[test]
fn cruisers_go_round_a_way_and_stay_spread_out_along_it() {
    let settings = LifeSettings { count: 4, path_m: oval(), path_spread_m: 0.0, ..cruiser(0.8) };
    let mut population = Population::new(&[settings], Habitat::default(), 5, serial);
    let mut turned = 0.0;
    for step in 0..180 * SECOND {
        population.step(Vec3::ZERO);
        let fish = &population.animals[0];
        turned += fish.heading.cross(fish.prev_heading).y.clamp(-1.0, 1.0).asin();
        for fish in &population.animals {
            assert!(off_the_oval(fish.position) < 1.2, "step {step}: {} m off", off_the_oval(fish.position));
        }
        for (i, a) in population.animals.iter().enumerate() {
            let nearest = population.animals[i + 1..].iter().map(|b| b.position.distance(a.position));
            assert!(nearest.fold(f32::MAX, f32::min) > 2.5, "step {step}: two in one place");
        }
    }
    // About 29 m once round, at 0.56 m/s.
    assert!(turned.abs() > 2.5 * std::f32::consts::TAU, "{turned} rad");
}

#[test]
fn schools_go_round_a_way() {
    let settings = LifeSettings { school_size: 20, path_m: oval(), ..school(40) };
    let mut population = Population::new(&[settings], Habitat::default(), 5, serial);
    let mut farthest = [0.0f32; 2];
    for _ in 0..120 * SECOND {
        population.step(Vec3::ZERO);
        let [a, b] = [population.schools[0].centroid, population.schools[1].centroid];
        assert!(off_the_oval(a) < 1.6 && off_the_oval(b) < 1.6, "{a} {b}");
        assert!(a.distance(b) > 2.5, "the schools ran into each other at {a}");
        farthest = [farthest[0].max(a.x), farthest[1].max(-a.x)];
    }
    assert!(farthest[0] > 4.5 && farthest[1] > 4.5, "{farthest:?}");
}

#[test]
fn homes_and_resting_places_lie_along_a_way() {
    let path_m = vec![[2.0, -4.0, 0.0], [-2.0, -4.0, 0.0]];
    let along = |behaviour, path_spread_m| LifeSettings {
        behaviour,
        path_spread_m,
        path_m: path_m.clone(),
        depth_m: [2.0, 6.0],
        ..school(5)
    };
    let species = [along(Behaviour::Reef, 0.4), along(Behaviour::Still, 0.0), along(Behaviour::Drifter, 0.2)];
    let mut population = Population::new(&species, Habitat::default(), 5, serial);
    let resting: Vec<AnimalPose> = population.poses(1, 1.0).collect();
    assert!(resting.iter().all(|pose| pose.position.z.abs() < 1e-4 && nose(pose).x.abs() > 0.999));
    run(&mut population, 60 * SECOND);
    for (before, after) in resting.iter().zip(population.poses(1, 1.0)) {
        assert!(before.position.distance(after.position) < 1e-4);
    }
    for species in [0, 2] {
        for pose in population.poses(species, 1.0) {
            assert!(pose.position.z.abs() < 3.0 && pose.position.x.abs() < 5.0, "strayed to {}", pose.position);
        }
    }
}
