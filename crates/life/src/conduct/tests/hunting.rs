//! Hunters, and the way that others make for them.

use super::*;

#[test]
fn hunters_strike_and_the_school_bursts_open() {
    // A waiting hunter may find no more than a stray.
    for (routine, length, least) in [(Routine::Pursue, 1.8, 30), (Routine::Ambush, 1.0, 0), (Routine::Herd, 2.2, 30)] {
        let mut population = Population::new(&[sardines(300), hunter(routine, length)], Habitat::default(), 6, serial);
        population.animals[300].position = population.schools[0].centroid + Vec3::new(4.0, -1.0, 0.0);
        population.animals[300].mind.drives.hunger = 1.0;
        let mut fastest = 0.0f32;
        let mut frightened = 0;
        for _ in 0..60 * SECOND {
            if routine == Routine::Ambush {
                // The school comes by where it waits.
                let ahead = population.schools[0].centroid + 1.2 * population.schools[0].course;
                population.animals[300].position = population.animals[300].position.lerp(ahead, 0.004);
            }
            population.step(Vec3::ZERO);
            fastest = fastest.max(population.animals[300].speed / length);
            frightened =
                frightened.max(population.animals[..300].iter().filter(|a| a.mind.fright.since_s < 0.5).count());
        }
        assert!(fastest > 1.8, "{routine:?}: {fastest} body lengths/s at most");
        assert!(frightened >= least, "{routine:?}: {frightened} took fright");
    }
}

#[test]
fn calm_hunters_begin_no_hunt_in_a_minute_in_which_others_do() {
    let party = LifeSettings {
        count: 4,
        school_size: 4,
        behaviour: Behaviour::School,
        swimming: Swimming::Thunniform,
        ..hunter(Routine::Pursue, 1.9)
    };
    let settings = [sardines(300), hunter(Routine::Pursue, 1.8), hunter(Routine::Ambush, 1.0), party];
    let hunts = |calm: bool| {
        let mut population = Population::new(&settings, Habitat::default(), 6, serial);
        population.set_hunters_calm(calm);
        let (mut hunts, mut starts) = (0, 0);
        for step in 0..63 * SECOND {
            let middle = population.schools[0].centroid;
            for (number, hunter) in (0u8..).zip(&mut population.animals[300..]) {
                // They are hungry, and the prey is always near.
                hunter.mind.drives.hunger = 1.0;
                if hunter.position.distance(middle) > 12.0 {
                    hunter.position = middle + Vec3::new(6.0, -1.0, 2.0 * f32::from(number));
                }
            }
            population.step(Vec3::ZERO);
            // Hunts under way when the calm began have ended.
            if step < 3 * SECOND {
                continue;
            }
            let of_hunters = population.animals[300..].iter();
            hunts += of_hunters.filter(|one| one.mind.intention.is_hunt() || one.mind.other != NOBODY).count();
            starts += population.seen[300..].iter().filter(|one| one.strikes).count();
        }
        (hunts, starts)
    };
    let (hunted, struck) = hunts(false);
    assert!(hunted > 0 && struck > 0, "{hunted} and {struck} steps");
    assert_eq!(hunts(true), (0, 0));
}

#[test]
fn each_strike_that_reaches_a_fish_is_told_once_where_the_fish_is() {
    let mut population = Population::new(&[sardines(300), hunter(Routine::Pursue, 1.8)], Habitat::default(), 6, serial);
    population.animals[300].position = population.schools[0].centroid + Vec3::new(4.0, -1.0, 0.0);
    let mut told = Vec::new();
    for step in 0..90 * SECOND {
        population.animals[300].mind.drives.hunger = 1.0;
        population.step(Vec3::ZERO);
        for event in population.events() {
            assert_eq!((event.kind, event.animal.0), (EventKind::Strike, 1));
            let fish = &population.animals[..300];
            let nearest = fish.iter().map(|fish| fish.position.distance(event.position)).fold(f32::MAX, f32::min);
            assert!(nearest < 0.7 * 1.8, "{nearest} m from any fish");
            told.push(step);
        }
    }
    assert!(told.len() >= 3, "{} strikes in a minute and a half", told.len());
    assert!(told.windows(2).all(|two| two[1] - two[0] > SECOND / 2), "{told:?}");
}

#[test]
fn a_shark_goes_round_barracudas_and_they_start_before_its_rush() {
    let barracudas = LifeSettings {
        name: "barracuda".into(),
        count: 8,
        school_size: 8,
        length_m: 1.1,
        length_spread: 0.0,
        speed_bl_s: 0.6,
        burst_bl_s: Some(6.0),
        spacing_bl: 1.5,
        boldness: 0.7,
        routines: vec![Routine::School, Routine::Ambush],
        depth_m: [7.0, 10.0],
        path_m: vec![[0.0, -8.5, 0.0], [1.0, -8.5, 0.0]],
        ..LifeSettings::default()
    };
    let shark = LifeSettings {
        path_m: vec![[-9.0, -8.5, 0.0], [0.0, -8.5, 0.5], [9.0, -8.5, 0.0], [0.0, -8.5, -0.5]],
        path_spread_m: 0.0,
        depth_m: [7.0, 10.0],
        ..hunter(Routine::Pursue, 2.0)
    };
    let mut population = Population::new(&[barracudas, shark], Habitat::default(), 5, serial);
    let mut nearest = f32::INFINITY;
    for _ in 0..90 * SECOND {
        population.animals[8].mind.drives.hunger = 1.0;
        population.step(Vec3::ZERO);
        assert_eq!(population.animals[8].mind.other, NOBODY, "they are too large for it");
        for other in &population.seen[..8] {
            nearest = nearest.min(from_body_to_body(&population.animals[8], other).length());
        }
    }
    assert!(nearest > 0.25, "bodies come within {nearest} m of each other");
    // A rush straight at one of them.
    assert!(population.animals[..8].iter().all(|one| one.alarm == 0.0), "they mind no shark that passes");
    let aim = population.animals[3].position;
    let from = aim + Vec3::new(5.0, 0.0, 0.0);
    let mut started = 0;
    for step in 0..SECOND / 2 {
        let rush = &mut population.animals[8];
        (rush.position, rush.heading, rush.speed) = (from - Vec3::X * (9.0 * step as f32 * STEP_S), -Vec3::X, 9.0);
        population.step(Vec3::ZERO);
        started = started.max(population.animals[..8].iter().filter(|one| one.mind.fright.since_s < 0.5).count());
    }
    assert!(started >= 1, "nobody starts");
}

#[test]
fn of_a_party_one_strikes_at_a_time_and_turns_off() {
    let party = LifeSettings {
        count: 4,
        school_size: 4,
        behaviour: Behaviour::School,
        swimming: Swimming::Thunniform,
        burst_bl_s: Some(4.5),
        ..hunter(Routine::Pursue, 1.9)
    };
    let mut population = Population::new(&[sardines(300), party], Habitat::default(), 6, serial);
    for (number, animal) in (0u8..).zip(&mut population.animals[300..]) {
        animal.position = population.schools[0].centroid + Vec3::new(6.0, -1.0, 2.0 * f32::from(number) - 3.0);
    }
    let (mut strikes, mut together, mut fastest, mut was) = (0, 0, 0.0f32, 0);
    for _ in 0..180 * SECOND {
        population.step(Vec3::ZERO);
        let now = population.animals[300..].iter().filter(|one| one.mind.other != NOBODY).count();
        strikes += usize::from(now > was);
        together += u32::from(now > 1);
        was = now;
        fastest = population.animals[300..].iter().map(|one| one.speed / one.length).fold(fastest, f32::max);
    }
    assert!((3..=60).contains(&strikes), "{strikes} strikes in three minutes");
    assert!(together < SECOND / 2, "two strike at once for {together} steps");
    assert!(fastest > 3.5, "{fastest} L/s at most");
}

#[test]
fn a_cloud_of_pickers_opens_round_a_hunter_that_passes() {
    // Straight through the cloud, once as a feared animal and once as a harmless one.
    let nearest = |hunts: bool| {
        let damsels = LifeSettings {
            count: 60,
            school_size: 60,
            length_m: 0.12,
            burst_bl_s: Some(10.0),
            boldness: 0.7,
            depth_m: [7.0, 10.0],
            path_m: vec![[0.0, -8.5, 0.0]],
            ..tangs(&[Routine::Plankton])
        };
        let shark = LifeSettings {
            hunts,
            speed_bl_s: 0.45,
            path_m: vec![[-12.0, -8.5, 0.0], [0.0, -8.5, 0.0], [12.0, -8.5, 0.0], [0.0, -8.5, -12.0]],
            path_spread_m: 0.0,
            ..hunter(Routine::Wander, 2.0)
        };
        let mut population = Population::new(&[damsels, shark], Habitat::default(), 5, serial);
        let (mut all, mut passes) = (0.0, 0);
        for _ in 0..120 * SECOND {
            population.step(Vec3::ZERO);
            let shark = &population.animals[60];
            if shark.position.distance(population.schools[0].centroid) < 1.5 {
                let from = |fish: &Animal| {
                    let to = fish.position - shark.position;
                    (to - shark.heading * to.dot(shark.heading).clamp(-0.8, 0.8)).length()
                };
                all += population.animals[..60].iter().map(from).fold(f32::INFINITY, f32::min);
                passes += 1;
            }
        }
        assert!(passes > SECOND / 2, "{passes} steps in the cloud");
        all / passes as f32
    };
    let (feared, ignored) = (nearest(true), nearest(false));
    // They make way for any large body, by no more than necessary.
    assert!(feared > 0.7 && feared > 1.6 * ignored, "{feared} m from it, {ignored} m if it is none to fear");
}
