//! The diver's body in neoprene: trunk, head in its hood, arms, legs, gloves.

use std::ops::Range;

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use super::skin::{ARM, GLOVE, HEAD, LEG, SUIT};
use super::{Joints, LEFT_ARM, LEFT_LEG, Materials, RIGHT_ARM, RIGHT_LEG};
use crate::form::{limb, lump, rounded_line, superellipse};
use crate::shapes::arc_fractions;
use crate::{Curve, JointWeights, Mesh};

/// Middle of the head, and its axes: the way the face looks, and the crown. Units of the place: m.
pub const HEAD_AT: Vec3 = Vec3::new(0.0, 0.172, -0.695);
pub const FACE: Vec3 = Vec3::new(0.0, -0.38, -0.925);
pub const CROWN: Vec3 = Vec3::new(0.0, 0.925, -0.38);
/// Place of the mouth. Unit: m.
pub const MOUTH: Vec3 = Vec3::new(0.0, 0.072, -0.770);

/// Adds the body.
pub fn add(mesh: &mut Mesh, materials: &Materials, joints: &Joints) {
    let part = mesh.part("trunk", materials.suit);
    trunk(mesh, part, joints);
    let part = mesh.part("head", materials.suit);
    let head = head(mesh, part);
    mesh.skin(head, |_| JointWeights::rigid(joints.head));
    let part = mesh.part("arms", materials.suit);
    for (arm, own, side) in [(RIGHT_ARM, joints.arms[0], 1.0), (LEFT_ARM, joints.arms[1], -1.0)] {
        limb_of_arm(mesh, part, arm, (joints.chest, own), side);
    }
    let part = mesh.part("legs", materials.suit);
    for (leg, own) in [(RIGHT_LEG, joints.legs[0]), (LEFT_LEG, joints.legs[1])] {
        limb_of_leg(mesh, part, leg, (joints.pelvis, own));
    }
    let part = mesh.part("gloves", materials.suit);
    hands(mesh, part, joints);
}

/// Outline of the trunk over z: half width, and height of the back and of the belly. Unit: m.
pub struct Trunk {
    /// Half its width.
    pub width: Curve,
    /// Height of the back.
    pub back: Curve,
    /// Height of the belly.
    pub belly: Curve,
}

impl Trunk {
    /// The trunk in neoprene.
    pub fn new() -> Self {
        Self {
            width: Curve::new(&[
                (-0.640, 0.064),
                (-0.585, 0.072),
                (-0.545, 0.120),
                (-0.500, 0.176),
                (-0.440, 0.192),
                (-0.330, 0.180),
                (-0.200, 0.160),
                (-0.120, 0.156),
                (0.000, 0.176),
                (0.060, 0.172),
                (0.120, 0.130),
                (0.160, 0.080),
            ]),
            back: Curve::new(&[
                (-0.640, 0.200),
                (-0.585, 0.186),
                (-0.545, 0.180),
                (-0.500, 0.180),
                (-0.400, 0.168),
                (-0.250, 0.126),
                (-0.120, 0.096),
                (0.000, 0.108),
                (0.060, 0.106),
                (0.120, 0.078),
                (0.160, 0.034),
            ]),
            belly: Curve::new(&[
                (-0.640, 0.066),
                (-0.585, 0.048),
                (-0.545, 0.006),
                (-0.500, -0.034),
                (-0.400, -0.078),
                (-0.250, -0.096),
                (-0.120, -0.104),
                (0.000, -0.104),
                (0.060, -0.096),
                (0.120, -0.078),
                (0.160, -0.050),
            ]),
        }
    }

    /// Point of the outline at a turn (0..1, a quarter is the belly), pushed out by a distance.
    pub fn at(&self, z: f32, turn: f32, out: f32) -> Vec3 {
        let unit = superellipse(turn, 2.5);
        let (back, belly) = (self.back.at(z), self.belly.at(z));
        let (middle, half) = (0.5 * (back + belly), 0.5 * (back - belly));
        Vec3::new(unit.x * (self.width.at(z) + out), middle + unit.y * (half + out), z)
    }
}

/// Weights of the trunk at a place.
pub fn trunk_skin(joints: &Joints, p: Vec3) -> JointWeights {
    let chest = smoothstep(-0.04, -0.30, p.z);
    let head = 0.8 * smoothstep(-0.555, -0.66, p.z);
    JointWeights::rigid(joints.pelvis)
        .mix(JointWeights::rigid(joints.chest), chest)
        .mix(JointWeights::rigid(joints.head), head)
}

fn trunk(mesh: &mut Mesh, part: usize, joints: &Joints) {
    let form = Trunk::new();
    const RINGS: usize = 17;
    const SIDES: usize = 18;
    let (from, to) = (-0.640, 0.160);
    let range = mesh.grid(part, RINGS + 2, SIDES, |i, j| {
        let u = (i.clamp(1, RINGS + 1) - 1) as f32 / RINGS as f32;
        let z = mix(from, to, u);
        let turn = (j % SIDES) as f32 / SIDES as f32;
        let open = if i == 0 || i == RINGS + 2 { 0.0 } else { 1.0 };
        let p = form.at(z, turn, 0.0);
        let middle = Vec3::new(0.0, 0.5 * (form.back.at(z) + form.belly.at(z)), z);
        (middle.lerp(p, open), SUIT.at(Vec2::new(u, j as f32 / SIDES as f32)))
    });
    mesh.skin(range, |p| trunk_skin(joints, p));
}

/// Adds the head: rings about the axis from the chin to the crown; v 0.5 is the face.
fn head(mesh: &mut Mesh, part: usize) -> Range<usize> {
    // Height along the crown, forward shift, half depth, half width.
    const RINGS: [[f32; 4]; 11] = [
        [-0.150, -0.020, 0.000, 0.000],
        [-0.140, -0.016, 0.058, 0.056],
        [-0.118, 0.002, 0.080, 0.064],
        [-0.090, 0.010, 0.094, 0.070],
        [-0.055, 0.006, 0.101, 0.077],
        [-0.015, 0.000, 0.106, 0.082],
        [0.030, -0.004, 0.109, 0.085],
        [0.070, -0.008, 0.102, 0.080],
        [0.100, -0.010, 0.082, 0.064],
        [0.120, -0.012, 0.048, 0.038],
        [0.127, -0.012, 0.000, 0.000],
    ];
    const SIDES: usize = 16;
    mesh.grid(part, RINGS.len() - 1, SIDES, |i, j| {
        let [height, shift, deep, wide] = RINGS[i];
        let turn = (j % SIDES) as f32 / SIDES as f32;
        let unit = superellipse(turn + 0.25, 2.15);
        // Rings follow the crown: right is across, and the back of the head comes first.
        let p = HEAD_AT + CROWN * height + FACE * (shift + unit.y * deep) + Vec3::X * (unit.x * wide);
        (p, HEAD.at(Vec2::new(i as f32 / (RINGS.len() - 1) as f32, j as f32 / SIDES as f32)))
    })
}

fn limb_of_arm(mesh: &mut Mesh, part: usize, arm: [Vec3; 4], (chest, own): (u8, [u8; 3]), side: f32) {
    let inner = arm[0] + Vec3::new(-0.060 * side, 0.010, 0.010);
    let joints = [inner, arm[0], arm[1], arm[2], arm[2].lerp(arm[3], 0.15)];
    let at = arc_fractions(&joints);
    let girth = Curve::new(&[
        (0.0, 0.070),
        (at[1], 0.076),
        (mix(at[1], at[2], 0.35), 0.063),
        (mix(at[1], at[2], 0.75), 0.056),
        (at[2], 0.050),
        (mix(at[2], at[3], 0.25), 0.052),
        (mix(at[2], at[3], 0.70), 0.041),
        (at[3], 0.034),
        (1.0, 0.034),
    ]);
    let line = rounded_line(&joints, 15, 1);
    let range = limb(mesh, part, (&line, Vec3::X), (10, 2.0), ARM, |t| Vec2::splat(girth.at(t)));
    let bends = [(0.2 * at[1], at[1] + 0.08), (at[2] - 0.09, at[2] + 0.09), (at[3] - 0.06, at[3] + 0.03)];
    skin_rings(mesh, range, (15, 10), (chest, own), bends);
}

fn limb_of_leg(mesh: &mut Mesh, part: usize, leg: [Vec3; 5], (pelvis, own): (u8, [u8; 4])) {
    let inner = leg[0] + Vec3::new(-0.15 * leg[0].x, 0.012, -0.080);
    let joints = [inner, leg[0], leg[1], leg[2], leg[2].lerp(leg[3], 0.25)];
    let at = arc_fractions(&joints);
    let girth = Curve::new(&[
        (0.0, 0.074),
        (at[1], 0.096),
        (mix(at[1], at[2], 0.30), 0.090),
        (mix(at[1], at[2], 0.70), 0.073),
        (at[2], 0.061),
        (mix(at[2], at[3], 0.28), 0.062),
        (mix(at[2], at[3], 0.62), 0.049),
        (mix(at[2], at[3], 0.90), 0.038),
        (1.0, 0.040),
    ]);
    let line = rounded_line(&joints, 20, 2);
    let range = limb(mesh, part, (&line, Vec3::X), (12, 2.0), LEG, |t| Vec2::new(1.0, 1.04) * girth.at(t));
    let [hip, knee, ankle, _] = own;
    let bends = [(0.0, at[1] + 0.10), (at[2] - 0.07, at[2] + 0.07), (at[3] - 0.05, at[3] + 0.03)];
    skin_rings(mesh, range, (20, 12), (pelvis, [hip, knee, ankle]), bends);
}

/// Skins a limb of so many rings and sides, closed by a ring at each end: between the shares of its length in `bends` a
/// joint takes over from the one before, the first of them from the trunk's.
fn skin_rings(
    mesh: &mut Mesh,
    range: Range<usize>,
    (rings, sides): (usize, usize),
    (trunk, joints): (u8, [u8; 3]),
    bends: [(f32, f32); 3],
) {
    for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
        let ring = (index / (sides + 1)).clamp(1, rings + 1) - 1;
        let t = ring as f32 / rings as f32;
        vertex.skin = joints.iter().zip(bends).fold(JointWeights::rigid(trunk), |skin, (&joint, (from, to))| {
            skin.mix(JointWeights::rigid(joint), smoothstep(from, to, t))
        });
    }
}

/// Adds a fist about the torch on the right, and a hand at rest on the left.
fn hands(mesh: &mut Mesh, part: usize, joints: &Joints) {
    let [_, _, wrist, knuckles] = RIGHT_ARM;
    let along = (knuckles - wrist).normalize_or(Vec3::NEG_Z);
    let up = Vec3::Y - along * along.y;
    let right = mesh.added(|mesh| {
        lump(mesh, part, wrist + along * 0.062, [Vec3::X, up, along], Vec3::new(0.044, 0.044, 0.058), GLOVE);
        let thumb = [wrist + Vec3::new(-0.03, 0.0, -0.03), wrist + Vec3::new(-0.042, 0.022, -0.075)];
        limb(mesh, part, (&thumb, Vec3::X), (6, 2.0), GLOVE, |_| Vec2::splat(0.014));
    });
    mesh.skin(right, |_| JointWeights::rigid(joints.arms[0][2]));
    let [_, _, wrist, knuckles] = LEFT_ARM;
    let left = mesh.added(|mesh| {
        let tip = knuckles + Vec3::new(0.012, -0.022, -0.012);
        let line = rounded_line(&[wrist.lerp(knuckles, -0.1), knuckles.lerp(wrist, 0.4), tip], 6, 1);
        let wide = Curve::new(&[(0.0, 0.032), (0.35, 0.044), (0.6, 0.044), (0.9, 0.034), (1.0, 0.018)]);
        let thick = Curve::new(&[(0.0, 0.032), (0.35, 0.022), (0.6, 0.018), (1.0, 0.010)]);
        limb(mesh, part, (&line, Vec3::new(0.9, 0.4, 0.3)), (8, 2.4), GLOVE, |t| Vec2::new(wide.at(t), thick.at(t)));
        let root = wrist.lerp(knuckles, 0.3);
        let thumb = [root, root + Vec3::new(0.046, 0.006, -0.030), root + Vec3::new(0.056, -0.006, -0.068)];
        limb(mesh, part, (&thumb, Vec3::Y), (6, 2.0), GLOVE, |t| Vec2::splat(mix(0.016, 0.010, t)));
    });
    mesh.skin(left, |_| JointWeights::rigid(joints.arms[1][2]));
}
