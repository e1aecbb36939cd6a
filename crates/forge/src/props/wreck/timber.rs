//! The wreck's timbers: square beams and boards whose broken ends the sea and its worms have worn round.

use glam::{Vec2, Vec3};
use math::mix;

use crate::shapes::Rect;
use crate::{Mesh, Noise};

/// A place on a beam's axis with the half sizes of its section as vectors.
#[derive(Clone, Copy)]
pub struct Section {
    pub at: Vec3,
    pub wide: Vec3,
    pub thick: Vec3,
}

impl Section {
    /// A point in the section: `s` and `q` from -1 to 1 along its two half sizes.
    fn point(&self, [s, q]: [f32; 2]) -> Vec3 {
        self.at + self.wide * s + self.thick * q
    }
}

/// The corners of a section in turn, as [`Section::point`] takes them.
const CORNERS: [[f32; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

/// Ratio of width to thickness above which a timber is a board, which breaks across its width.
const BOARD: f32 = 1.7;

/// Share of broken ends that still have a splinter.
const SPLINTERED: f32 = 0.14;

/// Ends of a timber.
#[derive(Clone, Copy)]
pub struct Ends<'a> {
    pub noise: &'a Noise,
    /// Seed of this timber's random numbers.
    pub key: i32,
    /// Length of wood lost at its beginning and its end; 0 where it was sawn. Unit: model units.
    pub torn: [f32; 2],
}

/// One broken end of a timber.
struct Break {
    /// The last whole section, drawn in and thinned.
    section: Section,
    /// Unit vector along the wood and out of it.
    out: Vec3,
    /// Slant of the break: extra length for each half width and half thickness.
    slant: Vec2,
    /// Random numbers of this break, 0 to 1.
    chance: [f32; 8],
    /// Length of wood lost. Unit: model units.
    torn: f32,
}

impl Break {
    /// The break after `whole`, the section at the timber's very end, `step` from the section before it.
    fn new(ends: &Ends<'_>, end: usize, whole: &Section, out: Vec3, step: f32) -> Self {
        let torn = ends.torn[end];
        let chance = [0, 1, 2, 3, 4, 5, 6, 7].map(|n| ends.noise.hash(9000 + 53 * ends.key + 19 * end as i32 + 2 * n));
        let worn = mix(0.78, 0.96, chance[0]);
        let section = Section {
            at: whole.at - out * (0.7 * torn).min(0.5 * step),
            wide: whole.wide * worn,
            thick: whole.thick * mix(worn, 0.9, 0.4),
        };
        // Slanted either way, but never back into the section before.
        let most = 0.4 * step;
        let lean = |chance: f32, half: f32| (1.9 * (chance - 0.5) * half).clamp(-most, most);
        let slant = Vec2::new(lean(chance[1], section.wide.length()), lean(chance[2], section.thick.length()));
        Self { section, out, slant, chance, torn }
    }

    /// A point on the break, `more` beyond its slanting plane.
    fn point(&self, [s, q]: [f32; 2], more: f32) -> Vec3 {
        self.section.point([s, q]) + self.out * (self.slant.dot(Vec2::new(s, q)) + more)
    }

    /// Closes the end beyond its four corners, whose texture coordinates are given.
    fn close(&self, mesh: &mut Mesh, part: usize, uv: impl Fn([f32; 2], f32) -> Vec2) {
        let inside = self.section.at - self.out * self.section.wide.length();
        let face = |mesh: &mut Mesh, corners: [u32; 3]| {
            let [a, b, c] = corners.map(|id| mesh.vertices[id as usize].position);
            let outward = (b - a).cross(c - a).dot((a + b + c) / 3.0 - inside) > 0.0;
            mesh.triangle(part, if outward { corners } else { [corners[0], corners[2], corners[1]] });
        };
        let [c0, c1, c2, c3, c4, c5, c6, c7] = self.chance;
        let (wide, thick) = (self.section.wide.length(), self.section.thick.length());
        let vertex = |mesh: &mut Mesh, at: [f32; 2], more: f32| mesh.vertex(self.point(at, more), uv(at, more));
        if wide.max(thick) > BOARD * wide.min(thick) {
            // A board: an outline rounded in its plane, through two more points on either face.
            let across = |s: f32, q: f32| if wide > thick { [s, q] } else { [q, s] };
            let (half, thin) = (wide.max(thick), mix(0.55, 0.95, c3));
            let round = (mix(0.35, 1.05, c4) * half).max(0.35 * self.torn);
            let outline = [
                (-1.0, 0.0, 1.0),
                (mix(-0.72, -0.30, c5), round * mix(0.60, 1.0, c6), thin),
                (mix(0.25, 0.70, c7), round * mix(1.0, 0.55, c6), thin),
                (1.0, 0.0, 1.0),
            ];
            let sides =
                [-1.0, 1.0].map(|side: f32| outline.map(|(s, more, thin)| vertex(mesh, across(s, side * thin), more)));
            for [a, b, c, d] in sides {
                face(mesh, [a, b, c]);
                face(mesh, [a, c, d]);
            }
            for k in 0..3 {
                face(mesh, [sides[0][k], sides[0][k + 1], sides[1][k + 1]]);
                face(mesh, [sides[0][k], sides[1][k + 1], sides[1][k]]);
            }
        } else {
            // A post: a shoulder drawn in all round, each corner its own way, under a low knob.
            let high = mix(0.35, 0.95, c3) * wide.min(thick);
            let rim = CORNERS.map(|at| vertex(mesh, at, 0.0));
            let shoulder = [0, 1, 2, 3].map(|k| {
                let (inward, up) = (mix(0.42, 0.82, self.chance[4 + k]), mix(0.55, 1.0, self.chance[(5 + 2 * k) % 8]));
                vertex(mesh, CORNERS[k].map(|c| inward * c), high * up)
            });
            let top = vertex(mesh, [0.3 * (c4 - 0.5), 0.3 * (c6 - 0.5)], high * mix(0.75, 1.25, c0));
            for k in 0..4 {
                let next = (k + 1) % 4;
                face(mesh, [rim[k], rim[next], shoulder[next]]);
                face(mesh, [rim[k], shoulder[next], shoulder[k]]);
                face(mesh, [shoulder[k], shoulder[next], top]);
            }
        }
        // A few still have a splinter, slim and along the grain.
        if c1 * 7.0 % 1.0 < SPLINTERED {
            let (s, q) = (mix(-0.5, 0.5, c5), mix(-0.4, 0.4, c2));
            let slim = mix(0.10, 0.20, c7);
            let tip = vertex(mesh, [1.25 * s, q], mix(1.1, 2.4, c6) * wide.max(thick));
            let root = [[-slim, -0.35], [slim, -0.35], [0.0, 0.35]]
                .map(|[ds, dq]| vertex(mesh, [s + ds, q + dq], -0.1 * wide));
            let way = mesh.vertices[tip as usize].position - mesh.vertices[root[0] as usize].position;
            let turned = self.section.wide.cross(self.section.thick).dot(way) < 0.0;
            for k in 0..3 {
                let (a, b) = (root[k], root[(k + 1) % 3]);
                mesh.triangle(part, if turned { [b, a, tip] } else { [a, b, tip] });
            }
        }
    }
}

/// A timber along sections, square, with its ends; `grain` shifts its region of the texture along the wood.
pub fn timber(mesh: &mut Mesh, part: usize, sections: &[Section], (rect, grain): (Rect, f32), ends: Ends<'_>) {
    if sections.len() < 2 {
        return;
    }
    let mut sections = sections.to_vec();
    let last = sections.len() - 1;
    let breaks = [(0, 0, 1), (1, last, last - 1)].map(|(end, at, before): (usize, usize, usize)| {
        let way = sections[at].at - sections[before].at;
        let out = way.normalize_or_zero();
        (ends.torn[end] > 0.0).then(|| Break::new(&ends, end, &sections[at], out, way.length()))
    });
    for (broken, at) in breaks.iter().zip([0, last]) {
        if let Some(broken) = broken {
            sections[at] = broken.section;
        }
    }
    let corner = |i: usize, k: usize| match (&breaks, i) {
        ([Some(broken), _], 0) => broken.point(CORNERS[k % 4], 0.0),
        ([_, Some(broken)], i) if i == last => broken.point(CORNERS[k % 4], 0.0),
        _ => sections[i].point(CORNERS[k % 4]),
    };
    let mut along = 0.0;
    let mut reach = vec![0.0];
    for pair in sections.windows(2) {
        along += pair[0].at.distance(pair[1].at);
        reach.push(along);
    }
    let grain = grain.min(0.5);
    let long = along.min(1.0 - grain) / along.max(1e-6);
    let u = |i: usize| grain + reach[i] * long;
    // Triangles face outward for either handedness of the section's vectors.
    let turned = sections[0].wide.cross(sections[0].thick).dot(sections[last].at - sections[0].at) > 0.0;
    for k in 0..4 {
        let (a, b) = if k % 2 == 0 { (0.0, 1.0) } else { (0.9, 1.0) };
        let from = mesh.triangles.len();
        mesh.grid(part, last, 1, |i, j| (corner(i, k + j), rect.at(Vec2::new(u(i), mix(a, b, j as f32)))));
        if turned {
            mesh.triangles[from..].iter_mut().for_each(|t| t.corners.swap(1, 2));
        }
    }
    for (end, broken) in breaks.iter().enumerate() {
        if let Some(broken) = broken {
            let edge = if end == 0 { u(0) } else { u(last) };
            let uv = |[s, q]: [f32; 2], more: f32| {
                let along = if end == 0 { edge - more } else { edge + more };
                rect.at(Vec2::new(along.clamp(0.0, 1.0), 0.5 + 0.4 * s * q.abs().max(0.5)))
            };
            broken.close(mesh, part, uv);
            continue;
        }
        let at = if end == 0 { 0 } else { last };
        let uv = |k: usize| rect.at(Vec2::new(0.01 + 0.02 * (k % 2) as f32, 0.2 + 0.5 * (k / 2) as f32));
        let ids = [0, 1, 2, 3].map(|k| mesh.vertex(corner(at, k), uv(k)));
        for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
            mesh.triangle(part, if turned == (end == 1) { [ids[a], ids[b], ids[c]] } else { [ids[a], ids[c], ids[b]] });
        }
    }
}
