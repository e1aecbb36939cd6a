//! Sea fans: a stem branches in one plane until it fills an outline; twigs grow together where they meet.

use std::f32::consts::FRAC_PI_2;

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{direction, powf, powi, rotation_y, sin};
use crate::paint::{ramp, rgb};
use crate::shapes::Rect;
use crate::{Canvas, Category, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The fan of this file.
pub const ENTRIES: &[Entry] = &[Entry {
    name: "fan_coral",
    kind: Category::Flora,
    description: "a lacy fan across the current",
    make: fan_coral,
}];

/// A stem and its branches in the unit square, rooted at (0.5, 0), v upward.
pub struct Tree {
    nodes: Vec<Node>,
    /// Nodes that have grown together.
    links: Vec<(usize, usize)>,
}

struct Node {
    at: Vec2,
    parent: Option<usize>,
    /// Half width.
    thick: f32,
}

/// The growing tip of a twig.
struct Twig {
    node: usize,
    heading: Vec2,
    /// Steps since it forked off.
    steps: u32,
}

/// Whether two nodes share so near an ancestor that their closeness is no meeting.
fn are_kin(nodes: &[Node], a: usize, b: usize) -> bool {
    let line = |n: usize| std::iter::successors(Some(n), |&n| nodes[n].parent).take(6);
    line(a).any(|x| line(b).any(|y| x == y))
}

/// Branch nearest to a texel of a fan's picture.
#[derive(Clone, Copy, Debug)]
pub struct NearestBranch {
    /// Distance to the nearest branch over that branch's half width.
    pub across: f32,
    /// Half width of that branch.
    pub thick: f32,
}

impl Tree {
    /// Grows toward `count` points strewn inside an outline, like the veins of a leaf (Runions et al. 2005). `spacing`
    /// is about the final distance between twigs, `tip` half the width of the thinnest.
    pub fn grow(noise: &Noise, count: i32, spacing: f32, tip: f32, inside: impl Fn(Vec2) -> bool) -> Self {
        let step = 0.45 * spacing;
        let mut goals: Vec<(Vec2, usize, f32)> = (0..count)
            .map(|n| Vec2::new(noise.hash(30_000 + 2 * n), noise.hash(30_001 + 2 * n)))
            .filter(|p| inside(*p))
            .map(|p| (p, 0, f32::MAX))
            .collect();
        let mut nodes = vec![Node { at: Vec2::new(0.5, 0.0), parent: None, thick: 0.0 }];
        let mut first = 0;
        for _ in 0..600 {
            for goal in &mut goals {
                for (n, node) in nodes.iter().enumerate().skip(first) {
                    let away = node.at.distance(goal.0);
                    if away < goal.2 {
                        (goal.1, goal.2) = (n, away);
                    }
                }
            }
            goals.retain(|goal| goal.2 > spacing);
            first = nodes.len();
            let mut pulls: Vec<Vec2> = vec![Vec2::ZERO; nodes.len()];
            for (goal, near, _) in &goals {
                pulls[*near] += (*goal - nodes[*near].at).normalize_or_zero();
            }
            for (n, pull) in pulls.into_iter().enumerate().filter(|(_, pull)| *pull != Vec2::ZERO) {
                let onward = nodes[n].parent.map_or(Vec2::Y, |p| (nodes[n].at - nodes[p].at).normalize_or(Vec2::Y));
                let wander = 0.25 * noise.at2(nodes[n].at * 9.0);
                let way = direction(wander).rotate(pull.normalize_or(onward) + 0.55 * onward).normalize_or(onward);
                let at = nodes[n].at + way * step;
                // A node pulled from opposite sides would grow the same child again.
                if nodes.iter().skip(n).all(|other| other.at.distance(at) > 0.4 * step) {
                    nodes.push(Node { at, parent: Some(n), thick: 0.0 });
                }
            }
            if nodes.len() == first {
                break;
            }
        }
        Self { nodes, links: Vec::new() }.thickened(tip, 0.36)
    }

    /// Twigs that spread from the root as evenly as those of a gorgonian: each keeps its distance, forks where there is
    /// room beside it, and ends at the outline or grows into the twig that it meets. `spacing` is the distance between
    /// them, `tip` half the width of the thinnest.
    pub fn lattice(noise: &Noise, spacing: f32, tip: f32, inside: impl Fn(Vec2) -> bool) -> Self {
        let step = 0.4 * spacing;
        let root = Vec2::new(0.5, 0.0);
        let mut nodes = vec![Node { at: root, parent: None, thick: 0.0 }];
        let mut links = Vec::new();
        let mut tips: Vec<Twig> = Vec::new();
        // A short stem, and its first branches at different heights.
        for n in 0..7 {
            nodes.push(Node { at: root + Vec2::Y * (0.012 * (n + 1) as f32), parent: Some(n), thick: 0.0 });
            let turn = [0.0, 1.05, -0.95, 0.50, -0.62, 0.22, -0.20][n];
            tips.push(Twig { node: n + 1, heading: direction(FRAC_PI_2 - turn), steps: 0 });
        }
        let mut luck = 40_000;
        while !tips.is_empty() && nodes.len() < 14_000 {
            let mut next = Vec::new();
            for Twig { node, heading, steps } in tips {
                let at = nodes[node].at;
                let mut push = Vec2::ZERO;
                for (n, other) in nodes.iter().enumerate() {
                    let away = at - other.at;
                    let far = away.length();
                    if far < 1.5 * spacing && far > 1e-6 && !are_kin(&nodes, node, n) {
                        push += away / far * (1.0 - far / (1.5 * spacing));
                    }
                }
                let outward = (at - root).normalize_or(Vec2::Y);
                let wander = 0.9 * noise.at2(at * 14.0) + 0.5 * noise.at2(at * 41.0 + 7.0);
                let side = Vec2::new(-heading.y, heading.x);
                let way = heading + 0.16 * outward + 0.10 * push.clamp_length_max(2.0) + 0.16 * wander * side;
                let heading = way.normalize_or(outward);
                let goal = at + heading * step;
                luck += 1;
                if !inside(goal) || noise.hash(luck) < 0.004 {
                    continue;
                }
                let near = nodes.iter().enumerate().map(|(n, other)| (n, other.at.distance(goal)));
                let near = near.filter(|&(n, far)| far < 0.5 * spacing && !are_kin(&nodes, node, n));
                if let Some((other, _)) = near.min_by(|a, b| a.1.total_cmp(&b.1)) {
                    if steps > 2 {
                        links.push((node, other));
                    }
                    continue;
                }
                nodes.push(Node { at: goal, parent: Some(node), thick: 0.0 });
                let node = nodes.len() - 1;
                next.push(Twig { node, heading, steps: steps + 1 });
                if steps < 3 || steps % 2 != 0 {
                    continue;
                }
                // It usually forks where there is room on a side.
                let first = if noise.hash(luck + 200_000) < 0.5 { 1.0 } else { -1.0 };
                for hand in [first, -first] {
                    let aside = goal + side * (hand * spacing) + heading * (0.3 * spacing);
                    let alone = |(n, other): (usize, &Node)| {
                        other.at.distance(aside) > 0.72 * spacing || are_kin(&nodes, node, n)
                    };
                    if inside(aside) && nodes.iter().enumerate().all(alone) && noise.hash(luck + 400_000) < 0.8 {
                        let heading = direction(0.75 * hand).rotate(heading);
                        next.push(Twig { node, heading, steps: 0 });
                        break;
                    }
                }
            }
            tips = next;
        }
        Self { nodes, links }.thickened(tip, 0.27)
    }

    /// Sets the widths: that of a branch is `tip` times this power of the number of tips that it carries.
    fn thickened(mut self, tip: f32, power: f32) -> Self {
        let nodes = &mut self.nodes;
        let mut carried = vec![0.0_f32; nodes.len()];
        for n in (0..nodes.len()).rev() {
            carried[n] = carried[n].max(1.0);
            if let Some(parent) = nodes[n].parent {
                carried[parent] += carried[n] * 0.997;
            }
        }
        for (node, carried) in nodes.iter_mut().zip(&carried) {
            node.thick = tip * powf(*carried, power);
        }
        self
    }

    /// The nearest branch for each texel of a picture of `side` by `side` texels; half widths are at least `least`.
    pub fn draw(&self, side: usize, least: f32) -> Vec<NearestBranch> {
        let mut picture = vec![NearestBranch { across: f32::MAX, thick: 0.0 }; side * side];
        let grown = self.nodes.iter().enumerate().filter_map(|(n, node)| Some((node.parent?, n)));
        for (parent, n) in grown.chain(self.links.iter().copied()) {
            let (before, node) = (&self.nodes[parent], &self.nodes[n]);
            let (a, b) = (before.at, node.at);
            let (from, to) =
                (before.thick.min(1.6 * node.thick).max(least), node.thick.min(1.6 * before.thick).max(least));
            let reach = Vec2::splat(2.5 * from.max(to) + 1.0 / side as f32);
            let texel = |p: Vec2| (p.clamp(Vec2::ZERO, Vec2::ONE) * (side - 1) as f32).as_usizevec2();
            let (low, high) = (texel(a.min(b) - reach), texel(a.max(b) + reach));
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let p = (Vec2::new(x as f32, y as f32) + 0.5) / side as f32;
                    let t = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
                    let thick = mix(from, to, t);
                    let across = p.distance(a + (b - a) * t) / thick;
                    let near = &mut picture[y * side + x];
                    if across < near.across {
                        *near = NearestBranch { across, thick };
                    }
                }
            }
        }
        picture
    }

    /// Branches thicker than `least`, each from its fork, as points with half widths; every `every`-th node.
    pub fn limbs(&self, least: f32, every: usize) -> Vec<Vec<(Vec2, f32)>> {
        let mut heir = vec![None; self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            if let Some(slot) = node.parent.map(|p| &mut heir[p])
                && slot.is_none_or(|old: usize| self.nodes[old].thick < node.thick)
            {
                *slot = Some(n);
            }
        }
        let starts = (0..self.nodes.len()).filter(|&n| self.nodes[n].parent.is_none_or(|p| heir[p] != Some(n)));
        starts
            .filter(|&n| self.nodes[n].thick > least)
            .map(|start| {
                let mut limb: Vec<usize> = self.nodes[start].parent.into_iter().chain([start]).collect();
                while let Some(next) = heir[limb[limb.len() - 1]].filter(|&next| self.nodes[next].thick > 0.7 * least) {
                    limb.push(next);
                }
                let last = limb.len() - 1;
                let own = self.nodes[start].thick;
                let kept = limb.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last);
                kept.map(|(_, &n)| (self.nodes[n].at, self.nodes[n].thick.min(own))).collect()
            })
            .filter(|limb: &Vec<(Vec2, f32)>| limb.len() > 2)
            .collect()
    }
}

/// Whether a point is inside an outline of lobes about a root, with gaps between some.
pub fn outline(noise: &Noise, p: Vec2, key: f32) -> bool {
    let from_root = p - Vec2::new(0.5, 0.02);
    let angle = from_root.to_angle() - FRAC_PI_2;
    let fringe = 0.5 * noise.at(Vec3::new(11.0 * angle, key, 4.5)) + 0.3 * noise.at(Vec3::new(27.0 * angle, key, 7.5));
    // A round top; lobes end at heights of their own.
    let dome = (p - Vec2::new(0.5, 0.48)) / Vec2::new(0.49, 0.51);
    let lobe = noise.at(Vec3::new(2.9 * angle, key, 0.5));
    let edge = (0.86 + 0.24 * lobe + 0.08 * fringe).min(1.0);
    let middle = noise.at(Vec3::new(2.6 * angle, key, 9.5)) - 0.12 + 0.06 * fringe;
    let gap = smoothstep(0.09, 0.03, middle.abs()) * smoothstep(0.30, 0.45, from_root.length());
    // Toward the root it is a wedge, ragged too.
    let wedge = 1.02 + 0.20 * noise.at(Vec3::new(from_root.length() * 7.0, angle.signum() * 5.0, key));
    dome.length() < edge * (1.0 - 0.7 * gap) && angle.abs() < wedge && from_root.length() > 0.07
}

/// Half widths of the thinnest twigs and of the thinnest branches that are modelled as tubes, and the distance between
/// twigs; in heights of a fan.
const TWIG: f32 = 0.0020;
const LIMB: f32 = 0.0120;
const MESH: f32 = 0.0172;

/// Whether a point is inside a fan's outline: a round top whose rim is uneven, and a wedge toward the root.
fn spread(noise: &Noise, p: Vec2) -> bool {
    let from_root = p - Vec2::new(0.5, 0.0);
    let angle = from_root.to_angle() - FRAC_PI_2;
    let lobes = 0.24 * noise.at(Vec3::new(2.3 * angle, 0.5, 0.7)) + 0.13 * noise.at(Vec3::new(6.1 * angle, 0.5, 4.7));
    let rim = 0.90 + lobes + 0.07 * noise.at(Vec3::new(23.0 * angle, 0.5, 7.5));
    let dome = (p - Vec2::new(0.5, 0.46)) / Vec2::new(0.475, 0.53);
    dome.length() < rim.min(1.0)
        && angle.abs() < 1.15 + 0.35 * noise.at(Vec3::new(5.0 * from_root.length(), angle.signum(), 2.5))
}

/// A fan of a colony, one of some that cross, so that no view finds it on edge: turned about the holdfast, as large as this, leaning back, and mirrored where -1.
struct Sheet {
    turn: f32,
    size: f32,
    lean: f32,
    mirror: f32,
    cells: usize,
}

const SHEETS: [Sheet; 3] = [
    Sheet { turn: 0.0, size: 1.0, lean: 0.10, mirror: 1.0, cells: 18 },
    Sheet { turn: 1.25, size: 0.74, lean: -0.20, mirror: -1.0, cells: 13 },
    Sheet { turn: -0.95, size: 0.55, lean: 0.34, mirror: 1.0, cells: 10 },
];

fn fan_coral(seed: u64) -> Forged {
    const SIDE: usize = 1024;
    let noise = Noise::new(seed ^ 0xFA2C);
    let tree = Tree::lattice(&noise, MESH, TWIG, |p| spread(&noise, p));
    let near = tree.draw(SIDE, 0.0021);
    let (picture, bark) = (Rect::new(0.0, 0.0, 1.0, 0.945), Rect::new(0.02, 0.96, 0.98, 0.995));
    let mut mesh = Mesh::new();
    let lace = Material { alpha_cut: 0.46, ..Material::new("lace", "fan_coral.png").membrane(0.30) };
    let lace = mesh.material(lace);
    let wood = mesh.material(Material::new("stem", "fan_coral.png"));
    let (sheet, stem) = (mesh.part("lace", lace), mesh.part("stem", wood));
    // One holdfast for all the sheets: a foot that has spread over the rock and thins into the stem.
    let foot = [(0.062, 0.0), (0.046, 0.010), (0.028, 0.028), (0.0195, 0.055), (0.0165, 0.095)].map(Vec2::from);
    let range = mesh.revolve(stem, &foot, 8, bark);
    mesh.bend(range, |p| {
        let out = p.with_y(0.0).normalize_or_zero();
        let lobe = 0.55 * noise.at(out * 1.7 + 23.0) * smoothstep(0.05, 0.0, p.y);
        (p * Vec3::new(1.0 + lobe, 1.0, 1.0 + lobe)) + Vec3::Z * (0.2 * p.y * p.y)
    });
    let limbs = tree.limbs(LIMB, 6);
    for Sheet { turn, size, lean, mirror, cells } in SHEETS {
        let bent = |u: f32, v: f32| {
            let x = (u - 0.5) * 1.06;
            let bow = 0.42 * x * x
                + 0.035 * sin(v * 4.0 + turn * 9.0) * v
                + 0.12 * noise.at(Vec3::new(u * 2.2, v * 2.2, turn)) * v
                + 0.04 * noise.at(Vec3::new(u * 5.0, v * 5.0, turn + 3.0));
            rotation_y(turn) * (Vec3::new(x * mirror, v, bow + lean * v * v) * size)
        };
        let at = |i: usize| i as f32 / cells as f32;
        let first = mesh.triangles.len();
        mesh.grid(sheet, cells, cells, |i, j| (bent(at(i), at(j)), picture.at(Vec2::new(at(i), 1.0 - at(j)))));
        // Drop the empty cells: each cell has two triangles, column by column.
        let grows = |cell: usize| {
            let texels = |n: usize| n * SIDE / cells..(n + 1) * SIDE / cells;
            let mut rows = texels(cell % cells);
            rows.any(|y| texels(cell / cells).any(|x| near[y * SIDE + x].across < 1.2))
        };
        let mut number = 0;
        mesh.triangles.retain(|_| {
            number += 1;
            number <= first || grows((number - 1 - first) / 2)
        });
        for limb in &limbs {
            let path: Vec<Vec3> = limb.iter().map(|(p, _)| bent(p.x, p.y)).collect();
            let last = (limb.len() - 1) as f32;
            let sides = if limb[0].1 > 0.010 { 4 } else { 3 };
            mesh.tube(stem, &path, sides, bark, |t| {
                let (i, part) = ((t * last) as usize, (t * last).fract());
                let next = limb.get(i + 1).map_or(limb[i].1, |limb| limb.1);
                if t > 0.999 { 0.0 } else { 0.95 * size * mix(limb[i].1, next, part) }
            });
        }
    }
    mesh.settle();

    let mut canvas = Canvas::new(SIDE, SIDE, Vec4::ZERO);
    canvas.fill(picture, |p, _| {
        let q = Vec2::new(p.x, 1.0 - p.y);
        let texel = (q * SIDE as f32).as_usizevec2().min(glam::USizeVec2::splat(SIDE - 1));
        let NearestBranch { across, thick } = near[texel.y * SIDE + texel.x];
        let out = q.distance(Vec2::new(0.5, -0.1));
        // Polyps make the edges of twigs furry; stout branches are bare.
        let fine = smoothstep(0.008, 0.004, thick);
        let polyp = smoothstep(0.50, 0.18, noise.cells((q * 235.0).extend(2.5)).0);
        let edge = 1.0 + fine * (0.45 * polyp - 0.14);
        let soft = 0.0009 / thick.max(1e-4);
        let alpha = smoothstep(edge + soft, edge - soft, across);
        // Zero compresses best where nothing shows.
        if alpha < 0.02 {
            return Vec4::ZERO;
        }
        let tone = ramp(
            &[(0.0, rgb(0x4a2233)), (0.35, rgb(0x7d4257)), (0.7, rgb(0x9c6470)), (1.0, rgb(0xb58a6c))],
            out * 0.85 + 0.20 * noise.fbm((q * 2.6).extend(2.0), 3),
        );
        // Shaded as a rod: the middle is lit, the sides turn away.
        let round = (1.0 - powi((across / edge.max(0.3)).min(1.0), 2)).sqrt();
        let own = 0.10 * noise.at((q * 55.0).extend(4.0)) + 0.10 * noise.at((q * 7.0).extend(14.0));
        let light = mix(0.52, 1.08, round) + own;
        let c = (tone * light).lerp(rgb(0xe0c3ae) * mix(0.7, 1.0, round), 0.42 * polyp * fine);
        c.extend(alpha)
    });
    canvas.bleed(6);
    canvas.fill(Rect::new(0.0, 0.953, 1.0, 1.0), |p, _| {
        let grain = noise.fbm(Vec3::new(p.x * 30.0, 6.0 * p.y, 31.0), 3);
        (rgb(0x53263a).lerp(rgb(0x8a5064), 0.5 + 0.5 * grain) * mix(0.75, 1.0, p.x)).extend(1.0)
    });
    // Few enough shades to compress: the steps are hidden by the net.
    canvas.fill(Rect::FULL, |_, old| ((old.truncate() * 26.0).round() / 26.0).extend((old.w * 8.0).round() / 8.0));
    let comment = "a sea fan, Gorgonia ventalina, about 0.9 m high";
    assemble("fan_coral", comment, &mesh, &Rig::still(), vec![("fan_coral.png".into(), canvas.to_picture())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_fills_its_outline_and_thins_out() {
        let noise = Noise::new(3);
        let tree = Tree::grow(&noise, 300, 0.05, 0.002, |p| outline(&noise, p, 0.7));
        let near = |p: Vec2| tree.nodes.iter().map(|n| n.at.distance(p)).fold(f32::MAX, f32::min);
        let inside: Vec<Vec2> = (0..400)
            .map(|n| Vec2::new((n % 20) as f32 + 0.5, (n / 20) as f32 + 0.5) / 20.0)
            .filter(|p| outline(&noise, *p, 0.7))
            .collect();
        assert!(inside.len() > 100);
        assert!(inside.iter().filter(|p| near(**p) < 0.1).count() * 10 > inside.len() * 9);
        let root = tree.nodes[0].thick;
        assert!(tree.nodes.iter().all(|node| node.thick <= 1.01 * root) && root > 3.0 * 0.002, "{root}");
        assert!(!tree.limbs(0.003, 2).is_empty());
    }

    #[test]
    fn twigs_fill_a_fan_and_keep_their_distance() {
        let noise = Noise::new(3);
        let tree = Tree::lattice(&noise, 0.05, 0.004, |p| spread(&noise, p));
        let near = |p: Vec2| tree.nodes.iter().map(|n| n.at.distance(p)).fold(f32::MAX, f32::min);
        let inside: Vec<Vec2> = (0..400)
            .map(|n| Vec2::new((n % 20) as f32 + 0.5, (n / 20) as f32 + 0.5) / 20.0)
            .filter(|p| spread(&noise, *p))
            .collect();
        let reached = inside.iter().filter(|p| near(**p) < 0.08).count();
        assert!(inside.len() > 100 && reached * 10 > inside.len() * 8, "{reached} of {}", inside.len());
        // Except the stem, whose first branches have fixed places.
        for (n, node) in tree.nodes.iter().enumerate().skip(8) {
            let from = node.parent.expect("only the root has none");
            let others = tree.nodes[..n].iter().enumerate().filter(|(m, _)| !are_kin(&tree.nodes, from, *m));
            let nearest = others.map(|(_, other)| other.at.distance(node.at)).fold(f32::MAX, f32::min);
            assert!(nearest >= 0.025 - 1e-5, "{n}: {nearest}");
        }
        assert!(!tree.links.is_empty());
    }
}
