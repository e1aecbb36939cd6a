//! `pelagic model pose`: the model at a moment, for comparison with other readers.

use std::path::PathBuf;

use glam::{Mat3, Vec3};
use model::import::{Format, from_ms3d};
use model::{ModelError, ModelRequest, animation};
use runtime::files::ProgramFiles;
use serde::Serialize;

use crate::cli::CliError;
use crate::cli::print::{print, print_json};

/// Arguments of `pelagic model pose`.
#[derive(clap::Args, Debug)]
pub struct PoseArgs {
    /// The model: an .ms3d, .mdl, .glb or .gltf file, or builtin:NAME.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Moment of the time line in seconds; before the first and after the last key the end keys hold.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = parse_time)]
    time: f32,
    /// Print JSON: positions of the vertices, and a normal for each corner of each triangle; of an MS3D file in its order
    /// and axes, of others as they are loaded: up is +y, forward is -z.
    #[arg(long)]
    json: bool,
}

fn parse_time(text: &str) -> Result<f32, String> {
    let time: Option<f32> = text.parse().ok().filter(|time: &f32| time.is_finite());
    time.ok_or_else(|| format!("'{text}' is not a number of seconds"))
}

/// JSON output.
#[derive(Serialize)]
struct PosedFile {
    /// A position for each vertex, in the file's units.
    positions: Vec<[f32; 3]>,
    /// Three unit normals for each triangle.
    normals: Vec<[[f32; 3]; 3]>,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read, or standard output cannot be written.
pub fn run(args: &PoseArgs) -> Result<(), CliError> {
    let source = args.file.to_str().ok_or_else(|| {
        CliError::Failed(format!("{}: the path is not UTF-8; rename the file or a folder", args.file.display()))
    })?;
    let posed = |posed: Result<Posed, ModelError>| posed.map_err(|error| CliError::Failed(error.to_string()));
    let (positions, normals) = posed(match model::format_of(source, &ProgramFiles) {
        Ok(Format::Ms3d) => of_file(source, args.time),
        Ok(Format::Mdl | Format::Gltf) => of_model(source, args.time),
        Err(error) => Err(error),
    })?;
    if args.json {
        return print_json(&PosedFile {
            positions: positions.iter().map(Vec3::to_array).collect(),
            normals: normals.iter().map(|corners| corners.map(|normal| normal.to_array())).collect(),
        });
    }
    let Some(least) = positions.iter().copied().reduce(Vec3::min) else {
        return print("no vertices\n");
    };
    let greatest = positions.iter().copied().fold(least, Vec3::max);
    print(&format!(
        "{} vertices at {} s: from {:.4?} to {:.4?} (--json lists them)\n",
        positions.len(),
        args.time,
        least.to_array(),
        greatest.to_array(),
    ))
}

/// Positions of vertices, and three unit normals for each triangle.
type Posed = (Vec<Vec3>, Vec<[Vec3; 3]>);

/// Positions and normals of an MS3D file, in the file's order.
fn of_file(source: &str, time_s: f32) -> Result<Posed, ModelError> {
    let document = model::read_document(source, &ProgramFiles)?;
    let pose = animation::pose(&from_ms3d::skeleton(&document, Mat3::IDENTITY), time_s);
    Ok(animation::skin_geometry(&from_ms3d::geometry(&document), &pose))
}

/// Positions and normals of any other model, as it is loaded.
fn of_model(source: &str, time_s: f32) -> Result<Posed, ModelError> {
    let model = model::load(&ModelRequest::new(source), &ProgramFiles)?.model;
    let Some(lod) = model.lods.first() else { return Ok(Posed::default()) };
    let (positions, normals) = animation::moved(&model, lod, &animation::pose(&model.skeleton, time_s));
    let of_corners = lod.indices.chunks_exact(3).map(|corners| [0, 1, 2].map(|i| normals[corners[i] as usize]));
    let normals = of_corners.collect();
    Ok((positions, normals))
}
