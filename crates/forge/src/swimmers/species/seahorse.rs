//! Spotted seahorse (*Hippocampus kuda*): upright in its armour of rings, a horse's head, a tail that curls.
//!
//! Proportions after Lourie, Foster, Cooper & Vincent 2004 (*A Guide to the Identification of Seahorses*) and FishBase:
//! height commonly 12 to 17 cm, 11 trunk and 36 tail rings, snout 0.43 of the head, a low coronet, dorsal fin on the
//! last two trunk rings. It sculls with that fin at 35 beats a second in nature (Blake 1976), shown here at a twelfth
//! of it, and steers with the small pectorals behind the head.
//!
//! It looks along -z and stands upright; one unit is its height, so it is 0.44 long from snout to back.

use std::f32::consts::TAU;
use std::ops::Range;

use glam::{Affine3, Vec2, Vec3, Vec4};
use math::{catmull_rom, mix, smoothstep};

use crate::maths::{atan2, cos, powf, powi, rotation_x, rotation_y, sin};
use crate::paint::{Canvas, rgb};
use crate::rig::{Clip, JointPose};
use crate::shapes::{Rect, arc_fractions, frames};
use crate::swimmers::fish::{Eye, eye, fins};
use crate::{Curve, Forged, JointWeights, Material, Mesh, Noise, Rig, assemble};

const BODY: Rect = Rect::new(0.0, 0.0, 1.0, 0.55);
const HEAD: Rect = Rect::new(0.0, 0.56, 0.60, 0.86);
const FIN: Rect = Rect::new(0.62, 0.56, 1.0, 0.72);
const HAND: Rect = Rect::new(0.62, 0.74, 0.82, 0.88);
const EYES: Rect = Rect::new(0.84, 0.74, 1.0, 0.90);
const CROWN: Rect = Rect::new(0.0, 0.88, 0.60, 1.0);
const EYE: Eye = Eye {
    x: 0.0,
    h: 0.5,
    radius: 0.024,
    bulge: 0.7,
    iris: (rgb(0xe0b860), rgb(0x7a5420)),
    pupil: 0.42,
    slit: 1.0,
    socket: 0.0,
    tapetum: 0.0,
};

/// Rings of the mesh along the spine, and points round each.
const RINGS: usize = 84;
const SIDES: usize = 14;
/// Bony rings over the whole length.
const BONES: f32 = 44.0;

/// The midline from the nape down to the curled tip of the tail: (z, y).
fn midline() -> Vec<Vec3> {
    const POINTS: [(f32, f32); 17] = [
        (-0.028, 0.930),
        (0.010, 0.885),
        (0.034, 0.825),
        (0.034, 0.755),
        (0.014, 0.680),
        (-0.008, 0.600),
        (-0.006, 0.520),
        (0.022, 0.445),
        (0.050, 0.370),
        (0.058, 0.295),
        (0.042, 0.220),
        (0.008, 0.155),
        (-0.042, 0.115),
        (-0.092, 0.112),
        (-0.118, 0.148),
        (-0.098, 0.184),
        (-0.066, 0.172),
    ];
    let at = |i: isize| {
        let (z, y) = POINTS[i.clamp(0, POINTS.len() as isize - 1) as usize];
        Vec3::new(0.0, y, z)
    };
    (0..=RINGS)
        .map(|n| {
            let q = n as f32 / RINGS as f32 * (POINTS.len() - 1) as f32;
            let (i, t) = (q as isize, q.fract());
            catmull_rom([at(i - 1), at(i), at(i + 1), at(i + 2)], t)
        })
        .collect()
}

/// Half width and half depth of the body along the spine.
fn girth(t: f32) -> Vec2 {
    let wide = Curve::new(&[
        (0.0, 0.036),
        (0.06, 0.034),
        (0.14, 0.046),
        (0.24, 0.055),
        (0.33, 0.050),
        (0.42, 0.032),
        (0.6, 0.022),
        (0.8, 0.013),
        (1.0, 0.004),
    ]);
    let deep = Curve::new(&[
        (0.0, 0.046),
        (0.06, 0.040),
        (0.14, 0.066),
        (0.25, 0.086),
        (0.34, 0.072),
        (0.42, 0.038),
        (0.6, 0.024),
        (0.8, 0.014),
        (1.0, 0.004),
    ]);
    Vec2::new(wide.at(t), deep.at(t))
}

/// Makes the seahorse.
pub fn make(seed: u64) -> Forged {
    let mut mesh = Mesh::new();
    let armour = mesh.material(Material::new("armour", "seahorse.png").glossy(0.16, 16.0));
    let membrane = mesh.material(Material::new("fins", "seahorse.png").glossy(0.08, 20.0).membrane(0.5));
    let wet = mesh.material(Material::new("eyes", "seahorse.png").glossy(0.38, 110.0));
    let spine = Spine::new();
    let (rig, joints) = build_rig(&spine.points);

    let part = mesh.part_with_crease("body", armour, 1.2);
    body(&mut mesh, part, &spine, &joints);
    let part = mesh.part_with_crease("head", armour, 1.3);
    let head = head(&mut mesh, part);
    let part = mesh.part_with_crease("coronet", armour, 0.7);
    let crown = crown(&mut mesh, part);
    for range in [head, crown] {
        mesh.skin(range, |p| joints.head_skin(p));
    }
    let part = mesh.part("dorsal", membrane);
    dorsal_fin(&mut mesh, part, &spine, &joints);
    let part = mesh.part("pectoral", membrane);
    pectoral_fins(&mut mesh, part, &joints);
    let part = mesh.part("eyes", wet);
    eyes(&mut mesh, part, &joints);

    let about = "Spotted seahorse, Hippocampus kuda; proportions after Lourie, Foster, Cooper & Vincent 2004";
    let picture = paint(&Noise::new(seed)).to_picture();
    assemble("seahorse", about, &mesh, &rig, vec![("seahorse.png".into(), picture)])
}

/// The midline, with the frame of the body's ring at each point.
struct Spine {
    points: Vec<Vec3>,
    /// Fraction of the length, 0 at the nape to 1 at the tip of the tail.
    along: Vec<f32>,
    /// Unit vectors to the animal's right and to its back.
    axes: Vec<(Vec3, Vec3)>,
}

impl Spine {
    fn new() -> Self {
        let points = midline();
        let axes = frames(&points).into_iter().map(|(right, up)| upright(right, up)).collect();
        Self { along: arc_fractions(&points), axes, points }
    }
}

/// Adds trunk and tail: seven ridges crossed by rings of bone, whose edges stand out with small knobs.
fn body(mesh: &mut Mesh, part: usize, spine: &Spine, joints: &Joints) {
    let range = mesh.grid(part, RINGS, SIDES, |i, j| {
        let t = spine.along[i];
        let (right, up) = spine.axes[i];
        let angle = TAU * (j % SIDES) as f32 / SIDES as f32;
        let ring = 0.5 + 0.5 * cos(TAU * BONES * t);
        let ridge = 0.5 + 0.5 * cos(7.0 * angle);
        let fade = smoothstep(0.0, 0.06, t) * smoothstep(1.0, 0.9, t);
        let knob = 1.0 + fade * (0.07 * ring + 0.13 * ridge * powi(ring, 2));
        let size = girth(t) * knob;
        let p = spine.points[i] + right * (sin(angle) * size.x) - up * (cos(angle) * size.y);
        (p, BODY.at(Vec2::new(t, j as f32 / SIDES as f32)))
    });
    for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
        vertex.skin = joints.spine_skin(spine.along[index / (SIDES + 1)]);
    }
}

/// Axes of a ring turned so that the first points to the animal's right and the second to its back.
fn upright(right: Vec3, up: Vec3) -> (Vec3, Vec3) {
    let normal = right.cross(up);
    let side = (Vec3::X - normal * normal.x).normalize_or(Vec3::X);
    let mut back = side.cross(normal).normalize_or(Vec3::Z);
    // Down the trunk the back is behind; round the curl it keeps to the outside.
    if back.dot(Vec3::new(0.0, normal.z, -normal.y)) < 0.0 {
        back = -back;
    }
    (side, back)
}

/// Adds the horse's head: a deep cheek, and a tubular snout that points forward and a little down.
fn head(mesh: &mut Mesh, part: usize) -> Range<usize> {
    // From the lips to the nape: place (z, y), half width, half depth.
    const RINGS: [(f32, f32, f32, f32); 14] = [
        (-0.232, 0.846, 0.0, 0.0),
        (-0.231, 0.846, 0.010, 0.012),
        (-0.224, 0.849, 0.017, 0.021),
        (-0.212, 0.853, 0.016, 0.020),
        (-0.190, 0.861, 0.013, 0.0165),
        (-0.160, 0.871, 0.0125, 0.0165),
        (-0.130, 0.880, 0.014, 0.020),
        (-0.105, 0.889, 0.020, 0.030),
        (-0.080, 0.898, 0.030, 0.044),
        (-0.055, 0.906, 0.036, 0.055),
        (-0.030, 0.911, 0.037, 0.058),
        (-0.006, 0.910, 0.034, 0.050),
        (0.014, 0.900, 0.028, 0.036),
        (0.030, 0.890, 0.0, 0.0),
    ];
    let (rings, sides) = (RINGS.len() - 1, 14);
    mesh.grid(part, rings, sides, |i, j| {
        let (z, y, wide, deep) = RINGS[i];
        let angle = -TAU * (j % sides) as f32 / sides as f32;
        // The rings lean with the head's axis.
        let lean = 0.33_f32;
        let up = Vec3::new(0.0, cos(lean), sin(lean));
        let flat = cos(angle).signum() * powf(cos(angle).abs(), 0.9);
        let p = Vec3::new(0.0, y, z) + Vec3::X * (sin(angle) * wide) - up * (flat * deep);
        (p, HEAD.at(Vec2::new(i as f32 / rings as f32, j as f32 / sides as f32)))
    })
}

/// Adds the crown on top of the head, and its thorns.
fn crown(mesh: &mut Mesh, part: usize) -> Range<usize> {
    mesh.added(|mesh| {
        for k in 0..5 {
            let turn = TAU * k as f32 / 5.0;
            let foot = Vec3::new(0.012 * sin(turn), 0.965, -0.016 + 0.014 * cos(turn));
            let tip = foot + Vec3::new(0.016 * sin(turn), 0.040, 0.004 + 0.016 * cos(turn));
            mesh.tube(part, &[foot, foot.lerp(tip, 0.5), tip], 5, CROWN, |t| 0.009 * (1.0 - t));
        }
        mesh.tube(part, &[Vec3::new(0.0, 0.945, -0.016), Vec3::new(0.0, 0.985, -0.012)], 8, CROWN, |t| {
            0.020 - 0.008 * t
        });
        // A thorn over each eye and on the cheek.
        for side in [-1.0_f32, 1.0] {
            for (foot, out) in [
                (Vec3::new(0.024, 0.940, -0.062), Vec3::new(0.010, 0.020, -0.002)),
                (Vec3::new(0.032, 0.862, -0.034), Vec3::new(0.016, -0.012, 0.004)),
            ] {
                let flip = Vec3::new(side, 1.0, 1.0);
                mesh.tube(part, &[foot * flip, (foot + out) * flip], 5, CROWN, |t| 0.008 * (1.0 - t));
            }
        }
    })
}

/// Adds the fin on the last rings of the trunk: a fan with ripples, moved by two joints.
fn dorsal_fin(mesh: &mut Mesh, part: usize, spine: &Spine, joints: &Joints) {
    let root = |s: f32| {
        let i = ((0.29 + 0.10 * s) * RINGS as f32) as usize;
        let back = spine.axes[i].1;
        (spine.points[i] + back * girth(spine.along[i]).y * 0.9, back)
    };
    let cells = (10, 3);
    let range = mesh.grid(part, cells.0, cells.1, |i, j| {
        let (s, t) = (i as f32 / cells.0 as f32, j as f32 / cells.1 as f32);
        let (foot, back) = root(s);
        let out = back + Vec3::NEG_Y * (0.9 * (s - 0.4));
        let length = 0.085 * sin(std::f32::consts::PI * mix(0.18, 0.95, s));
        let ripple = Vec3::X * (0.010 * t * sin(TAU * 2.0 * s));
        (foot + out.normalize_or(Vec3::Z) * (length * t) + ripple, fins::fin_uv(FIN, s, t))
    });
    for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
        let t = (index % (cells.1 + 1)) as f32 / cells.1 as f32;
        let s = (index / (cells.1 + 1)) as f32 / cells.0 as f32;
        let fan =
            JointWeights::rigid(joints.dorsal[0]).mix(JointWeights::rigid(joints.dorsal[1]), smoothstep(0.2, 0.8, s));
        vertex.skin = joints.spine_skin(0.29 + 0.10 * s).mix(fan, smoothstep(0.0, 0.5, t));
    }
}

fn pectoral_fins(mesh: &mut Mesh, part: usize, joints: &Joints) {
    let right = mesh.grid(part, 6, 2, |i, j| {
        let (s, t) = (i as f32 / 6.0, j as f32 / 2.0);
        let turn = mix(-0.7, 0.8, s);
        let out = Vec3::new(0.55, -sin(turn) * 0.85, cos(turn));
        let foot = Vec3::new(0.033, 0.866 - 0.026 * s, 0.012);
        (foot + out.normalize_or(Vec3::Z) * (0.046 * t), fins::fin_uv(HAND, s, t))
    });
    let left = mesh.repeat(right.clone(), Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    for (range, joint) in [(right, joints.hands[0]), (left, joints.hands[1])] {
        for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
            vertex.skin = JointWeights::rigid(joints.head)
                .mix(JointWeights::rigid(joint), smoothstep(0.0, 0.4, (index % 3) as f32 / 2.0));
        }
    }
}

fn eyes(mesh: &mut Mesh, part: usize, joints: &Joints) {
    let center = Vec3::new(0.031, 0.916, -0.060);
    let dome = eye::Dome {
        center,
        outward: Vec3::new(0.95, 0.10, -0.28).normalize(),
        radius: EYE.radius,
        bulge: EYE.bulge,
        cells: (4, 16),
        rect: EYES,
    };
    let right = eye::dome(mesh, part, &dome);
    let left = mesh.repeat(right.clone(), Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    for range in [right, left] {
        mesh.skin(range, |_| JointWeights::rigid(joints.head));
    }
}

const SPINE_AT: [f32; 8] = [0.16, 0.34, 0.45, 0.55, 0.65, 0.75, 0.84, 0.92];

struct Joints {
    trunk: u8,
    head: u8,
    snout: u8,
    /// Joints of the tail, down the spine from the trunk's.
    tail: [u8; 8],
    dorsal: [u8; 2],
    hands: [u8; 2],
}

impl Joints {
    fn spine_skin(&self, t: f32) -> JointWeights {
        let nape = smoothstep(0.10, 0.0, t);
        let mut skin = JointWeights::rigid(self.trunk).mix(JointWeights::rigid(self.head), nape);
        for (i, &from) in SPINE_AT.iter().enumerate().skip(1) {
            skin = skin.mix(JointWeights::rigid(self.tail[i]), smoothstep(from - 0.045, from + 0.045, t));
        }
        skin
    }

    fn head_skin(&self, p: Vec3) -> JointWeights {
        let skin = JointWeights::rigid(self.head).mix(JointWeights::rigid(self.snout), smoothstep(-0.10, -0.17, p.z));
        skin.mix(JointWeights::rigid(self.trunk), 0.6 * smoothstep(0.005, 0.035, p.z))
    }
}

fn build_rig(spine: &[Vec3]) -> (Rig, Joints) {
    let mut rig = Rig::new(&[
        (Clip::Cruise, 30),
        (Clip::Idle, 150),
        (Clip::Burst, 20),
        (Clip::TurnLeft, 40),
        (Clip::TurnRight, 40),
        (Clip::Feed, 30),
    ]);
    let at = |t: f32| spine[((t * RINGS as f32) as usize).min(RINGS)];
    let trunk = rig.joint("trunk", None, at(SPINE_AT[0]));
    rig.animate(trunk, |m| {
        let sway = sin(TAU * m.phase);
        // Faster swimming leans it forward.
        let lean = if m.clip == Clip::Burst { -0.35 } else { -0.06 };
        JointPose {
            rotation: rotation_y(0.5 * m.bend()) * rotation_x(lean + 0.015 * sway),
            translation: Vec3::Y * (0.008 * sway),
        }
    });
    let head = rig.joint("head", Some(trunk), Vec3::new(0.0, 0.90, 0.01));
    rig.animate(head, |m| {
        let nod = 0.03 * sin(TAU * (m.phase - 0.2)) - 0.35 * m.gape();
        JointPose::turn(rotation_y(0.35 * m.bend()) * rotation_x(nod))
    });
    let snout = rig.joint("snout", Some(head), Vec3::new(0.0, 0.885, -0.11));
    // A snap: the snout flicks up and sucks.
    rig.animate(snout, |m| JointPose::turn(rotation_x(0.30 * m.gape())));
    let mut tail = [trunk; 8];
    for i in 1..SPINE_AT.len() {
        tail[i] = rig.joint(&format!("tail_{i}"), Some(tail[i - 1]), at(SPINE_AT[i]));
        rig.animate(tail[i], move |m| {
            let lag = 0.08 * i as f32;
            let wave = sin(TAU * (m.phase - lag));
            let uncurl = if m.clip == Clip::Burst { 0.16 } else { 0.0 };
            JointPose::turn(rotation_x(0.030 * wave - uncurl) * rotation_y(-0.10 * m.bend()))
        });
    }
    let dorsal = [0.0_f32, 1.0].map(|s| {
        let joint = rig.joint(
            if s < 0.5 { "dorsal_1" } else { "dorsal_2" },
            Some(tail[1]),
            at(0.30 + 0.08 * s) + Vec3::Z * 0.05,
        );
        rig.animate(joint, move |m| {
            let strokes = if m.clip == Clip::Idle { 9.0 } else { 3.0 };
            let swing = 0.40 * sin(TAU * (m.phase * strokes - 0.35 * s));
            JointPose::turn(rotation_y(swing))
        });
        joint
    });
    let hands = [1.0_f32, -1.0].map(|side| {
        let joint =
            rig.joint(if side > 0.0 { "hand_r" } else { "hand_l" }, Some(head), Vec3::new(0.033 * side, 0.853, 0.012));
        rig.animate(joint, move |m| {
            let strokes = if m.clip == Clip::Idle { 9.0 } else { 3.0 };
            let swing = 0.35 * sin(TAU * (m.phase * strokes - 0.1)) - 0.3 * (m.bend() * side).max(0.0);
            JointPose::turn(rotation_y(side * swing))
        });
        joint
    });
    (rig, Joints { trunk, head, snout, tail, dorsal, hands })
}

fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(512, 512, rgb(0xd8a52c).extend(1.0));
    let ground = |place: Vec3| {
        let cloud = noise.fbm(place * 2.2, 4);
        let color = rgb(0xe2ae2e).lerp(rgb(0xb9781c), smoothstep(-0.15, 0.5, cloud));
        color.lerp(rgb(0xf0cf6a), 0.5 * smoothstep(0.25, 0.5, noise.fbm(place * 5.0 + 9.0, 3)))
    };
    canvas.fill(BODY, |local, _| {
        let angle = TAU * local.y;
        let place = Vec3::new(sin(angle), local.x * 14.0, cos(angle));
        let mut color = ground(place);
        // Rings of bone: pale crests, dark between; paler belly (v 0 and 1 lie in front).
        let ring = 0.5 + 0.5 * cos(TAU * BONES * local.x);
        let ridge = 0.5 + 0.5 * cos(7.0 * angle);
        color *= 0.66 + 0.40 * ring;
        color = color.lerp(rgb(0xf4dc94), 0.55 * ring * powi(ridge, 3));
        let belly =
            smoothstep(0.55, 0.95, cos(angle)) * smoothstep(0.05, 0.12, local.x) * smoothstep(0.42, 0.34, local.x);
        color = color.lerp(rgb(0xf2dc9c), 0.6 * belly);
        let (near, _) = noise.cells(place * 3.4);
        color = color.lerp(rgb(0x4a2c12), 0.7 * smoothstep(0.20, 0.12, near));
        (color * (1.0 + 0.06 * noise.at(place * 18.0))).extend(1.0)
    });
    canvas.fill(HEAD, |local, _| {
        let angle = TAU * local.y;
        let place = Vec3::new(sin(angle), local.x * 5.0, cos(angle));
        let mut color = ground(place * 1.4);
        // Bands across the snout, and lines that ray from the eye.
        let snout = smoothstep(0.50, 0.40, local.x);
        color *= 1.0 - 0.35 * snout * smoothstep(0.3, 0.9, sin(TAU * 9.0 * local.x));
        let eye = Vec2::new((local.x - 0.64) * 2.4, ((local.y - 0.27).abs().min((local.y - 0.73).abs())) * 3.0);
        let ray = cos(atan2(eye.y, eye.x) * 9.0);
        let reach = smoothstep(0.62, 0.30, eye.length()) * smoothstep(0.10, 0.20, eye.length());
        color = color.lerp(rgb(0x7a4a16), 0.45 * reach * smoothstep(0.3, 0.8, ray));
        color = color.lerp(rgb(0x2a1a10), 0.85 * smoothstep(0.06, 0.02, local.x));
        (color * (1.0 + 0.06 * noise.at(place * 12.0))).extend(1.0)
    });
    canvas.fill(CROWN, |local, _| rgb(0xb9781c).lerp(rgb(0xf4dc94), smoothstep(0.2, 1.0, local.x)).extend(1.0));
    for (rect, rays) in [(FIN, 17.0), (HAND, 15.0)] {
        canvas.fill(rect, |local, _| {
            let (s, t) = fins::fin_st(local);
            let color = rgb(0xd8a54a).lerp(rgb(0xf2e2b4), t) * (0.85 + 0.25 * fins::ray_lines(s, t, rays));
            Vec4::from((color, fins::notched(s, t, rays, 0.05)))
        });
    }
    eye::paint(&mut canvas, EYES, &EYE, noise);
    canvas.bleed(4);
    canvas
}
