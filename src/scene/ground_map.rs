//! The ground about the origin from above: stains, rubble, and how much of the sky what stands there takes away.
//!
//! Things darken the ground by what of them is over it and how high: a grass blade's foot a hand's breadth round it, a
//! coral's table softly, a rock as far as it is tall.

use glam::{Quat, Vec2, Vec3};
use math::smoothstep;

use crate::model::Image;
use crate::scene::seabed::Seabed;

/// Half the side of the square that the map covers, about the origin. Unit: m.
pub const HALF_M: f32 = 18.0;
/// Side of the map in texels.
const SIDE: usize = 768;
/// Texels a metre.
const PER_M: f32 = SIDE as f32 / (2.0 * HALF_M);
/// Side of the tile of stains. Unit: m.
const STAIN_TILE_M: f32 = 17.3;

/// How high things of a band are over the ground at most, how wide their shade is, both in m, and how deep it is at most.
const BANDS: [(f32, f32, f32); 3] = [(0.15, 0.12, 0.80), (0.7, 0.36, 0.50), (2.5, 0.9, 0.40)];

/// Something that stands on the ground.
pub struct Standing<'a> {
    /// Triangles of its model.
    pub triangles: &'a [[Vec3; 3]],
    /// Where its model's origin is.
    pub position: Vec3,
    /// World from model.
    pub rotation: Quat,
    /// Metres a model unit.
    pub scale: f32,
    /// Whether it is solid from its top down to the ground.
    pub solid: bool,
}

/// Makes the map: r lightness, g a rubble pattern, b openness to the sky (1 open), a how high the ripples are.
pub fn ground_map<'a>(bed: &Seabed, detail: &Image, standing: impl Iterator<Item = Standing<'a>>) -> Image {
    let mut bands = BANDS.map(|_| vec![0.0_f32; SIDE * SIDE]);
    for thing in standing {
        cover(&mut bands, bed, &thing);
    }
    for (band, (_, reach_m, _)) in bands.iter_mut().zip(BANDS) {
        // Three boxes make nearly a bell.
        for _ in 0..3 {
            blur(band, (reach_m * PER_M / 3.0).round().max(1.0) as usize);
        }
    }
    let mut rgba = Vec::with_capacity(4 * SIDE * SIDE);
    for j in 0..SIDE {
        for i in 0..SIDE {
            let (x, z) = (metres(i), metres(j));
            let stain = sample(detail, Vec2::new(z, x) / STAIN_TILE_M + 0.37);
            let shade: f32 = bands
                .iter()
                .zip(BANDS)
                .map(|(band, (_, _, most))| 1.0 - most * (1.25 * band[j * SIDE + i]).min(1.0))
                .product();
            // The map ends without a step.
            let edge = smoothstep(HALF_M, HALF_M - 2.0, x.abs().max(z.abs()));
            let rubble = bed.rubble(x, z);
            // Waves pile up ripples here and smooth them there; none among rubble.
            let calm = sample(detail, Vec2::new(x, z) / 31.0 + 0.11)[3];
            let ripples = (0.7 + 1.2 * (calm - 0.4)).clamp(0.25, 1.0) * (1.0 - 0.6 * rubble);
            rgba.extend([stain[2], stain[3], 1.0 + (shade - 1.0) * edge, ripples].map(to_byte));
        }
    }
    Image { name: "ground map".into(), width: SIDE as u32, height: SIDE as u32, rgba }
}

fn metres(texel: usize) -> f32 {
    (texel as f32 + 0.5) / PER_M - HALF_M
}

/// Marks what a thing covers, by how high over the ground it is.
fn cover(bands: &mut [Vec<f32>; 3], bed: &Seabed, thing: &Standing<'_>) {
    let texel = |p: Vec3| {
        let at = (Vec2::new(p.x, p.z) + HALF_M) * PER_M;
        let inside = at.min_element() >= 0.0 && at.max_element() < SIDE as f32;
        inside.then(|| at.y as usize * SIDE + at.x as usize)
    };
    for corners in thing.triangles {
        let [a, b, c] = corners.map(|p| thing.position + thing.rotation * (p * thing.scale));
        let middle = (a + b + c) / 3.0;
        if middle.x.abs().max(middle.z.abs()) > HALF_M + 1.0 {
            continue;
        }
        let ground = bed.height(middle.x, middle.z);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        let steps = (longest * PER_M).ceil().clamp(1.0, 24.0) as usize;
        for u in 0..=steps {
            for v in 0..=steps - u {
                let [u, v] = [u, v].map(|n| n as f32 / steps as f32);
                let p = a + (b - a) * u + (c - a) * v;
                let over = p.y - ground;
                let Some(at) = texel(p).filter(|_| over > -0.05) else { continue };
                // The lowest band that holds it; what is solid fills all below it.
                let band = BANDS.iter().position(|(most, _, _)| over < *most);
                match band {
                    Some(band) if thing.solid => bands[..=band].iter_mut().for_each(|band| band[at] = 1.0),
                    None if thing.solid => bands.iter_mut().for_each(|band| band[at] = 1.0),
                    Some(band) => bands[band][at] = 1.0,
                    None => {}
                }
            }
        }
    }
}

/// A box blur of `2 * reach + 1` texels both ways.
fn blur(map: &mut [f32], reach: usize) {
    let mut line = vec![0.0_f32; SIDE];
    let share = 1.0 / (2 * reach + 1) as f32;
    for (first, step) in (0..SIDE).map(|n| (n * SIDE, 1)).chain((0..SIDE).map(|n| (n, SIDE))) {
        let at = |n: usize| first + n * step;
        let mut sum: f32 = (0..=reach).map(|n| map[at(n)]).sum();
        for (n, out) in line.iter_mut().enumerate() {
            *out = sum * share;
            sum += if n + reach + 1 < SIDE { map[at(n + reach + 1)] } else { 0.0 };
            sum -= if n >= reach { map[at(n - reach)] } else { 0.0 };
        }
        line.iter().enumerate().for_each(|(n, &value)| map[at(n)] = value);
    }
}

/// A tile's texels between their neighbours, 0..1.
fn sample(tile: &Image, at: Vec2) -> [f32; 4] {
    let (width, height) = (tile.width.max(1) as usize, tile.height.max(1) as usize);
    let p = (at - at.floor()) * Vec2::new(width as f32, height as f32) - 0.5;
    let (low, part) = (p.floor(), p - p.floor());
    let texel = |i: i32, j: i32, channel: usize| {
        let (x, y) = ((low.x as i32 + i).rem_euclid(width as i32), (low.y as i32 + j).rem_euclid(height as i32));
        tile.rgba.get((y as usize * width + x as usize) * 4 + channel).map_or(0.5, |&byte| f32::from(byte) / 255.0)
    };
    [0, 1, 2, 3].map(|channel| {
        let row = |j| texel(0, j, channel) + (texel(1, j, channel) - texel(0, j, channel)) * part.x;
        row(0) + (row(1) - row(0)) * part.y
    })
}

fn to_byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SeabedSettings;

    fn flat() -> Seabed {
        Seabed::new(&SeabedSettings { relief_m: 0.0, rubble: 0.0, ..SeabedSettings::default() }, 1)
    }

    fn openness(map: &Image, x: f32, z: f32) -> f32 {
        let texel = |m: f32| ((m + HALF_M) * PER_M) as usize;
        f32::from(map.rgba[(texel(z) * SIDE + texel(x)) * 4 + 2]) / 255.0
    }

    /// A square table of 1 m whose top is `height` over the ground at (4, -3).
    fn table(height: f32, solid: bool) -> Image {
        let bed = flat();
        let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        let [a, b, c, d] = [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)];
        let triangles = [[a, c, b], [a, d, c]];
        let position = Vec3::new(4.0, bed.height(4.0, -3.0) + height, -3.0);
        let thing = Standing { triangles: &triangles, position, rotation: Quat::IDENTITY, scale: 1.0, solid };
        ground_map(&bed, &Image::default(), std::iter::once(thing))
    }

    #[test]
    fn a_thing_darkens_the_ground_about_it_and_not_afar() {
        let map = table(0.1, false);
        assert!(openness(&map, 4.0, -3.0) < 0.3);
        assert!(openness(&map, 4.0, -1.5) > 0.98);
        assert!(openness(&map, -3.0, 4.0) > 0.98, "x is not z");
    }

    #[test]
    fn the_higher_it_hangs_the_softer_its_shade() {
        let (low, high) = (table(0.1, false), table(1.5, false));
        assert!(openness(&high, 4.0, -3.0) > openness(&low, 4.0, -3.0) + 0.2);
        assert!(openness(&high, 4.0, -2.2) < openness(&low, 4.0, -2.2) - 0.01, "it reaches farther");
    }

    #[test]
    fn what_is_solid_shades_as_what_stands_on_the_ground() {
        assert!(openness(&table(1.5, true), 4.0, -3.0) < openness(&table(1.5, false), 4.0, -3.0) - 0.3);
    }

    #[test]
    fn a_bare_ground_is_open() {
        let map = ground_map(&flat(), &Image::default(), std::iter::empty());
        assert!(map.rgba.chunks_exact(4).all(|texel| texel[2] == 255));
    }
}
