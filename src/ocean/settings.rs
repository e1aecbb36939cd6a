//! What a scene file may say about the water, the waves, the sun, the sky and the current.

use serde::{Deserialize, Serialize};

use crate::ocean::{ASYMMETRY, WaterType};

/// `[water]`: the medium.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WaterSettings {
    /// Jerlov water type, or `own` for the coefficients given here.
    #[serde(rename = "type")]
    pub kind: WaterType,
    /// Factor on in-scattered light; 0 leaves attenuation alone. Range 0..=4.
    pub inscatter: f32,
    /// Factor on attenuation and scattering together: more or less of the same water. Range 0..=10.
    pub turbidity: f32,
    /// Factor on scattering alone: less where what drifts in the water has settled. Range 0..=4.
    pub particles: f32,
    /// Asymmetry g, the mean cosine of the particles' phase function. Range -0.99..=0.99.
    pub asymmetry: f32,
    /// Absorption of `own` water, linear RGB. Unit: 1/m. Range 0.001..=20 each.
    pub absorption: [f32; 3],
    /// Scattering of `own` water, linear RGB. Unit: 1/m. Range 0..=20 each.
    pub scattering: [f32; 3],
}

impl Default for WaterSettings {
    fn default() -> Self {
        Self {
            kind: WaterType::IB,
            inscatter: 1.0,
            turbidity: 1.0,
            particles: 1.0,
            asymmetry: ASYMMETRY,
            absorption: [0.217, 0.066, 0.040],
            scattering: [0.117, 0.123, 0.135],
        }
    }
}

/// `[waves]`: the surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WavesSettings {
    /// Wind speed at 10 m. Unit: m/s. Range 0..=30; 0 is a flat sea.
    pub wind_m_s: f32,
    /// Where the wind blows to, from +x toward +z. Unit: degrees. Range -360..=360.
    pub direction_deg: f32,
    /// Length of open water upwind. Unit: km. Range 0..=2000; more than 0 where there is wind.
    pub fetch_km: f32,
    /// Significant height of the swell. Unit: m. Range 0..=10.
    pub swell_height_m: f32,
    /// Peak period of the swell. Unit: s. Range 3..=20.
    pub swell_period_s: f32,
    /// Horizontal displacement over Gerstner's. Range 0..=1.5.
    pub choppiness: f32,
}

impl Default for WavesSettings {
    fn default() -> Self {
        Self {
            wind_m_s: 4.0,
            direction_deg: 30.0,
            fetch_km: 20.0,
            swell_height_m: 0.2,
            swell_period_s: 6.0,
            choppiness: 0.8,
        }
    }
}

/// `[sun]`: where it stands and how bright it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SunSettings {
    /// Height above the horizon. Unit: degrees. Range -90..=90.
    pub elevation_deg: f32,
    /// Direction toward the sun, from +x toward +z. Unit: degrees. Range -360..=360.
    pub azimuth_deg: f32,
    /// Factor on the clear-sky irradiance. Range 0..=4.
    pub brightness: f32,
    /// Whether its disc and the bright sky round it are seen; the beam is there in any case.
    pub disc: bool,
    /// Whether elevation and azimuth come from the place and time below instead.
    pub by_clock: bool,
    /// Latitude. Unit: degrees. Range -90..=90.
    pub latitude_deg: f32,
    /// Day of the year. Range 1..=366.
    pub day: u32,
    /// True solar time, 12 when the sun is highest. Unit: h. Range 0..=24.
    pub time_h: f32,
}

impl Default for SunSettings {
    fn default() -> Self {
        Self {
            elevation_deg: 58.0,
            azimuth_deg: 300.0,
            brightness: 1.0,
            disc: true,
            by_clock: false,
            latitude_deg: 20.0,
            day: 172,
            time_h: 10.0,
        }
    }
}

/// `[moon]`: the light of a night, when the sun is more than 6 degrees below the horizon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MoonSettings {
    /// Height above the horizon. Unit: degrees. Range -90..=90.
    pub elevation_deg: f32,
    /// Direction toward the moon, from +x toward +z. Unit: degrees. Range -360..=360.
    pub azimuth_deg: f32,
    /// Illuminated share of its disc: 0 new, 1 full. Range 0..=1.
    pub phase: f32,
    /// Factor on its light, as an eye used to the dark sees it. Range 0..=4.
    pub brightness: f32,
}

impl Default for MoonSettings {
    fn default() -> Self {
        Self { elevation_deg: 52.0, azimuth_deg: 290.0, phase: 1.0, brightness: 1.0 }
    }
}

/// `[sky]`: the diffuse light above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SkySettings {
    /// Factor on the sky's radiance. Range 0..=4.
    pub brightness: f32,
    /// Share of the sky that is grey cloud; dims the sun too. Range 0..=1.
    pub cloud_cover: f32,
    /// Share of the sky that white clouds cover, each for itself; they dim nothing. Range 0..=1.
    pub clouds: f32,
    /// A sky of this radiance in every direction and channel, for measuring; 0 for a real one. Range 0..=100.
    pub uniform_radiance: f32,
}

impl Default for SkySettings {
    fn default() -> Self {
        Self { brightness: 1.0, cloud_cover: 0.1, clouds: 0.0, uniform_radiance: 0.0 }
    }
}

/// `[current]`: the mean drift of the water.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CurrentSettings {
    /// Speed. Unit: m/s. Range 0..=3.
    pub speed_m_s: f32,
    /// Where it flows to, from +x toward +z. Unit: degrees. Range -360..=360.
    pub direction_deg: f32,
    /// Factor on the to-and-fro of the waves near the ground. Range 0..=4.
    pub surge: f32,
    /// Speed of the eddies as a share of the mean drift. Range 0..=4.
    pub eddies: f32,
    /// Size of the eddies. Unit: m. Range 0.5..=200.
    pub eddy_size_m: f32,
}

impl Default for CurrentSettings {
    fn default() -> Self {
        Self { speed_m_s: 0.08, direction_deg: 20.0, surge: 1.0, eddies: 0.6, eddy_size_m: 6.0 }
    }
}
