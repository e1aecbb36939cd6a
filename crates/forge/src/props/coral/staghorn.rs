//! Staghorn coral, *Acropora cervicornis*.

use std::f32::consts::TAU;

use glam::{Quat, Vec3, Vec4};
use math::{mix, smoothstep};

use crate::paint::{ramp, rgb};
use crate::props::relief::{facing, half_sphere};
use crate::shapes::Rect;
use crate::{Canvas, Forged, Material, Mesh, Noise, Rig, assemble};

/// A branch that has still to be grown.
struct Shoot {
    from: Vec3,
    way: Vec3,
    thickness: f32,
    length: f32,
    order: u32,
}

pub fn make(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x57A6);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("coral", "staghorn_coral.png").glossy(0.05, 10.0));
    let part = mesh.part("branches", material);
    let ground = mesh.part("foot", material);
    let (bark, crust) = (Rect::new(0.0, 0.0, 1.0, 0.74), Rect::new(0.0, 0.76, 0.5, 1.0));
    let mut count = 0;
    let mut chance = || {
        count += 1;
        noise.hash(count)
    };
    // Old branches have broken and grown together into a low mound.
    mesh.drape(ground, (6, 6), crust, |uv| {
        let way = half_sphere(uv);
        way * Vec3::new(0.20, 0.09, 0.20) * (1.0 + 0.35 * noise.fbm(way * 1.6 + 9.0, 2)) - Vec3::Y * 0.01
    });
    let trunks = 10;
    let mut shoots: Vec<Shoot> = (0..trunks)
        .map(|n| {
            let around = 2.4 * n as f32 + 0.7 * chance();
            let far = ((n as f32 + 0.3) / trunks as f32).sqrt();
            let tilt = 0.10 + 1.05 * far * (0.75 + 0.4 * chance());
            let out = Vec3::new(around.cos(), 0.0, around.sin());
            Shoot {
                from: out * 0.15 * far + Vec3::Y * 0.03,
                way: (out * tilt.sin() + Vec3::Y * tilt.cos()).normalize(),
                thickness: 0.028 + 0.006 * chance(),
                length: 0.22 + 0.13 * chance(),
                order: 0,
            }
        })
        .collect();
    while let Some(shoot) = shoots.pop() {
        // Branches turn toward the light as they grow.
        let mut path = vec![shoot.from];
        let mut way = shoot.way;
        let steps = if shoot.order == 0 { 3 } else { 2 };
        for _ in 0..steps {
            let drift = Vec3::new(chance() - 0.5, chance() * 0.60, chance() - 0.5) * 0.55;
            way = (way + drift).normalize();
            path.push(path[path.len() - 1] + way * shoot.length / steps as f32);
        }
        let last = shoot.order == 2 || shoot.length < 0.08;
        let (thick, thin) = (shoot.thickness, shoot.thickness * if last { 0.40 } else { 0.74 });
        let tip = path[path.len() - 1] + way * thin * 1.6;
        path.push(tip);
        let span = if last { (0.45, 1.0) } else { (0.0, 0.45) };
        let rect = Rect::new(span.0, bark.min.y, span.1, bark.max.y);
        let end = 1.0 - thin * 1.6 / (shoot.length + thin * 1.6);
        let sides = [5, 4, 3][shoot.order as usize];
        mesh.tube(part, &path, sides, rect, |t| if t > end + 1e-3 { 0.0 } else { mix(thick, thin, t / end) });
        // Buds: branches that have just begun.
        for _ in 0..u32::from(shoot.order > 0) {
            let at = path[0].lerp(path[1], 0.3 + 0.6 * chance());
            let side = Quat::from_axis_angle(way, TAU * chance()) * way.any_orthonormal_vector();
            let grown = (side + 0.7 * way).normalize() * mix(0.018, 0.040, chance());
            let rect = Rect::new(0.80, bark.min.y, 1.0, bark.max.y);
            mesh.tube(part, &[at, at + grown], 3, rect, |t| if t > 0.99 { 0.0 } else { 0.6 * thin + 0.003 });
        }
        if !last {
            let forks = if shoot.order == 0 { 3 } else { 2 };
            for fork in 0..forks {
                let from = path[steps - usize::from(fork == 2)];
                let around = way.any_orthonormal_vector();
                let turn = TAU * (fork as f32 / forks as f32 + 0.3 * chance());
                let side = Quat::from_axis_angle(way, turn) * around;
                let way = (way + side * (0.50 + 0.55 * chance())).normalize();
                shoots.push(Shoot {
                    from: from - way * thin * 0.4,
                    way: way.with_y(way.y.max(0.08)).normalize(),
                    thickness: thin * 0.95,
                    length: shoot.length * (0.55 + 0.35 * chance()),
                    order: shoot.order + 1,
                });
            }
        }
    }
    mesh.settle();
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    let stops = [
        (0.0, rgb(0x4a4636)),
        (0.16, rgb(0x665c42)),
        (0.34, rgb(0x94784a)),
        (0.70, rgb(0xb0925e)),
        (0.84, rgb(0xccb88e)),
        (0.93, rgb(0xebe3d0)),
        (1.0, rgb(0xf6f2e8)),
    ];
    // Cups that stand out from the branch and open toward its tip.
    let cups = |q: Vec3| {
        let (near, _) = noise.cells(q * Vec3::new(1.9, 2.2, 1.9));
        smoothstep(0.58, 0.18, near)
    };
    canvas.fill(bark, |p, _| {
        // Round the branch is round a circle in noise space too, so that there is no seam.
        let round = Vec3::new((TAU * p.y).cos(), p.x * 16.0, (TAU * p.y).sin());
        let (near, _) = noise.cells(round * Vec3::new(1.9, 2.2, 1.9));
        let lit = facing(cups, round, 0.07 * Vec3::Y);
        let mouth = smoothstep(0.20, 0.08, near);
        let tone = ramp(&stops, p.x + 0.07 * noise.fbm(round * 1.1, 3));
        // Toward the foot turf and pink crusts hold the dead skeleton.
        let old = smoothstep(0.30, 0.05, p.x + 0.16 * noise.fbm(round * 1.7 + 7.0, 3));
        let turf = rgb(0x47482e).lerp(rgb(0x7d6560), 0.8 * smoothstep(0.10, 0.35, noise.fbm(round * 2.6 + 19.0, 3)));
        let tone = tone.lerp(turf * (0.9 + 0.5 * noise.at(round * 11.0)), 0.85 * old);
        let fine = noise.at(round * 8.0) + 0.7 * noise.at(round * 17.0);
        let light = 0.84 + (0.30 * cups(round) + 0.55 * lit - 0.65 * mouth) * (1.0 - 0.8 * old) + 0.07 * fine;
        (tone * light.max(0.2)).extend(1.0)
    });
    canvas.fill(Rect::new(0.0, 0.75, 1.0, 1.0), |p, _| {
        let q = Vec3::new(p.x * 18.0, p.y * 9.0, 5.0);
        let (near, next) = noise.cells(q * 0.8);
        let tone = rgb(0x55523a).lerp(rgb(0x7d705c), 0.5 + noise.fbm(q * 0.6, 4));
        let tone = tone.lerp(rgb(0x7c6058), 0.6 * smoothstep(0.15, 0.4, noise.fbm(q * 0.5 + 13.0, 3)));
        let light = 0.50 + 0.5 * smoothstep(0.02, 0.4, next - near) + 0.2 * noise.at(q * 3.0);
        (tone * light).extend(1.0)
    });
    let comment = "a staghorn coral, Acropora cervicornis, about 0.8 m across";
    assemble("staghorn_coral", comment, &mesh, &Rig::still(), vec![("staghorn_coral.png".into(), canvas.to_image())])
}
