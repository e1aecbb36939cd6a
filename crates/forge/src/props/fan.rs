//! Sea fans: a stem that branches in one plane until it fills an outline, and a fine net between its twigs.

use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::paint::{over, ramp, rgb};
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
}

struct Node {
    at: Vec2,
    parent: Option<usize>,
    /// Half width.
    thick: f32,
}

/// What is near a texel of a fan's picture.
#[derive(Clone, Copy, Debug)]
pub struct NearestBranch {
    /// Distance to the nearest branch over that branch's half width.
    pub across: f32,
    /// Half width of that branch.
    pub thick: f32,
}

impl Tree {
    /// Grows toward `count` points strewn inside an outline, as veins of a leaf do (Runions et al. 2005). `spacing` is about
    /// how far twigs end up apart, `tip` half the width of the thinnest.
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
                let way =
                    Vec2::from_angle(wander).rotate(pull.normalize_or(onward) + 0.55 * onward).normalize_or(onward);
                let at = nodes[n].at + way * step;
                // Pulled to and fro it would stay where it is.
                if nodes.iter().skip(n).all(|other| other.at.distance(at) > 0.4 * step) {
                    nodes.push(Node { at, parent: Some(n), thick: 0.0 });
                }
            }
            if nodes.len() == first {
                break;
            }
        }
        // A branch is as wide as all that hang on it together, by a power above the square.
        let mut carried = vec![0.0_f32; nodes.len()];
        for n in (0..nodes.len()).rev() {
            carried[n] = carried[n].max(1.0);
            if let Some(parent) = nodes[n].parent {
                carried[parent] += carried[n] * 0.997;
            }
        }
        for (node, carried) in nodes.iter_mut().zip(&carried) {
            node.thick = tip * carried.powf(0.36);
        }
        Self { nodes }
    }

    /// What is near each texel of a picture of so many texels a side; `thick` widths are never below `least`.
    pub fn draw(&self, side: usize, least: f32) -> Vec<NearestBranch> {
        let mut picture = vec![NearestBranch { across: f32::MAX, thick: 0.0 }; side * side];
        for node in &self.nodes {
            let Some(parent) = node.parent else { continue };
            let (a, b) = (self.nodes[parent].at, node.at);
            let (from, to) = (self.nodes[parent].thick.min(1.6 * node.thick).max(least), node.thick.max(least));
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

    /// The branches thicker than `least`, each from where it leaves another, with half widths; every `every`-th node of them.
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

/// An outline of lobes about a root, with gaps between some.
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

fn fan_coral(seed: u64) -> Forged {
    const SIDE: usize = 1024;
    let noise = Noise::new(seed ^ 0xFA2C);
    let tree = Tree::grow(&noise, 3200, 0.015, 0.0013, |p| outline(&noise, p, 0.7));
    let (picture, bark) = (Rect::new(0.0, 0.0, 1.0, 0.945), Rect::new(0.02, 0.96, 0.98, 0.995));
    let mut mesh = Mesh::new();
    let lace = Material { alpha_cut: 0.54, ..Material::new("lace", "fan_coral.png").membrane(0.30) };
    let lace = mesh.material(lace);
    let wood = mesh.material(Material::new("stem", "fan_coral.png"));
    let (sheet, stem) = (mesh.part("lace", lace), mesh.part("stem", wood));
    let limbs = tree.limbs(0.0085, 5);
    // Two fans from one holdfast, each a curved sheet on a stem.
    for (turn, size, lean, mirror) in [(0.0_f32, 1.0_f32, 0.10_f32, 1.0_f32), (0.85, 0.64, -0.24, -1.0)] {
        let bent = |u: f32, v: f32| {
            let x = (u - 0.5) * 1.06;
            let bow = 0.20 * x * x
                + 0.035 * (v * 4.0 + turn * 9.0).sin() * v
                + 0.09 * noise.at(Vec3::new(u * 2.2, v * 2.2, turn)) * v
                + 0.03 * noise.at(Vec3::new(u * 5.0, v * 5.0, turn + 3.0));
            Quat::from_rotation_y(turn) * (Vec3::new(x * mirror, v, bow + lean * v * v) * size)
        };
        let (columns, rows) = if size > 0.9 { (10, 10) } else { (7, 7) };
        mesh.grid(sheet, columns, rows, |i, j| {
            let (u, v) = (i as f32 / columns as f32, j as f32 / rows as f32);
            (bent(u, v), picture.at(Vec2::new(u, 1.0 - v)))
        });
        for limb in &limbs {
            let path: Vec<Vec3> = limb.iter().map(|(p, _)| bent(p.x, p.y)).collect();
            let last = (limb.len() - 1) as f32;
            let sides = if limb[0].1 > 0.013 { 4 } else { 3 };
            mesh.tube(stem, &path, sides, bark, |t| {
                let (i, part) = ((t * last) as usize, (t * last).fract());
                let next = limb.get(i + 1).map_or(limb[i].1, |limb| limb.1);
                if t > 0.999 { 0.0 } else { 1.08 * size * mix(limb[i].1, next, part) }
            });
        }
    }
    mesh.settle();

    let near = tree.draw(SIDE, 0.0019);
    let mut canvas = Canvas::new(SIDE, SIDE, Vec4::ZERO);
    canvas.fill(picture, |p, _| {
        let q = Vec2::new(p.x, 1.0 - p.y);
        let texel = (q * SIDE as f32).as_usizevec2().min(glam::USizeVec2::splat(SIDE - 1));
        let NearestBranch { across, thick } = near[texel.y * SIDE + texel.x];
        // The net between the twigs, torn here and there.
        let wobble = Vec2::new(noise.at((q * 16.0).extend(1.0)), noise.at((q * 16.0).extend(5.0))) * 0.006;
        let out = q.distance(Vec2::new(0.5, -0.1));
        let (cell, next) = noise.cells(((q + wobble) * 74.0).extend(0.5));
        let torn = noise.fbm((q * 6.0).extend(11.0), 3);
        // Sparser midway between twigs: from afar, when its meshes are finer than pixels, the branches still show.
        let strand = (0.29 + 0.16 * torn) * mix(1.2, 0.42, smoothstep(0.004, 0.017, across * thick));
        let edge = q + 0.012 * Vec2::new(noise.at((q * 30.0).extend(21.0)), noise.at((q * 30.0).extend(25.0)));
        let lace = if outline(&noise, edge, 0.7) && torn > -0.36 {
            smoothstep(strand, 0.4 * strand, next - cell)
        } else {
            0.0
        };
        // Polyps make every edge furry.
        let fuzz = 0.22 * noise.at((q * 210.0).extend(3.0));
        let branch = smoothstep(1.25 + fuzz, 0.75 + fuzz, across);
        let alpha = branch.max(lace * (0.92 + 1.2 * fuzz));
        let ridge = (1.0 - across.min(1.0)).sqrt();
        let stout = smoothstep(0.003, 0.012, thick) * branch;
        let tone = ramp(
            &[(0.0, rgb(0x3f2434)), (0.3, rgb(0x6f4156)), (0.65, rgb(0x8d6170)), (1.0, rgb(0xb5976c))],
            out * 0.92 + 0.22 * noise.fbm((q * 3.0).extend(2.0), 3),
        );
        let polyps = smoothstep(0.45, 0.15, noise.cells((q * 190.0).extend(2.5)).0);
        let mut c = over(tone.extend(1.0), rgb(0x4b2238), 0.75 * stout + 0.25 * branch);
        c = over(c, rgb(0xcdb28c), 0.50 * polyps * (1.0 - 0.6 * stout));
        let light = mix(0.72 + 0.45 * lace, 0.55 + 0.65 * ridge, branch) + 0.16 * noise.at((q * 90.0).extend(4.0));
        // What is not shown costs nothing.
        if alpha > 0.02 { (c.truncate() * light).extend(alpha.min(1.0)) } else { Vec4::ZERO }
    });
    canvas.bleed(6);
    canvas.fill(Rect::new(0.0, 0.953, 1.0, 1.0), |p, _| {
        let grain = noise.fbm(Vec3::new(p.x * 30.0, 6.0 * p.y, 31.0), 3);
        (rgb(0x432134).lerp(rgb(0x6d4050), 0.5 + 0.5 * grain) * mix(0.7, 1.0, p.x)).extend(1.0)
    });
    // What is lost in so many shades hides in the net.
    canvas.fill(Rect::FULL, |_, old| ((old.truncate() * 32.0).round() / 32.0).extend((old.w * 16.0).round() / 16.0));
    let comment = "a sea fan, Gorgonia ventalina, about 0.9 m high";
    assemble("fan_coral", comment, &mesh, &Rig::still(), vec![("fan_coral.png".into(), canvas.to_image())])
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
}
