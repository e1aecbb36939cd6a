//! Cameras that a person steers: fly, orbit, follow, ride along, tour.
//!
//! Each camera gives the pose that the eye should have at a moment; a [`CameraRig`] flies smoothly from one to the
//! next. All of them give the same result at any frame rate, and none goes through ground or rock. Metres, seconds,
//! radians; mouse movements in pixels.
//!
//! ```
//! use camera::{Dial, PhotoCamera};
//!
//! let mut photo = PhotoCamera::new(1.05);
//! photo.turn(Dial::Exposure { up: true });
//! assert!(photo.ev > 0.0);
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

mod chase;
mod collision;
mod fly;
mod ground_heights;
mod photo;
mod pose;
mod ride;
mod rig;
mod spring;
mod subject;
mod tour;
mod transition;

pub use collision::CameraCollision;
pub use fly::{HeldKeys, Movement, Sticks};
pub use ground_heights::GroundHeights;
pub use photo::{APERTURES_MM, Dial, MAX_EV, PhotoCamera};
pub use rig::{CameraMode, CameraRig, Wheel};
pub use subject::{Subject, Surroundings};
