//! `pelagic model`: look into model files.

use std::path::{Path, PathBuf};

use clap::Args;
use model::import::from_gltf::Facts;
use model::import::{Format, from_mdl};
use model::{Forward, LoadedModel, ModelRequest, foreign};
use ms3d::{Limits, ReadOutcome};
use runtime::files::{ProgramFiles, load_model};

use crate::cli::CliError;

mod check;
mod convert;
mod info;
mod info_gltf;
mod info_mdl;
mod info_ms3d;
mod pose;
mod report;
mod sheet;
mod view;

/// Examples under `--help`.
const EXAMPLES: &str = "Examples:
  pelagic model check turtle.ms3d
  pelagic model view turtle.ms3d --length 0.9
  pelagic model view builtin:manta
  pelagic model view builtin:puffer --morph puffed=builtin:puffer_puffed
  pelagic model convert turtle.ms3d turtle.glb
  pelagic model sheet turtle.ms3d --forward=+x --out turtle.png";

/// Subcommands of `pelagic model`.
#[derive(clap::Subcommand, Debug)]
#[command(after_help = EXAMPLES)]
pub enum ModelCommand {
    /// Say what a model file holds and what is odd about it.
    Info(info::InfoArgs),
    /// Check a model file: exit code 0 if it can be used, 1 if not.
    Check(check::CheckArgs),
    /// Write a model in another format: MS3D as glTF and back, MDL as either.
    Convert(convert::ConvertArgs),
    /// Say where a model file's vertices are at a moment of its time line.
    Pose(pose::PoseArgs),
    /// Look at a model from all sides in a window, while it moves; its file and textures are followed as they are edited.
    View(view::ViewArgs),
    /// Draw a model from four sides and at four moments of a clip into one picture.
    Sheet(sheet::SheetArgs),
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read or used, or standard output cannot be written.
pub fn run(command: ModelCommand) -> Result<(), CliError> {
    match command {
        ModelCommand::Info(args) => info::run(&args),
        ModelCommand::Check(args) => check::run(&args),
        ModelCommand::Convert(args) => convert::run(&args),
        ModelCommand::Pose(args) => pose::run(&args),
        ModelCommand::View(args) => view::run(&args),
        ModelCommand::Sheet(args) => sheet::run(&args),
    }
}

/// The file that a subcommand looks into.
#[derive(Args, Debug)]
struct FileArgs {
    /// The model: an .ms3d, .mdl, .glb or .gltf file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A model that is shown.
#[derive(Args, Debug)]
struct ShownArgs {
    /// The model: an .ms3d, .mdl, .glb or .gltf file, or builtin:NAME for one of the project's own (see `pelagic forge list`).
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    chosen: ChosenArgs,
    /// Bend what has no key frames in a wave, as in a scene where it swims.
    #[arg(long)]
    swims: bool,
}

/// Options that choose parts of a model's file.
#[derive(Args, Debug)]
struct ChosenArgs {
    /// The way its creature looks in the file's own axes: +x, -x, +y, -y, +z or -z.
    #[arg(long, value_name = "AXIS", default_value = "-z", allow_hyphen_values = true, value_parser = forward)]
    forward: Forward,
    /// Which family of skins it wears, of an .mdl file that has several.
    #[arg(long, value_name = "N", default_value_t = 0)]
    skin: u32,
    /// Which of the bodies it has, of an .mdl file that has several.
    #[arg(long, value_name = "N", default_value_t = 0)]
    body: u32,
    /// Another shape of an .ms3d file's vertices and triangles, a morph target; may be repeated.
    #[arg(long, value_name = "NAME=MS3D", value_parser = parse_morph)]
    morph: Vec<(String, String)>,
}

impl ChosenArgs {
    fn request(&self, source: &str) -> ModelRequest {
        ModelRequest {
            forward: self.forward,
            skin: self.skin,
            body: self.body,
            morphs: self.morph.iter().cloned().collect(),
            ..ModelRequest::new(source)
        }
    }
}

fn parse_morph(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.into(), file.into())),
        _ => Err("it is NAME=FILE, such as puffed=puffer_puffed.ms3d".into()),
    }
}

impl ShownArgs {
    fn request(&self) -> ModelRequest {
        ModelRequest { swims: self.swims, ..self.chosen.request(&self.file) }
    }

    fn load(&self) -> Result<LoadedModel, CliError> {
        load_model(&self.request()).map_err(|error| CliError::Config(error.to_string()))
    }
}

fn forward(text: &str) -> Result<Forward, String> {
    let axis = serde_json::from_value(text.into());
    axis.map_err(|_| format!("'{text}' is none of +x, -x, +y, -y, +z and -z"))
}

/// A model file in memory.
struct LoadedFile {
    bytes: Vec<u8>,
    contents: Contents,
}

/// Parsed contents, by format.
enum Contents {
    /// MilkShape 3D.
    Ms3d(ReadOutcome),
    /// A GoldSrc model with its other files.
    Mdl(mdl::Document),
    /// A glTF file.
    Gltf(Facts),
}

/// Error of reading a model file.
#[derive(Debug)]
enum LoadError {
    /// The file cannot be opened or has an unusable size.
    File(String),
    /// The file cannot be parsed.
    Refused(report::Finding),
}

impl LoadError {
    fn into_cli_error(self, path: &Path) -> CliError {
        let path = path.display();
        CliError::Failed(match self {
            Self::File(reason) => format!("{path}: {reason}"),
            Self::Refused(finding) => format!("{path}: {}", finding.message),
        })
    }
}

/// Reads a file of at most [`Limits::file_bytes`].
fn load(path: &Path) -> Result<LoadedFile, LoadError> {
    let limits = Limits::default();
    let bytes = storage::read(path, limits.file_bytes as u64).map_err(|error| LoadError::File(error.to_string()))?;
    if let Some(what) = foreign(&bytes) {
        return Err(LoadError::Refused(report::Finding::refused(format!("it is {what}"))));
    }
    let contents = match Format::of(&bytes) {
        Format::Ms3d => {
            Contents::Ms3d(ms3d::read(&bytes, &limits).map_err(|error| LoadError::Refused((&error).into()))?)
        }
        Format::Gltf => {
            let facts = Facts::of(&bytes, path, &ProgramFiles);
            Contents::Gltf(facts.map_err(|why| LoadError::Refused(report::Finding::refused(why)))?)
        }
        Format::Mdl => {
            let read = from_mdl::read(&bytes, path, &ProgramFiles);
            Contents::Mdl(read.map_err(|error| LoadError::Refused((&error).into()))?)
        }
    };
    Ok(LoadedFile { bytes, contents })
}
