//! Tone mapping: radiance to display pixels.

use std::rc::Rc;

use gl::{GlError, Procedural, Program, Texture2d, uniforms};

use crate::deferred::DeferredProgram;
use crate::pass_cache::PassMaker;
use crate::passes::SoftCopies;

/// Images of a scene before they are made a picture.
#[derive(Clone, Copy)]
pub struct SceneImages<'a> {
    /// Linear radiance.
    pub color: &'a Texture2d,
    /// Depth.
    pub depth: &'a Texture2d,
    /// Radiance of light shafts, if there are any.
    pub shafts: Option<&'a Texture2d>,
    /// Soft copies for bloom and local tones, if the plan has either.
    pub soft: Option<SoftCopies<'a>>,
}

uniforms! {
    struct TonemapUniforms<'a> {
        scene_color: &'a Texture2d,
        scene_depth: &'a Texture2d,
        shaft_map: Option<&'a Texture2d>,
        bloom_map: Option<&'a Texture2d>,
        surroundings_map: Option<&'a Texture2d>,
    }
}

/// Exposure, white balance, filmic curve and dither, into the bound framebuffer.
pub struct TonemapPass {
    plain: Rc<Program<TonemapUniforms<'static>>>,
    with_shafts: DeferredProgram<TonemapUniforms<'static>>,
}

impl TonemapPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        const FILES: (&str, &str) = ("fullscreen.vert.glsl", "tonemap.frag.glsl");
        let with_shafts = make.late_program(FILES, &[("SHAFTS", 1)])?;
        Ok(Self { plain: make.program(FILES, &[("SHAFTS", 0)])?, with_shafts })
    }

    /// Whether light shafts can be among the images.
    pub fn takes_shafts(&self) -> bool {
        self.with_shafts.get().is_some()
    }

    /// Draws the picture.
    pub fn draw(&self, images: &SceneImages<'_>, triangle: &Procedural) {
        let with_shafts = images.shafts.and_then(|_| self.with_shafts.get());
        let program = with_shafts.unwrap_or(&self.plain);
        program.bind(&TonemapUniforms {
            scene_color: images.color,
            scene_depth: images.depth,
            shaft_map: images.shafts,
            bloom_map: images.soft.map(|soft| soft.bloom),
            surroundings_map: images.soft.map(|soft| soft.surroundings),
        });
        triangle.fullscreen();
    }
}
