//! Changes of the number of animals through which those that are there live on.

use std::iter::zip;

use life::{Join, LifeSettings};

use crate::world::{Next, World};
use crate::{SceneError, SceneSettings, SpeciesSettings};

/// Animals that are ready to join the world that they were made for.
#[derive(Debug)]
pub struct Newcomers {
    animals: life::Newcomers,
    /// Species of that world before they join it, and after that.
    before: Vec<SpeciesSettings>,
    after: Vec<SpeciesSettings>,
}

impl World {
    /// Work that makes the animals which `settings` have and this world lacks; it runs in parallel by `join`, and the
    /// world may go on meanwhile. `None` if `settings` differ in more than the numbers of animals.
    pub fn newcomers(&self, settings: &SceneSettings, join: Join) -> Option<impl FnOnce() -> Newcomers + Send + use<>> {
        if !self.differs_in_numbers(settings) {
            return None;
        }
        let coming = zip(settings.lives(), &self.settings.species);
        let coming = coming.map(|(after, before)| {
            let count = after.count.saturating_sub(before.life.count);
            LifeSettings { count, ..after }
        });
        let plan = self.population.plan_newcomers(coming.collect());
        let (before, after) = (self.settings.species.clone(), settings.species.clone());
        Some(move || Newcomers { animals: plan.make(join), before, after })
    }

    /// Does the same as [`Self::retuned`] where nothing but numbers of animals changes, but all animals go on from where
    /// they are now: the `newcomers` join them, and of species of which there are fewer the last ones leave.
    ///
    /// Returns `None` if more changes, or if the newcomers were made for other animals or another number of them.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn turned_over(
        &self,
        settings: &SceneSettings,
        newcomers: Option<Newcomers>,
    ) -> Result<Option<Self>, SceneError> {
        let fits = match &newcomers {
            Some(Newcomers { animals, before, after }) => {
                (before, after) == (&self.settings.species, &settings.species) && self.population.expects(animals)
            }
            None => zip(&settings.species, &self.settings.species).all(|(new, old)| new.life.count <= old.life.count),
        };
        if !fits || !self.differs_in_numbers(settings) {
            return Ok(None);
        }
        let leaving = zip(&settings.species, &self.settings.species);
        let leaving = leaving.map(|(new, old)| old.life.count.saturating_sub(new.life.count) as usize);
        let animals = newcomers.map(|newcomers| newcomers.animals);
        let population = self.population.turned_over(&leaving.collect::<Vec<_>>(), animals);
        self.remade(settings, &[], Next::Given(Box::new(population))).map(Some)
    }

    /// Whether ground and species are those of `settings`, but for numbers of animals.
    fn differs_in_numbers(&self, settings: &SceneSettings) -> bool {
        let is_alike = |(new, old): (&SpeciesSettings, &SpeciesSettings)| {
            let life = LifeSettings { count: new.life.count, ..old.life.clone() };
            SpeciesSettings { life, ..old.clone() } == *new
        };
        let (new, old) = (&settings.species, &self.settings.species);
        self.has_ground_of(settings) && new.len() == old.len() && zip(new, old).all(is_alike)
    }
}
