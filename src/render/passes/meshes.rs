//! Creatures, props and plants: instanced draws, one a level of detail and material.

use std::rc::Rc;

use crate::gl::{Blend, Cull, Depth, Gl, GlError, Program, RenderState, Texture2d, Uniform, submit};
use crate::model::Material;
use crate::render::FrameStats;
use crate::render::cull::{BLENDED_LEVELS, Seen, Visible};
use crate::render::models::{GpuModels, InstanceStream};
use crate::render::pass_cache::PassMaker;
use crate::render::passes::CausticMaps;
use crate::render::settings::Tier;

/// Runs drawn before GL is told to begin with them: a software renderer else waits for all.
const RUNS_A_SUBMISSION: usize = 16;

/// Draws what is in view of models, lit, into the scene's target.
pub struct MeshPass {
    gl: Gl,
    variants: Vec<Variant>,
    instances: InstanceStream,
    /// Whether scales are drawn in relief.
    scales: bool,
    /// Level of detail from which on light is worked out at vertices; one coarser for what swims.
    smooth_from: Option<usize>,
}

/// One compiled combination.
struct Variant {
    look: Look,
    program: Rc<Program>,
}

/// What a mesh needs of its program.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    /// Joints a vertex follows at most, 0 for a rigid thing.
    joints: u32,
    /// Whether two clips make the pose.
    blend: bool,
    /// Whether the texture has holes.
    cut: bool,
    /// Whether light is worked out at vertices.
    smooth: bool,
    finish: Finish,
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
    Skin {
        /// Whether it mirrors.
        silver: bool,
        /// Whether it shows scales in relief.
        scaled: bool,
    },
    /// What is behind shows through: bells.
    Transparent,
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

/// Instances of one model at one level of detail.
struct Run<'v> {
    model: usize,
    own: Own,
    level: usize,
    /// Whether two clips make their poses.
    blend: bool,
    /// The nearest first.
    seen: &'v [Seen],
}

impl<'v> Run<'v> {
    fn of((model, own, visible): (usize, Own, &'v Visible)) -> impl Iterator<Item = Self> {
        visible.lists().map(move |(level, blend, seen)| Run { model, own, level, blend, seen })
    }
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
    /// Compiles the combinations that `models` need by the tier's numbers.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>, models: &GpuModels) -> Result<Self, GlError> {
        let instances = InstanceStream::new(make.gl, "mesh instances")?;
        let Tier { scales, smooth_from, .. } = make.plan.tier;
        let mut pass = Self { gl: make.gl.clone(), variants: Vec::new(), instances, scales, smooth_from };
        // Things that stand may be drawn in any finish.
        let mut looks: Vec<Look> = [Finish::Matte, Finish::Stone, Finish::Swaying]
            .into_iter()
            .flat_map(|finish| [false, true].map(|cut| (finish, cut)))
            .flat_map(|(finish, cut)| [false, true].map(|smooth| Look { joints: 0, blend: false, cut, smooth, finish }))
            .filter(|look| !look.smooth || (look.finish != Finish::Stone && smooth_from.is_some()))
            .collect();
        for model in &models.models {
            for (level, lod) in model.lods.iter().enumerate() {
                for mesh in &lod.meshes {
                    let material = &model.materials[mesh.material];
                    let own = Own { sway: 0.0, ground_line: 0.0, glow: glam::Vec3::ZERO };
                    let look = pass.look((level, lod.joints), material, own, true);
                    looks.push(look);
                    if lod.joints > 0 && level < BLENDED_LEVELS {
                        looks.push(Look { blend: true, ..look });
                    }
                }
            }
        }
        if looks.iter().all(|look| look.joints == 0) {
            // A broken shader is found without an animal too.
            let finish = Finish::Skin { silver: true, scaled: true };
            looks.push(Look { joints: 4, blend: true, cut: true, smooth: false, finish });
        }
        for look in looks {
            if pass.variants.iter().any(|variant| variant.look == look) {
                continue;
            }
            let Look { joints, blend, cut, smooth, finish } = look;
            let is_skin = matches!(finish, Finish::Skin { .. });
            let defines = [
                ("JOINTS", joints as i32),
                ("BLEND", blend.into()),
                ("CUT", cut.into()),
                ("SMOOTH", smooth.into()),
                ("STONE", (finish == Finish::Stone).into()),
                ("SWAY", (finish == Finish::Swaying).into()),
                ("SHINY", (is_skin || finish == Finish::Transparent).into()),
                ("SILVER", matches!(finish, Finish::Skin { silver: true, .. }).into()),
                ("SCALED", matches!(finish, Finish::Skin { scaled: true, .. }).into()),
                ("TRANSPARENT", (finish == Finish::Transparent).into()),
            ];
            let program = make.program(("mesh.vert.glsl", "mesh.frag.glsl"), &defines)?;
            pass.variants.push(Variant { look, program });
        }
        Ok(pass)
    }

    /// What a mesh of `material` needs, at a level of detail with so many joints a vertex.
    fn look(&self, (level, joints): (usize, u32), material: &Material, own: Own, stone: bool) -> Look {
        let finish = match (joints, level) {
            _ if material.is_transparent() => Finish::Transparent,
            // Rocks, corals and leaves are matte under water; only what swims is wet-looking.
            (1.., _) => Finish::Skin {
                silver: material.sheen > 0.0,
                scaled: self.scales && level == 0 && material.scales.is_some(),
            },
            (0, _) if own.sway > 0.0 => Finish::Swaying,
            (0, 0) if material.stone && stone => Finish::Stone,
            _ => Finish::Matte,
        };
        let smooth = match finish {
            Finish::Matte | Finish::Swaying => self.smooth_from.is_some_and(|from| level >= from),
            Finish::Skin { .. } => self.smooth_from.is_some_and(|from| level > from),
            Finish::Stone | Finish::Transparent => false,
        };
        Look { joints, blend: false, cut: material.alpha_cut > 0.0, smooth, finish }
    }

    /// Draws each visible list of `(model, own, visible)`, without what one sees through.
    pub fn draw<'v>(
        &self,
        models: &GpuModels,
        visible: impl Iterator<Item = (usize, Own, &'v Visible)>,
        inputs: &MeshInputs<'_>,
        stats: &mut FrameStats,
    ) {
        let mut runs: Vec<Run<'v>> = visible.flat_map(Run::of).collect();
        // From front to back, and what is hidden is not shaded.
        runs.sort_by(|a, b| a.seen[0].nearest_m.total_cmp(&b.seen[0].nearest_m));
        self.draw_runs(models, (&runs, false), inputs, stats);
    }

    /// Draws what one sees through of the same lists, over all that is behind it.
    pub fn draw_transparent<'v>(
        &self,
        models: &GpuModels,
        visible: impl Iterator<Item = (usize, Own, &'v Visible)>,
        inputs: &MeshInputs<'_>,
        stats: &mut FrameStats,
    ) {
        let visible =
            visible.filter(|(model, _, _)| models.models[*model].materials.iter().any(Material::is_transparent));
        let mut runs: Vec<Run<'v>> = visible.flat_map(Run::of).collect();
        runs.sort_by(|a, b| b.seen[0].nearest_m.total_cmp(&a.seen[0].nearest_m));
        self.draw_runs(models, (&runs, true), inputs, stats);
    }

    /// Draws the opaque or the transparent meshes of the runs in this order.
    fn draw_runs(
        &self,
        models: &GpuModels,
        (runs, transparent): (&[Run<'_>], bool),
        inputs: &MeshInputs<'_>,
        stats: &mut FrameStats,
    ) {
        self.instances.replace(|staging| {
            for run in runs {
                // Lists are sorted from front to back; what shows through is drawn from back to front.
                match transparent {
                    true => staging.extend(run.seen.iter().rev().map(|seen| seen.packed)),
                    false => staging.extend(run.seen.iter().map(|seen| seen.packed)),
                }
            }
        });
        let mut first = 0;
        for batch in runs.chunks(RUNS_A_SUBMISSION) {
            for &Run { model, own, level, blend, seen } in batch {
                let model = &models.models[model];
                let Some(lod) = model.lods.get(level) else { continue };
                let run = self.instances.run(first, seen.len());
                first += seen.len();
                stats.visible += if transparent { 0 } else { seen.len() as u32 };
                for mesh in &lod.meshes {
                    let material = &model.materials[mesh.material];
                    if material.is_transparent() != transparent {
                        continue;
                    }
                    let look = Look { blend, ..self.look((level, lod.joints), material, own, inputs.stone.is_some()) };
                    let variant =
                        self.variants.iter().find(|v| v.look == look).expect("what the models need was compiled");
                    let [r, g, b, a] = material.base_color;
                    variant.program.bind(&[
                        ("albedo_map", Uniform::Texture(&models.textures[model.textures[mesh.material]])),
                        ("base_color", Uniform::Vec4(glam::Vec4::new(r, g, b, a))),
                        ("specular", Uniform::Vec3(material.specular.into())),
                        ("shininess", Uniform::Float(material.shininess)),
                        ("emissive", Uniform::Vec3(material.emissive.into())),
                        ("glow", Uniform::Vec3(own.glow)),
                        ("translucency", Uniform::Float(material.translucency)),
                        ("shadow_map", Uniform::Texture(inputs.shadow)),
                    ]);
                    inputs.caustics.set(&variant.program);
                    if look.cut {
                        variant.program.set("alpha_cut", &Uniform::Float(material.alpha_cut));
                    }
                    if let (Finish::Stone, Some(stone)) = (look.finish, inputs.stone) {
                        variant.program.set("stone_map", &Uniform::Texture(stone));
                    }
                    if let Finish::Skin { silver, scaled } = look.finish {
                        if silver {
                            variant.program.set("sheen", &Uniform::Float(material.sheen));
                        }
                        if let Some(scales) = material.scales.filter(|_| scaled) {
                            variant.program.set("scales", &Uniform::Vec4(scales.factors().into()));
                        }
                    }
                    if lod.joints == 0 {
                        variant.program.set("ground_line", &Uniform::Float(own.ground_line));
                        variant.program.set("height", &Uniform::Float(model.height));
                    }
                    if look.finish == Finish::Swaying {
                        variant.program.set("sway", &Uniform::Float(own.sway));
                    }
                    if let Some(palette) = &model.palette {
                        variant.program.set("palette", &Uniform::Texture(palette));
                    }
                    let cull = if material.two_sided { Cull::Off } else { Cull::Back };
                    let state = match transparent {
                        true => RenderState { depth: Depth::Read, blend: Blend::Over, cull },
                        false => RenderState { depth: Depth::Write, blend: Blend::Off, cull },
                    };
                    lod.geometry.draw_instanced(state, mesh.first, mesh.count, &run);
                    stats.draws += 1;
                    stats.triangles += u64::from(mesh.count / 3) * seen.len() as u64;
                }
            }
            submit(&self.gl);
        }
    }
}
