//! The ground.

use std::rc::Rc;

use gl::{GlError, Program, RenderState, Texture2d, uniforms};

use crate::cull::Frustum;
use crate::frame_stats::FrameStats;
use crate::ground::GpuGround;
use crate::pass_cache::PassMaker;
use crate::passes::LightMaps;
use crate::patches::draw_ranges;

uniforms! {
    struct SeabedUniforms<'a> {
        detail_map: &'a Texture2d,
        ground_map: &'a Texture2d,
        stone_map: &'a Texture2d,
        map_half_m: f32,
        detail_slope: f32,
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

    /// Draws the patches of the ground in view.
    pub fn draw(&self, ground: &GpuGround, view: &Frustum, light: &LightMaps<'_>, stats: &mut FrameStats) {
        self.program.bind(&SeabedUniforms {
            detail_map: &ground.detail,
            ground_map: &ground.map,
            stone_map: &ground.stone,
            map_half_m: ground.map_half_m,
            detail_slope: ground.detail_slope,
            light: *light,
        });
        draw_ranges(&ground.geometry, RenderState::OPAQUE, ground.patches.in_view(view), stats);
    }
}
