//! The making of many fish in the background.

use std::panic::resume_unwind;

use runtime::AppError;
use runtime::threads::Work;
use scene::Newcomers;

/// Fish in the making, if there are any. Scene and keys go on meanwhile: what has been asked for is a factor on the number
/// of fish, whatever that is when they are there.
#[derive(Default)]
pub struct CrowdMaker {
    making: Option<Making>,
    /// Factor that waits for the end of work that nobody wants any more: twice the memory may not be there.
    waiting: Option<f32>,
}

struct Making {
    factor: f32,
    work: Work<Newcomers>,
    said: String,
    is_wanted: bool,
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
        if self.making.is_some() {
            self.waiting = Some(self.waiting.unwrap_or(1.0) * factor);
            return Ok(());
        }
        let work = Work::start(make).map_err(AppError::NoThread)?;
        self.making = Some(Making { factor, work, said, is_wanted: true });
        Ok(())
    }

    /// Forgets what has been asked for.
    pub fn forget(&mut self) {
        self.waiting = None;
        if let Some(making) = &mut self.making {
            making.is_wanted = false;
        }
    }

    /// The message, while there are fish in the making.
    pub fn said(&self) -> Option<&str> {
        self.making.as_ref().filter(|making| making.is_wanted).map(|making| making.said.as_str())
    }

    /// The factor that is due: with the newcomers that were made for it, or without, if it has waited.
    pub fn poll(&mut self) -> Option<(f32, Option<Newcomers>)> {
        let made = self.making.take_if(|making| making.work.is_done()).and_then(finish);
        if let Some((factor, newcomers)) = made {
            return Some((factor, Some(newcomers)));
        }
        let waiting = self.waiting.take_if(|_| self.making.is_none());
        waiting.map(|factor| (factor, None))
    }

    /// Whether the newcomers are made.
    #[cfg(test)]
    pub fn is_done(&mut self) -> bool {
        self.making.as_mut().is_some_and(|making| making.work.is_done())
    }

    /// Waits for the newcomers.
    #[cfg(test)]
    pub fn wait(&mut self) -> Option<(f32, Newcomers)> {
        self.making.take().and_then(finish)
    }
}

/// Factor and newcomers, if anybody wants them still.
fn finish(making: Making) -> Option<(f32, Newcomers)> {
    let newcomers = making.work.finish().unwrap_or_else(|panic| resume_unwind(panic));
    making.is_wanted.then_some((making.factor, newcomers))
}
