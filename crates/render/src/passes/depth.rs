//! Depth for others, such as a headset's runtime.

use std::rc::Rc;

use gl::{Blend, Cull, Depth, GlError, Procedural, Program, RenderState, Texture2d, uniforms};

use crate::pass_cache::PassMaker;

uniforms! {
    struct DepthUniforms<'a> {
        scene_depth: &'a Texture2d,
    }
}

/// Copies the depth of the scene into a target of any format and size.
pub struct DepthPass {
    program: Rc<Program<DepthUniforms<'static>>>,
}

impl DepthPass {
    /// Compiles the shader.
    ///
    /// # Errors
    /// If it fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        Ok(Self { program: make.program(("fullscreen.vert.glsl", "depth.frag.glsl"), &[])? })
    }

    /// Draws into the bound framebuffer, whose depth was cleared.
    pub fn draw(&self, scene_depth: &Texture2d, triangle: &Procedural) {
        self.program.bind(&DepthUniforms { scene_depth });
        triangle.draw(RenderState { depth: Depth::Write, blend: Blend::Off, cull: Cull::Off }, 3, 1);
    }
}
