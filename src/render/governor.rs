//! The quality governor: holds a frame budget by internal resolution first and quality tier next.
//!
//! It is told what each frame took and answers, now and then, with another [`Level`]. It knows no window, no renderer
//! and no clock, so tests can plant any load. It never touches the simulation: what swims, swims the same.
//!
//! Why it does not swing:
//! - it goes by medians of half a second, which a single slow frame does not move;
//! - it lowers when a frame takes 8 % more than the budget, and raises only when the higher level is foreseen to take
//!   15 % less than it, so no load is both;
//! - every change is followed by a while in which nothing is looked at, and every lowering by a wait before the next
//!   raise, which doubles each time the raised level could not be held;
//! - where lowering changes nothing, because the processor is what is slow, it puts back what it took and lets be.

use crate::render::Quality;

/// Tiers from the cheapest up.
const TIERS: [Quality; 4] = [Quality::Low, Quality::Medium, Quality::High, Quality::Ultra];
/// Internal resolutions from the finest down, over the one that was asked for.
const SCALES: [f32; 5] = [1.0, 0.85, 0.7, 0.6, 0.5];
/// Least time that a window of frames spans. Unit: s.
const WINDOW_S: f64 = 0.5;
/// Fewest frames of a window.
const WINDOW_FRAMES: usize = 8;
/// Most frames of a window, for programs that draw thousands a second.
const WINDOW_MOST: usize = 4096;
/// Time after a change that is not looked at: shaders compile, caches fill. Unit: s.
const SETTLE_S: f64 = 0.4;
/// Frames after a change that are not looked at.
const SETTLE_FRAMES: u32 = 4;
/// A median over the budget by this factor is too slow.
const OVER: f64 = 1.08;
/// Over by this factor is not watched a second time.
const FAR_OVER: f64 = 1.5;
/// A finer level is tried if it is foreseen to take less than this share of the budget.
const ROOM: f64 = 0.85;
/// What a finer tier is expected to take, over the present one.
const TIER_FACTOR: f64 = 2.0;
/// Windows in a row that must have room before a finer level is tried.
const ROOM_WINDOWS: u32 = 4;
/// Wait before raising to a level that was lowered from. Unit: s.
const WAIT_S: f64 = 5.0;
/// Longest such wait. Unit: s.
const LONGEST_WAIT_S: f64 = 320.0;
/// A raised level that is given up within this time could not be held. Unit: s.
const HELD_S: f64 = 60.0;
/// Lowering all there is that leaves this share of the load was in vain.
const IN_VAIN: f64 = 0.85;
/// How long lowering is not tried again after that. Unit: s.
const IN_VAIN_S: f64 = 60.0;
/// A gap this long between frames is no frame: the window was hidden. Unit: s.
const GAP_S: f64 = 2.0;

/// How finely is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The tier; never `Auto`.
    pub quality: Quality,
    /// Internal resolution over the output's.
    pub scale: f32,
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "quality {}, {:.0} % resolution", self.quality, self.scale * 100.0)
    }
}

/// Why a level was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Frames took more than the budget.
    TooSlow,
    /// There is room for more.
    Room,
    /// The finer level that was tried could not be held.
    NotHeld,
    /// Lowering did not help, so what was lowered is put back.
    InVain,
}

/// Another level, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// From now on.
    pub level: Level,
    /// Why.
    pub reason: Reason,
    /// Median time of the frames that led to it. Unit: ms.
    pub load_ms: f64,
    /// The budget. Unit: ms.
    pub target_ms: f64,
}

impl std::fmt::Display for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { level, load_ms, target_ms, .. } = self;
        match self.reason {
            Reason::TooSlow => write!(f, "{level}: frames took {load_ms:.1} ms of {target_ms:.1}"),
            Reason::Room => write!(f, "{level}: there is room, frames took {load_ms:.1} ms of {target_ms:.1}"),
            Reason::NotHeld => write!(f, "{level} again: with more, frames took {load_ms:.1} ms of {target_ms:.1}"),
            Reason::InVain => write!(
                f,
                "{level} again: frames take {load_ms:.1} ms of {target_ms:.1} with less, too, so it is not the picture \
                 that is slow (fewer fish would help)"
            ),
        }
    }
}

/// A level as numbers that go up as it gets coarser (scale) or finer (tier).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rung {
    tier: usize,
    scale: usize,
}

/// A level that is not to be tried for a while.
#[derive(Clone, Copy, Debug)]
struct Barred {
    rung: Rung,
    until_s: f64,
    wait_s: f64,
}

/// Decides on a level from what frames take.
#[derive(Clone, Debug)]
pub struct Governor {
    target_ms: f64,
    /// The finest resolution: the one that was asked for.
    most_scale: f32,
    rung: Rung,
    now_s: f64,
    settle: Option<(f64, u32)>,
    loads_ms: Vec<f64>,
    window_s: f64,
    windows_over: u32,
    windows_with_room: u32,
    /// The level that was last raised to, the one before it, and when.
    raised: Option<(Rung, Rung, f64)>,
    barred: Vec<Barred>,
    /// Where lowering began, and what frames took there.
    began: Option<(Rung, f64)>,
    /// Until when lowering is in vain, and what frames took then.
    in_vain: Option<(f64, f64)>,
}

impl Governor {
    /// Begins by the renderer: at the lowest tier if it draws on the CPU (`software`), else at `high`; at the resolution
    /// `most_scale`, which is never exceeded. `target_ms` is the budget of a frame.
    ///
    /// The first windows are the short measurement that the choice is completed by: they may move it at once.
    pub fn new(software: bool, most_scale: f32, target_ms: f64) -> Self {
        Self {
            target_ms,
            most_scale,
            rung: Rung { tier: if software { 0 } else { 2 }, scale: 0 },
            now_s: 0.0,
            settle: Some((SETTLE_S, SETTLE_FRAMES)),
            loads_ms: Vec::with_capacity(WINDOW_MOST),
            window_s: 0.0,
            windows_over: 0,
            windows_with_room: 0,
            raised: None,
            barred: Vec::new(),
            began: None,
            in_vain: None,
        }
    }

    /// The level that is to be drawn now.
    pub fn level(&self) -> Level {
        Level { quality: TIERS[self.rung.tier], scale: SCALES[self.rung.scale] * self.most_scale }
    }

    /// The budget of a frame. Unit: ms.
    pub fn target_ms(&self) -> f64 {
        self.target_ms
    }

    /// The scene, the window's size or the settings have changed: what was learnt of the load is no longer so.
    pub fn disturbed(&mut self) {
        self.barred.clear();
        (self.raised, self.began, self.in_vain) = (None, None, None);
        self.settle();
    }

    /// Takes in a frame: `load_ms` is what drawing it took, at most (waiting for the screen left out where it is known);
    /// `frame_s` is the time since the frame before. Answers with another level, if there is to be one.
    pub fn frame(&mut self, load_ms: f64, frame_s: f64) -> Option<Decision> {
        if !(load_ms.is_finite() && load_ms > 0.0 && frame_s.is_finite() && frame_s >= 0.0) {
            return None;
        }
        self.now_s += frame_s.min(GAP_S);
        if frame_s > GAP_S && load_ms < frame_s * 500.0 {
            self.begin_window();
            return None;
        }
        if let Some((left_s, left_frames)) = &mut self.settle {
            *left_s -= frame_s;
            *left_frames = left_frames.saturating_sub(1);
            if *left_s <= 0.0 && *left_frames == 0 {
                self.settle = None;
            }
            return None;
        }
        self.loads_ms.push(load_ms);
        self.window_s += frame_s;
        let is_whole = self.window_s >= WINDOW_S && self.loads_ms.len() >= WINDOW_FRAMES;
        if !is_whole && self.loads_ms.len() < WINDOW_MOST {
            return None;
        }
        let load_ms = math::median(&self.loads_ms)?;
        self.begin_window();
        let (rung, reason) = self.judge(load_ms)?;
        self.rung = rung;
        self.settle();
        Some(Decision { level: self.level(), reason, load_ms, target_ms: self.target_ms })
    }

    fn begin_window(&mut self) {
        self.loads_ms.clear();
        self.window_s = 0.0;
    }

    fn settle(&mut self) {
        self.settle = Some((SETTLE_S, SETTLE_FRAMES));
        (self.windows_over, self.windows_with_room) = (0, 0);
        self.begin_window();
    }

    /// What a window's median asks for.
    fn judge(&mut self, load_ms: f64) -> Option<(Rung, Reason)> {
        if load_ms > OVER * self.target_ms {
            self.windows_with_room = 0;
            self.windows_over += 1;
            return self.too_slow(load_ms);
        }
        self.windows_over = 0;
        (self.began, self.in_vain) = (None, None);
        let finer = self.finer().filter(|(_, factor)| factor * load_ms < ROOM * self.target_ms);
        let Some((finer, _)) = finer.filter(|(rung, _)| self.is_free(*rung)) else {
            self.windows_with_room = 0;
            return None;
        };
        self.windows_with_room += 1;
        if self.windows_with_room < ROOM_WINDOWS {
            return None;
        }
        self.raised = Some((finer, self.rung, self.now_s));
        Some((finer, Reason::Room))
    }

    fn too_slow(&mut self, load_ms: f64) -> Option<(Rung, Reason)> {
        if let Some((until_s, then_ms)) = self.in_vain {
            if self.now_s < until_s && load_ms < FAR_OVER * then_ms {
                return None;
            }
            self.in_vain = None;
        }
        // A level that is only being tried is given up at the first sign.
        if let Some((raised, before, when_s)) = self.raised.take_if(|(raised, ..)| *raised == self.rung) {
            let held = self.now_s - when_s > HELD_S;
            self.bar(raised, !held);
            if !held {
                return Some((before, Reason::NotHeld));
            }
        }
        if self.windows_over < 2 && load_ms < FAR_OVER * self.target_ms {
            return None;
        }
        let Some(coarser) = self.coarser(load_ms) else { return self.at_the_end(load_ms) };
        self.began.get_or_insert((self.rung, load_ms));
        self.bar(self.rung, false);
        Some((coarser, Reason::TooSlow))
    }

    /// Nothing is left to lower.
    fn at_the_end(&mut self, load_ms: f64) -> Option<(Rung, Reason)> {
        let (from, then_ms) = self.began.take()?;
        self.in_vain = Some((self.now_s + IN_VAIN_S, load_ms));
        (load_ms > IN_VAIN * then_ms && from != self.rung).then_some((from, Reason::InVain))
    }

    /// The next finer level, and what it is expected to take over the present one.
    fn finer(&self) -> Option<(Rung, f64)> {
        let Rung { tier, scale } = self.rung;
        if let Some(finer) = scale.checked_sub(1) {
            let factor = f64::from(SCALES[finer] / SCALES[scale]).powi(2);
            return Some((Rung { tier, scale: finer }, factor));
        }
        (tier + 1 < TIERS.len()).then_some((Rung { tier: tier + 1, scale }, TIER_FACTOR))
    }

    /// The coarser level that should do, if all of a frame's time went into its pixels; at least one step.
    fn coarser(&self, load_ms: f64) -> Option<Rung> {
        let Rung { tier, scale } = self.rung;
        let last = SCALES.len() - 1;
        if scale < last {
            let wanted = f64::from(SCALES[scale]) * (self.target_ms / load_ms).sqrt();
            let fitting = SCALES.iter().position(|s| f64::from(*s) <= wanted).unwrap_or(last);
            return Some(Rung { tier, scale: fitting.max(scale + 1) });
        }
        tier.checked_sub(1).map(|tier| Rung { tier, scale })
    }

    /// Bars a level that is left because it is too slow; longer if it was tried and `failed`.
    fn bar(&mut self, rung: Rung, failed: bool) {
        let before = self.barred.iter().position(|barred| barred.rung == rung).map(|i| self.barred.swap_remove(i));
        let wait_s = match before {
            Some(before) if failed => (2.0 * before.wait_s).min(LONGEST_WAIT_S),
            _ if failed => 2.0 * WAIT_S,
            _ => WAIT_S,
        };
        self.barred.push(Barred { rung, until_s: self.now_s + wait_s, wait_s });
    }

    fn is_free(&self, rung: Rung) -> bool {
        !self.barred.iter().any(|barred| barred.rung == rung && self.now_s < barred.until_s)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TARGET_MS: f64 = 33.3;

    /// A machine: what a frame takes at a level, at a time in seconds, in its n-th frame.
    type Machine<'a> = &'a dyn Fn(Level, f64, u64) -> f64;

    /// Runs for some seconds; decisions with the time they were made at.
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

    /// Time that goes by pixels, on top of what does not; tiers double both.
    fn pixels(fixed_ms: f64, pixel_ms: f64) -> impl Fn(Level, f64, u64) -> f64 {
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
        Governor::new(true, 1.0, TARGET_MS)
    }

    #[test]
    fn it_begins_by_the_renderer() {
        assert_eq!(software().level(), Level { quality: Quality::Low, scale: 1.0 });
        assert_eq!(Governor::new(false, 1.0, 16.7).level(), Level { quality: Quality::High, scale: 1.0 });
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
        let mut governor = Governor::new(false, 1.0, 16.7);
        let machine = pixels(3.0, 12.0);
        let decisions = run(&mut governor, 600.0, &machine);
        let first_tier =
            decisions.iter().position(|(_, d)| d.level.quality != Quality::High).expect("the tier changed");
        assert_eq!(decisions[first_tier - 1].1.level.scale, 0.5, "all resolution was used first: {decisions:?}");
        assert!(machine(governor.level(), 0.0, 0) <= OVER * 16.7, "{}", governor.level());
        let last_s = decisions.last().expect("there were some").0;
        assert!(last_s < 60.0, "it comes to rest: {decisions:?}");
    }

    #[test]
    fn a_fast_machine_is_given_more_in_steps() {
        let mut governor = Governor::new(false, 1.0, 16.7);
        let decisions = run(&mut governor, 60.0, &pixels(0.2, 0.5));
        assert_eq!(decisions.len(), 1);
        assert_eq!(governor.level(), Level { quality: Quality::Ultra, scale: 1.0 });
        let mut slow_start = Governor::new(true, 1.0, 16.7);
        run(&mut slow_start, 60.0, &pixels(0.2, 0.5));
        assert_eq!(slow_start.level().quality, Quality::Ultra);
    }

    #[test]
    fn single_stutters_change_nothing() {
        let mut governor = software();
        let machine = |level, s, frame: u64| {
            pixels(5.0, 25.0)(level, s, frame) * if frame.is_multiple_of(12) { 10.0 } else { 1.0 }
        };
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
        assert_eq!(governor.level(), Level { quality: Quality::Low, scale: 1.0 });
    }

    #[test]
    fn a_level_that_cannot_be_held_is_tried_ever_more_rarely() {
        // Foreseen by pixels it would fit; but the finer level is far dearer than its pixels.
        let machine = |level: Level, _, _| if level.scale > 0.84 { 45.0 } else { 18.0 };
        let mut governor = software();
        let decisions = run(&mut governor, 3600.0, &machine);
        let tries = decisions.iter().filter(|(_, d)| d.reason == Reason::Room).count();
        assert!((3..=24).contains(&tries), "{tries} tries in an hour");
        let late = decisions.iter().filter(|(when_s, d)| *when_s > 1800.0 && d.reason == Reason::Room).count();
        assert!(late <= 6, "{late} tries in the second half hour");
        let too_slow_s: f64 = decisions
            .windows(2)
            .filter(|pair| pair[0].1.reason == Reason::Room)
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
        assert_eq!(decisions.last().expect("it tried").1.reason, Reason::InVain);
        assert_eq!(governor.level(), Level { quality: Quality::Low, scale: 1.0 });
        assert!(decisions.len() <= 5, "{decisions:?}");
        // It looks again a minute later, not all the time.
        let decisions = run(&mut governor, 600.0, &|level, _, _| 90.0 + 5.0 * f64::from(level.scale));
        assert!(decisions.len() <= 24, "{} changes in ten minutes", decisions.len());
    }

    #[test]
    fn a_disturbance_makes_it_look_anew() {
        let machine = |level: Level, _, _| if level.scale > 0.84 { 45.0 } else { 18.0 };
        let mut governor = software();
        run(&mut governor, 120.0, &machine);
        governor.disturbed();
        let decisions = run(&mut governor, 10.0, &pixels(2.0, 4.0));
        assert!(decisions.iter().any(|(_, d)| d.reason == Reason::Room), "{decisions:?}");
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
        let level = Level { quality: Quality::Low, scale: 0.7 };
        let said = |reason| Decision { level, reason, load_ms: 51.26, target_ms: 33.3 }.to_string();
        assert_eq!(said(Reason::TooSlow), "quality low, 70 % resolution: frames took 51.3 ms of 33.3");
        assert!(said(Reason::Room).contains("there is room"));
        assert!(said(Reason::NotHeld).contains("again"));
        assert!(said(Reason::InVain).contains("not the picture"));
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
            let mut governor = Governor::new(software, most_scale, target_ms);
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
}
