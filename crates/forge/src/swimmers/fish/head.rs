//! The skin of the body with a mouth cut into it: lips that part, a throat behind them, and teeth, if any.

mod gums;
mod teeth;

use std::ops::Range;

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use super::plan::{FishPlan, GillKind};
use super::{Body, atlas, body};
use crate::maths::rotation_x;
use crate::{Mesh, Noise};

/// Vertices of the skin, for binding them to joints.
pub struct SkinVertices {
    /// All vertices of body, lips, throat and teeth.
    pub all: Range<usize>,
    /// Share, 0 to 1, with which each vertex follows the lower jaw.
    pub jaw: Vec<f32>,
}

/// Adds the skin to the first part and the teeth to the second, which may be the same. `place` takes body axes to the
/// model's.
pub fn build(
    mesh: &mut Mesh,
    [part, ivory]: [usize; 2],
    plan: &FishPlan,
    body: &Body,
    place: impl Fn(Vec3) -> Vec3,
) -> SkinVertices {
    let mut builder = Builder {
        mesh,
        part,
        ivory,
        luck: Noise::new(0x6A3),
        plan,
        body,
        first: 0,
        jaw: Vec::new(),
        half: plan.detail.round,
    };
    builder.first = builder.mesh.vertices.len();
    builder.skin();
    let (first, jaw) = (builder.first, builder.jaw);
    let all = first..mesh.vertices.len();
    for vertex in &mut mesh.vertices[all.clone()] {
        vertex.position = place(vertex.position);
    }
    SkinVertices { all, jaw }
}

struct Builder<'a> {
    mesh: &'a mut Mesh,
    part: usize,
    /// Part of the teeth.
    ivory: usize,
    /// Irregularities of gums and teeth.
    luck: Noise,
    plan: &'a FishPlan,
    body: &'a Body,
    first: usize,
    jaw: Vec<f32>,
    half: usize,
}

/// Gape up to which a mouth counts as shut except for a slit; a wider one shows its inside. Unit: rad.
const AJAR: f32 = 0.08;

/// Start of the throat in an open mouth, as a share of the way from the snout to the corner: between thin lips, and
/// between fleshy ones, over which one looks across the jaw at its other side.
const THROAT: [f32; 2] = [0.12, 0.62];

/// The lips' edge of one side, snout first: upper and lower vertices.
struct Slit {
    upper: Vec<u32>,
    lower: Vec<u32>,
}

impl Builder<'_> {
    fn has_cut(&self) -> bool {
        self.plan.gills.kind != GillKind::Slits
    }

    /// Height of the line between the lips.
    fn lip_y(&self, x: f32) -> f32 {
        let corner = self.plan.mouth.corner();
        let start = 0.5 * (self.body.back.at(0.0) + self.body.belly.at(0.0));
        mix(start, corner.y, (x / corner.x).clamp(0.0, 1.0)) - self.plan.mouth.sag_at(x)
    }

    /// t of the lips' line.
    fn lip_t(&self, x: f32) -> f32 {
        let (belly, back) = (self.body.belly.at(x), self.body.back.at(x));
        self.body.t_at(x, ((self.lip_y(x) - belly) / (back - belly)).clamp(0.02, 0.98))
    }

    /// Column of the lips' line, counted from the belly.
    fn lip_column(&self) -> usize {
        let t = self.lip_t(self.plan.mouth.corner().x);
        ((t * self.half as f32).round() as usize).clamp(2, self.half - 2)
    }

    /// Adds a vertex in body axes; `follows` is the share with which it follows the lower jaw.
    fn vertex(&mut self, p: Vec3, uv: Vec2, follows: f32) -> u32 {
        let corner = self.plan.mouth.corner();
        let hinge = Vec3::new(0.0, corner.y, corner.x);
        let open = rotation_x(-self.plan.mouth.gape * follows);
        let p = p - Vec3::Z * (self.plan.mouth.jut * follows * (1.0 - p.z / corner.x).max(0.0));
        let turned = hinge + open * (p - hinge);
        self.jaw.push(follows);
        // The throat behind the hinge moves back, not up, or it would fold into the belly.
        self.mesh.vertex(turned.with_y(turned.y.min(p.y)), uv)
    }

    fn skin(&mut self) {
        let (plan, body, half) = (self.plan, self.body, self.half);
        let cut = self.has_cut();
        let corner = plan.mouth.corner().x;
        let mut rings = body.rings(plan.detail.rings);
        if cut {
            // A ring through the corner of the mouth.
            rings.retain(|x| *x == 0.0 || (x - corner).abs() > 0.007);
            let at = rings.partition_point(|&x| x < corner);
            rings.insert(at, corner);
        }
        let lips = self.lip_column();
        let last_cut = if cut { rings.partition_point(|&x| x < corner) } else { 0 };
        let mut above: Vec<Vec<u32>> = Vec::new();
        let mut below: Vec<Vec<u32>> = Vec::new();
        for (i, &ring) in rings.iter().enumerate() {
            let straight = lips as f32 / half as f32;
            let split = if cut {
                mix(self.lip_t(ring.min(corner)), straight, smoothstep(corner, corner + 0.16, ring))
            } else {
                straight
            };
            let (mut row, mut low) = (Vec::new(), Vec::new());
            for j in 0..=2 * half {
                let (column, side) = if j <= half { (j, -1.0) } else { (2 * half - j, 1.0) };
                let t = if column <= lips {
                    split * column as f32 / lips as f32
                } else {
                    split + (1.0 - split) * (column - lips) as f32 / (half - lips) as f32
                };
                let x = (ring + body.lean(ring, t)).max(0.0);
                let section = body.section(x, t);
                let uv = Vec2::new(0.004 + 0.992 * body::u_of(x.min(1.0)), 0.012 + 0.976 * (1.0 - t));
                let (p, uv) = (Vec3::new(section.x * side, section.y, x), atlas::BODY.at(uv));
                let under = cut && column < lips;
                let follows =
                    if under { smoothstep(corner + 0.07 + 0.28 * plan.mouth.gape, corner - 0.01, x) } else { 0.0 };
                let id = self.vertex(p, uv, follows);
                row.push(id);
                // The lower lip has its own copy of the line's vertices.
                low.push(if cut && column == lips && i < last_cut { self.vertex(p, uv, 1.0) } else { id });
            }
            above.push(row);
            below.push(low);
        }
        for i in 0..rings.len() - 1 {
            for j in 0..2 * half {
                let column = if j < half { j } else { 2 * half - 1 - j };
                let rows = if column < lips { &below } else { &above };
                let quad = [rows[i][j], rows[i + 1][j], rows[i + 1][j + 1], rows[i][j + 1]];
                self.mesh.quad(self.part, quad);
            }
        }
        if cut {
            let side = |rows: &[Vec<u32>], j: usize| (0..=last_cut).map(|i| rows[i][j]).collect::<Vec<u32>>();
            let left = Slit { upper: side(&above, lips), lower: side(&below, lips) };
            let right = Slit { upper: side(&above, 2 * half - lips), lower: side(&below, 2 * half - lips) };
            let over: Vec<u32> = (lips..=2 * half - lips).map(|j| above[0][j]).collect();
            let under: Vec<u32> =
                (0..=lips).rev().chain((2 * half - lips..2 * half).rev()).map(|j| below[0][j]).collect();
            let front = self.snout(&over, &under);
            self.inside(&left, &right, front);
        } else {
            self.cap(&above[0]);
        }
    }

    fn place_of(&self, id: u32) -> Vec3 {
        self.mesh.vertices[id as usize].position
    }

    /// Closes the upper and lower lip in front, from one corner of the snout to the other; returns the middle vertices
    /// of both.
    fn snout(&mut self, over: &[u32], under: &[u32]) -> [u32; 2] {
        let uv = atlas::BODY.at(Vec2::new(0.004, 0.5));
        [(over, 0.0), (under, 1.0)].map(|(arc, follows)| {
            let ends = (self.place_of(arc[0]), self.place_of(arc[arc.len() - 1]));
            // Fleshy lips are rounded in front.
            let middle = 0.5 * (ends.0 + ends.1) - Vec3::Z * (1.1 * self.plan.mouth.flesh);
            self.jaw.push(follows);
            let center = self.mesh.vertex(middle, uv);
            for pair in arc.windows(2) {
                self.facing(self.part, [center, pair[0], pair[1]], Vec3::NEG_Z);
            }
            center
        })
    }

    /// Adds a triangle with its front toward `way`.
    fn facing(&mut self, part: usize, [a, b, c]: [u32; 3], way: Vec3) {
        let (p, q, r) = (self.place_of(a), self.place_of(b), self.place_of(c));
        let corners = if (q - p).cross(r - p).dot(way) < 0.0 { [a, c, b] } else { [a, b, c] };
        self.mesh.triangle(part, corners);
    }

    /// Adds the flat end of a snout without a cut.
    fn cap(&mut self, ring: &[u32]) {
        let body = self.body;
        let uv = atlas::BODY.at(Vec2::new(0.004, 0.5));
        let middle = Vec3::new(0.0, 0.5 * (body.back.at(0.0) + body.belly.at(0.0)), 0.0);
        let center = self.vertex(middle, uv, 0.0);
        for pair in ring.windows(2) {
            self.facing(self.part, [center, pair[0], pair[1]], Vec3::NEG_Z);
        }
    }

    /// Adds roof and floor of the mouth, and the teeth, along the lips' edges.
    fn inside(&mut self, left: &Slit, right: &Slit, front: [u32; 2]) {
        let corner = self.plan.mouth.corner();
        let dark = atlas::MOUTH.at(Vec2::new(0.5, 0.05));
        let rim = atlas::MOUTH.at(Vec2::new(0.5, 0.95));
        // The inside ends in the dark, near the hinge, which does not move.
        let depth = corner.x * 1.05 + 0.01;
        if self.plan.mouth.gape > AJAR {
            for slit in [left, right] {
                self.throat(slit, dark);
            }
        }
        for (upper, way) in [(true, Vec3::NEG_Y), (false, Vec3::Y)] {
            let edge = |slit: &Slit| if upper { slit.upper.clone() } else { slit.lower.clone() };
            let (left, right) = (edge(left), edge(right));
            if self.plan.mouth.flesh > 0.0 {
                let lip: Vec<u32> =
                    left.iter().rev().chain([&front[usize::from(!upper)]]).chain(&right).copied().collect();
                self.gums(&lip, !upper);
                continue;
            }
            let copy = |id: u32, inward: f32, up: f32, builder: &mut Self| {
                let vertex = builder.mesh.vertices[id as usize];
                let follows = builder.jaw[id as usize - builder.first];
                builder.jaw.push(follows);
                let p = vertex.position;
                builder.mesh.vertex(Vec3::new(p.x * inward, p.y + up, p.z), rim)
            };
            let edge: Vec<u32> = left.iter().rev().chain(&right).copied().collect();
            // The lining lies a hair inside the lips.
            let mut path: Vec<u32> = edge.iter().map(|&id| copy(id, 0.97, 0.0, self)).collect();
            if !upper && self.plan.mouth.gape <= AJAR {
                // A gum rises behind the upper lip, or the sea beyond would show from side to side.
                let rise = (self.plan.mouth.gape + 0.02) * corner.x;
                let gum: Vec<u32> = edge.iter().map(|&id| copy(id, 0.93, rise, self)).collect();
                for (low, high) in path.windows(2).zip(gum.windows(2)) {
                    let out = self.place_of(low[0]) + self.place_of(low[1]) - 2.0 * corner.x * Vec3::Z;
                    self.facing(self.part, [low[0], low[1], high[1]], out.with_y(0.0));
                    self.facing(self.part, [low[0], high[1], high[0]], out.with_y(0.0));
                }
                path = gum;
            }
            self.jaw.push(0.0);
            let end = self.mesh.vertex(Vec3::new(0.0, corner.y, depth), dark);
            for pair in path.windows(2) {
                self.facing(self.part, [end, pair[0], pair[1]], way);
            }
        }
        if let Some(teeth) = self.plan.mouth.teeth {
            for (side, slit) in [left, right].into_iter().enumerate() {
                for (lower, lip) in [(false, &slit.upper), (true, &slit.lower)] {
                    let whole: Vec<u32> = [front[usize::from(lower)]].iter().chain(lip).copied().collect();
                    if teeth.needles {
                        self.needles(&whole, teeth, lower, side);
                    } else {
                        self.teeth(&whole, teeth, lower);
                    }
                }
            }
        }
    }

    /// Adds half of the dark wall between roof and floor: from the midline in front out to the corner of the mouth.
    /// Without it one would see through an open mouth from side to side.
    fn throat(&mut self, slit: &Slit, dark: Vec2) {
        let corner = self.plan.mouth.corner().x;
        let start = THROAT[usize::from(self.plan.mouth.flesh > 0.0)] * corner;
        let before = slit.upper.iter().take_while(|&&id| self.place_of(id).z <= start).count();
        let first = before.saturating_sub(1);
        let mut copy = |id: u32| {
            let (p, follows) = (self.place_of(id), self.jaw[id as usize - self.first]);
            self.jaw.push(follows);
            let inward = 0.94 * smoothstep(start, corner, p.z);
            self.mesh.vertex(p * Vec3::new(inward, 1.0, 1.0), dark)
        };
        // The last ring before it begins lies on the midline.
        let upper: Vec<u32> = slit.upper[first..].iter().map(|&id| copy(id)).collect();
        let lower: Vec<u32> = slit.lower[first..].iter().map(|&id| copy(id)).collect();
        let side = Vec3::X * self.place_of(slit.upper[0]).x;
        for (over, under) in upper.windows(2).zip(lower.windows(2)) {
            self.facing(self.part, [over[0], over[1], under[1]], side);
            self.facing(self.part, [over[0], under[1], under[0]], side);
        }
    }
}
