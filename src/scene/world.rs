//! The world in time: made from settings and a seed, stepped, extracted.

use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};
use math::{ease, splitmix64};

use crate::animation;
use crate::life::{Pose, Shoal};
use crate::ocean::{self, Current};
use crate::scene::build::{self, Cast, Ground, Loader, ModelCache, Set};
use crate::scene::lights;
use crate::scene::particles::{Bubbles, SNOW_SINKING_M_S};
use crate::scene::{
    Batch, Camera, Instance, Light, Medium, ParticlesSettings, RenderScene, SceneSettings, Snow, Stage, WaveField,
};

/// Distances from the eye at which a thing that can shut begins to, and at which it is shut. Unit: m.
const SHY_M: [f32; 2] = [1.8, 1.2];

/// Side of the cube of marine snow about the camera. Unit: m.
const SNOW_EXTENT_M: f32 = 8.0;

/// Everything that moves and everything that stays.
pub struct World {
    settings: SceneSettings,
    seed: u64,
    load: Loader,
    cache: ModelCache,
    ground: Ground,
    stage: Stage,
    cast: Vec<Cast>,
    shoal: Shoal,
    bubbles: Bubbles,
    sea: Sea,
    /// Way that the water has gone since the scene began. Unit: m.
    drift: DVec3,
    steps: u64,
}

/// What the settings make of water and light; the same at every step.
#[derive(Clone, Debug)]
struct Sea {
    medium: Medium,
    light: Light,
    waves: Arc<WaveField>,
    /// Mean depth of the ground, infinite without one. Unit: m.
    depth_m: f32,
}

/// Why a world could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A model could not be loaded.
    #[error("{entry}: {why}")]
    Model {
        /// The species or prop, such as `species "turtle"`.
        entry: String,
        /// What is wrong with its file.
        why: String,
    },
}

impl World {
    /// The simulation's fixed step in seconds.
    pub const STEP_S: f64 = 1.0 / 60.0;

    /// Loads the models and sets everything in its place.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn new(settings: &SceneSettings, seed: u64) -> Result<Self, SceneError> {
        Self::with_loader(settings, seed, animation::load_model)
    }

    fn with_loader(settings: &SceneSettings, seed: u64, load: Loader) -> Result<Self, SceneError> {
        let sea = Sea::new(settings, seed);
        let Set { cache, cast, ground } = build::build(settings, seed, load, None, false)?;
        let (stage, shoal, bubbles) =
            (ground.stage(&cache), shoal(settings, &ground, seed), bubbles(settings, &ground, seed));
        let settings = settings.clone();
        let drift = DVec3::ZERO;
        Ok(Self { settings, seed, load, cache, ground, stage, cast, shoal, bubbles, sea, drift, steps: 0 })
    }

    /// Takes over changed settings. What did not change keeps its state; `Ok(true)` if the stage was made anew and
    /// must be loaded again.
    ///
    /// Water, waves, light, current and snow change in place. Changed species begin anew among what stands; a changed
    /// seabed, flora or prop sets the scene anew. Time goes on.
    ///
    /// # Errors
    /// If a model cannot be loaded; the world is as it was.
    pub fn retune(&mut self, settings: &SceneSettings) -> Result<bool, SceneError> {
        let old = &self.settings;
        let keeps_ground = old.seabed == settings.seabed && old.flora == settings.flora && old.props == settings.props;
        let keeps_life = keeps_ground && old.species == settings.species;
        let keeps_sources = keeps_ground && has_same_bubbles(&old.particles, &settings.particles);
        let keeps_waves = keeps_ground && old.waves == settings.waves;

        let mut sea = Sea::new(settings, self.seed);
        if keeps_waves {
            sea.waves = Arc::clone(&self.sea.waves);
        }
        let mut is_new_stage = false;
        if !keeps_life {
            let held = Some((&self.cache, &self.ground));
            let Set { cache, cast, ground } = build::build(settings, self.seed, self.load, held, keeps_ground)?;
            is_new_stage = !keeps_ground || !cache.is_same(&self.cache);
            self.shoal = shoal(settings, &ground, self.seed);
            if is_new_stage {
                self.stage = ground.stage(&cache);
            }
            (self.cache, self.cast, self.ground) = (cache, cast, ground);
        }
        if !keeps_sources {
            self.bubbles = bubbles(settings, &self.ground, self.seed);
        }
        self.sea = sea;
        self.settings = settings.clone();
        Ok(is_new_stage)
    }

    /// Goes back to the beginning: as a new world of the same settings and seed, without loading anything again.
    pub fn begin_again(&mut self) {
        self.shoal = shoal(&self.settings, &self.ground, self.seed);
        self.bubbles = bubbles(&self.settings, &self.ground, self.seed);
        self.drift = DVec3::ZERO;
        self.steps = 0;
    }

    /// What does not change from frame to frame.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Number of animals.
    pub fn animals(&self) -> usize {
        self.shoal.len()
    }

    /// Moves on by [`Self::STEP_S`].
    pub fn step(&mut self) {
        let current = self.current_at(self.steps as f64 * Self::STEP_S);
        self.shoal.step(current);
        self.bubbles.step(Self::STEP_S as f32, current);
        self.drift += current.mean.as_dvec3() * Self::STEP_S;
        self.steps += 1;
    }

    /// Fills `out` with the moment `alpha` (0..1) of the way from the last step but one to the last.
    ///
    /// The vectors in `out` are used again: once they are long enough nothing is allocated.
    pub fn extract(&self, alpha: f32, camera: Camera, out: &mut RenderScene) {
        let alpha = alpha.clamp(0.0, 1.0);
        let ago_s = if self.steps == 0 { 0.0 } else { (1.0 - f64::from(alpha)) * Self::STEP_S };
        out.time_s = self.steps as f64 * Self::STEP_S - ago_s;
        out.camera = camera;
        out.light = self.sea.light;
        out.medium = self.sea.medium;
        out.waves = Arc::clone(&self.sea.waves);
        let (displacement, _) = ocean::surge(&self.sea.waves, self.sea.depth_m, out.time_s);
        out.surge = displacement * self.settings.current.surge;
        let current = self.current_at(out.time_s);
        out.seabed_depth_m = self.sea.depth_m;
        out.seabed_colour = self.settings.seabed.colour;

        lights::place_cards(&self.settings, &mut out.cards);
        out.batches.resize_with(self.cast.len() + self.ground.movers().len(), Batch::default);
        for (batch, cast) in out.batches.iter_mut().zip(&self.cast) {
            batch.model = cast.model;
            batch.glow = self.settings.species[cast.species].glow.into();
            batch.instances.clear();
            let surge = out.surge;
            batch.instances.extend(self.shoal.poses(cast.species, alpha).map(|pose| {
                let mut instance = instance(&pose, cast, out.time_s);
                instance.position += surge * carried(pose.length_m);
                instance
            }));
        }
        for (batch, mover) in out.batches.iter_mut().skip(self.cast.len()).zip(self.ground.movers()) {
            (batch.model, batch.glow) = (mover.model, Vec3::ZERO);
            batch.instances.clear();
            batch.instances.extend(mover.instances.iter().map(|at| {
                let near = (SHY_M[0] - at.position.distance(camera.eye)) / (SHY_M[0] - SHY_M[1]);
                let rows = mover.clips.standing(at.variation, ease(near.clamp(0.0, 1.0)), out.time_s);
                Instance { palette_row: rows.row, over_row: rows.over, over_share: rows.share, ..*at }
            }));
        }
        self.bubbles.extract(ago_s as f32, &current, &mut out.bubbles);

        let sunk = f64::from(SNOW_SINKING_M_S) * out.time_s;
        let drift = self.drift - current.mean.as_dvec3() * ago_s - DVec3::Y * sunk;
        out.snow = Snow {
            count: self.settings.particles.snow_count,
            extent_m: SNOW_EXTENT_M,
            radius_m: 0.0005 * self.settings.particles.snow_size_mm,
            drift: drift.as_vec3() + out.surge,
            velocity: current.mean + current.surge,
            seed: splitmix64(self.seed, 0x536e_6f77) as u32,
            glow: self.settings.particles.glow,
        };
        lights::extract(&self.settings, &self.cast, out);
    }

    /// The moving water at a moment.
    fn current_at(&self, time_s: f64) -> Current {
        let (_, velocity) = ocean::surge(&self.sea.waves, self.sea.depth_m, time_s);
        Current::new(&self.settings.current, self.seed, time_s).with_surge(velocity * self.settings.current.surge)
    }

    /// A hash of everything that moves: equal for equal seeds and steps.
    pub fn state_hash(&self) -> u64 {
        self.bubbles.hash(self.shoal.state_hash() ^ self.steps.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Sea {
    fn new(settings: &SceneSettings, seed: u64) -> Self {
        let depth_m = if settings.seabed.present { settings.seabed.depth_m } else { f32::INFINITY };
        Self {
            medium: ocean::medium(&settings.water),
            light: ocean::light(&settings.sun, &settings.moon, &settings.sky),
            waves: Arc::new(ocean::wave_field(&settings.waves, depth_m, seed)),
            depth_m,
        }
    }
}

/// Share of the surge that an animal of a length (m) goes with: small ones hang in the water, large ones hold against it.
fn carried(length_m: f32) -> f32 {
    0.75 / (1.0 + length_m * length_m)
}

fn shoal(settings: &SceneSettings, ground: &Ground, seed: u64) -> Shoal {
    Shoal::new(&settings.species, ground.habitat(&settings.species), splitmix64(seed, 0x4c69_6665))
}

/// Bubbles rise where the first view looks.
fn bubbles(settings: &SceneSettings, ground: &Ground, seed: u64) -> Bubbles {
    let [x, _, z] = settings.camera.target_m;
    Bubbles::new(&settings.particles, &ground.habitat(&[]), Vec2::new(x, z), splitmix64(seed, 0x4169_7221))
}

fn has_same_bubbles(a: &ParticlesSettings, b: &ParticlesSettings) -> bool {
    let of = |p: &ParticlesSettings| (p.bubble_sources, p.bubble_rate_hz, p.bubble_size_mm);
    of(a) == of(b)
}

fn instance(pose: &Pose, cast: &Cast, time_s: f64) -> Instance {
    let scale = pose.length_m * cast.scale_per_metre;
    let rows = cast.clips.rows(pose, time_s);
    Instance {
        // The animal's place is the middle of its body, wherever the file has its origin.
        position: pose.position - pose.rotation * (cast.center * scale),
        rotation: pose.rotation,
        scale,
        palette_row: rows.row,
        over_row: rows.over,
        over_share: rows.share,
        tint: pose.tint,
        variation: pose.variation,
    }
}

#[cfg(test)]
mod tests;
