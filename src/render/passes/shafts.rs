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
    /// Depth as the sun sees it.
    pub shadow: &'a Texture2d,
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
    /// A target of `extent` texels, `steps` samples a ray; `edges`: the blur keeps to the outlines of what is seen.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, extent: (u32, u32), steps: u32, edges: bool) -> Result<Self, GlError> {
        let program = program(gl, source, ("fullscreen.vert.glsl", "shafts.frag.glsl"), &[])?;
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Linear, Wrap::Clamp)], depth: None };
        let files = ("fullscreen.vert.glsl", "shafts_blur.frag.glsl");
        let blur = self::program(gl, source, files, &[("EDGES", edges.into())])?;
        let target = |name| RenderTarget::new(gl, name, extent, &format);
        Ok(Self { program, blur, marched: target("light shafts")?, blurred: target("blurred light shafts")?, steps })
    }

    /// Radiance to add to the scene, per low-resolution pixel; negative in the dark between shafts.
    pub fn draw(&self, inputs: &ShaftsInputs<'_>, triangle: &Procedural) {
        self.marched.begin();
        self.program.bind(&[
            ("scene_depth", Uniform::Texture(inputs.depth)),
            ("caustic_map", Uniform::Texture(inputs.caustics)),
            ("shadow_map", Uniform::Texture(inputs.shadow)),
            ("steps", Uniform::Int(self.steps as i32)),
        ]);
        triangle.fullscreen();
        self.blurred.begin();
        self.blur.bind(&[("marched", Uniform::Texture(self.marched.color(0)))]);
        triangle.fullscreen();
    }

    /// What was last drawn; alpha holds the distance from the eye, m.
    pub fn output(&self) -> &Texture2d {
        self.blurred.color(0)
    }
}
