//! `pelagic model`: look into model files.

use std::path::{Path, PathBuf};

use clap::Args;
use ms3d::{Limits, ReadError, ReadOutcome};

use crate::cli::CliError;
use crate::storage;

mod check;
mod info;
mod pose;
mod report;

/// What to do.
#[derive(clap::Subcommand, Debug)]
pub enum ModelCommand {
    /// Say what a model file holds and what is odd about it.
    Info(info::InfoArgs),
    /// Check a model file: exit code 0 if it can be used, 1 if not.
    Check(check::CheckArgs),
    /// Say where a model file's vertices are at a moment of its time line.
    Pose(pose::PoseArgs),
}

/// Runs it.
///
/// # Errors
/// If the file cannot be read or used, or standard output cannot be written.
pub fn run(command: ModelCommand) -> Result<(), CliError> {
    match command {
        ModelCommand::Info(args) => info::run(&args),
        ModelCommand::Check(args) => check::run(&args),
        ModelCommand::Pose(args) => pose::run(&args),
    }
}

/// The file that a subcommand looks into.
#[derive(Args, Debug)]
struct FileArgs {
    /// The model, an .ms3d file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A model file that was read.
struct LoadedFile {
    /// Its length in bytes.
    bytes: usize,
    outcome: ReadOutcome,
}

/// Why there is none.
#[derive(Debug)]
enum LoadError {
    /// It cannot be opened or is not a file of a sensible size.
    File(String),
    /// It is not a file that can be read.
    Refused(ReadError),
}

impl LoadError {
    fn into_cli_error(self, path: &Path) -> CliError {
        let path = path.display();
        CliError::Failed(match self {
            Self::File(reason) => format!("{path}: {reason}"),
            Self::Refused(error) => format!("{path}: {error}"),
        })
    }
}

/// Reads a file of at most [`Limits::file_bytes`].
fn load(path: &Path) -> Result<LoadedFile, LoadError> {
    let limits = Limits::default();
    let bytes = storage::read(path, limits.file_bytes as u64).map_err(|error| LoadError::File(error.to_string()))?;
    let outcome = ms3d::read(&bytes, &limits).map_err(LoadError::Refused)?;
    Ok(LoadedFile { bytes: bytes.len(), outcome })
}
