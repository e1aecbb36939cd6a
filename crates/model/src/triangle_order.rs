//! Order of triangles and vertices that suits caches.

use crate::Lod;

/// Assumed size of the cache of shaded vertices.
const CACHE: usize = 32;

/// Reorders the triangles of each mesh so that a vertex is used again soon, and the vertices by first use; those in no
/// triangle are left out. Meshes whose material meets `keeps_order` keep the order of their triangles, which is seen if
/// one shows through another.
///
/// Equal input gives equal levels.
///
/// # Panics
/// If an index has no vertex, or a mesh no indices: a caller's bug.
pub fn ordered(lod: &Lod, keeps_order: impl Fn(usize) -> bool) -> Lod {
    let mut indices = lod.indices.clone();
    for mesh in lod.meshes.iter().filter(|mesh| !keeps_order(mesh.material)) {
        let range = mesh.first as usize..(mesh.first + mesh.count) as usize;
        let order = Tipsify::new(&lod.indices[range.clone()], lod.vertices.len()).order();
        let (corners, _) = lod.indices[range.clone()].as_chunks::<3>();
        let reordered = order.into_iter().flat_map(|triangle| corners[triangle as usize]);
        indices[range].iter_mut().zip(reordered).for_each(|(slot, index)| *slot = index);
    }
    let mut numbers = vec![u32::MAX; lod.vertices.len()];
    let mut vertices = Vec::with_capacity(lod.vertices.len());
    for index in &mut indices {
        let number = &mut numbers[*index as usize];
        if *number == u32::MAX {
            *number = vertices.len() as u32;
            vertices.push(lod.vertices[*index as usize]);
        }
        *index = *number;
    }
    Lod { vertices, indices, ..lod.clone() }
}

/// Fans round one vertex after another, each near the end of its stay in the cache: Sander, Nehab and Barczak, "Fast
/// triangle reordering for vertex locality and reduced overdraw", SIGGRAPH 2007.
struct Tipsify<'a> {
    corners: &'a [[u32; 3]],
    /// Triangles round each vertex: those of vertex v lie at `starts[v]..starts[v + 1]`.
    round: Vec<u32>,
    starts: Vec<u32>,
    /// Triangles round each vertex that are still to come.
    left: Vec<u32>,
    /// Time at which each vertex last came into the cache, counted in vertices that come in.
    since: Vec<usize>,
    now: usize,
    /// Vertices seen, the last one on top, from which to go on after a dead end.
    seen: Vec<u32>,
    /// The first vertex that has not been considered as a new start.
    next: u32,
}

impl<'a> Tipsify<'a> {
    fn new(indices: &'a [u32], vertices: usize) -> Self {
        let (corners, _) = indices.as_chunks::<3>();
        let mut left = vec![0; vertices];
        corners.as_flattened().iter().for_each(|&vertex| left[vertex as usize] += 1);
        let mut starts = vec![0; vertices + 1];
        for (vertex, count) in left.iter().enumerate() {
            starts[vertex + 1] = starts[vertex] + count;
        }
        let mut filled = starts.clone();
        let mut round = vec![0; corners.as_flattened().len()];
        for (triangle, corners) in (0..).zip(corners) {
            for &vertex in corners {
                let slot = &mut filled[vertex as usize];
                round[*slot as usize] = triangle;
                *slot += 1;
            }
        }
        let since = vec![0; vertices];
        Self { corners, round, starts, left, since, now: CACHE + 1, seen: Vec::new(), next: 0 }
    }

    /// The numbers of the triangles in their new order.
    fn order(mut self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.corners.len());
        let mut is_placed = vec![false; self.corners.len()];
        let mut fan = self.after_dead_end();
        while let Some(vertex) = fan {
            let first_seen = self.seen.len();
            for slot in self.starts[vertex as usize]..self.starts[vertex as usize + 1] {
                let triangle = self.round[slot as usize];
                if std::mem::replace(&mut is_placed[triangle as usize], true) {
                    continue;
                }
                order.push(triangle);
                for &corner in &self.corners[triangle as usize] {
                    self.seen.push(corner);
                    let corner = corner as usize;
                    self.left[corner] -= 1;
                    if self.now - self.since[corner] > CACHE {
                        self.since[corner] = self.now;
                        self.now += 1;
                    }
                }
            }
            fan = self.oldest_that_stays(first_seen).or_else(|| self.after_dead_end());
        }
        order
    }

    /// The vertex seen since `first` that has been longest in the cache and will be there until its fan is done; else
    /// any with triangles left.
    fn oldest_that_stays(&self, first: usize) -> Option<u32> {
        let open = self.seen[first..].iter().filter(|&&vertex| self.left[vertex as usize] > 0);
        let age = |&&vertex: &&u32| {
            let age = self.now - self.since[vertex as usize];
            let stays = age + 2 * self.left[vertex as usize] as usize <= CACHE;
            if stays { age } else { 0 }
        };
        open.rev().max_by_key(age).copied()
    }

    /// The last vertex seen with triangles left, else the first of all.
    fn after_dead_end(&mut self) -> Option<u32> {
        while let Some(vertex) = self.seen.pop() {
            if self.left[vertex as usize] > 0 {
                return Some(vertex);
            }
        }
        while (self.next as usize) < self.left.len() {
            self.next += 1;
            if self.left[self.next as usize - 1] > 0 {
                return Some(self.next - 1);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use glam::{Vec2, Vec3};

    use super::*;
    use crate::{Mesh, Vertex};

    /// Shaded vertices per triangle with a cache of [`CACHE`] that forgets the oldest.
    fn shaded_a_triangle(indices: &[u32]) -> f32 {
        let (mut cache, mut shaded) = (VecDeque::new(), 0);
        for index in indices {
            if !cache.contains(index) {
                shaded += 1;
                cache.push_back(*index);
                if cache.len() > CACHE {
                    cache.pop_front();
                }
            }
        }
        shaded as f32 / (indices.len() / 3) as f32
    }

    /// Two meshes: a plane of `side` x `side` quads in rows, and one whose triangles lie far apart. A vertex is unused.
    fn level(side: u32) -> Lod {
        let mut indices = Vec::new();
        let at = |x: u32, y: u32| y * (side + 1) + x;
        for (x, y) in (0..side * side).map(|i| (i % side, i / side)) {
            indices.extend([at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y), at(x + 1, y + 1), at(x, y + 1)]);
        }
        let plane = indices.len() as u32;
        // Order in steps of 7919, which is a prime.
        let scattered: Vec<u32> =
            (0..plane / 3).flat_map(|i| (0..3).map(move |c| (i * 7919 % (plane / 3)) * 3 + c)).collect();
        let scattered: Vec<u32> = scattered.into_iter().map(|i| indices[i as usize]).collect();
        indices.extend(scattered);
        let vertex = |i| Vertex {
            position: Vec3::X * i as f32,
            normal: Vec3::Y,
            uv: Vec2::ZERO,
            joints: [0; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
            morph_row: 0,
            color: Vertex::WHITE,
        };
        Lod {
            vertices: (0..(side + 1) * (side + 1) + 1).map(vertex).collect(),
            indices,
            meshes: vec![
                Mesh { first: 0, count: plane, material: 0 },
                Mesh { first: plane, count: plane, material: 1 },
            ],
            ..Lod::default()
        }
    }

    /// The triangles of a mesh by their corners' places, each from its least corner on: turned round, never over.
    fn triangles(lod: &Lod, mesh: usize) -> Vec<[u32; 3]> {
        let Mesh { first, count, .. } = lod.meshes[mesh];
        let (corners, _) = lod.indices[first as usize..(first + count) as usize].as_chunks::<3>();
        let place = |index: u32| lod.vertices[index as usize].position.x as u32;
        let turned = |corners: &[u32; 3]| {
            let mut corners = corners.map(place);
            let least = (0..3).min_by_key(|&corner| corners[corner]).unwrap_or(0);
            corners.rotate_left(least);
            corners
        };
        corners.iter().map(turned).collect()
    }

    fn sorted(mut triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn a_vertex_is_used_again_while_it_is_in_the_cache() {
        let before = level(60);
        let after = ordered(&before, |_| false);
        for (mesh, at_least_before) in [(0, 1.0), (1, 2.0)] {
            let range = |lod: &Lod| {
                let Mesh { first, count, .. } = lod.meshes[mesh];
                shaded_a_triangle(&lod.indices[first as usize..(first + count) as usize])
            };
            let (before, after) = (range(&before), range(&after));
            assert!(before > at_least_before && after < 0.75, "mesh {mesh}: {before} before, {after} after");
        }
    }

    #[test]
    fn each_mesh_has_the_triangles_it_had() {
        let before = level(12);
        let after = ordered(&before, |material| material == 1);
        assert_eq!(after.meshes, before.meshes);
        assert_ne!(triangles(&after, 0), triangles(&before, 0));
        assert_eq!(sorted(triangles(&after, 0)), sorted(triangles(&before, 0)));
        assert_eq!(triangles(&after, 1), triangles(&before, 1), "its order is kept");
        assert_eq!(after.indices, ordered(&before, |material| material == 1).indices, "the same again");
    }

    #[test]
    fn vertices_are_in_the_order_of_first_use() {
        let before = level(12);
        let after = ordered(&before, |_| false);
        assert_eq!(after.vertices.len(), before.vertices.len() - 1, "one is in no triangle");
        let mut next = 0;
        for &index in &after.indices {
            assert!(index <= next, "{index} before {next}");
            next = next.max(index + 1);
        }
    }

    #[test]
    fn what_is_degenerate_or_empty_does_no_harm() {
        assert_eq!(ordered(&Lod::default(), |_| false).indices, [0; 0]);
        let mut flat = level(3);
        flat.indices[..6].copy_from_slice(&[4, 4, 4, 1, 2, 1]);
        assert_eq!(sorted(triangles(&ordered(&flat, |_| false), 0)), sorted(triangles(&flat, 0)));
    }
}
