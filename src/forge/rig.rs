//! A skeleton under construction, with key frames from functions of time.

use glam::{EulerRot, Quat, Vec3};

use crate::ms3d::raw;

/// A joint's movement against its rest pose, in the parent's axes (which at rest are the model's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Turn.
    pub rotation: Quat,
    /// Shift.
    pub translation: Vec3,
}

impl Pose {
    /// No movement.
    pub const REST: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// A turn alone.
    pub fn turn(rotation: Quat) -> Self {
        Self { rotation, ..Self::REST }
    }
}

/// A joint under construction: at rest its axes are the model's.
#[derive(Clone, Debug)]
pub struct RigJoint {
    /// Name, at most 31 bytes, not used twice.
    pub name: String,
    /// Parent's index.
    pub parent: Option<u8>,
    /// Pivot in model space.
    pub position: Vec3,
    /// Movement at each frame of the loop, the last equal to the first; empty for a still joint.
    pub frames: Vec<Pose>,
}

/// A skeleton under construction with one looping clip.
///
/// The loop's first key lies at frame 1, as MilkShape places it, and its last, equal to the first, at frame
/// `frames + 1`.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Joints, parents before children.
    pub joints: Vec<RigJoint>,
    /// Frames a second.
    pub fps: f32,
    /// Length of the loop in frames.
    pub frames: usize,
}

impl Rig {
    /// A skeleton without joints.
    pub fn new(fps: f32, frames: usize) -> Self {
        Self { joints: Vec::new(), fps, frames }
    }

    /// A skeleton for things that do not move.
    pub fn still() -> Self {
        Self::new(30.0, 1)
    }

    /// Adds a joint with its pivot in model space and returns its index.
    pub fn joint(&mut self, name: &str, parent: Option<u8>, position: Vec3) -> u8 {
        self.joints.push(RigJoint { name: name.into(), parent, position, frames: Vec::new() });
        (self.joints.len() - 1) as u8
    }

    /// Gives a joint its movement: `pose(phase)` with phase from 0 to 1 over the loop; phase 1 is taken from phase 0.
    pub fn animate(&mut self, joint: u8, pose: impl Fn(f32) -> Pose) {
        let count = self.frames.max(1);
        self.joints[usize::from(joint)].frames = (0..=count).map(|k| pose((k % count) as f32 / count as f32)).collect();
    }

    /// A joint's pivot in model space.
    pub fn pivot(&self, joint: u8) -> Vec3 {
        self.joints[usize::from(joint)].position
    }

    /// The file's joints.
    pub fn to_raw(&self) -> Vec<raw::Joint> {
        self.joints.iter().map(|joint| self.joint_to_raw(joint)).collect()
    }

    /// The file's time line.
    pub fn keyframer(&self) -> raw::Keyframer {
        raw::Keyframer { fps: self.fps, current_time: 1.0, total_frames: self.frames as i32 + 1 }
    }

    fn joint_to_raw(&self, joint: &RigJoint) -> raw::Joint {
        let parent = joint.parent.map(|p| &self.joints[usize::from(p)]);
        let time = |frame: usize| (frame + 1) as f32 / self.fps;
        let key = |frame: usize, value: Vec3| raw::Key { time: time(frame), value: value.to_array() };
        raw::Joint {
            flags: 0,
            name: joint.name.as_str().into(),
            parent_name: parent.map_or("", |p| p.name.as_str()).into(),
            rotation: [0.0; 3],
            position: (joint.position - parent.map_or(Vec3::ZERO, |p| p.position)).to_array(),
            rotation_keys: joint.frames.iter().enumerate().map(|(i, pose)| key(i, euler(pose.rotation))).collect(),
            translation_keys: joint.frames.iter().enumerate().map(|(i, pose)| key(i, pose.translation)).collect(),
        }
    }
}

/// Angles x, y, z with R = Rz Ry Rx.
fn euler(rotation: Quat) -> Vec3 {
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    Vec3::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_closes_and_starts_at_frame_one() {
        let mut rig = Rig::new(25.0, 10);
        let root = rig.joint("root", None, Vec3::new(0.0, 1.0, 2.0));
        let tail = rig.joint("tail", Some(root), Vec3::new(0.0, 1.0, 3.0));
        rig.animate(tail, |phase| Pose::turn(Quat::from_rotation_y(0.3 * (phase * std::f32::consts::TAU + 0.4).sin())));
        let raw = &rig.to_raw()[1];
        assert_eq!(raw.rotation_keys.len(), 11);
        assert_eq!(raw.rotation_keys[0].value, raw.rotation_keys[10].value);
        assert!((raw.rotation_keys[0].time - 0.04).abs() < 1e-6);
        assert_eq!(raw.position, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn euler_angles_rebuild_the_turn() {
        let turn = Quat::from_rotation_z(0.4) * Quat::from_rotation_y(-0.7) * Quat::from_rotation_x(1.1);
        let e = euler(turn);
        assert!((e - Vec3::new(1.1, -0.7, 0.4)).length() < 1e-5);
    }
}
