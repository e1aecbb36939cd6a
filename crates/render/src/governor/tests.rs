use proptest::prelude::*;

use super::*;

const TARGET_MS: f64 = 33.3;

/// A machine: the load of a frame by level, time in seconds and number of the frame.
type Machine<'a> = &'a dyn Fn(QualityLevel, f64, u64) -> f64;

/// Runs for some seconds; returns the decisions with their times.
fn run(governor: &mut Governor, seconds: f64, machine: Machine<'_>) -> Vec<(f64, Decision)> {
    let (mut now_s, mut frame) = (0.0, 0);
    let mut decisions = Vec::new();
    while now_s < seconds {
        let ms = machine(governor.level(), now_s, frame);
        now_s += ms / 1e3;
        frame += 1;
        decisions.extend(governor.frame(ms, ms / 1e3).map(|decision| (now_s, decision)));
    }
    decisions
}

/// A load that grows with the pixels, on top of a fixed one; tiers double both.
fn pixels(fixed_ms: f64, pixel_ms: f64) -> impl Fn(QualityLevel, f64, u64) -> f64 {
    move |level, _, _| {
        let tier = TIERS.iter().position(|tier| *tier == level.quality).expect("a tier") as i32;
        2.0_f64.powi(tier) * (fixed_ms + pixel_ms * f64::from(level.scale).powi(2))
    }
}

/// Noise that is the same each time: about -1 to 1.
fn noise(frame: u64) -> f64 {
    let mut bits = frame.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn software() -> Governor {
    Governor::with_budget(true, 1.0, TARGET_MS)
}

#[test]
fn it_begins_by_the_renderer() {
    assert_eq!(software().level(), QualityLevel { quality: Quality::Low, scale: 1.0 });
    assert_eq!(Governor::with_budget(false, 1.0, 16.7).level(), QualityLevel { quality: Quality::High, scale: 1.0 });
}

#[test]
fn a_load_within_budget_is_left_alone() {
    let mut governor = software();
    assert_eq!(run(&mut governor, 600.0, &pixels(5.0, 25.0)), []);
}

#[test]
fn a_heavy_load_is_brought_into_budget_by_resolution_within_seconds_and_then_held() {
    let mut governor = software();
    let machine = pixels(10.0, 60.0);
    let decisions = run(&mut governor, 600.0, &machine);
    assert!(decisions.len() <= 2, "{decisions:?}");
    assert!(decisions.iter().all(|(when_s, d)| *when_s < 6.0 && d.reason == Reason::TooSlow), "{decisions:?}");
    let level = governor.level();
    assert_eq!(level.quality, Quality::Low);
    assert!(machine(level, 0.0, 0) <= OVER * TARGET_MS, "{level}");
}

#[test]
fn where_resolution_does_not_suffice_the_tier_goes_down_and_only_then() {
    let mut governor = Governor::with_budget(false, 1.0, 16.7);
    let machine = pixels(3.0, 12.0);
    let decisions = run(&mut governor, 600.0, &machine);
    let first_tier = decisions.iter().position(|(_, d)| d.level.quality != Quality::High).expect("the tier changed");
    assert_eq!(decisions[first_tier - 1].1.level.scale, 0.5, "all resolution was used first: {decisions:?}");
    assert!(machine(governor.level(), 0.0, 0) <= OVER * 16.7, "{}", governor.level());
    let last_s = decisions.last().expect("there were some").0;
    assert!(last_s < 60.0, "it comes to rest: {decisions:?}");
}

#[test]
fn a_fast_machine_is_given_more_in_steps() {
    let mut governor = Governor::with_budget(false, 1.0, 16.7);
    let decisions = run(&mut governor, 60.0, &pixels(0.2, 0.5));
    assert_eq!(decisions.len(), 1);
    assert_eq!(governor.level(), QualityLevel { quality: Quality::Ultra, scale: 1.0 });
    let mut slow_start = Governor::with_budget(true, 1.0, 16.7);
    run(&mut slow_start, 60.0, &pixels(0.2, 0.5));
    assert_eq!(slow_start.level().quality, Quality::Ultra);
}

#[test]
fn single_stutters_change_nothing() {
    let mut governor = software();
    let machine =
        |level, s, frame: u64| pixels(5.0, 25.0)(level, s, frame) * if frame.is_multiple_of(12) { 10.0 } else { 1.0 };
    assert_eq!(run(&mut governor, 600.0, &machine), []);
}

#[test]
fn noise_of_a_fifth_changes_nothing_once_it_has_settled() {
    for (fixed, of_pixels) in [(5.0, 25.0), (10.0, 60.0), (10.0, 30.0)] {
        let mut governor = software();
        let machine = |level, s, frame| pixels(fixed, of_pixels)(level, s, frame) * (1.0 + 0.2 * noise(frame));
        let decisions = run(&mut governor, 1800.0, &machine);
        let late = decisions.iter().filter(|(when_s, _)| *when_s > 60.0).count();
        assert!(decisions.len() <= 5 && late <= 2, "{fixed} {of_pixels}: {decisions:?}");
    }
}

#[test]
fn after_a_step_up_and_down_it_is_where_it_was() {
    let mut governor = software();
    let machine = |level, now_s: f64, frame| {
        let heavy = if (100.0..200.0).contains(&now_s) { 3.0 } else { 1.0 };
        heavy * pixels(3.0, 20.0)(level, now_s, frame)
    };
    let decisions = run(&mut governor, 400.0, &machine);
    assert!(decisions.iter().all(|(when_s, _)| (100.0..260.0).contains(when_s)), "{decisions:?}");
    let first = decisions.first().expect("the step is answered");
    assert!(first.0 < 103.0, "within three seconds: {decisions:?}");
    let at_200 = decisions.iter().rev().find(|(when_s, _)| *when_s < 200.0).expect("lowered").1.level;
    assert!(machine(at_200, 150.0, 0) <= OVER * TARGET_MS, "in budget under load: {at_200}");
    assert_eq!(governor.level(), QualityLevel { quality: Quality::Low, scale: 1.0 });
}

#[test]
fn a_level_that_cannot_be_held_is_tried_ever_more_rarely() {
    // By its pixels it is predicted to fit; but the finer level is far dearer than its pixels.
    let machine = |level: QualityLevel, _, _| if level.scale > 0.84 { 45.0 } else { 18.0 };
    let mut governor = software();
    let decisions = run(&mut governor, 3600.0, &machine);
    let tries = decisions.iter().filter(|(_, d)| d.reason == Reason::Headroom).count();
    assert!((3..=24).contains(&tries), "{tries} tries in an hour");
    let late = decisions.iter().filter(|(when_s, d)| *when_s > 1800.0 && d.reason == Reason::Headroom).count();
    assert!(late <= 6, "{late} tries in the second half hour");
    let too_slow_s: f64 = decisions
        .windows(2)
        .filter(|pair| pair[0].1.reason == Reason::Headroom)
        .map(|pair| pair[1].0 - pair[0].0)
        .sum();
    assert!(too_slow_s < 60.0, "{too_slow_s} s of an hour were over budget");
}

#[test]
fn a_load_that_swings_is_not_followed() {
    for period_s in [2.0, 7.0, 20.0] {
        let machine = |level, now_s: f64, frame| {
            let swing = 1.0 + 0.35 * (std::f64::consts::TAU * now_s / period_s).sin();
            swing * pixels(5.0, 26.0)(level, now_s, frame)
        };
        let mut governor = software();
        let decisions = run(&mut governor, 1800.0, &machine);
        let late = decisions.iter().filter(|(when_s, _)| *when_s > 600.0).count();
        assert!(late <= 14, "period {period_s} s: {late} changes in twenty minutes");
    }
}

#[test]
fn what_is_slow_because_of_the_processor_keeps_its_picture() {
    let mut governor = software();
    // A hundred thousand fish: resolution hardly matters.
    let decisions = run(&mut governor, 50.0, &|level, _, _| 90.0 + 5.0 * f64::from(level.scale));
    assert_eq!(decisions.last().expect("it tried").1.reason, Reason::CpuBound);
    assert_eq!(governor.level(), QualityLevel { quality: Quality::Low, scale: 1.0 });
    assert!(decisions.len() <= 5, "{decisions:?}");
    // It looks again a minute later, not all the time.
    let decisions = run(&mut governor, 600.0, &|level, _, _| 90.0 + 5.0 * f64::from(level.scale));
    assert!(decisions.len() <= 24, "{} changes in ten minutes", decisions.len());
}

#[test]
fn a_disturbance_makes_it_look_anew() {
    let machine = |level: QualityLevel, _, _| if level.scale > 0.84 { 45.0 } else { 18.0 };
    let mut governor = software();
    run(&mut governor, 120.0, &machine);
    governor.disturbed();
    let decisions = run(&mut governor, 10.0, &pixels(2.0, 4.0));
    assert!(decisions.iter().any(|(_, d)| d.reason == Reason::Headroom), "{decisions:?}");
}

#[test]
fn nonsense_and_gaps_are_no_frames() {
    let mut governor = software();
    for (load_ms, frame_s) in [(f64::NAN, 0.1), (-5.0, 0.1), (0.0, 0.1), (1e9, f64::INFINITY), (50.0, f64::NAN)] {
        for _ in 0..1000 {
            assert_eq!(governor.frame(load_ms, frame_s), None);
        }
    }
    // A window that was hidden for an hour.
    run(&mut governor, 5.0, &pixels(5.0, 25.0));
    assert_eq!(governor.frame(20.0, 3600.0), None);
    assert_eq!(run(&mut governor, 5.0, &pixels(5.0, 25.0)), []);
}

#[test]
fn what_it_did_is_said_in_words() {
    let level = QualityLevel { quality: Quality::Low, scale: 0.7 };
    let said = |reason| Decision { level, reason, load_ms: 51.26, target_ms: 33.3 }.to_string();
    assert_eq!(said(Reason::TooSlow), "quality low, 70 % resolution: frames took 51.3 ms of 33.3");
    assert!(said(Reason::Headroom).contains("there is room"));
    assert!(said(Reason::NotHeld).contains("again"));
    assert!(said(Reason::CpuBound).contains("not the picture"));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        rng_seed: proptest::test_runner::RngSeed::Fixed(3),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn whatever_the_load_it_takes_its_time_and_keeps_its_bounds(
        loads in prop::collection::vec(0.01_f64..2000.0, 1..60),
        spans in prop::collection::vec(1_u32..200, 60),
        software: bool,
        most_scale in 0.25_f32..2.0,
        target_ms in 1.0_f64..200.0,
    ) {
        let mut governor = Governor::with_budget(software, most_scale, target_ms);
        let (mut now_s, mut last_s, mut last) = (0.0, 0.0, governor.level());
        for (load_ms, span) in loads.iter().zip(&spans) {
            for _ in 0..*span {
                now_s += load_ms / 1e3;
                let decision = governor.frame(*load_ms, load_ms / 1e3);
                let level = governor.level();
                prop_assert!(level.scale <= most_scale && level.scale >= 0.499 * most_scale);
                prop_assert_eq!(decision.is_some(), level != last, "a decision is a change and a change is told");
                if let Some(decision) = decision {
                    prop_assert_eq!(decision.level, level);
                    prop_assert!(now_s - last_s >= SETTLE_S, "{} s after the last", now_s - last_s);
                    (last_s, last) = (now_s, level);
                }
            }
        }
    }
}

#[test]
fn a_picture_at_rest_is_whole_and_of_the_next_tier() {
    let render = RenderSettings { scale: 0.8, ..RenderSettings::default() };
    let at_rest = |quality, software| {
        let QualityLevel { quality, scale } = QualityLevel { quality, scale: 0.4 }.at_rest(&render, software);
        assert!((scale - 0.8).abs() < 1e-6, "what was asked for is not exceeded");
        quality
    };
    assert_eq!(at_rest(Quality::Low, true), Quality::Medium);
    assert_eq!(at_rest(Quality::Low, false), Quality::High, "at least what is begun with");
    assert_eq!([Quality::High, Quality::Ultra].map(|quality| at_rest(quality, false)), [Quality::Ultra; 2]);
}
