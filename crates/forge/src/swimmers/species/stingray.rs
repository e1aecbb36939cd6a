//! Blue-spotted ribbontail ray (*Taeniura lymma*): a sandy oval strewn with electric blue spots, rippling at its edge.
//!
//! Proportions after Last & Stevens 2009 and FishBase (disc to 35 cm wide, 80 cm long with the tail): disc 1.2 times as
//! long as wide, snout rounded, eyes large and raised with the spiracles behind them, tail stout, a little longer than
//! the disc, with a blue stripe along each side, two stings and a ribbon of skin below. It swims with waves that run
//! backward along the disc's rim (rajiform: Rosenberger 2001, 1 to 1.3 waves on the fin, 1.5 to 3 beats a second).

use std::f32::consts::{PI, TAU};

use glam::{Affine3, Vec2, Vec3};
use math::{mix, smoothstep};

use crate::maths::{cos, exp, powf, rotation_x, rotation_y, rotation_z, scale_rotation_translation, sin};
use crate::paint::{Canvas, rgb};
use crate::rig::{Clip, JointPose};
use crate::shapes::Rect;
use crate::swimmers::fish::{Eye, eye};
use crate::{Curve, Forged, JointWeights, Material, Mesh, Noise, Rig, assemble};

const TOP: Rect = Rect::new(0.0, 0.0, 0.62, 0.86);
const BOTTOM: Rect = Rect::new(0.63, 0.0, 1.0, 0.86);
const TAIL: Rect = Rect::new(0.0, 0.87, 0.70, 0.94);
const RIBBON: Rect = Rect::new(0.0, 0.95, 0.70, 1.0);
const EYES: Rect = Rect::new(0.88, 0.88, 1.0, 1.0);
const STING: Rect = Rect::new(0.72, 0.88, 0.78, 1.0);
const TURRET: Rect = Rect::new(0.80, 0.88, 0.86, 1.0);

/// Disc length in the file's units: the animal is one unit long from snout to tail tip.
const DISC: f32 = 0.46;
/// Half the disc's width in disc lengths.
const SPAN: f32 = 0.415;
/// Length of the tail in disc lengths.
const TAIL_LENGTH: f32 = 1.0 / DISC - 0.94;
const EYE: Eye = Eye {
    x: 0.0,
    h: 0.5,
    radius: 0.034,
    bulge: 0.75,
    iris: (rgb(0xa08a48), rgb(0x4a3c1c)),
    pupil: 0.50,
    slit: 1.0,
    socket: 0.0,
    tapetum: 0.5,
};
const BLUE: Vec3 = rgb(0x3f86c8);

/// Makes the stingray.
pub fn make(seed: u64) -> Forged {
    let noise = Noise::new(seed);
    let (rig, joints) = build_rig();
    let mut mesh = Mesh::new();
    let skin = mesh.material(Material::new("skin", "stingray.png").glossy(0.16, 18.0));
    let thin = mesh.material(Material::new("ribbon", "stingray.png").membrane(0.3));
    let wet = Material { tapetum: EYE.tapetum, ..Material::new("eyes", "stingray.png") };
    let wet = mesh.material(wet.glossy(0.38, 110.0));

    let part = mesh.part("disc", skin);
    for side in [1.0_f32, -1.0] {
        for (rect, above) in [(TOP, 1.0_f32), (BOTTOM, -1.0)] {
            let (spans, chords) = (14, 22);
            let first = mesh.triangles.len();
            let range = mesh.grid(part, spans, chords, |i, j| {
                let w = i as f32 / spans as f32;
                let q = j as f32 / chords as f32;
                let z = 0.5 - 0.5 * cos(PI * mix(q, 0.5 - 0.5 * cos(PI * q), 0.35));
                let edge = i == spans || j == 0 || j == chords;
                let lift = if edge { 0.0 } else { thickness(w, z) * if above > 0.0 { 1.0 } else { 0.35 } };
                let p = Vec3::new(w * half_width(z) * side, lift * above, z);
                (place(p), rect.at(Vec2::new(0.01 + 0.98 * w, 0.01 + 0.98 * z)))
            });
            if side * above > 0.0 {
                mesh.triangles[first..].iter_mut().for_each(|t| t.corners.swap(1, 2));
            }
            mesh.skin(range, |p| joints.disc_skin(p));
        }
    }

    // The tail: stout at the root, drawn out to a thread, a ribbon below its hind half.
    let along = |t: f32| Vec3::new(0.0, 0.030 - 0.012 * t, 0.90 + (TAIL_LENGTH + 0.04) * t);
    let thick = Curve::new(&[(0.0, 0.046), (0.15, 0.034), (0.45, 0.021), (0.8, 0.010), (0.98, 0.004), (1.0, 0.0)]);
    let part = mesh.part("tail", skin);
    let path: Vec<Vec3> = (0..=24).map(|i| place(along(i as f32 / 24.0))).collect();
    let tail = mesh.tube(part, &path, 10, TAIL, |t| thick.at(t) * DISC);
    let part = mesh.part("ribbon", thin);
    let ribbon = mesh.grid(part, 18, 2, |i, j| {
        let (s, t) = (i as f32 / 18.0, j as f32 / 2.0);
        let at = mix(0.36, 1.0, s);
        let deep = 0.042 * sin(PI * powf(s, 0.6)).max(0.08) * t;
        (place(along(at) - Vec3::Y * (0.7 * thick.at(at) + deep)), RIBBON.at(Vec2::new(s, t)))
    });
    let part = mesh.part("sting", skin);
    let sting = mesh.added(|mesh| {
        for (at, length) in [(0.40, 0.16), (0.47, 0.11)] {
            let path: Vec<Vec3> = (0..4)
                .map(|i| {
                    let t = i as f32 / 3.0;
                    place(along(at + length * t) + Vec3::Y * (thick.at(at) + 0.006 + 0.004 * t))
                })
                .collect();
            mesh.tube(part, &path, 5, STING, |t| 0.007 * DISC * (1.0 - t));
        }
    });
    for range in [tail, ribbon, sting] {
        mesh.skin(range, |p| joints.tail_skin(p));
    }

    // Eyes on low turrets.
    let part = mesh.part("turrets", skin);
    let turret = mesh.added(|mesh| {
        mesh.icosphere(part, 1.0, 2, TURRET);
    });
    let at = Vec3::new(0.105, 0.088, 0.235);
    let shape = scale_rotation_translation(Vec3::new(0.044, 0.032, 0.062) * DISC, rotation_y(-0.25), place(at));
    mesh.transform(turret.clone(), shape);
    mirrored(&mut mesh, turret, |_| JointWeights::rigid(joints.disc));
    let part = mesh.part("eyes", wet);
    let outward = Vec3::new(0.78, 0.50, -0.38).normalize();
    let center = place(at + Vec3::new(0.024, 0.012, -0.010));
    let dome = eye::Dome { center, outward, radius: EYE.radius * DISC, bulge: EYE.bulge, cells: (4, 14), rect: EYES };
    let right = eye::dome(&mut mesh, part, &dome);
    mirrored(&mut mesh, right, |_| JointWeights::rigid(joints.disc));

    let about = "Blue-spotted ribbontail ray, Taeniura lymma; proportions after Last & Stevens 2009 and FishBase";
    let texture = paint(&noise).to_picture();
    assemble("stingray", about, &mesh, &rig, vec![("stingray.png".into(), texture)])
}

fn place(p: Vec3) -> Vec3 {
    p * DISC - Vec3::Z * 0.5
}

fn unplace(p: Vec3) -> Vec3 {
    (p + Vec3::Z * 0.5) / DISC
}

/// Half width of the disc at z, 0 snout to 1.
fn half_width(z: f32) -> f32 {
    // An oval, fullest a little behind the middle, with a blunt snout and lobes that round in at the hind end.
    let outline = Curve::new(&[
        (0.0, 0.0),
        (0.012, 0.085),
        (0.04, 0.158),
        (0.10, 0.240),
        (0.20, 0.320),
        (0.34, 0.384),
        (0.50, SPAN),
        (0.66, 0.406),
        (0.80, 0.352),
        (0.90, 0.262),
        (0.96, 0.165),
        (0.99, 0.080),
        (1.0, 0.0),
    ]);
    outline.at(z)
}

/// Height of the back over the rim's plane at w (0 midline to 1 rim) and z.
fn thickness(w: f32, z: f32) -> f32 {
    let ridge = Curve::new(&[
        (0.0, 0.0),
        (0.05, 0.035),
        (0.15, 0.068),
        (0.27, 0.092),
        (0.45, 0.088),
        (0.7, 0.062),
        (0.92, 0.042),
        (1.0, 0.030),
    ]);
    let round = (1.0 - w * w).max(0.0);
    ridge.at(z) * mix(powf(round, 0.9), exp(-(w * w) / 0.10), 0.55) + 0.006 * round.sqrt()
}

const EDGE: usize = 4;

struct Joints {
    disc: u8,
    /// Rim joints of the right and the left side, front to back.
    rim: [[u8; EDGE]; 2],
    tail: [u8; 4],
}

impl Joints {
    fn disc_skin(&self, p: Vec3) -> JointWeights {
        let p = unplace(p);
        let fraction = (p.x.abs() / half_width(p.z.clamp(0.02, 0.98)).max(1e-3)).min(1.0);
        let out = smoothstep(0.22, 0.95, fraction) * smoothstep(0.0, 0.06, p.z);
        let rim = self.rim[usize::from(p.x < 0.0)];
        let at = ((p.z - 0.14) / 0.74 * (EDGE - 1) as f32).clamp(0.0, (EDGE - 1) as f32);
        let i = (at as usize).min(EDGE - 2);
        let between = smoothstep(0.0, 1.0, at - i as f32);
        JointWeights::of(&[(self.disc, 1.0 - out), (rim[i], out * (1.0 - between)), (rim[i + 1], out * between)])
    }

    fn tail_skin(&self, p: Vec3) -> JointWeights {
        let z = unplace(p).z;
        let at = ((z - 0.95) / (TAIL_LENGTH * 0.25)).clamp(0.0, 3.999);
        let chain = [self.disc, self.tail[0], self.tail[1], self.tail[2], self.tail[3]];
        let i = at as usize;
        JointWeights::rigid(chain[i]).mix(JointWeights::rigid(chain[i + 1]), smoothstep(0.1, 0.9, at - i as f32))
    }
}

fn mirrored(mesh: &mut Mesh, right: std::ops::Range<usize>, skin: impl Fn(Vec3) -> JointWeights) {
    let left = mesh.repeat(right.clone(), Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    for range in [right, left] {
        mesh.skin(range, &skin);
    }
}

fn build_rig() -> (Rig, Joints) {
    let mut rig = Rig::new(&[
        (Clip::Cruise, 24),
        (Clip::Idle, 120),
        (Clip::Burst, 12),
        (Clip::TurnLeft, 36),
        (Clip::TurnRight, 36),
        (Clip::Feed, 48),
    ]);
    let disc = rig.joint("disc", None, place(Vec3::new(0.0, 0.0, 0.45)));
    rig.animate(disc, |at| {
        let bob = at.vigour() * sin(TAU * (at.phase - 0.2));
        let settle = 0.10 * at.gape();
        JointPose {
            rotation: rotation_z(0.30 * at.bend()) * rotation_x(0.02 * bob - settle),
            translation: Vec3::Y * (0.006 * bob),
        }
    });
    let mut joints = Joints { disc, rim: [[0; EDGE]; 2], tail: [0; 4] };
    for (index, side) in [1.0_f32, -1.0].into_iter().enumerate() {
        let letter = if side > 0.0 { "r" } else { "l" };
        for (i, slot) in joints.rim[index].iter_mut().enumerate() {
            let z = 0.14 + 0.74 * i as f32 / (EDGE - 1) as f32;
            let root = place(Vec3::new(0.35 * half_width(z) * side, 0.02, z));
            *slot = rig.joint(&format!("rim_{}_{letter}", i + 1), Some(disc), root);
            rig.animate(*slot, move |at| {
                // A little over one wave lies on the rim and runs backward; the inner side of a turn works less.
                let lag = 1.15 * i as f32 / (EDGE - 1) as f32;
                let amount = [0.24, 0.42, 0.46, 0.40][i] * (1.0 + 0.8 * at.bend() * side);
                let rise = amount * at.vigour() * sin(TAU * (at.phase - lag));
                JointPose::turn(rotation_z(side * (rise - 0.04)))
            });
        }
    }
    let mut parent = disc;
    for (i, slot) in joints.tail.iter_mut().enumerate() {
        let z = 0.97 + TAIL_LENGTH * 0.25 * i as f32;
        *slot = rig.joint(&format!("tail_{}", i + 1), Some(parent), place(Vec3::new(0.0, 0.028, z)));
        parent = *slot;
        rig.animate(*slot, move |at| {
            let lag = 0.2 + 0.14 * i as f32;
            let sway = at.vigour().min(1.0) * sin(TAU * (at.phase - lag));
            JointPose::turn(rotation_y(0.07 * sway - 0.22 * at.bend()) * rotation_x(0.04 * sway + 0.02))
        });
    }
    (rig, joints)
}

/// Distance, in radii, from the middle of the nearest round spot, and that middle: the spots stand in jittered rows,
/// differ in size and do not touch.
fn nearest_spot(noise: &Noise, p: Vec2, scale: f32) -> (f32, Vec2) {
    let q = p * scale;
    let mut best = (f32::MAX, Vec2::ZERO);
    for dy in -1..=1 {
        let row = q.y.floor() as i32 + dy;
        let shift = 0.5 * (row & 1) as f32;
        for dx in -1..=1 {
            let column = (q.x - shift).floor() as i32 + dx;
            let [a, b, c] = [0, 1, 2].map(|k| noise.hash(3 * (column + 64 * row) + k));
            let middle = Vec2::new(column as f32 + shift + mix(0.34, 0.66, a), row as f32 + mix(0.34, 0.66, b));
            let off = q.distance(middle) / mix(0.17, 0.29, c);
            if off < best.0 {
                best = (off, middle / scale);
            }
        }
    }
    best
}

fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(512, 512, rgb(0x8a7442).extend(1.0));
    let at = |local: Vec2| {
        let (w, z) = ((local.x - 0.01) / 0.98, ((local.y - 0.01) / 0.98).clamp(0.0, 1.0));
        (Vec2::new(w * half_width(z), z), w)
    };
    canvas.fill(TOP, |local, _| {
        let (p, w) = at(local);
        let place = Vec3::new(p.x, 0.0, p.y);
        let cloud = noise.fbm(place * 7.0, 4);
        let mut color = rgb(0xa08a52).lerp(rgb(0x87713c), smoothstep(-0.3, 0.4, cloud));
        color = color.lerp(rgb(0x6e5c34), 0.5 * smoothstep(0.16, 0.0, p.x) * smoothstep(0.1, 0.3, p.y));
        color = color.lerp(rgb(0xc2ac70), 0.6 * smoothstep(0.86, 1.0, w));
        // Spots: large toward the middle, small at the rim, each with a darker ring.
        for (scale, from, to) in [(12.5, 0.0, 0.70), (20.0, 0.75, 0.965)] {
            let (off, middle) = nearest_spot(noise, p, scale);
            let across = middle.x / half_width(middle.y.clamp(0.02, 0.98)).max(1e-3);
            if !(from..to).contains(&across) || middle.y > 0.97 {
                continue;
            }
            color = color.lerp(rgb(0x4e4526), 0.55 * smoothstep(1.45, 1.05, off));
            color = color.lerp(BLUE * (1.0 + 0.15 * cloud), smoothstep(1.06, 0.90, off));
        }
        // Spiracles behind the eyes.
        let hole = ((p - Vec2::new(0.115, 0.315)) / Vec2::new(0.030, 0.022)).length();
        color = color.lerp(rgb(0x1c1810), 0.9 * smoothstep(1.1, 0.75, hole));
        (color * (1.0 + 0.04 * noise.at(place * 60.0))).extend(1.0)
    });
    canvas.fill(BOTTOM, |local, _| {
        let (p, w) = at(local);
        let mut color = rgb(0xe9e5da).lerp(rgb(0xcfc4a8), smoothstep(0.75, 1.0, w));
        color *= 1.0 + 0.03 * noise.fbm(Vec3::new(p.x, 4.0, p.y) * 8.0, 3);
        for i in 0..5 {
            let slit = (p - Vec2::new(0.115 - 0.008 * i as f32, 0.28 + 0.035 * i as f32)) / Vec2::new(0.026, 0.006);
            color *= 1.0 - 0.5 * smoothstep(1.2, 0.6, slit.length());
        }
        let mouth = (p - Vec2::new(0.0, 0.145 + 0.10 * p.x)) / Vec2::new(0.060, 0.008);
        color *= 1.0 - 0.75 * smoothstep(1.2, 0.7, mouth.length());
        color.extend(1.0)
    });
    canvas.fill(TAIL, |local, _| {
        // v runs round: the blue stripes lie on the sides.
        let side = cos(TAU * 2.0 * local.y).abs();
        let color = rgb(0x8a7442) * (1.0 + 0.08 * noise.at(Vec3::new(local.x * 30.0, local.y * 4.0, 2.0)));
        color.lerp(BLUE, 0.9 * smoothstep(0.88, 0.95, side) * smoothstep(0.9, 0.7, local.x)).extend(1.0)
    });
    canvas.fill(RIBBON, |local, _| rgb(0x7a6a44).lerp(rgb(0xb8ac88), local.y).extend(1.0));
    canvas.fill(TURRET, |local, _| {
        let fleck = noise.at(Vec3::new(local.x * 9.0, local.y * 9.0, 3.0));
        (rgb(0x8e7840) * (1.0 + 0.10 * fleck)).extend(1.0)
    });
    canvas.fill(STING, |_, _| rgb(0xcfc6a8).extend(1.0));
    eye::paint(&mut canvas, EYES, &EYE, noise);
    canvas
}
