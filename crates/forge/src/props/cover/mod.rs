//! Small colonies that cover rock: each of some hundred to three thousand triangles, with a small picture in pale, warm
//! tones, which scenes tint.
//!
//! A colony stands on y = 0 and grows toward +y, the rock's normal.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};
use math::{GOLDEN_ANGLE, mix, smoothstep};

use crate::maths::{cos, sin};
use crate::paint::{ramp, rgb};
use crate::props::relief::half_sphere;
use crate::shapes::Rect;
use crate::{Canvas, Category, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

mod cold;
mod debris;
mod round;
mod soft;
mod sponges;
mod stony;

/// The colonies of this module.
pub const ENTRIES: &[&[Entry]] = &[stony::ENTRIES, soft::ENTRIES, sponges::ENTRIES, cold::ENTRIES, debris::ENTRIES];

/// Region of a colony's picture for branches: u runs from foot to tip, v round them; or a dome as seen from above.
const BRANCH: Rect = Rect::new(0.0, 0.0, 1.0, 0.47);
/// Region for bodies: u runs round them, v from the top down; or a dome as seen from above.
const BODY: Rect = Rect::new(0.0, 0.53, 1.0, 1.0);

/// An entry of the catalogue.
const fn entry(name: &'static str, description: &'static str, make: fn(u64) -> Forged) -> Entry {
    Entry { name, kind: Category::Flora, description, make }
}

/// A colony under construction.
struct Colony {
    mesh: Mesh,
    part: usize,
    noise: Noise,
    /// Random numbers drawn so far.
    drawn: i32,
}

/// Place on a picture, as its painter sees it.
struct Place {
    /// From the foot (0) to the tip (1).
    up: f32,
    /// Seamless coordinates for noise, about a unit a radius.
    round: Vec3,
    /// Direction from the middle of a dome.
    dome: Vec3,
}

impl Place {
    /// Seamless coordinates for noise on a limb of so many half widths, its tip a half sphere: nothing gathers at the
    /// tip.
    fn on_limb(&self, length: f32) -> Vec3 {
        let past = (1.0 - length * (1.0 - self.up)).clamp(0.0, 1.0);
        let half = (1.0 - past * past).sqrt();
        Vec3::new(half * self.round.x, length * self.up, half * self.round.z)
    }

    /// Seamless coordinates for noise on a disc turned from a profile, the rim about 1 from the middle.
    fn on_disc(&self) -> Vec3 {
        let out = 1.0 - (2.0 * self.up - 1.0).abs();
        Vec3::new(out * self.round.x, 5.0 * self.up.round(), out * self.round.z)
    }
}

impl Colony {
    /// An empty colony whose surface is `material`.
    fn new(material: Material, seed: u64) -> Self {
        let mut mesh = Mesh::new();
        let material = mesh.material(material);
        let part = mesh.part("colony", material);
        Self { mesh, part, noise: Noise::new(seed), drawn: 0 }
    }

    /// The next random number in 0..1.
    fn chance(&mut self) -> f32 {
        self.drawn += 1;
        self.noise.hash(self.drawn)
    }

    /// A random number from a range.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        mix(low, high, self.chance())
    }

    /// Adds a branch along a path whose half width is `thick` times that of `profile` (share of the length, width).
    fn branch(&mut self, path: &[Vec3], sides: usize, thick: f32, profile: &[(f32, f32)]) {
        let width = |t: f32| {
            let after = profile.partition_point(|stop| stop.0 < t - 1e-4).min(profile.len() - 1);
            let (a, b) = (profile[after.saturating_sub(1)], profile[after]);
            let share = if b.0 > a.0 { ((t - a.0) / (b.0 - a.0)).clamp(0.0, 1.0) } else { 1.0 };
            thick * mix(a.1, b.1, share)
        };
        self.mesh.tube(self.part, path, sides, BRANCH, width);
    }

    /// Adds a surface of revolution, moved by `warp(point, way)` with its direction from the axis.
    fn body(&mut self, profile: &[(f32, f32)], sides: usize, warp: impl Fn(Vec3, Vec3) -> Vec3) {
        let profile: Vec<Vec2> = profile.iter().map(|&p| Vec2::from(p)).collect();
        let range = self.mesh.revolve(self.part, &profile, sides, BODY);
        self.mesh.bend(range, |p| warp(p, p.with_y(0.0).normalize_or_zero()));
    }

    /// Adds a dome of a radius and height, its surface at `lobes(way)` times that.
    fn dome(&mut self, cells: usize, size: Vec2, lobes: impl Fn(Vec3) -> f32) {
        self.mesh.drape(self.part, (cells, cells), BODY, |uv| {
            let way = half_sphere(uv);
            way * Vec3::new(size.x, size.y, size.x) * lobes(way)
        });
    }

    /// Paints and finishes the colony: `branch` and `body` colour the two regions of a picture `side` texels wide.
    fn finish(
        mut self,
        (name, comment): (&str, &str),
        side: usize,
        branch: impl Fn(&Place) -> Vec3,
        body: impl Fn(&Place) -> Vec3,
    ) -> Forged {
        self.mesh.settle();
        let mut canvas = Canvas::new(side, side, Vec4::ONE);
        let (half, rim) = (Rect::new(0.0, 0.0, 1.0, 0.5), Rect::new(0.0, 0.5, 1.0, 1.0));
        // Few enough shades to compress; grain hides the steps.
        let finished = |c: Vec3| ((c.clamp(Vec3::ZERO, Vec3::ONE) * 30.0).round() / 30.0).extend(1.0);
        canvas.fill(half, |p, _| {
            let at = BRANCH.local(half.at(p)).clamp(Vec2::ZERO, Vec2::ONE);
            let turn = TAU * at.y;
            let round = Vec3::new(cos(turn), 7.0 * at.x, sin(turn));
            finished(branch(&Place { up: at.x, round, dome: half_sphere(at) }))
        });
        canvas.fill(rim, |p, _| {
            let at = BODY.local(rim.at(p)).clamp(Vec2::ZERO, Vec2::ONE);
            let turn = TAU * at.x;
            let round = Vec3::new(cos(turn), 4.0 * (1.0 - at.y), sin(turn));
            finished(body(&Place { up: 1.0 - at.y, round, dome: half_sphere(at) }))
        });
        assemble(name, comment, &self.mesh, &Rig::still(), vec![(format!("{name}.png"), canvas.to_picture())])
    }
}

/// Material of a colony: opaque and matt.
fn matt(name: &str) -> Material {
    Material::new("colony", &format!("{name}.png"))
}

/// Direction at an angle round +y, and its tilt from +y. Unit: rad.
fn leaning(around: f32, tilt: f32) -> Vec3 {
    Vec3::new(cos(around) * sin(tilt), cos(tilt), sin(around) * sin(tilt))
}

/// Angle and distance from the middle of the `n`-th of `count` places spread evenly over a disc of radius 1.
fn sown(n: usize, count: usize) -> (f32, f32) {
    (n as f32 * GOLDEN_ANGLE, ((n as f32 + 0.4) / count as f32).sqrt())
}

/// A skin of polyps: `stops` from the foot to the tip; each polyp a dark cup in a pale ring.
fn polyps(noise: &Noise, place: &Place, size: f32, stops: &[(f32, Vec3)]) -> Vec3 {
    let q = place.round * size;
    let (cup, next) = noise.cells(q);
    let ring = smoothstep(0.55, 0.36, cup) * smoothstep(0.20, 0.32, cup);
    let tone = ramp(stops, place.up + 0.06 * noise.at(place.round * 1.7));
    let light = 0.92 + 0.20 * ring - 0.34 * smoothstep(0.24, 0.10, cup) - 0.14 * smoothstep(0.12, 0.0, next - cup);
    tone * (light + 0.10 * noise.at(place.round * 3.1 + 9.0))
}

/// Tones of most stony colonies: shaded foot, body, pale growing tip.
const STONY: [(f32, Vec3); 4] =
    [(0.0, rgb(0x40382c)), (0.3, rgb(0x83745c)), (0.75, rgb(0xa8987a)), (0.98, rgb(0xded4c0))];

/// Tones of soft colonies: a paler body, hardly lighter at its tips.
const SOFT: [(f32, Vec3); 4] =
    [(0.0, rgb(0x574c40)), (0.25, rgb(0x96886f)), (0.7, rgb(0xb3a48a)), (1.0, rgb(0xcdc0a8))];
