//! The scene under water as the surface mirrors it and lets it through.

use crate::gl::{
    Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Uniform, Wrap,
};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;

/// Copies radiance and distance before the surface is drawn.
pub struct BackdropPass {
    program: Program,
    copy: RenderTarget,
}

impl BackdropPass {
    /// For a scene of `extent` texels, of which it takes one in `divisor` each way.
    ///
    /// # Errors
    /// If a shader fails or the target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, extent: (u32, u32), divisor: u32) -> Result<Self, GlError> {
        let defines = [("BACKDROP_DIVISOR", divisor as i32)];
        let program = program(gl, source, ("fullscreen.vert.glsl", "backdrop.frag.glsl"), &defines)?;
        let extent = ((extent.0 / divisor).max(1), (extent.1 / divisor).max(1));
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::NearestMipmap, Wrap::Clamp)], depth: None };
        Ok(Self { program, copy: RenderTarget::new(gl, "backdrop", extent, &format)? })
    }

    /// What `scene` holds so far; leaves another target bound.
    pub fn draw(&self, scene: &RenderTarget, triangle: &Procedural) -> &Texture2d {
        self.copy.begin();
        let (color, depth) = (Uniform::Texture(scene.color(0)), Uniform::Texture(scene.depth()));
        self.program.bind(&[("scene_color", color), ("scene_depth", depth)]);
        triangle.fullscreen();
        // Small waves blur what they mirror.
        self.copy.color(0).update_mipmaps();
        self.copy.color(0)
    }
}
