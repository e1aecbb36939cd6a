//! The ground about the origin from above: stains, rubble, and the ambient occlusion by the things on it.
//!
//! Each thing darkens the ground below it. The depth and width of the shade depend on the height over the ground: a
//! blade of grass darkens a hand's breadth round its foot, a coral's table darkens softly, a rock as far as it is tall.

use glam::{Quat, Vec2, Vec3};
use math::{mix, smoothstep};
use model::Image;

use crate::seabed::shape::Seabed;

/// Half the side of the square that the map covers, about the origin. Unit: m.
pub const HALF_M: f32 = 18.0;
/// Width of the rim over which the map's occlusion fades into that of the mesh. Unit: m.
pub const EDGE_M: f32 = 2.0;
/// Side of the map in texels.
const SIDE: usize = 768;
/// Texels a metre.
const PER_M: f32 = SIDE as f32 / (2.0 * HALF_M);
/// Side of the tile of stains. Unit: m.
const STAIN_TILE_M: f32 = 17.3;
/// Side of the tile of calm and rippled patches. Unit: m.
const CALM_TILE_M: f32 = 31.0;

/// Shade cast by geometry within one range of heights over the ground.
struct OcclusionLayer {
    /// Greatest height over the ground. Unit: m.
    top_m: f32,
    /// Reach of the shade. Unit: m.
    reach_m: f32,
    /// Greatest share of the sky's light that is taken away.
    deepest: f32,
}

/// Layers from the ground up. Chosen by eye.
const LAYERS: [OcclusionLayer; 3] = [
    OcclusionLayer { top_m: 0.15, reach_m: 0.15, deepest: 0.88 },
    OcclusionLayer { top_m: 0.7, reach_m: 0.42, deepest: 0.62 },
    OcclusionLayer { top_m: 2.5, reach_m: 1.0, deepest: 0.48 },
];

/// Covered share of each texel in each layer. Range 0..=1.
type Coverage = [Vec<f32>; LAYERS.len()];

/// Something that stands on the ground and hides a part of the sky from it.
pub struct Occluder<'a> {
    /// Triangles of its model.
    pub triangles: &'a [[Vec3; 3]],
    /// Position of its model's origin, in world space.
    pub position: Vec3,
    /// Rotation from model to world space.
    pub rotation: Quat,
    /// Metres per model unit.
    pub scale: f32,
    /// Whether it is solid from its top down to the ground.
    pub solid: bool,
}

/// Makes [`SeabedMesh::map`](view::SeabedMesh::map); its large patterns come from the small tiles of the ground.
pub fn ground_map<'a>(
    bed: &Seabed,
    (detail, stone): (&Image, &Image),
    occluders: impl Iterator<Item = Occluder<'a>>,
) -> Image {
    let mut coverage: Coverage = LAYERS.map(|_| vec![0.0_f32; SIDE * SIDE]);
    for occluder in occluders {
        cover(&mut coverage, bed, &occluder);
    }
    for (covered, layer) in coverage.iter_mut().zip(&LAYERS) {
        // Three box blurs approximate a Gaussian.
        for _ in 0..3 {
            blur(covered, (layer.reach_m * PER_M / 3.0).round().max(1.0) as usize);
        }
    }
    let (stains, patterns) = (Tile::new(detail, 2, STAIN_TILE_M, 0.37), Tile::new(stone, 3, STAIN_TILE_M, 0.37));
    let calms = Tile::new(stone, 3, CALM_TILE_M, 0.11);
    let mut rgba = Vec::with_capacity(4 * SIDE * SIDE);
    for (j, i) in (0..SIDE).flat_map(|j| (0..SIDE).map(move |i| (j, i))) {
        let (x, z) = (metres(i), metres(j));
        // Swapped axes, so that the two patterns are not aligned.
        let (lightness, rubble_pattern) = (stains.at(j, i), patterns.at(j, i));
        let open: f32 = (coverage.iter().zip(&LAYERS))
            .map(|(covered, layer)| 1.0 - layer.deepest * (1.25 * covered[j * SIDE + i]).min(1.0))
            .product();
        let inside = smoothstep(HALF_M, HALF_M - EDGE_M, x.abs().max(z.abs()));
        let ambient_occlusion = 1.0 + (open - 1.0) * inside;
        // Waves pile up ripples in some places and smooth them in others; weaker among rubble.
        let calm = calms.at(i, j);
        let ripples = (0.7 + 1.2 * (calm - 0.4)).clamp(0.25, 1.0) * (1.0 - 0.6 * bed.rubble(x, z));
        rgba.extend([lightness, rubble_pattern, ambient_occlusion, ripples].map(to_byte));
    }
    Image { name: "ground map".into(), width: SIDE as u32, height: SIDE as u32, rgba }
}

fn metres(texel: usize) -> f32 {
    (texel as f32 + 0.5) / PER_M - HALF_M
}

/// Marks the texels below a thing, each in the layer of the thing's height above it.
fn cover(coverage: &mut Coverage, bed: &Seabed, occluder: &Occluder<'_>) {
    let texel = |p: Vec3| {
        let at = (Vec2::new(p.x, p.z) + HALF_M) * PER_M;
        let inside = at.min_element() >= 0.0 && at.max_element() < SIDE as f32;
        inside.then(|| at.y as usize * SIDE + at.x as usize)
    };
    for corners in occluder.triangles {
        let [a, b, c] = corners.map(|p| occluder.position + occluder.rotation * (p * occluder.scale));
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
                let layer = LAYERS.iter().position(|layer| over < layer.top_m);
                // A solid thing fills all layers below its top.
                let filled = match (occluder.solid, layer) {
                    (true, layer) => 0..layer.map_or(LAYERS.len(), |layer| layer + 1),
                    (false, Some(layer)) => layer..layer + 1,
                    (false, None) => 0..0,
                };
                coverage[filled].iter_mut().for_each(|covered| covered[at] = 1.0);
            }
        }
    }
}

/// A box blur of `2 * reach + 1` texels both ways.
fn blur(map: &mut [f32], reach: usize) {
    let weight = 1.0 / (2 * reach + 1) as f32;
    let mut line = vec![0.0_f32; SIDE];
    for row in map.chunks_exact_mut(SIDE) {
        let mut sum: f32 = row[..=reach].iter().sum();
        for (n, out) in line.iter_mut().enumerate() {
            *out = sum * weight;
            sum += row.get(n + reach + 1).unwrap_or(&0.0);
            sum -= if n >= reach { row[n - reach] } else { 0.0 };
        }
        row.copy_from_slice(&line);
    }
    // All columns at once, to read memory in order.
    let old = map.to_vec();
    let row = |n: usize| &old[n * SIDE..][..SIDE];
    let mut sums = vec![0.0_f32; SIDE];
    (0..=reach).for_each(|n| sums.iter_mut().zip(row(n)).for_each(|(sum, value)| *sum += value));
    for (n, out) in map.chunks_exact_mut(SIDE).enumerate() {
        out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = sum * weight);
        if n + reach + 1 < SIDE {
            sums.iter_mut().zip(row(n + reach + 1)).for_each(|(sum, value)| *sum += value);
        }
        if n >= reach {
            sums.iter_mut().zip(row(n - reach)).for_each(|(sum, value)| *sum -= value);
        }
    }
}

/// A channel of a tile that repeats over the map.
struct Tile {
    /// Its texels, 0..1, row by row.
    values: Vec<f32>,
    width: usize,
    /// For each texel along a side of the map, the columns (rows) of the tile on both sides of it, and the weight of
    /// the second one.
    across: Vec<(usize, usize, f32)>,
    down: Vec<(usize, usize, f32)>,
}

impl Tile {
    /// A tile `side_m` wide and high on the ground (m), shifted by the share `shift` of its side.
    fn new(tile: &Image, channel: usize, side_m: f32, shift: f32) -> Self {
        let (width, height) = (tile.width.max(1) as usize, tile.height.max(1) as usize);
        let along = |texels: usize| {
            let place = |n: usize| {
                let at = metres(n) / side_m + shift;
                let p = (at - at.floor()) * texels as f32 - 0.5;
                let low = p.floor();
                let texel = |n: i32| n.rem_euclid(texels as i32) as usize;
                (texel(low as i32), texel(low as i32 + 1), p - low)
            };
            (0..SIDE).map(place).collect()
        };
        let value = |texel: &[u8; 4]| f32::from(texel[channel]) / 255.0;
        let mut values: Vec<f32> = tile.rgba.as_chunks::<4>().0.iter().map(value).collect();
        values.resize(width * height, 0.5);
        Self { values, width, across: along(width), down: along(height) }
    }

    /// Interpolated value at a texel of the map, 0..1.
    fn at(&self, i: usize, j: usize) -> f32 {
        let ((left, right, u), (upper, lower, v)) = (self.across[i], self.down[j]);
        let row = |j: usize| mix(self.values[j * self.width + left], self.values[j * self.width + right], u);
        mix(row(upper), row(lower), v)
    }
}

fn to_byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeabedSettings;

    fn flat() -> Seabed {
        Seabed::new(&SeabedSettings { relief_m: 0.0, rubble: 0.0, ..SeabedSettings::default() }, 1)
    }

    fn ambient_occlusion(map: &Image, x: f32, z: f32) -> f32 {
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
        let thing = Occluder { triangles: &triangles, position, rotation: Quat::IDENTITY, scale: 1.0, solid };
        ground_map(&bed, (&Image::default(), &Image::default()), std::iter::once(thing))
    }

    #[test]
    fn a_thing_darkens_the_ground_about_it_and_not_afar() {
        let map = table(0.1, false);
        assert!(ambient_occlusion(&map, 4.0, -3.0) < 0.3);
        assert!(ambient_occlusion(&map, 4.0, -1.5) > 0.98);
        assert!(ambient_occlusion(&map, -3.0, 4.0) > 0.98, "x is not z");
    }

    #[test]
    fn the_higher_it_hangs_the_softer_its_shade() {
        let (low, high) = (table(0.1, false), table(1.5, false));
        assert!(ambient_occlusion(&high, 4.0, -3.0) > ambient_occlusion(&low, 4.0, -3.0) + 0.2);
        assert!(ambient_occlusion(&high, 4.0, -2.2) < ambient_occlusion(&low, 4.0, -2.2) - 0.01, "it reaches farther");
    }

    #[test]
    fn what_is_solid_shades_as_what_stands_on_the_ground() {
        assert!(
            ambient_occlusion(&table(1.5, true), 4.0, -3.0) < ambient_occlusion(&table(1.5, false), 4.0, -3.0) - 0.3
        );
    }

    #[test]
    fn a_bare_ground_is_open() {
        let map = ground_map(&flat(), (&Image::default(), &Image::default()), std::iter::empty());
        assert!(map.rgba.chunks_exact(4).all(|texel| texel[2] == 255));
    }
}
