//! Seamless tiles: the ground's ripples, grains, stains and rubble; the grain of rocks.

use std::f64::consts::{PI, TAU};

use math::{smoothstep, splitmix64};
use model::Image;
use noise::{NoiseFn, Perlin};
use view::{GROUND_TILE_M, RIPPLE_LENGTH_M, RIPPLES_A_TILE, STONE_STEEPEST_SLOPE};

use crate::{
    SeabedSettings,
    seabed::burrows::{Burrows, Dug},
};

/// Side of a tile in texels.
const SIDE: u32 = 256;
/// Ripple crests across the tile.
const RIPPLES: f64 = RIPPLES_A_TILE as f64;

/// Makes [`SeabedMesh::detail`](view::SeabedMesh::detail) and the slope that fills its range.
pub fn ground_detail(seed: u64, settings: &SeabedSettings) -> (Image, f32) {
    let noise = Torus::new(seed as u32 ^ 0x6465_7461);
    let side = SIDE as usize;
    let pieces = [22, 52].map(|count| Strewn::new(seed ^ 0x7275, count));
    let burrows = (settings.burrows > 0.0).then(|| Burrows::new(seed));
    let points: Vec<Texel> = places()
        .map(|at| {
            let texel = texel(&noise, &pieces, f64::from(settings.ripple_height_m), at);
            match &burrows {
                Some(burrows) => texel.dug_over(&burrows.at(&noise, at), f64::from(settings.burrows)),
                None => texel,
            }
        })
        .collect();
    let height_m = |x: usize, y: usize| points[(y % side) * side + x % side].height_m;
    let texel_m = f64::from(GROUND_TILE_M) / side as f64;
    let slopes: Vec<[f64; 2]> = places()
        .map(|(x, y)| {
            let across = height_m(x + 1, y) - height_m(x + side - 1, y);
            let along = height_m(x, y + 1) - height_m(x, y + side - 1);
            [across, along].map(|rise_m| rise_m / (2.0 * texel_m))
        })
        .collect();
    // A sine's steepest slope is pi times its height, trough to crest, over its length.
    let of_ripples = PI * f64::from(settings.ripple_height_m) / f64::from(RIPPLE_LENGTH_M);
    let dug = if burrows.is_some() { slopes.as_flattened().iter().fold(0.0, |most, s| s.abs().max(most)) } else { 0.0 };
    let steepest = of_ripples.max(dug);
    let share = |slope: f64| to_byte(0.5 + 0.5 * slope / steepest.max(f64::MIN_POSITIVE));
    let texels = slopes.iter().zip(&points);
    let rgba = texels
        .flat_map(|(slope, point)| [share(slope[0]), share(slope[1]), to_byte(point.lightness), to_byte(point.rubble)]);
    (Image { name: "ground detail".into(), width: SIDE, height: SIDE, rgba: rgba.collect() }, steepest as f32)
}

struct Texel {
    /// Height of ripples and grains. Unit: m.
    height_m: f64,
    /// 0..1, mean 0.5.
    lightness: f64,
    /// Part of the lightness that comes from the ripple: crests are pale.
    crest_tone: f64,
    /// Height of rubble: 0 between the pieces, at most 1 in their middles. Pieces show where it exceeds the bare share.
    rubble: f64,
}

impl Texel {
    /// Ground of which animals have dug over a share: what they throw up buries the ripples.
    fn dug_over(self, dug: &Dug, share: f64) -> Self {
        Self {
            height_m: self.height_m + share * (dug.height_m - self.height_m),
            lightness: self.lightness + share * (dug.tone - self.crest_tone),
            ..self
        }
    }
}

fn texel(noise: &Torus, pieces: &[Strewn; 2], ripple_height_m: f64, at: (usize, usize)) -> Texel {
    let tiled = |frequency, offset| noise.at(at, frequency, offset);
    let (u, v) = unit(at);
    let warp = 0.55 * tiled(0.9, 0.0) + 0.22 * tiled(2.3, 10.0);
    // Wave-made ripples: sharp crests, broad troughs, forked where the warp tears them.
    let phase = TAU * (RIPPLES * v + 1.0 * u) + TAU * warp * 1.2;
    let crest = (0.5 + 0.5 * phase.sin()).powf(1.4);
    let strength = (0.75 + 0.6 * tiled(1.3, 20.0)).clamp(0.15, 1.0);
    let grain = tiled(24.0, 30.0);
    let pebbles = tiled(9.0, 40.0);
    let rough = 0.5 * pebbles + 0.5 * tiled(19.0, 50.0);
    // Pieces as broad as a hand, and as two fingers.
    let [broad, small] = pieces;
    let rubble = broad.piece(u, v, rough).max(small.piece(u, v, rough));
    let stain = 0.16 * tiled(1.1, 60.0) + 0.08 * tiled(3.7, 70.0);
    let fleck = if grain > 0.42 { -0.2 } else { 0.0 };
    // Fine dark matter gathers in the troughs.
    let crest_tone = 0.46 * (crest - 0.4) * strength;
    Texel {
        height_m: 0.5 * ripple_height_m * ((2.0 * crest - 1.0) * strength + 0.05 * grain + 0.05 * pebbles),
        lightness: 0.46 + 0.8 * stain + crest_tone + 0.09 * grain + fleck,
        crest_tone,
        rubble,
    }
}

/// The grain of rocks: rg slopes (0.5 flat), b height, a growth of crusts.
pub fn stone(seed: u64) -> Image {
    let noise = Torus::new(seed as u32 ^ 0x5354_4f4e);
    let side = SIDE as usize;
    let strewn = [(0, 9), (0x6b, 17), (0x67, 43), (0x62, 27)].map(|(salt, count)| Strewn::new(seed ^ salt, count));
    let heights: Vec<f64> = places().map(|at| stone_height(&noise, &strewn, at)).collect();
    let height = |x: usize, y: usize| heights[(y % side) * side + x % side];
    let slope = |rise: f64| to_byte(0.5 + 0.5 * rise * 0.5 * side as f64 * 0.09 / f64::from(STONE_STEEPEST_SLOPE));
    let mut rgba = Vec::with_capacity(side * side * 4);
    for (x, y) in places() {
        let tiled = |frequency, offset| noise.at((x, y), frequency, offset);
        // Ragged down to a texel, so that any threshold gives a border like a living crust's.
        let crust = 0.5
            + 0.66 * tiled(1.7, 80.0)
            + 0.34 * tiled(5.0, 90.0)
            + 0.20 * tiled(14.0, 100.0)
            + 0.16 * tiled(40.0, 110.0);
        rgba.extend([
            slope(height(x + 1, y) - height(x + side - 1, y)),
            slope(height(x, y + 1) - height(x, y + side - 1)),
            to_byte(height(x, y)),
            to_byte(crust),
        ]);
    }
    Image { name: "stone".into(), width: SIDE, height: SIDE, rgba }
}

/// Height of stone, 0..1, mean about a half: worn lumps with pits, cracks and burrows, knobs and granules of old coral.
fn stone_height(noise: &Torus, strewn: &[Strewn; 4], at: (usize, usize)) -> f64 {
    let tiled = |frequency, offset| noise.at(at, frequency, offset);
    let (u, v) = unit(at);
    let lumps = 0.22 * tiled(2.4, 0.0) + 0.15 * tiled(5.6, 10.0) + 0.11 * tiled(13.0, 20.0) + 0.10 * tiled(34.0, 30.0);
    let patch = |offset: f64| (0.5 + 0.9 * tiled(1.5, offset)).clamp(0.0, 1.0);
    let ease = |from: f32, to: f32, x: f64| f64::from(smoothstep(from, to, x as f32));
    let (pitted, knobbed) = (patch(40.0), patch(50.0));
    let [pits, knobs, granules, burrows] = strewn;
    let (near, next) = pits.nearest(u, v);
    let pits = ease(0.42, 0.08, near) * pitted;
    let cracks = ease(0.10, 0.0, next - near) * (1.0 - pitted);
    let knobs = ease(0.50, 0.05, knobs.nearest(u, v).0) * knobbed;
    let granules = ease(0.46, 0.10, granules.nearest(u, v).0) * ease(0.25, 0.7, 1.0 - knobbed);
    let burrows = ease(0.30, 0.14, burrows.nearest(u, v).0) * ease(0.45, 0.8, knobbed);
    (0.52 + lumps - 0.30 * pits - 0.22 * cracks + 0.16 * knobs + 0.14 * granules - 0.30 * burrows).clamp(0.0, 1.0)
}

/// Coordinates of a tile's texels, row by row.
fn places() -> impl Iterator<Item = (usize, usize)> {
    let side = SIDE as usize;
    (0..side).flat_map(move |y| (0..side).map(move |x| (x, y)))
}

/// A texel's place in the unit square.
pub fn unit((x, y): (usize, usize)) -> (f64, f64) {
    (x as f64 / f64::from(SIDE), y as f64 / f64::from(SIDE))
}

/// Points strewn over the unit square, one in each cell.
pub struct Strewn {
    /// Cells along a side.
    count: i64,
    /// Position of each point in its cell, and its random share; a border of one cell repeats the opposite side.
    points: Vec<[f64; 3]>,
}

impl Strewn {
    /// Points in so many cells along a side.
    pub fn new(seed: u64, count: i64) -> Self {
        let point = |i: i64, j: i64| {
            let cell = (j.rem_euclid(count) * count + i.rem_euclid(count)) as u64;
            let bits = splitmix64(seed ^ count as u64, cell);
            [0, 16, 32].map(|shift| ((bits >> shift) & 0xffff) as f64 / 65536.0)
        };
        let points = (-1..=count).flat_map(|j| (-1..=count).map(move |i| point(i, j))).collect();
        Self { count, points }
    }

    /// Points about a place: squared distance, in cells, and share of each.
    pub fn about(&self, u: f64, v: f64) -> impl Iterator<Item = (f64, f64)> {
        let (x, y) = (u * self.count as f64, v * self.count as f64);
        let (i, j) = (x as usize, y as usize);
        let row = self.count as usize + 2;
        (j..j + 3).flat_map(move |j| (i..i + 3).map(move |i| (i, j))).map(move |(i, j)| {
            let [across, down, share] = self.points[j * row + i];
            let (dx, dy) = (i as f64 - 1.0 + across - x, j as f64 - 1.0 + down - y);
            (dx * dx + dy * dy, share)
        })
    }

    /// Distances to the nearest and second nearest points.
    fn nearest(&self, u: f64, v: f64) -> (f64, f64) {
        let (near, next) = self.about(u, v).fold((f64::MAX, f64::MAX), |(near, next), (d, _)| match d {
            d if d < near => (d, near),
            d => (near, next.min(d)),
        });
        (near.sqrt(), next.sqrt())
    }

    /// Height of broken coral and shells: highest in their middles, ragged by `rough`, each as high as its own share.
    fn piece(&self, u: f64, v: f64, rough: f64) -> f64 {
        let height = |(d, share): (f64, f64)| share * (1.0 - ((d.sqrt() + 0.45 * rough) / 0.62).powi(2));
        self.about(u, v).map(height).fold(0.0, f64::max)
    }
}

/// Noise that repeats over the unit square: the square is rolled up into a torus in four dimensions.
pub struct Torus {
    noise: Perlin,
    /// Cosine and sine of the way round at each texel.
    round: Vec<(f64, f64)>,
}

impl Torus {
    fn new(seed: u32) -> Self {
        let angle = |n| f64::from(n) / f64::from(SIDE) * TAU;
        Self { noise: Perlin::new(seed), round: (0..SIDE).map(|n| (angle(n).cos(), angle(n).sin())).collect() }
    }

    /// Value at a texel, in -1..1.
    pub fn at(&self, (x, y): (usize, usize), frequency: f64, offset: f64) -> f64 {
        let radius = frequency / TAU * 2.0;
        let ((cos_a, sin_a), (cos_b, sin_b)) = (self.round[x], self.round[y]);
        let at = [radius * cos_a + offset, radius * sin_a, radius * cos_b - offset, radius * sin_b];
        (self.noise.get(at) * 1.6).clamp(-1.0, 1.0)
    }
}

fn to_byte(value: f64) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maps_repeat_without_a_seam() {
        [rippled(1), dug(1), stone(1)].iter().for_each(repeats);
    }

    fn rippled(seed: u64) -> Image {
        ground_detail(seed, &SeabedSettings::default()).0
    }

    fn dug(seed: u64) -> Image {
        ground_detail(seed, &SeabedSettings { ripple_height_m: 0.0, burrows: 1.0, ..SeabedSettings::default() }).0
    }

    fn repeats(map: &Image) {
        let side = SIDE as usize;
        let at = |x: usize, y: usize, c: usize| i32::from(map.rgba[(y * side + x) * 4 + c]);
        // The step across the edge must be like the steps inside.
        for channel in [2, 3] {
            let inside: i32 = (0..side).map(|y| (at(100, y, channel) - at(101, y, channel)).abs()).sum();
            let over: i32 = (0..side).map(|y| (at(side - 1, y, channel) - at(0, y, channel)).abs()).sum();
            assert!(over < 3 * inside + 200, "channel {channel}: {over} over the edge, {inside} inside");
        }
    }

    #[test]
    fn slopes_are_flat_on_average() {
        for (map, channel) in [rippled(2), dug(2), stone(2)].iter().flat_map(|map| [(map, 0), (map, 1)]) {
            let mean =
                map.rgba.iter().skip(channel).step_by(4).map(|&b| f64::from(b)).sum::<f64>() / f64::from(SIDE * SIDE);
            assert!((mean - 127.5).abs() < 2.0, "{mean}");
        }
    }

    #[test]
    fn mounds_are_steeper_than_low_ripples_and_bury_their_stripes() {
        let dark = |map: &Image| map.rgba.iter().skip(2).step_by(4).filter(|&&lightness| lightness < 40).count();
        let low = SeabedSettings { ripple_height_m: 0.005, ..SeabedSettings::default() };
        let (ripples, of_ripples) = ground_detail(3, &low);
        let (mud, of_mud) = ground_detail(3, &SeabedSettings { burrows: 1.0, ..low });
        assert!(of_mud > 3.0 * of_ripples, "{of_mud} {of_ripples}");
        assert!(2 * dark(&mud) < dark(&ripples), "{} {}", dark(&mud), dark(&ripples));
        let (burrows, noise) = (Burrows::new(3), Torus::new(3));
        let dug = || places().map(|at| burrows.at(&noise, at));
        let (highest_m, darkest) = dug().fold((0.0, 0.0), |(m, tone), dug| (dug.height_m.max(m), dug.tone.min(tone)));
        assert!((0.02..0.10).contains(&highest_m) && darkest < -0.35, "mounds of {highest_m} m, mouths of {darkest}");
    }
}
