//! Export of models: glTF out of MS3D and MDL, MS3D out of glTF and MDL.
//!
//! An MS3D file that becomes glTF and then MS3D again is the same model, except for the list in `model::ms3d_extras`.
//! Others are written as they are drawn.

mod gltf;
mod ms3d_out;

use std::path::Path;

use glam::Mat4;

use crate::files::{name_of, path_of};
use crate::import::{self, Format, from_gltf, from_ms3d};
use crate::load::{morph_files, read};
use crate::{Files, ModelError, ModelRequest, Skeleton};

/// Format of the exported file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// MilkShape 3D.
    Ms3d,
    /// glTF 2.0 as text, its buffer and images inside it.
    Gltf,
    /// glTF 2.0 in a binary container.
    Glb,
}

impl Target {
    /// The format that a file's extension stands for.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "ms3d" => Self::Ms3d,
            "gltf" => Self::Gltf,
            "glb" => Self::Glb,
            _ => return None,
        })
    }
}

/// A model as a file.
#[derive(Debug)]
pub struct Exported {
    /// The file.
    pub bytes: Vec<u8>,
    /// Images beside it that it refers to: their names and files.
    pub images: Vec<(String, Vec<u8>)>,
    /// Warnings about oddities, and about data that the format cannot hold.
    pub warnings: Vec<String>,
}

/// Reason that a model was not exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The model cannot be loaded.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model has the format already.
    #[error(
        "model '{source_name}' is {format} already; an .ms3d file becomes .glb or .gltf, these become .ms3d, and .mdl any of them"
    )]
    Already {
        /// The source as requested.
        source_name: String,
        /// Its format.
        format: &'static str,
    },
    /// The format cannot hold the model.
    #[error("model '{source_name}' cannot be written: {why}")]
    DoesNotFit {
        /// The source as requested.
        source_name: String,
        /// Reason.
        why: String,
    },
}

/// Function for the matrices by which the joints of a skeleton move vertices at a moment: `animation::pose`, which the
/// caller has.
pub type PoseOf = dyn Fn(&Skeleton, f32) -> Vec<Mat4>;

/// Converts the model of `request` to a file of another format, to be written to `out`.
///
/// # Errors
/// If it cannot be loaded, has that format already, or does not fit into it.
pub fn export(
    request: &ModelRequest,
    out: &Path,
    target: Target,
    files: &dyn Files,
    pose: &PoseOf,
) -> Result<Exported, ExportError> {
    let path = path_of(&request.source);
    let bytes = read(&request.source, &path, files)?;
    let (name, source_name) = (name_of(&request.source), || request.source.clone());
    let does_not_fit = |why: String| ExportError::DoesNotFit { source_name: source_name(), why };
    let is_binary = target == Target::Glb;
    let morphs = morph_files(request, files)?;
    match (Format::of(&bytes), target) {
        (Format::Ms3d, Target::Ms3d) => Err(ExportError::Already { source_name: source_name(), format: "MS3D" }),
        (Format::Gltf, Target::Gltf | Target::Glb) => {
            Err(ExportError::Already { source_name: source_name(), format: "glTF" })
        }
        (Format::Ms3d, _) => {
            let (document, mut warnings) = from_ms3d::checked(&request.source, &bytes)?;
            let shapes = from_ms3d::shapes(request, &document, &morphs)?;
            let shapes = morphs.iter().map(|morph| morph.name.clone()).zip(shapes).collect();
            let source =
                gltf::Source { document: &document, shapes, forward: request.forward, name: &name, path: &path };
            let (bytes, odd) = gltf::from_ms3d(&source, is_binary, files).map_err(does_not_fit)?;
            warnings.extend(odd);
            Ok(Exported { bytes, images: Vec::new(), warnings })
        }
        (Format::Mdl, Target::Gltf | Target::Glb) => {
            let model = import::import(request, &bytes, &path, files, &morphs)?;
            let bytes = gltf::from_model(&model, &name, is_binary, files).map_err(does_not_fit)?;
            let warnings = model.warnings.iter().map(ToString::to_string).collect();
            Ok(Exported { bytes, images: Vec::new(), warnings })
        }
        (format, Target::Ms3d) => {
            let model = import::import(request, &bytes, &path, files, &morphs)?;
            let original = match format {
                Format::Gltf => from_gltf::original(&bytes, &path, files),
                _ => Ok(None),
            };
            ms3d_out::written(&model, original, out, files, pose).map_err(does_not_fit)
        }
    }
}
