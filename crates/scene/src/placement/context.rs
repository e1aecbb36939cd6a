//! The ground with the things placed so far: whether there is room for another one, and its position and rotation.

use std::collections::HashMap;

use glam::{Quat, Vec2, Vec3};

use crate::placement::candidate::Candidate;
use crate::placement::prop::{PlacedProp, PropShape};
use crate::placement::upper_surface::UpperSurface;
use crate::seabed::Seabed;
use crate::{PropSettings, Substrate};

/// Points round a footprint at which the ground is sampled.
const RIM_POINTS: usize = 16;
/// Share of the area of what sways on rock that must stand clear of it: it has grown out into the current.
const CLEAR: f32 = 0.96;
/// Share of the radius of its base that such a thing holds on with.
const HOLDFAST: f32 = 0.3;
/// Turns that are tried to bring it clear, degrees, and ways by which it may be moved besides, m.
const TURNS_DEG: [f32; 12] = [0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0, 150.0, -150.0, 180.0];
const MOVES_M: [f32; 5] = [0.0, 0.15, 0.3, 0.45, 0.6];
/// Number of its triangles that are looked at.
const LOOKED_AT: usize = 300;
/// Side of the cells of the look-up grids. Unit: m.
const CELL_M: f32 = 2.0;

/// The ground and the things placed so far.
pub struct PlacementContext<'a> {
    bed: &'a Seabed,
    /// One for each prop.
    shapes: &'a [PropShape],
    solids: Vec<Solid>,
    /// Indices of the solids that reach into each cell.
    solids_by_cell: HashMap<(i32, i32), Vec<usize>>,
    /// Everything else placed, by the cell of its middle.
    others_by_cell: HashMap<(i32, i32), Vec<OccupiedSphere>>,
}

/// Space taken up by a thing that is not solid.
#[derive(Clone, Copy)]
struct OccupiedSphere {
    center: Vec3,
    radius: f32,
    /// Whether it is a plant, with which others may mingle.
    soft: bool,
}

/// A solid thing in its place.
struct Solid {
    center: Vec2,
    radius: f32,
    top: UpperSurface,
}

/// Support below a place: the highest solid surface, or the ground.
struct Support {
    height: f32,
    normal: Vec3,
    on_rock: bool,
}

impl<'a> PlacementContext<'a> {
    /// A bare ground; `shapes` has one entry for each prop.
    pub fn new(bed: &'a Seabed, shapes: &'a [PropShape]) -> Self {
        Self { bed, shapes, solids: Vec::new(), solids_by_cell: HashMap::new(), others_by_cell: HashMap::new() }
    }

    /// Whether a thing of the prop at `index` may stand at a candidate place.
    pub fn admits(&self, index: usize, prop: &PropSettings, candidate: &Candidate) -> bool {
        let shape = &self.shapes[index];
        let at = Vec2::new(candidate.x, candidate.z);
        let scale = candidate.size_m / shape.extent().max_element();
        let radius = shape.radius() * scale;
        let gap = |solid: &Solid| solid.center.distance(at) - solid.radius - radius;
        let nearest = self.solids_near(at, radius).map(gap).fold(f32::MAX, f32::min);
        if prop.is_rock() {
            return nearest > 0.0;
        }
        let Support { height, normal, on_rock } = self.support(at);
        let rubble = || self.bed.rubble(at.x, at.y);
        let stands_well = match prop.on {
            Substrate::Sand => !on_rock && nearest > 0.1 && normal.y > 0.85 && rubble() < 0.5,
            Substrate::Any => !on_rock && nearest > -0.5 * radius,
            Substrate::Rock if on_rock => {
                normal.y > 0.5 && self.drop(at, shape.base_radius * scale) < 0.3 * candidate.size_m
            }
            // Right beside rock, or among rubble where there is no rock at all.
            Substrate::Rock => (candidate.beside_rock && nearest < 0.4) || (self.solids.is_empty() && rubble() > 0.5),
        };
        // Plants may mingle, corals and sponges may not.
        let soft = prop.sway > 0.0;
        let share = if soft { 0.35 } else { 0.8 };
        stands_well
            && self.is_free(&OccupiedSphere { center: Vec3::new(at.x, height, at.y), radius: share * radius, soft })
            && (!self.must_be_clear(index, prop) || self.clearest(index, prop, candidate, CLEAR).is_some())
    }

    /// Whether a thing of the prop at `index` must not stick in rock.
    fn must_be_clear(&self, index: usize, prop: &PropSettings) -> bool {
        prop.on == Substrate::Rock && prop.sway > 0.0 && !self.shapes[index].triangles.is_empty()
    }

    /// Returns the first stand near a candidate's that is clear of rock, or else the clearest of which at least the share `least`
    /// is outside: turned first, then moved too.
    fn clearest(&self, index: usize, prop: &PropSettings, candidate: &Candidate, mut least: f32) -> Option<PlacedProp> {
        let stands = MOVES_M.into_iter().flat_map(|by_m| {
            let ways = if by_m == 0.0 { 1 } else { 8 };
            (0..ways).flat_map(move |way| {
                let by = by_m * Vec2::from_angle(way as f32 / 8.0 * std::f32::consts::TAU);
                TURNS_DEG.map(|turn_deg| Candidate {
                    x: candidate.x + by.x,
                    z: candidate.z + by.y,
                    yaw: candidate.yaw + turn_deg.to_radians(),
                    ..*candidate
                })
            })
        });
        let mut best = None;
        for stand in stands {
            let placed = self.stand(index, prop, &stand);
            match self.share_outside(&placed, least) {
                Some(share) if share >= CLEAR => return Some(placed),
                Some(share) if share > least || best.is_none() => {
                    best = Some(placed);
                    least = share;
                }
                _ => {}
            }
        }
        best
    }

    /// Share of a thing's area that is outside all rock, if it is at least `least`: most stands are given up after a few
    /// triangles. Below an overhang counts as inside.
    fn share_outside(&self, placed: &PlacedProp, least: f32) -> Option<f32> {
        let triangles = &self.shapes[placed.prop].triangles;
        let looked_at = || triangles.iter().step_by((triangles.len() / LOOKED_AT).max(1));
        let area = |[a, b, c]: &[Vec3; 3]| (b - a).cross(c - a).length();
        let whole = looked_at().map(area).sum::<f32>().max(1e-9);
        let mut inside = 0.0;
        for triangle in looked_at() {
            let p = placed.to_world(triangle.iter().sum::<Vec3>() / 3.0);
            let at = Vec2::new(p.x, p.z);
            let mut solids = self.solids_by_cell.get(&cell(at)).into_iter().flatten();
            if solids.any(|&i| self.solids[i].top.sample(at).is_some_and(|(height, _)| height > p.y)) {
                inside += area(triangle);
                if inside > (1.0 - least) * whole {
                    return None;
                }
            }
        }
        Some(1.0 - inside / whole)
    }

    /// Puts a thing of the prop at `index` on the support below it; what sways on rock is turned, and moved if it must be,
    /// until it is clear of the rock.
    pub fn place(&mut self, index: usize, prop: &PropSettings, candidate: &Candidate) -> PlacedProp {
        let clear = self.must_be_clear(index, prop).then(|| self.clearest(index, prop, candidate, 0.0)).flatten();
        let placed = clear.unwrap_or_else(|| self.stand(index, prop, candidate));
        let shape = &self.shapes[index];
        let base = placed.to_world(shape.foot());
        self.add(&placed, prop, base, shape.radius() * placed.scale);
        placed
    }

    /// Returns a thing of the prop at `index` on the support below a candidate place.
    fn stand(&self, index: usize, prop: &PropSettings, candidate: &Candidate) -> PlacedProp {
        let shape = &self.shapes[index];
        let scale = candidate.size_m / shape.extent().max_element();
        let at = Vec2::new(candidate.x, candidate.z);
        let normal = if prop.is_rock() { self.bed.normal(at.x, at.y) } else { self.support(at).normal };
        // Share of the ground's tilt that it follows: rocks nearly all of it, plants hardly any.
        let follow = match (prop.is_rock(), prop.sway > 0.0) {
            (true, _) => 0.8,
            (_, true) => 0.2,
            _ => 0.45,
        };
        let lean = Vec3::new(candidate.lean.x, 0.0, candidate.lean.y);
        let up = (Vec3::Y.lerp(normal, follow) + lean).normalize_or(Vec3::Y);
        let rotation = Quat::from_rotation_arc(Vec3::Y, up) * Quat::from_rotation_y(candidate.yaw);

        // Down to the lowest ground under the rim of the foot, so that no side hangs in the water.
        let held_by = if self.must_be_clear(index, prop) { HOLDFAST } else { 1.0 };
        let lowest = rim(held_by * shape.base_radius * scale)
            .map(|offset| {
                let offset = rotation * offset;
                let below = at + Vec2::new(offset.x, offset.z);
                let ground = self.bed.height(below.x, below.y);
                let ground = if prop.is_rock() { ground } else { self.support(below).height.max(ground) };
                ground - offset.y
            })
            .fold(f32::MAX, f32::min);
        let base = Vec3::new(at.x, lowest - prop.sink * candidate.size_m, at.y);
        let position = base - rotation * (shape.foot() * scale);
        PlacedProp { prop: index, position, rotation, scale, by_hand: false }
    }

    fn add(&mut self, placed: &PlacedProp, prop: &PropSettings, base: Vec3, radius: f32) {
        let center = Vec2::new(base.x, base.z);
        if !prop.is_rock() {
            let sphere = OccupiedSphere { center: base, radius, soft: prop.sway > 0.0 };
            self.others_by_cell.entry(cell(center)).or_default().push(sphere);
            return;
        }
        let triangles = &self.shapes[placed.prop].triangles;
        let triangles: Vec<[Vec3; 3]> = triangles.iter().map(|corners| corners.map(|p| placed.to_world(p))).collect();
        let top = UpperSurface::new(&triangles);
        for cell in cells(center, radius + top.reach()) {
            self.solids_by_cell.entry(cell).or_default().push(self.solids.len());
        }
        self.solids.push(Solid { center, radius, top });
    }

    /// Solids near a circle; the same one may come more than once.
    fn solids_near(&self, at: Vec2, radius: f32) -> impl Iterator<Item = &Solid> {
        let indices = cells(at, radius + 0.5).filter_map(|cell| self.solids_by_cell.get(&cell)).flatten();
        indices.map(|&i| &self.solids[i])
    }

    fn support(&self, at: Vec2) -> Support {
        let ground = self.bed.height(at.x, at.y);
        let solids = self.solids_by_cell.get(&cell(at)).into_iter().flatten();
        let tops = solids.filter_map(|&i| self.solids[i].top.sample(at));
        match tops.max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((height, normal)) if height > ground => Support { height, normal, on_rock: true },
            _ => Support { height: ground, normal: self.bed.normal(at.x, at.y), on_rock: false },
        }
    }

    /// Greatest fall of the support within a radius. Unit: m.
    fn drop(&self, at: Vec2, radius: f32) -> f32 {
        let heights = rim(radius).map(|offset| self.support(at + Vec2::new(offset.x, offset.z)).height);
        self.support(at).height - heights.fold(f32::MAX, f32::min)
    }

    fn is_free(&self, new: &OccupiedSphere) -> bool {
        // Things far larger than a cell are few: a search within one cell's size is enough.
        let others = cells(Vec2::new(new.center.x, new.center.z), CELL_M);
        others.filter_map(|cell| self.others_by_cell.get(&cell)).flatten().all(|other| {
            // A plant is small beside a coral, but does not grow out of it.
            let taken =
                if new.soft && !other.soft { 0.85 * other.radius } else { 0.5 * other.radius.min(new.radius * 2.0) };
            let least = new.radius + taken;
            other.center.distance_squared(new.center) > least * least
        })
    }
}

/// Points on a circle in the ground plane, and its middle.
fn rim(radius: f32) -> impl Iterator<Item = Vec3> {
    let turn = |n: usize| Quat::from_rotation_y(n as f32 / RIM_POINTS as f32 * std::f32::consts::TAU);
    (0..=RIM_POINTS).map(move |n| if n == RIM_POINTS { Vec3::ZERO } else { turn(n) * Vec3::X * radius })
}

fn cell(at: Vec2) -> (i32, i32) {
    ((at.x / CELL_M).floor() as i32, (at.y / CELL_M).floor() as i32)
}

/// The cells that a square of half side `reach` touches.
fn cells(at: Vec2, reach: f32) -> impl Iterator<Item = (i32, i32)> {
    let (from, to) = (cell(at - reach), cell(at + reach));
    (from.0..=to.0).flat_map(move |i| (from.1..=to.1).map(move |j| (i, j)))
}
