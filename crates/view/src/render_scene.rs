//! One moment of the world: plain data, rebuilt in place each frame.

use std::sync::Arc;

use glam::Vec3;
use ocean::{Daylight, Light, Medium, WaveField};

use crate::{Batch, Bubble, Camera, Eyes, Headset, MarineSnow, PointLight, SandPuff, Spark, SurfaceRing, TestPatch};

/// One moment of the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderScene {
    /// Time since the scene began. Unit: s.
    pub time_s: f64,
    /// Camera that it is seen from.
    pub camera: Camera,
    /// Distances of the two eyes that see it, if two do.
    pub eyes: Eyes,
    /// Headset that it is seen with in place of these, if one is worn.
    pub headset: Headset,
    /// Light above and just below the surface.
    pub light: Light,
    /// The water.
    pub medium: Medium,
    /// Light under water, by depth and direction.
    pub daylight: Arc<Daylight>,
    /// Whether the sun goes round.
    pub day_passes: bool,
    /// Progress of nightfall, where the day passes. Range 0..=1.
    pub fallen_night: f32,
    /// The waves, as spectral components; shared and unchanged while the scene is.
    pub waves: Arc<WaveField>,
    /// Displacement of the water near the ground by the surge at this moment. Unit: m.
    pub surge: Vec3,
    /// Mean depth of the ground, infinite where there is none. Unit: m.
    pub seabed_depth_m: f32,
    /// Reflectance of the ground, linear RGB.
    pub seabed_colour: Vec3,
    /// Moving instances: creatures, one batch a species, then props that play a clip.
    pub batches: Vec<Batch>,
    /// Bubbles, in no order.
    pub bubbles: Vec<Bubble>,
    /// Rings on the surface where bubbles have broken.
    pub rings: Vec<SurfaceRing>,
    /// Sand in the water.
    pub sand: Vec<SandPuff>,
    /// Plankton that flashes.
    pub sparks: Vec<Spark>,
    /// Marine snow.
    pub snow: MarineSnow,
    /// Lamps and lights that animals carry: the one that casts shadows, then those nearest the camera,
    /// [`LIGHTS`](crate::LIGHTS) at most.
    pub lights: Vec<PointLight>,
    /// Flat emitters for measuring.
    pub test_patches: Vec<TestPatch>,
}

impl RenderScene {
    /// The light that casts the shadows in place of the sun or the moon, if one does: the first of `lights`.
    pub fn shadow_lamp(&self) -> Option<&PointLight> {
        self.lights.first().filter(|light| light.casts_shadows)
    }
}
