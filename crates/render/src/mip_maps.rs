//! Mip maps that a frame makes of its own maps, read back for tests that compare them with a box filter.

use gl::{Filter, Format, Gl, Procedural, Program, RenderTarget, ShaderText, TargetFormat, Texture2d, Wrap, uniforms};

use crate::frame_uniforms::FRAME_BLOCK;
use crate::pass_cache::PassCache;
use crate::passes::MipsPass;
use crate::setup::Setup;
use crate::{PostSettings, RenderError, RenderSettings};

uniforms! {
    struct LevelUniforms<'a> {
        map: &'a Texture2d,
        level: i32,
    }
}

/// A mip map: its width and height in texels, and its texels, RGBA, bottom row first.
pub type MipMap = ((u32, u32), Vec<[f32; 4]>);

/// The mip maps, from level 1 on, of a texture whose level 0 is `texels`, RGBA, bottom row first.
///
/// # Errors
/// If the driver refuses an object or a shader fails.
///
/// # Panics
/// If there are not as many texels as `extent` says: a caller's bug.
pub fn mip_maps(gl: &Gl, extent: (u32, u32), texels: &[[f32; 4]]) -> Result<Vec<MipMap>, RenderError> {
    let (format, filter) = (Format::Rgba16F, Filter::NearestMipmap);
    let texture = Texture2d::new(gl, "mip maps", extent, format, filter, Wrap::Repeat, None)?;
    texture.write(bytemuck::cast_slice(texels));
    let setup = Setup::new(true, extent, &PostSettings::default(), &RenderSettings::default());
    let cache = PassCache::default();
    let pass = setup.make(gl, &cache, |make| MipsPass::new(make, "a test", [&texture]))?;
    let triangle = Procedural::new(gl)?;
    pass.draw([&texture], &triangle);

    let vertex = setup.source.text("fullscreen.vert.glsl", &[])?;
    let fragment = "uniform sampler2D map;\nuniform int level;\nout vec4 texel;\n\
        void main() { texel = texelFetch(map, ivec2(gl_FragCoord.xy), level); }\n";
    let fragment = ShaderText { source: fragment.into(), files: Vec::new() };
    let program = Program::<LevelUniforms<'static>>::new(gl, "level", [vertex, fragment], FRAME_BLOCK)?;
    let read = |level| {
        let extent = texture.level_extent(level);
        let format = TargetFormat { colors: &[(Format::Rgba32F, Filter::Nearest, Wrap::Clamp)], depth: None };
        let target = RenderTarget::new(gl, "level", extent, &format)?;
        target.begin();
        program.bind(&LevelUniforms { map: &texture, level: level as i32 });
        triangle.fullscreen();
        let floats = target.read_f32(0);
        let texels: &[[f32; 4]] = bytemuck::cast_slice(&floats);
        Ok((extent, texels.chunks_exact(extent.0 as usize).rev().flatten().copied().collect()))
    };
    (1..=texture.drawn_levels().unwrap_or(0)).map(read).collect()
}
