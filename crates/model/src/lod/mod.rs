//! Levels of detail, made from the full mesh.

mod far;
mod outlines;
mod quadric;
mod simplify;
mod stored;
mod surface;

#[cfg(test)]
mod tests;

use far::{FarShape, Form};
use simplify::Simplifier;
pub use stored::{key, pack, unpack};

use crate::{Lod, Vertex};

/// Hash of this module's text, so that levels made by other code are not used.
pub const CODE_HASH: &str = env!("LEVELS_HASH");

/// Triangles of a usual mesh, and of usual stone: a finer one is only drawn close up, and has no finer levels than these.
const USUAL: usize = 4200;
const USUAL_STONE: usize = 2200;

/// Target of a level after the first.
struct Aim {
    /// The largest size at which it is drawn: of the sphere that holds every pose, in pixels. Most bodies are 0.7 of
    /// it.
    pixels: f32,
    /// Its triangles, as a share of the full mesh's, or of a usual one's if those are fewer.
    share: f64,
    /// Least number of its triangles, if that share is fewer; no more than a third of the mesh's.
    least: usize,
    /// Joints per vertex.
    joints: u8,
}

/// Simplified surfaces, and the least share of the full mesh's area that each keeps, however many triangles that takes:
/// otherwise a model of many thin parts, such as a wreck of timbers, would lose parts before it has few triangles.
const SURFACES: [(Aim, f64); 4] = [
    (Aim { pixels: 1400.0, share: 1.0, least: 80, joints: 4 }, 0.9),
    (Aim { pixels: 700.0, share: 0.35, least: 80, joints: 2 }, 0.8),
    (Aim { pixels: 350.0, share: 0.10, least: 80, joints: 1 }, 0.7),
    (Aim { pixels: 175.0, share: 0.05, least: 80, joints: 1 }, 0.5),
];
/// Shapes made for their outlines.
const FAR_SHAPES: [(Aim, Form); 3] = [
    (Aim { pixels: 87.0, share: 0.0, least: 44, joints: 1 }, Form::Body),
    (Aim { pixels: 40.0, share: 0.0, least: 16, joints: 1 }, Form::Sheet),
    (Aim { pixels: 22.0, share: 0.0, least: FEWEST, joints: 1 }, Form::Sheet),
];
/// Fewest triangles that any level aims for.
const FEWEST: usize = 10;
/// Fewest triangles of the surface that these are made from: the coarsest such level, or else the full mesh.
const FAR_SHAPES_FROM: usize = 100;
/// A level must have at most this share of the triangles of the level before, else it is left out.
const WORTHWHILE: f64 = 0.85;

/// The full mesh and coarser levels, as far as they differ: about 35 %, 10 % and 5 % of its triangles, then 44, 16 and
/// 10 that keep the outline. A mesh of more than usually many has a level of about that many as well, and the shares are
/// of those.
///
/// Vertices of the simplified surfaces are vertices of the full mesh with their weights folded into fewer joints; those
/// of the far shapes lie between such vertices. `rest` is the rest joint. Equal input gives equal levels.
pub fn chain(full: &Lod, rest: u16, is_stone: bool) -> Vec<Lod> {
    let mut levels = vec![whole(full)];
    let mut surface = Simplifier::new(full);
    let usual = triangles(Some(full)).min(if is_stone { USUAL_STONE } else { USUAL });
    for (aim, least_area) in &SURFACES {
        add(&mut levels, aim, usual, |target| surface.run(target, *least_area));
    }
    add_far_shapes(&mut levels, full);
    finish(&mut levels, rest);
    levels
}

/// Adds the shapes made for their outlines.
fn add_far_shapes(levels: &mut Vec<Lod>, full: &Lod) {
    let from = levels.iter().rfind(|level| triangles(Some(level)) >= FAR_SHAPES_FROM).or(levels.first());
    if let Some(mut shape) = from.and_then(|surface| FarShape::new(full, surface)) {
        for (aim, form) in &FAR_SHAPES {
            let whole = triangles(levels.first());
            add(levels, aim, whole, |target| Lod { two_sided: *form == Form::Sheet, ..shape.run(target, *form) });
        }
    }
}

/// Most triangles of a model of which nothing is left out: of so few each is a part of its shape, and saves little.
const LOW_POLY: usize = 250;
/// Fewest triangles, and least share of the area, that simplified surfaces of a model keep that nobody has looked at:
/// eyes, spikes and legs are small parts of it, and go first.
const KEPT_OF_UNKNOWN: (usize, f64) = (3000, 0.95);

/// The levels of a model that nobody has looked at: simplified less than [`chain`] does it, and a low-poly one not at all.
/// The shapes made for their outlines, for what is less than 87 pixels large, are the same.
pub fn chain_of_unknown(full: &Lod, rest: u16) -> Vec<Lod> {
    let mut levels = vec![whole(full)];
    let (least, least_area) = KEPT_OF_UNKNOWN;
    let count = triangles(Some(full));
    if count > least {
        let mut surface = Simplifier::new(full);
        for (aim, _) in &SURFACES {
            let share = aim.share.max(least as f64 / count as f64);
            add(&mut levels, &Aim { share, ..*aim }, count, |target| surface.run(target, least_area));
        }
    }
    if count > LOW_POLY {
        add_far_shapes(&mut levels, full);
    }
    finish(&mut levels, rest);
    levels
}

/// The full mesh as the first level.
fn whole(full: &Lod) -> Lod {
    Lod { max_joints: 4, pixels: f32::INFINITY, ..full.clone() }
}

/// Folds the weights of each level into as many joints as it may have, and finds out how many it needs.
fn finish(levels: &mut [Lod], rest: u16) {
    for level in levels {
        let most = level.max_joints;
        level.vertices.iter_mut().for_each(|vertex| fold_weights(vertex, most, rest));
        let needed = level.vertices.iter().map(|v| v.weights.iter().filter(|&&w| w > 0.0).count()).max();
        level.max_joints = match needed.unwrap_or(0) {
            0 | 1 => 1,
            2 => 2,
            _ => 4,
        };
    }
}

/// Adds the level that `make` returns for a number of triangles, a share of `whole`, if it is worthwhile.
fn add(levels: &mut Vec<Lod>, aim: &Aim, whole: usize, make: impl FnOnce(usize) -> Lod) {
    let most = WORTHWHILE * triangles(levels.last()) as f64;
    let share_of_full = |share: f64| (whole as f64 * share) as usize;
    // Small models, such as a blade of grass, have few to begin with.
    let least = aim.least.min(share_of_full(SURFACES[1].0.share).max(FEWEST));
    let target = share_of_full(aim.share).max(least).min(triangles(levels.last()));
    if target as f64 > most {
        return;
    }
    let level = make(target);
    if (1.0..=most).contains(&(triangles(Some(&level)) as f64)) {
        levels.push(Lod { pixels: aim.pixels, max_joints: aim.joints, ..level });
    }
}

fn triangles(level: Option<&Lod>) -> usize {
    level.map_or(0, |level| level.indices.len() / 3)
}

/// Keeps the `most` largest weights of a vertex, which are its first, and makes their sum 1 again; the other slots name
/// the joint `rest` with weight 0.
pub fn fold_weights(vertex: &mut Vertex, most: u8, rest: u16) {
    let most = usize::from(most);
    let drops = vertex.weights.iter().skip(most).any(|&weight| weight > 0.0);
    let kept: f32 = if drops { vertex.weights.iter().take(most).sum() } else { 1.0 };
    for slot in 0..4 {
        if slot < most && vertex.weights[slot] > 0.0 {
            vertex.weights[slot] /= kept;
        } else {
            (vertex.joints[slot], vertex.weights[slot]) = (rest, 0.0);
        }
    }
}
