//! Transforms of all joints at a moment of the time line.
//!
//! Local joint matrix = bind · T(translation key) · R(rotation key) · S(scale key); a model-space matrix is its
//! parent's times its own. Keys of the three kinds are sampled independently of each other; before the first and after
//! the last key the end keys hold; a joint without keys of a kind rests in that respect.

use glam::{Mat4, Quat, Vec3};

use crate::Skeleton;

/// Skinning matrices and weights of morphs of one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Model from rest model, a matrix a joint, and one identity more for the rest joint: any joint index of a
    /// [`Vertex`](crate::Vertex) is an index here.
    pub model_from_rest: Vec<Mat4>,
    /// Model from joint, a matrix a joint: the transforms of the joints themselves.
    pub model_from_joint: Vec<Mat4>,
    /// Weight of each morph.
    pub morph_weights: Vec<f32>,
}

/// The pose at `time_s` seconds of the time line.
pub fn pose(skeleton: &Skeleton, time_s: f32) -> Pose {
    let mut model_from_joint = vec![Mat4::IDENTITY; skeleton.joints.len()];
    for &index in &skeleton.order {
        let joint = &skeleton.joints[usize::from(index)];
        let rotation = sample(&joint.rotation_keys, time_s, slerp).unwrap_or(Quat::IDENTITY);
        let translation = sample(&joint.translation_keys, time_s, Vec3::lerp).unwrap_or(Vec3::ZERO);
        let scale = sample(&joint.scale_keys, time_s, Vec3::lerp).unwrap_or(Vec3::ONE);
        let local = joint.local_bind * Mat4::from_scale_rotation_translation(scale, rotation, translation);
        let parent = joint.parent.map_or(Mat4::IDENTITY, |parent| model_from_joint[usize::from(parent)]);
        model_from_joint[usize::from(index)] = parent * local;
    }
    let mut model_from_rest: Vec<Mat4> =
        model_from_joint.iter().zip(&skeleton.joints).map(|(m, joint)| *m * joint.inverse_bind).collect();
    model_from_rest.push(Mat4::IDENTITY);
    let lerp = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let morph_weights = skeleton.morph_keys.iter().map(|keys| sample(keys, time_s, lerp).unwrap_or(0.0)).collect();
    Pose { model_from_rest, model_from_joint, morph_weights }
}

/// Value of keys, sorted by time, at `time_s`; `None` without keys.
fn sample<T: Copy>(keys: &[(f32, T)], time_s: f32, blend: impl Fn(T, T, f32) -> T) -> Option<T> {
    let (&first, &last) = (keys.first()?, keys.last()?);
    if time_s >= last.0 {
        return Some(last.1);
    }
    if time_s <= first.0 || time_s.is_nan() {
        return Some(first.1);
    }
    let next = keys.partition_point(|key| key.0 <= time_s);
    let ((t0, a), (t1, b)) = (keys[next - 1], keys[next]);
    Some(blend(a, b, (time_s - t0) / (t1 - t0)))
}

/// Spherical interpolation along the shorter arc. glam's goes through an approximate arc cosine, whose error shows at
/// the end of a long chain of joints.
fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    let dot = a.dot(b);
    let b = if dot < 0.0 { -b } else { b };
    let dot = dot.abs();
    if dot > 0.9995 {
        return (a * (1.0 - t) + b * t).normalize();
    }
    let angle = dot.acos();
    ((a * ((1.0 - t) * angle).sin() + b * (t * angle).sin()) / angle.sin()).normalize()
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::*;
    use crate::Joint;

    fn joint(parent: Option<u16>, position: Vec3) -> Joint {
        Joint {
            name: String::new(),
            parent,
            local_bind: Mat4::from_translation(position),
            inverse_bind: Mat4::IDENTITY,
            rotation_keys: Vec::new(),
            translation_keys: Vec::new(),
            scale_keys: Vec::new(),
        }
    }

    #[test]
    fn without_keys_everything_rests() {
        let mut child = joint(Some(0), Vec3::X);
        child.inverse_bind = Mat4::from_translation(Vec3::new(-3.0, 0.0, 0.0));
        let mut root = joint(None, Vec3::X * 2.0);
        root.inverse_bind = Mat4::from_translation(Vec3::X * -2.0);
        let skeleton = Skeleton { joints: vec![root, child], order: vec![0, 1], ..Skeleton::default() };
        let pose = pose(&skeleton, 0.4);
        assert_eq!(pose.model_from_rest, vec![Mat4::IDENTITY; 3]);
        assert_eq!(pose.model_from_joint[1], Mat4::from_translation(Vec3::X * 3.0));
    }

    #[test]
    fn a_parent_may_come_after_its_child() {
        let mut root = joint(None, Vec3::ZERO);
        root.rotation_keys = vec![(0.0, Quat::from_rotation_z(FRAC_PI_2))];
        let skeleton =
            Skeleton { joints: vec![joint(Some(1), Vec3::X), root], order: vec![1, 0], ..Default::default() };
        let at = pose(&skeleton, 0.0).model_from_joint[0].transform_point3(Vec3::ZERO);
        assert!(at.abs_diff_eq(Vec3::Y, 1e-6), "{at}");
    }

    #[test]
    fn keys_hold_outside_and_blend_between() {
        let keys = [(1.0, Vec3::X), (2.0, Vec3::Y), (4.0, Vec3::Z)];
        let at = |time_s| sample(&keys, time_s, Vec3::lerp);
        assert_eq!(at(-5.0), Some(Vec3::X));
        assert_eq!(at(1.0), Some(Vec3::X));
        assert_eq!(at(1.25), Some(Vec3::new(0.75, 0.25, 0.0)));
        assert_eq!(at(2.0), Some(Vec3::Y));
        assert_eq!(at(3.0), Some(Vec3::new(0.0, 0.5, 0.5)));
        assert_eq!(at(4.0), Some(Vec3::Z));
        assert_eq!(at(9.0), Some(Vec3::Z));
        assert_eq!(at(f32::NAN), Some(Vec3::X));
        assert_eq!(sample(&[], 0.0, Vec3::lerp), None);
        assert_eq!(sample(&[(1.0, Vec3::X), (1.0, Vec3::Y)], 1.0, Vec3::lerp), Some(Vec3::Y), "a jump is no division");
    }

    #[test]
    fn slerp_turns_evenly_and_the_short_way() {
        let half = slerp(Quat::IDENTITY, Quat::from_rotation_y(2.0), 0.25);
        assert!(half.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6), "{half}");
        let far = slerp(Quat::from_rotation_y(-0.75 * PI), Quat::from_rotation_y(0.75 * PI), 0.5);
        let turned = far * Vec3::X;
        assert!(turned.abs_diff_eq(Vec3::NEG_X, 1e-5), "{turned}");
        let near = slerp(Quat::IDENTITY, Quat::from_rotation_x(0.01), 0.5);
        assert!(near.abs_diff_eq(Quat::from_rotation_x(0.005), 1e-6), "{near}");
    }
}
