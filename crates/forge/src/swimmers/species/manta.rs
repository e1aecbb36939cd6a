//! Reef manta (*Mobula alfredi*): a kite of wings that flap in a travelling wave, cephalic lobes, a thin tail.
//!
//! Proportions after Marshall, Compagno & Bennett 2009 and FishBase: disc width 2.2 to 2.3 disc lengths, mouth at the
//! front end between the lobes, gill slits in five pairs below, tail shorter than the disc. Flapping after Fish et al.
//! 2016: tip amplitude about half a span, a wave that runs outward and backward, upstroke and downstroke alike.

use std::f32::consts::TAU;
use std::ops::Range;

use glam::{Affine3, Vec2, Vec3};
use math::{mix, smoothstep};

use crate::maths::{cos, powf, powi, rotation_x, rotation_y, rotation_z, sin};
use crate::paint::{Canvas, rgb};
use crate::rig::{Clip, ClipPhase, JointPose};
use crate::shapes::Rect;
use crate::swimmers::fish::{Eye, eye};
use crate::swimmers::foil;
use crate::{Curve, Forged, JointWeights, Material, Mesh, Noise, Rig, assemble};

const TOP: Rect = Rect::new(0.0, 0.0, 1.0, 0.44);
const BOTTOM: Rect = Rect::new(0.0, 0.445, 1.0, 0.885);
const LOBE: Rect = Rect::new(0.0, 0.89, 0.40, 1.0);
const TAIL: Rect = Rect::new(0.41, 0.89, 0.70, 1.0);
const FIN: Rect = Rect::new(0.71, 0.89, 0.86, 1.0);
const EYES: Rect = Rect::new(0.88, 0.89, 0.99, 1.0);

/// Disc length in the file's units: the animal is one unit long from lobes to tail tip.
const DISC: f32 = 0.63;
/// Foremost z in disc lengths.
const FRONT: f32 = -0.155;
/// Half the disc width in disc lengths.
const SPAN: f32 = 1.12;
const DARK: Vec3 = rgb(0x24292d);
const EYE: Eye = Eye {
    x: 0.0,
    h: 0.5,
    radius: 0.026,
    bulge: 0.6,
    iris: (rgb(0x4b5054), rgb(0x1b1e20)),
    pupil: 0.6,
    slit: 1.0,
    socket: 0.0,
    tapetum: 0.3,
};

/// Makes the manta.
pub fn make(seed: u64) -> Forged {
    let noise = Noise::new(seed);
    let form = Form::new();
    let (rig, joints) = build_rig();
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("skin", "manta.png").glossy(0.06, 10.0));
    let wet = Material { tapetum: EYE.tapetum, ..Material::new("eyes", "manta.png") };
    let wet = mesh.material(wet.glossy(0.22, 120.0));

    let part = mesh.part("disc", skin);
    for side in [1.0, -1.0] {
        for (rect, above) in [(TOP, 1.0), (BOTTOM, -1.0)] {
            let range = half_disc(&mut mesh, part, &form, side, above, rect);
            mesh.skin(range, |p| wing_skin(p, &joints));
        }
    }
    let part = mesh.part("lobes", skin);
    let right = lobe(&mut mesh, part);
    mirrored(&mut mesh, right, |p, side| {
        let t = smoothstep(0.06, -0.02, unplace(p).z);
        JointWeights::rigid(joints.disc).mix(JointWeights::rigid(joints.lobes[side]), t)
    });
    let part = mesh.part("tail", skin);
    let path: Vec<Vec3> = (0..9).map(|i| place(Vec3::new(0.0, 0.012, 0.92 + 0.064 * i as f32))).collect();
    let range =
        mesh.tube(part, &path, 6, TAIL, |t| DISC * mix(0.018, 0.003, t.sqrt()) * if t < 1.0 { 1.0 } else { 0.0 });
    mesh.skin(range, |p| {
        let z = unplace(p).z;
        let (a, b) = (smoothstep(0.95, 1.06, z), smoothstep(1.12, 1.28, z));
        JointWeights::of(&[(joints.disc, 1.0 - a), (joints.tail[0], a * (1.0 - b)), (joints.tail[1], a * b)])
    });
    let part = mesh.part("dorsal", skin);
    let range = foil::blade(&mut mesh, part, (5, 3), FIN, |s, t| {
        let z = 0.89 + 0.07 * s * (1.0 - 0.45 * t) + 0.055 * t;
        (
            place(Vec3::new(0.0, form.thickness(0.0, z).max(0.012) * 0.8 + 0.058 * t, z)),
            Vec3::X * (0.004 * foil::section(s)),
        )
    });
    mesh.skin(range, |_| JointWeights::rigid(joints.disc));
    let part = mesh.part("eyes", wet);
    let outward = Vec3::new(0.92, 0.05, -0.38).normalize();
    let center = place(Vec3::new(0.196, 0.010, 0.050));
    let dome = eye::Dome { center, outward, radius: EYE.radius * DISC, bulge: EYE.bulge, cells: (3, 10), rect: EYES };
    let right = eye::dome(&mut mesh, part, &dome);
    mirrored(&mut mesh, right, |_, _| JointWeights::rigid(joints.disc));

    let texture = paint(&noise).to_picture();
    let about = "Reef manta, Mobula alfredi; proportions after Marshall, Compagno & Bennett 2009";
    assemble("manta", about, &mesh, &rig, vec![("manta.png".into(), texture)])
}

fn place(p: Vec3) -> Vec3 {
    (p - Vec3::Z * FRONT) * DISC - Vec3::Z * 0.5
}

fn unplace(p: Vec3) -> Vec3 {
    (p + Vec3::Z * 0.5) / DISC + Vec3::Z * FRONT
}

/// Planform and thickness in disc lengths over w, the distance from the midline.
struct Form {
    lead: Curve,
    trail: Curve,
    thick: Curve,
}

impl Form {
    fn new() -> Self {
        Self {
            lead: Curve::new(&[
                (0.0, 0.015),
                (0.08, 0.012),
                (0.14, 0.020),
                (0.19, 0.052),
                (0.25, 0.092),
                (0.35, 0.142),
                (0.50, 0.210),
                (0.68, 0.305),
                (0.84, 0.420),
                (0.98, 0.555),
                (1.07, 0.675),
                (SPAN, 0.765),
            ]),
            trail: Curve::new(&[
                (0.0, 0.985),
                (0.05, 0.968),
                (0.12, 0.910),
                (0.22, 0.820),
                (0.36, 0.730),
                (0.52, 0.672),
                (0.70, 0.655),
                (0.86, 0.672),
                (1.0, 0.715),
                (1.07, 0.748),
                (SPAN, 0.775),
            ]),
            thick: Curve::new(&[
                (0.0, 0.158),
                (0.08, 0.152),
                (0.15, 0.132),
                (0.22, 0.104),
                (0.32, 0.072),
                (0.5, 0.042),
                (0.75, 0.022),
                (1.0, 0.009),
                (SPAN, 0.0015),
            ]),
        }
    }

    /// Half thickness at (w, z): the section is blunt at the mouth and sharp at the wings.
    fn thickness(&self, w: f32, z: f32) -> f32 {
        let (a, b) = (self.lead.at(w), self.trail.at(w));
        let s = ((z - a) / (b - a)).clamp(0.0, 1.0);
        let blunt = (s / 0.30).clamp(0.0, 1.0);
        let head = (1.0 - (1.0 - blunt) * (1.0 - blunt)).sqrt() * powf(1.0 - smoothstep(0.25, 1.0, s), 0.8);
        self.thick.at(w) * mix(head, foil::section(s), smoothstep(0.10, 0.35, w))
    }
}

fn half_disc(mesh: &mut Mesh, part: usize, form: &Form, side: f32, above: f32, rect: Rect) -> Range<usize> {
    let (spans, chords) = (20, 16);
    let first = mesh.triangles.len();
    let range = mesh.grid(part, spans, chords, |i, j| {
        let w = SPAN * powf(i as f32 / spans as f32, 1.12);
        let q = j as f32 / chords as f32;
        let s = mix(q, 0.5 - 0.5 * cos(q * TAU * 0.5), 0.7);
        let z = mix(form.lead.at(w), form.trail.at(w), s);
        let edge = j == 0 || j == chords || i == spans;
        let lift = if edge { 0.0 } else { form.thickness(w, z) * if above > 0.0 { 1.0 } else { 0.72 } };
        // The mouth is a slot: between the lips the front end goes inward.
        let slot = if j == 0 { 0.125 * smoothstep(0.155, 0.135, w) } else { 0.0 };
        // The lips meet at its corners, and it lies low in the head.
        let lens = (1.0 - powi(w / 0.165, 2)).max(0.0).sqrt();
        let lift = lift * if j == 1 { mix(0.42, 1.15, lens * smoothstep(0.19, 0.13, w)) } else { 1.0 };
        let low = 0.016 * smoothstep(0.22, 0.12, w) * smoothstep(3.0, 1.0, j as f32);
        // Wings droop a little toward the tips.
        let y = lift * above - 0.035 * powi(w / SPAN, 2) - low;
        let uv = Vec2::new(0.004 + 0.992 * w / SPAN, 0.01 + 0.98 * z);
        (place(Vec3::new(w * side, y, z + slot)), rect.at(uv))
    });
    // Rows run outward and columns backward: right for the underside of the right wing.
    if side * above > 0.0 {
        mesh.triangles[first..].iter_mut().for_each(|t| t.corners.swap(1, 2));
    }
    range
}

/// Adds the right cephalic lobe: it reaches forward, rolled up lengthwise like a leaf, more tightly toward its tip.
fn lobe(mesh: &mut Mesh, part: usize) -> Range<usize> {
    let path = |t: f32| {
        let x = Curve::new(&[(0.0, 0.178), (0.5, 0.182), (1.0, 0.135)]).at(t);
        let y = Curve::new(&[(0.0, 0.004), (0.5, -0.012), (1.0, -0.045)]).at(t);
        Vec3::new(x, y, mix(0.085, FRONT, t))
    };
    let chord = Curve::new(&[(0.0, 0.112), (0.35, 0.138), (0.7, 0.122), (0.88, 0.080), (0.97, 0.040), (1.0, 0.010)]);
    foil::blade(mesh, part, (8, 9), LOBE, |s, t| {
        // Across the lobe the skin follows an arc.
        let (roll, curl) = (mix(0.30, 0.75, t), mix(0.7, 2.5, smoothstep(0.0, 0.8, t)));
        let turn = roll + curl * (s - 0.45);
        let arc = Vec3::new(cos(turn) - cos(roll), sin(roll) - sin(turn), 0.0) / curl;
        let normal = Vec3::new(cos(turn), -sin(turn), 0.0);
        let p = path(t) + arc * chord.at(t);
        (place(p), normal * (mix(0.030, 0.005, t) * DISC * foil::section(s)))
    })
}

fn mirrored(mesh: &mut Mesh, right: Range<usize>, skin: impl Fn(Vec3, usize) -> JointWeights) {
    let left = mesh.repeat(right.clone(), Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    for (side, range) in [right, left].into_iter().enumerate() {
        mesh.skin(range, |p| skin(p, side));
    }
}

/// Positions of the wing's joints along the half span, in disc lengths.
const WING: [f32; 4] = [0.20, 0.44, 0.68, 0.90];

struct Joints {
    disc: u8,
    wings: [[u8; 4]; 2],
    lobes: [u8; 2],
    tail: [u8; 2],
}

fn wing_skin(p: Vec3, joints: &Joints) -> JointWeights {
    let p = unplace(p);
    let w = p.x.abs();
    let wing = joints.wings[usize::from(p.x < 0.0)];
    let chain = [joints.disc, wing[0], wing[1], wing[2], wing[3]];
    let beyond = |i: usize| smoothstep(WING[i] - 0.12, WING[i] + 0.12, w);
    let weights: Vec<(u8, f32)> = (0..5)
        .map(|i| {
            let from = if i == 0 { 1.0 } else { beyond(i - 1) };
            let to = if i == 4 { 0.0 } else { beyond(i) };
            (chain[i], (from - to).max(0.0))
        })
        .collect();
    JointWeights::of(&weights)
}

fn build_rig() -> (Rig, Joints) {
    let mut rig = Rig::new(&[
        (Clip::Flap, 84),
        (Clip::Idle, 120),
        (Clip::Burst, 48),
        (Clip::TurnLeft, 72),
        (Clip::TurnRight, 72),
        (Clip::Feed, 84),
    ]);
    // A manta that rests glides: the wings hardly move.
    let wave = |at: ClipPhase, lag: f32| at.vigour() * sin(TAU * (at.phase - lag));
    let disc = rig.joint("disc", None, place(Vec3::new(0.0, 0.0, 0.42)));
    rig.animate(disc, |at| JointPose {
        rotation: rotation_z(0.55 * at.bend()) * rotation_x(0.05 * wave(at, 0.20)),
        translation: Vec3::Y * (-0.030 * wave(at, 0.02)),
    });
    // Between the lobes, and the gill slits under the disc.
    rig.place("clean_mouth", disc, place(Vec3::new(0.0, -0.01, 0.04)));
    for (name, side) in [("clean_gill_r", 1.0), ("clean_gill_l", -1.0)] {
        rig.place(name, disc, place(Vec3::new(0.12 * side, -0.06, 0.24)));
    }
    let mut joints = Joints { disc, wings: [[0; 4]; 2], lobes: [0; 2], tail: [0; 2] };
    for (index, side) in [1.0_f32, -1.0].into_iter().enumerate() {
        let letter = if side > 0.0 { "r" } else { "l" };
        let mut parent = disc;
        for (i, w) in WING.into_iter().enumerate() {
            let joint = rig.joint(
                &format!("wing_{}_{letter}", i + 1),
                Some(parent),
                place(Vec3::new(w * side, 0.0, mix(0.40, 0.66, i as f32 / 3.0))),
            );
            let (rise, lag, twist) =
                [(0.30, 0.0, 0.05), (0.25, 0.055, 0.09), (0.23, 0.115, 0.11), (0.22, 0.18, 0.12)][i];
            rig.animate(joint, move |at| {
                let lift = rise * (wave(at, lag) + 0.12 + 0.35 * at.bend() * side);
                // The leading edge goes first, down as well as up.
                let turn = twist * wave(at, lag - 0.25);
                JointPose::turn(rotation_z(lift * side) * rotation_x(turn))
            });
            joints.wings[index][i] = joint;
            parent = joint;
        }
        let lobe = rig.joint(&format!("lobe_{letter}"), Some(disc), place(Vec3::new(0.178 * side, 0.0, 0.05)));
        rig.animate(lobe, move |at| {
            // To feed, the lobes unroll forward and down into a funnel.
            let funnel = at.gape();
            let across = rotation_y(side * (0.08 * wave(at, 0.3) - 0.35 * funnel));
            JointPose::turn(across * rotation_x(0.06 * wave(at, 0.1) - 0.30 * funnel))
        });
        joints.lobes[index] = lobe;
    }
    joints.tail[0] = rig.joint("tail_1", Some(disc), place(Vec3::new(0.0, 0.012, 0.95)));
    joints.tail[1] = rig.joint("tail_2", Some(joints.tail[0]), place(Vec3::new(0.0, 0.012, 1.2)));
    for (i, joint) in joints.tail.into_iter().enumerate() {
        rig.animate(joint, move |at| {
            let lag = 0.35 + 0.15 * i as f32;
            JointPose::turn(rotation_x(0.10 * wave(at, lag)) * rotation_y(0.05 * wave(at, lag + 0.2)))
        });
    }
    (rig, joints)
}

fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(1024, 1024, DARK.extend(1.0));
    let form = Form::new();
    let disc = |local: Vec2| Vec2::new((local.x - 0.004) / 0.992 * SPAN, (local.y - 0.01) / 0.98);
    canvas.fill(TOP, |local, _| top(&form, disc(local), noise).extend(1.0));
    canvas.fill(BOTTOM, |local, _| bottom(&form, disc(local), noise).extend(1.0));
    canvas.fill(LOBE, |local, _| {
        let (s, t, second) = foil::blade_st(local);
        let inner = rgb(0x8f979a).lerp(DARK, smoothstep(0.3, 0.8, t));
        let base = if second { inner } else { DARK };
        (base * (0.95 + 0.08 * noise.at(Vec3::new(s * 4.0, t * 4.0, 1.0)))).extend(1.0)
    });
    canvas.fill(TAIL, |local, _| (DARK * (0.9 + 0.1 * noise.at(Vec3::new(local.x * 9.0, local.y, 2.0)))).extend(1.0));
    canvas.fill(FIN, |_, _| (DARK * 0.9).extend(1.0));
    eye::paint(&mut canvas, EYES, &EYE, noise);
    canvas
}

/// Black back with pale shoulder patches that sweep from the head out along the wings.
fn top(form: &Form, Vec2 { x: w, y: z }: Vec2, noise: &Noise) -> Vec3 {
    let place = Vec3::new(w, 0.0, z);
    let cloud = noise.fbm(place * 6.0, 3);
    let mut color = DARK * (1.0 + 0.26 * cloud + 0.09 * noise.at(place * 40.0));
    // Shoulder chevrons: their front edge is crisp, their hind edge frayed, and dark flecks run into both.
    let fray = 0.012 * noise.at(place * 15.0) + 0.006 * noise.at(place * 38.0) + 0.003 * noise.at(place * 90.0);
    let border = 0.158 + 0.21 * smoothstep(0.10, 0.5, w) + 0.014 * cloud + 0.5 * fray;
    let behind = z - border - 0.06 * smoothstep(0.12, 0.0, w);
    let long = mix(0.135, 0.030, smoothstep(0.12, 0.52, w)) + 0.045 * cloud + 1.5 * fray;
    let reach = smoothstep(0.080, 0.094, w + 1.2 * fray) * smoothstep(0.56, 0.50, w + 2.0 * fray);
    let patch = smoothstep(-0.002, 0.004, behind) * smoothstep(long + 0.010, long - 0.022, behind) * reach;
    let flecks = smoothstep(0.10, 0.34, noise.fbm(place * 22.0 + 7.0, 3));
    color = color.lerp(rgb(0x858d8e), 0.80 * patch * (1.0 - 0.40 * flecks) * (0.88 + 0.3 * cloud).clamp(0.0, 1.0));
    // Paler wing tips and a worn hind edge.
    color = color.lerp(rgb(0x7f888b), 0.5 * smoothstep(0.94, 1.10, w + 0.03 * cloud));
    let hind = form.trail.at(w) - z;
    color = color.lerp(rgb(0x59626a), 0.5 * smoothstep(0.030, 0.0, hind));
    mouth(worn(color, w, z, noise), form, (w, z), rgb(0x4d5355))
}

/// A rough hide: denticles, the fibres of the wings, pale rakes and the marks of cookie-cutters and remoras.
fn worn(color: Vec3, w: f32, z: f32, noise: &Noise) -> Vec3 {
    let place = Vec3::new(w, 5.0, z);
    let fibres = noise.fbm(Vec3::new(w * 2.5, z * 34.0, 11.0), 3) * smoothstep(0.15, 0.5, w);
    let grain = noise.at(place * 62.0) + 0.8 * noise.at(place * 120.0);
    let mut color = color * (1.0 + 0.16 * fibres + 0.10 * grain + 0.12 * noise.fbm(place * 13.0, 3));
    let along = Vec3::new(w * 7.0 + 3.0 * z, z * 30.0 - 16.0 * w, 41.0);
    let rake = smoothstep(0.030, 0.006, noise.at(along).abs()) * smoothstep(0.2, 0.45, noise.at(place * 5.0 + 17.0));
    color = color.lerp(Vec3::splat(0.55), 0.20 * rake);
    let (mark, _) = noise.cells(place * 9.0);
    let there = smoothstep(0.30, 0.42, noise.at(place * 3.0 + 63.0));
    color.lerp(rgb(0x8a9092), 0.45 * there * smoothstep(0.13, 0.07, mark))
}

/// White belly, black spots between the gills, dark hind margin.
fn bottom(form: &Form, Vec2 { x: w, y: z }: Vec2, noise: &Noise) -> Vec3 {
    let place = Vec3::new(w, 3.0, z);
    let cloud = noise.fbm(place * 6.0, 3);
    let grain = noise.at(place * 60.0) + 0.8 * noise.at(place * 120.0);
    let mut color = rgb(0xd3d6d3) * (0.95 + 0.09 * cloud + 0.030 * grain);
    color = color.lerp(rgb(0xb9b29c), 0.35 * smoothstep(0.1, 0.5, noise.fbm(place * 3.5 + 9.0, 3)));
    let hind = form.trail.at(w) - z;
    let shade = smoothstep(0.20, 0.02, hind + 0.05 * cloud) * smoothstep(0.20, 0.5, w);
    color = color.lerp(rgb(0x4c5459), 0.85 * shade);
    color = color.lerp(rgb(0x565e63), 0.8 * smoothstep(0.90, 1.08, w + 0.04 * cloud));
    // Dusky where the jaw hinges, and blotched black along the gills.
    let smudge = smoothstep(0.24, 0.40, noise.fbm(place * 5.0 + 71.0, 3)) * smoothstep(0.30, 0.14, w);
    color = color.lerp(rgb(0x3a4146), 0.75 * smudge * smoothstep(0.12, 0.24, z) * smoothstep(0.62, 0.45, z));
    for i in 0..5 {
        let along = i as f32;
        let (x0, x1) = (0.048, 0.172 - 0.014 * along);
        let across = ((w - x0) / (x1 - x0)).clamp(-0.5, 1.5);
        let line = 0.205 + 0.050 * along - 0.026 * across - 0.022 * (across * (1.0 - across));
        let inside = smoothstep(0.0, 0.08, across) * smoothstep(1.0, 0.92, across);
        let off = z - line;
        // A dark gap, the flap's pale edge before it, its shade behind.
        color =
            color.lerp(rgb(0x15191c), 0.92 * inside * smoothstep(-0.008, -0.004, off) * smoothstep(0.009, 0.004, off));
        color *= 1.0 + 0.10 * inside * smoothstep(-0.020, -0.010, off) * smoothstep(-0.005, -0.009, off);
        color *= 1.0 - 0.22 * inside * smoothstep(0.034, 0.010, off) * smoothstep(0.002, 0.008, off);
    }
    for i in 0..34 {
        let h = |k: i32| noise.hash(i * 5 + k);
        // Most between and behind the gills, a few out on the wings.
        let middle = Vec2::new(mix(0.20, 0.62, powi(h(3), 6)) * powf(h(0), 0.7) + 0.01, mix(0.40, 0.76, h(1)));
        let radius = mix(0.006, 0.026, h(2) * h(2));
        let d = Vec2::new((w - middle.x) * 1.0, z - middle.y).length() / radius + 0.25 * noise.at(place * 30.0);
        color = color.lerp(rgb(0x2c3236), 0.85 * smoothstep(1.1, 0.8, d));
    }
    mouth(color, form, (w, z), rgb(0xb4bab9))
}

/// The wide mouth at the front end, between the lobes.
fn mouth(color: Vec3, form: &Form, (w, z): (f32, f32), lip: Vec3) -> Vec3 {
    let front = z - form.lead.at(w);
    let inside = smoothstep(0.158, 0.142, w);
    let color = color.lerp(lip, 0.75 * inside * smoothstep(0.058, 0.030, front));
    // Its pale lining fades inward, where folds of the gills show; the lips end without a line.
    let folds = 0.5 + 0.5 * sin(w * 210.0);
    let deep = rgb(0x14171a).lerp(rgb(0x3a4041), 0.4 * folds);
    let lining = deep.lerp(rgb(0x8d8e8a), 0.85 * smoothstep(0.002, 0.024, front));
    color.lerp(lining, 0.97 * inside * smoothstep(0.034, 0.020, front))
}
