//! The command line: one file a subcommand.
//!
//! Exit codes: 0 fine, 1 failed, 2 usage or configuration, 3 no display or no usable OpenGL, 4 regression,
//! 5 not comparable, 130 interrupted.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::app::{AppError, SceneOptions, interrupt};

mod bench;
mod demo;
mod forge;
mod model;
mod scene;
mod shot;

/// A real-time underwater world.
#[derive(Parser, Debug)]
#[command(name = "pelagic", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    demo: demo::DemoArgs,
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
}

/// What every command that shows a scene takes.
#[derive(Args, Clone, Debug, Default)]
pub struct SceneArgs {
    /// Scene by name (see `pelagic scene list`) or a TOML file.
    #[arg(long, value_name = "NAME|FILE", default_value = "reef")]
    pub scene: String,
    /// Change one key of the scene, such as water.type=3C; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Quality: auto, low, medium, high or ultra (the same as --set render.quality=...).
    #[arg(long, value_name = "TIER")]
    pub quality: Option<String>,
    /// Width and height of the picture in pixels.
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<(u32, u32)>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Total number of schooling and reef fish, dealt out over the scene's species.
    #[arg(long, value_name = "N")]
    pub fish: Option<u32>,
    /// Use the shaders in this folder in place of the built-in ones; the window watches it for edits.
    #[arg(long, value_name = "DIR")]
    pub shaders: Option<PathBuf>,
}

/// An error with the exit code it asks for.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Something failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Wrong arguments or a wrong file: exit code 2.
    #[error("{0}")]
    Config(String),
    /// No display or no usable OpenGL: exit code 3.
    #[error("{0}")]
    NoOpenGl(String),
    /// A benchmark got slower: exit code 4.
    #[error("{0}")]
    Regression(String),
    /// Two benchmarks cannot be compared: exit code 5.
    #[error("{0}")]
    NotComparable(String),
    /// Ctrl-C: exit code 130.
    #[error("interrupted")]
    Interrupted,
}

impl SceneArgs {
    /// The same in the words of [`app`](crate::app); `size` is used where none was given.
    pub fn options(&self, size: (u32, u32)) -> SceneOptions {
        let quality = self.quality.iter().map(|tier| format!("render.quality={tier}"));
        SceneOptions {
            scene: self.scene.clone(),
            // Last, so that it wins over a --set of the same key.
            set: self.set.iter().cloned().chain(quality).collect(),
            size: self.size.unwrap_or(size),
            seed: self.seed,
            fish: self.fish,
            shaders: self.shaders.clone(),
        }
    }
}

impl From<AppError> for CliError {
    fn from(error: AppError) -> Self {
        let text = error.to_string();
        match error {
            AppError::Config(error) => error.into(),
            AppError::Scene(_)
            | AppError::Fish(..)
            | AppError::NoSuchCamera { .. }
            | AppError::NoSuchScene { .. }
            | AppError::UnknownFormat(_)
            | AppError::Unwritable { .. } => Self::Config(text),
            AppError::Context(_) => Self::NoOpenGl(text),
            AppError::Render(_) | AppError::Write { .. } | AppError::Benchmark(_) | AppError::ContextLost(_) => {
                Self::Failed(text)
            }
            AppError::Interrupted => Self::Interrupted,
        }
    }
}

impl CliError {
    /// The process exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Config(_) => 2,
            Self::NoOpenGl(_) => 3,
            Self::Regression(_) => 4,
            Self::NotComparable(_) => 5,
            Self::Interrupted => 130,
        }
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let started = Instant::now();
    let cli = parse();
    let level = match (cli.quiet, cli.verbose) {
        (true, _) => "error",
        (_, 0) => "warn,pelagic=info",
        (_, 1) => "info,pelagic=debug",
        _ => "debug",
    };
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level)).format_timestamp(None).init();
    interrupt::listen();
    let done = match cli.command {
        None => demo::run(cli.demo, started),
        Some(Command::Shot(args)) => shot::run(args),
        Some(Command::Bench(args)) => bench::run(*args),
        Some(Command::Model(command)) => model::run(command),
        Some(Command::Scene(command)) => scene::run(command),
        Some(Command::Forge(command)) => forge::run(command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pelagic: {error}");
            ExitCode::from(error.code())
        }
    }
}

/// The arguments; what belongs to the window is refused before a subcommand rather than ignored.
fn parse() -> Cli {
    let matches = Cli::command().get_matches();
    if let Some(subcommand) = matches.subcommand_name() {
        let stray = matches.ids().map(clap::Id::as_str).find(|id| {
            let given =
                matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
            given && !matches!(*id, "verbose" | "quiet")
        });
        if let Some(stray) = stray {
            let text = format!("--{} goes after `{subcommand}`", stray.replace('_', "-"));
            Cli::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
    }
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("'{text}' is not WIDTHxHEIGHT, such as 1280x720, each from 16 to 16384");
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
    let side = |s: &str| s.parse::<u32>().ok().filter(|n| (16..=16384).contains(n)).ok_or_else(wrong);
    Ok((side(width)?, side(height)?))
}
