//! The world of a scene: seabed, props, creatures, particles and cameras, made from settings and a seed.
//!
//! [`World`] takes fixed steps and is then *extracted* into a [`RenderScene`](view::RenderScene), the only thing the
//! renderer sees. Models and the seabed's mesh do not change from frame to frame: they travel once, in a
//! [`StaticScene`](view::StaticScene). Metres, seconds, radians; +y up, sea level at rest is y = 0.
//!
//! ```
//! use scene::{SceneSettings, World, serial};
//!
//! let settings = SceneSettings::default();
//! let mut world = World::new(&settings, 1, |_| unreachable!("it has no models"), serial)?;
//! world.step();
//! assert!((world.time_s() - World::STEP_S).abs() < 1e-9);
//! # Ok::<(), scene::SceneError>(())
//! ```

mod animation_set;
mod build;
mod build_step;
pub mod camera;
mod cover;
mod empty_sea;
mod error;
mod lights;
mod model_cache;
mod model_requests;
mod near_view;
pub mod particles;
pub mod placement;
pub mod seabed;
mod settings;
mod species;
mod terrain;
mod world;

pub use build::{check_homes, habitat};
pub use build_step::*;
pub use cover::*;
pub use empty_sea::{empty_sea, expected_features};
pub use error::*;
pub use life::{Join, serial};
pub use model_cache::{LoadModel, ModelCache};
pub use model_requests::{SceneEntry, SceneModelRequest, crowd_warning, model_requests, unknown_places};
pub use settings::*;
pub use species::*;
pub use world::*;
