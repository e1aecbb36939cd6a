//! `pelagic model sheet`.

use std::path::PathBuf;

use super::ShownArgs;
use crate::cli::CliError;
use crate::cli::forge::write_sheet;
use crate::storage::OutFile;

/// Arguments of `pelagic model sheet`.
#[derive(clap::Args, Debug)]
pub struct SheetArgs {
    #[command(flatten)]
    shown: ShownArgs,
    /// Clip of the last four columns; the model's first one when left out.
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// PNG to write.
    #[arg(long, short, value_name = "PNG")]
    out: PathBuf,
}

/// Runs it.
///
/// # Errors
/// If the model cannot be loaded, it has no such clip, or the picture cannot be written.
pub fn run(args: &SheetArgs) -> Result<(), CliError> {
    let out = OutFile::check(&args.out)?;
    let loaded = args.shown.load()?;
    if let Some(name) = args.clip.as_deref().filter(|name| loaded.clips.iter().all(|clip| clip.name != *name)) {
        let names: Vec<&str> = loaded.clips.iter().map(|clip| clip.name.as_str()).collect();
        let names = if names.is_empty() { "no clips at all".to_owned() } else { names.join(", ") };
        return Err(CliError::Config(format!("it has no clip '{name}'; it has {names}")));
    }
    for warning in &loaded.warnings {
        log::warn!("{warning}");
    }
    write_sheet(&[loaded], args.clip.as_deref(), &out)
}
