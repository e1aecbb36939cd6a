//! Lines drawn over a model: its skeleton and normals.

use glam::{Mat4, Vec3};
use model::animation::{Pose, moved};
use model::{Lod, Model, Skeleton};
use render::{Line, joint_colour};

/// Length of a normal as a share of the model's radius.
const NORMAL: f32 = 0.055;
/// Most normals that are drawn; with more vertices, only every second, third and so on.
const MAX_NORMALS: usize = 6000;
/// Width of a bone at its parent. Unit: pixels a point.
const BONE: f32 = 7.0;
const NORMAL_COLOUR: [u8; 3] = [90, 230, 255];
/// Colour of outlines behind the lines, so that they stand out from a surface of their colour.
const OUTLINE: [u8; 3] = [10, 14, 18];
const CHOSEN: [u8; 3] = [255, 255, 255];

/// Lines of a skeleton: each bone from its parent, thick there and thin at its joint, with a dot at each joint.
pub fn skeleton(skeleton: &Skeleton, pose: &Pose, chosen: Option<usize>, scale: f32) -> Vec<Line> {
    let at = |joint: usize| pose.model_from_joint[joint].transform_point3(Vec3::ZERO);
    let joints = skeleton.joints.iter().enumerate();
    let bones = joints.clone().filter_map(|(index, joint)| {
        let parent = usize::from(joint.parent?);
        let colour = if chosen == Some(parent) { CHOSEN } else { joint_colour(parent) };
        Some(Line { ends: [at(parent), at(index)], widths: [BONE * scale, scale], colour })
    });
    let dots = joints.map(|(index, _)| {
        let colour = if chosen == Some(index) { CHOSEN } else { joint_colour(index) };
        let width = if chosen == Some(index) { 1.8 * BONE } else { 0.9 * BONE };
        Line { ends: [at(index); 2], widths: [width * scale; 2], colour }
    });
    let lines: Vec<Line> = bones.chain(dots).collect();
    let outlined =
        |line: &Line| Line { widths: line.widths.map(|width| width + 3.0 * scale), colour: OUTLINE, ..*line };
    lines.iter().map(outlined).chain(lines.iter().copied()).collect()
}

/// Lines of the normals at vertices that face the eye.
pub fn normals((model, lod): (&Model, &Lod), pose: &Pose, world_from_model: Mat4, eye: Vec3, scale: f32) -> Vec<Line> {
    let (positions, normals) = moved(model, lod, pose);
    let model_from_world = world_from_model.inverse();
    let (eye, length) = (model_from_world.transform_point3(eye), NORMAL * model_from_world.x_axis.length());
    let every = lod.vertices.len().div_ceil(MAX_NORMALS).max(1);
    let all = positions.into_iter().zip(normals).step_by(every);
    all.filter(|(position, normal)| normal.dot(eye - *position) > 0.0)
        .map(|(position, normal)| Line {
            ends: [position, position + length * normal],
            widths: [1.1 * scale, 0.4 * scale],
            colour: NORMAL_COLOUR,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use model::ModelRequest;
    use model::animation::pose;
    use runtime::files::load_model;

    use super::*;

    #[test]
    fn bones_end_where_the_joints_are_and_normals_face_the_eye() {
        let loaded = load_model(&ModelRequest::new("builtin:sardine")).expect("a built-in model");
        let model = &loaded.model;
        let pose = pose(&model.skeleton, 0.1);
        let lines = skeleton(&model.skeleton, &pose, Some(1), 1.0);
        let roots = model.skeleton.joints.iter().filter(|joint| joint.parent.is_none()).count();
        assert_eq!(lines.len(), 2 * (2 * model.skeleton.joints.len() - roots), "with their outlines");
        assert!(lines.iter().any(|line| line.colour == CHOSEN));
        let left = normals((model, &model.lods[0]), &pose, Mat4::IDENTITY, Vec3::new(-9.0, 0.0, 0.0), 1.0);
        assert!(!left.is_empty() && left.len() < model.lods[0].vertices.len());
        assert!(left.iter().all(|line| (line.ends[1] - line.ends[0]).dot(Vec3::NEG_X) > -0.2));
    }
}
