//! One file a pass: a struct of what it keeps, `new`, `draw` with what it reads, and what it made.

mod antialias;
mod backdrop;
mod bloom;
mod cards;
mod caustics;
mod meshes;
mod mips;
mod particles;
mod seabed;
mod shadow;
mod shafts;
mod surface;
mod tonemap;
mod view;
mod water;
mod waves;

pub use antialias::AntialiasPass;
pub use backdrop::BackdropPass;
pub use bloom::BloomPass;
pub use cards::CardsPass;
pub use caustics::{CausticMaps, CausticsPass};
pub use meshes::{MeshInputs, MeshPass, Own};
pub use mips::MipsPass;
pub use particles::ParticlesPass;
pub use seabed::SeabedPass;
pub use shadow::ShadowPass;
pub use shafts::{ShaftsInputs, ShaftsPass};
pub use surface::{Place, SurfacePass};
pub use tonemap::{TonemapInputs, TonemapPass};
pub use view::ViewPass;
pub use water::WaterPass;
pub use waves::{WaveMap, WaveMaps, WavesPass};

use crate::gl::{Gl, GlError, Program};
use crate::render::frame_uniforms::{BINDING, FrameUniforms};
use crate::render::shaders::ShaderSource;

/// Compiles a pass's program from `vertex` and `fragment` with `defines`; all of them read the frame block.
fn program(
    gl: &Gl,
    source: &ShaderSource,
    (vertex, fragment): (&str, &str),
    defines: &[(&str, i32)],
) -> Result<Program, GlError> {
    let name = fragment.trim_end_matches(".frag.glsl");
    let program = Program::new(
        gl,
        name,
        &source.text(vertex, defines)?,
        &source.text(fragment, defines)?,
        &[(FrameUniforms::BLOCK, BINDING)],
    )?;
    debug_assert!(block_agrees(&program), "the driver lays out {} of '{name}' differently", FrameUniforms::BLOCK);
    Ok(program)
}

/// Whether the driver's offsets of the frame block are the struct's.
fn block_agrees(program: &Program) -> bool {
    let layout = FrameUniforms::LAYOUT;
    program
        .block_offsets(FrameUniforms::BLOCK, &layout.map(|(name, _)| name))
        .iter()
        .all(|(name, offset)| layout.iter().any(|(known, at)| known == name && *at as i32 == *offset))
}
