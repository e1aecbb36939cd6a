//! `pelagic forge`.

use crate::cli::CliError;

/// What to do.
#[derive(clap::Subcommand, Debug)]
pub enum ForgeCommand {
    /// List them.
    List,
}

/// Runs it.
pub fn run(command: ForgeCommand) -> Result<(), CliError> {
    Err(CliError::Failed(format!("not built yet: {command:?}")))
}
