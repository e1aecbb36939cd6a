//! The models of a scene: each is loaded once, and taken over where another scene has it already.

use std::sync::Arc;

use crate::model::{LoadedModel, Model, ModelError, ModelRequest};
use crate::scene::SceneError;
use crate::scene::asked_models::AskedModel;

/// How a model comes from a request, its palette baked.
pub type LoadModel = fn(&ModelRequest) -> Result<LoadedModel, ModelError>;

/// Every model that a scene asked for, in the order of asking.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelCache {
    models: Vec<(ModelRequest, Arc<Model>)>,
}

impl ModelCache {
    /// Index of the model that is asked for; taken from `old` if it is there, else loaded.
    pub fn fetch(&mut self, asked: &AskedModel<'_>, old: &Self, load: LoadModel) -> Result<usize, SceneError> {
        let AskedModel { entry, request, .. } = asked;
        if let Some(index) = self.position(request) {
            return Ok(index);
        }
        let model = match old.position(request) {
            Some(index) => Arc::clone(&old.models[index].1),
            None => {
                let loaded = load(request)
                    .map_err(|error| SceneError::Model { entry: entry.to_string(), why: error.to_string() })?;
                for warning in &loaded.warnings {
                    log::warn!("{entry}: {warning}");
                }
                Arc::new(loaded.model)
            }
        };
        self.models.push((request.clone(), model));
        Ok(self.models.len() - 1)
    }

    fn position(&self, request: &ModelRequest) -> Option<usize> {
        self.models.iter().position(|(known, _)| known == request)
    }

    /// Whether both hold the same models in the same order.
    pub fn is_same(&self, other: &Self) -> bool {
        let mut pairs = self.models.iter().zip(&other.models);
        self.models.len() == other.models.len() && pairs.all(|(a, b)| Arc::ptr_eq(&a.1, &b.1))
    }

    /// The models in order.
    pub fn models(&self) -> Vec<Arc<Model>> {
        self.models.iter().map(|(_, model)| Arc::clone(model)).collect()
    }

    /// The model at an index that [`Self::fetch`] gave.
    pub fn get(&self, index: usize) -> &Model {
        &self.models[index].1
    }
}
