//! Small mathematics that several rooms share: easing, splines, hashes and quantiles. No state, no clock; the same everywhere.

mod hash;
mod interpolate;
mod quantile;

pub use hash::{Fnv, hex, splitmix64};
pub use interpolate::{catmull_rom, ease, mix, smoothstep};
pub use quantile::{median, quantile};
