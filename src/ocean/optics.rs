//! From a water type's spectra to three channels, and the closed forms that the shaders repeat.

use glam::Vec3;

use crate::ocean::observer::equivalent;
use crate::ocean::scattering::backscattering;
use crate::ocean::water_types::WaterSpectra;
use crate::ocean::{Medium, PhaseTable, WaterSettings};

/// Index of refraction of sea water at 550 nm, 20 °C, 35 psu (Quan & Fry 1995). Unit: 1.
pub const REFRACTIVE_INDEX: f32 = 1.340_79;

/// Optical properties of the water that the settings name.
pub fn medium(settings: &WaterSettings) -> Medium {
    let (absorption, scattering, diffuse_attenuation) = match settings.kind.spectra() {
        Some(spectra) => coefficients(spectra, settings.turbidity, settings.particles),
        None => {
            let absorption = Vec3::from(settings.absorption) * settings.turbidity;
            let scattering = Vec3::from(settings.scattering) * (settings.turbidity * settings.particles);
            // Gordon 1989: Kd of a high sun from absorption and backscattering.
            (absorption, scattering, 1.0395 / 0.85 * (absorption + backscattering(scattering)))
        }
    };
    let phase = PhaseTable::broadened(settings.asymmetry);
    Medium { asymmetry: settings.asymmetry, absorption, scattering, diffuse_attenuation, phase }
}

/// Absorption, scattering and diffuse attenuation, 1/m.
fn coefficients(water: &WaterSpectra, turbidity: f32, particles: f32) -> (Vec3, Vec3, Vec3) {
    let absorption = equivalent(&water.absorption) * turbidity;
    let scattering = equivalent(&water.scattering) * (turbidity * particles);
    // Jerlov's type I falls below what absorption alone allows (Austin & Petzold 1986): Kd cannot be less than a.
    let diffuse_attenuation = (equivalent(&water.diffuse_attenuation) * turbidity).max(absorption);
    // What Kd is above absorption is what particles throw back (Gordon 1989).
    let diffuse_attenuation = absorption + particles * (diffuse_attenuation - absorption);
    (absorption, scattering, diffuse_attenuation)
}

/// Share of light left after `distance_m` along a beam (Beer, Lambert). `attenuation` is a + b in 1/m.
pub fn transmittance(attenuation: Vec3, distance_m: f32) -> Vec3 {
    (-attenuation * distance_m).exp()
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
    use crate::ocean::WaterType;

    #[test]
    fn transmittance_multiplies_over_distance() {
        let c = Vec3::new(0.4, 0.19, 0.17);
        let whole = transmittance(c, 7.0);
        let parts = transmittance(c, 3.0) * transmittance(c, 4.0);
        assert!((whole - parts).length() < 1e-6);
    }

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

    #[test]
    fn every_type_is_positive_and_kd_is_at_least_absorption() {
        let schema = serde_json::to_value(schemars::schema_for!(WaterType)).expect("a schema is JSON");
        let names = schema["oneOf"].as_array().expect("every type has a doc").iter().map(|row| row["const"].clone());
        let types: Vec<WaterType> = names.map(|name| serde_json::from_value(name).expect("its own name")).collect();
        assert_eq!(types.len(), 11);
        for kind in types {
            let Medium { absorption, scattering, diffuse_attenuation, .. } =
                medium(&WaterSettings { kind, ..Default::default() });
            assert!(absorption.min_element() > 0.0 && scattering.min_element() > 0.0, "{kind}");
            assert!((diffuse_attenuation - absorption).min_element() >= 0.0, "{kind}");
        }
    }

    #[test]
    fn clear_ocean_is_blue_and_harbours_are_not() {
        let attenuation = |kind| medium(&WaterSettings { kind, ..Default::default() }).diffuse_attenuation;
        let ocean = attenuation(WaterType::I);
        assert!(ocean.z < ocean.y && ocean.y < ocean.x);
        let harbour = attenuation(WaterType::Coastal7);
        assert!(harbour.y < harbour.z);
    }

    #[test]
    fn own_water_is_what_the_scene_says() {
        let own = WaterSettings {
            kind: WaterType::Own,
            absorption: [0.3, 0.2, 0.1],
            scattering: [0.4, 0.5, 0.6],
            asymmetry: 0.8,
            ..Default::default()
        };
        let medium = medium(&own);
        assert!((medium.attenuation() - Vec3::splat(0.7)).abs().max_element() < 1e-6);
        assert!((medium.diffuse_attenuation - medium.absorption).min_element() > 0.0);
    }

    #[test]
    fn fewer_particles_scatter_less_and_absorb_as_much() {
        let usual = medium(&WaterSettings::default());
        let settled = medium(&WaterSettings { particles: 0.5, ..Default::default() });
        assert_eq!(settled.absorption, usual.absorption);
        assert!((settled.scattering - 0.5 * usual.scattering).length() < 1e-6);
        let thrown_back = |m: &Medium| m.diffuse_attenuation - m.absorption;
        assert!((thrown_back(&settled) - 0.5 * thrown_back(&usual)).length() < 1e-6);
    }

    #[test]
    fn turbidity_scales_all() {
        let one = medium(&WaterSettings::default());
        let two = medium(&WaterSettings { turbidity: 2.0, ..Default::default() });
        assert!((two.attenuation() - 2.0 * one.attenuation()).length() < 1e-6);
    }
}
