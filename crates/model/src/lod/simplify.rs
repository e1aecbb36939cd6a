//! Half-edge collapse: a vertex moves onto a neighbour, its two triangles vanish; the cheapest such step first.
//!
//! Vertices only ever move onto existing ones, so normals, texture coordinates and weights stay the author's. The cost
//! of a step is the quadric error of the planes of the triangles, plus planes that stand upright on borders, on rims
//! where a sheet turns back on itself, and on seams, plus a little for each change of normal and weights. Equal input
//! gives equal output.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::quadric::{Quadric, rank};
use super::surface::Surface;
use crate::Lod;

/// Weight of upright planes on borders and rims, against the triangles' own planes.
const BORDER: f64 = 8.0;
/// Weight of upright planes on seams of texture or material.
const SEAM: f64 = 1.0;
/// Cost of a change of normal, weights or texture coordinates, as a share of area times squared length.
const ATTRIBUTES: f64 = 0.02;
/// Cost of length alone, so that flat regions thin out evenly.
const LENGTH: f64 = 1e-4;
/// Least cosine between a triangle's normal before and after a step.
const MIN_TURN: f64 = 0.2;

/// A mesh that loses triangles step by step.
pub struct Simplifier {
    surface: Surface,
    /// Position of each spot, relative to the middle of the mesh.
    positions: Vec<DVec3>,
    quadrics: Vec<Quadric>,
    /// A third of the area of the triangles round each spot.
    areas: Vec<f64>,
    /// Area of all triangles that are left, and the initial one.
    area: f64,
    whole: f64,
    /// Number of changes of the cost of a spot's steps; queued steps of older numbers are void.
    stamps: Vec<u32>,
    queue: BinaryHeap<Reverse<Step>>,
}

/// A step in the queue, ordered by cost, then by spots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    /// [`rank`] of the cost.
    cost: u64,
    from: u32,
    to: u32,
    stamps: [u32; 2],
}

impl Simplifier {
    /// Starts from a whole level.
    pub fn new(full: &Lod) -> Self {
        let surface = Surface::new(full);
        let finite = full.vertices.iter().map(|v| v.position.as_dvec3()).filter(|p| p.is_finite());
        let middle = finite.sum::<DVec3>() / full.vertices.len().max(1) as f64;
        let positions: Vec<DVec3> = surface.positions.iter().map(|p| p.as_dvec3() - middle).collect();
        let mut this = Self {
            quadrics: vec![Quadric::default(); positions.len()],
            areas: vec![0.0; positions.len()],
            area: 0.0,
            whole: 0.0,
            stamps: vec![0; positions.len()],
            queue: BinaryHeap::new(),
            positions,
            surface,
        };
        this.add_planes();
        this.add_upright_planes();
        this.whole = this.area;
        this
    }

    /// Takes steps until at most `target` triangles are left, or no step is possible, or the area is down to the share
    /// `least_area` of the initial one; returns the level that is left.
    pub fn run(&mut self, target: usize, least_area: f64) -> Lod {
        let is_enough = |this: &Self| this.surface.live <= target || this.area <= least_area * this.whole;
        loop {
            let before = self.surface.live;
            self.queue_all();
            while !is_enough(self) {
                let Some(Reverse(step)) = self.queue.pop() else { break };
                let (from, to) = (step.from as usize, step.to as usize);
                if step.stamps == [self.stamps[from], self.stamps[to]] && self.is_possible(step.from, step.to) {
                    self.take(step.from, step.to);
                }
            }
            // Steps once refused may have become possible.
            if is_enough(self) || self.surface.live == before {
                return self.surface.level();
            }
        }
    }

    /// Twice the area times the unit normal.
    fn cross(&self, spots: [u32; 3]) -> DVec3 {
        let [a, b, c] = spots.map(|spot| self.positions[spot as usize]);
        (b - a).cross(c - a)
    }

    fn area_of(&self, triangle: usize) -> f64 {
        0.5 * self.cross(self.surface.corner_spots(triangle)).length()
    }

    fn add_planes(&mut self) {
        for index in 0..self.surface.triangles.len() {
            let spots = self.surface.corner_spots(index);
            let cross = self.cross(spots);
            let Some(normal) = cross.try_normalize() else { continue };
            let area = self.area_of(index);
            let plane = Quadric::plane(self.positions[spots[0] as usize], normal, area);
            for spot in spots {
                self.quadrics[spot as usize].add(&plane);
                self.areas[spot as usize] += area / 3.0;
            }
            self.area += area;
        }
    }

    /// Planes that hold borders, rims and seams in place.
    fn add_upright_planes(&mut self) {
        let mut edges = Vec::with_capacity(3 * self.surface.triangles.len());
        for index in 0..self.surface.triangles.len() {
            let spots = self.surface.corner_spots(index);
            for corner in 0..3 {
                let next = (corner + 1) % 3;
                let [a, b] = [corner, next].map(|c| self.surface.triangles[index].corners[c]);
                let [sa, sb] = [spots[corner], spots[next]];
                let ordered = if sa < sb { (sa, sb, a, b) } else { (sb, sa, b, a) };
                edges.push((ordered.0, ordered.1, index, ordered.2, ordered.3));
            }
        }
        edges.sort_unstable();
        for faces in edges.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            let normal = |face: usize| self.cross(self.surface.corner_spots(faces[face].2)).normalize_or_zero();
            let weight = match *faces {
                [_] => BORDER,
                [x, y] => {
                    let uv = |vertex: u32| self.surface.vertices[vertex as usize].uv;
                    let seam = uv(x.3) != uv(y.3)
                        || uv(x.4) != uv(y.4)
                        || self.surface.triangles[x.2].mesh != self.surface.triangles[y.2].mesh;
                    let rim = BORDER * (-normal(0).dot(normal(1))).max(0.0);
                    rim.max(if seam { SEAM } else { 0.0 })
                }
                _ => 0.0,
            };
            if weight == 0.0 {
                continue;
            }
            let [a, b] = [faces[0].0, faces[0].1];
            let (from, along) = (self.positions[a as usize], self.positions[b as usize] - self.positions[a as usize]);
            for face in faces {
                let normal = self.cross(self.surface.corner_spots(face.2));
                let Some(upright) = along.cross(normal).try_normalize() else { continue };
                let per_face = weight * along.length_squared() / faces.len() as f64;
                let plane = Quadric::plane(from, upright, per_face);
                self.quadrics[a as usize].add(&plane);
                self.quadrics[b as usize].add(&plane);
            }
        }
    }

    fn queue_all(&mut self) {
        self.queue.clear();
        for from in 0..self.surface.spot_count() {
            for to in self.surface.neighbours(from) {
                self.queue_step(from, to);
            }
        }
    }

    fn queue_step(&mut self, from: u32, to: u32) {
        let stamps = [self.stamps[from as usize], self.stamps[to as usize]];
        self.queue.push(Reverse(Step { cost: rank(self.cost(from, to)), from, to, stamps }));
    }

    fn cost(&self, from: u32, to: u32) -> f64 {
        let at = self.positions[to as usize];
        let error = self.quadrics[from as usize].error(at) + self.quadrics[to as usize].error(at);
        let length_squared = at.distance_squared(self.positions[from as usize]);
        let change = self.surface.change(from, to);
        error + self.areas[from as usize] * length_squared * (LENGTH + ATTRIBUTES * change)
    }

    /// Whether the step keeps the surface a surface and turns no triangle over.
    fn is_possible(&self, from: u32, to: u32) -> bool {
        let turns = self.surface.live_around(from).map(|t| self.surface.corner_spots(t)).any(|spots| {
            if spots.contains(&to) {
                return false;
            }
            let before = self.cross(spots);
            let after = self.cross(spots.map(|spot| if spot == from { to } else { spot }));
            before.dot(after) < MIN_TURN * before.length() * after.length() || after.length_squared() == 0.0
        });
        !turns && self.surface.can_merge(from, to)
    }

    fn take(&mut self, from: u32, to: u32) {
        let moved: f64 = self.surface.live_around(from).map(|triangle| self.area_of(triangle)).sum();
        let beside = self.surface.live_around(to).filter(|&t| !self.surface.corner_spots(t).contains(&from));
        let before = moved + beside.map(|triangle| self.area_of(triangle)).sum::<f64>();
        self.surface.merge(from, to);
        let after: f64 = self.surface.live_around(to).map(|triangle| self.area_of(triangle)).sum();
        self.area += after - before;
        let quadric = self.quadrics[from as usize];
        self.quadrics[to as usize].add(&quadric);
        self.areas[to as usize] += self.areas[from as usize];
        self.stamps[from as usize] += 1;
        self.stamps[to as usize] += 1;
        for neighbour in self.surface.neighbours(to) {
            self.queue_step(to, neighbour);
            self.queue_step(neighbour, to);
        }
    }
}
