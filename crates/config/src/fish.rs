//! The size of the fish population as one number, which benchmarks scale.

use life::Behaviour;
use scene::SpeciesSettings;

use crate::settings::Config;

/// Maximum number of fish.
pub const FISH_LIMIT: u32 = 1_000_000;

/// Reason why a number of fish cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FishError {
    /// There is no species that counts as fish.
    #[error("the scene has no species that schools or lives on the reef")]
    NoSpecies,
    /// Too many.
    #[error("at most {FISH_LIMIT} fish are allowed")]
    TooMany,
}

impl Config {
    /// Number of schooling and reef fish, which [`Self::set_fish_count`] changes.
    pub fn fish(&self) -> u32 {
        let schools =
            |species: &&SpeciesSettings| matches!(species.life.behaviour, Behaviour::School | Behaviour::Reef);
        self.scene.species.iter().filter(schools).map(|species| species.life.count).sum()
    }

    /// Number of animals of every species.
    pub fn animals(&self) -> u64 {
        self.scene.species.iter().map(|species| u64::from(species.life.count)).sum()
    }

    /// Sets the number of schooling and reef fish to `total`, each species in the proportion it has now; the others
    /// stay as they are. None of them dies out while there are as many fish as species. Range 0..=[`FISH_LIMIT`].
    ///
    /// # Errors
    /// If there is no such species, or the number is too large.
    pub fn set_fish_count(&mut self, total: u32) -> Result<(), FishError> {
        if total > FISH_LIMIT {
            return Err(FishError::TooMany);
        }
        let schools = |species: &&mut SpeciesSettings| {
            matches!(species.life.behaviour, Behaviour::School | Behaviour::Reef) && species.life.count > 0
        };
        let mut species: Vec<&mut SpeciesSettings> = self.scene.species.iter_mut().filter(schools).collect();
        let now: u64 = species.iter().map(|species| u64::from(species.life.count)).sum();
        if species.is_empty() && total > 0 {
            return Err(FishError::NoSpecies);
        }
        // Rounding the running sum, not each part, makes the parts add up to the whole; to the nearest, since rounding
        // down would move fish from the first species to the last each time that a number is raised and lowered.
        let (mut before, mut given) = (0_u64, 0_u32);
        for species in &mut species {
            before += u64::from(species.life.count);
            let up_to = u32::try_from((u64::from(total) * before + now / 2) / now).unwrap_or(total);
            species.life.count = up_to - given;
            given = up_to;
        }
        let kinds = species.len();
        for lost in 0..kinds {
            let largest = (0..kinds).max_by_key(|&index| species[index].life.count).unwrap_or(lost);
            if species[lost].life.count == 0 && species[largest].life.count > 1 {
                species[largest].life.count -= 1;
                species[lost].life.count = 1;
            }
        }
        Ok(())
    }
}
