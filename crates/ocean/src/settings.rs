//! Settings of a scene file for the water, the waves, the sun, the sky and the current.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;
use validate::Violation;

use crate::{ASYMMETRY, GRAVITY_M_S2, WaterType};

/// `[water]`: the medium.
#[derive(Clone, Copy, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WaterSettings {
    /// Jerlov water type: I to III ocean, 1C to 9C coast; `own`: by `absorption` and `scattering`.
    #[serde(rename = "type")]
    #[default(WaterType::IB)]
    pub kind: WaterType,
    /// Horizontal visibility of a black disc, in place of `turbidity` and `particles`; 0: that of the type.
    #[schemars(range(min = 0, max = 80), extend("x-unit" = "m"))]
    pub visibility_m: f32,
    /// Factor on in-scattered light: 1 is true, 0 leaves attenuation alone.
    #[schemars(range(min = 0, max = 4))]
    #[default = 1.0]
    pub inscatter: f32,
    /// Factor on attenuation and scattering: more or less of the same water.
    #[schemars(range(min = 0, max = 10))]
    #[default = 1.0]
    pub turbidity: f32,
    /// Factor on scattering alone: less where the suspended particles have settled.
    #[schemars(range(min = 0, max = 4))]
    #[default = 1.0]
    pub particles: f32,
    /// Asymmetry g, the mean cosine of the particles' phase function.
    #[schemars(range(min = -0.99, max = 0.99))]
    #[default(ASYMMETRY)]
    pub asymmetry: f32,
    /// Absorption of `own` water, linear red, green and blue.
    #[schemars(inner(range(min = 0.001, max = 20)), extend("x-unit" = "1/m"))]
    #[default([0.217, 0.066, 0.040])]
    pub absorption: [f32; 3],
    /// Scattering of `own` water, linear red, green and blue.
    #[schemars(inner(range(min = 0, max = 20)), extend("x-unit" = "1/m"))]
    #[default([0.117, 0.123, 0.135])]
    pub scattering: [f32; 3],
}

impl WaterSettings {
    /// Values that do not go together.
    pub fn validate(&self) -> Vec<Violation> {
        let mut violations = Vec::new();
        if ![0.0, 1.0].contains(&self.inscatter) {
            let message = "the water's own light is true at 1, and this is kept: leave it out, and take more or fewer \
                 water.particles for brighter or darker water";
            violations.push(Violation::warning("inscatter", message.into()));
        }
        let clearest_m = self.clearest_m();
        if self.visibility_m > clearest_m {
            let message = format!(
                "absorption alone permits {clearest_m:.1} m in water of type {}, and so far one sees; a clearer type has more",
                self.kind
            );
            violations.push(Violation::warning("visibility_m", message));
        }
        violations
    }
}

/// `[waves]`: the surface.
#[derive(Clone, Copy, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WavesSettings {
    // The winds at which the sea foams are in `foam.rs`.
    /// Wind speed at 10 m; 0 is a flat sea, and from 5 on crests foam.
    #[schemars(range(min = 0, max = 30), extend("x-unit" = "m/s"))]
    #[default = 4.0]
    pub wind_m_s: f32,
    /// Direction that the wind blows to, from +x toward +z.
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "degrees"))]
    #[default = 30.0]
    pub direction_deg: f32,
    /// Length of open water upwind; more than 0 where there is wind.
    #[schemars(range(min = 0, max = 2000), extend("x-unit" = "km"))]
    #[default = 20.0]
    pub fetch_km: f32,
    /// Significant height of the swell.
    #[schemars(range(min = 0, max = 10), extend("x-unit" = "m"))]
    #[default = 0.2]
    pub swell_height_m: f32,
    /// Peak period of the swell.
    #[schemars(range(min = 3, max = 20), extend("x-unit" = "s"))]
    #[default = 6.0]
    pub swell_period_s: f32,
    /// Horizontal displacement over Gerstner's.
    #[schemars(range(min = 0, max = 1.5))]
    #[default = 0.8]
    pub choppiness: f32,
}

impl WavesSettings {
    /// Values that do not go together.
    pub fn validate(&self) -> Vec<Violation> {
        let mut violations = Vec::new();
        if self.fetch_km == 0.0 && self.wind_m_s > 0.0 {
            let message = format!(
                "a wind of {} m/s raises no waves over 0 km of water; give it a fetch, or set waves.wind_m_s = 0",
                self.wind_m_s
            );
            violations.push(Violation::error("fetch_km", message).with("wind_m_s"));
        }
        let swell_length_m = GRAVITY_M_S2 * self.swell_period_s * self.swell_period_s / std::f32::consts::TAU;
        // Michell's limit: a wave breaks when its height is a seventh of its length.
        let limit_m = swell_length_m / 7.0;
        if self.swell_height_m > limit_m {
            let message = format!("a swell of this period breaks above {limit_m:.1} m");
            violations.push(Violation::warning("swell_height_m", message));
        }
        violations
    }
}

/// `[sun]`: its position and brightness.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SunSettings {
    /// Height of the sun above the horizon.
    #[schemars(range(min = -90, max = 90), extend("x-unit" = "degrees"))]
    #[default = 58.0]
    pub elevation_deg: f32,
    /// Direction toward the sun, from +x toward +z.
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "degrees"))]
    #[default = 300.0]
    pub azimuth_deg: f32,
    /// Factor on the clear-sky irradiance.
    #[schemars(range(min = 0, max = 4))]
    #[default = 1.0]
    pub brightness: f32,
    /// Whether its disc and the bright sky round it are seen; the beam is there in any case.
    #[default = true]
    pub disc: bool,
    /// Whether the sun stands where latitude, day and time put it.
    pub by_clock: bool,
    /// Rate at which the day passes: 0 not at all, 1 in real time, 1440 in a minute. The moon keeps its place.
    #[schemars(range(min = 0, max = 100_000))]
    pub time_rate: f32,
    /// Latitude, for `by_clock` and `time_rate`; +x is east and -z north.
    #[schemars(range(min = -90, max = 90), extend("x-unit" = "degrees"))]
    #[default = 20.0]
    pub latitude_deg: f32,
    /// Day of the year, for `by_clock`.
    #[schemars(range(min = 1, max = 366))]
    #[default = 172]
    pub day: u32,
    /// True solar time, for `by_clock`: 12 when the sun is highest.
    #[schemars(range(min = 0, max = 24), extend("x-unit" = "h"))]
    #[default = 10.0]
    pub time_h: f32,
}

/// `[moon]`: the light of a night, when the sun is more than 6 degrees below the horizon.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MoonSettings {
    /// Height of the moon above the horizon.
    #[schemars(range(min = -90, max = 90), extend("x-unit" = "degrees"))]
    #[default = 52.0]
    pub elevation_deg: f32,
    /// Direction toward the moon, from +x toward +z.
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "degrees"))]
    #[default = 290.0]
    pub azimuth_deg: f32,
    /// Illuminated share of its disc: 0 new, 1 full.
    #[schemars(range(min = 0, max = 1))]
    #[default = 1.0]
    pub phase: f32,
    /// Factor on its light, as an eye used to the dark sees it.
    #[schemars(range(min = 0, max = 4))]
    #[default = 1.0]
    pub brightness: f32,
}

/// `[sky]`: the diffuse light above.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SkySettings {
    /// Factor on the sky's radiance.
    #[schemars(range(min = 0, max = 4))]
    #[default = 1.0]
    pub brightness: f32,
    /// Share of the sky that is grey cloud; dims the sun too.
    #[schemars(range(min = 0, max = 1))]
    #[default = 0.1]
    pub cloud_cover: f32,
    /// Share of the sky that white clouds cover, each for itself; they dim nothing.
    #[schemars(range(min = 0, max = 1))]
    pub clouds: f32,
    /// A sky of this radiance everywhere, for measuring; 0 for a real one.
    #[schemars(range(min = 0, max = 100))]
    pub uniform_radiance: f32,
}

/// `[current]`: the mean drift of the water.
#[derive(Clone, Debug, PartialEq, SmartDefault, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CurrentSettings {
    /// Speed of the mean drift.
    #[schemars(range(min = 0, max = 3), extend("x-unit" = "m/s"))]
    #[default = 0.08]
    pub speed_m_s: f32,
    /// Direction that the water drifts to, from +x toward +z.
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "degrees"))]
    #[default = 20.0]
    pub direction_deg: f32,
    /// Factor on the to-and-fro of the waves near the ground.
    #[schemars(range(min = 0, max = 4))]
    #[default = 1.0]
    pub surge: f32,
    /// Speed of the eddies as a share of the mean drift.
    #[schemars(range(min = 0, max = 4))]
    #[default = 0.6]
    pub eddies: f32,
    /// Size of the eddies.
    #[schemars(range(min = 0.5, max = 200), extend("x-unit" = "m"))]
    #[default = 6.0]
    pub eddy_size_m: f32,
}
