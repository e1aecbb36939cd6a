//! The command line: one file for each subcommand.
//!
//! The exit code is 0 if all is well, else that of `CliError::code`.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

use ::demo::input::{HELP, KeyGroup};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use platform::stderr::say;
use platform::{console, interrupt};
use shell::messages::{Language, Messages};

mod args;
mod bench;
mod completions;
mod demo;
mod doctor;
mod error;
mod existing;
mod forge;
mod log_filter;
mod model;
mod print;
mod progress;
mod record;
mod scene;
mod shot;
#[cfg(test)]
mod tests;

use args::SceneArgs;
use error::CliError;

/// A real-time underwater world.
#[derive(Parser, Debug)]
#[command(name = "pelagic", version = build_info::LONG_VERSION, about, after_help = examples_and_keys())]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    demo: demo::DemoArgs,
    /// List the built-in scenes.
    #[arg(long)]
    list_scenes: bool,
    /// Say more: -v details, -vv driver messages too.
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    /// Say only what went wrong.
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Render one frame, off-screen, into a PNG or a linear EXR.
    Shot(shot::ShotArgs),
    /// Record a film, off-screen, into a file or a folder of frames.
    Record(Box<record::RecordArgs>),
    /// Record frame times.
    Bench(Box<bench::BenchArgs>),
    /// Look into model files.
    #[command(subcommand)]
    Model(model::ModelCommand),
    /// Check, list or dump scene files.
    #[command(subcommand)]
    Scene(scene::SceneCommand),
    /// Make the project's own creatures and props.
    #[command(subcommand)]
    Forge(forge::ForgeCommand),
    /// Tell what this machine offers and whether a picture can be made: a page for the report of a fault.
    Doctor(doctor::DoctorArgs),
    /// Print what a shell needs to complete this program's arguments.
    Completions(completions::CompletionsArgs),
}

/// The whole command line, for the manual pages of a package.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program with the process's arguments and returns its exit code.
pub fn main() -> ExitCode {
    let started = Instant::now();
    let cli = parse();
    let usual = log_filter::of_arguments(cli.quiet, cli.verbose);
    let filter = std::env::var(env_logger::DEFAULT_FILTER_ENV).unwrap_or_else(|_| usual.into());
    let style = std::env::var(env_logger::DEFAULT_WRITE_STYLE_ENV).unwrap_or_default();
    let mut logger = env_logger::Builder::new();
    logger.parse_filters(&log_filter::expanded(&filter)).parse_write_style(&style).format_timestamp(None);
    progress::log_by(logger.build());
    interrupt::listen();
    let done = match cli.command {
        None if cli.list_scenes => scene::run(scene::SceneCommand::List),
        None => demo::run(cli.demo, started),
        Some(Command::Shot(args)) => shot::run(args),
        Some(Command::Record(args)) => record::run(*args),
        Some(Command::Bench(args)) => bench::run(*args),
        Some(Command::Model(command)) => model::run(command),
        Some(Command::Scene(command)) => scene::run(command),
        Some(Command::Forge(command)) => forge::run(command),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Completions(args)) => completions::run(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("pelagic: {error}"));
            console::hold_own();
            ExitCode::from(error.code())
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  pelagic                                   the reef, in a window
  pelagic --scene wreck --quality high      another scene, another quality
  pelagic --set water.type=3C --fish 2000   one key of the scene, more fish
  pelagic --scene mine.toml                 your own, followed while you edit it
  pelagic shot -o noon.png                  one picture, without a window
  pelagic record -o tour.mp4 --tour         a film, without a window
  pelagic --headless                        a look at it on a machine without a display
";

/// Text below the arguments in the help.
fn examples_and_keys() -> String {
    let messages = Messages::new(Language::English);
    let widths = HELP.iter().flat_map(|group| group.keys).map(|(keys, _)| messages.get(keys).len());
    let width = widths.max().unwrap_or_default();
    let line = |(keys, what): &(&str, &str)| format!("    {:width$}  {}\n", messages.get(keys), messages.get(what));
    let group = |KeyGroup { task, keys }: &KeyGroup| {
        format!("  {}\n{}", messages.get(task), keys.iter().map(line).collect::<String>())
    };
    format!("{EXAMPLES}\nKeys in the window:\n{}", HELP.iter().map(group).collect::<String>())
}

/// Parses the process's arguments or exits.
fn parse() -> Cli {
    parse_from(std::env::args_os()).unwrap_or_else(|error| error.exit())
}

/// Parses the arguments; options of the window before a subcommand are refused rather than ignored.
fn parse_from(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches_from(arguments)?;
    if let Some(subcommand) = matches.subcommand_name() {
        let stray = matches.ids().map(clap::Id::as_str).find(|id| {
            let given =
                matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
            given && !matches!(*id, "verbose" | "quiet")
        });
        if let Some(stray) = stray {
            let command = Cli::command();
            let mut taken = command.find_subcommand(subcommand).into_iter().flat_map(clap::Command::get_arguments);
            let flag = stray.replace('_', "-");
            let text = match taken.any(|argument| argument.get_id() == stray) {
                true => format!("--{flag} goes after `{subcommand}`"),
                false => format!("--{flag} is for `pelagic` alone, not for `{subcommand}`"),
            };
            return Err(Cli::command().error(ErrorKind::ArgumentConflict, text));
        }
    }
    Cli::from_arg_matches(&matches)
}
