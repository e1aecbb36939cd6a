//! `pelagic model convert`.

use std::path::{Path, PathBuf};

use model::animation;
use model::export::{self, Target};
use model::files::BUILTIN;
use runtime::files::ProgramFiles;
use storage::OutFile;

use super::ChosenArgs;
use crate::cli::CliError;
use crate::cli::existing::ForceArgs;

/// Arguments of `pelagic model convert`.
#[derive(clap::Args, Debug)]
pub struct ConvertArgs {
    /// The model: an .ms3d, .mdl, .glb or .gltf file, or builtin:NAME.
    #[arg(value_name = "IN")]
    input: String,
    /// The file to write: .glb or .gltf of an .ms3d or .mdl file, .ms3d of a .glb, .gltf or .mdl file. One that is there is
    /// kept without --force, and so are textures beside it that are others.
    #[arg(value_name = "OUT", value_parser = parse_out)]
    out: Out,
    #[command(flatten)]
    chosen: ChosenArgs,
    #[command(flatten)]
    existing: ForceArgs,
}

/// Output path and its format.
#[derive(Clone, Debug)]
struct Out {
    path: PathBuf,
    target: Target,
}

fn parse_out(text: &str) -> Result<Out, String> {
    let path = PathBuf::from(text);
    let target = Target::of(&path).ok_or("its name must end in .ms3d, .glb or .gltf")?;
    Ok(Out { path, target })
}

/// Runs the command. The file is written last, after the files that it refers to.
///
/// # Errors
/// If the model cannot be loaded or does not fit the format, or a file cannot be written; also if the output would
/// replace an input file, or an image would replace another file.
pub fn run(args: &ConvertArgs) -> Result<(), CliError> {
    let Out { path, target } = &args.out;
    let is_input = |path: &Path| {
        let real = storage::follow(path).ok();
        real.is_some() && !args.input.starts_with(BUILTIN) && real == storage::follow(Path::new(&args.input)).ok()
    };
    if is_input(path) {
        return Err(CliError::Config(format!("{} is what is to be converted; choose another name", path.display())));
    }
    // Checked before anything is loaded.
    args.existing.check(path, |_| false)?;
    OutFile::check(path)?;
    let request = args.chosen.request(&args.input);
    let exported = export::export(&request, path, *target, &ProgramFiles, &|skeleton, time_s| {
        animation::pose(skeleton, time_s).model_from_rest
    });
    let exported = exported.map_err(|error| CliError::Failed(error.to_string()))?;
    let images: Vec<(PathBuf, Vec<u8>)> =
        exported.images.into_iter().map(|(name, bytes)| (path.with_file_name(name), bytes)).collect();
    for (image, bytes) in &images {
        args.existing.check(image, |image| storage::read(image, bytes.len() as u64).is_ok_and(|old| old == *bytes))?;
    }
    let all = || images.iter().map(|(path, bytes)| (path.as_path(), bytes)).chain([(path.as_path(), &exported.bytes)]);
    let out = all().map(|(path, _)| OutFile::check(path)).collect::<Result<Vec<_>, _>>()?;
    all().zip(&out).try_for_each(|((_, bytes), out)| out.write(bytes))?;
    for warning in &exported.warnings {
        log::warn!("{warning}");
    }
    Ok(())
}
