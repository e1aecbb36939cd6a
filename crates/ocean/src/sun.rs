//! The key light, which is the sun or the moon, and the sky; and their light that gets through the surface.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};
use math::smoothstep;

use crate::optics::{REFRACTIVE_INDEX, fresnel};
use crate::{Light, MoonSettings, SkySettings, SunSettings};

/// Apparent diameter of the sun's disc, and the moon's: about half a degree. Unit: rad.
pub const SUN_DIAMETER: f32 = 0.0093;

/// The aureole, forward scattering by the marine aerosol: radiance of its wide lobe, cos^12, and of its narrow one in
/// the middle, over the beam's irradiance. Chosen by eye: 8 % of the beam. Unit: 1/sr.
pub const AUREOLE: Vec2 = Vec2::new(0.11, 1.6);

/// Sharpness of the aureole's narrow lobe, exp(-sharpness (1 - cos)): three degrees. Unit: 1.
pub const AUREOLE_SHARPNESS: f32 = 350.0;

/// Share of the beam that comes from the disc: the aureole has the rest, the integrals of its lobes. Unit: 1.
pub const DISC_SHARE: f32 = 1.0 - TAU * (AUREOLE.x / 13.0 + AUREOLE.y / AUREOLE_SHARPNESS);

/// Optical thickness of the clear vertical atmosphere per channel: Rayleigh plus a light marine aerosol of 0.08.
const ATMOSPHERE: Vec3 = Vec3::new(0.14, 0.18, 0.28);

/// Irradiance of a clear sky when the sun is overhead: blue light scattered out of the beam. Chosen by eye.
const CLEAR_SKY: Vec3 = Vec3::new(0.10, 0.145, 0.235);

/// Irradiance of a moonless night sky, as an eye used to the dark sees it: in truth it is about 1e-8 of a sunlit day's,
/// and neither screen nor eye could hold both. Chosen by eye, bluish as rods see it (Purkinje).
const NIGHT: Vec3 = Vec3::new(0.0022, 0.0030, 0.0048);

/// Height of the sun below which it gives no beam and the moon's is used. Unit: degrees.
pub(super) const MOON_TAKES_OVER_DEG: f32 = -6.0;

/// Height of the sun at which all the moon's light is seen: an eye gets used to the dark. Chosen by eye. Unit: degrees.
pub(super) const MOON_TOOK_OVER_DEG: f32 = -10.0;

/// Length of a day. Unit: s.
const DAY_S: f64 = 86_400.0;

/// Share of diffuse sky light that passes a calm surface (1 - 0.066 for a uniform sky; Preisendorfer 1976).
const SKY_TRANSMITTANCE: f32 = 0.934;

/// Irradiance of the full moon overhead, as the same eye sees it: seven or eight times that of the night sky. In truth
/// it is 2.5e-6 of sunlight and hundreds of times the night sky's; here both are to be seen in one picture.
const MOONLIGHT: Vec3 = Vec3::new(0.016, 0.024, 0.036);

/// Irradiance of an overcast sky when the sun is overhead; grey. Chosen by eye.
const OVERCAST_SKY: f32 = 0.32;

/// Share of the key light that a full overcast takes. Chosen by eye: faint shadows are left.
const OVERCAST_TAKES: f32 = 0.92;

/// Radiance overhead and at the horizon over the mean, of a clear sky and, grey, of an overcast one. Chosen by eye: a
/// clear sky is whiter and brighter at the horizon, an overcast one a little darker there.
const CLEAR_RADIANCE: [Vec3; 2] = [Vec3::new(0.66, 0.78, 0.92), Vec3::new(1.75, 1.55, 1.30)];
const OVERCAST_RADIANCE: [f32; 2] = [1.1, 0.85];

/// Light above and just below the surface: the sun's by day, the moon's by night.
pub fn light(sun: &SunSettings, moon: &MoonSettings, sky: &SkySettings) -> Light {
    let (sun_elevation_deg, sun_azimuth_deg) = position(sun);
    let (toward, clear_irradiance) = if sun_elevation_deg > MOON_TAKES_OVER_DEG {
        (direction(sun_elevation_deg, sun_azimuth_deg), sunlight(sun, sun_elevation_deg))
    } else {
        let seen = smoothstep(MOON_TAKES_OVER_DEG, MOON_TOOK_OVER_DEG, sun_elevation_deg);
        (direction(moon.elevation_deg, moon.azimuth_deg), moonlight(moon) * seen)
    };
    let irradiance = clear_irradiance * (1.0 - OVERCAST_TAKES * sky.cloud_cover);
    let cos_zenith = toward.y.max(0.0);
    let transmitted = 1.0 - fresnel(cos_zenith.max(1e-4), REFRACTIVE_INDEX);

    let is_uniform = sky.uniform_radiance > 0.0;
    let mut sky_irradiance = diffuse_sky(sky, sun_elevation_deg);
    let mean = sky_irradiance / std::f32::consts::PI;
    let radiance = |i: usize| mean * CLEAR_RADIANCE[i].lerp(Vec3::splat(OVERCAST_RADIANCE[i]), sky.cloud_cover);
    let mut radiances = [radiance(0), radiance(1)];
    if is_uniform {
        radiances = [Vec3::splat(sky.uniform_radiance); 2];
        sky_irradiance = radiances[0] * std::f32::consts::PI;
    }
    Light {
        to_key_light_air: toward,
        to_key_light_water: refract_down(toward),
        key_light_irradiance_air: if sun.disc { irradiance } else { Vec3::ZERO },
        key_light_irradiance_water: irradiance * cos_zenith * transmitted,
        sky_irradiance_water: sky_irradiance * SKY_TRANSMITTANCE,
        sky_zenith: radiances[0],
        sky_horizon: radiances[1],
        stars: stars(sun_elevation_deg, sky),
        clouds: if is_uniform { 0.0 } else { sky.clouds },
    }
}

/// Share of day against night: 1 with the sun up, 0 at the end of civil twilight.
pub fn day(sun: &SunSettings) -> f32 {
    day_at(position(sun).0)
}

fn day_at(sun_elevation_deg: f32) -> f32 {
    smoothstep(-6.0, 2.0, sun_elevation_deg)
}

/// Irradiance of the sun through clear air on a surface facing it.
fn sunlight(sun: &SunSettings, elevation_deg: f32) -> Vec3 {
    let through = (-ATMOSPHERE * air_mass(elevation_deg.max(0.0))).exp() / (-ATMOSPHERE).exp();
    // It sets over about three of its diameters, so that the light does not go out at once.
    through * sun.brightness * smoothstep(-0.6, 1.0, elevation_deg)
}

/// Irradiance of the moon through clear air on a surface facing it.
fn moonlight(moon: &MoonSettings) -> Vec3 {
    // The lit share of a moon that is not full is seen at a slant: its light falls faster than its area.
    let lit = moon.phase.powf(1.6) * smoothstep(-0.6, 3.0, moon.elevation_deg);
    MOONLIGHT * lit * moon.brightness
}

/// Irradiance of the sky on a horizontal surface, in air.
fn diffuse_sky(sky: &SkySettings, sun_elevation_deg: f32) -> Vec3 {
    let sine = sun_elevation_deg.to_radians().sin().max(0.0);
    // A clear sky fades slowly as the sun sinks, an overcast one about as fast as the sun's light on the ground.
    let clear = CLEAR_SKY * (0.25 + 0.75 * sine.sqrt());
    let overcast = Vec3::splat(OVERCAST_SKY * (0.1 + 0.9 * sine));
    // The day ends with civil twilight.
    let day = day_at(sun_elevation_deg);
    (clear.lerp(overcast, sky.cloud_cover) * day + NIGHT) * sky.brightness
}

/// Brightness of the stars: the first come out as the sun is 6 degrees down, the faintest at 18; clouds hide them.
fn stars(sun_elevation_deg: f32, sky: &SkySettings) -> f32 {
    if sky.uniform_radiance > 0.0 {
        return 0.0;
    }
    smoothstep(-6.0, -18.0, sun_elevation_deg) * (1.0 - sky.cloud_cover).powi(2) * sky.brightness
}

/// Position of the sun `time_s` seconds after that of the settings: it goes round the celestial pole once a day.
pub fn sun_after(sun: &SunSettings, time_s: f64) -> SunSettings {
    let (elevation_deg, azimuth_deg) = position(sun);
    let latitude = sun.latitude_deg.to_radians();
    // -z is north. About the pole the sky turns from east over south to west.
    let pole = Vec3::new(0.0, latitude.sin(), -latitude.cos());
    let turned = (time_s * f64::from(sun.time_rate) / DAY_S).fract() * std::f64::consts::TAU;
    let toward = Quat::from_axis_angle(pole, -turned as f32) * direction(elevation_deg, azimuth_deg);
    SunSettings {
        elevation_deg: toward.y.clamp(-1.0, 1.0).asin().to_degrees(),
        azimuth_deg: toward.z.atan2(toward.x).to_degrees(),
        by_clock: false,
        ..sun.clone()
    }
}

/// Height of the sun above the horizon. Unit: degrees.
pub(super) fn elevation_deg(sun: &SunSettings) -> f32 {
    position(sun).0
}

/// Elevation and azimuth of the sun in degrees, by its settings.
fn position(sun: &SunSettings) -> (f32, f32) {
    if !sun.by_clock {
        return (sun.elevation_deg, sun.azimuth_deg);
    }
    // Declination within half a degree (Cooper 1969); the hour angle is 0 at noon and 15 degrees an hour.
    let declination = (23.45 * (std::f32::consts::TAU * (284.0 + sun.day as f32) / 365.0).sin()).to_radians();
    let (hour, latitude) = ((15.0 * (sun.time_h - 12.0)).to_radians(), sun.latitude_deg.to_radians());
    let east = -declination.cos() * hour.sin();
    let north = declination.sin() * latitude.cos() - declination.cos() * latitude.sin() * hour.cos();
    let up = declination.sin() * latitude.sin() + declination.cos() * latitude.cos() * hour.cos();
    // +x is east and -z is north.
    (up.clamp(-1.0, 1.0).asin().to_degrees(), (-north).atan2(east).to_degrees())
}

fn direction(elevation_deg: f32, azimuth_deg: f32) -> Vec3 {
    let (elevation, azimuth) = (elevation_deg.to_radians(), azimuth_deg.to_radians());
    Vec3::new(elevation.cos() * azimuth.cos(), elevation.sin(), elevation.cos() * azimuth.sin()).normalize()
}

/// Direction toward the sun as seen under a calm surface (Snell); a sun below the horizon is seen at the window's rim.
fn refract_down(to_key_light_air: Vec3) -> Vec3 {
    let horizontal = Vec3::new(to_key_light_air.x, 0.0, to_key_light_air.z) / REFRACTIVE_INDEX;
    Vec3::new(horizontal.x, (1.0 - horizontal.length_squared()).max(0.0).sqrt(), horizontal.z)
}

/// Relative optical air mass (Kasten & Young 1989); elevation in degrees, 0..=90.
fn air_mass(elevation_deg: f32) -> f32 {
    1.0 / (elevation_deg.to_radians().sin() + 0.505_72 * (elevation_deg + 6.079_95).powf(-1.636_4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(elevation_deg: f32) -> Light {
        light(
            &SunSettings { elevation_deg, ..Default::default() },
            &MoonSettings::default(),
            &SkySettings { cloud_cover: 0.0, ..Default::default() },
        )
    }

    #[test]
    fn stars_come_out_at_night_under_a_clear_sky() {
        assert_eq!([30.0, 0.0, -5.9].map(|elevation| at(elevation).stars), [0.0; 3]);
        assert!(at(-9.0).stars < at(-13.0).stars && at(-20.0).stars == 1.0);
        let sun = SunSettings { elevation_deg: -20.0, ..Default::default() };
        let clouded = SkySettings { cloud_cover: 1.0, ..Default::default() };
        assert_eq!(light(&sun, &MoonSettings::default(), &clouded).stars, 0.0);
    }

    #[test]
    fn a_uniform_sky_has_no_clouds() {
        let clouds = |uniform_radiance| {
            let sky = SkySettings { clouds: 0.4, uniform_radiance, ..Default::default() };
            light(&SunSettings::default(), &MoonSettings::default(), &sky).clouds
        };
        assert_eq!([clouds(0.0), clouds(0.5)], [0.4, 0.0]);
    }

    #[test]
    fn the_sun_bends_toward_the_vertical_and_never_leaves_the_window() {
        for elevation in [5.0, 30.0, 60.0, 89.0] {
            let light = at(elevation);
            assert!((light.to_key_light_water.length() - 1.0).abs() < 1e-5);
            assert!(light.to_key_light_water.y > light.to_key_light_air.y);
            let zenith_angle = light.to_key_light_water.y.acos().to_degrees();
            assert!(zenith_angle < 48.3, "{zenith_angle}");
        }
    }

    #[test]
    fn a_high_sun_is_about_one_and_a_low_sun_is_red() {
        let high = at(90.0).key_light_irradiance_air;
        assert!((high - Vec3::ONE).abs().max_element() < 0.01, "{high}");
        let low = at(5.0).key_light_irradiance_air;
        assert!(low.x > 2.0 * low.z, "{low}");
    }

    #[test]
    fn night_is_dark_but_not_black() {
        let night = at(-30.0);
        assert!(
            night.key_light_irradiance_air.max_element() < 0.05 && night.key_light_irradiance_air.min_element() > 0.0
        );
        assert!(night.to_key_light_air.y > 0.5, "the moon is up");
        assert!(night.sky_irradiance_water.min_element() > 0.0);
        assert!(night.sky_irradiance_water.max_element() < 0.02);
    }

    #[test]
    fn a_new_moon_gives_no_beam() {
        let sun = SunSettings { elevation_deg: -40.0, ..Default::default() };
        let moon = MoonSettings { phase: 0.0, ..Default::default() };
        assert_eq!(light(&sun, &moon, &SkySettings::default()).key_light_irradiance_water, Vec3::ZERO);
    }

    #[test]
    fn disc_and_aureole_share_the_beam() {
        // Even steps of the cosine, fine enough for the narrow lobe.
        let steps = 100_000;
        let aureole: f64 = (0..steps)
            .map(|i| {
                let cos = (f64::from(i) + 0.5) / f64::from(steps);
                let narrow = (-f64::from(AUREOLE_SHARPNESS) * (1.0 - cos)).exp();
                f64::from(AUREOLE.x) * cos.powi(12) + f64::from(AUREOLE.y) * narrow
            })
            .sum::<f64>()
            * f64::from(TAU)
            / f64::from(steps);
        assert!((aureole + f64::from(DISC_SHARE) - 1.0).abs() < 1e-4, "{aureole}");
    }

    #[test]
    fn the_clock_puts_the_sun_where_it_stands() {
        let at = |latitude_deg, day, time_h| {
            position(&SunSettings { by_clock: true, latitude_deg, day, time_h, ..Default::default() })
        };
        let (elevation, _) = at(0.0, 81, 12.0);
        assert!(elevation > 89.0, "equinox at the equator: {elevation}");
        let (elevation, azimuth) = at(50.0, 172, 12.0);
        assert!(
            (elevation - 63.45).abs() < 0.3 && (azimuth - 90.0).abs() < 1.0,
            "south at noon: {elevation} {azimuth}"
        );
        let (elevation, azimuth) = at(20.0, 81, 6.0);
        assert!(elevation.abs() < 0.6 && azimuth.abs() < 1.0, "it rises in the east: {elevation} {azimuth}");
        assert!(at(70.0, 355, 12.0).0 < 0.0, "polar night");
    }

    #[test]
    fn the_sun_goes_round_as_the_clock_says() {
        let sun = SunSettings { by_clock: true, day: 110, time_h: 7.0, time_rate: 1440.0, ..Default::default() };
        for hours in [0.0, 3.5, 8.0, 13.0, 17.0, 24.0] {
            let gone = sun_after(&sun, hours / 24.0 * 60.0);
            let (elevation, azimuth) = position(&SunSettings { time_h: (7.0 + hours as f32) % 24.0, ..sun.clone() });
            let apart = direction(gone.elevation_deg, gone.azimuth_deg).dot(direction(elevation, azimuth));
            assert!(apart > 0.99999, "after {hours} h: {gone:?}, not {elevation} and {azimuth}");
        }
        let still = SunSettings { time_rate: 0.0, ..sun };
        assert!((sun_after(&still, 1e6).elevation_deg - position(&still).0).abs() < 1e-3);
    }

    #[test]
    fn a_uniform_sky_is_uniform() {
        let sky = SkySettings { uniform_radiance: 1.0, ..Default::default() };
        let light = light(&SunSettings { disc: false, ..Default::default() }, &MoonSettings::default(), &sky);
        assert_eq!(
            (light.sky_zenith, light.sky_horizon, light.key_light_irradiance_air),
            (Vec3::ONE, Vec3::ONE, Vec3::ZERO)
        );
        assert!(light.key_light_irradiance_water.min_element() > 0.0, "the beam stays, for caustics");
    }
}
