//! `pelagic bench`.

use std::io::Write as _;
use std::path::PathBuf;

use crate::app::offscreen::Session;
use crate::app::{SceneOptions, interrupt};
use crate::bench::compare::{self, Verdict};
use crate::bench::files::{self, OutDir};
use crate::bench::pacing::FrameEnd;
use crate::bench::report::{GlInfo, Report};
use crate::bench::{BenchError, End, Measured, Plan, Request, Scene, host, record, table};
use crate::cli::{CliError, SceneArgs};

/// Arguments.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: Option<BenchCommand>,
    #[command(flatten)]
    scene: SceneArgs,
    /// Frames to measure in each run; 1 % lows need 300, 0.1 % lows 1000.
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames: u32,
    /// Frames to draw before measuring, in each run.
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    warmup_frames: u32,
    /// Runs, each from the beginning of the scene; comparing needs 5.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Folder for result.json, frames.csv and phases.csv [default: out/bench/TIME].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Draw without a window; the only way for now.
    #[arg(long)]
    offscreen: bool,
    /// How a frame ends.
    #[arg(long, value_enum, default_value_t)]
    frame_end: FrameEnd,
    /// Your own words about it, kept in the result.
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Replace a result that is in the folder already.
    #[arg(long)]
    force: bool,
    /// With `-`, print the result as JSON instead of the table.
    #[arg(long, value_name = "-", value_parser = ["-"])]
    json: Option<String>,
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

fn run_bench(args: BenchArgs) -> Result<(), CliError> {
    let out = args.out.clone().unwrap_or_else(|| files::default_folder(&host::utc_now()));
    let out = OutDir::claim(&out, args.force)?;
    let options = args.scene.options((1280, 720));
    let mut session = match Session::open(&options) {
        Ok(session) => session,
        Err(error) => {
            out.abandon();
            return Err(error.into());
        }
    };
    let plan = Plan { warmup_frames: args.warmup_frames, frames: args.frames, runs: args.runs, run_limit: None };
    let request = Request { plan, frame_end: args.frame_end, label: args.label };
    let (report, measured) = measure(&mut session, &options, &request)?;
    // The folder was fine before the run, so this is no wrong argument.
    out.write(&report, &measured.runs).map_err(|error| CliError::Failed(error.to_string()))?;
    log::info!("written to {}", out.path().join(files::RESULT).display());
    if args.json.is_some() {
        put(&files::json(&report))?;
    } else if log::log_enabled!(log::Level::Warn) {
        put(&table::render(&report))?;
    }
    ended(measured.end)
}

/// Measures a session for a few seconds and prints the table; the session's world is begun anew.
pub fn short(session: &mut Session, options: &SceneOptions) -> Result<(), CliError> {
    let request = Request { plan: Plan::SHORT, frame_end: FrameEnd::Fence, label: None };
    let (report, measured) = measure(session, options, &request)?;
    put(&table::render(&report))?;
    ended(measured.end)
}

fn measure(session: &mut Session, options: &SceneOptions, request: &Request) -> Result<(Report, Measured), CliError> {
    let info = session.context.info();
    let gl_info = GlInfo {
        vendor: info.vendor.clone(),
        renderer: info.renderer.clone(),
        version: info.version.clone(),
        glsl: info.glsl.clone(),
        software: info.software,
        robust: info.robust,
        context: info.platform.clone(),
        samples: 1,
    };
    let scene = Scene {
        gl: session.context.gl(),
        gl_info,
        renderer: &mut session.renderer,
        world: &mut session.world,
        frame: &mut session.frame,
        config: &session.config,
        set: &options.set,
        size: options.size,
        seed: options.seed,
    };
    let runs = request.plan.runs;
    Ok(record(scene, request, &interrupt::requested, &mut |run| log::info!("run {} of {runs}", run + 1))?)
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
            BenchError::Exists(_) | BenchError::Write { .. } | BenchError::Read { .. } => {
                Self::Config(error.to_string())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}
