//! Growth on rock and wreckage: heads, bushes and shelves of coral, sponges, small fans, weed.
//!
//! Its pictures take a strip of the stone's own texture, so that from afar both are one draw call.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use math::{mix, smoothstep};

use crate::maths::{atan2, cos, powi, rotation_arc, rotation_y, scale_rotation_translation, sin};
use crate::paint::{ramp, rgb};
use crate::props::coral::maze;
use crate::props::fan::{Tree, outline};
use crate::props::relief::half_sphere;
use crate::shapes::Rect;
use crate::{Canvas, Material, Mesh, Noise};

/// Texels of a side of a growth's picture.
const TILE: usize = 128;

/// Kinds of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowthKind {
    /// A furrowed dome.
    Maze,
    /// A dome of lumps.
    Lumps,
    /// A dome of large cups.
    Stars,
    /// A tuft of branches, pale at their tips.
    Bush,
    /// Like [`Self::Bush`], stouter and mustard.
    Fingers,
    /// A shelf that juts out.
    Shelf,
    /// A heap of tubes.
    Sponge,
    /// A small fan.
    Fan,
}

/// Layout of a stone's texture, shared by the stone and its growths.
#[derive(Clone, Copy, Debug)]
pub struct RockAtlas {
    /// Side of the texture in texels.
    pub side: usize,
}

impl RockAtlas {
    /// The stone's region.
    pub const fn stone(self) -> Rect {
        Rect::new(0.0, 0.0, 1.0, self.tiles_top())
    }

    const fn tiles_top(self) -> f32 {
        1.0 - TILE as f32 / self.side as f32
    }

    /// A growth's tile: smaller textures have room for four, each for kinds that look alike.
    fn tile(self, kind: GrowthKind) -> Rect {
        let tiles = self.side / TILE;
        let n = if tiles >= 8 {
            kind as usize
        } else {
            match kind {
                GrowthKind::Maze | GrowthKind::Lumps | GrowthKind::Stars => 0,
                GrowthKind::Bush | GrowthKind::Shelf => 1,
                GrowthKind::Fingers => 2,
                GrowthKind::Sponge | GrowthKind::Fan => 3,
            }
        };
        let wide = TILE as f32 / self.side as f32;
        Rect::new(n as f32 * wide, self.tiles_top(), (n + 1) as f32 * wide, 1.0)
    }

    /// Visible region of a tile. A rim of texels is never shown, so that coarse mip maps do not mix neighbours.
    fn shown(self, kind: GrowthKind) -> Rect {
        let (tile, rim) = (self.tile(kind), Vec2::splat(5.0 / self.side as f32));
        Rect { min: tile.min + rim, max: tile.max - rim }
    }
}

/// A growth at a place on a surface.
#[derive(Clone, Copy, Debug)]
pub struct GrowthSite {
    /// Place.
    pub at: Vec3,
    /// Unit normal.
    pub out: Vec3,
    /// Width of the growth.
    pub size: f32,
    /// Kind of the growth.
    pub kind: GrowthKind,
    key: i32,
}

impl GrowthSite {
    /// A growth of a width at a place with its unit normal; `key` seeds its random variation.
    pub fn new((at, out): (Vec3, Vec3), size: f32, kind: GrowthKind, key: i32) -> Self {
        Self { at, out, size, kind, key }
    }
}

/// Up to `count` sites on a surface over (0, 0) to (1, 1), none below `low`: widths from a range, apart from each
/// other. `pick(normal, chance)` returns the kind of growth for a slope, if any.
pub fn strew(
    noise: &Noise,
    surface: impl Fn(Vec2) -> Vec3,
    (count, low): (usize, f32),
    (small, large): (f32, f32),
    pick: impl Fn(Vec3, f32) -> Option<GrowthKind>,
) -> Vec<GrowthSite> {
    let mut sites: Vec<GrowthSite> = Vec::new();
    for n in 0..40 * count as i32 {
        if sites.len() == count {
            break;
        }
        let [a, b, c] = [0, 1, 2].map(|k| noise.hash(7000 + 3 * n + k));
        // A low-discrepancy sequence (Roberts 2018) from a random start.
        let start = Vec2::new(noise.hash(6990), noise.hash(6991));
        let uv = (start + n as f32 * Vec2::new(0.754_877_7, 0.569_840_3)).fract();
        let uv = uv.clamp(Vec2::splat(0.03), Vec2::splat(0.97));
        let step = 0.02;
        let right = surface(uv + Vec2::X * step) - surface(uv - Vec2::X * step);
        let down = surface(uv + Vec2::Y * step) - surface(uv - Vec2::Y * step);
        let (at, out) = (surface(uv), down.cross(right).normalize_or(Vec3::Y));
        if at.y < low {
            continue;
        }
        // The square makes large ones rare.
        let Some(kind) = pick(out, a) else { continue };
        let size = mix(small, large, b * b);
        // They grow in clusters.
        let crowded = sites.iter().any(|other| other.at.distance(at) < 0.46 * (other.size + size));
        let alone = 0.35 + 0.9 * noise.at(at * (0.9 / large).min(4.0) + 50.0);
        if crowded || c > alone + 0.35 {
            continue;
        }
        sites.push(GrowthSite { at, out, size, kind, key: n });
    }
    sites
}

/// Growth of reef rock on a slope.
pub fn on_reef(out: Vec3, chance: f32) -> Option<GrowthKind> {
    use GrowthKind::{Bush, Fan, Fingers, Lumps, Maze, Shelf, Sponge, Stars};
    let flat: &[GrowthKind] = &[Bush, Lumps, Fingers, Stars, Bush, Maze, Bush, Lumps, Fingers];
    let steep: &[GrowthKind] = &[Shelf, Lumps, Fan, Sponge, Stars, Shelf, Fan, Bush];
    let hanging: &[GrowthKind] = &[Sponge, Fan, Sponge, Lumps];
    let from = match out.y {
        y if y > 0.55 => flat,
        y if y > 0.0 => steep,
        y if y > -0.6 => hanging,
        _ => return None,
    };
    from.get((chance * from.len() as f32) as usize).copied()
}

/// Share of light that the growths leave to a place of the surface below them: 1 is all of it.
pub fn shade(sites: &[GrowthSite], p: Vec3) -> f32 {
    let dark = |site: &GrowthSite| {
        let reach = 0.72 * site.size;
        let away = (p - site.at).with_y(0.8 * (p.y - site.at.y)).length();
        if away < reach { mix(0.38, 1.0, smoothstep(0.30 * site.size, reach, away)) } else { 1.0 }
    };
    sites.iter().map(dark).fold(1.0, f32::min)
}

/// Builds the growths of the sites, with the stone's texture.
pub fn grow(mesh: &mut Mesh, (texture, atlas): (&str, RockAtlas), sites: &[GrowthSite], noise: &Noise) {
    let material = mesh.material(Material::new("growth", texture).glossy(0.04, 10.0));
    let part = mesh.part("growth", material);
    for site in sites {
        let chance = |k: i32| noise.hash(20_000 + 40 * site.key + k);
        let rect = atlas.shown(site.kind);
        // Most kinds grow toward the light.
        let lift = match site.kind {
            GrowthKind::Bush | GrowthKind::Fingers => 0.9,
            GrowthKind::Sponge | GrowthKind::Fan => 0.45,
            _ => 0.2,
        };
        let up = (site.out + Vec3::Y * lift).normalize_or(Vec3::Y);
        let stand = rotation_arc(Vec3::Y, up) * rotation_y(TAU * chance(0));
        let foot = site.at - site.out * 0.10 * site.size;
        let place = scale_rotation_translation(Vec3::splat(site.size), stand, foot);
        let added = match site.kind {
            GrowthKind::Maze | GrowthKind::Lumps | GrowthKind::Stars => dome(mesh, part, rect, site, noise),
            GrowthKind::Bush | GrowthKind::Fingers => bush(mesh, part, rect, site, chance),
            GrowthKind::Sponge => sponge(mesh, part, rect, chance),
            GrowthKind::Shelf => {
                shelf(mesh, part, rect, site, noise);
                continue;
            }
            GrowthKind::Fan => fan(mesh, part, rect, noise, site.key),
        };
        mesh.transform(added, place);
    }
}

type Added = std::ops::Range<usize>;

fn dome(mesh: &mut Mesh, part: usize, rect: Rect, site: &GrowthSite, noise: &Noise) -> Added {
    let lumpy = site.kind == GrowthKind::Lumps;
    let side = if lumpy { 6 } else { 5 };
    let shift = Vec3::splat(3.7 * site.key as f32);
    mesh.drape(part, (side, side), rect, |uv| {
        let way = half_sphere(uv);
        let lobes = if lumpy {
            0.84 + 0.26 * smoothstep(0.95, 0.15, noise.cells(way * 1.35 + shift).0)
        } else {
            1.0 + 0.20 * noise.at(way * 1.3 + shift)
        };
        way * lobes * Vec3::new(0.5, 0.42, 0.5) - Vec3::Y * 0.04
    })
}

fn bush(mesh: &mut Mesh, part: usize, rect: Rect, site: &GrowthSite, chance: impl Fn(i32) -> f32) -> Added {
    let stout = site.kind == GrowthKind::Fingers;
    let (count, thick) = if stout { (7, 0.09) } else { (11, 0.055) };
    mesh.added(|mesh| {
        for n in 0..count {
            let [a, b] = [1, 2].map(|k| chance(2 * n + k));
            let (around, out) = (n as f32 * 2.4 + a, ((n as f32 + 0.5) / count as f32).sqrt());
            let flat = Vec3::new(cos(around), 0.0, sin(around));
            let from = flat * 0.20 * out;
            let tip = flat * (0.46 + 0.08 * a) * out + Vec3::Y * (0.62 - 0.26 * out * out + 0.16 * b);
            let over = tip + (tip - from).normalize() * thick * 0.6;
            mesh.tube(part, &[from, tip, over], if stout { 4 } else { 3 }, rect, |t| {
                if t > 0.99 { 0.0 } else { thick * mix(1.15, 0.75, t) }
            });
        }
    })
}

fn sponge(mesh: &mut Mesh, part: usize, rect: Rect, chance: impl Fn(i32) -> f32) -> Added {
    mesh.added(|mesh| {
        for n in 0..3 {
            let [a, b, c] = [1, 2, 3].map(|k| chance(3 * n + k));
            let around = n as f32 * 2.2 + a;
            let flat = Vec3::new(cos(around), 0.0, sin(around));
            let from = flat * if n == 0 { 0.0 } else { 0.22 };
            let height = mix(0.30, 0.75, b) * if n == 0 { 1.2 } else { 0.8 };
            let tip = from + flat * 0.22 * c + Vec3::Y * height;
            let (wide, deep) = (0.12 + 0.05 * c, tip - (tip - from) * 0.22);
            // Up, over the lip and into the dark.
            mesh.tube(part, &[from, tip, deep], 6, rect, |t| wide * if t > 0.99 { 0.45 } else { mix(1.2, 0.9, t) });
        }
    })
}

/// A half round shelf that stands out level from a wall.
fn shelf(mesh: &mut Mesh, part: usize, rect: Rect, site: &GrowthSite, noise: &Noise) {
    let flat = site.out.with_y(0.0).normalize_or(Vec3::X);
    let across = Vec3::Y.cross(flat);
    let foot = site.at - site.out * 0.12 * site.size;
    let shift = 2.3 * site.key as f32;
    let (sides, rings) = (9, 2);
    for lower in [false, true] {
        mesh.grid(part, sides, rings, |i, j| {
            let turn = mix(-1.75, 1.75, i as f32 / sides as f32);
            let t = if lower { j as f32 } else { (rings - j) as f32 } / rings as f32;
            // The upper side runs the other way round.
            let turn = -turn;
            let reach = 0.58 * (1.0 + 0.22 * noise.at(Vec3::new(turn * 1.4, shift, 0.0)));
            let thick = if lower { 0.05 + 0.10 * (1.0 - t) } else { 0.0 };
            let rise = 0.16 * t * t + 0.05 * noise.at(Vec3::new(turn * 2.0, t * 2.0, shift)) - thick * (1.0 - 0.6 * t);
            let way = flat * cos(turn) + across * sin(turn);
            let uv = Vec2::new(0.5 + 0.5 * sin(turn) * t, if lower { 0.94 } else { 1.0 - t * cos(turn).max(0.06) });
            (foot + (way * reach * t + Vec3::Y * rise) * site.size, rect.at(uv))
        });
    }
}

fn fan(mesh: &mut Mesh, part: usize, rect: Rect, noise: &Noise, key: i32) -> Added {
    let own = 1.7 * key as f32;
    let tree = Tree::grow(&Noise::new(key as u64), 26, 0.12, 0.011, |p| outline(noise, p, own));
    mesh.added(|mesh| {
        for limb in tree.limbs(0.012, 3) {
            let last = (limb.len() - 1) as f32;
            let path: Vec<Vec3> =
                limb.iter().map(|(p, _)| Vec3::new(p.x - 0.5, p.y, 0.5 * powi(p.x - 0.5, 2))).collect();
            mesh.tube(part, &path, 3, rect, |t| if t > 0.99 { 0.0 } else { limb[(t * last) as usize].1 });
        }
    })
}

/// Paints the growths' pictures.
pub fn paint(canvas: &mut Canvas, atlas: RockAtlas) {
    let noise = Noise::new(0x6A03);
    let shelter = |local: Vec2| smoothstep(0.53, 0.30, local.distance(Vec2::splat(0.5)));
    let furrows = maze(TILE, 4, 0x3A2F);
    let dome = |kind: GrowthKind, p: Vec2| match kind {
        GrowthKind::Maze => {
            let at = (p * TILE as f32).as_usizevec2().min(glam::USizeVec2::splat(TILE - 1));
            let ridge = furrows[at.y * TILE + at.x];
            let tone = ramp(&[(0.0, rgb(0x274a34)), (0.45, rgb(0x5d6a34)), (1.0, rgb(0xc9a04e))], ridge);
            tone + 0.05 * noise.at((p * 90.0).extend(1.0))
        }
        GrowthKind::Lumps => {
            let (lump, next) = noise.cells((p * 13.0).extend(2.5));
            let (polyp, _) = noise.cells((p * 44.0).extend(7.5));
            let tone = rgb(0x8a7430).lerp(rgb(0xc2a658), smoothstep(0.6, 0.1, lump));
            let pink = 0.8 * smoothstep(0.05, 0.4, noise.fbm((p * 2.6).extend(9.0), 3));
            let light = 1.05 - 0.28 * smoothstep(0.16, 0.0, next - lump) - 0.30 * smoothstep(0.30, 0.10, polyp);
            tone.lerp(rgb(0x9a6a86), pink) * light
        }
        _ => {
            let (near, next) = noise.cells((p * 16.0).extend(4.5));
            let wall = smoothstep(0.22, 0.05, next - near);
            let tone = rgb(0x6d4a2c).lerp(rgb(0xb28a56), wall).lerp(rgb(0x5f8a5a), 0.7 * smoothstep(0.34, 0.12, near));
            let tone = tone.lerp(rgb(0x203020), 0.7 * smoothstep(0.12, 0.04, near));
            tone * (1.0 + 0.2 * noise.at((p * 60.0).extend(2.0)))
        }
    };
    let branch = |p: Vec2, stops: [Vec3; 4]| {
        let (near, _) = noise.cells(Vec3::new(p.x * 16.0, p.y * 7.0, 1.5));
        let tone = ramp(&[(0.0, stops[0]), (0.35, stops[1]), (0.78, stops[2]), (0.95, stops[3])], p.x);
        tone * (1.05 - 0.40 * smoothstep(0.42, 0.16, near) + 0.15 * noise.at((p * 34.0).extend(3.0)))
    };
    let tone = |kind: GrowthKind, p: Vec2| match kind {
        GrowthKind::Maze | GrowthKind::Lumps | GrowthKind::Stars => dome(kind, p) * mix(0.35, 1.03, shelter(p)),
        GrowthKind::Bush => branch(p, [rgb(0x3b2e2c), rgb(0x7a5448), rgb(0xa8806a), rgb(0xdccdd2)]),
        GrowthKind::Fingers => branch(p, [rgb(0x3a3018), rgb(0x84661f), rgb(0xb9923a), rgb(0xead9a0)]),
        GrowthKind::Fan => branch(p, [rgb(0x4e241c), rgb(0x7e3a2a), rgb(0xa45c38), rgb(0xc89c60)]),
        GrowthKind::Shelf => {
            let away = Vec2::new((p.x - 0.5) * 2.0, 1.0 - p.y).length();
            let around = atan2(p.x - 0.5, 1.02 - p.y);
            let (near, _) = noise.cells((p * 26.0).extend(6.5));
            let tone = ramp(
                &[(0.0, rgb(0x4a3a2a)), (0.5, rgb(0x7d5f49)), (0.82, rgb(0x967784)), (0.94, rgb(0xcfc0d2))],
                away + 0.05 * noise.at((p * 9.0).extend(8.0)),
            );
            let rings = 0.08 * sin(away * 40.0) + 0.06 * sin(around * 30.0);
            tone * (0.92 + rings + 0.22 * smoothstep(0.45, 0.15, near))
        }
        GrowthKind::Sponge => {
            let (pore, _) = noise.cells(Vec3::new(p.x * 11.0, p.y * 12.0, 3.5));
            let rib = noise.ridged(Vec3::new(p.x * 5.0, p.y * 12.0, 9.0), 3);
            let tone = ramp(
                &[
                    (0.0, rgb(0x46301f)),
                    (0.3, rgb(0x7c5232)),
                    (0.70, rgb(0x9d7046)),
                    (0.79, rgb(0xc8ab84)),
                    (0.86, rgb(0x201510)),
                ],
                p.x,
            );
            tone * (0.76 + 0.34 * rib - 0.62 * smoothstep(0.32, 0.16, pore))
        }
    };
    use GrowthKind::{Bush, Fan, Fingers, Lumps, Maze, Shelf, Sponge, Stars};
    let painted: &[GrowthKind] = if atlas.side / TILE >= 8 {
        &[Maze, Lumps, Stars, Bush, Fingers, Shelf, Sponge, Fan]
    } else {
        &[Lumps, Bush, Fingers, Sponge]
    };
    for &kind in painted {
        canvas.fill(atlas.tile(kind), |p, _| {
            ((tone(kind, p.clamp(Vec2::ZERO, Vec2::ONE)) * 40.0).round() / 40.0).extend(1.0)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_stand_apart_and_above_the_sand() {
        let noise = Noise::new(5);
        let sites = strew(&noise, half_sphere, (12, 0.2), (0.1, 0.3), on_reef);
        assert!(sites.len() > 6, "{}", sites.len());
        for (n, a) in sites.iter().enumerate() {
            assert!(a.at.y >= 0.2 && (a.out.dot(a.at.normalize()) - 1.0).abs() < 0.05, "{a:?}");
            assert!(sites[..n].iter().all(|b| a.at.distance(b.at) > 0.45 * (a.size + b.size)));
        }
    }

    #[test]
    fn a_guest_darkens_its_foot() {
        let noise = Noise::new(5);
        let sites = strew(&noise, half_sphere, (1, 0.5), (0.2, 0.2), on_reef);
        assert!(shade(&sites, sites[0].at) < 0.5);
        assert!((shade(&sites, sites[0].at - Vec3::Y) - 1.0).abs() < 1e-6);
    }
}
