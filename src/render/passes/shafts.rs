//! Light shafts: the water's brightness varied by the caustics overhead, at low resolution.

use crate::gl::{
    Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Uniform, Wrap,
};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;

/// What the march reads.
#[derive(Clone, Copy)]
pub struct ShaftsInputs<'a> {
    /// Depth of the opaque scene.
    pub depth: &'a Texture2d,
    /// Caustic slices.
    pub caustics: &'a Texture2d,
}

/// Marches view rays through the caustic slices.
pub struct ShaftsPass {
    program: Program,
    target: RenderTarget,
    steps: u32,
}

impl ShaftsPass {
    /// A target of `extent` texels, `steps` samples a ray.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, extent: (u32, u32), steps: u32) -> Result<Self, GlError> {
        let program = program(gl, source, ("fullscreen.vert.glsl", "shafts.frag.glsl"), &[])?;
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Linear, Wrap::Clamp)], depth: None };
        Ok(Self { program, target: RenderTarget::new(gl, "light shafts", extent, &format)?, steps })
    }

    /// Radiance to add to the scene, per low-resolution pixel; negative in the dark between shafts.
    pub fn draw(&self, inputs: &ShaftsInputs<'_>, triangle: &Procedural) {
        self.target.begin();
        self.program.bind(&[
            ("scene_depth", Uniform::Texture(inputs.depth)),
            ("caustic_map", Uniform::Texture(inputs.caustics)),
            ("steps", Uniform::Int(self.steps as i32)),
        ]);
        triangle.fullscreen();
    }

    /// What was last drawn.
    pub fn output(&self) -> &Texture2d {
        self.target.color(0)
    }
}
