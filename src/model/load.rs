//! From a request to a model without its palette.

use std::io;
use std::path::Path;

use glam::Vec3;
use ms3d::{Severity, raw};

use crate::model::files::{BUILTIN, Files, RecordedFiles, builtin_models, name_of, path_of};
use crate::model::request::MAX_FILE_BYTES;
use crate::model::{
    Bounds, LoadedModel, Lod, Model, ModelError, ModelPart, ModelRequest, ModelWarning, Palette, body_wave, import,
    lod, triangle_order,
};

/// Loads a model: file, meshes, materials, textures, skeleton, clips and levels of detail. The palette stays empty:
/// `animation::load_model` loads and bakes.
///
/// # Errors
/// If the source cannot be read, is no usable MS3D file, or a clip is no range of frames.
pub fn load(request: &ModelRequest, files: &dyn Files) -> Result<LoadedModel, ModelError> {
    let path = path_of(&request.source);
    let files = RecordedFiles::new(files);
    let (document, odd) = checked(&request.source, &read(&request.source, &path, &files)?)?;
    let mut warnings: Vec<ModelWarning> =
        odd.into_iter().map(|text| ModelWarning::new(ModelPart::File, text)).collect();
    let rotation = request.forward.rotation();
    let mut skeleton = import::skeleton(&document, rotation);
    let (mut clips, odd) = import::clips(request, &document, &skeleton)?;
    warnings.extend(odd);
    let (materials, odd) = import::materials(&document, import::shown_groups(&document), &path, &files);
    warnings.extend(odd.into_iter().map(|text| ModelWarning::new(ModelPart::Material, text)));
    let mut full = import::mesh(&document, &import::joint_weights(&document), rotation, |group| materials.of(group));
    if full.indices.is_empty() {
        let text = "nothing in it is drawn: no group that is not hidden has triangles";
        warnings.push(ModelWarning::new(ModelPart::Mesh, text));
    }
    let bounds = bounds(&full);
    if request.swims && !skeleton.moves() && !full.indices.is_empty() {
        let text = match body_wave::added(&mut full, &bounds) {
            Some((spine, swim)) => {
                (skeleton, clips) = (spine, vec![swim]);
                "it has no key frames to swim by, so its body is bent in a wave from nose to tail"
            }
            None => "it has no key frames to swim by and is too short along its nose for a wave, so it stays stiff",
        };
        warnings.push(ModelWarning::new(ModelPart::Clip(None), text));
    }
    let levels = lod::chain(&full, skeleton.joints.len() as u8);
    let shows_through = |material: usize| materials.list[material].is_transparent();
    let model = Model {
        name: name_of(&request.source),
        bounds,
        lods: levels.iter().map(|level| triangle_order::ordered(level, shows_through)).collect(),
        materials: materials.list,
        skeleton,
        palette: Palette::default(),
        bend: None,
    };
    Ok(LoadedModel { model, clips, warnings, files: files.asked() })
}

/// Reads and checks the document of an MS3D file, without making a model of it.
///
/// # Errors
/// If the file cannot be read, is too large, broken, or has errors of meaning.
pub fn read_document(source: &str, files: &dyn Files) -> Result<raw::Document, ModelError> {
    Ok(checked(source, &read(source, &path_of(source), files)?)?.0)
}

fn read(source: &str, path: &Path, files: &dyn Files) -> Result<Vec<u8>, ModelError> {
    files.read(path, MAX_FILE_BYTES).map_err(|error| match (error.kind(), source.strip_prefix(BUILTIN)) {
        (io::ErrorKind::NotFound, Some(name)) => {
            ModelError::UnknownBuiltin { name: name.into(), known: builtin_models(files) }
        }
        (io::ErrorKind::FileTooLarge, _) => ModelError::TooLarge { path: path.to_owned() },
        _ => ModelError::Io { path: path.to_owned(), error },
    })
}

/// Parses and validates; warnings are those that change what is drawn, one a kind.
fn checked(source: &str, bytes: &[u8]) -> Result<(raw::Document, Vec<String>), ModelError> {
    let outcome = ms3d::read(bytes, &ms3d::Limits::default())
        .map_err(|error| ModelError::Unreadable { source_name: source.to_owned(), error: error.to_string() })?;
    let problems = ms3d::validate(&outcome.document);
    let errors: Vec<String> =
        problems.iter().filter(|problem| problem.severity() == Severity::Error).map(ToString::to_string).collect();
    if !errors.is_empty() {
        return Err(ModelError::Invalid { source_name: source.to_owned(), problems: shortened(errors) });
    }
    let mut warnings: Vec<String> = outcome.warnings.iter().map(ToString::to_string).collect();
    for kind in SHOWS {
        let mut alike = problems.iter().filter(|problem| problem.kind.name() == kind);
        if let Some(first) = alike.next() {
            let more = alike.count();
            warnings.push(if more == 0 { first.to_string() } else { format!("{first} (and {more} more like it)") });
        }
    }
    Ok((outcome.document, warnings))
}

/// Problems whose fallback can be seen; the rest is `pelagic model check`'s.
const SHOWS: [&str; 6] =
    ["not_finite", "key_not_finite", "joint_outside", "material_outside", "transparency_inverted", "unknown_parent"];

/// A list for people: a file can have tens of thousands of errors.
fn shortened(mut problems: Vec<String>) -> Vec<String> {
    const MOST: usize = 20;
    if problems.len() > MOST {
        let more = problems.len() - MOST;
        problems.truncate(MOST);
        problems.push(format!("and {more} more"));
    }
    problems
}

fn bounds(lod: &Lod) -> Bounds {
    let whole = lod.vertices.iter().map(|vertex| Bounds { min: vertex.position, max: vertex.position });
    whole
        .reduce(|a, b| Bounds { min: a.min.min(b.min), max: a.max.max(b.max) })
        .unwrap_or(Bounds { min: Vec3::ZERO, max: Vec3::ZERO })
}
