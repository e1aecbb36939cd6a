//! A sheet in the world that panels are drawn on, for headsets: text at a distance where eyes meet.

use gl::{
    Blend, Cull, Depth, Filter, Format, Gl, GlError, Procedural, Program, RenderState, RenderTarget, ShaderText,
    TargetFormat, UniformBlock, Wrap, uniforms,
};
use glam::{Vec3, Vec4};
use view::Camera;

/// Size of the sheet. Unit: pixels.
pub const EXTENT: (u32, u32) = (1024, 640);
/// Pixels of the sheet a point of its panels.
pub const SCALE: f32 = 1.4;
/// Width of the sheet in the world. Unit: m.
const WIDTH_M: f32 = 1.9;
/// Distance of the sheet from the head, and of its middle below it. Unit: m.
const AWAY_M: f32 = 2.0;
const BELOW_M: f32 = 0.25;
/// Cosine of the angle by which one looks past the sheet before it comes along: 35 degrees.
const FOLLOWS_COS: f32 = 0.82;

uniforms! {
    struct PlaqueUniforms<'a> {
        middle: Vec4,
        to_right: Vec4,
        to_top: Vec4,
        sheet: &'a gl::Texture2d,
    }
}

/// Sheet of panels.
pub struct Plaque {
    target: RenderTarget,
    program: Program<PlaqueUniforms<'static>>,
    quad: Procedural,
    /// Place of the middle and level direction in which it is seen; `None` before it is first shown.
    stands: Option<(Vec3, Vec3)>,
}

impl Plaque {
    /// A sheet with nothing on it.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(gl: &Gl) -> Result<Self, GlError> {
        let shader =
            |file: &str, text: &str| ShaderText { source: format!("#line 1 0\n{text}"), files: vec![file.into()] };
        let vertex = shader("plaque.vert.glsl", include_str!("plaque.vert.glsl"));
        let fragment = shader("plaque.frag.glsl", include_str!("plaque.frag.glsl"));
        let no_block = UniformBlock { name: "Frame", binding: 0, layout: &[] };
        let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Linear, Wrap::Clamp)], depth: None };
        Ok(Self {
            target: RenderTarget::new(gl, "plaque", EXTENT, &format)?,
            program: Program::new(gl, "plaque", [vertex, fragment], no_block)?,
            quad: Procedural::new(gl)?,
            stands: None,
        })
    }

    /// The sheet, to draw panels on; what was on it is gone.
    pub fn begin(&self) -> &RenderTarget {
        self.target.begin();
        self.target.clear([0.0; 4]);
        &self.target
    }

    /// Places the sheet before a head that sees it no more.
    pub fn follow(&mut self, head: &Camera) {
        let ahead = (head.orientation * Vec3::NEG_Z).with_y(0.0).normalize_or(Vec3::NEG_Z);
        let is_seen = self.stands.is_some_and(|(place, _)| {
            let way = (place - head.eye).with_y(0.0);
            way.length() < 1.5 * AWAY_M && way.normalize_or(ahead).dot(ahead) > FOLLOWS_COS
        });
        if !is_seen {
            self.stands = Some((head.eye + AWAY_M * ahead - BELOW_M * Vec3::Y, ahead));
        }
    }

    /// Draws the sheet as an eye sees it, over the bound picture of that width over its height.
    pub fn draw(&self, eye: &Camera, aspect: f32) {
        let Some((place, ahead)) = self.stands else { return };
        let right = ahead.cross(Vec3::Y) * (0.5 * WIDTH_M);
        let top = Vec3::Y * (0.5 * WIDTH_M * EXTENT.1 as f32 / EXTENT.0 as f32);
        let clip_from_world = eye.clip_from_view(aspect) * eye.view_from_world();
        let way = |way: Vec3| clip_from_world * way.extend(0.0);
        self.program.bind(&PlaqueUniforms {
            middle: clip_from_world * place.extend(1.0),
            to_right: way(right),
            to_top: way(top),
            sheet: self.target.color(0),
        });
        let state = RenderState { depth: Depth::Off, blend: Blend::Over, cull: Cull::Off };
        self.quad.draw(state, Procedural::QUAD, 1);
    }
}
