//! The sea as physics: optics and water types, the wave spectrum, the light above and below the surface, currents.
//!
//! Lengths in metres, coefficients in 1/m, angles in radians (degrees in settings, by name), light as linear RGB
//! radiance and irradiance; sea level at rest is y = 0. Sources are cited beside their numbers. The crate knows no
//! OpenGL, no window and no clock.
//!
//! [`Environment`] resolves settings once; everything else sees its values. Light is solved in steps: `water_types` and
//! `observer` make the [`Medium`] wavelength by wavelength; `radiative_transfer` solves the light in it, with the phase
//! functions of `phase`; [`Daylight`] is a fit of that for shaders (`fit`).
//!
//! ```
//! let water = ocean::medium(&ocean::WaterSettings::default());
//! let left = water.transmittance(10.0);
//! assert!(left.x < left.z, "red goes first");
//! ```

mod current;
mod day_cycle;
mod daylight;
mod environment;
mod fit;
mod foam;
mod observer;
mod optics;
mod phase;
mod radiative_transfer;
mod settings;
mod sun;
mod types;
mod water_types;
mod waves;

pub use current::Current;
pub use day_cycle::DayCycle;
pub use daylight::{
    Daylight, FACES, KEY_LIGHT_LOBES, LOBE_ASYMMETRIES, Part, SOURCE_LOBES, SOURCE_TERMS, WINDOW_EDGE, WaterSource,
};
pub use environment::{Environment, EnvironmentSettings};
pub use foam::{
    FOAM_OPACITY, FOAM_REFLECTANCE, FOAM_TRANSMITTANCE, PLUME_WIND_M_S, TEARING_WINDS_M_S, TRAIL_LEFT, TRAIL_M,
    TRAIL_PLACES, WHITECAP_WIND_M_S, spilling_jacobians, whitecap_share,
};
pub use observer::{LUMINANCE, colour_matching};
pub use optics::{
    CHANNEL_REFRACTIVE_INDICES, CHANNEL_WAVELENGTHS_NM, REFRACTIVE_INDEX, VISIBILITY_LENGTHS, fresnel, medium,
};
pub use phase::{ASYMMETRY, LOBES, Lobes};
pub use settings::*;
pub use sun::{AUREOLE, AUREOLE_SHARPNESS, DISC_SHARE, SUN_DIAMETER, day, light, sun_after};
pub use types::*;
pub use water_types::{WAVELENGTHS_NM, WaterSpectra, WaterType};
pub use waves::{
    GRAVITY_M_S2, RIPPLE_LENGTHS_M, RIPPLE_SPEEDS_M_S, SEA_WATER_DENSITY_KG_M3, SURFACE_TENSION_N_M, WAVE_PERIOD_S,
    angular_frequency, significant_height, slope_variance, surge, wave_field,
};
