//! Bloom round bright things, and what surrounds a place: the scene, smaller and softer.

use std::rc::Rc;

use gl::{
    Blend, Cull, Depth, Filter, Format, GlError, Procedural, Program, RenderState, RenderTarget, TargetFormat,
    Texture2d, Wrap, uniforms,
};

use crate::pass_cache::PassMaker;

/// Copies of the scene, at a quarter of its resolution and down, each at half of that before: one more doubles the
/// width of the bloom.
const LEVELS: u32 = 5;

/// The copy whose texels are the means of a place's surroundings: those of its own size and of two and four times it.
const SURROUNDINGS: usize = 2;

/// Soft copies of a scene.
#[derive(Clone, Copy)]
pub struct SoftCopies<'a> {
    /// The bloom, at a quarter of the scene's resolution.
    pub bloom: &'a Texture2d,
    /// Means of surroundings, at a sixteenth.
    pub surroundings: &'a Texture2d,
}

uniforms! {
    struct BloomUniforms<'a> {
        from: &'a Texture2d,
        weight: f32,
        reach: f32,
    }
}

/// A chain of halved and blurred copies, blended on the way back.
pub struct BloomPass {
    program: Rc<Program<BloomUniforms<'static>>>,
    /// Chain of targets, from a quarter of the scene's resolution down.
    levels: Vec<Rc<RenderTarget>>,
}

/// Direction along the chain.
#[derive(Clone, Copy)]
enum Resize {
    Halve,
    Double,
}

impl BloomPass {
    /// A pass for a scene of the plan's extent.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Linear, Wrap::Clamp)], depth: None };
        let level = |level: u32| make.target(&format!("bloom {level}"), make.plan.divided(1 << level), &format);
        Ok(Self {
            program: make.program(("fullscreen.vert.glsl", "bloom.frag.glsl"), &[])?,
            levels: (2..2 + LEVELS).map(level).collect::<Result<_, _>>()?,
        })
    }

    /// Soft copies of `scene`.
    pub fn draw(&self, scene: &Texture2d, triangle: &Procedural) -> SoftCopies<'_> {
        let mut from = scene;
        for level in &self.levels {
            self.filter(from, level, Resize::Halve, triangle);
            from = level.color(0);
        }
        for pair in self.levels.windows(2).rev() {
            self.filter(pair[1].color(0), &pair[0], Resize::Double, triangle);
        }
        SoftCopies { bloom: self.levels[0].color(0), surroundings: self.levels[SURROUNDINGS].color(0) }
    }

    /// Writes a blurred `from` into `to`; when it is doubled, it is mixed with the content of `to`.
    fn filter(&self, from: &Texture2d, to: &RenderTarget, resize: Resize, triangle: &Procedural) {
        let (weight, reach) = match resize {
            Resize::Halve => (1.0, 1.0),
            Resize::Double => (0.55, 0.5),
        };
        to.begin();
        self.program.bind(&BloomUniforms { from, weight, reach });
        let blend = if weight < 1.0 { Blend::Over } else { Blend::Off };
        triangle.draw(RenderState { depth: Depth::Off, blend, cull: Cull::Off }, 3, 1);
    }
}
