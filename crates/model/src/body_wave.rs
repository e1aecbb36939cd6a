//! A swimming body's wave for a model that brings no motion of its own: a spine down its length that the vertices hang
//! on, and the clip `swim` that bends it.
//!
//! The midline goes h(x, t) = A(x) sin(2 pi (x / wavelength - t)) to the side, x from 0 at the nose to 1 at the tail and
//! all lengths in body lengths: Videler & Hess 1984 for mackerel, as used by Borazjani & Sotiropoulos 2008.

use std::f32::consts::TAU;

use glam::{Mat4, Quat, Vec3};

use crate::{Bounds, Clip, Joint, Lod, Skeleton};

/// A(x) = a0 + a1 x + a2 x², half of the way from side to side: a fifth of the length in all at the tail.
const AMPLITUDE: [f32; 3] = [0.02, -0.08, 0.16];
/// Body lengths.
const WAVELENGTH: f32 = 0.95;
/// Joints of the spine.
const JOINTS: usize = 8;
/// Keys of one beat, that which closes it not counted.
const KEYS: usize = 24;
/// Length of one beat as a clip; how often a swimmer beats is its own affair. Unit: s.
const BEAT_S: f32 = 1.0;
/// What is shorter along its nose than this share of its greatest extent has no length to wave along.
const MIN_LENGTH: f32 = 0.1;

/// A spine for a level within `bounds`, whose vertices then follow it and nothing else, and its clip; `None` for what is
/// too short along its nose.
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

/// The joints of a vertex at x (0..1), the one that counts more first: each fades into the next from the middle of its
/// segment to the middle of that one's.
fn followed(x: f32) -> ([u8; 4], [f32; 4]) {
    const REST: u8 = JOINTS as u8;
    let at = (x * JOINTS as f32 - 0.5).clamp(0.0, (JOINTS - 1) as f32);
    let (joint, weight) = (at as u8, at.fract());
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

/// How far to the side the midline is at x and a moment of the beat (0..1). Unit: body lengths.
fn offset(x: f32, beat: f32) -> f32 {
    let [a0, a1, a2] = AMPLITUDE;
    (a0 + a1 * x + a2 * x * x) * (TAU * (x / WAVELENGTH - beat)).sin()
}

/// Which way a segment points, about +y from +z on, for its ends to lie on the midline: it keeps its length. Unit: rad.
fn direction(joint: usize, beat: f32) -> f32 {
    let [from, to] = [joint, joint + 1].map(|node| offset(node as f32 / JOINTS as f32, beat));
    ((to - from) * JOINTS as f32).asin()
}
