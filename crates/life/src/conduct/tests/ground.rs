//! Animals that live by the ground: their height, their attitude, and their rivals.

use super::*;
use crate::Obstacle;

/// Sand at eight metres and a boulder.
fn slope() -> Habitat {
    let floor = HeightMap::sample(Vec2::ZERO, 40.0, 1.0, |_, _| -8.0);
    let rock = Obstacle { center: Vec3::new(1.0, -8.0, 0.0), radii: Vec3::new(1.2, 1.6, 1.0) };
    Habitat::new(Some(floor), vec![rock])
}

/// A wrasse that cleans others.
fn wrasse() -> LifeSettings {
    LifeSettings {
        name: "wrasse".into(),
        behaviour: Behaviour::Reef,
        count: 1,
        length_m: 0.09,
        range_m: 2.0,
        ..tangs(&[Routine::Clean])
    }
}

#[test]
fn a_height_over_the_ground_is_kept_whatever_the_path_says() {
    let band = |height_m: [f32; 2]| LifeSettings {
        height_m,
        depth_m: [2.0, 7.6],
        path_m: vec![[-3.0, -4.0, -3.0], [3.0, -4.0, -3.0], [3.0, -4.0, 3.0], [-3.0, -4.0, 3.0]],
        ..tangs(&[Routine::School])
    };
    let share_high = |card: LifeSettings| {
        let mut population = Population::new(&[card], slope(), 2, serial);
        let (mut high, mut all) = (0, 0);
        for _ in 0..120 * SECOND {
            population.step(Vec3::ZERO);
            for fish in &population.animals {
                let p = fish.position;
                all += 1;
                high += u32::from(p.y > -8.0 + 1.5 && population.habitat.is_clear(p, 1.5));
            }
        }
        high as f32 / all as f32
    };
    let (kept, free) = (share_high(band([0.2, 1.2])), share_high(band([0.0, 1000.0])));
    assert!(kept < 0.02 && free > 0.2, "{kept} of the time higher, {free} without the key");
}

#[test]
fn nobody_at_ease_hangs_nose_up_or_nose_down() {
    /// Sine of a steep pitch, and its longest duration. Unit: s.
    const STEEP: f32 = 0.42;
    const LASTS_S: f32 = 3.0;
    let all = [Routine::Graze, Routine::Hide, Routine::VisitCleaner, Routine::School];
    let alone = LifeSettings { behaviour: Behaviour::Reef, home_m: [1.0, 0.0], range_m: 3.0, ..tangs(&all) };
    let mut population = Population::new(&[tangs(&all), alone, wrasse()], slope(), 3, serial);
    let mut steep = vec![0.0; population.len()];
    for step in 0..240 * SECOND {
        population.step(Vec3::ZERO);
        for (index, (fish, steep)) in population.animals.iter().zip(&mut steep).enumerate() {
            let pecks = fish.mind.intention == Intention::Do(Routine::Graze) && fish.mind.stay_s > 0.0;
            let tilts = matches!(fish.mind.intention, Intention::Do(Routine::Clean | Routine::VisitCleaner));
            let is_steep = fish.heading.y.abs() > STEEP && !pecks && !tilts && !fish.gait.is_feeding();
            *steep = if is_steep { *steep + STEP_S } else { 0.0 };
            let about = fish.mind.intention;
            assert!(*steep < LASTS_S, "{index} is steep for {steep} s at {} s: {about:?}", step / SECOND);
        }
    }
}

#[test]
fn a_client_stays_level_until_the_cleaner_is_at_it() {
    let client = LifeSettings { count: 4, length_m: 0.3, ..tangs(&[Routine::VisitCleaner]) };
    let mut population = Population::new(&[wrasse(), client], garden(1.0), 6, serial);
    population.animals[1..].iter_mut().for_each(|fish| fish.mind.drives.itch = 1.0);
    let (mut waits, mut tilted) = (0, 0);
    for _ in 0..120 * SECOND {
        population.step(Vec3::ZERO);
        let cleaner = population.animals[0].position;
        for fish in &population.animals[1..] {
            let is_client = fish.mind.intention == Intention::Do(Routine::VisitCleaner);
            if is_client && fish.position.distance(cleaner) > 0.8 + 0.6 * fish.length {
                waits += 1;
                tilted += u32::from(fish.heading.y.abs() > 0.42);
            }
        }
    }
    assert!(waits > 0 && tilted < waits / 20, "tilted in {tilted} of {waits}");
}

#[test]
fn who_comes_too_near_is_driven_off_and_then_let_be() {
    let trigger = LifeSettings {
        name: "trigger".into(),
        behaviour: Behaviour::Reef,
        count: 1,
        school_size: 1,
        length_m: 0.3,
        burst_bl_s: Some(6.0),
        territory_m: 2.0,
        range_m: 2.0,
        ..tangs(&[Routine::Guard])
    };
    let passers = LifeSettings { burst_bl_s: Some(8.0), range_m: 3.0, ..tangs(&[Routine::School]) };
    let mut population = Population::new(&[trigger, passers], garden(1.0), 4, serial);
    let (mut chases, mut steps, mut driven, mut was) = (0, 0, 0, None);
    for _ in 0..180 * SECOND {
        population.step(Vec3::ZERO);
        let owner = &population.animals[0];
        let chases_now = owner.mind.intention == Intention::Do(Routine::Guard) && owner.mind.other != NOBODY;
        let (from, whom) = (owner.goal, owner.mind.other as usize);
        if chases_now {
            steps += 1;
            chases += u32::from(was.is_none());
            was = Some((from, whom));
        } else if let Some((from, whom)) = was.take() {
            driven += u32::from(population.animals[whom].position.distance(from) > 2.0);
        }
    }
    assert!((3..=20).contains(&chases), "{chases} chases in three minutes");
    assert!(driven * 2 >= chases, "{driven} of {chases} driven off");
    assert!(steps / chases < 4 * SECOND, "{} s each", steps / chases / SECOND);
}
