//! The sun and the sky above, and what of them gets through the surface.

use glam::Vec3;

use crate::ocean::optics::{REFRACTIVE_INDEX, fresnel};
use crate::ocean::{Light, SkySettings, SunSettings};

/// Optical thickness of the clear vertical atmosphere per channel: Rayleigh plus a light marine aerosol of 0.08.
const ATMOSPHERE: Vec3 = Vec3::new(0.14, 0.18, 0.28);

/// Diffuse share of a clear sky's irradiance when the sun is high, per channel: blue light scattered out of the beam.
const SKY_SHARE: Vec3 = Vec3::new(0.10, 0.145, 0.235);

/// Irradiance of a moonlit night over a sunlit day would be 2e-6; the eye adapts, so the night is shown at this share.
const NIGHT: Vec3 = Vec3::new(0.0022, 0.0030, 0.0048);

/// Share of diffuse sky light that passes a calm surface (1 - 0.066 for a uniform sky; Preisendorfer 1976).
const SKY_TRANSMITTANCE: f32 = 0.934;

/// Light above and just below the surface.
pub fn light(sun: &SunSettings, sky: &SkySettings) -> Light {
    let (elevation, azimuth) = (sun.elevation_deg.to_radians(), sun.azimuth_deg.to_radians());
    let to_sun_air =
        Vec3::new(elevation.cos() * azimuth.cos(), elevation.sin(), elevation.cos() * azimuth.sin()).normalize();
    let day = smooth_step(-6.0, 2.0, sun.elevation_deg);
    let clear = 1.0 - 0.92 * sky.cloud_cover;

    let beam = (-ATMOSPHERE * air_mass(sun.elevation_deg.max(0.0))).exp() / (-ATMOSPHERE).exp();
    let sun_irradiance_air = beam * sun.brightness * clear * smooth_step(-0.6, 1.0, sun.elevation_deg);

    let cos_sun = to_sun_air.y.max(0.0);
    let diffuse = SKY_SHARE * (0.25 + 0.75 * cos_sun.sqrt()) * day;
    let overcast = Vec3::splat(0.32) * (0.1 + 0.9 * cos_sun) * day;
    let sky_irradiance = (diffuse.lerp(overcast, sky.cloud_cover) + NIGHT) * sky.brightness;

    // A horizon brighter than the zenith, with the mean radiance that the irradiance asks for.
    let mean = sky_irradiance / std::f32::consts::PI;
    let sky_zenith = mean * Vec3::new(0.66, 0.78, 0.92).lerp(Vec3::splat(1.1), sky.cloud_cover);
    let sky_horizon = mean * Vec3::new(1.75, 1.55, 1.30).lerp(Vec3::splat(0.85), sky.cloud_cover);

    let to_sun_water = refract_down(to_sun_air);
    let transmitted = 1.0 - fresnel(cos_sun.max(1e-4), REFRACTIVE_INDEX);
    Light {
        to_sun_air,
        to_sun_water,
        sun_irradiance_air,
        sun_irradiance_water: sun_irradiance_air * cos_sun * transmitted,
        sky_irradiance_water: sky_irradiance * SKY_TRANSMITTANCE,
        sky_zenith,
        sky_horizon,
    }
}

/// Direction toward the sun as seen under a calm surface (Snell); a sun below the horizon is seen at the window's rim.
fn refract_down(to_sun_air: Vec3) -> Vec3 {
    let horizontal = Vec3::new(to_sun_air.x, 0.0, to_sun_air.z) / REFRACTIVE_INDEX;
    Vec3::new(horizontal.x, (1.0 - horizontal.length_squared()).max(0.0).sqrt(), horizontal.z)
}

/// Relative optical air mass (Kasten & Young 1989); elevation in degrees, 0..=90.
fn air_mass(elevation_deg: f32) -> f32 {
    1.0 / (elevation_deg.to_radians().sin() + 0.505_72 * (elevation_deg + 6.079_95).powf(-1.636_4))
}

fn smooth_step(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(elevation_deg: f32) -> Light {
        light(
            &SunSettings { elevation_deg, ..Default::default() },
            &SkySettings { cloud_cover: 0.0, ..Default::default() },
        )
    }

    #[test]
    fn the_sun_bends_toward_the_vertical_and_never_leaves_the_window() {
        for elevation in [5.0, 30.0, 60.0, 89.0] {
            let light = at(elevation);
            assert!((light.to_sun_water.length() - 1.0).abs() < 1e-5);
            assert!(light.to_sun_water.y > light.to_sun_air.y);
            let zenith_angle = light.to_sun_water.y.acos().to_degrees();
            assert!(zenith_angle < 48.3, "{zenith_angle}");
        }
    }

    #[test]
    fn a_high_sun_is_about_one_and_a_low_sun_is_red() {
        let high = at(90.0).sun_irradiance_air;
        assert!((high - Vec3::ONE).abs().max_element() < 0.01, "{high}");
        let low = at(5.0).sun_irradiance_air;
        assert!(low.x > 2.0 * low.z, "{low}");
    }

    #[test]
    fn night_is_dark_but_not_black() {
        let night = at(-30.0);
        assert_eq!(night.sun_irradiance_air, Vec3::ZERO);
        assert!(night.sky_irradiance_water.min_element() > 0.0);
        assert!(night.sky_irradiance_water.max_element() < 0.02);
    }
}
