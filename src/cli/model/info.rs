//! `pelagic model info`.

use model::ModelRequest;
use model::import::{Imported, import};
use runtime::files::ProgramFiles;
use serde::Serialize;
use serde_json::Value;

use super::info_gltf::GltfSummary;
use super::info_mdl::MdlSummary;
use super::info_ms3d::Ms3dSummary;
use super::report::{self, Finding};
use super::{Contents, FileArgs};
use crate::cli::CliError;
use crate::cli::print::{print, print_json};

/// Arguments of `pelagic model info`.
#[derive(clap::Args, Debug)]
pub struct InfoArgs {
    #[command(flatten)]
    input: FileArgs,
}

/// Output of `--json`: the same keys for every format, always all present.
#[derive(Serialize)]
struct Info {
    /// `ms3d`, `gltf` or `mdl`.
    format: &'static str,
    /// The path, as given.
    file: String,
    /// Length of the file, or of all files of an MDL model together.
    bytes: usize,
    /// Version of the format: 3 or 4, 2, 10.
    version: i32,
    /// The model as it is drawn: +y is up, -z its front. `null` of a file that cannot be used.
    drawn: Option<Drawn>,
    /// Format-specific facts, in the format's own terms: the fields of `Ms3dSummary`, `GltfSummary` or `MdlSummary`.
    in_file: Value,
    /// Problems of the file, the worst first, each with `severity` (`error` or `warning`), `kind` and `message`; if
    /// known also `section`, `record` and `byte`.
    problems: Vec<Finding>,
}

/// The model as it is drawn.
#[derive(Serialize)]
struct Drawn {
    /// Count after splitting corners with different normals or texture coordinates.
    vertices: usize,
    triangles: usize,
    /// Corners of the box of the pose at rest; `null` if nothing is drawn.
    bounds: Option<[[f32; 3]; 2]>,
    /// Parts, one draw call each.
    parts: Vec<Part>,
    materials: Vec<Material>,
    joints: Vec<Joint>,
    /// Most joints that move one vertex.
    joints_a_vertex: usize,
    /// Names of the morph targets.
    morphs: Vec<String>,
    /// Named places that can carry lights and more: attachments, nodes and joints.
    places: Vec<Place>,
    /// Motions that a scene can play.
    clips: Vec<Clip>,
}

#[derive(Serialize)]
struct Part {
    triangles: u32,
    /// Index in `materials`.
    material: usize,
}

#[derive(Serialize)]
struct Material {
    name: String,
    /// Width and height of its texture, pixels; `null` without.
    texture: Option<[u32; 2]>,
    /// Opacity; 1 is opaque.
    opacity: f32,
    /// Alpha below which texels are transparent; 0 for none.
    alpha_cutoff: f32,
    two_sided: bool,
}

#[derive(Serialize)]
struct Joint {
    name: String,
    /// Index in `joints`; `null` for a root.
    parent: Option<u16>,
}

#[derive(Serialize)]
struct Place {
    name: String,
    /// Index in `joints` of the joint that it follows; `null` if it is fixed.
    joint: Option<u16>,
    /// Position in the pose at rest.
    at: [f32; 3],
}

#[derive(Serialize)]
struct Clip {
    name: String,
    /// Start on the shared time line of `pelagic model pose --time`. Unit: s.
    start_s: f32,
    end_s: f32,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read, or standard output cannot be written.
pub fn run(args: &InfoArgs) -> Result<(), CliError> {
    let path = &args.input.file;
    let read = super::load(path).map_err(|error| error.into_cli_error(path))?;
    let file = path.display().to_string();
    let drawn = import(&ModelRequest::new(file.as_str()), &read.bytes, path, &ProgramFiles, &[]);
    let warnings = drawn.as_ref().map(|drawn| drawn.warnings.as_slice());
    let problems = || report::findings_of_loading(&read.contents, warnings);
    let (format, version, bytes, (in_file, text)) = match &read.contents {
        Contents::Ms3d(outcome) => {
            let summary = Ms3dSummary::new(file.clone(), read.bytes.len(), &outcome.document, problems());
            ("ms3d", outcome.document.version, read.bytes.len(), (serde_json::to_value(&summary), summary.to_text()))
        }
        Contents::Gltf(facts) => {
            let summary = GltfSummary::new(file.clone(), read.bytes.len(), facts, problems());
            ("gltf", 2, read.bytes.len(), (serde_json::to_value(&summary), summary.to_text()))
        }
        Contents::Mdl(document) => {
            let summary = MdlSummary::new(file.clone(), document, problems());
            ("mdl", mdl::VERSION, document.bytes, (serde_json::to_value(&summary), summary.to_text()))
        }
    };
    if !args.input.json {
        return print(&text);
    }
    let in_file = in_file.map_err(|error| CliError::Failed(format!("{file} has no JSON: {error}")))?;
    let drawn = drawn.as_ref().ok().map(Drawn::of);
    print_json(&Info { format, file, bytes, version, drawn, in_file, problems: problems() })
}

impl Drawn {
    fn of(model: &Imported) -> Self {
        let positions = || model.mesh.vertices.iter().map(|vertex| vertex.position);
        let bounds = positions().reduce(glam::Vec3::min).zip(positions().reduce(glam::Vec3::max));
        let material = |material: &model::Material| Material {
            name: material.name.clone(),
            texture: material.texture.as_ref().map(|image| [image.width, image.height]),
            opacity: material.base_color[3],
            alpha_cutoff: material.alpha_cutoff,
            two_sided: material.two_sided,
        };
        let joint = |joint: &model::Joint| Joint { name: joint.name.clone(), parent: joint.parent };
        let clip = |clip: &model::Clip| Clip { name: clip.name.clone(), start_s: clip.start_s, end_s: clip.end_s };
        let rest = model.skeleton.joints.len();
        let joints_of = |vertex: &model::Vertex| {
            let slots = vertex.joints.iter().zip(vertex.weights);
            slots.filter(|(joint, weight)| *weight > 0.0 && usize::from(**joint) < rest).count()
        };
        let place = |place: model::Attachment| Place {
            joint: (usize::from(place.joint) < rest).then_some(place.joint),
            at: place.position.to_array(),
            name: place.name,
        };
        Self {
            vertices: model.mesh.vertices.len(),
            triangles: model.mesh.indices.len() / 3,
            bounds: bounds.map(|(least, greatest)| [least.to_array(), greatest.to_array()]),
            parts: model.mesh.meshes.iter().map(|m| Part { triangles: m.count / 3, material: m.material }).collect(),
            materials: model.materials.iter().map(material).collect(),
            joints: model.skeleton.joints.iter().map(joint).collect(),
            joints_a_vertex: model.mesh.vertices.iter().map(joints_of).max().unwrap_or(0),
            morphs: model.morphs.names.clone(),
            places: model.places().map(place).collect(),
            clips: model.clips.iter().map(clip).collect(),
        }
    }
}
