//! Light shafts: the water's brightness varied by the caustics overhead, at low resolution.

use std::rc::Rc;

use crate::gl::{
    Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Uniform, Wrap,
};
use crate::render::Tier;
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
    march: Rc<Program>,
    blur: Rc<Program>,
    divisor: u32,
    steps: u32,
    marched: RenderTarget,
    blurred: RenderTarget,
}

impl ShaftsPass {
    /// For a scene of `extent` texels.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, extent: (u32, u32), tier: &Tier) -> Result<Self, GlError> {
        let march = program(gl, source, ("fullscreen.vert.glsl", "shafts.frag.glsl"), &[])?;
        // The blur keeps to the outlines of what is seen.
        let edges = [("EDGES", tier.shaft_edges.into())];
        let blur = program(gl, source, ("fullscreen.vert.glsl", "shafts_blur.frag.glsl"), &edges)?;
        let (divisor, steps) = (tier.shaft_divisor, tier.shaft_steps);
        let [marched, blurred] = targets(gl, extent, divisor)?;
        Ok(Self { march: Rc::new(march), blur: Rc::new(blur), divisor, steps, marched, blurred })
    }

    /// The same for a scene of `extent` texels.
    ///
    /// # Errors
    /// If a target is refused.
    pub fn resized(&self, gl: &Gl, extent: (u32, u32)) -> Result<Self, GlError> {
        let (march, blur) = (Rc::clone(&self.march), Rc::clone(&self.blur));
        let [marched, blurred] = targets(gl, extent, self.divisor)?;
        Ok(Self { march, blur, divisor: self.divisor, steps: self.steps, marched, blurred })
    }

    /// Radiance to add to the scene, per low-resolution pixel; negative in the dark between shafts.
    pub fn draw(&self, inputs: &ShaftsInputs<'_>, triangle: &Procedural) {
        self.marched.begin();
        self.march.bind(&[
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

    /// What was last drawn; alpha holds how far ahead of the eye is what is seen, m.
    pub fn output(&self) -> &Texture2d {
        self.blurred.color(0)
    }
}

/// What is marched into and what is blurred into.
fn targets(gl: &Gl, extent: (u32, u32), divisor: u32) -> Result<[RenderTarget; 2], GlError> {
    let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Linear, Wrap::Clamp)], depth: None };
    let extent = ((extent.0 / divisor).max(1), (extent.1 / divisor).max(1));
    let target = |name| RenderTarget::new(gl, name, extent, &format);
    Ok([target("light shafts")?, target("blurred light shafts")?])
}
