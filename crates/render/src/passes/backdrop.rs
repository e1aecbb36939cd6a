//! The scene under water as the surface mirrors it and lets it through.

use std::rc::Rc;

use gl::{Filter, Format, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Wrap, uniforms};

use crate::pass_cache::PassMaker;
use crate::passes::MipsPass;

uniforms! {
    struct BackdropUniforms<'a> {
        scene_color: &'a Texture2d,
        scene_depth: &'a Texture2d,
    }
}

/// Copies radiance and distance before the surface is drawn.
pub struct BackdropPass {
    program: Rc<Program<BackdropUniforms<'static>>>,
    copy: Rc<RenderTarget>,
    mips: MipsPass,
}

impl BackdropPass {
    /// A pass at the tier's share of the scene's resolution.
    ///
    /// # Errors
    /// If a shader fails or the target is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let extent = make.plan.divided(make.plan.detail.backdrop_divisor);
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::NearestMipmap, Wrap::Clamp)], depth: None };
        let copy = make.target("backdrop", extent, &format)?;
        let mips = MipsPass::new(make, "backdrop", [copy.color(0)])?;
        Ok(Self { program: make.program(("fullscreen.vert.glsl", "backdrop.frag.glsl"), &[])?, copy, mips })
    }

    /// Copies `scene` as drawn so far; leaves another target bound.
    pub fn draw(&self, scene: &RenderTarget, triangle: &Procedural) -> &Texture2d {
        self.copy.begin();
        self.program.bind(&BackdropUniforms { scene_color: scene.color(0), scene_depth: scene.depth() });
        triangle.fullscreen();
        // Small waves blur the mirrored scene.
        self.mips.draw([self.copy.color(0)], triangle);
        self.copy.color(0)
    }
}
