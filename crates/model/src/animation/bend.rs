//! Bend of a body as a formula, for instances drawn too small to be worth their palette.

use glam::{DMat4, DVec4, Vec3, Vec4};

use crate::{Bend, Model, Palette, Vertex};

/// Greatest error of a formula that replaces a palette: the root mean square distance of its vertices from their
/// positions by the palette, at the worst moment, as a share of the body's length. On most fish it is 1 % and less.
pub const GREATEST_ERROR: f32 = 0.03;

/// Most vertices used for a fit.
const SAMPLES: usize = 400;

/// Fits each row of the palette by least squares over the vertices of the finest level; `None` for a model without
/// length or joints, with morphs, or with another kind of motion (an error above [`GREATEST_ERROR`]).
pub fn fit(model: &Model) -> Option<Bend> {
    let (palette, vertices) = (&model.palette, &model.lods.first()?.vertices);
    let (min, max) = (model.bounds.min.z, model.bounds.max.z);
    let length = max - min;
    let has_morphs = !model.morphs.names.is_empty();
    if model.skeleton.joints.is_empty() || has_morphs || palette.rows == 0 || length.partial_cmp(&0.0)?.is_le() {
        return None;
    }
    let (middle, scale) = (0.5 * (min + max), 2.0 / length);
    let vertices: Vec<&Vertex> = vertices.iter().step_by(vertices.len().div_ceil(SAMPLES).max(1)).collect();
    let powers: Vec<DVec4> =
        vertices.iter().map(|vertex| powers((vertex.position.z - middle) * scale).as_dvec4()).collect();
    let normal_matrix =
        powers.iter().fold(DMat4::ZERO, |sum, p| sum + DMat4::from_cols(*p * p.x, *p * p.y, *p * p.z, *p * p.w));
    let inverse = normal_matrix.inverse();
    if !inverse.is_finite() {
        return None;
    }
    let mut error = 0.0f32;
    let rows = (0..palette.rows).map(|row| {
        let moved: Vec<Vec3> = vertices.iter().map(|vertex| skinned(palette, row, vertex) - vertex.position).collect();
        let fit = |axis: usize| {
            let sum = powers.iter().zip(&moved).fold(DVec4::ZERO, |sum, (p, by)| sum + *p * f64::from(by[axis]));
            (inverse * sum).as_vec4()
        };
        let factors = [fit(0), fit(1), fit(2)];
        let missed = |(p, by): (&DVec4, &Vec3)| {
            let p = p.as_vec4();
            by.distance_squared(Vec3::from(factors.map(|of_axis| of_axis.dot(p))))
        };
        let mean = powers.iter().zip(&moved).map(missed).sum::<f32>() / moved.len() as f32;
        error = error.max(mean.sqrt() / length);
        factors
    });
    let rows = rows.collect();
    (error <= GREATEST_ERROR).then_some(Bend { middle, scale, rows, error })
}

/// 1, a, a² and a³.
fn powers(a: f32) -> Vec4 {
    Vec4::new(1.0, a, a * a, a * a * a)
}

/// Position of a vertex by a row of the palette.
pub(super) fn skinned(palette: &Palette, row: u32, vertex: &Vertex) -> Vec3 {
    let p = vertex.position.extend(1.0);
    let mut moved = Vec3::ZERO;
    for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights) {
        let first = row * palette.width() + u32::from(joint) * Palette::TEXELS_PER_JOINT;
        let matrix_row = |i: u32| Vec4::from(palette.texels[(first + i) as usize]);
        moved += weight * Vec3::new(matrix_row(0).dot(p), matrix_row(1).dot(p), matrix_row(2).dot(p));
    }
    moved
}
