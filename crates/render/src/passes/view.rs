//! Views of a frame's maps: depth, normals and the like.

use std::rc::Rc;

use gl::{GlError, Procedural, Program, Texture2d, uniforms};

use crate::debug_view::View;
use crate::pass_cache::PassMaker;

uniforms! {
    struct ViewUniforms<'a> {
        map: &'a Texture2d,
        shaft_map: &'a Texture2d,
        shafts_on: f32,
        frame_aspect: f32,
    }
}

/// Writes one of the frame's maps into the bound framebuffer.
pub struct ViewPass {
    program: Rc<Program<ViewUniforms<'static>>>,
}

impl ViewPass {
    /// Shows a map as `view` asks; `linear` keeps values as they are, else they are fitted to the screen.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>, view: View, linear: bool) -> Result<Self, GlError> {
        let mut defines = view.defines();
        defines.push(("LINEAR", linear.into()));
        Ok(Self { program: make.program(("fullscreen.vert.glsl", "view.frag.glsl"), &defines)? })
    }

    /// Draws `map` into a picture of that width and height; `shafts` are added to radiance.
    pub fn draw(
        &self,
        map: &Texture2d,
        shafts: Option<&Texture2d>,
        (width, height): (u32, u32),
        triangle: &Procedural,
    ) {
        self.program.bind(&ViewUniforms {
            map,
            shaft_map: shafts.unwrap_or(map),
            shafts_on: if shafts.is_some() { 1.0 } else { 0.0 },
            frame_aspect: width as f32 / height as f32,
        });
        triangle.fullscreen();
    }
}
