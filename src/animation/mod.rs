//! Motion: poses from the time line, their palette for the vertex shader, and CPU skinning as the reference for it.

mod load;

pub use load::load_model;
