//! Yellow tang (*Zebrasoma flavescens*): a yellow disc with sails above and below and a white scalpel at the tail.
//!
//! After FishBase (*Z. flavescens*, to 20 cm) and Randall 2001: body depth 0.57 of the standard length without fins,
//! tubular snout, eye high, dorsal and anal fin tall and continuous, tail nearly straight.

use std::f32::consts::PI;

use glam::{Vec2, Vec3, Vec4};

use crate::forge::curve::smoothstep;
use crate::forge::paint::{ramp, rgb};
use crate::forge::swimmers::fish::fins::{FinPaint, notched, plain, ray_shade};
use crate::forge::swimmers::fish::{self, Body, Eye, Fin, FishPlan, Gills, Mouth, Scales, Spot, Stand, atlas};
use crate::forge::swimmers::wave::Wave;
use crate::forge::{Curve, Forged, Noise};

const YELLOW: Vec3 = rgb(0xeec021);
const DEEP: Vec3 = rgb(0xd39a12);

/// Makes it.
pub fn make(seed: u64) -> Forged {
    fish::make(&plan(), seed)
}

fn plan() -> FishPlan {
    FishPlan {
        name: "yellow_tang",
        about: "Yellow tang, Zebrasoma flavescens; proportions after FishBase",
        body: Body {
            back: Curve::new(&[
                (0.0, -0.0694),
                (0.03, -0.038),
                (0.07, -0.002),
                (0.12, 0.070),
                (0.18, 0.158),
                (0.25, 0.226),
                (0.34, 0.272),
                (0.46, 0.290),
                (0.60, 0.268),
                (0.74, 0.200),
                (0.85, 0.114),
                (0.93, 0.060),
                (1.0, 0.054),
            ]),
            belly: Curve::new(&[
                (0.0, -0.0786),
                (0.03, -0.100),
                (0.08, -0.118),
                (0.15, -0.160),
                (0.25, -0.222),
                (0.36, -0.262),
                (0.48, -0.272),
                (0.62, -0.246),
                (0.75, -0.182),
                (0.86, -0.102),
                (0.93, -0.058),
                (1.0, -0.052),
            ]),
            width: Curve::new(&[
                (0.0, 0.012),
                (0.03, 0.026),
                (0.08, 0.040),
                (0.15, 0.060),
                (0.25, 0.077),
                (0.36, 0.080),
                (0.50, 0.072),
                (0.68, 0.052),
                (0.82, 0.030),
                (0.93, 0.017),
                (1.0, 0.003),
            ]),
            middle: Curve::new(&[(0.0, 0.5), (0.15, 0.42), (0.4, 0.46), (1.0, 0.5)]),
            upper: Curve::new(&[(0.0, 2.0), (0.2, 1.7), (0.6, 1.6), (1.0, 2.0)]),
            lower: Curve::new(&[(0.0, 2.0), (0.3, 1.7), (1.0, 2.0)]),
            gill: 0.265,
            gill_bend: 0.085,
            gill_step: 0.05,
        },
        standard: 0.80,
        eye: Eye { x: 0.178, h: 0.72, radius: 0.032, bulge: 0.38, iris: (rgb(0xd9b64a), rgb(0x7b5c17)), pupil: 0.52 },
        mouth: Mouth {
            corner: Vec2::new(0.026, -0.094),
            line: 0.007,
            lips: rgb(0xd7a92c),
            lip_strength: 0.6,
            inside: rgb(0x3a2416),
        },
        fins: fins(),
        gills: Gills::Cover,
        scales: Scales {
            count: 95.0,
            strength: 0.10,
            lateral: Curve::new(&[(0.28, 0.70), (0.6, 0.72), (1.0, 0.5)]),
            lateral_strength: 0.14,
        },
        paint: Box::new(skin),
        rings: (24, 8),
        eye_cells: (3, 16),
        texture: 512,
        gloss: (0.10, 14.0),
        translucency: 0.45,
        wave: Wave::REEF,
        beat: 20,
    }
}

fn skin(spot: &Spot, noise: &Noise) -> Vec3 {
    let h = spot.h + 0.05 * noise.fbm(spot.place * 6.0, 2);
    let mut color = ramp(
        &[(0.0, rgb(0xe7ba3a)), (0.25, rgb(0xf0c733)), (0.6, YELLOW), (0.85, rgb(0xe0ac18)), (1.0, rgb(0xc8920f))],
        h,
    );
    // Fine vertical pleats, as the skin of a tang has, and a paler band along the flank.
    color *= 1.0 + 0.025 * noise.at(Vec3::new(0.0, spot.y * 6.0, spot.x * 70.0));
    color =
        color.lerp(rgb(0xf5d863), 0.35 * smoothstep(0.10, 0.02, (spot.h - 0.52).abs()) * smoothstep(0.3, 0.45, spot.x));
    color = color.lerp(rgb(0xd8a520), 0.35 * smoothstep(0.10, 0.0, spot.x));
    // The scalpel: a white blade in its groove on the peduncle.
    let blade = Vec2::new((spot.x - 0.925) / 0.036, (spot.y - 0.002) / 0.0095).length();
    color = color.lerp(rgb(0x9c7414), 0.6 * smoothstep(1.75, 1.1, blade));
    color.lerp(rgb(0xf5f2e6), smoothstep(1.05, 0.75, blade))
}

fn sail(rays: f32) -> FinPaint {
    Box::new(move |s, t| {
        let color = DEEP.lerp(YELLOW, smoothstep(0.0, 0.35, t)).lerp(rgb(0xf0cf52), 0.6 * smoothstep(0.7, 1.0, t));
        let edge = smoothstep(0.955, 0.985, t);
        Vec4::from((color.lerp(rgb(0xa3770f), 0.6 * edge) * ray_shade(s, t, rays), notched(s, t, rays, 0.022)))
    })
}

fn fins() -> Vec<Fin> {
    vec![
        Fin {
            name: "dorsal",
            stand: Stand::Median { up: true, from: 0.23, to: 0.90, lean: (0.30, 0.92), bend: 0.18 },
            rays: Curve::new(&[
                (0.0, 0.05),
                (0.06, 0.12),
                (0.2, 0.165),
                (0.5, 0.20),
                (0.75, 0.235),
                (0.88, 0.22),
                (1.0, 0.10),
            ]),
            cells: (14, 3),
            thickness: 0.0,
            rect: atlas::DORSAL,
            paint: sail(29.0),
        },
        Fin {
            name: "anal",
            stand: Stand::Median { up: false, from: 0.44, to: 0.90, lean: (0.25, 0.95), bend: 0.18 },
            rays: Curve::new(&[(0.0, 0.05), (0.1, 0.12), (0.4, 0.17), (0.7, 0.205), (0.87, 0.19), (1.0, 0.09)]),
            cells: (10, 3),
            thickness: 0.0,
            rect: atlas::ANAL,
            paint: sail(22.0),
        },
        Fin {
            name: "caudal",
            stand: Stand::Caudal { at: 0.968, half: 0.046, spread: (0.58, 0.58), curl: 0.30 },
            rays: Curve::new(&[
                (0.0, 0.275),
                (0.12, 0.255),
                (0.3, 0.235),
                (0.5, 0.228),
                (0.7, 0.235),
                (0.88, 0.255),
                (1.0, 0.275),
            ]),
            cells: (10, 3),
            thickness: 0.0,
            rect: atlas::CAUDAL,
            paint: plain(rgb(0xe3b11d), rgb(0xf0cc4a), 16.0, 0.03),
        },
        Fin {
            name: "pectoral",
            stand: Stand::Paired {
                at: 0.285,
                h: 0.42,
                base: 0.062,
                slant: 0.40,
                out: 0.52,
                fan: (-0.30, 0.62),
                cup: 0.06,
                scull: (0.50, 2, 0.1),
            },
            rays: Curve::new(&[(0.0, 0.19), (0.25, 0.21), (0.6, 0.16), (1.0, 0.09)]),
            cells: (6, 3),
            thickness: 0.0,
            rect: atlas::PECTORAL,
            paint: plain(rgb(0xe8bb2c), rgb(0xf3dc85), 14.0, 0.04),
        },
        Fin {
            name: "pelvic",
            stand: Stand::Paired {
                at: 0.345,
                h: 0.04,
                base: 0.03,
                slant: 0.5 * PI,
                out: 0.30,
                fan: (0.25, 0.85),
                cup: 0.0,
                scull: (0.06, 1, 0.3),
            },
            rays: Curve::new(&[(0.0, 0.17), (0.4, 0.14), (1.0, 0.06)]),
            cells: (3, 2),
            thickness: 0.0,
            rect: atlas::PELVIC,
            paint: plain(DEEP, YELLOW, 6.0, 0.06),
        },
    ]
}
