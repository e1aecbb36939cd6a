//! From settings to what stands still: models, the ground, the props on it and what animals keep out of.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use math::splitmix64;

use crate::life::{Habitat, HeightMap, Obstacle, SpeciesSettings};
use crate::model::{Loaded, Model, ModelError, ModelRequest};
use crate::scene::clips::Repertoire;
use crate::scene::ground_map::Standing;
use crate::scene::placement::{self, Placed, Shape};
use crate::scene::seabed::{self, Seabed};
use crate::scene::{CameraSettings, Instance, SceneError, SceneSettings, SeabedMesh, Stage, StaticBatch};

/// Points along a side of the animals' height map at most.
const MAX_SIDE: f32 = 320.0;

/// How a model comes from a request: [`animation::load_model`](crate::animation::load_model), or a test's stand-in.
pub(super) type Loader = fn(&ModelRequest) -> Result<Loaded, ModelError>;

/// Every model that a scene asked for, loaded once.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelCache {
    models: Vec<(ModelRequest, Arc<Model>)>,
}

impl ModelCache {
    /// Index of the model of `request`; taken from `old` if it is there, else loaded. `entry` is who asks.
    fn fetch(
        &mut self,
        request: ModelRequest,
        entry: &str,
        old: Option<&ModelCache>,
        load: Loader,
    ) -> Result<usize, SceneError> {
        let held = |cache: &ModelCache| cache.models.iter().position(|(known, _)| *known == request);
        if let Some(at) = held(self) {
            return Ok(at);
        }
        let known = old.and_then(|old| held(old).map(|at| Arc::clone(&old.models[at].1)));
        let model = match known {
            Some(model) => model,
            None => {
                let loaded = load(&request)
                    .map_err(|error| SceneError::Model { entry: entry.into(), why: error.to_string() })?;
                for warning in &loaded.warnings {
                    log::warn!("{entry}: {warning}");
                }
                Arc::new(loaded.model)
            }
        };
        self.models.push((request, model));
        Ok(self.models.len() - 1)
    }

    /// Whether both hold the same models in the same order.
    pub fn is_same(&self, other: &Self) -> bool {
        let pairs = self.models.iter().zip(&other.models);
        self.models.len() == other.models.len() && pairs.into_iter().all(|(a, b)| Arc::ptr_eq(&a.1, &b.1))
    }

    /// The models in order.
    pub fn models(&self) -> Vec<Arc<Model>> {
        self.models.iter().map(|(_, model)| Arc::clone(model)).collect()
    }

    fn get(&self, index: usize) -> &Model {
        &self.models[index].1
    }
}

/// How one species is drawn.
#[derive(Clone, Debug)]
pub(super) struct Cast {
    /// Index in the settings' list.
    pub species: usize,
    /// Index into the stage's models.
    pub model: usize,
    /// Metres a model unit for a body of one metre.
    pub scale_per_metre: f32,
    /// Middle of the model, in model units.
    pub center: Vec3,
    /// What it can show.
    pub clips: Repertoire,
}

/// Everything that is made by loading and placing.
pub(super) struct Set {
    pub cache: ModelCache,
    pub cast: Vec<Cast>,
    pub ground: Ground,
}

/// The ground with what stands on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    bed: Option<Arc<Seabed>>,
    obstacles: Vec<Obstacle>,
    mesh: Option<SeabedMesh>,
    /// One batch a prop; models are indices into the model cache.
    props: Vec<StaticBatch>,
    /// Those whose models have a skeleton that moves.
    movers: Vec<Mover>,
}

/// Things that stay in their place and move there.
#[derive(Clone, Debug)]
pub(super) struct Mover {
    /// Index into the stage's models.
    pub model: usize,
    /// What they can show.
    pub clips: Repertoire,
    /// Where they are.
    pub instances: Vec<Instance>,
}

/// Makes everything that `settings` name. Models of `old` are taken over; so is its ground if `keep_ground`.
pub(super) fn build(
    settings: &SceneSettings,
    seed: u64,
    load: Loader,
    old: Option<(&ModelCache, &Ground)>,
    keep_ground: bool,
) -> Result<Set, SceneError> {
    let mut cache = ModelCache::default();
    let held = old.map(|(cache, _)| cache);
    // Props first: a change of species then leaves their indices alone.
    let mut prop_models = Vec::new();
    for prop in &settings.props {
        let entry = format!("prop \"{}\"", prop.name);
        prop_models.push(cache.fetch(ModelRequest::new(prop.model.as_str()), &entry, held, load)?);
    }
    let mut cast = Vec::new();
    for (species, entry) in settings.species.iter().enumerate().filter(|(_, entry)| entry.count > 0) {
        let label = format!("species \"{}\"", entry.name);
        let model = cache.fetch(request(entry), &label, held, load)?;
        cast.push(cast_of(species, model, cache.get(model)));
    }
    let ground = match old {
        Some((_, ground)) if keep_ground => ground.clone(),
        _ => lay(settings, seed, &cache, &prop_models),
    };
    Ok(Set { cache, cast, ground })
}

fn request(species: &SpeciesSettings) -> ModelRequest {
    let clips = species.clips.iter().map(|(name, range)| (name.clone(), (range.from_frame, range.to_frame)));
    ModelRequest { source: species.model.clone(), forward: species.forward, clips: clips.collect() }
}

fn cast_of(species: usize, index: usize, model: &Model) -> Cast {
    let extent = model.bounds.max - model.bounds.min;
    // A flat thing seen edge on has no length along its nose: then its greatest extent is it.
    let along = if extent.z > 1e-3 * extent.max_element() { extent.z } else { extent.max_element() };
    let scale_per_metre = if along > 0.0 && along.is_finite() { along.recip() } else { 1.0 };
    let clips = Repertoire::of(&model.palette);
    Cast { species, model: index, scale_per_metre, center: model.bounds.center(), clips }
}

fn lay(settings: &SceneSettings, seed: u64, cache: &ModelCache, prop_models: &[usize]) -> Ground {
    if !settings.seabed.present {
        return Ground::default();
    }
    let bed = Seabed::new(&settings.seabed, seed);
    let shapes: Vec<Shape> = prop_models.iter().map(|&model| Shape::of(cache.get(model))).collect();
    let mut placed = placement::place(&settings.props, &settings.flora, &bed, &shapes, seed);
    placed.retain(|thing| thing.by_hand || !stands_round_an_eye(thing, &shapes[thing.prop], &settings.camera));
    let mut props: Vec<StaticBatch> = settings
        .props
        .iter()
        .zip(prop_models)
        .map(|(prop, &model)| {
            let bounds = cache.get(model).bounds;
            let ground_line = bounds.min.y + prop.sink * (bounds.max - bounds.min).max_element();
            StaticBatch { model, instances: Vec::new(), sway: prop.sway * settings.flora.sway, ground_line }
        })
        .collect();
    for (n, thing) in placed.iter().enumerate() {
        let batch = &mut props[thing.prop];
        let random = |salt| (splitmix64(seed ^ salt, n as u64) >> 40) as f32 / (1u64 << 24) as f32;
        let prop = &settings.props[thing.prop];
        // Lighter or darker, warmer or cooler than its fellows.
        let (shade, warmth) = (2.0 * random(2) - 1.0, 2.0 * random(3) - 1.0);
        let own =
            Vec3::splat(1.0 + prop.tint_spread * shade) + 0.6 * prop.tint_spread * warmth * Vec3::new(1.0, 0.0, -1.0);
        batch.instances.push(Instance {
            position: thing.position,
            rotation: thing.rotation,
            scale: thing.scale,
            tint: (Vec3::from(prop.tint) * own).max(Vec3::ZERO),
            variation: random(1),
            ..Instance::default()
        });
    }
    props.retain(|batch| !batch.instances.is_empty());
    let clips = |batch: &StaticBatch| Repertoire::of(&cache.get(batch.model).palette);
    let (moving, props): (Vec<_>, Vec<_>) = props.into_iter().partition(|batch| clips(batch).moves());
    let mover = |batch: StaticBatch| Mover { clips: clips(&batch), model: batch.model, instances: batch.instances };
    let movers = moving.into_iter().map(mover).collect();
    let obstacles = placement::obstacles(&settings.props, &placed, &shapes).into_iter();
    let obstacles = obstacles.map(|o| Obstacle { center: o.center, radii: o.radii.max(Vec3::splat(0.01)) }).collect();
    let standing = placed.iter().map(|thing| Standing {
        triangles: &shapes[thing.prop].triangles,
        position: thing.position,
        rotation: thing.rotation,
        scale: thing.scale,
        solid: settings.props[thing.prop].solid,
    });
    let mesh = seabed::mesh(&bed, &placement::contacts(&settings.props, &placed, &shapes, &bed), standing);
    Ground { bed: Some(Arc::new(bed)), obstacles, mesh, props, movers }
}

/// Whether one of the scene's cameras, on its way or where it stands, would be inside the thing or right before it.
fn stands_round_an_eye(thing: &Placed, shape: &Shape, camera: &CameraSettings) -> bool {
    /// Room that an eye needs on all sides. Unit: m.
    const CLEARANCE_M: f32 = 0.35;
    let eyes = [camera.eye_m].into_iter();
    let eyes = eyes.chain(camera.views.values().map(|v| v.eye_m)).chain(camera.rail.iter().map(|w| w.eye_m));
    let (least, most) = (shape.bounds.min * thing.scale, shape.bounds.max * thing.scale);
    let reach = least.abs().max(most.abs()).with_y(0.0).max_element() + CLEARANCE_M;
    eyes.map(Vec3::from).any(|eye| {
        let from = eye - thing.position;
        from.with_y(0.0).length() < reach && from.y > least.y - CLEARANCE_M && from.y < most.y + CLEARANCE_M
    })
}

impl Ground {
    /// What the renderer uploads.
    pub fn stage(&self, cache: &ModelCache) -> Stage {
        Stage { models: cache.models(), seabed: self.mesh.clone(), props: self.props.clone() }
    }

    /// What stays in its place and moves there.
    pub fn movers(&self) -> &[Mover] {
        &self.movers
    }

    /// What animals keep out of.
    #[cfg(test)]
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// The place as the animals of `species` know it.
    pub fn habitat(&self, species: &[SpeciesSettings]) -> Habitat {
        let reach = |s: &SpeciesSettings| Vec2::from(s.home_m).abs().max_element() + s.range_m + s.length_m;
        let half_m = species.iter().map(reach).fold(20.0, f32::max).min(520.0) + 5.0;
        let cell_m = (2.0 * half_m / MAX_SIDE).max(0.5);
        let floor = self.bed.as_ref().filter(|bed| bed.present());
        let floor = floor.map(|bed| HeightMap::sample(Vec2::ZERO, half_m, cell_m, |x, z| bed.height(x, z)));
        Habitat::new(floor, self.obstacles.clone())
    }
}
