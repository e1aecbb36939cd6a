//! Cost of a frame against the number of fish.

use math::hex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run::{FrameSample, MeasuredRun};
use crate::schema::HASH;
use crate::stats;

/// The rungs when none are asked for: those of the WebGL Aquarium and its offspring, so that numbers line up.
pub const RUNGS: [u32; 10] = [1, 100, 500, 1000, 5000, 10_000, 15_000, 20_000, 25_000, 30_000];

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
    /// Median over the runs of their median frame times. Unit: ms.
    pub median_ms: Option<f64>,
    /// The fastest run's median. Unit: ms.
    pub lowest_ms: Option<f64>,
    /// The slowest run's median. Unit: ms.
    pub highest_ms: Option<f64>,
    /// Median over the runs of their frames over time. Unit: 1/s.
    pub fps_avg: Option<f64>,
    /// Moving the world on, median over the runs of their medians, as are the rest. Unit: ms.
    pub simulate_ms: Option<f64>,
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
            median_ms: math::median(&medians),
            lowest_ms: medians.iter().copied().reduce(f64::min),
            highest_ms: medians.iter().copied().reduce(f64::max),
            fps_avg: math::median(&rates),
            simulate_ms: middle(&|s| s.simulate_ms),
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
    fn runs_that_end_differently_have_no_common_state() {
        let rung = Rung::of(1, 1, &[run(&[1.0], 5, true), run(&[1.0], 6, true)]);
        assert_eq!(rung.state_hash, None);
        let none = Rung::of(1, 1, &[]);
        assert_eq!((none.runs, none.median_ms, none.fps_avg, none.state_hash), (0, None, None, None));
    }
}
