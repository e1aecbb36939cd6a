//! From radiance to the screen.

use crate::gl::{Gl, GlError, Procedural, Program, Texture2d, Uniform};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;

/// What the picture is put together from.
#[derive(Clone, Copy)]
pub struct TonemapInputs<'a> {
    /// Linear radiance of the scene.
    pub scene: &'a Texture2d,
    /// Depth of the scene.
    pub depth: &'a Texture2d,
    /// Radiance of light shafts, if drawn.
    pub shafts: Option<&'a Texture2d>,
    /// Glow, if drawn.
    pub bloom: Option<&'a Texture2d>,
}

/// Exposure, white balance, filmic curve and dither, into whatever framebuffer is bound.
pub struct TonemapPass {
    variants: Vec<(bool, bool, Program)>,
}

impl TonemapPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(gl: &Gl, source: &ShaderSource) -> Result<Self, GlError> {
        let mut variants = Vec::new();
        for (shafts, bloom) in [(false, false), (false, true), (true, false), (true, true)] {
            let defines = [("SHAFTS", shafts.into()), ("BLOOM", bloom.into())];
            let program = program(gl, source, ("fullscreen.vert.glsl", "tonemap.frag.glsl"), &defines)?;
            variants.push((shafts, bloom, program));
        }
        Ok(Self { variants })
    }

    /// Draws the picture.
    pub fn draw(&self, inputs: &TonemapInputs<'_>, triangle: &Procedural) {
        let (_, _, program) = self
            .variants
            .iter()
            .find(|(shafts, bloom, _)| *shafts == inputs.shafts.is_some() && *bloom == inputs.bloom.is_some())
            .expect("every combination was compiled");
        program.bind(&[("scene_color", Uniform::Texture(inputs.scene))]);
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
