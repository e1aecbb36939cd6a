//! Caustics: sun rays refracted at the wave maps, splatted into slices at several depths.

use std::f32::consts::TAU;
use std::rc::Rc;

use gl::{
    Attribute, AttributeKind, Blend, Cull, Depth, Filter, Format, Geometry, Gl, GlError, Procedural, Program,
    RenderState, RenderTarget, TargetFormat, Texture2d, Wrap, attributes::UV, uniforms,
};
use glam::{Vec2, Vec3, Vec4};
use ocean::{CHANNEL_REFRACTIVE_INDICES, REFRACTIVE_INDEX, SUN_DIAMETER, fresnel};

use crate::caustic_slices::slice_depths_m;
use crate::pass_cache::PassMaker;
use crate::passes::{MipsPass, SmoothSlopes, WaveMaps, WaveUniforms};

/// Steepest slope whose rays the margin of the grid still holds, in standard deviations, so that rays from neighbouring
/// tiles land too. One slope in fifteen hundred is steeper, if they are spread evenly over both axes. The contrast of
/// the pattern is set with it; 3.2, beyond which lies one in twenty thousand, takes no measurably longer: 10.6 s of
/// user time for 500 frames at low, 10.8 s with this (the least of five each).
const STEEPEST: f32 = 2.7;
/// Widest margin of the grid, as a share of the tile.
const WIDEST_MARGIN: f32 = 0.6;

/// Indices of refraction for green, red and blue light.
const COLOUR_INDICES: [f32; 3] =
    [CHANNEL_REFRACTIVE_INDICES.y, CHANNEL_REFRACTIVE_INDICES.x, CHANNEL_REFRACTIVE_INDICES.z];

uniforms! {
    struct CausticsUniforms<'a> {
        waves: WaveUniforms<'a>,
        refractive_index: f32,
        texels: f32,
        slice_depth_m: f32,
        slice_channel: Vec4,
        slope_level: f32,
        flux_scale: f32,
    }
}

uniforms! {
    struct BlurUniforms<'a> {
        from: &'a Texture2d,
        step_uv: Vec2,
        kernel_0: Vec4,
        kernel_1: Vec4,
        kernel_2: Vec4,
        kernel_3: Vec4,
    }
}

uniforms! {
    /// The caustic maps, by colour: the uniforms of `include/lighting.glsl`.
    pub struct CausticMaps<'a> {
        /// Map for all light, or for green light where the others are there.
        pub caustic_map: &'a Texture2d,
        /// Map for red light, at tiers that tell colours apart.
        pub caustic_map_red: Option<&'a Texture2d>,
        /// Map for blue light, likewise.
        pub caustic_map_blue: Option<&'a Texture2d>,
    }
}

/// Irradiance under the waves over its mean, one depth a channel, on the short waves' tile.
pub struct CausticsPass {
    program: Rc<Program<CausticsUniforms<'static>>>,
    rays: Rc<Rays>,
    /// Maps for all light, or for green, red and blue.
    maps: Vec<Rc<RenderTarget>>,
    mips: MipsPass,
    /// Blur by the sun's disc, at tiers that have it.
    blur: Option<Blur>,
}

/// A mesh of light rays over the tile and beyond.
struct Rays {
    mesh: Geometry,
    /// Cells along a side of the tile.
    cells: u32,
    /// Margins beyond the tile, and the number of indices that reach at least that far.
    reaches: Vec<(f32, u32)>,
}

/// A map blurred one way, on its way to being blurred both.
struct Blur {
    program: Rc<Program<BlurUniforms<'static>>>,
    between: Rc<RenderTarget>,
}

impl CausticsPass {
    /// Maps by the tier's numbers: one, or three where colours are told apart.
    ///
    /// # Errors
    /// If a shader fails or an object is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let detail = &make.plan.detail;
        let (side, cells) = (detail.caustic_map, detail.caustic_grid);
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::NearestMipmap, Wrap::Repeat)], depth: None };
        let map = |colour: &&str| make.target(&format!("caustic map{colour}"), (side, side), &format);
        let colours = if detail.dispersion { &[" green", " red", " blue"][..] } else { &[""] };
        let maps = colours.iter().map(map).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            program: make.program(("caustics.vert.glsl", "caustics.frag.glsl"), &[])?,
            rays: make.shared(&format!("{cells} cells"), || Rays::new(make.gl, cells).map(Rc::new))?,
            mips: MipsPass::new(make, "caustics", maps.iter().map(|map| map.color(0)))?,
            maps,
            blur: detail.caustic_blur.then(|| Blur::new(make, side)).transpose()?,
        })
    }

    /// Draws the maps for these waves over ground at a depth (m).
    pub fn draw(
        &self,
        waves: &WaveMaps<'_>,
        seabed_depth_m: f32,
        to_key_light_air: Vec3,
        triangle: &Procedural,
    ) -> CausticMaps<'_> {
        let state = RenderState { depth: Depth::Off, blend: Blend::Add, cull: Cull::Off };
        let tile_m = waves.patches_m.z;
        let (farthest, stray) = stray_by_slope(to_key_light_air.y);
        let depths_m = slice_depths_m(seabed_depth_m);
        let cell_m = tile_m / self.rays.cells as f32;
        let patterns = depths_m.map(|depth_m| Pattern::new(waves, depth_m, (stray, to_key_light_air.y), cell_m));
        for (map, index) in self.maps.iter().zip(COLOUR_INDICES) {
            map.begin();
            map.clear(patterns.each_ref().map(|pattern| 1.0 - pattern.share));
            for (channel, (depth_m, Pattern { slopes, share })) in depths_m.into_iter().zip(&patterns).enumerate() {
                if *share == 0.0 {
                    continue;
                }
                self.program.bind(&CausticsUniforms {
                    waves: waves.uniforms(),
                    refractive_index: index,
                    texels: map.extent().0 as f32,
                    slice_depth_m: depth_m,
                    slice_channel: Vec4::AXES[channel],
                    slope_level: slopes.level,
                    flux_scale: share / mean_flux(to_key_light_air, slopes.variance, index),
                });
                let slope = STEEPEST * slopes.variance.x.max(slopes.variance.y).sqrt();
                self.rays.draw(state, farthest * slope * depth_m / tile_m);
            }
            if let Some(blur) = &self.blur {
                blur.apply(map, (tile_m, depths_m), triangle);
            }
        }
        self.mips.draw(self.maps.iter().map(|map| map.color(0)), triangle);
        self.maps()
    }

    /// The maps, as last drawn.
    pub fn maps(&self) -> CausticMaps<'_> {
        let map = |index: usize| self.maps.get(index).map(|map| map.color(0));
        CausticMaps { caustic_map: self.maps[0].color(0), caustic_map_red: map(1), caustic_map_blue: map(2) }
    }
}

impl Rays {
    fn new(gl: &Gl, cells: u32) -> Result<Self, GlError> {
        let Grid { corners, indices, reaches } = Grid::new(cells);
        let layout = [Attribute { location: UV, components: 2, kind: AttributeKind::F32, offset: 0 }];
        let mesh = Geometry::new(gl, "caustic rays", bytemuck::cast_slice(&corners), 8, &layout, &indices)?;
        Ok(Self { mesh, cells, reaches })
    }

    /// Draws the rays that land on the tile if they stray by `margin` of its side at most.
    fn draw(&self, state: RenderState, margin: f32) {
        let enough = self.reaches.iter().find(|(reach, _)| *reach >= margin);
        self.mesh.draw(state, 0, enough.map_or(self.mesh.index_count(), |(_, count)| *count));
    }
}

impl Blur {
    fn new(make: &PassMaker<'_>, side: u32) -> Result<Self, GlError> {
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::Nearest, Wrap::Repeat)], depth: None };
        Ok(Self {
            program: make.program(("fullscreen.vert.glsl", "caustic_blur.frag.glsl"), &[])?,
            between: make.target("caustic blur", (side, side), &format)?,
        })
    }

    /// Blurs the map of a tile `tile_m` wide, with slices at `depths_m`.
    fn apply(&self, map: &RenderTarget, (tile_m, depths_m): (f32, [f32; 4]), triangle: &Procedural) {
        let texel = 1.0 / map.extent().0 as f32;
        let [kernel_0, kernel_1, kernel_2, kernel_3] = blur_kernel(depths_m, texel * tile_m);
        for (from, to, axis) in [(map, &*self.between, Vec2::X), (&*self.between, map, Vec2::Y)] {
            to.begin();
            let (from, step_uv) = (from.color(0), axis * texel);
            self.program.bind(&BlurUniforms { from, step_uv, kernel_0, kernel_1, kernel_2, kernel_3 });
            triangle.fullscreen();
        }
    }
}

/// Angle over which the sun's disc spreads a beam under water, by Snell's law. Unit: rad.
const SUN_DISC: f32 = SUN_DIAMETER / REFRACTIVE_INDEX;
/// Least standard deviation of the blur: unblurred, lines thinner than a texel are beads. Unit: texels.
const MIN_SPREAD: f32 = 0.75;

/// Weights of a texel and of those one, two and three away on either side, for the slices.
fn blur_kernel(depths_m: [f32; 4], texel_m: f32) -> [Vec4; 4] {
    // Along one axis a disc's standard deviation is a quarter of its width.
    let spread = depths_m.map(|depth_m| (0.25 * SUN_DISC * depth_m / texel_m).clamp(MIN_SPREAD, 1.5));
    let spread = Vec4::from_array(spread);
    let weights = [0.0_f32, 1.0, 2.0, 3.0].map(|n| (-0.5 * n * n / (spread * spread)).exp());
    let whole = weights[0] + 2.0 * (weights[1] + weights[2] + weights[3]);
    weights.map(|weight| weight / whole)
}

/// Wavelength over the length of a texel of slopes at which half of the wave is left.
const HALVED_TEXELS: f32 = 3.4;
/// Spread that shorter waves give a ray, as a phase of the wave: up to this the wave makes a pattern; beyond, in
/// proportion, its light falls evenly. Set so that the contrast is that of rays traced through all waves
/// (tests/gl/waves.rs).
const PATTERN_PHASE: f32 = 1.07;
/// Greatest such phase of the shortest waves drawn, so that there are lines to follow though some light falls evenly:
/// it grows with depth in shallow water, where lines cross too often, and falls in deep water, where nothing is sharp.
/// Each at the surface and a metre of depth; the less of the two. By eye, as far as the contrast allows. Unit: 1 and
/// 1/m.
const THINNEST_PHASE: [(f32, f32); 2] = [(1.04, 0.17), (4.27, -0.16)];
/// Fall of that phase with depth under a low sun: the sines of the sun's height at which it counts in full and from
/// which on not at all, and the phase at the surface and a metre of depth. Units: 1; 1 and 1/m.
const LOW_SUN: [f32; 2] = [0.5, 0.85];
const THINNEST_LOW_PHASE: (f32, f32) = (3.93, -0.565);
/// Power by which the pattern's share falls as thinner lines are drawn, so that the contrast stays. Unit: 1.
const THINNER_EVENS: f32 = 1.15;
/// Greatest length of the shortest waves that the cells resolve, over the depth; beyond it a slice is left even.
const COARSEST_OVER_DEPTH: f32 = 0.8;

/// Waves and light that a slice is drawn from.
struct Pattern {
    /// The waves that make the pattern.
    slopes: SmoothSlopes,
    /// Share of the light in the pattern; the rest falls evenly.
    share: f32,
}

impl Pattern {
    /// The pattern at a depth (m) where a slope of 1 moves rays by `stray` of it, under a sun whose height has the sine
    /// `sun_sine`, of waves that cells of `cell_m` resolve.
    fn new(waves: &WaveMaps<'_>, depth_m: f32, (stray, sun_sine): (f32, f32), cell_m: f32) -> Self {
        let stray_m = depth_m * stray;
        let phase = |slopes: &SmoothSlopes| {
            TAU * stray_m * (0.5 * slopes.lost).sqrt() / (HALVED_TEXELS * slopes.texel_m).max(1e-6)
        };
        let [shallow, deep] = THINNEST_PHASE.map(|(at_surface, a_metre)| at_surface + a_metre * depth_m);
        let lowness = ((LOW_SUN[1] - sun_sine) / (LOW_SUN[1] - LOW_SUN[0])).clamp(0.0, 1.0);
        let low = THINNEST_LOW_PHASE.0 + lowness * THINNEST_LOW_PHASE.1 * depth_m;
        let greatest = shallow.min(deep).min(low).max(PATTERN_PHASE);
        let is_smooth = |slopes: &&SmoothSlopes| slopes.texel_m >= cell_m && phase(slopes) <= greatest;
        let smoothest = waves.smooth_slopes[waves.smooth_slopes.len() - 1];
        let slopes = waves.smooth_slopes.iter().find(is_smooth).copied().unwrap_or(smoothest);
        let is_even = cell_m * HALVED_TEXELS > COARSEST_OVER_DEPTH * depth_m;
        let share = if is_even { 0.0 } else { (PATTERN_PHASE / phase(&slopes).max(PATTERN_PHASE)).powf(THINNER_EVENS) };
        Self { slopes, share }
    }
}

/// Shift of a ray's landing place by a small slope, over the depth: one toward the sun, and the geometric mean with one
/// across it; `sun` is the sine of its elevation.
fn stray_by_slope(sun: f32) -> (f32, f32) {
    let sun = sun.clamp(0.02, 1.0);
    let n = COLOUR_INDICES[0];
    let sine = (1.0 - sun * sun).sqrt() / n;
    let cosine = (1.0 - sine * sine).sqrt();
    // Snell's law, differentiated by the tilt of the normal, and the tangent by the angle.
    let across = 1.0 - sun / (n * cosine);
    (across / (cosine * cosine), across / cosine)
}

/// Flux through a square metre of sea, over the light's irradiance: the mean over Gaussian slopes (xx, zz, xz).
///
/// The mean beam decides how much light the sea lets through; the map says where it goes.
fn mean_flux(to_key_light: Vec3, variance: Vec3, n: f32) -> f32 {
    let sun = to_key_light.y.max(0.02);
    let (x, z) = (to_key_light.x, to_key_light.z);
    // Standard deviation of the slope toward the light times the cosine of its elevation.
    let toward = (variance.x * x * x + variance.y * z * z + 2.0 * variance.z * x * z).max(0.0).sqrt();
    let steps = (-40..=40).map(|i| 0.1 * i as f32);
    let flux = |at: f32| {
        let met = (sun - toward * at).max(0.0);
        let steepness = (1.0 + variance.x + variance.y).sqrt();
        met * (1.0 - fresnel((met / steepness).clamp(1e-3, 1.0), n))
    };
    let weight = |at: f32| (-0.5 * at * at).exp();
    steps.clone().map(|at| flux(at) * weight(at)).sum::<f32>() / steps.map(weight).sum::<f32>()
}

/// A square grid over the tile, 0..1, and its widest margin.
struct Grid {
    corners: Vec<[f32; 2]>,
    /// Triangles, the tile's own cells first and then ring by ring outwards.
    indices: Vec<u32>,
    /// Margins beyond the tile, and the number of indices that reach that far.
    reaches: Vec<(f32, u32)>,
}

impl Grid {
    fn new(cells: u32) -> Self {
        let rings = (WIDEST_MARGIN * cells as f32).ceil() as u32;
        let row = cells + 2 * rings + 1;
        let at = |i: u32| (i as f32 - rings as f32) / cells as f32;
        let corners = (0..row).flat_map(|z| (0..row).map(move |x| [at(x), at(z)])).collect();
        let ring = |i: u32| rings.saturating_sub(i).max((i + 1).saturating_sub(rings + cells));
        let mut places: Vec<(u32, u32)> = (0..row - 1).flat_map(|z| (0..row - 1).map(move |x| (x, z))).collect();
        places.sort_by_key(|&(x, z)| ring(x).max(ring(z)));
        let mut reaches = Vec::new();
        let mut indices = Vec::with_capacity(6 * places.len());
        for (n, &(x, z)) in places.iter().enumerate() {
            let i = z * row + x;
            indices.extend([i, i + row, i + 1, i + 1, i + row, i + row + 1]);
            let own = ring(x).max(ring(z));
            if places.get(n + 1).is_none_or(|&(x, z)| ring(x).max(ring(z)) > own) {
                reaches.push((own as f32 / cells as f32, indices.len() as u32));
            }
        }
        Self { corners, indices, reaches }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_sun_strays_farther_on_the_same_slope() {
        assert!((stray_by_slope(1.0).0 - 0.2544).abs() < 1e-3, "overhead: 1 - 1/n");
        // A slope of 0.01 toward the sun and away from it, at 45 degrees, by Snell's law.
        let landing = |tilt: f32| {
            let met = 45f32.to_radians() - tilt;
            ((met.sin() / COLOUR_INDICES[0]).asin() + tilt).tan()
        };
        let expected = (landing(0.005) - landing(-0.005)) / 0.01;
        let found = stray_by_slope(45f32.to_radians().sin()).0;
        assert!((found / expected - 1.0).abs() < 0.01, "{found} for {expected}");
    }

    #[test]
    fn the_blur_keeps_the_light_and_widens_with_depth() {
        for texel_m in [0.005, 0.02, 0.2] {
            let [own, one, two, three] = blur_kernel(slice_depths_m(f32::INFINITY), texel_m);
            let whole = own + 2.0 * (one + two + three);
            assert!((whole - Vec4::ONE).abs().max_element() < 1e-6, "{whole}");
            assert!(own.x >= own.y && own.y >= own.z && own.z >= own.w && three.min_element() >= 0.0);
        }
    }

    #[test]
    fn the_grid_grows_ring_by_ring_round_the_tile() {
        let Grid { corners, indices, reaches } = Grid::new(10);
        assert_eq!(reaches.first(), Some(&(0.0, 6 * 100)));
        assert_eq!(reaches.last().map(|r| r.1 as usize), Some(indices.len()));
        for (reach, count) in reaches {
            let drawn = indices[..count as usize].iter().flat_map(|&i| corners[i as usize]);
            let (low, high) = drawn.fold((0.0f32, 0.0f32), |(low, high), c| (low.min(c), high.max(c)));
            assert!((low + reach).abs() < 1e-6 && (high - 1.0 - reach).abs() < 1e-6, "{reach}: {low} to {high}");
            let cells = (10.0 * (1.0 + 2.0 * reach)).round() as u32;
            assert_eq!(count, 6 * cells * cells);
        }
    }
}
