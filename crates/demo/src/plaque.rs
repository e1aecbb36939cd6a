//! A sheet in the world that panels are drawn on, for headsets: text at a distance where eyes meet.

use egui::Pos2;
use gl::{
    Blend, Cull, Depth, Filter, Format, Gl, GlError, Procedural, Program, RenderState, RenderTarget, ShaderText,
    TargetFormat, Texture2d, UniformBlock, Wrap, uniforms,
};
use glam::{Vec2, Vec3, Vec4};
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

/// Longest part of a line that is shown. Unit: m.
const POINTER_M: f32 = 2.0;
/// Half of the width of a line, and of the spot at a hand. Unit: m.
const POINTER_WIDTH_M: f32 = 0.002;
const HAND_M: f32 = 0.015;
/// Half of the spot at a line's end, over its distance from the hand.
const POINT_SIZE: f32 = 0.006;
/// Side of the spot's picture in texels, and its greatest coverage.
const SPOT: u32 = 32;
const SPOT_COVERAGE: f32 = 0.8;

/// Sheet of panels.
pub struct Plaque {
    target: RenderTarget,
    program: Program<PlaqueUniforms<'static>>,
    quad: Procedural,
    /// A soft round spot, stretched to the lines that hands point along.
    spot: Texture2d,
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
            spot: spot(gl)?,
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
        if let Some((place, ahead)) = self.stands {
            let (right, top) = edges(ahead);
            self.draw_quad(eye, aspect, [place, right, top], self.target.color(0));
        }
    }

    /// Draws the lines that hands point along as an eye sees them, with a spot at either end.
    pub fn draw_pointers(&self, eye: &Camera, aspect: f32, pointers: &[[Vec3; 2]]) {
        for &[from, to] in pointers {
            let (way, to_eye) = (to - from, eye.eye - from);
            let shown = way.clamp_length_max(POINTER_M);
            let aside = shown.cross(to_eye).normalize_or(Vec3::X) * POINTER_WIDTH_M;
            self.draw_quad(eye, aspect, [from + 0.5 * shown, aside, 0.5 * shown], &self.spot);
            for (place, size) in [(from, HAND_M), (to, POINT_SIZE * way.length())] {
                let [right, top] = [Vec3::X, Vec3::Y].map(|axis| eye.orientation * axis * size);
                self.draw_quad(eye, aspect, [place, right, top], &self.spot);
            }
        }
    }

    /// Place on the sheet where a line meets it, in points from its upper left corner, and that place in the world; `None`
    /// if it goes past.
    pub fn meets(&self, from: Vec3, direction: Vec3) -> Option<(Pos2, Vec3)> {
        let (middle, ahead) = self.stands?;
        let (right, top) = edges(ahead);
        let along = (middle - from).dot(ahead) / direction.dot(ahead);
        let place = from + along * direction;
        let [x, y] = [right, top].map(|edge| (place - middle).dot(edge) / edge.length_squared());
        let is_met = along.is_finite() && along > 0.0 && x.abs() <= 1.0 && y.abs() <= 1.0;
        let [width, height] = [EXTENT.0, EXTENT.1].map(|pixels| 0.5 * pixels as f32 / SCALE);
        is_met.then(|| (Pos2::new((1.0 + x) * width, (1.0 - y) * height), place))
    }

    /// Draws a picture on a quad: its middle, and the ways from there to its right and upper edge.
    fn draw_quad(&self, eye: &Camera, aspect: f32, [middle, right, top]: [Vec3; 3], sheet: &Texture2d) {
        let clip_from_world = eye.clip_from_view(aspect) * eye.view_from_world();
        let way = |way: Vec3| clip_from_world * way.extend(0.0);
        let middle = clip_from_world * middle.extend(1.0);
        self.program.bind(&PlaqueUniforms { middle, to_right: way(right), to_top: way(top), sheet });
        let state = RenderState { depth: Depth::Off, blend: Blend::Over, cull: Cull::Off };
        self.quad.draw(state, Procedural::QUAD, 1);
    }
}

/// Ways from the middle of a sheet that is seen in that level direction to its right and upper edge.
fn edges(ahead: Vec3) -> (Vec3, Vec3) {
    let half = 0.5 * WIDTH_M;
    (ahead.cross(Vec3::Y) * half, Vec3::Y * (half * EXTENT.1 as f32 / EXTENT.0 as f32))
}

/// A white spot that fades from its middle, with premultiplied alpha.
fn spot(gl: &Gl) -> Result<Texture2d, GlError> {
    let coverage = |texel: u32| {
        let at = Vec2::new((texel % SPOT) as f32, (texel / SPOT) as f32) + 0.5;
        let from_middle = (2.0 * at / SPOT as f32 - 1.0).length();
        (255.0 * SPOT_COVERAGE * (1.0 - from_middle * from_middle).max(0.0)) as u8
    };
    let pixels: Vec<u8> = (0..SPOT * SPOT).flat_map(|texel| [coverage(texel); 4]).collect();
    Texture2d::new(gl, "spot", (SPOT, SPOT), Format::Rgba8, Filter::Linear, Wrap::Clamp, Some(&pixels))
}
