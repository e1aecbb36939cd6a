//! Living cover of rock: small colonies on the faces of solid props, by the light that falls on them, in patches; and
//! debris on the apron about their feet.
//!
//! Each rock has its own generator, seeded by the scene, its prop's name and its number: colonies stay when other things
//! change.

use std::collections::HashMap;

use glam::{IVec3, Quat, Vec3};
use math::{Occupied, mix, smoothstep, splitmix64};
use model::{Bounds, Model};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use view::{CoverBatch, CoverPatch, Instance};

use crate::placement::candidate::name_hash;
use crate::placement::prop::{PlacedProp, PropShape};
use crate::seabed::Seabed;
use crate::{CoverGround, CoverSettings, PropSettings};

/// Most colonies of a scene: rocks nearest to a view have theirs first.
const MAX_COLONIES: usize = 48_000;
/// Most colonies that are tried on one rock, however large.
const MAX_TRIES_A_ROCK: usize = 24_000;
/// Height over the ground below which sand scours everything away. Unit: m.
const SCOURED_M: f32 = 0.03;
/// Height over the ground up to which a face belongs to the foot of its rock. Unit: m.
const FOOT_M: f32 = 0.45;
/// Width of the apron as a share of the rock's mean radius, and at most. Unit of the second: m.
const APRON: (f32, f32) = (0.8, 1.5);
/// Side of the cells of rock that keep light from colonies, and the distance within which they do. Unit: m.
const SHADING_M: (f32, f32) = (0.12, 2.5);
/// Share of its light that a colony deep in a cave has left.
const DARKEST: f32 = 0.3;
/// Free space about an eye. Unit: m.
const CLEARANCE_M: f32 = 0.4;
/// Least distance of two colonies as a share of their radii's sum: they touch and overlap.
const APART: f32 = 0.62;
/// Side of the cells in which neighbours are looked for. Unit: m.
const CELL_M: f32 = 0.16;
/// Size of a patch of one kind, of one tint and of a place where little grows. Unit: m.
const PATCH_M: [f32; 3] = [0.55, 0.8, 0.75];
/// Breadth of a patch's uncertain edge, as a share of its size.
const RAGGED: f32 = 0.45;
/// Range of light over which a kind grows thinner beyond the light that suits it.
const DIM: f32 = 0.1;

/// The rock and everything on it.
pub struct Rocks<'a> {
    /// Props in the settings.
    pub props: &'a [PropSettings],
    /// Models of the props, one each.
    pub models: Vec<&'a Model>,
    /// Shapes of the props, one each.
    pub shapes: &'a [PropShape],
    /// Things in their places.
    pub placed: &'a [PlacedProp],
    /// The ground.
    pub bed: &'a Seabed,
    /// Eyes of the scene's views. Unit: m.
    pub eyes: &'a [Vec3],
}

/// A kind of colony with its model.
struct Kind<'a> {
    settings: &'a CoverSettings,
    bounds: Bounds,
    key: u64,
}

/// A colony that has settled, or may.
struct Colony {
    kind: usize,
    at: Vec3,
    normal: Vec3,
    size_m: f32,
    radius_m: f32,
    yaw: f32,
    variation: f32,
    /// Share of the light on it that the rock leaves.
    light: f32,
}

/// A face of a rock in world space.
struct Face {
    corners: [Vec3; 3],
    normal: Vec3,
    area_m2: f32,
    /// Suitability to each kind, and their sum weighted by density. Unit of the sum: 1/m².
    suits: Vec<f32>,
    density: f32,
}

/// Covers the rocks; `models` has the index and the model of each kind.
pub fn cover(kinds: &[CoverSettings], models: &[(usize, &Model)], rocks: &Rocks<'_>, seed: u64) -> Vec<CoverBatch> {
    let kinds: Vec<Kind<'_>> = kinds
        .iter()
        .zip(models)
        .map(|(settings, (_, model))| Kind { settings, bounds: model.bounds, key: name_hash(&settings.name) })
        .collect();
    let mut batches: Vec<CoverBatch> = kinds
        .iter()
        .zip(models)
        .map(|(kind, &(model, _))| {
            let (bounds, sink) = (kind.bounds, kind.settings.sink);
            let ground_line = bounds.min.y + sink * (bounds.max - bounds.min).max_element();
            CoverBatch { model, sway: kind.settings.sway, ground_line, patches: Vec::new() }
        })
        .collect();
    if kinds.is_empty() {
        return batches;
    }
    let mut faces_of: HashMap<usize, Vec<[Vec3; 3]>> = HashMap::new();
    let mut left = MAX_COLONIES;
    for (thing, number) in nearest_first(rocks) {
        let faces = faces_of.entry(thing.prop).or_insert_with(|| stone(rocks.models[thing.prop]));
        let seed = splitmix64(seed ^ name_hash(&rocks.props[thing.prop].name), 0xC0_4E12 ^ number);
        let colonies = settle(&kinds, faces, thing, rocks, seed);
        let colonies = &colonies[..colonies.len().min(left)];
        left -= colonies.len();
        for (index, (kind, batch)) in kinds.iter().zip(&mut batches).enumerate() {
            let of_kind = colonies.iter().filter(|colony| colony.kind == index);
            let instances: Vec<Instance> = of_kind.map(|colony| colony.instance(kind, seed)).collect();
            batch.patches.extend(CoverPatch::of(instances));
        }
        if left == 0 {
            break;
        }
    }
    batches
}

/// Rocks with their number among those of their prop, nearest to a view first.
fn nearest_first<'a>(rocks: &Rocks<'a>) -> Vec<(&'a PlacedProp, u64)> {
    let mut numbers = vec![0; rocks.props.len()];
    let mut found: Vec<(&PlacedProp, u64)> = Vec::new();
    for thing in rocks.placed {
        if rocks.props[thing.prop].is_rock() {
            found.push((thing, numbers[thing.prop]));
            numbers[thing.prop] += 1;
        }
    }
    let away = |thing: &PlacedProp| {
        let (shape, middle) = (&rocks.shapes[thing.prop], thing.to_world(rocks.shapes[thing.prop].bounds.center()));
        let nearest = rocks.eyes.iter().map(|eye| eye.distance(middle)).fold(f32::MAX, f32::min);
        nearest - 0.5 * shape.extent().max_element() * thing.scale
    };
    found.sort_by(|a, b| away(a.0).total_cmp(&away(b.0)));
    found
}

/// Triangles of a model's stone, in model units; of all of it if it has none.
fn stone(model: &Model) -> Vec<[Vec3; 3]> {
    let Some(lod) = model.lods.first() else { return Vec::new() };
    let corner = |&i: &u32| lod.vertices.get(i as usize).map_or(Vec3::ZERO, |v| v.position);
    let of = |is_wanted: &dyn Fn(usize) -> bool| -> Vec<[Vec3; 3]> {
        let meshes = lod.meshes.iter().filter(|mesh| is_wanted(mesh.material));
        meshes
            .flat_map(|mesh| lod.indices[mesh.first as usize..(mesh.first + mesh.count) as usize].chunks_exact(3))
            .map(|c| [corner(&c[0]), corner(&c[1]), corner(&c[2])])
            .collect()
    };
    let faces = of(&|material| model.materials[material].stone);
    if faces.is_empty() { of(&|_| true) } else { faces }
}

/// The colonies of one rock, large ones first.
fn settle(kinds: &[Kind<'_>], faces: &[[Vec3; 3]], thing: &PlacedProp, rocks: &Rocks<'_>, seed: u64) -> Vec<Colony> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let faces = faces.iter().filter_map(|face| Face::new(face.map(|p| thing.to_world(p)), kinds));
    let faces: Vec<Face> = faces.collect();
    let strewn = strewn(kinds, &faces, thing, rocks, splitmix64(seed, 1));
    let mut tried = Vec::new();
    for face in &faces {
        let expected = face.area_m2 * face.density;
        let count = (expected + rng.random::<f32>()) as usize;
        for _ in 0..count {
            tried.extend(Colony::draw(&mut rng, face, kinds, seed));
        }
        if tried.len() > MAX_TRIES_A_ROCK {
            break;
        }
    }
    let guests: Vec<(Vec3, f32)> = rocks
        .placed
        .iter()
        .filter(|other| !rocks.props[other.prop].is_rock())
        .map(|other| {
            let shape = &rocks.shapes[other.prop];
            (other.to_world(shape.foot()), 0.8 * shape.base_radius * other.scale)
        })
        .filter(|(foot, _)| foot.distance(thing.position) < rocks.shapes[thing.prop].extent().length() * thing.scale)
        .collect();
    let is_free = |colony: &Colony| {
        rocks.eyes.iter().all(|eye| eye.distance(colony.at) > CLEARANCE_M + colony.size_m)
            && guests.iter().all(|(foot, radius)| foot.distance(colony.at) > *radius)
    };
    tried.retain(|colony| colony.at.y > rocks.bed.height(colony.at.x, colony.at.z) + SCOURED_M);
    tried.extend(strewn);
    tried.retain(is_free);
    tried.sort_by(|a, b| b.radius_m.total_cmp(&a.radius_m));
    let mut settled = thinned(tried);
    let solid = Occupied::by(faces.iter().map(|face| face.corners), SHADING_M.0);
    for colony in &mut settled {
        colony.light = mix(DARKEST, 1.0, solid.openness(colony.at, colony.normal, SHADING_M.1));
    }
    settled
}

/// Debris on the ground before the faces at the foot of one rock, thinner with the distance.
fn strewn(kinds: &[Kind<'_>], faces: &[Face], thing: &PlacedProp, rocks: &Rocks<'_>, seed: u64) -> Vec<Colony> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let on_apron = |kind: &Kind<'_>| if kind.settings.on == CoverGround::Apron { 1.0 } else { 0.0 };
    let suits: Vec<f32> = kinds.iter().map(on_apron).collect();
    let density: f32 = kinds.iter().zip(&suits).map(|(kind, suits)| kind.settings.density_per_m2 * suits).sum();
    let width_m = (APRON.0 * rocks.shapes[thing.prop].radius() * thing.scale).min(APRON.1);
    let mut found = Vec::new();
    for face in faces {
        let middle = face.corners.iter().sum::<Vec3>() / 3.0;
        let above = middle.y - rocks.bed.height(middle.x, middle.z);
        let Some(outward) = face.normal.with_y(0.0).try_normalize() else { continue };
        if density == 0.0 || !(-0.5 * FOOT_M..FOOT_M).contains(&above) {
            continue;
        }
        // The face stands for a piece of the outline as long as its area over the height of the band.
        let length_m = face.area_m2 * face.normal.with_y(0.0).length() / (1.5 * FOOT_M);
        let expected = length_m * width_m * density;
        let count = (expected + rng.random::<f32>()) as usize;
        for _ in 0..count {
            let (away, aside): (f32, f32) = rng.random();
            let along = Vec3::new(-outward.z, 0.0, outward.x) * (width_m * (aside - 0.5));
            let at = middle + outward * (width_m * away * away) + along;
            let [x, z] = [at.x, at.z];
            let normal = rocks.bed.normal(x, z);
            let at = at.with_y(rocks.bed.height(x, z));
            found.extend(Colony::draw_at(&mut rng, (at, normal), &suits, kinds, seed));
        }
        if found.len() > MAX_TRIES_A_ROCK {
            break;
        }
    }
    found
}

/// Colonies that have room, in their order.
fn thinned(tried: Vec<Colony>) -> Vec<Colony> {
    let largest = tried.first().map_or(0.0, |colony| colony.radius_m);
    let cell = |at: Vec3| (at / CELL_M).floor().as_ivec3();
    let mut taken: HashMap<IVec3, Vec<(Vec3, f32)>> = HashMap::new();
    let mut settled: Vec<Colony> = Vec::new();
    for colony in tried {
        let reach = Vec3::splat(APART * (colony.radius_m + largest));
        let (low, high) = (cell(colony.at - reach), cell(colony.at + reach));
        let near = (low.x..=high.x)
            .flat_map(|x| (low.y..=high.y).flat_map(move |y| (low.z..=high.z).map(move |z| IVec3::new(x, y, z))));
        let is_crowded = near.filter_map(|cell| taken.get(&cell)).flatten().any(|(at, radius)| {
            let least = APART * (radius + colony.radius_m);
            at.distance_squared(colony.at) < least * least
        });
        if !is_crowded {
            taken.entry(cell(colony.at)).or_default().push((colony.at, colony.radius_m));
            settled.push(colony);
        }
    }
    settled
}

impl Face {
    fn new(corners: [Vec3; 3], kinds: &[Kind<'_>]) -> Option<Self> {
        let [a, b, c] = corners;
        let cross = (b - a).cross(c - a);
        let normal = cross.try_normalize()?;
        let light = 0.5 + 0.5 * normal.y;
        let suits: Vec<f32> = kinds
            .iter()
            .map(|kind| {
                let [least, most] = kind.settings.light;
                if kind.settings.on != CoverGround::Rock {
                    return 0.0;
                }
                smoothstep(least - DIM, least + DIM, light) * smoothstep(most + DIM, most - DIM, light)
            })
            .collect();
        let density = kinds.iter().zip(&suits).map(|(kind, suits)| kind.settings.density_per_m2 * suits).sum();
        Some(Self { corners, normal, area_m2: 0.5 * cross.length(), suits, density })
    }
}

impl Colony {
    /// A colony at a random place of a face, unless little grows there.
    fn draw(rng: &mut Pcg64Mcg, face: &Face, kinds: &[Kind<'_>], seed: u64) -> Option<Self> {
        let [u, v]: [f32; 2] = rng.random();
        let [a, b, c] = face.corners;
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        Self::draw_at(rng, (a + (b - a) * u + (c - a) * v, face.normal), &face.suits, kinds, seed)
    }

    /// A colony at a place with its normal, of a kind that it suits, unless little grows there.
    fn draw_at(
        rng: &mut Pcg64Mcg,
        (at, normal): (Vec3, Vec3),
        suits: &[f32],
        kinds: &[Kind<'_>],
        seed: u64,
    ) -> Option<Self> {
        let [chance, size, yaw, variation, bareness]: [f32; 5] = rng.random();
        let ragged = Vec3::from(rng.random::<[f32; 3]>()) - 0.5;
        if patch(at, ragged, PATCH_M[2], seed) < 0.16 && bareness < 0.75 {
            return None;
        }
        let weights = kinds.iter().zip(suits).map(|(kind, suits)| {
            if *suits == 0.0 {
                return 0.0;
            }
            let favour = match patch(at, ragged, PATCH_M[0], seed ^ kind.key) {
                0.72.. => 5.0,
                0.4.. => 0.9,
                _ => 0.12,
            };
            kind.settings.density_per_m2 * suits * favour
        });
        let weights: Vec<f32> = weights.collect();
        let mut goal = chance * weights.iter().sum::<f32>();
        let kind = weights.iter().position(|weight| {
            goal -= weight;
            goal < 0.0
        })?;
        let (settings, bounds) = (kinds[kind].settings, kinds[kind].bounds);
        let [least, most] = settings.size_m;
        // Many are small and few are large.
        let size_m = least + (most - least) * size * size * size.sqrt();
        let extent = bounds.max - bounds.min;
        let radius_m = 0.25 * (extent.x + extent.z) * size_m / extent.max_element().max(1e-4);
        Some(Self { kind, at, normal, size_m, radius_m, yaw, variation, light: 1.0 })
    }

    fn instance(&self, kind: &Kind<'_>, seed: u64) -> Instance {
        /// Spread of brightness, and of warmth, from one to the next.
        const SPREAD: [f32; 2] = [0.22, 0.10];
        let Kind { settings, bounds, key } = kind;
        let up = (self.normal + settings.upright * Vec3::Y).normalize_or(self.normal);
        let rotation = Quat::from_rotation_arc(Vec3::Y, up) * Quat::from_rotation_y(self.yaw * std::f32::consts::TAU);
        let scale = self.size_m / (bounds.max - bounds.min).max_element().max(1e-4);
        let foot = bounds.center().with_y(bounds.min.y);
        let own = |salt: u64| unit(splitmix64(seed ^ salt, u64::from(self.variation.to_bits())));
        let ragged = Vec3::new(own(1), own(2), own(3)) - 0.5;
        let patch = patch(self.at, ragged, PATCH_M[1], seed ^ key.rotate_left(17));
        let tint = settings.tints.get((patch * settings.tints.len() as f32) as usize).copied().unwrap_or([1.0; 3]);
        let [brightness, warmth] = [SPREAD[0] * (2.0 * own(4) - 1.0), SPREAD[1] * (2.0 * own(5) - 1.0)];
        Instance {
            position: self.at - settings.sink * self.size_m * self.normal - rotation * (foot * scale),
            rotation,
            scale,
            tint: Vec3::from(tint) * (self.light * (1.0 + brightness)) * Vec3::new(1.0 + warmth, 1.0, 1.0 - warmth),
            variation: self.variation,
            ..Instance::default()
        }
    }
}

/// Random number in 0..1 that is the same all over a patch; `ragged` (-0.5..0.5) makes its edges uncertain.
fn patch(at: Vec3, ragged: Vec3, size_m: f32, key: u64) -> f32 {
    let cell = (at / size_m + RAGGED * ragged).floor().as_ivec3();
    let mixed = [cell.x, cell.y, cell.z].iter().fold(key, |hash, c| splitmix64(hash, *c as u32 as u64));
    unit(mixed)
}

fn unit(hash: u64) -> f32 {
    (hash >> 40) as f32 / (1u64 << 24) as f32
}
