//! Rocks of the reef: boulders, a ledge, an arch, rubble.
//!
//! A rock is a stack of cut planes (stone breaks flat), worn by noise, with beds that jut out and cracks between
//! blocks. Reef limestone is overgrown: turf algae where light falls, pink coralline crusts, a few sponges.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{acos, cos, exp, powf, powi, rotation_x, rotation_y, scale_rotation_translation, sin};
use crate::paint::{over, rgb};
use crate::props::even::EvenMap;
use crate::props::growth::{self, RockAtlas};
use crate::props::relief::{Relief, ReliefTexel, half_sphere};
use crate::shapes::Rect;
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The rocks of this file.
pub const ENTRIES: &[Entry] = &[
    Entry { name: "boulder", kind: Category::Prop, description: "a broken block of reef limestone", make: boulder },
    Entry {
        name: "boulder_flat",
        kind: Category::Prop,
        description: "a low slab with a stepped edge",
        make: boulder_flat,
    },
    Entry { name: "boulder_tall", kind: Category::Prop, description: "a tall split block", make: boulder_tall },
    Entry { name: "buttress", kind: Category::Prop, description: "a worn corner of a reef wall", make: buttress },
    Entry { name: "bommie", kind: Category::Prop, description: "a lumpy head of old coral rock", make: bommie },
    Entry { name: "stack", kind: Category::Prop, description: "a pillar of tilted slabs", make: stack },
    Entry {
        name: "fin_rock",
        kind: Category::Prop,
        description: "a narrow crest, split from top to foot",
        make: fin_rock,
    },
    Entry { name: "ledge", kind: Category::Prop, description: "a long undercut shelf", make: ledge },
    Entry { name: "rock_arch", kind: Category::Prop, description: "an arch to look through", make: rock_arch },
    Entry { name: "rubble", kind: Category::Prop, description: "a handful of stones and coral shards", make: rubble },
];

/// Form of a rock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Broken along planes.
    Block,
    /// Grown: heads of coral on heads of coral.
    Lumps,
    /// Slabs on slabs, each a little aside.
    Slabs,
}

/// Parameters of a rock.
struct Rock {
    form: Form,
    /// Half width, height and half depth.
    size: Vec3,
    /// Distance that beds of stone jut out, as a fraction of the width.
    beds: f32,
    /// Number of beds over the height.
    bed_count: f32,
    /// Distance that the foot draws back under the top, as a fraction of the width.
    undercut: f32,
    /// Depth of wear by water and borers, as a fraction of the width, and the share of it that is grooves where softer
    /// beds are gone.
    worn: (f32, f32),
    noise: Noise,
    planes: Vec<(Vec3, f32)>,
    /// Map of the texture, for rocks so worn that it would be streaked.
    laid: Option<EvenMap>,
}

impl Rock {
    /// A rock of half width, height and half depth `size`, broken along `cuts` planes.
    fn new(seed: u64, size: Vec3, cuts: u32) -> Self {
        let noise = Noise::new(seed);
        let planes = (0..cuts as i32).map(|n| {
            // Steps of about the golden angle spread the cuts; their steepness and depth are random. Every other one is
            // a side.
            let around = n as f32 * 2.4 + noise.hash(3 * n);
            let chance = noise.hash(3 * n + 1);
            let up = if n % 2 == 0 { 0.4 * chance - 0.12 } else { 0.25 + 0.7 * chance };
            let across = (1.0 - up * up).max(0.0).sqrt();
            (Vec3::new(cos(around) * across, up, sin(around) * across), 0.66 + 0.3 * noise.hash(3 * n + 2))
        });
        Self {
            form: Form::Block,
            size,
            beds: 0.09,
            bed_count: 4.0,
            undercut: 0.0,
            worn: (0.0, 0.0),
            noise,
            planes: planes.collect(),
            laid: None,
        }
    }

    /// Sets the wear, see the field `worn`, and lays the texture for it.
    fn worn(mut self, depth: f32, grooves: f32) -> Self {
        self.worn = (depth, grooves);
        self.laid = Some(EvenMap::new(|uv| self.coarse(uv)));
        self
    }

    /// The surface as the mesh has it.
    fn coarse(&self, uv: Vec2) -> Vec3 {
        self.surface(self.way(uv))
    }

    /// Surface in a direction from the middle of the foot.
    fn surface(&self, way: Vec3) -> Vec3 {
        let p = match self.form {
            Form::Block => self.block(way),
            Form::Lumps => self.lumps(way),
            Form::Slabs => self.slabs(way),
        };
        let (depth, grooves) = self.worn;
        if depth > 0.0 { p + way * (depth * self.size.x * wear(&self.noise, p / self.size.x, grooves)) } else { p }
    }

    /// Direction from the middle of the foot at a place of the texture. The sides of a tall rock get more texels, so
    /// that they are not streaked.
    fn way(&self, uv: Vec2) -> Vec3 {
        let way = half_sphere(self.laid.as_ref().map_or(uv, |laid| laid.at(uv)));
        let tall = self.size.y / (0.5 * (self.size.x + self.size.z));
        let more = (1.0 - 0.62 / tall).clamp(0.0, 0.66);
        let slope = acos(way.y.clamp(0.0, 1.0)) / FRAC_PI_2;
        let from_top = FRAC_PI_2 * slope * (1.0 + more - more * slope);
        let flat = way.with_y(0.0).normalize_or_zero();
        flat * sin(from_top) + Vec3::Y * cos(from_top).max(0.0)
    }

    /// The point where a ray along `way` leaves a heap of balls.
    fn lumps(&self, way: Vec3) -> Vec3 {
        let noise = &self.noise;
        let mut far = 0.62_f32;
        for n in 0..15 {
            let [a, b, c] = [0, 1, 2].map(|k| noise.hash(60 + 3 * n + k));
            // Steps of about the golden angle again; low balls lie farther out.
            let (around, up) = (n as f32 * 2.4 + 0.7 * a, (n as f32 + 0.4) / 15.0);
            let flat = (1.0 - up * up).max(0.0).sqrt();
            let center = Vec3::new(cos(around) * flat, 0.95 * up, sin(around) * flat) * (0.52 + 0.16 * b);
            let radius = 0.27 + 0.15 * c;
            let along = way.dot(center);
            let inside = radius * radius - center.length_squared() + along * along;
            if inside > 0.0 {
                far = far.max(along + inside.sqrt());
            }
        }
        let knobs = noise.cells(way * 5.5 + 3.0).0;
        let far = far * (1.0 + 0.05 * noise.fbm(way * 2.2 + 9.0, 3)) + 0.05 * smoothstep(0.6, 0.1, knobs);
        // Heads overhang their foot.
        let foot = 1.0 - 0.16 * smoothstep(0.22, 0.0, way.y);
        way * far * Vec3::new(foot, 1.0, foot) * self.size
    }

    fn slabs(&self, way: Vec3) -> Vec3 {
        let noise = &self.noise;
        let mut p = self.block(way);
        let height = p.y / self.size.y + 0.05 * (p.x / self.size.x) + 0.04 * noise.at(p * 1.3);
        let layer = (height * self.bed_count).max(0.0);
        let (n, t) = (layer.floor() as i32, layer.fract());
        let slab = |n: i32| {
            let [a, b, c] = [0, 1, 2].map(|k| noise.hash(200 + 3 * n + k));
            Vec3::new(0.26 * (a - 0.5), 0.85 + 0.30 * b, 0.26 * (c - 0.5))
        };
        // Flat tops, a notch under each slab's lip.
        let (here, next) = (slab(n), slab(n + 1));
        let step = here.lerp(next, smoothstep(0.66, 1.0, t));
        let notch = 1.0 - 0.13 * smoothstep(0.60, 0.80, t) * smoothstep(1.0, 0.86, t) - 0.05 * smoothstep(0.3, 0.0, t);
        let fade = smoothstep(0.99, 0.85, way.y);
        p.x *= mix(1.0, step.y * notch, fade);
        p.z *= mix(1.0, step.y * notch, fade);
        p + Vec3::new(step.x, 0.0, step.z) * self.size.x * smoothstep(0.1, 0.4, height)
    }

    /// A block broken along planes, with beds and joints.
    fn block(&self, way: Vec3) -> Vec3 {
        // A smooth minimum over the cuts: the distance at which the ray leaves the stone.
        let sharp = 14;
        let sum: f32 = self.planes.iter().map(|(n, h)| powi((way.dot(*n) / h).max(0.0), sharp)).sum();
        let reach = powf(sum + powi(0.85, sharp), -1.0 / sharp as f32);
        let noise = &self.noise;
        let lump = 1.0 + 0.17 * noise.fbm(way * 1.5 + 7.0, 3) + 0.2 * (noise.ridged(way * 1.9 + 3.0, 2) - 0.5);
        let mut p = way * reach * lump * self.size;
        // No needles: peaks that rise above the rest are worn down.
        let high = (p.y / self.size.y - 0.70).max(0.0);
        p.y -= self.size.y * (high - 0.22 * (1.0 - exp(-high / 0.22)));

        let height = p.y / self.size.y;
        let foot = smoothstep(0.98, 0.75, way.y);
        let bed = height * self.bed_count + 0.9 * noise.at(p / self.size.x * 0.9 + 3.0);
        let strength = self.beds * smoothstep(-0.25, 0.35, noise.at(way * 1.4 + 29.0));
        let under = self.undercut * (smoothstep(0.2, 0.7, height) - 1.0) * smoothstep(-0.4, 0.2, noise.at(way * 1.2));
        let out = 1.0 + 2.0 * strength * brow(bed) * foot + under;
        p.x *= out;
        p.z *= out;
        // A few joints split the block.
        let (near, next) = noise.cells(p * 1.25 / self.size.min_element() + 11.0);
        let split = smoothstep(0.16, 0.0, next - near) * smoothstep(0.97, 0.8, way.y);
        let crack = masked(split, || smoothstep(-0.2, 0.2, noise.at(way * 2.0 + 41.0)));
        p - way * self.size.min_element() * 0.12 * crack * smoothstep(0.0, 0.15, way.y)
    }

    /// The surface with the fine detail that is only painted.
    fn fine(&self, uv: Vec2) -> Vec3 {
        let way = self.way(uv);
        let p = self.surface(way);
        p + way * weathering(&self.noise, p / self.size.x) * self.size.x
    }

    /// Builds the rock. `growths`: number of growths, and their least and greatest width (in half widths of the rock).
    fn build(&self, (name, comment): (&str, &str), side: usize, texels: usize, growths: (usize, f32, f32)) -> Forged {
        let mut mesh = Mesh::new();
        let (texture, atlas) = (format!("{name}.png"), RockAtlas { side: texels });
        let stone = mesh.material(Material::rock(&texture));
        let part = mesh.part_with_crease(name, stone, 1.3);
        mesh.drape(part, (side, side), atlas.stone(), |uv| self.coarse(uv));
        let (count, small, large) = growths;
        let low = 0.22 * self.size.y;
        let sites = growth::strew(&self.noise, |uv| self.coarse(uv), (count, low), (small, large), growth::on_reef);
        growth::grow(&mut mesh, (&texture, atlas), &sites, &self.noise);
        mesh.settle();
        let mut canvas = Canvas::new(texels, texels, Vec4::ONE);
        let relief = Relief::new(texels, texels, false, |uv| self.fine(uv));
        let unit = self.size.x;
        relief.paint(&mut canvas, atlas.stone(), |spot| {
            reef_stone(&self.noise, spot, spot.position / unit) * growth::shade(&sites, spot.position)
        });
        growth::paint(&mut canvas, atlas);
        assemble(name, comment, &mesh, &Rig::still(), vec![(texture, canvas.to_picture())])
    }
}

/// Wear of a flat face by water, borers and old coral, about -1 to 1, at a place in half widths of the rock: holes as
/// large as a head, knobs between them, level grooves.
fn wear(noise: &Noise, p: Vec3, grooves: f32) -> f32 {
    let (hole, _) = noise.cells(p * 2.6 + 53.0);
    let holes = masked(smoothstep(0.50, 0.12, hole), || smoothstep(-0.25, 0.25, noise.at(p * 1.3 + 61.0)));
    let (knob, _) = noise.cells(p * 4.3 + 67.0);
    let knobs = smoothstep(0.55, 0.05, knob);
    let bed = (p.y + 0.10 * noise.at(p * 1.7 + 5.0)) * 3.4;
    0.9 * noise.fbm(p * 2.1 + 47.0, 4) + 0.55 * knobs - 1.1 * holes + grooves * brow(bed)
}

/// Height of the fine grain of weathered limestone at a place (in units of half a metre or so).
fn weathering(noise: &Noise, p: Vec3) -> f32 {
    let (near, _) = noise.cells(p * 7.5 + 2.0);
    let pits = masked(smoothstep(0.4, 0.05, near), || smoothstep(0.0, 0.3, noise.at(p * 2.3 + 19.0)));
    // Knobs of old coral, and the grain between them.
    let (knob, _) = noise.cells(p * 13.0 + 7.0);
    let knobs = masked(smoothstep(0.55, 0.1, knob), || smoothstep(-0.25, 0.25, noise.at(p * 2.9 + 37.0)));
    let (fine, _) = noise.cells(p * 31.0 + 3.0);
    0.05 * noise.fbm(p * 4.0, 6) - 0.024 * pits + 0.017 * knobs + 0.005 * smoothstep(0.5, 0.1, fine)
}

/// Colour of overgrown reef limestone: crusts with sharp borders, each with its own grain. From afar only this picture
/// shows, so it has every feature by which rock is recognised: pits, tufts, seams between crusts.
fn reef_stone(noise: &Noise, spot: &ReliefTexel, p: Vec3) -> Vec3 {
    let field = |scale: f32, shift: f32| noise.fbm(p * scale + shift, 4);
    let patch = |scale: f32, shift: f32, from: f32, to: f32| smoothstep(from, to, field(scale, shift));
    let (tufts, fine) = (noise.at(p * 13.0 + 71.0) + 0.6 * noise.at(p * 25.0 + 5.0), noise.at(p * 46.0));
    let grain = fine + 0.9 * noise.at(p * 97.0);
    let (cell, next) = noise.cells(p * 30.0 + 9.0);
    let polyps = smoothstep(0.15, 0.5, cell);
    let up = spot.normal.y;
    let mut c = rgb(0xb0a182).lerp(rgb(0x6e6453), patch(2.3, 1.0, -0.35, 0.45)).extend(1.0);
    // Turf algae like light; they stand in tufts with bare stone between.
    let turf = smoothstep(0.0, 0.7, up + 0.5 * noise.fbm(p * 3.5 + 31.0, 3));
    if turf > 0.0 {
        let green = rgb(0x5a602e).lerp(rgb(0xa1964f), smoothstep(-0.3, 0.4, noise.fbm(p * 7.0 + 3.0, 3)));
        c = over(c, green, turf * (0.62 + 0.55 * tufts + 0.25 * fine).clamp(0.0, 0.92));
    }
    // Clumps of weed as large as a hand, and places where something has died and left its pale skeleton.
    c = over(c, rgb(0x35331e), 0.50 * patch(5.5, 119.0, 0.16, 0.26));
    c = over(c, rgb(0xb8ab8a), 0.40 * patch(6.5, 137.0, 0.27, 0.34));
    // Coralline crusts like shade and edges. Where two crusts meet runs a dark seam.
    let pink = field(3.6, 13.0) - 0.12 * up.max(0.0);
    let crust = smoothstep(0.16, 0.20, pink);
    c = over(c, rgb(0x241f1a), 0.6 * smoothstep(0.11, 0.16, pink) * (1.0 - crust));
    if crust > 0.0 {
        let rose = rgb(0x9c5864).lerp(rgb(0xcba29e), smoothstep(0.1, 0.45, noise.fbm(p * 9.0, 3)));
        c = over(c, rose, 0.76 * crust * (0.85 + 0.5 * fine).clamp(0.0, 1.0));
    }
    c = over(c, rgb(0x6d4c68), 0.50 * patch(4.6, 23.0, 0.40, 0.44));
    // Low colonies with their polyps: mustard and olive; orange sponge under ledges.
    let own = field(2.8, 83.0);
    let colony = smoothstep(0.34, 0.36, own);
    c = over(c, rgb(0x1f1b14), 0.6 * smoothstep(0.31, 0.34, own) * (1.0 - colony));
    c = over(c, rgb(0xa98a42).lerp(rgb(0x574620), 0.85 * polyps), 0.9 * colony);
    c = over(c, rgb(0x55703c).lerp(rgb(0x293c26), 0.85 * polyps), 0.75 * patch(3.1, 101.0, 0.40, 0.42));
    let shade = smoothstep(0.35, -0.1, up);
    c = over(c, rgb(0xa8602e), 0.75 * shade.max(0.12) * patch(5.0, 43.0, 0.40, 0.43));
    let cracks = masked(smoothstep(0.12, 0.02, next - cell) * (1.0 - colony), || patch(2.2, 63.0, 0.0, 0.3));
    c = over(c, rgb(0x221e19), 0.6 * cracks);
    // Pits that borers left, and flecks of shell and bare skeleton.
    let (hole, _) = noise.cells(p * 14.0 + 45.0);
    let holes = masked(smoothstep(0.25, 0.13, hole), || smoothstep(-0.15, 0.15, noise.at(p * 2.6 + 97.0)));
    c = over(c, rgb(0x14120f), 0.75 * holes);
    let (near, _) = noise.cells(p * 11.0 + 5.0);
    let fleck = masked(smoothstep(0.18, 0.11, near), || smoothstep(0.0, 0.25, noise.at(p * 3.0 + 57.0)));
    c = over(c, rgb(0xd6ccb2), 0.75 * fleck);
    let light = (1.0 - 0.66 * spot.hollow.max(0.0) + 0.24 * (-spot.hollow).max(0.0)) * (1.0 + 0.45 * spot.lift);
    // Silt lies on everything, most where it is level.
    let c = c.truncate();
    let c = c.lerp(Vec3::splat(c.dot(Vec3::new(0.3, 0.55, 0.15))) * Vec3::new(1.06, 1.0, 0.88), 0.18);
    let silt = masked(smoothstep(0.75, 0.95, up), || smoothstep(-0.2, 0.4, noise.fbm(p * 5.0 + 87.0, 3)));
    let c = c.lerp(rgb(0x9a9078), 0.30 * silt);
    // Few enough shades to compress: the grain hides the steps.
    let shaded = c * (light * (1.02 + 0.24 * tufts) + 0.12 * grain).clamp(0.14, 1.6);
    (shaded * 36.0).round() / 36.0
}

/// Product of two masks; the second is not evaluated where the first is 0.
fn masked(mask: f32, other: impl FnOnce() -> f32) -> f32 {
    if mask == 0.0 { 0.0 } else { mask * other() }
}

/// Profile of a bed of stone over its height (in beds): it stands out toward its upper edge and draws back below it.
fn brow(height: f32) -> f32 {
    let t = height.rem_euclid(1.0);
    smoothstep(0.0, 0.7, t) * smoothstep(1.0, 0.7, t) - 0.45
}

fn boulder(seed: u64) -> Forged {
    let rock = Rock::new(seed ^ 0xB01D, Vec3::new(1.0, 0.95, 0.86), 13).worn(0.06, 0.7);
    rock.build(("boulder", "a broken block of reef limestone, about 1.5 m"), 26, 1024, (11, 0.14, 0.42))
}

fn boulder_flat(seed: u64) -> Forged {
    let rock = Rock { beds: 0.07, bed_count: 2.0, ..Rock::new(seed ^ 0xF1A7, Vec3::new(1.2, 0.5, 0.9), 11) };
    rock.build(("boulder_flat", "a slab of reef limestone, about 2 m long"), 22, 512, (8, 0.12, 0.36))
}

fn boulder_tall(seed: u64) -> Forged {
    let rock =
        Rock { beds: 0.07, bed_count: 6.0, ..Rock::new(seed ^ 0x7A11, Vec3::new(0.8, 1.6, 0.7), 15) }.worn(0.07, 0.7);
    rock.build(("boulder_tall", "a split block of reef limestone, about 2 m high"), 36, 1024, (18, 0.08, 0.22))
}

fn buttress(seed: u64) -> Forged {
    let rock =
        Rock { beds: 0.07, bed_count: 4.0, ..Rock::new(seed ^ 0x7A11, Vec3::new(0.8, 1.6, 0.7), 15) }.worn(0.11, 0.4);
    rock.build(("buttress", "a worn corner of a reef wall, about 5 m high"), 64, 512, (26, 0.05, 0.13))
}

fn bommie(seed: u64) -> Forged {
    let rock = Rock { form: Form::Lumps, ..Rock::new(seed ^ 0xB033, Vec3::new(1.1, 0.95, 1.0), 3) }.worn(0.05, 0.7);
    rock.build(("bommie", "a head of old coral rock, about 2 m across"), 28, 1024, (12, 0.12, 0.34))
}

fn stack(seed: u64) -> Forged {
    let size = Vec3::new(0.85, 1.7, 0.75);
    let rock =
        Rock { form: Form::Slabs, beds: 0.03, bed_count: 6.0, ..Rock::new(seed ^ 0x57AC, size, 11) }.worn(0.06, 0.6);
    rock.build(("stack", "a pillar of limestone slabs, about 3 m high"), 33, 1024, (24, 0.08, 0.24))
}

fn fin_rock(seed: u64) -> Forged {
    let size = Vec3::new(1.6, 1.25, 0.5);
    let rock = Rock { beds: 0.06, bed_count: 3.0, ..Rock::new(seed ^ 0xF172, size, 14) }.worn(0.04, 0.6);
    rock.build(("fin_rock", "a crest of limestone, about 4 m long"), 27, 512, (14, 0.09, 0.24))
}

fn ledge(seed: u64) -> Forged {
    let size = Vec3::new(2.2, 0.95, 1.0);
    let rock = Rock { beds: 0.08, bed_count: 2.0, undercut: 0.4, ..Rock::new(seed ^ 0x1ED6, size, 16) };
    rock.build(("ledge", "an undercut shelf of reef limestone, about 5 m long"), 33, 512, (18, 0.10, 0.30))
}

fn rock_arch(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0xA2C4);
    let thick = Curve::new(&[(0.0, 0.62), (0.15, 0.46), (0.42, 0.3), (0.6, 0.27), (0.85, 0.4), (1.0, 0.5)]);
    let coarse = |uv: Vec2| {
        let along = 1.0 - uv.y;
        let turn = PI * along;
        let axis = arch_axis(along);
        let outward = Vec3::new(-cos(turn), sin(turn), 0.0);
        let round = TAU * uv.x;
        let way = outward * cos(round) + Vec3::Z * sin(round);
        let flat = 1.0 + 0.25 * sin(round).abs();
        let lump = 1.0 + 0.35 * noise.fbm(axis * 1.1 + way * 0.5, 3);
        let mut p = axis + way * thick.at(along) * flat * lump;
        let strength = 0.2 * smoothstep(-0.3, 0.3, noise.at(axis * 0.8 + 29.0));
        p += way.with_y(0.0) * strength * brow(p.y * 2.0 + 0.9 * noise.at(p * 0.9 + 3.0));
        p += way * (0.2 * (noise.ridged(p * 1.3 + 17.0, 2) - 0.5) + 0.12 * noise.fbm(p * 2.6 + 5.0, 2));
        let (near, next) = noise.cells(p * 1.3 + 11.0);
        p - way * 0.08 * smoothstep(0.15, 0.0, next - near) * smoothstep(-0.2, 0.2, noise.at(p * 0.9 + 41.0))
    };
    let mut mesh = Mesh::new();
    let stone = mesh.material(Material::rock("rock_arch.png"));
    let part = mesh.part_with_crease("rock_arch", stone, 1.5);
    let atlas = RockAtlas { side: 1024 };
    mesh.drape(part, (24, 52), atlas.stone(), |uv| coarse(if uv.x == 1.0 { uv.with_x(0.0) } else { uv }));
    mesh.bend(0..mesh.vertices.len(), |p| p.with_y(p.y.max(-0.05)));
    let sites = growth::strew(&noise, coarse, (22, 0.35), (0.09, 0.24), growth::on_reef);
    growth::grow(&mut mesh, ("rock_arch.png", atlas), &sites, &noise);
    mesh.settle();
    let relief = Relief::new(1024, 1024, true, |uv| {
        let p = coarse(uv);
        p + (p - arch_axis(1.0 - uv.y)).normalize_or_zero() * weathering(&noise, p * 1.1) * 0.8
    });
    let mut canvas = Canvas::new(1024, 1024, Vec4::ONE);
    relief.paint(&mut canvas, atlas.stone(), |spot| {
        reef_stone(&noise, spot, spot.position * 1.3) * growth::shade(&sites, spot.position)
    });
    growth::paint(&mut canvas, atlas);
    let comment = "an arch of reef limestone, about 8 m wide";
    assemble("rock_arch", comment, &mesh, &Rig::still(), vec![("rock_arch.png".into(), canvas.to_picture())])
}

/// Axis of the arch.
fn arch_axis(along: f32) -> Vec3 {
    let turn = PI * along;
    Vec3::new(-1.15 * cos(turn), 1.32 * powf(sin(turn).max(0.0), 0.8), 0.16 * sin(2.2 * turn))
}

fn rubble(seed: u64) -> Forged {
    let rock = Rock::new(seed ^ 0x2B1E, Vec3::new(1.0, 0.8, 0.9), 10);
    let noise = Noise::new(seed ^ 0x57E4);
    let mut mesh = Mesh::new();
    let stone = mesh.material(Material::rock("rubble.png"));
    let part = mesh.part_with_crease("rubble", stone, 0.8);
    for n in 0..13 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| noise.hash(4 * n + k));
        let (size, away) = (0.24 - 0.016 * n as f32, 0.12 + 0.1 * n as f32);
        let own = Rock::new(seed ^ 0x2B1E ^ (0x100 + n as u64), rock.size.with_y(0.5 + 0.5 * a), 9);
        let side = if n < 5 { 7 } else { 5 };
        let stones = mesh.drape(part, (side, side), Rect::FULL, |uv| own.coarse(uv));
        let place = Vec3::new(cos(n as f32 * 2.4 + b) * away, -0.03, sin(n as f32 * 2.4 + b) * away);
        let turn = rotation_y(TAU * c) * rotation_x(0.4 * (d - 0.5));
        mesh.transform(stones, scale_rotation_translation(Vec3::splat(size), turn, place));
    }
    mesh.settle();
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    let relief = Relief::new(256, 256, false, |uv| rock.fine(uv));
    relief
        .paint(&mut canvas, Rect::FULL, |spot| reef_stone(&noise, spot, 0.6 * spot.position).lerp(rgb(0xa79c88), 0.35));
    assemble(
        "rubble",
        "stones and shards, about 1 m across",
        &mesh,
        &Rig::still(),
        vec![("rubble.png".into(), canvas.to_picture())],
    )
}
