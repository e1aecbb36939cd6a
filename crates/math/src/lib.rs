//! Small mathematics that several modules share: easing, splines, hashes and quantiles. No state, no clock; the same
//! everywhere.

mod hash;
mod interpolate;
mod quantile;

pub use hash::{Fnv, hex, splitmix64};
pub use interpolate::{catmull_rom, ease, mix, smoothstep};
pub use quantile::{median, quantile};

/// The golden angle, (3 - sqrt 5) pi: points turned by it one after the other spread evenly (Vogel's spiral). Unit: rad.
pub const GOLDEN_ANGLE: f32 = 2.399_963;
