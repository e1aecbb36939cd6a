//! Caustics: sun rays refracted at the wave maps, splatted into slices at several depths.

use std::rc::Rc;

use glam::{Vec2, Vec3, Vec4};

use crate::gl::{
    Attribute, AttributeKind, Blend, Cull, Depth, Filter, Format, Geometry, Gl, GlError, Procedural, Program,
    RenderState, RenderTarget, TargetFormat, Texture2d, Wrap, attributes::UV, uniforms,
};
use crate::ocean::{CHANNEL_REFRACTIVE_INDICES, REFRACTIVE_INDEX, SUN_DIAMETER};
use crate::render::constants::CAUSTIC_DEPTHS_M;
use crate::render::pass_cache::PassMaker;
use crate::render::passes::{MipsPass, WaveMaps, WaveUniforms};

/// The grid reaches as far beyond the tile as rays stray on slopes of so many standard deviations, so that those from
/// next door land too. One slope in twenty thousand is steeper, if they are spread evenly over both axes.
const STEEPEST: f32 = 3.2;
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
        /// For all light, or for green light where the others are there.
        pub caustic_map: &'a Texture2d,
        /// For red light, at tiers that tell colours apart.
        pub caustic_map_red: Option<&'a Texture2d>,
        /// For blue light, likewise.
        pub caustic_map_blue: Option<&'a Texture2d>,
    }
}

/// Irradiance under the waves over its mean, one depth a channel, on the short waves' tile.
pub struct CausticsPass {
    program: Rc<Program<CausticsUniforms<'static>>>,
    rays: Rc<Rays>,
    /// For all light, or for green, red and blue.
    maps: Vec<Rc<RenderTarget>>,
    mips: MipsPass,
    /// At tiers that blur by the sun's disc.
    blur: Option<Blur>,
}

/// A mesh of light rays over the tile and beyond.
struct Rays {
    mesh: Geometry,
    /// Cells along a side of the tile.
    cells: u32,
    /// Number of indices that reach at least so far beyond the tile.
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
            rays: make.shared(&format!("{cells} cells"), || Rays::new(make.gl, cells))?,
            mips: MipsPass::new(make, "caustics", maps.iter().map(|map| map.color(0)))?,
            maps,
            blur: detail.caustic_blur.then(|| Blur::new(make, side)).transpose()?,
        })
    }

    /// The maps for these waves. Slices that lie below the deepest place anything is lit, `deepest_m`, are left dark.
    pub fn draw(
        &self,
        waves: &WaveMaps<'_>,
        deepest_m: f32,
        to_key_light_air: Vec3,
        triangle: &Procedural,
    ) -> CausticMaps<'_> {
        let state = RenderState { depth: Depth::Off, blend: Blend::Add, cull: Cull::Off };
        let needed = CAUSTIC_DEPTHS_M.iter().take_while(|&&depth_m| depth_m < deepest_m).count() + 1;
        let tile_m = waves.patches_m.z;
        for (map, index) in self.maps.iter().zip(COLOUR_INDICES) {
            map.begin();
            map.clear([0.0; 4]);
            for (channel, depth_m) in CAUSTIC_DEPTHS_M.into_iter().enumerate().take(needed) {
                let shortest_m = shortest_wave_m(depth_m).max(2.0 * tile_m / self.rays.cells as f32);
                let slope_texels = 0.5 * shortest_m / tile_m * waves.slope[2].extent().0 as f32;
                self.program.bind(&CausticsUniforms {
                    waves: waves.uniforms(),
                    refractive_index: index,
                    texels: map.extent().0 as f32,
                    slice_depth_m: depth_m,
                    slice_channel: Vec4::AXES[channel],
                    slope_level: slope_texels.log2().max(0.0),
                });
                let slope = STEEPEST * waves.slope_deviation(shortest_m);
                let margin = stray_by_slope(to_key_light_air.y) * slope * depth_m / tile_m;
                self.rays.draw(state, margin);
            }
            if let Some(blur) = &self.blur {
                blur.apply(map, tile_m, triangle);
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

    /// Blurs a map of a tile of so many metres.
    fn apply(&self, map: &RenderTarget, tile_m: f32, triangle: &Procedural) {
        let texel = 1.0 / map.extent().0 as f32;
        let [kernel_0, kernel_1, kernel_2, kernel_3] = blur_kernel(texel * tile_m);
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
/// Least standard deviation of the blur: lines thinner than a texel are beads before it. Unit: texels.
const LEAST_SPREAD: f32 = 0.75;

/// Weights of a texel and of those one, two and three away on either side, for the slices.
fn blur_kernel(texel_m: f32) -> [Vec4; 4] {
    // Along one axis a disc's standard deviation is a quarter of its width.
    let spread = CAUSTIC_DEPTHS_M.map(|depth_m| (0.25 * SUN_DISC * depth_m / texel_m).clamp(LEAST_SPREAD, 1.5));
    let spread = Vec4::from_array(spread);
    let weights = [0.0_f32, 1.0, 2.0, 3.0].map(|n| (-0.5 * n * n / (spread * spread)).exp());
    let whole = weights[0] + 2.0 * (weights[1] + weights[2] + weights[3]);
    weights.map(|weight| weight / whole)
}

/// Shortest waves that make the pattern at a depth (m). A wave focuses at about its length over ten times its slope;
/// those that have long focused scatter: they do not make the pattern but blur it. Slopes of 0.07 are usual.
fn shortest_wave_m(depth_m: f32) -> f32 {
    (0.03 + 0.006 * depth_m) * depth_m
}

/// How far a small slope moves the landing place of a ray, over the depth; `sun` is the sine of its elevation.
fn stray_by_slope(sun: f32) -> f32 {
    let sun = sun.clamp(0.02, 1.0);
    let n = COLOUR_INDICES[0];
    let sine = (1.0 - sun * sun).sqrt() / n;
    let cosine = (1.0 - sine * sine).sqrt();
    // Snell's law, differentiated by the tilt of the normal, and the tangent by the angle.
    (1.0 - sun / (n * cosine)) / (cosine * cosine)
}

/// A square grid over the tile, 0..1, and its widest margin.
struct Grid {
    corners: Vec<[f32; 2]>,
    /// Triangles, the tile's own cells first and then ring by ring outwards.
    indices: Vec<u32>,
    /// How far beyond the tile that many indices reach.
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
        assert!((stray_by_slope(1.0) - 0.2544).abs() < 1e-3, "overhead: 1 - 1/n");
        // A slope of 0.01 toward the sun and away from it, at 45 degrees, by Snell's law.
        let landing = |tilt: f32| {
            let met = 45f32.to_radians() - tilt;
            ((met.sin() / COLOUR_INDICES[0]).asin() + tilt).tan()
        };
        let expected = (landing(0.005) - landing(-0.005)) / 0.01;
        let found = stray_by_slope(45f32.to_radians().sin());
        assert!((found / expected - 1.0).abs() < 0.01, "{found} for {expected}");
    }

    #[test]
    fn the_blur_keeps_the_light_and_widens_with_depth() {
        for texel_m in [0.005, 0.02, 0.2] {
            let [own, one, two, three] = blur_kernel(texel_m);
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
