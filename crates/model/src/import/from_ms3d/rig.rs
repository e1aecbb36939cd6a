//! Joints, their keys, and the joints and weights of vertices.

use std::collections::VecDeque;

use glam::{Mat3, Mat4, Quat};
use ms3d::{raw, skeleton as parents, weights};

use super::usable;
use crate::{Joint, Skeleton};

/// Joints that move a vertex and their weights, in the form of [`Vertex`](crate::Vertex).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointWeights {
    /// Joints; unused slots name the rest joint.
    pub joints: [u16; 4],
    /// Their weights, largest first, sum 1.
    pub weights: [f32; 4],
}

/// The skeleton, turned by `rotation` (model from file).
///
/// Only joints without a parent are turned: the rest follows. A joint in a ring of parents, which `ms3d::validate`
/// refuses, is taken as a root.
pub fn skeleton(document: &raw::Document, rotation: Mat3) -> Skeleton {
    let mut parents: Vec<Option<u16>> =
        parents::parents(document).iter().map(|parent| parent.index().map(|index| index as u16)).collect();
    let order = parents_first(&mut parents);

    let turn = Mat4::from_mat3(rotation);
    let mut model_from_joint = vec![Mat4::IDENTITY; parents.len()];
    let mut joints: Vec<Joint> = document
        .joints
        .iter()
        .zip(&parents)
        .map(|(joint, &parent)| {
            let reference = Mat4::from_rotation_translation(euler(joint.rotation), usable(joint.position));
            Joint {
                name: joint.name.to_lossy(),
                parent,
                local_bind: if parent.is_none() { turn * reference } else { reference },
                inverse_bind: Mat4::IDENTITY,
                rotation_keys: keys(&joint.rotation_keys, euler),
                translation_keys: keys(&joint.translation_keys, usable),
                scale_keys: Vec::new(),
            }
        })
        .collect();
    for &index in &order {
        let index = usize::from(index);
        let parent = joints[index].parent.map_or(Mat4::IDENTITY, |parent| model_from_joint[usize::from(parent)]);
        model_from_joint[index] = parent * joints[index].local_bind;
        joints[index].inverse_bind = model_from_joint[index].inverse();
    }

    let fps = frames_per_second(document);
    let last_key_s = joints.iter().filter_map(last_key_s).fold(0.0, f32::max);
    let duration_s = (document.keyframer.total_frames.max(0) as f32 / fps).max(last_key_s);
    Skeleton { joints, order, duration_s, fps, morph_keys: Vec::new() }
}

/// Frames a second of the time line; a value below 1 or not finite counts as 1.
pub(super) fn frames_per_second(document: &raw::Document) -> f32 {
    let fps = document.keyframer.fps;
    if fps.is_finite() { fps.max(1.0) } else { 1.0 }
}

/// Rotation of Euler angles: R = Rz · Ry · Rx.
fn euler(angles: [f32; 3]) -> Quat {
    let angles = usable(angles);
    Quat::from_rotation_z(angles.z) * Quat::from_rotation_y(angles.y) * Quat::from_rotation_x(angles.x)
}

/// Latest time of a key that is used: eleven days. Unit: s.
const LATEST_KEY_S: f32 = 1e6;

/// Keys by time; those that are not finite or absurdly late are left out.
fn keys<T>(keys: &[raw::Key], value: impl Fn([f32; 3]) -> T) -> Vec<(f32, T)> {
    let finite = keys.iter().filter(|key| key.time.abs() <= LATEST_KEY_S && key.value.iter().all(|v| v.is_finite()));
    let mut keys: Vec<_> = finite.map(|key| (key.time, value(key.value))).collect();
    keys.sort_by(|a, b| a.0.total_cmp(&b.0));
    keys
}

fn last_key_s(joint: &Joint) -> Option<f32> {
    let rotation = joint.rotation_keys.last().map(|key| key.0);
    let translation = joint.translation_keys.last().map(|key| key.0);
    rotation.into_iter().chain(translation).reduce(f32::max)
}

/// Joint indices with every parent before its children; rings of parents are cut.
fn parents_first(parents: &mut [Option<u16>]) -> Vec<u16> {
    let mut children = vec![Vec::new(); parents.len()];
    for (joint, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[usize::from(*parent)].push(joint as u16);
        }
    }
    let roots = (0..parents.len() as u16).filter(|&joint| parents[usize::from(joint)].is_none());
    let mut next: VecDeque<u16> = roots.collect();
    let mut placed = vec![false; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    loop {
        while let Some(joint) = next.pop_front() {
            if !std::mem::replace(&mut placed[usize::from(joint)], true) {
                order.push(joint);
                next.extend(&children[usize::from(joint)]);
            }
        }
        let Some(ringed) = placed.iter().position(|placed| !placed) else { return order };
        parents[ringed] = None;
        next.push_back(ringed as u16);
    }
}

/// Joints and weights of every vertex: each joint once, the rest joint for vertices that no joint moves.
pub fn joint_weights(document: &raw::Document) -> Vec<JointWeights> {
    let rest = document.joints.len() as u16;
    weights::all_influences(document).iter().map(|influences| sorted(influences, rest)).collect()
}

fn sorted(influences: &weights::Influences, rest: u16) -> JointWeights {
    let mut slots = [(rest, 0.0_f32); 4];
    let mut used = 0;
    for (joint, weight) in influences.joints.into_iter().zip(influences.weights) {
        let Some(joint) = joint.map(u16::from).filter(|_| weight > 0.0) else { continue };
        match slots[..used].iter_mut().find(|slot| slot.0 == joint) {
            Some(slot) => slot.1 += weight,
            None => {
                slots[used] = (joint, weight);
                used += 1;
            }
        }
    }
    if used == 0 {
        slots[0].1 = 1.0;
    }
    slots.sort_by(|a, b| b.1.total_cmp(&a.1));
    JointWeights { joints: slots.map(|slot| slot.0), weights: slots.map(|slot| slot.1) }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn slots_are_sorted_and_joints_appear_once() {
        let influences =
            weights::Influences { joints: [Some(3), Some(1), None, Some(3)], weights: [0.25, 0.35, 0.0, 0.4] };
        let expected = JointWeights { joints: [3, 1, 7, 7], weights: [0.65, 0.35, 0.0, 0.0] };
        assert_eq!(sorted(&influences, 7), expected);
        let at_rest = JointWeights { joints: [7; 4], weights: [1.0, 0.0, 0.0, 0.0] };
        assert_eq!(sorted(&weights::Influences::REST, 7), at_rest);
    }

    #[test]
    fn parents_come_first_and_rings_are_cut() {
        let mut parents = [Some(2), Some(0), None, Some(1)];
        assert_eq!(parents_first(&mut parents), [2, 0, 1, 3]);
        let mut ring = [Some(1), Some(0), None];
        assert_eq!(parents_first(&mut ring), [2, 0, 1]);
        assert_eq!(ring, [None, Some(0), None]);
    }

    #[test]
    fn angles_turn_about_x_first() {
        let turned = euler([0.3, -0.4, 1.2]);
        let expected = Mat3::from_rotation_z(1.2) * Mat3::from_rotation_y(-0.4) * Mat3::from_rotation_x(0.3);
        assert!((turned * Vec3::new(1.0, 2.0, 3.0)).abs_diff_eq(expected * Vec3::new(1.0, 2.0, 3.0), 1e-5));
    }

    #[test]
    fn keys_are_put_in_order_and_broken_ones_left_out() {
        let key = |time, x| raw::Key { time, value: [x, 0.0, 0.0] };
        let found = keys(&[key(2.0, 1.0), key(f32::NAN, 2.0), key(1.0, 3.0), key(0.5, f32::INFINITY)], usable);
        assert_eq!(found, [(1.0, Vec3::X * 3.0), (2.0, Vec3::X)]);
    }
}
