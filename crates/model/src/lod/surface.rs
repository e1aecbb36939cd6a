//! A mesh whose edges collapse: triangles between *spots*, which are positions, each with the vertices ("wedges") that
//! stand there with different normals or texture coordinates.

use std::collections::HashMap;

use glam::Vec3;

use crate::{Lod, Mesh, Vertex};

/// Triangles that can be taken out, and their neighbours.
pub struct Surface {
    /// Vertices of the mesh; their positions are out of date where a spot was moved.
    pub vertices: Vec<Vertex>,
    /// Position of each spot.
    pub positions: Vec<Vec3>,
    /// Triangles, those taken out too.
    pub triangles: Vec<Triangle>,
    /// Number of triangles that are not taken out.
    pub live: usize,
    /// Spot of each vertex.
    spots: Vec<u32>,
    materials: Vec<usize>,
    /// Triangles round each spot, some that were taken out among them.
    around: Vec<Vec<u32>>,
}

/// A triangle of a [`Surface`].
#[derive(Clone, Copy)]
pub struct Triangle {
    /// Its vertices.
    pub corners: [u32; 3],
    /// Its mesh.
    pub mesh: u32,
    live: bool,
}

impl Surface {
    /// A whole level; triangles without three different corners are dropped.
    pub fn new(level: &Lod) -> Self {
        let (spots, positions) = weld(&level.vertices);
        let mut this = Self {
            vertices: level.vertices.clone(),
            triangles: Vec::with_capacity(level.indices.len() / 3),
            live: 0,
            materials: level.meshes.iter().map(|mesh| mesh.material).collect(),
            around: vec![Vec::new(); positions.len()],
            spots,
            positions,
        };
        for (mesh, range) in level.meshes.iter().enumerate() {
            let indices = &level.indices[range.first as usize..(range.first + range.count) as usize];
            for corners in indices.chunks_exact(3) {
                let corners = [corners[0], corners[1], corners[2]];
                let spots = corners.map(|vertex| this.spots[vertex as usize]);
                let [a, b, c] = spots;
                if a != b && b != c && c != a {
                    let index = this.triangles.len() as u32;
                    spots.into_iter().for_each(|spot| this.around[spot as usize].push(index));
                    this.triangles.push(Triangle { corners, mesh: mesh as u32, live: true });
                }
            }
        }
        this.live = this.triangles.len();
        this
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

    /// Moves the vertices to their spots.
    pub fn settle(&mut self) {
        for (vertex, &spot) in self.vertices.iter_mut().zip(&self.spots) {
            vertex.position = self.positions[spot as usize];
        }
    }

    /// Number of spots.
    pub fn spot_count(&self) -> u32 {
        self.positions.len() as u32
    }

    /// Whether a triangle is not taken out.
    pub fn is_live(&self, triangle: usize) -> bool {
        self.triangles[triangle].live
    }

    /// Spots of a triangle's corners.
    pub fn corner_spots(&self, triangle: usize) -> [u32; 3] {
        self.triangles[triangle].corners.map(|vertex| self.spots[vertex as usize])
    }

    /// Places of a triangle's corners.
    pub fn places(&self, triangle: usize) -> [Vec3; 3] {
        self.corner_spots(triangle).map(|spot| self.positions[spot as usize])
    }

    /// The corner of a triangle that stands on a spot.
    pub fn corner_on(&self, triangle: usize, spot: u32) -> Option<u32> {
        self.triangles[triangle].corners.into_iter().find(|&vertex| self.spots[vertex as usize] == spot)
    }

    /// Triangles round a spot.
    pub fn live_around(&self, spot: u32) -> impl Iterator<Item = usize> {
        self.around[spot as usize].iter().map(|&t| t as usize).filter(|&t| self.triangles[t].live)
    }

    /// Spots that share an edge with one, in order.
    pub fn neighbours(&self, spot: u32) -> Vec<u32> {
        let spots = self.live_around(spot).flat_map(|t| self.corner_spots(t));
        let mut list: Vec<u32> = spots.filter(|&other| other != spot).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Whether the surface stays one if two neighbours are merged: every common neighbour shares a triangle with both
    /// (the link condition, Dey and others 1999).
    pub fn can_merge(&self, from: u32, to: u32) -> bool {
        let between = self.live_around(from).map(|t| self.corner_spots(t)).filter(|spots| spots.contains(&to));
        let mut thirds: Vec<u32> = between.flatten().filter(|&spot| spot != from && spot != to).collect();
        thirds.sort_unstable();
        thirds.dedup();
        let beyond = self.neighbours(to);
        let common = self.neighbours(from).into_iter().filter(|spot| beyond.binary_search(spot).is_ok()).count();
        !thirds.is_empty() && common == thirds.len()
    }

    /// Difference of two neighbours apart from their positions, by the wedges along the edge.
    pub fn change(&self, from: u32, to: u32) -> f64 {
        // Triangles on the edge show which wedges belong together.
        let along = self.live_around(from).filter_map(|t| Some((self.corner_on(t, from)?, self.corner_on(t, to)?)));
        along.map(|(a, b)| difference(&self.vertices[a as usize], &self.vertices[b as usize])).fold(0.0, f64::max)
    }

    /// Takes a triangle out.
    pub fn remove(&mut self, triangle: usize) {
        self.triangles[triangle].live = false;
        self.live -= 1;
    }

    /// Moves the triangles of `from` onto its neighbour `to`, and takes out those that vanish. Returns the wedges of
    /// `from`, each with the wedge of `to` that it was merged into along the edge.
    pub fn merge(&mut self, from: u32, to: u32) -> Vec<(u32, u32)> {
        let mut moved = std::mem::take(&mut self.around[from as usize]);
        moved.retain(|&t| self.triangles[t as usize].live);
        let there: Vec<u32> = self.live_around(to).filter_map(|t| self.corner_on(t, to)).collect();
        // Each wedge of `from` is replaced by its neighbour along the edge, or else by the likest wedge of `to`.
        let partner = |&t: &u32| Some((self.corner_on(t as usize, from)?, self.corner_on(t as usize, to)?));
        let partners: Vec<(u32, u32)> = moved.iter().filter_map(partner).collect();
        for t in moved {
            if self.corner_spots(t as usize).contains(&to) {
                self.remove(t as usize);
                continue;
            }
            let corners = self.triangles[t as usize].corners.map(|vertex| {
                if self.spots[vertex as usize] != from {
                    return vertex;
                }
                let unlike = |v: u32| difference(&self.vertices[vertex as usize], &self.vertices[v as usize]);
                let likest = |x: &u32, y: &u32| unlike(*x).total_cmp(&unlike(*y)).then(x.cmp(y));
                let along = partners.iter().filter(|(a, _)| *a == vertex).map(|&(_, b)| b);
                along.min_by(likest).or_else(|| there.iter().copied().min_by(likest)).unwrap_or(vertex)
            });
            self.triangles[t as usize].corners = corners;
            self.around[to as usize].push(t);
        }
        let triangles = &self.triangles;
        self.around[to as usize].retain(|&t| triangles[t as usize].live);
        partners
    }
}

/// Spot of each vertex, and the spots' positions.
fn weld(vertices: &[Vertex]) -> (Vec<u32>, Vec<Vec3>) {
    let mut known = HashMap::new();
    let mut positions = Vec::new();
    let spots = vertices
        .iter()
        .map(|vertex| {
            // Adding zero makes -0 a 0.
            let bits = vertex.position.to_array().map(|x| (x + 0.0).to_bits());
            *known.entry(bits).or_insert_with(|| {
                positions.push(vertex.position);
                positions.len() as u32 - 1
            })
        })
        .collect();
    (spots, positions)
}

/// Difference of two vertices apart from their positions: 0 alike, about 1 for each of normal, weights, texture and
/// colour.
fn difference(a: &Vertex, b: &Vertex) -> f64 {
    let normal = 0.5 * (1.0 - a.normal.dot(b.normal));
    let weight_of = |vertex: &Vertex, joint: u16| {
        (0..4).filter(|&slot| vertex.joints[slot] == joint).map(|slot| vertex.weights[slot]).sum::<f32>()
    };
    let shared: f32 = if a.joints == b.joints && a.weights == b.weights {
        1.0
    } else {
        (0..4).map(|slot| a.weights[slot].min(weight_of(b, a.joints[slot]))).sum()
    };
    let channels = a.color.iter().zip(&b.color).map(|(a, b)| a.abs_diff(*b));
    f64::from(normal.max(0.0))
        + f64::from((1.0 - shared).max(0.0))
        + f64::from(a.uv.distance(b.uv).min(1.0))
        + f64::from(channels.max().unwrap_or(0)) / 255.0
}
