//! Height limits over ground and rock of species that live by them (`height_m` of a card or a scene).

use glam::Vec3;

use crate::Habitat;
use crate::animal::{Animal, Species};
use crate::mind::NOBODY;
use crate::settings::ANY_HEIGHT_M;

/// Fear above which an animal ignores its height limits.
const LEAVES_HEIGHT: f32 = 0.3;

/// Eagerness to come down from too high, and sinking speed by the fins. By eye. Units: 1, body lengths/s.
const COMES_DOWN: f32 = 0.9;
const SINKS_BL_S: f32 = 0.35;

/// Height over the upper limit, in addition to the body length, at which that eagerness is greatest. Unit: m.
const TOO_HIGH_M: f32 = 0.3;

impl Species {
    /// Whether there is a height above which it does not go voluntarily.
    pub fn keeps_near_ground(&self) -> bool {
        self.height[1] < ANY_HEIGHT_M
    }

    /// Lowest and highest place, as y, over (x, z) within `height_m`: the surfaces of ground and rock raised by the
    /// least and by the greatest height; unlimited without ground.
    pub fn heights(&self, habitat: &Habitat, x: f32, z: f32) -> (f32, f32) {
        let floor = habitat.floor_m(x, z);
        if !floor.is_finite() {
            return (f32::NEG_INFINITY, f32::INFINITY);
        }
        let over = |height: f32| {
            // Beside rock it keeps closer than above it.
            let beside = 0.5 * height.min(Habitat::REACH_M);
            let rock = habitat.rock_top_m(x, z, beside, 0.0).map_or(f32::NEG_INFINITY, |top| top + height - beside);
            rock.max(floor + height)
        };
        (over(self.height[0]), over(self.height[1]))
    }

    /// Returns `p` clamped to the species' height over ground and rock.
    pub fn near_ground(&self, habitat: &Habitat, p: Vec3) -> Vec3 {
        if !self.keeps_near_ground() {
            return p;
        }
        let (low, high) = self.heights(habitat, p.x, p.z);
        p.with_y(p.y.max(low).min(high))
    }
}

/// Pull on the heading of an animal that is higher than its species keeps; its fins also let it sink.
pub(super) fn come_down(animal: &mut Animal, species: &Species, habitat: &Habitat) -> Vec3 {
    let is_busy = animal.mind.intention.leaves_depths() || animal.mind.other != NOBODY;
    if !species.keeps_near_ground() || is_busy || animal.alarm > LEAVES_HEIGHT {
        return Vec3::ZERO;
    }
    let (_, high) = species.heights(habitat, animal.position.x, animal.position.z);
    let excess = (animal.position.y - high) / (TOO_HIGH_M + animal.length);
    let share = excess.clamp(0.0, 1.0);
    animal.carried.y -= share * SINKS_BL_S * animal.length;
    Vec3::Y * (-COMES_DOWN * share)
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::{HeightMap, LifeSettings, Obstacle};

    #[test]
    fn heights_follow_ground_and_rock_and_stop_beside_it() {
        let floor = HeightMap::sample(Vec2::ZERO, 40.0, 1.0, |_, _| -8.0);
        let rock = Obstacle { center: Vec3::new(0.0, -8.0, 0.0), radii: Vec3::new(1.0, 3.0, 1.0) };
        let habitat = Habitat::new(Some(floor), vec![rock]);
        let settings = LifeSettings { height_m: [0.2, 1.5], ..LifeSettings::default() };
        let tang = Species::new(&settings, 0..1);
        let at = |x: f32, y: f32| tang.near_ground(&habitat, Vec3::new(x, y, 0.0)).y;
        assert!((at(20.0, -3.0) - -6.5).abs() < 1e-3, "over the sand: {}", at(20.0, -3.0));
        assert!((at(0.0, -1.0) - -3.5).abs() < 1e-3, "over the rock: {}", at(0.0, -1.0));
        assert_eq!(at(1.4, -6.0), -6.0, "beside it");
        assert!((at(20.0, -7.95) - -7.8).abs() < 1e-3, "off the sand: {}", at(20.0, -7.95));
        let anywhere = Species::new(&LifeSettings::default(), 0..1);
        assert_eq!(anywhere.near_ground(&habitat, Vec3::new(20.0, -1.0, 0.0)).y, -1.0);
        assert!(!anywhere.keeps_near_ground() && tang.keeps_near_ground());
        let bottomless = Habitat::default();
        assert_eq!(tang.near_ground(&bottomless, Vec3::new(20.0, -3.0, 0.0)).y, -3.0, "no ground, no height over it");
    }
}
