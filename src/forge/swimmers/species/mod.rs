//! One file a species: numbers, pattern, sources.

pub mod butterflyfish;
pub mod chromis;
pub mod clownfish;
pub mod sardine;
pub mod yellow_tang;
