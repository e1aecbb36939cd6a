//! Glow round bright things: the scene, smaller and softer.

use std::rc::Rc;

use crate::gl::{
    Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Uniform, Wrap,
};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;

/// Halvings of the scene: each doubles the width of the glow.
const LEVELS: u32 = 5;

/// A chain of halved and blurred copies, added up on the way back.
pub struct BloomPass {
    down: Rc<Program>,
    levels: Vec<RenderTarget>,
}

/// Which way along the chain.
#[derive(Clone, Copy)]
enum Resize {
    Halve,
    Double,
}

impl BloomPass {
    /// For a scene of `extent` texels.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, extent: (u32, u32)) -> Result<Self, GlError> {
        let down = Rc::new(program(gl, source, ("fullscreen.vert.glsl", "bloom.frag.glsl"), &[])?);
        Ok(Self { down, levels: levels(gl, extent)? })
    }

    /// The same for a scene of `extent` texels.
    ///
    /// # Errors
    /// If a target is refused.
    pub fn resized(&self, gl: &Gl, extent: (u32, u32)) -> Result<Self, GlError> {
        Ok(Self { down: Rc::clone(&self.down), levels: levels(gl, extent)? })
    }

    /// The glow of `scene`, at a quarter of its resolution.
    pub fn draw(&self, scene: &Texture2d, triangle: &Procedural) {
        let mut from = scene;
        for level in &self.levels {
            self.filter(from, level, Resize::Halve, triangle);
            from = level.color(0);
        }
        for pair in self.levels.windows(2).rev() {
            self.filter(pair[1].color(0), &pair[0], Resize::Double, triangle);
        }
    }

    /// What was last drawn.
    pub fn output(&self) -> &Texture2d {
        self.levels[0].color(0)
    }

    /// Writes a blurred `from` into `to`; what is doubled is mixed with what is there.
    fn filter(&self, from: &Texture2d, to: &RenderTarget, resize: Resize, triangle: &Procedural) {
        use crate::gl::{Blend, Cull, Depth, RenderState};
        let (share, reach) = match resize {
            Resize::Halve => (1.0, 1.0),
            Resize::Double => (0.55, 0.5),
        };
        to.begin();
        self.down.bind(&[
            ("from", Uniform::Texture(from)),
            ("share", Uniform::Float(share)),
            ("reach", Uniform::Float(reach)),
        ]);
        let blend = if share < 1.0 { Blend::Over } else { Blend::Off };
        triangle.draw(RenderState { depth: Depth::Off, blend, cull: Cull::Off }, 3, 1);
    }
}

/// Targets from a quarter of the scene's resolution down.
fn levels(gl: &Gl, (width, height): (u32, u32)) -> Result<Vec<RenderTarget>, GlError> {
    let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Linear, Wrap::Clamp)], depth: None };
    let extent = |level: u32| ((width >> level).max(1), (height >> level).max(1));
    (2..2 + LEVELS).map(|level| RenderTarget::new(gl, "bloom", extent(level), &format)).collect()
}
