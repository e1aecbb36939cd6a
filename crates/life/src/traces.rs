//! Traces that the animals of a species leave in the water.

use crate::{LifeSettings, Routine, Swimming};

/// Kinds of traces that the animals of a species leave in the water.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traces {
    /// Whether it comes up to breathe air.
    pub breathes: bool,
    /// Whether it breathes air under water.
    pub has_tank: bool,
    /// Whether it scrapes its food off the ground and voids sand.
    pub grinds: bool,
    /// Whether it is flat and digs with its fins.
    pub digs: bool,
}

impl Traces {
    /// Returns the traces of an animal with these settings.
    pub fn of(settings: &LifeSettings) -> Self {
        Self {
            breathes: settings.routines.contains(&Routine::Breathe),
            has_tank: settings.swimming == Swimming::Flutter,
            grinds: settings.grinds_coral,
            digs: settings.swimming == Swimming::Rajiform,
        }
    }
}
