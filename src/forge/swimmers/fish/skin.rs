//! What every fish's skin has: scale rows, gill edge, mouth line, eye socket, lateral line, a little dirt.

use glam::{Vec2, Vec3};

use super::{FishPlan, Spot};
use crate::forge::Noise;
use crate::forge::curve::{Curve, smoothstep};

/// Scale rows.
#[derive(Clone, Debug)]
pub struct Scales {
    /// Scales along a standard length.
    pub count: f32,
    /// How much their rims darken the skin, 0 to 1.
    pub strength: f32,
    /// Height share of the lateral line over x.
    pub lateral: Curve,
    /// How visible the lateral line is, 0 to 1.
    pub lateral_strength: f32,
}

/// How the gills open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gills {
    /// Under a bony cover whose hind edge shows; the mouth is at the snout's end.
    Cover,
    /// Five bare slits each side and a crescent mouth under the snout, as sharks have.
    Slits {
        /// x of the first and last slit.
        from: f32,
        /// x of the last.
        to: f32,
        /// Heights between which they run, standard lengths.
        y: (f32, f32),
    },
}

/// Mouth.
#[derive(Clone, Copy, Debug)]
pub struct Mouth {
    /// Corner of the closed mouth: x and y, standard lengths. It opens at (0, middle of the snout).
    pub corner: Vec2,
    /// Half thickness of the line between the lips at the snout, standard lengths.
    pub line: f32,
    /// Colour of the lips.
    pub lips: Vec3,
    /// How much of that colour shows, 0 to 1.
    pub lip_strength: f32,
    /// Colour inside.
    pub inside: Vec3,
}

/// Skin colour with the details that do not depend on the species' pattern.
pub fn color(plan: &FishPlan, spot: &Spot, noise: &Noise) -> Vec3 {
    let mut color = (plan.paint)(spot, noise);
    let fleck = 0.030 * noise.fbm(spot.place * 26.0, 3) + 0.02 * noise.at(spot.place * 7.0);
    color *= 1.0 + fleck;

    let behind = smoothstep(-0.01, 0.03, spot.behind_gill) * smoothstep(1.0, 0.95, spot.x);
    let rim = scale_rim(plan, spot);
    color *= 1.0 + plan.scales.strength * behind * (0.35 - rim);

    let line = plan.scales.lateral.at(spot.x);
    let depth = plan.body.back.at(spot.x) - plan.body.belly.at(spot.x);
    let off_line = (spot.h - line) * depth;
    color *= 1.0 - plan.scales.lateral_strength * behind * smoothstep(0.0045, 0.001, off_line.abs());

    let at = Vec2::new(spot.x, spot.y);
    let start = Vec2::new(0.0, 0.5 * (plan.body.back.at(0.0) + plan.body.belly.at(0.0)));
    color = match plan.gills {
        Gills::Cover => cover_and_lips(color, plan, spot, start),
        Gills::Slits { from, to, y } => slits_and_crescent(color, plan, spot, (from, to), y),
    };

    let eye_y =
        plan.body.belly.at(plan.eye.x) + plan.eye.h * (plan.body.back.at(plan.eye.x) - plan.body.belly.at(plan.eye.x));
    let from_eye = at.distance(Vec2::new(plan.eye.x, eye_y)) / plan.eye.radius;
    color *= 1.0 - 0.42 * smoothstep(1.38, 0.98, from_eye);
    let nostril = at.distance(Vec2::new(0.48 * plan.eye.x, eye_y * 0.9 + 0.1 * start.y + 0.1 * plan.eye.radius));
    color *= 1.0 - 0.6 * smoothstep(0.009, 0.004, nostril);
    color.clamp(Vec3::ZERO, Vec3::ONE)
}

fn cover_and_lips(mut color: Vec3, plan: &FishPlan, spot: &Spot, start: Vec2) -> Vec3 {
    let g = spot.behind_gill;
    let open = smoothstep(0.06, 0.2, spot.t) * smoothstep(0.90, 0.72, spot.t);
    color *= 1.0 - 0.40 * open * smoothstep(-0.002, 0.004, g) * smoothstep(0.030, 0.005, g);
    color *= 1.0 + 0.12 * open * smoothstep(-0.03, -0.008, g) * smoothstep(0.0, -0.004, g);
    // The preopercle: a fainter edge half way to the eye.
    let cheek = g + 0.33 * plan.body.gill;
    color *= 1.0 - 0.13 * open * smoothstep(-0.004, 0.004, cheek) * smoothstep(0.03, 0.004, cheek);

    let at = Vec2::new(spot.x, spot.y);
    let (along, off) = beside(at, start, plan.mouth.corner);
    let thick = plan.mouth.line * (1.0 - 0.35 * along);
    let lip = smoothstep(2.1 * thick, 1.1 * thick, off) * plan.mouth.lip_strength;
    color = color.lerp(plan.mouth.lips, lip);
    color *= 1.0 - 0.72 * smoothstep(0.62 * thick, 0.15 * thick, off) * smoothstep(1.0, 0.8, along);
    // Under the lower jaw it is a little darker, as round as it is.
    color *= 1.0 - 0.10 * smoothstep(3.5 * thick, 2.0 * thick, off) * f32::from(at.y < start.y);
    color
}

fn slits_and_crescent(mut color: Vec3, plan: &FishPlan, spot: &Spot, (from, to): (f32, f32), y: (f32, f32)) -> Vec3 {
    for i in 0..5 {
        let share = i as f32 / 4.0;
        let x = from + (to - from) * share;
        let height = ((spot.y - y.0) / (y.1 - y.0)).clamp(-1.0, 2.0);
        let inside = smoothstep(0.0, 0.15, height) * smoothstep(1.0, 0.85, height - 0.12 * share);
        // Each slit bows backward; its hind lip catches light.
        let off = spot.x - x - 0.010 * (1.0 - (2.0 * height - 1.0).powi(2)) - 0.004 * (height - 0.5);
        color *= 1.0 - 0.62 * inside * smoothstep(-0.0045, -0.0005, off) * smoothstep(0.0045, 0.0005, off);
        color *= 1.0 + 0.13 * inside * smoothstep(0.010, 0.006, off) * smoothstep(0.003, 0.006, off);
    }
    let corner = plan.mouth.corner.x;
    let wide = (spot.place.x / plan.body.width.at(corner)).min(1.2);
    let crescent = corner * (0.52 + 0.48 * wide * wide);
    let under = smoothstep(0.37, 0.31, spot.t) * smoothstep(0.74, 0.62, wide);
    let off = spot.x - crescent;
    color = color.lerp(plan.mouth.lips, plan.mouth.lip_strength * under * smoothstep(0.016, 0.006, off.abs()));
    color * (1.0 - 0.85 * under * smoothstep(plan.mouth.line, 0.3 * plan.mouth.line, off.abs()))
}

/// 1 on the hind rims of scales laid like tiles, 0 on their middles.
fn scale_rim(plan: &FishPlan, spot: &Spot) -> f32 {
    let wide = plan.body.width.at(spot.x);
    let arc = spot.y + (wide - spot.place.x).max(0.0) * 0.8 * if spot.h > 0.5 { 1.0 } else { -1.0 };
    let (a, b) = (spot.x * plan.scales.count, arc * plan.scales.count * 1.1);
    // Discs in brick bond, each lying on the one behind it: of those that cover the place the foremost is seen.
    let row = b.floor();
    let mut seen = (f32::MAX, 1.0_f32);
    for r in [row - 1.0, row, row + 1.0] {
        let shift = if r.rem_euclid(2.0) < 1.0 { 0.0 } else { 0.5 };
        let column = (a - shift).floor() + shift;
        for c in [column - 1.0, column, column + 1.0] {
            let inside = 0.80 - Vec2::new(a - c, (b - r - 0.5) * 1.08).length();
            if inside > 0.0 && c < seen.0 {
                seen = (c, inside);
            }
        }
    }
    smoothstep(0.20, 0.0, seen.1)
}

/// Share of the way along a segment, and distance from it.
fn beside(p: Vec2, a: Vec2, b: Vec2) -> (f32, f32) {
    let along = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-9)).clamp(0.0, 1.0);
    (along, p.distance(a + (b - a) * along))
}
