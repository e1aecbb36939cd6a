//! Progress of long work, shown only on a terminal: not in a pipe, nor with `--quiet`.
//!
//! No thread ticks: a line is drawn only when the work reports its progress, so that a measurement is left undisturbed
//! by reporting nothing.

use std::io::{self, IsTerminal as _};
use std::sync::LazyLock;

use env_logger::Logger;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use log::{Level, Log, Metadata, Record};

/// Progress lines on standard error.
static SHOWN: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A progress line of some work; removed when it is dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// Begins work named `what` of so many steps; with 0 steps only the name is shown.
    pub fn new(what: &str, steps: u64) -> Self {
        let is_shown = log::log_enabled!(Level::Info) && io::stderr().is_terminal();
        let progress = Self(if is_shown { SHOWN.add(ProgressBar::no_length()) } else { ProgressBar::hidden() });
        progress.begin(what, steps);
        progress
    }

    /// Continues with other work.
    pub fn begin(&self, what: &str, steps: u64) {
        let template = if steps > 0 { "{msg} {bar:40} {percent:>3} %" } else { "{msg} ..." };
        self.begin_as(template, what, steps);
    }

    /// Continues like [`Self::begin`], also showing steps done, speed and the time left.
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

    /// Updates the name of the work.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.tick();
    }

    /// Sets the number of steps done.
    pub fn at(&self, step: u64) {
        self.0.set_position(step);
    }

    /// Counts one more step as done.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A logger that prints its lines above the progress lines.
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

/// Installs `logger`.
pub fn log_by(logger: Logger) {
    let most = logger.filter();
    let logger: Box<dyn Log> =
        if io::stderr().is_terminal() { Box::new(AboveProgress(logger)) } else { Box::new(logger) };
    // A logger that is already installed stays.
    if log::set_boxed_logger(logger).is_ok() {
        log::set_max_level(most);
    }
}
