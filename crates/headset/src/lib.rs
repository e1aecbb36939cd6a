//! Headsets: what a runtime tells of one, and a session with it.
//!
//! A [`HeadsetFrame`] is a moment: eyes, lenses and hands in metres of the room. A page has them from WebXR. On the desktop
//! [`openxr::connect`] finds a runtime, and a [`Headset`] keeps its session: it tells when to draw, where to, and takes what
//! was drawn. Between the two is the trait [`Runtime`], which [`mock`] implements for tests.
//!
//! ```
//! use headset::{Hand, HeadsetFrame};
//!
//! assert_eq!(HeadsetFrame::of_floats(None, &[], &[0.0; 2 * Hand::FLOATS]), None, "a head without eyes");
//! ```

#[cfg(not(target_arch = "wasm32"))]
pub mod mock;
mod moment;
#[cfg(any(windows, all(unix, not(target_os = "macos"))))]
pub mod openxr;
#[cfg(target_os = "macos")]
#[path = "no_openxr.rs"]
pub mod openxr;
#[cfg(not(target_arch = "wasm32"))]
mod runtime;
#[cfg(not(target_arch = "wasm32"))]
mod session;

pub use moment::{EYE_HEIGHT_M, Hand, HeadsetEye, HeadsetFrame};
#[cfg(not(target_arch = "wasm32"))]
pub use runtime::{Acquired, Drawn, Due, Runtime, RuntimeError, SessionEvent};
#[cfg(not(target_arch = "wasm32"))]
pub use session::{Headset, State};
