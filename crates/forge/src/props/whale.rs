//! The skeleton of a whale on the sea floor, years after it sank: upright, half sunk in the mud.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Mat3, Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{cos, powf, powi, rotation_x, rotation_y, rotation_z, sin};
use crate::paint::{over, rgb};
use crate::shapes::Rect;
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// Depth to which bones reach below the mud, so that they end in it where the ground falls off. Unit: m.
const BURIED_M: f32 = 0.5;

/// The thing of this file.
pub const ENTRIES: &[Entry] = &[Entry {
    name: "whale_bones",
    kind: Category::Prop,
    description: "the skeleton of a whale, half sunk in the mud",
    make: whale_bones,
}];

/// Rows of the picture; each bone shows one of them.
const ROWS: i32 = 4;

/// Length of bone that a row of the picture shows. Unit: m.
const ROW_M: f32 = 2.2;

/// Share of a row, at its left, that mud has stained.
const STAINED: f32 = 0.16;

/// Ribs on each side.
const RIBS: i32 = 12;

/// Distance of the foremost rib behind the snout, and from one rib to the next. Unit: m.
const CHEST_M: (f32, f32) = (2.85, 0.26);

fn whale_bones(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x3A1E);
    let mut mesh = Mesh::new();
    let material =
        mesh.material(Material { stone: true, ..Material::new("bone", "whale_bones.png").glossy(0.04, 10.0) });
    let part = mesh.part_with_crease("bones", material, 1.2);
    let mut maker = Maker { mesh, part, noise, made: 0 };
    skull(&mut maker);
    chest(&mut maker);
    spine(&mut maker);
    strewn(&mut maker);
    let Maker { mut mesh, .. } = maker;
    // Lumpy and gnawed, and flat where the mud hides them on any ground.
    mesh.displace(0..mesh.vertices.len(), |p, _| 0.009 * noise.fbm(p * 5.0, 2) + 0.006 * noise.at(p * 15.0));
    mesh.bend(0..mesh.vertices.len(), |p| p.with_y(p.y.max(-BURIED_M)));
    let in_sight = |c: &u32| mesh.vertices[*c as usize].position.y > -BURIED_M;
    mesh.triangles.retain(|triangle| triangle.corners.iter().any(in_sight));
    mesh.settle();
    let comment = "the skeleton of a baleen whale, about 9 m long";
    assemble(
        "whale_bones",
        comment,
        &mesh,
        &Rig::still(),
        vec![
            ("whale_bones.png".into(), picture(&noise).to_picture()),
            ("whale_skull.png".into(), skull_picture(&noise).to_picture()),
        ],
    )
}

/// A mesh that bones are added to. Unit: m; x runs from the snout to the tail, y up from the mud.
struct Maker {
    mesh: Mesh,
    part: usize,
    noise: Noise,
    /// Number of bones so far, by which each gets a row of the picture.
    made: i32,
}

/// Form of a bone about its axis.
struct Form<'a> {
    /// Direction of the section's breadth; its component along the axis is ignored.
    broad: Vec3,
    /// Half breadth and half thickness at t in 0..1 along the axis. Unit: m.
    half: &'a dyn Fn(f32) -> Vec2,
    /// Sections along the axis: t, and share of the half sizes.
    sections: &'a [[f32; 2]],
    /// Corners of each section.
    sides: usize,
    /// Whether it stands in the mud where it begins.
    rooted: bool,
    /// Share of its half sizes that has crumbled from its far end, more here than there.
    worn: f32,
}

/// Sections of a long bone in `steps` between its ends, each of which is rounded over the share `round` of the length
/// in `ends` sections.
fn rounded((round, ends): (f32, usize), steps: usize) -> Vec<[f32; 2]> {
    // Closer where it turns faster.
    let end = (0..ends).map(|i| {
        let t = powf(i as f32 / ends as f32, 1.6);
        [t, powf(1.0 - (1.0 - t) * (1.0 - t), 0.5)]
    });
    let first = end.clone().map(|[t, share]| [t * round, share]);
    let middle = (0..=steps).map(|i| [mix(round, 1.0 - round, i as f32 / steps as f32), 1.0]);
    let last = end.rev().map(|[t, share]| [1.0 - t * round, share]);
    first.chain(middle).chain(last).collect()
}

/// Sections of a straight bone, such as grows out of another.
const SPUR: [[f32; 2]; 6] = [[0.0, 0.0], [0.0, 1.0], [0.5, 0.96], [0.85, 0.90], [0.97, 0.55], [1.0, 0.0]];

/// Sections of a vertebra's body.
const BODY: [[f32; 2]; 9] = [
    [0.0, 0.0],
    [0.02, 0.80],
    [0.05, 0.96],
    [0.14, 1.0],
    [0.5, 1.0],
    [0.86, 1.0],
    [0.95, 0.96],
    [0.98, 0.80],
    [1.0, 0.0],
];

impl Maker {
    /// Adds a bone along `axis`, a point for each t in 0..1.
    fn bone(&mut self, axis: &dyn Fn(f32) -> Vec3, form: &Form<'_>) {
        let sides = form.sides;
        let ring = |&[t, share]: &[f32; 2]| -> Vec<Vec3> {
            let (before, after) = ((t - 0.01).max(0.0), (t + 0.01).min(1.0));
            let along = (axis(after) - axis(before)).normalize_or(Vec3::X);
            let broad = form.broad.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
            let thick = broad.cross(along);
            let half = (form.half)(t) * share;
            let turn = |j: usize| TAU * (j % sides) as f32 / sides as f32;
            let worn = form.worn * smoothstep(0.80, 0.97, t);
            let point = |j: usize| {
                let out = broad * (half.x * cos(turn(j))) + thick * (half.y * sin(turn(j)));
                let crumbled = worn * (0.5 + 1.6 * self.noise.at((axis(t) + out) * 19.0 + 60.0));
                axis(t) + out * (1.0 - crumbled.clamp(0.0, 0.8))
            };
            (0..=sides).map(point).collect()
        };
        let rings: Vec<Vec<Vec3>> = form.sections.iter().map(ring).collect();
        let length: f32 = (0..16).map(|i| axis((i + 1) as f32 / 16.0).distance(axis(i as f32 / 16.0))).sum();
        let wide = (length / ROW_M).min(1.0);
        let row = self.made % ROWS;
        // Bones that stick in the mud begin at the picture's left edge, the others beyond the stain if there is room.
        let free = (1.0 - wide - STAINED).max(0.0);
        let left = if form.rooted { 0.0 } else { 1.0 - wide - free * self.noise.hash(9000 + self.made) };
        let rect = Rect::new(left, row as f32 / ROWS as f32, left + wide, (row + 1) as f32 / ROWS as f32);
        self.mesh.loft(self.part, &rings, rect);
        self.made += 1;
    }

    /// Adds a straight bone from one place to another, which grows from one half section to the other.
    fn spur(&mut self, [from, to]: [Vec3; 2], broad: Vec3, [root, tip]: [Vec2; 2]) {
        let half = |t: f32| root.lerp(tip, t);
        let form = Form { broad, half: &half, sections: &SPUR, sides: 7, rooted: false, worn: 0.0 };
        self.bone(&|t| from.lerp(to, t), &form);
    }
}

/// Half width of the skull at x from the snout: the beak, the brows that jut out, the gap of the eyes, and the cheeks.
const SKULL_HALF_WIDTH: &[(f32, f32)] = &[
    (0.0, 0.035),
    (0.25, 0.10),
    (0.8, 0.19),
    (1.3, 0.29),
    (1.48, 0.35),
    (1.58, 0.62),
    (1.70, 0.74),
    (1.80, 0.72),
    (1.90, 0.62),
    (2.02, 0.70),
    (2.16, 0.70),
    (2.32, 0.50),
    (2.42, 0.36),
    (2.45, 0.22),
];

/// Height of the skull's middle at x from the snout: the beak's arch, the crown, and the shield down to the neck.
const SKULL_HEIGHT: &[(f32, f32)] = &[
    (0.0, 0.06),
    (0.5, 0.17),
    (1.0, 0.27),
    (1.4, 0.36),
    (1.65, 0.47),
    (1.85, 0.52),
    (2.05, 0.46),
    (2.25, 0.36),
    (2.40, 0.24),
    (2.45, -0.25),
];

/// Length of the skull, and cells of its surface along it and across. Unit of the first: m.
const SKULL_M: f32 = 2.45;
const SKULL_CELLS: (usize, usize) = (58, 38);

/// A bell of height 1 about `middle`, a quarter as high at `radius` from there.
fn bell(at: f32, middle: f32, radius: f32) -> f32 {
    let off = (at - middle) / radius;
    powf(2.0, -2.0 * off * off)
}

/// Depth of the skull's hollows at x from the snout, and `aside` from 0 in the middle to 1 at its edge: temples, eyes
/// under the brows, and the blowholes before the crown. Unit: m.
fn hollow(x: f32, aside: f32) -> f32 {
    0.26 * bell(x, 2.03, 0.10) * bell(aside, 0.50, 0.16)
        + 0.40 * bell(x, 1.92, 0.085) * bell(aside, 0.92, 0.24)
        + 0.17 * bell(x, 1.42, 0.10) * bell(aside, 0.15, 0.10)
}

/// The skull, upright and sunk to its palate in the mud, and the jaws beside it.
fn skull(maker: &mut Maker) {
    let (half_width, height) = (Curve::new(SKULL_HALF_WIDTH), Curve::new(SKULL_HEIGHT));
    let lie = rotation_x(0.10) * rotation_z(-0.03);
    let put = |p: Vec3| lie * p - Vec3::Y * 0.08;
    let noise = maker.noise;
    let surface = |x: f32, u: f32| -> Vec3 {
        let (aside, beak) = (u.abs(), smoothstep(1.62, 1.42, x));
        let (wide, tall) = (half_width.at(x), height.at(x));
        // Two plates with a groove between them, flat and thick at their edges.
        let plates =
            1.0 - 0.30 * bell(aside, 0.0, 0.13) * smoothstep(0.0, 0.3, x) - 0.50 * smoothstep(0.25, 0.95, aside);
        // A crown in the middle, and brows and cheeks half as high on either side.
        let crown = mix(0.50, 1.0, smoothstep(0.50, 0.10, aside)) - 0.08 * smoothstep(0.7, 1.0, aside);
        let mut y = tall * mix(crown, plates, beak);
        y -= hollow(x, aside);
        y += 0.05 * bell(x, 1.70, 0.05) * smoothstep(0.3, 0.6, aside);
        // The crest at the top of the shield.
        y += 0.07 * bell(x, 2.10 - 0.10 * aside, 0.035) * smoothstep(0.75, 0.45, aside);
        let rim = powf(1.0 - powf(aside, 9.0), 0.5);
        let rough = 0.030 * noise.fbm(Vec3::new(x * 9.0, y * 9.0, u * wide * 9.0), 4);
        let down = 0.02 + 0.30 * smoothstep(0.90, 1.0, aside);
        Vec3::new(x + 0.03 * noise.at(Vec3::new(4.0 * u, 3.0, x)), (y + rough) * rim - down, u * wide)
    };
    let (along, across) = SKULL_CELLS;
    let material = Material { stone: true, ..Material::new("skull", "whale_skull.png").glossy(0.04, 10.0) };
    let material = maker.mesh.material(material);
    let part = maker.mesh.part_with_crease("skull", material, 1.2);
    maker.mesh.grid(part, along, across, |i, j| {
        let (x, u) = (SKULL_M * i as f32 / along as f32, 1.0 - 2.0 * j as f32 / across as f32);
        (put(surface(x, u)), Vec2::new(x / SKULL_M, 0.5 - 0.5 * u))
    });
    maker.made += 1;
    // The lower jaws are bows; one has rolled away.
    for (side, turn, aside) in
        [(-1.0_f32, 0.06_f32, Vec3::new(0.15, 0.02, -0.16)), (1.0, -0.30, Vec3::new(0.05, 0.06, 0.42))]
    {
        let way = rotation_y(turn) * rotation_x(0.5 * side);
        let bow = move |t: f32| {
            let out = 0.62 * powf(sin(PI * mix(0.06, 0.94, t)), 0.8);
            way * Vec3::new(mix(2.25, -0.15, t), 0.10 * sin(PI * t), side * (out - 0.05)) + aside + Vec3::Y * 0.10
        };
        let half = |t: f32| {
            // Its joint is a thick knob, and before it a low crest stands up.
            let knob = smoothstep(0.10, 0.0, t);
            Vec2::new(
                mix(0.125, 0.075, t) + 0.05 * knob + 0.05 * smoothstep(0.09, 0.0, (t - 0.2).abs()),
                mix(0.075, 0.045, t) + 0.045 * knob,
            )
        };
        maker.bone(
            &bow,
            &Form {
                broad: Vec3::Y,
                half: &half,
                sections: &rounded((0.035, 6), 16),
                sides: 15,
                rooted: false,
                worn: 0.0,
            },
        );
    }
}

/// Ribs in pairs from the mud to the spine, each a little out of line; some have broken off, and some are gone.
fn chest(maker: &mut Maker) {
    let size = Curve::new(&[(0.0, 0.74), (0.2, 0.94), (0.45, 1.0), (0.75, 0.90), (1.0, 0.66)]);
    for n in 0..RIBS {
        let size = size.at(n as f32 / (RIBS - 1) as f32);
        for side in [-1.0_f32, 1.0] {
            let key = 100 + 10 * (2 * n + i32::from(side > 0.0));
            let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|k| maker.noise.hash(key + k));
            // Scavengers have carried off a few.
            if c > 0.86 {
                continue;
            }
            let broken = c > 0.70;
            let head = PI * if broken { mix(0.14, 0.42, b) } else { 0.02 };
            let (tall, breadth) = (1.70 * size * mix(0.92, 1.06, a), 0.86 * size * mix(0.92, 1.08, d));
            let back = 0.26 + 0.30 * (e - 0.5);
            // The chest has sunk toward one side, and some ribs have come loose.
            let loose = 0.5 * smoothstep(0.80, 0.90, b) * if d > 0.5 { 1.0 } else { -1.0 };
            let lean = rotation_x(0.24 * (a - 0.5)) * rotation_y(0.26 * (d - 0.5) + loose);
            let (root, _) = spine_at(CHEST_M.0 + CHEST_M.1 * n as f32);
            let axis = move |t: f32| {
                let turn = mix(0.80 * PI, head, t);
                let down = 0.5 * tall * (1.0 - cos(turn));
                let out = breadth * powf(sin(turn).max(0.0), 0.85) + 0.05;
                root + rotation_x(SUNK) * (lean * Vec3::new(back * down, 0.04 - down, side * out))
            };
            // A flat bow, slender toward its head.
            let stout = mix(0.80, 1.20, maker.noise.hash(key + 5));
            let half = |t: f32| {
                let slim = mix(0.72, 1.0, smoothstep(0.0, 0.35, t)) * mix(1.0, 0.62, smoothstep(0.55, 1.0, t));
                Vec2::new(0.050 * slim * stout, 0.025 * slim * mix(1.0, stout, 0.5))
            };
            let worn = if broken { 0.7 } else { 0.0 };
            let sections = rounded((0.022, 3), 12);
            maker.bone(&axis, &Form { broad: Vec3::X, half: &half, sections: &sections, sides: 8, rooted: true, worn });
        }
    }
}

/// Roll of the chest toward the side on which it has sunk in. Unit: rad.
const SUNK: f32 = 0.16;

/// Place of the spine `x` metres behind the snout, and its roll: upright over the ribs, on its side at the tail.
fn spine_at(x: f32) -> (Vec3, f32) {
    let aft = (x - 5.6).max(0.0);
    let up = smoothstep(2.0, 4.2, x) * smoothstep(7.6, 4.6, x);
    let y = mix(0.08, 0.80, up) - 0.08 * smoothstep(7.4, 9.2, x);
    (Vec3::new(x - 0.045 * aft * aft, y, 0.10 * aft * aft), SUNK + mix(0.0, 0.9, smoothstep(6.0, 7.6, x)))
}

/// A vertebra in the place that `put` gives it: x along the spine, y toward the neural spine. `length` and `radius` of
/// its body, `reach` of its wings from the middle. Unit: m.
fn vertebra(maker: &mut Maker, put: &dyn Fn(Vec3) -> Vec3, (length, radius): (f32, f32), reach: f32) {
    let way = |v: Vec3| put(v) - put(Vec3::ZERO);
    let body = |t: f32| Vec2::new(1.1, 0.9) * (radius * (0.74 + 0.26 * powi(2.0 * t - 1.0, 4)));
    let form = Form { broad: way(Vec3::Y), half: &body, sections: &BODY, sides: 13, rooted: false, worn: 0.0 };
    maker.bone(&|t| put(Vec3::X * ((t - 0.5) * length)), &form);
    if reach < 1.3 * radius {
        return;
    }
    let wing = [Vec2::new(0.36 * length, 0.30 * radius), Vec2::new(0.24 * length, 0.11 * radius)];
    let key = 3000 + 3 * maker.made;
    // Their lengths vary, and some have broken off.
    let noise = maker.noise;
    let long = |k: i32| match noise.hash(key + k) {
        hash if hash < 0.18 => 0.42,
        hash => mix(0.78, 1.12, hash),
    };
    let [left, right, top] = [0, 1, 2].map(long);
    for (side, long) in [(-1.0, left), (1.0, right)] {
        let ends = [
            Vec3::new(0.0, 0.1 * radius, side * 0.45 * radius),
            Vec3::new(0.12 * length, 0.3 * radius, side * reach * long),
        ];
        maker.spur(ends.map(put), way(Vec3::X), wing);
    }
    let ends = [Vec3::Y * (0.5 * radius), Vec3::new(0.5 * length * long(3), 1.05 * reach * top, 0.0)];
    maker.spur(ends.map(put), way(Vec3::X), wing);
}

/// The row of vertebrae from the neck to the tail, which lies in a bend; a few are gone.
fn spine(maker: &mut Maker) {
    let length = Curve::new(&[(2.4, 0.08), (2.8, 0.16), (5.4, 0.24), (7.0, 0.25), (8.4, 0.17), (9.4, 0.09)]);
    let mut x = 2.46;
    let mut n = 0;
    while x < 9.4 {
        let long = length.at(x);
        let [a, b, c] = [0, 1, 2].map(|k| maker.noise.hash(700 + 5 * n + k));
        let (place, roll) = spine_at(x);
        let along = (spine_at(x + 0.1).0 - place).normalize_or(Vec3::X);
        let level = along.cross(Vec3::Y).normalize_or(Vec3::Z);
        let frame = Mat3::from_cols(along, level.cross(along), level);
        // Loosened, most of all toward the tail.
        let loose = smoothstep(6.0, 7.6, x);
        let turn = rotation_y((0.12 + 0.6 * loose) * (a - 0.5)) * rotation_x(roll + (0.2 + 0.7 * loose) * (b - 0.5));
        let aside = Vec3::new(0.0, -0.03 * c, 0.16 * loose * (c - 0.5));
        let put = |p: Vec3| place + frame * (turn * p) + aside;
        let wide = mix(0.115, 0.135, smoothstep(2.4, 6.0, x)) * smoothstep(10.2, 7.4, x) * mix(0.92, 1.08, c);
        let reach = mix(2.3, 3.0, smoothstep(2.8, 5.8, x)) * mix(1.0, 0.35, smoothstep(7.0, 9.0, x)) * wide;
        if !(21..=22).contains(&n) {
            vertebra(maker, &put, (0.90 * long, wide), reach);
        }
        x += long;
        n += 1;
    }
}

/// Bones that scavengers and the current have moved: ribs that lie flat, pieces of others, and single vertebrae.
fn strewn(maker: &mut Maker) {
    for (n, (x, z, turn, long)) in
        [(3.6_f32, 1.35_f32, 0.5_f32, 1.15_f32), (5.0, 1.2, -0.9, 0.9), (4.3, -1.25, 2.6, 1.2), (6.3, -0.5, 1.9, 0.7)]
            .into_iter()
            .enumerate()
    {
        let way = rotation_y(turn) * rotation_x(0.10 + 0.05 * n as f32);
        let axis = move |t: f32| {
            let bow = 0.30 * long * sin(PI * mix(0.05, 0.95, t));
            Vec3::new(x, 0.035, z) + way * Vec3::new((t - 0.5) * long, 0.05 * sin(PI * t), bow)
        };
        let half = |t: f32| Vec2::new(mix(0.040, 0.052, smoothstep(0.0, 0.4, t)), 0.029) * mix(1.0, 0.6, t * t);
        maker.bone(
            &axis,
            &Form {
                broad: way * Vec3::Z,
                half: &half,
                sections: &rounded((0.03, 3), 9),
                sides: 8,
                rooted: false,
                worn: 0.0,
            },
        );
    }
    for n in 0..16 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| maker.noise.hash(1300 + 4 * n + k));
        let far = mix(0.75, 2.1, b) * if n % 3 == 0 { 1.0 } else { -1.0 };
        let (middle, way) = (Vec3::new(mix(2.6, 7.6, a), 0.02, far), rotation_y(TAU * c) * Vec3::X);
        let reach = way * mix(0.05, 0.17, d * d) + Vec3::Y * (0.04 * (c - 0.4));
        let half = Vec2::new(0.045, 0.024) * mix(0.6, 1.0, a);
        maker.spur([middle - reach, middle + reach], way.cross(Vec3::Y), [half, half * 0.7]);
    }
    for (n, (x, z)) in [(6.0_f32, 0.95_f32), (7.5, -0.35)].into_iter().enumerate() {
        let turn = rotation_y(2.1 * n as f32 + 2.7)
            * rotation_z(if n == 0 { FRAC_PI_2 } else { 0.2 })
            * rotation_x(2.1 + n as f32);
        let put = |p: Vec3| Vec3::new(x, 0.11, z) + turn * p;
        vertebra(maker, &put, (0.20, 0.125), 0.30);
    }
}

/// Bone of colour `c` whose compact outside is gone by the share `rotten`, so that `tone` of the brown inside shows.
///
/// Large and small pores each have a frequency, a share in sound bone and what rot adds to it, and the distances from
/// their middles at which they begin and are full.
fn spongy(noise: &Noise, c: Vec4, at: Vec3, (rotten, tone): (f32, f32), pores: [[f32; 5]; 2]) -> Vec4 {
    let shown = |[often, sound, more, from, full]: [f32; 5], aside: f32| {
        (sound + more * rotten) * smoothstep(from, full, noise.cells(at * often + aside).0)
    };
    let c = over(c, rgb(0x7d6b49), tone * rotten);
    let c = over(c, rgb(0x1d170e), shown(pores[0], 0.0));
    over(c, rgb(0x352b1c), shown(pores[1], 3.0))
}

/// Bone of colour `c` with what feeds on it: white mats of bacteria, ragged at their edges, as far as `matted` says,
/// and red plumes of bone worms (Osedax) in swarms.
fn eaten(noise: &Noise, c: Vec4, at: Vec3, matted: f32) -> Vec4 {
    let threads = 0.5 + 0.9 * noise.fbm(at * Vec3::new(9.0, 14.0, 14.0), 3);
    let mat = smoothstep(0.10, 0.36, noise.fbm(at * 1.7 + 83.0, 6)) * matted;
    let c = over(c, rgb(0xece6d6), mat * mix(0.35, 0.95, threads.clamp(0.0, 1.0)));
    let swarm = smoothstep(0.10, 0.40, noise.fbm(at * 1.2 + 131.0, 4));
    let plume = smoothstep(0.36, 0.12, noise.cells(at * 15.0 + 5.0).0);
    over(c, rgb(0x8e3a2e), swarm * (0.25 + 0.60 * plume))
}

/// Bone that has lain in the sea for years: ivory and grey, porous, stained by mud and rotten in places; alpha is how
/// much of the shader's relief shows.
fn picture(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    canvas.fill(Rect::FULL, |p, _| {
        let row = (p.y * ROWS as f32).floor();
        // Round the bone, so that both edges of a row meet. Unit: a quarter of a metre along it.
        let turn = TAU * (p.y * ROWS as f32 - row);
        let at = Vec3::new(p.x * ROW_M * 4.0, 0.5 * cos(turn) + 3.0 * row, 0.5 * sin(turn));
        let stretched = at * Vec3::new(0.6, 4.0, 4.0);
        let mut c = rgb(0xb9a980).lerp(rgb(0x968765), smoothstep(-0.4, 0.5, noise.fbm(at * 1.6, 3))).extend(1.0);
        // Fibres along the bone, and splits in it.
        c = over(c, rgb(0x776946), 0.40 * smoothstep(0.05, 0.5, noise.fbm(stretched * 1.8 + 7.0, 3)));
        let split = smoothstep(0.030, 0.0, noise.at(stretched * 0.7 + 19.0).abs());
        c = over(c, rgb(0x2b2418), 0.55 * split * smoothstep(0.05, 0.3, noise.fbm(at * 1.3 + 29.0, 2)));
        // The compact outside is gone in places, and the spongy inside shows.
        let rotten = smoothstep(0.08, 0.22, noise.fbm(at * 1.1 + 41.0, 4));
        let pores = [[16.0, 0.25, 0.65, 0.30, 0.14], [34.0, 0.12, 0.45, 0.32, 0.15]];
        c = spongy(noise, c, at, (rotten, 0.60), pores);
        // Mud, sulphide's black, and what feeds on the bone.
        c = over(c, rgb(0x5d523c), 0.30 * smoothstep(0.05, 0.45, noise.fbm(at * 2.2 + 53.0, 4)));
        c = over(c, rgb(0x37322a), 0.40 * smoothstep(0.16, 0.46, noise.fbm(at * 1.5 + 67.0, 4)));
        c = eaten(noise, c, at, 0.8);
        let stained = smoothstep(STAINED, 0.25 * STAINED, p.x + 0.05 * noise.fbm(at * 2.0 + 97.0, 3));
        c = over(c, rgb(0x2c2a22), 0.80 * stained);
        let grain = 1.0 + 0.16 * noise.at(at * 26.0) + 0.10 * noise.at(at * 57.0);
        let relief = 0.10 + 0.35 * rotten;
        (c.truncate() * grain).extend((relief * 16.0).round() / 16.0)
    });
    canvas
}

/// The skull's surface as [`skull`] unrolls it: pitted ivory, with sutures between its bones and mud in its hollows.
fn skull_picture(noise: &Noise) -> Canvas {
    let half_width = Curve::new(SKULL_HALF_WIDTH);
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    canvas.fill(Rect::FULL, |p, _| {
        let (x, u) = (SKULL_M * p.x, 1.0 - 2.0 * p.y);
        let aside = u.abs();
        // Unit: a quarter of a metre.
        let at = Vec3::new(4.0 * x, 4.0 * u * half_width.at(x), 0.7);
        let mut c = rgb(0xc6b892).lerp(rgb(0x94876a), smoothstep(-0.4, 0.5, noise.fbm(at * 1.1, 3))).extend(1.0);
        let rotten = smoothstep(0.02, 0.20, noise.fbm(at * 1.2 + 41.0, 4));
        let pores = [[11.0, 0.18, 0.70, 0.30, 0.12], [26.0, 0.20, 0.45, 0.34, 0.14]];
        // Fibres along the beak, and cracks where it dried and swelled.
        let stretched = at * Vec3::new(0.7, 3.0, 1.0);
        c = over(c, rgb(0x6f6244), 0.45 * smoothstep(0.05, 0.5, noise.fbm(stretched * 2.2 + 7.0, 3)));
        let crack = smoothstep(0.026, 0.0, noise.fbm(stretched * 0.9 + 19.0, 2).abs());
        c = over(c, rgb(0x241d12), 0.75 * crack * smoothstep(-0.1, 0.2, noise.fbm(at * 1.3 + 29.0, 2)));
        c = spongy(noise, c, at, (rotten, 0.60), pores);
        // Sutures wander: along the beak, round the crown, and across behind the brows.
        let wander = 0.05 * noise.fbm(at * 3.0 + 11.0, 3);
        let zigzag = 0.010 * noise.at(at * 9.0 + 31.0) + 0.05 * noise.fbm(at * 2.0 + 23.0, 2);
        let line = |off: f32, thick: f32| smoothstep(thick, 0.3 * thick, off.abs());
        let beak = smoothstep(1.62, 1.50, x);
        let sutures = (line(aside - 0.34 - wander, 0.035) * beak)
            .max(line(u + 0.3 * wander, 0.025) * beak)
            .max(line(x - 1.56 - 0.12 * aside - zigzag, 0.014))
            .max(line(x - 2.12 + 0.16 * aside - zigzag, 0.014))
            .max(line(aside - 0.42 - wander, 0.025) * smoothstep(1.56, 1.60, x) * smoothstep(2.14, 2.10, x));
        c = over(c, rgb(0x1c160d), 0.55 * sutures);
        // Mud in hollows and at the foot, and what feeds on the bone over it.
        let mud = smoothstep(0.02, 0.14, hollow(x, aside)).max(smoothstep(0.84, 0.97, aside + 0.06 * wander));
        c = over(c, rgb(0x2f2a22), 0.85 * mud);
        c = eaten(noise, c, at, smoothstep(0.15, 0.6, aside));
        let grain = 1.0 + 0.16 * noise.at(at * 22.0) + 0.12 * noise.at(at * 48.0);
        let relief = 0.14 + 0.30 * rotten;
        (c.truncate() * grain).extend((relief * 16.0).round() / 16.0)
    });
    canvas
}
