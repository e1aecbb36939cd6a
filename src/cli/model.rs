//! `pelagic model`.

use crate::cli::CliError;

/// What to do.
#[derive(clap::Subcommand, Debug)]
pub enum ModelCommand {
    /// List them.
    List,
}

/// Runs it.
pub fn run(command: ModelCommand) -> Result<(), CliError> {
    Err(CliError::Failed(format!("not built yet: {command:?}")))
}
