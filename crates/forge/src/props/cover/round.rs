//! Rounded forms of colonies: limbs with round tips, bodies of smooth profiles, leaves with a thickness.

use std::f32::consts::FRAC_PI_2;

use glam::{Vec2, Vec3};

use super::{BODY, BRANCH, Colony};
use crate::Curve;
use crate::maths::{cos, powf, sin};
use crate::shapes::{arc_fractions, circle, frames};

/// Rings of a limb's round tip.
const TIP: usize = 3;
/// Sections of a leaf's rim: distance from the foot as a share of its height, and offset as a share of half its
/// thickness.
const RIM: [(f32, f32); 3] = [(0.995, 0.62), (1.012, 0.0), (0.995, -0.62)];

impl Colony {
    /// Adds a limb with a round tip along a smooth line through `path`, of some sides and rings: its half width is
    /// `thick` times that of `profile` (share of the length, width), and more by the share `bumps(place)`.
    pub fn limb(
        &mut self,
        path: &[Vec3],
        (sides, rings): (usize, usize),
        (thick, profile): (f32, &[(f32, f32)]),
        bumps: impl Fn(Vec3) -> f32,
    ) {
        let shares = arc_fractions(path);
        let line = [0, 1, 2].map(|axis| {
            let points: Vec<(f32, f32)> = shares.iter().zip(path).map(|(t, p)| (*t, p[axis])).collect();
            Curve::new(&points)
        });
        let width = Curve::new(profile);
        let length: f32 = path.windows(2).map(|w| w[0].distance(w[1])).sum();
        let tip = (thick * width.at(1.0) / length).min(0.5);
        let body = (0..=rings).map(|k| ((1.0 - tip) * k as f32 / rings as f32, 1.0));
        let round = (1..TIP).map(|k| {
            let angle = FRAC_PI_2 * k as f32 / TIP as f32;
            (1.0 - tip * (1.0 - sin(angle)), cos(angle))
        });
        let (at, half): (Vec<Vec3>, Vec<f32>) = body
            .chain(round)
            .chain([(1.0, 0.0)])
            .map(|(t, share)| (Vec3::from_array([0, 1, 2].map(|axis| line[axis].at(t))), thick * width.at(t) * share))
            .unzip();
        let ring = |((&across, &p), &half): ((&(Vec3, Vec3), &Vec3), &f32)| -> Vec<Vec3> {
            let point = |out: Vec3| p + out * (1.0 + bumps(p + out));
            circle(across, sides).map(|way| point(way * half)).collect()
        };
        let rings: Vec<Vec<Vec3>> = frames(&at).iter().zip(&at).zip(&half).map(ring).collect();
        self.mesh.loft(self.part, &rings, BRANCH);
    }

    /// Adds a [body](Self::body) whose profile is a smooth line through the given points, `parts` rings from each to
    /// the next.
    pub fn turned(
        &mut self,
        profile: &[(f32, f32)],
        (sides, parts): (usize, usize),
        warp: impl Fn(Vec3, Vec3) -> Vec3,
    ) {
        let through = |pick: fn(&(f32, f32)) -> f32| {
            let points: Vec<(f32, f32)> = profile.iter().enumerate().map(|(n, p)| (n as f32, pick(p))).collect();
            Curve::new(&points)
        };
        let (radius, height) = (through(|p| p.0), through(|p| p.1));
        let at = |k: usize| k as f32 / parts as f32;
        let smooth: Vec<(f32, f32)> =
            (0..=parts * (profile.len() - 1)).map(|k| (radius.at(at(k)), height.at(at(k)))).collect();
        self.body(&smooth, sides, warp);
    }

    /// Adds a leaf of two faces, `thick` apart, with round rims, about the sheet `at(s, t)`: s along the foot, t from
    /// the foot to the rim, with the rim's picture at `up` = 1; each face has so many columns and rows.
    pub fn leaf(&mut self, (columns, rows): (usize, usize), (thick, turns): (f32, f32), at: impl Fn(f32, f32) -> Vec3) {
        // Rows are closer toward the rim, where the leaf is ruffled.
        let face: Vec<f32> = (0..rows).map(|k| 1.0 - powf(1.0 - k as f32 / rows as f32, 1.5)).collect();
        let outside = face.iter().map(|t| (*t, 1.0));
        let inside = face.iter().rev().map(|t| (*t, -1.0));
        let section: Vec<(f32, f32)> = outside.chain(RIM).chain(inside).collect();
        self.mesh.grid(self.part, columns, section.len() - 1, |i, j| {
            let (s, (t, side)) = (i as f32 / columns as f32, section[j]);
            let step = 0.01;
            let along = at((s + step).min(1.0), t) - at((s - step).max(0.0), t);
            let upward = at(s, t + step) - at(s, (t - step).max(0.0));
            // Both faces meet at the leaf's ends too.
            let end = 1.0 - powf((2.0 * s - 1.0).abs(), 6.0);
            let half = 0.5 * thick * (1.3 - 0.3 * t) * end.max(0.0).sqrt();
            let out = along.cross(upward).normalize_or_zero() * (side * half);
            (at(s, t) + out, BODY.at(Vec2::new(turns * s, (1.0 - t).max(0.0))))
        });
    }
}
