//! Grey reef shark (*Carcharhinus amblyrhynchos*): grey above, white below, a black edge on the tail.
//!
//! Proportions in total lengths after Garrick 1982 and FishBase: first dorsal begins at 0.30 over the pectorals' inner
//! edge and is 0.11 high, pectorals from 0.23, 0.20 long, pelvics at 0.49, second dorsal and anal at 0.63, tail from
//! 0.76, its upper lobe 0.26. Here in precaudal lengths (x 1.31), as the body plan wants them.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use crate::forge::curve::smoothstep;
use crate::forge::paint::{ramp, rgb};
use crate::forge::swimmers::fish::fins::FinPaint;
use crate::forge::swimmers::fish::{self, Body, Eye, Fin, FishPlan, Gills, Mouth, Scales, Spot, Stand, atlas};
use crate::forge::swimmers::foil::blade_st;
use crate::forge::swimmers::wave::Wave;
use crate::forge::{Curve, Forged, Noise};

const GREY: Vec3 = rgb(0x6d6f6b);
const DARK: Vec3 = rgb(0x4f5250);
const WHITE: Vec3 = rgb(0xdddcd4);
const BLACK: Vec3 = rgb(0x1b1d1e);

/// Makes it.
pub fn make(seed: u64) -> Forged {
    fish::make(&plan(), seed)
}

fn plan() -> FishPlan {
    FishPlan {
        name: "reef_shark",
        about: "Grey reef shark, Carcharhinus amblyrhynchos; proportions after Garrick 1982 and FishBase",
        body: Body {
            back: Curve::new(&[
                (0.0, 0.002),
                (0.012, 0.012),
                (0.03, 0.022),
                (0.07, 0.040),
                (0.13, 0.061),
                (0.22, 0.085),
                (0.33, 0.103),
                (0.43, 0.105),
                (0.56, 0.088),
                (0.70, 0.062),
                (0.83, 0.043),
                (0.93, 0.033),
                (1.0, 0.033),
            ]),
            belly: Curve::new(&[
                (0.0, -0.010),
                (0.012, -0.018),
                (0.03, -0.025),
                (0.07, -0.040),
                (0.13, -0.060),
                (0.22, -0.079),
                (0.33, -0.090),
                (0.45, -0.090),
                (0.58, -0.078),
                (0.70, -0.058),
                (0.83, -0.038),
                (0.93, -0.028),
                (1.0, -0.026),
            ]),
            width: Curve::new(&[
                (0.0, 0.008),
                (0.010, 0.024),
                (0.03, 0.042),
                (0.06, 0.056),
                (0.10, 0.067),
                (0.16, 0.078),
                (0.25, 0.087),
                (0.36, 0.088),
                (0.48, 0.078),
                (0.62, 0.058),
                (0.76, 0.038),
                (0.88, 0.024),
                (0.96, 0.016),
                (1.0, 0.008),
            ]),
            middle: Curve::new(&[(0.0, 0.45), (0.1, 0.42), (0.3, 0.46), (1.0, 0.5)]),
            upper: Curve::new(&[(0.0, 2.0), (0.1, 2.1), (0.3, 1.9), (0.6, 1.8), (1.0, 2.0)]),
            lower: Curve::new(&[(0.0, 2.0), (0.1, 2.5), (0.3, 2.3), (0.7, 2.1), (1.0, 2.0)]),
            gill: 0.28,
            gill_bend: 0.0,
            gill_step: 0.0,
        },
        standard: 0.765,
        eye: Eye { x: 0.086, h: 0.60, radius: 0.0125, bulge: 0.30, iris: (rgb(0x6d7168), rgb(0x3a3e3a)), pupil: 0.55 },
        mouth: Mouth {
            corner: Vec2::new(0.118, -0.04),
            line: 0.006,
            lips: rgb(0xb9b0a8),
            lip_strength: 0.6,
            inside: rgb(0x3a2420),
        },
        fins: fins(),
        gills: Gills::Slits { from: 0.222, to: 0.288, y: (-0.040, 0.030) },
        scales: Scales {
            count: 60.0,
            strength: 0.0,
            lateral: Curve::new(&[(0.2, 0.64), (0.9, 0.55)]),
            lateral_strength: 0.10,
        },
        paint: Box::new(skin),
        rings: (42, 11),
        eye_cells: (3, 12),
        texture: 1024,
        gloss: (0.10, 14.0),
        translucency: 0.3,
        wave: Wave::SHARK,
        beat: 45,
    }
}

fn skin(spot: &Spot, noise: &Noise) -> Vec3 {
    let cloud = noise.fbm(spot.place * 9.0, 3);
    // White reaches highest on the flank as a wedge that runs forward from the pelvic fins.
    let wedge = 0.07 * smoothstep(0.30, 0.48, spot.x) * smoothstep(0.62, 0.52, spot.x);
    let border = 0.40 + wedge - 0.10 * smoothstep(0.12, 0.0, spot.x) + 0.035 * cloud;
    let top = ramp(&[(0.4, rgb(0x7d817f)), (0.6, GREY), (0.85, DARK), (1.0, rgb(0x434849))], spot.h);
    let top = top * (1.0 + 0.05 * cloud + 0.03 * noise.at(spot.place * 60.0));
    let bottom = WHITE * (0.93 + 0.07 * smoothstep(0.0, 0.3, spot.h));
    let color = bottom.lerp(top, smoothstep(border - 0.045, border + 0.075, spot.h));
    color.lerp(DARK, 0.5 * smoothstep(0.95, 1.0, spot.x))
}

/// A solid fin: grey (white below where it has an underside), black toward `black(s, t)`.
fn solid(under: bool, black: impl Fn(f32, f32) -> f32 + 'static) -> FinPaint {
    Box::new(move |u, t| {
        let (s, t, second) = blade_st(Vec2::new(0.02 + 0.96 * u, 0.98 - 0.96 * t));
        let base = if under && !second { WHITE } else { GREY.lerp(DARK, 0.5 * smoothstep(0.0, 0.6, t)) };
        let edge = base.lerp(rgb(0xa7a9a4), 0.35 * smoothstep(0.75, 1.0, s));
        let fibre = 1.0 + 0.03 * (s * 140.0 + 6.0 * t).sin();
        (edge * fibre).lerp(BLACK, black(s, t)).extend(1.0)
    })
}

fn fins() -> Vec<Fin> {
    let tip = |from: f32| move |_s: f32, t: f32| 0.75 * smoothstep(from, from + 0.25, t);
    vec![
        Fin {
            name: "dorsal",
            stand: Stand::Median { up: true, from: 0.375, to: 0.515, lean: (0.62, 0.98), bend: 0.28 },
            rays: Curve::new(&[(0.0, 0.190), (0.12, 0.180), (0.30, 0.130), (0.5, 0.094), (0.8, 0.070), (1.0, 0.066)]),
            cells: (8, 7),
            thickness: 0.010,
            rect: atlas::DORSAL,
            paint: solid(false, |s, t| 0.30 * smoothstep(0.75, 1.0, t) * smoothstep(0.5, 0.0, s)),
        },
        Fin {
            name: "caudal",
            stand: Stand::Caudal { at: 0.970, half: 0.028, spread: (0.95, 0.54), curl: 0.10 },
            rays: Curve::new(&[
                (0.0, 0.205),
                (0.06, 0.195),
                (0.15, 0.142),
                (0.28, 0.104),
                (0.42, 0.100),
                (0.56, 0.118),
                (0.70, 0.158),
                (0.82, 0.218),
                (0.90, 0.272),
                (0.945, 0.310),
                (1.0, 0.335),
            ]),
            cells: (16, 6),
            thickness: 0.010,
            rect: atlas::CAUDAL,
            // The whole hind margin is black; here it is the rays' ends.
            paint: solid(false, |s, t| 0.92 * smoothstep(0.66, 0.82, t) * (1.0 - 0.75 * smoothstep(0.86, 1.0, s))),
        },
        Fin {
            name: "dorsal_2",
            stand: Stand::Median { up: true, from: 0.835, to: 0.895, lean: (0.85, 1.25), bend: 0.2 },
            rays: Curve::new(&[(0.0, 0.046), (0.3, 0.034), (0.7, 0.032), (1.0, 0.046)]),
            cells: (4, 3),
            thickness: 0.005,
            rect: atlas::ANAL,
            paint: solid(false, tip(0.45)),
        },
        Fin {
            name: "anal",
            stand: Stand::Median { up: false, from: 0.830, to: 0.900, lean: (0.85, 1.2), bend: 0.2 },
            rays: Curve::new(&[(0.0, 0.056), (0.25, 0.046), (0.6, 0.032), (1.0, 0.042)]),
            cells: (4, 3),
            thickness: 0.005,
            rect: atlas::ANAL,
            paint: solid(false, tip(0.45)),
        },
        Fin {
            name: "pectoral",
            stand: Stand::Paired {
                at: 0.335,
                h: 0.29,
                base: 0.105,
                slant: 0.46 * PI,
                out: 1.08,
                fan: (0.16, 0.34),
                cup: -0.06,
                scull: (0.05, 1, 0.2),
            },
            rays: Curve::new(&[(0.0, 0.285), (0.10, 0.278), (0.28, 0.205), (0.55, 0.130), (0.85, 0.085), (1.0, 0.072)]),
            cells: (10, 8),
            thickness: 0.011,
            rect: atlas::PECTORAL,
            paint: solid(true, |s, t| 0.55 * smoothstep(0.78, 0.98, t) * smoothstep(0.9, 0.3, s)),
        },
        Fin {
            name: "pelvic",
            stand: Stand::Paired {
                at: 0.665,
                h: 0.16,
                base: 0.062,
                slant: 0.47 * PI,
                out: 0.72,
                fan: (0.30, 0.60),
                cup: 0.0,
                scull: (0.03, 1, 0.3),
            },
            rays: Curve::new(&[(0.0, 0.078), (0.4, 0.062), (1.0, 0.052)]),
            cells: (4, 3),
            thickness: 0.006,
            rect: atlas::PELVIC,
            paint: solid(true, tip(0.6)),
        },
    ]
}
