//! Rocks of the reef: boulders, a ledge, an arch, rubble; and bare ones of the deep.
//!
//! A rock is a stack of cut planes (stone breaks flat) with beds that jut out, or a heap of lumps or slabs; then it is
//! hewn in space. Reef limestone is overgrown: turf algae where light falls, pink coralline crusts, a few sponges.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{cos, exp, powf, powi, rotation_x, rotation_y, scale_rotation_translation, sin};
use crate::paint::rgb;
use crate::props::growth::{self, RockAtlas};
use crate::props::hewn::{Hewn, Wear};
use crate::props::relief::{Relief, half_sphere};
use crate::props::stone::{reef_stone, weathering};
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
    Entry {
        name: "bare_boulder",
        kind: Category::Prop,
        description: "a broken block of bare rock",
        make: bare_boulder,
    },
    Entry { name: "rubble", kind: Category::Prop, description: "a handful of stones and coral shards", make: rubble },
];

/// Share of its light that the depth of a cave has left, painted: shaders know nothing as wide.
const DARKEST: f32 = 0.12;
/// Openness from which on light is in proportion to it: below, what little comes in has been about corners.
const OPEN_ENOUGH: f32 = 0.5;

/// Share of the light of open rock where it is so `open`.
fn light_left(open: f32) -> f32 {
    mix(DARKEST, 1.0, open * smoothstep(0.0, OPEN_ENOUGH, open))
}

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
    /// Caves, blocks and knobs, see [`Wear`].
    worn: (usize, f32, f32),
    noise: Noise,
    planes: Vec<(Vec3, f32)>,
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
            worn: (3, 0.10, 0.055),
            noise,
            planes: planes.collect(),
        }
    }

    /// The form before it is hewn.
    fn form(&self, uv: Vec2) -> Vec3 {
        let way = half_sphere(uv);
        match self.form {
            Form::Block => self.block(way),
            Form::Lumps => self.lumps(way),
            Form::Slabs => self.slabs(way),
        }
    }

    /// The surface as the mesh has it.
    fn hewn(&self) -> Hewn {
        let (caves, blocks, knobs) = self.worn;
        Hewn::new(|uv| self.form(uv), &self.noise, Wear { unit: self.size.x, caves, blocks, knobs })
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
        p
    }

    /// Builds the rock. `growths`: number of growths, and their least and greatest width (in half widths of the rock).
    fn build(&self, (name, comment): (&str, &str), side: usize, texels: usize, growths: (usize, f32, f32)) -> Forged {
        let mut mesh = Mesh::new();
        let (texture, atlas) = (format!("{name}.png"), RockAtlas { side: texels });
        let stone = mesh.material(Material::rock(&texture));
        let part = mesh.part_with_crease(name, stone, 1.3);
        let hewn = self.hewn();
        mesh.drape(part, (side, side), atlas.stone(), |uv| hewn.at(uv));
        let (count, small, large) = growths;
        let low = 0.22 * self.size.y;
        let sites = growth::strew(&self.noise, |uv| hewn.at(uv), (count, low), (small, large), growth::on_reef);
        growth::grow(&mut mesh, (&texture, atlas), &sites, &self.noise);
        mesh.settle();
        let mut canvas = Canvas::new(texels, texels, Vec4::ONE);
        let unit = self.size.x;
        // With the fine detail that is only painted.
        let relief = Relief::new(texels, texels, false, |uv| {
            let (p, normal) = hewn.with_normal(uv);
            p + normal * weathering(&self.noise, p / unit) * unit
        });
        relief.paint(&mut canvas, atlas.stone(), |spot| {
            let light = growth::shade(&sites, spot.position) * light_left(hewn.openness(spot.uv));
            reef_stone(&self.noise, spot, spot.position / unit) * light
        });
        growth::paint(&mut canvas, atlas);
        assemble(name, comment, &mesh, &Rig::still(), vec![(texture, canvas.to_picture())])
    }
}

/// Profile of a bed of stone over its height (in beds): it stands out toward its upper edge and draws back below it.
fn brow(height: f32) -> f32 {
    let t = height.rem_euclid(1.0);
    smoothstep(0.0, 0.7, t) * smoothstep(1.0, 0.7, t) - 0.45
}

fn boulder(seed: u64) -> Forged {
    let rock = Rock::new(seed ^ 0xB01D, Vec3::new(1.0, 1.15, 0.86), 13);
    rock.build(("boulder", "a broken block of reef limestone, about 1.5 m"), 46, 1024, (11, 0.14, 0.42))
}

fn boulder_flat(seed: u64) -> Forged {
    let rock = Rock { beds: 0.07, bed_count: 2.0, ..Rock::new(seed ^ 0xF1A7, Vec3::new(1.2, 0.5, 0.9), 11) };
    rock.build(("boulder_flat", "a slab of reef limestone, about 2 m long"), 40, 512, (8, 0.12, 0.36))
}

fn boulder_tall(seed: u64) -> Forged {
    let rock = Rock { beds: 0.07, bed_count: 6.0, ..Rock::new(seed ^ 0x7A11, Vec3::new(0.8, 1.6, 0.7), 15) };
    rock.build(("boulder_tall", "a split block of reef limestone, about 2 m high"), 56, 1024, (18, 0.08, 0.22))
}

fn buttress(seed: u64) -> Forged {
    let rock = Rock { beds: 0.07, bed_count: 4.0, ..Rock::new(seed ^ 0x7A11, Vec3::new(0.8, 1.6, 0.7), 15) };
    rock.build(("buttress", "a worn corner of a reef wall, about 5 m high"), 76, 1024, (26, 0.05, 0.13))
}

fn bommie(seed: u64) -> Forged {
    let rock = Rock { form: Form::Lumps, ..Rock::new(seed ^ 0xB033, Vec3::new(1.1, 0.95, 1.0), 3) };
    rock.build(("bommie", "a head of old coral rock, about 2 m across"), 48, 1024, (12, 0.12, 0.34))
}

fn stack(seed: u64) -> Forged {
    let size = Vec3::new(0.85, 1.7, 0.75);
    let rock = Rock { form: Form::Slabs, beds: 0.03, bed_count: 6.0, ..Rock::new(seed ^ 0x57AC, size, 11) };
    rock.build(("stack", "a pillar of limestone slabs, about 3 m high"), 60, 1024, (24, 0.08, 0.24))
}

fn fin_rock(seed: u64) -> Forged {
    let size = Vec3::new(1.6, 1.25, 0.5);
    let rock = Rock { beds: 0.06, bed_count: 3.0, ..Rock::new(seed ^ 0xF172, size, 14) };
    rock.build(("fin_rock", "a crest of limestone, about 4 m long"), 50, 512, (14, 0.09, 0.24))
}

fn bare_boulder(seed: u64) -> Forged {
    let rock = Rock::new(seed ^ 0xBA1D, Vec3::new(1.1, 0.95, 0.86), 13);
    rock.build(("bare_boulder", "a broken block of bare rock, about 1.5 m"), 46, 512, (0, 0.1, 0.2))
}

fn ledge(seed: u64) -> Forged {
    let size = Vec3::new(2.2, 0.95, 1.0);
    let rock = Rock { beds: 0.08, bed_count: 2.0, undercut: 0.4, ..Rock::new(seed ^ 0x1ED6, size, 16) };
    rock.build(("ledge", "an undercut shelf of reef limestone, about 5 m long"), 54, 512, (18, 0.10, 0.30))
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
        let stones = mesh.drape(part, (side, side), Rect::FULL, |uv| own.form(uv));
        let place = Vec3::new(cos(n as f32 * 2.4 + b) * away, -0.03, sin(n as f32 * 2.4 + b) * away);
        let turn = rotation_y(TAU * c) * rotation_x(0.4 * (d - 0.5));
        mesh.transform(stones, scale_rotation_translation(Vec3::splat(size), turn, place));
    }
    mesh.settle();
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    let relief = Relief::new(256, 256, false, |uv| {
        let p = rock.form(uv);
        p + half_sphere(uv) * weathering(&noise, p)
    });
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
