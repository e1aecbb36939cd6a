//! Bony fish, sharks and dolphins from data: makes a swimming MS3D model from outlines, fins, eyes and patterns.

pub mod body;
pub mod colour;
pub mod eye;
pub mod fins;
mod head;
mod lure;
mod mend;
pub mod pattern;
pub mod plan;
mod puffed;
pub mod read;
pub mod skin;

use std::f32::consts::TAU;
use std::ops::Range;

use crate::maths::{powi, rotation_about, rotation_x, rotation_y, rotation_z, sin};
use glam::{Affine3, Vec3, Vec4};
use math::{mix, smoothstep};

pub use body::{Body, BodyPoint};
pub use eye::Eye;
pub use plan::FishPlan;
pub use read::{SIZE_LIMIT, SpeciesError, read};

use crate::curve::bump;
use crate::paint::Canvas;
use crate::rig::{Clip, JointPose};
use crate::shapes::Rect;
use crate::swimmers::foil;
use crate::swimmers::wave::Spine;
use crate::{Forged, JointWeights, Material, Mesh, Noise, Rig, assemble};

use fins::Fin;
use plan::{FinPlace, GillKind, curve};
use puffed::Riders;

/// Regions of a fish's texture.
pub mod atlas {
    use super::Rect;

    /// Flank, unrolled from the belly (bottom) to the back (top), snout on the left.
    pub const BODY: Rect = Rect::new(0.0, 0.0, 1.0, 0.58);
    /// First and further dorsal fins.
    pub const BACK: [Rect; 3] = [
        Rect::new(0.0, 0.595, 0.36, 0.785),
        Rect::new(0.375, 0.595, 0.545, 0.785),
        Rect::new(0.56, 0.595, 0.625, 0.785),
    ];
    /// A single dorsal fin.
    pub const WHOLE_BACK: Rect = Rect::new(0.0, 0.595, 0.62, 0.785);
    /// Tail fin.
    pub const TAIL: Rect = Rect::new(0.64, 0.595, 1.0, 0.805);
    /// First and further anal fins.
    pub const BELLY: [Rect; 2] = [Rect::new(0.0, 0.80, 0.26, 1.0), Rect::new(0.28, 0.80, 0.40, 1.0)];
    /// A single anal fin.
    pub const WHOLE_BELLY: Rect = Rect::new(0.0, 0.80, 0.40, 1.0);
    /// Pectoral and pelvic fins.
    pub const FLANK: [Rect; 2] = [Rect::new(0.42, 0.80, 0.61, 1.0), Rect::new(0.63, 0.825, 0.79, 1.0)];
    /// Lure of a fish without pelvic fins: the bulb, its tip on top, over the rod, its foot on the left.
    pub const LURE: Rect = Rect::new(0.63, 0.825, 0.79, 1.0);
    /// Eyes.
    pub const EYE: Rect = Rect::new(0.82, 0.82, 1.0, 1.0);
    /// Inside of the mouth: dark on top, the lips' inner side at the bottom.
    pub const MOUTH: Rect = Rect::new(0.795, 0.85, 0.815, 1.0);
    /// Teeth.
    pub const TEETH: Rect = Rect::new(0.795, 0.81, 0.815, 0.84);
}

/// Makes the fish of a plan that [`read()`] has accepted.
pub fn make(plan: &FishPlan, seed: u64) -> Forged {
    let noise = Noise::new(seed);
    let body = body_of(plan);
    let mut rig = Rig::new(&clips(plan));
    let scale = plan.outline.standard;
    let mut nodes: Vec<f32> = plan.swim.mode.nodes().iter().map(|x| x * scale).collect();
    let tail = nodes[nodes.len() - 1];
    nodes.extend([tail + (1.0 - tail) * 0.45, 1.0]);
    let axis = |x: f32| {
        let x = (x / scale).min(1.0);
        0.5 * (body.back.at(x) + body.belly.at(x)) * scale
    };
    let spine = Spine::new(&mut rig, &nodes, (-0.5, 0.5), axis);
    spine.swim(&mut rig, plan.swim.mode.wave());

    let mut mesh = Mesh::new();
    let picture = format!("{}.png", plan.name);
    let [strength, exponent] = plan.skin.gloss;
    let scales = (plan.skin.relief > 0.0)
        .then(|| skin::lattice(plan, &body))
        .map(|[along, across, growth]| [along, across, growth, plan.skin.relief]);
    let skin = Material { sheen: plan.skin.sheen, scales, relief: plan.skin.emboss, ..Material::new("skin", &picture) };
    let skin = mesh.material(skin.glossy(strength, exponent));
    let membrane = mesh.material(Material::new("fins", &picture).glossy(0.08, 20.0).membrane(0.45));
    let wet = Material { tapetum: plan.eye.tapetum, ..Material::new("eyes", &picture) };
    let wet = mesh.material(wet.glossy(0.27, 120.0));

    let fins = fins_of(plan);
    let builder = Builder { plan, body: &body, spine: &spine };
    let mut riders = Riders::default();
    let ivory = plan.mouth.teeth.is_some_and(|teeth| teeth.needles).then(|| {
        let teeth = Material { translucency: 0.5, ..Material::new("teeth", &picture) };
        mesh.material(teeth.glossy(0.07, 40.0))
    });
    builder.body(&mut mesh, &mut rig, [skin, ivory.unwrap_or(skin)]);
    builder.eyes(&mut mesh, [skin, wet]);
    for fin in &fins {
        builder.fin(&mut mesh, &mut rig, [skin, membrane], fin, &mut riders);
    }
    builder.lure(&mut mesh, &mut rig, &picture);
    builder.places(&mut rig);
    if let Some(puffed) = &plan.puffed {
        builder.spines(&mut mesh, skin, puffed, &mut riders);
    }
    let texture = paint(plan, &body, &fins, &noise).to_picture();
    let mut forged = assemble(&plan.name, &plan.about, &mesh, &rig, vec![(picture, texture)]);
    if let Some(puffed) = &plan.puffed {
        let (name, swollen) = (format!("{}_puffed", plan.name), builder.swollen(&mesh, puffed, &riders));
        let Forged { document, .. } = assemble(&name, &plan.about, &swollen, &rig, Vec::new());
        forged.shapes.push((name, document));
    }
    forged
}

fn body_of(plan: &FishPlan) -> Body {
    let outline = &plan.outline;
    let cover = plan.gills.kind == GillKind::Cover;
    Body {
        back: curve(&outline.back),
        belly: curve(&outline.belly),
        width: curve(&outline.width),
        middle: curve(&outline.middle),
        upper: curve(&outline.upper),
        lower: curve(&outline.lower),
        gill: plan.gills.at,
        gill_bend: if cover { plan.gills.bend } else { 0.0 },
        gill_step: if cover { plan.gills.step } else { 0.0 },
    }
}

/// Fins with their regions of the texture; where a place has more fins than regions, the rest use the last one.
fn fins_of(plan: &FishPlan) -> Vec<Fin<'_>> {
    let count = |place: FinPlace| plan.fin.iter().filter(|fin| fin.on == place).count();
    let (backs, bellies) = (count(FinPlace::Back), count(FinPlace::Belly));
    let mut seen = [0; 3];
    let mut next = |which: usize| {
        seen[which] += 1;
        (seen[which] - 1).min([atlas::BACK.len(), atlas::BELLY.len(), atlas::FLANK.len()][which] - 1)
    };
    let rect = |fin: &plan::FinPlan, next: &mut dyn FnMut(usize) -> usize| match fin.on {
        FinPlace::Back if backs < 2 => atlas::WHOLE_BACK,
        FinPlace::Belly if bellies < 2 => atlas::WHOLE_BELLY,
        FinPlace::Back => atlas::BACK[next(0)],
        FinPlace::Belly => atlas::BELLY[next(1)],
        FinPlace::Flank => atlas::FLANK[next(2)],
        FinPlace::Tail | FinPlace::Fluke => atlas::TAIL,
    };
    plan.fin.iter().map(|fin| Fin::new(fin, rect(fin, &mut next))).collect()
}

/// The time line: clips scale with the tail's beat, so a big animal turns slowly.
fn clips(plan: &FishPlan) -> Vec<(Clip, usize)> {
    let beat = plan.swim.beat_s * Rig::FPS;
    let frames = |beats: f32, least: f32, most: f32| (beat * beats).clamp(least, most).round() as usize;
    vec![
        (Clip::Cruise, frames(1.0, 6.0, 300.0)),
        (Clip::Idle, frames(4.0, 60.0, 180.0)),
        (Clip::Burst, frames(0.5, 5.0, 60.0)),
        (Clip::TurnLeft, frames(1.4, 20.0, 75.0)),
        (Clip::TurnRight, frames(1.4, 20.0, 75.0)),
        (Clip::Feed, frames(1.6, 24.0, 60.0)),
    ]
}

/// Seed of the lumps and folds of loose skin.
const LOOSE_SKIN: u64 = 0x70AD;

/// Height of the flesh at a solid fin's foot, as a fraction of its rays.
const FOOT: f32 = 0.3;

struct Builder<'a> {
    plan: &'a FishPlan,
    body: &'a Body,
    spine: &'a Spine,
}

impl Builder<'_> {
    /// Transforms from body axes (standard lengths, snout at the origin) to the model's.
    fn place(&self, p: Vec3) -> Vec3 {
        p * self.plan.outline.standard - Vec3::Z * 0.5
    }

    /// Transforms from the model's axes to the body's.
    fn unplace(&self, p: Vec3) -> Vec3 {
        (p + Vec3::Z * 0.5) / self.plan.outline.standard
    }

    /// Adds the body, of the materials of skin and teeth.
    fn body(&self, mesh: &mut Mesh, rig: &mut Rig, [skin, ivory]: [usize; 2]) {
        let (plan, body) = (self.plan, self.body);
        let part = mesh.part("body", skin);
        let parts = [part, if ivory == skin { part } else { mesh.part("teeth", ivory) }];
        let skins = head::build(mesh, parts, plan, body, |p| self.place(p));
        let corner = plan.mouth.corner();
        if plan.skin.rough + plan.skin.folds > 0.0 {
            let lumps = Noise::new(LOOSE_SKIN);
            mesh.displace(skins.all.clone(), |p, _| {
                let q = self.unplace(p);
                let behind = smoothstep(0.8 * corner.x, 1.5 * corner.x, q.z) * smoothstep(1.0, 0.85, q.z);
                let loose = plan.skin.rough * lumps.fbm(q * 6.5, 3) - plan.skin.folds * skin::crease(&lumps, q);
                plan.outline.standard * behind * loose
            });
        }
        let cut = plan.gills.kind != GillKind::Slits;
        let jaw = cut.then(|| {
            let joint = rig.joint("jaw", Some(self.spine.head()), self.place(Vec3::new(0.0, corner.y, corner.x)));
            let (opening, breathes) = (plan.mouth.opening, plan.gills.kind != GillKind::None);
            rig.animate(joint, |at| {
                let breath = if breathes { 0.06 * at.breath() } else { 0.0 };
                JointPose::turn(rotation_x(-(opening * at.gape()).max(breath)))
            });
            joint
        });
        let covers = (plan.gills.kind == GillKind::Cover).then(|| {
            [1.0_f32, -1.0].map(|side| {
                let x = (body.gill - 0.12).max(0.3 * body.gill);
                let hinge = self.place(Vec3::new(side * body.width.at(x), 0.0, x));
                let name = if side > 0.0 { "gill_r" } else { "gill_l" };
                let joint = rig.joint(name, Some(self.spine.head()), hinge);
                rig.animate(joint, |at| {
                    let open = 0.10 * (1.0 - at.breath()) + 0.25 * at.gape();
                    JointPose::turn(rotation_y(side * open))
                });
                joint
            })
        });
        for (vertex, follows) in mesh.vertices[skins.all].iter_mut().zip(skins.jaw) {
            vertex.skin = self.spine.skin(vertex.position.z);
            let p = self.unplace(vertex.position);
            if let Some(joint) = jaw.filter(|_| follows > 0.0) {
                vertex.skin = vertex.skin.mix(JointWeights::rigid(joint), follows);
            } else if let Some(joints) = covers.filter(|_| p.x != 0.0) {
                // t of the skin is not known here; the relative height serves.
                let h = (p.y - body.belly.at(p.z)) / (body.back.at(p.z) - body.belly.at(p.z)).max(1e-4);
                let behind = body.behind_gill(p.z, h);
                let near = smoothstep(-0.12, -0.012, behind) * smoothstep(0.002, -0.002, behind);
                let open = near * bump(0.45, 0.42, h);
                vertex.skin = vertex.skin.mix(JointWeights::rigid(joints[usize::from(p.x < 0.0)]), open);
            }
        }
    }

    /// Adds the eyes, of the materials of skin and of wet things.
    fn eyes(&self, mesh: &mut Mesh, [skin, wet]: [usize; 2]) {
        let (body, eye) = (self.body, &self.plan.eye);
        let part = mesh.part("eyes", wet);
        let t = body.t_at(eye.x, eye.h);
        let section = body.section(eye.x, t);
        let dome = eye::Dome {
            center: self.place(Vec3::new(section.x, section.y, eye.x)),
            outward: (body.normal(eye.x, t) + Vec3::X * 0.4).normalize(),
            radius: eye.radius * self.plan.outline.standard,
            bulge: eye.bulge,
            cells: self.plan.detail.eye.into(),
            rect: atlas::EYE,
        };
        let sunk = eye::Dome { center: dome.center - dome.outward * (0.22 * eye.socket * dome.radius), ..dome };
        let mut rights = vec![eye::dome(mesh, part, &sunk)];
        if eye.socket > 0.0 {
            let part = mesh.part("sockets", skin);
            rights.push(eye::socket(mesh, part, &dome, eye.socket, |aside| {
                let [dx, dy] = (aside / self.plan.outline.standard).to_array();
                skin::uv_of(eye.x - dx, body.t_at(eye.x - dx, eye.h) + 0.5 * dy)
            }));
        }
        for right in rights {
            let left = mesh.repeat(right.clone(), Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
            for range in [right, left] {
                mesh.skin(range, |_| JointWeights::rigid(self.spine.head()));
            }
        }
    }

    fn fin(&self, mesh: &mut Mesh, rig: &mut Rig, [skin, membrane]: [usize; 2], fin: &Fin<'_>, riders: &mut Riders) {
        let plan = fin.plan;
        // Scales in relief do not grow on fins.
        let bare = plan.thickness > 0.0 && self.plan.skin.relief == 0.0;
        let part = mesh.part(&plan.name, if bare { skin } else { membrane });
        if plan.on == FinPlace::Flank {
            let sides = self.pair(mesh, rig, part, fin);
            riders.fins.extend(sides.map(|side| (side, plan.cells[1] + 1)));
            return;
        }
        let (copies, apart) = plan.copies.unwrap_or((1, 0.0));
        for copy in 0..copies {
            let behind = copy as f32 * apart;
            let range = self.surface(mesh, part, fin, |s, t| fin.median_point(self.body, behind, s, t));
            mesh.skin(range.clone(), |p| self.spine.skin(p.z));
            riders.fins.push((range.clone(), plan.cells[1] + 1));
            if plan.beat > 0.0 && matches!(plan.on, FinPlace::Back | FinPlace::Belly) {
                self.waving(mesh, rig, fin, range);
            }
        }
    }

    /// Adds two joints that wave a fin of back or belly from side to side, the hind one later.
    fn waving(&self, mesh: &mut Mesh, rig: &mut Rig, fin: &Fin<'_>, range: Range<usize>) {
        let plan = fin.plan;
        let rows = plan.cells[1];
        let sides = if plan.thickness > 0.0 { 2 } else { 1 };
        let joints = [0.25, 0.75].map(|s| {
            let root = self.place(fin.median_point(self.body, 0.0, s, 0.0));
            let parent = self.spine.skin(root.z).0[0].0;
            let joint =
                rig.joint(&format!("{}_{}", plan.name, if s < 0.5 { "fore" } else { "hind" }), Some(parent), root);
            rig.animate(joint, |at| {
                let strokes = plan.strokes as f32 * if at.clip == Clip::Idle { 3.0 } else { 1.0 };
                let swing = plan.beat * sin(TAU * (at.phase * strokes - 0.3 * s));
                JointPose::turn(rotation_z(swing * if at.clip == Clip::Idle { 0.6 } else { 1.0 }))
            });
            joint
        });
        for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
            let t = (index % (rows + 1)) as f32 / rows as f32;
            let column = index / (rows + 1);
            let s = column as f32 / (plan.cells[0] * sides) as f32;
            let hind = JointWeights::rigid(joints[0]).mix(JointWeights::rigid(joints[1]), smoothstep(0.2, 0.8, s));
            vertex.skin = vertex.skin.mix(hind, smoothstep(0.0, 0.5, t));
        }
    }

    /// Adds the fins of both flanks; returns the vertices of each.
    fn pair(&self, mesh: &mut Mesh, rig: &mut Rig, part: usize, fin: &Fin<'_>) -> [Range<usize>; 2] {
        let plan = fin.plan;
        let rows = plan.cells[1];
        let right = self.surface(mesh, part, fin, |s, t| fin.paired_point(self.body, s, t).0);
        let left = mesh.repeat(right.clone(), Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        let (root, axis) = fin.paired_point(self.body, 0.5, 0.0);
        let root = self.place(root);
        for (range, side) in [(right.clone(), 1.0_f32), (left.clone(), -1.0)] {
            let pivot = Vec3::new(root.x * side, root.y, root.z);
            let rooted = self.spine.skin(root.z);
            let parent = rooted.0[0].0;
            let suffix = if side > 0.0 { "r" } else { "l" };
            let joint = rig.joint(&format!("{}_{suffix}", plan.name), Some(parent), pivot);
            let axis = Vec3::new(axis.x, axis.y * side, axis.z * side).normalize_or(Vec3::Y);
            rig.animate(joint, |at| {
                let strokes = plan.strokes as f32 * if at.clip == Clip::Idle { 3.0 } else { 1.0 };
                // The two sides are slightly out of phase; in a sprint they lie close; in a turn the inner one brakes.
                let lag = if side > 0.0 { 0.10 } else { 0.16 };
                let scull = plan.beat * sin(TAU * (at.phase * strokes - lag));
                let folded = if at.clip == Clip::Burst { 0.75 } else { 0.0 };
                let brake = (-at.bend() * side).max(0.0);
                let turn = mix(scull, -0.7 * plan.out, folded) + 0.5 * brake * plan.beat.min(0.6);
                JointPose::turn(rotation_about(axis, turn))
            });
            for (index, vertex) in mesh.vertices[range].iter_mut().enumerate() {
                let t = (index % (rows + 1)) as f32 / rows as f32;
                vertex.skin = rooted.mix(JointWeights::rigid(joint), smoothstep(-0.1, 0.3, t));
            }
        }
        [right, left]
    }

    /// Adds a fin's surface: a sheet, or a solid blade round it.
    fn surface(&self, mesh: &mut Mesh, part: usize, fin: &Fin<'_>, point: impl Fn(f32, f32) -> Vec3) -> Range<usize> {
        let [columns, rows] = fin.plan.cells;
        let thickness = fin.plan.thickness;
        if thickness <= 0.0 {
            return mesh.grid(part, columns, rows, |i, j| {
                let (s, t) = (i as f32 / columns as f32, j as f32 / rows as f32);
                (self.place(point(s, t)), fins::fin_uv(fin.rect, s, t))
            });
        }
        foil::blade(mesh, part, (columns, rows), fin.rect, |s, t| {
            let e = 0.02;
            let along = point((s + e).min(1.0), t) - point((s - e).max(0.0), t);
            let out = point(s, (t + e).min(1.0)) - point(s, (t - e).max(0.0));
            let foot = 1.0 + (fin.plan.foot - 1.0) * powi((1.0 - t / FOOT).max(0.0), 2);
            let thick = thickness * foil::section(s) * (1.0 - t).max(0.0).sqrt() * foot;
            (self.place(point(s, t)), out.cross(along).normalize_or(Vec3::X) * (thick * self.plan.outline.standard))
        })
    }

    /// Adds the named places: those that cleaners visit, and the seat of a camera.
    fn places(&self, rig: &mut Rig) {
        let Self { plan, body, .. } = *self;
        if plan.cleaned {
            let carried = |name: &str| rig.joints.iter().position(|joint| joint.name == name);
            let gills = ["gill_r", "gill_l"].map(|name| carried(name).map_or(self.spine.head(), |joint| joint as u8));
            let side = body.section(plan.gills.at, 0.5);
            rig.place("clean_mouth", self.spine.head(), self.place(Vec3::new(0.0, plan.mouth.corner().y, 0.0)));
            for (joint, name, across) in [(gills[0], "clean_gill_r", 1.0), (gills[1], "clean_gill_l", -1.0)] {
                rig.place(name, joint, self.place(Vec3::new(across * side.x, side.y, plan.gills.at)));
            }
            for (name, x, line) in [("clean_back", 0.45, &body.back), ("clean_belly", 0.55, &body.belly)] {
                let at = self.place(Vec3::new(0.0, line.at(x), x));
                rig.place(name, self.spine.skin(at.z).0[0].0, at);
            }
        }
        if let Some([behind, over]) = plan.camera {
            let at = self.place(Vec3::new(0.0, body.back.at(behind) + over, behind));
            rig.place("camera", self.spine.skin(at.z).0[0].0, at);
        }
    }
}

fn paint(plan: &FishPlan, body: &Body, fins: &[Fin<'_>], noise: &Noise) -> Canvas {
    let side = plan.detail.texture;
    let mut canvas = Canvas::new(side, side, Vec4::new(0.0, 0.0, 0.0, 0.0));
    let skin = skin::SkinPainter::new(plan, body);
    canvas.fill(atlas::BODY, |local, _| {
        let x = body::x_of(((local.x - 0.004) / 0.992).clamp(0.0, 1.0));
        let t = 1.0 - ((local.y - 0.012) / 0.976).clamp(0.0, 1.0);
        skin.color(&body.spot(x, t), noise).extend(1.0)
    });
    for fin in fins {
        let skin = beside(fin.plan, body, |spot| skin.color(spot, noise));
        canvas.fill(fin.rect, |local, _| fin.color(local, skin, noise));
    }
    eye::paint(&mut canvas, atlas::EYE, &plan.eye, noise);
    let inside = plan.mouth.inside.0;
    canvas.fill(atlas::MOUTH, |local, _| (inside * 0.2).lerp(inside, local.y * local.y).extend(1.0));
    let ivory = plan.mouth.teeth.map_or(Vec3::ONE, |teeth| teeth.colour.0);
    let needles = plan.mouth.teeth.is_some_and(|teeth| teeth.needles);
    canvas.fill(atlas::TEETH, |local, _| {
        let root = local.y * local.y;
        // Needles rise out of the gum in its colour.
        let worn = if needles {
            ivory.lerp(inside.lerp(ivory, 0.25), smoothstep(0.40, 0.97, local.y)) * mix(1.0, 0.55, root)
        } else {
            ivory * mix(1.0, 0.45, root)
        };
        worn.extend(1.0)
    });
    if let Some(lure) = plan.lure {
        lure::paint(&mut canvas, &lure, noise);
    }
    canvas.bleed(6);
    canvas
}

/// Mean colour of the skin over which a fin of the flank lies.
fn beside(fin: &plan::FinPlan, body: &Body, color: impl Fn(&BodyPoint) -> Vec3) -> Vec3 {
    let at = |i: usize, j: usize| {
        let x = fin.base[0] + 0.05 + 0.03 * i as f32;
        let h = fin.h + 0.06 * (j as f32 - 2.0);
        color(&body.spot(x.min(1.0), body.t_at(x.min(1.0), h.clamp(0.0, 1.0))))
    };
    (0..25).map(|n| at(n / 5, n % 5)).sum::<Vec3>() / 25.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jaw_opens_when_it_feeds_and_only_then() {
        let text = include_str!("../species/clownfish.toml");
        let plan = read("clownfish.toml", text).expect("a sound species");
        let forged = make(&plan, 1);
        assert_eq!(ms3d::validate(&forged.document), []);
        let jaw = forged.document.joints.iter().find(|joint| joint.name.as_bytes() == b"jaw").expect("it has a jaw");
        let feed = crate::rig::clips_of(&forged.document).into_iter().find(|range| range.clip == Clip::Feed);
        let feed = feed.expect("it feeds");
        let widest = |from: f32, to: f32| {
            let inside = jaw.rotation_keys.iter().filter(|key| (from..=to).contains(&(key.time * Rig::FPS)));
            inside.map(|key| key.value[0].abs()).fold(0.0, f32::max)
        };
        assert!(widest(feed.from, feed.to) > 0.3);
        assert!(widest(1.0, feed.from - 1.0) < 0.1);
    }

    #[test]
    fn a_paired_fin_is_clear_between_its_rays() {
        let plan = read("chromis.toml", include_str!("../species/chromis.toml")).expect("a sound species");
        let forged = make(&plan, 1);
        let (_, texture) = &forged.textures[0];
        let rect = atlas::FLANK[0];
        let alpha = |s: f32, t: f32| {
            let at = (fins::fin_uv(rect, s, t) * texture.width as f32).as_usizevec2();
            texture.rgba[4 * (at.y * texture.width as usize + at.x) + 3]
        };
        let across = |t: f32| (0..200).map(|i| alpha(i as f32 / 200.0, t)).collect::<Vec<_>>();
        let (root, middle, hem) = (across(0.05), across(0.6), across(0.999));
        assert!(root.iter().all(|a| *a >= 129), "{root:?}");
        // Without soft edges all of it is drawn; with them part of it is translucent.
        assert!(middle.iter().all(|a| *a >= 128) && middle.contains(&128) && middle.contains(&130), "{middle:?}");
        assert!(hem.contains(&0), "{hem:?}");
    }
}
