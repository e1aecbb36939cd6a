//! Creatures, props and plants: instanced draws, one a level of detail and material.

use crate::gl::{Blend, Buffer, Cull, Depth, Gl, GlError, Instances, Program, RenderState, Texture2d, Uniform};
use crate::render::FrameStats;
use crate::render::cull::Visible;
use crate::render::models::{GpuModels, PackedInstance};
use crate::render::passes::{CausticMaps, program};
use crate::render::shaders::ShaderSource;

/// Draws what is in view of models, lit, into the scene's target.
pub struct MeshPass {
    variants: Vec<Variant>,
    instances: Buffer,
    staging: Vec<PackedInstance>,
}

/// One compiled combination.
struct Variant {
    joints: u32,
    blend: bool,
    cut: bool,
    finish: Finish,
    program: Program,
}

/// How a mesh's surface moves and takes the light, beyond its texture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finish {
    /// Corals, far rocks.
    Matte,
    /// Rocks near enough to show grain finer than their texture's.
    Stone,
    /// Leaves and polyps that go with the surge.
    Swaying,
    /// Wet skin: whatever swims.
    Shiny,
}

/// What all instances of a batch have of their own.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// How far their tops go with the surge, 0 rigid.
    pub sway: f32,
    /// How far up the model the ground comes, model units.
    pub ground_line: f32,
    /// Radiance that they give off by themselves.
    pub glow: glam::Vec3,
}

/// What lights a mesh.
#[derive(Clone, Copy)]
pub struct MeshInputs<'a> {
    /// Caustic slices.
    pub caustics: CausticMaps<'a>,
    /// Depth as the sun sees it.
    pub shadow: &'a Texture2d,
    /// The grain of rocks.
    pub stone: Option<&'a Texture2d>,
}

impl MeshPass {
    /// Compiles every combination of joints, holes and finish.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(gl: &Gl, source: &ShaderSource) -> Result<Self, GlError> {
        let mut variants = Vec::new();
        let rigid = [Finish::Matte, Finish::Stone, Finish::Swaying].map(|finish| (0, false, finish));
        let skinned = [1, 2, 4].map(|joints| (joints, false, Finish::Shiny));
        let blended = [1, 2, 4].map(|joints| (joints, true, Finish::Shiny));
        for (joints, blend, finish) in rigid.into_iter().chain(skinned).chain(blended) {
            for cut in [false, true] {
                let defines = [
                    ("JOINTS", joints as i32),
                    ("BLEND", blend.into()),
                    ("CUT", cut.into()),
                    ("STONE", (finish == Finish::Stone).into()),
                    ("SWAY", (finish == Finish::Swaying).into()),
                    ("SHINY", (finish == Finish::Shiny).into()),
                ];
                let program = program(gl, source, ("mesh.vert.glsl", "mesh.frag.glsl"), &defines)?;
                variants.push(Variant { joints, blend, cut, finish, program });
            }
        }
        let instances = Buffer::streaming(gl, "mesh instances", glow::ARRAY_BUFFER)?;
        Ok(Self { variants, instances, staging: Vec::new() })
    }

    /// Draws each visible list of `(model, own, visible)`.
    pub fn draw<'v>(
        &mut self,
        models: &GpuModels,
        visible: impl Iterator<Item = (usize, Own, &'v Visible)> + Clone,
        inputs: &MeshInputs<'_>,
        stats: &mut FrameStats,
    ) {
        // Fine levels are near: drawing level by level goes from front to back, and what is hidden is not shaded.
        let levels = visible.clone().map(|(_, _, v)| v.lods.len()).max().unwrap_or(0);
        self.staging.clear();
        for level in 0..levels {
            self.staging.extend(visible.clone().flat_map(|(_, _, v)| v.level(level)).flat_map(|(_, list)| list));
        }
        if self.staging.is_empty() {
            return;
        }
        self.instances.replace(bytemuck::cast_slice(&self.staging));
        let mut first = 0;
        for level in 0..levels {
            let lists = visible.clone().flat_map(|(model, own, v)| v.level(level).map(move |list| (model, own, list)));
            for (model, Own { sway, ground_line, glow }, (blend, list)) in lists {
                let model = &models.models[model];
                let Some(lod) = model.lods.get(level) else { continue };
                let run = Instances {
                    buffer: &self.instances,
                    layout: PackedInstance::LAYOUT,
                    stride: PackedInstance::STRIDE,
                    first,
                    count: list.len(),
                };
                first += list.len();
                if list.is_empty() {
                    continue;
                }
                stats.visible += list.len() as u32;
                for mesh in &lod.meshes {
                    let material = &model.materials[mesh.material];
                    let cut = material.alpha_cut > 0.0;
                    // Rocks, corals and leaves are matte under water; only what swims is wet-looking.
                    let finish = match (lod.joints, level) {
                        (1.., _) => Finish::Shiny,
                        (0, _) if sway > 0.0 => Finish::Swaying,
                        (0, 0) if material.stone && inputs.stone.is_some() => Finish::Stone,
                        _ => Finish::Matte,
                    };
                    let variant = self
                        .variants
                        .iter()
                        .find(|v| v.joints == lod.joints && v.blend == blend && v.cut == cut && v.finish == finish)
                        .expect("every combination was compiled");
                    let [r, g, b, a] = material.base_color;
                    variant.program.bind(&[
                        ("albedo_map", Uniform::Texture(&models.textures[model.textures[mesh.material]])),
                        ("base_color", Uniform::Vec4(glam::Vec4::new(r, g, b, a))),
                        ("specular", Uniform::Vec3(material.specular.into())),
                        ("shininess", Uniform::Float(material.shininess)),
                        ("emissive", Uniform::Vec3(material.emissive.into())),
                        ("glow", Uniform::Vec3(glow)),
                        ("translucency", Uniform::Float(material.translucency)),
                        ("shadow_map", Uniform::Texture(inputs.shadow)),
                    ]);
                    inputs.caustics.set(&variant.program);
                    if cut {
                        variant.program.set("alpha_cut", &Uniform::Float(material.alpha_cut));
                    }
                    if let (Finish::Stone, Some(stone)) = (finish, inputs.stone) {
                        variant.program.set("stone_map", &Uniform::Texture(stone));
                    }
                    if lod.joints == 0 {
                        variant.program.set("ground_line", &Uniform::Float(ground_line));
                        variant.program.set("height", &Uniform::Float(model.height));
                    }
                    if finish == Finish::Swaying {
                        variant.program.set("sway", &Uniform::Float(sway));
                    }
                    if let Some(palette) = &model.palette {
                        variant.program.set("palette", &Uniform::Texture(palette));
                    }
                    let cull = if material.two_sided { Cull::Off } else { Cull::Back };
                    let state = RenderState { depth: Depth::Write, blend: Blend::Off, cull };
                    lod.geometry.draw_instanced(state, mesh.first, mesh.count, &run);
                    stats.draws += 1;
                    stats.triangles += u64::from(mesh.count / 3) * list.len() as u64;
                }
            }
        }
    }
}
