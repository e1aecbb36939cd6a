//! Patterns: layers of paint over skin and fins.
//!
//! A layer gives the depth of a place inside its border (in standard lengths on the body, in fractions of the fin on a
//! fin); the colour fades over `soft` at its border.

use glam::{Vec2, Vec3};
use math::smoothstep;
use serde::Deserialize;

use super::colour::Colour;
use crate::Noise;
use crate::maths::direction;

/// One layer of paint. The keys that count depend on `kind`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Kind of the layer.
    pub kind: LayerKind,
    /// Its colour.
    pub colour: Colour,
    /// Opacity, 0 to 1.
    #[serde(default = "whole")]
    pub strength: f32,
    /// Distance over which the border fades.
    #[serde(default = "soft")]
    pub soft: f32,
    /// Distance by which noise moves the border.
    #[serde(default)]
    pub wobble: f32,
    /// Colour of a rim outside the border.
    #[serde(default)]
    pub edge: Option<Colour>,
    /// Width of that rim.
    #[serde(default = "rim")]
    pub edge_width: f32,
    /// Bars: their x. Stripes: their h.
    #[serde(default)]
    pub at: Vec<f32>,
    /// Patch: its corners. Line: its course. Blotch: the middles. As (x, h).
    #[serde(default)]
    pub points: Vec<[f32; 2]>,
    /// Bars, stripes, line, lines, net: the width.
    #[serde(default = "width")]
    pub width: f32,
    /// Blotch: half axes.
    #[serde(default = "size")]
    pub size: [f32; 2],
    /// Lines: distance between them. Spots, net, mottle, streaks: distance between features.
    #[serde(default = "spacing")]
    pub spacing: f32,
    /// Lines, fade: direction across them; 0 is backward, positive turns up.
    #[serde(default)]
    pub angle: f32,
    /// Bars: distance of the top behind the bottom. Stripes: rise of h from x = 0 to x = 1.
    #[serde(default)]
    pub lean: f32,
    /// Bars: distance of the ends behind the middle.
    #[serde(default)]
    pub curve: f32,
    /// Bars: h, stripes: x, fade: distance at which it begins and ends.
    #[serde(default = "from_to")]
    pub span: [f32; 2],
    /// Spots, mottle: fraction of the ground that is covered, 0 to 1.
    #[serde(default = "cover")]
    pub cover: f32,
    /// Corners of a patch to which the layer is confined.
    #[serde(default)]
    pub within: Vec<[f32; 2]>,
}

fn whole() -> f32 {
    1.0
}
fn soft() -> f32 {
    0.008
}
fn rim() -> f32 {
    0.010
}
fn width() -> f32 {
    0.04
}
fn size() -> [f32; 2] {
    [0.03, 0.03]
}
fn spacing() -> f32 {
    0.06
}
fn from_to() -> [f32; 2] {
    [0.0, 1.0]
}
fn cover() -> f32 {
    0.5
}

/// Kinds of layers.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Upright bars.
    Bars,
    /// Level stripes.
    Stripes,
    /// Many parallel lines.
    Lines,
    /// A single stroke through points.
    Line,
    /// An area inside corners: masks, saddles.
    Patch,
    /// Ellipses: eye spots.
    Blotch,
    /// Scattered spots.
    Spots,
    /// Borders of cells: a honeycomb.
    Net,
    /// Clouds.
    Mottle,
    /// Fine streaks along the body, as of silver.
    Streaks,
    /// The rims of scales.
    ScaleRims,
    /// The middles of scales.
    ScaleMiddles,
    /// A gradient.
    Fade,
}

/// A point to be painted.
#[derive(Clone, Copy, Debug)]
pub struct PaintPoint {
    /// Position along and up, in the units of distances.
    pub p: Vec2,
    /// Height from the belly line (0) to the back line (1).
    pub h: f32,
    /// Height of the surface at this point, in the units of distances.
    pub tall: f32,
    /// Distance up along the surface, in the units of `p.x`: for features that would be stretched where the surface
    /// turns away.
    pub round: f32,
    /// Position for noise.
    pub place: Vec3,
    /// Scale pattern: 1 on the rims of scales, 0 on their middles.
    pub scale_rim: f32,
    /// Shift of borders, so that no two scales are coloured alike.
    pub stray: f32,
}

/// A layer with its points put into the units of distances.
#[derive(Clone, Debug)]
pub struct PreparedLayer {
    layer: Layer,
    points: Vec<Vec2>,
    within: Vec<Vec2>,
}

impl PreparedLayer {
    /// Prepares a layer; `map` takes (x, h) to the units of distances.
    pub fn new(layer: &Layer, map: impl Fn(Vec2) -> Vec2) -> Self {
        let mapped = |points: &[[f32; 2]]| points.iter().map(|&p| map(Vec2::from(p))).collect();
        Self { layer: layer.clone(), points: mapped(&layer.points), within: mapped(&layer.within) }
    }

    /// The colour with this layer over it.
    pub fn over(&self, color: Vec3, at: &PaintPoint, noise: &Noise) -> Vec3 {
        let layer = &self.layer;
        let soft = layer.soft.max(1e-4);
        let inside = self.depth(at, noise) + if layer.kind == LayerKind::Fade { 0.0 } else { at.stray };
        let mut strength = layer.strength;
        if !self.within.is_empty() {
            strength *= smoothstep(-soft, soft, polygon(&self.within, at.p));
        }
        let mut color = color;
        if let Some(edge) = layer.edge {
            color = color.lerp(edge.0, strength * smoothstep(-soft, soft, inside + layer.edge_width));
        }
        color.lerp(layer.colour.0, strength * smoothstep(-soft, soft, inside))
    }

    /// Depth of a point inside the layer's border; negative outside.
    fn depth(&self, at: &PaintPoint, noise: &Noise) -> f32 {
        let layer = &self.layer;
        let p = at.p;
        let wobble = if layer.wobble > 0.0 { layer.wobble * noise.fbm(at.place * 11.0, 3) } else { 0.0 };
        let half = 0.5 * layer.width;
        let span = |value: f32, unit: f32| (value - layer.span[0]).min(layer.span[1] - value) * unit;
        let depth = match layer.kind {
            LayerKind::Bars => {
                let up = 2.0 * at.h - 1.0;
                let bow = 0.5 * layer.lean * up + layer.curve * up * up;
                let off = layer.at.iter().map(|x| (p.x - x - bow).abs()).fold(f32::MAX, f32::min);
                (half - off).min(span(at.h, at.tall))
            }
            LayerKind::Stripes => {
                let rise = layer.lean * (p.x - 0.5);
                let off = layer.at.iter().map(|h| (at.h - h - rise).abs() * at.tall).fold(f32::MAX, f32::min);
                (half - off).min(span(p.x, 1.0))
            }
            LayerKind::Lines => {
                let q = p.dot(direction(layer.angle)) + wobble;
                let number = q / layer.spacing;
                half - (number - number.round()).abs() * layer.spacing
            }
            LayerKind::Line => half - polyline(&self.points, p),
            LayerKind::Patch => polygon(&self.points, p),
            LayerKind::Blotch => {
                let size = Vec2::from(layer.size).max(Vec2::splat(1e-4));
                let near = self.points.iter().map(|m| ((p - m) / size).length()).fold(f32::MAX, f32::min);
                (1.0 - near) * size.min_element()
            }
            LayerKind::Spots => {
                let (near, _) = noise.cells((Vec2::new(p.x, at.round) / layer.spacing).extend(0.5));
                (0.62 * layer.cover.sqrt() - near) * layer.spacing
            }
            LayerKind::Net => {
                let (near, next) = noise.cells((Vec2::new(p.x, at.round) / layer.spacing).extend(0.5));
                half - 0.5 * (next - near) * layer.spacing
            }
            LayerKind::Mottle => (noise.fbm(at.place / layer.spacing, 4) + layer.cover - 0.5) * layer.spacing * 0.4,
            LayerKind::Streaks => {
                let q = Vec3::new(0.0, p.y / layer.spacing, p.x * 0.06 / layer.spacing);
                (noise.at(q) + layer.cover - 0.5) * layer.soft * 2.0
            }
            LayerKind::ScaleRims => (at.scale_rim - 1.0 + layer.cover) * layer.soft * 2.5,
            LayerKind::ScaleMiddles => (layer.cover - at.scale_rim) * layer.soft * 2.5,
            LayerKind::Fade => {
                let q = p.dot(direction(layer.angle));
                let along = (q + wobble - layer.span[0]) / (layer.span[1] - layer.span[0]).max(1e-4);
                // A linear ramp over the span.
                return (2.0 * along.clamp(0.0, 1.0) - 1.0) * layer.soft.max(1e-4);
            }
        };
        depth + wobble
    }
}

/// Signed distance into a polygon, positive inside.
fn polygon(corners: &[Vec2], p: Vec2) -> f32 {
    let Some(&first) = corners.first() else { return f32::MIN };
    let mut square = p.distance_squared(first);
    let mut inside = false;
    for (i, &b) in corners.iter().enumerate() {
        let a = corners[(i + corners.len() - 1) % corners.len()];
        let (edge, way) = (a - b, p - b);
        let along = (way.dot(edge) / edge.length_squared().max(1e-12)).clamp(0.0, 1.0);
        square = square.min((way - edge * along).length_squared());
        let above = [p.y >= b.y, p.y < a.y, edge.x * way.y > edge.y * way.x];
        if above == [true; 3] || above == [false; 3] {
            inside = !inside;
        }
    }
    if inside { square.sqrt() } else { -square.sqrt() }
}

/// Distance from a line through points.
fn polyline(points: &[Vec2], p: Vec2) -> f32 {
    let off = |w: &[Vec2]| {
        let along = ((p - w[0]).dot(w[1] - w[0]) / (w[1] - w[0]).length_squared().max(1e-12)).clamp(0.0, 1.0);
        p.distance(w[0].lerp(w[1], along))
    };
    points.windows(2).map(off).fold(f32::MAX, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_knows_inside_from_outside_whichever_way_it_runs() {
        let mut square = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        for _ in 0..2 {
            assert!((polygon(&square, Vec2::splat(0.5)) - 0.5).abs() < 1e-6);
            assert!((polygon(&square, Vec2::new(1.5, 0.5)) + 0.5).abs() < 1e-6);
            square.reverse();
        }
        // A notch that reaches the middle.
        let notched = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::splat(0.5), Vec2::Y];
        assert!(polygon(&notched, Vec2::new(0.5, 0.9)) < 0.0);
    }

    #[test]
    fn a_line_is_as_far_as_its_nearest_part() {
        let points = [Vec2::ZERO, Vec2::X, Vec2::ONE];
        assert!((polyline(&points, Vec2::new(0.5, -0.25)) - 0.25).abs() < 1e-6);
        assert!((polyline(&points, Vec2::new(1.5, 0.5)) - 0.5).abs() < 1e-6);
    }
}
