//! A scene that is made beside the animation.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::AppError;
use crate::app::demo::session::{SceneSession, WantedScene};
use crate::app::files::{are_fetched, builtin_models};
use crate::app::threads::Work;
use crate::scene::BuildStep;

/// What makes a scene.
pub struct SceneMaker {
    step: Arc<Mutex<BuildStep>>,
    models: Vec<String>,
    work: Work<Result<SceneSession, AppError>>,
}

impl SceneMaker {
    /// Begins to make it.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn start(wanted: WantedScene) -> Result<Self, AppError> {
        let step = Arc::new(Mutex::new(BuildStep::Light));
        let told = Arc::clone(&step);
        let tell = move |step| *told.lock().unwrap_or_else(PoisonError::into_inner) = step;
        let models = builtin_models(&wanted.loaded.config.scene);
        let work = Work::start(move || wanted.make(&tell)).map_err(AppError::NoThread)?;
        Ok(Self { step, models, work })
    }

    /// What it is doing.
    pub fn step(&self) -> BuildStep {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is done.
    pub fn is_done(&mut self) -> bool {
        are_fetched(&self.models) && self.work.is_done()
    }

    /// What has been made; waits for it.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn finish(self) -> Result<SceneSession, AppError> {
        self.work.finish().unwrap_or_else(|panic| resume_unwind(panic))
    }
}
