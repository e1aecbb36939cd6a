//! The ground.

use std::rc::Rc;

use crate::gl::{GlError, Program, RenderState, Texture2d, uniforms};
use crate::render::frame_stats::FrameStats;
use crate::render::ground::GpuGround;
use crate::render::pass_cache::PassMaker;
use crate::render::passes::LightMaps;

uniforms! {
    struct SeabedUniforms<'a> {
        detail_map: &'a Texture2d,
        ground_map: &'a Texture2d,
        stone_map: &'a Texture2d,
        map_half_m: f32,
        ripple_slope: f32,
        light: LightMaps<'a>,
    }
}

/// Draws the ground's mesh with its detail map.
pub struct SeabedPass {
    program: Rc<Program<SeabedUniforms<'static>>>,
}

impl SeabedPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        Ok(Self { program: make.program(("seabed.vert.glsl", "seabed.frag.glsl"), &[])? })
    }

    /// Draws the ground.
    pub fn draw(&self, ground: &GpuGround, light: &LightMaps<'_>, stats: &mut FrameStats) {
        self.program.bind(&SeabedUniforms {
            detail_map: &ground.detail,
            ground_map: &ground.map,
            stone_map: &ground.stone,
            map_half_m: ground.map_half_m,
            ripple_slope: ground.ripple_slope,
            light: *light,
        });
        ground.geometry.draw(RenderState::OPAQUE, 0, ground.geometry.index_count());
        stats.draws += 1;
        stats.triangles += u64::from(ground.geometry.index_count() / 3);
    }
}
