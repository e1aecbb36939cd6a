//! Half-edge collapse: a vertex moves onto a neighbour, its two triangles vanish; the cheapest such step first.
//!
//! Vertices only ever move onto existing ones, so normals, texture coordinates and weights stay the author's. Steps
//! are taken between *spots*: positions, each with the vertices ("wedges") that stand there with different normals or
//! texture coordinates. The cost of a step is the quadric error of the planes of the triangles, plus planes that stand
//! upright on borders, on rims where a sheet turns back on itself, and on seams, plus a little for each change of
//! normal and weights. Equal input gives equal output.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use glam::DVec3;

use super::quadric::Quadric;
use crate::model::{Lod, Mesh, Vertex};

/// Weight of upright planes on borders and rims, against the triangles' own planes.
const BORDER: f64 = 8.0;
/// Weight of upright planes on seams of texture or material.
const SEAM: f64 = 1.0;
/// Cost of a change of normal, weights or texture coordinates, as a share of area times squared length.
const ATTRIBUTES: f64 = 0.02;
/// Cost of length alone, so that flat regions thin out evenly.
const LENGTH: f64 = 1e-4;
/// Least cosine between a triangle's normal before and after a step.
const LEAST_TURN: f64 = 0.2;

/// A mesh that loses triangles step by step.
pub struct Simplifier<'a> {
    vertices: &'a [Vertex],
    /// Position of each spot, about the middle of the mesh.
    positions: Vec<DVec3>,
    /// Spot of each vertex.
    spots: Vec<u32>,
    triangles: Vec<Triangle>,
    materials: Vec<usize>,
    /// Triangles round each spot, dead ones among them.
    around: Vec<Vec<u32>>,
    quadrics: Vec<Quadric>,
    /// A third of the area of the triangles round each spot.
    areas: Vec<f64>,
    /// Counts what changed the cost of a spot's steps; queued steps of older counts are void.
    stamps: Vec<u32>,
    queue: BinaryHeap<Reverse<Step>>,
    live: usize,
}

#[derive(Clone, Copy)]
struct Triangle {
    corners: [u32; 3],
    mesh: u32,
    live: bool,
}

/// A step in the queue, ordered by cost, then by spots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    /// Bits of a cost that is at least 0: they order as the number does.
    cost: u64,
    from: u32,
    to: u32,
    stamps: [u32; 2],
}

impl<'a> Simplifier<'a> {
    /// Starts from a whole level; triangles without three different corners are dropped.
    pub fn new(full: &'a Lod) -> Self {
        let (spots, positions) = weld(&full.vertices);
        let mut triangles = Vec::with_capacity(full.indices.len() / 3);
        for (mesh, range) in full.meshes.iter().enumerate() {
            let indices = &full.indices[range.first as usize..(range.first + range.count) as usize];
            for corners in indices.chunks_exact(3) {
                let corners = [corners[0], corners[1], corners[2]];
                let [a, b, c] = corners.map(|v| spots[v as usize]);
                if a != b && b != c && c != a {
                    triangles.push(Triangle { corners, mesh: mesh as u32, live: true });
                }
            }
        }
        let mut around = vec![Vec::new(); positions.len()];
        for (index, triangle) in triangles.iter().enumerate() {
            for corner in triangle.corners {
                around[spots[corner as usize] as usize].push(index as u32);
            }
        }
        let mut this = Self {
            vertices: &full.vertices,
            quadrics: vec![Quadric::default(); positions.len()],
            areas: vec![0.0; positions.len()],
            stamps: vec![0; positions.len()],
            live: triangles.len(),
            materials: full.meshes.iter().map(|mesh| mesh.material).collect(),
            queue: BinaryHeap::new(),
            positions,
            spots,
            triangles,
            around,
        };
        this.add_planes();
        this.add_upright_planes();
        this
    }

    /// Takes steps until at most `target` triangles are left or no step is possible; returns how many are left.
    pub fn run(&mut self, target: usize) -> usize {
        loop {
            let before = self.live;
            self.queue_all();
            while self.live > target {
                let Some(Reverse(step)) = self.queue.pop() else { break };
                let (from, to) = (step.from as usize, step.to as usize);
                if step.stamps == [self.stamps[from], self.stamps[to]] && self.is_possible(step.from, step.to) {
                    self.take(step.from, step.to);
                }
            }
            // Steps once refused may have become possible.
            if self.live <= target || self.live == before {
                return self.live;
            }
        }
    }

    /// The triangles that are left, by mesh, with the vertices they use in the order of first use.
    pub fn level(&self) -> Lod {
        let mut lod = Lod::default();
        let mut renumbered = vec![u32::MAX; self.vertices.len()];
        for (mesh, &material) in self.materials.iter().enumerate() {
            let first = lod.indices.len() as u32;
            for triangle in self.triangles.iter().filter(|t| t.live && t.mesh as usize == mesh) {
                for corner in triangle.corners {
                    let slot = &mut renumbered[corner as usize];
                    if *slot == u32::MAX {
                        *slot = lod.vertices.len() as u32;
                        lod.vertices.push(self.vertices[corner as usize]);
                    }
                    lod.indices.push(*slot);
                }
            }
            let count = lod.indices.len() as u32 - first;
            if count > 0 {
                lod.meshes.push(Mesh { first, count, material });
            }
        }
        lod
    }

    fn corner_spots(&self, triangle: usize) -> [u32; 3] {
        self.triangles[triangle].corners.map(|vertex| self.spots[vertex as usize])
    }

    /// Twice the area times the unit normal.
    fn cross(&self, spots: [u32; 3]) -> DVec3 {
        let [a, b, c] = spots.map(|spot| self.positions[spot as usize]);
        (b - a).cross(c - a)
    }

    fn live_around(&self, spot: u32) -> impl Iterator<Item = usize> + '_ {
        self.around[spot as usize].iter().map(|&t| t as usize).filter(|&t| self.triangles[t].live)
    }

    fn neighbours(&self, spot: u32) -> Vec<u32> {
        let mut found: Vec<u32> =
            self.live_around(spot).flat_map(|t| self.corner_spots(t)).filter(|&s| s != spot).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn add_planes(&mut self) {
        for index in 0..self.triangles.len() {
            let spots = self.corner_spots(index);
            let cross = self.cross(spots);
            let Some(normal) = cross.try_normalize() else { continue };
            let area = 0.5 * cross.length();
            let plane = Quadric::plane(self.positions[spots[0] as usize], normal, area);
            for spot in spots {
                self.quadrics[spot as usize].add(&plane);
                self.areas[spot as usize] += area / 3.0;
            }
        }
    }

    /// Planes that hold borders, rims and seams in place.
    fn add_upright_planes(&mut self) {
        let mut edges = Vec::with_capacity(3 * self.triangles.len());
        for index in 0..self.triangles.len() {
            for corner in 0..3 {
                let [a, b] = [corner, (corner + 1) % 3].map(|c| self.triangles[index].corners[c]);
                let [sa, sb] = [a, b].map(|vertex| self.spots[vertex as usize]);
                let ordered = if sa < sb { (sa, sb, a, b) } else { (sb, sa, b, a) };
                edges.push((ordered.0, ordered.1, index, ordered.2, ordered.3));
            }
        }
        edges.sort_unstable();
        for faces in edges.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            let normal = |face: usize| self.cross(self.corner_spots(faces[face].2)).normalize_or_zero();
            let weight = match *faces {
                [_] => BORDER,
                [x, y] => {
                    let uv = |vertex: u32| self.vertices[vertex as usize].uv;
                    let seam = uv(x.3) != uv(y.3)
                        || uv(x.4) != uv(y.4)
                        || self.triangles[x.2].mesh != self.triangles[y.2].mesh;
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
                let normal = self.cross(self.corner_spots(face.2));
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
        for from in 0..self.positions.len() as u32 {
            for to in self.neighbours(from) {
                self.queue_step(from, to);
            }
        }
    }

    fn queue_step(&mut self, from: u32, to: u32) {
        let stamps = [self.stamps[from as usize], self.stamps[to as usize]];
        self.queue.push(Reverse(Step { cost: self.cost(from, to).to_bits(), from, to, stamps }));
    }

    fn cost(&self, from: u32, to: u32) -> f64 {
        let at = self.positions[to as usize];
        let error = self.quadrics[from as usize].error(at) + self.quadrics[to as usize].error(at);
        let length_squared = at.distance_squared(self.positions[from as usize]);
        let mut change = 0.0_f64;
        for triangle in self.live_around(from) {
            // Triangles on the edge show which wedges belong together.
            let corners = self.triangles[triangle].corners;
            let on = |spot: u32| corners.into_iter().find(|&vertex| self.spots[vertex as usize] == spot);
            if let (Some(a), Some(b)) = (on(from), on(to)) {
                change = change.max(difference(&self.vertices[a as usize], &self.vertices[b as usize]));
            }
        }
        error + self.areas[from as usize] * length_squared * (LENGTH + ATTRIBUTES * change)
    }

    /// Whether the step keeps the surface a surface and turns no triangle over.
    fn is_possible(&self, from: u32, to: u32) -> bool {
        let mut thirds = Vec::new();
        for triangle in self.live_around(from) {
            let spots = self.corner_spots(triangle);
            if spots.contains(&to) {
                thirds.extend(spots.into_iter().filter(|&spot| spot != from && spot != to));
                continue;
            }
            let before = self.cross(spots);
            let after = self.cross(spots.map(|spot| if spot == from { to } else { spot }));
            if before.dot(after) < LEAST_TURN * before.length() * after.length() || after.length_squared() == 0.0 {
                return false;
            }
        }
        thirds.sort_unstable();
        thirds.dedup();
        let beyond = self.neighbours(to);
        let common = self.neighbours(from).into_iter().filter(|spot| beyond.binary_search(spot).is_ok()).count();
        !thirds.is_empty() && common == thirds.len()
    }

    fn take(&mut self, from: u32, to: u32) {
        let mut moved = std::mem::take(&mut self.around[from as usize]);
        moved.retain(|&t| self.triangles[t as usize].live);
        let there: Vec<u32> = self
            .live_around(to)
            .flat_map(|t| self.triangles[t].corners)
            .filter(|&vertex| self.spots[vertex as usize] == to)
            .collect();
        // Which wedge of `to` takes the place of each wedge of `from`: its neighbour along the edge, or the likest.
        let mut partners: Vec<(u32, u32)> = Vec::new();
        for &t in &moved {
            let corners = self.triangles[t as usize].corners;
            let on = |spot: u32| corners.into_iter().find(|&vertex| self.spots[vertex as usize] == spot);
            if let (Some(a), Some(b)) = (on(from), on(to)) {
                partners.push((a, b));
            }
        }
        for &t in &moved {
            let triangle = self.triangles[t as usize];
            if self.corner_spots(t as usize).contains(&to) {
                self.triangles[t as usize].live = false;
                self.live -= 1;
                continue;
            }
            let corners = triangle.corners.map(|vertex| {
                if self.spots[vertex as usize] != from {
                    return vertex;
                }
                let wedge = &self.vertices[vertex as usize];
                let along = partners.iter().filter(|(a, _)| *a == vertex).map(|&(_, b)| b);
                let likest = |choice: &mut dyn Iterator<Item = u32>| {
                    choice.min_by(|&x, &y| {
                        let unlike = |v: u32| difference(wedge, &self.vertices[v as usize]);
                        unlike(x).total_cmp(&unlike(y)).then(x.cmp(&y))
                    })
                };
                likest(&mut along.into_iter()).or_else(|| likest(&mut there.iter().copied())).unwrap_or(vertex)
            });
            self.triangles[t as usize].corners = corners;
            self.around[to as usize].push(t);
        }
        let quadric = self.quadrics[from as usize];
        self.quadrics[to as usize].add(&quadric);
        self.areas[to as usize] += self.areas[from as usize];
        self.stamps[from as usize] += 1;
        self.stamps[to as usize] += 1;
        let triangles = &self.triangles;
        self.around[to as usize].retain(|&t| triangles[t as usize].live);
        for neighbour in self.neighbours(to) {
            self.queue_step(to, neighbour);
            self.queue_step(neighbour, to);
        }
    }
}

/// Spot of each vertex, and the spots' positions about their middle.
fn weld(vertices: &[Vertex]) -> (Vec<u32>, Vec<DVec3>) {
    let finite = vertices.iter().map(|v| v.position.as_dvec3()).filter(|p| p.is_finite());
    let middle = finite.sum::<DVec3>() / vertices.len().max(1) as f64;
    let mut known = HashMap::new();
    let mut positions = Vec::new();
    let spots = vertices
        .iter()
        .map(|vertex| {
            // Adding zero makes -0 a 0.
            let bits = vertex.position.to_array().map(|x| (x + 0.0).to_bits());
            *known.entry(bits).or_insert_with(|| {
                positions.push(vertex.position.as_dvec3() - middle);
                positions.len() as u32 - 1
            })
        })
        .collect();
    (spots, positions)
}

/// How unlike two vertices are apart from their positions: 0 alike, about 1 for each of normal, weights and texture.
fn difference(a: &Vertex, b: &Vertex) -> f64 {
    let normal = 0.5 * (1.0 - a.normal.dot(b.normal));
    let weight_of = |vertex: &Vertex, joint: u8| {
        (0..4).filter(|&slot| vertex.joints[slot] == joint).map(|slot| vertex.weights[slot]).sum::<f32>()
    };
    let shared: f32 = if a.joints == b.joints && a.weights == b.weights {
        1.0
    } else {
        (0..4).map(|slot| a.weights[slot].min(weight_of(b, a.joints[slot]))).sum()
    };
    f64::from(normal.max(0.0)) + f64::from((1.0 - shared).max(0.0)) + f64::from(a.uv.distance(b.uv).min(1.0))
}
