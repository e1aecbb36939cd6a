use glam::{Vec2, Vec3};

use crate::animal::Animal;
use crate::avoidance::from_body_to_body;
use crate::mind::{Intention, NOBODY};
use crate::population::Population;
use crate::school::School;
use crate::settings::{Active, Routine, Swimming};
use crate::{Behaviour, EventKind, Habitat, HeightMap, LifeSettings, STEP_S, Shelter, serial};

mod ground;
mod hunting;
mod station;
mod strike;

const SECOND: u32 = 60;

fn sardines(count: u32) -> LifeSettings {
    LifeSettings {
        name: "sardine".into(),
        count,
        school_size: count,
        length_m: 0.2,
        burst_bl_s: Some(10.0),
        depth_m: [2.0, 40.0],
        range_m: 80.0,
        ..LifeSettings::default()
    }
}

fn hunter(routine: Routine, length_m: f32) -> LifeSettings {
    LifeSettings {
        name: "hunter".into(),
        count: 1,
        length_m,
        length_spread: 0.0,
        speed_bl_s: 0.8,
        burst_bl_s: Some(8.0),
        behaviour: Behaviour::Cruiser,
        hunts: true,
        routines: vec![routine],
        depth_m: [1.0, 40.0],
        range_m: 80.0,
        ..LifeSettings::default()
    }
}

/// Sand at five metres with three corals, in a given daylight.
fn garden(daylight: f32) -> Habitat {
    let floor = HeightMap::sample(Vec2::ZERO, 40.0, 1.0, |_, _| -5.0);
    let coral = |x: f32, z: f32| Shelter { model: "coral".into(), place: Vec3::new(x, -4.6, z), radius: 0.5 };
    Habitat::new(Some(floor), vec![])
        .with_shelters([coral(0.0, 0.0), coral(3.0, 1.0), coral(-2.0, 3.0)])
        .at_daylight(daylight)
}

fn tangs(routines: &[Routine]) -> LifeSettings {
    LifeSettings {
        name: "tang".into(),
        count: 6,
        school_size: 6,
        length_m: 0.18,
        speed_bl_s: 1.0,
        depth_m: [1.0, 4.0],
        range_m: 8.0,
        routines: routines.to_vec(),
        shelter: vec!["coral".into()],
        ..LifeSettings::default()
    }
}

fn run(population: &mut Population, seconds: f32) {
    for _ in 0..(seconds * SECOND as f32) as u32 {
        population.step(Vec3::ZERO);
    }
}

/// Runs for `seconds` and counts, for each step, the animals that are `doing` something.
fn count(population: &mut Population, seconds: f32, doing: &str) -> Vec<usize> {
    let steps = 0..(seconds * SECOND as f32) as u32;
    steps
        .map(|_| {
            population.step(Vec3::ZERO);
            population.reports().filter(|one| one.doing == doing).count()
        })
        .collect()
}

/// Polarisation and milling of the animals of the first school (Tunstrøm et al. 2013): lengths of the mean heading and
/// of the mean angular momentum about the middle.
fn order(population: &Population) -> (f32, f32) {
    let members = &population.animals[population.schools[0].animals.clone()];
    let share = 1.0 / members.len() as f32;
    let middle = members.iter().map(|a| a.position).sum::<Vec3>() * share;
    let heading = members.iter().map(|a| a.heading).sum::<Vec3>() * share;
    let spin = members.iter().map(|a| (a.position - middle).normalize_or_zero().cross(a.heading)).sum::<Vec3>() * share;
    (heading.length(), spin.length())
}

#[test]
fn fright_crosses_a_school_faster_than_fish_swim() {
    let mut population = Population::new(&[sardines(1500)], Habitat::default(), 3, serial);
    run(&mut population, 5.0);
    let members = &population.animals;
    let (course, middle) = (population.schools[0].course, population.schools[0].centroid);
    let first = (0..members.len())
        .min_by(|a, b| {
            (members[*a].position - middle).dot(course).total_cmp(&(members[*b].position - middle).dot(course))
        })
        .expect("there are fish");
    let source = population.animals[first].position;
    population.frighten(source, 0.3);
    // Time of the fright of each fish, and its distance at that moment.
    let mut seized: Vec<Option<(f32, f32)>> = vec![None; population.animals.len()];
    for step in 1..=2 * SECOND {
        population.step(Vec3::ZERO);
        for (animal, seized) in population.animals.iter().zip(&mut seized) {
            if seized.is_none() && animal.mind.fright.since_s < 1.0 {
                *seized = Some((step as f32 * STEP_S, animal.position.distance(source)));
            }
        }
    }
    let reached = seized.iter().flatten().count();
    assert!(reached > 1200, "{reached} of 1500 take fright");
    let speeds: Vec<f32> =
        seized.iter().flatten().filter(|(_, far)| *far > 1.0).map(|(time, far)| far / time).collect();
    let front = speeds.iter().sum::<f32>() / speeds.len() as f32;
    assert!((5.0..16.0).contains(&front), "{front} m/s; anchovies 7.45 (Gerlotto 2006), 11.8 to 15.1 (Radakov)");
    let before = count(&mut population, 1.0, "flee");
    assert!(before.iter().any(|n| *n > 500));
    run(&mut population, 18.0);
    assert!(population.animals.iter().all(|a| a.alarm == 0.0), "calm again within 20 s");
}

#[test]
fn a_slight_fright_dies_out() {
    let mut population = Population::new(&[sardines(1500)], Habitat::default(), 3, serial);
    run(&mut population, 5.0);
    let way = population.animals[700].heading;
    crate::conduct::fear::start(&mut population.animals[700], way, 0.4);
    run(&mut population, 0.5);
    let reached = population.animals.iter().filter(|a| a.mind.fright.since_s < 1.0).count();
    assert!((2..60).contains(&reached), "{reached} of 1500");
}

#[test]
fn travelling_schools_are_polarised_and_led_mills_turn() {
    let mut population = Population::new(&[sardines(200)], Habitat::default(), 8, serial);
    run(&mut population, 15.0);
    let (polarisation, milling) = order(&population);
    assert!(polarisation > 0.65 && milling < 0.35, "school: P {polarisation}, M {milling}");

    let mut population = Population::new(
        &[LifeSettings { routines: vec![Routine::Mill], ..sardines(200) }],
        Habitat::default(),
        8,
        serial,
    );
    let mut mills = 0;
    let mut turning = 0;
    for _ in 0..120 * SECOND {
        population.step(Vec3::ZERO);
        if population.schools[0].plan.stop() == Some(Routine::Mill) {
            mills += 1;
            let (polarisation, milling) = order(&population);
            turning += u32::from(mills > 10 * SECOND && polarisation < 0.35 && milling > 0.65);
        }
    }
    assert!(mills > 20 * SECOND, "mills for {} s", mills / SECOND);
    assert!(turning > mills / 3, "turning in {turning} of {mills} steps");
}

#[test]
fn a_pressed_school_draws_into_a_ball_and_opens_again() {
    let mut population = Population::new(&[sardines(300), hunter(Routine::Wander, 1.8)], Habitat::default(), 5, serial);
    // Longest over shortest of the three median distances from the middle: along, across and up.
    let stretch = |population: &Population| {
        let school = &population.schools[0];
        let aside = school.course.cross(Vec3::Y).normalize_or(Vec3::X);
        let median = |axis: Vec3| {
            let members = &population.animals[school.animals.clone()];
            let mut off: Vec<f32> = members.iter().map(|a| (a.position - school.centroid).dot(axis).abs()).collect();
            off.sort_by(f32::total_cmp);
            off[off.len() / 2]
        };
        let sides = [median(school.course.with_y(0.0).normalize_or(Vec3::X)), median(aside), median(Vec3::Y)];
        sides.iter().fold(0.0, |a: f32, b| a.max(*b)) / sides.iter().fold(f32::INFINITY, |a: f32, b| a.min(*b))
    };
    let away = |population: &mut Population, seconds: f32, off: Vec3| {
        for _ in 0..(seconds * SECOND as f32) as u32 {
            let at = population.schools[0].centroid + off;
            population.animals[300].position = at;
            population.step(Vec3::ZERO);
        }
    };
    away(&mut population, 12.0, Vec3::new(60.0, 0.0, 0.0));
    let at_ease = stretch(&population);
    assert!(population.schools[0].tension < 0.05);
    let edge = population.schools[0].extent + 1.5;
    away(&mut population, 12.0, Vec3::new(0.0, 0.0, edge));
    let pressed = stretch(&population);
    assert!(population.schools[0].tension > 0.5, "{}", population.schools[0].tension);
    assert!(pressed < 0.7 * at_ease, "{pressed} pressed, {at_ease} at ease");
    // A third of an even ball is within a quarter of its height from the middle: it has no waist.
    let school = &population.schools[0];
    let members = &population.animals[school.animals.clone()];
    let level = members.iter().filter(|a| (a.position.y - school.centroid.y).abs() < 0.25 * school.height).count();
    assert!(level > members.len() / 4, "{level} of {} at its waist", members.len());
    away(&mut population, 30.0, Vec3::new(60.0, 0.0, 0.0));
    assert!(population.schools[0].tension < 0.2 && order(&population).0 > 0.65, "healed");
}

#[test]
fn small_fish_are_off_at_their_burst_within_a_moment() {
    let mut population = Population::new(&[sardines(40)], Habitat::default(), 3, serial);
    run(&mut population, 3.0);
    let source = population.schools[0].centroid;
    population.frighten(source, 5.0);
    let mut fastest = 0.0f32;
    for _ in 0..SECOND / 3 {
        population.step(Vec3::ZERO);
        fastest = population.animals.iter().map(|a| a.speed / a.length).fold(fastest, f32::max);
    }
    assert!((6.0..14.0).contains(&fastest), "{fastest} body lengths/s");
}

#[test]
fn grazers_stop_and_peck_on_the_ground() {
    let mut population = Population::new(&[tangs(&[Routine::Graze])], garden(1.0), 2, serial);
    let mut stops = 0;
    let mut was_pecking = false;
    let mut lowest = f32::INFINITY;
    for _ in 0..120 * SECOND {
        population.step(Vec3::ZERO);
        let fish = &population.animals[0];
        let is_pecking = fish.mind.intention == Intention::Do(Routine::Graze) && fish.speed < 0.5 * 0.18;
        stops += u32::from(is_pecking && !was_pecking);
        was_pecking = is_pecking;
        lowest = lowest.min(fish.position.y + 5.0);
    }
    assert!((3..=40).contains(&stops), "{stops} stops in two minutes");
    assert!(lowest < 0.55 * 0.18, "{lowest} m above the ground");
}

#[test]
fn grazers_at_the_rim_of_their_range_go_round_nothing() {
    let alone = LifeSettings {
        behaviour: Behaviour::Reef,
        count: 12,
        school_size: 1,
        range_m: 1.5,
        ..tangs(&[Routine::Graze, Routine::Wander])
    };
    let mut population = Population::new(&[alone], garden(1.0), 4, serial);
    // Accumulated turn of each fish to the left, now and ten seconds before.
    let mut turned = [(0.0f32, 0.0f32); 12];
    let mut before: Vec<Vec3> = population.animals.iter().map(|animal| animal.heading).collect();
    for step in 0..240 * SECOND {
        population.step(Vec3::ZERO);
        for ((animal, before), (sum, then)) in population.animals.iter().zip(&mut before).zip(&mut turned) {
            *sum += before.cross(animal.heading).y;
            *before = animal.heading;
            if step % (10 * SECOND) == 0 {
                let turns = (*sum - *then).abs() / std::f32::consts::TAU;
                assert!(turns < 3.0, "{turns} turns in ten seconds at {} s", step / SECOND);
                *then = *sum;
            }
        }
    }
}

#[test]
fn a_school_of_grazers_feeds_for_a_good_part_of_the_day_and_holds() {
    let card = LifeSettings { count: 18, ..tangs(&[Routine::Graze, Routine::School, Routine::Hide, Routine::Rest]) };
    let mut population = Population::new(&[card], garden(1.0), 2, serial);
    let (mut grazes, mut farthest) = (0, 0.0_f32);
    for _ in 0..300 * SECOND {
        population.step(Vec3::ZERO);
        grazes += population.reports().filter(|one| one.doing == "graze").count();
        let spread = |school: &School| {
            let members = &population.animals[school.animals.clone()];
            let far = |a: &crate::animal::Animal| a.position.distance(school.centroid) / a.length;
            members.iter().map(far).sum::<f32>() / members.len() as f32
        };
        farthest = population.schools.iter().map(spread).fold(farthest, f32::max);
    }
    let share = grazes as f32 / (18 * 300 * SECOND) as f32;
    assert!((0.4..0.62).contains(&share), "they graze for {share} of the day");
    assert!(farthest < 10.0, "{farthest} body lengths from their middle in the mean");
}

#[test]
fn who_is_frightened_hides_in_its_coral_and_comes_out_again() {
    let mut population = Population::new(&[tangs(&[Routine::Hide])], garden(1.0), 2, serial);
    let place = population.schools[0].centroid;
    population.frighten(place, 20.0);
    run(&mut population, 8.0);
    let near = |population: &Population| {
        let far =
            |p: Vec3| population.species[0].habits.shelters.iter().map(|s| s.distance(p)).fold(f32::INFINITY, f32::min);
        population.animals.iter().filter(|a| far(a.position) < 1.8).count()
    };
    assert!(count(&mut population, 0.1, "hide").iter().all(|n| *n >= 4));
    assert!(near(&population) >= 4, "{} of 6 are in the coral", near(&population));
    run(&mut population, 30.0);
    assert!(count(&mut population, 0.1, "hide").iter().all(|n| *n == 0), "out again");
}

#[test]
fn the_guest_of_a_host_never_goes_far() {
    let clown = LifeSettings {
        behaviour: Behaviour::Reef,
        count: 5,
        length_m: 0.1,
        speed_bl_s: 0.6,
        host_m: 3.0,
        depth_m: [1.0, 5.0],
        ..tangs(&[Routine::Host, Routine::Plankton])
    };
    let mut population = Population::new(&[clown], garden(1.0), 2, serial);
    let mut all = Vec::new();
    for _ in 0..90 * SECOND {
        population.step(Vec3::ZERO);
        let host = |fish: &Animal| population.species[0].habits.shelters[fish.mind.shelter as usize];
        all.extend(population.animals.iter().map(|fish| host(fish).distance(fish.position)));
    }
    all.sort_by(f32::total_cmp);
    let [half, most, farthest] = [all.len() / 2, all.len() * 49 / 50, all.len() - 1].map(|at| all[at]);
    assert!(half < 0.45 && most < 0.8 && farthest < 1.5, "{half}, {most}, {farthest} m from its anemone");
}

#[test]
fn by_night_sleepers_are_in_bed_and_hunters_are_out() {
    let day_fish = LifeSettings { active: Active::Day, ..tangs(&[Routine::Rest, Routine::Graze]) };
    let night_fish = LifeSettings { active: Active::Night, ..hunter(Routine::Rest, 1.0) };
    let mut population = Population::new(&[day_fish, night_fish], garden(0.0), 2, serial);
    let doing: Vec<_> = population.reports().map(|one| one.doing).collect();
    assert_eq!(&doing[..6], ["rest"; 6], "in bed before anyone looks");
    assert_ne!(doing[6], "rest");
    run(&mut population, 10.0);
    let speeds: Vec<f32> = population.animals[..6].iter().map(|a| a.speed).collect();
    assert!(speeds.iter().all(|speed| *speed < 0.5 * 0.18), "they lie still: {speeds:?} m/s");
    population.set_daylight(1.0);
    run(&mut population, 20.0);
    let doing: Vec<_> = population.reports().map(|one| one.doing).collect();
    assert!(doing[..6].iter().all(|doing| *doing != "rest"), "{doing:?} in the morning");
    assert_eq!(doing[6], "rest");
}

#[test]
fn clients_come_to_the_cleaner_tilt_and_are_cleaned() {
    let wrasse = LifeSettings {
        name: "wrasse".into(),
        behaviour: Behaviour::Reef,
        count: 2,
        length_m: 0.09,
        range_m: 2.0,
        ..tangs(&[Routine::Clean])
    };
    let client = LifeSettings { count: 3, length_m: 0.3, ..tangs(&[Routine::VisitCleaner]) };
    let mut population = Population::new(&[wrasse, client], garden(1.0), 6, serial);
    population.animals[2..].iter_mut().for_each(|fish| fish.mind.drives.itch = 1.0);
    let (mut posed, mut tilted, mut attended) = (0, 0, 0);
    for _ in 0..180 * SECOND {
        population.step(Vec3::ZERO);
        for fish in &population.animals[2..] {
            if fish.mind.intention == Intention::Do(Routine::VisitCleaner) && fish.speed < 0.1 {
                posed += 1;
                tilted += u32::from(fish.heading.y.abs() > 0.35);
                let far = population.animals[..2]
                    .iter()
                    .map(|a| a.position.distance(fish.position))
                    .fold(f32::INFINITY, f32::min);
                attended += u32::from(far < 0.35);
            }
        }
    }
    assert!(posed > 20 * SECOND, "posed for {} s", posed / SECOND);
    assert!(tilted > attended / 2, "tilted in {tilted} of {attended}");
    assert!(attended > posed / 4, "attended in {attended} of {posed}");
}

#[test]
fn the_mate_of_a_pair_turns_after_its_leader_and_they_take_turns() {
    let pair = LifeSettings {
        count: 2,
        school_size: 2,
        path_m: vec![[-4.0, -3.0, -4.0], [4.0, -3.0, -4.0], [4.0, -3.0, 4.0], [-4.0, -3.0, 4.0]],
        ..tangs(&[Routine::School])
    };
    let mut population = Population::new(&[pair], garden(1.0), 2, serial);
    // Turning rates of both over a third of a second each.
    let window = SECOND as usize / 3;
    let (mut headings, mut changes) = (Vec::new(), 0);
    for _ in 0..400 * SECOND {
        population.step(Vec3::ZERO);
        let leader = population.schools[0].roles.leader;
        changes += u32::from(headings.last().is_some_and(|(before, _)| *before != leader));
        headings.push((leader, [0, 1].map(|i| population.animals[i].heading)));
    }
    let turn = |i: usize, who: usize| headings[i].1[who].cross(headings[i + window].1[who]).y;
    let alike = |lag: i32| -> f32 {
        let times = 2 * SECOND as usize..headings.len() - 3 * SECOND as usize;
        let of = |i: usize| turn(i, headings[i].0) * turn((i as i32 + lag) as usize, 1 - headings[i].0);
        times.map(of).sum()
    };
    let second = SECOND as i32;
    let best = (-second..=second).max_by(|a, b| alike(*a).total_cmp(&alike(*b))).expect("there are lags");
    assert!(best >= second / 8, "alike {best} steps later");
    assert!(changes > 15, "{changes} changes of leader");
}

#[test]
fn air_breathers_come_up() {
    let turtle = LifeSettings {
        swimming: Swimming::Cetacean,
        hunts: false,
        depth_m: [2.0, 4.0],
        range_m: 20.0,
        ..hunter(Routine::Breathe, 0.9)
    };
    let mut population = Population::new(&[turtle], garden(1.0), 2, serial);
    let (mut breaths, mut last) = (0, 0.0);
    for _ in 0..240 * SECOND {
        population.step(Vec3::ZERO);
        let breath = population.animals[0].mind.drives.breath;
        if breath < last {
            breaths += 1;
            assert!(population.animals[0].position.y > -0.9, "it breathes at the surface");
        }
        last = breath;
    }
    assert!((3..=6).contains(&breaths), "{breaths} times in four minutes");
    assert!(population.animals[0].position.y < -0.4 * 0.9);
}

#[test]
fn plankton_pickers_face_the_current_and_hold_their_place() {
    let mut population = Population::new(&[tangs(&[Routine::Plankton])], garden(1.0), 2, serial);
    let current = Vec3::new(0.12, 0.0, 0.05);
    let (mut picking, mut facing, mut off) = (0, 0, 0.0);
    for _ in 0..120 * SECOND {
        population.step(current);
        let fish = &population.animals[0];
        if fish.mind.intention == Intention::Do(Routine::Plankton) && fish.mind.since_s > 4.0 {
            picking += 1;
            facing += u32::from(fish.heading.dot(-current.normalize()) > 0.5);
            off += fish.position.distance(fish.goal);
        }
    }
    assert!(picking > 20 * SECOND, "{picking} steps");
    assert!(facing > picking / 2, "facing the current in {facing} of {picking}");
    let off = off / picking as f32;
    assert!(off < 0.3, "{off} m from its place in the mean");
}

#[test]
fn nobody_dithers() {
    let all = [Routine::Graze, Routine::Plankton, Routine::Hide, Routine::Rest, Routine::VisitCleaner, Routine::School];
    let species =
        [tangs(&all), LifeSettings { behaviour: Behaviour::Reef, ..tangs(&all) }, hunter(Routine::Pursue, 1.6)];
    let mut population = Population::new(&species, garden(1.0), 9, serial);
    let mut last: Vec<Intention> = population.animals.iter().map(|a| a.mind.intention).collect();
    let mut changes = vec![0; last.len()];
    for _ in 0..120 * SECOND {
        population.step(Vec3::ZERO);
        for ((animal, last), changes) in population.animals.iter().zip(&mut last).zip(&mut changes) {
            *changes += u32::from(animal.mind.intention != *last);
            *last = animal.mind.intention;
        }
    }
    assert!(changes.iter().all(|changes| *changes < 40), "{changes:?} changes of mind in two minutes");
}

#[test]
fn barracudas_hang_level_and_all_one_way() {
    let barracudas = LifeSettings {
        behaviour: Behaviour::School,
        count: 10,
        length_m: 1.0,
        speed_bl_s: 0.7,
        spacing_bl: 1.5,
        depth_m: [3.0, 9.0],
        range_m: 20.0,
        ..tangs(&[Routine::School, Routine::Ambush])
    };
    let mut population = Population::new(&[barracudas], Habitat::default(), 3, serial);
    let (mut hung, mut steep, mut across) = (0, 0, 0);
    for _ in 0..180 * SECOND {
        population.step(Vec3::ZERO);
        let hang: Vec<&Animal> =
            population.animals.iter().filter(|fish| fish.mind.intention == Intention::Do(Routine::Ambush)).collect();
        for fish in &hang {
            hung += 1;
            steep += u32::from(fish.heading.y.abs() > 0.15);
            let is_near = |other: &&&Animal| other.position.distance(fish.position) < 2.0;
            across += u32::from(hang.iter().filter(is_near).any(|other| other.heading.dot(fish.heading) < 0.5));
        }
    }
    assert!(hung > 100 * SECOND, "hung for {} s", hung / SECOND);
    assert!(steep < hung / 20 && across < hung / 10, "{steep} steep and {across} across of {hung}");
}

#[test]
fn sleepers_lie_level_and_apart_from_everyone() {
    let kinds = [0.14, 0.2, 0.3].map(|length_m| LifeSettings {
        behaviour: Behaviour::Reef,
        swimming: Swimming::Labriform,
        active: Active::Day,
        length_m,
        count: 8,
        ..tangs(&[Routine::Graze, Routine::Rest])
    });
    let mut population = Population::new(&kinds, garden(0.0), 2, serial);
    run(&mut population, 30.0);
    for (i, fish) in population.animals.iter().enumerate() {
        assert!(fish.heading.y.abs() < 0.18, "{} of {i}", fish.heading.y);
        for other in &population.animals[i + 1..] {
            let far = fish.position.distance(other.position) / fish.length.max(other.length);
            assert!(far > 0.8, "{far} lengths apart");
        }
    }
}
