//! Small mathematics that several rooms share: easing, splines and hashes. No state, no clock; the same everywhere.

mod hash;
mod interpolate;

pub use hash::{Fnv, hex, splitmix64};
pub use interpolate::{catmull_rom, ease, mix, smoothstep};
