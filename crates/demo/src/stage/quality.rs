//! The quality that is drawn: as asked for, or as the governor chooses.

use render::governor::{Governor, QualityLevel};
use render::{Quality, RenderSettings};

/// Change of a display's rate that is taken for none, as a share of it.
const PERIOD_JITTER: f64 = 0.05;

/// The quality that is drawn.
#[derive(Clone)]
pub(super) struct QualityControl {
    /// Settings that were asked for.
    pub wanted: RenderSettings,
    /// Level that is drawn in their place, where that is left to the governor.
    pub level: Option<QualityLevel>,
    /// Chooses the level, until the driver refuses one.
    pub governor: Option<Governor>,
    /// Frames a second of the display, where it has a pace of its own.
    display_hz: Option<f64>,
}

impl QualityControl {
    /// Quality that was asked for, or that a new governor chooses.
    pub fn new(wanted: RenderSettings, software: bool) -> Self {
        let governor = (wanted.quality == Quality::Auto).then(|| Governor::new(&wanted, software));
        Self { wanted, level: governor.as_ref().map(Governor::level), governor, display_hz: None }
    }

    /// Follows a display of `display_hz`, as a headset's; `None` is the settings' own budget, which stays where it was
    /// asked for. No software renderer holds a headset's.
    pub fn pace_by(&mut self, display_hz: Option<f64>, software: bool) {
        // Runtimes measure their period, which is never quite the same.
        let is_alike = |one: f64, other: f64| (one - other).abs() < PERIOD_JITTER * other;
        if display_hz.zip(self.display_hz).map_or(display_hz == self.display_hz, |(one, other)| is_alike(one, other)) {
            return;
        }
        self.display_hz = display_hz;
        let own = display_hz.filter(|_| self.wanted.target_ms == 0.0 && !software);
        let budget_ms = own.map_or_else(|| self.wanted.budget_ms(software), |display_hz| 1000.0 / display_hz);
        if let Some(governor) = &mut self.governor {
            governor.aim_at(budget_ms);
        }
    }

    /// Quality for a scene that asks for `wanted`: a level that was found good stays, unless the settings it was found
    /// for have changed.
    pub fn for_settings(&self, wanted: &RenderSettings, software: bool) -> Self {
        if *wanted != self.wanted {
            let mut new = Self::new(wanted.clone(), software);
            new.pace_by(self.display_hz, software);
            return new;
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
    fn a_headsets_rate_is_held_unless_a_budget_was_asked_for() {
        let auto = RenderSettings { quality: Quality::Auto, ..RenderSettings::default() };
        let target = |control: &QualityControl| control.governor.as_ref().map(|governor| governor.target_ms().round());
        let mut control = QualityControl::new(auto.clone(), false);
        control.pace_by(Some(90.0), false);
        assert_eq!(target(&control), Some(11.0));
        let mine = RenderSettings { target_ms: 25.0, ..auto };
        let mut other = control.for_settings(&mine, false);
        assert_eq!(target(&other), Some(25.0));
        other.pace_by(None, false);
        control.pace_by(None, false);
        assert_eq!((target(&other), target(&control)), (Some(25.0), Some(17.0)));
    }

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
