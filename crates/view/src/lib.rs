//! The contract between the world and the renderer: plain data and nothing else.
//!
//! A [`StaticScene`] is uploaded once; a [`RenderScene`] is one moment of the world, rebuilt in place each frame. Code
//! that makes them need not know OpenGL, and code that draws them need not know a scene file.
//!
//! Right-handed world space, +y up, metres; sea level at rest is y = 0. Colours are linear RGB.
//!
//! ```
//! use glam::Vec3;
//! use view::Camera;
//!
//! let camera = Camera::look_at(Vec3::ZERO, Vec3::X, 1.0);
//! assert!((camera.orientation * Vec3::NEG_Z).distance(Vec3::X) < 1e-6);
//! ```

mod camera;
mod emitters;
mod features;
mod instance;
mod particles;
mod render_scene;
mod static_scene;

pub use camera::{Camera, Eyes, Headset, PicturePart};
pub use emitters::{LIGHTS, PointLight, TestPatch};
pub use features::SceneFeatures;
pub use instance::{Batch, Instance};
pub use particles::{Bubble, MarineSnow, SandPuff, Spark, SurfaceRing};
pub use render_scene::RenderScene;
pub use static_scene::{
    CoverBatch, CoverPatch, GROUND_EDGE_M, GROUND_TILE_M, RIPPLE_LENGTH_M, RIPPLES_A_TILE, STONE_STEEPEST_SLOPE,
    SeabedMesh, StaticBatch, StaticScene,
};
