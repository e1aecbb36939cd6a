//! A start of fright, and how long it shows.

use crate::STEP_S;

/// Time for which others see that a fish has started. Unit: s.
const SHOWS_S: f32 = 2.5 * STEP_S;

/// Time for which one that has started holds on to its heading. Unit: s.
const FLIGHT_S: f32 = 0.35;

/// A start and what is left of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fright {
    /// Time since the last start. Unit: s.
    pub since_s: f32,
    /// How strong that was, 0..=1.
    pub strength: f32,
}

impl Default for Fright {
    fn default() -> Self {
        Self { since_s: 1e3, strength: 0.0 }
    }
}

impl Fright {
    /// What others see of it: its strength while it is fresh.
    pub fn shown(&self) -> f32 {
        if self.since_s < SHOWS_S { self.strength } else { 0.0 }
    }

    /// Whether it is still carried off by it.
    pub fn is_fresh(&self) -> bool {
        self.since_s < FLIGHT_S
    }
}
