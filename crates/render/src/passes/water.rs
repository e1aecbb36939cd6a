//! The water itself, where nothing else is.

use std::rc::Rc;

use gl::{Blend, Cull, Depth, GlError, Procedural, Program, RenderState, uniforms};

use crate::constants::SURFACE_EDGE_M;
use crate::deferred::DeferredProgram;
use crate::pass_cache::PassMaker;
use crate::passes::{EyeSide, WaveMaps, WaveUniforms};

/// Cells of the far plane across and up, at whose corners the radiance is worked out for an eye under water.
const CELLS: (i32, i32) = (40, 24);

uniforms! {
    struct WaterUniforms<'a> {
        waves: WaveUniforms<'a>,
        edge_m: f32,
    }
}

/// Fills the pixels left at the far plane: with the water's own radiance, or with the sky where the eye is dry.
pub struct WaterPass {
    below: Rc<Program<()>>,
    above: DeferredProgram<WaterUniforms<'static>>,
}

impl WaterPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        const FILES: (&str, &str) = ("water.vert.glsl", "water.frag.glsl");
        let cells = [("ABOVE", 0), ("CELLS_ACROSS", CELLS.0), ("CELLS_UP", CELLS.1)];
        Ok(Self { below: make.program(FILES, &cells)?, above: make.late_program(FILES, &[("ABOVE", 1)])? })
    }

    /// Draws it where the depth is still that of the far plane.
    pub fn draw(&self, side: EyeSide, waves: &WaveMaps<'_>, far_m: f32, triangles: &Procedural) {
        let state = RenderState { depth: Depth::Read, blend: Blend::Off, cull: Cull::Off };
        match side {
            EyeSide::Below => {
                self.below.bind(&());
                triangles.draw(state, Procedural::QUAD, (CELLS.0 * CELLS.1) as u32);
            }
            EyeSide::Above => {
                let Some(above) = self.above.wait() else { return };
                above.bind(&WaterUniforms { waves: waves.uniforms(), edge_m: SURFACE_EDGE_M.min(far_m) });
                triangles.draw(state, 3, 1);
            }
        }
    }
}
