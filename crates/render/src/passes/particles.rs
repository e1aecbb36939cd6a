//! Particles in the water: marine snow, bubbles and their rings, sand, sparks.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use gl::attributes::{PARTICLE_PLACE, PARTICLE_SHAPE};
use gl::{Attribute, Blend, Cull, Depth, GlError, Procedural, RenderState, Texture2d, uniforms};
use glam::Vec3;
use view::RenderScene;

use crate::deferred::DeferredProgram;
use crate::frame_stats::FrameStats;
use crate::models::{InstanceData, InstanceStream, float4};
use crate::pass_cache::PassMaker;
use crate::passes::{WaveMaps, WaveUniforms};

/// A particle as the GPU reads it; its shader describes the numbers.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct PackedParticle {
    place: [f32; 4],
    shape: [f32; 4],
}

impl InstanceData for PackedParticle {
    const LAYOUT: &'static [Attribute] = &[
        float4(PARTICLE_PLACE, offset_of!(PackedParticle, place)),
        float4(PARTICLE_SHAPE, offset_of!(PackedParticle, shape)),
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
        whole: i32,
        swarm: i32,
    }
}

uniforms! {
    struct RingsUniforms<'a> {
        waves: WaveUniforms<'a>,
        caustic_map: &'a Texture2d,
    }
}

const STATE: RenderState = RenderState { depth: Depth::Read, blend: Blend::Over, cull: Cull::Off };

/// Camera-facing quads, premultiplied over the picture, and rings in the surface.
pub struct ParticlesPass {
    snow: DeferredProgram<SnowUniforms>,
    bubbles: DeferredProgram<ViewAxes>,
    sand: DeferredProgram<ViewAxes>,
    sparks: DeferredProgram<ViewAxes>,
    rings: DeferredProgram<RingsUniforms<'static>>,
    instances: InstanceStream<PackedParticle>,
    dust: u32,
}

impl ParticlesPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails or an object is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        Ok(Self {
            snow: make.late_program(("snow.vert.glsl", "snow.frag.glsl"), &[])?,
            bubbles: make.late_program(("bubbles.vert.glsl", "bubbles.frag.glsl"), &[])?,
            sand: make.late_program(("sand.vert.glsl", "sand.frag.glsl"), &[])?,
            sparks: make.late_program(("sparks.vert.glsl", "sparks.frag.glsl"), &[])?,
            rings: make.late_program(("rings.vert.glsl", "rings.frag.glsl"), &[])?,
            instances: InstanceStream::new(make.gl, "particles")?,
            dust: make.plan.detail.dust,
        })
    }

    /// Draws all of them. `surface`: the waves that move the surface which the rings are on and the caustic map that it
    /// mirrors, if it is drawn.
    pub fn draw(
        &self,
        scene: &RenderScene,
        surface: Option<(&WaveMaps<'_>, &Texture2d)>,
        quads: &Procedural,
        stats: &mut FrameStats,
    ) {
        let orientation = scene.camera.orientation;
        let view = ViewAxes { right_ws: orientation * Vec3::X, up_ws: orientation * Vec3::Y };
        let rings = if surface.is_some() { scene.rings.as_slice() } else { &[] };
        let sent = self.instances.replace(|staging| {
            staging.extend(rings.iter().map(|ring| PackedParticle {
                place: [ring.place.x, ring.place.y, ring.radius, ring.wave_length],
                shape: [ring.slope, 0.0, 0.0, 0.0],
            }));
            staging.extend(scene.sand.iter().map(|puff| PackedParticle {
                place: puff.position.extend(puff.radius).to_array(),
                shape: [puff.optical_depth, puff.floor_m, puff.variation, 0.0],
            }));
            staging.extend(scene.bubbles.iter().map(|bubble| PackedParticle {
                place: bubble.position.extend(bubble.radius).to_array(),
                shape: [bubble.flatness, bubble.wobble, 0.0, 0.0],
            }));
            staging.extend(scene.sparks.iter().map(|spark| PackedParticle {
                place: spark.position.extend(spark.brightness).to_array(),
                shape: [0.0; 4],
            }));
        });
        stats.refused += u32::from(sent.is_err());
        if sent.is_ok() {
            let mut first = 0;
            let mut draw = |count: usize, bind: &dyn Fn() -> Option<()>| {
                if count > 0 && bind().is_some() {
                    quads.draw_instanced(STATE, Procedural::QUAD, &self.instances.run(first, count));
                    stats.draws += 1;
                    stats.triangles += 2 * count as u64;
                }
                first += count;
            };
            if let Some((waves, caustic_map)) = surface {
                let uniforms = RingsUniforms { waves: waves.uniforms(), caustic_map };
                draw(rings.len(), &|| self.rings.get().map(|rings| rings.bind(&uniforms)));
            }
            draw(scene.sand.len(), &|| self.sand.get().map(|sand| sand.bind(&view)));
            draw(scene.bubbles.len(), &|| self.bubbles.get().map(|bubbles| bubbles.bind(&view)));
            draw(scene.sparks.len(), &|| self.sparks.get().map(|sparks| sparks.bind(&view)));
        }
        if scene.snow.count > 0
            && let Some(snow) = self.snow.get()
        {
            let (whole, swarm) = (scene.snow.count, scene.snow.count * (1 + self.dust));
            // Without lamps the shader knows none.
            let count = swarm + if scene.lights.is_empty() { 0 } else { scene.snow.swarm };
            let seed = scene.snow.seed as i32;
            snow.bind(&SnowUniforms { view, seed, whole: whole as i32, swarm: swarm as i32 });
            quads.draw(STATE, Procedural::QUAD, count);
            stats.draws += 1;
            stats.triangles += 2 * u64::from(count);
        }
    }
}
