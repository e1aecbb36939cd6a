//! Small mathematics that several crates share: easing, splines, hashes and quantiles. No state, no clock; the same
//! everywhere. Lengths and times are in whatever unit the caller has.
//!
//! ```
//! assert_eq!(math::median(&[3.0, 1.0, 2.0]), Some(2.0));
//! assert_eq!(math::smoothstep(0.0, 1.0, 0.5), 0.5);
//! ```

mod hash;
mod interpolate;
mod quantile;

pub use hash::{Fnv, hex, splitmix64};
pub use interpolate::{catmull_rom, ease, mix, smoothstep};
pub use quantile::{median, quantile};

/// Where the hind rim of a fish's scale begins and is whole, over the length of the scale: the forge paints it and shaders
/// have it stand out. Chosen by eye. Unit: 1.
pub const SCALE_RIM: [f32; 2] = [0.70, 0.96];

/// The golden angle, (3 - sqrt 5) pi: points turned by it one after the other spread evenly (Vogel's spiral). Unit: rad.
pub const GOLDEN_ANGLE: f32 = 2.399_963;
