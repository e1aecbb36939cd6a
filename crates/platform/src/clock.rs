//! Clock that is passed to code which reads none itself.
#![expect(clippy::disallowed_methods, reason = "this is the clock")]

use std::sync::OnceLock;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;

#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// Function that returns seconds since an arbitrary moment.
pub type Clock = fn() -> f64;

/// Time since the first call. Unit: s.
pub fn now_s() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
