//! Each file is one pass: its struct holds the state kept between frames; `new` builds it from the plan; `draw` takes
//! its inputs and returns its results.

mod anaglyph;
mod antialias;
mod backdrop;
mod bloom;
mod caustics;
mod contact;
mod depth;
mod distant;
mod lighting;
mod meshes;
mod mips;
mod particles;
mod seabed;
mod shadow;
mod shafts;
mod surface;
mod test_patches;
mod tonemap;
mod view;
mod water;
mod waves;

pub use anaglyph::AnaglyphPass;
pub use antialias::AntialiasPass;
pub use backdrop::BackdropPass;
pub use bloom::{BloomPass, SoftCopies};
pub use caustics::{CausticMaps, CausticsPass};
pub use contact::ContactPass;
pub use depth::DepthPass;
pub use distant::Distant;
pub use lighting::LightMaps;
pub use meshes::{BatchParameters, Gathered, InView, MeshPass};
pub use mips::MipsPass;
pub use particles::ParticlesPass;
pub use seabed::SeabedPass;
pub use shadow::{ShadowPass, lamp_shadow_from_world, sun_shadow_from_world};
pub use shafts::ShaftsPass;
pub use surface::{EyeSide, SurfacePass};
pub use test_patches::TestPatchesPass;
pub use tonemap::{SceneImages, TonemapPass};
pub use view::ViewPass;
pub use water::WaterPass;
pub use waves::{SmoothSlopes, WaveMap, WaveMaps, WaveUniforms, WavesPass};
