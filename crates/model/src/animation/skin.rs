//! Morphs and skinning on the CPU: the reference for the vertex shader.

use std::borrow::Cow;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::animation::Pose;
use crate::import::from_ms3d::FileGeometry;
use crate::{Lod, Model, Morphs, Vertex};

/// Positions and unit normals of the vertices of a level of detail of `model` in `pose`.
///
/// # Panics
/// See [`morphed`] and [`skin`].
pub fn moved(model: &Model, lod: &Lod, pose: &Pose) -> (Vec<Vec3>, Vec<Vec3>) {
    skin(&morphed(&lod.vertices, &model.morphs, &pose.morph_weights), pose)
}

/// Positions and unit normals of `vertices` in `pose`, one pair a vertex, by linear blending.
///
/// Normals take the upper 3x3 of the blended matrix, as the shader does: joints turn and move, they do not scale.
///
/// # Panics
/// If a vertex names a joint that the pose does not have: a bug of the code that built the model.
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

/// The vertices with `morphs` of these weights applied, before joints move them.
///
/// # Panics
/// If a vertex names a row of deltas that is not there: a bug of the code that built the model.
pub fn morphed<'v>(vertices: &'v [Vertex], morphs: &Morphs, weights: &[f32]) -> Cow<'v, [Vertex]> {
    if weights.iter().all(|weight| *weight == 0.0) {
        return Cow::Borrowed(vertices);
    }
    let moved = |vertex: &Vertex| {
        if vertex.morph_row == 0 {
            return *vertex;
        }
        let (mut position, mut normal) = (vertex.position, vertex.normal);
        for (delta, &weight) in morphs.of(vertex).iter().zip(weights) {
            position += weight * delta.position;
            normal += weight * delta.normal;
        }
        Vertex { position, normal: normal.normalize_or(vertex.normal), ..*vertex }
    };
    vertices.iter().map(moved).collect()
}

/// Positions of the vertices and normals of the triangles' corners in `pose`, as the file orders them. A corner without
/// a normal keeps (0, 0, 0).
///
/// # Panics
/// See [`skin`].
pub fn skin_geometry(geometry: &FileGeometry, pose: &Pose) -> (Vec<Vec3>, Vec<[Vec3; 3]>) {
    let matrices: Vec<Mat4> = geometry.weights.iter().map(|of| blend(pose, of.joints, of.weights)).collect();
    let positions = geometry.positions.iter().zip(&matrices).map(|(p, matrix)| matrix.transform_point3(*p)).collect();
    let normal = |corner: (usize, Vec3)| matrices[corner.0].transform_vector3(corner.1).normalize_or_zero();
    (positions, geometry.corners.iter().map(|corners| corners.map(normal)).collect())
}

/// Bends positions and normals to the left about the middle of a body between two places on the z axis, as
/// `bend_body()` of `skinning.glsl` does: `bend` of the fore and of the hind part, rad over the whole length.
///
/// The curvature changes evenly from the fore part to the hind part; the spine keeps its length.
pub fn bend_body(points: &mut [(Vec3, Vec3)], (nose_z, tail_z): (f32, f32), bend: [f32; 2]) {
    let (middle, half) = (0.5 * (nose_z + tail_z), 0.5 * (tail_z - nose_z));
    let (mean, change) = (0.25 * (bend[1] + bend[0]), 0.25 * (bend[1] - bend[0]));
    for (position, normal) in points {
        let a = (position.z - middle) / half;
        let direction = |a: f32| (a * (mean + 0.5 * a * change)).sin_cos();
        let ((sin, cos), (half_sin, half_cos)) = (direction(a), direction(0.5 * a));
        // Simpson's rule along the spine.
        let spine = a / 6.0 * Vec2::new(4.0 * half_sin + sin, 1.0 + 4.0 * half_cos + cos);
        *position =
            Vec3::new(position.x * cos - half * spine.x, position.y, middle + half * spine.y + position.x * sin);
        *normal = Vec3::new(normal.x * cos - normal.z * sin, normal.y, normal.x * sin + normal.z * cos);
    }
}

/// The matrix that takes a vertex with these joints and weights from the rest pose to `pose`.
///
/// # Panics
/// See [`skin`].
pub fn blend(pose: &Pose, joints: [u16; 4], weights: [f32; 4]) -> Mat4 {
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

    fn vertex(joints: [u16; 4], weights: [f32; 4]) -> Vertex {
        Vertex {
            position: Vec3::X,
            normal: Vec3::X,
            uv: Vec2::ZERO,
            joints,
            weights,
            morph_row: 0,
            color: Vertex::WHITE,
        }
    }

    #[test]
    fn a_body_bends_to_the_left_and_keeps_its_length() {
        let spine = |bend| {
            let mut points: Vec<(Vec3, Vec3)> =
                (0..=40).map(|i| (Vec3::Z * (3.0 + 0.05 * i as f32), Vec3::X)).collect();
            bend_body(&mut points, (3.0, 5.0), bend);
            points
        };
        let turn = |points: &[(Vec3, Vec3)], at: usize| points[at].1.z.asin();
        for bend in [[0.0, 0.0], [1.0, 1.0], [1.5, 0.2], [-0.8, 0.8]] {
            let points = spine(bend);
            let length: f32 = points.windows(2).map(|pair| pair[0].0.distance(pair[1].0)).sum();
            assert!((length - 2.0).abs() < 0.02, "{bend:?}: {length}");
            let (fore, aft) = (turn(&points, 20) - turn(&points, 0), turn(&points, 40) - turn(&points, 20));
            // Half of the body each; the curvature changes evenly from the one value to the other.
            assert!((fore - (0.375 * bend[0] + 0.125 * bend[1])).abs() < 0.02, "{bend:?}: {fore}");
            assert!((aft - (0.375 * bend[1] + 0.125 * bend[0])).abs() < 0.02, "{bend:?}: {aft}");
        }
        let left = spine([1.0, 1.0]);
        assert!(left[0].0.x < -0.1 && left[40].0.x < -0.1, "nose and tail go to -x of a nose along -z");
        assert!(left[20].0.distance(Vec3::Z * 4.0) < 1e-5);
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
            morph_weights: Vec::new(),
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
