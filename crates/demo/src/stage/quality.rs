//! The quality that is drawn: as asked for, or as the governor chooses.

use render::governor::{Governor, QualityLevel};
use render::{Quality, RenderSettings};

/// The quality that is drawn.
#[derive(Clone)]
pub(super) struct QualityControl {
    /// Settings that were asked for.
    pub wanted: RenderSettings,
    /// Level that is drawn in their place, where that is left to the governor.
    pub level: Option<QualityLevel>,
    /// Chooses the level, until the driver refuses one.
    pub governor: Option<Governor>,
}

impl QualityControl {
    /// Quality that was asked for, or that a new governor chooses.
    pub fn new(wanted: RenderSettings, software: bool) -> Self {
        let governor = (wanted.quality == Quality::Auto).then(|| Governor::new(&wanted, software));
        Self { wanted, level: governor.as_ref().map(Governor::level), governor }
    }

    /// Quality for a scene that asks for `wanted`: a level that was found good stays, unless the settings it was found
    /// for have changed.
    pub fn for_settings(&self, wanted: &RenderSettings, software: bool) -> Self {
        if *wanted != self.wanted {
            return Self::new(wanted.clone(), software);
        }
        let mut same = self.clone();
        same.disturbed();
        same
    }

    /// Tells the governor that its findings no longer hold.
    pub fn disturbed(&mut self) {
        if let Some(governor) = &mut self.governor {
            governor.disturbed();
        }
    }

    /// The settings to draw with.
    pub fn drawn(&self) -> RenderSettings {
        self.level.map_or_else(|| self.wanted.clone(), |level| level.applied_to(&self.wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_level_leaves_the_one_before_until_other_settings_are_asked_for() {
        let auto = RenderSettings { quality: Quality::Auto, ..RenderSettings::default() };
        let mut control = QualityControl::new(auto.clone(), true);
        let found = QualityLevel { quality: Quality::Low, scale: 0.5 };
        (control.level, control.governor) = (Some(found), None);
        let next = control.for_settings(&auto, true);
        assert_eq!((next.drawn().quality, next.drawn().scale), (Quality::Low, 0.5));
        assert!(next.governor.is_none(), "nothing tries the refused level again");
        let high = RenderSettings { quality: Quality::High, ..auto };
        assert_eq!(next.for_settings(&high, true).drawn(), high);
    }
}
