//! Static parts of a scene, the same from frame to frame, on the GPU.

use gl::{Gl, GlError};
use view::{CoverBatch, StaticBatch, StaticScene};

use crate::Detail;
use crate::ground::GpuGround;
use crate::models::GpuModels;

/// Models, ground and props, uploaded.
#[derive(Default)]
pub struct GpuStaticScene {
    /// Models with their textures.
    pub models: GpuModels,
    /// The ground, if there is one.
    pub ground: Option<GpuGround>,
    /// Things that stay in their place.
    pub props: Vec<StaticBatch>,
    /// Small colonies on rock; none at tiers that do not draw them.
    pub cover: Vec<CoverBatch>,
}

impl GpuStaticScene {
    /// Uploads `scene`, with textures as fine as `detail` has them.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(gl: &Gl, scene: &StaticScene, detail: &Detail) -> Result<Self, GlError> {
        let filter = detail.filter();
        Ok(Self {
            models: GpuModels::new(gl, &scene.models, detail.textures())?,
            ground: scene.seabed.as_ref().map(|mesh| GpuGround::new(gl, mesh, filter)).transpose()?,
            props: scene.props.clone(),
            cover: if detail.cover_reach_m > 0.0 { scene.cover.clone() } else { Vec::new() },
        })
    }
}
