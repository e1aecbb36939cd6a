//! `pelagic demo`.

use crate::cli::{CliError, SceneArgs};

/// Arguments.
#[derive(clap::Args, Debug)]
pub struct DemoArgs {
    #[command(flatten)]
    scene: SceneArgs,
}

/// Runs it.
pub fn run(args: DemoArgs) -> Result<(), CliError> {
    Err(CliError::Failed(format!("not built yet: {}", args.scene.scene)))
}
