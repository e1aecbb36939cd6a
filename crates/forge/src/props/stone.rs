//! Weathered reef limestone: its grain, and what grows on it as flat as paint.

use glam::Vec3;
use math::smoothstep;

use crate::Noise;
use crate::paint::{over, rgb};
use crate::props::relief::ReliefTexel;

/// Height of the fine grain of weathered limestone at a place (in units of half a metre or so).
pub fn weathering(noise: &Noise, p: Vec3) -> f32 {
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
pub fn reef_stone(noise: &Noise, spot: &ReliefTexel, p: Vec3) -> Vec3 {
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
