//! Light shafts: the water's brightness varied by the caustics overhead, at low resolution.

use std::rc::Rc;

use crate::gl::{Filter, Format, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Uniform, Wrap};
use crate::render::pass_cache::PassMaker;

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
    steps: u32,
    marched: Rc<RenderTarget>,
    blurred: Rc<RenderTarget>,
}

impl ShaftsPass {
    /// At the tier's share of the scene's resolution.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let tier = &make.plan.tier;
        let extent = make.plan.divided(tier.shaft_divisor);
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Linear, Wrap::Clamp)], depth: None };
        Ok(Self {
            march: make.program(("fullscreen.vert.glsl", "shafts.frag.glsl"), &[])?,
            blur: make.program(("fullscreen.vert.glsl", "shafts_blur.frag.glsl"), &[])?,
            steps: tier.shaft_steps,
            marched: make.target("light shafts", extent, &format)?,
            blurred: make.target("blurred light shafts", extent, &format)?,
        })
    }

    /// Radiance to add to the scene, per low-resolution pixel, negative in the dark between shafts; alpha holds how far
    /// ahead of the eye is what is seen, m.
    pub fn draw(&self, inputs: &ShaftsInputs<'_>, triangle: &Procedural) -> &Texture2d {
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
        self.blurred.color(0)
    }
}
