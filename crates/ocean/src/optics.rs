//! Optical properties of the water, wavelength by wavelength, and Fresnel's reflectance.

use glam::Vec3;

use crate::WaterSettings;
use crate::observer::{at_wavelength, channel_weights, samples_nm};
use crate::types::{Light, Medium, SAMPLES, Sample};
use crate::water_types::WaterSpectra;

/// Index of refraction of sea water at 550 nm, 20 °C, 35 psu (Quan & Fry 1995). Unit: 1.
pub const REFRACTIVE_INDEX: f32 = 1.340_79;

/// Wavelengths that represent the red, the green and the blue channel by one each. Unit: nm.
pub const CHANNEL_WAVELENGTHS_NM: Vec3 = Vec3::new(605.0, 540.0, 450.0);

/// Index of refraction of sea water at [`CHANNEL_WAVELENGTHS_NM`], 20 °C, 35 psu (Quan & Fry 1995). Unit: 1.
pub const CHANNEL_REFRACTIVE_INDICES: Vec3 = Vec3::new(1.338_92, 1.341_18, 1.345_86);

/// Wavelength at which an eye used to daylight is most sensitive (CIE 1924). Unit: nm.
const EYE_PEAK_NM: f32 = 555.0;

/// Beam attenuation lengths at which a black disc is just lost to sight, seen level (Zaneveld & Pegau 2003, Opt.
/// Express 11:2997). Unit: 1.
pub const VISIBILITY_LENGTHS: f32 = 4.8;

/// Absorption, scattering and molecular scattering of the settings' type at the eye's peak, without their factors; for
/// `own` water those of green. Unit: 1/m.
fn at_eye_peak(settings: &WaterSettings) -> [f32; 3] {
    let (nm, absorption, scattering) = match settings.kind.spectra() {
        Some(WaterSpectra { absorption, scattering, .. }) => {
            (EYE_PEAK_NM, at_wavelength(absorption, EYE_PEAK_NM), at_wavelength(scattering, EYE_PEAK_NM))
        }
        None => (CHANNEL_WAVELENGTHS_NM.y, settings.absorption[1], settings.scattering[1]),
    };
    [absorption, scattering, molecular_scattering(nm)]
}

impl WaterSettings {
    /// Factors on attenuation and on scattering: `turbidity` and `particles`, or those that give `visibility_m`.
    fn factors(&self) -> (f32, f32) {
        if self.visibility_m <= 0.0 {
            return (self.turbidity, self.particles);
        }
        let [absorption, scattering, molecular] = at_eye_peak(self);
        let left_to_scatter = VISIBILITY_LENGTHS / self.visibility_m - absorption;
        (1.0, left_to_scatter.max(molecular.min(scattering)) / scattering.max(1e-6))
    }

    /// Horizontal visibility of a black disc, 4.8 / c at the eye's peak. Unit: m.
    pub fn black_disc_m(&self) -> f32 {
        let [absorption, scattering, _] = at_eye_peak(self);
        let (turbidity, particles) = self.factors();
        VISIBILITY_LENGTHS / (turbidity * (absorption + scattering * particles)).max(1e-4)
    }

    /// Greatest `visibility_m` possible in water of this type: with nothing adrift in it. Unit: m.
    pub fn clearest_m(&self) -> f32 {
        Self { visibility_m: f32::INFINITY, ..*self }.black_disc_m()
    }
}

/// Optical properties of the water that the settings name.
pub fn medium(settings: &WaterSettings) -> Medium {
    let (turbidity, particles) = settings.factors();
    let sample = |nm: f32, weight: Vec3, absorption: f32, scattering: f32| {
        let scattering = scattering * turbidity * particles;
        let molecular = molecular_scattering(nm).min(scattering);
        Sample { weight, absorption: absorption * turbidity, scattering, molecular }
    };
    let mut samples = [Sample::default(); SAMPLES];
    match settings.kind.spectra() {
        Some(WaterSpectra { absorption, scattering, .. }) => {
            let (weights, nanometres) = (channel_weights(), samples_nm());
            samples = std::array::from_fn(|i| {
                let nm = nanometres[i];
                sample(nm, weights[i], at_wavelength(absorption, nm), at_wavelength(scattering, nm))
            });
        }
        None => {
            for (channel, nm) in CHANNEL_WAVELENGTHS_NM.to_array().into_iter().enumerate() {
                let weight = Vec3::AXES[channel];
                samples[channel] = sample(nm, weight, settings.absorption[channel], settings.scattering[channel]);
            }
        }
    }
    Medium {
        asymmetry: settings.asymmetry,
        inscatter: settings.inscatter,
        black_disc_m: settings.black_disc_m(),
        samples,
    }
}

/// Scattering by the water's own molecules: 0.005826 (400 nm / wavelength)^4.322 (Haltrin 1999). Unit: 1/m.
fn molecular_scattering(nm: f32) -> f32 {
    0.005_826 * (nm / 400.0).powf(-4.322)
}

/// Share of the scattered light counted with the key light's beam that has left the caustics' sharp bundles: scattered
/// by more than about 1.5 degrees, for Petzold's average particle. Unit: 1.
const BEAM_BLUR_SHARE: f32 = 0.18;

/// Attenuation lengths over which light shafts and beams are followed: 5 % is left. Unit: 1.
const SHAFT_LENGTHS: f32 = 3.0;
/// Greatest reach of light shafts in the clearest water, beyond which the steps of the march would be seen. Unit: m.
const LONGEST_SHAFT_M: f32 = 30.0;

impl Medium {
    /// Rate at which forward scattering blurs a beam `path` metres long for each metre of depth. Unit: 1/m of depth.
    pub fn beam_blur(&self, path: f32) -> f32 {
        BEAM_BLUR_SHARE * self.mean(|sample| sample.scattering).y * path
    }

    /// Reach to which light shafts and beams are followed. Unit: m.
    pub fn shaft_reach_m(&self) -> f32 {
        (SHAFT_LENGTHS / self.mean(Sample::attenuation).min_element().max(1e-3)).min(LONGEST_SHAFT_M)
    }
}

impl Light {
    /// Length of the refracted beam for each metre of depth: at most 1.5, at the rim of Snell's window. Clamped where
    /// there is no light and so no direction. Unit: 1.
    pub fn key_light_path(&self) -> f32 {
        1.0 / self.to_key_light_water.y.max(0.2)
    }
}

/// Unpolarised Fresnel reflectance of a smooth interface; `eta` is the index of the far side over the near side.
pub fn fresnel(cos_incident: f32, eta: f32) -> f32 {
    let sin2_transmitted = (1.0 - cos_incident * cos_incident) / (eta * eta);
    if sin2_transmitted >= 1.0 {
        return 1.0;
    }
    let cos_transmitted = (1.0 - sin2_transmitted).sqrt();
    let s = (cos_incident - eta * cos_transmitted) / (cos_incident + eta * cos_transmitted);
    let p = (cos_transmitted - eta * cos_incident) / (cos_transmitted + eta * cos_incident);
    0.5 * (s * s + p * p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaterType;

    #[test]
    fn fresnel_has_its_known_limits() {
        let r0 = fresnel(1.0, REFRACTIVE_INDEX);
        assert!((r0 - 0.0211).abs() < 2e-4, "{r0}");
        assert!((fresnel(0.0, REFRACTIVE_INDEX) - 1.0).abs() < 1e-5);
        let critical = (1.0f32 / REFRACTIVE_INDEX).asin();
        assert!((critical.to_degrees() - 48.23).abs() < 0.05);
        assert!((fresnel((critical + 0.01).cos(), 1.0 / REFRACTIVE_INDEX) - 1.0).abs() < 1e-6);
        assert!(fresnel((critical - 0.05).cos(), 1.0 / REFRACTIVE_INDEX) < 0.5);
    }

    fn of(kind: WaterType) -> Medium {
        medium(&WaterSettings { kind, ..Default::default() })
    }

    #[test]
    fn every_type_absorbs_and_scatters_more_than_its_molecules() {
        let schema = serde_json::to_value(schemars::schema_for!(WaterType)).expect("a schema is JSON");
        let names = schema["oneOf"].as_array().expect("every type has a doc").iter().map(|row| row["const"].clone());
        let types: Vec<WaterType> = names.map(|name| serde_json::from_value(name).expect("its own name")).collect();
        assert_eq!(types.len(), 11);
        for kind in types {
            for Sample { weight, absorption, scattering, molecular } in of(kind).samples {
                assert!(
                    weight == Vec3::ZERO || (absorption > 0.0 && scattering >= molecular && molecular > 0.0),
                    "{kind}"
                );
            }
        }
    }

    #[test]
    fn clear_ocean_is_blue_and_harbours_are_not() {
        let ocean = of(WaterType::I).transmittance(10.0);
        assert!(ocean.z > ocean.y && ocean.y > ocean.x);
        let harbour = of(WaterType::Coastal7).transmittance(1.0);
        assert!(harbour.y > harbour.z);
    }

    #[test]
    fn red_is_bent_least() {
        let n = CHANNEL_REFRACTIVE_INDICES;
        assert!(n.x < REFRACTIVE_INDEX && REFRACTIVE_INDEX < n.y && n.y < n.z, "550 nm lies between red and green");
    }

    #[test]
    fn own_water_is_what_the_scene_says() {
        let own = medium(&WaterSettings {
            kind: WaterType::Own,
            absorption: [0.3, 0.2, 0.1],
            scattering: [0.4, 0.5, 0.6],
            asymmetry: 0.8,
            ..Default::default()
        });
        assert!((own.transmittance(2.0) - Vec3::splat((-1.4f32).exp())).abs().max_element() < 1e-6);
    }

    #[test]
    fn fewer_particles_scatter_less_and_absorb_as_much() {
        let usual = medium(&WaterSettings::default());
        let settled = medium(&WaterSettings { particles: 0.5, ..Default::default() });
        assert_eq!(settled.mean(|s| s.absorption), usual.mean(|s| s.absorption));
        assert!((settled.mean(|s| s.scattering) - 0.5 * usual.mean(|s| s.scattering)).length() < 1e-6);
    }

    #[test]
    fn every_type_says_how_far_one_sees_in_it() {
        let schema = serde_json::to_value(schemars::schema_for!(WaterType)).expect("a schema is JSON");
        let rows = schema["oneOf"].as_array().expect("every type has a doc");
        for kind in WaterType::JERLOV {
            let row = rows.iter().find(|row| row["const"] == kind.to_string().as_str()).expect("its row");
            let doc = row["description"].as_str().expect("a doc");
            let (_, said) = doc.split_once("one sees ").expect("its visibility");
            let said: f32 = said.trim_end_matches(" m.").parse().expect("a number");
            let seen = WaterSettings { kind, ..Default::default() }.black_disc_m();
            assert!((seen / said - 1.0).abs() < 0.03, "{kind}: {doc} where it is {seen}");
        }
    }

    #[test]
    fn a_visibility_that_is_asked_for_is_had() {
        for kind in [WaterType::IA, WaterType::II, WaterType::Coastal3, WaterType::Own] {
            let asked = WaterSettings { kind, visibility_m: 8.0, turbidity: 3.0, ..Default::default() };
            assert!((asked.black_disc_m() - 8.0).abs() < 1e-3, "{kind}");
            let c = medium(&asked).mean(Sample::attenuation).y;
            assert!((VISIBILITY_LENGTHS / c / 8.0 - 1.0).abs() < 0.15, "{kind}: green is about the eye's peak");
        }
        let clear = WaterSettings { kind: WaterType::Coastal1, visibility_m: 70.0, ..Default::default() };
        assert!(
            clear.black_disc_m() < 55.0 && clear.black_disc_m() == clear.clearest_m(),
            "absorption permits no more"
        );
    }

    #[test]
    fn a_secchi_disc_is_lost_before_half_of_the_daylight_scale() {
        let light = crate::light(&Default::default(), &Default::default(), &Default::default());
        let depth = |kind| {
            let water = WaterSettings { kind, ..Default::default() };
            crate::Daylight::new(&medium(&water), &light).secchi_m(&water)
        };
        // Poole and Atkins: about 1.7 / Kd, from coasts (Kd 0.19 at 550 nm) to the clear ocean, within a factor.
        let (clear, green) = (depth(WaterType::IB), depth(WaterType::Coastal3));
        assert!(clear > 20.0 && clear < 45.0, "{clear}");
        assert!(green > 4.5 && green < 14.0, "{green}");
    }

    #[test]
    fn turbidity_scales_all() {
        let (one, two) = (of(WaterType::IB), medium(&WaterSettings { turbidity: 2.0, ..Default::default() }));
        assert!((two.transmittance(3.0) - one.transmittance(6.0)).length() < 1e-6);
    }
}
