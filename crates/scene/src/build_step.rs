//! What is being done while a world is made, for whoever waits.

/// A step of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStep {
    /// The water's light is solved.
    Light,
    /// Models are loaded.
    Models {
        /// How many are there.
        done: usize,
        /// How many are to be.
        all: usize,
    },
    /// The ground is shaped and things are placed on it.
    Ground,
    /// Animals come to their places, and what floats.
    Animals,
}

/// Hears of each step as it begins, on any thread.
pub type Progress<'a> = dyn Fn(BuildStep) + Sync + 'a;

/// Tells nobody.
pub fn ignore_progress(_: BuildStep) {}
