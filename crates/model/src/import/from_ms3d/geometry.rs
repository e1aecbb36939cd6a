//! Vertices and triangles as the file orders them, for comparisons with other readers.

use glam::Vec3;
use ms3d::raw;

use super::{JointWeights, joint_weights, usable};

/// All vertices and triangles of a file, hidden ones too, in its order and axes.
#[derive(Clone, Debug, PartialEq)]
pub struct FileGeometry {
    /// Position of each vertex.
    pub positions: Vec<Vec3>,
    /// Joints and weights of each vertex.
    pub weights: Vec<JointWeights>,
    /// Vertex and normal of each triangle's corners; the normals are the file's, any length.
    pub corners: Vec<[(usize, Vec3); 3]>,
}

/// The geometry of a document without errors.
pub fn geometry(document: &raw::Document) -> FileGeometry {
    let corner = |triangle: &raw::Triangle, corner: usize| {
        (usize::from(triangle.vertex_indices[corner]), usable(triangle.vertex_normals[corner]))
    };
    FileGeometry {
        positions: document.vertices.iter().map(|vertex| usable(vertex.position)).collect(),
        weights: joint_weights(document),
        corners: document.triangles.iter().map(|triangle| [0, 1, 2].map(|c| corner(triangle, c))).collect(),
    }
}
