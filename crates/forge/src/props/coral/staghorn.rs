//! Staghorn coral, *Acropora cervicornis*.

use std::f32::consts::TAU;

use glam::{Vec3, Vec4};
use math::{mix, smoothstep};

use crate::maths::{cos, rotation_about, sin};
use crate::paint::{ramp, rgb};
use crate::props::relief::{facing, half_sphere};
use crate::shapes::Rect;
use crate::{Canvas, Forged, Material, Mesh, Noise, Rig, assemble};

/// A branch that has still to be grown.
struct Shoot {
    from: Vec3,
    direction: Vec3,
    thickness: f32,
    length: f32,
    /// Order: 0 for a trunk, 1 for its branches, 2 for theirs.
    order: u32,
}

/// The bark's region of the texture, and that of the crust round the foot.
const BARK: Rect = Rect::new(0.0, 0.0, 1.0, 0.74);
const CRUST: Rect = Rect::new(0.0, 0.76, 0.5, 1.0);

/// Frequency of the cups in the bark's noise, in which a branch's radius is 1.
const CUPS: Vec3 = Vec3::new(3.0, 2.6, 3.0);

/// Makes the coral.
pub fn make(seed: u64) -> Forged {
    let noise = Noise::new(seed ^ 0x57A6);
    let mut mesh = Mesh::new();
    let material = mesh.material(Material::new("coral", "staghorn_coral.png").glossy(0.05, 10.0));
    let branches = mesh.part("branches", material);
    let foot = mesh.part("foot", material);
    // Old branches have broken and grown together into a low mound.
    mesh.drape(foot, (6, 6), CRUST, |uv| {
        let way = half_sphere(uv);
        way * Vec3::new(0.20, 0.09, 0.20) * (1.0 + 0.35 * noise.fbm(way * 1.6 + 9.0, 2)) - Vec3::Y * 0.01
    });
    let mut count = 0;
    let mut chance = || {
        count += 1;
        noise.hash(count)
    };
    let mut shoots = trunks(&mut chance);
    while let Some(shoot) = shoots.pop() {
        shoots.extend(shoot.grow(&mut mesh, branches, &mut chance));
    }
    mesh.settle();
    let comment = "a staghorn coral, Acropora cervicornis, about 0.8 m across";
    assemble(
        "staghorn_coral",
        comment,
        &mesh,
        &Rig::still(),
        vec![("staghorn_coral.png".into(), paint(&noise).to_picture())],
    )
}

/// The branches that rise from the foot, the outer ones at a slant.
fn trunks(chance: &mut impl FnMut() -> f32) -> Vec<Shoot> {
    let count = 10;
    (0..count)
        .map(|n| {
            let around = 2.4 * n as f32 + 0.7 * chance();
            let far = ((n as f32 + 0.3) / count as f32).sqrt();
            let tilt = 0.10 + 1.05 * far * (0.75 + 0.4 * chance());
            let out = Vec3::new(cos(around), 0.0, sin(around));
            Shoot {
                from: out * 0.15 * far + Vec3::Y * 0.03,
                direction: (out * sin(tilt) + Vec3::Y * cos(tilt)).normalize(),
                thickness: 0.028 + 0.006 * chance(),
                length: 0.22 + 0.13 * chance(),
                order: 0,
            }
        })
        .collect()
}

impl Shoot {
    /// Adds the branch and its buds to the mesh; returns the branches that fork off it.
    fn grow(&self, mesh: &mut Mesh, part: usize, chance: &mut impl FnMut() -> f32) -> Vec<Self> {
        // Branches turn toward the light as they grow.
        let mut path = vec![self.from];
        let mut way = self.direction;
        let steps = if self.order == 0 { 3 } else { 2 };
        for _ in 0..steps {
            let drift = Vec3::new(chance() - 0.5, chance() * 0.60, chance() - 0.5) * 0.55;
            way = (way + drift).normalize();
            path.push(path[path.len() - 1] + way * self.length / steps as f32);
        }
        let last = self.order == 2 || self.length < 0.08;
        let (thick, thin) = (self.thickness, self.thickness * if last { 0.56 } else { 0.78 });
        path.push(path[steps] + way * thin * 1.6);
        let (left, right) = if last { (0.45, 1.0) } else { (0.0, 0.45) };
        let end = 1.0 - thin * 1.6 / (self.length + thin * 1.6);
        let sides = [5, 4, 3][self.order as usize];
        mesh.tube(
            part,
            &path,
            sides,
            bark(left, right),
            |t| {
                if t > end + 1e-3 { 0.0 } else { mix(thick, thin, t / end) }
            },
        );
        if self.order > 0 {
            let at = path[0].lerp(path[1], 0.3 + 0.6 * chance());
            let side = rotation_about(way, TAU * chance()) * way.any_orthonormal_vector();
            let bud = (side + 0.7 * way).normalize() * mix(0.018, 0.040, chance());
            mesh.tube(part, &[at, at + bud], 3, bark(0.80, 1.0), |t| if t > 0.99 { 0.0 } else { 0.6 * thin + 0.003 });
        }
        if last { Vec::new() } else { self.forks(&path[..=steps], way, thin, chance) }
    }

    /// The branches that leave this one, which runs along `path` and ends in direction `way` with radius `thin`.
    fn forks(&self, path: &[Vec3], way: Vec3, thin: f32, chance: &mut impl FnMut() -> f32) -> Vec<Self> {
        let count = if self.order == 0 { 3 } else { 2 };
        (0..count)
            .map(|fork| {
                let from = path[path.len() - 1 - usize::from(fork == 2)];
                let turn = TAU * (fork as f32 / count as f32 + 0.3 * chance());
                let side = rotation_about(way, turn) * way.any_orthonormal_vector();
                let way = (way + side * (0.50 + 0.55 * chance())).normalize();
                Self {
                    from: from - way * thin * 0.4,
                    direction: way.with_y(way.y.max(0.08)).normalize(),
                    thickness: thin * 0.95,
                    length: self.length * (0.55 + 0.35 * chance()),
                    order: self.order + 1,
                }
            })
            .collect()
    }
}

/// A strip of the bark's region, from left to right in texture coordinates.
fn bark(left: f32, right: f32) -> Rect {
    Rect::new(left, BARK.min.y, right, BARK.max.y)
}

/// Pale tips, brown branches, and crusts round the foot.
fn paint(noise: &Noise) -> Canvas {
    let mut canvas = Canvas::new(512, 512, Vec4::ONE);
    let stops = [
        (0.0, rgb(0x4a4636)),
        (0.16, rgb(0x665c42)),
        (0.34, rgb(0x94784a)),
        (0.70, rgb(0xb0925e)),
        (0.84, rgb(0xb9a274)),
        (0.93, rgb(0xc9b78f)),
        (1.0, rgb(0xd3c4a2)),
    ];
    // Cups that stand out from the branch and open toward its tip.
    let cups = |q: Vec3| {
        let (near, _) = noise.cells(q * CUPS);
        smoothstep(0.62, 0.16, near)
    };
    canvas.fill(BARK, |p, _| {
        // A turn round the branch is a circle in noise space too, so that there is no seam.
        let round = Vec3::new(cos(TAU * p.y), p.x * 16.0, sin(TAU * p.y));
        let (near, next) = noise.cells(round * CUPS);
        let lit = facing(cups, round, 0.07 * Vec3::Y);
        let mouth = smoothstep(0.24, 0.10, near);
        let between = smoothstep(0.22, 0.0, next - near);
        let tone = ramp(&stops, p.x + 0.07 * noise.fbm(round * 1.1, 3));
        // Toward the foot turf and pink crusts hold the dead skeleton.
        let old = smoothstep(0.30, 0.05, p.x + 0.16 * noise.fbm(round * 1.7 + 7.0, 3));
        let turf = rgb(0x47482e).lerp(rgb(0x7d6560), 0.8 * smoothstep(0.10, 0.35, noise.fbm(round * 2.6 + 19.0, 3)));
        let tone = tone.lerp(turf * (0.9 + 0.5 * noise.at(round * 11.0)), 0.85 * old);
        let fine = noise.at(round * 8.0) + 0.7 * noise.at(round * 17.0);
        let cup = 0.34 * cups(round) + 0.60 * lit - 0.70 * mouth - 0.22 * between;
        let light = 0.84 + cup * (1.0 - 0.8 * old) + 0.07 * fine;
        // Few enough shades to compress.
        ((tone * light.max(0.2) * 48.0).round() / 48.0).extend(1.0)
    });
    canvas.fill(Rect::new(0.0, 0.75, 1.0, 1.0), |p, _| {
        let q = Vec3::new(p.x * 18.0, p.y * 9.0, 5.0);
        let (near, next) = noise.cells(q * 0.8);
        let tone = rgb(0x55523a).lerp(rgb(0x7d705c), 0.5 + noise.fbm(q * 0.6, 4));
        let tone = tone.lerp(rgb(0x7c6058), 0.6 * smoothstep(0.15, 0.4, noise.fbm(q * 0.5 + 13.0, 3)));
        let light = 0.50 + 0.5 * smoothstep(0.02, 0.4, next - near) + 0.2 * noise.at(q * 3.0);
        (tone * light).extend(1.0)
    });
    canvas
}
