//! GoldSrc studio models.
//!
//! Their x is forward and z up. Sequences lie one after another on one time line. Controllers of bones stay at rest,
//! and a sequence with blends is shown mixed for a parameter of 0, or the nearest to it.

mod materials;
mod mesh;
mod skeleton;

use std::path::Path;

use glam::{Mat3, Vec3};
use mdl::{Companion, Document, Limits, Model, ReadError};

use super::{Imported, usable};
use crate::{Attachment, Files, MAX_FILE_BYTES, ModelError, ModelPart, ModelRequest, ModelWarning, Morphs, Skeleton};

/// Forward, left and up of the file in ours: (x, y, z) becomes (-y, z, -x).
const AXES: Mat3 = Mat3::from_cols(Vec3::NEG_Z, Vec3::NEG_X, Vec3::Y);

/// Imports an MDL file; the other files of the same model are looked for beside `path`.
///
/// # Errors
/// If it is broken, or has no such clip as requested.
pub(super) fn import(
    request: &ModelRequest,
    bytes: &[u8],
    path: &Path,
    files: &dyn Files,
) -> Result<Imported, ModelError> {
    let document = read(bytes, path, files).map_err(|error| ModelError::Unreadable {
        source_name: request.source.clone(),
        format: "MDL",
        error: error.to_string(),
    })?;
    let mut warnings: Vec<ModelWarning> =
        document.warnings.iter().map(|warning| ModelWarning::new(ModelPart::File, warning.to_string())).collect();
    let rotation = request.forward.rotation() * AXES;
    let (skeleton, clips) = skeleton::skeleton(&document, request, rotation)?;
    warnings.extend(skeleton::odd_blends(&document));
    warnings.extend(choices_out_of_range(&document, request));
    let shown = shown(&document, request.body);
    let (materials, odd) = materials::materials(&document, &shown, request.skin, path);
    warnings.extend(odd.into_iter().map(|text| ModelWarning::new(ModelPart::Material, text)));
    let mesh = mesh::mesh(&shown, &skeleton, &materials);
    let (materials, morphs, attachments) = (materials.list, Morphs::default(), attachments(&document, &skeleton));
    Ok(Imported { mesh, materials, skeleton, morphs, attachments, clips, warnings })
}

/// Reads the model in the file `path`, and its other files beside it.
///
/// # Errors
/// If it is broken.
pub fn read(bytes: &[u8], path: &Path, files: &dyn Files) -> Result<Document, ReadError> {
    let mut companion = |companion: Companion| {
        let folder = path.parent().unwrap_or(Path::new(""));
        let wanted = companion.file_name(&path.file_stem().unwrap_or_default().to_string_lossy());
        let mut names = files.names(folder);
        names.sort();
        let Some(name) = names.into_iter().find(|name| name.eq_ignore_ascii_case(&wanted)) else {
            // Recorded, so that its appearance is noticed.
            files.version(&folder.join(&wanted));
            return Err(format!("'{wanted}' is not beside the model"));
        };
        let file = folder.join(name);
        files.read(&file, MAX_FILE_BYTES).map_err(|error| format!("'{}' cannot be read: {error}", file.display()))
    };
    mdl::read(bytes, &Limits::default(), &mut companion)
}

/// The file's attachments; those without a name, which the compiler leaves out, are numbered.
fn attachments(document: &Document, skeleton: &Skeleton) -> Vec<Attachment> {
    let attachment = |(number, attachment): (usize, &mdl::Attachment)| {
        let joint = skeleton.joints.get(attachment.bone)?;
        let name = match attachment.name.as_str() {
            "" => format!("attachment_{number}"),
            name => name.to_owned(),
        };
        let position = joint.inverse_bind.inverse().transform_point3(usable(attachment.origin));
        Some(Attachment { name, joint: attachment.bone as u16, position })
    };
    document.attachments.iter().enumerate().filter_map(attachment).collect()
}

/// The model that each body part shows.
fn shown(document: &Document, body: u32) -> Vec<&Model> {
    document.body_parts.iter().filter_map(|part| part.chosen(body as usize)).collect()
}

/// Warns about a requested skin or body that does not exist.
fn choices_out_of_range(document: &Document, request: &ModelRequest) -> Vec<ModelWarning> {
    let bodies: usize = document.body_parts.iter().map(|part| part.models.len().max(1)).fold(1, usize::saturating_mul);
    let choices = [("skin", request.skin, document.skins.families().max(1)), ("body", request.body, bodies)];
    let missing = choices.into_iter().filter(|(_, asked, count)| *asked as usize >= *count);
    let told = missing.map(|(what, asked, count)| {
        let text = format!("there is no {what} {asked}: they go from 0 to {}", count - 1);
        ModelWarning::new(ModelPart::Mesh, text)
    });
    told.collect()
}
