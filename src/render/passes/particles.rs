//! Marine snow and bubbles.

use std::mem::offset_of;
use std::rc::Rc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::gl::attributes::{BUBBLE_SHAPE, BUBBLE_SPHERE};
use crate::gl::{Attribute, AttributeKind, Blend, Cull, Depth, GlError, Procedural, Program, RenderState, uniforms};
use crate::render::frame_stats::FrameStats;
use crate::render::models::{InstanceData, InstanceStream, float4};
use crate::render::pass_cache::PassMaker;
use crate::scene::RenderScene;

/// A bubble as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct PackedBubble {
    /// Centre and radius, m.
    sphere: [f32; 4],
    /// Flatness and phase of the wobble.
    shape: [f32; 2],
}

impl InstanceData for PackedBubble {
    const LAYOUT: &'static [Attribute] = &[
        float4(BUBBLE_SPHERE, offset_of!(PackedBubble, sphere)),
        Attribute {
            location: BUBBLE_SHAPE,
            components: 2,
            kind: AttributeKind::F32,
            offset: offset_of!(PackedBubble, shape) as i32,
        },
    ];
}

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
    instances: InstanceStream<PackedBubble>,
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
            let packed = scene.bubbles.iter().map(|bubble| PackedBubble {
                sphere: bubble.position.extend(bubble.radius).to_array(),
                shape: [bubble.flatness, bubble.wobble],
            });
            match self.instances.replace(|staging| staging.extend(packed)) {
                Ok(count) => {
                    self.bubbles.bind(&view);
                    quads.draw_instanced(state, Procedural::QUAD, &self.instances.run(0, count));
                    stats.draws += 1;
                    stats.triangles += 2 * count as u64;
                }
                Err(_) => stats.refused += 1,
            }
        }
        if scene.snow.count > 0 {
            self.snow.bind(&SnowUniforms { view, seed: scene.snow.seed as i32 });
            quads.draw(state, Procedural::QUAD, scene.snow.count);
            stats.draws += 1;
            stats.triangles += 2 * u64::from(scene.snow.count);
        }
    }
}
