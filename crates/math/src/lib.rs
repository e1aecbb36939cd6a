//! Small mathematics that several crates share: easing, splines, hashes, quantiles, openness to light, fork and join. No
//! state, no clock; the same everywhere. Lengths and times are in the caller's units.
//!
//! ```
//! assert_eq!(math::median(&[3.0, 1.0, 2.0]), Some(2.0));
//! assert_eq!(math::smoothstep(0.0, 1.0, 0.5), 0.5);
//! ```

mod hash;
mod interpolate;
mod openness;
mod parallel;
mod quantile;

pub use hash::{Fnv, hex, splitmix64};
pub use interpolate::{catmull_rom, ease, mix, smoothstep};
pub use openness::Occupied;
pub use parallel::{Beside, Join, beside, both, in_turn, par_chunks, par_each, serial};
pub use quantile::{median, quantile};

/// Places along a fish's scale, over its length, where its hind rim begins and is whole: the forge paints the rim and
/// shaders raise it. Chosen by eye. Unit: 1.
pub const SCALE_RIM: [f32; 2] = [0.70, 0.96];

/// The golden angle, (3 - sqrt 5) pi: successive points rotated by it spread evenly (Vogel's spiral). Unit: rad.
pub const GOLDEN_ANGLE: f32 = 2.399_963;
