//! One run in a report: its metrics, its phases, and whether its GPU times are to be believed.

use std::collections::BTreeMap;

use gl::DeviceInfo;
use math::hex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run::{End, FrameSample, MeasuredRun, PassTimes, Plan};
use crate::schema::HASH;
use crate::sensors::SensorReading;
use crate::stats::Metrics;

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunReport {
    /// Metrics of the frame times.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// CPU time by phase.
    pub phases: Phases,
    /// Draw calls, triangles and instances, medians over the frames.
    pub drawn: Drawn,
    /// GPU times, all passes together, of the frames for which they came.
    pub gpu: Option<Metrics>,
    /// GPU times by pass. Unit: ms.
    #[serde(default)]
    pub gpu_passes: BTreeMap<String, Spread>,
    /// Reason why there are no GPU times.
    pub gpu_reason: Option<String>,
    /// Readings of the machine's sensors right after the last frame.
    #[serde(default)]
    pub sensors: SensorReading,
    /// A hash of everything that moves after the last frame.
    #[schemars(regex(pattern = HASH))]
    pub state_hash: String,
    /// Whether all its frames were measured.
    pub valid: bool,
    /// Notes, such as what was left out and why.
    pub notes: Vec<String>,
}

/// Times of the phases of a frame, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Phases {
    /// Moving the world on, as far as a frame waits for it.
    pub simulate_ms: Spread,
    /// Gathering what is shown.
    pub extract_ms: Spread,
    /// Choosing what is in view.
    #[serde(default)]
    pub cull_ms: Spread,
    /// Submitting it.
    pub draw_ms: Spread,
    /// The four together.
    pub cpu_ms: Spread,
    /// Waiting for the driver.
    pub wait_ms: Spread,
    /// Moving the world on beside drawing, which takes no frame's time.
    #[serde(default)]
    pub beside_ms: Spread,
}

/// Middle and upper end of some values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::schema::non_negative)]
pub struct Spread {
    /// Median.
    pub median: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Greatest.
    pub max: f64,
}

impl Spread {
    fn of(samples: &[FrameSample], value: fn(&FrameSample) -> f64) -> Self {
        Self::of_values(samples.iter().map(value).collect())
    }

    fn of_values(mut sorted: Vec<f64>) -> Self {
        sorted.sort_by(f64::total_cmp);
        match sorted.last() {
            None => Self::default(),
            Some(&max) => Self { median: math::quantile(&sorted, 0.5), p95: math::quantile(&sorted, 0.95), max },
        }
    }
}

/// Draw calls, triangles and instances of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::schema::non_negative)]
pub struct Drawn {
    /// Draw calls.
    pub draws: f64,
    /// Triangles submitted.
    pub triangles: f64,
    /// Instances that passed the culling.
    pub visible: f64,
}

/// Reason why a software renderer has no GPU time.
const SOFTWARE_TIMERS: &str =
    "the renderer draws on the CPU in threads of its own, and its timer queries are not to be trusted";
/// Ratio of GPU time to the frames' own time above which it is not believed. Unit: 1.
pub const MAX_OF_WALL: f64 = 1.05;
/// Longest that a pass is believed to take. Unit: ms.
const LONGEST_PASS_MS: f64 = 10_000.0;

/// Reason why a run's GPU times are not to be trusted; `None` if they are.
fn gpu_doubt(run: &MeasuredRun, gl: &DeviceInfo) -> Option<String> {
    if gl.software {
        return Some(SOFTWARE_TIMERS.into());
    }
    let timed = || run.samples.iter().filter_map(|sample| Some((sample.gpu_ms?, sample.frame_ms)));
    if timed().next().is_none() {
        return Some("the driver gave no times; frame times include the GPU's work end to end".into());
    }
    if run.passes.iter().flat_map(|pass| &pass.ms).flatten().any(|ms| *ms > LONGEST_PASS_MS) {
        let longest_s = LONGEST_PASS_MS / 1e3;
        return Some(format!("the driver says that a pass took over {longest_s} s, which it did not"));
    }
    let (gpu, wall) = timed().fold((0.0, 0.0), |(gpu, wall), (of_gpu, of_wall)| (gpu + of_gpu, wall + of_wall));
    if gpu > MAX_OF_WALL * wall {
        return Some(format!(
            "the driver counts {gpu:.0} ms of GPU time in {wall:.0} ms: more than there were, so its timer is wrong"
        ));
    }
    (gpu == 0.0).then(|| "the driver's timer stands still".into())
}

/// Report of a measured run; `ended` is the end of the benchmark, for its last run only.
pub(super) fn run_report(run: &MeasuredRun, plan: &Plan, ended: Option<&End>, gl: &DeviceInfo) -> RunReport {
    let mut notes = run.notes.clone();
    let frame_ms: Vec<f64> = run.samples.iter().map(|sample| sample.frame_ms).collect();
    let metrics = Metrics::of(&frame_ms, &mut notes);
    if !run.complete {
        let why = match ended {
            _ if run.disturbed.is_some() => run.disturbed.as_deref().unwrap_or_default(),
            Some(End::Interrupted) => "Ctrl-C",
            Some(End::Failed(_)) => "a failure",
            _ => "its time limit",
        };
        notes.push(format!("ended by {why} after {} of {} frames", run.samples.len(), plan.frames));
    }
    let samples = &run.samples;
    let gpu_reason = gpu_doubt(run, gl);
    let (mut gpu, mut gpu_passes) = (None, BTreeMap::new());
    if gpu_reason.is_none() {
        let times: Vec<f64> = samples.iter().filter_map(|sample| sample.gpu_ms).collect();
        if times.len() < samples.len() {
            notes.push(format!("GPU times came for {} of {} frames", times.len(), samples.len()));
        }
        gpu = Some(Metrics::of(&times, &mut Vec::new()));
        let of_pass = |pass: &PassTimes| Spread::of_values(pass.ms.iter().flatten().copied().collect());
        gpu_passes = run.passes.iter().map(|pass| (pass.name.to_string(), of_pass(pass))).collect();
    }
    RunReport {
        metrics,
        phases: Phases {
            simulate_ms: Spread::of(samples, |s| s.simulate_ms),
            extract_ms: Spread::of(samples, |s| s.extract_ms),
            cull_ms: Spread::of(samples, |s| s.cull_ms),
            draw_ms: Spread::of(samples, |s| s.draw_ms),
            cpu_ms: Spread::of(samples, FrameSample::cpu_ms),
            wait_ms: Spread::of(samples, |s| s.wait_ms),
            beside_ms: Spread::of(samples, |s| s.beside_ms),
        },
        drawn: Drawn {
            draws: Spread::of(samples, |s| f64::from(s.stats.draws)).median,
            triangles: Spread::of(samples, |s| s.stats.triangles as f64).median,
            visible: Spread::of(samples, |s| f64::from(s.stats.visible)).median,
        },
        gpu,
        gpu_passes,
        gpu_reason,
        sensors: run.sensors,
        state_hash: hex(run.state_hash),
        // A run cut by its time limit counts, since that was asked for; one cut by a person does not.
        valid: run.disturbed.is_none()
            && (run.complete
                || (plan.run_limit.is_some() && !matches!(ended, Some(End::Interrupted | End::Failed(_))))),
        notes,
    }
}
