//! A wooden wreck.

mod hold;
mod stem;
mod timber;

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Affine3, Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use self::timber::{Ends, Section, timber};
use crate::maths::{cos, powf, rotation_x, rotation_y, rotation_z, sin};
use crate::paint::{over, rgb};
use crate::props::growth::{self, GrowthSite, RockAtlas};
use crate::shapes::{Rect, frames};
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The wreck.
pub const ENTRIES: &[Entry] = &[Entry {
    name: "wreck",
    kind: Category::Prop,
    description: "a small wooden ship, ribs and broken planks",
    make: wreck,
}];

/// Layout of the texture, shared by the wood and its growths.
const ATLAS: RockAtlas = RockAtlas { side: 1024 };

/// Rows of boards in the picture of wood.
const BOARDS: usize = 8;

/// The region of the texture that shows board `n`.
fn board(n: i32) -> Rect {
    let row = n.rem_euclid(BOARDS as i32) as f32 / BOARDS as f32;
    let own = Rect::new(0.0, row + 0.004, 1.0, row + 1.0 / BOARDS as f32 - 0.004);
    Rect { min: ATLAS.stone().at(own.min), max: ATLAS.stone().at(own.max) }
}

/// The hull's form: z from -0.5 at the bow to 0.5 at the stern, y = 0 at the keel amidships.
struct Hull {
    breadth: Curve,
    sheer: Curve,
    keel: Curve,
}

impl Hull {
    fn new() -> Self {
        Self {
            breadth: Curve::new(&[
                (-0.5, 0.004),
                (-0.46, 0.045),
                (-0.40, 0.088),
                (-0.28, 0.132),
                (-0.1, 0.152),
                (0.12, 0.150),
                (0.32, 0.128),
                (0.44, 0.100),
                (0.5, 0.078),
            ]),
            sheer: Curve::new(&[(-0.5, 0.262), (-0.3, 0.214), (-0.05, 0.186), (0.2, 0.198), (0.5, 0.252)]),
            keel: Curve::new(&[(-0.5, 0.125), (-0.47, 0.060), (-0.42, 0.018), (-0.3, 0.0), (0.35, 0.0), (0.5, 0.020)]),
        }
    }

    /// A point on the planking: v 0 at the keel to 1 at the rail.
    fn at(&self, z: f32, v: f32, side: f32) -> Vec3 {
        let turn = v * FRAC_PI_2;
        let (low, high) = (self.keel.at(z), self.sheer.at(z));
        // Full amidships, sharp toward the bow.
        let full = mix(0.62, 1.1, smoothstep(-0.25, -0.5, z));
        let x = self.breadth.at(z) * powf(sin(turn).max(0.0), full);
        Vec3::new(side * x, mix(low, high, powf(1.0 - cos(turn), 0.95)), z)
    }

    fn normal(&self, z: f32, v: f32, side: f32) -> Vec3 {
        let along = self.at(z + 0.01, v, side) - self.at(z - 0.01, v, side);
        let up = self.at(z, (v + 0.02).min(1.0), side) - self.at(z, (v - 0.02).max(0.0), side);
        let out = along.cross(up) * -side;
        if out.x * side < 0.0 { -out.normalize_or(Vec3::X) } else { out.normalize_or(Vec3::X) }
    }
}

fn wreck(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x3EC4);
    let hull = Hull::new();
    let mut mesh = Mesh::new();
    // Crusts have grown over the wood as over stone.
    let wood = mesh.material(Material { stone: true, ..Material::new("wood", "wreck.png").glossy(0.03, 8.0) });
    let planks = mesh.part_with_crease("planks", wood, 0.8);
    let ribs = mesh.part_with_crease("ribs", wood, 0.9);
    let deck = mesh.part_with_crease("deck", wood, 0.8);
    let spars = mesh.part("spars", wood);

    planking(&mut mesh, planks, &hull, &noise);
    frame(&mut mesh, ribs, &hull, &noise);
    decks(&mut mesh, deck, &hull, &noise);
    rigging(&mut mesh, spars, &noise);
    hold::fill(&mut mesh, planks, &hull, &noise);
    let sites = [growths(&hull, &noise), hold::growths(&noise)].concat();
    growth::grow(&mut mesh, ("wreck.png", ATLAS), &sites, &noise);

    // The ship lies on its bilge, a little down by the stern, its lowest timbers in the sand.
    let heel = rotation_z(HEEL) * rotation_x(-0.012);
    mesh.transform(0..mesh.vertices.len(), Affine3::from_mat3(heel));
    mesh.bend(0..mesh.vertices.len(), |p| p.with_y(p.y.max(SAND)));
    litter(&mut mesh, planks, &noise);
    mesh.settle();
    let comment = "a small wooden trader of the eighteenth century, about 13 m long";
    let canvas = wood_picture(&noise, 1024);
    assemble("wreck", comment, &mesh, &Rig::still(), vec![("wreck.png".into(), canvas.to_picture())])
}

/// Growths on the standing planks, most of them high up, where the current brings food.
fn growths(hull: &Hull, noise: &Noise) -> Vec<GrowthSite> {
    let mut sites = Vec::new();
    for n in 0..120 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(8000 + 4 * n + k));
        let (z, v) = (mix(-0.46, 0.46, a), mix(0.42, 0.97, b.sqrt()));
        let side = if n % 2 == 0 { 1.0 } else { -1.0 };
        let (at, out) = (hull.at(z, v, side), hull.normal(z, v, side));
        let Some(kind) = growth::on_reef(out, d).filter(|_| stands(noise, z, v, side)) else { continue };
        let size = mix(0.018, 0.050, c * c);
        if sites.iter().all(|other: &GrowthSite| other.at.distance(at) > 0.6 * (other.size + size)) {
            sites.push(GrowthSite::new((at + 0.004 * out, out), size, kind, n));
        }
        if sites.len() == 26 {
            break;
        }
    }
    sites
}

/// Heel of the ship toward +x. Unit: rad.
const HEEL: f32 = -0.30;

/// Height of the sand round the hull.
const SAND: f32 = 0.018;

/// Whether a board still stands at a place: there are holes amidships, and the upper strakes are mostly gone.
fn stands(noise: &Noise, z: f32, v: f32, side: f32) -> bool {
    let ragged = 0.20 * noise.fbm(Vec3::new(z * 7.0, v * 3.0, 3.0 * side), 2);
    let lost_top = mix(0.98, 0.62, smoothstep(-0.38, -0.1, z) * smoothstep(0.40, 0.15, z));
    let hole = Vec2::new((z - 0.10 * side) / 0.12, (v - 0.66) / 0.24).length();
    let second = Vec2::new((z + 0.30) / 0.06, (v - 0.52 - 0.1 * side) / 0.12).length();
    v + ragged < lost_top && hole + ragged > 1.0 && second + ragged > 1.0
}

fn planking(mesh: &mut Mesh, part: usize, hull: &Hull, noise: &Noise) {
    let (strakes, stations) = (12, 24);
    for side in [1.0_f32, -1.0] {
        for k in 0..strakes {
            let v = (k as f32 + 0.5) / strakes as f32;
            let z_at = |i: f32| mix(-0.492, 0.492, i / stations as f32);
            let mut run: Vec<f32> = Vec::new();
            for i in 0..=stations {
                let z = z_at(i as f32);
                let there = i < stations && stands(noise, z, v, side);
                if there {
                    run.push(i as f32);
                }
                // Boards have butts: about eight stations each.
                let butt = run.len() >= 7 + (noise.hash(31 * k + i) * 4.0) as usize;
                if (!there || butt) && !run.is_empty() {
                    let tag = k * 97 + i + if side > 0.0 { 0 } else { 4000 };
                    // A shorter piece does not span two ribs, which would hold it.
                    if run.len() > 2 {
                        strake(mesh, part, hull, noise, (&run, v, side, tag), &z_at);
                    }
                    run = if butt && there { vec![i as f32] } else { Vec::new() };
                }
            }
        }
    }
}

fn strake(
    mesh: &mut Mesh,
    part: usize,
    hull: &Hull,
    noise: &Noise,
    (run, v, side, tag): (&[f32], f32, f32, i32),
    z_at: &dyn Fn(f32) -> f32,
) {
    let [a, b, c, d] = [0, 1, 2, 3].map(|n| noise.hash(4 * tag + n));
    let (from, to) = (run[0] - 0.45 * a, run[run.len() - 1] + 0.3 + 0.6 * b);
    let steps = (2 * run.len() / 3).max(2);
    // A few have come loose at one end.
    let sprung = if c > 0.86 { 0.045 * (c - 0.5) } else { 0.0 };
    let half = 0.5 / 12.0 * 0.93;
    let sections: Vec<Section> = (0..=steps)
        .map(|i| {
            let t = i as f32 / steps as f32;
            let z = z_at(mix(from, to, t)).clamp(-0.497, 0.5);
            let normal = hull.normal(z, v, side);
            let (low, high) = (hull.at(z, (v - half).max(0.0), side), hull.at(z, (v + half).min(1.0), side));
            // Gnawed by worms: no edge is straight.
            let gnawed = noise.hash(5000 + 61 * tag + i as i32);
            let taper = (1.0 - 0.16 * gnawed * gnawed) * if i == 0 || i == steps { 0.70 + 0.25 * d } else { 1.0 };
            // Warped after two centuries in the water: out of its plane here and there, and up or down in the middle.
            let warp = 0.0034 * noise.at(Vec3::new(9.0 * z, 40.0 * v, side));
            let sag = 0.30 * ((a - 0.5) * sin(PI * t) + noise.at(Vec3::new(6.0 * z, 7.0, tag as f32)));
            let off = 0.0012 * (d - 0.5) + sprung * t * t + warp;
            let wide = 0.5 * (high - low);
            Section { at: 0.5 * (low + high) + normal * off + wide * sag, wide: wide * taper, thick: normal * 0.0042 }
        })
        .collect();
    let ends = Ends { noise, key: tag, torn: [mix(0.008, 0.030, b), mix(0.008, 0.034, a * c)] };
    timber(mesh, part, &sections, (board(tag), 0.4 * a), ends);
}

fn frame(mesh: &mut Mesh, part: usize, hull: &Hull, noise: &Noise) {
    // Ribs, one piece from the keel up each side, broken off at different heights.
    for n in 0..17 {
        let z = mix(-0.44, 0.45, n as f32 / 16.0);
        for side in [1.0_f32, -1.0] {
            let chance = noise.hash(700 + 2 * n + i32::from(side > 0.0));
            let top = if chance > 0.75 { 0.70 + 0.2 * chance } else { 0.93 + 0.16 * chance };
            let steps = 5;
            let sections: Vec<Section> = (0..=steps)
                .map(|i| {
                    let v = top * i as f32 / steps as f32;
                    let normal = hull.normal(z, v.min(1.0), side);
                    let above = Vec3::Y * (v - 1.0).max(0.0) * 0.2;
                    // Eaten thinner toward the top, and leaning a little out of the row.
                    let gnawed = noise.hash(5700 + 13 * (2 * n + i32::from(side > 0.0)) + i) * smoothstep(0.3, 0.9, v);
                    let lean = Vec3::Z * (0.016 * (chance * 9.0 % 1.0 - 0.5) * v * v);
                    let at = hull.at(z, v.min(1.0), side) - normal * 0.012 + above + lean;
                    let wide = Vec3::Z * (0.0085 * (1.0 - 0.28 * gnawed));
                    Section { at, wide, thick: normal * mix(0.010, 0.006, v.min(1.0)) * (1.0 - 0.15 * gnawed) }
                })
                .collect();
            let ends = Ends { noise, key: 600 + 2 * n + i32::from(side > 0.0), torn: [0.0, 0.005 + 0.012 * chance] };
            timber(mesh, part, &sections, (board(n + 3), 0.3 * chance), ends);
        }
    }
    let sawn = Ends { noise, key: 0, torn: [0.0; 2] };
    // The keel, on which the stem stands, and the sternpost.
    let keel = [0.5_f32, 0.2, -0.1, -0.30, -0.41].map(|z| Section {
        at: Vec3::new(0.0, hull.keel.at(z) - 0.010, z),
        wide: Vec3::X * 0.010,
        thick: Vec3::NEG_Y * 0.015,
    });
    timber(mesh, part, &keel, (board(5), 0.0), Ends { key: 1, ..sawn });
    stem::build(mesh, part, noise);
    let post = [0.0_f32, 0.5, 1.0].map(|t| Section {
        at: Vec3::new(0.0, mix(0.0, 0.27, t), 0.505 + 0.02 * t),
        wide: Vec3::X * 0.010,
        thick: Vec3::Z * 0.014,
    });
    timber(mesh, part, &post, (board(4), 0.2), Ends { key: 2, torn: [0.0, 0.014], ..sawn });
    // The transom: short boards across the stern, one missing.
    for k in [0, 1, 3, 4, 5] {
        let v = 0.42 + 0.105 * k as f32;
        let half = hull.at(0.495, v, 1.0).x;
        let y = hull.at(0.495, v, 1.0).y;
        let across = [-1.0_f32, 0.0, 1.0].map(|s| Section {
            at: Vec3::new(s * half, y, 0.498 + 0.016 * v),
            wide: Vec3::Y * 0.0095,
            thick: Vec3::Z * 0.004,
        });
        timber(mesh, part, &across, (board(k + 5), 0.2), Ends { key: 3 + k, torn: [0.012, 0.02], ..sawn });
    }
}

fn decks(mesh: &mut Mesh, part: usize, hull: &Hull, noise: &Noise) {
    let level = |z: f32| mix(hull.keel.at(z), hull.sheer.at(z), 0.80);
    let half = |z: f32| 0.94 * hull.at(z, 0.88, 1.0).x;
    // Beams from side to side; those amidships are broken off short.
    for n in 0..13 {
        let z = mix(-0.40, 0.46, n as f32 / 12.0);
        let chance = noise.hash(1300 + n);
        let gone = (-0.16..0.16).contains(&z);
        let (from, to) = if gone { (-1.0, -0.35 - 0.4 * chance) } else { (-1.0, 1.0) };
        let sections: Vec<Section> = (0..=4)
            .map(|i| {
                let s = mix(from, to, i as f32 / 4.0);
                let camber = 0.010 * (1.0 - s * s) - if gone { 0.05 * (s + 1.0) * chance } else { 0.0 };
                let at = Vec3::new(s * half(z), level(z) - 0.010 + camber, z);
                Section { at, wide: Vec3::Z * 0.008, thick: Vec3::Y * 0.008 }
            })
            .collect();
        let ends = Ends { noise, key: 700 + n, torn: [0.0, if gone { 0.022 } else { 0.0 }] };
        timber(mesh, part, &sections, (board(n), 0.3 * chance), ends);
    }
    // Deck boards fore and aft, with gaps, ragged toward the middle.
    for (z0, z1) in [(-0.44_f32, -0.13_f32), (0.47, 0.17)] {
        for k in 0..13 {
            let s = mix(-0.92, 0.92, k as f32 / 12.0);
            let chance = noise.hash(1500 + k + if z0 > 0.0 { 40 } else { 0 });
            if chance < 0.2 {
                continue;
            }
            let end = mix(z0, z1, 0.45 + 0.65 * noise.hash(1600 + k + if z0 > 0.0 { 40 } else { 0 }));
            let sections: Vec<Section> = (0..=4)
                .filter_map(|i| {
                    let z = mix(z0, end, i as f32 / 4.0);
                    let x = s * 0.15;
                    let inside = x.abs() < half(z);
                    // Boards without support hang down by different amounts.
                    let t = i as f32 / 4.0;
                    let hang = 0.016 * chance * t * t + 0.003 * noise.at(Vec3::new(8.0 * z, 0.5, 3.0 * k as f32));
                    let x = x + 0.004 * (chance - 0.6) * t;
                    let at = Vec3::new(x, level(z) + 0.004 + 0.010 * (1.0 - s * s) - hang, z);
                    inside.then_some(Section { at, wide: Vec3::X * 0.0105, thick: Vec3::Y * 0.003 })
                })
                .collect();
            if sections.len() >= 2 {
                let ends = Ends { noise, key: 750 + k, torn: [0.0, 0.015 + 0.03 * chance] };
                timber(mesh, part, &sections, (board(k + 2), 0.4 * chance), ends);
            }
        }
    }
    // The hatch's coaming, half of it.
    for (x, z0, z1) in [(-0.045_f32, -0.10_f32, 0.03_f32), (0.045, -0.10, -0.02)] {
        let rail = [z0, z1].map(|z| Section {
            at: Vec3::new(x, level(z) + 0.006, z),
            wide: Vec3::Y * 0.011,
            thick: Vec3::X * 0.005,
        });
        timber(mesh, part, &rail, (board(6), 0.1), Ends { noise, key: 790, torn: [0.0, 0.02] });
    }
}

/// Mast stump, the fallen mast, the bowsprit.
fn rigging(mesh: &mut Mesh, part: usize, noise: &Noise) {
    for spar in [
        Spar {
            from: Vec3::new(0.0, 0.0, -0.12),
            to: Vec3::new(0.012, 0.396, -0.10),
            bow: Vec3::new(0.004, 0.0, 0.006),
            thick: (0.018, 0.015),
            row: 0,
            broken: [false, true],
        },
        Spar {
            from: Vec3::new(0.03, 0.20, -0.06),
            to: Vec3::new(0.391, 0.155, 0.292),
            bow: Vec3::new(0.0, -0.012, 0.006),
            thick: (0.015, 0.009),
            row: 3,
            broken: [true, true],
        },
        Spar {
            from: Vec3::new(0.0, 0.235, -0.43),
            to: Vec3::new(0.0, 0.394, -0.675),
            bow: Vec3::new(0.003, -0.005, 0.0),
            thick: (0.013, 0.008),
            row: 5,
            broken: [true, true],
        },
    ] {
        spar.build(mesh, part, noise);
    }
}

/// A round timber.
struct Spar {
    from: Vec3,
    to: Vec3,
    /// Sag of its middle out of the straight line.
    bow: Vec3,
    /// Radius at either end.
    thick: (f32, f32),
    /// Row of the board whose picture it shows.
    row: i32,
    /// Whether each end is broken; an end that is not is hidden.
    broken: [bool; 2],
}

impl Spar {
    const SIDES: usize = 10;

    /// Rings of a broken end: distance beyond the whole wood, and thickness, in radii.
    const STUMP: [[f32; 2]; 4] = [[0.45, 0.94], [0.9, 0.80], [1.1, 0.50], [1.0, 0.0]];

    /// Distance of the last ring beyond the others' mean. Unit: radii.
    const KNOB: f32 = 0.35;

    fn build(&self, mesh: &mut Mesh, part: usize, noise: &Noise) {
        let steps = 4;
        let way = (self.to - self.from).normalize_or(Vec3::Y);
        let radii = [self.thick.0, self.thick.1];
        // The stump of a broken end reaches to the spar's end, so the whole wood ends before it.
        let stump = |end: usize| if self.broken[end] { radii[end] * (Self::STUMP[3][0] + Self::KNOB) } else { 0.0 };
        let ends = [self.from + way * stump(0), self.to - way * stump(1)];
        let place = |t: f32| ends[0].lerp(ends[1], t) + self.bow * sin(PI * t);
        // Each ring's middle, the spar's radius there, the share of it that is left, and the end it belongs to.
        let mut rings: Vec<(Vec3, f32, f32, usize)> = (0..=steps)
            .map(|i| i as f32 / steps as f32)
            .map(|t| (place(t), mix(self.thick.0, self.thick.1, t), 1.0, 0))
            .collect();
        for end in [0, 1] {
            let (radius, at, out) = (radii[end], ends[end], if end == 0 { -way } else { way });
            for [more, left] in Self::STUMP.iter().filter(|_| self.broken[end]) {
                let ring = (at + out * (more * radius), radius, *left, end);
                if end == 0 { rings.insert(0, ring) } else { rings.push(ring) }
            }
        }
        let middles: Vec<Vec3> = rings.iter().map(|ring| ring.0).collect();
        let skin: Vec<Vec<Vec3>> = frames(&middles)
            .into_iter()
            .zip(&rings)
            .map(|((right, up), &(middle, radius, left, end))| {
                let out = if end == 0 { -way } else { way };
                let chance = |n: usize| noise.hash(2000 + 40 * self.row + 20 * end as i32 + n as i32);
                let arm = |angle: f32| right * cos(angle) - up * sin(angle);
                let tongue = TAU * chance(10);
                let point = |j: usize| {
                    let j = j % Self::SIDES;
                    let angle = TAU * j as f32 / Self::SIDES as f32;
                    if left == 1.0 {
                        return middle + arm(angle) * radius;
                    }
                    // A tongue stands on one side, where the wood tore along the grain; the rest is lumpy.
                    let side = cos(angle - tongue);
                    let high = 0.6 * smoothstep(0.0, 0.9, side) + 0.3 * side + 1.3 * (chance(j) - 0.5);
                    let thin = left * (1.0 - 0.22 * chance(j + 3));
                    let lean = arm(tongue) * (0.45 * (1.0 - left));
                    middle + (arm(angle) * thin + lean + out * mix(Self::KNOB, high, left)) * radius
                };
                (0..=Self::SIDES).map(point).collect()
            })
            .collect();
        mesh.loft(part, &skin, board(self.row));
    }
}

/// Boards and a rib strewn on the sand.
fn litter(mesh: &mut Mesh, part: usize, noise: &Noise) {
    for n in 0..13 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(3000 + 4 * n + k));
        let side = if n % 3 == 0 { -1.0 } else { 1.0 };
        let foot = Vec3::new(side * (0.17 + 0.20 * a), SAND + 0.002 + 0.004 * d, 0.9 * (b - 0.5));
        // A rib has one end deep in the sand, and is curved.
        let rib = n % 4 == 0;
        let (long, bow) = (0.05 + 0.09 * d, if rib { 0.032 } else { 0.0 });
        let tilt = if rib { (2.0 * 0.031 / long).min(0.65) } else { 0.12 * (d - 0.35) };
        let turn = rotation_y(PI * c) * rotation_x(tilt);
        let sections: Vec<Section> = (0..=4)
            .map(|i| {
                let t = i as f32 / 4.0;
                let curve = bow * sin(PI * t);
                let at = foot + turn * Vec3::new(curve, 0.3 * curve, (t - 0.5) * long);
                Section { at, wide: turn * Vec3::X * 0.0095, thick: turn * Vec3::Y * 0.0035 }
            })
            .collect();
        let ends = Ends { noise, key: 800 + n, torn: [0.014 + 0.02 * c, 0.012 + 0.02 * b] };
        timber(mesh, part, &sections, (board(n + 1), 0.4 * a), ends);
    }
}

/// Paints boards long in the sea: grey-brown, split along the grain, bored by worms, grown over.
fn wood_picture(noise: &Noise, side: usize) -> Canvas {
    let mut canvas = Canvas::new(side, side, Vec4::ONE);
    canvas.fill(ATLAS.stone(), |p, _| {
        let row = (p.y * BOARDS as f32).floor();
        let across = p.y * BOARDS as f32 - row;
        let tone = noise.hash(40 + row as i32);
        // Grain: long noise, bent round knots.
        let q = Vec3::new(p.x * 5.0, across * 9.0 + row * 7.0, row);
        let bend = 0.35 * noise.at(Vec3::new(p.x * 3.0, across * 2.0, 9.0 + row));
        let grain = noise.fbm(Vec3::new(p.x * 6.0, (across + bend) * 26.0, row * 3.0), 3);
        let fine = noise.at(Vec3::new(p.x * 24.0, (across + bend) * 90.0, row));
        let mut c = rgb(0x6f5a43).lerp(rgb(0x8d7d66), tone).extend(1.0);
        c = over(c, rgb(0x4a3a2a), 0.55 * smoothstep(-0.1, 0.5, grain));
        c = over(c, rgb(0xa3967f), 0.35 * smoothstep(0.1, 0.6, fine));
        // Splits, seams and ends.
        let split = smoothstep(0.035, 0.0, (noise.at(Vec3::new(p.x * 2.4, across * 6.0, 20.0 + row))).abs());
        c = over(c, rgb(0x17110c), 0.85 * split * smoothstep(0.0, 0.3, noise.at(q * 0.6)));
        c = over(c, rgb(0x1a140f), 0.75 * smoothstep(0.06, 0.0, across.min(1.0 - across)));
        // Ship worm, trenails.
        let (near, _) = noise.cells(Vec3::new(p.x * 60.0, p.y * 60.0, 0.5));
        c = over(c, rgb(0x120d09), 0.85 * smoothstep(0.20, 0.13, near) * smoothstep(0.05, 0.3, noise.fbm(q, 3)));
        let nail = Vec2::new((p.x * 12.0).fract() - 0.5, (across - 0.5).abs() * 0.9 - 0.26);
        c = over(c, rgb(0x2a1a10), 0.8 * smoothstep(0.055, 0.035, (nail * Vec2::new(1.5, 1.0)).length()));
        // Grown over: turf, pink crust, white tubes and barnacles.
        let place = Vec3::new(p.x * 9.0, p.y * 9.0, 4.0);
        c = over(c, rgb(0x6a6c48), 0.70 * smoothstep(0.02, 0.40, noise.fbm(place, 4)));
        c = over(c, rgb(0x7d7a58), 0.45 * smoothstep(0.1, 0.5, noise.fbm(place * 3.0 + 5.0, 3)));
        c = over(c, rgb(0x9a6d74), 0.75 * smoothstep(0.20, 0.34, noise.fbm(place * 1.2 + 17.0, 4)));
        let (shell, _) = noise.cells(Vec3::new(p.x * 38.0, p.y * 38.0, 7.5));
        c = over(
            c,
            rgb(0xd2cbb8),
            0.75 * smoothstep(0.26, 0.16, shell) * smoothstep(0.12, 0.3, noise.fbm(place * 0.8 + 31.0, 3)),
        );
        // Rust runs down from the bolts, and boards have weathered each in its own way.
        let rust = smoothstep(0.10, 0.45, noise.fbm(Vec3::new(p.x * 16.0, across * 1.2, 51.0 + row), 3));
        c = over(c, rgb(0x8c4a22), 0.55 * rust * smoothstep(-0.1, 0.3, noise.fbm(place * 0.7 + 61.0, 2)));
        let old =
            0.82 + 0.36 * noise.hash(70 + row as i32) + 0.22 * noise.fbm(Vec3::new(p.x * 2.2, row * 5.0, 71.0), 2);
        // Cover of the wood by crusts.
        let grown = 0.12 + 0.88 * smoothstep(0.02, 0.34, noise.fbm(place * 0.55 + 81.0, 4));
        (c.truncate() * old * (0.98 + 0.14 * noise.at(place * 14.0))).extend((grown * 16.0).round() / 16.0)
    });
    growth::paint(&mut canvas, ATLAS);
    canvas
}
