//! What of the instances is in view, and at which level of detail.

use glam::{Mat4, Vec3, Vec4};

use crate::render::models::{Distance, GpuModel, PackedInstance};
use crate::scene::{Camera, Instance};

/// The view frustum, cut off where the water hides everything, and how large things look in it.
#[derive(Clone, Copy, Debug)]
pub struct Frustum {
    planes: [Vec4; 5],
    eye: Vec3,
    /// Pixels that one metre spans at one metre's distance.
    pixels_at_1_m: f32,
    /// Beyond this everything has dissolved into the water.
    visibility_m: f32,
}

impl Frustum {
    /// The volume of a camera whose picture is `height_px` high; nothing is seen beyond `visibility_m`.
    pub fn new(camera: &Camera, clip_from_world: Mat4, height_px: f32, visibility_m: f32) -> Self {
        let row = |i| clip_from_world.row(i);
        let planes = [row(3) + row(0), row(3) - row(0), row(3) + row(1), row(3) - row(1), row(3) + row(2)]
            .map(|plane: Vec4| plane / plane.truncate().length().max(1e-6));
        let pixels_at_1_m = height_px / (2.0 * (0.5 * camera.fov_y).tan());
        Self { planes, eye: camera.eye, pixels_at_1_m, visibility_m }
    }

    /// Whether a sphere (m) is at least partly in view.
    pub fn intersects_sphere(&self, center: Vec3, radius_m: f32) -> bool {
        let near = self.visibility_m + radius_m;
        center.distance_squared(self.eye) < near * near
            && self.planes.iter().all(|plane| plane.dot(center.extend(1.0)) > -radius_m)
    }

    /// Pixels that a length spans at a place (m).
    pub fn pixels(&self, center: Vec3, length_m: f32) -> f32 {
        length_m * self.pixels_at_1_m / center.distance(self.eye).max(0.05)
    }
}

/// Instances of one model in view, dealt out over its levels of detail, each list from front to back.
#[derive(Clone, Debug, Default)]
pub struct Visible {
    /// One list a level: those in the pose of one clip.
    lods: Vec<Vec<Seen>>,
    /// Those whose pose two clips make; only the finest [`BLENDED_LEVELS`] have any.
    blended: [Vec<Seen>; BLENDED_LEVELS],
}

/// An instance in view.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// How near it comes to the eye, about. Unit: m.
    pub nearest_m: f32,
    /// The instance.
    pub packed: PackedInstance,
}

/// Levels of detail at which a pose may be made from two clips; a coarser one shows the nearer of the two.
pub const BLENDED_LEVELS: usize = 2;

impl Visible {
    /// The lists that hold anything, with their level and whether two clips make their poses.
    pub fn lists(&self) -> impl Iterator<Item = (usize, bool, &[Seen])> {
        let plain = self.lods.iter().enumerate().map(|(level, list)| (level, false, list.as_slice()));
        let blended = self.blended.iter().enumerate().map(|(level, list)| (level, true, list.as_slice()));
        plain.chain(blended).filter(|(_, _, list)| !list.is_empty())
    }

    /// Fills the lists anew. A level is drawn up to `lod_scale` times the size that it is made for.
    /// With `distant`, levels that are drawn as such keep a pose of two clips.
    pub fn fill(
        &mut self,
        model: &GpuModel,
        instances: &[Instance],
        view: &Frustum,
        (lod_scale, distant): (f32, bool),
    ) {
        self.lods.resize(model.lods.len(), Vec::new());
        self.lods.iter_mut().chain(&mut self.blended).for_each(Vec::clear);
        for instance in instances {
            let center = instance.position + instance.rotation * (model.center * instance.scale);
            let radius = model.radius * instance.scale;
            if !view.intersects_sphere(center, radius) {
                continue;
            }
            let pixels = view.pixels(center, 2.0 * radius) * model.lod_bias;
            let (level, packed) = (model.level_at(pixels / lod_scale), PackedInstance::from(instance));
            let (list, packed) = match self.blended.get_mut(level) {
                Some(list) if packed.is_blended() => (list, packed),
                _ if distant && model.lods[level].distance != Distance::Near => (&mut self.lods[level], packed),
                _ => (&mut self.lods[level], packed.without_blend()),
            };
            list.push(Seen { nearest_m: center.distance(view.eye) - 0.5 * radius, packed });
        }
        for list in self.lods.iter_mut().chain(&mut self.blended) {
            list.sort_by(|a, b| a.nearest_m.total_cmp(&b.nearest_m));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> Frustum {
        let camera = Camera::look_at(Vec3::ZERO, Vec3::NEG_Z, 1.0);
        let clip_from_world = camera.clip_from_view(16.0 / 9.0) * camera.view_from_world();
        Frustum::new(&camera, clip_from_world, 720.0, 50.0)
    }

    #[test]
    fn what_is_behind_beside_or_dissolved_is_not_in_view() {
        let view = view();
        assert!(view.intersects_sphere(Vec3::new(0.0, 0.0, -10.0), 0.5));
        assert!(!view.intersects_sphere(Vec3::new(0.0, 0.0, 10.0), 0.5));
        assert!(!view.intersects_sphere(Vec3::new(30.0, 0.0, -10.0), 0.5));
        assert!(!view.intersects_sphere(Vec3::new(0.0, 0.0, -60.0), 0.5));
        assert!(view.intersects_sphere(Vec3::new(0.0, 0.0, 0.3), 1.0), "a sphere round the eye");
    }

    #[test]
    fn twice_as_far_is_half_as_large() {
        let view = view();
        let (near, far) = (view.pixels(Vec3::NEG_Z * 5.0, 1.0), view.pixels(Vec3::NEG_Z * 10.0, 1.0));
        assert!((near / far - 2.0).abs() < 1e-4);
        assert!((near - 720.0 / (2.0 * 0.5f32.tan()) / 5.0).abs() < 0.1);
    }
}
