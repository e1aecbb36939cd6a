//! Green turtle (*Chelonia mydas*): a domed, heart-shaped shell with sunburst scutes, rowing with long fore flippers.
//!
//! Proportions in carapace lengths after Wyneken 2001 (The Anatomy of Sea Turtles) and FAO species sheets: shell width
//! 0.80, depth 0.36, head 0.20, fore flipper 0.60; five vertebral and four pairs of costal scutes, one pair of plates
//! before the eyes. Rowing after Davenport et al. 1984: both fore flippers together, down and forward with the leading
//! edge low, up and back with it high.

mod skin;

use std::f32::consts::TAU;

use glam::{Affine3, Vec2, Vec3};
use math::{mix, smoothstep};

use crate::maths::{exp, powf, powi, rotation_x, rotation_y, rotation_z, sin};
use crate::paint::rgb;
use crate::rig::{Clip, ClipPhase, JointPose};
use crate::shapes::Rect;
use crate::swimmers::fish::{Body, Eye, body, eye};
use crate::swimmers::foil;
use crate::{Curve, Forged, JointWeights, Material, Mesh, Noise, Rig, assemble};

const SHELL: Rect = Rect::new(0.0, 0.0, 1.0, 0.50);
const HEAD: Rect = Rect::new(0.0, 0.51, 0.62, 0.74);
const EYES: Rect = Rect::new(0.64, 0.51, 0.76, 0.63);
const TAIL: Rect = Rect::new(0.78, 0.51, 1.0, 0.74);
const FORE: Rect = Rect::new(0.0, 0.75, 0.60, 1.0);
const HIND: Rect = Rect::new(0.61, 0.75, 1.0, 1.0);

/// Carapace length in the file's units: the animal is one unit long from beak to hind flippers.
const CARAPACE: f32 = 0.685;
/// Length of head and neck in carapace lengths, and z of the beak.
const HEAD_LENGTH: f32 = 0.40;
const BEAK: f32 = -0.315;
const CREAM: Vec3 = rgb(0xcfc49a);

/// Makes the turtle.
pub fn make(seed: u64) -> Forged {
    let noise = Noise::new(seed);
    let (shell, head) = (shell(), head());
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("skin", "green_turtle.png").glossy(0.10, 14.0).embossed(0.4));
    let carapace = mesh.material(Material::new("shell", "green_turtle.png").glossy(0.07, 9.0));
    let wet = mesh.material(Material::new("eyes", "green_turtle.png").glossy(0.38, 110.0));
    let rig = build_rig();

    // The lip keeps its edge.
    let part = mesh.part_with_crease("shell", carapace, 1.1);
    let rings: Vec<f32> = (0..=3 * MARGINALS).map(|i| marginal_x(i as f32 / 3.0 - 0.5)).collect();
    let range = loft(&mut mesh, part, (&rings, &SHELL_GIRTH), SHELL, |x, t| shell_at(&shell, x, t));
    mesh.skin(range, |_| JointWeights::rigid(rig.shell));

    let part = mesh.part("head", skin);
    let rings: Vec<f32> = (0..=22).map(|i| powf(i as f32 / 22.0, 1.25)).collect();
    let girth: Vec<f32> = (0..=9).map(|j| j as f32 / 9.0).collect();
    let range = loft(&mut mesh, part, (&rings, &girth), HEAD, |x, t| {
        let section = head.section(x, t);
        head_place(section.extend(x))
    });
    mesh.skin(range, |p| {
        let x = (p.z / CARAPACE + 0.5 / CARAPACE + 0.0) / HEAD_LENGTH;
        let to_neck = smoothstep(0.48, 0.72, x);
        let to_shell = smoothstep(0.70, 0.98, x);
        JointWeights::of(&[
            (rig.head, 1.0 - to_neck),
            (rig.neck, to_neck * (1.0 - to_shell)),
            (rig.shell, to_neck * to_shell),
        ])
    });
    let part = mesh.part("eyes", wet);
    let t = head.t_at(EYE.x, EYE.h);
    let section = head.section(EYE.x, t);
    let center = place(head_place(Vec3::new(section.x, section.y, EYE.x)));
    let outward = (head.normal(EYE.x, t) + Vec3::X * 0.8).normalize();
    let radius = EYE.radius * HEAD_LENGTH * CARAPACE;
    let dome = eye::Dome { center, outward, radius, bulge: EYE.bulge, cells: (3, 12), rect: EYES };
    let right = eye::dome(&mut mesh, part, &dome);
    let left = mesh.repeat(right.clone(), Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    for range in [right, left] {
        mesh.skin(range, |_| JointWeights::rigid(rig.head));
    }

    flippers(&mut mesh, skin, &rig);
    let part = mesh.part("tail", skin);
    let path: Vec<Vec3> =
        (0..5).map(|i| place(Vec3::new(0.0, -0.03 - 0.004 * i as f32, 0.94 + 0.035 * i as f32))).collect();
    let range = mesh.tube(part, &path, 8, TAIL, |t| 0.032 * CARAPACE * powf(1.0 - t, 0.7));
    mesh.skin(range, |p| {
        JointWeights::rigid(rig.shell).mix(JointWeights::rigid(rig.tail), smoothstep(0.96, 1.04, unplace(p).z))
    });

    let about = "Green turtle, Chelonia mydas; proportions after Wyneken 2001";
    let texture = skin::paint(&shell, &head, &noise).to_picture();
    assemble("green_turtle", about, &mesh, &rig.rig, vec![("green_turtle.png".into(), texture)])
}

const EYE: Eye = Eye {
    x: 0.215,
    h: 0.60,
    radius: 0.056,
    bulge: 0.42,
    iris: (rgb(0x4a3a22), rgb(0x1d1710)),
    pupil: 0.62,
    slit: 1.0,
    socket: 0.0,
    tapetum: 0.0,
};

/// Transforms from carapace lengths (shell from z = 0 to 1) to the file's axes, beak at -0.5.
fn place(p: Vec3) -> Vec3 {
    (p - Vec3::Z * BEAK) * CARAPACE - Vec3::Z * 0.5
}

fn unplace(p: Vec3) -> Vec3 {
    (p + Vec3::Z * 0.5) / CARAPACE + Vec3::Z * BEAK
}

fn head_place(p: Vec3) -> Vec3 {
    // The part under the shell reaches farther back, as far as the shoulders.
    let shoulders = 0.14 * smoothstep(0.76, 1.05, p.z);
    p * HEAD_LENGTH + Vec3::new(0.0, 0.012, BEAK + shoulders)
}

/// Marginal scutes of either side of the shell.
const MARGINALS: usize = 12;

/// x of the `n`th marginal's middle; halves are the seams between them.
fn marginal_x(n: f32) -> f32 {
    let last = MARGINALS as f32 - 0.5;
    powf(((n + 0.5) / (last + 0.5)).clamp(0.0, 1.0), 1.08)
}

/// The marginal at x; a whole number is its middle.
fn marginal_at(x: f32) -> f32 {
    powf(x.clamp(0.0, 1.0), 1.0 / 1.08) * MARGINALS as f32 - 0.5
}

/// Columns round half the shell, t from the belly's midline to the back's: close together at the lip.
const SHELL_GIRTH: [f32; 12] = [0.0, 0.15, 0.28, 0.37, 0.435, 0.478, 0.5, 0.535, 0.61, 0.72, 0.86, 1.0];

/// The shell's surface in carapace lengths: a dome over a flat plastron, with a thin lip all round whose scutes end in
/// soft teeth toward the tail.
fn shell_at(form: &Body, x: f32, t: f32) -> Vec3 {
    let section = form.section(x, t);
    let slope = (form.width.at((x + 0.02).min(1.0)) - form.width.at((x - 0.02).max(0.0))) / 0.04;
    let out = Vec2::new(1.0, -slope).normalize();
    // The lip is drawn out over the dome's foot and undercut.
    let lip = if t >= 0.5 { exp(-powi((t - 0.5) / 0.06, 2)) } else { exp(-powi((t - 0.5) / 0.022, 2)) };
    let under = exp(-powi((t - 0.43) / 0.05, 2));
    let n = marginal_at(x) + 0.5;
    let tooth = smoothstep(0.0, 0.72, n.fract()) * smoothstep(1.0, 0.90, n.fract());
    let teeth = mix(0.002, 0.013, smoothstep(0.35, 0.9, x)) * (tooth - 0.5);
    let reach = 0.018 * lip - 0.016 * under * smoothstep(0.05, 0.2, x) * smoothstep(1.0, 0.9, x) + teeth * lip;
    Vec3::new((section.x + out.x * reach).max(0.0), section.y - 0.006 * lip, x + out.y * reach)
}

fn shell() -> Body {
    Body {
        back: Curve::new(&[
            (0.0, 0.066),
            (0.03, 0.090),
            (0.10, 0.140),
            (0.22, 0.204),
            (0.35, 0.246),
            (0.48, 0.254),
            (0.62, 0.234),
            (0.76, 0.186),
            (0.88, 0.120),
            (0.96, 0.062),
            (1.0, 0.020),
        ]),
        belly: Curve::new(&[
            (0.0, 0.040),
            (0.04, 0.012),
            (0.12, -0.068),
            (0.20, -0.094),
            (0.32, -0.106),
            (0.5, -0.106),
            (0.72, -0.098),
            (0.88, -0.076),
            (0.96, -0.042),
            (1.0, -0.010),
        ]),
        width: Curve::new(&[
            (0.0, 0.090),
            (0.02, 0.165),
            (0.05, 0.225),
            (0.10, 0.288),
            (0.18, 0.352),
            (0.29, 0.396),
            (0.42, 0.404),
            (0.56, 0.384),
            (0.70, 0.330),
            (0.82, 0.268),
            (0.91, 0.188),
            (0.97, 0.104),
            (1.0, 0.030),
        ]),
        middle: Curve::new(&[(0.0, 0.60), (0.1, 0.56), (0.25, 0.38), (0.7, 0.36), (0.9, 0.44), (1.0, 0.5)]),
        upper: Curve::new(&[(0.0, 1.8), (0.4, 1.92), (1.0, 1.75)]),
        lower: Curve::new(&[(0.0, 1.8), (0.4, 2.2), (1.0, 1.8)]),
        gill: 0.5,
        gill_bend: 0.0,
        gill_step: 0.0,
    }
}

fn head() -> Body {
    Body {
        back: Curve::new(&[
            (0.0, -0.035),
            (0.015, 0.015),
            (0.05, 0.074),
            (0.12, 0.148),
            (0.22, 0.208),
            (0.34, 0.236),
            (0.46, 0.228),
            (0.53, 0.198),
            (0.57, 0.186),
            (0.61, 0.194),
            (0.65, 0.164),
            (0.69, 0.168),
            (0.73, 0.140),
            (0.78, 0.132),
            (1.0, 0.07),
        ]),
        belly: Curve::new(&[
            (0.0, -0.060),
            (0.015, -0.085),
            (0.06, -0.115),
            (0.14, -0.146),
            (0.26, -0.180),
            (0.40, -0.192),
            (0.50, -0.182),
            (0.55, -0.190),
            (0.60, -0.180),
            (0.65, -0.194),
            (0.72, -0.186),
            (0.80, -0.206),
            (1.0, -0.215),
        ]),
        width: Curve::new(&[
            (0.0, 0.018),
            (0.015, 0.052),
            (0.05, 0.092),
            (0.12, 0.142),
            (0.22, 0.190),
            (0.34, 0.212),
            (0.44, 0.208),
            (0.51, 0.198),
            (0.55, 0.212),
            (0.59, 0.206),
            (0.63, 0.228),
            (0.67, 0.224),
            (0.72, 0.262),
            (0.80, 0.350),
            (0.88, 0.480),
            (1.0, 0.60),
        ]),
        middle: Curve::new(&[(0.0, 0.5), (0.3, 0.48), (1.0, 0.5)]),
        upper: Curve::new(&[(0.0, 2.0), (0.25, 2.3), (0.6, 2.2), (1.0, 2.0)]),
        lower: Curve::new(&[(0.0, 2.0), (0.3, 2.3), (0.6, 2.2), (1.0, 2.2)]),
        gill: 0.5,
        gill_bend: 0.0,
        gill_step: 0.0,
    }
}

/// Adds a closed skin over a surface of x and t: rings at `xs`, points of each at `ts` from the belly (0) to the back
/// (1) of the right side and mirrored; in carapace lengths.
fn loft(
    mesh: &mut Mesh,
    part: usize,
    (xs, ts): (&[f32], &[f32]),
    rect: Rect,
    surface: impl Fn(f32, f32) -> Vec3,
) -> std::ops::Range<usize> {
    let half = ts.len() - 1;
    let point = |x: f32, j: usize, open: f32| {
        let (t, side) = if j <= half { (ts[j], -1.0) } else { (ts[2 * half - j], 1.0) };
        let p = surface(x, t);
        let middle = 0.5 * (surface(x, 0.0) + surface(x, 1.0));
        let p = Vec3::new(p.x * side, p.y, p.z);
        let uv = Vec2::new(0.004 + 0.992 * body::u_of(x), 0.012 + 0.976 * (1.0 - t));
        (place(middle.lerp(p, open)), rect.at(uv))
    };
    // One ring of no size at each end closes it.
    mesh.grid(part, xs.len() + 1, 2 * half, |i, j| match i {
        0 => point(0.0, j, 0.0),
        i if i == xs.len() + 1 => point(1.0, j, 0.0),
        i => point(xs[i - 1], j, 1.0),
    })
}

struct Limbs {
    rig: Rig,
    shell: u8,
    neck: u8,
    head: u8,
    tail: u8,
    fore: [[u8; 3]; 2],
    hind: [[u8; 2]; 2],
}

/// Path of a fore flipper on the right side, carapace lengths.
fn fore_path(t: f32) -> Vec3 {
    let x = Curve::new(&[(0.0, 0.215), (0.33, 0.425), (0.66, 0.615), (1.0, 0.745)]).at(t);
    let z = Curve::new(&[(0.0, 0.110), (0.33, 0.130), (0.66, 0.262), (1.0, 0.530)]).at(t);
    Vec3::new(x, -0.022, z)
}

/// Start of a fore flipper's skin on its path: before the joint, in the flesh of the shoulder.
const FORE_ROOT: f32 = -0.20;

/// Parameter on a fore flipper's path for a share of its skin's length.
fn fore_t(share: f32) -> f32 {
    mix(FORE_ROOT, 1.0, share)
}

fn hind_path(t: f32) -> Vec3 {
    // The root lies inside the shell, over the plastron.
    let y = Curve::new(&[(0.0, -0.002), (0.15, -0.020), (0.5, -0.034), (1.0, -0.036)]).at(t);
    Vec3::new(mix(0.165, 0.315, t), y, Curve::new(&[(0.0, 0.85), (0.5, 0.99), (1.0, 1.135)]).at(t))
}

fn build_rig() -> Limbs {
    let mut rig = Rig::new(&[
        (Clip::Cruise, 75),
        (Clip::Idle, 120),
        (Clip::Burst, 42),
        (Clip::TurnLeft, 60),
        (Clip::TurnRight, 60),
        (Clip::Feed, 60),
    ]);
    let shell = rig.joint("shell", None, place(Vec3::new(0.0, 0.0, 0.45)));
    let neck = rig.joint("neck", Some(shell), place(Vec3::new(0.0, 0.0, 0.02)));
    let head = rig.joint("head", Some(neck), place(Vec3::new(0.0, 0.012, -0.10)));
    // A place by name: the nostrils, over the beak.
    rig.joint("breath", Some(head), place(head_place(Vec3::new(0.0, 0.0, 0.02))));
    // Behind the nape, over the shell.
    rig.place("camera", shell, place(Vec3::new(0.0, 0.36, 0.30)));
    let tail = rig.joint("tail", Some(shell), place(Vec3::new(0.0, -0.03, 0.96)));
    let wave = |at: ClipPhase, lag: f32| at.vigour() * sin(TAU * (at.phase - lag));
    rig.animate(shell, |at| JointPose {
        rotation: rotation_z(0.40 * at.bend()) * rotation_x(0.035 * wave(at, 0.10)),
        translation: Vec3::new(0.0, -0.012 * wave(at, 0.0), 0.008 * wave(at, 0.3)),
    });
    rig.animate(neck, |at| JointPose::turn(rotation_x(-0.03 * wave(at, 0.10))));
    rig.animate(head, |at| {
        let look = rotation_y(0.05 * wave(at, 0.4) + 0.45 * at.bend());
        JointPose::turn(look * rotation_x(-0.03 * wave(at, 0.2) - 0.35 * at.gape()))
    });
    rig.animate(tail, |at| JointPose::turn(rotation_y(0.08 * wave(at, 0.5))));
    let mut limbs = Limbs { rig, shell, neck, head, tail, fore: [[0; 3]; 2], hind: [[0; 2]; 2] };
    for (index, side) in [1.0_f32, -1.0].into_iter().enumerate() {
        let mirrored = |p: Vec3| place(Vec3::new(p.x * side, p.y, p.z));
        let letter = if side > 0.0 { "r" } else { "l" };
        // Elevation, sweep back and twist of the right side; the left is its mirror image.
        let turn = move |elevation: f32, sweep: f32, twist: f32| {
            rotation_z(elevation * side) * rotation_y(-sweep * side) * rotation_x(twist)
        };
        let rig = &mut limbs.rig;
        let shoulder = rig.joint(&format!("shoulder_{letter}"), Some(shell), mirrored(fore_path(0.0)));
        let elbow = rig.joint(&format!("elbow_{letter}"), Some(shoulder), mirrored(fore_path(0.36)));
        let wrist = rig.joint(&format!("wrist_{letter}"), Some(elbow), mirrored(fore_path(0.68)));
        rig.animate(shoulder, move |at| {
            let rise = 0.10 - 0.45 * at.bend() * side
                + 0.58 * wave(at, 0.0)
                + 0.06 * at.vigour() * sin(2.0 * TAU * at.phase - 0.1 * TAU);
            JointPose::turn(turn(rise, 0.26 * wave(at, 0.22), 0.46 * wave(at, -0.25)))
        });
        rig.animate(elbow, move |at| {
            JointPose::turn(turn(0.24 * wave(at, 0.14), 0.14 + 0.16 * wave(at, 0.25), 0.18 * wave(at, -0.15)))
        });
        rig.animate(wrist, move |at| JointPose::turn(turn(0.26 * wave(at, 0.22), 0.10 * wave(at, 0.3), 0.0)));
        let hip = rig.joint(&format!("hip_{letter}"), Some(shell), mirrored(hind_path(0.0)));
        let foot = rig.joint(&format!("foot_{letter}"), Some(hip), mirrored(hind_path(0.5)));
        rig.animate(hip, move |at| JointPose::turn(turn(0.10 * wave(at, 0.35), 0.06 * wave(at, 0.5), 0.08)));
        rig.animate(foot, move |at| JointPose::turn(turn(0.10 * wave(at, 0.5), 0.0, 0.05)));
        limbs.fore[index] = [shoulder, elbow, wrist];
        limbs.hind[index] = [hip, foot];
    }
    limbs
}

fn flippers(mesh: &mut Mesh, material: usize, limbs: &Limbs) {
    let chord = Curve::new(&[
        (FORE_ROOT, 0.15),
        (0.0, 0.200),
        (0.12, 0.172),
        (0.24, 0.160),
        (0.40, 0.176),
        (0.60, 0.146),
        (0.80, 0.094),
        (0.93, 0.052),
        (1.0, 0.012),
    ]);
    let thick =
        Curve::new(&[(FORE_ROOT, 0.030), (0.0, 0.046), (0.2, 0.040), (0.35, 0.027), (0.65, 0.015), (1.0, 0.003)]);
    let part = mesh.part("fore_flippers", material);
    let cells = (8, 18);
    let right = foil::blade(mesh, part, cells, FORE, |s, t| {
        let t = fore_t(t);
        let ahead = fore_path((t + 0.02).clamp(0.04, 1.0)) - fore_path((t - 0.02).max(0.0));
        let hind = Vec3::new(-ahead.z, 0.0, ahead.x).normalize_or(Vec3::Z);
        let droop = -0.05 * t * t;
        let inward = Vec3::new(0.62, 0.0, -0.06) * t.min(0.0);
        // The plastron's edge covers the root.
        let tucked = 0.028 * smoothstep(0.34, 0.0, t) + 0.030 * smoothstep(0.0, FORE_ROOT, t);
        let p = fore_path(t) + inward + hind * ((s - 0.34) * chord.at(t)) + Vec3::Y * (droop + tucked);
        (place(p), Vec3::Y * (thick.at(t) * foil::section(s) * CARAPACE))
    });
    pair(
        mesh,
        right,
        |index, t| {
            let t = fore_t(t);
            let [shoulder, elbow, wrist] = limbs.fore[index];
            let (a, b, c) = (smoothstep(0.0, 0.16, t), smoothstep(0.24, 0.48, t), smoothstep(0.56, 0.80, t));
            JointWeights::of(&[
                (limbs.shell, 1.0 - a),
                (shoulder, a * (1.0 - b)),
                (elbow, b * (1.0 - c)),
                (wrist, b * c),
            ])
        },
        cells.1,
    );

    let thick = Curve::new(&[(0.0, 0.016), (0.15, 0.022), (0.4, 0.019), (0.7, 0.009), (1.0, 0.004)]);
    let chord = Curve::new(&[
        (0.0, 0.100),
        (0.15, 0.118),
        (0.3, 0.132),
        (0.65, 0.160),
        (0.85, 0.125),
        (0.95, 0.07),
        (1.0, 0.02),
    ]);
    let part = mesh.part("hind_flippers", material);
    let cells = (6, 9);
    let right = foil::blade(mesh, part, cells, HIND, |s, t| {
        let ahead = hind_path((t + 0.02).min(1.0)) - hind_path((t - 0.02).max(0.0));
        let hind = Vec3::new(-ahead.z, 0.0, ahead.x).normalize_or(Vec3::NEG_X);
        let p = hind_path(t) + hind * ((s - 0.45) * chord.at(t));
        (place(p), Vec3::Y * (thick.at(t) * foil::section(s) * CARAPACE))
    });
    pair(
        mesh,
        right,
        |index, t| {
            let [hip, foot] = limbs.hind[index];
            let (a, b) = (smoothstep(0.0, 0.25, t), smoothstep(0.35, 0.75, t));
            JointWeights::of(&[(limbs.shell, 1.0 - a), (hip, a * (1.0 - b)), (foot, a * b)])
        },
        cells.1,
    );
}

/// Mirrors a limb and skins both by t.
fn pair(mesh: &mut Mesh, right: std::ops::Range<usize>, skin: impl Fn(usize, f32) -> JointWeights, rows: usize) {
    let left = mesh.repeat(right.clone(), Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    for (side, range) in [right, left].into_iter().enumerate() {
        for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
            vertex.skin = skin(side, (index % (rows + 1)) as f32 / rows as f32);
        }
    }
}
