//! The scene under water as the surface mirrors it and lets it through.

use std::rc::Rc;

use crate::gl::{
    Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Uniform, Wrap,
};
use crate::render::passes::{MipsPass, program};
use crate::render::shaders::ShaderSource;

/// Copies radiance and distance before the surface is drawn.
pub struct BackdropPass {
    program: Rc<Program>,
    divisor: u32,
    copy: RenderTarget,
    mips: MipsPass,
}

impl BackdropPass {
    /// For a scene of `extent` texels, of which it takes one in `divisor` each way.
    ///
    /// # Errors
    /// If a shader fails or the target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, extent: (u32, u32), divisor: u32) -> Result<Self, GlError> {
        let defines = [("BACKDROP_DIVISOR", divisor as i32)];
        let program = Rc::new(program(gl, source, ("fullscreen.vert.glsl", "backdrop.frag.glsl"), &defines)?);
        let copy = target(gl, extent, divisor)?;
        let mips = MipsPass::new(gl, source, [copy.color(0)])?;
        Ok(Self { program, divisor, copy, mips })
    }

    /// The same for a scene of `extent` texels.
    ///
    /// # Errors
    /// If the target is refused.
    pub fn resized(&self, gl: &Gl, extent: (u32, u32)) -> Result<Self, GlError> {
        let copy = target(gl, extent, self.divisor)?;
        let mips = self.mips.resized(gl, [copy.color(0)])?;
        Ok(Self { program: Rc::clone(&self.program), divisor: self.divisor, copy, mips })
    }

    /// What `scene` holds so far; leaves another target bound.
    pub fn draw(&self, scene: &RenderTarget, triangle: &Procedural) -> &Texture2d {
        self.copy.begin();
        let (color, depth) = (Uniform::Texture(scene.color(0)), Uniform::Texture(scene.depth()));
        self.program.bind(&[("scene_color", color), ("scene_depth", depth)]);
        triangle.fullscreen();
        // Small waves blur what they mirror.
        self.mips.draw([self.copy.color(0)], triangle);
        self.copy.color(0)
    }
}

fn target(gl: &Gl, extent: (u32, u32), divisor: u32) -> Result<RenderTarget, GlError> {
    let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::NearestMipmap, Wrap::Clamp)], depth: None };
    RenderTarget::new(gl, "backdrop", ((extent.0 / divisor).max(1), (extent.1 / divisor).max(1)), &format)
}
