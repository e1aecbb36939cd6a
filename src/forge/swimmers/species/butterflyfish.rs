//! Threadfin butterflyfish (*Chaetodon auriga*): white with chevrons, a black band through the eye, yellow behind.
//!
//! After FishBase (*C. auriga*, to 23 cm) and Allen, Steene & Allen 1998: body depth 0.58 of the standard length, short
//! pointed snout, one dorsal fin with stout spines, its soft part with a black spot and a trailing thread.

use std::f32::consts::PI;

use glam::{Vec2, Vec3, Vec4};

use crate::forge::curve::smoothstep;
use crate::forge::paint::{ramp, rgb};
use crate::forge::swimmers::fish::fins::{FinPaint, notched, plain, ray_shade};
use crate::forge::swimmers::fish::{self, Body, Eye, Fin, FishPlan, Gills, Mouth, Scales, Spot, Stand, atlas};
use crate::forge::swimmers::wave::Wave;
use crate::forge::{Curve, Forged, Noise};

const WHITE: Vec3 = rgb(0xe9e8e0);
const YELLOW: Vec3 = rgb(0xe9b82a);
const BLACK: Vec3 = rgb(0x15130f);

/// Makes it.
pub fn make(seed: u64) -> Forged {
    fish::make(&plan(), seed)
}

fn plan() -> FishPlan {
    FishPlan {
        name: "butterflyfish",
        about: "Threadfin butterflyfish, Chaetodon auriga; proportions after FishBase",
        body: Body {
            back: Curve::new(&[
                (0.0, -0.0288),
                (0.03, -0.004),
                (0.07, 0.018),
                (0.12, 0.066),
                (0.18, 0.138),
                (0.26, 0.214),
                (0.36, 0.272),
                (0.48, 0.297),
                (0.62, 0.282),
                (0.76, 0.212),
                (0.87, 0.118),
                (0.94, 0.070),
                (1.0, 0.064),
            ]),
            belly: Curve::new(&[
                (0.0, -0.0372),
                (0.03, -0.058),
                (0.08, -0.082),
                (0.15, -0.132),
                (0.25, -0.202),
                (0.36, -0.254),
                (0.48, -0.276),
                (0.62, -0.256),
                (0.76, -0.186),
                (0.87, -0.100),
                (0.94, -0.064),
                (1.0, -0.058),
            ]),
            width: Curve::new(&[
                (0.0, 0.010),
                (0.03, 0.024),
                (0.08, 0.044),
                (0.15, 0.068),
                (0.25, 0.084),
                (0.36, 0.086),
                (0.50, 0.076),
                (0.68, 0.054),
                (0.84, 0.028),
                (0.94, 0.014),
                (1.0, 0.003),
            ]),
            middle: Curve::new(&[(0.0, 0.5), (0.2, 0.47), (1.0, 0.5)]),
            upper: Curve::new(&[(0.0, 2.0), (0.25, 1.75), (0.6, 1.65), (1.0, 2.0)]),
            lower: Curve::new(&[(0.0, 2.0), (0.3, 1.75), (1.0, 2.0)]),
            gill: 0.285,
            gill_bend: 0.085,
            gill_step: 0.045,
        },
        standard: 0.83,
        eye: Eye { x: 0.150, h: 0.655, radius: 0.035, bulge: 0.38, iris: (rgb(0x5a4c38), rgb(0x2a2119)), pupil: 0.55 },
        mouth: Mouth {
            corner: Vec2::new(0.030, -0.040),
            line: 0.007,
            lips: rgb(0xb9b3a6),
            lip_strength: 0.5,
            inside: rgb(0x3a2420),
        },
        fins: fins(),
        gills: Gills::Cover,
        scales: Scales {
            count: 34.0,
            strength: 0.13,
            lateral: Curve::new(&[(0.28, 0.66), (0.5, 0.80), (0.8, 0.74)]),
            lateral_strength: 0.10,
        },
        paint: Box::new(skin),
        rings: (24, 8),
        eye_cells: (3, 16),
        texture: 512,
        gloss: (0.14, 16.0),
        translucency: 0.40,
        wave: Wave::REEF,
        beat: 18,
    }
}

/// 1 on thin parallel lines `spacing` apart, 0 between.
fn hatch(q: f32, spacing: f32, width: f32) -> f32 {
    let off = (q / spacing - (q / spacing).round()).abs() * spacing;
    smoothstep(width, 0.45 * width, off)
}

fn skin(spot: &Spot, noise: &Noise) -> Vec3 {
    let wave = 0.008 * noise.fbm(spot.place * 8.0, 2);
    let mut color = ramp(&[(0.0, rgb(0xd8d7d2)), (0.3, WHITE), (0.75, rgb(0xe4e1d4)), (1.0, rgb(0xb9b3a2))], spot.h);
    // Two sets of lines at right angles: rising to the dorsal fin before, falling to the anal fin behind.
    let across = 0.62 * spot.x - 0.78 * spot.y + wave;
    let along = 0.78 * spot.x + 0.62 * spot.y + wave;
    let flank =
        smoothstep(0.02, 0.06, spot.behind_gill) * smoothstep(0.80, 0.66, spot.x) * smoothstep(0.03, 0.12, spot.t);
    let upper = smoothstep(0.195, 0.185, across);
    let first = hatch(across - 0.03, 0.052, 0.0085) * upper;
    let second = hatch(along, 0.047, 0.0065) * (1.0 - upper);
    color = color.lerp(rgb(0x55534c), 0.78 * flank * first.max(second));
    // Yellow behind, with an oblique border.
    let rear = smoothstep(-0.05, 0.06, spot.x - 0.80 + 0.42 * spot.y.abs() - 0.30 * spot.y.max(0.0) + wave);
    color = color.lerp(YELLOW * (0.94 + 0.08 * spot.h), rear);
    // The band through the eye: narrow above, broad below.
    let middle = 0.150 + 0.30 * (spot.y - 0.06) * smoothstep(0.04, 0.25, spot.y);
    let half = 0.020 + 0.022 * smoothstep(0.12, -0.08, spot.y);
    let off = (spot.x - middle).abs() - half;
    color = color.lerp(rgb(0xf1efe6), 0.7 * smoothstep(0.014, 0.004, off));
    color = color.lerp(BLACK, 0.96 * smoothstep(0.004, -0.003, off));
    // Fine grey stripes across the brow.
    let brow = smoothstep(0.13, 0.10, spot.x) * smoothstep(0.0, 0.02, spot.y);
    color.lerp(rgb(0x8d8674), 0.3 * brow * hatch(spot.x, 0.014, 0.004))
}

fn dorsal() -> FinPaint {
    Box::new(|s, t| {
        let soft = smoothstep(0.42, 0.72, s);
        let mut color = rgb(0xdcd8ca).lerp(YELLOW, soft.max(0.35 * smoothstep(0.6, 1.0, t)));
        let spot = Vec2::new((s - 0.80) / 0.048, (t - 0.62) / 0.17).length();
        color = color.lerp(BLACK, 0.97 * smoothstep(1.08, 0.90, spot));
        let margin = smoothstep(0.945, 0.965, t) * soft;
        color = color.lerp(BLACK, 0.85 * margin);
        let spiny = smoothstep(0.55, 0.45, s);
        let notch = 0.015 + 0.20 * spiny;
        Vec4::from((color * ray_shade(s, t, 30.0), notched(s, t, if spiny > 0.5 { 24.0 } else { 30.0 }, notch)))
    })
}

fn caudal() -> FinPaint {
    Box::new(|s, t| {
        let mut color = YELLOW.lerp(rgb(0xedcb5c), smoothstep(0.2, 0.7, t));
        color = color.lerp(rgb(0x4a3f20), 0.8 * smoothstep(0.025, 0.012, (t - 0.76).abs()));
        color = color.lerp(rgb(0xd9dcd2), smoothstep(0.77, 0.81, t));
        Vec4::from((color * ray_shade(s, t, 17.0), notched(s, t, 17.0, 0.03)))
    })
}

fn anal() -> FinPaint {
    Box::new(|s, t| {
        let mut color = rgb(0xe6dcc0).lerp(YELLOW, smoothstep(0.0, 0.5, s + 0.4 * t));
        color = color.lerp(BLACK, 0.8 * smoothstep(0.02, 0.01, (t - 0.945).abs()));
        Vec4::from((color * ray_shade(s, t, 21.0), notched(s, t, 21.0, 0.02 + 0.10 * smoothstep(0.2, 0.1, s))))
    })
}

fn fins() -> Vec<Fin> {
    vec![
        Fin {
            name: "dorsal",
            stand: Stand::Median { up: true, from: 0.27, to: 0.90, lean: (0.42, 1.02), bend: 0.16 },
            rays: Curve::new(&[
                (0.0, 0.05),
                (0.08, 0.105),
                (0.25, 0.125),
                (0.5, 0.125),
                (0.7, 0.15),
                (0.84, 0.178),
                (0.895, 0.182),
                (0.925, 0.27),
                (0.95, 0.14),
                (1.0, 0.07),
            ]),
            cells: (22, 3),
            thickness: 0.0,
            rect: atlas::DORSAL,
            paint: dorsal(),
        },
        Fin {
            name: "anal",
            stand: Stand::Median { up: false, from: 0.57, to: 0.90, lean: (0.40, 1.05), bend: 0.16 },
            rays: Curve::new(&[(0.0, 0.05), (0.12, 0.105), (0.4, 0.15), (0.72, 0.185), (0.88, 0.16), (1.0, 0.07)]),
            cells: (10, 3),
            thickness: 0.0,
            rect: atlas::ANAL,
            paint: anal(),
        },
        Fin {
            name: "caudal",
            stand: Stand::Caudal { at: 0.968, half: 0.056, spread: (0.40, 0.40), curl: 0.20 },
            rays: Curve::new(&[(0.0, 0.205), (0.15, 0.215), (0.5, 0.215), (0.85, 0.215), (1.0, 0.205)]),
            cells: (10, 3),
            thickness: 0.0,
            rect: atlas::CAUDAL,
            paint: caudal(),
        },
        Fin {
            name: "pectoral",
            stand: Stand::Paired {
                at: 0.305,
                h: 0.44,
                base: 0.066,
                slant: 0.38,
                out: 0.50,
                fan: (-0.35, 0.58),
                cup: 0.06,
                scull: (0.48, 2, 0.1),
            },
            rays: Curve::new(&[(0.0, 0.18), (0.25, 0.205), (0.6, 0.165), (1.0, 0.09)]),
            cells: (6, 3),
            thickness: 0.0,
            rect: atlas::PECTORAL,
            paint: plain(rgb(0xd9d6c6), rgb(0xe6e6e0), 14.0, 0.04),
        },
        Fin {
            name: "pelvic",
            stand: Stand::Paired {
                at: 0.355,
                h: 0.04,
                base: 0.03,
                slant: 0.5 * PI,
                out: 0.35,
                fan: (0.25, 0.85),
                cup: 0.0,
                scull: (0.07, 1, 0.3),
            },
            rays: Curve::new(&[(0.0, 0.20), (0.4, 0.16), (1.0, 0.07)]),
            cells: (4, 2),
            thickness: 0.0,
            rect: atlas::PELVIC,
            paint: plain(rgb(0xe4e1d6), rgb(0xdad9d2), 7.0, 0.06),
        },
    ]
}
