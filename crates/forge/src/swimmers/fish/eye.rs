//! Eyes: a separate dome with iris, pupil and a highlight.

use std::f32::consts::TAU;
use std::ops::Range;

use glam::{Vec2, Vec3, Vec4};
use math::smoothstep;
use serde::Deserialize;

use crate::maths::{atan2, cos, sin};
use crate::paint::{Canvas, rgb};
use crate::shapes::Rect;
use crate::{Mesh, Noise};

/// An eye of the plan; lengths in the body's units.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Eye {
    /// x along the body.
    pub x: f32,
    /// Relative height, 0 belly to 1 back.
    pub h: f32,
    /// Radius.
    pub radius: f32,
    /// Height of the dome as a fraction of the radius.
    pub bulge: f32,
    /// Colour of the iris near the pupil and at the rim.
    #[serde(deserialize_with = "super::colour::pair")]
    pub iris: (Vec3, Vec3),
    /// Radius of the pupil as a fraction of the eye's.
    pub pupil: f32,
    /// Breadth of the pupil as a fraction of its height: 1 is round, less an upright slit.
    #[serde(default = "round")]
    pub slit: f32,
    /// Depth of the socket that it lies in, with a swollen rim, as a fraction of the radius; 0 for none.
    #[serde(default)]
    pub socket: f32,
    /// Share of light that the pupil sends back to where it came from, by a mirror behind the retina.
    #[serde(default)]
    pub tapetum: f32,
}

fn round() -> f32 {
    1.0
}

/// Geometry of an eye's dome.
#[derive(Clone, Copy, Debug)]
pub struct Dome {
    /// Middle of the base, model space.
    pub center: Vec3,
    /// Unit vector of its gaze.
    pub outward: Vec3,
    /// Radius, model units.
    pub radius: f32,
    /// Height as a fraction of the radius.
    pub bulge: f32,
    /// Rings and sides of the grid.
    pub cells: (usize, usize),
    /// Its region of the texture.
    pub rect: Rect,
}

/// Adds a dome; the texture's up is the model's, its left is toward the nose.
pub fn dome(mesh: &mut Mesh, part: usize, dome: &Dome) -> Range<usize> {
    let Dome { center, outward, radius, bulge, cells: (rings, sides), rect } = *dome;
    let forward = (Vec3::NEG_Z - outward * Vec3::NEG_Z.dot(outward)).normalize_or(Vec3::NEG_Z);
    let mut up = forward.cross(outward);
    if up.y < 0.0 {
        up = -up;
    }
    let across = up.cross(outward);
    let limit = 1.25_f32;
    mesh.grid(part, sides, rings, |i, j| {
        let turn = TAU * (i % sides) as f32 / sides as f32;
        let open = limit * (1.0 - j as f32 / rings as f32);
        let flat = sin(open) / sin(limit);
        let rise = (cos(open) - cos(limit)) / (1.0 - cos(limit));
        let plane = if j == rings { Vec2::ZERO } else { Vec2::new(cos(turn), sin(turn)) * flat };
        let place = center + (across * plane.x + up * plane.y) * radius + outward * (rise * bulge - 0.17) * radius;
        let toward_nose = (across * plane.x + up * plane.y).dot(forward);
        let uv = Vec2::new(0.5 - 0.48 * toward_nose, 0.5 - 0.48 * plane.y);
        (place, rect.at(uv))
    })
}

/// Rings of a socket: distance from the eye's middle, in its radii, and height over the skin, in its radii for a socket of
/// depth 1.
const SOCKET: [[f32; 2]; 4] = [[2.05, -0.10], [1.55, 0.30], [1.18, 0.42], [0.92, -0.55]];

/// Adds the swollen rim round an eye that lies deep; `uv` gives the skin's picture at a distance from the eye's middle.
pub fn socket(mesh: &mut Mesh, part: usize, dome: &Dome, depth: f32, uv: impl Fn(Vec2) -> Vec2) -> Range<usize> {
    let Dome { center, outward, radius, .. } = *dome;
    let forward = (Vec3::NEG_Z - outward * Vec3::NEG_Z.dot(outward)).normalize_or(Vec3::NEG_Z);
    let up = outward.cross(forward);
    let sides = 12;
    mesh.grid(part, sides, SOCKET.len() - 1, |i, j| {
        let turn = TAU * (i % sides) as f32 / sides as f32;
        let [far, high] = SOCKET[j];
        // Thicker above, where the brow is.
        let brow = 1.0 + 0.35 * sin(turn);
        let aside = forward * cos(turn) + up * sin(turn);
        let place = center + radius * (aside * far + outward * (high * depth * brow));
        (place, uv(Vec2::new(cos(turn), sin(turn)) * (far * radius)))
    })
}

/// Paints an eye into its region of the texture.
pub fn paint(canvas: &mut Canvas, rect: Rect, eye: &Eye, noise: &Noise) {
    let (inner, outer) = eye.iris;
    canvas.fill(rect, |local, _| {
        let p = (local - 0.5) / 0.48;
        let r = p.length();
        let angle = atan2(p.y, p.x);
        let streak = 0.10 * noise.at(Vec3::new(cos(angle) * 4.0, sin(angle) * 4.0, 3.0 * r))
            + 0.12 * noise.at(Vec3::new(cos(angle) * 13.0, sin(angle) * 13.0, 1.5 * r));
        // Distance past the pupil's edge.
        let past = Vec2::new(p.x / eye.slit, p.y).length() - eye.pupil;
        let past = if past < 0.0 { past * eye.slit } else { past };
        let across = (past / (1.0 - eye.pupil)).clamp(0.0, 1.0);
        let mut color = inner.lerp(outer, smoothstep(0.1, 0.9, across)) * (1.0 + streak);
        // The brow shades the upper half.
        color *= 1.0 - 0.42 * smoothstep(0.15, -0.85, p.y);
        // Light that gathers in the lower part of the iris.
        color += Vec3::new(0.05, 0.06, 0.06) * smoothstep(0.7, 0.1, p.distance(Vec2::new(0.10, 0.65)));
        // A bright seam round the pupil, thinner than a texel or two.
        let ring = smoothstep(0.06, 0.0, (past - 0.05).abs());
        color = color.lerp(inner * 1.2 + 0.03, 0.65 * ring);
        color = color.lerp(rgb(0x050607), smoothstep(0.025, -0.02, past));
        // The eye sinks into its socket.
        color = color.lerp(outer * 0.22, 0.9 * smoothstep(0.78, 0.97, r));
        let glint = smoothstep(0.11, 0.05, p.distance(Vec2::new(-0.20, -0.32)));
        color = color.lerp(Vec3::splat(0.92), 0.8 * glint);
        Vec4::from((color, 1.0))
    });
}
