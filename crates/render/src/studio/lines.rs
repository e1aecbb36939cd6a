//! Lines of a width in pixels, with soft edges.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use gl::attributes::{COLOUR, POSITION, UV};
use gl::{Attribute, AttributeKind, Blend, Cull, Depth, Gl, GlError, Program, RenderState, StreamedGeometry};
use glam::{Mat4, Vec2, Vec3, Vec4};

/// A straight line, with a width at each end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Its ends.
    pub ends: [Vec3; 2],
    /// Its width at each. Unit: pixels.
    pub widths: [f32; 2],
    /// sRGB.
    pub colour: [u8; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Corner {
    position: [f32; 3],
    uv: [f32; 2],
    colour: [u8; 4],
}

const LAYOUT: &[Attribute] = &[
    attribute(POSITION, 3, AttributeKind::F32, offset_of!(Corner, position)),
    attribute(UV, 2, AttributeKind::F32, offset_of!(Corner, uv)),
    attribute(COLOUR, 4, AttributeKind::U8Normalised, offset_of!(Corner, colour)),
];

const fn attribute(location: u32, components: i32, kind: AttributeKind, offset: usize) -> Attribute {
    Attribute { location, components, kind, offset: offset as i32 }
}

/// Renderer of lines.
pub(super) struct LineDrawing {
    program: Program<()>,
    quads: StreamedGeometry,
}

impl LineDrawing {
    pub fn new(gl: &Gl, program: Program<()>) -> Result<Self, GlError> {
        Ok(Self { program, quads: StreamedGeometry::new(gl, "lines", size_of::<Corner>(), LAYOUT)? })
    }

    /// Draws over the bound framebuffer, which is of `size` pixels.
    pub fn draw(&self, lines: &[Line], clip_from_model: Mat4, size: (u32, u32)) -> Result<(), GlError> {
        let pixels = 0.5 * Vec2::new(size.0 as f32, size.1 as f32);
        let corners: Vec<Corner> =
            lines.iter().filter_map(|line| quad(line, clip_from_model, pixels)).flatten().collect();
        if corners.is_empty() {
            return Ok(());
        }
        let indices: Vec<u32> = (0..corners.len() as u32)
            .step_by(4)
            .flat_map(|first| [0, 1, 2, 2, 1, 3].map(|corner| first + corner))
            .collect();
        self.program.bind(&());
        let state = RenderState { depth: Depth::Off, blend: Blend::Over, cull: Cull::Off };
        self.quads.draw(state, ((0, 0), size), bytemuck::cast_slice(&corners), &indices)
    }
}

/// The corners of a line on the screen, half of which is `pixels`; `None` if an end is not before the eye.
fn quad(line: &Line, clip_from_model: Mat4, pixels: Vec2) -> Option<[Corner; 4]> {
    let [a, b] = line.ends.map(|end| clip_from_model * end.extend(1.0));
    let on_screen = |clip: Vec4| (clip.w > 1e-4).then(|| Vec2::new(clip.x, clip.y) / clip.w * pixels);
    let (from, to) = (on_screen(a)?, on_screen(b)?);
    let along = (to - from).normalize_or(Vec2::X);
    let [thick, thin] = line.widths.map(|width| 0.5 * width);
    // A line without length is a dot.
    let (from, to) = if from == to { (from - along * thick, to + along * thin) } else { (from, to) };
    let [r, g, b] = line.colour;
    let corner = |at: Vec2, half: f32, side: f32| {
        // A pixel more on each side for the soft edge.
        let reach = side * (half + 1.0);
        let at = (at + along.perp() * reach) / pixels;
        Corner { position: [at.x, at.y, 0.0], uv: [reach, half], colour: [r, g, b, 255] }
    };
    Some([corner(from, thick, -1.0), corner(from, thick, 1.0), corner(to, thin, -1.0), corner(to, thin, 1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_wide_as_it_says_wherever_it_lies() {
        let line = Line { ends: [Vec3::ZERO, Vec3::new(0.5, 0.0, 0.0)], widths: [4.0, 2.0], colour: [255; 3] };
        let corners = quad(&line, Mat4::IDENTITY, Vec2::new(100.0, 50.0)).expect("before the eye");
        // Half the width and a pixel: 3 of 50 and 2 of 50 up.
        assert_eq!(corners.map(|corner| corner.position[1].abs()), [0.06, 0.06, 0.04, 0.04]);
        assert_eq!(corners.map(|corner| corner.position[0]), [0.0, 0.0, 0.5, 0.5]);
        let dot = Line { ends: [Vec3::ZERO; 2], ..line };
        let corners = quad(&dot, Mat4::IDENTITY, Vec2::new(100.0, 50.0)).expect("before the eye");
        assert_eq!(corners.map(|corner| corner.position[0]), [-0.02, -0.02, 0.01, 0.01]);
        let behind = Mat4::from_diagonal(Vec4::new(1.0, 1.0, 1.0, -1.0));
        assert!(quad(&line, behind, Vec2::ONE).is_none());
    }
}
