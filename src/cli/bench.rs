//! `pelagic bench`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bench::compare::{FEWEST_PAIRS, FEWEST_RUNS, Question};
use bench::files::{self, AGAINST_FOLDERS, OutDir, ResultFormat, ResultParts};
use bench::html::{Side, compare_page};
use bench::ladder::{LONGEST_MS, LadderPlan, to_a_million};
use bench::pacing::FrameEnd;
use bench::{BenchRequest, End, Plan, compare as comparison, live, passes, table};
use config::FISH_LIMIT;
use platform::out_folders::OutFolders;
use platform::user_folders::OUT;
use render::Stereo;
use runtime::offscreen::Session;
use runtime::{SceneOptions, memory};

use crate::cli::args::{OnOff, SceneArgs};
use crate::cli::existing::ForceArgs;
use crate::cli::print::{print, print_json};
use crate::cli::{CliError, scene};

mod against;
mod compare;
mod measure;
mod window;

use against::Against;
use measure::{Done, Outcome, measure, measure_pair, scene_of};

/// Default number of runs.
const RUNS: u32 = 3;
/// Default number of frames of a run.
const FRAMES: u32 = 300;
/// Default number of warm-up frames of a run.
const WARMUP: u32 = 60;
/// Default number of frames of a ladder's run.
const LADDER_FRAMES: u32 = 60;
/// Default number of warm-up frames of a ladder's run.
const LADDER_WARMUP: u32 = 12;
/// Frames for which memory is reserved for each second of a timed run.
const FRAMES_A_SECOND: f64 = 4000.0;
/// Most frames of a run.
const MAX_FRAMES: u32 = 1_000_000;

const EXAMPLES: &str = "\
Examples:
  pelagic bench -o before                     3 runs of 300 frames of the reef
  pelagic bench --runs 5 --fish 10000         five runs, which comparing needs, of many fish
  pelagic bench --passes                      what caustics, shafts, shadows, fish cost
  pelagic bench --ladder                      1 to 30,000 fish
  pelagic bench --window --duration 20        in a window, by time
  pelagic bench --against=--quality=low       two settings in turn, and which is faster
  pelagic bench compare before after          is it slower, and by how much";

/// Arguments.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: Option<BenchCommand>,
    #[command(flatten)]
    scene: SceneArgs,
    #[arg(
        long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_FRAMES)),
        help = format!(
            "Frames to measure in each run; 1 % lows need 300, 0.1 % lows 1000 [default: {FRAMES}, with --ladder {LADDER_FRAMES}]"
        ),
    )]
    frames: Option<u32>,
    /// Measure so many seconds in each run, in place of a number of frames; runs are then of different length.
    #[arg(long, value_name = "SECONDS", conflicts_with = "frames", value_parser = parse_seconds)]
    duration: Option<f64>,
    #[arg(
        long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_FRAMES)),
        help = format!("Frames to draw before measuring, in each run [default: {WARMUP}, with --ladder {LADDER_WARMUP}]"),
    )]
    warmup_frames: Option<u32>,
    /// Seconds to draw before measuring, in each run, in place of a number of frames.
    #[arg(long, value_name = "SECONDS", conflicts_with = "warmup_frames", value_parser = parse_seconds)]
    warmup: Option<f64>,
    #[arg(
        long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000),
        help = format!(
            "Runs, each from the beginning of the scene; comparing needs {FEWEST_RUNS} [default: {RUNS}, with --against {FEWEST_PAIRS}]"
        ),
    )]
    runs: Option<u32>,
    /// Find what each effect costs by leaving it out in turn.
    #[arg(long)]
    passes: bool,
    #[arg(
        long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000),
        help = format!("Moments of the scene at which --passes looks [default: {}]", passes::ROUNDS),
    )]
    rounds: Option<u32>,
    #[arg(
        long, value_name = "N,N...", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with = "fish",
        value_parser = parse_rungs,
        help = format!(
            "Measure with each of these numbers of fish [default: {}, as far as memory lasts and a frame takes at most {LONGEST_MS} ms]",
            to_a_million().iter().map(u32::to_string).collect::<Vec<_>>().join(",")
        ),
    )]
    ladder: Option<Rungs>,
    /// Measure runs, passes and ladder.
    #[arg(long)]
    all: bool,
    /// Measure a second scene in turn with the first, A B B A and so on, and compare the two: the same arguments, with
    /// these changes to them, in quotes.
    #[arg(
        long, value_name = "ARGUMENTS", allow_hyphen_values = true,
        conflicts_with_all = ["passes", "ladder", "all"],
    )]
    against: Option<String>,
    /// Folder for the result's files [default: out/bench/TIME, else one in the user's own data].
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Files to write.
    #[arg(long, value_name = "KIND,...", value_enum, value_delimiter = ',', default_values_t = ResultFormat::USUAL)]
    format: Vec<ResultFormat>,
    /// Draw without a window; this is the default.
    #[arg(long, conflicts_with = "window")]
    offscreen: bool,
    /// Draw in a window, as a person would see it.
    #[arg(long)]
    window: bool,
    /// Wait for the screen with each frame, in a window.
    #[arg(long, value_name = "ON|OFF", value_enum, default_value = "off")]
    vsync: OnOff,
    /// Method of ending a frame [default: fence, in a window swap].
    #[arg(long, value_enum)]
    frame_end: Option<FrameEnd>,
    /// Two eyes: half of the picture for each, or both in one for red and cyan glasses.
    #[arg(long, value_name = "HOW", value_enum, default_value = "off")]
    stereo: Stereo,
    /// Move the world on before each frame, and not to the next one while a frame is drawn: the frames are the same.
    #[arg(long)]
    in_turn: bool,
    /// Let the quality governor work while measuring: for watching it, not for comparing.
    #[arg(long)]
    governor: bool,
    /// Your own words about it, kept in the result.
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    #[command(flatten)]
    existing: ForceArgs,
    /// With `-`, print the result as JSON instead of the table.
    #[arg(long, value_name = "-", value_parser = ["-"])]
    json: Option<String>,
    /// List the built-in scenes.
    #[arg(long)]
    list_scenes: bool,
}

#[derive(clap::Subcommand, Debug)]
enum BenchCommand {
    /// Compare results: exit code 4 if one is slower than the first with confidence, 5 if they cannot be compared.
    Compare(compare::CompareArgs),
    /// Print the JSON Schema of `result.json`.
    Schema,
}

/// Runs the command.
///
/// # Errors
/// If the arguments, the scene, the folder or the machine's OpenGL is unusable, it is interrupted, or the driver fails.
pub fn run(args: BenchArgs) -> Result<(), CliError> {
    match args.command {
        Some(BenchCommand::Compare(args)) => compare::run(&args),
        Some(BenchCommand::Schema) => print_json(&bench::schema::json_schema()),
        None => run_bench(args),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let wrong = || format!("'{text}' is not a number of seconds from 0.1 to 3600");
    text.parse::<f64>().ok().filter(|seconds| (0.1..=3600.0).contains(seconds)).ok_or_else(wrong)
}

/// Numbers of fish of a ladder.
#[derive(Clone, Debug)]
struct Rungs {
    fish: Vec<u32>,
    /// Whether they are the usual ones, as far as the machine can.
    are_usual: bool,
}

impl Rungs {
    fn usual() -> Self {
        Self { fish: to_a_million(), are_usual: true }
    }
}

fn parse_rungs(text: &str) -> Result<Rungs, String> {
    if text.is_empty() {
        return Ok(Rungs::usual());
    }
    let rung = |rung: &str| rung.trim().parse().ok().filter(|n| (1..=FISH_LIMIT).contains(n));
    let rungs: Option<Vec<u32>> = text.split(',').map(rung).collect();
    let wrong = || format!("'{text}' is not a list of numbers from 1 to {FISH_LIMIT}, such as 1,100,1000");
    rungs.map(|fish| Rungs { fish, are_usual: false }).ok_or_else(wrong)
}

fn run_bench(args: BenchArgs) -> Result<(), CliError> {
    if args.list_scenes {
        return print(&scene::list());
    }
    let request = request(&args)?;
    let options = args.scene.options();
    check(&options, &request)?;
    let against =
        args.against.as_ref().map(|text| Against::new(text, &args.scene, args.stereo, &request)).transpose()?;
    if let Some(against) = &against {
        check(&against.options, &against.request)?;
        if args.window && (against.options.size != options.size || against.request.frame_end != request.frame_end) {
            let text = "--against: in one window both have one size and end their frames alike; leave --window out";
            return Err(CliError::Config(text.into()));
        }
        if !args.window && against.request.frame_end == FrameEnd::Swap {
            return Err(CliError::Config("--against: --frame-end swap needs a window: add --window".into()));
        }
    }
    let mut out = match &args.out {
        Some(out) => OutDir::claim(out, args.existing.force)?,
        None => {
            let (out, refused) = OutFolders::of_benchmarks(Path::new(OUT)).first(live::claim)?;
            if let Some(why) = refused {
                log::warn!("{why}; the result goes to {}", out.path().display());
            }
            out
        }
    };
    let done = match args.window {
        true => window::measure(&options, (args.vsync == OnOff::On, args.stereo), &request, against.as_ref()),
        false => offscreen(&options, args.stereo, &request, against.as_ref()),
    };
    match done.map(|(outcomes, end)| (<[Outcome; 2]>::try_from(outcomes), end)) {
        Ok((Ok(pair), end)) => {
            let names = against.as_ref().map_or(AGAINST_FOLDERS, |against| against.names(&request));
            finish_pair(&args, &mut out, &pair, names, end)
        }
        Ok((Err(one), end)) => {
            one.into_iter().try_for_each(|outcome| finish(&args, &mut out, &outcome)).and(ended(end))
        }
        Err(error) => {
            out.abandon();
            Err(error)
        }
    }
}

/// Measures without a window.
fn offscreen(
    options: &SceneOptions,
    stereo: Stereo,
    request: &BenchRequest,
    against: Option<&Against>,
) -> Result<Done, CliError> {
    let mut session = Session::open(options)?;
    session.set_stereo(stereo)?;
    let Some(against) = against else { return measure(scene_of(&mut session, options, options.size).0, request) };
    let size = against.options.size;
    let mut other = against.beside(&session, size)?;
    let first = scene_of(&mut session, options, options.size).0;
    let second = scene_of(&mut other, &against.options, size).0;
    measure_pair([first, second], [request, &against.request], against.names(request))
}

/// Benchmark request of the arguments.
fn request(args: &BenchArgs) -> Result<BenchRequest, CliError> {
    let wrong = |text: &str| Err(CliError::Config(text.into()));
    let rungs = args.ladder.clone().or_else(|| args.all.then(Rungs::usual));
    let passes = args.all || args.passes;
    let frame_end = args.frame_end.unwrap_or(if args.window { FrameEnd::Swap } else { FrameEnd::Fence });
    if !args.window && frame_end == FrameEnd::Swap {
        return wrong("--frame-end swap needs a window: add --window");
    }
    if !args.window && args.vsync == OnOff::On {
        return wrong("--vsync on needs a window: add --window");
    }
    if !passes && args.rounds.is_some() {
        return wrong("--rounds are moments at which effects are left out: add --passes");
    }
    Ok(BenchRequest {
        runs: args.all || (rungs.is_none() && !passes),
        plan: plan(args, FRAMES, WARMUP),
        passes: passes.then_some(args.rounds.unwrap_or(passes::ROUNDS)),
        ladder: rungs.map(|Rungs { fish, are_usual }| LadderPlan {
            fish,
            plan: plan(args, LADDER_FRAMES, LADDER_WARMUP),
            ends_early: are_usual,
        }),
        frame_end,
        governor: args.governor,
        in_turn: args.in_turn,
        label: args.label.clone(),
    })
}

/// Validates the scene and its numbers of fish before the slow steps.
fn check(options: &SceneOptions, request: &BenchRequest) -> Result<(), CliError> {
    let config = config::load(&options.scene, &options.set)?.config;
    // The usual rungs end where memory does; of the scene itself they need no more than a fish.
    let asked = |ladder: &LadderPlan| if ladder.ends_early { ladder.fish[..1].to_vec() } else { ladder.fish.clone() };
    let rungs = request.ladder.iter().flat_map(asked).map(|fish| ("ladder", fish));
    for (flag, fish) in rungs.chain(options.fish.map(|fish| ("fish", fish))) {
        let mut config = config.clone();
        config.set_fish_count(fish).map_err(|error| CliError::Config(format!("--{flag} {fish}: {error}")))?;
        memory::check(&config)?;
    }
    Ok(())
}

/// Writes and prints the result.
fn finish(args: &BenchArgs, out: &mut OutDir, outcome: &Outcome) -> Result<(), CliError> {
    let Outcome { report, runs, picture } = outcome;
    let written = out.write(report, runs, picture.as_ref(), &args.format);
    if args.json.is_some() {
        print(&files::json(report))?;
    } else if log::log_enabled!(log::Level::Warn) || written.is_err() {
        // A result that cannot be written is at least printed.
        print(&table::render(report))?;
    }
    // The folder was writable before the run, so this is not an argument error.
    written
        .map_err(|error| CliError::Failed(format!("{error}. The table above is all that is left of the benchmark")))?;
    let shown = if args.format.contains(&ResultFormat::Html) { files::PAGE } else { "" };
    log::info!("written to {}", out.path().join(shown).display());
    match !report.aborted && !runs.is_empty() && report.summary.valid_runs == 0 {
        true => Err(CliError::Failed(NONE_COUNTS.into())),
        false => Ok(()),
    }
}

/// Error message if no run counts.
const NONE_COUNTS: &str = "no run was measured undisturbed, so there is no result to go by";

/// Writes two results that were measured in turn and their comparison, and prints the comparison.
fn finish_pair(
    args: &BenchArgs,
    out: &mut OutDir,
    pair: &[Outcome; 2],
    names: [&str; 2],
    end: End,
) -> Result<(), CliError> {
    let [before, after] = pair.each_ref().map(|outcome| &outcome.report);
    let question = Question { metric: comparison::METRIC, threshold: None, across: true };
    let compared = comparison::compare(names, before, after, &question);
    let frames = pair.each_ref().map(|outcome| outcome.counting_frames_ms());
    let folders = AGAINST_FOLDERS.map(|folder| out.path().join(folder));
    let side = |i: usize| Side {
        name: names[i],
        path: &folders[i],
        report: &pair[i].report,
        frames_ms: (!frames[i].is_empty()).then_some(frames[i].as_slice()),
    };
    let page = compared.as_ref().map(|compared| compare_page(&[side(0), side(1)], std::slice::from_ref(compared)));
    let json = compared.as_ref().map(|compared| {
        serde_json::to_string_pretty(compared).expect("a comparison has string keys and no fallible serialisers") + "\n"
    });
    let parts = pair.each_ref().map(|outcome| ResultParts {
        report: &outcome.report,
        runs: &outcome.runs,
        picture: outcome.picture.as_ref(),
    });
    let written = out.write_pair(parts, json.as_deref().zip(page.as_deref()), &args.format);
    match (&compared, &json) {
        (Some(_), Some(json)) if args.json.is_some() => print(json)?,
        (Some(compared), _) if log::log_enabled!(log::Level::Warn) || written.is_err() => {
            print(&comparison::render(compared))?;
            let mut texts = Vec::new();
            for warning in before.warnings.iter().chain(&after.warnings) {
                if !texts.contains(&&warning.text) {
                    print(&format!("warning: {}\n", warning.text))?;
                    texts.push(&warning.text);
                }
            }
        }
        _ => {}
    }
    written
        .map_err(|error| CliError::Failed(format!("{error}. The table above is all that is left of the benchmark")))?;
    let shown = if args.format.contains(&ResultFormat::Html) { files::AGAINST_PAGE } else { "" };
    log::info!("written to {}", out.path().join(shown).display());
    ended(end)?;
    if compared.is_none() {
        return Err(CliError::Failed(NONE_COUNTS.into()));
    }
    Ok(())
}

/// Measuring plan of the arguments; `frames` and `warmup` are the defaults.
fn plan(args: &BenchArgs, frames: u32, warmup: u32) -> Plan {
    let seconds = |seconds: Option<f64>| seconds.map(Duration::from_secs_f64);
    let room = args.duration.map(|seconds| ((seconds * FRAMES_A_SECOND).ceil() as u32).min(MAX_FRAMES));
    Plan {
        measure_for: seconds(args.duration),
        warm_up_for: seconds(args.warmup).unwrap_or_default(),
        ..Plan::frames(
            args.warmup_frames.unwrap_or(if args.warmup.is_some() { 0 } else { warmup }),
            room.or(args.frames).unwrap_or(frames),
            args.runs.unwrap_or(if args.against.is_some() { FEWEST_PAIRS as u32 } else { RUNS }),
        )
    }
}

/// Measures a session for a few seconds and prints the table; the session's world starts anew.
///
/// # Errors
/// If it is interrupted or the driver fails.
pub fn short(session: &mut Session, options: &SceneOptions) -> Result<(), CliError> {
    let request = BenchRequest::runs(Plan::SHORT, FrameEnd::Fence);
    let (outcomes, end) = measure(scene_of(session, options, options.size).0, &request)?;
    outcomes.iter().try_for_each(|outcome| print(&table::render(&outcome.report)))?;
    ended(end)
}

fn ended(end: End) -> Result<(), CliError> {
    match end {
        End::Complete => Ok(()),
        End::Interrupted => Err(CliError::Interrupted),
        End::Failed(error) => Err(error.into()),
    }
}
