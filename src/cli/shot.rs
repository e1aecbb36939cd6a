//! `pelagic shot`.

use crate::cli::{CliError, SceneArgs};

/// Arguments.
#[derive(clap::Args, Debug)]
pub struct ShotArgs {
    #[command(flatten)]
    scene: SceneArgs,
}

/// Runs it.
pub fn run(args: ShotArgs) -> Result<(), CliError> {
    Err(CliError::Failed(format!("not built yet: {}", args.scene.scene)))
}
