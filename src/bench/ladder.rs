//! What a frame costs against the number of fish.

use math::hex;
use serde::{Deserialize, Serialize};

use crate::bench::run::{FrameSample, MeasuredRun};

/// The rungs when none are asked for: those of the WebGL Aquarium and its offspring, so that numbers line up.
pub const RUNGS: [u32; 7] = [1, 100, 500, 1000, 5000, 10_000, 30_000];

/// One number of fish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Frames over time, all runs together. Unit: 1/s.
    pub fps_avg: Option<f64>,
    /// Moving the world on, median over all frames. Unit: ms.
    pub simulate_ms: Option<f64>,
    /// Gathering, culling and submitting, median over all frames. Unit: ms.
    pub submit_ms: Option<f64>,
    /// Waiting for the driver, median over all frames. Unit: ms.
    pub wait_ms: Option<f64>,
    /// Instances in view, median over all frames.
    pub visible: Option<f64>,
    /// Triangles submitted, median over all frames.
    pub triangles: Option<f64>,
    /// A hash of everything that moves after the last frame; null if runs differ or there are none.
    pub state_hash: Option<String>,
}

impl Rung {
    /// What the whole runs at one number of fish come to.
    pub fn of(fish: u32, animals: u64, runs: &[MeasuredRun]) -> Self {
        let runs: Vec<&MeasuredRun> = runs.iter().filter(|run| run.complete).collect();
        let medians: Vec<f64> = runs
            .iter()
            .filter_map(|run| math::median(&run.samples.iter().map(|s| s.frame_ms).collect::<Vec<_>>()))
            .collect();
        let frames: Vec<&FrameSample> = runs.iter().flat_map(|run| &run.samples).collect();
        let middle = |value: &dyn Fn(&FrameSample) -> f64| {
            math::median(&frames.iter().map(|sample| value(sample)).collect::<Vec<_>>())
        };
        let total_ms: f64 = frames.iter().map(|sample| sample.frame_ms).sum();
        let mut states: Vec<u64> = runs.iter().map(|run| run.state_hash).collect();
        states.dedup();
        Self {
            fish,
            animals,
            runs: runs.len(),
            median_ms: math::median(&medians),
            lowest_ms: medians.iter().copied().reduce(f64::min),
            highest_ms: medians.iter().copied().reduce(f64::max),
            fps_avg: (total_ms > 0.0).then(|| 1e3 * frames.len() as f64 / total_ms),
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
        assert!((fps - 9000.0 / 135.0).abs() < 1e-9, "{fps}");
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
