//! Cache of a scene's models: each is loaded once, and reused from the scene before if that had it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use math::{Join, par_each};
use model::{FileVersion, Image, LoadedModel, Model, ModelError, ModelRequest};

use crate::SceneError;
use crate::build_step::{BuildStep, Progress};
use crate::model_requests::SceneModelRequest;

/// Loads the model of a request and bakes its palette.
pub type LoadModel = fn(&ModelRequest) -> Result<LoadedModel, ModelError>;

/// Every model that a scene requested, in the order of the requests.
#[derive(Clone, Debug, Default)]
pub struct ModelCache {
    models: Vec<CachedModel>,
}

#[derive(Clone, Debug)]
struct CachedModel {
    request: ModelRequest,
    model: Arc<Model>,
    files: Vec<FileVersion>,
}

/// A model being loaded.
struct Loading<'a> {
    request: &'a ModelRequest,
    loaded: Option<Result<LoadedModel, ModelError>>,
}

/// Approximate memory of a model: vertices, indices, textures, palette and morphs. Unit: bytes.
fn bytes_of(model: &Model) -> usize {
    let lods = model.lods.iter().map(|lod| size_of_val(&*lod.vertices) + size_of_val(&*lod.indices));
    let textures = model.materials.iter().filter_map(|material| material.texture.as_ref());
    let motion = size_of_val(&*model.palette.texels) + size_of_val(&*model.morphs.deltas);
    lods.sum::<usize>() + textures.map(|texture| texture.rgba.len()).sum::<usize>() + motion
}

impl CachedModel {
    fn comes_from(&self, files: &[PathBuf]) -> bool {
        self.files.iter().any(|file| files.contains(&file.path))
    }
}

impl ModelCache {
    /// Adds the requested models that are missing: taken from `old` if it has them, else loaded in parallel by `join`;
    /// `tell` hears the progress. Returns the index of each.
    ///
    /// # Errors
    /// If a model cannot be loaded: the error of the first in the order of requests.
    pub(super) fn fetch(
        &mut self,
        asked: &[SceneModelRequest<'_>],
        old: &Self,
        (load, join): (LoadModel, Join),
        tell: &Progress<'_>,
    ) -> Result<Vec<usize>, SceneError> {
        let mut missing: Vec<Loading<'_>> = Vec::new();
        for SceneModelRequest { request, .. } in asked {
            let is_known = self.position(request).or(old.position(request)).is_some();
            if !is_known && missing.iter().all(|loading| loading.request != request) {
                missing.push(Loading { request, loaded: None });
            }
        }
        let (all, done) = (missing.len(), AtomicUsize::new(0));
        tell(BuildStep::Models { done: 0, all });
        par_each(join, &mut missing, &|_, loading| {
            loading.loaded = Some(load(loading.request));
            tell(BuildStep::Models { done: 1 + done.fetch_add(1, Ordering::Relaxed), all });
        });
        // In the order of the requests, not in that of loading.
        let mut indices = Vec::with_capacity(asked.len());
        for SceneModelRequest { entry, request, .. } in asked {
            if let Some(index) = self.position(request) {
                indices.push(index);
                continue;
            }
            let cached = match old.position(request) {
                Some(index) => old.models[index].clone(),
                None => {
                    let loading = missing.iter_mut().find(|loading| loading.request == request);
                    let loaded = loading.and_then(|loading| loading.loaded.take()).unwrap_or_else(|| load(request));
                    let loaded = loaded
                        .map_err(|error| SceneError::Model { entry: entry.to_string(), why: error.to_string() })?;
                    for warning in &loaded.warnings {
                        log::warn!("{entry}: {warning}");
                    }
                    CachedModel { request: request.clone(), model: Arc::new(loaded.model), files: loaded.files }
                }
            };
            indices.push(self.models.len());
            self.models.push(cached);
        }
        Ok(indices)
    }

    /// Models to keep for later scenes: these and then those of `older`, as many as fit into `most_bytes`. The most
    /// recently requested come first, so those unused for the longest time are dropped. Files may be edited meanwhile,
    /// so only the program's own models are kept.
    pub fn kept_with(&self, older: &Self, most_bytes: usize) -> Self {
        let older = older.models.iter().filter(|known| self.position(&known.request).is_none());
        let builtin = self.models.iter().chain(older).filter(|known| known.files.is_empty());
        let mut bytes = 0;
        let fits = |known: &&CachedModel| {
            bytes += bytes_of(&known.model);
            bytes <= most_bytes
        };
        Self { models: builtin.take_while(fits).cloned().collect() }
    }

    /// A copy of the cache with the textures replaced for which `other` returns an image.
    pub(super) fn repainted(&self, other: &dyn Fn(&Image) -> Option<Arc<Image>>) -> Self {
        let mut new = self.clone();
        for cached in &mut new.models {
            let textures = |model: &Model| -> Vec<_> {
                model.materials.iter().map(|material| other(material.texture.as_deref()?)).collect()
            };
            let textures = textures(&cached.model);
            if textures.iter().any(Option::is_some) {
                let mut model = Model::clone(&cached.model);
                for (material, texture) in model.materials.iter_mut().zip(textures) {
                    material.texture = texture.or(material.texture.take());
                }
                cached.model = Arc::new(model);
            }
        }
        new
    }

    /// Whether the model of a request is here.
    pub fn has(&self, request: &ModelRequest) -> bool {
        self.position(request).is_some()
    }

    fn position(&self, request: &ModelRequest) -> Option<usize> {
        self.models.iter().position(|known| known.request == *request)
    }

    /// Whether both hold the same models in the same order.
    pub fn is_same(&self, other: &Self) -> bool {
        let mut pairs = self.models.iter().zip(&other.models);
        self.models.len() == other.models.len() && pairs.all(|(a, b)| Arc::ptr_eq(&a.model, &b.model))
    }

    /// The models in order.
    pub fn models(&self) -> Vec<Arc<Model>> {
        self.models.iter().map(|cached| Arc::clone(&cached.model)).collect()
    }

    /// Versions, at the time of reading, of the editable files that the models come from.
    pub fn files(&self) -> impl Iterator<Item = &FileVersion> {
        self.models.iter().flat_map(|cached| &cached.files)
    }

    /// Whether the model of a request comes from any of these files.
    pub fn comes_from(&self, request: &ModelRequest, files: &[PathBuf]) -> bool {
        self.position(request).is_some_and(|index| self.models[index].comes_from(files))
    }

    /// The models that come from none of these files.
    pub fn without(&self, files: &[PathBuf]) -> Self {
        Self { models: self.models.iter().filter(|cached| !cached.comes_from(files)).cloned().collect() }
    }

    /// The model at an index returned by `fetch`.
    pub fn get(&self, index: usize) -> &Model {
        &self.models[index].model
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use model::{Bounds, Morphs, Palette, Skeleton};

    use super::*;

    /// A cache of models of a mebibyte each.
    fn cache(names: &[&str]) -> ModelCache {
        let model = |name: &&str| {
            let model = Model {
                name: (*name).into(),
                lods: Vec::new(),
                morphs: Morphs::default(),
                attachments: Vec::new(),
                materials: Vec::new(),
                skeleton: Skeleton::default(),
                palette: Palette { texels: vec![[0.0; 4]; 1 << 16], ..Palette::default() },
                bend: None,
                length: 1.0,
                bounds: Bounds { min: Vec3::ZERO, max: Vec3::ONE },
            };
            CachedModel { request: ModelRequest::new(*name), model: Arc::new(model), files: Vec::new() }
        };
        ModelCache { models: names.iter().map(model).collect() }
    }

    fn names(cache: &ModelCache) -> Vec<&str> {
        cache.models.iter().map(|known| known.request.source.as_str()).collect()
    }

    #[test]
    fn what_was_not_asked_for_the_longest_is_forgotten_first() {
        let mut kept = cache(&["reef", "fish"]);
        for scene in [["wreck", "fish"], ["kelp", "whale"]] {
            kept = cache(&scene).kept_with(&kept, 4 << 20);
        }
        assert_eq!(names(&kept), ["kelp", "whale", "wreck", "fish"]);
        assert_eq!(names(&cache(&["reef"]).kept_with(&kept, 3 << 20)), ["reef", "kelp", "whale"]);
        assert!(names(&kept.kept_with(&ModelCache::default(), 0)).is_empty());
    }
}
