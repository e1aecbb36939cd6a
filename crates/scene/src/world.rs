//! The simulated world: made from settings and a seed, stepped, extracted.

mod turnover;
mod views;

pub use turnover::Newcomers;

use std::path::PathBuf;
use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};
use life::{
    AnimalPose, AnimalReport, Event, Food, Habitat, PlacementProblem, Population, STEPS_PER_S, placement_problems,
};
use math::{Join, both, ease, par_chunks, splitmix64};
use model::{Attachment, FileVersion, Image};
use ocean::{Current, Environment, SunSettings};
use view::{Batch, Camera, Instance, MarineSnow, RenderScene, StaticScene};

use crate::animation_set::PaletteRows;
use crate::build::{self, BuiltScene, SpeciesModel};
use crate::build_step::{BuildStep, Progress, ignore_progress};
use crate::model_cache::{LoadModel, ModelCache};
use crate::model_requests::{SceneEntry, SceneModelRequest, model_requests};
use crate::particles::{Particles, SNOW_SINKING_M_S, food};
use crate::terrain::Terrain;
use crate::{CameraSettings, ParticlesSettings, SceneError, SceneSettings, lights};

/// Distances from the eye at which a closing thing, such as a clam, begins to close and is closed. Unit: m.
const SHY_M: [f32; 2] = [1.8, 1.2];

/// Plankton in a torch's beam by night, for each flake of marine snow. By eye.
const SWARM: f32 = 0.9;
/// Side of the cube of marine snow about the camera. Unit: m.
const SNOW_EXTENT_M: f32 = 8.0;

/// Animals extracted in one parallel part: a twentieth of a millisecond's work or more.
const EXTRACTED_AT_ONCE: usize = 1024;

/// Name of a model's place from which the animal breathes out.
const BREATH: &str = "breath";

/// Name of a model's place on which a camera rides.
const SEAT: &str = "camera";

/// Prefix of the names of a model's places that cleaners visit.
const CLEANED: &str = "clean";

/// The simulated world: animals, particles and terrain.
pub struct World {
    settings: Arc<SceneSettings>,
    /// The views, moved out of ground and rock; the first is near enough for the water.
    camera: CameraSettings,
    seed: u64,
    load: LoadModel,
    join: Join,
    models: ModelCache,
    species: Vec<SpeciesModel>,
    terrain: Arc<Terrain>,
    static_scene: Arc<StaticScene>,
    population: Population,
    particles: Particles,
    environment: Environment,
    /// Displacement of the water since the scene began. Unit: m.
    drift: DVec3,
    steps: u64,
}

impl World {
    /// The simulation's fixed step. Unit: s.
    pub const STEP_S: f64 = 1.0 / STEPS_PER_S as f64;

    /// Memory of one animal, including its instance. Unit: bytes.
    pub const BYTES_AN_ANIMAL: usize = Population::BYTES_AN_ANIMAL + size_of::<Instance>();

    /// Loads the models by `load` and places everything; `join` distributes the work of this and of every step.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn new(settings: &SceneSettings, seed: u64, load: LoadModel, join: Join) -> Result<Self, SceneError> {
        Self::new_telling(settings, seed, (load, join), &ModelCache::default(), &ignore_progress)
    }

    /// Does the same as [`Self::new`], but reuses the models in `known`; `tell` hears of each step.
    ///
    /// # Errors
    /// Errors of [`Self::new`].
    pub fn new_telling(
        settings: &SceneSettings,
        seed: u64,
        (load, join): (LoadModel, Join),
        known: &ModelCache,
        tell: &Progress<'_>,
    ) -> Result<Self, SceneError> {
        tell(BuildStep::Light);
        let (environment, built) = both(
            join,
            || Environment::new(settings.environment(), seed),
            || build::build(settings, seed, (load, join), known, None, tell),
        );
        let BuiltScene { models, species, terrain } = built?;
        tell(BuildStep::Animals);
        let (population, particles) = both(
            join,
            || population(settings, (&terrain, &species, &models), seed, join),
            || particles(settings, &terrain, seed),
        );
        Ok(Self {
            settings: Arc::new(settings.clone()),
            camera: settings.camera.clone(),
            seed,
            load,
            join,
            static_scene: Arc::new(terrain.static_scene(&models)),
            population,
            particles,
            models,
            species,
            terrain,
            environment,
            drift: DVec3::ZERO,
            steps: 0,
        }
        .with_clear_views())
    }

    /// The settings it was made from.
    pub fn settings(&self) -> &SceneSettings {
        &self.settings
    }

    /// This world under changed settings; `self` is not modified, and both share the unchanged parts.
    ///
    /// Water, waves, light, current and snow change in place. Changed species begin anew among the standing props; a
    /// changed seabed, flora, prop or cover sets the scene anew. Time goes on.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn retuned(&self, settings: &SceneSettings) -> Result<Self, SceneError> {
        self.reloaded(settings, &[])
    }

    /// Does the same as [`Self::retuned`], and reloads the models that come from `edited` files. Animals continue where
    /// they are in their new bodies; a new prop sets the scene anew.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn reloaded(&self, settings: &SceneSettings, edited: &[PathBuf]) -> Result<Self, SceneError> {
        self.remade(settings, edited, Next::AsBefore)
    }

    /// The beginning of the world of `settings`, like a new one of the same seed, without loading anything again.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn begun_anew(&self, settings: &SceneSettings) -> Result<Self, SceneError> {
        self.remade(settings, &[], Next::Beginning)
    }

    /// This world under changed settings, with the `next` animals.
    fn remade(&self, settings: &SceneSettings, edited: &[PathBuf], next: Next) -> Result<Self, SceneError> {
        let old = &self.settings;
        let is_edited = |asked: &SceneModelRequest<'_>| self.models.comes_from(&asked.request, edited);
        let is_prop = |asked: &SceneModelRequest<'_>| matches!(asked.entry, SceneEntry::Prop(_) | SceneEntry::Cover(_));
        let keeps_ground =
            self.has_ground_of(settings) && !model_requests(settings).any(|asked| is_prop(&asked) && is_edited(&asked));
        let keeps_life = keeps_ground && old.species == settings.species;
        let keeps_models = keeps_life && !model_requests(settings).any(|asked| is_edited(&asked));
        let begins = matches!(next, Next::Beginning);
        let keeps_particles = !begins && keeps_ground && has_same_causes(&old.particles, &settings.particles);
        let environment = self.environment.retuned(settings.environment());
        let keeps_light = self.environment.has_light_of(environment.settings());
        let (mut models, mut species) = (self.models.clone(), self.species.clone());
        let (mut terrain, mut static_scene) = (Arc::clone(&self.terrain), Arc::clone(&self.static_scene));
        if !keeps_models {
            let same = keeps_ground.then_some(&self.terrain);
            let (by, known) = ((self.load, self.join), self.models.without(edited));
            let built = build::build(settings, self.seed, by, &known, same, &ignore_progress)?;
            (models, species, terrain) = (built.models, built.species, built.terrain);
            if !keeps_ground || !models.is_same(&self.models) {
                static_scene = Arc::new(terrain.static_scene(&models));
            }
        }
        let population = match next {
            Next::Given(next) => *next,
            Next::AsBefore if keeps_life => self.population.clone(),
            Next::AsBefore | Next::Beginning => {
                population(settings, (&terrain, &species, &models), self.seed, self.join)
            }
        };
        let particles = match keeps_particles {
            true => self.particles.clone(),
            false => particles(settings, &terrain, self.seed),
        };
        let mut new = Self {
            settings: Arc::new(settings.clone()),
            camera: settings.camera.clone(),
            seed: self.seed,
            load: self.load,
            join: self.join,
            models,
            species,
            terrain,
            static_scene,
            population,
            particles,
            environment,
            drift: if begins { DVec3::ZERO } else { self.drift },
            steps: if begins { 0 } else { self.steps },
        };
        new.population.set_daylight(day(&new.sun()));
        if keeps_models && keeps_light && old.camera == settings.camera {
            new.camera = self.camera.clone();
            return Ok(new);
        }
        Ok(new.with_clear_views())
    }

    /// Whether `settings` set the same things on the same ground.
    fn has_ground_of(&self, settings: &SceneSettings) -> bool {
        let SceneSettings { seabed, flora, props, cover, .. } = &*self.settings;
        (seabed, flora, props, cover) == (&settings.seabed, &settings.flora, &settings.props, &settings.cover)
    }

    /// This world with the textures replaced for which `other` returns an image; nothing else changes.
    pub fn repainted(&self, other: &dyn Fn(&Image) -> Option<Arc<Image>>) -> Self {
        let models = self.models.repainted(other);
        Self {
            static_scene: Arc::new(self.terrain.static_scene(&models)),
            models,
            settings: Arc::clone(&self.settings),
            camera: self.camera.clone(),
            species: self.species.clone(),
            terrain: Arc::clone(&self.terrain),
            population: self.population.clone(),
            particles: self.particles.clone(),
            environment: self.environment.clone(),
            ..*self
        }
    }

    /// Whether [`Self::retuned`] would set things or animals anew, which takes long.
    pub fn is_rebuilt_by(&self, settings: &SceneSettings) -> bool {
        !self.has_ground_of(settings) || self.settings.species != settings.species
    }

    /// Versions, at the time of reading, of the editable files that its models come from.
    pub fn model_files(&self) -> impl Iterator<Item = &FileVersion> {
        self.models.files()
    }

    /// The models of its props and animals.
    pub fn models(&self) -> &ModelCache {
        &self.models
    }

    /// The static scene, which does not change from frame to frame.
    pub fn static_scene(&self) -> &StaticScene {
        &self.static_scene
    }

    /// Whether both have the very same static scene, so that a renderer that has loaded one has loaded the other.
    pub fn shares_static_scene(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.static_scene, &other.static_scene)
    }

    /// Number of animals.
    pub fn animals(&self) -> usize {
        self.population.len()
    }

    /// Reports on all animals; species are indices in the settings' list.
    pub fn reports(&self) -> impl ExactSizeIterator<Item = AnimalReport> {
        self.population.reports()
    }

    /// Number of animals of a species, by its index in the settings' list.
    pub fn animals_of(&self, species: usize) -> usize {
        self.population.count(species)
    }

    /// Pose of animal `number` of a species as it is drawn at `alpha`, as in [`Self::extract`]; `None` if there is no
    /// such animal.
    pub fn animal(&self, species: usize, number: usize, alpha: f32) -> Option<AnimalPose> {
        let (alpha, time_s) = self.moment(alpha);
        let mut pose = self.population.pose(species, number, alpha)?;
        pose.position += self.surge(time_s) * surge_share(pose.length_m);
        Some(pose)
    }

    /// Position of a camera that rides on an animal, if its model has a place for it.
    pub fn seat(&self, species: usize, number: usize, alpha: f32) -> Option<Vec3> {
        let of_species = self.species.iter().find(|model| model.species == species)?;
        let model = &self.static_scene.models[of_species.model];
        let seat = model.attachment(SEAT)?;
        Some(animal_instance(&self.animal(species, number, alpha)?, of_species).place(model, seat))
    }

    /// Habitat of the animals.
    pub fn habitat(&self) -> &Habitat {
        self.population.habitat()
    }

    /// Sets the eye of an onlooker, which the animals pass at a distance at which they are seen whole; `None` for a
    /// camera among them, such as one that rides on an animal.
    pub fn set_onlooker(&mut self, eye: Option<Vec3>) {
        self.population.set_onlooker(eye);
    }

    /// Sets whether hunters are calm: none takes up a hunt or begins a strike then.
    pub fn set_hunters_calm(&mut self, are_calm: bool) {
        self.population.set_hunters_calm(are_calm);
    }

    /// Points the torches that go with the camera: by night fish flinch from them until their eyes are used to the
    /// light. Without a camera there are none.
    pub fn set_torches(&mut self, camera: Option<&Camera>) {
        let beams = camera.map_or_else(Vec::new, |camera| lights::beams(&self.settings, camera));
        self.population.set_beams(&beams);
    }

    /// Frightens all small animals within `reach` metres of `place`.
    pub fn frighten(&mut self, place: Vec3, reach: f32) {
        self.population.frighten(place, reach);
    }

    /// Drops a portion of food at `place`.
    pub fn drop_food(&mut self, place: Vec3) {
        self.population.drop_food(place);
    }

    /// Food in the water.
    pub fn food(&self) -> &[Food] {
        self.population.food()
    }

    /// Releases another hunter at `place`, which swims off along `heading`; returns the name of its species, or `None`
    /// if the scene has no hunters.
    pub fn release_hunter(&mut self, place: Vec3, heading: Vec3) -> Option<&str> {
        let species = self.population.release_hunter(place, heading)?;
        Some(&self.settings.species[species].name)
    }

    /// Simulated time since the scene began. Unit: s.
    pub fn time_s(&self) -> f64 {
        self.steps as f64 * Self::STEP_S
    }

    /// The sun at the current time.
    fn sun(&self) -> SunSettings {
        self.environment.sun_at(self.time_s())
    }

    /// Steps by [`Self::STEP_S`].
    pub fn step(&mut self) {
        let current = self.current_at(self.time_s());
        let sun = self.sun();
        self.population.set_daylight(day(&sun));
        self.population.step(current);
        let (species, models) = (&self.species, &self.static_scene.models);
        let mouth = |event: &Event| {
            let of_species = species.iter().find(|model| model.species == event.animal.0)?;
            let model = &models[of_species.model];
            let pose = self.population.pose(event.animal.0, event.animal.1, 1.0)?;
            Some(animal_instance(&pose, of_species).place(model, model.attachment(BREATH)?))
        };
        self.particles.step(Self::STEP_S as f32, (&current, sunlight(&sun)), &self.population, mouth);
        self.drift += current.mean.as_dvec3() * Self::STEP_S;
        self.steps += 1;
    }

    /// Fills `out` with the state interpolated from the last step but one (`alpha` 0) to the last (1).
    ///
    /// The vectors in `out` are reused: once they are long enough nothing is allocated.
    pub fn extract(&self, alpha: f32, camera: Camera, out: &mut RenderScene) {
        let (alpha, time_s) = self.moment(alpha);
        let ago_s = self.time_s() - time_s;
        out.time_s = time_s;
        out.camera = camera;
        let environment = &self.environment;
        out.eyes = self.settings.camera.stereo.eyes();
        out.headset.eyes.clear();
        out.headset.parts.clear();
        out.headset.pointers.clear();
        out.headset.narrowing = 0.0;
        out.medium = *environment.medium();
        out.light = environment.light_into(time_s, &mut out.daylight);
        out.day_passes = environment.settings().day_passes();
        out.fallen_night = environment.fallen_night(time_s);
        out.waves = Arc::clone(environment.waves());
        out.surge = self.surge(out.time_s);
        out.seabed_depth_m = environment.settings().seabed_depth_m;
        out.seabed_colour = self.settings.seabed.colour.into();
        let current = self.current_at(out.time_s);
        self.extract_batches(alpha, out);
        self.particles.extract(ago_s as f32, &current, out);
        food::extract(self.food(), self.habitat(), &mut out.sand);
        out.snow = self.snow(ago_s, &current, out);
        lights::extract(&self.settings, (&self.species, &self.static_scene.models), out);
        lights::place_test_patches(&self.settings, &mut out.test_patches);
    }

    /// `alpha` clamped to 0..=1, and the scene's time at that fraction of the last step (s).
    fn moment(&self, alpha: f32) -> (f32, f64) {
        let alpha = alpha.clamp(0.0, 1.0);
        let ago_s = if self.steps == 0 { 0.0 } else { (1.0 - f64::from(alpha)) * Self::STEP_S };
        (alpha, self.time_s() - ago_s)
    }

    /// Displacement of the water near the ground by the waves. Unit: m.
    fn surge(&self, time_s: f64) -> Vec3 {
        let (displacement, _) = self.environment.surge(time_s);
        displacement * self.settings.current.surge
    }

    /// Clears the animals' batches in a scene extracted from this world; animated props stay.
    pub fn leave_out_animals(&self, moment: &mut RenderScene) {
        moment.batches[..self.species.len()].iter_mut().for_each(|batch| batch.instances.clear());
    }

    /// Fills the batches: one for each species, then those of the animated props.
    fn extract_batches(&self, alpha: f32, out: &mut RenderScene) {
        let animated_props = self.terrain.animated_props();
        let RenderScene { batches, camera, surge, time_s, .. } = out;
        batches.resize_with(self.species.len() + animated_props.len(), Batch::default);
        let (animal_batches, prop_batches) = batches.split_at_mut(self.species.len());
        for (batch, model) in animal_batches.iter_mut().zip(&self.species) {
            let looks = &self.settings.species[model.species];
            batch.model = model.model;
            batch.emissive = looks.emissive.into();
            let (surge, tint) = (*surge, Vec3::from(looks.tint));
            batch.instances.resize(self.population.count(model.species), Instance::default());
            par_chunks(self.join, &mut batch.instances, EXTRACTED_AT_ONCE, &|first, part| {
                let poses = self.population.poses_of(model.species, first..first + part.len(), alpha);
                // The iterator's own loop: `for` would copy each pose twice.
                let mut places = part.iter_mut();
                poses.for_each(|pose| {
                    let mut instance = animal_instance(&pose, model);
                    instance.tint *= tint;
                    instance.position += surge * surge_share(pose.length_m);
                    if let Some(place) = places.next() {
                        *place = instance;
                    }
                });
            });
        }
        for (batch, props) in prop_batches.iter_mut().zip(animated_props) {
            (batch.model, batch.emissive) = (props.model, Vec3::ZERO);
            batch.instances.clear();
            batch.instances.extend(props.instances.iter().map(|at| {
                let nearness = (SHY_M[0] - at.position.distance(camera.eye)) / (SHY_M[0] - SHY_M[1]);
                let rows = props.animations.prop_rows(at.variation, ease(nearness.clamp(0.0, 1.0)), *time_s);
                let PaletteRows { row: palette_row, row_weight, blend_row, blend_weight } = rows;
                Instance { palette_row, row_weight, blend_row, blend_weight, ..*at }
            }));
        }
    }

    /// Marine snow `ago_s` before the last step.
    fn snow(&self, ago_s: f64, current: &Current, out: &RenderScene) -> MarineSnow {
        let sunk = f64::from(SNOW_SINKING_M_S) * out.time_s;
        let drift = self.drift - current.mean.as_dvec3() * ago_s - DVec3::Y * sunk;
        let particles = &self.settings.particles;
        MarineSnow {
            count: particles.snow_count,
            extent_m: SNOW_EXTENT_M,
            radius_m: 0.0005 * particles.snow_size_mm,
            drift: drift.as_vec3() + out.surge,
            velocity: current.mean + current.surge,
            seed: splitmix64(self.seed, 0x536e_6f77) as u32,
            emissive_share: particles.emissive_share,
            swarm: self.swarm(out.time_s),
        }
    }

    /// Number of plankton that torches draw at a time: by day what is drawn to light is deep below.
    fn swarm(&self, time_s: f64) -> u32 {
        let has_torches = self.settings.lights.iter().any(|light| light.cone_deg < 360.0);
        let night = 1.0 - day(&ocean::sun_after(&self.settings.sun, time_s));
        if has_torches { (SWARM * night * self.settings.particles.snow_count as f32) as u32 } else { 0 }
    }

    /// Current at a time.
    fn current_at(&self, time_s: f64) -> Current {
        let (_, velocity) = self.environment.surge(time_s);
        Current::new(&self.settings.current, self.seed, time_s).with_surge(velocity * self.settings.current.surge)
    }

    /// Hash of everything that moves: equal for equal seeds and steps.
    pub fn state_hash(&self) -> u64 {
        self.particles.hash(self.population.state_hash() ^ self.steps.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// Animals of a world under changed settings.
enum Next {
    /// The present animals, where they are; anew if their species change.
    AsBefore,
    /// New animals, at the beginning of a world.
    Beginning,
    /// The given animals.
    Given(Box<Population>),
}

/// Share of the surge that an animal of a length (m) follows: small ones drift with the water, large ones resist it.
/// Chosen by eye.
fn surge_share(length_m: f32) -> f32 {
    0.75 / (1.0 + length_m * length_m)
}

fn population(
    settings: &SceneSettings,
    (terrain, species, models): (&Terrain, &[SpeciesModel], &ModelCache),
    seed: u64,
    join: Join,
) -> Population {
    let habitat = terrain.habitat(&settings.species).at_daylight(day(&settings.sun));
    let lives = settings.lives();
    for PlacementProblem { species, key, problem } in placement_problems(&lives, &habitat) {
        log::warn!("species \"{species}\": {key}: {problem}");
    }
    let mut population = Population::new(&lives, habitat, splitmix64(seed, 0x4c69_6665), join);
    for of_species in species {
        let places = models.get(of_species.model).attachments.iter().filter(|place| place.name.starts_with(CLEANED));
        let in_lengths = |place: &Attachment| (place.position - of_species.center) * of_species.scale_per_metre;
        population.set_cleaned_at(of_species.species, places.map(in_lengths).collect());
    }
    population
}

/// Makes the particles; bubbles rise about the target of the first view.
fn particles(settings: &SceneSettings, terrain: &Terrain, seed: u64) -> Particles {
    let [x, _, z] = settings.camera.target_m;
    let places = (terrain.breathing_things(), &terrain.habitat(&[]));
    let seed = splitmix64(seed, 0x4169_7221);
    let sun = ocean::sun_after(&settings.sun, 0.0);
    Particles::new(&settings.particles, places, Vec2::new(x, z), sunlight(&sun), seed)
}

/// Whether settings differ at most in marine snow, which has no state.
fn has_same_causes(a: &ParticlesSettings, b: &ParticlesSettings) -> bool {
    let ParticlesSettings { snow_count, snow_size_mm, .. } = *b;
    ParticlesSettings { snow_count, snow_size_mm, ..a.clone() } == *b
}

/// Share of light that plants get: they give off bubbles from 15 degrees of the sun's elevation on, most from 45 on. By
/// eye.
fn sunlight(sun: &SunSettings) -> f32 {
    in_steps(((sun.elevation_deg - 15.0) / 30.0).clamp(0.0, 1.0))
}

/// Daylight: 0 by night to 1.
fn day(sun: &SunSettings) -> f32 {
    in_steps(ocean::day(sun))
}

/// Rounds to 1/64: the simulation must not depend on the last bit of a machine's sine.
fn in_steps(share: f32) -> f32 {
    (64.0 * share).round() / 64.0
}

fn animal_instance(pose: &AnimalPose, model: &SpeciesModel) -> Instance {
    let scale = pose.length_m * model.scale_per_metre;
    let rows = model.animations.animal_rows(pose);
    Instance {
        // The animal's position is the middle of its body, wherever the file has its origin.
        position: pose.position - pose.rotation * (model.center * scale),
        rotation: pose.rotation,
        scale,
        palette_row: rows.row,
        row_weight: rows.row_weight,
        blend_row: rows.blend_row,
        blend_weight: rows.blend_weight,
        bend: pose.motion.bend,
        tint: pose.tint,
        variation: pose.variation,
        morph_weight: pose.morph_weight,
    }
}

#[cfg(test)]
mod tests;
