//! Sweep of a clip, of the tail and of the part that moves farthest: the measure of an animal's strokes.

use glam::Vec3;

use crate::animation::bend::skinned;
use crate::{Model, Palette, PaletteClip, Sweep, Vertex};

/// Length of the tail, from the hind end, as a share of the body's length.
const TAIL: f32 = 0.04;

/// Most vertices measured, of the tail and of the whole body each.
const VERTICES: usize = 64;

/// Most moments of a clip that are measured.
const MOMENTS: u32 = 64;

/// Measures each clip of a model's palette; the sweep of a model without length or joints stays 0.
pub fn measure(model: &mut Model) {
    let length = model.bounds.max.z - model.bounds.min.z;
    let Some(lod) = model.lods.first().filter(|_| length > 0.0 && !model.skeleton.joints.is_empty()) else { return };
    let some = |least_z: f32| {
        let chosen: Vec<Vertex> = lod.vertices.iter().filter(|vertex| vertex.position.z >= least_z).copied().collect();
        let step = chosen.len().div_ceil(VERTICES).max(1);
        chosen.into_iter().step_by(step).collect::<Vec<Vertex>>()
    };
    let (tail, body) = (some(model.bounds.max.z - TAIL * length), some(f32::NEG_INFINITY));
    let sweep = |palette: &Palette, clip: &PaletteClip| {
        let (tail, body) = (widest(palette, clip, &tail), widest(palette, clip, &body));
        Sweep { tail: tail.0 / length, widest: body.0.max(tail.0) / length, strokes: body.1 }
    };
    let sweeps: Vec<Sweep> = model.palette.clips.iter().map(|clip| sweep(&model.palette, clip)).collect();
    for (clip, sweep) in model.palette.clips.iter_mut().zip(sweeps) {
        clip.sweep = sweep;
    }
}

/// Width of the widest path of a vertex in a clip, and how often that goes to and fro.
fn widest(palette: &Palette, clip: &PaletteClip, vertices: &[Vertex]) -> (f32, u32) {
    let step = clip.rows.div_ceil(MOMENTS).max(1) as usize;
    let rows = || (clip.first_row..clip.first_row + clip.rows).step_by(step);
    let mut found = (0.0, 1);
    for vertex in vertices {
        let path: Vec<Vec3> = rows().map(|row| skinned(palette, row, vertex)).collect();
        let least = path.iter().copied().fold(Vec3::MAX, Vec3::min);
        let most = path.iter().copied().fold(Vec3::MIN, Vec3::max);
        let width = (most - least).length();
        if width > found.0 {
            let axis = (most - least).max_position();
            let middle = 0.5 * (least + most)[axis];
            let is_over = |i: usize| path[i % path.len()][axis] > middle;
            let rises = (0..path.len()).filter(|&i| !is_over(i) && is_over(i + 1)).count();
            found = (width, rises.max(1) as u32);
        }
    }
    found
}
