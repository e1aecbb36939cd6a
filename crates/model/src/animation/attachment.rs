//! Position of a named place of a model in motion.

use glam::{Vec3, Vec4};

use crate::animation::bend_body;
use crate::{Attachment, Model, Palette};

/// A pose as weighted moments of a palette, and the bend of the body on top of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Two fractional rows of the palette and their weights; the rest pose has the remaining weight.
    pub rows: [(f32, f32); 2],
    /// Bend of the fore and of the hind part to the left. Unit: rad over the whole length.
    pub bend: [f32; 2],
}

/// Position of `attachment` in model space: that of a vertex there, as the vertex shader moves it, that follows its
/// joint alone. Morphs do not move it.
pub fn attached(model: &Model, attachment: &Attachment, moments: &Moments) -> Vec3 {
    let at_rest = attachment.position;
    let rest_weight = 1.0 - moments.rows.iter().map(|(_, weight)| weight).sum::<f32>();
    let moved = moments.rows.iter().filter(|(_, weight)| *weight != 0.0);
    let moved = moved.map(|&(row, weight)| weight * at_row(&model.palette, attachment, row));
    let place = moved.fold(rest_weight * at_rest, |sum, part| sum + part);
    if moments.bend == [0.0; 2] || model.bounds.max.z <= model.bounds.min.z {
        return place;
    }
    let mut points = [(place, Vec3::Y)];
    bend_body(&mut points, (model.bounds.min.z, model.bounds.max.z), moments.bend);
    points[0].0
}

/// Position at a fractional row; at rest if the palette has no such row or joint.
fn at_row(palette: &Palette, attachment: &Attachment, row: f32) -> Vec3 {
    let p = attachment.position.extend(1.0);
    let at = |row: u32| {
        let first = row * palette.width() + u32::from(attachment.joint) * Palette::TEXELS_PER_JOINT;
        let texel = |i: u32| palette.texels.get((first + i) as usize).map(|texel| Vec4::from(*texel).dot(p));
        match (texel(0), texel(1), texel(2)) {
            (Some(x), Some(y), Some(z)) if u32::from(attachment.joint) < palette.joints => Vec3::new(x, y, z),
            _ => attachment.position,
        }
    };
    let below = row.max(0.0) as u32;
    at(below).lerp(at(below + 1), row - below as f32)
}
