//! Shapes for far away, of so few triangles that only the outline counts.
//!
//! Edges collapse as in [`simplify`](super::simplify), but the merged vertex goes to the best place, and the cost is
//! the loss in the [`Outlines`] (Lindstrom and Turk 2000 compare pictures likewise); if that is equal, the quadric
//! error decides. Fins are sheets that stand in the body: a root that comes off opens a gap in an outline, one that
//! sinks in costs nothing, and parts that stick out of no outline go first. Equal input gives equal output.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec3;

use super::outlines::{CELLS, Outlines};
use super::quadric::{Quadric, rank};
use super::surface::Surface;
use crate::{Lod, Vertex};

/// Weight of the quadric error, as a share of the area times the squared size, against a share of the outlines.
const SURFACE: f64 = 12.0;
/// Cost of a change of normal, weights or texture coordinates, as a share of area times squared length.
const ATTRIBUTES: f64 = 0.02;
/// Cost of length alone, so that flat regions thin out evenly.
const LENGTH: f64 = 1e-3;
/// Cost of leaving out a triangle that faces up rather than one that faces down, by the cells that it covers from
/// above.
const UPWARD: f32 = 2e-5;
/// Offset of all costs: more than a step can win in the outlines, so that no cost is below 0.
const MAX_WON: f64 = 8.0;
/// Distances by which vertices are moved once a level has its triangles, in turn. Unit: cells.
const STRIDES: [f32; 4] = [4.0, 2.0, 1.0, 0.75];

/// A shape that loses triangles step by step.
pub struct FarShape {
    surface: Surface,
    outlines: Outlines,
    quadrics: Vec<Quadric>,
    /// A third of the area of the triangles round each spot.
    areas: Vec<f64>,
    /// Area times squared size of the whole.
    whole: f64,
    /// Number of changes of the cost of a spot's steps; queued steps of older numbers are void.
    stamps: Vec<u32>,
    queue: BinaryHeap<Reverse<Queued>>,
    form: Form,
}

/// Kind of the resulting shape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A closed body stays closed, as far as possible.
    Body,
    /// Triangles may be left out and turn over: one flank of a flat fish stands for both.
    Sheet,
}

/// A step in the queue, ordered by cost, then by spots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Queued {
    /// [`rank`] of the cost.
    cost: u64,
    step: Step,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// Two neighbours become one.
    Merge { spots: [u32; 2], stamps: [u32; 2] },
    /// A triangle is left out.
    Remove(u32),
}

impl FarShape {
    /// Starts from `level`, which is to look like `full`; `None` if there is nothing to see.
    pub fn new(full: &Lod, level: &Lod) -> Option<Self> {
        let at = |index: u32| full.vertices[index as usize].position;
        let wanted: Vec<[Vec3; 3]> = full.indices.chunks_exact(3).map(|c| [at(c[0]), at(c[1]), at(c[2])]).collect();
        let mut outlines = Outlines::of(&wanted)?;
        let surface = Surface::new(level);
        let count = surface.positions.len();
        let (mut quadrics, mut areas, mut whole) = (vec![Quadric::default(); count], vec![0.0; count], 0.0);
        let size = f64::from(CELLS * outlines.cell());
        for triangle in 0..surface.triangles.len() {
            let places = surface.places(triangle);
            outlines.add(&places);
            let [a, b, c] = places.map(|p| p.as_dvec3());
            let cross = (b - a).cross(c - a);
            let Some(normal) = cross.try_normalize() else { continue };
            let third = cross.length() / 6.0;
            for spot in surface.corner_spots(triangle) {
                quadrics[spot as usize].add(&Quadric::plane(a, normal, third));
                areas[spot as usize] += third;
                whole += third * size * size;
            }
        }
        let (stamps, queue) = (vec![0; count], BinaryHeap::new());
        (whole > 0.0).then_some(Self { surface, outlines, quadrics, areas, whole, stamps, queue, form: Form::Body })
    }

    /// Takes steps until at most `target` triangles are left or no step is possible, then moves the vertices to their
    /// best places; returns the level that is left.
    pub fn run(&mut self, target: usize, form: Form) -> Lod {
        self.form = form;
        loop {
            let before = self.surface.live;
            self.queue_all();
            while self.surface.live > target {
                let Some(Reverse(queued)) = self.queue.pop() else { break };
                self.consider(queued);
            }
            // Steps once refused may have become possible; else a body that cannot stay closed becomes a sheet.
            match self.form {
                _ if self.surface.live <= target => break,
                _ if self.surface.live < before => {}
                Form::Body => self.form = Form::Sheet,
                Form::Sheet => break,
            }
        }
        for stride in STRIDES {
            for spot in 0..self.surface.spot_count() {
                self.seek_place(spot, stride * self.outlines.cell());
            }
        }
        self.surface.settle();
        self.surface.level()
    }

    fn queue_all(&mut self) {
        self.queue.clear();
        for from in 0..self.surface.spot_count() {
            for to in self.surface.neighbours(from).into_iter().filter(|&to| from < to) {
                self.queue_merge(from, to);
            }
        }
        if self.form == Form::Sheet {
            for triangle in 0..self.surface.triangles.len() as u32 {
                self.push(MAX_WON, Step::Remove(triangle));
            }
        }
    }

    fn push(&mut self, cost: f64, step: Step) {
        self.queue.push(Reverse(Queued { cost: rank(cost), step }));
    }

    /// Queues a step at its least possible cost: the loss in the outlines is computed when its turn comes.
    fn queue_merge(&mut self, a: u32, b: u32) {
        let spots = [a.min(b), a.max(b)];
        let change = self.change(spots);
        let stamps = spots.map(|spot| self.stamps[spot as usize]);
        self.push(MAX_WON + 0.5 * self.surface_cost(&change, change.place), Step::Merge { spots, stamps });
    }

    /// Takes a step, unless another has become cheaper since it was queued.
    fn consider(&mut self, queued: Queued) {
        let (cost, place) = match queued.step {
            Step::Merge { spots, stamps } if spots.map(|spot| self.stamps[spot as usize]) == stamps => {
                match self.merge_cost(spots) {
                    Some((cost, place)) => (cost, place),
                    None => return,
                }
            }
            Step::Remove(triangle) if self.surface.is_live(triangle as usize) => {
                (self.removal_cost(triangle as usize), Vec3::ZERO)
            }
            _ => return,
        };
        let rose = rank(cost) > queued.cost;
        if rose && self.queue.peek().is_some_and(|Reverse(next)| rank(cost) > next.cost) {
            self.push(cost, queued.step);
            return;
        }
        match queued.step {
            Step::Merge { spots, .. } => self.merge(spots, place),
            Step::Remove(triangle) => self.remove(triangle as usize),
        }
    }

    /// Change of the surface by a step.
    fn change(&self, [from, to]: [u32; 2]) -> Change {
        let mut quadric = self.quadrics[from as usize];
        quadric.add(&self.quadrics[to as usize]);
        let [a, b] = [from, to].map(|spot| self.surface.positions[spot as usize]);
        let area = self.areas[from as usize] + self.areas[to as usize];
        let place = quadric.least(a.midpoint(b).as_dvec3(), LENGTH * area).as_vec3();
        let unlike = LENGTH + ATTRIBUTES * self.surface.change(from, to);
        Change { quadric, place, unlike: 0.5 * area * f64::from(a.distance_squared(b)) * unlike }
    }

    fn surface_cost(&self, change: &Change, place: Vec3) -> f64 {
        (SURFACE * (change.quadric.error(place.as_dvec3()) + change.unlike) / self.whole).min(1e3)
    }

    /// Cost, per triangle that vanishes, of merging two spots, and the place of the merged spot; `None` if it is not
    /// possible.
    fn merge_cost(&mut self, spots: [u32; 2]) -> Option<(f64, Vec3)> {
        if !self.surface.can_merge(spots[0], spots[1]) {
            return None;
        }
        let change = self.change(spots);
        let [a, b] = spots.map(|spot| self.surface.positions[spot as usize]);
        let affected = self.triangles_round(spots);
        let before = self.outlines.wrong();
        self.take_up(&affected);
        let mut choice: Option<(f64, Vec3, f64)> = None;
        for place in [change.place, a, b, a.midpoint(b)] {
            // If nothing is lost, no other place is better.
            if choice.is_some_and(|(_, _, lost)| lost <= 0.0) {
                break;
            }
            let Some(new) = self.moved(&affected, spots, place) else { continue };
            let lost = self.outlines.wrong_with(&new) - before;
            let gone = (affected.len() - new.len()).max(1) as f64;
            let cost = (MAX_WON + (lost + self.surface_cost(&change, place)) / gone).max(0.0);
            if choice.is_none_or(|(least, ..)| cost < least) {
                choice = Some((cost, place, lost));
            }
        }
        self.lay(&affected);
        choice.map(|(cost, place, _)| (cost, place))
    }

    /// Cost of leaving a triangle out.
    fn removal_cost(&mut self, triangle: usize) -> f64 {
        let before = self.outlines.wrong();
        self.take_up(&[triangle]);
        let lost = self.outlines.wrong() - before;
        self.lay(&[triangle]);
        let [a, b, c] = self.surface.places(triangle).map(|p| p / self.outlines.cell());
        (MAX_WON + lost + f64::from(UPWARD * (b - a).cross(c - a).y.clamp(0.0, 1e3))).max(0.0)
    }

    fn merge(&mut self, [from, to]: [u32; 2], place: Vec3) {
        let affected = self.triangles_round([from, to]);
        self.take_up(&affected);
        let [a, b] = [from, to].map(|spot| self.surface.positions[spot as usize]);
        let share = ((place - b).dot(a - b) / a.distance_squared(b).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let mut partners = self.surface.merge(from, to);
        partners.sort_unstable_by_key(|&(a, b)| (b, a));
        partners.dedup_by_key(|(_, b)| *b);
        for (a, b) in partners {
            self.surface.vertices[b as usize] =
                between(&self.surface.vertices[b as usize], &self.surface.vertices[a as usize], share);
        }
        self.surface.positions[to as usize] = place;
        let quadric = self.quadrics[from as usize];
        self.quadrics[to as usize].add(&quadric);
        self.areas[to as usize] += self.areas[from as usize];
        let left: Vec<usize> = affected.into_iter().filter(|&t| self.surface.is_live(t)).collect();
        self.lay(&left);
        for stride in [2.0, 1.0] {
            self.seek_place(to, stride * self.outlines.cell());
        }
        self.stamps[from as usize] += 1;
        self.queue_anew(to);
    }

    fn remove(&mut self, triangle: usize) {
        self.take_up(&[triangle]);
        self.surface.remove(triangle);
        for spot in self.surface.corner_spots(triangle) {
            self.queue_anew(spot);
        }
    }

    /// Queues the steps of a spot that has changed.
    fn queue_anew(&mut self, spot: u32) {
        self.stamps[spot as usize] += 1;
        for neighbour in self.surface.neighbours(spot) {
            self.queue_merge(spot, neighbour);
        }
    }

    fn triangles_round(&self, [from, to]: [u32; 2]) -> Vec<usize> {
        let mut all: Vec<usize> = self.surface.live_around(from).chain(self.surface.live_around(to)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn lay(&mut self, triangles: &[usize]) {
        triangles.iter().for_each(|&t| self.outlines.add(&self.surface.places(t)));
    }

    fn take_up(&mut self, triangles: &[usize]) {
        triangles.iter().for_each(|&t| self.outlines.remove(&self.surface.places(t)));
    }

    /// Places of triangles with these spots at `place`, without those that vanish; `None` if one turns over and may
    /// not.
    fn moved(&self, triangles: &[usize], spots: [u32; 2], place: Vec3) -> Option<Vec<[Vec3; 3]>> {
        let mut moved = Vec::with_capacity(triangles.len());
        for &triangle in triangles {
            let corners = self.surface.corner_spots(triangle);
            if spots[0] != spots[1] && spots.iter().all(|spot| corners.contains(spot)) {
                continue;
            }
            let old = self.surface.places(triangle);
            let mut new = old;
            for (corner, spot) in new.iter_mut().zip(corners) {
                if spots.contains(&spot) {
                    *corner = place;
                }
            }
            let turns = || self.facing(triangle, &new) <= 0.0 && self.facing(triangle, &old) > 0.0;
            if self.form == Form::Body && turns() {
                return None;
            }
            moved.push(new);
        }
        Some(moved)
    }

    /// Above 0 if a triangle at these places faces the way of its corners' normals.
    fn facing(&self, triangle: usize, [a, b, c]: &[Vec3; 3]) -> f32 {
        let corners = self.surface.triangles[triangle].corners;
        let normals: Vec3 = corners.into_iter().map(|vertex| self.surface.vertices[vertex as usize].normal).sum();
        (b - a).cross(c - a).dot(normals)
    }

    /// Moves a spot along the axes if that reduces the error of outlines and surface.
    fn seek_place(&mut self, spot: u32, stride: f32) {
        let affected: Vec<usize> = self.surface.live_around(spot).collect();
        if affected.is_empty() {
            return;
        }
        let quadric = self.quadrics[spot as usize];
        let whole = self.whole;
        let score = |wrong: f64, p: Vec3| wrong + SURFACE * quadric.error(p.as_dvec3()) / whole;
        let mut place = self.surface.positions[spot as usize];
        let mut least = score(self.outlines.wrong(), place);
        self.take_up(&affected);
        for way in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [-stride * axis, stride * axis]) {
            let Some(new) = self.moved(&affected, [spot; 2], place + way) else { continue };
            let here = score(self.outlines.wrong_with(&new), place + way);
            if here < least {
                (least, place) = (here, place + way);
            }
        }
        self.surface.positions[spot as usize] = place;
        self.lay(&affected);
    }
}

/// Change of the surface by merging two spots.
struct Change {
    quadric: Quadric,
    /// Place of about the least quadric error.
    place: Vec3,
    /// Loss of normals, weights and texture coordinates, as area times squared length.
    unlike: f64,
}

/// The vertex `share` of the way from `a` to `b`; its position is `a`'s.
fn between(a: &Vertex, b: &Vertex, share: f32) -> Vertex {
    let mut weights: Vec<(u16, f32)> = Vec::with_capacity(8);
    for (vertex, part) in [(a, 1.0 - share), (b, share)] {
        for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights).filter(|(_, weight)| **weight > 0.0) {
            match weights.iter_mut().find(|(known, _)| *known == joint) {
                Some((_, sum)) => *sum += part * weight,
                None => weights.push((joint, part * weight)),
            }
        }
    }
    weights.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
    weights.truncate(4);
    let kept: f32 = weights.iter().map(|(_, weight)| weight).sum();
    let channel = |i: usize| (f32::from(a.color[i]) + share * (f32::from(b.color[i]) - f32::from(a.color[i]))) as u8;
    let mut mixed = Vertex { uv: a.uv.lerp(b.uv, share), color: [0, 1, 2].map(channel), ..*a };
    mixed.normal = a.normal.lerp(b.normal, share).normalize_or(a.normal);
    if kept > 0.0 {
        mixed.weights = [0.0; 4];
        for (slot, (joint, weight)) in weights.into_iter().enumerate() {
            (mixed.joints[slot], mixed.weights[slot]) = (joint, weight / kept);
        }
    }
    mixed
}
