//! A model as the vertex shader moves it, read back for tests that compare it with CPU skinning.

use std::sync::Arc;

use gl::{
    Filter, Format, Gl, GlError, Pending, Program, RenderState, RenderTarget, ShaderText, TargetFormat, Wrap, feedback,
    uniforms,
};
use glam::{Vec2, Vec3};
use model::Model;
use view::Instance;

use crate::RenderError;
use crate::frame_uniforms::{FRAME_BLOCK, FrameBlock, FrameUniforms};
use crate::models::{GpuModels, InstanceStream, PackedInstance, Skinning, SkinningUniforms, skinning_of};
use crate::shaders::ShaderSource;
use crate::textures::TextureRules;
use crate::vertices::{VertexPacking, VertexUniforms};

uniforms! {
    struct SkinnedUniforms<'a> {
        vertex: VertexUniforms,
        skinning: SkinningUniforms<'a>,
    }
}

/// A corner of a triangle as the vertex shader gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// World-space position.
    pub position: Vec3,
    /// World-space normal, of any length.
    pub normal: Vec3,
    /// Texture coordinates.
    pub uv: Vec2,
}

/// The corners of level of detail `lod` of `model`: for each of `instances` one an index, in the order of
/// [`Lod::indices`](model::Lod::indices).
///
/// They come from `mesh.vert.glsl` by vertices, palette and instances packed as for a frame.
///
/// # Errors
/// If the driver refuses an object or a shader fails.
///
/// # Panics
/// If the model has no such level: a caller's bug.
pub fn skinned(gl: &Gl, model: &Arc<Model>, lod: usize, instances: &[Instance]) -> Result<Vec<Corner>, RenderError> {
    const FLOATS_A_CORNER: usize = 8;
    let models = GpuModels::new(gl, std::slice::from_ref(model), TextureRules::FINEST)?;
    let on_gpu = &models.models[0];
    let blend = ("BLEND", instances.iter().any(|instance| instance.blend_weight > 0.0).into());
    let nothing = ShaderText { source: "void main() {}\n".into(), files: Vec::new() };
    let program = |skinning: Skinning| -> Result<Program<SkinnedUniforms<'static>>, GlError> {
        let [joints, smooth, morphed, coloured] = skinning.defines();
        let defines = [joints, smooth, morphed, coloured, blend, ("ALPHA_TEST", 0), ("SWAY", 0)];
        let vertex = ShaderSource::default().text("mesh.vert.glsl", &defines)?;
        let outputs = ["p_ws", "normal_ws", "texture_uv"];
        let program = Program::unasked(gl, "skinned", [vertex, nothing.clone()], FRAME_BLOCK, &outputs)?;
        program.check()?;
        Ok(program)
    };
    let frame = FrameBlock::new(gl)?;
    frame.upload(&FrameUniforms::default())?;

    let stream = InstanceStream::new(gl, "skinned instances")?;
    let count = stream.replace(|staging| staging.extend(instances.iter().map(PackedInstance::from)))?;
    let run = stream.run(0, count);
    // Nothing is drawn into it, but without a window a context has no complete framebuffer, and would draw nothing.
    let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
    let target = RenderTarget::new(gl, "skinned", (1, 1), &format)?;
    target.begin();
    // Without the other sides of fins, which a frame's meshes have too.
    let (joints, skinning) = skinning_of(model, lod, &model.lods[lod]);
    let geometry = VertexPacking::of(model).geometry(gl, "skinned", &model.lods[lod], joints)?;
    let corner = |v: &[f32]| Corner {
        position: Vec3::from_slice(v),
        normal: Vec3::from_slice(&v[3..]),
        uv: Vec2::from_slice(&v[6..]),
    };
    let mut of_meshes = Vec::new();
    for (mesh, skinning) in model.lods[lod].meshes.iter().zip(skinning) {
        program(skinning)?.bind(&SkinnedUniforms { vertex: on_gpu.vertex, skinning: on_gpu.skinning() });
        let values = feedback::capture(gl, mesh.count as usize * count * FLOATS_A_CORNER, || {
            geometry.draw_instanced(RenderState::FULLSCREEN, mesh.first, mesh.count, &run);
        })?;
        let corners: Vec<Corner> = values.chunks_exact(FLOATS_A_CORNER).map(corner).collect();
        of_meshes.push((corners, mesh.count as usize));
    }
    let of_instance = |instance: usize| {
        of_meshes.iter().flat_map(move |(corners, count)| &corners[instance * count..(instance + 1) * count])
    };
    Ok((0..count).flat_map(of_instance).copied().collect())
}
