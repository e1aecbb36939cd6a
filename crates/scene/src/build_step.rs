//! Progress of building a world.

/// A step of building a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStep {
    /// The water's light is solved.
    Light,
    /// Models are loaded.
    Models {
        /// Number of models loaded.
        done: usize,
        /// Number of models to load.
        all: usize,
    },
    /// The ground is shaped and things are placed on it.
    Ground,
    /// Animals and particles are put in their places.
    Animals,
}

/// Callback that hears of each step as it begins, on any thread.
pub type Progress<'a> = dyn Fn(BuildStep) + Sync + 'a;

/// A callback that ignores all progress.
pub fn ignore_progress(_: BuildStep) {}
