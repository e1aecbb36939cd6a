//! Shadows of the refracted sun: one map round the eye.

use glam::{Mat4, Vec3};

use crate::gl::{
    Blend, Buffer, Cull, Depth, Filter, Gl, GlError, Instances, Program, RenderState, RenderTarget, TargetFormat,
    Texture2d, Uniform,
};
use crate::render::FrameStats;
use crate::render::models::{GpuModels, PackedInstance};
use crate::render::passes::program;
use crate::render::shaders::ShaderSource;
use crate::scene::{Camera, Instance};

/// Half the side of the square that the map covers. Unit: m.
const HALF_SIDE_M: f32 = 16.0;
/// Depth range of the map along the sun's rays. Unit: m.
const RANGE_M: f32 = 60.0;
/// Things smaller than this cast no shadow. Unit: m.
const LEAST_SIZE_M: f32 = 0.45;

/// Depth as the refracted sun sees it.
pub struct ShadowPass {
    variants: Vec<(u32, bool, Program)>,
    map: RenderTarget,
    instances: Buffer,
    staging: Vec<PackedInstance>,
    runs: Vec<Run>,
}

struct Run {
    model: usize,
    lod: usize,
    first: usize,
    count: usize,
}

impl ShadowPass {
    /// A map of `side` texels.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(gl: &Gl, source: &ShaderSource, side: u32) -> Result<Self, GlError> {
        let mut variants = Vec::new();
        for joints in [0u32, 1, 2, 4] {
            for cut in [false, true] {
                let defines = [("JOINTS", joints as i32), ("BLEND", 0), ("CUT", cut.into())];
                variants.push((joints, cut, program(gl, source, ("shadow.vert.glsl", "shadow.frag.glsl"), &defines)?));
            }
        }
        let format = TargetFormat { colors: &[], depth: Some(Filter::Shadow) };
        Ok(Self {
            variants,
            map: RenderTarget::new(gl, "sun shadow", (side, side), &format)?,
            instances: Buffer::streaming(gl, "shadow instances", glow::ARRAY_BUFFER)?,
            staging: Vec::new(),
            runs: Vec::new(),
        })
    }

    /// Texture space (0..1) and depth from world: a square ahead of the eye, moved in whole texels so that its edges do
    /// not crawl.
    pub fn shadow_from_world(&self, camera: &Camera, to_sun: Vec3) -> Mat4 {
        let ahead = camera.orientation * Vec3::NEG_Z;
        let focus = camera.eye + Vec3::new(ahead.x, 0.0, ahead.z).normalize_or_zero() * 0.7 * HALF_SIDE_M;
        let side = if to_sun.y.abs() > 0.999 { Vec3::NEG_Z } else { Vec3::Y };
        let light_from_world = glam::camera::rh::view::look_to_mat4(Vec3::ZERO, -to_sun, side);
        let texel = 2.0 * HALF_SIDE_M / self.map.extent().0 as f32;
        let center = light_from_world.transform_point3(focus);
        let (x, y) = ((center.x / texel).round() * texel, (center.y / texel).round() * texel);
        let near = -center.z - 0.5 * RANGE_M;
        let h = HALF_SIDE_M;
        let clip = glam::camera::rh::proj::opengl::orthographic(x - h, x + h, y - h, y + h, near, near + RANGE_M);
        let half = Mat4::from_translation(Vec3::splat(0.5)) * Mat4::from_scale(Vec3::splat(0.5));
        half * clip * light_from_world
    }

    /// Draws everything that casts a shadow into the map.
    pub fn draw<'i>(
        &mut self,
        models: &GpuModels,
        casters: impl Iterator<Item = (usize, &'i [Instance])>,
        shadow_from_world: &Mat4,
        stats: &mut FrameStats,
    ) -> &Texture2d {
        self.gather(models, casters, shadow_from_world);
        self.map.begin();
        self.map.clear_depth();
        if !self.staging.is_empty() {
            self.instances.replace(bytemuck::cast_slice(&self.staging));
        }
        let state = RenderState { depth: Depth::Write, blend: Blend::Off, cull: Cull::Off };
        for run in &self.runs {
            let model = &models.models[run.model];
            let lod = &model.lods[run.lod];
            for mesh in &lod.meshes {
                let material = &model.materials[mesh.material];
                if material.is_transparent() {
                    continue;
                }
                let cut = material.alpha_cut > 0.0;
                let (_, _, program) = self
                    .variants
                    .iter()
                    .find(|(joints, with_holes, _)| *joints == lod.joints && *with_holes == cut)
                    .expect("every combination was compiled");
                program.bind(&[]);
                if cut {
                    let texture = &models.textures[model.textures[mesh.material]];
                    program.set("albedo_map", &Uniform::Texture(texture));
                    program.set("alpha_cut", &Uniform::Float(material.alpha_cut));
                }
                if let Some(palette) = &model.palette {
                    program.set("palette", &Uniform::Texture(palette));
                }
                let instances = Instances {
                    buffer: &self.instances,
                    layout: &PackedInstance::LAYOUT[..3],
                    stride: PackedInstance::STRIDE,
                    first: run.first,
                    count: run.count,
                };
                lod.geometry.draw_instanced(state, mesh.first, mesh.count, &instances);
                stats.draws += 1;
                stats.triangles += u64::from(mesh.count / 3) * run.count as u64;
            }
        }
        self.map.depth()
    }

    /// The map, as last drawn.
    pub fn map(&self) -> &Texture2d {
        self.map.depth()
    }

    /// Finds the instances inside the map; a coarse level of detail will do for a shadow.
    fn gather<'i>(
        &mut self,
        models: &GpuModels,
        casters: impl Iterator<Item = (usize, &'i [Instance])>,
        shadow_from_world: &Mat4,
    ) {
        self.staging.clear();
        self.runs.clear();
        for (index, instances) in casters {
            let model = &models.models[index];
            let lod = model.lods.len().saturating_sub(1);
            let first = self.staging.len();
            for instance in instances {
                let radius = model.radius * instance.scale;
                let center = instance.position + instance.rotation * (model.center * instance.scale);
                let at = shadow_from_world.transform_point3(center);
                let margin = radius / (2.0 * HALF_SIDE_M);
                let inside = at.x > -margin && at.x < 1.0 + margin && at.y > -margin && at.y < 1.0 + margin;
                if 2.0 * radius > LEAST_SIZE_M && inside {
                    self.staging.push(PackedInstance::from(instance).settled());
                }
            }
            let count = self.staging.len() - first;
            if count > 0 {
                self.runs.push(Run { model: index, lod, first, count });
            }
        }
    }
}
