//! Static parts of a scene, the same from frame to frame, on the GPU.

use gl::{Gl, GlError};
use view::{StaticBatch, StaticScene};

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
        })
    }
}
