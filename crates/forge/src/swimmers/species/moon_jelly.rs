//! Moon jellyfish (*Aurelia aurita*): a transparent saucer with four horseshoe gonads, frilled arms and a fringe of
//! hairs.
//!
//! After Costello & Colin 1994 and Dabiri et al. 2005: resting bell about twice as wide as high, margin with eight
//! lappets and many short tentacles, four oral arms a little shorter than the bell is wide; the pulse contracts in a
//! third of its time and relaxes in the rest, the margin following the bell.
//!
//! The bell's top is up (+y), tilted a little toward -z, the way it drifts.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::curve::Curve;
use crate::maths::{atan2, cos, powf, powi, rotation_about, rotation_x, rotation_z, sin, sin_cos};
use crate::paint::{Canvas, rgb};
use crate::rig::{Clip, ClipPhase, JointPose};
use crate::shapes::Rect;
use crate::{Forged, JointWeights, Material, Mesh, Noise, Rig, assemble};

const BELL: Rect = Rect::new(0.0, 0.0, 0.62, 0.62);
const INNER: Rect = Rect::new(0.0, 0.63, 0.37, 1.0);
const HAIRS: Rect = Rect::new(0.38, 0.63, 1.0, 0.81);
const ARMS: Rect = Rect::new(0.38, 0.82, 1.0, 1.0);
const GONADS: Rect = Rect::new(0.66, 0.02, 0.98, 0.60);

const RADIUS: f32 = 0.5;
const HEIGHT: f32 = 0.30;
const LAPPETS: usize = 8;

/// Makes the jellyfish.
pub fn make(seed: u64) -> Forged {
    let noise = Noise::new(seed);
    let (rig, joints) = build_rig();
    let mut mesh = Mesh::new();
    // Inner parts come first: transparent parts are drawn in this order.
    let clear = |name: &str, translucency: f32| Material {
        alpha_cut: 0.0,
        opacity: 0.98,
        ..Material::new(name, "moon_jelly.png").membrane(translucency)
    };
    let frills = mesh.material(clear("frills", 0.6));
    let gonads = mesh.material(Material { two_sided: false, ..clear("gonads", 0.4) });
    let bell = mesh.material(clear("bell", 0.7).glossy(0.28, 60.0));
    let sides = 40;

    let part = mesh.part("fringe", frills);
    let range = mesh.grid(part, 64, 3, |i, j| {
        let (turn, t) = (i as f32 / 64.0, j as f32 / 3.0);
        let (rim, _) = surface(turn, 1.0, 1.0, BELL);
        let wave = 0.04 * sin(TAU * turn * 7.0 + 2.0 * t) * t;
        let inward = Vec3::new(rim.x, 0.0, rim.z) * (-0.06 * t + wave);
        // The picture of the hairs is mirrored back and forth, eight times round.
        let along = (turn * 8.0).rem_euclid(2.0);
        let along = if along > 1.0 { 2.0 - along } else { along };
        (rim + inward - Vec3::Y * (0.12 * t - 0.004), HAIRS.at(Vec2::new(0.01 + 0.98 * along, 0.02 + 0.96 * t)))
    });
    mesh.skin(range, |p| joints.bell_skin(p));

    for arm in 0..4 {
        let part = mesh.part("arm", frills);
        let rows = 46;
        let range = mesh.grid(part, 4, rows, |i, j| arm_point(arm, i as f32 / 4.0, j as f32 / rows as f32));
        for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
            let t = (index % (rows + 1)) as f32 / rows as f32;
            let (a, b) = (smoothstep(0.05, 0.35, t), smoothstep(0.45, 0.85, t));
            let [upper, lower] = joints.arms[arm];
            vertex.skin = JointWeights::of(&[(joints.bell, 1.0 - a), (upper, a * (1.0 - b)), (lower, a * b)]);
        }
    }
    for quarter in 0..4 {
        let part = mesh.part("gonad", gonads);
        let path: Vec<Vec3> = (0..=14).map(|n| gonad_point(quarter, n as f32 / 14.0)).collect();
        let range = mesh.tube(part, &path, 6, GONADS, |t| {
            let ends = (0.25 + 4.0 * t.min(1.0 - t)).min(1.0);
            ends * (0.0205 + 0.0040 * sin(TAU * 6.5 * t))
        });
        mesh.skin(range, |p| joints.bell_skin(p));
    }

    let part = mesh.part("inside", bell);
    let range = mesh.grid(part, sides, 6, |i, j| surface(i as f32 / sides as f32, j as f32 / 6.0, 0.72, INNER));
    mesh.skin(range, |p| joints.bell_skin(p));

    let part = mesh.part("bell", bell);
    let rows = 12;
    let range = mesh.grid(part, sides, rows, |i, j| {
        let t = 1.0 - j as f32 / rows as f32;
        surface(i as f32 / sides as f32, t, 1.0, BELL)
    });
    mesh.skin(range, |p| joints.bell_skin(p));
    let texture = paint(&noise).to_picture();
    let about = "Moon jellyfish, Aurelia aurita; pulse after Costello & Colin 1994";
    let mut forged = assemble("moon_jelly", about, &mesh, &rig, vec![("moon_jelly.png".into(), texture)]);
    // Move the document's vertices, so that those welded at rest stay welded; only the normals come from the mesh.
    let mut shape = forged.document.clone();
    for vertex in &mut shape.vertices {
        vertex.position = gathered(vertex.position.into()).to_array();
    }
    mesh.vertices.iter_mut().for_each(|vertex| vertex.position = gathered(vertex.position));
    for (triangle, normals) in shape.triangles.iter_mut().zip(mesh.corner_normals()) {
        triangle.vertex_normals = normals.map(|normal| normal.to_array());
    }
    forged.shapes.push(("moon_jelly_gathered".into(), shape));
    forged
}

/// Position of a point of the contracted bell, apart from the joints' rotation: the ring narrows, the top rises and its
/// jelly swells, and between the lappets the margin folds. The parts that hang below the bell stay as they are.
fn gathered(p: Vec3) -> Vec3 {
    let (r, angle) = (Vec2::new(p.x, p.z).length() / RADIUS, atan2(p.x, p.z));
    let own = smoothstep(-0.22, -0.06, p.y);
    let rim = smoothstep(0.45, 1.0, r);
    let fold = cos(LAPPETS as f32 * angle);
    let narrower = 0.07 * smoothstep(0.05, 0.9, r) + 0.06 * rim * rim * (0.5 + 0.5 * fold);
    // The outer side rises more than the inner one.
    let rise = 0.04 * smoothstep(1.0, 0.0, r) * smoothstep(0.10, HEIGHT, p.y);
    let hang = 0.03 * rim * (1.0 - 0.35 * fold);
    let to = Vec3::new(p.x * (1.0 - narrower), p.y + rise - hang, p.z * (1.0 - narrower));
    p.lerp(to, own)
}

/// Point on the bell at a turn (0..1) and t (0 apex, 1 rim); `depth` less than 1 is its hollow side.
fn surface(turn: f32, t: f32, depth: f32, rect: Rect) -> (Vec3, Vec2) {
    let angle = TAU * (turn % 1.0);
    let profile = Curve::new(&[(0.0, 0.0), (0.25, 0.27), (0.5, 0.53), (0.75, 0.79), (0.9, 0.945), (1.0, 1.0)]);
    let drop = Curve::new(&[(0.0, 0.0), (0.25, 0.06), (0.5, 0.23), (0.75, 0.55), (0.9, 0.86), (1.0, 1.08)]);
    // Eight lappets: the rim is notched where the sense organs sit.
    let notch = 0.5 + 0.5 * cos(LAPPETS as f32 * angle);
    let rim = smoothstep(0.75, 1.0, t);
    let radius = RADIUS * profile.at(t) * (1.0 - 0.035 * rim * powi(notch, 4));
    let height = HEIGHT * depth * (1.0 - drop.at(t)) - (1.0 - depth) * 0.25 * HEIGHT * smoothstep(1.0, 0.6, t)
        + 0.010 * rim * powi(notch, 4);
    let height = if depth < 1.0 { mix(height, HEIGHT * (1.0 - drop.at(t)), smoothstep(0.8, 1.0, t)) } else { height };
    let (sin, cos) = sin_cos(angle);
    let flat = Vec2::new(0.5 + 0.49 * t * sin, 0.5 - 0.49 * t * cos);
    (Vec3::new(sin * radius, height, cos * radius), rect.at(flat))
}

/// Point on a frilled oral arm: a hanging ribbon whose edges are longer than its middle.
fn arm_point(arm: usize, s: f32, t: f32) -> (Vec3, Vec2) {
    let angle = TAU * (arm as f32 + 0.5) / 4.0;
    let out = Vec3::new(sin(angle), 0.0, cos(angle));
    let across = Vec3::new(cos(angle), 0.0, -sin(angle));
    let side = 2.0 * s - 1.0;
    // Broad veils where it leaves the mouth, drawn out to a thin tail.
    let width = mix(0.030, 0.100, smoothstep(0.0, 0.22, t)) * mix(1.0, 0.22, smoothstep(0.35, 1.0, t));
    // Long folds of the hem, different for each arm; the middle hangs straight.
    let fold = |count: f32, shift: f32| sin(TAU * count * powf(t, 0.85) + shift * side + 1.7 * arm as f32);
    let hem = side * side * smoothstep(0.03, 0.2, t) * mix(1.0, 0.45, t);
    let frill = (0.062 * fold(3.2, 1.6) + 0.018 * fold(6.9, -2.2)) * hem;
    let ruffle = 0.030 * fold(4.1, 2.6) * hem;
    let bow = 0.025 * sin(TAU * 0.8 * t + 1.9 * arm as f32) * t;
    let reach = 0.05 + 0.13 * sin(t * PI * 0.6);
    let height = 0.10 - 0.74 * t;
    let p = out * (reach + frill) + across * (side * width + bow + ruffle * side) + Vec3::Y * (height + 0.6 * ruffle);
    (p, ARMS.at(Vec2::new(0.02 + 0.96 * t, 0.04 + 0.92 * s)))
}

/// Point on the folded ribbon of one gonad, on the floor of its pouch: a horseshoe open toward the middle.
fn gonad_point(quarter: usize, t: f32) -> Vec3 {
    let angle = TAU * (quarter as f32 + 0.5) / 4.0;
    let out = Vec3::new(sin(angle), 0.0, cos(angle));
    let across = Vec3::new(cos(angle), 0.0, -sin(angle));
    let turn = mix(-0.80 * PI, 0.80 * PI, t);
    let place = out * (0.132 + 0.056 * cos(turn)) + across * (0.068 * sin(turn));
    place + Vec3::Y * (0.195 - 0.45 * place.length_squared())
}

struct Joints {
    bell: u8,
    margin: [u8; LAPPETS],
    arms: [[u8; 2]; 4],
}

impl Joints {
    /// Weights of the bell: stiff at the middle; toward the rim the two nearest margin joints take over.
    fn bell_skin(&self, p: Vec3) -> JointWeights {
        let turn = (atan2(p.x, p.z) / TAU).rem_euclid(1.0) * LAPPETS as f32;
        let (first, between) = (turn.floor(), turn - turn.floor());
        let rim = smoothstep(0.14, 0.42, Vec2::new(p.x, p.z).length());
        let at = |i: f32| self.margin[(i as usize) % LAPPETS];
        let weight = smoothstep(0.0, 1.0, between);
        JointWeights::of(&[(self.bell, 1.0 - rim), (at(first), rim * (1.0 - weight)), (at(first + 1.0), rim * weight)])
    }
}

/// Contraction of the bell over its pulse: quick to close, slow to open, then at rest.
fn squeeze(at: ClipPhase, lag: f32) -> f32 {
    let phase = (at.phase - lag).rem_euclid(1.0);
    let strength = if at.clip == Clip::Idle { 0.45 } else { 1.0 };
    strength * if phase < 0.30 { smoothstep(0.0, 0.30, phase) } else { smoothstep(0.92, 0.30, phase) }
}

fn build_rig() -> (Rig, Joints) {
    let mut rig = Rig::new(&[(Clip::Pulse, 60), (Clip::Idle, 120)]);
    let bell = rig.joint("bell", None, Vec3::new(0.0, 0.15, 0.0));
    let tilt = rotation_x(-0.20);
    rig.animate(bell, |at| JointPose {
        rotation: tilt * rotation_z(0.03 * sin(TAU * at.phase)),
        translation: Vec3::Y * (0.035 * sin(TAU * (at.phase - 0.30))),
    });
    let mut margin = [0; LAPPETS];
    for (i, joint) in margin.iter_mut().enumerate() {
        let angle = TAU * i as f32 / LAPPETS as f32;
        let out = Vec3::new(sin(angle), 0.0, cos(angle));
        let tangent = Vec3::new(cos(angle), 0.0, -sin(angle));
        *joint = rig.joint(&format!("margin_{}", i + 1), Some(bell), out * 0.24 + Vec3::Y * 0.20);
        rig.animate(*joint, |at| {
            let lag = 0.012 * (i % 3) as f32;
            let closed = squeeze(at, lag);
            JointPose {
                rotation: rotation_about(tangent, 0.50 * closed - 0.12),
                translation: out * (-0.045 * closed) + Vec3::Y * (-0.02 * closed),
            }
        });
    }
    let arms = [0, 1, 2, 3].map(|i| {
        let angle = TAU * (i as f32 + 0.5) / 4.0;
        let (out, tangent) = (Vec3::new(sin(angle), 0.0, cos(angle)), Vec3::new(cos(angle), 0.0, -sin(angle)));
        let upper = rig.joint(&format!("arm_{}", i + 1), Some(bell), out * 0.06 + Vec3::Y * 0.06);
        let lower = rig.joint(&format!("arm_{}_end", i + 1), Some(upper), out * 0.20 - Vec3::Y * 0.16);
        for (joint, lag, amount) in [(upper, 0.15, 0.16), (lower, 0.30, 0.26)] {
            rig.animate(joint, |at| {
                let swing = amount * (squeeze(at, lag) - 0.4);
                let sway = 0.4 * amount * sin(TAU * (at.phase + 0.17 * i as f32 - lag));
                JointPose::turn(rotation_about(tangent, swing) * rotation_about(out, sway))
            });
        }
        [upper, lower]
    });
    (rig, Joints { bell, margin, arms })
}

fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(512, 512, Vec4::new(0.85, 0.90, 0.95, 0.2));
    canvas.fill(BELL, |local, _| {
        let p = (local - 0.5) / 0.49;
        let (r, angle) = (p.length(), atan2(p.x, -p.y));
        let rim = smoothstep(0.88, 1.0, r);
        let mut color = rgb(0xb9cfe2).lerp(rgb(0xeaf2f8), rim);
        let mut alpha = mix(0.07, 0.15, smoothstep(0.3, 0.85, r)) + 0.30 * rim;
        // Radial canals, branching toward the rim.
        let canal = |count: f32, from: f32| {
            let wander = 0.5 * noise.at(Vec3::new(p.x * 4.0, p.y * 4.0, count));
            let line = 0.5 + 0.5 * cos(angle * count + wander);
            smoothstep(1.0 - 0.0045 * count / r.max(0.2), 1.0, line) * smoothstep(from, from + 0.12, r)
        };
        let canals = canal(16.0, 0.36).max(0.8 * canal(32.0, 0.55)).max(0.6 * canal(64.0, 0.74));
        color = color.lerp(rgb(0xf2f7fb), 0.6 * canals);
        alpha += 0.16 * canals;
        // The pouches of the gonads, seen through the bell.
        let (q, ring) = pouch(p);
        color = color.lerp(rgb(0xc9a9c8), 0.7 * smoothstep(1.25, 0.8, ring));
        alpha += 0.05 * smoothstep(1.3, 0.9, ring) * smoothstep(-0.10, -0.04, q.x);
        // Warts of stinging cells: fine grains.
        alpha += 0.05 * noise.fbm(Vec3::new(p.x * 46.0, p.y * 46.0, 8.0), 2);
        alpha *= 1.0 + 0.25 * noise.fbm(Vec3::new(p.x * 7.0, p.y * 7.0, 5.0), 3);
        color.extend(alpha.clamp(0.04, 1.0))
    });
    canvas.fill(INNER, |local, _| {
        let p = (local - 0.5) / 0.49;
        let r = p.length();
        let muscle = sin(r * 95.0) * smoothstep(0.4, 0.6, r);
        let (_, ring) = pouch(p);
        let color = rgb(0xb4cadc).lerp(rgb(0xb894b4), 0.6 * smoothstep(1.3, 0.8, ring));
        color.extend(0.07 + 0.03 * muscle + 0.10 * smoothstep(0.85, 1.0, r))
    });
    canvas.fill(GONADS, |local, _| {
        let folds =
            0.5 + 0.5 * sin(TAU * 13.0 * local.x + 2.0 * noise.at(Vec3::new(local.x * 9.0, local.y * 3.0, 4.0)));
        let lumps = 0.9 + 0.25 * noise.at(Vec3::new(local.x * 30.0, local.y * 8.0, 4.0));
        (rgb(0xb573ad).lerp(rgb(0xf2cde4), folds) * lumps).extend(0.86 + 0.12 * folds)
    });
    canvas.fill(HAIRS, |local, _| {
        // Fine hairs of different lengths, thinning out.
        let hair = (local.x * 38.0).floor();
        let bow = 0.20 * sin(local.y * 4.0 + hair * 2.4) * local.y;
        let across = ((local.x * 38.0).fract() - 0.5 + bow).abs();
        let long = 0.45 + 0.55 * noise.hash(hair as i32);
        let half = mix(0.22, 0.10, local.y / long);
        let there = smoothstep(half + 0.10, half, across) * smoothstep(long, 0.6 * long, local.y);
        let hem = smoothstep(0.07, 0.03, local.y);
        rgb(0xdbe6ef).extend((0.55 * there).max(0.5 * hem))
    });
    canvas.fill(ARMS, |local, _| {
        let side = (2.0 * local.y - 1.0).abs();
        // The hem is lace that thins out; the middle is a firm band.
        let half = local.y.round() * 7.0;
        let lace = 0.5 + 0.5 * noise.fbm(Vec3::new(local.x * 22.0, half + 1.6 * side, 2.0), 3);
        // Folds run out from the band to the hem, whose edge is ragged and hung with fine beads.
        let folds = noise.at(Vec3::new(local.x * 46.0 + 3.0 * side, half, 4.0)).abs();
        let ragged = 0.80 + 0.20 * noise.fbm(Vec3::new(local.x * 30.0, half, 6.0), 2);
        let (bead, _) = noise.cells(Vec3::new(local.x * 120.0, half + 18.0 * side, 8.5));
        let color = rgb(0xc9a4c2).lerp(rgb(0xdfe9f2), smoothstep(0.05, 0.5, side));
        let inside = smoothstep(ragged, ragged - 0.10, side);
        let veil =
            mix(0.22, 0.05, smoothstep(0.1, 0.9, side)) * (0.3 + 1.3 * lace) + 0.26 * smoothstep(0.10, 0.0, folds);
        let band = 0.22 * smoothstep(0.22, 0.02, side);
        let hem = (0.16 + 0.40 * smoothstep(0.40, 0.15, bead)) * smoothstep(ragged - 0.20, ragged - 0.06, side);
        let tail = smoothstep(1.0, 0.72, local.x + 0.1 * lace);
        color.extend(((veil + band + hem) * inside * tail).clamp(0.0, 1.0))
    });
    canvas.bleed(4);
    canvas
}

/// Position in the nearest gonad's pouch, out from its middle and across, and the distance from it: 1 on the horseshoe.
fn pouch(p: Vec2) -> (Vec2, f32) {
    let quarter = ((atan2(p.x, -p.y) / TAU * 4.0).rem_euclid(1.0) - 0.5) * TAU / 4.0;
    let q = Vec2::new(p.length() * cos(quarter) - 0.265, p.length() * sin(quarter));
    (q, (q / Vec2::new(0.115, 0.135)).length())
}
