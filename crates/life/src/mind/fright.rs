//! A start of fright, and the time for which it shows.

use crate::STEP_S;

/// Time for which others see the start of a fish. Unit: s.
const SHOWS_S: f32 = 2.5 * STEP_S;

/// Time for which a fish keeps its heading after a start. Unit: s.
const FLIGHT_S: f32 = 0.35;

/// The last start and the time since.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fright {
    /// Time since the last start. Unit: s.
    pub since_s: f32,
    /// Strength of that start, 0..=1.
    pub strength: f32,
}

impl Default for Fright {
    fn default() -> Self {
        Self { since_s: 1e3, strength: 0.0 }
    }
}

impl Fright {
    /// Strength visible to others while the start is fresh.
    pub fn shown(&self) -> f32 {
        if self.since_s < SHOWS_S { self.strength } else { 0.0 }
    }

    /// Whether the start still determines its movement.
    pub fn is_fresh(&self) -> bool {
        self.since_s < FLIGHT_S
    }
}
