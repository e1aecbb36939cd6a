//! Contact: things that stand close together take the water's light from each other.

use std::rc::Rc;

use gl::{
    Blend, Cull, Depth, Filter, Format, GlError, Procedural, RenderState, RenderTarget, TargetFormat, Texture2d, Wrap,
    uniforms,
};

use crate::deferred::DeferredProgram;
use crate::pass_cache::PassMaker;

uniforms! {
    struct ContactUniforms<'a> {
        scene_depth: &'a Texture2d,
        shadow_map: &'a Texture2d,
    }
}

uniforms! {
    struct LayUniforms<'a> {
        open_sky: &'a Texture2d,
    }
}

/// Darkens surfaces that things near them on the screen hide from the water's light.
pub struct ContactPass {
    find: DeferredProgram<ContactUniforms<'static>>,
    lay: DeferredProgram<LayUniforms<'static>>,
    open_sky: Rc<RenderTarget>,
}

impl ContactPass {
    /// A pass at the scene's resolution.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Nearest, Wrap::Clamp)], depth: None };
        let taps = [("TAPS", make.plan.detail.contact_taps as i32)];
        Ok(Self {
            find: make.late_program(("fullscreen.vert.glsl", "contact.frag.glsl"), &taps)?,
            lay: make.late_program(("fullscreen.vert.glsl", "contact_lay.frag.glsl"), &[])?,
            open_sky: make.target("open sky", make.plan.extent, &format)?,
        })
    }

    /// Darkens `scene`, in which nothing transparent has been drawn yet. What a lamp's `shadow_map` keeps its light from is
    /// dark already.
    pub fn draw(&self, scene: &RenderTarget, shadow_map: &Texture2d, triangle: &Procedural) {
        let (Some(find), Some(lay)) = (self.find.get(), self.lay.get()) else { return };
        self.open_sky.begin();
        find.bind(&ContactUniforms { scene_depth: scene.depth(), shadow_map });
        triangle.fullscreen();
        scene.begin();
        lay.bind(&LayUniforms { open_sky: self.open_sky.color(0) });
        triangle.draw(RenderState { depth: Depth::Off, blend: Blend::Over, cull: Cull::Off }, 3, 1);
    }
}
