//! The diver's kit: tank and regulator, vest, weights, mask, fins, gauges, torch.

use std::ops::Range;

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use super::body::{CROWN, FACE, HEAD_AT, MOUTH, Trunk, trunk_skin};
use super::skin::{BELT, BLADE, COVER, FOOT, GLASS, LAMP, MASK, METAL, RUBBER, TANK, TORCH_BODY, VEST};
use super::{Joints, LEFT_LEG, Materials, RIGHT_LEG, TORCH};
use crate::curve::bump;
use crate::form::{limb, lump, rounded_line, superellipse, turned};
use crate::swimmers::foil;
use crate::{Curve, JointWeights, Mesh};

/// Foot of the tank and its axis, toward the valve. Unit of the place: m.
const TANK_FOOT: Vec3 = Vec3::new(0.0, 0.214, 0.110);
const TANK_AXIS: Vec3 = Vec3::new(0.0, 0.125, -0.992);
/// Radius of the tank, and its length without the valve. Unit: m.
const TANK_RADIUS: f32 = 0.093;
const TANK_LENGTH: f32 = 0.600;

/// Ends of the vest. Unit: m.
const VEST_Z: [f32; 2] = [-0.505, 0.000];

/// Adds the kit.
pub fn add(mesh: &mut Mesh, materials: &Materials, joints: &Joints) {
    let part = mesh.part("vest", materials.kit);
    vest(mesh, part, joints);
    belt(mesh, part, joints);
    let part = mesh.part_with_crease("tank", materials.tank, 1.0);
    tank(mesh, part, joints);
    let part = mesh.part("hoses", materials.kit);
    hoses(mesh, part, joints);
    let part = mesh.part_with_crease("mask", materials.kit, 1.1);
    mask(mesh, part, joints);
    let part = mesh.part_with_crease("lens", materials.glass, 0.9);
    let lens = face_plate(mesh, part);
    mesh.skin(lens, |_| JointWeights::rigid(joints.head));
    let part = mesh.part("fins", materials.kit);
    fins(mesh, part, joints);
    let part = mesh.part_with_crease("torch", materials.kit, 0.9);
    let lamp = mesh.part_with_crease("lamp", materials.lamp, 0.9);
    torch(mesh, (part, lamp), joints);
}

/// Adds the vest: a shell round the trunk, full at the sides of the tank and below the arms.
fn vest(mesh: &mut Mesh, part: usize, joints: &Joints) {
    let form = Trunk::new();
    const RINGS: usize = 11;
    const SIDES: usize = 18;
    let range = mesh.grid(part, RINGS, SIDES, |i, j| {
        let u = i as f32 / RINGS as f32;
        let z = mix(VEST_Z[0], VEST_Z[1], u);
        let turn = (j % SIDES) as f32 / SIDES as f32;
        let ends = smoothstep(0.0, 0.10, u) * smoothstep(1.0, 0.90, u);
        // The bladder: to both sides of the tank, and lower over the hips.
        let wing = bump(0.63, 0.14, turn).max(bump(0.87, 0.14, turn));
        let flank = bump(0.0, 0.13, turn).max(bump(1.0, 0.13, turn)).max(bump(0.5, 0.13, turn));
        let out = 0.024 + 0.070 * wing * smoothstep(0.0, 0.35, u) + 0.040 * flank * smoothstep(0.25, 0.6, u);
        let p = form.at(z, turn, mix(-0.012, out, ends));
        (p, VEST.at(Vec2::new(u, j as f32 / SIDES as f32)))
    });
    mesh.skin(range, |p| trunk_skin(joints, p));
    let pockets = mesh.added(|mesh| {
        for side in [1.0_f32, -1.0] {
            let axes = [Vec3::new(0.25 * side, 0.97, 0.0), Vec3::new(-0.97 * side, 0.25, 0.0), Vec3::Z];
            lump(mesh, part, Vec3::new(0.214 * side, -0.050, -0.115), axes, Vec3::new(0.062, 0.036, 0.085), BELT);
        }
    });
    mesh.skin(pockets, |p| trunk_skin(joints, p));
    // The plate between back and tank.
    let middle = TANK_FOOT + TANK_AXIS * 0.32 - Vec3::Y * (TANK_RADIUS + 0.012);
    let plate = lump(mesh, part, middle, [Vec3::X, Vec3::Y, TANK_AXIS * -1.0], Vec3::new(0.095, 0.026, 0.22), RUBBER);
    mesh.skin(plate, |_| JointWeights::rigid(joints.chest));
}

/// Adds the belt with its weights.
fn belt(mesh: &mut Mesh, part: usize, joints: &Joints) {
    let form = Trunk::new();
    const SIDES: usize = 16;
    let range = mesh.added(|mesh| {
        mesh.grid(part, 3, SIDES, |i, j| {
            let turn = (j % SIDES) as f32 / SIDES as f32;
            let (z, out) = [(0.020, -0.010), (0.022, 0.011), (0.066, 0.012), (0.068, -0.010)][i];
            (form.at(z, turn, out), RUBBER.at(Vec2::new(i as f32 / 3.0, j as f32 / SIDES as f32)))
        });
        for turn in [0.06_f32, 0.44, 0.16, 0.34] {
            let at = form.at(0.044, turn, 0.016);
            let out = (at - Vec3::new(0.0, 0.0, 0.044)).normalize_or(Vec3::X);
            let axes = [out.cross(Vec3::Z), out, Vec3::Z];
            lump(mesh, part, at, axes, Vec3::new(0.042, 0.020, 0.036), METAL);
        }
    });
    mesh.skin(range, |p| trunk_skin(joints, p));
}

/// Adds the tank in its boot, the valve with its knob, and the first stage.
fn tank(mesh: &mut Mesh, part: usize, joints: &Joints) {
    let range = mesh.added(|mesh| {
        let profile = [
            (0.000, 0.062),
            (0.012, 0.086),
            (0.050, 0.098),
            (0.052, TANK_RADIUS),
            (0.250, TANK_RADIUS),
            (0.460, TANK_RADIUS),
            (0.520, 0.090),
            (0.560, 0.076),
            (0.585, 0.054),
            (TANK_LENGTH, 0.030),
        ];
        turned(mesh, part, (TANK_FOOT, TANK_AXIS), 16, TANK, &profile);
        let top = TANK_FOOT + TANK_AXIS * (TANK_LENGTH - 0.01);
        turned(mesh, part, (top, TANK_AXIS), 8, METAL, &[(0.0, 0.026), (0.052, 0.024), (0.064, 0.014)]);
        let valve = top + TANK_AXIS * 0.040;
        turned(
            mesh,
            part,
            (valve, Vec3::X),
            8,
            RUBBER,
            &[(0.020, 0.012), (0.050, 0.012), (0.052, 0.026), (0.078, 0.024)],
        );
        turned(
            mesh,
            part,
            (valve + Vec3::Y * 0.004, Vec3::NEG_X),
            8,
            METAL,
            &[(0.0, 0.024), (0.046, 0.028), (0.066, 0.018)],
        );
    });
    mesh.skin(range, |_| JointWeights::rigid(joints.chest));
}

/// Top of the valve, where hoses begin. Unit: m.
fn valve() -> Vec3 {
    TANK_FOOT + TANK_AXIS * (TANK_LENGTH + 0.03)
}

/// Adds the second stage in the mouth, and the hoses: to it, to the vest, and to the gauges.
fn hoses(mesh: &mut Mesh, part: usize, joints: &Joints) {
    let mouthpiece = mesh.added(|mesh| {
        let foot = MOUTH - FACE * 0.012;
        turned(mesh, part, (foot, FACE), 10, COVER, &[(0.0, 0.028), (0.024, 0.041), (0.058, 0.043), (0.070, 0.034)]);
        let tee = MOUTH + FACE * 0.016 - CROWN * 0.034;
        lump(mesh, part, tee, [CROWN.cross(Vec3::X), CROWN, Vec3::X], Vec3::new(0.018, 0.014, 0.052), RUBBER);
    });
    mesh.skin(mouthpiece, |_| JointWeights::rigid(joints.head));
    let hose = |mesh: &mut Mesh, points: &[Vec3], count: usize, radius: f32| {
        let line = rounded_line(points, count, 2);
        limb(mesh, part, (&line, Vec3::X), (5, 2.0), RUBBER, |_| Vec2::splat(radius))
    };
    let breath = [
        valve() + Vec3::new(0.010, 0.010, 0.0),
        Vec3::new(0.110, 0.286, -0.560),
        Vec3::new(0.176, 0.190, -0.640),
        Vec3::new(0.150, 0.100, -0.760),
        MOUTH + FACE * 0.020 + Vec3::X * 0.036,
    ];
    let range = hose(mesh, &breath, 11, 0.0125);
    let (chest, head) = (JointWeights::rigid(joints.chest), JointWeights::rigid(joints.head));
    mesh.skin(range, |p| chest.mix(head, smoothstep(0.16, 0.08, p.x) * smoothstep(-0.62, -0.74, p.z)));
    let inflator = [
        Vec3::new(-0.080, 0.236, -0.440),
        Vec3::new(-0.135, 0.206, -0.500),
        Vec3::new(-0.170, 0.120, -0.560),
        Vec3::new(-0.176, 0.000, -0.520),
        Vec3::new(-0.160, -0.105, -0.400),
    ];
    let range = hose(mesh, &inflator, 9, 0.020);
    mesh.skin(range, |p| trunk_skin(joints, p.with_z(p.z.max(-0.55))));
    let gauges = [
        valve() + Vec3::new(-0.020, 0.0, 0.0),
        Vec3::new(-0.130, 0.250, -0.440),
        Vec3::new(-0.226, 0.120, -0.330),
        Vec3::new(-0.240, -0.040, -0.230),
        Vec3::new(-0.190, -0.150, -0.120),
        Vec3::new(-0.150, -0.205, -0.060),
    ];
    let range = hose(mesh, &gauges, 12, 0.0115);
    mesh.skin(range, |p| trunk_skin(joints, p.with_z(p.z.max(-0.55))));
    let console = mesh.added(|mesh| {
        let axis = Vec3::new(0.35, -0.45, 0.82).normalize_or(Vec3::Z);
        let right = Vec3::X - axis * axis.x;
        let axes = [right.normalize_or(Vec3::X), axis.cross(right).normalize_or(Vec3::Y), axis];
        lump(mesh, part, Vec3::new(-0.135, -0.228, -0.010), axes, Vec3::new(0.036, 0.020, 0.070), RUBBER);
    });
    mesh.skin(console, |p| trunk_skin(joints, p));
}

/// Rings of the mask along the face's direction: distance from the head's middle, half width, half height. Unit: m.
const MASK_RINGS: [[f32; 3]; 5] =
    [[0.040, 0.084, 0.046], [0.080, 0.084, 0.052], [0.112, 0.080, 0.050], [0.136, 0.076, 0.046], [0.138, 0.068, 0.038]];
const MASK_HEIGHT: f32 = 0.016;

fn mask_point(ring: [f32; 3], turn: f32) -> Vec3 {
    let [out, wide, high] = ring;
    let unit = superellipse(turn, 3.4);
    // The lower edge is notched over the nose, and the plate is bowed.
    let nose = 0.012 * bump(0.0, 0.5, unit.x) * (-unit.y).max(0.0);
    let bow = -0.016 * unit.x * unit.x;
    HEAD_AT + FACE * (out + bow) + CROWN * (MASK_HEIGHT + unit.y * high + nose) + Vec3::X * (unit.x * wide)
}

/// Adds the mask's skirt and frame, and its strap round the hood.
fn mask(mesh: &mut Mesh, part: usize, joints: &Joints) {
    const SIDES: usize = 16;
    let range = mesh.added(|mesh| {
        mesh.grid(part, MASK_RINGS.len() - 1, SIDES, |i, j| {
            let turn = (j % SIDES) as f32 / SIDES as f32;
            // Seen along the face, points run the other way round.
            let uv = MASK.at(Vec2::new(i as f32 / (MASK_RINGS.len() - 1) as f32, j as f32 / SIDES as f32));
            (mask_point(MASK_RINGS[i], 1.0 - turn), uv)
        });
        mesh.grid(part, 3, SIDES, |i, j| {
            let turn = (j % SIDES) as f32 / SIDES as f32;
            let unit = superellipse(turn + 0.25, 2.15);
            let (height, grown) = [(-0.012, 0.98), (-0.010, 1.04), (0.022, 1.04), (0.024, 0.98)][i];
            let at = HEAD_AT + CROWN * (MASK_HEIGHT + height) + FACE * (0.004 + 0.107 * grown * unit.y);
            let uv = RUBBER.at(Vec2::new(i as f32 / 3.0, j as f32 / SIDES as f32));
            (at + Vec3::X * (0.084 * grown * unit.x), uv)
        });
    });
    mesh.skin(range, |_| JointWeights::rigid(joints.head));
}

/// Adds the glass of the mask.
fn face_plate(mesh: &mut Mesh, part: usize) -> Range<usize> {
    const SIDES: usize = 16;
    let rim = MASK_RINGS[MASK_RINGS.len() - 1];
    mesh.grid(part, 2, SIDES, |i, j| {
        let turn = (j % SIDES) as f32 / SIDES as f32;
        let open = [1.0, 0.6, 0.0][i];
        let p = mask_point([rim[0] + 0.001, rim[1] * open, rim[2] * open], 1.0 - turn);
        let unit = superellipse(1.0 - turn, 3.4) * open;
        (p, GLASS.at(0.5 + 0.48 * Vec2::new(unit.x, -unit.y)))
    })
}

/// Adds foot pockets and blades.
fn fins(mesh: &mut Mesh, part: usize, joints: &Joints) {
    for (leg, own) in [(RIGHT_LEG, joints.legs[0]), (LEFT_LEG, joints.legs[1])] {
        let [_, _, ankle, toes, tip] = leg;
        let along = (toes - ankle).normalize_or(Vec3::Z);
        let up = along.cross(Vec3::X).normalize_or(Vec3::Y);
        let heel = ankle - along * 0.040 - up * 0.016;
        let line = rounded_line(&[heel, ankle - up * 0.016, toes - up * 0.010], 6, 0);
        let wide = Curve::new(&[(0.0, 0.030), (0.12, 0.044), (0.5, 0.052), (0.85, 0.060), (1.0, 0.058)]);
        let high = Curve::new(&[(0.0, 0.040), (0.12, 0.056), (0.4, 0.052), (0.75, 0.036), (1.0, 0.020)]);
        let range = limb(mesh, part, (&line, Vec3::X), (10, 2.3), FOOT, |t| Vec2::new(wide.at(t), high.at(t)));
        mesh.skin(range, |_| JointWeights::rigid(own[2]));
        // The blade grows out of the pocket, widens, and ends in two soft points.
        let root = toes.lerp(ankle, 0.45) - up * 0.014;
        let width = Curve::new(&[(0.0, 0.050), (0.22, 0.068), (0.45, 0.088), (0.8, 0.104), (1.0, 0.108)]);
        let cells = (6, 8);
        let range = foil::blade(mesh, part, cells, BLADE, |s, t| {
            let line =
                if t < 0.18 { root.lerp(toes - up * 0.010, t / 0.18) } else { toes.lerp(tip, (t - 0.18) / 0.82) };
            let across = 2.0 * s - 1.0;
            let sag = 0.020 * smoothstep(0.2, 1.0, t) * (1.0 - t);
            let notch = -0.060 * smoothstep(0.75, 1.0, t) * (1.0 - across.abs());
            let rail = smoothstep(0.55, 0.9, across.abs()) * smoothstep(1.0, 0.97, across.abs());
            let thick = mix(0.012, 0.004, t) + 0.010 * rail * (1.0 - 0.7 * t);
            let p = line + Vec3::X * (across * width.at(t)) + along * notch - up * sag;
            (p, up * thick)
        });
        let length = tip.distance(toes);
        mesh.skin(range, |p| {
            let t = (p - toes).dot((tip - toes) / length) / length;
            JointWeights::rigid(own[2]).mix(JointWeights::rigid(own[3]), smoothstep(0.05, 0.60, t))
        });
    }
}

/// Adds the torch in the right hand: handle, head, lamp.
fn torch(mesh: &mut Mesh, (part, lamp): (usize, usize), joints: &Joints) {
    let (lens, axis) = TORCH;
    let axis = axis.normalize_or(Vec3::NEG_Z);
    let range = mesh.added(|mesh| {
        let profile = [(-0.220, 0.020), (-0.075, 0.020), (-0.060, 0.036), (-0.004, 0.040), (0.000, 0.038)];
        turned(mesh, part, (lens, axis), 10, TORCH_BODY, &profile);
        turned(mesh, lamp, (lens, axis), 10, LAMP, &[(0.0005, 0.034), (0.003, 0.020)]);
    });
    mesh.skin(range, |_| JointWeights::rigid(joints.arms[0][2]));
}
