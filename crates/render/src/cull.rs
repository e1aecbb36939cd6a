//! Instances in view, grouped by level of detail.

use glam::{Mat4, Vec3, Vec4};
use math::smoothstep;
use view::{Camera, CoverBatch, Instance};

use crate::models::{Distance, GpuModel, PackedInstance};

/// The view frustum, cut off where the water hides everything, and the scale of things in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frustum {
    planes: [Vec4; 5],
    eye: Vec3,
    /// Pixels that one metre spans at one metre's distance.
    pixels_at_1_m: f32,
    /// Distance beyond which everything has dissolved into the water.
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

    /// Whether the hull of some points may be partly in view, where each may stray by `margin_m` (m).
    pub fn may_show(&self, hull: &[Vec3], margin_m: f32) -> bool {
        self.planes.iter().all(|plane| hull.iter().any(|point| plane.dot(point.extend(1.0)) > -margin_m))
    }

    /// Position of the eye. Unit: m.
    pub fn eye(&self) -> Vec3 {
        self.eye
    }

    /// Pixels that a length spans at a place (m).
    pub fn pixels(&self, center: Vec3, length_m: f32) -> f32 {
        length_m * self.pixels_at_1_m / center.distance(self.eye).max(0.05)
    }
}

/// Instances of one model in view, dealt out over its levels of detail.
#[derive(Clone, Debug, Default)]
pub struct Visible {
    /// Number of instances.
    pub count: u32,
    /// Lists by level, by whether two clips make the pose, by whether it fades; each from front to back.
    lists: Vec<[[Vec<Seen>; 2]; 2]>,
}

/// Instances of one model that are drawn alike, from front to back; at least one.
#[derive(Clone, Copy, Debug)]
pub struct Alike<'v> {
    /// Their level of detail.
    pub level: usize,
    /// Whether two clips make their poses; never for instances drawn as distant.
    pub blended: bool,
    /// Whether they are on their way to or from this level, and drawn at the next one too.
    pub fading: bool,
    /// The instances.
    pub seen: &'v [Seen],
}

/// An instance in view.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Approximate distance of its nearest point from the eye. Unit: m.
    pub nearest_m: f32,
    /// The instance.
    pub packed: PackedInstance,
}

/// Memory that an instance in view takes: here, on its way to the GPU, and there. Unit: bytes.
pub const BYTES_AN_INSTANCE: usize = size_of::<Seen>() + 2 * size_of::<PackedInstance>();

/// Range of sizes over which a thing fades to a coarser level, as a share of the size at which that begins. Over so
/// little the two look alike, and few things are drawn twice.
const FADE: f32 = 0.04;

/// Greatest size of a level that things fade to: on larger ones the pattern shows more than the change. Unit: px.
const LARGEST_FADING: f32 = 100.0;

impl Visible {
    /// Lists that are not empty.
    pub fn lists(&self) -> impl Iterator<Item = Alike<'_>> {
        self.lists.iter().enumerate().flat_map(|(level, lists)| {
            let kinds = [(false, false), (false, true), (true, false), (true, true)];
            let of = move |(blended, fading): (bool, bool)| Alike {
                level,
                blended,
                fading,
                seen: &lists[usize::from(blended)][usize::from(fading)],
            };
            kinds.map(of).into_iter().filter(|alike| !alike.seen.is_empty())
        })
    }

    /// Fills the lists anew. A level is drawn up to `lod_scale` times the size that it is made for; animals fade to it.
    /// With `distant`, instances at distant levels count as unblended.
    pub fn fill(
        &mut self,
        model: &GpuModel,
        instances: &[Instance],
        view: &Frustum,
        (lod_scale, distant): (f32, bool),
    ) {
        self.count = 0;
        self.lists.resize_with(model.lods.len(), Default::default);
        self.lists.as_flattened_mut().as_flattened_mut().iter_mut().for_each(Vec::clear);
        for instance in instances {
            let center = instance.position + instance.rotation * (model.center * instance.scale);
            let radius = model.radius * instance.scale;
            if !view.intersects_sphere(center, radius) {
                continue;
            }
            self.count += 1;
            let pixels = view.pixels(center, 2.0 * radius) * model.lod_bias / lod_scale;
            let nearest_m = center.distance(view.eye) - 0.5 * radius;
            let mut add = |level: usize, packed: PackedInstance, fading: bool| {
                let is_distant = distant && model.lods[level].distance != Distance::Near;
                let blended = !is_distant && packed.is_blended();
                self.lists[level][usize::from(blended)][usize::from(fading)].push(Seen { nearest_m, packed });
            };
            let (level, packed) = (model.level_at(pixels), PackedInstance::from(instance));
            let shown = finer_share(pixels, model.lods[level].pixels);
            let is_small = model.lods[level].pixels <= LARGEST_FADING;
            if level > 0 && is_small && model.fades() && shown > 0.0 {
                add(level - 1, packed.fading(shown), true);
                add(level, packed.fading(-shown), true);
            } else {
                add(level, packed, false);
            }
        }
        for list in self.lists.as_flattened_mut().as_flattened_mut() {
            list.sort_by(|a, b| a.nearest_m.total_cmp(&b.nearest_m));
        }
    }
}

/// Size of a colony that is drawn as far as [`Detail::cover_reach_m`](crate::Detail::cover_reach_m). Unit: m.
pub const COVER_SIZE_M: f32 = 0.25;

/// Most of that reach that any colony has.
const FARTHEST_COVER: f32 = 1.5;

/// Share of its reach beyond which a colony shrinks away.
const COVER_SHRINKS_FROM: f32 = 0.72;

/// Gathers the colonies of a batch near an eye into `near`: small ones end nearer than large ones, and shrink before
/// they end, so that none is seen to appear.
pub fn gather_cover(model: &GpuModel, batch: &CoverBatch, (eye, reach_m): (Vec3, f32), near: &mut Vec<Instance>) {
    near.clear();
    let farthest_m = FARTHEST_COVER * reach_m;
    let within = |center: Vec3, radius_m: f32| center.distance(eye) < farthest_m + radius_m;
    for patch in batch.patches.iter().filter(|patch| within(patch.center, patch.radius)) {
        near.extend(patch.instances.iter().filter_map(|instance| {
            let own = (2.0 * model.radius * instance.scale / COVER_SIZE_M).sqrt().min(FARTHEST_COVER);
            let share = instance.position.distance(eye) / (own * reach_m);
            let left = smoothstep(1.0, COVER_SHRINKS_FROM, share);
            (left > 0.0).then_some(Instance { scale: left * instance.scale, ..*instance })
        }));
    }
}

/// Share of a thing still shown at the finer level, where its own level is drawn up to `largest`. Both sizes in pixels.
fn finer_share(pixels: f32, largest: f32) -> f32 {
    1.0 - (1.0 - pixels / largest) / FADE
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

    #[test]
    fn a_coarser_level_fades_in_below_the_size_that_it_is_made_for() {
        assert_eq!(finer_share(87.0, 87.0), 1.0);
        assert!((finer_share(87.0 * (1.0 - 0.5 * FADE), 87.0) - 0.5).abs() < 1e-5);
        assert!(finer_share(87.0 * (1.0 - 1.01 * FADE), 87.0) < 0.0);
    }
}
