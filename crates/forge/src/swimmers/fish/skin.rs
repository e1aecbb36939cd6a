//! Features of every fish's skin: scale rows, gill edge, mouth line, eye socket, lateral line, a little dirt.

use glam::{Vec2, Vec3};
use math::{SCALE_RIM, mix, smoothstep};

use super::body::u_of;
use super::pattern::{PaintPoint, PreparedLayer};
use super::plan::{self, FinPlace, FishPlan, GillKind};
use super::{Body, BodyPoint, LOOSE_SKIN, atlas};
use crate::maths::powi;
use crate::paint::ramp;
use crate::{Curve, Noise};

/// A skin ready to be painted.
pub struct SkinPainter<'a> {
    plan: &'a FishPlan,
    body: &'a Body,
    shade: Vec<(f32, Vec3)>,
    lateral: Curve,
    layers: Vec<PreparedLayer>,
    lattice: [f32; 3],
    /// Lumps and folds of loose skin.
    loose: Noise,
    /// Distances round the half body from the height of the axis: rows of x, columns of t.
    arcs: Vec<[f32; ARC + 1]>,
}

/// Rows and columns of [`SkinPainter::arcs`].
const ARC: usize = 48;

impl<'a> SkinPainter<'a> {
    /// The skin of a checked plan.
    pub fn new(plan: &'a FishPlan, body: &'a Body) -> Self {
        let metric = |p: Vec2| {
            let (belly, back) = (body.belly.at(p.x), body.back.at(p.x));
            Vec2::new(p.x, belly + p.y * (back - belly))
        };
        Self {
            plan,
            body,
            shade: plan.skin.shade.iter().map(|(h, colour)| (*h, colour.0)).collect(),
            lateral: plan::curve(&plan.skin.lateral),
            layers: plan.pattern.iter().map(|layer| PreparedLayer::new(layer, metric)).collect(),
            lattice: lattice(plan, body),
            loose: Noise::new(LOOSE_SKIN),
            arcs: (0..=ARC).map(|i| arc(body, i as f32 / ARC as f32)).collect(),
        }
    }

    /// Distance round the body from the height of the axis.
    fn round(&self, x: f32, t: f32) -> f32 {
        let split = |q: f32| {
            let at = q.clamp(0.0, 1.0) * ARC as f32;
            let i = (at as usize).min(ARC - 1);
            (i, at - i as f32)
        };
        let ((i, p), (j, q)) = (split(x), split(t));
        let row = |i: usize| mix(self.arcs[i][j], self.arcs[i][j + 1], q);
        mix(row(i), row(i + 1), p)
    }

    /// Colour (sRGB) at a point.
    pub fn color(&self, spot: &BodyPoint, noise: &Noise) -> Vec3 {
        let (plan, body) = (self.plan, self.body);
        let mut color = ramp(&self.shade, spot.h + 0.03 * noise.fbm(spot.place * 9.0, 2));
        let (rim, own) = self.scale(spot, noise);
        let cover = plan.gills.kind == GillKind::Cover;
        let head = if cover { smoothstep(-0.01, 0.03, spot.behind_gill) } else { 1.0 };
        let behind = head * smoothstep(1.0, 0.95, spot.x);
        let scaly = if plan.skin.relief > 0.0 || plan.skin.scale_strength > 0.0 { behind } else { 0.0 };
        let stray = 0.13 / plan.skin.scales.max(30.0) * scaly * own + 0.0011 * noise.fbm(spot.place * 42.0, 2);
        let tall = body.back.at(spot.x) - body.belly.at(spot.x);
        let round = self.round(spot.x, spot.t);
        let at = PaintPoint {
            p: Vec2::new(spot.x, spot.y),
            h: spot.h,
            tall,
            round,
            place: spot.place,
            scale_rim: rim,
            stray,
        };
        for layer in &self.layers {
            color = layer.over(color, &at, noise);
        }
        color = self.creased(self.flesh(color, spot, scaly * own, noise), spot);

        color *= 1.0 + plan.skin.scale_strength * behind * (0.35 - rim);
        let off_line = (spot.h - self.lateral.at(spot.x)) * tall;
        color *= 1.0 - plan.skin.lateral_strength * behind * smoothstep(0.0045, 0.001, off_line.abs());

        let point = Vec2::new(spot.x, spot.y);
        let start = Vec2::new(0.0, 0.5 * (body.back.at(0.0) + body.belly.at(0.0)));
        color = match plan.gills.kind {
            GillKind::Cover => self.lips(self.cover(color, spot), point, start),
            GillKind::Slits => self.slits_and_crescent(color, spot),
            GillKind::Pore => {
                let hole = Vec2::new((spot.x - plan.gills.at) / 0.010, (spot.y - 0.1 * tall) / 0.014).length();
                self.lips(color * (1.0 - 0.8 * smoothstep(1.2, 0.7, hole)), point, start)
            }
            GillKind::None => self.lips(color, point, start),
        };

        let eye = &plan.eye;
        let (belly, back) = (body.belly.at(eye.x), body.back.at(eye.x));
        let eye_at = Vec2::new(eye.x, belly + eye.h * (back - belly));
        let from_eye = point.distance(eye_at) / eye.radius;
        color *= 1.0 - 0.42 * smoothstep(1.38, 0.98, from_eye);
        color *= 1.0 - 0.7 * eye.socket * smoothstep(1.9, 1.2, from_eye);
        if matches!(plan.gills.kind, GillKind::Cover | GillKind::Pore) {
            let nostril = Vec2::new(0.48 * eye.x, eye_at.y * 0.9 + 0.1 * start.y + 0.1 * eye.radius);
            color *= 1.0 - 0.6 * smoothstep(0.009, 0.004, point.distance(nostril));
        }
        // Few enough shades to compress: the grain hides the steps.
        ((color * 72.0).round() / 72.0).clamp(Vec3::ZERO, Vec3::ONE)
    }

    fn cover(&self, mut color: Vec3, spot: &BodyPoint) -> Vec3 {
        let gills = &self.plan.gills;
        let g = spot.behind_gill;
        // The groove is deepest at mid height and runs out above and below.
        let open = smoothstep(0.06, 0.30, spot.t) * smoothstep(0.90, 0.62, spot.t);
        // A dark seam, the shade that the cover casts behind it, and its thin edge, through which light passes.
        color *= 1.0 - 0.8 * gills.groove * open * smoothstep(-0.006, 0.004, g) * smoothstep(0.018, 0.004, g);
        color *= 1.0 - 0.55 * gills.groove * open * smoothstep(-0.002, 0.008, g) * smoothstep(0.070, 0.008, g);
        color *= 1.0 + 0.28 * gills.groove * open * smoothstep(-0.022, -0.007, g) * smoothstep(0.0, -0.004, g);
        // The preopercle: a fainter edge half way to the eye.
        let cheek = g + 0.33 * gills.at;
        color * (1.0 - 0.3 * gills.groove * open * smoothstep(-0.006, 0.004, cheek) * smoothstep(0.03, 0.004, cheek))
    }

    fn lips(&self, mut color: Vec3, at: Vec2, start: Vec2) -> Vec3 {
        let mouth = &self.plan.mouth;
        let (along, off) = beside(at + Vec2::Y * mouth.sag_at(at.x), start, mouth.corner());
        let thick = mouth.line * (1.0 - 0.35 * along);
        color = color.lerp(mouth.lips.0, smoothstep(2.1 * thick, 1.1 * thick, off) * mouth.lip_strength);
        color *= 1.0 - 0.72 * smoothstep(0.62 * thick, 0.15 * thick, off) * smoothstep(1.0, 0.8, along);
        // A little darker under the lower jaw, as a rounded form is.
        color * (1.0 - 0.10 * smoothstep(3.5 * thick, 2.0 * thick, off) * f32::from(at.y < start.y))
    }

    fn slits_and_crescent(&self, mut color: Vec3, spot: &BodyPoint) -> Vec3 {
        let (gills, mouth) = (&self.plan.gills, &self.plan.mouth);
        let ([from, to], [low, high]) = (gills.slits, gills.slit_y);
        for i in 0..5 {
            let fraction = i as f32 / 4.0;
            let x = from + (to - from) * fraction;
            let height = ((spot.y - low) / (high - low)).clamp(-1.0, 2.0);
            let inside = smoothstep(0.0, 0.15, height) * smoothstep(1.0, 0.85, height - 0.12 * fraction);
            // Each slit bows backward; its hind lip catches light.
            let off = spot.x - x - 0.010 * (1.0 - powi(2.0 * height - 1.0, 2)) - 0.004 * (height - 0.5);
            color *= 1.0 - 0.80 * inside * smoothstep(-0.0052, -0.0008, off) * smoothstep(0.0052, 0.0008, off);
            color *= 1.0 + 0.16 * inside * smoothstep(0.012, 0.007, off) * smoothstep(0.004, 0.007, off);
        }
        let corner = mouth.corner().x;
        let wide = (spot.place.x / self.body.width.at(corner)).min(1.2);
        let crescent = corner * (0.52 + 0.48 * wide * wide);
        let under = smoothstep(0.325, 0.285, spot.t) * smoothstep(1.02, 0.96, wide);
        let off = spot.x - crescent;
        color = color.lerp(mouth.lips.0, mouth.lip_strength * under * smoothstep(0.016, 0.006, off.abs()));
        color * (1.0 - 0.85 * under * smoothstep(mouth.line, 0.3 * mouth.line, off.abs()))
    }

    /// Darkens the creases of loose skin, and lightens the folds between them.
    fn creased(&self, color: Vec3, spot: &BodyPoint) -> Vec3 {
        if self.plan.skin.folds == 0.0 {
            return color;
        }
        let deep = crease(&self.loose, spot.place);
        color * (1.10 - 0.42 * deep) * (1.0 - 0.22 * crease(&self.loose, spot.place * 2.6 + 13.0))
    }

    /// Adds variation to a skin: clouds, differing scales, pores, scratches, and shade beside the fins.
    fn flesh(&self, mut color: Vec3, spot: &BodyPoint, own: f32, noise: &Noise) -> Vec3 {
        let plan = self.plan;
        let clouds = noise.fbm(spot.place * 6.0 + 31.0, 3);
        let grain = noise.fbm(spot.place * 30.0, 3);
        let bare = matches!(plan.gills.kind, GillKind::Slits | GillKind::None);
        color *= 1.0 + 0.07 * clouds + if bare { 0.075 } else { 0.045 } * grain + 0.11 * own;
        // Warmer and cooler patches.
        color *= Vec3::ONE + 0.035 * noise.at(spot.place * 9.0 + 57.0) * Vec3::new(1.0, 0.0, -1.0);
        if bare {
            // Rakes of teeth and rock: few, thin and long, healed pale.
            let q = Vec3::new(spot.place.x * 20.0, spot.place.y * 52.0 + 9.0 * spot.x, spot.place.z * 5.0 + 77.0);
            let line = smoothstep(0.030, 0.006, noise.at(q).abs());
            let there = smoothstep(0.22, 0.45, noise.at(spot.place * 4.5 + 91.0));
            color = color.lerp(Vec3::splat(0.72), 0.13 * line * there);
        } else {
            // The head has no scales to show: pores and freckles.
            let (pore, _) = noise.cells(spot.place * 95.0);
            let face = smoothstep(0.0, -0.03, spot.behind_gill);
            color *= 1.0 - 0.11 * face * smoothstep(0.24, 0.10, pore);
        }
        // Fins stand in creases.
        let mut shade = 1.0_f32;
        for fin in &plan.fin {
            let along = smoothstep(fin.base[0] - 0.03, fin.base[0] + 0.02, spot.x)
                * smoothstep(fin.base[1] + 0.03, fin.base[1] - 0.02, spot.x);
            let dark = match fin.on {
                FinPlace::Back => 0.30 * along * smoothstep(0.93, 1.0, spot.h),
                FinPlace::Belly => 0.30 * along * smoothstep(0.07, 0.0, spot.h),
                FinPlace::Flank => {
                    let (belly, back) = (self.body.belly.at(spot.x), self.body.back.at(spot.x));
                    let y = belly + fin.h * (back - belly);
                    let off = Vec2::new(spot.x - fin.base[0] - 0.012, spot.y - y).length();
                    let root = fin.root.min(0.055);
                    0.34 * smoothstep(0.9 * root + 0.02, 0.3 * root, off)
                }
                FinPlace::Tail | FinPlace::Fluke => 0.0,
            };
            shade = shade.min(1.0 - dark);
        }
        color * shade
    }

    /// Scale pattern, as in `fish_skin.glsl`: 1 on the hind rims of scales laid like tiles, 0 on their middles; and a
    /// random number of this scale, -0.5 to 0.5.
    fn scale(&self, spot: &BodyPoint, noise: &Noise) -> (f32, f32) {
        let [along, across, growth] = self.lattice;
        let uv = uv_of(spot.x, spot.t);
        let b = uv.y * across;
        let (row, y) = (b.floor(), b - b.floor() - 0.5);
        let shift = 0.5 * row.rem_euclid(2.0);
        let a = along * uv.x * (1.0 + growth * uv.x) / (1.0 + growth) + shift + 2.0 * y * y;
        let own = noise.hash(row as i32 * 977 + a.floor() as i32) - 0.5;
        (smoothstep(SCALE_RIM[0], SCALE_RIM[1], a - a.floor()), own)
    }
}

/// Lattice of a plan's scales over its texture: scales in a row over the width, rows over the height, and growth of
/// their density toward the tail, as in [`Material::scales`](crate::Material::scales).
pub fn lattice(plan: &FishPlan, body: &Body) -> [f32; 3] {
    // Half the girth where the body is deepest.
    let girth = |x: f32| {
        (0..32).map(|i| body.section(x, i as f32 / 32.0).distance(body.section(x, (i + 1) as f32 / 32.0))).sum::<f32>()
    };
    let widest = (1..20).map(|i| girth(i as f32 / 20.0)).fold(0.0, f32::max);
    // A scale shows a little less of itself along the row than across it.
    let rows = (widest * plan.skin.scales / 1.2).round().max(1.0);
    let height = atlas::BODY.max.y - atlas::BODY.min.y;
    // x = u (0.7 + 0.3 u): see body::x_of.
    [plan.skin.scales, rows / height, 0.3 / 0.7]
}

/// Distances round the half body at x, belly to back, from the height of the axis.
fn arc(body: &Body, x: f32) -> [f32; ARC + 1] {
    let at = |j: usize| body.section(x, j as f32 / ARC as f32);
    let mut round = [0.0; ARC + 1];
    for j in 1..=ARC {
        round[j] = round[j - 1] + at(j).distance(at(j - 1));
    }
    let axis = (0..ARC).find(|&j| at(j + 1).y > 0.0).map_or(0.0, |j| round[j]);
    round.map(|distance| distance - axis)
}

/// Place in the texture.
pub(super) fn uv_of(x: f32, t: f32) -> Vec2 {
    atlas::BODY.at(Vec2::new(0.004 + 0.992 * u_of(x.clamp(0.0, 1.0)), 0.012 + 0.976 * (1.0 - t)))
}

/// Depth of a crease between folds of loose skin, 0 to 1, at a place in standard lengths: the folds run along the body and
/// down the throat, and fork.
pub(super) fn crease(loose: &Noise, place: Vec3) -> f32 {
    let bent = place + 0.05 * loose.at(place * 7.0 + 40.0);
    let field = loose.at(Vec3::new(bent.x.abs() * 8.0, bent.y * 9.0, bent.z * 3.6) + 3.0);
    smoothstep(0.24, 0.0, field.abs()) * smoothstep(-0.35, 0.15, loose.at(place * 4.0 + 71.0))
}

/// Fraction of the way along a segment, and distance from it.
fn beside(p: Vec2, a: Vec2, b: Vec2) -> (f32, f32) {
    let along = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-9)).clamp(0.0, 1.0);
    (along, p.distance(a + (b - a) * along))
}
