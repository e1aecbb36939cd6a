//! Marine snow and bubbles.

use crate::gl::{Blend, Buffer, Cull, Depth, Gl, GlError, Instances, Procedural, Program, RenderState, Uniform};
use crate::render::FrameStats;
use crate::render::models::PackedInstance;
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;
use crate::scene::RenderScene;

/// Corners of the two triangles of a quad.
const QUAD: u32 = 6;

/// Camera-facing quads, premultiplied over what is there.
pub struct ParticlesPass {
    snow: Program,
    bubbles: Program,
    instances: Buffer,
    staging: Vec<PackedInstance>,
}

impl ParticlesPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails or an object is refused.
    pub fn new(gl: &Gl, source: &ShaderSource) -> Result<Self, GlError> {
        Ok(Self {
            snow: program(gl, source, ("snow.vert.glsl", "snow.frag.glsl"), &[])?,
            bubbles: program(gl, source, ("bubbles.vert.glsl", "bubbles.frag.glsl"), &[])?,
            instances: Buffer::streaming(gl, "bubble instances", glow::ARRAY_BUFFER)?,
            staging: Vec::new(),
        })
    }

    /// Draws both.
    pub fn draw(&mut self, scene: &RenderScene, quads: &Procedural, stats: &mut FrameStats) {
        let state = RenderState { depth: Depth::Read, blend: Blend::Over, cull: Cull::Off };
        let right = scene.camera.orientation * glam::Vec3::X;
        let up = scene.camera.orientation * glam::Vec3::Y;
        let view = [("right_ws", Uniform::Vec3(right)), ("up_ws", Uniform::Vec3(up))];
        if !scene.bubbles.is_empty() {
            self.staging.clear();
            self.staging.extend(scene.bubbles.iter().map(|bubble| {
                let place = bubble.position.extend(bubble.radius).to_array();
                PackedInstance::raw(place, [bubble.flatness, bubble.wobble, 0.0, 0.0])
            }));
            self.instances.replace(bytemuck::cast_slice(&self.staging));
            self.bubbles.bind(&view);
            let run = Instances {
                buffer: &self.instances,
                layout: &PackedInstance::LAYOUT[..2],
                stride: PackedInstance::STRIDE,
                first: 0,
                count: self.staging.len(),
            };
            quads.draw_instanced(state, QUAD, &run);
            stats.draws += 1;
            stats.triangles += 2 * self.staging.len() as u64;
        }
        if scene.snow.count > 0 {
            self.snow.bind(&view);
            self.snow.set("seed", &Uniform::Int(scene.snow.seed as i32));
            quads.draw(state, QUAD, scene.snow.count);
            stats.draws += 1;
            stats.triangles += 2 * u64::from(scene.snow.count);
        }
    }
}
