//! A vent: a crusted crater in the sand, out of whose cracks gas bubbles.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec4};
use math::smoothstep;

use crate::maths::{cos, sin};
use crate::paint::{over, rgb};
use crate::props::relief::Relief;
use crate::shapes::Rect;
use crate::{Canvas, Category, Curve, Entry, Forged, Material, Mesh, Noise, Rig, assemble};

/// The thing of this file.
pub const ENTRIES: &[Entry] =
    &[Entry { name: "vent", kind: Category::Prop, description: "a low crater from which bubbles rise", make: vent }];

/// Position of the mouth's lip along the profile: before it is the throat.
const LIP: f32 = 0.28;

fn vent(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x5E17);
    // From the bottom of the throat over the lip and down to the sand.
    let radius =
        Curve::new(&[(0.0, 0.0), (0.10, 0.055), (0.22, 0.085), (LIP, 0.105), (0.42, 0.17), (0.70, 0.33), (1.0, 0.56)]);
    let height =
        Curve::new(&[(0.0, 0.06), (0.10, 0.08), (0.22, 0.19), (LIP, 0.235), (0.42, 0.20), (0.70, 0.07), (1.0, -0.05)]);
    // Blocks of crust, parted by cracks that run out from the mouth.
    let crust = |way: Vec3, t: f32| {
        let crack = noise.ridged(way * 1.7 + Vec3::Y * (0.6 * t) + 3.0, 2);
        let block = noise.fbm(way * 2.4 + Vec3::Y * (3.0 * t), 3);
        (block, smoothstep(0.62, 0.9, crack) * smoothstep(1.0, 0.75, t))
    };
    let surface = |uv: Vec2| {
        let (t, turn) = (uv.y, TAU * uv.x);
        let way = Vec3::new(sin(turn), 0.0, cos(turn));
        let (block, crack) = crust(way, t);
        let outside = smoothstep(0.5 * LIP, LIP, t);
        let wide = 1.0 + 0.20 * noise.at(way * 0.9 + 9.0) + 0.08 * block * outside;
        let high = 1.0 + 0.45 * noise.at(way * 1.3 + 31.0) * outside + 0.22 * block * outside - 0.14 * crack * outside;
        way * radius.at(t) * wide + Vec3::Y * (height.at(t) * if t < 0.9 { high } else { 1.0 })
    };
    let mut mesh = Mesh::new();
    let stone = mesh.material(Material { stone: true, ..Material::new("crust", "vent.png") });
    let part = mesh.part("crater", stone);
    let round = |uv: Vec2| surface(if uv.x == 1.0 { uv.with_x(0.0) } else { uv });
    mesh.drape(part, (26, 17), Rect::FULL, round);
    mesh.settle();
    let relief = Relief::new(256, 256, true, |uv| {
        let p = surface(uv);
        p + (p.with_y(0.0).normalize_or_zero() + Vec3::Y) * 0.012 * noise.fbm(p * 22.0, 4)
    });
    let mut canvas = Canvas::new(256, 256, Vec4::ONE);
    relief.paint(&mut canvas, Rect::FULL, |spot| {
        let (t, turn) = (spot.uv.y, TAU * spot.uv.x);
        let way = Vec3::new(sin(turn), 0.0, cos(turn));
        let (block, crack) = crust(way, t);
        let p = spot.position;
        let mut c = rgb(0x8f8676).lerp(rgb(0x6d675c), 0.5 + 0.8 * block).extend(1.0);
        // Rust, and round the mouth traces of bacteria: white threads, a yellow film.
        c = over(
            c,
            rgb(0x8a5a34),
            0.55 * smoothstep(0.05, 0.4, noise.fbm(p * 6.0 + 4.0, 4)) * smoothstep(0.95, 0.6, t),
        );
        c = over(
            c,
            rgb(0xc2ac62),
            0.6 * smoothstep(0.0, 0.3, noise.fbm(p * 8.0 + 15.0, 3)) * smoothstep(0.62, 0.34, t),
        );
        c = over(
            c,
            rgb(0xdcd8cc),
            0.85 * smoothstep(0.0, 0.2, noise.fbm(p * 11.0 + 27.0, 4)) * smoothstep(0.5, 0.30, t),
        );
        c = over(c, rgb(0xbfb39a), smoothstep(0.82, 0.97, t + 0.1 * block));
        c = over(c, rgb(0x1a1713), smoothstep(LIP, 0.10, t).max(0.8 * crack));
        c.truncate()
            * (1.0 - 0.5 * spot.hollow.max(0.0) + 0.35 * spot.lift + 0.12 * noise.at(p * 70.0)).clamp(0.25, 1.3)
    });
    let comment = "a crusted vent of gas in the sand, about 0.6 m across";
    assemble("vent", comment, &mesh, &Rig::still(), vec![("vent.png".into(), canvas.to_picture())])
}
