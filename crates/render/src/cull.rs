//! Instances in view, grouped by level of detail.

use glam::{Mat4, Vec3, Vec4};
use math::{Join, par_each, serial, smoothstep};
use view::{Camera, CoverBatch, Instance};

use crate::models::{Distance, Outline, PackedInstance};

/// The view frustum, cut off where the water hides everything, and the scale of things in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frustum {
    planes: [Vec4; 5],
    /// Planes of a second eye, if it is the volume of two.
    second: Option<[Vec4; 5]>,
    eye: Vec3,
    /// Height of the picture. Unit: px.
    height_px: f32,
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
        Self { planes, second: None, eye: camera.eye, height_px, pixels_at_1_m, visibility_m }
    }

    /// A volume that contains those of both eyes; distances in it are from the middle between them.
    pub fn with(self, other: Self) -> Self {
        Self {
            planes: self.planes,
            second: Some(other.planes),
            eye: 0.5 * (self.eye + other.eye),
            height_px: self.height_px.max(other.height_px),
            pixels_at_1_m: self.pixels_at_1_m.max(other.pixels_at_1_m),
            visibility_m: self.visibility_m.max(other.visibility_m) + 0.5 * self.eye.distance(other.eye),
        }
    }

    /// Whether `is_inside` a plane of the first eye, or of the second one's for the same edge, for all edges.
    fn all_edges(&self, is_inside: impl Fn(Vec4) -> bool) -> bool {
        let in_second = |edge: usize| self.second.is_some_and(|planes| is_inside(planes[edge]));
        self.planes.iter().enumerate().all(|(edge, &plane)| is_inside(plane) || in_second(edge))
    }

    /// Whether a sphere (m) is at least partly in view.
    pub fn intersects_sphere(&self, center: Vec3, radius_m: f32) -> bool {
        let near = self.visibility_m + radius_m;
        center.distance_squared(self.eye) < near * near
            && self.all_edges(|plane| plane.dot(center.extend(1.0)) > -radius_m)
    }

    /// Whether the hull of some points may be partly in view, where each may stray by `margin_m` (m).
    pub fn may_show(&self, hull: &[Vec3], margin_m: f32) -> bool {
        self.all_edges(|plane| hull.iter().any(|point| plane.dot(point.extend(1.0)) > -margin_m))
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
    /// Lists by level and [`kind`], each from front to back.
    lists: Vec<Vec<Seen>>,
    /// Parts of the instances, from which the lists are gathered.
    parts: Vec<Part>,
}

/// Part of the instances of one model that is culled at once: the number in view, and their lists, in no order.
#[derive(Clone, Debug, Default)]
struct Part {
    count: u32,
    lists: Vec<Vec<Seen>>,
}

/// Lists of a level of detail.
const KINDS: usize = 4;

/// Number of a list among those of its level.
fn kind(blended: bool, fading: bool) -> usize {
    2 * usize::from(blended) + usize::from(fading)
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
    /// All instances of the batch, in view or not.
    instances: &'v [Instance],
}

impl Alike<'_> {
    /// Approximate distance of the nearest point of all from the eye. Unit: m.
    pub fn nearest_m(&self) -> f32 {
        self.seen[0].nearest_m
    }

    /// An instance of them as the GPU reads it.
    pub fn packed(&self, seen: &Seen) -> PackedInstance {
        PackedInstance::from(&self.instances[seen.index as usize]).fading(seen.shown)
    }
}

/// An instance in view.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Approximate distance of its nearest point from the eye. Unit: m.
    nearest_m: f32,
    /// Share of it that is shown, see `fade.glsl`.
    shown: f32,
    /// Its place among the instances of its batch.
    index: u32,
}

/// Memory that an instance in view takes: in the lists, which grow by doubling, on its way to the GPU, and there, in
/// buffers of a power of two for the frame that is made and the one that is drawn. Unit: bytes.
pub const BYTES_AN_INSTANCE: usize = 2 * 2 * size_of::<Seen>() + (1 + 2 * 2) * size_of::<PackedInstance>();

/// Instances culled or packed in one parallel part: a twentieth of a millisecond's work or more.
pub const CULLED_AT_ONCE: usize = 2048;

/// Range of sizes over which a thing fades to a coarser level, as a share of the size at which that begins. Over so
/// little the two look alike, and few things are drawn twice.
const FADE: f32 = 0.04;

/// Greatest size of a level that things fade to: on larger ones the pattern shows more than the change. Unit: px.
const LARGEST_FADING: f32 = 100.0;

/// Scale and reach of the levels of detail in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    /// Size up to which a level is drawn, over the size that it is made for, of all but the largest things.
    pub scale: f32,
    /// Whether distant levels are lit as a whole; instances at them count as unblended.
    pub distant: bool,
}

impl Visible {
    /// Lists of `instances` that are not empty; they are those that it was filled with.
    pub fn lists<'v>(&'v self, instances: &'v [Instance]) -> impl Iterator<Item = Alike<'v>> {
        let not_empty = self.lists.iter().enumerate().filter(|(_, seen)| !seen.is_empty());
        not_empty.map(move |(number, seen)| {
            let (level, kind) = (number / KINDS, number % KINDS);
            Alike { level, blended: kind >= 2, fading: kind % 2 == 1, seen, instances }
        })
    }

    /// Fills the lists anew; the same by any `join`. Animals fade from level to level.
    pub fn fill(&mut self, of: &Outline, instances: &[Instance], view: &Frustum, (levels, join): (Levels, Join)) {
        let join = if instances.len() > CULLED_AT_ONCE { join } else { serial };
        self.parts.resize_with(instances.len().div_ceil(CULLED_AT_ONCE), Part::default);
        par_each(join, &mut self.parts, &|number, part| {
            let first = number * CULLED_AT_ONCE;
            let last = instances.len().min(first + CULLED_AT_ONCE);
            part.fill(of, (first, &instances[first..last]), view, levels);
        });
        self.count = self.parts.iter().map(|part| part.count).sum();
        self.lists.resize_with(KINDS * of.levels.len(), Vec::new);
        let parts = &self.parts;
        par_each(join, &mut self.lists, &|number, list| {
            list.clear();
            parts.iter().for_each(|part| list.extend_from_slice(&part.lists[number]));
            list.sort_unstable_by(|a, b| a.nearest_m.total_cmp(&b.nearest_m).then(a.index.cmp(&b.index)));
        });
    }
}

/// Shares of the picture's height between which a thing comes to be drawn whole at any tier: of what fills a picture,
/// even a small one, facets would show. On a processor (llvmpipe) that takes a seventh of a frame of the reef at `low`
/// and 640 x 360, a quarter at 320 x 180, and nothing at 1280 x 720, where it was drawn as finely before.
const FILLS: (f32, f32) = (0.2, 0.85);
/// Size by which what fills the picture is drawn whole: simplified levels are made for less. Unit: px.
const WHOLE_PX: f32 = 1500.0;

/// The size by which a level is chosen for a thing of a size in a picture of a height, by the scale of the levels.
/// Unit: px.
fn chosen_by(size: f32, height: f32, scale: f32) -> f32 {
    (size / scale).max(WHOLE_PX * smoothstep(FILLS.0, FILLS.1, size / height))
}

impl Part {
    /// Deals out those in view of the instances from number `first` on.
    fn fill(&mut self, of: &Outline, (first, instances): (usize, &[Instance]), view: &Frustum, levels: Levels) {
        self.count = 0;
        self.lists.resize_with(KINDS * of.levels.len(), Vec::new);
        self.lists.iter_mut().for_each(Vec::clear);
        for (index, instance) in (first as u32..).zip(instances) {
            let center = instance.position + instance.rotation * (of.center * instance.scale);
            let radius = of.radius * instance.scale;
            if !view.intersects_sphere(center, radius) {
                continue;
            }
            self.count += 1;
            let pixels = chosen_by(view.pixels(center, 2.0 * radius) * of.lod_bias, view.height_px, levels.scale);
            let nearest_m = center.distance(view.eye) - 0.5 * radius;
            let mut add = |level: usize, shown: f32, fading: bool| {
                let is_distant = levels.distant && of.levels[level].1 != Distance::Near;
                let blended = !is_distant && instance.blend_weight > 0.0;
                self.lists[KINDS * level + kind(blended, fading)].push(Seen { nearest_m, shown, index });
            };
            let level = of.level_at(pixels);
            let largest = of.levels[level].0;
            let shown = finer_share(pixels, largest);
            if level > 0 && largest <= LARGEST_FADING && of.fades && shown > 0.0 {
                add(level - 1, shown, true);
                add(level, -shown, true);
            } else {
                add(level, 1.0, false);
            }
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
pub fn gather_cover(of: &Outline, batch: &CoverBatch, (eye, reach_m): (Vec3, f32), near: &mut Vec<Instance>) {
    near.clear();
    let farthest_m = FARTHEST_COVER * reach_m;
    let within = |center: Vec3, radius_m: f32| center.distance(eye) < farthest_m + radius_m;
    for patch in batch.patches.iter().filter(|patch| within(patch.center, patch.radius)) {
        near.extend(patch.instances.iter().filter_map(|instance| {
            let own = (2.0 * of.radius * instance.scale / COVER_SIZE_M).sqrt().min(FARTHEST_COVER);
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
    fn the_volume_of_two_eyes_holds_what_either_sees_and_little_more() {
        let eye = |x: f32, yaw: f32| {
            let camera = Camera::look_at(Vec3::new(x, 0.0, 0.0), Vec3::new(x + yaw, 0.0, -1.0), 1.0);
            Frustum::new(&camera, camera.clip_from_view(0.9) * camera.view_from_world(), 720.0, 50.0)
        };
        // Lenses that are turned outwards a little, as some headsets have them.
        let (left, right) = (eye(-0.032, -0.1), eye(0.032, 0.1));
        let both = left.with(right);
        let (mut seen, mut more) = (0, 0);
        for i in 0..40_000 {
            let at = Vec3::new((i % 50) as f32 - 24.5, (i / 50 % 20) as f32 - 9.5, 10.0 - 1.6 * (i / 1000) as f32);
            let by_either = left.intersects_sphere(at, 0.2) || right.intersects_sphere(at, 0.2);
            let by_both = both.intersects_sphere(at, 0.2);
            assert!(by_both || !by_either, "{at}");
            seen += usize::from(by_either);
            more += usize::from(by_both && !by_either);
        }
        assert!(seen > 1000 && more < seen / 50, "{more} of {seen}");
        assert_eq!(both.eye(), Vec3::ZERO);
    }

    #[test]
    fn twice_as_far_is_half_as_large() {
        let view = view();
        let (near, far) = (view.pixels(Vec3::NEG_Z * 5.0, 1.0), view.pixels(Vec3::NEG_Z * 10.0, 1.0));
        assert!((near / far - 2.0).abs() < 1e-4);
        assert!((near - 720.0 / (2.0 * 0.5f32.tan()) / 5.0).abs() < 0.1);
    }

    /// A model of a metre with three levels, the last of which is lit as a whole.
    fn outline() -> Outline {
        let levels = vec![(f32::INFINITY, Distance::Near), (120.0, Distance::Near), (24.0, Distance::Far)];
        Outline { center: Vec3::ZERO, radius: 0.5, lod_bias: 1.0, fades: true, levels }
    }

    /// A crowd before, beside and behind the eye, some at the same distance; a third of it in poses of two clips.
    fn crowd() -> Vec<Instance> {
        let at = |i: u32| Vec3::new((i % 37) as f32 - 18.0, (i % 5) as f32 - 2.0, 8.0 - (i % 53) as f32);
        let blend_weight = |i: u32| if i.is_multiple_of(3) { 0.5 } else { 0.0 };
        let count = 3 * CULLED_AT_ONCE as u32 + 17;
        (0..count).map(|i| Instance { position: at(i), blend_weight: blend_weight(i), ..Instance::default() }).collect()
    }

    fn filled(instances: &[Instance], join: Join) -> Visible {
        let mut visible = Visible::default();
        visible.fill(&outline(), instances, &view(), (Levels { scale: 1.0, distant: true }, join));
        visible
    }

    #[test]
    fn a_crowd_is_dealt_out_alike_by_any_threads() {
        let crowd = crowd();
        let lists = |visible: &Visible| {
            let alike = visible.lists(&crowd);
            let keys = alike.flat_map(|alike| {
                let kind = (alike.level, alike.blended, alike.fading);
                alike.seen.iter().map(move |seen| (kind, seen.index, seen.nearest_m.to_bits(), seen.shown.to_bits()))
            });
            keys.collect::<Vec<_>>()
        };
        let in_turn = filled(&crowd, serial);
        let backward = filled(&crowd, |first, second| serial(second, first));
        assert_eq!(lists(&in_turn), lists(&backward));
        let mut again = in_turn.clone();
        again.fill(&outline(), &crowd, &view(), (Levels { scale: 1.0, distant: true }, serial));
        assert_eq!(lists(&again), lists(&in_turn), "filled anew nothing is left of the frame before");
    }

    #[test]
    fn what_fills_the_picture_is_drawn_finer_where_all_is_coarse() {
        let steps = || (1..200).map(|i| 5.0 * i as f32);
        assert!(steps().all(|size| chosen_by(size, 1000.0, 0.2) == size / 0.2), "a fine tier");
        for height in [270.0, 720.0] {
            let coarse: Vec<f32> = steps().map(|size| chosen_by(size, height, 1.25)).collect();
            assert!(coarse.is_sorted(), "a nearer thing is no coarser");
            assert_eq!(chosen_by(0.19 * height, height, 1.25), 0.19 * height / 1.25);
            assert_eq!(chosen_by(0.85 * height, height, 1.25), WHOLE_PX, "of a small picture, too");
        }
    }

    #[test]
    fn each_instance_in_view_is_in_one_list_or_fades_between_two() {
        let crowd = crowd();
        let visible = filled(&crowd, serial);
        let in_view = crowd.iter().filter(|instance| view().intersects_sphere(instance.position, 0.5)).count();
        assert!(in_view > CULLED_AT_ONCE && in_view < crowd.len(), "{in_view} in view");
        assert_eq!(visible.count as usize, in_view);
        let mut shown = vec![0.0; crowd.len()];
        for alike in visible.lists(&crowd) {
            assert!(alike.seen.is_sorted_by(|a, b| a.nearest_m <= b.nearest_m), "from front to back");
            assert!(!alike.blended || alike.level < 2, "what is lit as a whole has one clip");
            for seen in alike.seen {
                shown[seen.index as usize] += if seen.shown < 0.0 { 1.0 + seen.shown } else { seen.shown };
            }
        }
        let whole = shown.iter().filter(|share: &&f32| (**share - 1.0).abs() < 1e-5).count();
        assert_eq!(whole, in_view);
        assert!(shown.iter().all(|share| *share == 0.0 || (*share - 1.0).abs() < 1e-5));
    }

    #[test]
    fn a_coarser_level_fades_in_below_the_size_that_it_is_made_for() {
        assert_eq!(finer_share(87.0, 87.0), 1.0);
        assert!((finer_share(87.0 * (1.0 - 0.5 * FADE), 87.0) - 0.5).abs() < 1e-5);
        assert!(finer_share(87.0 * (1.0 - 1.01 * FADE), 87.0) < 0.0);
    }
}
