//! The ground as a mesh with its textures, darkened and strewn with rubble round the things on it.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use math::smoothstep;
use view::{GROUND_EDGE_M, SeabedMesh};

use crate::seabed::ground_map::{self, Occluder};
use crate::seabed::shape::{self, Seabed};
use crate::seabed::tiles;

/// Contact of a thing with the ground: its shade and its rubble on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundContact {
    /// Middle of its footprint, x and z. Unit: m.
    pub center: Vec2,
    /// Radius of its footprint. Unit: m.
    pub radius: f32,
    /// Its height, which sets the reach of its shade. Unit: m.
    pub height: f32,
    /// Share of the sky that it hides right beside it. Range 0..=1.
    pub occlusion: f32,
    /// Share of rubble round its foot. Range 0..=1.
    pub rubble: f32,
}

/// The ground as a mesh: fine round the origin, coarse toward the haze; `None` without a ground.
pub fn mesh<'a>(
    bed: &Seabed,
    contacts: &[GroundContact],
    occluders: impl Iterator<Item = Occluder<'a>>,
) -> Option<SeabedMesh> {
    if !bed.present() {
        return None;
    }
    let line = grid_line();
    let points = || line.iter().flat_map(|&z| line.iter().map(move |&x| (x, z)));
    let ((detail, detail_slope), stone) = (tiles::ground_detail(bed.seed(), bed.settings()), tiles::stone(bed.seed()));
    let mut mesh = SeabedMesh {
        positions: points().map(|(x, z)| Vec3::new(x, bed.height(x, z), z)).collect(),
        normals: points().map(|(x, z)| bed.normal(x, z)).collect(),
        rubble: points().map(|(x, z)| bed.rubble(x, z)).collect(),
        ambient_occlusion: vec![1.0; line.len() * line.len()],
        indices: grid_indices(line.len()),
        detail_slope,
        map: Arc::new(ground_map::ground_map(bed, (&detail, &stone), occluders)),
        map_half_m: ground_map::HALF_M,
        heights_m: heights_m(bed),
        detail: Arc::new(detail),
        stone: Arc::new(stone),
    };
    for contact in contacts {
        apply_contact(&mut mesh, &line, contact);
    }
    Some(mesh)
}

/// Makes [`SeabedMesh::heights_m`].
fn heights_m(bed: &Seabed) -> Arc<[f32]> {
    let cell_m = 0.5 * shape::CELL_M;
    let side = (2.0 * ground_map::HALF_M / cell_m) as usize;
    let middle = |cell: usize| (cell as f32 + 0.5) * cell_m - ground_map::HALF_M;
    let cells = (0..side).flat_map(|j| (0..side).map(move |i| (middle(i), middle(j))));
    cells.map(|(x, z)| bed.height(x, z) + bed.settings().depth_m).collect()
}

/// Corners of two triangles for each square of a grid of `side` by `side` points.
fn grid_indices(side: usize) -> Vec<u32> {
    let squares = (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| (j, i)));
    let corners = |(j, i): (usize, usize)| {
        let [a, b] = [j, j + 1].map(|row| (row * side + i) as u32);
        [a, b, a + 1, a + 1, b, b + 1]
    };
    squares.flat_map(corners).collect()
}

/// Coordinates of the mesh's rows and columns: even steps round the origin, then growing ones.
fn grid_line() -> Vec<f32> {
    const STEP_M: f32 = 0.5;
    const EVEN_M: f32 = 8.0;
    const GROWTH: f32 = 1.13;
    let (mut half, mut step) = (vec![0.0_f32], STEP_M);
    while half[half.len() - 1] < GROUND_EDGE_M {
        let last = half[half.len() - 1];
        half.push(last + step);
        if last >= EVEN_M {
            step *= GROWTH;
        }
    }
    half.iter().skip(1).rev().map(|x| -x).chain(half.iter().copied()).collect()
}

/// Darkens the vertices round a thing and strews rubble about its foot.
fn apply_contact(mesh: &mut SeabedMesh, line: &[f32], contact: &GroundContact) {
    // The shade ends where the thing hides less than about a fifth of its half of the sky.
    let reach = contact.radius + 0.2 + 0.5 * contact.height;
    let within = |middle: f32| {
        let from = line.partition_point(|&x| x < middle - reach);
        from..line.partition_point(|&x| x <= middle + reach)
    };
    for j in within(contact.center.y) {
        for i in within(contact.center.x) {
            let vertex = j * line.len() + i;
            let distance = Vec2::new(line[i], line[j]).distance(contact.center);
            // Near the origin the ground map has the shade in finer detail.
            if line[i].abs().max(line[j].abs()) > ground_map::HALF_M - ground_map::EDGE_M {
                let nearness = 1.0 - smoothstep(0.75 * contact.radius, reach, distance);
                mesh.ambient_occlusion[vertex] *= 1.0 - contact.occlusion * nearness * nearness;
            }
            let foot = 1.0 - smoothstep(0.9 * contact.radius, 1.5 * contact.radius + 0.3, distance);
            mesh.rubble[vertex] = mesh.rubble[vertex].max(contact.rubble * foot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeabedSettings;

    fn bed() -> Seabed {
        Seabed::new(&SeabedSettings::default(), 7)
    }

    #[test]
    fn without_a_ground_there_is_no_mesh() {
        let bed = Seabed::new(&SeabedSettings { present: false, ..SeabedSettings::default() }, 1);
        assert!(mesh(&bed, &[], std::iter::empty()).is_none());
    }

    #[test]
    fn the_mesh_is_sound_and_faces_up() {
        let mesh = mesh(&bed(), &[], std::iter::empty()).expect("there is a ground");
        assert!(mesh.indices.len() / 3 <= 60_000, "{} triangles", mesh.indices.len() / 3);
        assert_eq!(mesh.positions.len(), mesh.normals.len());
        assert_eq!(mesh.positions.len(), mesh.rubble.len());
        assert_eq!(mesh.positions.len(), mesh.ambient_occlusion.len());
        for corner in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [corner[0], corner[1], corner[2]].map(|i| mesh.positions[i as usize]);
            assert!((b - a).cross(c - a).y > 0.0);
        }
        assert!(mesh.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-4 && n.y > 0.3));
    }

    #[test]
    fn a_thing_beyond_the_map_darkens_the_ground_it_touches() {
        let contact =
            GroundContact { center: Vec2::new(22.0, -1.0), radius: 1.6, height: 1.0, occlusion: 0.7, rubble: 0.9 };
        let mesh = mesh(&bed(), &[contact], std::iter::empty()).expect("there is a ground");
        let nearest = |x: f32, z: f32| {
            let distance = |p: &Vec3| Vec2::new(p.x, p.z).distance(Vec2::new(x, z));
            let vertices = mesh.positions.iter().enumerate();
            vertices.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).expect("it has vertices").0
        };
        let (beside, afar) = (nearest(22.0, -1.0), nearest(-22.0, 6.0));
        assert!(mesh.ambient_occlusion[beside] < 0.5 && mesh.rubble[beside] >= 0.85);
        assert_eq!(mesh.ambient_occlusion[afar], 1.0);
    }
}
