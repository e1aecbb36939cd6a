//! Levels of detail, made from the full mesh.

mod quadric;
mod simplify;

#[cfg(test)]
mod tests;

use simplify::Simplifier;

use crate::model::{Lod, Vertex};

/// Triangles of each level after the first, as shares of the full mesh.
const SHARES: [f64; 4] = [0.35, 0.10, 0.05, 0.0];
/// No level aims for fewer triangles.
const LEAST_TRIANGLES: usize = 20;
/// A level must have at most this share of the triangles of the level before, else it is left out.
const WORTHWHILE: f64 = 0.75;
/// Joints a vertex, by level.
const MAX_JOINTS: [u8; 5] = [4, 2, 1, 1, 1];

/// The full mesh and coarser levels: about 35 %, 10 %, 5 % and 20 triangles, as far as they differ by a quarter.
///
/// Vertices of coarser levels are vertices of the full mesh with their weights folded into fewer joints; `rest` is the
/// rest joint. Equal input gives equal levels.
pub fn chain(full: &Lod, rest: u8) -> Vec<Lod> {
    let triangles = full.indices.len() / 3;
    let mut simplifier = Simplifier::new(full);
    let mut last = triangles;
    let mut coarser = Vec::new();
    for share in SHARES {
        let target = ((triangles as f64 * share) as usize).max(LEAST_TRIANGLES);
        if target as f64 > WORTHWHILE * last as f64 {
            continue;
        }
        let left = simplifier.run(target);
        if left > 0 && left as f64 <= WORTHWHILE * last as f64 {
            last = left;
            coarser.push(simplifier.level());
        }
    }
    let mut levels = vec![reordered(full)];
    levels.append(&mut coarser);
    for (level, most) in levels.iter_mut().zip(MAX_JOINTS) {
        level.vertices.iter_mut().for_each(|vertex| fold_weights(vertex, most, rest));
        let needed = level.vertices.iter().map(|v| v.weights.iter().filter(|&&w| w > 0.0).count()).max();
        level.max_joints = match needed.unwrap_or(0) {
            0 | 1 => 1,
            2 => 2,
            _ => 4,
        };
    }
    levels
}

/// The same level with its vertices in the order of first use, those in no triangle left out.
fn reordered(full: &Lod) -> Lod {
    let mut renumbered = vec![u32::MAX; full.vertices.len()];
    let mut vertices = Vec::with_capacity(full.vertices.len());
    let indices = full
        .indices
        .iter()
        .map(|&index| {
            let slot = &mut renumbered[index as usize];
            if *slot == u32::MAX {
                *slot = vertices.len() as u32;
                vertices.push(full.vertices[index as usize]);
            }
            *slot
        })
        .collect();
    Lod { vertices, indices, meshes: full.meshes.clone(), max_joints: full.max_joints }
}

/// Keeps the `most` largest weights of a vertex, which are its first, and makes their sum 1 again; the other slots name
/// the joint `rest` with weight 0.
pub fn fold_weights(vertex: &mut Vertex, most: u8, rest: u8) {
    let most = usize::from(most);
    if vertex.weights.iter().skip(most).all(|&weight| weight == 0.0) {
        return;
    }
    let kept: f32 = vertex.weights.iter().take(most).sum();
    for slot in 0..4 {
        if slot < most {
            vertex.weights[slot] /= kept;
        } else {
            (vertex.joints[slot], vertex.weights[slot]) = (rest, 0.0);
        }
    }
}
