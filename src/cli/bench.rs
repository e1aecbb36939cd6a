//! `pelagic bench`.

use crate::cli::{CliError, SceneArgs};

/// Arguments.
#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    #[command(flatten)]
    scene: SceneArgs,
}

/// Runs it.
pub fn run(args: BenchArgs) -> Result<(), CliError> {
    Err(CliError::Failed(format!("not built yet: {}", args.scene.scene)))
}
