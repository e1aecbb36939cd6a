//! A fish that swells to a ball: its second shape, and the spines that stand up with it.

use std::f32::consts::{PI, TAU};
use std::ops::Range;

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use super::Builder;
use super::plan::Puffed;
use super::skin::uv_of;
use crate::Mesh;
use crate::maths::{atan2, hypot, sin_cos};

/// Half the width of a spine at its foot, as a share of its length.
const SPINE_WIDTH: f32 = 0.055;
/// Height of a spine's tip over the skin at rest, as a share of its length.
const LAID: f32 = 0.16;
/// Shares of the body from the snout between which spines stand.
const SPINES_AT: [f32; 2] = [0.09, 0.84];

/// Parts that move with another point of the skin when it swells: fins and spines.
#[derive(Default)]
pub(super) struct Riders {
    /// Fins: their vertices, and the number of vertices in a row from the root.
    pub fins: Vec<(Range<usize>, usize)>,
    spines: Vec<Spine>,
}

struct Spine {
    vertices: Range<usize>,
    foot: Vec3,
}

impl Builder<'_> {
    /// Adds the spines of a fish at rest: they lie flat along the skin and have its colours, so that from afar they
    /// blend in.
    pub(super) fn spines(&self, mesh: &mut Mesh, skin: usize, puffed: &Puffed, riders: &mut Riders) {
        let part = mesh.part("spines", skin);
        for number in 0..puffed.spines {
            // The golden ratio along the body and the plastic number round it spread them evenly.
            let [along, round] = [0.618_034, 0.754_878].map(|step| (0.5 + number as f32 * step).fract());
            let x = mix(SPINES_AT[0], SPINES_AT[1], along);
            let (side, t) = (if round < 0.5 { -1.0 } else { 1.0 }, 0.04 + 0.92 * (2.0 * round).fract());
            let own = Vec3::new(side, 1.0, 1.0);
            let section = self.body.section(x, t);
            let (foot, out) = (own * Vec3::new(section.x, section.y, x), own * self.body.normal(x, t));
            let near_eye = Vec2::new(x - self.plan.eye.x, section.y - self.body.section(x, 0.74).y).length();
            if near_eye < 1.6 * self.plan.eye.radius && t > 0.5 {
                continue;
            }
            let length = puffed.spine_length * mix(0.75, 1.0, (number as f32 * 0.569_84).fract());
            let toward = (Vec3::Z + LAID * out).reject_from_normalized(out).normalize() + LAID * out;
            let (u, v) = out.any_orthonormal_pair();
            let vertices = mesh.added(|mesh| {
                let corner = |turn: f32| {
                    let (sin, cos) = sin_cos(TAU * turn / 3.0);
                    foot - 0.1 * length * out + (SPINE_WIDTH * length) * (cos * u + sin * v)
                };
                let uv = uv_of(x, t);
                let feet = [0.0, 1.0, 2.0].map(|turn| mesh.vertex(self.place(corner(turn)), uv));
                // The tip has the colours of the skin below it.
                let tip = mesh.vertex(self.place(foot + length * toward), uv_of(x + length, t));
                (0..3).for_each(|i| mesh.triangle(part, [feet[i], feet[(i + 1) % 3], tip]));
            });
            let place = self.place(foot);
            mesh.skin(vertices.clone(), |_| self.spine.skin(place.z));
            riders.spines.push(Spine { vertices, foot });
        }
    }

    /// A copy of the mesh with the body swollen.
    pub(super) fn swollen(&self, mesh: &Mesh, puffed: &Puffed, riders: &Riders) -> Mesh {
        let mut swollen = mesh.clone();
        let mut rides = vec![None; mesh.vertices.len()];
        for (fin, row) in &riders.fins {
            fin.clone().for_each(|i| rides[i] = Some(fin.start + (i - fin.start) / row * row));
        }
        let standard = self.plan.outline.standard;
        for (vertex, root) in swollen.vertices.iter_mut().zip(rides) {
            let root = root.map_or(vertex.position, |root: usize| mesh.vertices[root].position);
            vertex.position += standard * self.push(puffed, self.unplace(root));
        }
        for Spine { vertices, foot } in &riders.spines {
            let (there, tip) = (*foot + self.push(puffed, *foot), vertices.end - 1);
            let length = self.unplace(mesh.vertices[tip].position).distance(*foot);
            let out = self.outward(puffed, there);
            let (u, v) = out.any_orthonormal_pair();
            for (turn, index) in vertices.clone().enumerate().take(3) {
                let (sin, cos) = sin_cos(TAU * turn as f32 / 3.0);
                let corner = there - 0.1 * length * out + (SPINE_WIDTH * length) * (cos * u + sin * v);
                swollen.vertices[index].position = self.place(corner);
            }
            swollen.vertices[tip].position = self.place(there + length * out);
        }
        swollen
    }

    /// Displacement of the skin at `p` by the swelling, in standard lengths.
    fn push(&self, puffed: &Puffed, p: Vec3) -> Vec3 {
        let x = p.z.clamp(0.0, 1.0);
        let there = smoothstep(0.04, 0.16, x) * smoothstep(0.93, 0.80, x);
        if there == 0.0 {
            return Vec3::ZERO;
        }
        let middle = 0.5 * (self.body.back.at(x) + self.body.belly.at(x));
        let from_axis = Vec2::new(p.x, p.y - middle);
        let out = from_axis.normalize_or(Vec2::X);
        let along = (x - puffed.at) / puffed.half_length;
        let ball = puffed.radius * (1.0 - along * along).max(0.0).sqrt() * (1.0 - puffed.sag * out.y);
        let more = ball - self.skin_from_axis(x, middle, out);
        // A smooth maximum: where the body is wider than the ball it stays.
        let more = 0.5 * (more + hypot(more, 0.04)) * there;
        (more * out).extend(0.0)
    }

    /// Distance of the skin from the body's axis in a direction.
    fn skin_from_axis(&self, x: f32, middle: f32, out: Vec2) -> f32 {
        let rise = atan2(out.y, out.x.abs());
        let from_axis = |t: f32| self.body.section(x, t) - Vec2::new(0.0, middle);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..20 {
            let half = f32::midpoint(low, high);
            let at = from_axis(half);
            let is_below = atan2(at.y, at.x) < rise.clamp(-0.499 * PI, 0.499 * PI);
            if is_below { low = half } else { high = half }
        }
        from_axis(low).length()
    }

    /// Outward unit normal of the ball.
    fn outward(&self, puffed: &Puffed, p: Vec3) -> Vec3 {
        let across = puffed.radius * puffed.radius;
        let along = puffed.half_length * puffed.half_length;
        Vec3::new(p.x / across, p.y / across, (p.z - puffed.at) / along).normalize_or(Vec3::Y)
    }
}
