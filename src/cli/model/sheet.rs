//! `pelagic model sheet`.

use std::path::PathBuf;

use storage::OutFile;

use super::ShownArgs;
use crate::cli::CliError;
use crate::cli::existing::ForceArgs;
use crate::cli::forge::write_sheet;

/// Arguments of `pelagic model sheet`.
#[derive(clap::Args, Debug)]
pub struct SheetArgs {
    #[command(flatten)]
    shown: ShownArgs,
    /// Clip of the last four columns; the model's first one when left out.
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Show it in another of its shapes, as far as 0 to 1 says; may be repeated.
    #[arg(long, value_name = "MORPH=SHARE", value_parser = parse_weight)]
    weight: Vec<(String, f32)>,
    /// PNG to write, in place of a PNG that is there.
    #[arg(long, short, value_name = "PNG")]
    out: PathBuf,
    #[command(flatten)]
    existing: ForceArgs,
}

fn parse_weight(text: &str) -> Result<(String, f32), String> {
    let weight = text.split_once('=').and_then(|(name, share)| Some((name.to_owned(), share.parse::<f32>().ok()?)));
    weight.filter(|(_, share)| (0.0..=1.0).contains(share)).ok_or("it is MORPH=SHARE, such as puffed=0.5".into())
}

/// Runs the command.
///
/// # Errors
/// If the model cannot be loaded, it has no such clip, or the picture cannot be written.
pub fn run(args: &SheetArgs) -> Result<(), CliError> {
    args.existing.check_png(&args.out)?;
    let out = OutFile::check(&args.out)?;
    let mut loaded = args.shown.load()?;
    for (name, weight) in &args.weight {
        let names = &loaded.model.morphs.names;
        let Some(morph) = names.iter().position(|known| known == name) else {
            let names = if names.is_empty() { "none at all".to_owned() } else { names.join(", ") };
            return Err(CliError::Config(format!("it has no morph '{name}'; it has {names}")));
        };
        loaded.model.skeleton.add_morph_weight(morph, *weight);
    }
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
