//! A model with its motion baked.

use crate::model::{self, Loaded, ModelError, ModelRequest};

/// Loads a model and bakes its clips into [`Model::palette`](crate::model::Model::palette).
///
/// # Errors
/// As [`model::load`].
pub fn load_model(request: &ModelRequest) -> Result<Loaded, ModelError> {
    model::load(request)
}
