//! `result.json`: everything about a benchmark that another person needs to repeat it, compare it and believe it.
//!
//! `pelagic bench schema` prints its JSON Schema, which follows from these types ([`schema`](crate::schema)). Values
//! that were not measured are null, never 0.

mod run;

use std::collections::BTreeMap;
use std::fmt;

use gl::DeviceInfo;
use render::Stereo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::host::Host;
use crate::ladder::Rung;
use crate::pacing::FrameEnd;
use crate::passes::PassCosts;
use crate::run::{End, Measured, MeasuredRun, Plan};
use crate::schema::{HASH, WHEN};
use crate::stats;
use crate::warning::{self, Evidence, RunEvidence, WarningEntry};

use run::run_report;
pub use run::{Drawn, MAX_OF_WALL, Phases, RunReport, Spread};

/// Name and version of the schema.
pub const SCHEMA: &str = "pelagic.bench/1";

/// A benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Name and version of the schema.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: String,
    /// Whether it ended before all runs were measured.
    pub aborted: bool,
    /// The user's own words about it.
    pub label: Option<String>,
    /// When it began, UTC.
    #[schemars(regex(pattern = WHEN))]
    pub when: String,
    /// The program.
    pub app: AppInfo,
    /// The machine.
    pub host: Host,
    /// The graphics driver.
    pub gl: DeviceInfo,
    /// Settings of the measurement.
    pub settings: Settings,
    /// Runs in order.
    pub runs: Vec<RunReport>,
    /// All valid runs together.
    pub summary: RunsSummary,
    /// Cost of each effect, if that was asked.
    #[serde(default)]
    pub passes: Option<PassCosts>,
    /// The cost of a frame against the number of fish, if that was asked.
    #[serde(default)]
    pub ladder: Option<Vec<Rung>>,
    /// Warnings about what may spoil it.
    pub warnings: Vec<WarningEntry>,
}

impl Report {
    /// The report that a `result.json` holds.
    ///
    /// # Errors
    /// In a sentence, if it is not JSON or not a report of this schema.
    pub fn from_json(json: &[u8]) -> Result<Self, String> {
        /// The schema's name alone, which is read first: without it the rest means nothing.
        #[derive(Deserialize)]
        struct Named {
            schema: String,
        }
        let named: Named = serde_json::from_slice(json).map_err(|error| match error.classify() {
            Category::Data => "it names no schema, so it is not a result of `pelagic bench`".into(),
            _ => format!("not JSON: {error}"),
        })?;
        if named.schema != SCHEMA {
            let other: String = named.schema.chars().take(60).collect();
            return Err(format!("its schema is {other}; this version reads {SCHEMA}"));
        }
        serde_json::from_slice(json).map_err(|error| error.to_string())
    }
}

/// The program that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AppInfo {
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
    /// Commit it was built from, if it is a release that was built in a checkout.
    pub commit: Option<String>,
    /// Whether tracked files of the checkout differed from the commit.
    pub dirty: Option<bool>,
    /// Build profile.
    pub profile: Profile,
}

/// Build profile of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// With optimisation.
    Release,
    /// With debug assertions.
    Debug,
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Release => "release",
            Self::Debug => "debug",
        })
    }
}

impl AppInfo {
    /// This program.
    pub fn this() -> Self {
        // As the build script writes it: the hash, with `-dirty` behind it.
        let built_from = build_info::COMMIT;
        Self {
            name: build_info::NAME.into(),
            version: build_info::VERSION.into(),
            commit: built_from.map(|text| text.trim_end_matches("-dirty").into()),
            dirty: built_from.map(|text| text.ends_with("-dirty")),
            profile: if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release },
        }
    }
}

/// Settings of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::schema::non_negative)]
pub struct Settings {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// The scene.
    pub scene: String,
    /// The user's changes to it, as given with `--set`.
    pub set: Vec<String>,
    /// The request, besides what the other settings tell.
    #[serde(default)]
    pub asked: RequestedRun,
    /// Quality tier that was drawn, with the governor the one it began with.
    pub quality: String,
    /// Whether the quality governor was at work.
    #[serde(default)]
    pub governor: bool,
    /// Whether the world was moved on to the next frame while one was drawn, on other threads.
    #[serde(default)]
    pub pipelined: bool,
    /// Internal resolution over the output's.
    pub render_scale: f32,
    /// Stereo layout, as the command line takes it; `off` is one eye.
    #[serde(default = "one_eye")]
    pub stereo: String,
    /// Animals in the scene, of every species.
    pub animals: u64,
    /// Seed.
    pub seed: u64,
    /// Simulated time a frame. Unit: s.
    #[serde(rename = "dt")]
    pub step_s: f64,
    /// Frames drawn before measuring, each run.
    pub warmup: u32,
    /// Frames to measure, each run; with `measure_s` at most so many.
    pub frames: u32,
    /// Time to measure in each run, in place of a number of frames. Unit: s.
    #[serde(default)]
    pub measure_s: Option<f64>,
    /// Least time of the warm-up. Unit: s.
    #[serde(default)]
    pub warmup_s: Option<f64>,
    /// Runs to make.
    pub runs: u32,
    /// Whether it waited for a screen; null off-screen, and where the driver does not do as it is told.
    pub vsync: Option<bool>,
    /// The screen's rate; null off-screen and where it is not known. Unit: 1/s.
    #[serde(default)]
    pub refresh_hz: Option<f64>,
    /// Whether it was recorded in the running program, moved by its own clock and seen by a person's camera: such a
    /// recording is not repeatable.
    #[serde(default)]
    pub live: bool,
    /// Whether it was drawn without a window.
    pub offscreen: bool,
    /// Whether it was drawn in a page of a browser.
    #[serde(default)]
    pub page: bool,
    /// The way a frame ends.
    pub frame_end: FrameEnd,
    /// A hash of effective settings, models, shaders and seed: equal if the same was drawn.
    #[schemars(regex(pattern = HASH))]
    pub scene_hash: String,
    /// Hashes of the parts of `scene_hash`, to tell which of them differ.
    pub hashes: SceneHashes,
    /// Every key of the scene as it was drawn; null in results that are older than this.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub config: Option<serde_json::Value>,
    /// A name that two results share whose runs were measured in turn; null for one that was measured by itself.
    #[serde(default)]
    pub interleaved: Option<String>,
}

/// Default for results from before there was stereo.
fn one_eye() -> String {
    Stereo::Off.to_string()
}

/// The request, besides what the settings tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestedRun {
    /// A built-in scene's name or a file.
    pub scene: String,
    /// Total of schooling and reef fish, if it is not the file's.
    pub fish: Option<u32>,
    /// Folder of shaders used in place of the built-in ones.
    pub shaders: Option<String>,
    /// Whether runs of the scene as it is were to be measured.
    pub runs: bool,
    /// Number of moments at which each effect was to be left out, if it was.
    pub passes: Option<u32>,
    /// Measurement with several numbers of fish, if one was asked for.
    pub ladder: Option<RequestedLadder>,
}

/// The requested measurement with each of several numbers of fish; as many runs as `settings.runs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::schema::non_negative)]
pub struct RequestedLadder {
    /// The numbers of fish.
    pub fish: Vec<u32>,
    /// Frames to measure in each run; with `measure_s` at most so many.
    pub frames: u32,
    /// Frames drawn before measuring in each run.
    pub warmup: u32,
    /// Time to measure in each run, in place of a number of frames. Unit: s.
    pub measure_s: Option<f64>,
    /// Least time of the warm-up. Unit: s.
    pub warmup_s: Option<f64>,
}

/// Hashes of the parts that a scene's hash is made from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SceneHashes {
    /// Effective settings of the scene and the picture, size and seed left out.
    #[schemars(regex(pattern = HASH))]
    pub config: String,
    /// Models and their textures, seabed and placed props.
    #[schemars(regex(pattern = HASH))]
    pub assets: String,
    /// Shader sources.
    #[schemars(regex(pattern = HASH))]
    pub shaders: String,
}

/// All valid runs together, by the name of a metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::schema::non_negative)]
pub struct RunsSummary {
    /// Runs that count.
    pub valid_runs: usize,
    /// Median over the runs.
    pub median_of_runs: BTreeMap<String, f64>,
    /// Least of the runs.
    pub lowest: BTreeMap<String, f64>,
    /// Greatest of the runs.
    pub highest: BTreeMap<String, f64>,
    /// Coefficient of variation between the runs; needs two.
    pub between_run_cv: BTreeMap<String, f64>,
    /// Most memory the process had in use at any moment. Unit: MiB.
    pub peak_memory_mib: Option<f64>,
}

/// Direction in which a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// A rate: more is faster.
    Higher,
    /// A time or a number of faults: less is faster.
    Lower,
}

/// A metric that is summarised over runs and may be compared.
#[derive(Clone, Copy, Debug)]
pub struct SummaryMetric {
    /// Its name.
    pub name: &'static str,
    /// Its value in a run.
    pub value: fn(&RunReport) -> Option<f64>,
    /// Direction in which it is better.
    pub better: Better,
}

impl SummaryMetric {
    const fn higher(name: &'static str, value: fn(&RunReport) -> Option<f64>) -> Self {
        Self { name, value, better: Better::Higher }
    }

    const fn lower(name: &'static str, value: fn(&RunReport) -> Option<f64>) -> Self {
        Self { name, value, better: Better::Lower }
    }
}

/// Metrics that are summarised over runs and may be compared.
pub const SUMMARISED: [SummaryMetric; 21] = [
    SummaryMetric::higher("fps_avg", |run| run.metrics.fps_avg),
    SummaryMetric::lower("mean_ms", |run| run.metrics.mean_ms),
    SummaryMetric::lower("median_ms", |run| run.metrics.median_ms),
    SummaryMetric::lower("p90_ms", |run| run.metrics.p90_ms),
    SummaryMetric::lower("p95_ms", |run| run.metrics.p95_ms),
    SummaryMetric::lower("p99_ms", |run| run.metrics.p99_ms),
    SummaryMetric::lower("p99_9_ms", |run| run.metrics.p99_9_ms),
    SummaryMetric::lower("max_ms", |run| run.metrics.max_ms),
    SummaryMetric::higher("low_1pct_fps", |run| run.metrics.low_1pct_fps),
    SummaryMetric::higher("low_0_1pct_fps", |run| run.metrics.low_0_1pct_fps),
    SummaryMetric::higher("p1_fps", |run| run.metrics.p1_fps),
    SummaryMetric::higher("integral_1pct_fps", |run| run.metrics.integral_1pct_fps),
    SummaryMetric::lower("pacing_ms", |run| run.metrics.pacing_ms),
    SummaryMetric::lower("stutter_count", |run| Some(run.metrics.stutter_count as f64)),
    SummaryMetric::lower("simulate_ms", |run| Some(run.phases.simulate_ms.median)),
    SummaryMetric::lower("extract_ms", |run| Some(run.phases.extract_ms.median)),
    SummaryMetric::lower("cull_ms", |run| Some(run.phases.cull_ms.median)),
    SummaryMetric::lower("draw_ms", |run| Some(run.phases.draw_ms.median)),
    SummaryMetric::lower("cpu_ms", |run| Some(run.phases.cpu_ms.median)),
    SummaryMetric::lower("wait_ms", |run| Some(run.phases.wait_ms.median)),
    SummaryMetric::lower("gpu_ms", |run| run.gpu.as_ref().and_then(|gpu| gpu.median_ms)),
];

/// Header of a report: facts that are known before the first run.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The user's own words.
    pub label: Option<String>,
    /// When it began, UTC.
    pub when: String,
    /// The program.
    pub app: AppInfo,
    /// The machine.
    pub host: Host,
    /// The driver.
    pub gl: DeviceInfo,
    /// Settings of the measurement.
    pub settings: Settings,
}

impl Report {
    /// Makes the report of a measurement.
    pub fn new(header: Header, plan: &Plan, measured: &Measured, peak_memory_mib: Option<f64>) -> Self {
        let ended = &measured.end;
        let last = measured.runs.len().saturating_sub(1);
        let runs: Vec<RunReport> = measured
            .runs
            .iter()
            .enumerate()
            .map(|(i, run)| run_report(run, plan, (i == last).then_some(ended), &header.gl))
            .collect();
        let summary = summarise(&runs, peak_memory_mib);
        let evidence = Evidence {
            software_renderer: header.gl.software.then_some(header.gl.renderer.as_str()),
            debug_build: header.app.profile == Profile::Debug,
            load_average: header.host.load_average,
            threads: header.host.threads,
            governor: header.host.governor.as_deref(),
            on_battery: header.host.on_battery,
            refresh_hz: header.settings.refresh_hz,
            vsync_refused: !header.settings.offscreen && header.settings.vsync.is_none(),
            world_pace: measured.runs.first().filter(|_| header.settings.live).and_then(MeasuredRun::world_pace),
            throttled_runs: measured.runs.iter().filter(|run| run.throttled).count(),
            disturbed_runs: measured.runs.iter().filter(|run| run.disturbed.is_some()).count(),
            runs: runs
                .iter()
                .filter(|run| run.valid)
                .map(|run| RunEvidence {
                    median_ms: run.metrics.median_ms.unwrap_or_default(),
                    cv: run.metrics.cv,
                    frames: run.metrics.n,
                    state_hash: run.state_hash.clone(),
                })
                .collect(),
        };
        let warnings = warning::judge(&evidence).iter().map(WarningEntry::from).collect();
        let Header { label, when, app, host, gl, settings } = header;
        let aborted = !matches!(ended, End::Complete);
        let schema = SCHEMA.into();
        let (passes, ladder) = (None, None);
        Self { schema, aborted, label, when, app, host, gl, settings, runs, summary, passes, ladder, warnings }
    }

    /// Takes in the costs of the effects, and warns if they cannot be right.
    pub fn set_passes(&mut self, passes: Option<PassCosts>) {
        let doubt = passes.as_ref().and_then(warning::of_passes);
        self.warnings.extend(doubt.as_ref().map(WarningEntry::from));
        self.passes = passes;
    }
}

impl Measured {
    /// Drops GPU times that `report`, which was made of these runs, does not believe, so that nobody reads them
    /// elsewhere.
    pub(crate) fn forget_doubtful_times(&mut self, report: &Report) {
        for (run, of_run) in self.runs.iter_mut().zip(&report.runs) {
            if of_run.gpu.is_none() {
                run.passes.clear();
                run.samples.iter_mut().for_each(|sample| sample.gpu_ms = None);
            }
        }
    }
}

fn summarise(runs: &[RunReport], peak_memory_mib: Option<f64>) -> RunsSummary {
    let valid: Vec<&RunReport> = runs.iter().filter(|run| run.valid).collect();
    let mut summary = RunsSummary { valid_runs: valid.len(), peak_memory_mib, ..RunsSummary::default() };
    for SummaryMetric { name, value, .. } in SUMMARISED {
        let values: Vec<f64> = valid.iter().filter_map(|run| value(run)).collect();
        if values.len() < valid.len() {
            continue;
        }
        let Some(median) = math::median(&values) else { continue };
        summary.median_of_runs.insert(name.into(), median);
        summary.lowest.insert(name.into(), values.iter().copied().fold(f64::INFINITY, f64::min));
        summary.highest.insert(name.into(), values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        if let Some(cv) = stats::coefficient_of_variation(&values) {
            summary.between_run_cv.insert(name.into(), cv);
        }
    }
    summary
}

#[cfg(test)]
pub(crate) mod tests;
