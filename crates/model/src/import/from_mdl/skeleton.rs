//! Bones, and sequences as keys on one time line.

use glam::{Mat3, Mat4, Quat, Vec3};
use mdl::{Bone, Document, Sequence, Track, motion};

use super::super::clips::{MAX_CLIPS, Motion, asked_clips};
use super::usable;
use crate::{Clip, Joint, ModelError, ModelPart, ModelRequest, ModelWarning, Skeleton};

/// Pause between two sequences on the time line. Unit: s.
const GAP_S: f32 = 1.0;

/// Frames a second of a sequence without a usable number of its own.
const USUAL_FPS: f32 = 30.0;

/// The skeleton, turned by `rotation` (model from file), and its clips: those that are asked for, else every sequence.
///
/// # Errors
/// If a requested clip is not in the file.
pub(super) fn skeleton(
    document: &Document,
    request: &ModelRequest,
    rotation: Mat3,
) -> Result<(Skeleton, Vec<Clip>), ModelError> {
    let motions = motions(&document.sequences);
    let clips = match request.clips.is_empty() {
        true => motions.iter().take(MAX_CLIPS).map(Clip::from).collect(),
        false => asked_clips(request, &motions, None)?,
    };
    let is_used = |motion: &Motion| clips.iter().any(|clip| clip.start_s < motion.end_s && clip.end_s > motion.start_s);
    let used: Vec<_> = document.sequences.iter().zip(&motions).filter(|(_, motion)| is_used(motion)).collect();
    let turn = Mat4::from_mat3(rotation);
    let mut joints: Vec<Joint> = Vec::with_capacity(document.bones.len());
    let mut model_from_joint: Vec<Mat4> = Vec::with_capacity(document.bones.len());
    for (index, bone) in document.bones.iter().enumerate() {
        let bind = placed(bone.value);
        let local_bind = match bone.parent {
            Some(_) => Mat4::from_rotation_translation(bind.0, bind.1),
            None => turn * Mat4::from_rotation_translation(bind.0, bind.1),
        };
        let parent = bone.parent.map_or(Mat4::IDENTITY, |parent| model_from_joint[parent]);
        model_from_joint.push(parent * local_bind);
        let mut joint = Joint {
            name: if bone.name.is_empty() { format!("bone {index}") } else { bone.name.clone() },
            parent: bone.parent.map(|parent| parent as u16),
            local_bind,
            inverse_bind: model_from_joint[index].inverse(),
            rotation_keys: Vec::new(),
            translation_keys: Vec::new(),
            scale_keys: Vec::new(),
        };
        used.iter().for_each(|(sequence, motion)| add_keys(&mut joint, (bone, index), bind, sequence, motion));
        joints.push(joint);
    }
    let duration_s = motions.last().map_or(0.0, |motion| motion.end_s);
    let fps = motions.first().map_or(USUAL_FPS, |motion| motion.fps);
    let order = (0..joints.len() as u16).collect();
    Ok((Skeleton { joints, order, duration_s, fps, morph_keys: Vec::new() }, clips))
}

/// Warns about sequences with blends that cannot be mixed.
pub(super) fn odd_blends(document: &Document) -> impl Iterator<Item = ModelWarning> {
    let odd = document.sequences.iter().filter(|sequence| ![1, 2, 4].contains(&sequence.blends.len()));
    odd.map(|sequence| {
        let text = format!("sequence '{}' has {} blends: the first is shown", sequence.name, sequence.blends.len());
        ModelWarning::new(ModelPart::Clip(Some(sequence.name.clone())), text)
    })
}

/// The sequences one after another, each under a unique name.
fn motions(sequences: &[Sequence]) -> Vec<Motion> {
    let mut motions: Vec<Motion> = Vec::with_capacity(sequences.len());
    let mut start_s = 0.0;
    for sequence in sequences {
        let fps = Some(sequence.fps).filter(|fps| (0.1..=1000.0).contains(fps)).unwrap_or(USUAL_FPS);
        // A sequence of one frame stands still for a moment.
        let end_s = start_s + (sequence.frames - 1).max(1) as f32 / fps;
        let base = if sequence.name.is_empty() { "sequence" } else { &sequence.name };
        let is_free = |name: &String| motions.iter().all(|motion| motion.name != *name);
        let numbered = || (2..).map(|number| format!("{base}_{number}")).find(is_free);
        let name = Some(base.to_owned()).filter(is_free).or_else(numbered).unwrap_or_default();
        motions.push(Motion { name, start_s, end_s, fps });
        start_s = end_s + GAP_S;
    }
    motions
}

/// Rotation about x, then y, then z, and position, of a bone's six numbers.
fn placed(numbers: [f32; 6]) -> (Quat, Vec3) {
    let [x, y, z, about_x, about_y, about_z] = numbers;
    let angles = usable([about_x, about_y, about_z]);
    let turned = Quat::from_rotation_z(angles.z) * Quat::from_rotation_y(angles.y) * Quat::from_rotation_x(angles.x);
    (turned, usable([x, y, z]))
}

/// Adds the keys of one bone in one sequence, relative to its pose at rest.
fn add_keys(
    joint: &mut Joint,
    (bone, index): (&Bone, usize),
    (bind_rotation, bind_position): (Quat, Vec3),
    sequence: &Sequence,
    motion: &Motion,
) {
    let tracks = || sequence.blends.iter().map(|tracks| &tracks[index]);
    let is_still = |from: usize| tracks().all(|track| track.channels[from..from + 3].iter().all(|c| c.0.is_empty()));
    let pose = |frame: usize| {
        let placed_by = |track: &Track| {
            let mut numbers = track.pose(bone, frame);
            for (axis, bit) in motion::STAYS.into_iter().enumerate() {
                if index == sequence.motion_bone && sequence.motion_kind & bit != 0 {
                    numbers[axis] = 0.0;
                }
            }
            placed(numbers)
        };
        blended(&tracks().map(placed_by).collect::<Vec<_>>(), sequence)
    };
    let last = sequence.frames - 1;
    // The end has a key of its own, even if there is only one frame.
    let frames = |from: usize| if is_still(from) || last == 0 { vec![0, last.max(1)] } else { (0..=last).collect() };
    let time_s = |frame: usize| motion.start_s + frame as f32 / motion.fps;
    let to_joint = bind_rotation.inverse();
    let moved = frames(0).into_iter().map(|frame| (time_s(frame), to_joint * (pose(frame).1 - bind_position)));
    joint.translation_keys.extend(moved);
    joint.rotation_keys.extend(frames(3).into_iter().map(|frame| (time_s(frame), to_joint * pose(frame).0)));
}

/// The mixture of a sequence's blends.
fn blended(poses: &[(Quat, Vec3)], sequence: &Sequence) -> (Quat, Vec3) {
    let share = |axis: usize| {
        let axis = sequence.blend_axes[axis];
        let share = -axis.start / (axis.end - axis.start);
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    };
    let mixed = |a: (Quat, Vec3), b: (Quat, Vec3), share: f32| (a.0.slerp(b.0, share), a.1.lerp(b.1, share));
    match *poses {
        [a, b] => mixed(a, b, share(0)),
        [a, b, c, d] => mixed(mixed(a, b, share(0)), mixed(c, d, share(0)), share(1)),
        _ => poses[0],
    }
}
