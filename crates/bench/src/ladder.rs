//! Cost of a frame against the number of fish.

use math::hex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run::{FrameSample, MeasuredRun, Plan};
use crate::schema::HASH;
use crate::stats;

/// The rungs when none are asked for: those of the WebGL Aquarium and its offspring, so that numbers line up.
pub const RUNGS: [u32; 10] = [1, 100, 500, 1000, 5000, 10_000, 15_000, 20_000, 25_000, 30_000];

/// Rungs above those, for machines that can.
const ABOVE: [u32; 5] = [50_000, 100_000, 200_000, 500_000, 1_000_000];

/// Time of a frame above which a ladder that ends early has no more rungs. Unit: ms.
pub const LONGEST_MS: f64 = 500.0;

/// The rungs of a ladder to a million fish.
pub fn to_a_million() -> Vec<u32> {
    RUNGS.into_iter().chain(ABOVE).collect()
}

/// Resource that ran out before a rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RanOut {
    /// Memory for so many animals.
    Memory,
    /// Time: going by the rungs below, a frame would take more than [`LONGEST_MS`].
    Time,
}

impl RanOut {
    /// The words for it in a table.
    pub fn words(self) -> String {
        match self {
            Self::Memory => "not measured: too little memory".into(),
            Self::Time => format!("not measured: a frame would take over {LONGEST_MS} ms"),
        }
    }
}

/// Ladder that is to be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderPlan {
    /// Numbers of fish.
    pub fish: Vec<u32>,
    /// Plan of the runs with each.
    pub plan: Plan,
    /// Whether it ends where memory or time runs out; else all numbers are measured, however long that takes.
    pub ends_early: bool,
}

/// Time of a frame with `fish`, by the straight line through the two rungs below, (fish, ms) each. Unit: ms.
pub(crate) fn foreseen_ms(below: &[(u32, f64)], fish: u32) -> f64 {
    match *below {
        [.., (f, a), (g, b)] if g > f => {
            let slope = (b - a).max(0.0) / f64::from(g - f);
            b + slope * f64::from(fish.saturating_sub(g))
        }
        [.., (_, ms)] => ms,
        [] => 0.0,
    }
}

/// Resource that runs out before a rung, if a frame is foreseen to take so long and memory `fits`.
pub(crate) fn runs_out(foreseen_ms: f64, fits: bool) -> Option<RanOut> {
    match (fits, foreseen_ms > LONGEST_MS) {
        (false, _) => Some(RanOut::Memory),
        (true, true) => Some(RanOut::Time),
        (true, false) => None,
    }
}

/// One number of fish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::schema::non_negative)]
pub struct Rung {
    /// Schooling and reef fish.
    pub fish: u32,
    /// Animals of every species.
    pub animals: u64,
    /// Whole runs.
    pub runs: usize,
    /// Resource that ran out, if it was not measured for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran_out: Option<RanOut>,
    /// Median over the runs of their median frame times. Unit: ms.
    pub median_ms: Option<f64>,
    /// The fastest run's median. Unit: ms.
    pub lowest_ms: Option<f64>,
    /// The slowest run's median. Unit: ms.
    pub highest_ms: Option<f64>,
    /// Median over the runs of their frames over time. Unit: 1/s.
    pub fps_avg: Option<f64>,
    /// Moving the world on, as far as frames wait for it; median over the runs of their medians, as are the rest.
    /// Unit: ms.
    pub simulate_ms: Option<f64>,
    /// Moving the world on beside drawing, which takes no frame's time. Unit: ms.
    #[serde(default)]
    pub beside_ms: Option<f64>,
    /// Gathering, culling and submitting. Unit: ms.
    pub submit_ms: Option<f64>,
    /// Waiting for the driver. Unit: ms.
    pub wait_ms: Option<f64>,
    /// Instances in view.
    pub visible: Option<f64>,
    /// Triangles submitted.
    pub triangles: Option<f64>,
    /// A hash of everything that moves after the last frame; null if runs differ or there are none.
    #[schemars(regex(pattern = HASH))]
    pub state_hash: Option<String>,
}

impl Rung {
    /// Sums up the whole runs at one number of fish.
    pub fn of(fish: u32, animals: u64, runs: &[MeasuredRun]) -> Self {
        let runs: Vec<&MeasuredRun> = runs.iter().filter(|run| run.complete).collect();
        let medians_of = |value: &dyn Fn(&FrameSample) -> f64| -> Vec<f64> {
            let of_run = |run: &&MeasuredRun| math::median(&run.samples.iter().map(value).collect::<Vec<_>>());
            runs.iter().filter_map(of_run).collect()
        };
        let middle = |value: &dyn Fn(&FrameSample) -> f64| math::median(&medians_of(value));
        let medians = medians_of(&|s| s.frame_ms);
        let mean_ms =
            |run: &&MeasuredRun| run.samples.iter().map(|s| s.frame_ms).sum::<f64>() / run.samples.len() as f64;
        let timed = runs.iter().filter(|run| run.samples.len() >= stats::RATE_MIN_FRAMES);
        let rates: Vec<f64> = timed.map(mean_ms).filter_map(stats::rate).collect();
        let mut states: Vec<u64> = runs.iter().map(|run| run.state_hash).collect();
        states.dedup();
        Self {
            fish,
            animals,
            runs: runs.len(),
            ran_out: None,
            median_ms: math::median(&medians),
            lowest_ms: medians.iter().copied().reduce(f64::min),
            highest_ms: medians.iter().copied().reduce(f64::max),
            fps_avg: math::median(&rates),
            simulate_ms: middle(&|s| s.simulate_ms),
            beside_ms: middle(&|s| s.beside_ms),
            submit_ms: middle(&|s| s.extract_ms + s.cull_ms + s.draw_ms),
            wait_ms: middle(&|s| s.wait_ms),
            visible: middle(&|s| f64::from(s.stats.visible)),
            triangles: middle(&|s| s.stats.triangles as f64),
            state_hash: (states.len() == 1).then(|| hex(states[0])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(times: &[f64], state_hash: u64, complete: bool) -> MeasuredRun {
        let sample = |&frame_ms: &f64| FrameSample { frame_ms, simulate_ms: 1.0, ..FrameSample::default() };
        MeasuredRun { samples: times.iter().map(sample).collect(), state_hash, complete, ..MeasuredRun::default() }
    }

    #[test]
    fn a_rung_is_the_median_of_its_whole_runs() {
        let runs = [
            run(&[10.0, 12.0, 11.0], 5, true),
            run(&[20.0, 20.0, 20.0], 5, true),
            run(&[13.0, 14.0, 15.0], 5, true),
            run(&[900.0], 6, false),
        ];
        let rung = Rung::of(100, 103, &runs);
        assert_eq!((rung.runs, rung.fish, rung.animals), (3, 100, 103));
        assert_eq!((rung.median_ms, rung.lowest_ms, rung.highest_ms), (Some(14.0), Some(11.0), Some(20.0)));
        let fps = rung.fps_avg.expect("there are frames");
        assert!((fps - 3000.0 / 42.0).abs() < 1e-9, "{fps}: of the run in the middle");
        assert_eq!(rung.state_hash, Some(hex(5)));
    }

    #[test]
    fn a_frame_is_foreseen_by_the_rungs_below() {
        assert_eq!(foreseen_ms(&[], 100), 0.0);
        assert_eq!(foreseen_ms(&[(1, 20.0)], 100), 20.0);
        assert_eq!(foreseen_ms(&[(1, 20.0), (101, 21.0)], 1101), 31.0);
        assert_eq!(foreseen_ms(&[(1, 20.0), (100, 18.0)], 1000), 18.0, "never faster");
        assert_eq!(runs_out(499.0, true), None);
        assert_eq!(runs_out(501.0, true), Some(RanOut::Time));
        assert_eq!(runs_out(501.0, false), Some(RanOut::Memory));
        assert!(to_a_million().is_sorted() && to_a_million().last() == Some(&1_000_000));
    }

    #[test]
    fn runs_that_end_differently_have_no_common_state() {
        let rung = Rung::of(1, 1, &[run(&[1.0], 5, true), run(&[1.0], 6, true)]);
        assert_eq!(rung.state_hash, None);
        let none = Rung::of(1, 1, &[]);
        assert_eq!((none.runs, none.median_ms, none.fps_avg, none.state_hash), (0, None, None, None));
    }
}
