//! Where props stand: by hand or scattered by rule, touching the ground or the rock beneath them.
//!
//! Each scattered thing has its own generator, seeded by the scene, its prop's name and its number: more of a prop, or
//! one prop more, leaves the others where they are unless they would stand inside each other.

use std::collections::HashMap;

use glam::{Quat, Vec2, Vec3};
use math::{Fnv, ease, smoothstep, splitmix64};
use noise::{NoiseFn, OpenSimplex};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::model::{Bounds, Model};
use crate::scene::seabed::{Contact, Seabed};
use crate::scene::{FloraSettings, Ground, PropSettings};

/// One thing in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Index of its prop in the settings.
    pub prop: usize,
    /// Where its model origin is, in world space.
    pub position: Vec3,
    /// World from model.
    pub rotation: Quat,
    /// Metres a model unit.
    pub scale: f32,
    /// Whether it stands where the scene says, not where a rule put it.
    pub by_hand: bool,
}

/// An axis-aligned ellipsoid that animals keep out of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Middle, in world space.
    pub center: Vec3,
    /// Half axes along x, y and z. Unit: m.
    pub radii: Vec3,
}

/// What placement needs to know of a model, in model units.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Bounds of the rest pose.
    pub bounds: Bounds,
    /// Radius of the part that touches the ground.
    pub base_radius: f32,
    /// Triangles of the finest level of detail.
    pub triangles: Vec<[Vec3; 3]>,
}

/// Places tried for one thing before it is left out.
const TRIES: u32 = 600;
/// Places tried for one prop, so that twenty thousand things without a place do not hold up the start.
const TRIES_IN_ALL: u32 = 600_000;
/// Points round a footprint at which the ground is asked.
const RING: usize = 16;
/// Cells of the look-up grids. Unit: m.
const BUCKET_M: f32 = 2.0;

impl Shape {
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

    fn extent(&self) -> Vec3 {
        (self.bounds.max - self.bounds.min).max(Vec3::splat(1e-4))
    }

    /// Middle of the lower face of the bounds: the point that is put on the ground.
    fn foot(&self) -> Vec3 {
        self.bounds.center().with_y(self.bounds.min.y)
    }

    /// The shape as ellipsoids, in model units: one, or a row of them along a shape that is long.
    fn parts(&self) -> Vec<Obstacle> {
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
            .filter_map(|at| self.slice(axis, at - reach, at + reach))
            .map(|slice| {
                // Longer than the slice, or there would be gaps between round ends.
                let radii = 0.5 * (slice.max - slice.min);
                Obstacle { center: slice.center(), radii: (radii + 0.3 * reach * axis).max(Vec3::splat(0.02 * long)) }
            })
            .collect()
    }

    /// Bounds of what lies from `low` to `high` along `axis`; `None` if nothing does. A shape without triangles fills its
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
    fn radius(&self) -> f32 {
        0.5 * (self.extent().x * self.extent().z).sqrt()
    }
}

/// Puts every prop in its place; `shapes` has one entry a prop. Nothing stands where there is no ground.
pub fn place(props: &[PropSettings], flora: &FloraSettings, bed: &Seabed, shapes: &[Shape], seed: u64) -> Vec<Placed> {
    if !bed.present() {
        return Vec::new();
    }
    let mut yard = Yard { bed, shapes, solids: Vec::new(), near: HashMap::new(), spaces: HashMap::new() };
    let mut placed = Vec::new();
    let each = || props.iter().zip(shapes).enumerate().map(|(i, (prop, shape))| (i, prop, shape));
    for solid in [true, false] {
        for (i, prop, shape) in each().filter(|(_, p, _)| p.solid == solid) {
            for &[x, z, yaw_deg, size_m] in &prop.at {
                let yaw = yaw_deg.to_radians();
                let lot = Lot { x, z, yaw, lean: Vec2::ZERO, size_m, beside: true };
                placed.push(Placed { by_hand: true, ..yard.stand(i, prop, shape, &lot) });
            }
        }
        for (i, prop, shape) in each().filter(|(_, p, _)| p.solid == solid) {
            let patches = Patches::new(seed, prop);
            let density = if prop.sway > 0.0 { flora.density.max(0.0) } else { 1.0 };
            let count = (prop.count as f32 * density).round() as u32;
            let tries = (TRIES_IN_ALL / count.max(1)).min(TRIES);
            for n in 0..count {
                let mut rng = Pcg64Mcg::seed_from_u64(splitmix64(seed ^ hash(&prop.name), u64::from(n)));
                let beside = rng.random::<f32>() < 0.25;
                let lot = (0..tries)
                    .map(|_| Lot::draw(&mut rng, prop, &patches, beside))
                    .find_map(|lot| lot.filter(|lot| yard.admits(prop, shape, lot)));
                placed.extend(lot.map(|lot| yard.stand(i, prop, shape, &lot)));
            }
        }
    }
    placed
}

/// What animals keep out of: the solid props, long ones as a row of ellipsoids, each as high and wide as the thing is there.
pub fn obstacles(props: &[PropSettings], placed: &[Placed], shapes: &[Shape]) -> Vec<Obstacle> {
    let parts: Vec<Vec<Obstacle>> =
        props.iter().zip(shapes).map(|(prop, shape)| if prop.solid { shape.parts() } else { Vec::new() }).collect();
    let mut all = Vec::new();
    for thing in placed {
        for part in &parts[thing.prop] {
            let axes = [Vec3::X * part.radii.x, Vec3::Y * part.radii.y, Vec3::Z * part.radii.z]
                .map(|axis| thing.rotation * axis * thing.scale);
            all.push(Obstacle {
                center: thing.position + thing.rotation * (part.center * thing.scale),
                radii: (axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2]).map(f32::sqrt),
            });
        }
    }
    all
}

/// Where things touch the ground, for its shading; things too small to see from a few metres are left out.
pub fn contacts(props: &[PropSettings], placed: &[Placed], shapes: &[Shape], bed: &Seabed) -> Vec<Contact> {
    const LEAST_SIZE_M: f32 = 0.35;
    let mut all = Vec::new();
    for thing in placed {
        let (prop, shape) = (&props[thing.prop], &shapes[thing.prop]);
        let size = shape.extent() * thing.scale;
        let foot = thing.position + thing.rotation * (shape.foot() * thing.scale);
        let on_ground = foot.y - bed.height(foot.x, foot.z) < 0.25 * size.max_element();
        if !on_ground || size.max_element() < LEAST_SIZE_M {
            continue;
        }
        let base = shape.base_radius.max(0.3 * shape.radius()) * thing.scale;
        let radius = if prop.solid { base.max(0.7 * shape.radius() * thing.scale) } else { base };
        all.push(Contact {
            center: Vec2::new(foot.x, foot.z),
            radius,
            height: if prop.solid { size.y } else { 0.4 * size.y },
            shade: if prop.solid { 0.75 } else { 0.35 },
            // In the circle about a thing as long as a ship there is mostly sand.
            rubble: if prop.solid { 0.85 * smoothstep(7.0, 4.0, radius) } else { 0.0 },
        });
    }
    all
}

/// A place that something might stand at.
struct Lot {
    x: f32,
    z: f32,
    yaw: f32,
    lean: Vec2,
    size_m: f32,
    /// Of things that grow on rock: whether this one makes do with the ground beside it.
    beside: bool,
}

impl Lot {
    /// Draws a place; `None` where the patches are too thin. It always draws as many numbers, whatever they are.
    fn draw(rng: &mut Pcg64Mcg, prop: &PropSettings, patches: &Patches, beside: bool) -> Option<Self> {
        let [distance, bearing, yaw, spread, leaning, lean_bearing, chance]: [f32; 7] = rng.random();
        // A little denser toward the middle, where the first view is.
        let (bearing, distance) = (bearing * std::f32::consts::TAU, prop.range_m * distance.powf(0.6));
        let lot = Self {
            x: distance * bearing.cos(),
            z: distance * bearing.sin(),
            yaw: (prop.yaw_deg[0] + yaw * (prop.yaw_deg[1] - prop.yaw_deg[0])).to_radians(),
            lean: Vec2::from_angle(lean_bearing * std::f32::consts::TAU) * leaning * 0.14,
            size_m: prop.size_m * (1.0 + prop.size_spread * (2.0 * spread - 1.0)),
            beside,
        };
        (chance < patches.density(lot.x, lot.z)).then_some(lot)
    }
}

/// Where a prop gathers.
struct Patches {
    noise: OpenSimplex,
    clustering: f32,
    size_m: f32,
}

impl Patches {
    fn new(seed: u64, prop: &PropSettings) -> Self {
        // Solid things share one field, so that large and small rocks make outcrops together.
        let (field, size_m) = if prop.solid { (0, 11.0) } else { (hash(&prop.name), 5.0) };
        Self { noise: OpenSimplex::new(splitmix64(seed, field ^ 0x50C4) as u32), clustering: prop.clustering, size_m }
    }

    /// Chance of a thing to stand there. Range 0..=1.
    fn density(&self, x: f32, z: f32) -> f32 {
        let at = [f64::from(x / self.size_m), f64::from(z / self.size_m)];
        // Dense within a patch and bare between: about a third of the ground is patch.
        let patch = ease(((self.noise.get(at) as f32 - 0.02) / 0.3).clamp(0.0, 1.0));
        1.0 + (patch - 1.0) * self.clustering
    }
}

/// What already stands, and the ground.
struct Yard<'a> {
    bed: &'a Seabed,
    shapes: &'a [Shape],
    solids: Vec<Solid>,
    near: HashMap<(i32, i32), Vec<usize>>,
    /// Everything else that stands, by cell.
    spaces: HashMap<(i32, i32), Vec<Space>>,
}

/// Room that something takes up.
#[derive(Clone, Copy)]
struct Space {
    center: Vec3,
    radius: f32,
    /// Whether it is a plant, which others may mingle with.
    soft: bool,
}

/// A solid thing that stands.
struct Solid {
    center: Vec2,
    radius: f32,
    top: TopMap,
}

impl Yard<'_> {
    /// Whether a scattered thing may stand there.
    fn admits(&self, prop: &PropSettings, shape: &Shape, lot: &Lot) -> bool {
        let at = Vec2::new(lot.x, lot.z);
        let scale = lot.size_m / shape.extent().max_element();
        let radius = shape.radius() * scale;
        let gap = |solid: &Solid| solid.center.distance(at) - solid.radius - radius;
        let nearest = self.solids_near(at, radius).map(gap).fold(f32::MAX, f32::min);
        if prop.solid {
            return nearest > 0.0;
        }
        let (height, normal, on_rock) = self.support(at);
        let stands_well = match prop.on {
            Ground::Sand => !on_rock && nearest > 0.1 && normal.y > 0.85 && self.bed.rubble(lot.x, lot.z) < 0.5,
            Ground::Any => !on_rock && nearest > -0.5 * radius,
            Ground::Rock if on_rock => normal.y > 0.5 && self.drop(at, shape.base_radius * scale) < 0.3 * lot.size_m,
            // Right beside rock, or among rubble where there is no rock at all.
            Ground::Rock => {
                (lot.beside && nearest < 0.4) || (self.solids.is_empty() && self.bed.rubble(lot.x, lot.z) > 0.5)
            }
        };
        // Plants may mingle, corals and sponges may not.
        let soft = prop.sway > 0.0;
        let share = if soft { 0.35 } else { 0.8 };
        stands_well && self.is_free(&Space { center: Vec3::new(lot.x, height, lot.z), radius: share * radius, soft })
    }

    /// Puts a thing on what is below it.
    fn stand(&mut self, index: usize, prop: &PropSettings, shape: &Shape, lot: &Lot) -> Placed {
        let scale = lot.size_m / shape.extent().max_element();
        let at = Vec2::new(lot.x, lot.z);
        let (_, normal, _) = if prop.solid { (0.0, self.bed.normal(at.x, at.y), false) } else { self.support(at) };
        let follow = match (prop.solid, prop.sway > 0.0) {
            (true, _) => 0.8,
            (_, true) => 0.2,
            _ => 0.45,
        };
        let up = (Vec3::Y.lerp(normal, follow) + Vec3::new(lot.lean.x, 0.0, lot.lean.y)).normalize_or(Vec3::Y);
        let rotation = Quat::from_rotation_arc(Vec3::Y, up) * Quat::from_rotation_y(lot.yaw);

        // Down to the lowest ground under the rim of the foot, so that no side hangs in the water.
        let foot = shape.foot();
        let lowest = rim(shape.base_radius * scale)
            .map(|offset| {
                let offset = rotation * offset;
                let below = at + Vec2::new(offset.x, offset.z);
                let ground = self.bed.height(below.x, below.y);
                let ground = if prop.solid { ground } else { self.support(below).0.max(ground) };
                ground - offset.y
            })
            .fold(f32::MAX, f32::min);
        let base = Vec3::new(lot.x, lowest - prop.sink * lot.size_m, lot.z);
        let placed =
            Placed { prop: index, position: base - rotation * (foot * scale), rotation, scale, by_hand: false };
        self.remember(&placed, prop, base, shape.radius() * scale);
        placed
    }

    fn remember(&mut self, placed: &Placed, prop: &PropSettings, base: Vec3, radius: f32) {
        let center = Vec2::new(base.x, base.z);
        if !prop.solid {
            let space = Space { center: base, radius, soft: prop.sway > 0.0 };
            self.spaces.entry(bucket(center)).or_default().push(space);
            return;
        }
        let top = TopMap::new(&self.shapes[placed.prop].triangles, placed);
        let (from, to) = (bucket(center - (radius + top.reach)), bucket(center + (radius + top.reach)));
        for cell in (from.0..=to.0).flat_map(|i| (from.1..=to.1).map(move |j| (i, j))) {
            self.near.entry(cell).or_default().push(self.solids.len());
        }
        self.solids.push(Solid { center, radius, top });
    }

    /// Solids whose surroundings hold a circle; each may come more than once.
    fn solids_near(&self, at: Vec2, radius: f32) -> impl Iterator<Item = &Solid> {
        let (from, to) = (bucket(at - (radius + 0.5)), bucket(at + (radius + 0.5)));
        (from.0..=to.0)
            .flat_map(move |i| (from.1..=to.1).map(move |j| (i, j)))
            .filter_map(|cell| self.near.get(&cell))
            .flatten()
            .map(|&i| &self.solids[i])
    }

    /// Height and normal of the highest solid surface or of the ground, and whether it is a solid's.
    fn support(&self, at: Vec2) -> (f32, Vec3, bool) {
        let ground = self.bed.height(at.x, at.y);
        let tops = self.near.get(&bucket(at)).into_iter().flatten().filter_map(|&i| self.solids[i].top.sample(at));
        match tops.max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((height, normal)) if height > ground => (height, normal, true),
            _ => (ground, self.bed.normal(at.x, at.y), false),
        }
    }

    /// How far the support falls off within a radius, at most. Unit: m.
    fn drop(&self, at: Vec2, radius: f32) -> f32 {
        let heights = rim(radius).map(|offset| self.support(at + Vec2::new(offset.x, offset.z)).0);
        self.support(at).0 - heights.fold(f32::MAX, f32::min)
    }

    fn is_free(&self, new: &Space) -> bool {
        let (i, j) = bucket(Vec2::new(new.center.x, new.center.z));
        let others = (i - 1..=i + 1).flat_map(|i| (j - 1..=j + 1).map(move |j| (i, j)));
        // Things far larger than a cell are seldom many: within a cell's reach is near enough.
        others.filter_map(|cell| self.spaces.get(&cell)).flatten().all(|other| {
            // A plant is small beside a coral, but does not grow out of it.
            let taken =
                if new.soft && !other.soft { 0.85 * other.radius } else { 0.5 * other.radius.min(new.radius * 2.0) };
            let least = new.radius + taken;
            other.center.distance_squared(new.center) > least * least
        })
    }
}

/// The upper surface of a placed thing as a height map in world space.
struct TopMap {
    min: Vec2,
    cell: f32,
    width: usize,
    heights: Vec<f32>,
    /// Greatest distance of the map from the middle of the thing, at most. Unit: m.
    reach: f32,
}

impl TopMap {
    fn new(triangles: &[[Vec3; 3]], placed: &Placed) -> Self {
        let world = |p: &Vec3| placed.position + placed.rotation * (*p * placed.scale);
        let triangles: Vec<[Vec3; 3]> = triangles.iter().map(|t| [world(&t[0]), world(&t[1]), world(&t[2])]).collect();
        let flat = |p: &Vec3| Vec2::new(p.x, p.z);
        let (min, max) = triangles
            .iter()
            .flatten()
            .fold((Vec2::MAX, Vec2::MIN), |(low, high), p| (low.min(flat(p)), high.max(flat(p))));
        if triangles.is_empty() {
            return Self { min: Vec2::ZERO, cell: 1.0, width: 0, heights: Vec::new(), reach: 0.0 };
        }
        let extent = max - min;
        let cell = (extent.max_element() / 40.0).max(0.01);
        let (width, depth) = ((extent.x / cell) as usize + 2, (extent.y / cell) as usize + 2);
        let mut heights = vec![f32::NEG_INFINITY; width * depth];
        for [a, b, c] in &triangles {
            let (pa, pb, pc) = (flat(a) - min, flat(b) - min, flat(c) - min);
            let area = (pb - pa).perp_dot(pc - pa);
            if area.abs() < 1e-9 {
                continue;
            }
            let (low, high) = (pa.min(pb).min(pc) / cell, pa.max(pb).max(pc) / cell);
            for j in low.y.ceil() as usize..=(high.y as usize).min(depth - 1) {
                for i in low.x.ceil() as usize..=(high.x as usize).min(width - 1) {
                    let p = Vec2::new(i as f32, j as f32) * cell;
                    let (u, v) = ((pc - pb).perp_dot(p - pb) / area, (pa - pc).perp_dot(p - pc) / area);
                    if u >= -1e-4 && v >= -1e-4 && u + v <= 1.0001 {
                        let height = u * a.y + v * b.y + (1.0 - u - v) * c.y;
                        let best = &mut heights[j * width + i];
                        *best = best.max(height);
                    }
                }
            }
        }
        Self { min, cell, width, heights, reach: 0.5 * extent.length() }
    }

    /// Height and normal above a place, `None` beside the thing.
    fn sample(&self, at: Vec2) -> Option<(f32, Vec3)> {
        let p = (at - self.min) / self.cell;
        if p.x < 0.0 || p.y < 0.0 || self.width == 0 {
            return None;
        }
        let (i, j) = (p.x as usize, p.y as usize);
        if i + 1 >= self.width {
            return None;
        }
        let get = |i: usize, j: usize| self.heights.get(j * self.width + i).copied().filter(|h| h.is_finite());
        let (a, b, c, d) = (get(i, j)?, get(i + 1, j)?, get(i, j + 1)?, get(i + 1, j + 1)?);
        let (u, v) = (p.x.fract(), p.y.fract());
        let height = (a + (b - a) * u) * (1.0 - v) + (c + (d - c) * u) * v;
        let normal = Vec3::new(a - b + c - d, 2.0 * self.cell, a - c + b - d).normalize_or(Vec3::Y);
        Some((height, normal))
    }
}

/// Points on a circle in the ground plane, and its middle.
fn rim(radius: f32) -> impl Iterator<Item = Vec3> {
    let turn = |n: usize| Quat::from_rotation_y(n as f32 / RING as f32 * std::f32::consts::TAU);
    (0..=RING).map(move |n| if n == RING { Vec3::ZERO } else { turn(n) * Vec3::X * radius })
}

fn bucket(at: Vec2) -> (i32, i32) {
    ((at.x / BUCKET_M).floor() as i32, (at.y / BUCKET_M).floor() as i32)
}

fn hash(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(text.as_bytes());
    hash.finish()
}

#[cfg(test)]
mod tests;
