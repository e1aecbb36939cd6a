//! Skinning on the CPU: what the vertex shader must reproduce.

use glam::{Mat4, Vec3, Vec4};

use crate::animation::Pose;
use crate::model::Vertex;
use crate::model::import::FileGeometry;

/// Positions and unit normals of `vertices` in `pose`, one pair a vertex, by linear blending.
///
/// Normals take the upper 3x3 of the blended matrix, as the shader does: joints turn and move, they do not scale.
///
/// # Panics
/// If a vertex names a joint that the pose does not have: a fault of whoever built the model.
pub fn skin(vertices: &[Vertex], pose: &Pose) -> (Vec<Vec3>, Vec<Vec3>) {
    vertices
        .iter()
        .map(|vertex| {
            let matrix = blend(pose, vertex.joints, vertex.weights);
            let normal = matrix.transform_vector3(vertex.normal).normalize_or(vertex.normal);
            (matrix.transform_point3(vertex.position), normal)
        })
        .unzip()
}

/// Positions of the vertices and normals of the triangles' corners in `pose`, as the file orders them. A corner without
/// a normal keeps (0, 0, 0).
///
/// # Panics
/// As [`skin`].
pub fn skin_geometry(geometry: &FileGeometry, pose: &Pose) -> (Vec<Vec3>, Vec<[Vec3; 3]>) {
    let matrices: Vec<Mat4> = geometry.weights.iter().map(|of| blend(pose, of.joints, of.weights)).collect();
    let positions = geometry.positions.iter().zip(&matrices).map(|(p, matrix)| matrix.transform_point3(*p)).collect();
    let normal = |corner: (usize, Vec3)| matrices[corner.0].transform_vector3(corner.1).normalize_or_zero();
    (positions, geometry.corners.iter().map(|corners| corners.map(normal)).collect())
}

/// The matrix that takes a vertex with these joints and weights from the rest pose to `pose`.
///
/// # Panics
/// As [`skin`].
pub fn blend(pose: &Pose, joints: [u8; 4], weights: [f32; 4]) -> Mat4 {
    if weights[0] == 1.0 {
        return pose.model_from_rest[usize::from(joints[0])];
    }
    let mut matrix = Mat4::from_cols(Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, Vec4::ZERO);
    for (joint, weight) in joints.into_iter().zip(weights) {
        if weight > 0.0 {
            matrix += pose.model_from_rest[usize::from(joint)] * weight;
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    fn vertex(joints: [u8; 4], weights: [f32; 4]) -> Vertex {
        Vertex { position: Vec3::X, normal: Vec3::X, uv: Vec2::ZERO, joints, weights }
    }

    #[test]
    fn a_vertex_goes_with_its_joints_by_weight() {
        let pose = Pose {
            model_from_rest: vec![
                Mat4::from_rotation_z(std::f32::consts::FRAC_PI_2),
                Mat4::from_translation(Vec3::Z),
                Mat4::IDENTITY,
            ],
            model_from_joint: Vec::new(),
        };
        let (positions, normals) = skin(
            &[
                vertex([0, 2, 2, 2], [1.0, 0.0, 0.0, 0.0]),
                vertex([0, 1, 2, 2], [0.75, 0.25, 0.0, 0.0]),
                vertex([2, 2, 2, 2], [1.0, 0.0, 0.0, 0.0]),
            ],
            &pose,
        );
        assert!(positions[0].abs_diff_eq(Vec3::Y, 1e-6));
        assert!(normals[0].abs_diff_eq(Vec3::Y, 1e-6));
        assert!(positions[1].abs_diff_eq(Vec3::new(0.25, 0.75, 0.25), 1e-6));
        assert!(normals[1].abs_diff_eq(Vec3::new(0.25, 0.75, 0.0).normalize(), 1e-6));
        assert_eq!((positions[2], normals[2]), (Vec3::X, Vec3::X));
    }
}
