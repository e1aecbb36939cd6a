//! Smooth edges in the finished picture.

use std::rc::Rc;

use crate::gl::{Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Uniform, Wrap};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;

/// Blends pixels along the edges that their brightness shows.
pub struct AntialiasPass {
    program: Rc<Program>,
    picture: RenderTarget,
}

impl AntialiasPass {
    /// For a picture of `extent` pixels.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, extent: (u32, u32)) -> Result<Self, GlError> {
        let program = Rc::new(program(gl, source, ("fullscreen.vert.glsl", "antialias.frag.glsl"), &[])?);
        Ok(Self { program, picture: target(gl, extent)? })
    }

    /// The same for a picture of `extent` pixels.
    ///
    /// # Errors
    /// If a target is refused.
    pub fn resized(&self, gl: &Gl, extent: (u32, u32)) -> Result<Self, GlError> {
        Ok(Self { program: Rc::clone(&self.program), picture: target(gl, extent)? })
    }

    /// Binds what the tone map is to draw into.
    pub fn begin(&self) {
        self.picture.begin();
    }

    /// Draws what was drawn since [`Self::begin`] into whatever framebuffer is bound.
    pub fn draw(&self, triangle: &Procedural) {
        self.program.bind(&[("picture", Uniform::Texture(self.picture.color(0)))]);
        triangle.fullscreen();
    }
}

fn target(gl: &Gl, extent: (u32, u32)) -> Result<RenderTarget, GlError> {
    let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Linear, Wrap::Clamp)], depth: None };
    RenderTarget::new(gl, "picture", extent, &format)
}
