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
    blur: Program,
    marched: RenderTarget,
    blurred: RenderTarget,
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
        let blur = self::program(gl, source, ("fullscreen.vert.glsl", "bloom.frag.glsl"), &[])?;
        let target = |name| RenderTarget::new(gl, name, extent, &format);
        Ok(Self { program, blur, marched: target("light shafts")?, blurred: target("blurred light shafts")?, steps })
    }

    /// Radiance to add to the scene, per low-resolution pixel; negative in the dark between shafts.
    pub fn draw(&self, inputs: &ShaftsInputs<'_>, triangle: &Procedural) {
        self.marched.begin();
        self.program.bind(&[
            ("scene_depth", Uniform::Texture(inputs.depth)),
            ("caustic_map", Uniform::Texture(inputs.caustics)),
            ("steps", Uniform::Int(self.steps as i32)),
        ]);
        triangle.fullscreen();
        // The march starts at one of 16 places by pixel; a box of 4 x 4 pixels evens them out.
        self.blurred.begin();
        let from = Uniform::Texture(self.marched.color(0));
        self.blur.bind(&[("from", from), ("share", Uniform::Float(1.0)), ("shift", Uniform::Float(0.5))]);
        triangle.fullscreen();
    }

    /// What was last drawn.
    pub fn output(&self) -> &Texture2d {
        self.blurred.color(0)
    }
}
