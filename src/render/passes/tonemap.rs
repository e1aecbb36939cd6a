//! From radiance to the screen.

use std::rc::Rc;

use crate::gl::{GlError, Procedural, Program, Texture2d, uniforms};
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

uniforms! {
    struct TonemapUniforms<'a> {
        scene_color: &'a Texture2d,
        scene_depth: &'a Texture2d,
        shaft_map: Option<&'a Texture2d>,
        bloom_map: Option<&'a Texture2d>,
    }
}

/// Exposure, white balance, filmic curve and dither, into whatever framebuffer is bound.
pub struct TonemapPass {
    plain: Rc<Program<TonemapUniforms<'static>>>,
    with_shafts: Rc<Program<TonemapUniforms<'static>>>,
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
    pub fn draw(&self, images: &SceneImages<'_>, triangle: &Procedural) {
        let program = if images.shafts.is_some() { &self.with_shafts } else { &self.plain };
        program.bind(&TonemapUniforms {
            scene_color: images.color,
            scene_depth: images.depth,
            shaft_map: images.shafts,
            bloom_map: images.bloom,
        });
        triangle.fullscreen();
    }
}
