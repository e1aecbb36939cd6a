//! Light shafts: the water's brightness varied by the caustics overhead, at low resolution.

use std::rc::Rc;

use gl::{Filter, Format, GlError, Procedural, RenderTarget, TargetFormat, Texture2d, Wrap, uniforms};

use crate::deferred::DeferredProgram;
use crate::pass_cache::PassMaker;
use crate::passes::LightMaps;

uniforms! {
    struct ShaftsUniforms<'a> {
        scene_depth: &'a Texture2d,
        caustic_map: &'a Texture2d,
        shadow_map: &'a Texture2d,
        steps: i32,
    }
}

uniforms! {
    struct BlurUniforms<'a> {
        marched: &'a Texture2d,
    }
}

/// Marches view rays through the caustic slices.
pub struct ShaftsPass {
    march: DeferredProgram<ShaftsUniforms<'static>>,
    blur: DeferredProgram<BlurUniforms<'static>>,
    steps: i32,
    marched: Rc<RenderTarget>,
    blurred: Rc<RenderTarget>,
}

impl ShaftsPass {
    /// A pass at the tier's share of the scene's resolution.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let detail = &make.plan.detail;
        let extent = make.plan.divided(detail.shaft_divisor);
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Linear, Wrap::Clamp)], depth: None };
        Ok(Self {
            march: make.late_program(("fullscreen.vert.glsl", "shafts.frag.glsl"), &[])?,
            blur: make.late_program(("fullscreen.vert.glsl", "shafts_blur.frag.glsl"), &[])?,
            steps: detail.shaft_steps as i32,
            marched: make.target("light shafts", extent, &format)?,
            blurred: make.target("blurred light shafts", extent, &format)?,
        })
    }

    /// Radiance to add to the scene, per low-resolution pixel, negative in the dark between shafts; alpha holds
    /// linear view depth, m. `None` while the shaders are compiled.
    pub fn draw(&self, scene_depth: &Texture2d, light: &LightMaps<'_>, triangle: &Procedural) -> Option<&Texture2d> {
        let (march, blur) = self.march.get().zip(self.blur.get())?;
        self.marched.begin();
        let LightMaps { caustics, shadow_map } = *light;
        let (caustic_map, steps) = (caustics.caustic_map, self.steps);
        march.bind(&ShaftsUniforms { scene_depth, caustic_map, shadow_map, steps });
        triangle.fullscreen();
        self.blurred.begin();
        blur.bind(&BlurUniforms { marched: self.marched.color(0) });
        triangle.fullscreen();
        Some(self.blurred.color(0))
    }
}
