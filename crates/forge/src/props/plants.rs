//! Plants: kelp and sea grass. They are rooted at y = 0; the shader sways them by height.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};
use math::{GOLDEN_ANGLE, mix, smoothstep};

use crate::maths::{cos, direction, powf, powi, rotation_about, rotation_y, sin};
use crate::paint::{over, ramp, rgb};
use crate::shapes::Rect;
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The plants of this file.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "kelp",
        kind: Category::Flora,
        description: "a plant of six tall strands with blades and floats",
        make: kelp,
    },
    Entry { name: "sea_grass", kind: Category::Flora, description: "a tuft of ribbon leaves", make: sea_grass },
];

/// Height at which the strands of a plant end, the longest first.
const STRANDS: [f32; 6] = [1.0, 0.94, 0.86, 0.76, 0.62, 0.46];

/// Blades along a strand as tall as the plant.
const BLADES: f32 = 57.0;

/// Point on a strand of a plant, which leaves the holdfast and winds round the others in loose bends up to the light;
/// the longest lie down along the surface with the current, which runs to +x.
fn strand(nth: usize, t: f32) -> Vec3 {
    let height = STRANDS[nth];
    let up = t * height;
    let turn = 1.05 * nth as f32 + 8.0 * up;
    // The stipes climb each other in a bundle that opens toward the light.
    let apart = 0.0045 + 0.040 * up * up.sqrt() * (0.7 + 0.2 * nth as f32);
    // Each strand has its own bends, slack where the floats of the top pull less.
    let slack = 0.034 * up * (1.2 - up) * (1.0 + 0.35 * nth as f32);
    let bend = |count: f32, shift: f32| {
        let phase = shift + 2.3 * nth as f32;
        // And short bends, from the pull of each blade.
        slack * sin(count * up + phase) + 0.0042 * smoothstep(0.05, 0.4, up) * sin(3.6 * count * up + 1.7 * phase)
    };
    let lying = smoothstep(0.74, 1.0, up);
    Vec3::new(
        apart * cos(turn) + bend(9.0, 0.0) + 0.09 * t * t + 0.30 * lying * lying,
        up - 0.12 * lying * lying,
        apart * sin(turn) + bend(7.4, 1.3) + 0.05 * lying,
    )
}

fn kelp(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x4E19);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("frond", "kelp.png").membrane(0.9).glossy(0.10, 18.0));
    let wood = mesh.material(Material::new("stipe", "kelp.png").glossy(0.06, 18.0));
    let stem = mesh.part("stipes", wood);
    let blades = mesh.part("blades", material);
    let leaf = Rect::new(0.0, 0.0, 1.0, 0.84);
    let (bark, bladder) = (Rect::new(0.0, 0.87, 0.62, 1.0), Rect::new(0.66, 0.87, 1.0, 1.0));
    // The holdfast: a mound of grown-together roots, the newest of which reach over it to the rock, each bent its own
    // way.
    let mound = [(0.020, 0.0), (0.019, 0.012), (0.012, 0.023), (0.0, 0.028)].map(Vec2::from);
    let range = mesh.revolve(stem, &mound, 6, bark);
    mesh.bend(range, |p| p * (1.0 + 0.35 * noise.at(p * 60.0)) * Vec3::new(1.0, 0.9, 1.0));
    for n in 0..13 {
        let [a, b, c] = [900, 950, 970].map(|first| noise.hash(first + n));
        let root = |turn: f32, far: f32, up: f32| {
            let around = n as f32 * GOLDEN_ANGLE + 0.7 * a + turn;
            Vec3::new(cos(around) * far, up, sin(around) * far)
        };
        let far = mix(0.026, 0.046, b);
        let claw = [
            root(0.9 * (c - 0.5), far, -0.001),
            root(0.5 * (c - 0.5), mix(0.6, 0.8, a) * far, mix(0.003, 0.012, c)),
            root(0.0, 0.012, mix(0.016, 0.027, a)),
        ];
        mesh.tube(stem, &claw, 3, bark, |t| mix(0.0012, 0.0032, t));
    }
    let width = Curve::new(&[(0.0, 0.12), (0.10, 0.55), (0.28, 1.0), (0.6, 0.86), (0.85, 0.45), (1.0, 0.04)]);
    let current = Vec3::new(1.0, 0.0, 0.12);
    for (nth, height) in STRANDS.into_iter().enumerate() {
        // Many short pieces: seen from below against the light, a corner shows.
        let pieces = (24.0 * height).round();
        let path: Vec<Vec3> = (0..=pieces as usize).map(|n| strand(nth, n as f32 / pieces)).collect();
        mesh.tube(stem, &path, 3, bark, |t| mix(0.0016, 0.0010, t) * (1.0 - powi(t, 16)));
        let count = (BLADES * height) as i32;
        for n in 0..count {
            let key = 197 * nth as i32 + n;
            let [a, b, c] = [0, 1, 2].map(|k| noise.hash(3 * key + k));
            // No blades on the lowest part, and denser ones toward the light.
            let t = 0.07 + 0.93 * powf((n as f32 + 0.4 + 0.5 * a) / count as f32, 0.74);
            let around = n as f32 * 2.6 + 1.1 * b + nth as f32;
            let out = (Vec3::new(cos(around), 0.0, sin(around)) + 0.35 * current).normalize();
            let young = smoothstep(1.0, 0.86, t);
            let length = (0.055 + 0.070 * c * c) * mix(0.40, 1.0, young) * mix(0.8, 1.0, smoothstep(0.0, 0.35, t));
            let from = strand(nth, t);
            // A float at the foot of each blade holds it up: pear-shaped, on a short stalk.
            let toward = (out + Vec3::Y * 0.8).normalize();
            let size = mix(0.75, 1.15, c) * mix(0.6, 1.0, young);
            // Heights and radii, in lengths of the float.
            let pear = [[0.0, 0.0], [0.34, 0.14], [0.70, 0.245], [1.0, 0.0]];
            let long = 0.0150 * size;
            let float = pear.map(|[along, _]| from + toward * (along * long));
            mesh.tube(blades, &float, 4, bladder, |s| {
                let at = pear.iter().min_by(|a, b| (a[0] - s).abs().total_cmp(&(b[0] - s).abs()));
                at.map_or(0.0, |[_, radius]| radius * long)
            });
            let root = float[3] - toward * (0.08 * long);
            // It starts outward, then streams with the current and hangs by its own weight.
            let hanging = b * b;
            let stream = (current * (0.20 + 0.75 * a) + out * 0.45 - Vec3::Y * (0.05 + 1.5 * hanging)
                + Vec3::Z * 0.9 * (c - 0.5))
                .normalize();
            let roll = rotation_about(stream, TAU * (a * 7.0).fract());
            let across_line = roll * stream.any_orthonormal_vector();
            let wave = 0.10 * length;
            let (rows, columns) = (6, 2);
            // Its tip curls over, one way or the other.
            let curl = 0.16 * length * (2.0 * noise.hash(7000 + key) - 1.0);
            mesh.grid(blades, columns, rows, |i, j| {
                // Closer together where it bends.
                let s = powf(j as f32 / rows as f32, 1.12);
                let across = i as f32 - 1.0;
                let spine = root + toward * length * 0.36 * s * (2.0 - s) + stream * length * (0.02 * s + 0.72 * s * s)
                    - Vec3::Y * length * (0.06 + 0.30 * a) * s * s * s
                    + across_line.cross(stream) * (wave * sin((3.0 + 3.5 * c) * s + 6.0 * b) * s + curl * s * s * s);
                let twist = rotation_about(stream, 3.4 * s * (c - 0.5)) * across_line;
                let w = (0.0064 + 0.0042 * b) * mix(0.55, 1.0, young) * width.at(s);
                // Both edges are frilled, not in step.
                let frill = (0.46 * w + 0.0003) * sin(TAU * 1.3 * s + 2.6 * across + 6.0 * a) * across.abs();
                (spine + twist * across * w + twist.cross(stream) * frill, leaf.at(Vec2::new(s, 0.5 + 0.5 * across)))
            });
        }
    }
    mesh.settle();

    let mut canvas = Canvas::new(512, 256, Vec4::ZERO);
    canvas.fill(leaf, |p, _| {
        // A blade is some fifteen half widths long: scale so that painted features are not stretched.
        let across = 2.0 * p.y - 1.0;
        // The edge wanders and has teeth; here and there something has taken a bite.
        let side = across.signum() * 3.0;
        let edge = 0.86 + 0.06 * noise.fbm(Vec3::new(p.x * 9.0, side, 4.0), 2) + 0.08 * sin(p.x * 96.0 + side)
            - 0.22 * smoothstep(0.42, 0.62, noise.at(Vec3::new(p.x * 7.0, side, 14.0)));
        let mut c =
            ramp(&[(0.0, rgb(0x5f3f16)), (0.3, rgb(0x7d5520)), (0.75, rgb(0x8d642a)), (1.0, rgb(0x6c4c22))], p.x)
                .extend(1.0);
        // Wrinkles: ridges that run out from the middle toward the tip, and break up.
        let wander = 0.35 * noise.fbm(Vec3::new(p.x * 15.0, across * 1.1, 1.0), 3);
        let ridge = sin(40.0 * (p.x - 0.16 * across.abs()) + 5.0 * wander + 1.5 * across);
        let pucker = ridge * smoothstep(1.0, 0.55, across.abs()) * smoothstep(0.03, 0.18, p.x);
        c = over(c, rgb(0x4d3210), 0.55 * smoothstep(0.1, -0.9, pucker));
        c = over(c, rgb(0xa87d3c), 0.40 * smoothstep(0.1, 1.0, pucker));
        // A thicker middle, and a rim that light goes through.
        c = over(c, rgb(0x54370f), 0.40 * smoothstep(0.16, 0.02, across.abs()) * smoothstep(0.75, 0.1, p.x));
        c = over(c, rgb(0xa9803a), 0.35 * smoothstep(0.70, 0.98, across.abs()));
        // Worn, darker patches toward the tip, and white crusts of moss animals.
        let worn = noise.fbm(Vec3::new(p.x * 13.0, across, 8.0), 3);
        c = over(c, rgb(0x4f3a1a), 0.3 * smoothstep(0.15, 0.5, worn + 0.35 * (p.x - 0.6)));
        let crust = noise.fbm(Vec3::new(p.x * 30.0, across * 2.2, 21.0), 3);
        c = over(c, rgb(0xaaa08a), 0.45 * smoothstep(0.38, 0.50, crust));
        let light = 0.92 + 0.16 * noise.fbm(Vec3::new(p.x * 52.0, across * 3.8, 3.0), 3);
        // It ends over two texels, so that its outline lies between them.
        (c.truncate() * light).extend(smoothstep(edge + 0.012, edge - 0.012, across.abs()))
    });
    canvas.bleed(10);
    canvas.fill(bark, |p, _| {
        let c = rgb(0x4c3414).lerp(rgb(0x7d5a28), 0.5 + 0.5 * noise.fbm(Vec3::new(p.x * 20.0, p.y * 3.0, 0.0), 3));
        c.extend(1.0)
    });
    canvas.fill(bladder, |p, _| {
        // Dark where it joins stalk and blade, clear between: it holds gas.
        let ends = smoothstep(0.30, 0.0, p.x).max(smoothstep(0.80, 1.0, p.x));
        let c = rgb(0xa87a34).lerp(rgb(0x5f3f16), 0.85 * ends);
        (c * (1.0 + 0.08 * noise.fbm(Vec3::new(p.x * 9.0, p.y * 4.0, 33.0), 2))).extend(1.0)
    });
    let comment = "a plant of giant kelp, Macrocystis pyrifera, of six strands, about 9 m high";
    assemble("kelp", comment, &mesh, &Rig::still(), vec![("kelp.png".into(), canvas.to_picture())])
}

fn sea_grass(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x5EA6);
    let mut mesh = Mesh::new();
    let material = Material { two_sided: true, translucency: 0.45, ..Material::new("leaves", "sea_grass.png") };
    let material = mesh.material(material.glossy(0.05, 12.0));
    let part = mesh.part("leaves", material);
    let (leaves, joints) = (21, 4);
    for n in 0..leaves {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let around = n as f32 * GOLDEN_ANGLE + 0.6 * a;
        let out = Vec3::new(cos(around), 0.0, sin(around));
        // Shoots of a few leaves each stand in the sand; a shoot's leaves come out of one sheath.
        let shoot = n % 6;
        let [e, f] = [700, 720].map(|first| noise.hash(first + shoot));
        let stand = direction(shoot as f32 * GOLDEN_ANGLE + e) * (0.055 + 0.085 * f);
        let from = Vec3::new(stand.x, 0.0, stand.y) + out * 0.012;
        // Old leaves are long and lie over with the current, young ones are short and upright.
        let old = d;
        let height = mix(0.40, 1.0, old * (0.6 + 0.4 * c));
        let spread = (0.04 + 0.24 * b) * height;
        let bent = old * (0.28 + 0.66 * a) * height;
        let side = rotation_y(2.6 * (c - 0.5)) * Vec3::Y.cross(out);
        let half = mix(0.0055, 0.0100, a);
        let column = (n % 4) as f32 / 4.0;
        let way = |t: f32| {
            let over = t * t * (0.4 + 0.6 * t);
            from + out * spread * t * t + Vec3::X * bent * over + Vec3::Y * (height * t - 0.75 * bent * over)
        };
        let range = mesh.added(|mesh| {
            let rows: Vec<[u32; 2]> = (0..joints)
                .map(|k| {
                    let t = [0.0, 0.30, 0.68, 0.965][k];
                    let twist = rotation_y(2.2 * (a - 0.5) * t) * side;
                    let w = half * [0.42, 1.0, 1.0, 0.75][k];
                    [-1.0_f32, 1.0].map(|s| {
                        mesh.vertex(way(t) + twist * w * s, Vec2::new(column + 0.125 + 0.11 * s, 1.0 - 0.96 * t))
                    })
                })
                .collect();
            let tip = mesh.vertex(way(1.0), Vec2::new(column + 0.125, 0.02));
            for pair in rows.windows(2) {
                mesh.quad(part, [pair[0][0], pair[0][1], pair[1][1], pair[1][0]]);
            }
            let last = rows[rows.len() - 1];
            mesh.triangle(part, [last[0], last[1], tip]);
        });
        // Lit as a tuft rather than as single sheets, which would flicker as they turn.
        for vertex in &mut mesh.vertices[range] {
            vertex.normal = Some((vertex.position.with_y(0.0) * 1.6 + Vec3::Y * 0.75).normalize());
        }
    }
    mesh.settle();
    let mut canvas = Canvas::new(256, 512, Vec4::ONE);
    canvas.fill(Rect::FULL, |p, _| {
        let leaf = (p.x * 4.0).floor();
        let (across, up) = (2.0 * (p.x * 4.0).fract() - 1.0, 1.0 - p.y);
        let worn = up + 0.12 * noise.fbm(Vec3::new(across * 1.2, up * 7.0, leaf), 3);
        let stops = [
            (0.0, rgb(0x4a4028)),
            (0.05, rgb(0x857c56)),
            (0.14, rgb(0x55602f)),
            (0.5, rgb(0x5f6c38)),
            (0.78, rgb(0x77743c)),
            (0.92, rgb(0x7c6238)),
            (1.0, rgb(0x6a5238)),
        ];
        let mut c = ramp(&stops, worn).extend(1.0);
        let ribs = sin(across * 14.0).abs();
        c = over(c, rgb(0x3e4a2a), 0.28 * (1.0 - ribs));
        // Older leaves are furred with pale growth.
        let crust =
            smoothstep(0.1, 0.3, noise.fbm(Vec3::new(across * 3.0, up * 30.0, leaf * 7.0), 3) + 0.8 * (up - 0.62));
        c = over(c, rgb(0xa39a84), 0.75 * crust);
        // Snails have grazed, and something nibbled the edges brown.
        let bitten = noise.fbm(Vec3::new(across.signum() * 2.0, up * 17.0, leaf * 3.0 + 31.0), 2);
        c = over(
            c,
            rgb(0x5a4a2e),
            0.7 * smoothstep(0.55, 0.95, across.abs() + 0.5 * bitten) * smoothstep(0.2, 0.6, up),
        );
        (c.truncate() * mix(0.42, 1.0, smoothstep(0.0, 0.30, up))).extend(1.0)
    });
    let comment = "a tuft of turtle grass, Thalassia testudinum, about 0.4 m high";
    assemble("sea_grass", comment, &mesh, &Rig::still(), vec![("sea_grass.png".into(), canvas.to_picture())])
}
