//! Table coral, *Acropora hyacinthus*.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{asin, atan2, cos, direction, powf, sin};
use crate::paint::{ramp, rgb};
use crate::shapes::Rect;
use crate::{Canvas, Forged, Material, Mesh, Noise, Rig, assemble};

/// Regions of the texture: a plate from above, the same from below, the stem's bark, a row of branchlets without end.
const ABOVE: Rect = Rect::new(0.0, 0.0, 0.6875, 0.86);
const BELOW: Rect = Rect::new(0.70, 0.0, 1.0, 0.375);
const BARK: Rect = Rect::new(0.70, 0.40, 1.0, 0.61);
const ROW: Rect = Rect::new(0.0, 0.895, 1.0, 0.985);

/// Number of branchlets in the picture of a row, and length of the row.
const ROW_COUNT: i32 = 36;
const ROW_LENGTH: f32 = 0.46;

/// Depth of its foot below the ground, so that it also touches uneven rock.
const ROOT: f32 = 0.08;

/// Makes the coral.
pub fn make(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x7AB1);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("coral", "table_coral.png").membrane(0.05).glossy(0.04, 10.0));
    let lawn = mesh.material(Material::new("branchlets", "table_coral.png").membrane(0.30));
    let [plates, stems] = ["plates", "stem"].map(|name| mesh.part(name, material));
    let twigs = mesh.part("branchlets", lawn);
    let plate = |number, middle, radius, shift| Plate { noise: &noise, number, middle, radius, shift };
    for plate in [
        plate(0, Vec3::new(0.02, 0.34, 0.0), 0.5, 0.0),
        plate(1, Vec3::new(-0.2, 0.27, 0.16), 0.29, 2.0),
        plate(2, Vec3::new(0.2, 0.2, -0.14), 0.26, 4.0),
    ] {
        plate.surfaces(&mut mesh, plates);
        plate.branchlets(&mut mesh, twigs);
        plate.stem(&mut mesh, stems);
    }
    mesh.settle();
    let comment = "a table coral, Acropora hyacinthus, about 1.2 m across";
    assemble("table_coral", comment, &mesh, &Rig::still(), vec![("table_coral.png".into(), paint(&noise).to_picture())])
}

/// Reach of the fingers of a plate's rim, as a fraction of its radius.
fn reach(noise: &Noise, angle: f32) -> f32 {
    let rim = Vec3::new(cos(angle), sin(angle), 2.0);
    0.92 + 0.06 * noise.at(rim * 4.0) + 0.06 * noise.at(rim * 9.0)
}

/// Deadness of a plate at a place on its disc of radius 1: above 0.2 nothing lives.
fn dead(noise: &Noise, q: Vec2) -> f32 {
    noise.fbm((q * 1.15).extend(12.0), 3) + 0.12 * noise.at((q * 9.0).extend(3.0)) - 0.13
}

/// One of the coral's plates with its stem.
struct Plate<'a> {
    noise: &'a Noise,
    /// 0 is the main plate, the widest.
    number: i32,
    middle: Vec3,
    radius: f32,
    /// Offset in the noise that gives its shape.
    shift: f32,
}

impl Plate<'_> {
    fn is_main(&self) -> bool {
        self.number == 0
    }

    /// Its rim as a factor on its radius.
    fn outline(&self, angle: f32) -> f32 {
        let noise = self.noise;
        let way = Vec3::new(cos(angle), self.shift, sin(angle));
        let bite = 0.22 * smoothstep(0.25, 0.55, noise.at(way * 1.9 + 5.0));
        1.0 + 0.18 * noise.fbm(way * 1.2, 2) + 0.08 * noise.at(way * 3.1) + 0.05 * noise.at(way * 6.5) - bite
    }

    /// A point on its upper or lower surface, `t` from 0 in the middle to 1 at the rim.
    fn point(&self, angle: f32, t: f32, lower: bool) -> Vec3 {
        let &Self { noise, radius, shift, .. } = self;
        let out = radius * t * self.outline(angle);
        let (x, z) = (out * cos(angle), out * sin(angle));
        let bowl = 0.15 * powf(t, 2.2) * radius
            + 0.06 * radius * noise.at(Vec3::new(x * 5.0, shift, z * 5.0))
            + 0.03 * radius * t * noise.at(Vec3::new(cos(angle) * 4.0, shift + 7.0, sin(angle) * 4.0));
        let thick =
            if lower { 0.07 * radius * (1.0 - 0.80 * t) + 0.16 * radius * smoothstep(0.4, 0.0, t) } else { 0.0 };
        self.middle + Vec3::new(x, bowl - thick, z)
    }

    fn surfaces(&self, mesh: &mut Mesh, part: usize) {
        let (sides, upper_rings, lower_rings) = if self.is_main() { (30, 5, 3) } else { (17, 3, 2) };
        for (rect, rings, lower) in [(ABOVE, upper_rings, false), (BELOW, lower_rings, true)] {
            mesh.grid(part, sides, rings, |i, j| {
                let angle = -(TAU * (i % sides) as f32 / sides as f32);
                // Seen from outside, rows grow to the right and columns upward: toward the middle on top.
                let t = if lower { j as f32 / rings as f32 } else { 1.0 - j as f32 / rings as f32 };
                (self.point(angle, t, lower), rect.at(Vec2::splat(0.5) + direction(angle) * t * 0.49))
            });
        }
    }

    /// Adds its branchlets, like grass: rings of ribbons that show a row of them each; the last ring fringes the rim.
    fn branchlets(&self, mesh: &mut Mesh, part: usize) {
        let noise = self.noise;
        let (sides, rings) = if self.is_main() { (28, 7) } else { (16, 4) };
        for ring in 0..=rings {
            let fringe = ring == rings;
            // Angle between a ribbon's posts, and the ring's own turn, in radians.
            let (step, turn) = (TAU / sides as f32, 2.4 * ring as f32);
            let out = if fringe { 0.95 } else { ((ring as f32 + 0.7) / rings as f32).sqrt() * 0.92 };
            let along = TAU * out * self.radius / ROW_LENGTH;
            mesh.grid(part, sides, 1, |i, j| {
                let angle = turn - step * (i % sides) as f32;
                let stray = noise.hash((i % sides) as i32 + 64 * ring + 1000 * self.number) - 0.5;
                let t = if fringe {
                    reach(noise, angle) - 0.045
                } else {
                    out + 0.05 * stray
                        + 0.10 * noise.at(Vec3::new(1.4 * cos(angle), 1.4 * sin(angle), 3.1 * ring as f32))
                };
                let live = smoothstep(0.26, 0.16, dead(noise, direction(angle) * t))
                    * if fringe { 1.0 } else { smoothstep(0.0, 0.06, reach(noise, angle) - t) };
                let away = Vec3::new(cos(angle), 0.0, sin(angle));
                let lean = if fringe { away * 1.0 + Vec3::Y * 0.45 } else { Vec3::Y + away * 0.5 * t * t };
                let long = if fringe { 0.058 } else { 0.042 } * mix(0.8, 1.2, stray + 0.5) * live;
                let from = self.point(angle, t, false) - Vec3::Y * 0.005;
                let u = along * i as f32 / sides as f32 + 0.37 * ring as f32;
                (from + lean.normalize() * (long * j as f32), ROW.at(Vec2::new(u, 1.0 - j as f32)))
            });
        }
    }

    /// Adds the stem: the main plate's stands on the ground; the others branch off it in an arc.
    fn stem(&self, mesh: &mut Mesh, part: usize) {
        let &Self { noise, middle, radius, shift, .. } = self;
        let top = middle - Vec3::Y * 0.05 * radius;
        let (foot, sag) = if self.is_main() { (Vec3::Y * -ROOT, 0.0) } else { (Vec3::Y * (0.4 * middle.y), 0.05) };
        let (joints, sides) = if self.is_main() { (8, 12) } else { (3, 7) };
        let waist = if self.is_main() { 0.075_f32 } else { 0.035 };
        let path: Vec<Vec3> = (0..=joints)
            .map(|n| n as f32 / joints as f32)
            .map(|t| foot.lerp(top, t) - Vec3::Y * sag * sin(PI * t))
            .collect();
        mesh.tube(part, &path, sides, BARK, |t| {
            let lobes = 1.0 + 0.25 * noise.at(Vec3::new(t * 4.0, shift, 0.5));
            let spread = if self.is_main() {
                // A crust on the rock, thickest at the ground, drawn in again below it.
                let above = mix(foot.y, top.y, t) / ROOT;
                mix(0.16, waist, smoothstep(-0.2, 1.3, above)) * mix(0.55, 1.0, smoothstep(-1.0, -0.25, above))
            } else {
                0.05 * smoothstep(0.45, 0.0, t)
            };
            waist.max(spread).max(0.30 * radius * smoothstep(0.60, 1.0, t)) * lobes
        });
    }
}

fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(1024, 820, Vec4::ONE);
    for (rect, top) in [(ABOVE, true), (BELOW, false)] {
        canvas.fill(rect, |local, _| plate_color(noise, local, top));
    }
    canvas.fill(Rect::new(0.695, 0.39, 1.0, 0.62), |local, _| {
        let p = Vec3::new(cos(TAU * local.y) * 2.0, local.x * 6.0, sin(TAU * local.y) * 2.0);
        let (near, next) = noise.cells(p * 2.2);
        let c = rgb(0x57503e).lerp(rgb(0x7d6f58), 0.5 + noise.fbm(p * 2.0, 4));
        let c = c.lerp(rgb(0x7a5c56), 0.5 * smoothstep(0.1, 0.3, noise.fbm(p * 1.4 + 21.0, 3)));
        (c * (0.72 + 0.3 * smoothstep(0.0, 0.3, next - near) + 0.22 * noise.at(p * 7.0))).extend(1.0)
    });
    // Transparent above the row, and the feet continue to the picture's edge, so that filtering mixes in the same
    // colours.
    canvas.fill(Rect::new(0.0, 0.87, 1.0, 1.0), |uv, _| {
        let local = ROW.local(Vec2::new(uv.x, mix(0.87, 1.0, uv.y)));
        if local.y < 0.0 { Vec4::ZERO } else { row_color(noise, local.min(Vec2::new(1.0, 0.995))) }
    });
    canvas.bleed(8);
    canvas
}

/// Colour of a row of branchlets, feet at the bottom of the picture: a dark rank stands behind the front one.
fn row_color(noise: &Noise, local: Vec2) -> Vec4 {
    let stops = [(0.0, rgb(0x3a3320)), (0.35, rgb(0x74643f)), (0.70, rgb(0xa08b5c)), (0.92, rgb(0xd6c8a4))];
    let up = 1.0 - local.y;
    for (rank, shade) in [(0, 1.0), (1, 0.55)] {
        let place = local.x * ROW_COUNT as f32 + 0.5 * rank as f32;
        for n in [place.floor() as i32, place.floor() as i32 - 1, place.floor() as i32 + 1] {
            let [tall, bent, aside] =
                [0, 1, 2].map(|k| noise.hash(5000 + 300 * rank + 3 * n.rem_euclid(ROW_COUNT) + k));
            let (high, middle) =
                (mix(0.62, 0.98, tall), n as f32 + 0.5 + 0.3 * (aside - 0.5) + 0.5 * (bent - 0.5) * up);
            // Blunt, a little thinner toward the tip.
            let thick = mix(0.50, 0.30, up / high) * smoothstep(high, high - 0.09, up).sqrt();
            let off = (place - middle) / thick.max(1e-4);
            if off.abs() >= 1.0 {
                continue;
            }
            let round = (1.0 - off * off).sqrt();
            let p = Vec3::new(asin(off) + 7.0 * n as f32, up * 9.0, rank as f32);
            let (cup, _) = noise.cells(p * 1.6);
            let light = mix(0.62, 1.08, round) * (1.0 - 0.35 * smoothstep(0.32, 0.12, cup)) + 0.12 * noise.at(p * 4.0);
            return ((ramp(&stops, up / high) * light * shade * 40.0).round() / 40.0).extend(1.0);
        }
    }
    Vec4::ZERO
}

/// Colour of a plate from above (`top`) or below; `local` is a place in its region of the texture.
fn plate_color(noise: &Noise, local: Vec2, top: bool) -> Vec4 {
    let q = (local - 0.5) * 2.0 / 0.98;
    let (t, angle) = (q.length(), atan2(q.y, q.x));
    let p = (q * 10.0).extend(if top { 0.0 } else { 4.0 });
    // Transparent between the fingers.
    let rim = Vec3::new(cos(angle), sin(angle), 2.0);
    let edge = reach(noise, angle) + 0.06 * noise.at(rim * 23.0) - t;
    let growth = smoothstep(0.10, 0.0, edge);
    // It grew outward year by year.
    let years = 0.5 + 0.5 * sin(t * 46.0 + 2.5 * noise.at(p * 0.22));
    let mut c = rgb(0x5d5438).lerp(rgb(0x87724e), smoothstep(-0.4, 0.4, noise.fbm(p * 0.5, 3)));
    c = c.lerp(rgb(0x75714a), 0.5 * smoothstep(0.1, 0.5, noise.fbm(p * 0.25 + 8.0, 3)));
    let mut light;
    if top {
        // Each dot is a branchlet from above: a pale tip with a ring of cups, in the dark between its neighbours.
        let (near, next) = noise.cells(p * 4.4);
        let (cup, _) = noise.cells(p * 11.0 + 5.0);
        let knob = smoothstep(0.62, 0.20, near);
        c = c.lerp(rgb(0xc8b896), smoothstep(0.30, 0.08, near) * mix(0.55, 0.9, growth));
        light = 0.62 + 0.38 * knob - 0.12 * smoothstep(0.16, 0.0, next - near) + 0.10 * (years - 0.5);
        light -= 0.20 * smoothstep(0.30, 0.12, cup) * smoothstep(0.12, 0.25, near);
        light += 0.12 * noise.fbm(p * 0.7 + 40.0, 2);
    } else {
        // Branches fused to a net fork again and again on their way out; between them it is dark.
        let wander = 1.6 * noise.at(p * 0.5) + 0.8 * noise.at(p * 1.3);
        let ribs = |count: f32| 0.5 + 0.5 * sin(angle * count + wander);
        let rib = mix(mix(ribs(21.0), ribs(42.0), smoothstep(0.25, 0.40, t)), ribs(84.0), smoothstep(0.55, 0.75, t));
        let (knot, next) = noise.cells(p * 2.6 + 3.0);
        let (cup, _) = noise.cells(p * 6.5 + 5.0);
        let net = rib.max(smoothstep(0.16, 0.0, next - knot));
        light = 0.34 + 0.42 * net + 0.14 * noise.fbm(p, 3) - 0.16 * smoothstep(0.3, 0.1, cup);
        c = c.lerp(rgb(0x8d7f6c), 0.5 * net);
    }
    c = c.lerp(rgb(0xb8a890), 0.55 * growth);
    light += 0.10 * growth;
    // Where it has died: first white, then grown over with turf and pink crusts.
    let gone = dead(noise, q);
    let turf = rgb(0x4c4c34).lerp(rgb(0x6e6650), 0.5 + noise.fbm(p * 1.7 + 50.0, 3));
    let turf = turf.lerp(rgb(0x856660), 0.55 * smoothstep(0.12, 0.32, noise.fbm(p * 0.9 + 70.0, 3)));
    c = c.lerp(rgb(0xd8d2c2), 0.85 * smoothstep(0.14, 0.18, gone));
    let over = smoothstep(0.20, 0.25, gone);
    c = c.lerp(turf, over);
    light = mix(light, 0.80 + 0.22 * noise.at(p * 7.0) + 0.15 * noise.at(p * 17.0), 0.75 * over);
    // Few enough shades to compress.
    ((c * light.max(0.12) * 40.0).round() / 40.0).extend(if edge > 0.0 { 1.0 } else { 0.0 })
}
