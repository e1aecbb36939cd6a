//! Building of a scene: from settings to models and terrain.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;
use life::{Habitat, Join, PlacementProblem, Swimming, placement_problems};
use model::Model;

use crate::animation_set::AnimationSet;
use crate::build_step::{BuildStep, Progress, ignore_progress};
use crate::model_cache::{LoadModel, ModelCache};
use crate::model_requests::{SceneEntry, SceneModelRequest, crowd_warning, model_requests, unknown_places};
use crate::terrain::Terrain;
use crate::{SceneError, SceneSettings};

/// Result of loading the models and placing the props.
pub(super) struct BuiltScene {
    pub models: ModelCache,
    /// The models of all species that have any animals.
    pub species: Vec<SpeciesModel>,
    pub terrain: Arc<Terrain>,
}

/// Model of one species, as it is drawn.
#[derive(Clone, Debug)]
pub(super) struct SpeciesModel {
    /// Index in the settings' list.
    pub species: usize,
    /// Index into the static scene's models.
    pub model: usize,
    /// Metres a model unit for a body of one metre.
    pub scale_per_metre: f32,
    /// Middle of the model, in model units.
    pub center: Vec3,
    /// Clips by gait.
    pub animations: AnimationSet,
}

/// Builds everything that `settings` name; `tell` hears of each step. Models in `old` are reused; so is `terrain`, if
/// given.
pub(super) fn build(
    settings: &SceneSettings,
    seed: u64,
    by: (LoadModel, Join),
    old: &ModelCache,
    terrain: Option<&Arc<Terrain>>,
    tell: &Progress<'_>,
) -> Result<BuiltScene, SceneError> {
    let mut models = ModelCache::default();
    let (mut prop_models, mut cover_models) = (Vec::new(), Vec::new());
    let (mut species, mut seen) = (Vec::new(), BTreeSet::new());
    let asked: Vec<SceneModelRequest<'_>> = model_requests(settings).collect();
    let indices = models.fetch(&asked, old, by, tell)?;
    for (asked, model) in asked.iter().zip(indices) {
        if seen.insert(model)
            && let Some(warning) = crowd_warning(settings, &asked.request, models.get(model))
        {
            log::warn!("{}: {warning}", asked.entry);
        }
        match asked.entry {
            SceneEntry::Prop(_) => prop_models.push(model),
            SceneEntry::Cover(_) => cover_models.push(model),
            SceneEntry::Species(index, _) => {
                let swimming = settings.species[index].life.swimming;
                for (light, text) in unknown_places(settings, &settings.species[index].name, models.get(model)) {
                    log::warn!("light \"{light}\": {text}");
                }
                species.push(SpeciesModel::new(index, model, models.get(model), swimming));
            }
        }
    }
    tell(BuildStep::Ground);
    let terrain = match terrain {
        Some(terrain) => Arc::clone(terrain),
        None => Arc::new(Terrain::new(settings, seed, &models, (&prop_models, &cover_models))),
    };
    Ok(BuiltScene { models, species, terrain })
}

/// Habitat of a scene's animals. Loads only the models of the props.
///
/// # Errors
/// If a model cannot be loaded.
pub fn habitat(settings: &SceneSettings, seed: u64, by: (LoadModel, Join)) -> Result<Habitat, SceneError> {
    let mut models = ModelCache::default();
    let props = model_requests(settings).filter(|asked| matches!(asked.entry, SceneEntry::Prop(_)));
    let props: Vec<SceneModelRequest<'_>> = props.collect();
    let prop_models = models.fetch(&props, &ModelCache::default(), by, &ignore_progress)?;
    Ok(Terrain::bare(settings, seed, &models, &prop_models).habitat(&settings.species))
}

/// Species of a scene for which there is no room in their home.
///
/// # Errors
/// As for [`habitat`].
pub fn check_homes(
    settings: &SceneSettings,
    seed: u64,
    by: (LoadModel, Join),
) -> Result<Vec<PlacementProblem>, SceneError> {
    Ok(placement_problems(&settings.lives(), &habitat(settings, seed, by)?).collect())
}

impl SpeciesModel {
    fn new(species: usize, index: usize, model: &Model, swimming: Swimming) -> Self {
        let along = model.length;
        let scale_per_metre = if along > 0.0 && along.is_finite() { along.recip() } else { 1.0 };
        let animations = AnimationSet::of(&model.palette, swimming.is_winged());
        Self { species, model: index, scale_per_metre, center: model.bounds.center(), animations }
    }
}
