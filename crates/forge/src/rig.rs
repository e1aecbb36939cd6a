//! A skeleton under construction, with key frames from functions of time.

use crate::maths::{cos, euler};
use glam::{Mat3, Vec3};
use math::smoothstep;
use ms3d::raw;

/// A joint's movement relative to its rest pose, in the parent's axes (which at rest are the model's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPose {
    /// Rotation about the joint.
    pub rotation: Mat3,
    /// Translation. Unit: model units.
    pub translation: Vec3,
}

impl JointPose {
    /// No movement.
    pub const REST: Self = Self { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };

    /// A rotation alone.
    pub fn turn(rotation: Mat3) -> Self {
        Self { rotation, ..Self::REST }
    }
}

/// A clip: a range of the time line that shows one movement. Its last frame equals its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clip {
    /// Steady swimming: one beat of the tail.
    Cruise,
    /// Steady swimming with wings.
    Flap,
    /// Steady swimming with a bell.
    Pulse,
    /// Walking on the ground.
    Crawl,
    /// Shutting and opening again.
    Close,
    /// Hanging in the water: fins scull, gills breathe.
    Idle,
    /// A sprint: one fast, wide beat.
    Burst,
    /// A bend to the left and back.
    TurnLeft,
    /// A bend to the right and back.
    TurnRight,
    /// A snap at something small.
    Feed,
}

impl Clip {
    /// Clips of the usual motion.
    pub const USUAL: [Self; 5] = [Self::Cruise, Self::Flap, Self::Pulse, Self::Crawl, Self::Close];

    /// All clips.
    pub const ALL: [Self; 10] = [
        Self::Cruise,
        Self::Flap,
        Self::Pulse,
        Self::Crawl,
        Self::Close,
        Self::Idle,
        Self::Burst,
        Self::TurnLeft,
        Self::TurnRight,
        Self::Feed,
    ];

    /// Its name in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cruise => "cruise",
            Self::Flap => "flap",
            Self::Pulse => "pulse",
            Self::Crawl => "crawl",
            Self::Close => "close",
            Self::Idle => "idle",
            Self::Burst => "burst",
            Self::TurnLeft => "turn_left",
            Self::TurnRight => "turn_right",
            Self::Feed => "feed",
        }
    }

    /// The clip of this name.
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|clip| clip.word() == word)
    }
}

/// Clip and phase, the argument of a joint's movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipPhase {
    /// The clip.
    pub clip: Clip,
    /// Phase, 0 to 1 over the clip.
    pub phase: f32,
}

impl ClipPhase {
    /// Strength of the swimming stroke; 1 is that of steady swimming.
    pub fn vigour(&self) -> f32 {
        match self.clip {
            Clip::Burst => 1.4,
            Clip::Idle => 0.22,
            Clip::TurnLeft | Clip::TurnRight => 0.45,
            Clip::Feed => 0.35,
            _ => 1.0,
        }
    }

    /// Bend of the body: 1 is a full bend to the left, -1 to the right.
    pub fn bend(&self) -> f32 {
        let amount = smoothstep(0.0, 0.35, self.phase) * smoothstep(1.0, 0.5, self.phase);
        match self.clip {
            Clip::TurnLeft => amount,
            Clip::TurnRight => -amount,
            _ => 0.0,
        }
    }

    /// Opening of the mouth to feed, 0 to 1.
    pub fn gape(&self) -> f32 {
        match self.clip {
            Clip::Feed => smoothstep(0.18, 0.42, self.phase) * smoothstep(0.66, 0.48, self.phase),
            _ => 0.0,
        }
    }

    /// Phase of breathing: from 0 to 1 and back, about once a second.
    pub fn breath(&self) -> f32 {
        let count = if self.clip == Clip::Idle { 3.0 } else { 1.0 };
        0.5 - 0.5 * cos(std::f32::consts::TAU * count * self.phase)
    }
}

/// A joint under construction: at rest its axes are the model's.
#[derive(Clone, Debug)]
pub struct RigJoint {
    /// Name, at most 31 bytes, not used twice.
    pub name: String,
    /// Parent's index.
    pub parent: Option<u8>,
    /// Pivot in model space. Unit: model units.
    pub position: Vec3,
    /// Frame and movement of each key; empty for a still joint.
    pub keys: Vec<(usize, JointPose)>,
}

/// Range of a clip on the time line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipRange {
    /// The clip.
    pub clip: Clip,
    /// First frame, counted from 1 as MilkShape shows it.
    pub from: f32,
    /// Last frame, whose pose is the first one's.
    pub to: f32,
}

/// A named place that moves with a joint, listed in the model's comment: it needs no joint of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct RigPlace {
    /// Name, without spaces.
    pub name: String,
    /// The joint that carries it.
    pub joint: u8,
    /// Rest position in model space. Unit: model units.
    pub position: Vec3,
}

/// A skeleton under construction with its clips one after the other on one time line.
///
/// The first clip is the usual motion. Its first key lies at frame 1, as in MilkShape, and its last, equal to the
/// first, at frame `frames + 1`; the next clip begins on the frame after that.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Joints, parents before children.
    pub joints: Vec<RigJoint>,
    /// Clips and their lengths in frames.
    pub clips: Vec<(Clip, usize)>,
    /// Named places.
    pub places: Vec<RigPlace>,
}

/// Clips longer than this have a key at every second frame.
const DENSE_FRAMES: usize = 30;

impl Rig {
    /// Frames a second.
    pub const FPS: f32 = 30.0;

    /// A skeleton without joints.
    pub fn new(clips: &[(Clip, usize)]) -> Self {
        Self { joints: Vec::new(), clips: clips.to_vec(), places: Vec::new() }
    }

    /// A skeleton for things that do not move.
    pub fn still() -> Self {
        Self::new(&[])
    }

    /// Adds a joint with its pivot in model space and returns its index; [`assemble()`](crate::assemble()) takes up to
    /// 128.
    pub fn joint(&mut self, name: &str, parent: Option<u8>, position: Vec3) -> u8 {
        self.joints.push(RigJoint { name: name.into(), parent, position, keys: Vec::new() });
        (self.joints.len() - 1) as u8
    }

    /// Adds a named place that moves with a joint.
    pub fn place(&mut self, name: &str, joint: u8, position: Vec3) {
        self.places.push(RigPlace { name: name.into(), joint, position });
    }

    /// Gives a joint its movement; phase 1 of each clip is taken from phase 0.
    ///
    /// # Panics
    /// If there is no such joint.
    pub fn animate(&mut self, joint: u8, pose: impl Fn(ClipPhase) -> JointPose) {
        let mut keys = Vec::new();
        for (range, (clip, count)) in self.ranges().into_iter().zip(self.clips.clone()) {
            let step = if count > DENSE_FRAMES { 2 } else { 1 };
            let frames = (0..count).step_by(step).chain([count]);
            keys.extend(frames.map(|frame| {
                let phase = (frame % count) as f32 / count as f32;
                (range.from as usize + frame, pose(ClipPhase { clip, phase }))
            }));
        }
        self.joints[usize::from(joint)].keys = keys;
    }

    /// A joint's pivot in model space.
    ///
    /// # Panics
    /// If there is no such joint.
    pub fn pivot(&self, joint: u8) -> Vec3 {
        self.joints[usize::from(joint)].position
    }

    /// Ranges of the clips on the time line.
    pub fn ranges(&self) -> Vec<ClipRange> {
        let mut from = 1;
        let place = |&(clip, frames): &(Clip, usize)| {
            let range = ClipRange { clip, from: from as f32, to: (from + frames) as f32 };
            from += frames + 1;
            range
        };
        self.clips.iter().map(place).collect()
    }

    /// The lines of the model's comment that name the clips and the places; empty if nothing moves.
    pub fn comment(&self) -> String {
        if self.joints.is_empty() || self.clips.is_empty() {
            return String::new();
        }
        let words = self.ranges().into_iter().map(|r| format!(" {}={}..{}", r.clip.word(), r.from, r.to));
        let place = |place: &RigPlace| {
            let ([x, y, z], joint) = (place.position.to_array(), &self.joints[usize::from(place.joint)].name);
            format!("\npelagic: place {}={x:.4},{y:.4},{z:.4} on {joint}", place.name)
        };
        format!("pelagic: clips{}{}", words.collect::<String>(), self.places.iter().map(place).collect::<String>())
    }

    /// The file's joints.
    pub fn to_raw(&self) -> Vec<raw::Joint> {
        self.joints.iter().map(|joint| self.joint_to_raw(joint)).collect()
    }

    /// The file's time line.
    pub fn keyframer(&self) -> raw::Keyframer {
        let last = self.ranges().last().map_or(2.0, |range| range.to);
        raw::Keyframer { fps: Self::FPS, current_time: 1.0, total_frames: last as i32 }
    }

    fn joint_to_raw(&self, joint: &RigJoint) -> raw::Joint {
        let parent = joint.parent.map(|p| &self.joints[usize::from(p)]);
        let key = |frame: usize, value: Vec3| raw::Key { time: frame as f32 / Self::FPS, value: value.to_array() };
        // A joint that is never translated needs no translation keys.
        let shifts = joint.keys.iter().any(|(_, pose)| pose.translation != Vec3::ZERO);
        let shifted = if shifts { joint.keys.as_slice() } else { &[] };
        raw::Joint {
            flags: 0,
            name: joint.name.as_str().into(),
            parent_name: parent.map_or("", |p| p.name.as_str()).into(),
            rotation: [0.0; 3],
            position: (joint.position - parent.map_or(Vec3::ZERO, |p| p.position)).to_array(),
            rotation_keys: joint.keys.iter().map(|&(frame, pose)| key(frame, euler(pose.rotation))).collect(),
            translation_keys: shifted.iter().map(|&(frame, pose)| key(frame, pose.translation)).collect(),
        }
    }
}

/// The clips that a document's comment names, in order.
pub fn clips_of(document: &raw::Document) -> Vec<ClipRange> {
    let comment = document.tail.comments.as_ref().and_then(|comments| comments.model.as_deref()).unwrap_or_default();
    let text = String::from_utf8_lossy(comment);
    let line = text.lines().find_map(|line| line.strip_prefix("pelagic: clips "));
    let range = |word: &str| {
        let (name, frames) = word.split_once('=')?;
        let (from, to) = frames.split_once("..")?;
        Some(ClipRange { clip: Clip::find(name)?, from: from.parse().ok()?, to: to.parse().ok()? })
    };
    line.into_iter().flat_map(|line| line.split(' ')).filter_map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{rotation_y, sin};

    #[test]
    fn clips_close_and_follow_each_other_from_frame_one() {
        let mut rig = Rig::new(&[(Clip::Cruise, 10), (Clip::Idle, 40)]);
        let root = rig.joint("root", None, Vec3::new(0.0, 1.0, 2.0));
        let tail = rig.joint("tail", Some(root), Vec3::new(0.0, 1.0, 3.0));
        rig.animate(tail, |at| {
            JointPose::turn(rotation_y(0.3 * at.vigour() * sin(at.phase * std::f32::consts::TAU + 0.4)))
        });
        rig.place("clean_fin", tail, Vec3::new(0.0, 1.5, 3.0));
        let raw = &rig.to_raw()[1];
        assert_eq!(raw.rotation_keys.len(), 11 + 21);
        assert_eq!(raw.rotation_keys[0].value, raw.rotation_keys[10].value);
        assert_eq!(raw.rotation_keys[11].value, raw.rotation_keys[31].value);
        assert!((raw.rotation_keys[0].time - 1.0 / 30.0).abs() < 1e-6);
        assert!((raw.rotation_keys[11].time - 12.0 / 30.0).abs() < 1e-6);
        assert_eq!(raw.position, [0.0, 0.0, 1.0]);
        assert!(raw.translation_keys.is_empty());
        let lines = "pelagic: clips cruise=1..11 idle=12..52\npelagic: place clean_fin=0.0000,1.5000,3.0000 on tail";
        assert_eq!(rig.comment(), lines);
        assert_eq!(rig.keyframer().total_frames, 52);
    }

    #[test]
    fn turns_and_snaps_begin_and_end_at_rest() {
        for clip in [Clip::TurnLeft, Clip::TurnRight, Clip::Feed] {
            for phase in [0.0, 1.0] {
                let at = ClipPhase { clip, phase };
                assert_eq!((at.bend().abs(), at.gape()), (0.0, 0.0), "{clip:?}");
            }
        }
        assert!(ClipPhase { clip: Clip::TurnLeft, phase: 0.4 }.bend() > 0.9);
        assert!(ClipPhase { clip: Clip::Feed, phase: 0.45 }.gape() > 0.9);
    }
}
