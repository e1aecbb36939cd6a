//! `pelagic model`: look into model files.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use ms3d::{Limits, ReadError, ReadOutcome};

use crate::cli::CliError;

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
    let bytes = read_limited(path, limits.file_bytes).map_err(LoadError::File)?;
    let outcome = ms3d::read(&bytes, &limits).map_err(LoadError::Refused)?;
    Ok(LoadedFile { bytes: bytes.len(), outcome })
}

fn read_limited(path: &Path, limit: usize) -> Result<Vec<u8>, String> {
    if path.is_dir() {
        return Err("is a directory: name a model file in it".to_owned());
    }
    let file = File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("cannot be opened: {error}"),
    })?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells "too long" from "just fits", for devices and pipes too.
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    file.take(most).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() > limit {
        return Err(format!("is larger than the limit of {} MiB for a model file", limit >> 20));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_above_the_limit_are_refused_without_being_read_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("long.ms3d");
        std::fs::write(&path, vec![0; 3 << 20]).expect("the folder is writable");
        assert_eq!(read_limited(&path, 3 << 20).map(|bytes| bytes.len()), Ok(3 << 20));
        let refused = read_limited(&path, 2 << 20);
        assert_eq!(refused, Err("is larger than the limit of 2 MiB for a model file".to_owned()));
    }
}
