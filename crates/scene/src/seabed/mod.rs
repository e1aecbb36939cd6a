//! The ground: its shape, its mesh, and the textures that are drawn on it and on rocks.

mod burrows;
mod ground_map;
mod mesh;
mod shape;
mod tiles;

pub use ground_map::Occluder;
pub use mesh::{GroundContact, mesh};
pub use shape::{ABYSS_M, Seabed};
