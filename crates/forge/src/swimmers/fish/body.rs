//! The body of a bony fish: outlines in, skin surface out.
//!
//! Lengths are in standard lengths (snout to the base of the tail fin), x from 0 at the snout to 1.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Vec2, Vec3};
use math::smoothstep;

use crate::Curve;
use crate::curve::bump;
use crate::maths::{cos, powf, sin, sin_cos};

/// Outlines and cross-sections.
#[derive(Clone, Debug)]
pub struct Body {
    /// Height of the back line over the axis.
    pub back: Curve,
    /// Height of the belly line, negative.
    pub belly: Curve,
    /// Half width.
    pub width: Curve,
    /// Height of the widest point between belly (0) and back (1).
    pub middle: Curve,
    /// Superellipse exponent above the widest point: 2 is round, less is roof-like, more is boxy.
    pub upper: Curve,
    /// Superellipse exponent below the widest point; less than 2 makes a keel.
    pub lower: Curve,
    /// Hind edge of the gill cover at mid height.
    pub gill: f32,
    /// Distance that the gill cover's edge bends forward at its ends.
    pub gill_bend: f32,
    /// Step behind the gill cover, as a fraction of the half width.
    pub gill_step: f32,
}

/// A point on the skin, as painters see it.
#[derive(Clone, Copy, Debug)]
pub struct BodyPoint {
    /// Position along the body: 0 snout to 1 tail base.
    pub x: f32,
    /// Position round the half body: 0 belly midline, 1 back midline.
    pub t: f32,
    /// Height over the axis, standard lengths.
    pub y: f32,
    /// Relative height: 0 at the belly line, 1 at the back line.
    pub h: f32,
    /// Place in standard lengths, nose at the origin, +z to the tail: for noise.
    pub place: Vec3,
    /// Distance behind (+) or before (-) the gill cover's edge.
    pub behind_gill: f32,
}

impl Body {
    /// Half width and height of the skin at x and t.
    pub fn section(&self, x: f32, t: f32) -> Vec2 {
        let angle = (t - 0.5) * PI;
        let (sin, cos) = if t <= 0.0 {
            (-1.0, 0.0)
        } else if t >= 1.0 {
            (1.0, 0.0)
        } else {
            sin_cos(angle)
        };
        let (back, belly) = (self.back.at(x), self.belly.at(x));
        let middle = belly + (back - belly) * self.middle.at(x);
        let (exponent, reach) =
            if sin >= 0.0 { (self.upper.at(x), back - middle) } else { (self.lower.at(x), middle - belly) };
        let width = self.width.at(x) * powf(cos.max(0.0), 2.0 / exponent);
        let bulge = 1.0 + self.gill_step * smoothstep(-0.12, -0.004, self.behind_gill(x, t)) * self.before(x, t);
        Vec2::new(width * bulge, middle + sin.signum() * reach * powf(sin.abs(), 2.0 / exponent))
    }

    fn before(&self, x: f32, t: f32) -> f32 {
        1.0 - smoothstep(-0.004, 0.008, self.behind_gill(x, t))
    }

    /// Distance behind the gill cover's hind edge.
    pub fn behind_gill(&self, x: f32, t: f32) -> f32 {
        x - self.gill - self.bend(t)
    }

    /// Backward lean of the ring at x: one ring lies along the gill cover's edge, the last bulges onto the tail fin.
    pub fn lean(&self, x: f32, t: f32) -> f32 {
        // The scaly base of the tail fin ends in an arc.
        let tail = 0.028 * sin(PI * t) * smoothstep(0.90, 1.0, x);
        self.bend(t) * bump(self.gill, 0.7 * self.gill, x) + tail
    }

    fn bend(&self, t: f32) -> f32 {
        let rim = ((t - 0.44) * 2.0).abs().min(1.0);
        -self.gill_bend * rim * rim
    }

    /// x of the rings: dense at the head, one before and one behind the gill cover's edge.
    pub fn rings(&self, count: usize) -> Vec<f32> {
        let place = |i: usize| {
            let q = i as f32 / (count - 1) as f32;
            0.55 * powf(q, 1.9) + 0.45 * (0.5 - 0.5 * cos(q * PI))
        };
        let mut rings: Vec<f32> = (0..count).map(place).filter(|x| (x - self.gill).abs() > 0.022).collect();
        let at = rings.partition_point(|&x| x < self.gill);
        rings.splice(at..at, [self.gill - 0.004, self.gill + 0.010]);
        rings
    }

    /// The painter's view of a point.
    pub fn spot(&self, x: f32, t: f32) -> BodyPoint {
        let Vec2 { x: wide, y } = self.section(x, t);
        let (back, belly) = (self.back.at(x), self.belly.at(x));
        let h = ((y - belly) / (back - belly).max(1e-4)).clamp(0.0, 1.0);
        BodyPoint { x, t, y, h, place: Vec3::new(wide, y, x), behind_gill: self.behind_gill(x, t) }
    }

    /// t of the skin at x and a relative height h (0 belly, 1 back).
    pub fn t_at(&self, x: f32, h: f32) -> f32 {
        let y = self.belly.at(x) + (self.back.at(x) - self.belly.at(x)) * h;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..24 {
            let half = f32::midpoint(low, high);
            if self.section(x, half).y < y { low = half } else { high = half }
        }
        low
    }

    /// Outward unit normal of the right (+x) side, in body axes.
    pub fn normal(&self, x: f32, t: f32) -> Vec3 {
        let e = 0.01;
        let at = |x: f32, t: f32| {
            let s = self.section(x, t);
            Vec3::new(s.x, s.y, x)
        };
        let along = at(x + e, t) - at(x - e, t);
        let round = at(x, (t + e).min(1.0)) - at(x, (t - e).max(0.0));
        round.cross(along).normalize_or(Vec3::X)
    }
}

/// Texture u of x: the head gets more of the picture.
pub fn u_of(x: f32) -> f32 {
    ((0.49 + 1.2 * x).sqrt() - 0.7) / 0.6
}

/// x of texture u.
pub fn x_of(u: f32) -> f32 {
    u * (0.7 + 0.3 * u)
}

/// A quarter turn, for plans that lean fins.
pub const QUARTER: f32 = FRAC_PI_2;
