//! Checks of the kinematics of each kind of swimming against measurements in the literature.

use glam::Vec3;

use super::*;
use crate::swimming::{Laws, Stroke};
use crate::{LifeSettings, Swimming, serial};

const SECOND: u32 = 60;

const ALL: [Swimming; 14] = [
    Swimming::Subcarangiform,
    Swimming::Carangiform,
    Swimming::Thunniform,
    Swimming::Anguilliform,
    Swimming::Labriform,
    Swimming::Balistiform,
    Swimming::Ostraciiform,
    Swimming::Amiiform,
    Swimming::Rajiform,
    Swimming::Mobuliform,
    Swimming::Chelonian,
    Swimming::Cetacean,
    Swimming::Medusan,
    Swimming::Flutter,
];

/// A single animal in open water, moved by hand.
struct Swimmer {
    population: Population,
}

impl Swimmer {
    fn new(swimming: Swimming, behaviour: Behaviour, length_m: f32, speed_bl_s: f32, burst_bl_s: f32) -> Self {
        let settings = LifeSettings {
            swimming,
            behaviour,
            length_m,
            length_spread: 0.0,
            count: 1,
            speed_bl_s,
            burst_bl_s: Some(burst_bl_s),
            depth_m: [0.0, 1000.0],
            range_m: 500.0,
            ..LifeSettings::default()
        };
        let mut population = Population::new(&[settings], Habitat::default(), 5, serial);
        let animal = &mut population.animals[0];
        animal.position = Vec3::new(0.0, -200.0, 0.0);
        animal.heading = Vec3::NEG_Z;
        animal.turn = Vec3::ZERO;
        (animal.bank, animal.lean, animal.alarm) = (0.0, 0.0, 0.0);
        animal.want = Vec3::NEG_Z;
        animal.want_speed = speed_bl_s * length_m;
        animal.speed = speed_bl_s * length_m;
        Self { population }
    }

    fn animal(&mut self) -> &mut Animal {
        &mut self.population.animals[0]
    }

    fn species(&self) -> &Species {
        &self.population.species[0]
    }

    fn step(&mut self) {
        let Population { animals, species, habitat, .. } = &mut self.population;
        swim::advance(&mut animals[0], &species[0], habitat, &Vec3::ZERO.into());
    }
}

#[test]
fn a_trout_beats_as_drucker_and_lauder_saw_it() {
    let laws = Laws::of(Swimming::Carangiform);
    let size = Stroke::size_factor(0.196);
    for (speed, hz, sweep) in [(0.5, 2.48, 0.092), (1.0, 3.18, 0.130), (2.0, 4.23, 0.145)] {
        assert!((laws.drive.frequency(speed, size) / hz - 1.0).abs() < 0.06, "{speed} L/s");
        assert!((laws.drive.sweep(speed) / sweep - 1.0).abs() < 0.07, "{speed} L/s");
    }
    assert!((0.18..=0.2).contains(&laws.drive.sweep(8.0)), "a fifth of the length and no more");
    // Bainbridge 1958, over 5 Hz: U = 0.75 f - 1.
    for speed in [3.0, 5.0, 8.0, 10.0] {
        assert!((laws.drive.frequency(speed, size) / ((speed + 1.0) / 0.75) - 1.0).abs() < 0.1, "{speed} L/s");
    }
}

#[test]
fn the_stroke_goes_with_the_way_and_nobody_slips() {
    for swimming in ALL.into_iter().filter(|one| *one != Swimming::Medusan) {
        let mut one = Swimmer::new(swimming, Behaviour::School, 0.4, 1.0, 6.0);
        // Fast enough that it does not pause.
        (one.animal().want_speed, one.animal().speed) = (1.2, 1.2);
        let (mut strokes, mut way, mut aside) = (0.0, 0.0, 0.0);
        for step in 0..240 {
            one.animal().want = Vec3::new(if step < 120 { -0.6 } else { 0.6 }, 0.0, -0.8);
            one.step();
            let animal = one.animal();
            let moved = animal.position - animal.prev_position;
            let along = moved.dot(animal.heading);
            aside += (moved - along * animal.heading).length();
            way += along;
            strokes += animal.body.phase_rate * STEP_S;
        }
        assert!(aside < 0.15 * way, "{swimming:?} slips by {aside} m of {way}");
        let laws = one.species().laws;
        let speed = way / 4.0 / 0.4;
        let expected = laws.drive.frequency(speed, Stroke::size_factor(0.4)) * 4.0;
        // Each animal has its own tempo, within 6 %.
        assert!((strokes / expected - 1.0).abs() < 0.1, "{swimming:?}: {strokes} strokes, {expected} expected");
    }
}

#[test]
fn one_that_strokes_and_pauses_keeps_its_speed_and_rests_its_tail() {
    let paused = |speed_bl: f32| {
        let mut one = Swimmer::new(Swimming::Carangiform, Behaviour::School, 0.2, 1.0, 10.0);
        (one.animal().want_speed, one.animal().speed) = (speed_bl * 0.2, speed_bl * 0.2);
        let (mut paused, mut sum) = (0, 0.0);
        for _ in 0..1200 {
            one.step();
            let animal = one.animal();
            paused += u32::from(animal.body.vigour < 0.3);
            sum += animal.speed / (0.2 * speed_bl);
            assert!((animal.body.sweep > 0.0) == (animal.body.vigour > 0.0));
        }
        assert!((sum / 1200.0 - 1.0).abs() < 0.12, "{speed_bl} L/s: {} of the wanted speed", sum / 1200.0);
        paused
    };
    let [slow, usual, fast] = [0.5, 1.2, 3.0].map(paused);
    assert!(slow > usual && usual > 60 && fast == 0, "{slow} {usual} {fast}: pauses become fewer");
}

#[test]
fn a_turtle_beats_down_twice_as_fast_as_up_and_rowers_pause_with_folded_fins() {
    /// Share of a stroke's time in which the half stroke about `at` is shown.
    fn share(stroke: &Stroke, at: f32, ease: f32) -> f32 {
        let shown: Vec<f32> = (0..=1000).map(|i| stroke.shown(i as f32 / 1000.0, ease)).collect();
        assert!(shown.windows(2).all(|two| two[1] >= two[0]), "never backward");
        assert!((shown[1000] - shown[0] - 1.0).abs() < 1e-5, "a whole stroke");
        let far = |phase: &&f32| ((*phase - at) - (*phase - at).round()).abs();
        shown.iter().filter(|phase| far(phase) < 0.25).count() as f32 / 1000.0
    }
    let turtle = Laws::of(Swimming::Chelonian).drive;
    let (down, up) = (share(&turtle, 0.5, 1.0), share(&turtle, 0.0, 1.0));
    assert!((1.8..2.2).contains(&(up / down)), "{up} of the time up, {down} down");
    let tang = Laws::of(Swimming::Labriform).fins;
    assert!(share(&tang, 0.88, 1.0) > 0.65, "slow: they lie folded for {}", share(&tang, 0.88, 1.0));
    assert!((share(&tang, 0.88, 0.0) - 0.5).abs() < 0.01, "fast: no pause");
}

#[test]
fn a_tuna_beats_on_its_way_up_and_glides_down() {
    let strokes = |climb: f32| {
        let mut one = Swimmer::new(Swimming::Thunniform, Behaviour::School, 1.9, 1.0, 5.0);
        let mut strokes = 0.0;
        for _ in 0..600 {
            one.animal().want = Vec3::new(0.0, climb, -1.0).normalize();
            one.step();
            strokes += one.animal().body.vigour;
        }
        strokes / 600.0
    };
    let [down, level, up] = [-0.25, 0.0, 0.25].map(strokes);
    assert!(down < 0.2 && level > 0.6 && up > 0.6, "share of strokes down {down}, level {level}, up {up}");
}

/// Radius (body lengths) and rate (rad/s) of the tightest curve at a speed, going for a heading that is always abeam.
fn tightest(swimming: Swimming, behaviour: Behaviour, length: f32, [cruise, speed, burst]: [f32; 3]) -> (f32, f32) {
    let mut one = Swimmer::new(swimming, behaviour, length, cruise, burst);
    (one.animal().want_speed, one.animal().speed) = (speed * length, speed * length);
    let (mut radius, mut rate) = (f32::INFINITY, 0.0f32);
    for _ in 0..300 {
        let abeam = Vec3::Y.cross(one.animal().heading);
        one.animal().want = abeam.normalize_or(Vec3::X);
        one.step();
        let animal = one.animal();
        let yaw = animal.prev_heading.cross(animal.heading).y / STEP_S;
        rate = rate.max(yaw);
        radius = radius.min(animal.speed / length / yaw.max(1e-6));
    }
    (radius, rate)
}

#[test]
fn curves_are_as_tight_as_the_kind_makes_them() {
    use Behaviour::{Cruiser, Reef, School};
    use Swimming::*;
    for (swimming, behaviour, length, speeds, radii, most_deg_s) in [
        // Cruisers on their way 2.2 L or more; in the hunt 0.2 to 1, as far as 390 degrees/s for a metre allow.
        (Subcarangiform, Cruiser, 1.7, [0.5, 0.5, 5.0], 2.0..4.5, 60.0),
        (Subcarangiform, Cruiser, 1.7, [0.5, 5.0, 5.0], 0.2..1.4, 390.0 / 1.7),
        // Bluefin: 0.4 to 1.7 L, at most 302 degrees/s.
        (Thunniform, School, 1.9, [0.9, 0.9, 10.0], 0.4..1.7, 302.0),
        // Reef fish 0.1 to 0.4 L.
        (Labriform, Reef, 0.2, [1.0, 1.0, 8.0], 0.1..0.4, 690.0),
        (Balistiform, Reef, 0.3, [0.8, 0.8, 6.0], 0.1..0.4, 690.0),
        (Ostraciiform, Reef, 0.2, [0.8, 0.8, 6.0], 0.0..0.25, 690.0),
        (Carangiform, School, 0.2, [1.8, 1.8, 10.0], 0.15..0.6, 690.0),
        // Mantas: 2.05 m, 1.26 more or less, at most 43 + 17 degrees/s.
        (Mobuliform, Cruiser, 2.5, [0.4, 0.4, 2.0], 0.3..2.0, 60.0),
        (Chelonian, Cruiser, 0.95, [0.35, 0.35, 2.0], 0.5..3.0, 60.0),
    ] {
        let (radius, rate) = tightest(swimming, behaviour, length, speeds);
        assert!(radii.contains(&radius), "{swimming:?} {speeds:?}: {radius} L");
        assert!(rate.to_degrees() <= most_deg_s, "{swimming:?} {speeds:?}: {} degrees/s", rate.to_degrees());
    }
}

#[test]
fn a_roll_that_it_does_not_want_is_gone_in_a_tenth_of_a_second() {
    for swimming in ALL.into_iter().filter(|one| *one != Swimming::Medusan) {
        let mut one = Swimmer::new(swimming, Behaviour::School, 1.0, 0.6, 4.0);
        one.animal().bank = 0.8;
        (0..6).for_each(|_| one.step());
        assert!(one.animal().bank.abs() < 0.05 * 0.8, "{swimming:?}: {}", one.animal().bank);
    }
    // A pitch takes 0.12 to 0.21 s in a fish of 0.2 m (Webb 2004).
    let mut one = Swimmer::new(Swimming::Carangiform, Behaviour::School, 0.2, 1.0, 10.0);
    one.animal().heading = Vec3::new(0.0, 0.5, -0.866);
    (0..24).for_each(|_| one.step());
    assert!(one.animal().heading.y < 0.05, "{}", one.animal().heading.y);
}

#[test]
fn the_body_bends_head_first_and_the_bend_goes_tailward() {
    let mut one = Swimmer::new(Swimming::Subcarangiform, Behaviour::School, 0.5, 1.5, 6.0);
    (0..60).for_each(|_| one.step());
    let (mut first, mut peaks) = ([None; 2], [(0.0, 0); 2]);
    for step in 0..120 {
        one.animal().want = if step < 20 { Vec3::NEG_X } else { one.animal().heading };
        one.step();
        for part in 0..2 {
            let bend = one.animal().body.bend[part];
            if bend > 0.15 {
                first[part].get_or_insert(step);
            }
            if bend > peaks[part].0 {
                peaks[part] = (bend, step);
            }
        }
    }
    let [Some(fore), Some(aft)] = first else { panic!("it bends: {first:?}") };
    assert!(fore < aft, "to the left, the fore part at step {fore}, the hind part at {aft}");
    assert!(peaks[0].1 < peaks[1].1 && peaks[0].0 <= 1.4, "{peaks:?}");
    let bend = one.animal().body.bend;
    assert!(bend[0].abs() < 0.1 && bend[1].abs() < 0.15, "straight again: {bend:?}");
}

#[test]
fn a_frightened_fish_bends_and_is_off() {
    for (length, burst) in [(0.08, 10.0), (0.2, 10.0), (0.36, 8.0), (1.0, 5.0)] {
        let mut one = Swimmer::new(Swimming::Carangiform, Behaviour::School, length, 1.0, burst);
        let away = Vec3::new(-0.6, 0.0, 0.8);
        one.animal().want = away;
        one.animal().startled = true;
        let (mut bent, mut peak, mut bend) = (None, None, 0.0f32);
        for step in 0..60 {
            one.animal().want_speed = length;
            one.step();
            let animal = one.animal();
            assert!(!animal.startled && animal.heading.is_normalized());
            if animal.body.bend[0] > bend {
                (bend, bent) = (animal.body.bend[0], Some(step));
                assert!(step > 0 || animal.speed < 2.0 * length, "it bends before it is off");
            }
            assert!(step < 8 || animal.heading.dot(away) > 0.98, "away: {}", animal.heading);
            if animal.speed > 0.98 * burst * length {
                peak.get_or_insert(step);
            }
            if step == 12 {
                assert!(animal.speed > 0.9 * burst * length, "it keeps it: {}", animal.speed);
            }
        }
        let (Some(bent), Some(peak)) = (bent, peak) else { panic!("{length} m: {bent:?} {peak:?}") };
        // Of 0.08 m in 42 ms for bend and stroke; larger ones take longer.
        let most = 42.0 * (length / 0.08f32).sqrt() + 17.0;
        assert!(bent as f32 * 1e3 * STEP_S <= most, "{length} m bends in {bent} steps");
        // A pike's 120 m/s^2 and no more.
        let most = (burst * length / 120.0 + 2.0 * STEP_S).max(0.06);
        assert!((peak - bent) as f32 * STEP_S <= most, "{length} m: full speed {} steps after the bend", peak - bent);
        assert!(bend > 1.2, "{length} m: {bend} rad");
        assert!(one.animal().speed < 0.9 * burst * length, "then it slows: {}", one.animal().speed);
    }
}

#[test]
fn nobody_glides_for_longer_than_a_few_seconds() {
    for (name, want) in [("on its way down", Vec3::new(0.0, -0.3, -1.0)), ("in a curve", Vec3::X)] {
        let mut manta = Swimmer::new(Swimming::Mobuliform, Behaviour::Cruiser, 2.2, 0.4, 2.0);
        let (mut longest, mut now, mut glides) = (0, 0, 0);
        for _ in 0..40 * SECOND {
            let heading = manta.animal().heading;
            manta.animal().want = match want == Vec3::X {
                true => (heading + heading.cross(Vec3::Y)).normalize(),
                false => want.normalize(),
            };
            manta.step();
            now = if manta.animal().body.vigour < 0.3 { now + 1 } else { 0 };
            (longest, glides) = (longest.max(now), glides + u32::from(now == SECOND));
        }
        let longest_s = longest as f32 * STEP_S;
        assert!((1.0..3.5).contains(&longest_s), "{name} it glides for {longest_s} s");
        assert!(glides > 3, "{name} it glides {glides} times");
        assert!(manta.animal().bank.abs() < 0.14, "{name} it rolls by {} besides its clip", manta.animal().bank);
    }
}

#[test]
fn one_that_gathers_way_beats_faster_and_wider() {
    for (swimming, length, burst) in [(Swimming::Thunniform, 1.9, 4.5), (Swimming::Rajiform, 0.7, 3.0)] {
        let mut one = Swimmer::new(swimming, Behaviour::Cruiser, length, 0.5, burst);
        (0..2 * SECOND).for_each(|_| one.step());
        one.animal().body.vigour = 1.0;
        one.animal().want_speed = burst * length;
        one.step();
        let (rate, speed) = (one.animal().body.phase_rate, one.animal().speed / length);
        let steady = one.species().laws.drive.frequency(speed, Stroke::size_factor(length));
        assert!(rate > 1.5 * steady, "{swimming:?}: {rate} Hz where {steady} would do");
    }
}
