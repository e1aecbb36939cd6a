//! What becomes of the light that the water scatters: the numbers that the shaders' formulae take, each with its source
//! or by what it was chosen.

use glam::Vec3;

use crate::ocean::{Light, Medium, SCATTERING_ORDERS};

/// Wavelengths that the red, the green and the blue channel stand for where one of each must do. Unit: nm.
pub const CHANNEL_WAVELENGTHS_NM: Vec3 = Vec3::new(605.0, 540.0, 450.0);

/// Index of refraction of sea water at [`CHANNEL_WAVELENGTHS_NM`], 20 °C, 35 psu (Quan & Fry 1995). Unit: 1.
pub const CHANNEL_REFRACTIVE_INDICES: Vec3 = Vec3::new(1.338_92, 1.341_18, 1.345_86);

/// Scattering by the water's own molecules at [`CHANNEL_WAVELENGTHS_NM`]: 0.005826 (400 nm / wavelength)^4.322 (Haltrin
/// 1999). Unit: 1/m.
const MOLECULAR_SCATTERING: Vec3 = Vec3::new(0.000_97, 0.001_59, 0.003_50);

/// Phase function of the molecules at a right angle, and by how much it rises forward and backward as a share of that:
/// p = 0.0623 (1 + 0.835 cos²) (Einstein & Smoluchowski; Morel 1974, depolarisation 0.09). Units: 1/sr and 1.
pub const MOLECULAR_PHASE: (f32, f32) = (0.0623, 0.835);

/// Share of what the particles scatter that goes backward: that of Petzold's average particle (Mobley 1994: 0.0183), the
/// same whose asymmetry is [`ASYMMETRY`](crate::ocean::ASYMMETRY). Unit: 1.
pub const BACKSCATTER_SHARE: f32 = 0.018;

/// Share of the scattered light that stays so near its ray that it keeps up the path radiance. Petzold measured 0.9
/// within 30 degrees; this is a little less, by eye. Unit: 1.
const FORWARD_SHARE: f32 = 0.88;

/// Scalar over downwelling irradiance of the sky's light in the water. A uniform sky fills Snell's cone, whose mean
/// cosine is 0.83. Unit: 1.
pub const SKY_SCALAR_IRRADIANCE: f32 = 1.2;

/// How much more of the sky's light particles scatter toward an eye that looks straight up than to one that looks
/// level, as a share: they scatter forward, and that light comes from above. Chosen by eye. Unit: 1.
pub const SKY_FORWARD_RISE: f32 = 0.4;

/// Irradiance of the light that particles scatter about, on a surface that looks up, over the downwelling irradiance and
/// the single-scattering albedo b / c. Chosen by eye, for shaded sides that are dim but not black. Unit: 1.
const AMBIENT_GAIN: f32 = 0.22;

/// By how much more of that light, and of the sky's, falls on an upright surface that looks toward the key light than on
/// one across it, where the key light is all there is. Chosen by eye. Unit: 1.
pub const AMBIENT_TOWARD_KEY_LIGHT: f32 = 0.8;

/// Irradiance reflectance of deep water: R = 0.33 bb / a (Gordon, Brown & Jacobs 1975). Unit: 1.
const REFLECTANCE_FACTOR: f32 = 0.33;

/// Share of the light from the mean ground that falls on a surface that looks down: what stands there takes some.
/// Chosen by eye. Unit: 1.
pub const GROUND_LIGHT_SHARE: f32 = 0.75;

/// Share of the scattered light that leaves the caustics' sharp bundles; the rest goes on with them. Chosen by eye, by the
/// depth at which caustics fade out. Unit: 1.
const BEAM_BLUR_SHARE: f32 = 0.18;

/// Attenuation lengths over which light shafts and beams are followed: 5 % is left. Unit: 1.
const SHAFT_LENGTHS: f32 = 3.0;
/// They are followed no farther than this in the clearest water, or the steps of the march would be seen. Unit: m.
const LONGEST_SHAFT_M: f32 = 30.0;

impl Medium {
    /// Beam attenuation c = a + b. Unit: 1/m.
    pub fn attenuation(&self) -> Vec3 {
        self.absorption + self.scattering
    }

    /// Of the scattering, that by the water's own molecules. Unit: 1/m.
    pub fn molecular_scattering(&self) -> Vec3 {
        MOLECULAR_SCATTERING.min(self.scattering)
    }

    /// Backscattering bb: half of what molecules scatter, and little of what particles do. Unit: 1/m.
    pub fn backscattering(&self) -> Vec3 {
        backscattering(self.scattering)
    }

    /// What a ray's path radiance loses: what is scattered a little forward out of the ray is replaced by its
    /// neighbours' (Akkaynak & Treibitz 2018: the coefficients of the direct signal and of backscatter differ).
    /// Unit: 1/m.
    pub fn path_attenuation(&self) -> Vec3 {
        self.attenuation() - FORWARD_SHARE * self.scattering
    }

    /// Share of the irradiance just below the surface that is left at a depth (m): exp(-Kd depth). Unit: 1.
    pub fn downwelling(&self, depth_m: f32) -> Vec3 {
        (-self.diffuse_attenuation * depth_m.max(0.0)).exp()
    }

    /// Asymmetry g after several scatterings. Unit: 1.
    pub fn broadened_asymmetry(&self) -> f32 {
        self.asymmetry.powi(SCATTERING_ORDERS)
    }

    /// Irradiance on a surface that looks up, by light that the water scatters about, over the downwelling one. Unit: 1.
    pub fn ambient_share(&self) -> Vec3 {
        AMBIENT_GAIN * self.scattering / self.attenuation()
    }

    /// Irradiance that the deep water sends up over the downwelling one. Unit: 1.
    pub fn reflectance(&self) -> Vec3 {
        REFLECTANCE_FACTOR * self.backscattering() / self.absorption.max(Vec3::splat(1e-3))
    }

    /// How fast forward scattering blurs away a beam that is `path` metres long for each metre of depth. Unit: 1/m of depth.
    pub fn beam_blur(&self, path: f32) -> f32 {
        BEAM_BLUR_SHARE * self.scattering.y * path
    }

    /// How far light shafts and beams are followed. Unit: m.
    pub fn shaft_reach_m(&self) -> f32 {
        (SHAFT_LENGTHS / self.attenuation().min_element().max(1e-3)).min(LONGEST_SHAFT_M)
    }
}

/// Backscattering of water that scatters so much. Unit: 1/m.
pub fn backscattering(scattering: Vec3) -> Vec3 {
    let molecular = MOLECULAR_SCATTERING.min(scattering);
    0.5 * molecular + BACKSCATTER_SHARE * (scattering - molecular)
}

impl Light {
    /// Length of the refracted beam for each metre of depth: at most 1.5, at the rim of Snell's window. Held where there is no
    /// light and so no direction. Unit: 1.
    pub fn key_light_path(&self) -> f32 {
        1.0 / self.to_key_light_water.y.max(0.2)
    }

    /// Irradiance on a horizontal surface just below the sea, of key light and sky together.
    pub fn irradiance_water(&self) -> Vec3 {
        self.key_light_irradiance_water + self.sky_irradiance_water
    }

    /// Irradiance that the mean ground sends up; none where there is no ground, at an infinite depth.
    pub fn ground_bounce(&self, medium: &Medium, reflectance: Vec3, depth_m: f32) -> Vec3 {
        if depth_m.is_finite() {
            reflectance * self.irradiance_water() * medium.downwelling(depth_m)
        } else {
            Vec3::ZERO
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ocean::{self, REFRACTIVE_INDEX, WaterSettings};

    #[test]
    fn molecules_scatter_as_haltrin_says() {
        let formula = (CHANNEL_WAVELENGTHS_NM / 400.0).map(|ratio| 0.005_826 * ratio.powf(-4.322));
        assert!((MOLECULAR_SCATTERING / formula - Vec3::ONE).abs().max_element() < 0.01, "{formula}");
        // Over the sphere their phase function sums to 1.
        let (sideways, rise) = MOLECULAR_PHASE;
        assert!((4.0 * std::f32::consts::PI * sideways * (1.0 + rise / 3.0) - 1.0).abs() < 2e-3);
    }

    #[test]
    fn red_is_bent_least() {
        let n = CHANNEL_REFRACTIVE_INDICES;
        assert!(n.x < REFRACTIVE_INDEX && REFRACTIVE_INDEX < n.y && n.y < n.z, "550 nm lies between red and green");
    }

    #[test]
    fn snells_cone_has_the_mean_cosine_that_the_sky_is_given() {
        let cos_rim = (1.0 - REFRACTIVE_INDEX.powi(-2)).sqrt();
        let mean = 0.5 * (1.0 + cos_rim);
        assert!((1.0 / mean / SKY_SCALAR_IRRADIANCE - 1.0).abs() < 0.01, "{mean}");
    }

    #[test]
    fn clear_water_sends_up_a_few_percent_of_blue_and_no_red() {
        let reflectance = ocean::medium(&WaterSettings::default()).reflectance();
        assert!((0.01..0.08).contains(&reflectance.z) && reflectance.x < 0.01, "{reflectance}");
    }

    #[test]
    fn no_ground_sends_nothing_up() {
        let (light, medium) = (Light { sky_irradiance_water: Vec3::ONE, ..Light::default() }, Medium::default());
        assert_eq!(light.ground_bounce(&medium, Vec3::ONE, f32::INFINITY), Vec3::ZERO);
        assert_eq!(light.ground_bounce(&medium, Vec3::ONE, 3.0), Vec3::ONE);
    }
}
