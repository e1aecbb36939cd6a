//! Insides made visible: depth, normals, maps.

use std::rc::Rc;

use crate::gl::{GlError, Procedural, Program, Texture2d, uniforms};
use crate::render::pass_cache::PassMaker;
use crate::render::view::View;

/// In the order of VIEW in the shader.
const VIEWS: [View; 8] = [
    View::Final,
    View::Depth,
    View::Normal,
    View::Caustics,
    View::Shadow,
    View::Transmittance,
    View::Inscatter,
    View::Slope,
];

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
    variants: Vec<(View, bool, Rc<Program<ViewUniforms<'static>>>)>,
}

impl ViewPass {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let mut variants = Vec::new();
        for (number, view) in VIEWS.iter().enumerate() {
            for linear in [false, true] {
                let defines = [("VIEW", number as i32), ("LINEAR", linear.into())];
                let program = make.program(("fullscreen.vert.glsl", "view.frag.glsl"), &defines)?;
                variants.push((*view, linear, program));
            }
        }
        Ok(Self { variants })
    }

    /// Draws `map` as `view` asks; `linear` keeps values as they are, else they are fitted to the screen.
    pub fn draw(
        &self,
        (view, linear): (View, bool),
        map: &Texture2d,
        shafts: Option<&Texture2d>,
        (width, height): (u32, u32),
        triangle: &Procedural,
    ) {
        let (_, _, program) = self
            .variants
            .iter()
            .find(|(of, in_linear, _)| *of == view && *in_linear == linear)
            .expect("every combination was compiled");
        program.bind(&ViewUniforms {
            map,
            shaft_map: shafts.unwrap_or(map),
            shafts_on: if shafts.is_some() { 1.0 } else { 0.0 },
            frame_aspect: width as f32 / height as f32,
        });
        triangle.fullscreen();
    }
}
