//! Features that not every scene has.

use ocean::WHITECAP_WIND_M_S;

use crate::RenderScene;

/// Features that not every scene has, and that shaders leave out where they are missing.
///
/// It follows from a scene's settings and is the same at every moment until they change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneFeatures {
    /// Artificial lights.
    pub lights: bool,
    /// A light that casts the shadows, in place of the sun or the moon.
    pub lamp_shadows: bool,
    /// A night sky clear enough for stars.
    pub stars: bool,
    /// White clouds.
    pub clouds: bool,
    /// Waves that break.
    pub foam: bool,
}

impl SceneFeatures {
    /// Features of a scene, by any of its moments.
    pub fn of(scene: &RenderScene) -> Self {
        Self {
            lights: !scene.lights.is_empty(),
            lamp_shadows: scene.shadow_lamp().is_some(),
            // If the day passes, night comes.
            stars: scene.light.stars > 0.0 || scene.day_passes,
            clouds: scene.light.clouds > 0.0,
            foam: scene.waves.wind.length() >= WHITECAP_WIND_M_S,
        }
    }

    /// Whether `other` has nothing that is not here.
    pub fn include(self, other: Self) -> bool {
        self.lights >= other.lights
            && self.lamp_shadows >= other.lamp_shadows
            && self.stars >= other.stars
            && self.clouds >= other.clouds
            && self.foam >= other.foam
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_include_what_they_have_and_less() {
        let none = SceneFeatures::default();
        let all = SceneFeatures { lights: true, lamp_shadows: true, stars: true, clouds: true, foam: true };
        assert!(all.include(none) && all.include(all) && none.include(none) && !none.include(all));
        let lamps = SceneFeatures { lights: true, ..none };
        assert!(!lamps.include(SceneFeatures { lamp_shadows: true, ..lamps }));
    }
}
