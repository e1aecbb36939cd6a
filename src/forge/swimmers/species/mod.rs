//! One file a species: numbers, pattern, sources.

pub mod butterflyfish;
pub mod chromis;
pub mod clownfish;
pub mod green_turtle;
pub mod manta;
pub mod moon_jelly;
pub mod reef_shark;
pub mod sardine;
pub mod yellow_tang;
