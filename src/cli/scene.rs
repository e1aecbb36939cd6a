//! `pelagic scene`.

use crate::cli::CliError;

/// What to do.
#[derive(clap::Subcommand, Debug)]
pub enum SceneCommand {
    /// List them.
    List,
}

/// Runs it.
pub fn run(command: SceneCommand) -> Result<(), CliError> {
    Err(CliError::Failed(format!("not built yet: {command:?}")))
}
