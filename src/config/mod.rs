//! Scene files: TOML in, checked settings out.

mod settings;

pub use settings::*;
