//! A model as the vertex shader moves it, read back: what the tests hold against CPU skinning.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::gl::{
    Dialect, Filter, Format, Gl, Program, RenderState, RenderTarget, ShaderText, TargetFormat, Texture2d, Wrap,
    feedback, uniforms,
};
use crate::model::Model;
use crate::render::RenderError;
use crate::render::frame_uniforms::{FRAME_BLOCK, FrameBlock, FrameUniforms};
use crate::render::models::{GpuModels, InstanceStream, PackedInstance};
use crate::render::shaders::ShaderSource;
use crate::render::vertices::{VertexPacking, VertexUniforms};
use crate::scene::Instance;

uniforms! {
    struct SkinnedUniforms<'a> {
        vertex: VertexUniforms,
        palette: Option<&'a Texture2d>,
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
/// [`Lod::indices`](crate::model::Lod::indices).
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
    let models = GpuModels::new(gl, std::slice::from_ref(model), Filter::Mipmapped, u32::MAX)?;
    let on_gpu = &models.models[0];
    let level = &on_gpu.lods[lod];

    let vertex = ShaderSource::default().text(
        "mesh.vert.glsl",
        &[
            ("JOINTS", level.joints as i32),
            ("BLEND", instances.iter().any(|instance| instance.blend_weight > 0.0).into()),
            ("ALPHA_TEST", 0),
            ("SWAY", 0),
        ],
    )?;
    let nothing =
        ShaderText { source: format!("{}void main() {{}}\n", Dialect::default().header()), files: Vec::new() };
    let outputs = ["p_ws", "normal_ws", "texture_uv"];
    let program: Program<SkinnedUniforms<'static>> =
        Program::with_feedback(gl, "skinned", &vertex, &nothing, FRAME_BLOCK, &outputs)?;
    let frame = FrameBlock::new(gl)?;
    frame.upload(&FrameUniforms::default())?;

    let stream = InstanceStream::new(gl, "skinned instances")?;
    let count = stream.replace(|staging| staging.extend(instances.iter().map(PackedInstance::from)))?;
    let run = stream.run(0, count);
    // Nothing is drawn into it, but without a window a context has no complete framebuffer, and would draw nothing.
    let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
    let target = RenderTarget::new(gl, "skinned", (1, 1), &format)?;
    target.begin();
    program.bind(&SkinnedUniforms { vertex: on_gpu.vertex, palette: on_gpu.palette.as_ref() });
    // Without the other sides of fins, which a frame's meshes have too.
    let geometry = VertexPacking::of(model).geometry(gl, "skinned", &model.lods[lod], level.joints)?;
    let corners = geometry.index_count();
    let values = feedback::capture(gl, corners as usize * count * FLOATS_A_CORNER, || {
        geometry.draw_instanced(RenderState::FULLSCREEN, 0, corners, &run);
    })?;
    let corner = |v: &[f32]| Corner {
        position: Vec3::from_slice(v),
        normal: Vec3::from_slice(&v[3..]),
        uv: Vec2::from_slice(&v[6..]),
    };
    Ok(values.chunks_exact(FLOATS_A_CORNER).map(corner).collect())
}
