//! What is where: seabed, props, creatures, particles and cameras.
//!
//! [`World`] takes fixed steps and is then *extracted* into a [`RenderScene`], the only thing the renderer sees.
//! Models and the seabed's mesh do not change from frame to frame: they travel once, in a [`Stage`].

mod build;
pub mod camera;
mod clips;
mod ground_detail;
mod ground_map;
mod lights;
pub mod particles;
pub mod placement;
mod render_scene;
pub mod seabed;
mod settings;
mod world;

pub use render_scene::*;
pub use settings::*;
pub use world::*;
