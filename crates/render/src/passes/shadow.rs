//! Shadows of one light: of the refracted sun a map round the eye, of a lamp one of its cone.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gl::{Blend, Cull, Depth, Filter, GlError, RenderState, RenderTarget, TargetFormat, Texture2d, uniforms};
use glam::{Mat4, Vec2, Vec3, Vec4Swizzles};
use view::{Camera, Instance, PointLight};

use crate::deferred::DeferredProgram;
use crate::frame_stats::FrameStats;
use crate::models::{GpuModels, InstanceStream, PackedInstance, Skinning, SkinningUniforms};
use crate::pass_cache::PassMaker;
use crate::static_scene::GpuStaticScene;
use crate::vertices::VertexUniforms;

/// Half the side of the square that the map covers. Unit: m.
const HALF_SIDE_M: f32 = 16.0;
/// Depth range of the map along the sun's rays. Unit: m.
const RANGE_M: f32 = 60.0;
/// Distance from a lamp from which on things cast shadows. Unit: m.
const LAMP_NEAR_M: f32 = 0.15;

uniforms! {
    struct ShadowUniforms<'a> {
        albedo_map: &'a Texture2d,
        alpha_cutoff: f32,
        vertex: VertexUniforms,
        skinning: SkinningUniforms<'a>,
    }
}

/// Depth as the light sees it.
pub struct ShadowPass {
    variants: HashMap<(Skinning, bool), DeferredProgram<ShadowUniforms<'static>>>,
    map: Rc<RenderTarget>,
    instances: InstanceStream,
    casters: Casters,
}

/// Limits on the things that cast a shadow; see [`Detail`](crate::Detail).
#[derive(Clone, Copy)]
struct Casters {
    least_m: f32,
    pixels: f32,
}

struct Run {
    model: usize,
    lod: usize,
    first: usize,
    count: usize,
}

impl ShadowPass {
    /// A map of the tier's size, for the models of `scene`.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(make: &PassMaker<'_>, scene: &GpuStaticScene) -> Result<Self, GlError> {
        let models = &scene.models.models;
        let detail = &make.plan.detail;
        let casters = Casters { least_m: detail.least_caster_m, pixels: detail.caster_pixels };
        let cast = models
            .iter()
            .flat_map(|model| &model.lods[..=model.outline.level_at(casters.pixels)])
            .flat_map(|lod| &lod.skinning);
        // The rigid variant is compiled without models too, so that a broken shader is found early.
        let kinds: HashSet<Skinning> = cast.copied().chain([Skinning::RIGID]).collect();
        let mut variants = HashMap::new();
        for skinning in kinds {
            for alpha_test in [false, true] {
                let [joints, smooth, morphed, coloured] = skinning.defines();
                let defines = [joints, smooth, morphed, coloured, ("BLEND", 0), ("ALPHA_TEST", alpha_test.into())];
                let program = make.late_program(("shadow.vert.glsl", "shadow.frag.glsl"), &defines)?;
                variants.insert((skinning, alpha_test), program);
            }
        }
        let format = TargetFormat { colors: &[], depth: Some(Filter::Shadow) };
        let side = detail.shadow_map;
        Ok(Self {
            variants,
            map: make.target("shadow map", (side, side), &format)?,
            instances: InstanceStream::new(make.gl, "shadow instances")?,
            casters,
        })
    }

    /// Draws everything that casts a shadow into the map, of a lamp's as far as `reach_m` (m).
    ///
    /// # Panics
    /// If `models` are others than those that it was made for: a caller's bug.
    pub fn draw<'i>(
        &self,
        models: &GpuModels,
        casters: impl Iterator<Item = (usize, &'i [Instance])>,
        (shadow_from_world, reach_m): (&Mat4, f32),
        stats: &mut FrameStats,
    ) -> &Texture2d {
        let mut runs = Vec::new();
        let side = self.map.depth().extent().0 as f32;
        let sent = self.instances.replace(|staging| {
            runs = gather(models, (casters, self.casters), (shadow_from_world, reach_m, side), staging)
        });
        if sent.is_err() {
            runs.clear();
            stats.refused += 1;
        }
        self.map.begin();
        self.map.clear_depth();
        let state = RenderState { depth: Depth::Write, blend: Blend::Off, cull: Cull::Off };
        for run in &runs {
            let model = &models.models[run.model];
            let lod = &model.lods[run.lod];
            for (mesh, skinning) in lod.meshes.iter().zip(&lod.skinning) {
                let material = &model.materials[mesh.material];
                if material.is_transparent() {
                    continue;
                }
                let alpha_test = material.alpha_cutoff > 0.0;
                let Some(program) = self.variants[&(*skinning, alpha_test)].get() else { continue };
                program.bind(&ShadowUniforms {
                    albedo_map: models.albedo(model, mesh.material),
                    alpha_cutoff: material.alpha_cutoff,
                    vertex: model.vertex,
                    skinning: model.skinning(),
                });
                let instances = self.instances.run(run.first, run.count);
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
}

/// Size for which a caster's level of detail is chosen, as a share of its size on the map in texels, where that is finer
/// than the tier's: at a small caster's level a ship's timbers would cast one shadow.
const LEVEL_SHARE: f32 = 0.12;

/// Distance along a lamp's beam within which things count as no larger. Unit: m.
const NEAREST_M: f32 = 0.5;

/// Finds the instances inside the map that cast. A coarse level of detail will do for a shadow; that of the largest on
/// the map is all instances'.
fn gather<'i>(
    models: &GpuModels,
    (casters, least): (impl Iterator<Item = (usize, &'i [Instance])>, Casters),
    (shadow_from_world, reach_m, side): (&Mat4, f32, f32),
    staging: &mut Vec<PackedInstance>,
) -> Vec<Run> {
    let mut runs = Vec::new();
    // Lengths on the map of a metre, at most; of a lamp's at the distance 1.
    let margin = Vec2::new(shadow_from_world.row(0).xyz().length(), shadow_from_world.row(1).xyz().length());
    for (index, instances) in casters {
        let model = &models.models[index];
        let outline = &model.outline;
        let mut pixels = least.pixels;
        let first = staging.len();
        for instance in instances {
            let radius = outline.radius * instance.scale;
            let center = instance.position + instance.rotation * (outline.center * instance.scale);
            let at = *shadow_from_world * center.extend(1.0);
            // Of a lamp w is the distance along its beam; what is nearer than its own radius may be anywhere in it.
            let (from, to) = (-margin * radius, Vec2::splat(at.w) + margin * radius);
            let is_inside = at.xy().cmpgt(from).all() && at.xy().cmplt(to).all() && at.w > -radius && at.w < reach_m;
            if 2.0 * radius > least.least_m && is_inside {
                let texels = 2.0 * radius * margin.max_element() * side / at.w.max(NEAREST_M);
                pixels = pixels.max(LEVEL_SHARE * texels * outline.lod_bias);
                staging.push(PackedInstance::from(instance).without_blend());
            }
        }
        let count = staging.len() - first;
        if count > 0 {
            runs.push(Run { model: index, lod: outline.level_at(pixels), first, count });
        }
    }
    runs
}

/// Texture space (0..1) and depth, times the distance along the beam, from world: the cone of a lamp.
pub fn lamp_shadow_from_world(lamp: &PointLight) -> Mat4 {
    let up = if lamp.direction.y.abs() > 0.99 { Vec3::NEG_Z } else { Vec3::Y };
    let light_from_world = glam::camera::rh::view::look_to_mat4(lamp.position, lamp.direction, up);
    let clip = glam::camera::rh::proj::directx::perspective_infinite(2.0 * lamp.cos_cone.acos(), 1.0, LAMP_NEAR_M);
    // Depth is 0..1 already.
    let half = Mat4::from_translation(Vec3::new(0.5, 0.5, 0.0)) * Mat4::from_scale(Vec3::new(0.5, 0.5, 1.0));
    half * clip * light_from_world
}

/// Texture space (0..1) and depth from world: a square ahead of the eye, moved in whole texels so that its edges do
/// not crawl. `side`: of the map in texels.
pub fn sun_shadow_from_world(camera: &Camera, to_sun: Vec3, side: u32) -> Mat4 {
    let ahead = camera.orientation * Vec3::NEG_Z;
    let focus = camera.eye + Vec3::new(ahead.x, 0.0, ahead.z).normalize_or_zero() * 0.7 * HALF_SIDE_M;
    let up = if to_sun.y.abs() > 0.999 { Vec3::NEG_Z } else { Vec3::Y };
    let light_from_world = glam::camera::rh::view::look_to_mat4(Vec3::ZERO, -to_sun, up);
    let texel = 2.0 * HALF_SIDE_M / side as f32;
    let center = light_from_world.transform_point3(focus);
    let (x, y) = ((center.x / texel).round() * texel, (center.y / texel).round() * texel);
    let near = -center.z - 0.5 * RANGE_M;
    let h = HALF_SIDE_M;
    let clip = glam::camera::rh::proj::opengl::orthographic(x - h, x + h, y - h, y + h, near, near + RANGE_M);
    let half = Mat4::from_translation(Vec3::splat(0.5)) * Mat4::from_scale(Vec3::splat(0.5));
    half * clip * light_from_world
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lamps_map_is_its_cone() {
        let direction = Vec3::new(0.6, -0.8, 0.0);
        let position = Vec3::new(3.0, -5.0, 1.0);
        let cos_cone = 25.0_f32.to_radians().cos();
        let lamp = PointLight { position, direction, cos_cone, intensity: Vec3::ONE, beam: 1.0, casts_shadows: true };
        let texture_from_world = lamp_shadow_from_world(&lamp);
        let ahead = texture_from_world * (position + 4.0 * direction).extend(1.0);
        assert!((ahead.xy() / ahead.w - 0.5).length() < 1e-5 && (ahead.w - 4.0).abs() < 1e-4, "{ahead}");
        assert!((ahead.z / ahead.w - (1.0 - LAMP_NEAR_M / 4.0)).abs() < 1e-5, "{ahead}");
        let aside = direction.cross(Vec3::Y).normalize() * 25.0_f32.to_radians().tan();
        let rim = texture_from_world * (position + 4.0 * (direction + aside)).extend(1.0);
        assert!(((rim.xy() / rim.w - 0.5).length() - 0.5).abs() < 1e-4, "{rim}");
    }
}
