//! The travelling wave of a swimming body, and the spine that follows it.
//!
//! Midline h(x, t) = A(x) sin(2 pi (x / wavelength - t)) with x from 0 at the nose to 1 at the tail's end and all
//! lengths in body lengths: Videler & Hess 1984 for mackerel and saithe, as used by Borazjani & Sotiropoulos 2008.

use std::f32::consts::TAU;

use glam::Vec3;
use math::smoothstep;

use crate::maths::{atan, rotation_x, rotation_y, sin};
use crate::rig::{ClipPhase, JointPose};
use crate::{JointWeights, Rig};

/// Amplitude and wavelength of a midline wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// A(x) = a0 + a1 x + a2 x^2, body lengths.
    pub amplitude: [f32; 3],
    /// Wavelength, body lengths.
    pub wavelength: f32,
    /// Bend of the body in a turn. Unit: rad per body length.
    pub turn: f32,
    /// Whether it beats up and down, as whales do.
    pub upright: bool,
}

impl Wave {
    /// Carangiform: mackerel (Videler & Hess 1984): 0.1 body lengths to each side at the tail.
    pub const CARANGIFORM: Self = Self::sideways([0.02, -0.08, 0.16], 0.95, 1.3);
    /// Thunniform: tunas; a stiff body, the swing all in the narrow tail (after Fierstine & Walters 1968).
    pub const THUNNIFORM: Self = Self::sideways([0.010, -0.075, 0.165], 1.15, 0.8);
    /// Long bodies that wave from the shoulders on, such as requiem sharks: the amplitude grows earlier and the
    /// head stays within 0.02 (after Webb & Keyes 1982, six shark species: wavelength about one body length).
    pub const SHARK: Self = Self::sideways([0.018, -0.03, 0.10], 1.05, 1.4);
    /// Stiff, deep-bodied reef fish: half the swing, carried by the tail (ostraciiform to subcarangiform; the
    /// pectorals do the rest).
    pub const REEF: Self = Self::sideways([0.010, -0.060, 0.125], 1.1, 1.2);
    /// Triggerfish: a body as stiff as a plank; dorsal and anal fin row, the tail helps in haste.
    pub const BALISTIFORM: Self = Self::sideways([0.004, -0.030, 0.070], 1.3, 0.7);
    /// Anguilliform: eels (Carling, Williams & Bowtell 1998): A = 4/33 (x + 0.03125), the whole body a wave.
    pub const ANGUILLIFORM: Self = Self::sideways([0.0038, 0.1212, 0.0], 0.75, 2.4);
    /// Dolphins: flukes beat up and down with 0.1 body lengths to each side (Fish 1993), the trunk hardly moves.
    pub const DOLPHIN: Self = Self { upright: true, ..Self::sideways([0.018, -0.075, 0.155], 1.25, 0.8) };

    const fn sideways(amplitude: [f32; 3], wavelength: f32, turn: f32) -> Self {
        Self { amplitude, wavelength, turn, upright: false }
    }

    /// Sideways offset at x (0..1) and phase (0..1), body lengths.
    pub fn offset(&self, x: f32, phase: f32) -> f32 {
        let [a0, a1, a2] = self.amplitude;
        (a0 + a1 * x + a2 * x * x) * sin(TAU * (x / self.wavelength - phase))
    }
}

/// A chain of joints down the body; the head is one stiff piece, as a skull is.
#[derive(Clone, Debug)]
pub struct Spine {
    /// Joint of each segment, head first.
    joints: Vec<u8>,
    /// Ends of the segments, x from 0 to 1: one more than joints.
    nodes: Vec<f32>,
    /// z of x = 0 and of x = 1.
    ends: (f32, f32),
}

impl Spine {
    /// Adds joints for the segments between `nodes` (x, rising, from 0 to 1) to a rig: the second segment is the
    /// root, the first is the head. The body lies along z between `ends` at the heights `height(x)`.
    pub fn new(rig: &mut Rig, nodes: &[f32], ends: (f32, f32), height: impl Fn(f32) -> f32) -> Self {
        let place = |x: f32| Vec3::new(0.0, height(x), ends.0 + (ends.1 - ends.0) * x);
        let body = rig.joint("body", None, place(nodes[1]));
        let head = rig.joint("head", Some(body), place(nodes[1]));
        let mut joints = vec![head, body];
        let count = nodes.len() - 1;
        for (i, &x) in nodes.iter().enumerate().take(count).skip(2) {
            let name = if i + 1 == count { "tail_fin".to_owned() } else { format!("spine_{}", i - 1) };
            let joint = rig.joint(&name, joints.last().copied(), place(x));
            joints.push(joint);
        }
        Self { joints, nodes: nodes.to_vec(), ends }
    }

    /// The head's joint.
    pub fn head(&self) -> u8 {
        self.joints[0]
    }

    /// The root joint.
    pub fn root(&self) -> u8 {
        self.joints[1]
    }

    /// x (0..1) of a position z.
    pub fn x_of(&self, z: f32) -> f32 {
        (z - self.ends.0) / (self.ends.1 - self.ends.0)
    }

    /// Joint weights at a position z: each joint fades into the next over half of each of their segments.
    pub fn skin(&self, z: f32) -> JointWeights {
        let x = self.x_of(z);
        let middle = |i: usize| 0.5 * (self.nodes[i] + self.nodes[i + 1]);
        let last = self.joints.len() - 1;
        // The skull is stiff up to three quarters of its segment.
        let from = |i: usize| if i == 0 { self.nodes[0] + 0.72 * (self.nodes[1] - self.nodes[0]) } else { middle(i) };
        let Some(i) = (0..last).find(|&i| x < middle(i + 1)) else {
            return JointWeights::rigid(self.joints[last]);
        };
        let t = smoothstep(from(i), middle(i + 1), x);
        JointWeights::of(&[(self.joints[i], 1.0 - t), (self.joints[i + 1], t)])
    }

    /// Makes the joints follow a wave: each segment's rotation is the slope of the chord between its ends, plus a share
    /// of the bend that the clip asks for.
    pub fn swim(&self, rig: &mut Rig, wave: Wave) {
        let length = self.ends.1 - self.ends.0;
        let nodes = self.nodes.clone();
        let root_x = self.nodes[1];
        // Angle of the wave's slope, and of the bend to the left.
        let angles = move |i: usize, at: ClipPhase| {
            let (a, b) = (nodes[i], nodes[i + 1]);
            let slope = (wave.offset(b, at.phase) - wave.offset(a, at.phase)) / (b - a);
            let bend = at.bend() * wave.turn * (root_x - f32::midpoint(a, b));
            (atan(at.vigour() * slope), bend)
        };
        for (i, &joint) in self.joints.iter().enumerate() {
            let parent = match i {
                0 => Some(1),
                1 => None,
                _ => Some(i - 1),
            };
            let angles = angles.clone();
            rig.animate(joint, move |at| {
                let (own, bend) = angles(i, at);
                let (below, bent) = parent.map_or((0.0, 0.0), |p| angles(p, at));
                let offset = at.vigour() * wave.offset(root_x, at.phase) * length;
                let shift = if parent.is_none() { offset } else { 0.0 };
                if wave.upright {
                    let turn = rotation_y(bend - bent) * rotation_x(below - own);
                    return JointPose { rotation: turn, translation: Vec3::Y * shift };
                }
                JointPose { rotation: rotation_y(own - below + bend - bent), translation: Vec3::X * shift }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::euler;
    use crate::rig::Clip;

    #[test]
    fn the_tail_swings_a_tenth_of_the_length() {
        let peak = (0..100).map(|i| Wave::CARANGIFORM.offset(1.0, i as f32 / 100.0)).fold(0.0, f32::max);
        assert!((peak - 0.1).abs() < 1e-3);
    }

    #[test]
    fn the_chain_follows_the_midline() {
        let nodes = [0.0, 0.24, 0.36, 0.48, 0.6, 0.7, 0.8, 0.9, 1.0];
        let mut rig = Rig::new(&[(Clip::Cruise, 12)]);
        let spine = Spine::new(&mut rig, &nodes, (-0.5, 0.5), |_| 0.0);
        spine.swim(&mut rig, Wave::CARANGIFORM);
        let frame = 4;
        // Walk from the root to the tail's pivot.
        let (mut place, mut yaw) = (Vec3::ZERO, 0.0);
        for (i, &joint) in spine.joints.iter().enumerate().skip(1) {
            let (_, pose) = rig.joints[usize::from(joint)].keys[frame];
            let rest = if i == 1 { rig.pivot(joint) } else { rig.pivot(joint) - rig.pivot(spine.joints[i - 1]) };
            place += rotation_y(yaw) * (rest + pose.translation);
            yaw += euler(pose.rotation).y;
            let expected = Wave::CARANGIFORM.offset(nodes[i], frame as f32 / 12.0);
            // Segments turn but do not stretch: they fall a little short where the midline is steepest.
            assert!((place.x - expected).abs() < 7e-3, "joint {i}: {} against {expected}", place.x);
        }
    }

    #[test]
    fn weights_change_smoothly_and_sum_to_one() {
        let nodes = [0.0, 0.24, 0.36, 0.48, 0.6, 0.8, 1.0];
        let mut rig = Rig::new(&[(Clip::Cruise, 12)]);
        let spine = Spine::new(&mut rig, &nodes, (-0.5, 0.5), |_| 0.0);
        let mut before = spine.skin(-0.5);
        for i in 0..=200 {
            let skin = spine.skin(-0.5 + i as f32 / 200.0);
            assert!((skin.total() - 1.0).abs() < 1e-5);
            let of = |skin: &JointWeights, joint: u8| skin.0.iter().filter(|s| s.0 == joint).map(|s| s.1).sum::<f32>();
            assert!((0..8).all(|j| (of(&skin, j) - of(&before, j)).abs() < 0.12), "at {i}");
            before = skin;
        }
    }
}
