//! A giant clam that shuts, and a sea urchin.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3, Vec4};
use math::{GOLDEN_ANGLE, mix, smoothstep};

use crate::maths::{cos, powf, rotation_x, sin};
use crate::paint::{ramp, rgb};
use crate::rig::{Clip, JointPose};
use crate::shapes::Rect;
use crate::{Canvas, Category, Curve, Entry, Forged, JointWeights, Material, Mesh, Noise, Rig, assemble};

/// The animals of this file.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "giant_clam",
        kind: Category::Flora,
        description: "fluted shells, a blue mantle; shuts",
        make: giant_clam,
    },
    Entry { name: "sea_urchin", kind: Category::Flora, description: "a black ball of long spines", make: sea_urchin },
];

const SHELL: Rect = Rect::new(0.0, 0.0, 1.0, 0.48);
const MANTLE: Rect = Rect::new(0.0, 0.50, 1.0, 0.80);
const LINING: Rect = Rect::new(0.0, 0.82, 1.0, 1.0);

/// Folds of a valve.
const FOLDS: f32 = 4.5;

/// A place on a valve: q 0 to 1 from one end of the hinge to the other, r 0 at the hinge to 1 at the lip; half height,
/// on the +z side for `side` = 1.
fn valve(q: f32, r: f32, side: f32) -> Vec3 {
    let angle = mix(-1.38, 1.38, q);
    let reach = powf(r, 0.8);
    // Ribs grow from the hinge to the lip, where the folds of both valves fit into each other.
    let fold =
        cos(FOLDS * TAU * (q - 0.5)) * smoothstep(0.05, 1.0, r) * smoothstep(0.0, 0.12, q) * smoothstep(1.0, 0.88, q);
    let out = 0.5 * sin(PI * 0.86 * powf(r, 0.7)).max(0.0) * powf(cos(1.138 * angle).max(0.0), 0.5);
    let x = 0.52 * sin(angle) * reach;
    let y = (0.12 + 0.88 * cos(angle)) * 0.52 * reach + 0.035 * fold * r;
    let z = side * 0.46 * out + 0.050 * fold * r;
    // Open at rest: the lips lean away from each other.
    rotation_x(side * 0.13 * smoothstep(0.0, 0.3, r)) * Vec3::new(x, y, z)
}

fn giant_clam(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xC1A4);
    let mut mesh = Mesh::new();
    let shell =
        mesh.material(Material { two_sided: true, ..Material::new("shell", "giant_clam.png") }.glossy(0.06, 10.0));
    let flesh = mesh.material(
        Material { two_sided: true, translucency: 0.25, ..Material::new("mantle", "giant_clam.png") }
            .glossy(0.30, 30.0),
    );
    let mut rig = Rig::new(&[(Clip::Close, 240), (Clip::Idle, 120)]);
    let foot = rig.joint("hinge", None, Vec3::ZERO);
    rig.animate(foot, |_| JointPose::REST);
    // Most of the time it is open and breathes; then it starts, shuts in a third of a second, and opens slowly.
    let shut = |at: crate::rig::ClipPhase| {
        let breath = 0.05 * sin(TAU * 3.0 * at.phase);
        match at.clip {
            Clip::Close => (smoothstep(0.50, 0.54, at.phase) * smoothstep(0.97, 0.62, at.phase)).max(breath),
            _ => breath,
        }
    };
    let valves = [1.0_f32, -1.0].map(|side| {
        let joint = rig.joint(if side > 0.0 { "valve_1" } else { "valve_2" }, Some(foot), Vec3::new(0.0, 0.02, 0.0));
        rig.animate(joint, |at| JointPose::turn(rotation_x(-side * 0.30 * shut(at))));
        joint
    });
    let frill = rig.joint("mantle", Some(foot), Vec3::new(0.0, 0.30, 0.0));
    rig.animate(frill, |at| JointPose { translation: Vec3::NEG_Y * (0.13 * shut(at)), ..JointPose::REST });

    for (side, joint) in [(1.0_f32, valves[0]), (-1.0, valves[1])] {
        let part = mesh.part("valve", shell);
        let (columns, rows) = (54, 12);
        let range = mesh.grid(part, columns, rows, |i, j| {
            let (q, r) = (i as f32 / columns as f32, j as f32 / rows as f32);
            let scale = 1.0 + 0.03 * sin(r * 30.0) * smoothstep(0.2, 0.5, r);
            (valve(q, r, side) * Vec3::new(1.0, 1.0, scale), SHELL.at(Vec2::new(q, 1.0 - r)))
        });
        mesh.skin(range, |_| JointWeights::rigid(joint));
        // The mantle: from inside the lip, over it in lobes, to the slit in the middle.
        let part = mesh.part("mantle", flesh);
        let (columns, rows) = (54, 7);
        let range = mesh.grid(part, columns, rows, |i, j| {
            let (q, t) = (mix(0.07, 0.93, i as f32 / columns as f32), j as f32 / rows as f32);
            let lip = valve(q, mix(1.0, 0.90, smoothstep(0.15, 0.6, t)), side);
            let middle = Vec3::new(lip.x * 0.88, lip.y * 0.90 - 0.02, 0.0);
            let lobe = cos(2.0 * FOLDS * TAU * (q - 0.5));
            let swell = 0.045 * sin(PI * powf(t, 0.6)) * (1.0 + 0.25 * lobe);
            let over = side * 0.030 * (1.0 - smoothstep(0.0, 0.3, t)) * (1.0 + 0.4 * lobe);
            let p = lip.lerp(middle, t) + Vec3::new(0.0, swell - 0.025 * (1.0 - smoothstep(0.0, 0.2, t)), over);
            (p, MANTLE.at(Vec2::new(q, t)))
        });
        for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
            let t = (index % (rows + 1)) as f32 / rows as f32;
            vertex.skin = JointWeights::rigid(joint).mix(JointWeights::rigid(frill), smoothstep(0.1, 0.9, t));
        }
    }
    let moved = settle_with(&mut mesh, &mut rig);
    debug_assert!(moved > 0.0);

    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    canvas.fill(SHELL, |local, _| {
        let (q, r) = (local.x, 1.0 - local.y);
        let fold = cos(FOLDS * TAU * (q - 0.5));
        let p = Vec3::new(q * 9.0, r * 5.0, 0.3);
        let mut c = rgb(0xb9b19c).lerp(rgb(0xd8d2bf), smoothstep(-0.2, 0.9, fold));
        // Growth lines, crust in the furrows, a clean white lip.
        c *= 1.0 - 0.16 * smoothstep(0.4, 1.0, sin(r * 95.0 + 2.0 * noise.at(p)));
        c = c
            .lerp(rgb(0x7d7a5c), 0.75 * smoothstep(0.0, 0.4, noise.fbm(p, 4) - 0.25 * fold) * smoothstep(0.97, 0.8, r));
        c = c.lerp(rgb(0x97707c), 0.7 * smoothstep(0.15, 0.32, noise.fbm(p * 1.4 + 7.0, 4)) * smoothstep(0.95, 0.8, r));
        c = c.lerp(rgb(0xece8da), smoothstep(0.965, 0.985, r));
        (c * (1.0 + 0.10 * noise.at(p * 9.0))).extend(1.0)
    });
    canvas.fill(MANTLE, |local, _| {
        let (q, t) = (local.x, local.y);
        let p = Vec3::new(q * 26.0, t * 5.0, 1.7);
        // Marbled brown and olive with a rim of dark blue, and rings of light-gathering dots.
        let mut c = ramp(
            &[
                (0.0, rgb(0x232f5c)),
                (0.10, rgb(0x2d5a84)),
                (0.24, rgb(0x2c5560)),
                (0.6, rgb(0x3a4a36)),
                (1.0, rgb(0x23242c)),
            ],
            t + 0.16 * noise.at(p * 0.5),
        );
        let marbled = noise.fbm(Vec3::new(q * 19.0, t * 6.0, 4.1), 4);
        c = c
            .lerp(rgb(0x6b5735), 0.75 * smoothstep(0.02, 0.16, marbled))
            .lerp(rgb(0x1b2024), 0.7 * smoothstep(-0.12, -0.26, marbled));
        let band = sin(t * 26.0 + 3.0 * noise.fbm(p * 0.4, 2));
        c = c.lerp(rgb(0x5f9c9e), 0.30 * smoothstep(0.6, 1.0, band));
        c = c.lerp(rgb(0x0d0f14), smoothstep(0.955, 0.985, t));
        let (near, _) = noise.cells(Vec3::new(q * 70.0, t * 13.0, 0.5));
        c = c.lerp(rgb(0x7fb9bd), 0.70 * smoothstep(0.30, 0.20, near) * smoothstep(0.85, 0.5, t));
        // Few enough shades to compress.
        ((c * (0.95 + 0.1 * noise.at(p * 3.0)) * 48.0).round() / 48.0).extend(1.0)
    });
    canvas.fill(LINING, |_, _| rgb(0xe6e2d6).extend(1.0));
    let comment = "Giant clam, Tridacna gigas, about 0.9 m wide; proportions after Rosewater 1965";
    assemble("giant_clam", comment, &mesh, &rig, vec![("giant_clam.png".into(), canvas.to_picture())])
}

/// [`Mesh::settle`], with the joints taken along; returns the scale.
fn settle_with(mesh: &mut Mesh, rig: &mut Rig) -> f32 {
    // Two marker vertices that no triangle uses record the transform.
    let marks = mesh.added(|mesh| {
        mesh.vertex(Vec3::ZERO, Vec2::ZERO);
        mesh.vertex(Vec3::Y, Vec2::ZERO);
    });
    mesh.settle();
    let (origin, up) = (mesh.vertices[marks.start].position, mesh.vertices[marks.start + 1].position);
    let scale = up.y - origin.y;
    for joint in &mut rig.joints {
        joint.position = origin + joint.position * scale;
        joint.keys.iter_mut().for_each(|(_, pose)| pose.translation *= scale);
    }
    scale
}

fn sea_urchin(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x0C41);
    let mut mesh = Mesh::new();
    let test = mesh.material(Material::new("test", "sea_urchin.png").glossy(0.10, 12.0));
    let spines = mesh.material(Material::new("spines", "sea_urchin.png").glossy(0.35, 40.0));
    let (ball, thorn) = (Rect::new(0.0, 0.0, 1.0, 0.7), Rect::new(0.0, 0.75, 1.0, 1.0));
    let part = mesh.part("test", test);
    let range = mesh.added(|mesh| {
        mesh.icosphere(part, 0.13, 1, ball);
    });
    mesh.bend(range, |p| Vec3::new(p.x, 0.12 + 0.72 * p.y, p.z));
    let part = mesh.part("spines", spines);
    let count = 150;
    for n in 0..count {
        let [a, b, c] = [0, 1, 2].map(|k| noise.hash(3 * n + k));
        // Evenly spread over the ball except its underside.
        let up = 1.0 - 1.42 * (n as f32 + 0.5) / count as f32;
        let around = n as f32 * GOLDEN_ANGLE;
        let flat = (1.0 - up * up).max(0.0).sqrt();
        let way = Vec3::new(cos(around) * flat, up, sin(around) * flat);
        let lean = Vec3::new(a - 0.5, 0.6 * (b - 0.3), c - 0.5) * 0.35;
        let out = (way + lean).normalize_or(Vec3::Y);
        let length = mix(0.20, 0.44, c) * smoothstep(-0.6, 0.2, up).max(0.45);
        let foot = Vec3::Y * 0.12 + way * Vec3::new(0.12, 0.086, 0.12);
        let tip = foot + out * length;
        let tip = tip.with_y(tip.y.max(0.006));
        mesh.tube(part, &[foot, foot.lerp(tip, 0.5), tip], 3, thorn, |t| 0.0062 * (1.0 - t));
    }
    mesh.settle();
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    canvas.fill(ball, |local, _| {
        let p = Vec3::new(local.x * 16.0, local.y * 12.0, 0.4);
        let (near, _) = noise.cells(p);
        let c = rgb(0x1c171c).lerp(rgb(0x3a2a3a), smoothstep(0.5, 0.1, near));
        c.lerp(rgb(0x3f78c8), 0.8 * smoothstep(0.9, 0.97, cos(local.x * 5.0 * TAU)) * smoothstep(0.35, 0.2, local.y))
            .extend(1.0)
    });
    let shade = Curve::new(&[(0.0, 0.0), (0.4, 0.3), (1.0, 1.0)]);
    canvas.fill(thorn, |local, _| {
        let band = 0.5 + 0.5 * sin(local.x * 46.0);
        rgb(0x17131a).lerp(rgb(0x4a3d50), 0.55 * shade.at(local.x) * (0.5 + 0.5 * band)).extend(1.0)
    });
    let comment = "Long-spined sea urchin, Diadema setosum, about 0.35 m across its spines";
    assemble("sea_urchin", comment, &mesh, &Rig::still(), vec![("sea_urchin.png".into(), canvas.to_picture())])
}
