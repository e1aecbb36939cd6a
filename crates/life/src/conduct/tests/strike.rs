//! Traces of a strike: a straggler, and a nervous minute.

use super::*;

/// Distance of each member of the first school to its nearest mate. Unit: body lengths.
fn nearest(population: &Population) -> Vec<f32> {
    let members = &population.animals[population.schools[0].animals.clone()];
    let far = |one: &Animal| {
        let others = members.iter().filter(|other| !std::ptr::eq(*other, one));
        others.map(|other| other.position.distance(one.position)).fold(f32::INFINITY, f32::min) / one.length
    };
    members.iter().map(far).collect()
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values[values.len() / 2]
}

/// Mean of the median distance to the nearest mate in the next `seconds`. Unit: body lengths.
fn spacing(population: &mut Population, seconds: u32) -> f32 {
    let looks = (0..seconds).map(|_| {
        run(population, 1.0);
        median(nearest(population))
    });
    looks.sum::<f32>() / seconds as f32
}

/// Farthest distance of a fish to its nearest mate, in body lengths, and the number of those more than 3 away.
fn apart(population: &Population) -> (f32, usize) {
    let nearest = nearest(population);
    let number = nearest.iter().filter(|far| **far > 3.0).count();
    (nearest.into_iter().fold(0.0, f32::max), number)
}

#[test]
fn after_a_strike_one_is_left_apart_and_comes_back() {
    let (mut alone, mut back) = (0, 0);
    for seed in 0..6 {
        let mut population = Population::new(&[sardines(120)], Habitat::default(), seed, serial);
        run(&mut population, 10.0);
        population.frighten(population.schools[0].centroid, 1.0);
        let mut seconds = 0;
        for second in 0..45 {
            run(&mut population, 1.0);
            let (far, number) = apart(&population);
            // The school has closed again.
            seconds += u32::from((5..15).contains(&second) && number == 1);
            if second == 44 {
                back += u32::from(number == 0);
                eprintln!("seed {seed}: one alone for {seconds} s; at the end {far} BL, {number}");
            }
        }
        alone += u32::from(seconds >= 3);
    }
    assert!(alone >= 4, "one left apart in {alone} of 6");
    assert!(back >= 5, "back in {back} of 6");
}

#[test]
fn a_school_is_uneasy_for_a_minute_after_a_strike() {
    let (mut before, mut nervous, mut after) = (0.0, 0.0, 0.0);
    for seed in 0..4 {
        let mut population = Population::new(&[sardines(120)], Habitat::default(), seed, serial);
        run(&mut population, 5.0);
        before += spacing(&mut population, 25) / 4.0;
        population.frighten(population.schools[0].centroid, 1.0);
        run(&mut population, 15.0);
        assert!(population.animals.iter().all(|fish| fish.alarm == 0.0), "no fish is afraid any more");
        nervous += spacing(&mut population, 25) / 4.0;
        run(&mut population, 30.0);
        after += spacing(&mut population, 25) / 4.0;
    }
    eprintln!("{before} BL before the strike, {nervous} after it, {after} in the end");
    assert!(nervous < 0.95 * before, "{nervous} BL after a strike, {before} before it");
    assert!((0.96..1.04).contains(&(after / before)), "{after} BL in the end, {before} at first");
}
