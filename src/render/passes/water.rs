//! The water itself, where nothing else is.

use crate::gl::{Blend, Cull, Depth, Gl, GlError, Procedural, Program, RenderState};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;

/// Fills what is left at the far plane with the water's own radiance.
pub struct WaterPass {
    program: Program,
}

impl WaterPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(gl: &Gl, source: &ShaderSource) -> Result<Self, GlError> {
        Ok(Self { program: program(gl, source, ("water.vert.glsl", "water.frag.glsl"), &[])? })
    }

    /// Draws it where the depth is still that of the far plane.
    pub fn draw(&self, triangle: &Procedural) {
        self.program.bind(&[]);
        triangle.draw(RenderState { depth: Depth::Read, blend: Blend::Off, cull: Cull::Off }, 3, 1);
    }
}
