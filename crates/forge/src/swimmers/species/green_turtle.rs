//! Green turtle (*Chelonia mydas*): a domed, heart-shaped shell with sunburst scutes, rowing with long fore flippers.
//!
//! Proportions in carapace lengths after Wyneken 2001 (The Anatomy of Sea Turtles) and FAO species sheets: shell width
//! 0.80, depth 0.36, head 0.20, fore flipper 0.60; five vertebral and four pairs of costal scutes, one pair of plates
//! before the eyes. Rowing after Davenport et al. 1984: both fore flippers together, down and forward with the leading
//! edge low, up and back with it high.

use std::f32::consts::TAU;

use glam::{Affine3, Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{about_x, about_y, about_z, atan2, cos, exp, powf, powi, sin};
use crate::paint::{Canvas, ramp, rgb};
use crate::rig::{Clip, ClipPhase, JointPose};
use crate::shapes::Rect;
use crate::swimmers::fish::{Body, BodyPoint, Eye, body, eye};
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
/// Length of head and neck in carapace lengths, and the beak's place.
const HEAD_LENGTH: f32 = 0.40;
const BEAK: f32 = -0.315;
const CREAM: Vec3 = rgb(0xcfc49a);

/// Makes it.
pub fn make(seed: u64) -> Forged {
    let noise = Noise::new(seed);
    let (shell, head) = (shell(), head());
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("skin", "green_turtle.png").glossy(0.10, 14.0));
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
    let texture = paint(&shell, &head, &noise).to_picture();
    assemble("green_turtle", about, &mesh, &rig.rig, vec![("green_turtle.png".into(), texture)])
}

const EYE: Eye =
    Eye { x: 0.215, h: 0.60, radius: 0.056, bulge: 0.42, iris: (rgb(0x4a3a22), rgb(0x1d1710)), pupil: 0.62, slit: 1.0 };

/// From carapace lengths (shell from z = 0 to 1) to the file's axes, beak at -0.5.
fn place(p: Vec3) -> Vec3 {
    (p - Vec3::Z * BEAK) * CARAPACE - Vec3::Z * 0.5
}

fn unplace(p: Vec3) -> Vec3 {
    (p + Vec3::Z * 0.5) / CARAPACE + Vec3::Z * BEAK
}

fn head_place(p: Vec3) -> Vec3 {
    // What is under the shell reaches farther back, as far as the shoulders.
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

/// Round half the shell, from the belly's midline to the back's: close together at the lip.
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

/// A closed skin over a surface of x and t: rings at `xs`, round each at `ts` from the belly (0) to the back (1) of the
/// right side and mirrored; in carapace lengths.
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

/// Where the skin of a fore flipper begins on its path: before the joint, in the flesh of the shoulder.
const FORE_ROOT: f32 = -0.20;

/// The place on a fore flipper's path of a share of its skin's length.
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
    // A place by name: its nostrils, over the beak.
    rig.joint("breath", Some(head), place(head_place(Vec3::new(0.0, 0.0, 0.02))));
    // Behind the nape, over the shell.
    rig.place("camera", shell, place(Vec3::new(0.0, 0.36, 0.30)));
    let tail = rig.joint("tail", Some(shell), place(Vec3::new(0.0, -0.03, 0.96)));
    let wave = |at: ClipPhase, lag: f32| at.vigour() * sin(TAU * (at.phase - lag));
    rig.animate(shell, |at| JointPose {
        rotation: about_z(0.40 * at.bend()) * about_x(0.035 * wave(at, 0.10)),
        translation: Vec3::new(0.0, -0.012 * wave(at, 0.0), 0.008 * wave(at, 0.3)),
    });
    rig.animate(neck, |at| JointPose::turn(about_x(-0.03 * wave(at, 0.10))));
    rig.animate(head, |at| {
        let look = about_y(0.05 * wave(at, 0.4) + 0.45 * at.bend());
        JointPose::turn(look * about_x(-0.03 * wave(at, 0.2) - 0.35 * at.gape()))
    });
    rig.animate(tail, |at| JointPose::turn(about_y(0.08 * wave(at, 0.5))));
    let mut limbs = Limbs { rig, shell, neck, head, tail, fore: [[0; 3]; 2], hind: [[0; 2]; 2] };
    for (index, side) in [1.0_f32, -1.0].into_iter().enumerate() {
        let mirrored = |p: Vec3| place(Vec3::new(p.x * side, p.y, p.z));
        let letter = if side > 0.0 { "r" } else { "l" };
        // Elevation, sweep back and twist of the right side; the left is its mirror image.
        let turn = move |elevation: f32, sweep: f32, twist: f32| {
            about_z(elevation * side) * about_y(-sweep * side) * about_x(twist)
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

/// Middles of the scutes of half a shell (x, distance from the midline over the dome) with their weight (squared
/// radius): five vertebrals, four costals, the marginals.
fn scutes(shell: &Body) -> Vec<(Vec2, f32)> {
    let mut all: Vec<(Vec2, f32)> = [0.105, 0.30, 0.485, 0.67, 0.845].map(|x| (Vec2::new(x, 0.0), 0.0075)).to_vec();
    all.extend(
        [(0.185, 0.215), (0.385, 0.245), (0.585, 0.230), (0.765, 0.160)].map(|(x, w)| (Vec2::new(x, w), 0.0105)),
    );
    all.extend((0..MARGINALS).map(|n| {
        let x = marginal_x(n as f32);
        (Vec2::new(x, (shell.width.at(x) - 0.022).max(0.03)), 0.0)
    }));
    all
}

/// How far over the dome places lie from the midline, scaled so that the lip lies at the shell's half width: where the
/// flank is steep, what is painted is as large as on top.
struct Girth {
    /// The share of the way to the lip at each of `STEPS` places of x and t from the lip to the midline.
    share: Vec<f32>,
}

impl Girth {
    const STEPS: usize = 64;

    fn new(shell: &Body) -> Self {
        let at = |x: f32, k: usize| shell_at(shell, x, 1.0 - 0.5 * k as f32 / Self::STEPS as f32).truncate();
        let mut share = Vec::new();
        for i in 0..=Self::STEPS {
            let x = i as f32 / Self::STEPS as f32;
            let mut along = vec![0.0];
            for k in 0..Self::STEPS {
                along.push(along[k] + at(x, k).distance(at(x, k + 1)).max(1e-6));
            }
            share.extend(along.iter().map(|a| a / along[Self::STEPS]));
        }
        Self { share }
    }

    /// 0 at the midline of the back, 1 at the lip; under the lip it falls again.
    fn at(&self, x: f32, t: f32) -> f32 {
        let steps = Self::STEPS as f32;
        let (i, k) = (x.clamp(0.0, 1.0) * steps, 2.0 * (0.5 - (t - 0.5).abs()).clamp(0.0, 0.5) * steps);
        let cell =
            |value: f32| ((value as usize).min(Self::STEPS - 1), value - (value as usize).min(Self::STEPS - 1) as f32);
        let ((i, u), (k, v)) = (cell(i), cell(k));
        let value = |i: usize, k: usize| self.share[i * (Self::STEPS + 1) + k];
        let above = mix(mix(value(i, k), value(i, k + 1), v), mix(value(i + 1, k), value(i + 1, k + 1), v), u);
        if t >= 0.5 { above } else { 1.0 - 0.35 * (0.5 - t) / 0.12 }
    }
}

fn paint(shell: &Body, head: &Body, noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(1024, 1024, Vec4::new(0.2, 0.17, 0.1, 1.0));
    let scutes = (scutes(shell), Girth::new(shell), shell);
    let spot = |form: &Body, local: Vec2| {
        let x = body::x_of(((local.x - 0.004) / 0.992).clamp(0.0, 1.0));
        form.spot(x, 1.0 - ((local.y - 0.012) / 0.976).clamp(0.0, 1.0))
    };
    canvas.fill(SHELL, |local, _| shell_color(&spot(shell, local), &scutes, noise).extend(1.0));
    canvas.fill(HEAD, |local, _| head_color(&spot(head, local), head, noise).extend(1.0));
    eye::paint(&mut canvas, EYES, &EYE, noise);
    let cream_below = |place: Vec3, below: f32, size: f32| plates(place, size, noise).lerp(CREAM, below);
    canvas.fill(TAIL, |local, _| cream_below(Vec3::new(local.x * 2.0, local.y, 7.0), 0.3, 9.0).extend(1.0));
    canvas.fill(FORE, |local, _| {
        let (s, t, under) = foil::blade_st(local);
        flipper_color((s, fore_t(t), under), 3.6, noise).extend(1.0)
    });
    canvas.fill(HIND, |local, _| flipper_color(foil::blade_st(local), 2.2, noise).extend(1.0));
    canvas
}

fn shell_color(spot: &BodyPoint, (scutes, girth, shell): &(Vec<(Vec2, f32)>, Girth, &Body), noise: &Noise) -> Vec3 {
    let p = Vec2::new(spot.x, shell.width.at(spot.x) * girth.at(spot.x, spot.t));
    let warp = 0.004 * Vec2::new(noise.at(spot.place * 22.0), noise.at(spot.place * 22.0 + 9.0));
    let (mut best, mut next) = ((f32::MAX, 0), (f32::MAX, 0));
    for (index, (middle, weight)) in scutes.iter().enumerate() {
        let d = (p + warp).distance_squared(*middle) - weight;
        if d < best.0 {
            next = best;
            best = (d, index);
        } else if d < next.0 {
            next = (d, index);
        }
    }
    let (middle, kind) = (scutes[best.1].0, best.1);
    let marginal = kind >= 9;
    // Distance to the seam in carapace lengths.
    let seam = (next.0 - best.0) / (2.0 * middle.distance(scutes[next.1].0)).max(0.05);
    // Streaks radiate from the hind upper corner of each scute.
    let origin = middle
        + match kind {
            0..5 => Vec2::new(0.075, 0.0),
            5..9 => Vec2::new(0.075, -0.05),
            _ => Vec2::new(0.030, -0.030),
        };
    let ray = p - origin;
    let angle = atan2(ray.y, ray.x);
    let turn = Vec3::new(cos(angle), sin(angle), 0.0);
    let streak = noise.fbm(turn * 4.2 + Vec3::new(0.0, 0.0, ray.length() * 3.0 + kind as f32 * 3.7), 3);
    let fine = noise.fbm(turn * 13.0 + Vec3::Z * (ray.length() * 8.0 + kind as f32), 2);
    let tone = 0.44 + 0.55 * streak + 0.18 * fine - 0.6 * (ray.length() - 0.08);
    let mut color = ramp(
        &[
            (0.0, rgb(0x241f18)),
            (0.25, rgb(0x3a3122)),
            (0.5, rgb(0x54462c)),
            (0.78, rgb(0x625236)),
            (1.0, rgb(0x7a6b48)),
        ],
        tone.clamp(0.0, 1.0),
    );
    color *= 0.93 + 0.09 * noise.fbm(spot.place * 14.0, 3);
    // No two scutes are of one shade.
    color *= 0.82 + 0.30 * noise.hash(600 + kind as i32);
    // A film of algae in ragged patches, green where it is thin and grey where silt lies in it.
    let algae = smoothstep(-0.15, 0.55, noise.fbm(spot.place * 5.0 + 3.0, 4)) * 0.55;
    let silt = smoothstep(-0.2, 0.5, noise.fbm(spot.place * 17.0 + 43.0, 3));
    color = color.lerp(rgb(0x444b32).lerp(rgb(0x5c5946), silt), algae);
    // Seams are grooves with a worn, pale border; finer between marginals.
    let groove = if marginal { 0.34 } else { 0.50 };
    color *= 1.0 - groove * smoothstep(0.0055, 0.0015, seam);
    color = color.lerp(rgb(0x96845a), 0.24 * smoothstep(0.004, 0.0, (seam - 0.0085).abs()));
    // Scratches and dull spots, along the way it swims.
    let scuff = noise.at(Vec3::new(p.y * 60.0 + 5.0 * p.x, 8.0, p.x * 9.0)).abs();
    color = color
        .lerp(rgb(0x9b8a62), 0.22 * smoothstep(0.05, 0.01, scuff) * smoothstep(0.1, 0.4, noise.at(spot.place * 5.0)));
    // The lip's edge is worn pale.
    color = color.lerp(rgb(0xa08b5c), 0.40 * smoothstep(0.545, 0.505, spot.t));

    // The plastron: cream, a little yellow, stained by a life on sand, with seams where nothing covers them.
    let side = spot.place.x.abs();
    let wander = 0.09 * noise.fbm(spot.place * 6.0 + 3.0, 2);
    let along = spot.x * 5.4 + 0.3 - 5.0 * side * side + wander;
    let (row, within) = (along.floor(), along.fract());
    let edge = within.min(1.0 - within);
    let patchy = smoothstep(-0.25, 0.35, noise.fbm(spot.place * 8.0 + 71.0, 2));
    let seams = smoothstep(0.030, 0.008, edge)
        .max(smoothstep(0.008, 0.002, (side - 0.10 * wander).abs()))
        .max(smoothstep(0.008, 0.002, (side - 0.175 - 0.25 * wander).abs()));
    let stain = noise.fbm(spot.place * 4.5 + 13.0, 4);
    let mut plate = rgb(0xc2b48a).lerp(rgb(0xa8915e), smoothstep(-0.2, 0.7, stain));
    plate = plate.lerp(rgb(0x8c7f55), 0.40 * smoothstep(0.15, 0.6, noise.fbm(spot.place * 7.0 + 29.0, 4)));
    // Warm in the hollows by the bridges, pale where it rests on the sand.
    plate = plate.lerp(rgb(0xa58a52), 0.35 * smoothstep(0.16, 0.30, side));
    plate = plate.lerp(rgb(0xd2c8a4), 0.35 * smoothstep(0.13, 0.02, side + 0.1 * stain));
    let scratch = noise.at(Vec3::new(spot.place.x * 44.0 + 9.0 * spot.x, 3.0, spot.place.z * 7.0)).abs();
    plate *= 1.0 - 0.26 * smoothstep(0.04, 0.006, scratch) * smoothstep(0.1, 0.4, noise.at(spot.place * 6.0 + 51.0));
    plate *= 1.0 + 0.10 * noise.fbm(spot.place * 36.0, 3);
    // Each shield grows from its hind edge in rings, and is of a shade of its own.
    let own = noise.hash(900 + 2 * row as i32 + i32::from(spot.place.x > 0.0));
    plate *= (0.90 + 0.16 * own) * (1.0 + 0.05 * sin(within * 40.0) * smoothstep(0.5, 0.0, within));
    // Specks of old wounds and of what has grown on it.
    let (near, _) = noise.cells(spot.place * 26.0 + 5.0);
    plate = plate
        .lerp(rgb(0x6e6040), 0.55 * smoothstep(0.20, 0.10, near) * smoothstep(0.0, 0.3, noise.at(spot.place * 5.0)));
    plate = plate.lerp(rgb(0x7a6640), 0.70 * seams * (0.4 + 0.6 * patchy));
    // Beneath the lip each marginal has a dusky blotch and is shaded by it.
    let n = (marginal_at(spot.x) + 0.5).fract() - 0.55;
    let blotch = smoothstep(0.30, 0.10, n.abs() + 0.12 * stain) * smoothstep(0.36, 0.44, spot.t);
    plate = plate.lerp(rgb(0x5d4f33), 0.65 * blotch);
    plate *= 1.0 - 0.22 * smoothstep(0.34, 0.42, spot.t) * smoothstep(0.49, 0.45, spot.t);
    color.lerp(plate, smoothstep(0.496, 0.486, spot.t))
}

/// Dark scales with pale borders, `size` scales a unit.
fn plates(place: Vec3, size: f32, noise: &Noise) -> Vec3 {
    // Drawn by hand: no border is quite straight.
    let bent = place * size + 0.10 * Vec3::new(noise.at(place * size * 2.3), noise.at(place * size * 2.3 + 40.0), 0.0);
    let (near, next) = noise.cells(bent);
    let border = smoothstep(0.15, 0.05, next - near);
    let scale = rgb(0x3b3220).lerp(rgb(0x665330), 0.5 + 0.5 * noise.at(place * size * 0.7))
        * (1.0 + 0.10 * noise.at(place * size * 5.0));
    // Each a little paler toward its edge.
    (scale * mix(0.86, 1.18, smoothstep(0.5, 0.1, next - near))).lerp(CREAM * 0.92, 0.85 * border)
}

fn head_color(spot: &BodyPoint, head: &Body, noise: &Noise) -> Vec3 {
    let beak = smoothstep(0.15, 0.10, spot.x + 0.10 * (spot.h - 0.5));
    // Large plates on top and cheeks, small ones on the neck.
    let size = mix(7.0, 15.0, smoothstep(0.50, 0.62, spot.x));
    let mut color = plates(spot.place * Vec3::new(1.0, 1.0, 0.8), size, noise);
    let neck = smoothstep(0.52, 0.66, spot.x);
    let ragged = 0.10 * noise.fbm(spot.place * 9.0, 2);
    let below = smoothstep(mix(0.42, 0.60, neck), mix(0.24, 0.30, neck), spot.h + ragged);
    color = color.lerp(CREAM, below * mix(0.95, 0.85, neck));
    // Between the neck's small scales the skin is bare and grey.
    color = color.lerp(rgb(0x8f835c), 0.42 * neck * (1.0 - below));
    // Folds: dark in the troughs of the neck's outline, and creases that come and go.
    let crease = noise.at(Vec3::new(spot.x * 34.0 + 1.5 * noise.at(spot.place * 6.0), 2.0, 1.6 * spot.place.y)).abs();
    color *= 1.0 - 0.34 * neck * smoothstep(0.90, 0.76, spot.x) * smoothstep(0.16, 0.02, crease);
    color *= 1.0 - 0.55 * smoothstep(0.80, 0.96, spot.x) * spot.h;
    let horn =
        rgb(0x8c7a4c).lerp(rgb(0x5a4a2b), smoothstep(0.4, 0.9, spot.h)) * (1.0 + 0.06 * noise.at(spot.place * 40.0));
    color = color.lerp(horn, beak);
    let start = Vec2::new(0.0, 0.5 * (head.back.at(0.0) + head.belly.at(0.0)));
    let corner = Vec2::new(0.235, -0.075);
    let p = Vec2::new(spot.x, spot.y);
    let along = ((p - start).dot(corner - start) / (corner - start).length_squared()).clamp(0.0, 1.0);
    let sag = Vec2::new(0.0, -0.018 * sin(along * 3.1));
    let off = p.distance(start + (corner - start) * along + sag);
    color = color.lerp(rgb(0xb7a874), 0.5 * smoothstep(0.035, 0.015, off));
    color *= 1.0 - 0.75 * smoothstep(0.012, 0.004, off);
    let eye = Vec2::new(EYE.x, mix(head.belly.at(EYE.x), head.back.at(EYE.x), EYE.h));
    let from_eye = p.distance(eye) / EYE.radius;
    color = color.lerp(rgb(0x2b2416), 0.75 * smoothstep(1.55, 1.05, from_eye));
    let nostril = p.distance(Vec2::new(0.028, 0.018)) / 0.012;
    color * (1.0 - 0.7 * smoothstep(1.0, 0.5, nostril))
}

fn flipper_color((s, t, under): (f32, f32, bool), length: f32, noise: &Noise) -> Vec3 {
    let place = Vec3::new(s, t * length, if under { 5.0 } else { 0.0 });
    // A row of big scales along the leading edge, smaller ones behind, the smallest where the arm bends at the shell.
    let size = mix(2.9, 6.4, smoothstep(0.22, 0.62, s)) + 3.0 * smoothstep(0.22, 0.05, t);
    let scales = plates(place, size, noise);
    if !under {
        let worn = scales.lerp(CREAM * 0.8, 0.45 * smoothstep(0.86, 1.0, s));
        return worn.lerp(rgb(0x8f835c), 0.45 * smoothstep(0.20, 0.02, t));
    }
    // Pale below, with dark scales toward the tip and along the edges, and shade where it comes out of the shell.
    let dusky = smoothstep(0.42, 0.85, t + 0.9 * powi(s - 0.45, 2) + 0.20 * noise.fbm(place * 3.0, 2));
    let shade = 1.0 - 0.22 * smoothstep(0.24, 0.02, t);
    (CREAM * (0.93 + 0.09 * noise.fbm(place * 5.0, 3))).lerp(scales, 0.20 + 0.64 * dusky) * shade
}
