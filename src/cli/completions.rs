//! `pelagic completions`: what a shell completes after `pelagic`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::print::print_bytes;
use crate::cli::{Cli, CliError};

const EXAMPLES: &str = "\
Examples:
  pelagic completions bash > ~/.local/share/bash-completion/completions/pelagic
  pelagic completions zsh > \"${fpath[1]}/_pelagic\"
  pelagic completions fish > ~/.config/fish/completions/pelagic.fish";

/// Arguments of `pelagic completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Prints the completions of a shell.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(args: CompletionsArgs) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), build_info::NAME, &mut script);
    print_bytes(&script)
}
