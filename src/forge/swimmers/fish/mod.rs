//! Bony fish from a plan: outlines, fins, eyes and paint in; a swimming MS3D model out.

pub mod body;
pub mod eye;
pub mod fins;
pub mod skin;

use std::f32::consts::TAU;
use std::ops::Range;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

pub use body::{Body, Spot};
pub use eye::Eye;
pub use fins::{Fin, Stand};
pub use skin::{Gills, Mouth, Scales};

use crate::forge::curve::smoothstep;
use crate::forge::paint::{Canvas, rgb};
use crate::forge::rig::Pose;
use crate::forge::shapes::Rect;
use crate::forge::swimmers::foil;
use crate::forge::swimmers::wave::{Spine, Wave};
use crate::forge::{Forged, Material, Mesh, Noise, Rig, Skin, assemble};

/// Shares of a fish's texture.
pub mod atlas {
    use super::Rect;

    /// Flank, unrolled from the belly (bottom) to the back (top), snout on the left.
    pub const BODY: Rect = Rect::new(0.0, 0.0, 1.0, 0.58);
    /// First or only dorsal fin.
    pub const DORSAL: Rect = Rect::new(0.0, 0.595, 0.62, 0.785);
    /// Tail fin.
    pub const CAUDAL: Rect = Rect::new(0.64, 0.595, 1.0, 0.805);
    /// Anal fin.
    pub const ANAL: Rect = Rect::new(0.0, 0.80, 0.40, 1.0);
    /// Pectoral fins.
    pub const PECTORAL: Rect = Rect::new(0.42, 0.80, 0.61, 1.0);
    /// Pelvic fins, and a second dorsal fin where there is one.
    pub const PELVIC: Rect = Rect::new(0.63, 0.825, 0.79, 1.0);
    /// Eyes.
    pub const EYE: Rect = Rect::new(0.82, 0.82, 1.0, 1.0);
    /// Inside of the mouth.
    pub const MOUTH: Rect = Rect::new(0.795, 0.83, 0.815, 1.0);
}

/// Colour of the skin (sRGB) at a place.
pub type BodyPaint = Box<dyn Fn(&Spot, &Noise) -> Vec3>;

/// Everything that makes a species.
pub struct FishPlan {
    /// Name of the files.
    pub name: &'static str,
    /// What it is and where its proportions come from.
    pub about: &'static str,
    /// Outlines.
    pub body: Body,
    /// Standard length as a share of the total length.
    pub standard: f32,
    /// Eyes.
    pub eye: Eye,
    /// Mouth.
    pub mouth: Mouth,
    /// Fins.
    pub fins: Vec<Fin>,
    /// Gill openings.
    pub gills: Gills,
    /// Scale rows.
    pub scales: Scales,
    /// Skin colour.
    pub paint: BodyPaint,
    /// Rings along the body and quads round half of it.
    pub rings: (usize, usize),
    /// Rings and sides of an eye's dome.
    pub eye_cells: (usize, usize),
    /// Texture size in pixels.
    pub texture: usize,
    /// Strength and exponent of the skin's highlight.
    pub gloss: (f32, f32),
    /// Share of light that passes through the fins.
    pub translucency: f32,
    /// Body wave.
    pub wave: Wave,
    /// Frames of one tail beat, at 30 a second.
    pub beat: usize,
}

/// Joint ends along the body in standard lengths: a stiff skull, then shorter and shorter toward the tail.
const NODES: [f32; 9] = [0.0, 0.27, 0.41, 0.53, 0.64, 0.74, 0.83, 0.91, 0.98];

/// Makes the fish.
pub fn make(plan: &FishPlan, seed: u64) -> Forged {
    let noise = Noise::new(seed);
    let mut rig = Rig::new(30.0, plan.beat);
    let scale = plan.standard;
    let mut nodes: Vec<f32> = NODES.iter().map(|x| x * scale).collect();
    let tail = NODES[8] * scale;
    nodes.extend([tail + (1.0 - tail) * 0.45, 1.0]);
    let axis = |x: f32| {
        let x = (x / scale).min(1.0);
        0.5 * (plan.body.back.at(x) + plan.body.belly.at(x)) * scale
    };
    let spine = Spine::new(&mut rig, &nodes, (-0.5, 0.5), axis);
    spine.swim(&mut rig, plan.wave);

    let mut mesh = Mesh::new();
    let picture = format!("{}.png", plan.name);
    let skin = mesh.material(Material::new("skin", &picture).glossy(plan.gloss.0, plan.gloss.1));
    let membrane = mesh.material(Material::new("fins", &picture).glossy(0.08, 20.0).membrane(plan.translucency));
    let wet = mesh.material(Material::new("eyes", &picture).glossy(0.9, 100.0));

    let builder = Builder { plan, spine: &spine };
    builder.body(&mut mesh, skin);
    builder.eyes(&mut mesh, wet);
    for fin in &plan.fins {
        builder.fin(&mut mesh, &mut rig, [skin, membrane], fin);
    }
    let texture = paint(plan, &noise).to_image();
    assemble(plan.name, plan.about, &mesh, &rig, vec![(picture, texture)])
}

struct Builder<'a> {
    plan: &'a FishPlan,
    spine: &'a Spine,
}

impl Builder<'_> {
    /// From body axes (standard lengths, snout at the origin) to the model's.
    fn place(&self, p: Vec3) -> Vec3 {
        p * self.plan.standard - Vec3::Z * 0.5
    }

    fn body(&self, mesh: &mut Mesh, material: usize) {
        let (plan, body) = (self.plan, &self.plan.body);
        let part = mesh.part("body", material);
        let half = plan.rings.1;
        let rings = body.rings(plan.rings.0);
        let round = |j: usize| {
            let (t, side) =
                if j <= half { (j as f32 / half as f32, -1.0) } else { (2.0 - j as f32 / half as f32, 1.0) };
            (t, side)
        };
        let flank = mesh.grid(part, rings.len() - 1, 2 * half, |i, j| {
            let (t, side) = round(j);
            let x = (rings[i] + body.lean(rings[i], t)).max(0.0);
            let section = body.section(x, t);
            let uv = Vec2::new(0.004 + 0.992 * body::u_of(x.min(1.0)), 0.012 + 0.976 * (1.0 - t));
            (self.place(Vec3::new(section.x * side, section.y, x)), atlas::BODY.at(uv))
        });
        // The mouth: from the lips' edge inward to a point.
        if !matches!(plan.gills, Gills::Cover) {
            let cap = mesh.grid(part, 1, 2 * half, |i, j| {
                let (t, side) = round(j);
                let section = body.section(0.0, t) * i as f32;
                let y = section.y + (1 - i) as f32 * 0.5 * (body.back.at(0.0) + body.belly.at(0.0));
                let uv = atlas::BODY.at(Vec2::new(0.004, 0.012 + 0.976 * (1.0 - t)));
                (self.place(Vec3::new(section.x * side, y, 0.0)), uv)
            });
            for range in [flank, cap] {
                mesh.skin(range, |p| self.spine.skin(p.z));
            }
            return;
        }
        let lips = Vec3::new(0.0, 0.5 * (body.back.at(0.0) + body.belly.at(0.0)), 0.0);
        let mouth = mesh.grid(part, 2, 2 * half, |i, j| {
            let (t, side) = round(j);
            let section = body.section(0.0, t);
            let rim = Vec3::new(section.x * side, section.y, 0.0);
            let place = match i {
                0 => lips.with_z(0.035),
                1 => lips.lerp(rim, 0.75).with_z(0.012),
                _ => rim,
            };
            (self.place(place), atlas::MOUTH.at(Vec2::new(0.5, 0.15 + 0.35 * i as f32)))
        });
        for range in [flank, mouth] {
            mesh.skin(range, |p| self.spine.skin(p.z));
        }
    }

    fn eyes(&self, mesh: &mut Mesh, material: usize) {
        let (body, eye) = (&self.plan.body, &self.plan.eye);
        let part = mesh.part("eyes", material);
        let t = body.t_at(eye.x, eye.h);
        let section = body.section(eye.x, t);
        let dome = eye::Dome {
            center: self.place(Vec3::new(section.x, section.y, eye.x)),
            outward: (body.normal(eye.x, t) + Vec3::X * 0.4).normalize(),
            radius: eye.radius * self.plan.standard,
            bulge: eye.bulge,
            cells: self.plan.eye_cells,
            rect: atlas::EYE,
        };
        let right = eye::dome(mesh, part, &dome);
        let left = mesh.repeat(right.clone(), Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        for range in [right, left] {
            mesh.skin(range, |_| Skin::rigid(self.spine.head()));
        }
    }

    fn fin(&self, mesh: &mut Mesh, rig: &mut Rig, [skin, membrane]: [usize; 2], fin: &Fin) {
        let solid = fin.thickness > 0.0;
        let part = mesh.part(fin.name, if solid { skin } else { membrane });
        let (_, rows) = fin.cells;
        let body = &self.plan.body;
        let Stand::Paired { scull: (amplitude, strokes, lag), .. } = fin.stand else {
            let range = self.surface(mesh, part, fin, |s, t| fin.median_point(body, s, t));
            mesh.skin(range, |p| self.spine.skin(p.z));
            return;
        };
        let right = self.surface(mesh, part, fin, |s, t| fin.paired_point(body, s, t).0);
        let left = mesh.repeat(right.clone(), Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        let (root, axis) = fin.paired_point(&self.plan.body, 0.5, 0.0);
        let root = self.place(root);
        for (range, side) in [(right, 1.0_f32), (left, -1.0)] {
            let pivot = Vec3::new(root.x * side, root.y, root.z);
            let rooted = self.spine.skin(root.z);
            let parent = rooted.0[0].0;
            let suffix = if side > 0.0 { "r" } else { "l" };
            let joint = rig.joint(&format!("{}_{suffix}", fin.name), Some(parent), pivot);
            let axis = Vec3::new(axis.x, axis.y * side, axis.z * side).normalize_or(Vec3::Y);
            rig.animate(joint, |phase| {
                let turn = amplitude * (TAU * (phase * strokes as f32 - lag)).sin();
                Pose::turn(Quat::from_axis_angle(axis, turn))
            });
            for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
                let t = (index % (rows + 1)) as f32 / rows as f32;
                vertex.skin = rooted.mix(Skin::rigid(joint), smoothstep(-0.1, 0.3, t));
            }
        }
    }
}

impl Builder<'_> {
    /// A fin's surface: a sheet, or a solid blade round it.
    fn surface(&self, mesh: &mut Mesh, part: usize, fin: &Fin, point: impl Fn(f32, f32) -> Vec3) -> Range<usize> {
        let (columns, rows) = fin.cells;
        if fin.thickness <= 0.0 {
            return mesh.grid(part, columns, rows, |i, j| {
                let (s, t) = (i as f32 / columns as f32, j as f32 / rows as f32);
                (self.place(point(s, t)), fins::fin_uv(fin.rect, s, t))
            });
        }
        foil::blade(mesh, part, fin.cells, fin.rect, |s, t| {
            let e = 0.02;
            let along = point((s + e).min(1.0), t) - point((s - e).max(0.0), t);
            let out = point(s, (t + e).min(1.0)) - point(s, (t - e).max(0.0));
            let thick = fin.thickness * foil::section(s) * (1.0 - t).max(0.0).sqrt();
            (self.place(point(s, t)), out.cross(along).normalize_or(Vec3::X) * (thick * self.plan.standard))
        })
    }
}

fn paint(plan: &FishPlan, noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(plan.texture, plan.texture, Vec4::new(0.0, 0.0, 0.0, 0.0));
    canvas.fill(atlas::BODY, |local, _| {
        let x = body::x_of(((local.x - 0.004) / 0.992).clamp(0.0, 1.0));
        let t = 1.0 - ((local.y - 0.012) / 0.976).clamp(0.0, 1.0);
        skin::color(plan, &plan.body.spot(x, t), noise).extend(1.0)
    });
    for fin in &plan.fins {
        canvas.fill(fin.rect, |local, _| {
            let (s, t) = fins::fin_st(local);
            (fin.paint)(s, t)
        });
    }
    eye::paint(&mut canvas, atlas::EYE, &plan.eye, noise);
    canvas.fill(atlas::MOUTH, |local, _| rgb(0x1c1012).lerp(plan.mouth.inside, local.y * 0.7).extend(1.0));
    canvas.bleed(6);
    canvas
}
