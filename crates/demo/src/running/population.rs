//! The keys `+` and `-`: more fish and fewer.

use runtime::{AppError, memory};
use scene::Newcomers;

use crate::population::PopulationKeys;
use crate::running::RunningDemo;

/// Number of fish from which on those that are there live on through a change, and more are made in the background. Fewer
/// begin anew, in schools of even size, which takes no longer than a fifth of a second. Tests have no time for so many.
const CROWD: u32 = if cfg!(test) { 1000 } else { 20_000 };
/// Topic of messages.
const FISH: &str = "fish";

impl RunningDemo {
    /// Follows the presses of `+` and `-`. Those during the making of a crowd wait for it.
    pub(super) fn change_population(&mut self) {
        // In photo mode the picture stays as it is; a scene that is being made knows nothing of what comes meanwhile.
        if self.photo.is_some() || self.switch.is_loading() {
            return;
        }
        if let Some((factor, newcomers)) = self.crowd.poll() {
            return self.change_fish_by(factor, newcomers);
        }
        if let Some(said) = self.crowd.said() {
            return self.panels.notify_about(FISH, said.to_owned(), self.pace.since_start_s());
        }
        if let Some(factor) = self.controls.population.take_factor() {
            self.change_fish_by(factor, None);
        }
    }

    /// Shows `factor` times the fish, with `newcomers` if these are what is lacking.
    pub(super) fn change_fish_by(&mut self, factor: f32, newcomers: Option<Newcomers>) {
        let began_s = self.pace.clock_s();
        let (before, wanted) = (self.session.config.fish(), self.session.fish_times(factor));
        if wanted != before {
            let next = match before.max(wanted) < CROWD {
                true => self.session.with_fish(wanted),
                false => match self.session.turned_over(wanted, newcomers) {
                    Ok(Some(next)) => Ok(next),
                    // Nobody has been made yet, or ground or animals have changed since.
                    Ok(None) => match self.begin_crowd(factor, wanted) {
                        Ok(true) => return,
                        Ok(false) => self.session.with_fish(wanted),
                        Err(error) => Err(error),
                    },
                    Err(error) => Err(error),
                },
            };
            let is_shown = self.change_scene(next);
            log::debug!("from {before} to {wanted} fish in {:.0} ms", (self.pace.clock_s() - began_s) * 1e3);
            // The world is not to jump over the time this took.
            self.pace.skip_since(began_s);
            if !is_shown {
                return;
            }
        }
        let config = &self.session.config;
        let figures = [("count", config.fish().into()), ("mib", memory::needed_mib(config).into())];
        self.notify_about(FISH, self.messages().format("fish-count", &figures));
    }

    /// Starts to make what is lacking to `wanted` fish, and tells what they will take; `false` if all must begin anew.
    fn begin_crowd(&mut self, factor: f32, wanted: u32) -> Result<bool, AppError> {
        let Some(make) = self.session.newcomers(wanted)? else { return Ok(false) };
        let before = self.session.config.fish();
        let fps = self.history.scaled_ms(f64::from(wanted) / f64::from(before.max(1))).map(|ms| 1000.0 / ms);
        let fps = fps.map_or("?".to_owned(), |fps| format!("{fps:.1}"));
        let mib = self.session.mib_with(wanted).unwrap_or_default();
        let figures = [("count", wanted.into()), ("mib", mib.into()), ("fps", fps.into())];
        let said = self.messages().format("fish-coming", &figures);
        self.notify_about(FISH, said.clone());
        self.crowd.start(factor, make, said)?;
        Ok(true)
    }

    /// Whether fish are being made.
    pub(super) fn makes_fish(&self) -> bool {
        self.crowd.said().is_some()
    }

    /// Forgets what has been asked for: a scene has been opened.
    pub(super) fn forget_population(&mut self) {
        self.crowd.forget();
        self.controls.population = PopulationKeys::default();
    }

    /// Waits for the fish that are being made, and shows them.
    #[cfg(test)]
    pub(super) fn settle_population(&mut self) {
        while let Some((factor, newcomers)) = self.crowd.wait() {
            self.change_fish_by(factor, Some(newcomers));
        }
    }
}
