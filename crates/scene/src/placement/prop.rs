//! Shape of a prop's model, and a thing of the prop in its place.

use glam::{Quat, Vec2, Vec3};
use life::Obstacle;
use model::{Bounds, Model};

/// Greatest number of times that a slice of a long shape is halved.
const HALVINGS: u32 = 2;

/// A slice is halved if its halves' boxes hold less than this part of its own.
const WELL_FILLED: f32 = 0.65;

/// One thing in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedProp {
    /// Index of its prop in the settings.
    pub prop: usize,
    /// Position of its model origin, in world space.
    pub position: Vec3,
    /// Rotation from model to world space.
    pub rotation: Quat,
    /// Metres per model unit.
    pub scale: f32,
    /// Whether the scene places it by hand, not by rule.
    pub by_hand: bool,
}

impl PlacedProp {
    /// A thing of the prop at `index` that hangs upright: x, y and z of its foot (m), yaw (degrees) and size (m).
    pub fn hung(index: usize, shape: &PropShape, &[x, y, z, yaw_deg, size_m]: &[f32; 5]) -> Self {
        let scale = size_m / shape.extent().max_element();
        let rotation = Quat::from_rotation_y(yaw_deg.to_radians());
        let position = Vec3::new(x, y, z) - rotation * (shape.foot() * scale);
        Self { prop: index, position, rotation, scale, by_hand: true }
    }

    /// Transforms a point from model to world space.
    pub fn to_world(&self, p: Vec3) -> Vec3 {
        self.position + self.rotation * (p * self.scale)
    }
}

/// The shape of a model, in model units.
#[derive(Clone, Debug, PartialEq)]
pub struct PropShape {
    /// Bounds of the rest pose.
    pub bounds: Bounds,
    /// Radius of the part that touches the ground.
    pub base_radius: f32,
    /// Triangles of the finest level of detail.
    pub triangles: Vec<[Vec3; 3]>,
}

impl PropShape {
    /// The shape of a model.
    pub fn of(model: &Model) -> Self {
        let triangles = model.lods.first().map_or_else(Vec::new, |lod| {
            let corner = |&i: &u32| lod.vertices.get(i as usize).map_or(Vec3::ZERO, |v| v.position);
            lod.indices.chunks_exact(3).map(|c| [corner(&c[0]), corner(&c[1]), corner(&c[2])]).collect()
        });
        Self::new(model.bounds, triangles)
    }

    /// A shape from its bounds and triangles.
    pub fn new(bounds: Bounds, triangles: Vec<[Vec3; 3]>) -> Self {
        let (low, middle) = (bounds.min.y + 0.12 * (bounds.max.y - bounds.min.y), bounds.center());
        let base_radius = triangles
            .iter()
            .flatten()
            .filter(|p| p.y <= low)
            .map(|p| Vec2::new(p.x - middle.x, p.z - middle.z).length())
            .fold(0.0, f32::max);
        Self { bounds, base_radius, triangles }
    }

    /// Size along each axis, at least 1e-4.
    pub fn extent(&self) -> Vec3 {
        (self.bounds.max - self.bounds.min).max(Vec3::splat(1e-4))
    }

    /// Middle of the lower face of the bounds: the point that is put on the ground.
    pub fn foot(&self) -> Vec3 {
        self.bounds.center().with_y(self.bounds.min.y)
    }

    /// The shape as ellipsoids, in model units: one, or a row of them along a long shape, more closely spaced where it
    /// is slanted, like a bowsprit.
    pub fn parts(&self) -> Vec<Obstacle> {
        let half = 0.5 * self.extent();
        let lengthwise = half.x >= half.z;
        let (long, short) = if lengthwise { (half.x, half.z) } else { (half.z, half.x) };
        let slenderness = long / short.max(0.5 * half.y);
        let pieces = (2.5 * slenderness).round().min(8.0);
        if slenderness < 1.3 {
            return vec![Obstacle { center: self.bounds.center(), radii: half }];
        }
        let axis = if lengthwise { Vec3::X } else { Vec3::Z };
        let (middle, reach) = (self.bounds.center().dot(axis), long / pieces);
        (0..pieces as u32)
            .map(|n| middle + long * ((2.0 * n as f32 + 1.0) / pieces - 1.0))
            .flat_map(|at| self.cuts(axis, at, reach, HALVINGS))
            .filter_map(|(at, part)| {
                // A halved slice is slanted: without an overlap its corners would be uncovered where two ellipsoids
                // meet.
                let overlap = if part < reach { 1.5 } else { 1.0 };
                let slice = self.slice(axis, at - overlap * part, at + overlap * part)?;
                // Longer than the slice, or there would be gaps between round ends.
                let radii = 0.5 * (slice.max - slice.min) + 0.3 * part * axis;
                Some(Obstacle { center: slice.center(), radii: radii.max(Vec3::splat(0.02 * long)) })
            })
            .collect()
    }

    /// Cuts the slice within `reach` of `at` along `axis`: returns the middle and half length of each part. The slice
    /// stays whole, or is halved, at most `halvings` times, where two boxes fit much better than one.
    fn cuts(&self, axis: Vec3, at: f32, reach: f32, halvings: u32) -> Vec<(f32, f32)> {
        let across = |at: f32, reach: f32| {
            let size = |b: Bounds| ((b.max - b.min) * (Vec3::ONE - axis) + axis).element_product();
            self.slice(axis, at - reach, at + reach).map_or(0.0, size)
        };
        let halves = [at - 0.5 * reach, at + 0.5 * reach];
        let filled: f32 = 0.5 * halves.map(|at| across(at, 0.5 * reach)).iter().sum::<f32>();
        if halvings == 0 || filled >= WELL_FILLED * across(at, reach) {
            return vec![(at, reach)];
        }
        halves.into_iter().flat_map(|at| self.cuts(axis, at, 0.5 * reach, halvings - 1)).collect()
    }

    /// Bounds of the part from `low` to `high` along `axis`; `None` if it is empty. A shape without triangles fills its
    /// own bounds.
    fn slice(&self, axis: Vec3, low: f32, high: f32) -> Option<Bounds> {
        if self.triangles.is_empty() {
            let across = |corner: Vec3| corner - axis * corner.dot(axis);
            let (min, max) = (across(self.bounds.min) + axis * low, across(self.bounds.max) + axis * high);
            return Some(Bounds { min, max });
        }
        let edges = self.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        edges
            .filter_map(|(a, b)| {
                let (from, way) = (a.dot(axis), (b - a).dot(axis));
                let (first, last) = if way.abs() > 1e-9 {
                    let (s, t) = ((low - from) / way, (high - from) / way);
                    (s.min(t).max(0.0), s.max(t).min(1.0))
                } else if (low..=high).contains(&from) {
                    (0.0, 1.0)
                } else {
                    (1.0, 0.0)
                };
                (first <= last).then(|| [a.lerp(b, first), a.lerp(b, last)])
            })
            .flatten()
            .fold(None, |bounds: Option<Bounds>, p| {
                Some(bounds.map_or(Bounds { min: p, max: p }, |b| Bounds { min: b.min.min(p), max: b.max.max(p) }))
            })
    }

    /// Radius of the circle whose area is that of the bounds' ellipse seen from above.
    pub fn radius(&self) -> f32 {
        0.5 * (self.extent().x * self.extent().z).sqrt()
    }
}
