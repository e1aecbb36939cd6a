//! Colours of the turtle: scutes of the shell, plates of the head, scales of the flippers.

use glam::{Vec2, Vec3, Vec4};
use math::{mix, smoothstep};

use super::{CREAM, EYE, EYES, FORE, HEAD, HIND, MARGINALS, SHELL, TAIL, fore_t, marginal_at, marginal_x, shell_at};
use crate::Noise;
use crate::maths::{atan2, cos, powi, sin};
use crate::paint::{Canvas, ramp, rgb};
use crate::swimmers::fish::{Body, BodyPoint, body, eye};
use crate::swimmers::foil;

/// Middles of the scutes of half a shell (x, distance from the midline over the dome) with their weight (squared
/// radius): five vertebrals, four costals, the marginals.
fn scutes(shell: &Body) -> Vec<(Vec2, f32)> {
    let mut all: Vec<(Vec2, f32)> = [0.105, 0.30, 0.485, 0.67, 0.845].map(|x| (Vec2::new(x, 0.0), 0.0075)).to_vec();
    all.extend(
        [(0.185, 0.215), (0.385, 0.245), (0.585, 0.230), (0.765, 0.160)].map(|(x, w)| (Vec2::new(x, w), 0.0105)),
    );
    all.extend((0..MARGINALS).map(|n| {
        let x = marginal_x(n as f32);
        (Vec2::new(x, (shell.width.at(x) - 0.022).max(0.03)), 0.0)
    }));
    all
}

/// Distances over the dome from the midline, as shares of the way to the lip: painted features are as large on the
/// steep flank as on top.
struct Girth {
    /// Share of the way to the lip at steps of x and of t, from the midline to the lip; `STEPS` + 1 each.
    share: Vec<f32>,
}

impl Girth {
    const STEPS: usize = 64;

    fn new(shell: &Body) -> Self {
        let at = |x: f32, k: usize| shell_at(shell, x, 1.0 - 0.5 * k as f32 / Self::STEPS as f32).truncate();
        let mut share = Vec::new();
        for i in 0..=Self::STEPS {
            let x = i as f32 / Self::STEPS as f32;
            let mut along = vec![0.0];
            for k in 0..Self::STEPS {
                along.push(along[k] + at(x, k).distance(at(x, k + 1)).max(1e-6));
            }
            share.extend(along.iter().map(|a| a / along[Self::STEPS]));
        }
        Self { share }
    }

    /// Share at x and t: 0 at the midline of the back, 1 at the lip; it falls again under the lip.
    fn at(&self, x: f32, t: f32) -> f32 {
        let steps = Self::STEPS as f32;
        let (i, k) = (x.clamp(0.0, 1.0) * steps, 2.0 * (0.5 - (t - 0.5).abs()).clamp(0.0, 0.5) * steps);
        let cell =
            |value: f32| ((value as usize).min(Self::STEPS - 1), value - (value as usize).min(Self::STEPS - 1) as f32);
        let ((i, u), (k, v)) = (cell(i), cell(k));
        let value = |i: usize, k: usize| self.share[i * (Self::STEPS + 1) + k];
        let above = mix(mix(value(i, k), value(i, k + 1), v), mix(value(i + 1, k), value(i + 1, k + 1), v), u);
        if t >= 0.5 { above } else { 1.0 - 0.35 * (0.5 - t) / 0.12 }
    }
}

/// The whole texture.
pub(super) fn paint(shell: &Body, head: &Body, noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(1024, 1024, Vec4::new(0.2, 0.17, 0.1, 1.0));
    let scutes = (scutes(shell), Girth::new(shell), shell);
    let spot = |form: &Body, local: Vec2| {
        let x = body::x_of(((local.x - 0.004) / 0.992).clamp(0.0, 1.0));
        form.spot(x, 1.0 - ((local.y - 0.012) / 0.976).clamp(0.0, 1.0))
    };
    canvas.fill(SHELL, |local, _| shell_color(&spot(shell, local), &scutes, noise).extend(1.0));
    canvas.fill(HEAD, |local, _| head_color(&spot(head, local), head, noise).extend(1.0));
    eye::paint(&mut canvas, EYES, &EYE, noise);
    let cream_below = |place: Vec3, below: f32, size: f32| plates(place, size, noise).lerp(CREAM, below);
    canvas.fill(TAIL, |local, _| cream_below(Vec3::new(local.x * 2.0, local.y, 7.0), 0.3, 9.0).extend(1.0));
    canvas.fill(FORE, |local, _| {
        let (s, t, under) = foil::blade_st(local);
        flipper_color((s, fore_t(t), under), 3.6, noise).extend(1.0)
    });
    canvas.fill(HIND, |local, _| flipper_color(foil::blade_st(local), 2.2, noise).extend(1.0));
    canvas
}

fn shell_color(spot: &BodyPoint, (scutes, girth, shell): &(Vec<(Vec2, f32)>, Girth, &Body), noise: &Noise) -> Vec3 {
    let p = Vec2::new(spot.x, shell.width.at(spot.x) * girth.at(spot.x, spot.t));
    let warp = 0.004 * Vec2::new(noise.at(spot.place * 22.0), noise.at(spot.place * 22.0 + 9.0));
    let (mut best, mut next) = ((f32::MAX, 0), (f32::MAX, 0));
    for (index, (middle, weight)) in scutes.iter().enumerate() {
        let d = (p + warp).distance_squared(*middle) - weight;
        if d < best.0 {
            next = best;
            best = (d, index);
        } else if d < next.0 {
            next = (d, index);
        }
    }
    let (middle, kind) = (scutes[best.1].0, best.1);
    let marginal = kind >= 9;
    // Distance to the seam in carapace lengths.
    let seam = (next.0 - best.0) / (2.0 * middle.distance(scutes[next.1].0)).max(0.05);
    // Streaks radiate from the hind upper corner of each scute.
    let origin = middle
        + match kind {
            0..5 => Vec2::new(0.075, 0.0),
            5..9 => Vec2::new(0.075, -0.05),
            _ => Vec2::new(0.030, -0.030),
        };
    let ray = p - origin;
    let angle = atan2(ray.y, ray.x);
    let turn = Vec3::new(cos(angle), sin(angle), 0.0);
    let streak = noise.fbm(turn * 4.2 + Vec3::new(0.0, 0.0, ray.length() * 3.0 + kind as f32 * 3.7), 3);
    let fine = noise.fbm(turn * 13.0 + Vec3::Z * (ray.length() * 8.0 + kind as f32), 2);
    let tone = 0.44 + 0.85 * streak + 0.26 * fine - 0.6 * (ray.length() - 0.08);
    let mut color = ramp(
        &[
            (0.0, rgb(0x17110b)),
            (0.25, rgb(0x2e2113)),
            (0.5, rgb(0x50371d)),
            (0.78, rgb(0x77572c)),
            (1.0, rgb(0xa8803f)),
        ],
        tone.clamp(0.0, 1.0),
    );
    color *= 0.93 + 0.09 * noise.fbm(spot.place * 14.0, 3);
    // No two scutes are of one shade.
    color *= 0.82 + 0.30 * noise.hash(600 + kind as i32);
    // A film of algae in ragged patches, green where it is thin and grey with silt elsewhere.
    let algae = smoothstep(-0.15, 0.55, noise.fbm(spot.place * 5.0 + 3.0, 4)) * 0.30;
    let silt = smoothstep(-0.2, 0.5, noise.fbm(spot.place * 17.0 + 43.0, 3));
    color = color.lerp(rgb(0x444b32).lerp(rgb(0x5c5946), silt), algae);
    // Seams are grooves with a worn, pale border; finer between marginals.
    let groove = if marginal { 0.34 } else { 0.50 };
    color *= 1.0 - groove * smoothstep(0.0055, 0.0015, seam);
    color = color.lerp(rgb(0xa08a58), 0.45 * smoothstep(0.004, 0.0, (seam - 0.0085).abs()));
    // Scratches and dull spots, along the way it swims.
    let scuff = noise.at(Vec3::new(p.y * 60.0 + 5.0 * p.x, 8.0, p.x * 9.0)).abs();
    color = color
        .lerp(rgb(0x9b8a62), 0.22 * smoothstep(0.05, 0.01, scuff) * smoothstep(0.1, 0.4, noise.at(spot.place * 5.0)));
    // The lip's edge is worn pale.
    color = color.lerp(rgb(0xa08b5c), 0.40 * smoothstep(0.545, 0.505, spot.t));

    // The plastron: cream, a little yellow, stained by a life on sand, with seams where nothing covers them.
    let side = spot.place.x.abs();
    let wander = 0.09 * noise.fbm(spot.place * 6.0 + 3.0, 2);
    let along = spot.x * 5.4 + 0.3 - 5.0 * side * side + wander;
    let (row, within) = (along.floor(), along.fract());
    let edge = within.min(1.0 - within);
    let patchy = smoothstep(-0.25, 0.35, noise.fbm(spot.place * 8.0 + 71.0, 2));
    let seams = smoothstep(0.030, 0.008, edge)
        .max(smoothstep(0.008, 0.002, (side - 0.10 * wander).abs()))
        .max(smoothstep(0.008, 0.002, (side - 0.175 - 0.25 * wander).abs()));
    let stain = noise.fbm(spot.place * 4.5 + 13.0, 4);
    let mut plate = rgb(0xc2b48a).lerp(rgb(0xa8915e), smoothstep(-0.2, 0.7, stain));
    plate = plate.lerp(rgb(0x8c7f55), 0.40 * smoothstep(0.15, 0.6, noise.fbm(spot.place * 7.0 + 29.0, 4)));
    // Warm in the hollows by the bridges, pale where it rests on the sand.
    plate = plate.lerp(rgb(0xa58a52), 0.35 * smoothstep(0.16, 0.30, side));
    plate = plate.lerp(rgb(0xd2c8a4), 0.35 * smoothstep(0.13, 0.02, side + 0.1 * stain));
    let scratch = noise.at(Vec3::new(spot.place.x * 44.0 + 9.0 * spot.x, 3.0, spot.place.z * 7.0)).abs();
    plate *= 1.0 - 0.26 * smoothstep(0.04, 0.006, scratch) * smoothstep(0.1, 0.4, noise.at(spot.place * 6.0 + 51.0));
    plate *= 1.0 + 0.10 * noise.fbm(spot.place * 36.0, 3);
    // Each shield grows from its hind edge in rings, and is of a shade of its own.
    let own = noise.hash(900 + 2 * row as i32 + i32::from(spot.place.x > 0.0));
    plate *= (0.90 + 0.16 * own) * (1.0 + 0.05 * sin(within * 40.0) * smoothstep(0.5, 0.0, within));
    // Specks of old wounds and of growth.
    let (near, _) = noise.cells(spot.place * 26.0 + 5.0);
    plate = plate
        .lerp(rgb(0x6e6040), 0.55 * smoothstep(0.20, 0.10, near) * smoothstep(0.0, 0.3, noise.at(spot.place * 5.0)));
    plate = plate.lerp(rgb(0x7a6640), 0.70 * seams * (0.4 + 0.6 * patchy));
    // Beneath the lip each marginal has a dusky blotch and is shaded by it.
    let n = (marginal_at(spot.x) + 0.5).fract() - 0.55;
    let blotch = smoothstep(0.30, 0.10, n.abs() + 0.12 * stain) * smoothstep(0.36, 0.44, spot.t);
    plate = plate.lerp(rgb(0x5d4f33), 0.65 * blotch);
    plate *= 1.0 - 0.22 * smoothstep(0.34, 0.42, spot.t) * smoothstep(0.49, 0.45, spot.t);
    color.lerp(plate, smoothstep(0.496, 0.486, spot.t))
}

/// Dark scales with pale borders, `size` scales a unit.
fn plates(place: Vec3, size: f32, noise: &Noise) -> Vec3 {
    // Drawn by hand: no border is quite straight.
    let bent = place * size + 0.10 * Vec3::new(noise.at(place * size * 2.3), noise.at(place * size * 2.3 + 40.0), 0.0);
    let (near, next) = noise.cells(bent);
    let border = smoothstep(0.15, 0.05, next - near);
    let scale = rgb(0x2a1f13).lerp(rgb(0x5a4022), 0.5 + 0.5 * noise.at(place * size * 0.7))
        * (1.0 + 0.10 * noise.at(place * size * 5.0));
    // Each a little paler toward its edge.
    (scale * mix(0.86, 1.18, smoothstep(0.5, 0.1, next - near))).lerp(CREAM * 0.92, 0.85 * border)
}

fn head_color(spot: &BodyPoint, head: &Body, noise: &Noise) -> Vec3 {
    let beak = smoothstep(0.15, 0.10, spot.x + 0.10 * (spot.h - 0.5));
    // Large plates on top and cheeks, small ones on the neck.
    let size = mix(7.0, 15.0, smoothstep(0.50, 0.62, spot.x));
    let mut color = plates(spot.place * Vec3::new(1.0, 1.0, 0.8), size, noise);
    let neck = smoothstep(0.52, 0.66, spot.x);
    let ragged = 0.10 * noise.fbm(spot.place * 9.0, 2);
    let below = smoothstep(mix(0.42, 0.60, neck), mix(0.24, 0.30, neck), spot.h + ragged);
    color = color.lerp(CREAM, below * mix(0.95, 0.85, neck));
    // Between the neck's small scales the skin is bare and grey.
    color = color.lerp(rgb(0x8f835c), 0.42 * neck * (1.0 - below));
    // Folds: dark in the troughs of the neck's outline, and creases that come and go.
    let crease = noise.at(Vec3::new(spot.x * 34.0 + 1.5 * noise.at(spot.place * 6.0), 2.0, 1.6 * spot.place.y)).abs();
    color *= 1.0 - 0.34 * neck * smoothstep(0.90, 0.76, spot.x) * smoothstep(0.16, 0.02, crease);
    color *= 1.0 - 0.55 * smoothstep(0.80, 0.96, spot.x) * spot.h;
    let horn =
        rgb(0x8c7a4c).lerp(rgb(0x5a4a2b), smoothstep(0.4, 0.9, spot.h)) * (1.0 + 0.06 * noise.at(spot.place * 40.0));
    color = color.lerp(horn, beak);
    let start = Vec2::new(0.0, 0.5 * (head.back.at(0.0) + head.belly.at(0.0)));
    let corner = Vec2::new(0.235, -0.075);
    let p = Vec2::new(spot.x, spot.y);
    let along = ((p - start).dot(corner - start) / (corner - start).length_squared()).clamp(0.0, 1.0);
    let sag = Vec2::new(0.0, -0.018 * sin(along * 3.1));
    let off = p.distance(start + (corner - start) * along + sag);
    color = color.lerp(rgb(0xb7a874), 0.5 * smoothstep(0.035, 0.015, off));
    color *= 1.0 - 0.75 * smoothstep(0.012, 0.004, off);
    let eye = Vec2::new(EYE.x, mix(head.belly.at(EYE.x), head.back.at(EYE.x), EYE.h));
    let from_eye = p.distance(eye) / EYE.radius;
    color = color.lerp(rgb(0x2b2416), 0.75 * smoothstep(1.55, 1.05, from_eye));
    let nostril = p.distance(Vec2::new(0.028, 0.018)) / 0.012;
    color * (1.0 - 0.7 * smoothstep(1.0, 0.5, nostril))
}

fn flipper_color((s, t, under): (f32, f32, bool), length: f32, noise: &Noise) -> Vec3 {
    let place = Vec3::new(s, t * length, if under { 5.0 } else { 0.0 });
    // A row of big scales along the leading edge, smaller ones behind, the smallest where the arm bends at the shell.
    let size = mix(2.9, 6.4, smoothstep(0.22, 0.62, s)) + 3.0 * smoothstep(0.22, 0.05, t);
    let scales = plates(place, size, noise);
    if !under {
        let worn = scales.lerp(CREAM * 0.8, 0.45 * smoothstep(0.86, 1.0, s));
        return worn.lerp(rgb(0x8f835c), 0.45 * smoothstep(0.20, 0.02, t));
    }
    // Pale below, with dark scales toward the tip and along the edges, and shade where it comes out of the shell.
    let dusky = smoothstep(0.42, 0.85, t + 0.9 * powi(s - 0.45, 2) + 0.20 * noise.fbm(place * 3.0, 2));
    let shade = 1.0 - 0.22 * smoothstep(0.24, 0.02, t);
    (CREAM * (0.93 + 0.09 * noise.fbm(place * 5.0, 3))).lerp(scales, 0.20 + 0.64 * dusky) * shade
}
