//! The demo without a window: on a driver that draws nothing, and off-screen on a real one.

mod faults;
mod film;
mod headset;
mod loss;
mod models;
mod panel;
mod photo;
mod play;
mod population;
mod random;
mod record;
pub(crate) mod room;
mod scenes;
mod unsaved;
