//! Commands of parts, and files that are written in the background.

use runtime::threads::Work;

use crate::command::Command;
use crate::running::RunningDemo;
use crate::saving::{SaveJob, Saving, WriteFailure, Written, with_reason};

impl RunningDemo {
    /// Carries out the commands of a part.
    pub(super) fn follow(&mut self, commands: Vec<Command>) {
        for command in commands {
            match command {
                Command::Notify(topic, text) => self.notify_about(topic, text),
                Command::ShowError(topic, text) => self.show_error(topic, &text),
                Command::ClearError(topic) => self.panels.clear_error(topic),
                Command::SetTitle(title) => self.set_title(&title),
                Command::ShowTitle => self.show_title(),
                Command::Save(job) => self.save(job),
                Command::SkipTime => self.pace.skip(),
            }
        }
    }

    /// Starts to write a file.
    pub(super) fn save(&mut self, SaveJob { what, path, work }: SaveJob) {
        match Work::start(work) {
            Ok(work) => self.saving.push(Saving { what, path, work }),
            Err(error) => {
                self.show_error(what, &format!("the {what} is not written: the system has no thread: {error}"))
            }
        }
    }

    /// Reports the files that have been written meanwhile.
    pub(super) fn look_after_saving(&mut self) {
        let done: Vec<Saving> = self.saving.extract_if(.., |saving| saving.work.is_done()).collect();
        done.into_iter().for_each(|saving| self.saved(saving));
    }

    /// Waits for the files that are being written.
    pub(super) fn finish_saving(&mut self) {
        self.end_film();
        std::mem::take(&mut self.saving).into_iter().for_each(|saving| self.saved(saving));
    }

    fn saved(&mut self, Saving { what, work, .. }: Saving) {
        match work.finish() {
            Ok(Ok(Written { path, refused })) => {
                if let Some(why) = &refused {
                    log::warn!("{why}");
                }
                log::info!("{what} written to {}", path.display());
                let values = [("what", what.into()), ("path", path.display().to_string().into())];
                let text = with_reason(self.messages().format("written", &values), refused.as_deref());
                self.panels.clear_error(what);
                self.notify(text);
            }
            Ok(Err(WriteFailure { error, kept })) => {
                self.show_error(what, &error);
                if let Some(kept) = kept {
                    self.benchmark.keep(*kept);
                }
            }
            Err(_) => log::error!("a {what} could not be written"),
        }
    }
}
