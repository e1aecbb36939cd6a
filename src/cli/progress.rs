//! How far long work has come, on a terminal alone: in a pipe nothing is written, nor with `--quiet`.
//!
//! Nothing here draws by itself: no thread ticks. A line is drawn when the work says how far it is, so that what measures
//! is left alone by saying nothing.

use std::io::{self, IsTerminal as _};
use std::sync::LazyLock;

use env_logger::Logger;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use log::{Level, Log, Metadata, Record};

/// What is shown on standard error.
static SHOWN: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A line that says how far some work is; gone when it is dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// Says what is done, in so many steps; with none it is only named.
    pub fn new(what: &str, steps: u64) -> Self {
        let is_shown = log::log_enabled!(Level::Info) && io::stderr().is_terminal();
        let progress = Self(if is_shown { SHOWN.add(ProgressBar::no_length()) } else { ProgressBar::hidden() });
        progress.begin(what, steps);
        progress
    }

    /// Goes on to something else.
    pub fn begin(&self, what: &str, steps: u64) {
        let template = if steps > 0 { "{msg} {bar:40} {percent:>3} %" } else { "{msg} ..." };
        self.begin_as(template, what, steps);
    }

    /// As [`Self::begin`], with what is done, how fast, and the time that is left.
    pub fn begin_long(&self, what: &str, steps: u64) {
        self.begin_as("{msg} {bar:40} {pos} of {len}, {per_sec}, {eta} left", what, steps);
        self.0.reset_eta();
    }

    fn begin_as(&self, template: &str, what: &str, steps: u64) {
        self.0.set_style(ProgressStyle::with_template(template).expect("its keys are indicatif's"));
        self.0.set_length(steps);
        self.0.set_position(0);
        self.say(what);
    }

    /// Says what is done of it now.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.tick();
    }

    /// So many steps are done.
    pub fn at(&self, step: u64) {
        self.0.set_position(step);
    }

    /// One more step is done.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A logger whose lines stand above what is shown.
struct AboveProgress(Logger);

impl Log for AboveProgress {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if self.0.matches(record) {
            SHOWN.suspend(|| self.0.log(record));
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}

/// Has `logger` say what is logged from now on.
pub fn log_by(logger: Logger) {
    let most = logger.filter();
    let logger: Box<dyn Log> =
        if io::stderr().is_terminal() { Box::new(AboveProgress(logger)) } else { Box::new(logger) };
    // One that is there already stays.
    if log::set_boxed_logger(logger).is_ok() {
        log::set_max_level(most);
    }
}
