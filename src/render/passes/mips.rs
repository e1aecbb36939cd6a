//! Mip maps of textures that are drawn anew each frame.

use std::rc::Rc;

use crate::gl::{
    Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Uniform, Wrap,
};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;

/// Makes all mip maps of a texture in one pass from its level 0. GL makes each from the one before, and a software
/// renderer waits for every one of them: so many waits cost it a tenth of a frame.
pub struct MipsPass {
    program: Rc<Program>,
    /// One a texture: its mip maps from level 1 on, one above the other.
    stacks: Vec<RenderTarget>,
}

impl MipsPass {
    /// For `textures` of RGBA16F.
    ///
    /// # Errors
    /// If the shader fails or a target is refused.
    pub fn new<'a>(
        gl: &Gl,
        source: &ShaderSource,
        textures: impl IntoIterator<Item = &'a Texture2d>,
    ) -> Result<Self, GlError> {
        let program = Rc::new(program(gl, source, ("fullscreen.vert.glsl", "mips.frag.glsl"), &[])?);
        Ok(Self { program, stacks: stacks(gl, textures)? })
    }

    /// The same for others.
    ///
    /// # Errors
    /// If a target is refused.
    pub fn resized<'a>(&self, gl: &Gl, textures: impl IntoIterator<Item = &'a Texture2d>) -> Result<Self, GlError> {
        Ok(Self { program: Rc::clone(&self.program), stacks: stacks(gl, textures)? })
    }

    /// Fills the mip maps of the textures it was made for, given in the same order; leaves another target bound.
    pub fn draw<'a>(&self, textures: impl IntoIterator<Item = &'a Texture2d> + Clone, triangle: &Procedural) {
        for (stack, texture) in self.stacks.iter().zip(textures.clone()) {
            stack.begin();
            self.program.bind(&[("base", Uniform::Texture(texture))]);
            triangle.fullscreen();
        }
        for (stack, texture) in self.stacks.iter().zip(textures) {
            let mut below = 0;
            for level in 1..=texture.drawn_levels().unwrap_or(0) {
                stack.copy_to_level((0, below), texture, level);
                below += texture.level_extent(level).1;
            }
        }
    }
}

fn stacks<'a>(gl: &Gl, textures: impl IntoIterator<Item = &'a Texture2d>) -> Result<Vec<RenderTarget>, GlError> {
    let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Nearest, Wrap::Clamp)], depth: None };
    let stack = |texture: &Texture2d| {
        let heights = (1..=texture.drawn_levels().unwrap_or(0)).map(|level| texture.level_extent(level).1);
        RenderTarget::new(gl, "mip maps", (texture.level_extent(1).0, heights.sum::<u32>().max(1)), &format)
    };
    textures.into_iter().map(stack).collect()
}
