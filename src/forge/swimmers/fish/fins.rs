//! Fins: thin sheets spanned by rays. s runs along the base, t from the base to the edge.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};

use crate::forge::Curve;
use crate::forge::curve::smoothstep;
use crate::forge::shapes::Rect;

/// Colour and cover of a fin at (s, t).
pub type FinPaint = Box<dyn Fn(f32, f32) -> Vec4>;

/// A fin of the plan.
pub struct Fin {
    /// Name of its part.
    pub name: &'static str,
    /// Where and how it stands.
    pub stand: Stand,
    /// Length of the rays over s, standard lengths.
    pub rays: Curve,
    /// Quads along the base and along the rays.
    pub cells: (usize, usize),
    /// Greatest half thickness, standard lengths; 0 for a sheet. A solid fin is painted as [`blade_st`] says.
    ///
    /// [`blade_st`]: crate::forge::swimmers::foil::blade_st
    pub thickness: f32,
    /// Its share of the texture.
    pub rect: Rect,
    /// Colour (sRGB) and alpha.
    pub paint: FinPaint,
}

/// How a fin stands on the body. Angles in radians.
#[derive(Clone, Debug)]
pub enum Stand {
    /// Dorsal (`up`) or anal fin on the midline.
    Median {
        /// On the back rather than under the belly.
        up: bool,
        /// x of its front and hind end.
        from: f32,
        /// x of its hind end.
        to: f32,
        /// Lean of the rays backward from upright, at the front and hind end.
        lean: (f32, f32),
        /// Further lean gained toward the edge.
        bend: f32,
    },
    /// Tail fin.
    Caudal {
        /// x of its base.
        at: f32,
        /// Half height of the base.
        half: f32,
        /// Angles of the outermost rays below and above the axis.
        spread: (f32, f32),
        /// How much the rays turn back toward the axis at the edge, as a share of their angle.
        curl: f32,
    },
    /// A pair on the flanks; joints `NAME_r`, `NAME_l`.
    Paired {
        /// x of the base.
        at: f32,
        /// Height share of the base, 0 belly to 1 back.
        h: f32,
        /// Length of the base.
        base: f32,
        /// Turn of the base from vertical: 0 upright, a quarter turn flat along the body.
        slant: f32,
        /// Angle the fin stands off the flank.
        out: f32,
        /// Angles of first and last ray from straight back; positive is down.
        fan: (f32, f32),
        /// How far the edge curls outward, as a share of the ray.
        cup: f32,
        /// Scull: amplitude and strokes a loop, and its share of the loop by which it lags.
        scull: (f32, u32, f32),
    },
}

impl Fin {
    /// Sheets are a little wavy, solid fins are not.
    fn ripple(&self) -> f32 {
        if self.thickness > 0.0 { 0.0 } else { 0.05 }
    }

    /// Place of (s, t) of a fin on the midline, standard lengths, x backward as +z.
    pub fn median_point(&self, body: &super::Body, s: f32, t: f32) -> Vec3 {
        let length = self.rays.at(s) * t;
        match self.stand {
            Stand::Median { up, from, to, lean, bend } => {
                let x = from + (to - from) * s;
                let angle = lean.0 + (lean.1 - lean.0) * s + bend * t;
                let (line, sign) = if up { (body.back.at(x), 1.0) } else { (body.belly.at(x), -1.0) };
                let base = line - sign * 0.012;
                let ripple = self.ripple() * self.rays.at(s) * t * (TAU * (1.5 * s + 0.3 * t)).sin();
                Vec3::new(ripple, base + sign * length * angle.cos(), x + length * angle.sin())
            }
            Stand::Caudal { at, half, spread, curl } => {
                let side = 2.0 * s - 1.0;
                let angle = side * if side < 0.0 { spread.0 } else { spread.1 } * (1.0 - curl * t);
                let ripple = 0.6 * self.ripple() * t * (TAU * 1.2 * s).sin() * self.rays.at(0.5);
                Vec3::new(ripple, side * half + length * angle.sin(), at + length * angle.cos())
            }
            Stand::Paired { .. } => Vec3::ZERO,
        }
    }

    /// Place of (s, t) of the right (+x) fin of a pair, and the axis about which it sculls.
    pub fn paired_point(&self, body: &super::Body, s: f32, t: f32) -> (Vec3, Vec3) {
        let Stand::Paired { at, h, base, slant, out, fan, cup, .. } = self.stand else {
            return (Vec3::ZERO, Vec3::Y);
        };
        let ring = body.t_at(at, h);
        let section = body.section(at, ring);
        let normal = body.normal(at, ring);
        let backward = (Vec3::Z - normal * normal.z).normalize_or(Vec3::Z);
        let down = backward.cross(normal).normalize_or(Vec3::NEG_Y);
        let down = if down.y > 0.0 && normal.y.abs() < 0.9 { -down } else { down };
        let along = down * slant.cos() + backward * slant.sin();
        let away = backward * out.cos() + normal * out.sin();
        let root = Vec3::new(section.x, section.y, at) - normal * 0.006 + along * ((s - 0.5) * base);
        let angle = fan.0 + (fan.1 - fan.0) * s;
        let ray = away * angle.cos() + down * angle.sin();
        let length = self.rays.at(s) * t;
        let ripple = self.ripple() * length * (TAU * 1.7 * s).sin();
        (root + ray * length + normal * (cup * length * t + ripple), along)
    }
}

/// Brightness of fin rays at (s, t): 1 on a ray, 0 between; rays branch toward the edge.
pub fn ray_lines(s: f32, t: f32, count: f32) -> f32 {
    let line = |count: f32| (0.5 + 0.5 * (TAU * s * count).cos()).powi(3);
    let fork = line(count * 2.0);
    let whole = line(count);
    whole + (fork - whole) * 0.6 * ((t - 0.45) / 0.4).clamp(0.0, 1.0)
}

/// Alpha of an edge notched between rays: 1 inside. `depth` is the share of the ray that the notches take.
pub fn notched(s: f32, t: f32, count: f32, depth: f32) -> f32 {
    let between = 0.5 - 0.5 * (TAU * s * count).cos();
    let edge = 1.0 - depth * between - 0.01;
    if t <= edge { 1.0 } else { 0.0 }
}

/// A quad of the grid in the texture's own coordinates: base at the bottom, edge on top.
pub fn fin_uv(rect: Rect, s: f32, t: f32) -> Vec2 {
    rect.at(Vec2::new(0.02 + 0.96 * s, 0.98 - 0.96 * t))
}

/// The inverse of [`fin_uv`] inside the share.
pub fn fin_st(local: Vec2) -> (f32, f32) {
    (((local.x - 0.02) / 0.96).clamp(0.0, 1.0), ((0.98 - local.y) / 0.96).clamp(0.0, 1.0))
}

/// A fin of one gradient with rays and a notched edge.
pub fn plain(base: Vec3, edge: Vec3, rays: f32, depth: f32) -> FinPaint {
    Box::new(move |s, t| {
        let color = base.lerp(edge, smoothstep(0.05, 1.0, t)) * ray_shade(s, t, rays);
        Vec4::from((color, notched(s, t, rays, depth)))
    })
}

/// Shade of the rays on a fin's colour: about 1, darker between rays.
pub fn ray_shade(s: f32, t: f32, rays: f32) -> f32 {
    0.87 + 0.20 * ray_lines(s, t, rays)
}
