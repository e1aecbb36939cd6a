//! The ground's detail map: ripples, grains, stains and rubble on a tile that repeats without a seam.

use std::f64::consts::TAU;

use noise::{NoiseFn, Perlin};

use crate::model::Image;

/// Side of the map in texels.
const SIDE: u32 = 256;
/// Ripple crests across the tile.
const RIPPLES: f64 = 9.0;

/// Makes the map: rg slopes of ripples and grains (0.5 flat, steepest 0 or 1), b lightness, a rubble pattern.
pub fn detail(seed: u64) -> Image {
    let noise = Perlin::new(seed as u32 ^ 0x6465_7461);
    let side = SIDE as usize;
    let texels = (0..side * side).map(|i| ((i % side) as f64 / side as f64, (i / side) as f64 / side as f64));
    let points: Vec<Texel> = texels.map(|(u, v)| texel(&noise, u, v)).collect();
    let height = |x: usize, y: usize| points[(y % side) * side + x % side].height;
    let mut rgba = Vec::with_capacity(side * side * 4);
    // A sine of amplitude 1 rises by 2 pi * RIPPLES / SIDE a texel at most: that slope is the map's full range.
    let steepest = TAU * RIPPLES / side as f64;
    for y in 0..side {
        for x in 0..side {
            let slope = |ahead: f64, behind: f64| to_byte(0.5 + 0.5 * (ahead - behind) / (2.0 * steepest));
            let point = &points[y * side + x];
            rgba.extend([
                slope(height(x + 1, y), height(x + side - 1, y)),
                slope(height(x, y + 1), height(x, y + side - 1)),
                to_byte(point.lightness),
                to_byte(point.rubble),
            ]);
        }
    }
    Image { name: "ground detail".into(), width: SIDE, height: SIDE, rgba }
}

struct Texel {
    /// Ripple height, about -1..1.
    height: f64,
    /// 0..1, mean 0.5.
    lightness: f64,
    /// 0..1, mean 0.5.
    rubble: f64,
}

fn texel(noise: &Perlin, u: f64, v: f64) -> Texel {
    let warp = 0.55 * tiled(noise, u, v, 0.9, 0.0) + 0.22 * tiled(noise, u, v, 2.3, 10.0);
    // Wave-made ripples: sharp crests, broad troughs, forked where the warp tears them.
    let phase = TAU * (RIPPLES * v + 1.0 * u) + TAU * warp * 1.7;
    let crest = (0.5 + 0.5 * phase.sin()).powf(1.4);
    let strength = (0.75 + 0.6 * tiled(noise, u, v, 1.3, 20.0)).clamp(0.15, 1.0);
    let grain = tiled(noise, u, v, 24.0, 30.0);
    let pebbles = tiled(noise, u, v, 9.0, 40.0);
    let rubble = 0.5 + 0.75 * pebbles + 0.35 * tiled(noise, u, v, 19.0, 50.0);
    let stain = 0.26 * tiled(noise, u, v, 1.1, 60.0) + 0.14 * tiled(noise, u, v, 3.7, 70.0);
    let fleck = if grain > 0.42 { -0.2 } else { 0.0 };
    Texel {
        height: (2.0 * crest - 1.0) * strength + 0.05 * grain + 0.05 * pebbles,
        // Fine dark matter gathers in the troughs.
        lightness: 0.46 + stain + 0.12 * (crest - 0.4) * strength + 0.09 * grain + fleck,
        rubble,
    }
}

/// Noise in -1..1 that repeats over the unit square: the square is rolled up into a torus in four dimensions.
fn tiled(noise: &Perlin, u: f64, v: f64, frequency: f64, offset: f64) -> f64 {
    let radius = frequency / TAU * 2.0;
    let (a, b) = (u * TAU, v * TAU);
    let at = [radius * a.cos() + offset, radius * a.sin(), radius * b.cos() - offset, radius * b.sin()];
    (noise.get(at) * 1.6).clamp(-1.0, 1.0)
}

fn to_byte(value: f64) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_repeats_without_a_seam() {
        let map = detail(1);
        let side = SIDE as usize;
        let at = |x: usize, y: usize, c: usize| i32::from(map.rgba[(y * side + x) * 4 + c]);
        // The step over the edge is like the steps inside.
        for channel in [2, 3] {
            let inside: i32 = (0..side).map(|y| (at(100, y, channel) - at(101, y, channel)).abs()).sum();
            let over: i32 = (0..side).map(|y| (at(side - 1, y, channel) - at(0, y, channel)).abs()).sum();
            assert!(over < 3 * inside + 200, "channel {channel}: {over} over the edge, {inside} inside");
        }
    }

    #[test]
    fn slopes_are_flat_on_average() {
        let map = detail(2);
        for channel in [0, 1] {
            let mean =
                map.rgba.iter().skip(channel).step_by(4).map(|&b| f64::from(b)).sum::<f64>() / f64::from(SIDE * SIDE);
            assert!((mean - 127.5).abs() < 2.0, "{mean}");
        }
    }
}
