//! Warnings about what may spoil a benchmark, and what to try about it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::passes::PassCosts;
use crate::stats;

/// A reason to trust a result less.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The renderer runs on the CPU.
    SoftwareRenderer {
        /// Its name.
        renderer: String,
    },
    /// The program was built without optimisation.
    DebugBuild,
    /// Frame times vary much within a run.
    NoisyRuns {
        /// Number of noisy runs.
        noisy: usize,
        /// Number of runs.
        of: usize,
        /// The greatest coefficient of variation.
        worst_cv: f64,
    },
    /// The first run was slower than the others.
    FirstRunSlower {
        /// Ratio of its median to the others'.
        factor: f64,
    },
    /// The runs' medians differ much.
    RunsDiffer {
        /// Their coefficient of variation.
        cv: f64,
    },
    /// Runs of one seed ended in different states.
    StatesDiffer,
    /// Frames come at the screen's rate, whatever the machine could do.
    PacedByScreen {
        /// Median frame time. Unit: ms.
        median_ms: f64,
        /// The screen's rate. Unit: 1/s.
        refresh_hz: f64,
    },
    /// The driver does not switch waiting for the screen on or off.
    VsyncRefused,
    /// The world went slower than time.
    WorldSlowed {
        /// Time in the world over time on the clock. Unit: 1.
        pace: f64,
    },
    /// The CPU was too hot and slowed down.
    Throttled {
        /// Number of throttled runs.
        runs: usize,
    },
    /// Something happened to the window.
    Disturbed {
        /// Number of disturbed runs.
        runs: usize,
    },
    /// The effects' costs add up to more than the whole frame takes.
    CostsExceedFrame {
        /// Sum of the costs. Unit: ms.
        sum_ms: f64,
        /// The whole frame. Unit: ms.
        whole_ms: f64,
    },
    /// The CPU is told to save power.
    PowersaveGovernor,
    /// The machine runs on its battery.
    OnBattery,
    /// The machine was busy before the benchmark began.
    Busy {
        /// Load average over a minute.
        load: f64,
        /// Hardware threads.
        threads: usize,
    },
}

/// Frame times that vary more than this within a run are noisy. Unit: 1.
const NOISY_CV: f64 = 0.20;
/// Medians that vary more than this between runs differ. Unit: 1.
const RUNS_DIFFER_CV: f64 = 0.05;
/// A median this near to the screen's period is the screen's doing. Unit: 1.
const NEAR_REFRESH: f64 = 0.03;
/// Pace of a world below which there is a warning. Unit: 1.
pub const WORLD_SLOWED: f64 = 0.95;
/// A first run this many times slower than the others was not warm. Unit: 1.
const FIRST_RUN_FACTOR: f64 = 1.05;

impl Warning {
    /// A word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SoftwareRenderer { .. } => "software_renderer",
            Self::DebugBuild => "debug_build",
            Self::NoisyRuns { .. } => "noisy_runs",
            Self::FirstRunSlower { .. } => "first_run_slower",
            Self::RunsDiffer { .. } => "runs_differ",
            Self::StatesDiffer => "states_differ",
            Self::PacedByScreen { .. } => "paced_by_screen",
            Self::VsyncRefused => "vsync_refused",
            Self::WorldSlowed { .. } => "world_slowed",
            Self::Throttled { .. } => "throttled",
            Self::Disturbed { .. } => "disturbed",
            Self::CostsExceedFrame { .. } => "costs_exceed_frame",
            Self::PowersaveGovernor => "powersave_governor",
            Self::OnBattery => "on_battery",
            Self::Busy { .. } => "busy",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SoftwareRenderer { renderer } => write!(
                f,
                "{renderer} draws on the CPU: these figures say little about a GPU. If the machine has one, install \
                 its driver and see that LIBGL_ALWAYS_SOFTWARE is not set"
            ),
            Self::DebugBuild => {
                write!(f, "this is a debug build, many times slower than it should be: use `cargo run --release`")
            }
            Self::NoisyRuns { noisy, of, worst_cv } => write!(
                f,
                "frame times within a run vary by up to {:.0} % of their mean ({noisy} of {of} runs): close other \
                 programs, or trust the median and not the lows",
                worst_cv * 100.0
            ),
            Self::FirstRunSlower { factor } => write!(
                f,
                "the first run took {factor:.2} times as long as the others: raise --warmup-frames, or let the \
                 machine cool down between runs"
            ),
            Self::RunsDiffer { cv } => write!(
                f,
                "medians differ by {:.1} % from run to run: measure more --runs on a quieter machine before comparing",
                cv * 100.0
            ),
            Self::StatesDiffer => write!(
                f,
                "runs with one seed ended with the animals in different places, so they did not draw the same \
                 frames: please report it"
            ),
            Self::PacedByScreen { median_ms, refresh_hz } => write!(
                f,
                "the median frame takes {median_ms:.2} ms, as long as the screen's at {refresh_hz:.0} Hz: it says how \
                 fast the screen is. Use --vsync off; if the driver refuses it, --offscreen"
            ),
            Self::VsyncRefused => write!(
                f,
                "the driver does not say whether it waits for the screen: frame times may be the screen's. Switch vsync \
                 off in the driver's settings, or use --offscreen"
            ),
            Self::WorldSlowed { pace } => write!(
                f,
                "the world went at {:.0} % of its speed, for frames took too long to keep up with the clock: lower the \
                 quality, the resolution or the number of fish to see it as fast as it is",
                pace * 100.0
            ),
            Self::Throttled { runs } => write!(
                f,
                "the CPU was too hot in {runs} of the runs and slowed down: let the machine cool down, and see that its \
                 fans turn and its air is free"
            ),
            Self::Disturbed { runs } => write!(
                f,
                "{runs} of the runs ended early because of something that happened to the window, and do not count: \
                 leave it in front and in peace, or use --offscreen"
            ),
            Self::CostsExceedFrame { sum_ms, whole_ms } => write!(
                f,
                "the effects' costs add up to {sum_ms:.2} ms, more than the {whole_ms:.2} ms of a whole frame: they are not \
                 to be relied on. Use more --rounds on a quieter machine"
            ),
            Self::PowersaveGovernor => write!(
                f,
                "the CPU's governor is powersave: try `sudo cpupower frequency-set -g performance` while measuring"
            ),
            Self::OnBattery => write!(f, "the machine runs on its battery, which slows it: plug it in"),
            Self::Busy { load, threads } => write!(
                f,
                "the machine was busy before the benchmark began (load {load:.1} on {threads} threads): close other \
                 programs and wait a minute"
            ),
        }
    }
}

/// Whether a warning of that code tells of an unsteady machine, which may be the cause of a difference.
pub fn is_of_machine(code: &str) -> bool {
    !matches!(code, "software_renderer" | "debug_build" | "costs_exceed_frame")
}

/// A warning as it stands in a result file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarningEntry {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub text: String,
}

impl From<&Warning> for WarningEntry {
    fn from(warning: &Warning) -> Self {
        Self { code: warning.code().into(), text: warning.to_string() }
    }
}

/// Evidence that warnings are judged by.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    /// The renderer's name, if it runs on the CPU.
    pub software_renderer: Option<&'a str>,
    /// Whether the program is unoptimised.
    pub debug_build: bool,
    /// Load average before the benchmark.
    pub load_average: Option<f64>,
    /// Hardware threads.
    pub threads: usize,
    /// The CPU's governor.
    pub governor: Option<&'a str>,
    /// Whether the machine runs on its battery.
    pub on_battery: Option<bool>,
    /// The screen's rate, if it was drawn to one. Unit: 1/s.
    pub refresh_hz: Option<f64>,
    /// Whether the driver refused to wait for the screen, or not to, as asked.
    pub vsync_refused: bool,
    /// Time in the world over time on the clock, where the world follows the clock. Unit: 1.
    pub world_pace: Option<f64>,
    /// Runs in which the CPU was too hot and slowed down.
    pub throttled_runs: usize,
    /// Runs in which something happened to the window.
    pub disturbed_runs: usize,
    /// Per valid run: median, variation within, state.
    pub runs: Vec<RunEvidence>,
}

/// Evidence from one run.
#[derive(Clone, Debug, Default)]
pub struct RunEvidence {
    /// Median frame time. Unit: ms.
    pub median_ms: f64,
    /// Coefficient of variation of the frame times.
    pub cv: Option<f64>,
    /// Frames measured.
    pub frames: usize,
    /// The world's hash after the last frame.
    pub state_hash: String,
}

/// All warnings the evidence gives reason for.
pub fn judge(evidence: &Evidence<'_>) -> Vec<Warning> {
    let mut found = Vec::new();
    if let Some(renderer) = evidence.software_renderer {
        found.push(Warning::SoftwareRenderer { renderer: renderer.into() });
    }
    if evidence.debug_build {
        found.push(Warning::DebugBuild);
    }
    if let Some(load) = evidence.load_average.filter(|&load| load > evidence.threads as f64 / 2.0) {
        found.push(Warning::Busy { load, threads: evidence.threads });
    }
    if evidence.governor == Some("powersave") {
        found.push(Warning::PowersaveGovernor);
    }
    if evidence.on_battery == Some(true) {
        found.push(Warning::OnBattery);
    }
    let noisy: Vec<f64> = evidence.runs.iter().filter_map(|run| run.cv).filter(|&cv| cv > NOISY_CV).collect();
    if let Some(worst_cv) = noisy.iter().copied().reduce(f64::max) {
        found.push(Warning::NoisyRuns { noisy: noisy.len(), of: evidence.runs.len(), worst_cv });
    }
    let medians: Vec<f64> = evidence.runs.iter().map(|run| run.median_ms).collect();
    if let Some((first, others)) = medians.split_first()
        && let Some(usual) = math::median(others)
        && others.iter().all(|other| first > other)
        && *first > FIRST_RUN_FACTOR * usual
    {
        found.push(Warning::FirstRunSlower { factor: first / usual });
    }
    if let Some(cv) = stats::coefficient_of_variation(&medians).filter(|&cv| cv > RUNS_DIFFER_CV) {
        found.push(Warning::RunsDiffer { cv });
    }
    // Runs by time have as many frames as fit: they end at different moments of the same scene.
    let differ = |pair: &[RunEvidence]| pair[0].frames == pair[1].frames && pair[0].state_hash != pair[1].state_hash;
    if evidence.runs.windows(2).any(differ) {
        found.push(Warning::StatesDiffer);
    }
    if let Some((refresh_hz, median_ms)) = evidence.refresh_hz.zip(math::median(&medians))
        && (median_ms * refresh_hz / 1e3 - 1.0).abs() < NEAR_REFRESH
    {
        found.push(Warning::PacedByScreen { median_ms, refresh_hz });
    }
    if evidence.vsync_refused {
        found.push(Warning::VsyncRefused);
    }
    // A world that stands still was paused.
    if let Some(pace) = evidence.world_pace.filter(|pace| *pace > 0.0 && *pace < WORLD_SLOWED) {
        found.push(Warning::WorldSlowed { pace });
    }
    if evidence.throttled_runs > 0 {
        found.push(Warning::Throttled { runs: evidence.throttled_runs });
    }
    if evidence.disturbed_runs > 0 {
        found.push(Warning::Disturbed { runs: evidence.disturbed_runs });
    }
    found
}

/// Warning if the costs of the effects cannot be right.
pub fn of_passes(passes: &PassCosts) -> Option<Warning> {
    let sum_ms = passes.whole_ms - passes.rest_ms;
    (passes.rest_ms < 0.0).then_some(Warning::CostsExceedFrame { sum_ms, whole_ms: passes.whole_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(medians: &[f64]) -> Vec<RunEvidence> {
        let run = |&median_ms| RunEvidence { median_ms, cv: Some(0.1), frames: 300, state_hash: "ab".into() };
        medians.iter().map(run).collect()
    }

    fn codes(evidence: &Evidence<'_>) -> Vec<&'static str> {
        judge(evidence).iter().map(Warning::code).collect()
    }

    #[test]
    fn a_quiet_machine_with_a_gpu_gets_no_warning() {
        let evidence = Evidence {
            load_average: Some(1.0),
            threads: 2,
            governor: Some("performance"),
            on_battery: Some(false),
            runs: runs(&[10.0, 10.1, 9.9]),
            ..Evidence::default()
        };
        assert_eq!(codes(&evidence), [""; 0]);
    }

    #[test]
    fn each_reason_has_its_warning() {
        let evidence = Evidence {
            software_renderer: Some("llvmpipe"),
            debug_build: true,
            load_average: Some(1.1),
            threads: 2,
            governor: Some("powersave"),
            on_battery: Some(true),
            runs: vec![
                RunEvidence { median_ms: 12.0, cv: Some(0.21), frames: 300, state_hash: "ab".into() },
                RunEvidence { median_ms: 10.0, cv: Some(0.20), frames: 300, state_hash: "cd".into() },
            ],
            // The median of 12 and 10 is 11.
            refresh_hz: Some(1e3 / 11.2),
            vsync_refused: true,
            world_pace: Some(0.94),
            throttled_runs: 2,
            disturbed_runs: 1,
        };
        let wanted = [
            "software_renderer",
            "debug_build",
            "busy",
            "powersave_governor",
            "on_battery",
            "noisy_runs",
            "first_run_slower",
            "runs_differ",
            "states_differ",
            "paced_by_screen",
            "vsync_refused",
            "world_slowed",
            "throttled",
            "disturbed",
        ];
        assert_eq!(codes(&evidence), wanted);
    }

    #[test]
    fn costs_above_the_frame_are_not_to_be_relied_on() {
        let of = |rest_ms| of_passes(&PassCosts { rounds: 3, whole_ms: 20.0, costs: Vec::new(), rest_ms });
        assert_eq!([of(0.0), of(5.0)], [None, None]);
        let warning = of(-1.25).expect("more than the frame");
        assert_eq!(warning.code(), "costs_exceed_frame");
        assert!(warning.to_string().starts_with("the effects' costs add up to 21.25 ms, more than the 20.00 ms"));
    }

    #[test]
    fn runs_of_different_length_may_end_in_different_states() {
        let mut evidence = Evidence { threads: 1, runs: runs(&[10.0, 10.1]), ..Evidence::default() };
        evidence.runs[0].state_hash = "cd".into();
        assert_eq!(codes(&evidence), ["states_differ"]);
        evidence.runs[0].frames = 301;
        assert_eq!(codes(&evidence), [""; 0]);
    }

    #[test]
    fn a_first_run_among_others_as_slow_is_not_blamed() {
        let evidence = Evidence { threads: 1, runs: runs(&[11.0, 11.1, 10.0, 10.0]), ..Evidence::default() };
        assert!(!codes(&evidence).contains(&"first_run_slower"));
    }
}
