//! Creatures, props and plants: instanced draws, one a level of detail and material.

use gl::{Blend, Cull, Depth, Gl, GlError, Program, RenderState, Texture2d, submit, uniforms};
use glam::{Vec3, Vec4};
use math::{Join, par_chunks};
use model::{Material, Mesh};
use view::Instance;

use crate::cull::{Alike, CULLED_AT_ONCE, Seen, Visible};
use crate::deferred::DeferredProgram;
use crate::frame_stats::FrameStats;
use crate::ground::GpuGround;
use crate::material_maps::MaterialMaps;
use crate::models::{
    Distance, GpuLod, GpuModel, GpuModels, InstanceStream, PackedInstance, Skinning, SkinningUniforms,
};
use crate::pass_cache::PassMaker;
use crate::passes::{Distant, LightMaps};
use crate::static_scene::GpuStaticScene;
use crate::vertices::VertexUniforms;

mod variant_key;

use variant_key::{ShadingModel, VariantKey, VariantRules};

/// The shaders.
const FILES: (&str, &str) = ("mesh.vert.glsl", "mesh.frag.glsl");
/// Runs drawn before GL is told to begin with them: without that a software renderer waits for all.
const RUNS_A_SUBMISSION: usize = 16;

uniforms! {
    /// Parameters that all instances of a batch have in common.
    pub struct BatchParameters {
        /// Sway of their tops with the surge, 0 rigid.
        pub sway: f32,
        /// Height of the ground on the model. Unit: model units.
        pub ground_line: f32,
        /// Radiance that they give off by themselves.
        pub batch_emissive: Vec3,
    }
}

uniforms! {
    struct MeshUniforms<'a> {
        light: LightMaps<'a>,
        stone_map: Option<&'a Texture2d>,
        ground_heights: Option<&'a Texture2d>,
        map_half_m: f32,
        vertex: VertexUniforms,
        skinning: SkinningUniforms<'a>,
        batch: BatchParameters,
        height: f32,
        maps: MaterialMaps<'a>,
        base_color: Vec4,
        specular: Vec3,
        shininess: f32,
        emissive: Vec3,
        translucency: f32,
        alpha_cutoff: f32,
        mirror_reflectance: f32,
        tapetum: f32,
        scales: Vec4,
    }
}

/// Draws the instances in view, lit, into the scene's target.
pub struct MeshPass {
    gl: Gl,
    variants: Vec<Variant>,
    /// Variants of each mesh, by model, level of detail and mesh.
    mesh_variants: Vec<Vec<Vec<MeshVariants>>>,
    /// Instances whose opaque meshes are drawn, and those whose transparent ones are.
    opaque: InstanceStream,
    transparent: InstanceStream,
    distant: Distant,
    /// Whether the plan has distant animals lit as a whole.
    lights_distant: bool,
    /// Whether cutouts end by shares of a pixel: partly covered pixels are drawn with the transparent meshes.
    soft_edges: bool,
}

/// One compiled combination.
struct Variant {
    key: VariantKey,
    program: DeferredProgram<MeshUniforms<'static>>,
    /// Index of the variant that stands in while it is compiled.
    stand_in: Option<usize>,
}

/// The variants that a mesh is drawn with, by index; each where it does not fade and where it does.
struct MeshVariants {
    plain: [usize; 2],
    /// Variants in a batch that sways.
    swaying: [usize; 2],
    /// Variants in a pose of two clips.
    blended: [usize; 2],
    /// Variants for the pixels that it shares with things behind it, if there are such.
    fringe: Option<Box<MeshVariants>>,
}

impl MeshVariants {
    fn of(&self, run: &Run<'_>) -> usize {
        let variants = match run.alike.blended {
            true => self.blended,
            false if run.batch.sway > 0.0 => self.swaying,
            false => self.plain,
        };
        variants[usize::from(run.alike.fading)]
    }
}

/// Instances of one batch, and what of them is in view.
pub struct InView<'v> {
    /// Their model.
    pub model: usize,
    /// Parameters that they have in common.
    pub batch: BatchParameters,
    /// All of them.
    pub instances: &'v [Instance],
    /// Lists of the instances in view.
    pub visible: &'v Visible,
}

/// Instances of one model at one level of detail.
struct Run<'v> {
    model: usize,
    batch: BatchParameters,
    alike: Alike<'v>,
}

impl<'v> Run<'v> {
    fn of(&InView { model, batch, instances, visible }: &InView<'v>) -> impl Iterator<Item = Self> + use<'v> {
        visible.lists(instances).map(move |alike| Run { model, batch, alike })
    }
}

/// All that is in view, in the order in which it is drawn.
pub struct Gathered<'v> {
    opaque: Vec<Run<'v>>,
    transparent: Vec<Run<'v>>,
}

/// Layer of a model's meshes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    Opaque,
    Transparent,
}

impl Layer {
    fn of(material: &Material) -> Self {
        if material.is_transparent() { Self::Transparent } else { Self::Opaque }
    }

    /// Whether the layer has `material`, or its fringe.
    fn has(self, material: &Material, soft_edges: bool) -> bool {
        Self::of(material) == self || self == Self::Transparent && soft_edges && material.alpha_cutoff > 0.0
    }

    fn state(self, material: &Material) -> RenderState {
        let cull = if material.two_sided { Cull::Off } else { Cull::Back };
        match self {
            Self::Opaque => RenderState { depth: Depth::Write, blend: Blend::Off, cull },
            Self::Transparent => RenderState { depth: Depth::Read, blend: Blend::Over, cull },
        }
    }
}

impl MeshPass {
    /// Compiles the variants that the models of `scene` need by the plan.
    ///
    /// # Errors
    /// If a shader fails.
    pub fn new(make: &PassMaker<'_>, scene: &GpuStaticScene) -> Result<Self, GlError> {
        let rules = VariantRules {
            scales: make.plan.detail.scales,
            stone: scene.ground.is_some(),
            silt: make.plan.detail.fine_relief && make.plan.detail.shadow_taps > 0,
            lights: make.plan.features.lights,
            per_vertex_lighting_from: make.plan.per_vertex_lighting_from,
        };
        let soft_edges = make.plan.detail.soft_edges;
        let mut variants = Vec::new();
        let mut index = |key: VariantKey| variant(make, &mut variants, key);
        for key in rules.common() {
            let hurried = key.stand_in().filter(|_| make.missed.with_deferred_compilation);
            index(hurried.unwrap_or(key))?;
        }
        let mut select = |model: usize, level: (usize, Skinning), material: &Material| {
            let key = |sways| rules.key(level, material, sways);
            // Fading meshes have holes too.
            let fades = scene.models.models[model].outline.fades;
            let mut both = |key: VariantKey| {
                let whole = index(key)?;
                let opaque = key.shading != ShadingModel::Transparent;
                let alpha_test = key.alpha_test || opaque;
                Ok::<_, GlError>([whole, if fades { index(VariantKey { alpha_test, ..key })? } else { whole }])
            };
            let sways = scene.props.iter().any(|batch| batch.model == model && batch.sway > 0.0);
            let blends = level.1.joints > 0;
            let mut all = |fringe: bool, others: Option<Box<MeshVariants>>| {
                let key = |sways| VariantKey { fringe, ..key(sways) };
                let plain = both(key(false))?;
                Ok::<_, GlError>(MeshVariants {
                    plain,
                    swaying: if sways { both(key(true))? } else { plain },
                    blended: if blends { both(VariantKey { blended: true, ..key(false) })? } else { plain },
                    fringe: others,
                })
            };
            let has_fringe = soft_edges && Layer::Transparent.has(material, soft_edges) && !material.is_transparent();
            let fringe = if has_fringe { Some(Box::new(all(true, None)?)) } else { None };
            all(false, fringe)
        };
        let mesh_variants = scene.models.models.iter().enumerate().map(|(number, model)| {
            let of_level = |(level, lod): (usize, &GpuLod)| {
                let meshes = lod.meshes.iter().zip(&lod.skinning);
                let of_mesh =
                    |(mesh, skinning): (&Mesh, &_)| select(number, (level, *skinning), &model.materials[mesh.material]);
                meshes.map(of_mesh).collect()
            };
            model.lods.iter().enumerate().map(of_level).collect()
        });
        let mesh_variants = mesh_variants.collect::<Result<_, GlError>>()?;
        Ok(Self {
            gl: make.gl.clone(),
            variants,
            mesh_variants,
            opaque: InstanceStream::new(make.gl, "mesh instances")?,
            transparent: InstanceStream::new(make.gl, "transparent mesh instances")?,
            distant: Distant::new(make)?,
            lights_distant: make.plan.distant,
            soft_edges,
        })
    }

    /// Gathers all that is `in_view` and sends it to the driver, for each eye that it is then drawn for; `join` helps.
    pub fn gather<'v>(
        &self,
        models: &GpuModels,
        (in_view, join): (impl Iterator<Item = InView<'v>>, Join),
        stats: &mut FrameStats,
    ) -> Gathered<'v> {
        let (mut opaque, mut transparent) = (Vec::new(), Vec::new());
        for in_view in in_view {
            stats.visible += in_view.visible.count;
            if self.has_layer(&models.models[in_view.model], Layer::Transparent) {
                transparent.extend(Run::of(&in_view));
            }
            opaque.extend(Run::of(&in_view));
        }
        // From front to back: hidden pixels are not shaded.
        opaque.sort_by(|a, b| a.alike.nearest_m().total_cmp(&b.alike.nearest_m()));
        // Soft edges first: a run of plants reaches from before a bell to far behind it, and would be drawn over it as
        // dashes. Then transparent meshes. Both from back to front, the instances of a run too.
        let is_seen_through = |run: &Run<'_>| models.models[run.model].materials.iter().any(Material::is_transparent);
        transparent.sort_by(|a, b| {
            let nearer = || b.alike.nearest_m().total_cmp(&a.alike.nearest_m());
            is_seen_through(a).cmp(&is_seen_through(b)).then_with(nearer)
        });
        let count = opaque.iter().map(|run| run.alike.seen.len()).sum();
        if self.opaque.overwrite(count, |staging| pack(&opaque, join, staging)).is_err() {
            stats.refused += 1;
            opaque.clear();
        }
        let sent = self.transparent.replace(|staging| {
            for Run { alike, .. } in &transparent {
                staging.extend(alike.seen.iter().rev().map(|seen| alike.packed(seen)));
            }
        });
        if sent.is_err() {
            stats.refused += 1;
            transparent.clear();
        }
        Gathered { opaque, transparent }
    }

    /// Draws what was gathered, without the transparent meshes. `ground`: that on which it stands.
    pub fn draw(
        &self,
        models: &GpuModels,
        Gathered { opaque, .. }: &Gathered<'_>,
        (light, ground): (&LightMaps<'_>, Option<&GpuGround>),
        stats: &mut FrameStats,
    ) {
        // Light reaches each eye along its own path.
        match self.light_distant(models, opaque, light) {
            Ok(()) => self.draw_runs(models, (opaque, Layer::Opaque), (light, ground), stats),
            Err(_) => stats.refused += 1,
        }
    }

    /// Draws the transparent meshes of what was gathered, and soft edges, over all that is behind them.
    pub fn draw_transparent(
        &self,
        models: &GpuModels,
        Gathered { transparent, .. }: &Gathered<'_>,
        maps: (&LightMaps<'_>, Option<&GpuGround>),
        stats: &mut FrameStats,
    ) {
        self.draw_runs(models, (transparent, Layer::Transparent), maps, stats);
    }

    /// The pass that draws a run as distant, if it is drawn so.
    fn distant(&self, models: &GpuModels, run: &Run<'_>) -> Option<&Distant> {
        let (model, fading) = (&models.models[run.model], run.alike.fading);
        let lod = &model.lods[run.alike.level];
        let is_near = lod.distance == Distance::Near || run.alike.blended;
        let is_distant = self.lights_distant && !is_near && run.batch.batch_emissive == Vec3::ZERO;
        (is_distant && self.distant.can_draw(model, (lod, fading))).then_some(&self.distant)
    }

    /// Program of a variant by its index, or that of its stand-in for now.
    fn program(&self, index: usize) -> Option<&Program<MeshUniforms<'static>>> {
        let Variant { program, stand_in, .. } = &self.variants[index];
        program.get().or_else(|| self.variants[(*stand_in)?].program.get())
    }

    fn light_distant(&self, models: &GpuModels, runs: &[Run<'_>], light: &LightMaps<'_>) -> Result<(), GlError> {
        let placed = runs.iter().scan(0, |first, run| {
            let instances = self.opaque.run(*first, run.alike.seen.len());
            *first += run.alike.seen.len();
            Some((run, instances))
        });
        let chosen = placed.filter(|(run, _)| self.distant(models, run).is_some());
        self.distant.light(chosen.map(|(run, instances)| (&models.models[run.model], instances)), light)
    }

    fn has_layer(&self, model: &GpuModel, layer: Layer) -> bool {
        model.materials.iter().any(|material| layer.has(material, self.soft_edges))
    }

    /// Draws a layer of the runs in this order, which is that of the instances.
    fn draw_runs(
        &self,
        models: &GpuModels,
        (runs, layer): (&[Run<'_>], Layer),
        (light, ground): (&LightMaps<'_>, Option<&GpuGround>),
        stats: &mut FrameStats,
    ) {
        let stream = if layer == Layer::Opaque { &self.opaque } else { &self.transparent };
        let (mut first, mut first_distant) = (0, 0);
        for batch in runs.chunks(RUNS_A_SUBMISSION) {
            for run in batch {
                let model = &models.models[run.model];
                let lod = &model.lods[run.alike.level];
                let distant = self.distant(models, run).zip(model.bend.as_ref());
                let instances = match distant {
                    Some((distant, _)) => distant.run(first_distant, run.alike.seen.len()),
                    None => stream.run(first, run.alike.seen.len()),
                };
                first += run.alike.seen.len();
                first_distant += if distant.is_some() { run.alike.seen.len() } else { 0 };
                for (mesh, variants_of_mesh) in lod.meshes.iter().zip(&self.mesh_variants[run.model][run.alike.level]) {
                    let material = &model.materials[mesh.material];
                    let is_fringe = layer == Layer::Transparent && !material.is_transparent();
                    let variants_of_mesh =
                        if is_fringe { variants_of_mesh.fringe.as_deref() } else { Some(variants_of_mesh) };
                    let Some(variants_of_mesh) = variants_of_mesh.filter(|_| layer.has(material, self.soft_edges))
                    else {
                        continue;
                    };
                    // From afar a fringe is not visible.
                    if is_fringe && distant.is_some() {
                        continue;
                    }
                    let maps = models.maps(model, mesh.material);
                    let bound = match distant {
                        Some((distant, bend)) => {
                            let albedo_map = models.albedo(model, mesh.material);
                            distant.bind((model, bend), (lod, run.alike.fading), material, albedo_map)
                        }
                        None => self.program(variants_of_mesh.of(run)).map(|program| {
                            program.bind(&uniforms_of((model, mesh), maps, run.batch, (light, ground)));
                        }),
                    };
                    if bound.is_none() {
                        continue;
                    }
                    lod.geometry.draw_instanced(layer.state(material), mesh.first, mesh.count, &instances);
                    stats.draws += 1;
                    stats.triangles += u64::from(mesh.count / 3) * run.alike.seen.len() as u64;
                }
            }
            submit(&self.gl);
        }
    }
}

/// Packs the instances of the runs, one run after the other; the same by any `join`.
fn pack(runs: &[Run<'_>], join: Join, mut rest: &mut [PackedInstance]) {
    for Run { alike, .. } in runs {
        let (here, after) = rest.split_at_mut(alike.seen.len());
        rest = after;
        par_chunks(join, here, CULLED_AT_ONCE, &|first, part| {
            let seen: &[Seen] = &alike.seen[first..];
            part.iter_mut().zip(seen).for_each(|(packed, seen)| *packed = alike.packed(seen));
        });
    }
}

/// The index of the variant of that key, which is compiled if there is none yet.
fn variant(make: &PassMaker<'_>, variants: &mut Vec<Variant>, key: VariantKey) -> Result<usize, GlError> {
    if let Some(known) = variants.iter().position(|variant| variant.key == key) {
        return Ok(known);
    }
    let with_deferred_compilation = make.missed.with_deferred_compilation;
    let stand_in = key.stand_in().filter(|stand_in| with_deferred_compilation && *stand_in != key);
    let stand_in = stand_in.map(|key| variant(make, variants, key)).transpose()?;
    let program = make.late_program(FILES, &key.defines())?;
    if key.stand_in() == Some(key) {
        // Other variants rely on it.
        make.program::<MeshUniforms<'static>>(FILES, &key.defines())?;
    }
    variants.push(Variant { key, program, stand_in });
    Ok(variants.len() - 1)
}

fn uniforms_of<'a>(
    (model, mesh): (&'a GpuModel, &Mesh),
    maps: MaterialMaps<'a>,
    batch: BatchParameters,
    (light, ground): (&LightMaps<'a>, Option<&'a GpuGround>),
) -> MeshUniforms<'a> {
    let material = &model.materials[mesh.material];
    MeshUniforms {
        light: *light,
        stone_map: ground.map(|ground| &ground.stone),
        ground_heights: ground.map(|ground| &ground.heights),
        map_half_m: ground.map_or(0.0, |ground| ground.map_half_m),
        vertex: model.vertex,
        skinning: model.skinning(),
        batch,
        height: model.height,
        maps,
        base_color: material.base_color.into(),
        specular: material.specular.into(),
        shininess: material.shininess,
        emissive: material.emissive.into(),
        translucency: material.translucency,
        alpha_cutoff: material.alpha_cutoff,
        mirror_reflectance: material.mirror_reflectance,
        tapetum: material.tapetum,
        scales: material.scales.map_or(Vec4::ZERO, |scales| scales.factors().into()),
    }
}
