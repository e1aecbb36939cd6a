//! The water as physics: optics and water types, the wave spectrum, the key light above and what of it gets through, currents.
//!
//! Plain numbers with units and sources; nothing here knows GL, a window or the clock.
//!
//! ```
//! use pelagic::ocean;
//! let water = ocean::medium(&ocean::WaterSettings::default());
//! let left = ocean::transmittance(water.attenuation(), 10.0);
//! assert!(left.x < left.z, "red goes first");
//! ```

mod current;
mod foam;
mod observer;
mod optics;
mod phase;
mod scattering;
mod settings;
mod sun;
mod types;
mod water_types;
mod waves;

pub use current::Current;
pub use foam::{PLUME_WIND_M_S, SPILLING_WINDS_M_S, TEARING_WINDS_M_S, WHITECAP_WIND_M_S};
pub use observer::colour_matching;
pub use optics::{REFRACTIVE_INDEX, fresnel, medium, transmittance};
pub use phase::{ASYMMETRY, PHASE_SAMPLES, PhaseTable, SCATTERING_ORDERS};
pub use scattering::{
    AMBIENT_TOWARD_KEY_LIGHT, BACKSCATTER_SHARE, CHANNEL_REFRACTIVE_INDICES, CHANNEL_WAVELENGTHS_NM,
    GROUND_LIGHT_SHARE, MOLECULAR_PHASE, SKY_FORWARD_RISE, SKY_SCALAR_IRRADIANCE,
};
pub use settings::*;
pub use sun::{SUN_DIAMETER, light};
pub use types::*;
pub use water_types::{WAVELENGTHS_NM, WaterSpectra, WaterType};
pub use waves::{
    GRAVITY_M_S2, RIPPLE_LENGTHS_M, RIPPLE_SHARE, RIPPLE_SPEEDS_M_S, SEA_WATER_DENSITY_KG_M3, SLOPE_VARIANCE_PER_WIND,
    SURFACE_TENSION_N_M, WAVE_PERIOD_S, angular_frequency, significant_height, surge, wave_field,
};
