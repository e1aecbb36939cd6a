//! Smooth edges in the finished picture.

use std::rc::Rc;

use gl::{Filter, Format, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Wrap, uniforms};

use crate::pass_cache::PassMaker;

uniforms! {
    struct AntialiasUniforms<'a> {
        picture: &'a Texture2d,
    }
}

/// Blends pixels along the edges that their brightness shows.
pub struct AntialiasPass {
    program: Rc<Program<AntialiasUniforms<'static>>>,
    picture: Rc<RenderTarget>,
}

impl AntialiasPass {
    /// A pass for a picture of the plan's output.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Linear, Wrap::Clamp)], depth: None };
        Ok(Self {
            program: make.program(("fullscreen.vert.glsl", "antialias.frag.glsl"), &[])?,
            picture: make.target("picture", make.plan.output, &format)?,
        })
    }

    /// Binds the target that the tone map is to draw into.
    pub fn begin(&self) {
        self.picture.begin();
    }

    /// Draws the picture made since [`Self::begin`] into the bound framebuffer.
    pub fn draw(&self, triangle: &Procedural) {
        self.program.bind(&AntialiasUniforms { picture: self.picture.color(0) });
        triangle.fullscreen();
    }
}
