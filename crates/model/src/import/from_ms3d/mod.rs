//! Import of MS3D documents: one file for each kind of data.
//!
//! Documents are expected without an error of [`ms3d::validate`]; its warnings are dealt with here.

mod clips;
mod geometry;
mod materials;
mod mesh;
mod morphs;
mod places;
mod rig;

pub(crate) use clips::named_in_comment as named_clips;
pub(crate) use materials::all_materials;
pub(crate) use mesh::normals;
pub(crate) use morphs::shapes;
pub(crate) use places::{line as place_line, places};

pub use geometry::{FileGeometry, geometry};
pub use rig::{JointWeights, joint_weights, skeleton};

use std::path::Path;

use ms3d::{Severity, raw};

use super::{Imported, MorphFile, usable};
use crate::{Files, ModelError, ModelPart, ModelRequest, ModelWarning};

/// Imports an MS3D file; textures are looked for beside `path`.
///
/// # Errors
/// If it or a morph's file is broken or has errors of meaning, a clip is no range of frames, or a morph has another
/// topology.
pub(super) fn import(
    request: &ModelRequest,
    bytes: &[u8],
    path: &Path,
    (files, morph_files): (&dyn Files, &[MorphFile]),
) -> Result<Imported, ModelError> {
    let (document, odd) = checked(&request.source, bytes)?;
    let told =
        |part: ModelPart, odd: Vec<String>| odd.into_iter().map(move |text| ModelWarning::new(part.clone(), text));
    let mut warnings: Vec<ModelWarning> = told(ModelPart::File, odd).collect();
    let rotation = request.forward.rotation();
    let mut skeleton = skeleton(&document, rotation);
    let (clips, odd) = clips::clips(request, &document, &skeleton)?;
    warnings.extend(odd);
    let (materials, odd) = materials::materials(&document, mesh::shown_groups(&document), path, files);
    warnings.extend(told(ModelPart::Material, odd));
    let (mut mesh, corners) = mesh::mesh(&document, &joint_weights(&document), rotation, |group| materials.of(group));
    let morphs = morphs::morphs(request, &document, rotation, (&mut mesh, &corners), morph_files)?;
    skeleton.morph_keys = vec![Vec::new(); morphs.names.len()];
    let (attachments, odd) = places(&document, &skeleton, rotation);
    warnings.extend(told(ModelPart::File, odd));
    Ok(Imported { mesh, materials: materials.list, skeleton, morphs, attachments, clips, warnings })
}

/// Parses and validates. Also returns the warnings that change the picture, one a kind.
pub(crate) fn checked(source: &str, bytes: &[u8]) -> Result<(raw::Document, Vec<String>), ModelError> {
    let outcome = ms3d::read(bytes, &ms3d::Limits::default()).map_err(|error| ModelError::Unreadable {
        source_name: source.to_owned(),
        format: "MS3D",
        error: error.to_string(),
    })?;
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

/// Kinds of problem whose fallback can be seen; `pelagic model check` lists the others.
const SHOWS: [&str; 6] =
    ["not_finite", "key_not_finite", "joint_outside", "material_outside", "transparency_inverted", "unknown_parent"];

/// A list for people: a file can have tens of thousands of errors.
fn shortened(mut problems: Vec<String>) -> Vec<String> {
    const MAX: usize = 20;
    if problems.len() > MAX {
        let more = problems.len() - MAX;
        problems.truncate(MAX);
        problems.push(format!("and {more} more"));
    }
    problems
}
