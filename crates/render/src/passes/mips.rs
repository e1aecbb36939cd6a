//! Mip maps of textures that are drawn anew each frame.

use std::rc::Rc;

use gl::{Filter, Format, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Wrap, uniforms};

use crate::pass_cache::PassMaker;

uniforms! {
    struct MipsUniforms<'a> {
        base: &'a Texture2d,
    }
}

/// Makes all mip maps of a texture in one pass from its level 0. GL makes each from the one before, and a software
/// renderer waits for every one of them: so many waits cost it a tenth of a frame.
pub struct MipsPass {
    program: Rc<Program<MipsUniforms<'static>>>,
    /// One target a texture: its mip maps from level 1 on, one above the other.
    stacks: Vec<Rc<RenderTarget>>,
}

impl MipsPass {
    /// A pass for `textures` of RGBA16F; `of` names them.
    ///
    /// # Errors
    /// If the shader fails or a target is refused.
    pub fn new<'a>(
        make: &PassMaker<'_>,
        of: &str,
        textures: impl IntoIterator<Item = &'a Texture2d>,
    ) -> Result<Self, GlError> {
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Nearest, Wrap::Clamp)], depth: None };
        let stack = |(i, texture): (usize, &Texture2d)| {
            let heights = (1..=texture.drawn_levels().unwrap_or(0)).map(|level| texture.level_extent(level).1);
            let extent = (texture.level_extent(1).0, heights.sum::<u32>().max(1));
            make.target(&format!("mip maps of {of} {i}"), extent, &format)
        };
        Ok(Self {
            program: make.program(("fullscreen.vert.glsl", "mips.frag.glsl"), &[])?,
            stacks: textures.into_iter().enumerate().map(stack).collect::<Result<_, _>>()?,
        })
    }

    /// Fills the mip maps of the textures it was made for, given in the same order; leaves another target bound.
    pub fn draw<'a>(&self, textures: impl IntoIterator<Item = &'a Texture2d> + Clone, triangle: &Procedural) {
        for (stack, base) in self.stacks.iter().zip(textures.clone()) {
            stack.begin();
            self.program.bind(&MipsUniforms { base });
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
