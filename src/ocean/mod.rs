//! The water as physics: optics and water types, the wave spectrum, the sun above and what of it gets through, currents.
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
mod observer;
mod optics;
mod phase;
mod settings;
mod sun;
mod types;
mod water_types;
mod waves;

pub use current::Current;
pub use observer::colour_matching;
pub use optics::{ASYMMETRY, REFRACTIVE_INDEX, fresnel, medium, transmittance};
pub use phase::{PHASE_SAMPLES, PhaseTable, SCATTERING_ORDERS};
pub use settings::*;
pub use sun::light;
pub use types::*;
pub use water_types::{WAVELENGTHS_NM, WaterSpectra, WaterType};
pub use waves::{WAVE_PERIOD_S, angular_frequency, significant_height, surge, wave_field};
