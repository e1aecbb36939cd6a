//! From radiance to the screen.

use std::rc::Rc;

use crate::gl::{GlError, Procedural, Program, Texture2d, Uniform};
use crate::render::pass_cache::PassMaker;

/// What a scene has become, before it is made a picture.
#[derive(Clone, Copy)]
pub struct SceneImages<'a> {
    /// Linear radiance.
    pub color: &'a Texture2d,
    /// Depth.
    pub depth: &'a Texture2d,
    /// Radiance of light shafts, if there are any.
    pub shafts: Option<&'a Texture2d>,
    /// Bloom, if the plan has it.
    pub bloom: Option<&'a Texture2d>,
}

/// Exposure, white balance, filmic curve and dither, into whatever framebuffer is bound.
pub struct TonemapPass {
    plain: Rc<Program>,
    with_shafts: Rc<Program>,
}

impl TonemapPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let of = |shafts| make.program(("fullscreen.vert.glsl", "tonemap.frag.glsl"), &[("SHAFTS", shafts)]);
        Ok(Self { plain: of(0)?, with_shafts: of(1)? })
    }

    /// Draws the picture.
    pub fn draw(&self, inputs: &SceneImages<'_>, triangle: &Procedural) {
        let program = if inputs.shafts.is_some() { &self.with_shafts } else { &self.plain };
        program.bind(&[("scene_color", Uniform::Texture(inputs.color))]);
        if let Some(shafts) = inputs.shafts {
            program.set("shaft_map", &Uniform::Texture(shafts));
            program.set("scene_depth", &Uniform::Texture(inputs.depth));
        }
        if let Some(bloom) = inputs.bloom {
            program.set("bloom_map", &Uniform::Texture(bloom));
        }
        triangle.fullscreen();
    }
}
