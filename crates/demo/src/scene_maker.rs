//! The making of a scene in the background.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};

use model::ModelRequest;
use runtime::AppError;
use runtime::files::{are_fetched, builtin_models, forget_ahead, load_ahead};
use runtime::threads::Work;
use scene::{BuildStep, model_requests};

use crate::session::{SceneSession, WantedScene};

/// Background work that makes a scene.
pub struct SceneMaker {
    step: Arc<Mutex<BuildStep>>,
    /// Names of the files that have to be fetched first, and the requests for the models in them.
    models: Vec<String>,
    requests: Vec<ModelRequest>,
    work: Work<Result<SceneSession, AppError>>,
}

impl SceneMaker {
    /// Starts to make a scene.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn start(wanted: WantedScene) -> Result<Self, AppError> {
        let step = Arc::new(Mutex::new(BuildStep::Light));
        let told = Arc::clone(&step);
        let tell = move |step| *told.lock().unwrap_or_else(PoisonError::into_inner) = step;
        let settings = &wanted.loaded.config.scene;
        let models = builtin_models(settings);
        let requests = model_requests(settings).map(|asked| asked.request).filter(|asked| !wanted.known.has(asked));
        let requests = requests.collect();
        forget_ahead();
        let work = Work::start(move || wanted.make(&tell)).map_err(AppError::NoThread)?;
        Ok(Self { step, models, requests, work })
    }

    /// Present step.
    pub fn step(&self) -> BuildStep {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is done.
    pub fn is_done(&mut self) -> bool {
        if are_fetched(&self.models) {
            return self.work.is_done();
        }
        load_ahead(&self.requests);
        false
    }

    /// Waits for the scene and returns it.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn finish(self) -> Result<SceneSession, AppError> {
        self.work.finish().unwrap_or_else(|panic| resume_unwind(panic))
    }
}
