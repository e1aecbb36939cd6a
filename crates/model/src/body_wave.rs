//! Swimming wave for a model that has no motion of its own: a spine down its length that the vertices follow, and the
//! clip `swim` that bends it.
//!
//! The midline's offset to the side is h(x, t) = A(x) sin(2 pi (x / wavelength - t)), x from 0 at the nose to 1 at the
//! tail and all lengths in body lengths: Videler & Hess 1984 for mackerel, as used by Borazjani & Sotiropoulos 2008.

use std::f32::consts::TAU;

use glam::{Mat4, Quat, Vec3};

use crate::{Bounds, Clip, Joint, Lod, Skeleton};

/// Amplitude A(x) = a0 + a1 x + a2 x², half of the way from side to side: a fifth of the length in all at the tail.
const AMPLITUDE: [f32; 3] = [0.02, -0.08, 0.16];
/// Wavelength. Unit: body lengths.
const WAVELENGTH: f32 = 0.95;
/// Joints of the spine.
const JOINTS: usize = 8;
/// Keys of one beat, without the one that closes it.
const KEYS: usize = 24;
/// Length of one beat as a clip, whatever the rate at which a swimmer beats. Unit: s.
const BEAT_S: f32 = 1.0;
/// Least length along the nose that a wave needs, as a share of the greatest extent.
const MIN_LENGTH: f32 = 0.1;

/// Binds the vertices of a level within `bounds` to a spine and nothing else; returns the spine and its clip, `None`
/// for a model too short along its nose.
pub fn added(full: &mut Lod, bounds: &Bounds) -> Option<(Skeleton, Clip)> {
    let extent = bounds.max - bounds.min;
    if !(extent.z.is_finite() && extent.z > MIN_LENGTH * extent.max_element()) {
        return None;
    }
    for vertex in &mut full.vertices {
        (vertex.joints, vertex.weights) = followed((vertex.position.z - bounds.min.z) / extent.z);
    }
    Some((spine(bounds), Clip { name: "swim".into(), start_s: 0.0, end_s: BEAT_S }))
}

/// Joints and weights of a vertex at x (0..1), the heavier first: each joint fades into the next from the middle of its
/// segment to the middle of that one's.
fn followed(x: f32) -> ([u16; 4], [f32; 4]) {
    const REST: u16 = JOINTS as u16;
    let at = (x * JOINTS as f32 - 0.5).clamp(0.0, (JOINTS - 1) as f32);
    let (joint, weight) = (at as u16, at.fract());
    let mut pair = [(joint, 1.0 - weight), if weight > 0.0 { (joint + 1, weight) } else { (REST, 0.0) }];
    pair.sort_by(|a, b| b.1.total_cmp(&a.1));
    ([pair[0].0, pair[1].0, REST, REST], [pair[0].1, pair[1].1, 0.0, 0.0])
}

/// A chain of equal segments from the nose to the tail, through the middle of the body.
fn spine(bounds: &Bounds) -> Skeleton {
    let segment = (bounds.max.z - bounds.min.z) / JOINTS as f32;
    let nose = bounds.center().with_z(bounds.min.z);
    let beats: Vec<_> = (0..=KEYS).map(|key| key as f32 / KEYS as f32).collect();
    let joints = (0..JOINTS).map(|joint| {
        let at_rest = if joint == 0 { nose } else { Vec3::Z * segment };
        let turn = |beat: f32| {
            let before = if joint == 0 { 0.0 } else { direction(joint - 1, beat) };
            Quat::from_rotation_y(direction(joint, beat) - before)
        };
        let sideways = |beat: f32| Vec3::X * offset(0.0, beat) * segment * JOINTS as f32;
        // Only the nose is moved; the rest hangs on it.
        let moved = if joint == 0 { beats.as_slice() } else { &[] };
        Joint {
            name: format!("spine_{joint}"),
            parent: joint.checked_sub(1).map(|parent| parent as u16),
            local_bind: Mat4::from_translation(at_rest),
            inverse_bind: Mat4::from_translation(-(nose + Vec3::Z * segment * joint as f32)),
            rotation_keys: beats.iter().map(|&beat| (beat * BEAT_S, turn(beat))).collect(),
            translation_keys: moved.iter().map(|&beat| (beat * BEAT_S, sideways(beat))).collect(),
            scale_keys: Vec::new(),
        }
    });
    let fps = KEYS as f32 / BEAT_S;
    Skeleton {
        joints: joints.collect(),
        order: (0..JOINTS as u16).collect(),
        duration_s: BEAT_S,
        fps,
        morph_keys: Vec::new(),
    }
}

/// Offset of the midline to the side at x and a moment of the beat (0..1). Unit: body lengths.
fn offset(x: f32, beat: f32) -> f32 {
    let [a0, a1, a2] = AMPLITUDE;
    (a0 + a1 * x + a2 * x * x) * (TAU * (x / WAVELENGTH - beat)).sin()
}

/// Direction of a segment, about +y from +z on, that puts its ends on the midline and keeps its length. Unit: rad.
fn direction(joint: usize, beat: f32) -> f32 {
    let [from, to] = [joint, joint + 1].map(|node| offset(node as f32 / JOINTS as f32, beat));
    ((to - from) * JOINTS as f32).asin()
}
