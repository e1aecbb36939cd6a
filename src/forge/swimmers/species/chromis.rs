//! Blue chromis (*Chromis cyanea*): the blue damselfish that hovers in clouds over Caribbean reefs.
//!
//! After FishBase (*C. cyanea*, to 15 cm): body depth 0.42 of the standard length, head 0.28, large eye 0.09, spiny and
//! soft dorsal in one, deeply forked tail with black borders.

use std::f32::consts::PI;

use glam::{Vec2, Vec3, Vec4};

use crate::forge::curve::smoothstep;
use crate::forge::paint::{ramp, rgb};
use crate::forge::swimmers::fish::fins::{FinPaint, notched, plain, ray_shade};
use crate::forge::swimmers::fish::{self, Body, Eye, Fin, FishPlan, Gills, Mouth, Scales, Spot, Stand, atlas};
use crate::forge::swimmers::wave::Wave;
use crate::forge::{Curve, Forged, Noise};

const BLUE: Vec3 = rgb(0x2b6fc9);
const DARK: Vec3 = rgb(0x111c33);

/// Makes it.
pub fn make(seed: u64) -> Forged {
    fish::make(&plan(), seed)
}

fn plan() -> FishPlan {
    FishPlan {
        name: "chromis",
        about: "Blue chromis, Chromis cyanea; proportions after FishBase",
        body: Body {
            back: Curve::new(&[
                (0.0, 0.0046),
                (0.03, 0.045),
                (0.10, 0.105),
                (0.20, 0.165),
                (0.32, 0.205),
                (0.45, 0.208),
                (0.60, 0.178),
                (0.75, 0.122),
                (0.88, 0.073),
                (1.0, 0.066),
            ]),
            belly: Curve::new(&[
                (0.0, -0.0046),
                (0.03, -0.045),
                (0.10, -0.098),
                (0.20, -0.155),
                (0.32, -0.195),
                (0.45, -0.205),
                (0.60, -0.178),
                (0.75, -0.115),
                (0.88, -0.066),
                (1.0, -0.060),
            ]),
            width: Curve::new(&[
                (0.0, 0.012),
                (0.03, 0.034),
                (0.10, 0.063),
                (0.20, 0.086),
                (0.32, 0.094),
                (0.48, 0.084),
                (0.66, 0.058),
                (0.82, 0.032),
                (0.93, 0.015),
                (1.0, 0.003),
            ]),
            middle: Curve::new(&[(0.0, 0.5), (0.25, 0.52), (1.0, 0.5)]),
            upper: Curve::new(&[(0.0, 2.0), (0.3, 1.85), (1.0, 2.0)]),
            lower: Curve::new(&[(0.0, 2.0), (0.3, 1.95), (1.0, 2.0)]),
            gill: 0.275,
            gill_bend: 0.075,
            gill_step: 0.055,
        },
        standard: 0.745,
        eye: Eye { x: 0.115, h: 0.61, radius: 0.043, bulge: 0.36, iris: (rgb(0x6f8fb6), rgb(0x1d3a66)), pupil: 0.52 },
        mouth: Mouth {
            corner: Vec2::new(0.048, -0.014),
            line: 0.008,
            lips: rgb(0x27508c),
            lip_strength: 0.5,
            inside: rgb(0x2a1c1e),
        },
        fins: fins(),
        gills: Gills::Cover,
        scales: Scales {
            count: 30.0,
            strength: 0.22,
            lateral: Curve::new(&[(0.25, 0.74), (0.5, 0.80), (0.8, 0.78)]),
            lateral_strength: 0.25,
        },
        paint: Box::new(skin),
        rings: (19, 6),
        eye_cells: (2, 10),
        texture: 512,
        gloss: (0.16, 18.0),
        translucency: 0.45,
        wave: Wave::REEF,
        beat: 16,
    }
}

fn skin(spot: &Spot, noise: &Noise) -> Vec3 {
    let h = spot.h + 0.03 * noise.fbm(spot.place * 9.0, 2);
    let color = ramp(
        &[
            (0.0, rgb(0x84b2dc)),
            (0.18, rgb(0x5b97d6)),
            (0.42, rgb(0x3279cf)),
            (0.66, BLUE),
            (0.84, rgb(0x1f4f9b)),
            (0.94, rgb(0x162a52)),
            (1.0, DARK),
        ],
        h,
    );
    // The flanks' scales each carry a paler centre; the head is a shade darker, with a line from eye to snout.
    let head = smoothstep(0.02, -0.08, spot.behind_gill);
    let color = color * (1.0 - 0.10 * head);
    let line = smoothstep(0.010, 0.003, (spot.y - 0.022 - 0.28 * spot.x).abs()) * smoothstep(0.10, 0.05, spot.x);
    let color = color.lerp(rgb(0x7fc0ee), 0.35 * line);
    color.lerp(rgb(0x1c3c74), 0.6 * smoothstep(0.94, 1.0, spot.x))
}

fn caudal() -> FinPaint {
    Box::new(|s, t| {
        let border = smoothstep(0.12, 0.22, s.min(1.0 - s) + 0.03 * (1.0 - t));
        let middle = rgb(0x2a5fae).lerp(rgb(0x8fb4d8), smoothstep(0.2, 1.0, t));
        let color = DARK.lerp(middle, border) * ray_shade(s, t, 18.0);
        Vec4::from((color, notched(s, t, 18.0, 0.06)))
    })
}

fn dorsal() -> FinPaint {
    Box::new(|s, t| {
        let margin = smoothstep(0.45, 0.8, t) * smoothstep(0.95, 0.6, s);
        let color = rgb(0x1d4488).lerp(DARK, 0.4 + 0.6 * margin).lerp(rgb(0x5f93cf), 0.7 * smoothstep(0.6, 1.0, s));
        let spiny = smoothstep(0.68, 0.6, s);
        Vec4::from((color * ray_shade(s, t, 24.0), notched(s, t, 24.0, 0.05 + 0.13 * spiny)))
    })
}

fn fins() -> Vec<Fin> {
    vec![
        Fin {
            name: "dorsal",
            stand: Stand::Median { up: true, from: 0.31, to: 0.84, lean: (0.75, 1.12), bend: 0.12 },
            rays: Curve::new(&[
                (0.0, 0.04),
                (0.1, 0.085),
                (0.4, 0.098),
                (0.62, 0.10),
                (0.8, 0.165),
                (0.9, 0.15),
                (1.0, 0.07),
            ]),
            cells: (9, 2),
            thickness: 0.0,
            rect: atlas::DORSAL,
            paint: dorsal(),
        },
        Fin {
            name: "anal",
            stand: Stand::Median { up: false, from: 0.60, to: 0.84, lean: (0.7, 1.1), bend: 0.12 },
            rays: Curve::new(&[(0.0, 0.045), (0.2, 0.095), (0.55, 0.145), (0.8, 0.125), (1.0, 0.06)]),
            cells: (5, 2),
            thickness: 0.0,
            rect: atlas::ANAL,
            paint: plain(rgb(0x2f62ab), rgb(0x5b8fcb), 12.0, 0.07),
        },
        Fin {
            name: "caudal",
            stand: Stand::Caudal { at: 0.965, half: 0.056, spread: (0.60, 0.60), curl: 0.22 },
            rays: Curve::new(&[
                (0.0, 0.36),
                (0.1, 0.305),
                (0.22, 0.23),
                (0.36, 0.165),
                (0.5, 0.125),
                (0.64, 0.165),
                (0.78, 0.23),
                (0.9, 0.305),
                (1.0, 0.36),
            ]),
            cells: (10, 3),
            thickness: 0.0,
            rect: atlas::CAUDAL,
            paint: caudal(),
        },
        Fin {
            name: "pectoral",
            stand: Stand::Paired {
                at: 0.285,
                h: 0.42,
                base: 0.062,
                slant: 0.35,
                out: 0.50,
                fan: (-0.35, 0.55),
                cup: 0.06,
                scull: (0.42, 2, 0.1),
            },
            rays: Curve::new(&[(0.0, 0.20), (0.25, 0.225), (0.6, 0.17), (1.0, 0.09)]),
            cells: (5, 2),
            thickness: 0.0,
            rect: atlas::PECTORAL,
            paint: plain(rgb(0x4d86c6), rgb(0x9dbfdd), 13.0, 0.06),
        },
        Fin {
            name: "pelvic",
            stand: Stand::Paired {
                at: 0.335,
                h: 0.07,
                base: 0.03,
                slant: 0.5 * PI,
                out: 0.55,
                fan: (0.0, 0.55),
                cup: 0.0,
                scull: (0.08, 1, 0.3),
            },
            rays: Curve::new(&[(0.0, 0.19), (0.3, 0.16), (1.0, 0.06)]),
            cells: (3, 2),
            thickness: 0.0,
            rect: atlas::PELVIC,
            paint: plain(rgb(0x336bb5), rgb(0x6fa3d6), 7.0, 0.08),
        },
    ]
}
