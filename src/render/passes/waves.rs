//! Displacement and slope maps of the sea at this instant.

use crate::gl::{
    Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Uniform, Wrap,
};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;
use crate::scene::{Cascade, RenderScene};

/// Waves a patch can have at most.
const MAX_COMPONENTS: usize = 256;

/// Sums the spectrum's sines on two tiling patches.
pub struct WavesPass {
    program: Program,
    patches: [Patch; 2],
    flat: Cascade,
}

struct Patch {
    components: Texture2d,
    maps: RenderTarget,
    texels: Vec<[f32; 4]>,
}

/// The maps of one instant, for every consumer of the wave field.
#[derive(Clone, Copy)]
pub struct WaveMaps<'a> {
    /// Displacement of the long and the short patch.
    pub displacement: [&'a Texture2d; 2],
    /// Slopes of the long and the short patch.
    pub slope: [&'a Texture2d; 2],
}

impl WaveMaps<'_> {
    /// The uniforms of `include/waves.glsl`.
    pub fn uniforms(&self) -> [(&'static str, Uniform<'_>); 4] {
        [
            ("displacement_long", Uniform::Texture(self.displacement[0])),
            ("displacement_short", Uniform::Texture(self.displacement[1])),
            ("slope_long", Uniform::Texture(self.slope[0])),
            ("slope_short", Uniform::Texture(self.slope[1])),
        ]
    }
}

impl WavesPass {
    /// Maps of `side` texels; the long waves make do with half as many.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, side: u32) -> Result<Self, GlError> {
        let patch = |side: u32| {
            // Displacement is read at vertices, at full detail; slopes in pixels, at any distance.
            let displacement = (Format::Rgba16F, Filter::Linear, Wrap::Repeat);
            let slope = (Format::Rgba16F, Filter::NearestMipmap, Wrap::Repeat);
            let format = TargetFormat { colors: &[displacement, slope], depth: None };
            let extent = (MAX_COMPONENTS as u32, 1);
            let (texel, filter, wrap) = (Format::Rgba32F, Filter::Nearest, Wrap::Clamp);
            let components = Texture2d::new(gl, "wave components", extent, texel, filter, wrap, None)?;
            let maps = RenderTarget::new(gl, "wave maps", (side, side), &format)?;
            Ok(Patch { components, maps, texels: vec![[0.0; 4]; MAX_COMPONENTS] })
        };
        let program = program(gl, source, ("fullscreen.vert.glsl", "waves.frag.glsl"), &[])?;
        let flat = Cascade { patch_m: 10.0, components: Vec::new() };
        Ok(Self { program, patches: [patch(side / 2)?, patch(side)?], flat })
    }

    /// Slopes of the shortest waves, as last drawn.
    pub fn slope(&self) -> &Texture2d {
        self.patches[1].maps.color(1)
    }

    /// The maps at the scene's time.
    pub fn draw(&mut self, scene: &RenderScene, triangle: &Procedural) -> WaveMaps<'_> {
        for (i, patch) in self.patches.iter_mut().enumerate() {
            let cascade = scene.waves.cascades.get(i).unwrap_or(&self.flat);
            let count = cascade.components.len().min(MAX_COMPONENTS);
            for (texel, wave) in patch.texels.iter_mut().zip(&cascade.components) {
                let turned = (f64::from(wave.omega) * scene.time_s).rem_euclid(std::f64::consts::TAU) as f32;
                *texel = [wave.wave_vector.x, wave.wave_vector.y, wave.amplitude, wave.phase - turned];
            }
            patch.components.write(bytemuck::cast_slice(&patch.texels));
            patch.maps.begin();
            self.program.bind(&[
                ("components", Uniform::Texture(&patch.components)),
                ("component_count", Uniform::Int(count as i32)),
                ("patch_m", Uniform::Float(cascade.patch_m)),
                ("wave_choppiness", Uniform::Float(scene.waves.choppiness)),
            ]);
            triangle.fullscreen();
            patch.maps.color(1).update_mipmaps();
        }
        let [long, short] = &self.patches;
        WaveMaps {
            displacement: [long.maps.color(0), short.maps.color(0)],
            slope: [long.maps.color(1), short.maps.color(1)],
        }
    }
}
