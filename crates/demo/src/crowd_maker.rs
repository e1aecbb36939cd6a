//! The making of many fish in the background.

use std::panic::resume_unwind;

use runtime::AppError;
use runtime::threads::Work;
use scene::Newcomers;

/// Fish in the making, if there are any. Scene and keys go on meanwhile: what has been asked for is a factor on the number
/// of fish, whatever that is when they are there.
#[derive(Default)]
pub struct CrowdMaker(Option<Making>);

struct Making {
    factor: f32,
    work: Work<Newcomers>,
    said: String,
}

impl CrowdMaker {
    /// Starts to `make` the newcomers that come to `factor` times the fish; `said` is the message meanwhile.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn start(
        &mut self,
        factor: f32,
        make: impl FnOnce() -> Newcomers + Send + 'static,
        said: String,
    ) -> Result<(), AppError> {
        self.0 = Some(Making { factor, work: Work::start(make).map_err(AppError::NoThread)?, said });
        Ok(())
    }

    /// The message, while there are fish in the making.
    pub fn said(&self) -> Option<&str> {
        self.0.as_ref().map(|making| making.said.as_str())
    }

    /// The newcomers and their factor, once they are made.
    pub fn poll(&mut self) -> Option<(f32, Newcomers)> {
        self.0.take_if(|making| making.work.is_done()).map(finish)
    }

    /// Whether the newcomers are made.
    #[cfg(test)]
    pub fn is_done(&mut self) -> bool {
        self.0.as_mut().is_some_and(|making| making.work.is_done())
    }

    /// Waits for the newcomers.
    #[cfg(test)]
    pub fn wait(&mut self) -> Option<(f32, Newcomers)> {
        self.0.take().map(finish)
    }
}

fn finish(making: Making) -> (f32, Newcomers) {
    (making.factor, making.work.finish().unwrap_or_else(|panic| resume_unwind(panic)))
}
