//! Marine snow and bubbles.

use std::rc::Rc;

use glam::Vec3;

use crate::gl::{Blend, Cull, Depth, GlError, Procedural, Program, RenderState, uniforms};
use crate::render::frame_stats::FrameStats;
use crate::render::models::{InstanceStream, PackedInstance};
use crate::render::pass_cache::PassMaker;
use crate::scene::RenderScene;

uniforms! {
    struct ViewAxes {
        right_ws: Vec3,
        up_ws: Vec3,
    }
}

uniforms! {
    struct SnowUniforms {
        view: ViewAxes,
        seed: i32,
    }
}

/// Camera-facing quads, premultiplied over what is there.
pub struct ParticlesPass {
    snow: Rc<Program<SnowUniforms>>,
    bubbles: Rc<Program<ViewAxes>>,
    instances: InstanceStream,
}

impl ParticlesPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails or an object is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        Ok(Self {
            snow: make.program(("snow.vert.glsl", "snow.frag.glsl"), &[])?,
            bubbles: make.program(("bubbles.vert.glsl", "bubbles.frag.glsl"), &[])?,
            instances: InstanceStream::new(make.gl, "bubble instances")?,
        })
    }

    /// Draws both.
    pub fn draw(&self, scene: &RenderScene, quads: &Procedural, stats: &mut FrameStats) {
        let state = RenderState { depth: Depth::Read, blend: Blend::Over, cull: Cull::Off };
        let orientation = scene.camera.orientation;
        let view = ViewAxes { right_ws: orientation * Vec3::X, up_ws: orientation * Vec3::Y };
        if !scene.bubbles.is_empty() {
            let packed = scene.bubbles.iter().map(|bubble| {
                let place = bubble.position.extend(bubble.radius).to_array();
                PackedInstance::raw(place, [bubble.flatness, bubble.wobble, 0.0, 0.0])
            });
            let count = self.instances.replace(|staging| staging.extend(packed));
            self.bubbles.bind(&view);
            quads.draw_instanced(state, Procedural::QUAD, &self.instances.run(0, count));
            stats.draws += 1;
            stats.triangles += 2 * count as u64;
        }
        if scene.snow.count > 0 {
            self.snow.bind(&SnowUniforms { view, seed: scene.snow.seed as i32 });
            quads.draw(state, Procedural::QUAD, scene.snow.count);
            stats.draws += 1;
            stats.triangles += 2 * u64::from(scene.snow.count);
        }
    }
}
