//! Two eyes in one picture.

use std::rc::Rc;

use gl::{Filter, Format, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Wrap, uniforms};

use crate::pass_cache::PassMaker;

uniforms! {
    struct AnaglyphUniforms<'a> {
        left_eye: &'a Texture2d,
        right_eye: &'a Texture2d,
    }
}

/// Mixes the finished pictures of both eyes for red and cyan glasses.
pub struct AnaglyphPass {
    program: Rc<Program<AnaglyphUniforms<'static>>>,
    eyes: [Rc<RenderTarget>; 2],
}

impl AnaglyphPass {
    /// A pass for pictures as on the screen, or of `linear` radiance.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(make: &PassMaker<'_>, linear: bool) -> Result<Self, GlError> {
        let texel = if linear { Format::Rgba32F } else { Format::Rgba8 };
        let format = TargetFormat { colors: &[(texel, Filter::Nearest, Wrap::Clamp)], depth: None };
        let eye = |name| make.target(name, make.plan.output, &format);
        Ok(Self {
            program: make.program(("fullscreen.vert.glsl", "anaglyph.frag.glsl"), &[("LINEAR", linear.into())])?,
            eyes: [eye("left eye")?, eye("right eye")?],
        })
    }

    /// Target for the picture of eye `number`.
    pub fn eye(&self, number: usize) -> &RenderTarget {
        &self.eyes[number]
    }

    /// Draws both into the bound framebuffer.
    pub fn draw(&self, triangle: &Procedural) {
        let [left_eye, right_eye] = [self.eyes[0].color(0), self.eyes[1].color(0)];
        self.program.bind(&AnaglyphUniforms { left_eye, right_eye });
        triangle.fullscreen();
    }
}
