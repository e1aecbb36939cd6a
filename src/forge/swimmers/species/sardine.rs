//! Sardine (*Sardinella aurita*): slim, silver, in thousands.
//!
//! Proportions after FishBase's morphology of *S. aurita*, in standard lengths: body depth 0.22, head 0.24, eye 0.055,
//! dorsal fin a little before the middle, pelvic fins under it, anal fin short and far back, tail deeply forked.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use crate::forge::curve::smoothstep;
use crate::forge::paint::{ramp, rgb};
use crate::forge::swimmers::fish::fins::plain;
use crate::forge::swimmers::fish::{self, Body, Eye, Fin, FishPlan, Gills, Mouth, Scales, Spot, Stand, atlas};
use crate::forge::swimmers::wave::Wave;
use crate::forge::{Curve, Forged, Noise};

/// Makes it.
pub fn make(seed: u64) -> Forged {
    fish::make(&plan(), seed)
}

fn plan() -> FishPlan {
    let body = Body {
        back: Curve::new(&[
            (0.0, 0.0030),
            (0.03, 0.026),
            (0.10, 0.053),
            (0.20, 0.080),
            (0.33, 0.098),
            (0.45, 0.100),
            (0.60, 0.084),
            (0.78, 0.054),
            (0.92, 0.035),
            (1.0, 0.034),
        ]),
        belly: Curve::new(&[
            (0.0, -0.0030),
            (0.03, -0.034),
            (0.10, -0.066),
            (0.20, -0.095),
            (0.33, -0.114),
            (0.45, -0.114),
            (0.60, -0.095),
            (0.78, -0.056),
            (0.92, -0.035),
            (1.0, -0.034),
        ]),
        width: Curve::new(&[
            (0.0, 0.010),
            (0.03, 0.022),
            (0.10, 0.038),
            (0.20, 0.051),
            (0.33, 0.058),
            (0.48, 0.056),
            (0.65, 0.043),
            (0.82, 0.023),
            (0.94, 0.011),
            (1.0, 0.003),
        ]),
        middle: Curve::new(&[(0.0, 0.5), (0.3, 0.58), (0.7, 0.54), (1.0, 0.5)]),
        upper: Curve::new(&[(0.0, 2.0), (0.3, 2.2), (1.0, 2.0)]),
        lower: Curve::new(&[(0.0, 2.0), (0.25, 1.75), (0.7, 1.65), (1.0, 2.0)]),
        gill: 0.232,
        gill_bend: 0.065,
        gill_step: 0.055,
    };
    FishPlan {
        name: "sardine",
        about: "Sardine, Sardinella aurita; proportions after FishBase",
        body,
        standard: 0.84,
        eye: Eye { x: 0.080, h: 0.60, radius: 0.029, bulge: 0.35, iris: (rgb(0xc4c8bd), rgb(0x6d7678)), pupil: 0.50 },
        mouth: Mouth {
            corner: Vec2::new(0.058, -0.020),
            line: 0.007,
            lips: rgb(0x8d9aa0),
            lip_strength: 0.4,
            inside: rgb(0x2a1c1e),
        },
        fins: fins(),
        gills: Gills::Cover,
        scales: Scales { count: 46.0, strength: 0.20, lateral: Curve::new(&[(0.0, 0.5)]), lateral_strength: 0.0 },
        paint: Box::new(skin),
        rings: (21, 6),
        eye_cells: (2, 10),
        texture: 512,
        gloss: (0.42, 30.0),
        translucency: 0.55,
        wave: Wave::CARANGIFORM,
        beat: 18,
    }
}

fn skin(spot: &Spot, noise: &Noise) -> Vec3 {
    let wobble = 0.02 * noise.fbm(spot.place * 14.0, 2);
    let h = spot.h + wobble;
    let mut color = ramp(
        &[
            (0.0, rgb(0xe6ebee)),
            (0.25, rgb(0xdde4e9)),
            (0.52, rgb(0xc3ced6)),
            (0.66, rgb(0xa9bac4)),
            (0.74, rgb(0x7d98a6)),
            (0.80, rgb(0x3f6275)),
            (0.88, rgb(0x25465a)),
            (1.0, rgb(0x1a3040)),
        ],
        h,
    );
    // A faint golden band where blue meets silver.
    let band = smoothstep(0.07, 0.0, (h - 0.70).abs()) * smoothstep(0.15, 0.3, spot.x);
    color = color.lerp(rgb(0xc9b981), 0.38 * band);
    // Silver comes in long streaks along scale rows.
    color *= 1.0 + 0.05 * noise.at(Vec3::new(0.0, spot.y * 90.0, spot.x * 3.0)) * smoothstep(0.8, 0.6, h);
    // Pearly gill covers and a dark blotch behind them.
    let cover = smoothstep(0.10, 0.16, spot.x) * smoothstep(0.0, -0.02, spot.behind_gill) * smoothstep(0.75, 0.55, h);
    color = color.lerp(rgb(0xe3e4d8), 0.5 * cover);
    let blotch = Vec2::new(spot.behind_gill - 0.018, (h - 0.66) * 0.2).length();
    color = color.lerp(rgb(0x2a3338), 0.75 * smoothstep(0.020, 0.008, blotch));
    color = color.lerp(rgb(0x7f9097), 0.85 * smoothstep(0.95, 1.0, spot.x));
    // The snout is dusky.
    color.lerp(rgb(0x42525a), 0.5 * smoothstep(0.05, 0.0, spot.x) * smoothstep(0.3, 0.7, h))
}

fn fins() -> Vec<Fin> {
    let (pale, dusk) = (rgb(0xaebac0), rgb(0x7b8b94));
    vec![
        Fin {
            name: "dorsal",
            stand: Stand::Median { up: true, from: 0.43, to: 0.575, lean: (0.45, 1.05), bend: 0.25 },
            rays: Curve::new(&[(0.0, 0.03), (0.12, 0.125), (0.25, 0.13), (0.6, 0.078), (1.0, 0.05)]),
            cells: (5, 2),
            thickness: 0.0,
            rect: atlas::DORSAL,
            paint: plain(rgb(0x7d919c), rgb(0x93a5ad), 14.0, 0.10),
        },
        Fin {
            name: "anal",
            stand: Stand::Median { up: false, from: 0.755, to: 0.905, lean: (0.8, 1.1), bend: 0.1 },
            rays: Curve::new(&[(0.0, 0.02), (0.15, 0.045), (0.5, 0.028), (1.0, 0.032)]),
            cells: (4, 1),
            thickness: 0.0,
            rect: atlas::ANAL,
            paint: plain(pale, pale, 14.0, 0.12),
        },
        Fin {
            name: "caudal",
            stand: Stand::Caudal { at: 0.972, half: 0.032, spread: (0.62, 0.62), curl: 0.10 },
            rays: Curve::new(&[
                (0.0, 0.235),
                (0.12, 0.19),
                (0.3, 0.115),
                (0.5, 0.075),
                (0.7, 0.115),
                (0.88, 0.19),
                (1.0, 0.235),
            ]),
            cells: (10, 3),
            thickness: 0.0,
            rect: atlas::CAUDAL,
            paint: plain(rgb(0x8fa0a6), rgb(0x59686f), 20.0, 0.05),
        },
        Fin {
            name: "pectoral",
            stand: Stand::Paired {
                at: 0.245,
                h: 0.16,
                base: 0.022,
                slant: 0.9,
                out: 0.42,
                fan: (0.05, 0.42),
                cup: 0.05,
                scull: (0.10, 1, 0.1),
            },
            rays: Curve::new(&[(0.0, 0.135), (0.3, 0.12), (0.7, 0.08), (1.0, 0.045)]),
            cells: (4, 2),
            thickness: 0.0,
            rect: atlas::PECTORAL,
            paint: plain(pale, dusk, 9.0, 0.08),
        },
        Fin {
            name: "pelvic",
            stand: Stand::Paired {
                at: 0.50,
                h: 0.06,
                base: 0.018,
                slant: 0.5 * PI,
                out: 0.5,
                fan: (0.05, 0.5),
                cup: 0.0,
                scull: (0.05, 1, 0.3),
            },
            rays: Curve::new(&[(0.0, 0.062), (1.0, 0.035)]),
            cells: (2, 1),
            thickness: 0.0,
            rect: atlas::PELVIC,
            paint: plain(pale, pale, 6.0, 0.1),
        },
    ]
}
