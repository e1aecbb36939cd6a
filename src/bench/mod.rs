//! Not built yet.

pub mod stats;
