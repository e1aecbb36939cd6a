//! Joints, and clips as keys on one time line.
//!
//! In the file a vertex is bound in the reference pose of the joints. So each reference is the joint's bind pose in the
//! model, and keys lead from there to the joint's pose, at every moment at which any joint has a key. Scales, which the
//! format does not have, are left out of joints.

use glam::{EulerRot, Mat4, Quat, Vec3};
use ms3d::raw::{self, Key};

use super::{PoseOf, name};
use crate::import::Imported;
use crate::{Clip, Skeleton};

/// Time before a jump at which the pose before it still holds. Unit: s.
const JUMP_S: f32 = 1e-4;
/// Least change of scale that is warned about.
const SCALED: f32 = 1e-3;

/// The joints with their keys, and the model's comment, which names the clips.
pub(super) fn joints(
    model: &Imported,
    has_rest_joint: bool,
    pose: &PoseOf,
    warnings: &mut Vec<String>,
) -> (Vec<raw::Joint>, Option<String>) {
    let skeleton = &model.skeleton;
    let references: Vec<Mat4> = skeleton.joints.iter().map(|joint| rigid(&joint.inverse_bind.inverse()).0).collect();
    let moments = moments(skeleton, &model.clips);
    let mut most_scale: f32 = 1.0;
    // Transform of each joint relative to its parent at a moment.
    let locals_at = |time_s: f32, most_scale: &mut f32| -> Vec<Mat4> {
        let skins = pose(skeleton, time_s);
        let places: Vec<Mat4> = skins
            .iter()
            .zip(&references)
            .map(|(skin, reference)| {
                let (place, scale) = rigid(&(*skin * *reference));
                *most_scale = most_scale.max(scale).max(1.0 / scale);
                place
            })
            .collect();
        local(skeleton, &places)
    };
    let poses: Vec<Vec<Mat4>> = moments.iter().map(|&time_s| locals_at(time_s, &mut most_scale)).collect();
    if most_scale > 1.0 + SCALED {
        warnings.push("joints change their size, which an MS3D file cannot hold: they keep it".into());
    }
    let names = names(skeleton);
    let at_rest = local(skeleton, &references);
    let mut joints: Vec<raw::Joint> = (0..skeleton.joints.len())
        .map(|index| {
            let (_, turned, moved) = at_rest[index].to_scale_rotation_translation();
            let to_reference = at_rest[index].inverse();
            let keys = moments.iter().zip(&poses).map(|(&time, locals)| {
                let (_, rotation, translation) = (to_reference * locals[index]).to_scale_rotation_translation();
                (Key { time, value: angles(rotation) }, Key { time, value: translation.to_array() })
            });
            let (rotation_keys, translation_keys): (Vec<Key>, Vec<Key>) = keys.unzip();
            raw::Joint {
                flags: 0,
                name: name(&names[index], ms3d::NAME_BYTES),
                parent_name: skeleton.joints[index]
                    .parent
                    .map_or_else(Default::default, |parent| name(&names[usize::from(parent)], ms3d::NAME_BYTES)),
                rotation: angles(turned),
                position: moved.to_array(),
                rotation_keys: thinned(rotation_keys),
                translation_keys: thinned(translation_keys),
            }
        })
        .collect();
    if has_rest_joint {
        joints.push(raw::Joint { name: name("at rest", ms3d::NAME_BYTES), ..Default::default() });
    }
    (joints, comment(&model.clips, skeleton.fps.max(1.0)))
}

/// A matrix without its scale, and its greatest scale.
fn rigid(matrix: &Mat4) -> (Mat4, f32) {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let scale = scale.abs().max_element();
    let rotation = if rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY };
    let translation = if translation.is_finite() { translation } else { Vec3::ZERO };
    (Mat4::from_rotation_translation(rotation, translation), if scale > 0.0 { scale } else { 1.0 })
}

/// Transforms relative to the parents.
fn local(skeleton: &Skeleton, places: &[Mat4]) -> Vec<Mat4> {
    let of = |(joint, place): (&crate::Joint, &Mat4)| match joint.parent {
        Some(parent) => places[usize::from(parent)].inverse() * *place,
        None => *place,
    };
    skeleton.joints.iter().zip(places).map(of).collect()
}

/// All moments of the clips at which any joint has a key, and the ends of the clips.
fn moments(skeleton: &Skeleton, clips: &[Clip]) -> Vec<f32> {
    let mut moments: Vec<f32> = Vec::new();
    for joint in &skeleton.joints {
        let tracks = [
            joint.rotation_keys.iter().map(|key| key.0).collect::<Vec<f32>>(),
            joint.translation_keys.iter().map(|key| key.0).collect(),
            joint.scale_keys.iter().map(|key| key.0).collect(),
        ];
        for times in tracks {
            // Of two keys at one moment the first holds until just before it.
            moments.extend(times.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0] - JUMP_S));
            moments.extend(times);
        }
    }
    moments.extend(clips.iter().flat_map(|clip| [clip.start_s, clip.end_s]));
    moments.retain(|moment| clips.iter().any(|clip| (clip.start_s..=clip.end_s).contains(moment)));
    moments.sort_by(f32::total_cmp);
    moments.dedup();
    moments
}

/// Keys without those that equal both of their neighbours.
fn thinned(keys: Vec<Key>) -> Vec<Key> {
    if keys.iter().all(|key| key.value == [0.0; 3]) {
        return Vec::new();
    }
    let is_needed = |index: usize| {
        let value = keys[index].value;
        index == 0 || index + 1 == keys.len() || keys[index - 1].value != value || keys[index + 1].value != value
    };
    (0..keys.len()).filter(|&index| is_needed(index)).map(|index| keys[index]).collect()
}

/// A unique name for each joint: parents are found by name.
fn names(skeleton: &Skeleton) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for joint in &skeleton.joints {
        let base = &joint.name[..joint.name.floor_char_boundary(ms3d::NAME_BYTES - 4)];
        let is_free = |name: &String| !name.is_empty() && names.iter().all(|known| !known.eq_ignore_ascii_case(name));
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let free = std::iter::once(base.to_owned()).chain(numbered).find(is_free);
        names.push(free.unwrap_or_default());
    }
    names
}

/// Angles about x, y and z, applied in this order.
fn angles(rotation: Quat) -> [f32; 3] {
    let (z, y, x) = rotation.as_dquat().normalize().to_euler(EulerRot::ZYX);
    [x, y, z].map(|angle| angle as f32)
}

/// The line of the comment that names clips, for which see `from_ms3d`.
fn comment(clips: &[Clip], fps: f32) -> Option<String> {
    let clip = |clip: &Clip| {
        let name: String = clip.name.chars().map(|c| if c.is_whitespace() || c == '=' { '_' } else { c }).collect();
        format!(" {name}={}..{}", clip.start_s * fps, clip.end_s * fps)
    };
    (!clips.is_empty()).then(|| format!("pelagic: clips{}", clips.iter().map(clip).collect::<String>()))
}
