//! Fleshy lips: rolled inward over a gum that sinks to the floor or the roof of the mouth.

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use super::Builder;
use crate::maths::rotation_x;
use crate::swimmers::fish::atlas;

/// Rows across a lip from its outer edge inward: distance inward, rise toward the other jaw, both in thicknesses of the
/// lip, and place in the picture of the mouth, 1 being its rim; the first rows still show the skin.
const ROWS: [(f32, f32, Option<f32>); 6] = [
    (0.28, 0.34, None),
    (0.75, 0.44, None),
    // The skin ends and the gum begins.
    (0.75, 0.44, Some(0.97)),
    (1.15, 0.10, Some(0.88)),
    (1.45, -0.55, Some(0.66)),
    (1.75, -1.6, Some(0.38)),
];

impl Builder<'_> {
    /// Direction away from the outer edge of a lip toward the middle of the mouth, and from this jaw toward the other;
    /// at a place on the edge that follows the lower jaw by a share.
    pub(super) fn across_lip(&self, p: Vec3, follows: f32, lower: bool) -> (Vec3, Vec3) {
        let corner = self.plan.mouth.corner();
        let toward = Vec3::new(-p.x, 0.0, 0.75 * corner.x - p.z);
        let turn = rotation_x(-self.plan.mouth.gape * follows);
        let inward = turn * toward.with_z(toward.z.max(0.0)).normalize_or(Vec3::Z);
        (inward, turn * if lower { Vec3::Y } else { Vec3::NEG_Y })
    }

    /// Thickness of a lip at a place on its edge: it thins out toward the corner of the mouth.
    pub(super) fn lip_thickness(&self, p: Vec3) -> f32 {
        let corner = self.plan.mouth.corner();
        let apart = p.distance(Vec3::new(p.x, corner.y, corner.x)) / corner.x;
        self.plan.mouth.flesh * mix(0.25, 1.0, smoothstep(0.0, 0.5, apart))
    }

    /// Adds the inside of a lip, from one corner of the mouth round to the other, and behind it floor or roof of the mouth.
    pub(super) fn gums(&mut self, edge: &[u32], lower: bool) {
        let corner = self.plan.mouth.corner();
        let way = if lower { Vec3::Y } else { Vec3::NEG_Y };
        let mut row: Vec<u32> = edge.to_vec();
        for (inside, rise, picture) in ROWS {
            let next: Vec<u32> = edge
                .iter()
                .enumerate()
                .map(|(n, &id)| {
                    let (vertex, follows) = (self.mesh.vertices[id as usize], self.jaw[id as usize - self.first]);
                    let p = vertex.position;
                    let (inward, up) = self.across_lip(p, follows, lower);
                    // Lumpy, as flesh between teeth is.
                    let lump =
                        1.0 + 0.28 * (self.luck.hash(7 * n as i32 + (300.0 * inside) as i32 + i32::from(lower)) - 0.5);
                    let thick = self.lip_thickness(p) * lump;
                    self.jaw.push(follows);
                    let uv = picture.map_or(vertex.uv, |v| atlas::MOUTH.at(Vec2::new(0.5, v)));
                    self.mesh.vertex(p + inward * (inside * thick) + up * (rise * thick), uv)
                })
                .collect();
            for (a, b) in row.windows(2).zip(next.windows(2)) {
                let middle = 0.5 * (self.place_of(a[0]) + self.place_of(b[1]));
                let out = Vec3::new(-middle.x, 0.0, 0.75 * corner.x - middle.z).normalize_or(Vec3::Z) + way * 1.2;
                self.facing(self.part, [a[0], a[1], b[1]], out);
                self.facing(self.part, [a[0], b[1], b[0]], out);
            }
            row = next;
        }
        self.jaw.push(0.0);
        let dark = atlas::MOUTH.at(Vec2::new(0.5, 0.03));
        let end = self.mesh.vertex(Vec3::new(0.0, corner.y, corner.x * 1.05 + 0.01), dark);
        for pair in row.windows(2) {
            self.facing(self.part, [end, pair[0], pair[1]], way);
        }
    }
}
