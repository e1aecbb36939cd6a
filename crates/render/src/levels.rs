//! Levels of detail as they are drawn: few draws, and colours that few vertices can carry.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use model::{Lod, Material, Mesh, Vertex};

use crate::material_maps::{TextureSet, WHITE};

/// The meshes of a level of detail below the finest, joined where they share a texture: at that size a fin need not be
/// drawn apart from its skin, and each draw costs. New materials that join several are added to `materials`. Those seen
/// from both sides are joined with those that are not if they `may_turn`: morphs have no deltas for the other side.
///
/// `areas` are those of the materials in the finest level: a mesh joined of several has the properties of the largest, that
/// of a body and not of its fins, whatever few triangles are left of each.
pub fn joined(
    (lod, areas): (&Lod, &[f32]),
    may_turn: bool,
    materials: &mut Vec<Material>,
    textures: &mut Vec<TextureSet>,
) -> Lod {
    let mut joined = Lod { indices: Vec::with_capacity(lod.indices.len()), meshes: Vec::new(), ..lod.clone() };
    let mut left: Vec<&Mesh> = lod.meshes.iter().collect();
    while let Some(&first) = left.first() {
        // Normals are followed at the finest level alone.
        let seen = |mesh: &Mesh| TextureSet { normals: None, ..textures[mesh.material] };
        let texture = seen(first);
        let is_two_sided = |mesh: &Mesh| lod.two_sided || materials[mesh.material].two_sided;
        let (same, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|mesh| {
            seen(mesh) == texture
                // A mesh without a texture has nothing but its colour.
                && (texture.albedo != WHITE || materials[mesh.material].base_color == materials[first.material].base_color)
                && materials[mesh.material].is_transparent() == materials[first.material].is_transparent()
                // The alpha of stone is no coverage: a cutout would cut holes into it.
                && materials[mesh.material].stone == materials[first.material].stone
                && (may_turn || is_two_sided(mesh) == is_two_sided(first))
        });
        let start = joined.indices.len() as u32;
        let all_two_sided = same.iter().all(|mesh| is_two_sided(mesh));
        for mesh in &same {
            let indices = &lod.indices[mesh.first as usize..(mesh.first + mesh.count) as usize];
            joined.indices.extend(indices);
            if is_two_sided(mesh) && !all_two_sided {
                add_other_side(&mut joined, indices);
            }
        }
        let count = joined.indices.len() as u32 - start;
        let of_area = |mesh: &&&Mesh| areas.get(mesh.material).copied().unwrap_or(0.0);
        let larger = |a: &&&Mesh, b: &&&Mesh| of_area(a).total_cmp(&of_area(b));
        let largest = same.iter().max_by(larger).map_or(first.material, |mesh| mesh.material);
        let material = if same.len() == 1 && materials[largest].two_sided == all_two_sided {
            largest
        } else {
            let joint = Material {
                two_sided: all_two_sided,
                alpha_cutoff: same.iter().map(|mesh| materials[mesh.material].alpha_cutoff).fold(0.0, f32::max),
                ..materials[largest].clone()
            };
            materials.push(joint);
            textures.push(texture);
            materials.len() - 1
        };
        joined.meshes.push(Mesh { first: start, count, material });
        left = others;
    }
    joined
}

/// Area of each of `count` materials in a level, model units.
pub fn areas(lod: &Lod, count: usize) -> Vec<f32> {
    let mut areas = vec![0.0; count];
    for mesh in &lod.meshes {
        let indices = &lod.indices[mesh.first as usize..(mesh.first + mesh.count) as usize];
        areas[mesh.material] +=
            indices.chunks_exact(3).map(|corners| doubled_normal(lod, corners).length()).sum::<f32>() / 2.0;
    }
    areas
}

/// Areas of a level's triangles as seen along x and along y, hidden ones too.
pub fn seen_areas(lod: &Lod) -> (f32, f32) {
    let sum: Vec3 = lod.indices.chunks_exact(3).map(|corners| doubled_normal(lod, corners).abs()).sum();
    (0.5 * sum.x, 0.5 * sum.y)
}

/// Normal of a triangle, as long as twice its area.
fn doubled_normal(lod: &Lod, corners: &[u32]) -> Vec3 {
    let [a, b, c] = [0, 1, 2].map(|corner| lod.vertices[corners[corner] as usize].position);
    (b - a).cross(c - a)
}

/// Adds the triangles as seen from behind: two-sided parts that are drawn with a one-sided body need not make it
/// two-sided, whose far flank would be drawn behind the near one.
fn add_other_side(lod: &mut Lod, indices: &[u32]) {
    let mut behind: HashMap<u32, u32> = HashMap::new();
    for corners in indices.chunks_exact(3) {
        for index in [corners[0], corners[2], corners[1]] {
            let next = lod.vertices.len() as u32;
            let other = *behind.entry(index).or_insert(next);
            if other == next {
                let front = lod.vertices[index as usize];
                lod.vertices.push(Vertex { normal: -front.normal, ..front });
            }
            lod.indices.push(other);
        }
    }
}

/// A level whose vertices take their colour from within its triangles: those of an outline lie on the back, the belly and
/// the rims of fins, and a body drawn in their colours would be all dark, or all pale. Each gets the mean texture
/// coordinates of the triangles about it, by area.
pub fn with_inner_colours(mut lod: Lod) -> Lod {
    let mut sums = vec![(Vec2::ZERO, 0.0); lod.vertices.len()];
    for corners in lod.indices.chunks_exact(3) {
        let area = doubled_normal(&lod, corners).length();
        let middle = corners.iter().map(|&corner| lod.vertices[corner as usize].uv).sum::<Vec2>() / 3.0;
        for &corner in corners {
            let (uv, weight) = &mut sums[corner as usize];
            *uv += area * middle;
            *weight += area;
        }
    }
    for (vertex, (uv, weight)) in lod.vertices.iter_mut().zip(sums) {
        if weight > 0.0 {
            vertex.uv = uv / weight;
        }
    }
    lod
}

#[cfg(test)]
mod tests {
    use model::material::default_material;

    use super::*;

    fn at(position: Vec3) -> Vertex {
        Vertex {
            position,
            normal: Vec3::Z,
            uv: position.truncate(),
            joints: [0; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
            morph_row: 0,
            color: Vertex::WHITE,
        }
    }

    #[test]
    fn meshes_are_joined_that_a_texture_colours_or_the_same_colour() {
        let coloured = |red: f32| Material { base_color: [red, 0.5, 0.5, 1.0], ..default_material() };
        let mut materials = vec![coloured(0.1), coloured(0.9), coloured(0.1), coloured(0.1), coloured(0.9)];
        let textured = TextureSet { albedo: 1, ..TextureSet::NONE };
        let mut textures = vec![TextureSet::NONE, TextureSet::NONE, TextureSet::NONE, textured, textured];
        let mesh = |material: usize| Mesh { first: 3 * material as u32, count: 3, material };
        let lod = Lod { indices: vec![0; 15], meshes: (0..5).map(mesh).collect(), ..Lod::default() };
        let joined = joined((&lod, &[]), false, &mut materials, &mut textures);
        let of = |mesh: &Mesh| (mesh.count, materials[mesh.material].base_color[0], textures[mesh.material].albedo);
        assert_eq!(joined.meshes.iter().map(of).collect::<Vec<_>>(), [(6, 0.1, WHITE), (3, 0.9, WHITE), (6, 0.9, 1)]);
    }

    #[test]
    fn stone_is_not_joined_with_what_has_holes() {
        let wood = Material { stone: true, alpha_cutoff: 0.0, ..default_material() };
        let mut materials = vec![wood.clone(), Material { alpha_cutoff: 0.5, ..default_material() }, wood];
        let mesh = |material: usize| Mesh { first: 3 * material as u32, count: 3, material };
        let lod = Lod { indices: vec![0; 9], meshes: (0..3).map(mesh).collect(), ..Lod::default() };
        let joined = joined((&lod, &[]), true, &mut materials, &mut vec![TextureSet::NONE; 3]);
        let of = |mesh: &Mesh| (mesh.count, materials[mesh.material].alpha_cutoff);
        assert_eq!(joined.meshes.iter().map(of).collect::<Vec<_>>(), [(6, 0.0), (3, 0.5)]);
    }

    #[test]
    fn a_joint_mesh_is_what_most_of_the_finest_level_is() {
        let fins = Material { translucency: 0.45, ..default_material() };
        let mut materials = vec![default_material(), fins];
        let vertices = vec![at(Vec3::ZERO), at(Vec3::X), at(Vec3::Y), at(0.5 * Vec3::X), at(0.5 * Vec3::Y)];
        let body = Mesh { first: 0, count: 3, material: 0 };
        let finest = Lod {
            vertices: vertices.clone(),
            indices: vec![0, 1, 2, 0, 3, 4],
            meshes: vec![body.clone(), Mesh { first: 3, count: 3, material: 1 }],
            ..Lod::default()
        };
        let areas = areas(&finest, 2);
        assert_eq!(areas, [0.5, 0.125]);
        // From afar more triangles are left of the fins.
        let far = Lod {
            vertices,
            indices: vec![0, 1, 2, 0, 3, 4, 0, 3, 4],
            meshes: vec![body, Mesh { first: 3, count: 6, material: 1 }],
            two_sided: true,
            ..Lod::default()
        };
        let joined = joined((&far, &areas), true, &mut materials, &mut vec![TextureSet::NONE; 2]);
        let of = |mesh: &Mesh| (mesh.count, materials[mesh.material].translucency);
        assert_eq!(joined.meshes.iter().map(of).collect::<Vec<_>>(), [(9, 0.0)]);
    }

    #[test]
    fn a_body_is_thin_along_the_axis_along_which_it_shows_most() {
        let at_corners = vec![at(Vec3::ZERO), at(Vec3::Y), at(Vec3::Z), at(0.8 * Vec3::X), at(0.4 * Vec3::Z)];
        // A flank, and a fin that reaches farther to the side than it is deep.
        let lod = Lod { vertices: at_corners, indices: vec![0, 1, 2, 0, 3, 4], ..Lod::default() };
        let (from_side, from_above) = seen_areas(&lod);
        assert!((from_side - 0.5).abs() < 1e-6 && (from_above - 0.16).abs() < 1e-6, "{from_side} {from_above}");
    }

    #[test]
    fn an_outline_is_coloured_by_what_it_surrounds() {
        let vertex = |x: f32, y: f32| at(Vec3::new(x, y, 0.0));
        // A square of two triangles, and one corner that is in neither.
        let vertices = vec![vertex(0.0, 0.0), vertex(1.0, 0.0), vertex(1.0, 1.0), vertex(0.0, 1.0), vertex(5.0, 5.0)];
        let lod = with_inner_colours(Lod { vertices, indices: vec![0, 1, 2, 0, 2, 3], ..Lod::default() });
        let third = 1.0 / 3.0;
        let wanted = [(0.5, 0.5), (2.0 * third, third), (0.5, 0.5), (third, 2.0 * third), (5.0, 5.0)];
        for (vertex, (u, v)) in lod.vertices.iter().zip(wanted) {
            assert!(vertex.uv.distance(Vec2::new(u, v)) < 1e-6, "{vertex:?}");
        }
        assert_eq!(lod.vertices[1].position, Vec3::X, "its place stays");
    }
}
