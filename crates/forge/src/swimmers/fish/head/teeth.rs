//! Teeth along the lips: pegs, or the needles of animals of the deep.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use super::Builder;
use crate::Noise;
use crate::maths::{cos, sin};
use crate::shapes::arc_fractions;
use crate::swimmers::fish::atlas;
use crate::swimmers::fish::plan::Teeth;

impl Builder<'_> {
    /// Adds teeth along a lip: cones, bent inward.
    pub(super) fn teeth(&mut self, lip: &[u32], teeth: Teeth, lower: bool) {
        let luck = Noise::new(0x7EE7);
        let along = arc_fractions(&lip.iter().map(|&id| self.place_of(id)).collect::<Vec<_>>());
        for n in 0..teeth.count {
            let random = |what: usize| teeth.uneven * luck.hash((4 * n + 2 * usize::from(lower) + what) as i32);
            let place = n as f32 + 0.35 + 0.3 * f32::from(lower) + 0.8 * (random(0) - 0.5 * teeth.uneven);
            let at = (place / teeth.count as f32 * 0.92).max(0.0);
            let i = along.partition_point(|a| *a <= at).clamp(1, lip.len() - 1) - 1;
            let between = ((at - along[i]) / (along[i + 1] - along[i]).max(1e-6)).clamp(0.0, 1.0);
            let (a, b) = (self.place_of(lip[i]), self.place_of(lip[i + 1]));
            let follows =
                mix(self.jaw[lip[i] as usize - self.first], self.jaw[lip[i + 1] as usize - self.first], between);
            let root = a.lerp(b, between) * Vec3::new(0.93, 1.0, 1.0) + Vec3::Z * 0.004;
            // Long teeth alternate with short ones, and get shorter toward the corner of the mouth.
            let alternate = [1.0, 0.55, 0.8, 0.45][(n + usize::from(lower)) % 4];
            let length = teeth.length * alternate * (1.0 - 0.6 * random(1)) * (1.0 - teeth.uneven * 0.5 * at);
            let up = if lower { Vec3::Y } else { Vec3::NEG_Y };
            // Away from the lips' edge, toward the throat.
            let inward = Vec3::new(-root.x, 0.0, self.plan.mouth.corner[0] - root.z).normalize_or(Vec3::Z);
            let broad = 0.5 * teeth.breadth * teeth.length.min(1.6 * length);
            let aside = (b - a).normalize_or(Vec3::Z) * broad;
            self.tooth(root, up * length, aside, inward * (1.4 * broad), inward * (teeth.bend * length), follows);
        }
    }

    /// Adds a tooth: a root of three corners, a waist of three, and a tip that lies `bend` aside of the root's middle.
    fn tooth(&mut self, root: Vec3, up: Vec3, aside: Vec3, depth: Vec3, bend: Vec3, follows: f32) {
        let ring = |height: f32, wide: f32, bend: Vec3| {
            let middle = root + up * height + bend;
            [middle - aside * wide, middle + aside * wide, middle + depth * wide]
        };
        let tip = root + up + 0.35 * depth + bend;
        let [root_ring, waist] = [ring(-0.1, 1.0, Vec3::ZERO), ring(0.5, 0.55, 0.25 * bend)];
        let mut vertex = |p: Vec3, height: f32| {
            self.jaw.push(follows);
            self.mesh.vertex(p, atlas::TEETH.at(Vec2::new(0.5, 1.0 - height)))
        };
        let foot = root_ring.map(|p| vertex(p, 0.06));
        let middle = waist.map(|p| vertex(p, 0.5));
        let end = vertex(tip, 0.94);
        let axis = root + 0.33 * depth;
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let outward = 0.5 * (root_ring[i] + root_ring[j]) - axis;
            self.facing(self.ivory, [foot[i], foot[j], middle[i]], outward);
            self.facing(self.ivory, [foot[j], middle[j], middle[i]], outward);
            self.facing(self.ivory, [middle[i], middle[j], end], outward);
        }
    }

    /// Adds needles along half a lip, of two irregular rows: short ones on the crest of the gum, and behind them long ones
    /// that hook inward.
    pub(super) fn needles(&mut self, lip: &[u32], teeth: Teeth, lower: bool, side: usize) {
        let along = arc_fractions(&lip.iter().map(|&id| self.place_of(id)).collect::<Vec<_>>());
        for n in 0..teeth.count {
            let key = 8 * n as i32 + 1000 * i32::from(lower) + 2000 * side as i32;
            let [gap, size, splay, hook, row] = [0, 1, 2, 3, 4].map(|k| self.luck.hash(0x2EED + key + k));
            let at =
                ((n as f32 + 0.30 + 1.25 * teeth.uneven * (gap - 0.5)) / teeth.count as f32 * 0.94).clamp(0.015, 0.95);
            let i = along.partition_point(|a| *a <= at).clamp(1, lip.len() - 1) - 1;
            let between = ((at - along[i]) / (along[i + 1] - along[i]).max(1e-6)).clamp(0.0, 1.0);
            let (a, b) = (self.place_of(lip[i]), self.place_of(lip[i + 1]));
            let follows = |id: u32| self.jaw[id as usize - self.first];
            let follows = mix(follows(lip[i]), follows(lip[i + 1]), between);
            let edge = a.lerp(b, between);
            let (inward, up) = self.across_lip(edge, follows, lower);
            let thick = self.lip_thickness(edge);
            // A few fangs among many small ones; all shorter toward the corner of the mouth.
            let inner = (n + usize::from(lower) + usize::from(row > 0.72)) % 2 == 0;
            let fang = if inner { mix(0.42, 1.0, size.sqrt()) } else { mix(0.16, 0.46, size * size) };
            let taper = (1.0 - 0.45 * at) * mix(0.62, 1.0, smoothstep(0.0, 0.22, at));
            let length = teeth.length * mix(1.0, fang, teeth.uneven.max(0.2)) * taper;
            let root = edge + inward * (thick * if inner { 1.05 } else { 0.62 }) + up * (thick * 0.10);
            let aside = (b - a).normalize_or(Vec3::Z);
            // Outer ones stand a little outward; no two are parallel.
            let lean = aside * (0.5 * teeth.uneven * (splay - 0.5)) - inward * if inner { 0.05 } else { 0.22 };
            let bend = teeth.bend * mix(0.6, 1.5, hook) * if inner { 1.0 } else { 0.8 };
            let radius = 0.5 * teeth.breadth * mix(length, teeth.length, 0.45);
            self.needle((root, (up + lean).normalize_or(up) * length, inward * (bend * length)), radius, follows);
        }
    }

    /// Adds a needle of three sides: its root, the way to its tip, and the turn of the tip out of this way.
    fn needle(&mut self, (root, up, bend): (Vec3, Vec3, Vec3), radius: f32, follows: f32) {
        let aside = up.cross(bend).normalize_or(Vec3::X);
        let point = |t: f32| root + up * t + bend * (t * t);
        let mut below: Vec<u32> = Vec::new();
        for (t, thin) in [(-0.06, 1.12), (0.34, 0.80), (0.70, 0.46), (1.0, 0.0)] {
            let way = (up + bend * (2.0 * t)).normalize_or(Vec3::Y);
            let depth = aside.cross(way);
            let sides: usize = if thin > 0.0 { 3 } else { 1 };
            let ring: Vec<u32> = (0..sides)
                .map(|k| {
                    let angle = TAU * k as f32 / 3.0;
                    self.jaw.push(follows);
                    let p = point(t) + (aside * cos(angle) + depth * sin(angle)) * (radius * thin);
                    self.mesh.vertex(p, atlas::TEETH.at(Vec2::new(0.5, 1.0 - t.clamp(0.06, 0.94))))
                })
                .collect();
            let middle = point(t - 0.15);
            for k in 0..below.len() {
                let (a, b) = (below[k], below[(k + 1) % 3]);
                let out = 0.5 * (self.place_of(a) + self.place_of(b)) - middle;
                let out = out - way * out.dot(way);
                self.facing(self.ivory, [a, b, ring[k % sides]], out);
                if sides > 1 {
                    self.facing(self.ivory, [b, ring[(k + 1) % 3], ring[k]], out);
                }
            }
            below = ring;
        }
    }
}
