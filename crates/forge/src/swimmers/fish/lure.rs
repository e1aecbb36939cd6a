//! Lures: a rod on the brow and at its end a bulb full of glowing bacteria.
//!
//! After Pietsch 2009: the esca is a simple bulb, pigmented but for a pore at its tip through which it shines, with a few
//! filaments; the rod is thick at its foot and tapers.

use std::f32::consts::TAU;

use glam::{Affine3, Vec2, Vec3};
use math::{mix, smoothstep};

use super::Builder;
use super::atlas;
use super::plan::Lure;
use crate::maths::{cos, powf, rotation_about, rotation_arc, rotation_x, rotation_z, sin};
use crate::paint::{Canvas, rgb};
use crate::rig::JointPose;
use crate::shapes::Rect;
use crate::{JointWeights, Material, Mesh, Noise, Rig};

/// Sides of the rod, and rings along it.
const ROD: (usize, usize) = (7, 14);

/// Sides of the bulb.
const SIDES: usize = 16;

/// The bulb's outline from the end of the rod to its tip: radius and distance, in its greatest radius.
const BULB: [[f32; 2]; 12] = [
    [0.30, -0.12],
    [0.40, 0.10],
    [0.64, 0.30],
    [0.87, 0.58],
    [0.99, 0.95],
    [0.99, 1.28],
    [0.87, 1.62],
    [0.64, 1.88],
    [0.42, 2.01],
    [0.29, 2.10],
    [0.20, 2.20],
    [0.0, 2.24],
];

/// Distance of the light's place from the end of the rod, in the bulb's radii.
const LIGHT: f32 = 1.2;

/// Share of the lure's picture, from below, that shows the rod.
const ROD_PICTURE: f32 = 0.25;

fn picture(bulb: bool) -> Rect {
    let Rect { min, max } = atlas::LURE;
    let border = mix(max.y, min.y, ROD_PICTURE);
    if bulb { Rect { min, max: Vec2::new(max.x, border) } } else { Rect { min: Vec2::new(min.x, border), max } }
}

impl Builder<'_> {
    /// Adds a rod with a luminous end, and two joints that dangle it.
    pub(super) fn lure(&self, mesh: &mut Mesh, rig: &mut Rig, texture: &str) {
        let Some(lure) = self.plan.lure else { return };
        let rod = mesh.material(Material::new("rod", texture).glossy(0.1, 20.0));
        let light = Material { emissive: lure.light.0.to_array(), ..Material::new("light", texture) };
        let light = mesh.material(light.glossy(0.25, 50.0));
        let foot = Vec3::new(0.0, self.body.back.at(lure.at) - 0.012, lure.at);
        // Up, then forward and a little down: an arch that ends before the jaws.
        let arch = |t: f32| {
            let turn = mix(1.9, 3.2, t);
            foot + Vec3::new(0.0, sin(turn) - sin(1.9_f32), cos(turn) - cos(1.9_f32)) * (0.62 * lure.length)
                + Vec3::Y * (0.62 * lure.length * 1.5 * t * (1.0 - 0.55 * t))
        };
        let path: Vec<Vec3> = (0..=ROD.1).map(|i| self.place(arch(i as f32 / ROD.1 as f32))).collect();
        let radius = lure.radius * self.plan.outline.standard;
        let rod = mesh.part("rod", rod);
        let stem = mesh.tube(rod, &path, ROD.0, picture(false), |t| {
            let knots = 1.0 + 0.07 * sin(TAU * 5.5 * t + 1.0);
            radius * knots * (mix(0.46, 0.24, t.sqrt()) + 0.34 * powf(1.0 - t, 9.0) + 0.06 * smoothstep(0.9, 1.0, t))
        });
        let light = mesh.part("light", light);
        let end = path[ROD.1];
        // It hangs from the rod's end, and threads hang from it.
        let hangs = (end - path[ROD.1 - 1]).normalize_or(Vec3::NEG_Y);
        let profile = BULB.map(|[wide, along]| Vec2::new(wide, along) * radius);
        let bulb = mesh.added(|mesh| {
            mesh.revolve(light, &profile, SIDES, picture(true));
        });
        mesh.transform(bulb.clone(), Affine3::from_mat3_translation(rotation_arc(Vec3::Y, hangs), end));
        let threads = mesh.added(|mesh| {
            for (turn, long) in [(0.6, 1.5), (2.9, 1.0), (4.4, 1.25)] {
                let aside = rotation_about(hangs, turn) * hangs.any_orthonormal_vector();
                let along = |t: f32| {
                    let out = aside * (0.45 + 1.35 * long * t * (1.0 - 0.42 * t));
                    end + radius * (hangs * (0.25 + 1.25 * long * t * t) + out)
                };
                let path = [0.0, 0.3, 0.65, 1.0].map(along);
                mesh.tube(rod, &path, 3, picture(false), |t| 0.10 * radius * (1.0 - t).sqrt());
            }
        });
        let head = self.spine.head();
        let first = rig.joint("rod", Some(head), path[0]);
        let second = rig.joint("light", Some(first), path[ROD.1 / 2 + 1]);
        // A place by name: the source of the light.
        rig.joint("lure", Some(second), end + hangs * (LIGHT * radius));
        for (joint, amount, lag) in [(first, 0.10, 0.0), (second, 0.22, 0.2)] {
            rig.animate(joint, |at| {
                let sway = |count: f32| sin(TAU * (count * at.phase - lag));
                let nod = amount * sway(1.0) - 0.6 * amount * at.gape();
                JointPose::turn(rotation_x(nod) * rotation_z(0.7 * amount * sway(2.0)))
            });
        }
        for range in [bulb, threads] {
            mesh.skin(range, |_| JointWeights::rigid(second));
        }
        for (index, vertex) in mesh.vertices[stem].iter_mut().enumerate() {
            let t = (index / (ROD.0 + 1)) as f32 / ROD.1 as f32;
            let upper = JointWeights::rigid(head).mix(JointWeights::rigid(first), smoothstep(0.0, 0.15, t));
            vertex.skin = upper.mix(JointWeights::rigid(second), smoothstep(0.4, 0.75, t));
        }
    }
}

/// Paints bulb and rod. The bulb's picture is what it emits too.
pub(super) fn paint(canvas: &mut Canvas, lure: &Lure, noise: &Noise) {
    let skin = lure.rod.0;
    canvas.fill(picture(true), |local, _| {
        let up = 1.0 - local.y;
        let (cos, sin) = (cos(TAU * local.x), sin(TAU * local.x));
        let place = Vec3::new(1.6 * cos, 4.0 * up, 1.6 * sin);
        let cloud = noise.fbm(place * 1.3, 3);
        // Pigment covers the base in streaks; the flesh shines through it less and less toward the tip.
        let pigment = smoothstep(0.50, 0.16, up + 0.20 * cloud) * 0.96;
        let (grain, _) = noise.cells(place * 4.5);
        let freckle = 0.45 * smoothstep(0.30, 0.14, grain) * smoothstep(0.70, 0.50, up);
        let flesh = rgb(0x4f8f8a).lerp(rgb(0xb9e6dc), smoothstep(0.35, 0.72, up + 0.10 * cloud));
        let flesh = flesh.lerp(rgb(0xfbfff4), smoothstep(0.76, 0.90, up));
        let dark = skin * (0.42 + 0.25 * cloud);
        flesh.lerp(dark, pigment.max(freckle)).max(Vec3::ZERO).extend(1.0)
    });
    canvas.fill(picture(false), |local, _| {
        let rings = 0.5 + 0.5 * noise.fbm(Vec3::new(local.x * 22.0, 1.5 * local.y, 9.0), 3);
        (skin * mix(0.62, 1.12, rings)).extend(1.0)
    });
}
