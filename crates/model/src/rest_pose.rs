//! Rest pose of a model whose clips show it elsewhere, of another size or turned: exporters leave a skeleton's own scale
//! and direction to its first key, and all that is measured at rest would be wrong: length, middle, the axis of a bend.

use glam::{Affine3A, Mat3, Mat4, Vec3};

use crate::animation::{blend, pose};
use crate::{Attachment, Lod, MorphDelta, Morphs, Skeleton, Vertex};

/// Change of size, and turn in radians, up to which a pose is the pose at rest.
const LEAST_SCALE: f32 = 1.25;
const LEAST_TURN: f32 = 0.35;
/// Distance of the middles, over the radius of the pose, likewise.
const LEAST_SHIFT: f32 = 0.5;

/// Moves the rest pose to where the model is at `time_s`, as a whole: every pose of every clip stays as it was. Does so
/// only if that is far from where it rests; what no joint moves stays where it is.
pub fn follow(
    (full, morphs): (&mut Lod, &mut Morphs),
    skeleton: &mut Skeleton,
    attachments: &mut [Attachment],
    time_s: f32,
) {
    let Some(moved) = whole_motion(full, skeleton, time_s) else { return };
    let turn = Mat3::from_mat4(moved);
    let unit = turn * turn.determinant().abs().cbrt().recip();
    let rest = skeleton.joints.len();
    for vertex in full.vertices.iter_mut().filter(|vertex| !rests(vertex, rest)) {
        vertex.position = moved.transform_point3(vertex.position);
        vertex.normal = (unit * vertex.normal).normalize_or(Vec3::Y);
    }
    for MorphDelta { position, normal } in &mut morphs.deltas {
        (*position, *normal) = (turn * *position, unit * *normal);
    }
    let back = moved.inverse();
    for joint in &mut skeleton.joints {
        joint.inverse_bind *= back;
    }
    for attachment in attachments.iter_mut().filter(|attachment| usize::from(attachment.joint) < rest) {
        attachment.position = moved.transform_point3(attachment.position);
    }
}

/// Whether no joint moves a vertex: the heaviest weight comes first.
fn rests(vertex: &Vertex, rest: usize) -> bool {
    usize::from(vertex.joints[0]) >= rest
}

/// The similarity that comes nearest to the motion of all vertices that joints move, from rest to a moment; `None` if it
/// hardly differs from none, or if some vertices are moved in part or only by morphs.
fn whole_motion(full: &Lod, skeleton: &Skeleton, time_s: f32) -> Option<Mat4> {
    let rest = skeleton.joints.len();
    let moving = || full.vertices.iter().filter(|vertex| !rests(vertex, rest));
    let count = moving().count() as f32;
    // A morph's deltas are turned as a whole: none may belong to what stays.
    if full.vertices.iter().any(|vertex| rests(vertex, rest) && vertex.morph_row != 0) {
        return None;
    }
    if moving()
        .any(|v| v.joints.iter().zip(v.weights).any(|(joint, weight)| weight > 0.0 && usize::from(*joint) >= rest))
    {
        return None;
    }
    let at = pose(skeleton, time_s);
    let (mut linear, mut from, mut to) = (Mat3::ZERO, Vec3::ZERO, Vec3::ZERO);
    for vertex in moving() {
        let matrix = blend(&at, vertex.joints, vertex.weights);
        linear += Mat3::from_mat4(matrix) * count.recip();
        from += vertex.position / count;
        to += matrix.transform_point3(vertex.position) / count;
    }
    let turn = rotation(linear)?;
    // Trace of the transpose times the mean: the scale that fits best.
    let scale = (0..3).map(|axis| turn.col(axis).dot(linear.col(axis))).sum::<f32>() / 3.0;
    let radius = scale * moving().map(|vertex| vertex.position.distance(from)).fold(0.0, f32::max);
    let angle = (0.5 * (turn.x_axis.x + turn.y_axis.y + turn.z_axis.z - 1.0)).clamp(-1.0, 1.0).acos();
    let is_elsewhere =
        scale.max(scale.recip()) > LEAST_SCALE || angle > LEAST_TURN || to.distance(from) > LEAST_SHIFT * radius;
    let moved = Affine3A::from_mat3_translation(turn * scale, to - turn * scale * from);
    (is_elsewhere && scale > 0.0 && moved.is_finite()).then(|| Mat4::from(moved))
}

/// The rotation nearest to a matrix, by its polar decomposition; `None` if it mirrors or flattens.
fn rotation(matrix: Mat3) -> Option<Mat3> {
    /// Enough for a scale of a thousand: each step halves what is too large.
    const STEPS: usize = 24;
    if !(matrix.determinant() > 0.0 && matrix.is_finite()) {
        return None;
    }
    let step = |m: Mat3| (m + m.inverse().transpose()) * 0.5;
    let nearest = (0..STEPS).fold(matrix, |m, _| step(m));
    ((nearest.determinant() - 1.0).abs() < 1e-3).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec2};

    use super::*;
    use crate::Joint;

    fn vertex(position: Vec3, joint: u16) -> Vertex {
        Vertex {
            position,
            normal: Vec3::X,
            uv: Vec2::ZERO,
            joints: [joint, 2, 2, 2],
            weights: [1.0, 0.0, 0.0, 0.0],
            morph_row: 0,
            color: Vertex::WHITE,
        }
    }

    /// Two joints, the first of which turns and shrinks all by `scale`; the second moves a little.
    fn rig(scale: f32, turn: Quat) -> Skeleton {
        let joint = |parent: Option<u16>| Joint {
            name: String::new(),
            parent,
            local_bind: Mat4::IDENTITY,
            inverse_bind: Mat4::IDENTITY,
            rotation_keys: Vec::new(),
            translation_keys: Vec::new(),
            scale_keys: Vec::new(),
        };
        let mut joints = vec![joint(None), joint(Some(0))];
        joints[0].rotation_keys = vec![(0.0, turn), (1.0, turn)];
        joints[0].scale_keys = vec![(0.0, Vec3::splat(scale)), (1.0, Vec3::splat(scale))];
        joints[1].rotation_keys = vec![(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(0.4))];
        Skeleton { joints, order: vec![0, 1], duration_s: 1.0, fps: 24.0, morph_keys: Vec::new() }
    }

    fn body() -> Lod {
        let places = [[0.0, 0.0, -9.0], [1.0, 2.0, 0.0], [-1.0, -2.0, 1.0], [0.0, 1.0, 8.0]];
        let vertices = places.iter().enumerate().map(|(i, place)| vertex(Vec3::from(*place), u16::from(i > 1)));
        Lod { vertices: vertices.collect(), ..Lod::default() }
    }

    #[test]
    fn the_rest_pose_follows_and_every_pose_stays() {
        let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let (mut full, mut skeleton) = (body(), rig(0.01, turn));
        let shown = |full: &Lod, skeleton: &Skeleton, time_s: f32| -> Vec<Vec3> {
            let at = pose(skeleton, time_s);
            let of = |v: &Vertex| blend(&at, v.joints, v.weights).transform_point3(v.position);
            full.vertices.iter().map(of).collect()
        };
        let before = [0.0, 0.6].map(|time_s| shown(&full, &skeleton, time_s));
        let mut places = [Attachment { name: "nose".into(), joint: 0, position: Vec3::new(0.0, 0.0, -9.0) }];
        follow((&mut full, &mut Morphs::default()), &mut skeleton, &mut places, 0.0);
        for (time_s, before) in [0.0, 0.6].into_iter().zip(before) {
            for (a, b) in shown(&full, &skeleton, time_s).into_iter().zip(before) {
                assert!(a.distance(b) < 1e-5, "{a} {b} at {time_s}");
            }
        }
        let rest: Vec<Vec3> = full.vertices.iter().map(|vertex| vertex.position).collect();
        for (a, b) in rest.iter().zip(shown(&full, &skeleton, 0.0)) {
            assert!(a.distance(b) < 1e-5, "{a} {b}: it rests as it is posed");
        }
        assert!(places[0].position.distance(rest[0]) < 1e-6);
    }

    #[test]
    fn what_rests_near_its_poses_stays_where_it_is() {
        let (mut full, mut skeleton) = (body(), rig(1.1, Quat::from_rotation_y(0.2)));
        follow((&mut full, &mut Morphs::default()), &mut skeleton, &mut [], 0.0);
        assert_eq!(full.vertices, body().vertices);
        // A vertex without a joint stays, and the others follow.
        let (mut full, mut skeleton) = (body(), rig(0.01, Quat::IDENTITY));
        full.vertices[0].joints = [2; 4];
        let before = full.vertices.clone();
        follow((&mut full, &mut Morphs::default()), &mut skeleton, &mut [], 0.0);
        assert_eq!(full.vertices[0], before[0]);
        assert!(full.vertices[1].position.distance(before[1].position * 0.01) < 1e-4);
    }
}
