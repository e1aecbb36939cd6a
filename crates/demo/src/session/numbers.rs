//! A session with other numbers of animals.

use config::{Config, Edits};
use runtime::{AppError, memory, threads};
use scene::Newcomers;
use toml::Table;

use crate::session::changes::count_of;
use crate::session::{MAX_FISH, SceneSession};

impl SceneSession {
    /// Number of fish that is `factor` times the present one, at least one more or less.
    pub fn fish_times(&self, factor: f32) -> u32 {
        let before = self.config.fish();
        let wanted = (before as f32 * factor).round() as u32;
        let wanted = if factor > 1.0 { wanted.max(before + 1) } else { wanted.min(before.saturating_sub(1)) };
        wanted.clamp(1, MAX_FISH.max(before))
    }

    /// Memory that the scene needs with `wanted` fish; `None` if it takes no such number. Unit: MiB.
    pub fn mib_with(&self, wanted: u32) -> Option<u64> {
        let mut config = self.config.clone();
        config.set_fish_count(wanted).ok()?;
        Some(memory::needed_mib(&config))
    }

    /// Settings with `wanted` fish in all, and the changes that amount to them.
    fn numbers(&self, wanted: u32) -> Result<(Config, Edits), AppError> {
        let mut config = self.config.clone();
        config.set_fish_count(wanted).map_err(|error| AppError::Fish(wanted, error))?;
        let mut edits = self.edits.clone();
        let now = self.config.scene.species.iter();
        for (species, _) in config.scene.species.iter().zip(now).filter(|(new, old)| new.life.count != old.life.count) {
            edits.set(&count_of(species), i64::from(species.life.count).into(), &Table::new());
        }
        Ok((config, edits))
    }

    /// The scene with `wanted` fish in all, of which those of a changed number begin anew.
    ///
    /// # Errors
    /// If a model cannot be loaded, no species takes more fish, or memory does not hold them.
    pub fn with_fish(&self, wanted: u32) -> Result<Self, AppError> {
        let (config, edits) = self.numbers(wanted)?;
        memory::check(&config)?;
        self.changed_to(edits)
    }

    /// Work that makes the fish which the scene lacks to have `wanted` of them in all; `None` if they can only begin anew.
    ///
    /// # Errors
    /// If no species takes more fish, or memory does not hold them.
    pub fn newcomers(&self, wanted: u32) -> Result<Option<impl FnOnce() -> Newcomers + Send + use<>>, AppError> {
        let (config, _) = self.numbers(wanted)?;
        memory::check(&config)?;
        Ok(self.world.newcomers(&config.scene, threads::join_behind))
    }

    /// The scene with `wanted` fish in all, in which all animals go on from where they are now. `None` if it takes other
    /// newcomers than these.
    ///
    /// # Errors
    /// If a model cannot be loaded, or no species takes more fish.
    pub fn turned_over(&self, wanted: u32, newcomers: Option<Newcomers>) -> Result<Option<Self>, AppError> {
        let (config, edits) = self.numbers(wanted)?;
        let (options, edits) = self.asked_with(edits);
        let Some(world) = self.world.turned_over(&config.scene, newcomers)? else { return Ok(None) };
        Ok(Some(Self { edits, ..self.with_world(world, config, options)? }))
    }
}
