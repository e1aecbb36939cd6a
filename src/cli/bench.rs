//! `pelagic bench`.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use crate::app::context::Context;
use crate::app::offscreen::Session;
use crate::app::{SceneOptions, interrupt};
use crate::bench::compare::{self, Verdict};
use crate::bench::files::{self, Format, OutDir};
use crate::bench::ladder::RUNGS;
use crate::bench::pacing::FrameEnd;
use crate::bench::report::Report;
use crate::bench::run::Run;
use crate::bench::{
    self, BenchError, End, Plan, Request, Scene, empty_report, host, passes, record, record_ladder, record_passes,
    table,
};
use crate::cli::demo::Switch;
use crate::cli::{CliError, SceneArgs};
use crate::config::{BUILTIN_SCENES, Config};
use crate::render::Renderer;
use crate::scene::{RenderScene, World};

mod window;

/// Frames of a ladder's runs when none are asked for.
const LADDER_FRAMES: u32 = 60;
/// Frames of warm-up of a ladder's runs when none are asked for.
const LADDER_WARMUP: u32 = 12;
/// Frames for which there is room in each second of a run by time.
const FRAMES_A_SECOND: f64 = 4000.0;
/// Most frames of a run.
const MOST_FRAMES: u32 = 1_000_000;

/// Arguments.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: Option<BenchCommand>,
    #[command(flatten)]
    scene: SceneArgs,
    /// Frames to measure in each run; 1 % lows need 300, 0.1 % lows 1000 [default: 300, with --ladder 60].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames: Option<u32>,
    /// Measure so many seconds in each run, in place of a number of frames; runs are then of different length.
    #[arg(long, value_name = "SECONDS", conflicts_with = "frames", value_parser = parse_seconds)]
    duration: Option<f64>,
    /// Frames to draw before measuring, in each run [default: 60, with --ladder 12].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    warmup_frames: Option<u32>,
    /// Seconds to draw before measuring, in each run, in place of a number of frames.
    #[arg(long, value_name = "SECONDS", conflicts_with = "warmup_frames", value_parser = parse_seconds)]
    warmup: Option<f64>,
    /// Runs, each from the beginning of the scene; comparing needs 5.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Find what each effect costs by leaving it out in turn.
    #[arg(long)]
    passes: bool,
    /// Moments of the scene at which --passes looks.
    #[arg(long, default_value_t = passes::ROUNDS, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Measure with each of these numbers of fish [default: 1,100,500,1000,5000,10000,30000].
    #[arg(long, value_name = "N,N...", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with = "fish")]
    ladder: Option<String>,
    /// Measure runs, passes and ladder.
    #[arg(long)]
    all: bool,
    /// Folder for the result's files [default: out/bench/TIME].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Files to write.
    #[arg(long, value_name = "KIND,...", value_enum, value_delimiter = ',', default_values_t = Format::USUAL)]
    format: Vec<Format>,
    /// Draw without a window; this is the default.
    #[arg(long, conflicts_with = "window")]
    offscreen: bool,
    /// Draw in a window, as a person would see it.
    #[arg(long)]
    window: bool,
    /// Wait for the screen with each frame, in a window.
    #[arg(long, value_name = "ON|OFF", value_enum, default_value = "off")]
    vsync: Switch,
    /// How a frame ends [default: fence, in a window swap].
    #[arg(long, value_enum)]
    frame_end: Option<FrameEnd>,
    /// Let the quality governor work while measuring: for watching it, not for comparing.
    #[arg(long)]
    governor: bool,
    /// Your own words about it, kept in the result.
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Replace a result that is in the folder already.
    #[arg(long)]
    force: bool,
    /// With `-`, print the result as JSON instead of the table.
    #[arg(long, value_name = "-", value_parser = ["-"])]
    json: Option<String>,
    /// List the built-in scenes.
    #[arg(long)]
    list_scenes: bool,
}

#[derive(clap::Subcommand, Debug)]
enum BenchCommand {
    /// Compare two results: exit code 4 if the second is slower with confidence, 5 if they cannot be compared.
    Compare(CompareArgs),
}

#[derive(clap::Args, Debug)]
struct CompareArgs {
    /// Result before: a result.json or its folder.
    before: PathBuf,
    /// Result after.
    after: PathBuf,
    /// Metric that decides, by its name in the result's summary.
    #[arg(long, default_value = "median_ms", value_name = "NAME")]
    metric: String,
    /// Slowdown that counts, such as 5% [default: 5% on hardware, 15% on software renderers].
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    threshold: Option<f64>,
    /// Compare what cannot be compared; what differs is named.
    #[arg(long)]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: BenchArgs) -> Result<(), CliError> {
    match args.command {
        Some(BenchCommand::Compare(args)) => run_compare(&args),
        None => run_bench(args),
    }
}

fn run_compare(args: &CompareArgs) -> Result<(), CliError> {
    let (before, after) = (files::read(&args.before)?, files::read(&args.after)?);
    let differences = compare::differences(&before, &after);
    if !differences.is_empty() && !args.force {
        let list: Vec<String> =
            differences.iter().map(|d| format!("\n  {}: {} and {}", d.what, d.before, d.after)).collect();
        return Err(CliError::NotComparable(format!(
            "these results cannot be compared, because they did not measure the same:{}\nMeasure both alike, or compare \
             all the same with --force",
            list.concat()
        )));
    }
    let Some(comparison) = compare::compare(&before, &after, &args.metric, args.threshold) else {
        let both = before.summary.median_of_runs.keys().filter(|name| after.summary.median_of_runs.contains_key(*name));
        let names: Vec<&str> = both.map(String::as_str).collect();
        return Err(if names.is_empty() {
            CliError::NotComparable("these results cannot be compared, because one of them has no whole run".into())
        } else {
            CliError::Config(format!("\"{}\" is not in both results; in both are {}", args.metric, names.join(", ")))
        });
    };
    if args.json {
        let json = serde_json::to_string_pretty(&comparison).expect("a comparison has string keys");
        put(&(json + "\n"))?;
    } else {
        put(&compare::render(&comparison))?;
    }
    match comparison.verdict {
        Verdict::Regression => {
            Err(CliError::Regression(format!("{} is slower than before by more than the threshold", args.metric)))
        }
        _ => Ok(()),
    }
}

/// Prints; a reader that has seen enough and closed the pipe is no error.
fn put(text: &str) -> Result<(), CliError> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CliError::Failed(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim().parse::<f64>().ok();
    let wrong = || format!("'{text}' is not a percentage from 0 to 1000, such as 5%");
    percent.filter(|percent| (0.0..=1000.0).contains(percent)).map(|percent| percent / 100.0).ok_or_else(wrong)
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let wrong = || format!("'{text}' is not a number of seconds from 0.1 to 3600");
    text.parse::<f64>().ok().filter(|seconds| (0.1..=3600.0).contains(seconds)).ok_or_else(wrong)
}

fn parse_rungs(text: &str) -> Result<Vec<u32>, CliError> {
    if text.is_empty() {
        return Ok(RUNGS.to_vec());
    }
    let rungs: Option<Vec<u32>> = text.split(',').map(|rung| rung.trim().parse().ok().filter(|n| *n > 0)).collect();
    let wrong =
        || CliError::Config(format!("--ladder={text}: numbers of fish with commas between, such as 1,100,1000"));
    rungs.ok_or_else(wrong)
}

fn run_bench(args: BenchArgs) -> Result<(), CliError> {
    if args.list_scenes {
        return put(&BUILTIN_SCENES
            .iter()
            .map(|scene| format!("{:<12}{}\n", scene.name, scene.description()))
            .collect::<String>());
    }
    let rungs = args.ladder.as_deref().or(args.all.then_some("")).map(parse_rungs).transpose()?;
    let frame_end = args.frame_end.unwrap_or(if args.window { FrameEnd::Swap } else { FrameEnd::Fence });
    if frame_end == FrameEnd::Swap && !args.window {
        return Err(CliError::Config("--frame-end swap needs a window: add --window".into()));
    }
    let out = args.out.clone().unwrap_or_else(|| files::default_folder(&host::utc_now()));
    let out = OutDir::claim(&out, args.force)?;
    let options = args.scene.options((1280, 720));
    let work = Work {
        runs: args.all || (rungs.is_none() && !args.passes),
        passes: (args.all || args.passes).then_some(args.rounds),
        request: Request { plan: plan(&args, 300, 60), frame_end, governor: args.governor, label: args.label.clone() },
        ladder: rungs.map(|rungs| (rungs, plan(&args, LADDER_FRAMES, LADDER_WARMUP))),
    };
    let done = match args.window {
        true => window::measure(&options, args.vsync == Switch::On, &work),
        false => Session::open(&options).map_err(CliError::from).and_then(|mut session| {
            let mut stage = Stage::of(&mut session, &options);
            work.run(&mut stage)
        }),
    };
    let Done { report, runs, end } = match done {
        Ok(done) => done,
        Err(error) => {
            out.abandon();
            return Err(error);
        }
    };
    let written = out.write(&report, &runs, &args.format);
    if args.json.is_some() {
        put(&files::json(&report))?;
    } else if log::log_enabled!(log::Level::Warn) || written.is_err() {
        // What cannot be written is at least said.
        put(&table::render(&report))?;
    }
    // The folder was fine before the run, so this is no wrong argument.
    written
        .map_err(|error| CliError::Failed(format!("{error}. The table above is all that is left of the benchmark")))?;
    let shown = if args.format.contains(&Format::Html) { files::PAGE } else { "" };
    log::info!("written to {}", out.path().join(shown).display());
    ended(end)?;
    match work.runs && report.summary.valid_runs == 0 {
        true => Err(CliError::Failed("no run was measured undisturbed, so there is no result to go by".into())),
        false => Ok(()),
    }
}

/// How much is measured; `frames` and `warmup` where nothing was asked for.
fn plan(args: &BenchArgs, frames: u32, warmup: u32) -> Plan {
    let seconds = |seconds: Option<f64>| seconds.map(Duration::from_secs_f64);
    let room = args.duration.map(|seconds| ((seconds * FRAMES_A_SECOND).ceil() as u32).min(MOST_FRAMES));
    Plan {
        measure_for: seconds(args.duration),
        warm_up_for: seconds(args.warmup).unwrap_or_default(),
        ..Plan::frames(
            args.warmup_frames.unwrap_or(if args.warmup.is_some() { 0 } else { warmup }),
            room.or(args.frames).unwrap_or(frames),
            args.runs,
        )
    }
}

/// What is to be measured.
struct Work {
    /// Whether runs of the scene as it is are.
    runs: bool,
    /// At how many moments the cost of each effect is found, if it is.
    passes: Option<u32>,
    /// The numbers of fish, and how much with each.
    ladder: Option<(Vec<u32>, Plan)>,
    request: Request,
}

/// What was measured.
struct Done {
    report: Report,
    runs: Vec<Run>,
    end: End,
}

/// A scene that is ready, with or without a window.
struct Stage<'a> {
    renderer: &'a mut Renderer,
    world: &'a mut World,
    frame: &'a mut RenderScene,
    config: &'a Config,
    context: &'a Context,
    options: &'a SceneOptions,
    size: (u32, u32),
    window: Option<&'a mut dyn bench::Window>,
}

impl<'a> Stage<'a> {
    fn of(session: &'a mut Session, options: &'a SceneOptions) -> Self {
        let Session { renderer, world, config, frame, context } = session;
        Self { renderer, world, frame, config, context, options, size: options.size, window: None }
    }

    fn scene(&mut self) -> Scene<'_> {
        Scene {
            gl: self.context.gl(),
            device: self.context.device(),
            renderer: &mut *self.renderer,
            world: &mut *self.world,
            frame: &mut *self.frame,
            config: self.config,
            set: &self.options.set,
            size: self.size,
            seed: self.options.seed,
            window: match &mut self.window {
                Some(window) => Some(&mut **window),
                None => None,
            },
        }
    }
}

impl Work {
    /// Measures everything, one after the other; what comes after an interrupt is left out.
    fn run(&self, stage: &mut Stage<'_>) -> Result<Done, CliError> {
        let stop = &interrupt::requested;
        let runs = self.request.plan.runs;
        let mut done = match self.runs {
            true => {
                let said = &mut |run| log::info!("run {} of {runs}", run + 1);
                let (report, measured) = record(stage.scene(), &self.request, stop, said)?;
                Done { report, runs: measured.runs, end: measured.end }
            }
            false => Done { report: empty_report(&stage.scene(), &self.request), runs: Vec::new(), end: End::Complete },
        };
        if let (Some(rounds), End::Complete) = (self.passes, &done.end) {
            log::info!("leaving out each effect in turn, at {rounds} moments");
            (done.report.passes, done.end) = record_passes(stage.scene(), rounds, stop)?;
        }
        if let (Some((rungs, plan)), End::Complete) = (&self.ladder, &done.end) {
            let request = Request { plan: *plan, ..self.request.clone() };
            let said = &mut |run, fish| log::info!("run {} of {runs} with {fish} fish", run + 1);
            let (ladder, end) = record_ladder(stage.scene(), rungs, &request, stop, said)?;
            (done.report.ladder, done.end) = (Some(ladder), end);
        }
        done.report.aborted = !matches!(done.end, End::Complete);
        done.report.summary.peak_memory_mib = host::peak_memory_mib();
        Ok(done)
    }
}

/// Measures a session for a few seconds and prints the table; the session's world is begun anew.
pub fn short(session: &mut Session, options: &SceneOptions) -> Result<(), CliError> {
    let request = Request { plan: Plan::SHORT, frame_end: FrameEnd::Fence, governor: false, label: None };
    let work = Work { runs: true, passes: None, ladder: None, request };
    let done = work.run(&mut Stage::of(session, options))?;
    put(&table::render(&done.report))?;
    ended(done.end)
}

fn ended(end: End) -> Result<(), CliError> {
    match end {
        End::Complete => Ok(()),
        End::Interrupted => Err(CliError::Interrupted),
        End::Failed(error) => Err(error.into()),
    }
}

impl From<BenchError> for CliError {
    fn from(error: BenchError) -> Self {
        match error {
            // A folder or file that was named wrongly, found before anything was measured.
            BenchError::Exists(_) | BenchError::Write { .. } | BenchError::Read { .. } | BenchError::Fish(_) => {
                Self::Config(error.to_string())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}
