//! Ocellaris clownfish (*Amphiprion ocellaris*): orange with three white bars edged in black.
//!
//! After FishBase (*A. ocellaris*, to 11 cm) and Allen 1991: body depth 0.44 of the standard length, blunt head, the
//! middle bar bulging forward, all fins rounded, orange with a black band and a pale rim.

use std::f32::consts::PI;

use glam::{Vec2, Vec3, Vec4};

use crate::forge::curve::smoothstep;
use crate::forge::paint::{ramp, rgb};
use crate::forge::swimmers::fish::fins::{FinPaint, notched, ray_shade};
use crate::forge::swimmers::fish::{self, Body, Eye, Fin, FishPlan, Gills, Mouth, Scales, Spot, Stand, atlas};
use crate::forge::swimmers::wave::Wave;
use crate::forge::{Curve, Forged, Noise};

const ORANGE: Vec3 = rgb(0xe0701f);
const BLACK: Vec3 = rgb(0x17120f);
const WHITE: Vec3 = rgb(0xecebe4);

/// Makes it.
pub fn make(seed: u64) -> Forged {
    fish::make(&plan(), seed)
}

fn plan() -> FishPlan {
    FishPlan {
        name: "clownfish",
        about: "Ocellaris clownfish, Amphiprion ocellaris; proportions after FishBase",
        body: Body {
            back: Curve::new(&[
                (0.0, 0.0067),
                (0.025, 0.055),
                (0.07, 0.102),
                (0.14, 0.150),
                (0.24, 0.194),
                (0.36, 0.214),
                (0.50, 0.208),
                (0.65, 0.175),
                (0.80, 0.122),
                (0.91, 0.090),
                (1.0, 0.086),
            ]),
            belly: Curve::new(&[
                (0.0, -0.0047),
                (0.025, -0.052),
                (0.07, -0.096),
                (0.14, -0.142),
                (0.24, -0.184),
                (0.36, -0.208),
                (0.50, -0.212),
                (0.65, -0.180),
                (0.80, -0.122),
                (0.91, -0.086),
                (1.0, -0.082),
            ]),
            width: Curve::new(&[
                (0.0, 0.016),
                (0.025, 0.046),
                (0.07, 0.076),
                (0.14, 0.102),
                (0.24, 0.118),
                (0.36, 0.116),
                (0.52, 0.098),
                (0.70, 0.066),
                (0.85, 0.036),
                (0.94, 0.018),
                (1.0, 0.003),
            ]),
            middle: Curve::new(&[(0.0, 0.5), (0.25, 0.48), (1.0, 0.5)]),
            upper: Curve::new(&[(0.0, 2.1), (0.3, 1.95), (1.0, 2.0)]),
            lower: Curve::new(&[(0.0, 2.1), (0.3, 2.05), (1.0, 2.0)]),
            gill: 0.290,
            gill_bend: 0.075,
            gill_step: 0.05,
        },
        standard: 0.79,
        eye: Eye { x: 0.122, h: 0.655, radius: 0.041, bulge: 0.40, iris: (rgb(0xd98a3c), rgb(0x8f4514)), pupil: 0.54 },
        mouth: Mouth {
            corner: Vec2::new(0.058, -0.022),
            line: 0.009,
            lips: rgb(0xb4571d),
            lip_strength: 0.6,
            inside: rgb(0x3a1c14),
        },
        fins: fins(),
        gills: Gills::Cover,
        scales: Scales {
            count: 44.0,
            strength: 0.16,
            lateral: Curve::new(&[(0.28, 0.78), (0.6, 0.80), (0.85, 0.74)]),
            lateral_strength: 0.12,
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

/// Distance into a white bar, negative outside.
fn bar(spot: &Spot, noise: &Noise) -> f32 {
    let wave = 0.006 * noise.fbm(spot.place * 16.0, 2);
    let y = spot.y;
    // Behind the eye, over the gill cover, leaning a little forward at the top.
    let head = 0.044 - 0.9 * 0.028 * (spot.h - 0.5).abs() - (spot.x - 0.248 - 0.10 * y * (1.0 - 2.2 * y)).abs();
    // The middle one bulges forward along the axis.
    let bulge = 0.072 * smoothstep(0.13, 0.0, (y + 0.005).abs());
    let (front, rear) = (0.535 + 0.06 * (spot.h - 0.5) - bulge, 0.630 + 0.05 * (spot.h - 0.5));
    let middle = (spot.x - front).min(rear - spot.x);
    let tail = 0.026 - (spot.x - 0.915 + 0.5 * y * y).abs();
    head.max(middle).max(tail) + wave
}

fn skin(spot: &Spot, noise: &Noise) -> Vec3 {
    let h = spot.h + 0.04 * noise.fbm(spot.place * 8.0, 2);
    let mut color = ramp(
        &[(0.0, rgb(0xeaa04a)), (0.22, rgb(0xe78a30)), (0.5, ORANGE), (0.8, rgb(0xcf5c17)), (1.0, rgb(0xa9460f))],
        h,
    );
    color = color.lerp(rgb(0xd9822f), 0.4 * smoothstep(0.09, 0.0, spot.x));
    let inside = bar(spot, noise);
    let black = smoothstep(-0.022, -0.014, inside);
    color = color.lerp(BLACK, 0.95 * black);
    let white = WHITE * (0.90 + 0.10 * smoothstep(0.0, 0.5, spot.h)) * (1.0 - 0.08 * smoothstep(0.75, 1.0, spot.h));
    color.lerp(white, smoothstep(-0.004, 0.004, inside))
}

/// Orange, then a black band, then a thin pale rim; edges before s = `spiny` are notched.
fn rounded(rays: f32, band: f32, spiny: f32) -> FinPaint {
    Box::new(move |s, t| {
        let mut color = ORANGE.lerp(rgb(0xe58a38), smoothstep(0.0, 0.7, t));
        color = color.lerp(BLACK, 0.94 * smoothstep(1.0 - band - 0.05, 1.0 - band, t));
        color = color.lerp(rgb(0xd8cfc0), smoothstep(0.955, 0.975, t));
        let notch = 0.02 + 0.10 * smoothstep(spiny + 0.05, spiny - 0.05, s);
        Vec4::from((color * ray_shade(s, t, rays), notched(s, t, rays, notch)))
    })
}

fn fins() -> Vec<Fin> {
    vec![
        Fin {
            name: "dorsal",
            stand: Stand::Median { up: true, from: 0.27, to: 0.875, lean: (0.60, 1.05), bend: 0.15 },
            rays: Curve::new(&[
                (0.0, 0.05),
                (0.08, 0.085),
                (0.3, 0.105),
                (0.5, 0.095),
                (0.6, 0.11),
                (0.8, 0.165),
                (0.92, 0.15),
                (1.0, 0.08),
            ]),
            cells: (14, 3),
            thickness: 0.0,
            rect: atlas::DORSAL,
            paint: rounded(25.0, 0.17, 0.58),
        },
        Fin {
            name: "anal",
            stand: Stand::Median { up: false, from: 0.60, to: 0.87, lean: (0.55, 1.05), bend: 0.15 },
            rays: Curve::new(&[(0.0, 0.05), (0.15, 0.10), (0.5, 0.155), (0.8, 0.15), (1.0, 0.075)]),
            cells: (8, 3),
            thickness: 0.0,
            rect: atlas::ANAL,
            paint: rounded(14.0, 0.20, -1.0),
        },
        Fin {
            name: "caudal",
            stand: Stand::Caudal { at: 0.962, half: 0.072, spread: (0.42, 0.42), curl: 0.18 },
            rays: Curve::new(&[
                (0.0, 0.20),
                (0.12, 0.255),
                (0.3, 0.29),
                (0.5, 0.303),
                (0.7, 0.29),
                (0.88, 0.255),
                (1.0, 0.20),
            ]),
            cells: (12, 3),
            thickness: 0.0,
            rect: atlas::CAUDAL,
            paint: rounded(18.0, 0.20, -1.0),
        },
        Fin {
            name: "pectoral",
            stand: Stand::Paired {
                at: 0.315,
                h: 0.36,
                base: 0.085,
                slant: 0.25,
                out: 0.62,
                fan: (-0.55, 0.62),
                cup: 0.08,
                scull: (0.55, 2, 0.1),
            },
            rays: Curve::new(&[(0.0, 0.17), (0.2, 0.225), (0.5, 0.24), (0.8, 0.20), (1.0, 0.13)]),
            cells: (8, 3),
            thickness: 0.0,
            rect: atlas::PECTORAL,
            paint: rounded(16.0, 0.17, -1.0),
        },
        Fin {
            name: "pelvic",
            stand: Stand::Paired {
                at: 0.37,
                h: 0.04,
                base: 0.035,
                slant: 0.5 * PI,
                out: 0.55,
                fan: (0.15, 0.85),
                cup: 0.0,
                scull: (0.10, 1, 0.3),
            },
            rays: Curve::new(&[(0.0, 0.19), (0.4, 0.18), (1.0, 0.09)]),
            cells: (4, 2),
            thickness: 0.0,
            rect: atlas::PELVIC,
            paint: rounded(7.0, 0.22, -1.0),
        },
    ]
}
