//! The water as physics: optics and water types, the wave spectrum, the sun above and what of it gets through, currents.
//!
//! Plain numbers with units and sources; nothing here knows GL, a window or the clock.

use glam::Vec3;

mod settings;
mod types;

pub use settings::*;
pub use types::*;

/// The ten Jerlov water types, clearest first: five oceanic, five coastal.
pub const WATER_TYPES: [&str; 10] = ["I", "IA", "IB", "II", "III", "1C", "3C", "5C", "7C", "9C"];

/// Optical properties of the water that the settings name; `None` for an unknown water type.
pub fn medium(_settings: &WaterSettings) -> Option<Medium> {
    Some(Medium::default())
}

/// Light above and just below the surface.
pub fn light(_sun: &SunSettings, _sky: &SkySettings) -> Light {
    Light::default()
}

/// The waves of a wind sea and a swell over water of the given depth (metres, may be infinite).
pub fn wave_field(_settings: &WavesSettings, _depth_m: f32, _seed: u64) -> WaveField {
    WaveField::default()
}

/// Orbital motion of the water near the ground at the origin: displacement (m) and velocity (m/s).
pub fn surge(_waves: &WaveField, _depth_m: f32, _time_s: f64) -> (Vec3, Vec3) {
    (Vec3::ZERO, Vec3::ZERO)
}
