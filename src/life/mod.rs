//! The animals: species, schooling and the kinematics of swimming.
//!
//! Fixed step, seeded, no clock: the same seed and the same steps give the same fish on any machine and thread count.

mod settings;

pub use settings::*;
