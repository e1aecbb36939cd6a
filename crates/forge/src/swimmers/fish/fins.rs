//! Fins: thin sheets spanned by rays. s runs along the base, t from the base to the edge.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};
use math::smoothstep;

use super::pattern::{PaintPoint, PreparedLayer};
use super::plan::{self, FinPlace, FinPlan};
use crate::maths::{cos, powi, sin};
use crate::paint::rgb;
use crate::shapes::Rect;
use crate::swimmers::foil::blade_st;
use crate::{Curve, Noise};

/// A fin ready to be built: its plan, the curve of its rays and its region of the texture.
pub struct Fin<'a> {
    /// The plan.
    pub plan: &'a FinPlan,
    /// Length of the rays over s.
    pub rays: Curve,
    /// Length of the longest ray.
    longest: f32,
    /// Height over breadth, so that round features stay round.
    tall: f32,
    /// Its region of the texture.
    pub rect: Rect,
    layers: Vec<PreparedLayer>,
}

impl<'a> Fin<'a> {
    /// A fin of a checked plan.
    pub fn new(plan: &'a FinPlan, rect: Rect) -> Self {
        let layers = plan.pattern.iter().map(|layer| PreparedLayer::new(layer, |p| p)).collect();
        let longest = plan.rays.iter().map(|ray| ray[1]).fold(1e-4, f32::max);
        let breadth = match plan.on {
            FinPlace::Back | FinPlace::Belly => plan.base[1] - plan.base[0],
            FinPlace::Tail | FinPlace::Fluke => 2.0 * plan.root + 0.6 * longest * (plan.fan[0] + plan.fan[1]),
            FinPlace::Flank => plan.root + 0.6 * longest * (plan.fan[1] - plan.fan[0]),
        };
        let tall = longest / breadth.abs().max(1e-3);
        Self { plan, rays: plan::curve(&plan.rays), longest, tall, rect, layers }
    }

    /// Amplitude of ripples: sheets are a little wavy, solid fins are not.
    fn ripple(&self) -> f32 {
        if self.plan.thickness > 0.0 { 0.0 } else { 0.05 }
    }

    /// Position of (s, t) of a fin on the midline, standard lengths, x backward as +z; `behind` shifts it backward.
    pub fn median_point(&self, body: &super::Body, behind: f32, s: f32, t: f32) -> Vec3 {
        let plan = self.plan;
        let length = self.rays.at(s) * t;
        let side = 2.0 * s - 1.0;
        match plan.on {
            FinPlace::Back | FinPlace::Belly => {
                let up = plan.on == FinPlace::Back;
                let x = plan.base[0] + behind + (plan.base[1] - plan.base[0]) * s;
                // Short rays bend less, or they would cross a long one behind them.
                let bend = plan.bend * t * self.rays.at(s) / self.longest;
                let angle = plan.fan[0] + (plan.fan[1] - plan.fan[0]) * s + bend;
                let (line, sign) = if up { (body.back.at(x), 1.0) } else { (body.belly.at(x), -1.0) };
                let base = line - sign * 0.012;
                let ripple = self.ripple() * self.rays.at(s) * t * sin(TAU * (1.5 * s + 0.3 * t));
                Vec3::new(ripple, base + sign * length * cos(angle), x + length * sin(angle))
            }
            FinPlace::Tail | FinPlace::Fluke => {
                let angle = side * if side < 0.0 { plan.fan[0] } else { plan.fan[1] } * (1.0 - plan.bend * t);
                let ripple = 0.6 * self.ripple() * t * sin(TAU * 1.2 * s) * self.rays.at(0.5);
                let middle = 0.5 * (body.back.at(1.0) + body.belly.at(1.0));
                let (across, along) = (side * plan.root + length * sin(angle), plan.base[0] + length * cos(angle));
                match plan.on {
                    FinPlace::Fluke => Vec3::new(across, middle + ripple, along),
                    _ => Vec3::new(ripple, middle + across, along),
                }
            }
            FinPlace::Flank => Vec3::ZERO,
        }
    }

    /// Position of (s, t) of the right (+x) fin of a pair, and the axis about which it sculls.
    pub fn paired_point(&self, body: &super::Body, s: f32, t: f32) -> (Vec3, Vec3) {
        let plan = self.plan;
        let at = plan.base[0];
        let ring = body.t_at(at, plan.h);
        let section = body.section(at, ring);
        let normal = body.normal(at, ring);
        let backward = (Vec3::Z - normal * normal.z).normalize_or(Vec3::Z);
        let down = backward.cross(normal).normalize_or(Vec3::NEG_Y);
        let down = if down.y > 0.0 && normal.y.abs() < 0.9 { -down } else { down };
        let along = down * cos(plan.slant) + backward * sin(plan.slant);
        let away = backward * cos(plan.out) + normal * sin(plan.out);
        let root = Vec3::new(section.x, section.y, at) - normal * 0.006 + along * ((s - 0.5) * plan.root);
        let angle = plan.fan[0] + (plan.fan[1] - plan.fan[0]) * s;
        let ray = away * cos(angle) + down * sin(angle);
        let length = self.rays.at(s) * t;
        let ripple = self.ripple() * length * sin(TAU * 1.7 * s);
        (root + ray * length + normal * (plan.bend * length * t + ripple), along)
    }

    /// Colour (sRGB) and opacity at a point of its region of the texture; `skin` is the body's colour beside it.
    pub fn color(&self, local: Vec2, skin: Vec3, noise: &Noise) -> Vec4 {
        let plan = self.plan;
        let solid = plan.thickness > 0.0;
        let paired = plan.on == FinPlace::Flank;
        let (s, t) = if solid {
            let (s, t, _) = blade_st(local);
            (s, t)
        } else {
            fin_st(local)
        };
        let mut color = plan.colour[0].0.lerp(plan.colour[1].0, smoothstep(0.05, 1.0, t));
        let p = Vec2::new(s, t);
        let at =
            PaintPoint { p, h: t, tall: 1.0, round: t * self.tall, place: p.extend(3.0), scale_rim: 0.5, stray: 0.0 };
        for layer in &self.layers {
            color = layer.over(color, &at, noise);
        }
        color *= 1.0 + 0.08 * noise.fbm(Vec3::new(9.0 * s, 5.0 * t, 7.0), 3);
        if solid {
            // Leathery: fibres that run out from the root, and wear along the hind edge.
            let fibre = noise.fbm(Vec3::new(s * 46.0, t * 5.0, 13.0), 3);
            return (color * (1.0 + 0.09 * fibre + 0.03 * sin(s * 140.0 + 6.0 * t))).extend(1.0);
        }
        if paired {
            // It continues the flank's skin, and is darker because light passes through it.
            color = 0.85 * color.lerp(skin, PAIRED_SKIN);
        }
        let [until, deep] = plan.spiny.unwrap_or([-1.0, 0.0]);
        let spiny = smoothstep(until + 0.03, until - 0.03, s);
        let depth = plan.notch + (deep - plan.notch) * spiny;
        // Rays are segmented; the skin between them is thin and stained, and dark where it leaves the body.
        let ray = ray_lines(s, t, plan.ray_count);
        let joints = 0.5 + 0.5 * cos(TAU * t * 26.0 + 2.0 * noise.at(Vec3::new(s * plan.ray_count, 1.0, 5.0)));
        let skin = 0.80 + 0.10 * noise.fbm(Vec3::new(s * plan.ray_count * 0.7, 9.0 * t, 17.0), 2);
        let shade = skin + (0.32 - 0.08 * spiny) * ray * (1.0 - 0.25 * joints * (1.0 - spiny));
        let root = 1.0 - if paired { 0.45 } else { 0.34 } * smoothstep(0.30, 0.0, t);
        // Toward the edge the membrane thins and clears: the water shows between the rays.
        let thin = smoothstep(0.20, 1.0, t) * (1.0 - 0.85 * ray) * (1.0 - 0.5 * spiny);
        if !paired {
            let clear = color.lerp(rgb(0x7d98a6) * (0.45 + 0.55 * color.max_element()), 0.62);
            color = color.lerp(clear, 0.85 * thin);
            // The very rim catches light.
            color *= 1.0 + 0.16 * smoothstep(0.93, 0.99, t);
        }
        // No two membranes are worn alike.
        let worn = depth * (0.55 + 0.9 * noise.hash((s * plan.ray_count + 0.5) as i32 + 4000));
        // Few enough shades to compress.
        let color = (color * shade * root * 56.0).round() / 56.0;
        let hem = PAIRED_HEM * (0.5 + noise.at(Vec3::new(4.0 * s, 0.0, 23.0)));
        let worn = if paired { worn.max(0.05) + hem } else { worn };
        let mut alpha = notched(s, t, plan.ray_count, worn);
        if paired && alpha > 0.0 {
            let between = (1.0 - ray).max(0.0);
            alpha = veil(1.0 - between * (0.44 * smoothstep(0.10, 0.40, t) + 0.35 * smoothstep(0.70, 0.95, t)));
        }
        Vec4::from((color, alpha))
    }
}

/// Share of the body's colour in that of a paired fin.
const PAIRED_SKIN: f32 = 0.6;
/// Amplitude with which the hem of a paired fin wanders, as a fraction of its rays.
const PAIRED_HEM: f32 = 0.05;

/// Alpha of a membrane that hides the share `hidden`, 0 to 1, of the background: its material is cut at one half, and
/// the few steps about that are shares of a pixel, see `cutout.glsl`. Without soft edges a share of 0.56 and more is
/// opaque.
fn veil(hidden: f32) -> f32 {
    0.5 + 0.02 * (0.9 * hidden - 0.5)
}

/// Brightness of fin rays at (s, t): 1 on a ray, 0 between; rays branch toward the edge.
pub fn ray_lines(s: f32, t: f32, count: f32) -> f32 {
    let line = |count: f32| powi(0.5 + 0.5 * cos(TAU * s * count), 3);
    let fork = line(count * 2.0);
    let whole = line(count);
    whole + (fork - whole) * 0.6 * ((t - 0.45) / 0.4).clamp(0.0, 1.0)
}

/// Alpha of an edge notched between rays: 1 inside. `depth` is the fraction of the ray that the notches take.
pub fn notched(s: f32, t: f32, count: f32, depth: f32) -> f32 {
    let between = 0.5 - 0.5 * cos(TAU * s * count);
    let edge = 1.0 - depth * between - 0.01;
    if t <= edge { 1.0 } else { 0.0 }
}

/// Texture coordinates of (s, t) in a fin's region: base at the bottom, edge on top.
pub fn fin_uv(rect: Rect, s: f32, t: f32) -> Vec2 {
    rect.at(Vec2::new(0.02 + 0.96 * s, 0.98 - 0.96 * t))
}

/// The inverse of [`fin_uv`] inside the region.
pub fn fin_st(local: Vec2) -> (f32, f32) {
    (((local.x - 0.02) / 0.96).clamp(0.0, 1.0), ((0.98 - local.y) / 0.96).clamp(0.0, 1.0))
}
