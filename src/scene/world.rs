//! The world in time: made from settings and a seed, stepped, extracted.

use crate::scene::{Camera, RenderScene, SceneSettings, Stage};

/// Everything that moves and everything that stays.
pub struct World {
    stage: Stage,
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
        let _ = (settings, seed);
        Ok(Self { stage: Stage::default() })
    }

    /// Takes over changed settings. What did not change keeps its state; `Ok(true)` if the stage was made anew and
    /// must be loaded again.
    ///
    /// # Errors
    /// If a model cannot be loaded; the world is as it was.
    pub fn retune(&mut self, settings: &SceneSettings) -> Result<bool, SceneError> {
        let _ = settings;
        Ok(false)
    }

    /// What does not change from frame to frame.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Moves on by [`Self::STEP_S`].
    pub fn step(&mut self) {}

    /// Fills `out` with the moment `alpha` (0..1) of the way from the last step but one to the last.
    pub fn extract(&self, alpha: f32, camera: Camera, out: &mut RenderScene) {
        out.camera = camera;
        let _ = alpha;
    }

    /// A hash of everything that moves: equal for equal seeds and steps.
    pub fn state_hash(&self) -> u64 {
        0
    }
}
