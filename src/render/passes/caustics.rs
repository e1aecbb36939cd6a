//! Caustics: sun rays refracted at the wave maps, splatted into slices at several depths.

use crate::gl::{Attribute, AttributeKind};
use crate::gl::{
    Blend, Cull, Depth, Filter, Format, Geometry, Gl, GlError, Program, RenderState, RenderTarget, TargetFormat,
    Texture2d, Uniform, Wrap, attributes::UV,
};
use crate::render::passes::{WaveMaps, program};
use crate::render::shaders::ShaderSource;

/// Depth of each slice. Unit: m. Between them readers blend; below the last one the pattern stays and fades.
pub const SLICE_DEPTHS_M: [f32; 4] = [2.0, 5.0, 10.0, 20.0];

/// How far the ray grid reaches beyond the tile, as a share of it, so that rays from next door land too.
const MARGIN: f32 = 0.15;

/// Irradiance under the waves over its mean, one depth a channel, on the short waves' tile.
pub struct CausticsPass {
    program: Program,
    rays: Geometry,
    map: RenderTarget,
}

impl CausticsPass {
    /// A map of `side` texels from a grid of `cells` by `cells` ray bundles a tile.
    ///
    /// # Errors
    /// If a shader fails or an object is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, side: u32, cells: u32) -> Result<Self, GlError> {
        let program = program(gl, source, ("caustics.vert.glsl", "caustics.frag.glsl"), &[])?;
        let (corners, indices) = grid((cells as f32 * (1.0 + 2.0 * MARGIN)) as u32);
        let layout = [Attribute { location: UV, components: 2, kind: AttributeKind::F32, offset: 0 }];
        let rays = Geometry::new(gl, "caustic rays", bytemuck::cast_slice(&corners), 8, &layout, &indices)?;
        let format = TargetFormat { colors: &[(Format::Rgba16F, Filter::NearestMipmap, Wrap::Repeat)], depth: None };
        Ok(Self { program, rays, map: RenderTarget::new(gl, "caustic map", (side, side), &format)? })
    }

    /// The map for these waves. Slices that lie below the deepest place anything is lit, `deepest_m`, are left dark.
    pub fn draw(&self, waves: &WaveMaps<'_>, deepest_m: f32) -> &Texture2d {
        self.map.begin();
        self.map.clear([0.0; 4]);
        self.program.bind(&waves.uniforms());
        let state = RenderState { depth: Depth::Off, blend: Blend::Add, cull: Cull::Off };
        let needed = SLICE_DEPTHS_M.iter().take_while(|&&depth_m| depth_m < deepest_m).count() + 1;
        for (channel, depth_m) in SLICE_DEPTHS_M.into_iter().enumerate().take(needed) {
            self.program.set("slice_depth_m", &Uniform::Float(depth_m));
            self.program.set("slice_channel", &Uniform::Vec4(glam::Vec4::AXES[channel]));
            self.rays.draw(state, 0, self.rays.index_count());
        }
        self.map.color(0).update_mipmaps();
        self.map.color(0)
    }

    /// The map, as last drawn.
    pub fn map(&self) -> &Texture2d {
        self.map.color(0)
    }
}

/// Corners (0..1 and the margin) and triangles of a square grid.
fn grid(cells: u32) -> (Vec<[f32; 2]>, Vec<u32>) {
    let at = |i: u32| -MARGIN + (1.0 + 2.0 * MARGIN) * i as f32 / cells as f32;
    let corners = (0..=cells).flat_map(|z| (0..=cells).map(move |x| [at(x), at(z)])).collect();
    let row = cells + 1;
    let indices = (0..cells)
        .flat_map(|z| (0..cells).map(move |x| z * row + x))
        .flat_map(|i| [i, i + row, i + 1, i + 1, i + row, i + row + 1])
        .collect();
    (corners, indices)
}
