//! Vertices and triangles as the file orders them, for comparisons with other readers.

use glam::Vec3;

use super::{Rig, rig, usable};
use ms3d::raw;

/// All vertices and triangles of a file, hidden ones too, in its order and axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// Position of each vertex.
    pub positions: Vec<Vec3>,
    /// Joints and weights of each vertex.
    pub rig: Vec<Rig>,
    /// Vertex and normal of each triangle's corners; the normals are the file's, any length.
    pub corners: Vec<[(usize, Vec3); 3]>,
}

/// The geometry of a document without errors.
pub fn geometry(document: &raw::Document) -> Geometry {
    let corner = |triangle: &raw::Triangle, corner: usize| {
        (usize::from(triangle.vertex_indices[corner]), usable(triangle.vertex_normals[corner]))
    };
    Geometry {
        positions: document.vertices.iter().map(|vertex| usable(vertex.position)).collect(),
        rig: rig(document),
        corners: document.triangles.iter().map(|triangle| [0, 1, 2].map(|c| corner(triangle, c))).collect(),
    }
}
