//! Table coral, *Acropora hyacinthus*.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{asin, atan2, cos, direction, powf, rotation_y, sin};
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
        // Layers have grown over each other: a low step here and there.
        let layer = |at: f32, k: f32| {
            let edge = at + 0.16 * noise.at(Vec3::new(cos(angle) * 1.7, shift + k, sin(angle) * 1.7));
            smoothstep(edge - 0.05, edge + 0.05, t) - 0.7 * smoothstep(edge + 0.05, edge + 0.34, t)
        };
        let bowl = bowl - 0.055 * radius * (layer(0.42, 11.0) + layer(0.72, 17.0));
        let thick =
            if lower { 0.07 * radius * (1.0 - 0.80 * t) + 0.16 * radius * smoothstep(0.4, 0.0, t) } else { 0.0 };
        self.middle + Vec3::new(x, bowl - thick, z)
    }

    fn surfaces(&self, mesh: &mut Mesh, part: usize) {
        let (sides, upper_rings, lower_rings) = if self.is_main() { (30, 7, 3) } else { (17, 4, 2) };
        for (rect, rings, lower) in [(ABOVE, upper_rings, false), (BELOW, lower_rings, true)] {
            mesh.grid(part, sides, rings, |i, j| {
                let angle = -(TAU * (i % sides) as f32 / sides as f32);
                // Seen from outside, rows grow to the right and columns upward: toward the middle on top.
                let t = if lower { j as f32 / rings as f32 } else { 1.0 - j as f32 / rings as f32 };
                (self.point(angle, t, lower), rect.at(Vec2::splat(0.5) + direction(angle) * t * 0.49))
            });
        }
    }

    /// Adds its branchlets: a mat of small cards strewn without rows, each of which shows a few, leaning outward; and a
    /// ragged fringe at the rim.
    fn branchlets(&self, mesh: &mut Mesh, part: usize) {
        let noise = self.noise;
        let (mat, fringe) = if self.is_main() { (470, 54) } else { (125, 26) };
        for n in 0..mat {
            let [a, b, turn, long, wide] = [0, 1, 2, 3, 4].map(|k| noise.hash(7000 + 8 * n + k + 9000 * self.number));
            // A sunflower's spiral, shaken.
            let angle = 2.399_963 * n as f32 + 0.5 * (a - 0.5);
            let t = ((n as f32 + 0.5) / mat as f32).sqrt() * 0.94 + 0.05 * (b - 0.5);
            let edge = reach(noise, angle) - 0.02 - t;
            let live = smoothstep(0.24, 0.15, dead(noise, direction(angle) * t)) * smoothstep(0.0, 0.05, edge);
            if live < 0.3 {
                continue;
            }
            let away = Vec3::new(cos(angle), 0.0, sin(angle));
            let across = rotation_y(PI * turn) * Vec3::X;
            let lean = (Vec3::Y + away * mix(0.15, 0.75, t * t) + 0.35 * (a - 0.5) * across).normalize();
            let size = [mix(0.018, 0.034, wide), mix(0.017, 0.035, long * long) * mix(0.6, 1.0, live)];
            self.card(mesh, part, self.point(angle, t, false), (across, lean), size, a + 3.0 * b);
        }
        for n in 0..fringe {
            let [a, b, c] = [0, 1, 2].map(|k| noise.hash(8800 + 4 * n + k + 9000 * self.number));
            let angle = TAU * (n as f32 + 0.8 * (a - 0.5)) / fringe as f32;
            let t = reach(noise, angle) - mix(0.02, 0.09, b);
            if dead(noise, direction(angle) * t) > 0.22 {
                continue;
            }
            let away = Vec3::new(cos(angle), 0.0, sin(angle));
            let across = rotation_y(1.1 * (c - 0.5)) * away.cross(Vec3::Y);
            let lean = (away + Vec3::Y * mix(0.15, 0.8, c)).normalize();
            let size = [mix(0.018, 0.034, c), mix(0.030, 0.068, a * b)];
            self.card(mesh, part, self.point(angle, t, false), (across, lean), size, b);
        }
    }

    /// Adds a card of branchlets that stands at `foot` along `lean`, of half a width and a length, from `from` in the
    /// picture of a row. It is lit as the mat is, not as a sheet.
    fn card(
        &self,
        mesh: &mut Mesh,
        part: usize,
        foot: Vec3,
        (across, lean): (Vec3, Vec3),
        [half, long]: [f32; 2],
        from: f32,
    ) {
        let foot = foot - Vec3::Y * 0.005;
        let ids = [(-1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (-1.0, 1.0)].map(|(s, up): (f32, f32)| {
            let u = from + 0.5 * (s + 1.0) * 2.0 * half / ROW_LENGTH;
            let id = mesh.vertex(foot + across * (s * half) + lean * (long * up), ROW.at(Vec2::new(u, 1.0 - up)));
            mesh.vertices[id as usize].normal = Some((lean + 0.25 * s * across).normalize());
            id
        });
        mesh.quad(part, ids);
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
