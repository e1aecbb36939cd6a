//! Insides made visible: depth, normals, maps.

use crate::gl::{Gl, GlError, Procedural, Program, Texture2d, Uniform};
use crate::render::View;
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;

/// Writes one of the frame's maps into the bound framebuffer.
pub struct ViewPass {
    variants: Vec<(View, bool, Program)>,
}

impl ViewPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(gl: &Gl, source: &ShaderSource) -> Result<Self, GlError> {
        let mut variants = Vec::new();
        for (number, view) in [View::Final, View::Depth, View::Normal, View::Caustics, View::Shadow].iter().enumerate()
        {
            for linear in [false, true] {
                let defines = [("VIEW", number as i32), ("LINEAR", linear.into())];
                let program = program(gl, source, ("fullscreen.vert.glsl", "view.frag.glsl"), &defines)?;
                variants.push((*view, linear, program));
            }
        }
        Ok(Self { variants })
    }

    /// Draws `map` as `view` asks; `linear` keeps values as they are, else they are fitted to the screen.
    pub fn draw(&self, view: View, map: &Texture2d, shafts: Option<&Texture2d>, linear: bool, triangle: &Procedural) {
        let (_, _, program) = self
            .variants
            .iter()
            .find(|(of, in_linear, _)| *of == view && *in_linear == linear)
            .expect("every combination was compiled");
        program.bind(&[("map", Uniform::Texture(map))]);
        if view == View::Final {
            program.set("shafts_on", &Uniform::Float(if shafts.is_some() { 1.0 } else { 0.0 }));
            program.set("shaft_map", &Uniform::Texture(shafts.unwrap_or(map)));
        }
        triangle.fullscreen();
    }
}
