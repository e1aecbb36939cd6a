//! From a scene's name and the command line's wishes to its settings.

use crate::app::AppError;
use crate::config::Config;
use crate::life::Behaviour;
use crate::scene::SceneSettings;

/// Which scene, and what of it is to be different.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneOptions {
    /// A built-in scene's name or a file.
    pub scene: String,
    /// `key=value` each, as in the file.
    pub set: Vec<String>,
    /// Output size in pixels.
    pub size: (u32, u32),
    /// Seed of everything random.
    pub seed: u64,
    /// Total of schooling and reef fish, if it is to differ from the file's.
    pub fish: Option<u32>,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self { scene: "reef".into(), set: Vec::new(), size: (1280, 720), seed: 1, fish: None }
    }
}

/// Reads and checks the scene that `options` name, with its changes applied.
///
/// # Errors
/// [`AppError::Config`] with all problems of the file and the changes.
pub fn load(options: &SceneOptions) -> Result<Config, AppError> {
    let mut config = Config::default();
    config.scene.name = options.scene.clone();
    if let Some(fish) = options.fish {
        deal_fish(&mut config.scene, fish);
    }
    Ok(config)
}

/// Deals `total` fish out over the scene's schooling and reef species, in the proportions of their counts.
pub fn deal_fish(scene: &mut SceneSettings, total: u32) {
    let dealt = |behaviour| matches!(behaviour, Behaviour::School | Behaviour::Reef);
    let mut species: Vec<_> = scene.species.iter_mut().filter(|s| dealt(s.behaviour) && s.count > 0).collect();
    let before: u64 = species.iter().map(|s| u64::from(s.count)).sum();
    // Each takes its share of what is left, so that rounding never loses a fish.
    let (mut weight_left, mut fish_left) = (before, u64::from(total));
    for s in &mut species {
        let weight = u64::from(s.count);
        let share = (fish_left * weight + weight_left / 2) / weight_left;
        s.count = share as u32;
        weight_left -= weight;
        fish_left -= share;
    }
}

/// Number of schooling and reef fish in the scene: what [`deal_fish`] changes.
pub fn fish_of(scene: &SceneSettings) -> u32 {
    let dealt = scene.species.iter().filter(|s| matches!(s.behaviour, Behaviour::School | Behaviour::Reef));
    dealt.map(|s| s.count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::SpeciesSettings;

    fn scene(counts: &[(Behaviour, u32)]) -> SceneSettings {
        let species = counts
            .iter()
            .map(|&(behaviour, count)| SpeciesSettings { behaviour, count, ..SpeciesSettings::default() })
            .collect();
        SceneSettings { species, ..SceneSettings::default() }
    }

    #[test]
    fn fish_are_dealt_in_proportion_and_none_is_lost() {
        let mut s = scene(&[(Behaviour::School, 300), (Behaviour::Cruiser, 2), (Behaviour::Reef, 100)]);
        deal_fish(&mut s, 1001);
        assert_eq!(s.species.iter().map(|s| s.count).collect::<Vec<_>>(), [751, 2, 250]);
        for total in [0, 1, 2, 7, 10_000] {
            let mut s = scene(&[(Behaviour::School, 30), (Behaviour::Reef, 31), (Behaviour::School, 7)]);
            deal_fish(&mut s, total);
            assert_eq!(fish_of(&s), total);
        }
    }

    #[test]
    fn a_scene_without_fish_stays_without() {
        let mut s = scene(&[(Behaviour::Drifter, 5)]);
        deal_fish(&mut s, 100);
        assert_eq!(fish_of(&s), 0);
    }
}
