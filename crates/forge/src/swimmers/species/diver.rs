//! Scuba diver: prone, legs that kick in turn, one arm bent before the face, the other ahead and down with a torch.
//!
//! A person 1.80 m tall, the median man of NASA-STD-3000: head 0.24 m high, shoulders 0.48 m wide in neoprene, thigh
//! and shank 0.43 m each. An aluminium tank of 12 litres, 0.19 m across and 0.64 m long; fins 0.66 m long. From the
//! torch to the tips of the fins that is 2.6 m. The flutter kick is by eye: the legs swing from the hips half a beat
//! apart, the knees give way as a leg goes down, and the blades trail both.

mod body;
mod kit;
mod skin;

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use crate::maths::{cos, rotation_x, rotation_y, rotation_z, sin};
use crate::rig::{Clip, ClipPhase, JointPose};
use crate::{Forged, Material, Mesh, Noise, Rig, assemble};

const TEXTURE: &str = "diver.png";

/// Greatest z less the least one, and the middle of them. Unit: m.
const LENGTH: f32 = 2.56;
const MIDDLE: Vec3 = Vec3::new(0.0, 0.05, 0.221);

/// Joint places of an arm, from the shoulder to the knuckles. Unit: m.
const RIGHT_ARM: [Vec3; 4] = [
    Vec3::new(0.180, 0.060, -0.460),
    Vec3::new(0.232, -0.130, -0.672),
    Vec3::new(0.122, -0.250, -0.872),
    Vec3::new(0.074, -0.292, -0.936),
];
const LEFT_ARM: [Vec3; 4] = [
    Vec3::new(-0.180, 0.060, -0.460),
    Vec3::new(-0.285, -0.170, -0.540),
    Vec3::new(-0.155, -0.205, -0.765),
    Vec3::new(-0.100, -0.200, -0.930),
];

/// Joint places of a leg: hip, knee, ankle, toes, tip of the fin. Unit: m.
const RIGHT_LEG: [Vec3; 5] = [
    Vec3::new(0.095, -0.010, 0.020),
    Vec3::new(0.132, -0.136, 0.440),
    Vec3::new(0.146, -0.060, 0.850),
    Vec3::new(0.152, -0.078, 1.050),
    Vec3::new(0.164, -0.206, 1.502),
];
const LEFT_LEG: [Vec3; 5] = [
    Vec3::new(-0.095, -0.010, 0.020),
    Vec3::new(-0.137, 0.024, 0.460),
    Vec3::new(-0.154, 0.232, 0.824),
    Vec3::new(-0.160, 0.274, 1.018),
    Vec3::new(-0.174, 0.268, 1.490),
];

/// Place and axis of the torch's lens. Unit of the place: m.
const TORCH: (Vec3, Vec3) = (Vec3::new(0.010, -0.345, -1.036), Vec3::new(-0.72, -0.40, -0.57));

/// Makes the diver.
pub fn make(seed: u64) -> Forged {
    let mut mesh = Mesh::new();
    let materials = Materials {
        suit: mesh.material(Material::new("suit", TEXTURE).glossy(0.12, 9.0)),
        kit: mesh.material(Material::new("kit", TEXTURE).glossy(0.14, 22.0)),
        tank: mesh.material(Material::new("tank", TEXTURE).glossy(0.34, 45.0)),
        glass: mesh.material(Material::new("glass", TEXTURE).glossy(0.70, 120.0)),
        lamp: mesh.material(Material { emissive: [1.0, 0.95, 0.82], ..Material::new("lamp", TEXTURE) }),
    };
    let joints = build_rig();
    body::add(&mut mesh, &materials, &joints);
    kit::add(&mut mesh, &materials, &joints);
    let all = 0..mesh.vertices.len();
    mesh.bend(all, place);
    let about = "Scuba diver; proportions of a person 1.80 m tall after NASA-STD-3000";
    let picture = skin::paint(&Noise::new(seed)).to_picture();
    assemble("diver", about, &mesh, &joints.rig, vec![(TEXTURE.into(), picture)])
}

/// Transforms from metres to the file's axes, one unit long.
fn place(p: Vec3) -> Vec3 {
    (p - MIDDLE) / LENGTH
}

/// Indices of the materials.
struct Materials {
    suit: usize,
    kit: usize,
    tank: usize,
    glass: usize,
    lamp: usize,
}

/// The skeleton; pairs are right, then left.
struct Joints {
    rig: Rig,
    pelvis: u8,
    chest: u8,
    head: u8,
    /// Shoulder, elbow, wrist.
    arms: [[u8; 3]; 2],
    /// Hip, knee, ankle, blade.
    legs: [[u8; 4]; 2],
}

fn build_rig() -> Joints {
    let mut rig = Rig::new(&[
        (Clip::Cruise, 48),
        (Clip::Idle, 120),
        (Clip::Burst, 30),
        (Clip::TurnLeft, 48),
        (Clip::TurnRight, 48),
    ]);
    let pelvis = rig.joint("pelvis", None, place(Vec3::new(0.0, 0.0, -0.02)));
    let chest = rig.joint("chest", Some(pelvis), place(Vec3::new(0.0, 0.02, -0.20)));
    let head = rig.joint("head", Some(chest), place(Vec3::new(0.0, 0.10, -0.58)));
    rig.place("breath", head, place(body::MOUTH + Vec3::new(0.0, -0.03, -0.06)));
    rig.place("camera", chest, place(Vec3::new(0.0, 0.62, 0.30)));
    // Trunk and arms answer the legs: a roll with the kick, and a slow breath.
    rig.animate(pelvis, |at| JointPose {
        rotation: rotation_z(0.05 * kick(at, 0.10) + 0.16 * at.bend()) * rotation_x(0.012 * breath(at)),
        translation: Vec3::Y * (0.004 * breath(at)),
    });
    rig.animate(chest, |at| {
        JointPose::turn(rotation_y(0.14 * at.bend() + 0.02 * kick(at, 0.2)) * rotation_z(-0.045 * kick(at, 0.10)))
    });
    rig.animate(head, |at| {
        let look = 0.30 * at.bend() - 0.02 * kick(at, 0.25) + still(at) * 0.12 * sin(TAU * at.phase);
        JointPose::turn(rotation_y(look) * rotation_x(0.02 * breath(at)))
    });
    let mut joints = Joints { rig, pelvis, chest, head, arms: [[0; 3]; 2], legs: [[0; 4]; 2] };
    for (index, (letter, arm)) in [("r", RIGHT_ARM), ("l", LEFT_ARM)].into_iter().enumerate() {
        let rig = &mut joints.rig;
        let shoulder = rig.joint(&format!("shoulder_{letter}"), Some(chest), place(arm[0]));
        let elbow = rig.joint(&format!("elbow_{letter}"), Some(shoulder), place(arm[1]));
        let wrist = rig.joint(&format!("wrist_{letter}"), Some(elbow), place(arm[2]));
        let lag = 0.5 * index as f32;
        rig.animate(shoulder, move |at| {
            let sway = 0.03 * kick(at, 0.3 + lag) + 0.05 * still(at) * sin(TAU * (2.0 * at.phase + lag));
            JointPose::turn(rotation_y(0.10 * at.bend()) * rotation_x(sway))
        });
        rig.animate(elbow, move |at| JointPose::turn(rotation_x(0.03 * kick(at, 0.4 + lag))));
        rig.animate(wrist, move |at| JointPose::turn(rotation_x(0.02 * kick(at, 0.5 + lag))));
        joints.arms[index] = [shoulder, elbow, wrist];
    }
    joints.rig.place("torch", joints.arms[0][2], place(TORCH.0));
    for (index, (letter, leg)) in [("r", RIGHT_LEG), ("l", LEFT_LEG)].into_iter().enumerate() {
        let rig = &mut joints.rig;
        let hip = rig.joint(&format!("hip_{letter}"), Some(pelvis), place(leg[0]));
        let knee = rig.joint(&format!("knee_{letter}"), Some(hip), place(leg[1]));
        let ankle = rig.joint(&format!("ankle_{letter}"), Some(knee), place(leg[2]));
        let blade = rig.joint(&format!("fin_{letter}"), Some(ankle), place(leg[3].lerp(leg[4], 0.30)));
        let turn = 0.5 * index as f32;
        // Positive angles are downward.
        rig.animate(hip, move |at| JointPose::turn(rotation_x(0.20 * kick(at, turn))));
        // Bent as the leg goes down, straight at the end of its stroke.
        rig.animate(knee, move |at| JointPose::turn(rotation_x(-0.22 * kick(at, turn - 0.375))));
        // The blade is pressed back by the water that it moves through.
        rig.animate(ankle, move |at| JointPose::turn(rotation_x(-0.20 * kick(at, turn - 0.18))));
        rig.animate(blade, move |at| JointPose::turn(rotation_x(-0.30 * kick(at, turn - 0.12))));
        joints.legs[index] = [hip, knee, ankle, blade];
    }
    joints
}

/// Swing of the kick, later by a share of the beat; small while the diver hangs still.
fn kick(at: ClipPhase, lag: f32) -> f32 {
    at.vigour() * sin(TAU * (at.phase - lag))
}

/// A slow breath, from -1 to 1.
fn breath(at: ClipPhase) -> f32 {
    cos(TAU * at.phase + 0.3 * PI)
}

/// Share of hanging still: 1 in the idle clip, else 0.
fn still(at: ClipPhase) -> f32 {
    if at.clip == Clip::Idle { 1.0 } else { 0.0 }
}
