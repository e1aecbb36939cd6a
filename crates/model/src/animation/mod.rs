//! Motion: poses from the time line, their palette for the vertex shader, and CPU skinning as the reference for it.
//!
//! Scenes call [`load_model`]: [`model::load`](crate::load), then [`palette::bake`], [`bend::fit`] and
//! [`sweep::measure`].

pub mod bend;
pub mod palette;
pub mod sweep;

mod attachment;
mod load;
mod pose;
mod skin;

pub use attachment::{Moments, attached};
pub use load::{load_model, loop_gap};
pub use pose::{Pose, pose};
pub use skin::{bend_body, blend, morphed, moved, skin, skin_geometry};
