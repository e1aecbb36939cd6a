//! Joints as nodes and a skin, clips as animations.

use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};

use super::pack::{Pack, Role};
use crate::{Clip, Joint, Skeleton};

/// Greatest distance of a key from the end of a clip at which it counts as lying there. Unit: s.
const SAME_MOMENT_S: f32 = 1e-4;

/// Adds a node for each joint; returns the nodes of all joints and those of the roots.
pub(super) fn nodes(pack: &mut Pack, skeleton: &Skeleton) -> (Vec<usize>, Vec<usize>) {
    let first = pack.count("nodes");
    let node_of = |joint: usize| first + joint;
    for (index, joint) in skeleton.joints.iter().enumerate() {
        let mut node = place(&joint.local_bind);
        node["name"] = joint.name.as_str().into();
        let is_child = |child: &Joint| child.parent.map(usize::from) == Some(index);
        let children: Vec<usize> = (0..skeleton.joints.len()).filter(|&c| is_child(&skeleton.joints[c])).collect();
        if !children.is_empty() {
            node["children"] = children.into_iter().map(node_of).collect();
        }
        pack.add("nodes", node);
    }
    let joints = 0..skeleton.joints.len();
    let roots = joints.clone().filter(|&joint| skeleton.joints[joint].parent.is_none()).map(node_of).collect();
    (joints.map(node_of).collect(), roots)
}

/// Adds the skin of the joints' nodes and, last, of the node `rest`, which never moves.
pub(super) fn skin(pack: &mut Pack, skeleton: &Skeleton, joints: &[usize], rest: usize) -> usize {
    let inverse_binds = skeleton.joints.iter().map(|joint| joint.inverse_bind).chain([Mat4::IDENTITY]);
    let columns = inverse_binds.map(|matrix| {
        let mut columns = matrix.to_cols_array();
        // The bottom row, exactly.
        [3, 7, 11, 15].into_iter().zip([0.0, 0.0, 0.0, 1.0]).for_each(|(at, value)| columns[at] = value);
        columns
    });
    let columns: Vec<[f32; 16]> = columns.collect();
    let inverse_binds = pack.accessor(&columns, Role::Values);
    let joints: Vec<usize> = joints.iter().copied().chain([rest]).collect();
    pack.add("skins", json!({ "joints": joints, "inverseBindMatrices": inverse_binds }))
}

/// A node with this transform.
pub(super) fn place(matrix: &Mat4) -> Value {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let mut node = json!({});
    if translation != Vec3::ZERO {
        node["translation"] = numbers(translation.to_array());
    }
    if rotation != Quat::IDENTITY {
        node["rotation"] = numbers(rotation.normalize().to_array());
    }
    if (scale - Vec3::ONE).abs().max_element() > 1e-5 {
        node["scale"] = numbers(scale.to_array());
    }
    node
}

/// Numbers as JSON.
pub(super) fn numbers<const N: usize>(values: [f32; N]) -> Value {
    values.to_vec().into()
}

/// Adds an animation for each clip that moves something. `joints` are the joints' nodes. Returns whether the animations
/// have exactly the keys of the time line.
pub(super) fn animations(pack: &mut Pack, skeleton: &Skeleton, joints: &[usize], clips: &[Clip]) -> bool {
    let keys = |joint: &Joint| joint.rotation_keys.len() + joint.translation_keys.len() + joint.scale_keys.len();
    let mut kept = Kept::default();
    for clip in clips {
        let (mut samplers, mut channels) = (Vec::<Value>::new(), Vec::<Value>::new());
        for (joint, &node) in skeleton.joints.iter().zip(joints) {
            let (_, turned, moved) = joint.local_bind.to_scale_rotation_translation();
            let turned = turned.normalize();
            let rotations = kept.cut(&joint.rotation_keys, clip, slerp);
            let rotations = rotations.map(|(times, keys)| {
                let values: Vec<[f32; 4]> = keys.iter().map(|&key| (turned * key).normalize().to_array()).collect();
                (times, pack.accessor(&values, Role::Values), "rotation")
            });
            let translations = kept.cut(&joint.translation_keys, clip, Vec3::lerp);
            let translations = translations.map(|(times, keys)| {
                let values: Vec<[f32; 3]> = keys.iter().map(|&key| (moved + turned * key).to_array()).collect();
                (times, pack.accessor(&values, Role::Values), "translation")
            });
            let scales = kept.cut(&joint.scale_keys, clip, Vec3::lerp);
            let scales = scales.map(|(times, keys)| {
                let values: Vec<[f32; 3]> = keys.iter().map(Vec3::to_array).collect();
                (times, pack.accessor(&values, Role::Values), "scale")
            });
            for (times, output, path) in [rotations, translations, scales].into_iter().flatten() {
                let input = pack.times(&times);
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
                samplers.push(json!({ "input": input, "output": output }));
            }
        }
        if !channels.is_empty() {
            let extras = json!({ "start_s": clip.start_s });
            let animation = json!({ "name": clip.name, "channels": channels, "samplers": samplers, "extras": extras });
            pack.add("animations", animation);
        }
    }
    kept.made == 0 && kept.keys == skeleton.joints.iter().map(keys).sum::<usize>()
}

/// Counts of the keys that were written.
#[derive(Default)]
struct Kept {
    /// Keys taken as they are.
    keys: usize,
    /// Keys made for the ends of clips.
    made: usize,
}

impl Kept {
    /// Cuts out the keys within a clip, timed from its beginning, with one at each end beyond which others lie; times
    /// rise. `None` without keys.
    fn cut<T: Copy>(
        &mut self,
        keys: &[(f32, T)],
        clip: &Clip,
        blend: impl Fn(T, T, f32) -> T,
    ) -> Option<(Vec<f32>, Vec<T>)> {
        let (first, last) = (keys.first()?, keys.last()?);
        let is_inside = |key: &&(f32, T)| key.0 >= clip.start_s - SAME_MOMENT_S && key.0 <= clip.end_s + SAME_MOMENT_S;
        let inside: Vec<(f32, T)> = keys.iter().filter(is_inside).copied().collect();
        let at = |time_s: f32| {
            let next = keys.partition_point(|key| key.0 <= time_s);
            match (next.checked_sub(1).map(|before| keys[before]), keys.get(next)) {
                (Some(a), Some(b)) => blend(a.1, b.1, (time_s - a.0) / (b.0 - a.0)),
                (Some(a), None) => a.1,
                (None, _) => first.1,
            }
        };
        let is_bare = |time_s: f32| inside.iter().all(|key| (key.0 - time_s).abs() > SAME_MOMENT_S);
        let before = (is_bare(clip.start_s) && (first.0 < clip.start_s || inside.is_empty())).then_some(clip.start_s);
        let after = (is_bare(clip.end_s) && last.0 > clip.end_s && !inside.is_empty()).then_some(clip.end_s);
        self.keys += inside.len();
        self.made += before.iter().chain(&after).count();
        let made = |time_s: Option<f32>| time_s.map(|time_s| (time_s, at(time_s)));
        let all: Vec<(f32, T)> = made(before).into_iter().chain(inside).chain(made(after)).collect();
        let mut times: Vec<f32> = all.iter().map(|key| (key.0 - clip.start_s).max(0.0)).collect();
        // Of two keys at one moment, a jump, the first comes just before it.
        for index in (0..times.len().saturating_sub(1)).rev() {
            if times[index] >= times[index + 1] {
                times[index] = times[index + 1].next_down();
            }
        }
        // Times cannot be negative: keys that no longer fit before the beginning are never seen.
        let unseen = times.iter().filter(|&&time| time < 0.0).count();
        Some((times.split_off(unseen), all.into_iter().skip(unseen).map(|key| key.1).collect()))
    }
}

/// Spherical interpolation; in double precision, for glam's single one goes through an approximate arc cosine.
fn slerp(a: Quat, b: Quat, share: f32) -> Quat {
    a.as_dquat().slerp(b.as_dquat(), f64::from(share)).as_quat()
}
