//! Files that are written beside the animation.

use std::path::PathBuf;

use bench::live::Finished;
use runtime::AppError;
use runtime::threads::Work;

use crate::running::RunningDemo;

/// A file that is being written.
pub struct Saving {
    /// What it is, such as `picture`.
    pub what: &'static str,
    /// Where it goes, if that is known before it is written.
    pub path: Option<PathBuf>,
    /// Writes it.
    pub work: Work<Result<Saved, Unsaved>>,
}

/// What has been written.
pub struct Saved {
    /// Where.
    pub path: PathBuf,
    /// Why it is not where it was to be, if it is not.
    pub refused: Option<String>,
}

/// What could not be written.
pub struct Unsaved {
    /// Why.
    pub error: AppError,
    /// What is to be kept until it can be.
    pub kept: Option<Box<Finished>>,
}

/// What is said of a file, and below it why it is not where it was to be.
pub fn with_reason(said: String, refused: Option<&str>) -> String {
    refused.map_or(said.clone(), |why| format!("{said}\n({why})"))
}

impl RunningDemo {
    /// Has a file written.
    pub(super) fn save(
        &mut self,
        what: &'static str,
        path: Option<PathBuf>,
        work: impl FnOnce() -> Result<Saved, Unsaved> + Send + 'static,
    ) {
        match Work::start(work) {
            Ok(work) => self.saving.push(Saving { what, path, work }),
            Err(error) => {
                self.show_error(what, &format!("the {what} is not written: the system has no thread: {error}"))
            }
        }
    }

    /// Tells of what has been written meanwhile.
    pub(super) fn look_after_saving(&mut self) {
        let done: Vec<Saving> = self.saving.extract_if(.., |saving| saving.work.is_done()).collect();
        done.into_iter().for_each(|saving| self.saved(saving));
    }

    /// Waits for what is being written.
    pub(super) fn finish_saving(&mut self) {
        self.end_film();
        std::mem::take(&mut self.saving).into_iter().for_each(|saving| self.saved(saving));
    }

    fn saved(&mut self, Saving { what, work, .. }: Saving) {
        match work.finish() {
            Ok(Ok(Saved { path, refused })) => {
                if let Some(why) = &refused {
                    log::warn!("{why}");
                }
                log::info!("{what} written to {}", path.display());
                let values = [("what", what.into()), ("path", path.display().to_string().into())];
                let said = with_reason(self.messages().format("written", &values), refused.as_deref());
                self.panels.clear_error(what);
                self.notify(said);
            }
            Ok(Err(Unsaved { error, kept })) => {
                self.show_error(what, &error);
                self.unwritten.extend(kept.map(|kept| *kept));
            }
            Err(_) => log::error!("a {what} could not be written"),
        }
    }
}
