//! The diver's texture: neoprene with seams, a vest, a painted tank.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use math::smoothstep;

use crate::Noise;
use crate::curve::bump;
use crate::maths::{cos, sin};
use crate::paint::{Canvas, rgb};
use crate::shapes::Rect;
use crate::swimmers::foil;

// Parts of the texture; u along what wears them, v round it.
pub const SUIT: Rect = Rect::new(0.0, 0.0, 0.49, 0.30);
pub const VEST: Rect = Rect::new(0.50, 0.0, 1.0, 0.30);
pub const HEAD: Rect = Rect::new(0.0, 0.31, 0.30, 0.55);
pub const LEG: Rect = Rect::new(0.31, 0.31, 0.75, 0.50);
pub const ARM: Rect = Rect::new(0.31, 0.51, 0.75, 0.66);
pub const TANK: Rect = Rect::new(0.76, 0.31, 1.0, 0.55);
pub const GLOVE: Rect = Rect::new(0.76, 0.56, 1.0, 0.66);
pub const BLADE: Rect = Rect::new(0.0, 0.56, 0.30, 0.86);
pub const FOOT: Rect = Rect::new(0.0, 0.87, 0.30, 1.0);
pub const MASK: Rect = Rect::new(0.31, 0.67, 0.50, 0.77);
pub const GLASS: Rect = Rect::new(0.51, 0.67, 0.66, 0.82);
pub const RUBBER: Rect = Rect::new(0.67, 0.67, 0.80, 0.77);
pub const METAL: Rect = Rect::new(0.81, 0.67, 1.0, 0.77);
pub const COVER: Rect = Rect::new(0.51, 0.83, 0.66, 1.0);
pub const BELT: Rect = Rect::new(0.31, 0.83, 0.50, 1.0);
pub const TORCH_BODY: Rect = Rect::new(0.67, 0.78, 0.80, 0.95);
pub const LAMP: Rect = Rect::new(0.81, 0.78, 0.95, 0.95);

const NEOPRENE: Vec3 = rgb(0x4a5058);
const PANEL: Vec3 = rgb(0x7a838c);
const NYLON: Vec3 = rgb(0x292c31);
const GREY: Vec3 = rgb(0x8b939b);
const YELLOW: Vec3 = rgb(0xdca928);
const SKIN: Vec3 = rgb(0xc9957a);

/// Paints the texture.
pub fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(1024, 1024, NYLON.extend(1.0));
    let grain = |at: Vec2, scale: f32| 1.0 + 0.09 * noise.fbm((at * scale).extend(0.3), 3);
    canvas.fill(SUIT, |p, _| {
        let mut color = NEOPRENE * grain(p, 30.0);
        // Seams down the flanks and the spine.
        for v in [0.0, 0.5, 0.75, 1.0] {
            color = color.lerp(PANEL, 0.6 * line(p.y - v, 0.007));
        }
        (color * folds(p, 14.0, noise)).extend(1.0)
    });
    canvas.fill(VEST, |p, _| vest_color(p, noise).extend(1.0));
    canvas.fill(HEAD, |p, _| head_color(p, noise).extend(1.0));
    canvas.fill(LEG, |p, _| {
        let mut color = NEOPRENE * grain(p, 34.0);
        // A grey panel down the outer side, a pad on the knee, seams between.
        let outer = bump(0.0, 0.10, p.y).max(bump(1.0, 0.10, p.y)).max(bump(0.5, 0.10, p.y));
        color = color.lerp(PANEL, 0.8 * smoothstep(0.2, 0.4, outer) * smoothstep(0.10, 0.16, p.x));
        let pad = bump(0.53, 0.10, p.x) * bump(0.25, 0.14, p.y);
        color = color.lerp(NYLON, smoothstep(0.05, 0.2, pad));
        for v in [0.10, 0.40, 0.60, 0.90] {
            color = color.lerp(PANEL * 1.2, 0.5 * line(p.y - v, 0.010));
        }
        let bend = bump(0.53, 0.12, p.x);
        (color * folds(p, 10.0 + 16.0 * bend, noise)).extend(1.0)
    });
    canvas.fill(ARM, |p, _| {
        let mut color = NEOPRENE * grain(p, 30.0);
        // A band of colour about the shoulder.
        let band = smoothstep(0.20, 0.215, p.x) * smoothstep(0.36, 0.345, p.x);
        color = color.lerp(YELLOW * 0.92, band);
        color = color.lerp(NYLON, 0.8 * (line(p.x - 0.205, 0.008) + line(p.x - 0.355, 0.008)).min(1.0));
        color = color.lerp(PANEL, 0.5 * line(p.y - 0.5, 0.012));
        color = color.lerp(NYLON, smoothstep(0.95, 0.96, p.x));
        let bend = bump(0.56, 0.12, p.x);
        (color * folds(p, 8.0 + 12.0 * bend, noise)).extend(1.0)
    });
    canvas.fill(TANK, |p, _| tank_color(p, noise).extend(1.0));
    canvas.fill(GLOVE, |p, _| (rgb(0x2c2f35) * grain(p, 20.0)).extend(1.0));
    canvas.fill(BLADE, |p, _| blade_color(p, noise).extend(1.0));
    canvas.fill(FOOT, |p, _| {
        // A dark pocket, open at the heel where the strap crosses the boot.
        let mut color = rgb(0x23252a) * grain(p, 24.0);
        color = color.lerp(GREY, 0.7 * line(p.x - 0.10, 0.03));
        (color.lerp(YELLOW * 0.9, smoothstep(0.86, 0.90, p.x))).extend(1.0)
    });
    canvas.fill(MASK, |p, _| {
        // A pale skirt behind a frame of colour.
        let color = rgb(0x6a737a).lerp(rgb(0x2b2e33), smoothstep(0.60, 0.66, p.x));
        color.lerp(YELLOW * 0.9, smoothstep(0.70, 0.74, p.x) * smoothstep(0.97, 0.92, p.x)).extend(1.0)
    });
    canvas.fill(GLASS, |p, _| glass_color(p).extend(1.0));
    canvas.fill(RUBBER, |p, _| {
        let rings = 1.0 - 0.18 * (0.5 + 0.5 * cos(TAU * 12.0 * p.x));
        (rgb(0x26282c) * rings).extend(1.0)
    });
    canvas.fill(COVER, |p, _| {
        // The regulator's rubber rim, and its pale cover with a dark middle.
        let color = rgb(0x26282c).lerp(rgb(0xaab1b6), smoothstep(0.30, 0.34, p.x));
        color.lerp(rgb(0x30343a), smoothstep(0.90, 0.94, p.x)).extend(1.0)
    });
    canvas.fill(METAL, |p, _| {
        let around = 0.85 + 0.15 * cos(2.0 * TAU * p.y);
        (rgb(0xa3a8ab) * around * grain(p, 12.0)).extend(1.0)
    });
    canvas.fill(BELT, |p, _| {
        let mut color = rgb(0x3c4047) * grain(p, 20.0);
        color = color.lerp(GREY, 0.6 * line(p.x - 0.30, 0.02));
        color.extend(1.0)
    });
    canvas.fill(TORCH_BODY, |p, _| rgb(0x1d1f22).lerp(YELLOW, smoothstep(0.66, 0.70, p.x)).extend(1.0));
    canvas.fill(LAMP, |_, _| rgb(0xfffbef).extend(1.0));
    canvas
}

/// Strength of a thin line: 1 on it, 0 from `half` away.
fn line(off: f32, half: f32) -> f32 {
    smoothstep(half, 0.5 * half, off.abs())
}

/// Light and dark of wrinkles across a limb.
fn folds(p: Vec2, strength: f32, noise: &Noise) -> f32 {
    let place = Vec3::new(16.0 * p.x + 0.5 * sin(TAU * p.y), 1.4 * cos(TAU * p.y), 1.4 * sin(TAU * p.y));
    1.0 + 0.01 * strength * noise.fbm(place, 3)
}

fn vest_color(p: Vec2, noise: &Noise) -> Vec3 {
    let mut color = NYLON * (1.0 + 0.10 * noise.fbm((p * 26.0).extend(2.0), 3));
    // Grey panels over the bladder, edged; a band of colour at the shoulders.
    let wing = bump(0.63, 0.12, p.y).max(bump(0.87, 0.12, p.y));
    color = color.lerp(GREY * 0.75, 0.8 * smoothstep(0.25, 0.4, wing) * smoothstep(0.28, 0.32, p.x));
    let strap =
        line(p.y - 0.14, 0.03).max(line(p.y - 0.36, 0.03)).max(line(p.y - 0.66, 0.03)).max(line(p.y - 0.84, 0.03));
    let shoulder = smoothstep(0.06, 0.08, p.x) * smoothstep(0.30, 0.27, p.x);
    color = color.lerp(YELLOW * 0.9, strap * shoulder);
    // Webbing across the belly with its buckle, and the dark of the edges.
    let webbing = line(p.x - 0.80, 0.035);
    color = color.lerp(GREY * 0.7, 0.8 * webbing);
    color = color.lerp(rgb(0xb0b4b8), webbing * line(p.y - 0.25, 0.02));
    color * (1.0 - 0.4 * (smoothstep(0.06, 0.0, p.x) + smoothstep(0.94, 1.0, p.x)))
}

fn head_color(p: Vec2, noise: &Noise) -> Vec3 {
    let mut color = NEOPRENE * 0.92 * (1.0 + 0.09 * noise.fbm((p * 24.0).extend(5.0), 3));
    color = color.lerp(PANEL, 0.45 * line(p.y - 0.0, 0.012).max(line(p.y - 1.0, 0.012)));
    // Cheeks and lips in the opening of the hood, under the mask.
    let across = ((p.y - 0.5) / 0.135).abs();
    let along = ((p.x - 0.40) / 0.17).abs();
    let open = smoothstep(1.0, 0.86, (across * across + along * along).sqrt());
    let skin = SKIN * (1.0 + 0.06 * noise.fbm((p * 40.0).extend(8.0), 2));
    color = color.lerp(skin, open);
    color * (1.0 - 0.35 * smoothstep(0.16, 0.04, p.x))
}

fn tank_color(p: Vec2, noise: &Noise) -> Vec3 {
    let worn = 1.0 + 0.07 * noise.fbm(Vec3::new(p.x * 16.0, 2.0 * cos(TAU * p.y), 2.0 * sin(TAU * p.y)), 4);
    let mut color = YELLOW * worn;
    // Black boot, bands of the harness, bare shoulder.
    color = color.lerp(rgb(0x18191b), smoothstep(0.093, 0.088, p.x));
    for at in [0.34, 0.62] {
        color = color.lerp(rgb(0x1b1d20), smoothstep(0.034, 0.030, (p.x - at).abs()));
    }
    color = color.lerp(rgb(0x9da3a7), smoothstep(0.855, 0.865, p.x));
    let scuffs = smoothstep(0.55, 0.75, noise.ridged(Vec3::new(p.x * 9.0, p.y * 22.0, 3.0), 2));
    color.lerp(color * 0.72, 0.25 * scuffs)
}

fn blade_color(p: Vec2, noise: &Noise) -> Vec3 {
    let (s, t, _) = foil::blade_st(p);
    let across = (2.0 * s - 1.0).abs();
    let mut color = YELLOW * (0.96 + 0.08 * noise.fbm((p * 20.0).extend(4.0), 3));
    // Black rails and ribs, and a dark root.
    let rail = smoothstep(0.74, 0.78, across);
    let rib = line(across - 0.30, 0.05) * smoothstep(0.25, 0.30, t) * smoothstep(0.85, 0.80, t);
    color = color.lerp(rgb(0x202226), rail.max(0.8 * rib));
    color.lerp(rgb(0x202226), smoothstep(0.30, 0.22, t))
}

/// Glass over dark: the brow's shade above, a pale face and eyes dimly behind, a bright streak.
fn glass_color(p: Vec2) -> Vec3 {
    let at = Vec2::new(2.0 * p.x - 1.0, 2.0 * p.y - 1.0);
    let mut color = rgb(0x23343d).lerp(rgb(0x0f1519), smoothstep(-0.2, 0.9, at.y.abs()));
    color = color
        .lerp(SKIN * 0.42, 0.75 * smoothstep(0.95, 0.5, ((at - Vec2::new(0.0, 0.1)) * Vec2::new(1.0, 1.1)).length()));
    for side in [-1.0_f32, 1.0] {
        let eye = ((at - Vec2::new(0.42 * side, -0.05)) / Vec2::new(0.20, 0.13)).length();
        color = color.lerp(rgb(0x141110), 0.8 * smoothstep(1.0, 0.6, eye));
    }
    let streak = line(at.x + 0.5 * at.y - 0.55, 0.16);
    color.lerp(rgb(0x9fc4d0), 0.45 * streak)
}
