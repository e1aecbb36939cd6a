//! The uniform block that every shader of a frame may read: `#include "frame.glsl"`.

use gl::{Buffer, BufferKind, Gl, GlError, UniformBlock};
use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};
use math::smoothstep;
use ocean::{Daylight, FACES, LOBE_ASYMMETRIES, LOBES, Light, Lobes, Medium, SOURCE_TERMS, WaterSource};
use view::{Camera, LIGHTS, PointLight, RenderScene};

use crate::PostSettings;
use crate::caustic_slices::slice_depths_m;
use crate::exposure::{Exposure, SHUTTER_S};
use crate::std140::uniform_block;
use crate::water_radiance::lobe_factor;

/// The block as programs bind it.
pub const FRAME_BLOCK: UniformBlock =
    UniformBlock { name: FrameUniforms::BLOCK, binding: 0, layout: &FrameUniforms::LAYOUT };

/// Inputs of the block's values.
struct Inputs<'a> {
    scene: &'a RenderScene,
    camera: &'a Camera,
    light: &'a Light,
    medium: &'a Medium,
    daylight: &'a Daylight,
    /// Source of the water's radiance at the eye's depth.
    source: WaterSource,
    /// Depth of the eye, 0 above the sea. Unit: m.
    eye_depth_m: f32,
    post: &'a PostSettings,
    adapted: Exposure,
    clip_from_world: Mat4,
    shadow_from_world: Mat4,
    /// Height of the scene's target (internal resolution) in texels.
    extent_height: u32,
}

uniform_block! {
    /// Uniforms that every shader of a frame may read: one line a member gives the field, its place in the block, its
    /// GLSL declaration and its value.
    ///
    /// A scalar that shaders take as the scene has it: add a line here and read it from `f.scene`.
    ///
    /// Suffixes are spaces: `_ws` world (metres, +y up, sea level 0), `_ts` texture (0..1), `_tx` texels. Irradiance: 1
    /// is about the sun overhead through clear air. Members need no order and no padding, but a scalar after a `Vec3`
    /// takes no room.
    pub struct FrameUniforms = "Frame", from f: &Inputs<'_> {
        /// World to clip space.
        clip_from_world: Mat4 = f.clip_from_world;
        /// Clip to world space.
        world_from_clip: Mat4 = f.clip_from_world.inverse();
        /// World to texture space and depth, 0..1, of the shadow map; of a lamp's before the division by w, m.
        shadow_from_world: Mat4 = f.shadow_from_world;
        /// Place of the eye, m.
        eye_ws: Vec3 = f.camera.eye;
        /// Time of the scene, s; wraps after an hour, so that sines stay exact.
        time_s: f32 = f.scene.time_s.rem_euclid(3600.0) as f32;
        /// Unit vector toward the key light, the sun or the moon, in air.
        to_key_light_air: Vec3 = f.light.to_key_light_air;
        /// Share of what lives on light that grows on the ground and on what stands there.
        growth: f32 = growth(f);
        /// Unit vector toward the refracted key light.
        to_key_light_water: Vec3 = f.light.to_key_light_water;
        /// Irradiance of the key light on a plane facing it, in air.
        key_light_air: Vec3 = f.light.key_light_irradiance_air;
        /// Factor on in-scattered light.
        inscatter_factor: f32 = f.scene.medium.inscatter;
        /// Irradiance of the refracted key light on a horizontal plane just below the surface.
        key_light_water: Vec3 = f.light.key_light_irradiance_water;
        /// Mean depth of the ground, m; very large where there is none.
        seabed_depth_m: f32 = f.scene.seabed_depth_m.min(1e4);
        /// Irradiance of the sky on a horizontal plane just below the surface.
        sky_water: Vec3 = f.light.sky_irradiance_water;
        /// Number of artificial lights.
        light_count: f32 = f.scene.lights.len().min(LIGHTS) as f32;
        /// Radiance of the sky overhead.
        sky_zenith: Vec3 = f.light.sky_zenith;
        /// Reach of light shafts and beams, m.
        shaft_reach_m: f32 = f.medium.shaft_reach_m();
        /// Radiance of the sky at the horizon.
        sky_horizon: Vec3 = f.light.sky_horizon;
        /// Side of the caustic map's tile, m: the caustics come from the shortest waves and share their tile.
        caustic_patch_m: f32 = f.scene.waves.cascades.last().map_or(10.0, |c| c.patch_m);
        /// Length of the refracted beam's way down a metre, m.
        key_light_path: f32 = f.light.key_light_path();
        /// Scattering b, 1/m.
        scattering: Vec3 = f.medium.mean(|sample| sample.scattering);
        /// Rate at which forward scattering blurs the beam, 1/m of depth.
        beam_blur: f32 = f.medium.beam_blur(f.light.key_light_path());
        /// Angle by which the waves and the key light's disc spread the refracted beam, rad.
        beam_spread: f32 = beam_spread(f.scene.waves.wind.length());
        /// Share of the flakes that light up by themselves.
        snow_emissive_share: f32 = f.scene.snow.emissive_share;
        /// Share of the sky that white clouds cover.
        clouds: f32 = f.light.clouds;
        /// Factor on colourfulness.
        saturation: f32 = f.post.saturation;
        /// Share of an S-shaped curve in the tone curve.
        contrast: f32 = f.post.contrast;
        /// Share of the bloom in the picture.
        bloom: f32 = f.post.bloom;
        /// Display brightness that becomes black.
        black_point: f32 = f.post.black_point;
        /// Strength of the contrast of shapes against their surroundings.
        clarity: f32 = f.post.clarity;
        /// Strength of the lifting of dark areas.
        shadows: f32 = f.post.shadows;
        /// Strength of the sharpening.
        sharpness: f32 = f.post.sharpness;
        /// Share of the light that the corners lose.
        vignette: f32 = f.post.vignette.max(f.scene.headset.narrowing);
        /// Distance of the far plane, m.
        far_m: f32 = f.camera.far;
        /// Diffuse reflectance of the ground.
        seabed_colour: Vec3 = f.scene.seabed_colour;
        /// Factor from radiance to the tone map's input.
        exposure: f32 = f.adapted.exposure;
        /// White balance, a factor per channel.
        white_balance: Vec3 = f.adapted.white_balance;
        /// Radiance of the water right before the lens, past which a picture is seen.
        veil: Vec3 = f.adapted.veil;
        /// Angle that a pixel spans, rad.
        pixel_angle: f32 = f.camera.fov_y / f.extent_height as f32;
        /// Displacement of the water near the ground, m.
        surge: Vec3 = f.scene.surge;
        /// Side of the cube of marine snow about the eye, m.
        snow_extent_m: f32 = f.scene.snow.extent_m.max(0.1);
        /// Mean radius of a flake, m.
        snow_radius_m: f32 = f.scene.snow.radius_m;
        /// Drift of the flakes, m.
        snow_drift: Vec3 = f.scene.snow.drift;
        /// Way of a flake while the picture is exposed, m.
        snow_streak: Vec3 = f.scene.snow.velocity * SHUTTER_S;
        /// Irradiance that the mean ground sends up.
        ground_bounce: Vec3 = ground_bounce(f.scene);
        /// Downwelling irradiance at the eye's depth over that just below the surface.
        eye_downwelling: Vec3 = f.daylight.downwelling(f.eye_depth_m);
        /// Attenuation with depth of the slow one of the two exponentials that light is the sum of, 1/m of depth.
        depth_attenuation_slow: Vec3 = f.daylight.parts[0].depth_attenuation;
        /// Attenuation with depth of the fast one, which is soon gone, 1/m of depth.
        depth_attenuation_fast: Vec3 = f.daylight.parts[1].depth_attenuation;
        /// Beam attenuation of the slow exponential along a ray, 1/m.
        attenuation_slow: Vec3 = f.daylight.parts[0].attenuation;
        /// Beam attenuation of the fast exponential along a ray, 1/m.
        attenuation_fast: Vec3 = f.daylight.parts[1].attenuation;
        /// Share of white light that goes on along a ray as the slow exponential does.
        white_slow: Vec3 = f.daylight.parts[0].white;
        /// Downwelling irradiance just below the surface: slow exponential.
        total_slow: Vec3 = f.daylight.parts[0].total;
        /// Downwelling irradiance just below the surface: fast exponential.
        total_fast: Vec3 = f.daylight.parts[1].total;
        /// Irradiance of the key light's beam just below the surface, on a plane that faces it: slow exponential.
        beam_slow: Vec3 = f.daylight.parts[0].beam;
        /// Irradiance of the key light's beam just below the surface, on a plane that faces it: fast exponential.
        beam_fast: Vec3 = f.daylight.parts[1].beam;
        /// Attenuation of the beam beyond that of the exponentials, 1/m of depth.
        beam_depth_attenuation: f32 = f.daylight.beam_depth_attenuation;
        /// Irradiance there of other light on planes facing down, to the key light, away and across: slow exponential.
        diffuse_slow: [Vec4; FACES] = f.daylight.parts[0].diffuse.map(|face| face.extend(0.0));
        /// Irradiance there of other light on the same planes: fast exponential.
        diffuse_fast: [Vec4; FACES] = f.daylight.parts[1].diffuse.map(|face| face.extend(0.0));
        /// Irradiance of the beam at the eye's depth, on a plane that faces it.
        eye_beam: Vec3 = f.daylight.beam(f.eye_depth_m).0;
        /// Attenuation of that beam with depth, 1/m of depth.
        eye_beam_fall: Vec3 = f.daylight.beam(f.eye_depth_m).1;
        /// Radiance that a metre of water sends to the eye: lobes (w: asymmetry), window, 1; over eye_downwelling.
        water_terms: [Vec4; SOURCE_TERMS] = water_terms(f);
        /// Part of it by the light of the mean ground, as a ray that goes down sees it, 1/m.
        ground_glow: Vec3 = ground_glow(f);
        /// Rate at which it saturates along a level ray, 1/m.
        path_attenuation: Vec3 = f.source.attenuation;
        /// Rate at which it falls with depth, 1/m.
        path_depth_attenuation: Vec3 = f.source.depth_attenuation;
        /// Phase function of the particles: for each lobe its coefficient in x, 1/sr, and its asymmetry in y.
        particle_lobes: [Vec4; LOBES] = particle_lobes(f.medium);
        /// Radiance that scales the stars.
        star_light: Vec3 = f.light.sky_zenith * f.light.stars;
        /// Depth of each slice of the caustic map, m.
        caustic_depths_m: Vec4 = Vec4::from(slice_depths_m(f.scene.seabed_depth_m));
        /// Inverse distance of each slice below the one before, of the first below the surface, 1/m.
        caustic_spacing: Vec4 = caustic_spacing(f.scene.seabed_depth_m);
        /// xyz: place of an artificial light; w: cosine of half its cone.
        light_place: [Vec4; LIGHTS] = of_lights(f.scene, |light| light.position.extend(light.cos_cone));
        /// xyz: unit vector along the middle of its cone; w: gain of its visible beam.
        light_direction: [Vec4; LIGHTS] = of_lights(f.scene, |light| light.direction.extend(light.beam));
        /// rgb: its irradiance at 1 m in clear air.
        light_intensity: [Vec4; LIGHTS] = of_lights(f.scene, |light| light.intensity.extend(0.0));
    }
}

/// Clip space of a camera whose picture has that extent, from the world.
pub fn clip_from_world(camera: &Camera, extent: (u32, u32)) -> Mat4 {
    camera.clip_from_view(extent.0 as f32 / extent.1 as f32) * camera.view_from_world()
}

impl FrameUniforms {
    /// Uniforms of the frame of `scene` as the eye at `camera` sees it, in a target of `extent` texels (internal
    /// resolution).
    pub fn of(
        (scene, camera): (&RenderScene, &Camera),
        (post, adapted): (&PostSettings, Exposure),
        shadow_from_world: Mat4,
        extent: (u32, u32),
    ) -> Self {
        let (light, medium) = (&scene.light, &scene.medium);
        let eye_depth_m = (-camera.eye.y).max(0.0);
        Self::new(&Inputs {
            scene,
            camera,
            light,
            medium,
            daylight: &scene.daylight,
            source: scene.daylight.source(eye_depth_m),
            eye_depth_m,
            post,
            adapted,
            clip_from_world: clip_from_world(camera, extent),
            shadow_from_world,
            extent_height: extent.1,
        })
    }
}

/// Twice the standard deviation of the refracted beam's direction along an axis: a slope turns the beam by the share of
/// itself that refraction gives. Unit: rad.
fn beam_spread(wind_m_s: f32) -> f32 {
    let by_slope = (1.0 - 1.0 / ocean::REFRACTIVE_INDEX) * (0.5 * ocean::slope_variance(wind_m_s)).sqrt();
    2.0 * by_slope.hypot(0.25 * ocean::SUN_DIAMETER)
}

/// Shares of the light below the surface at which nothing that lives on it grows, and from which on all of it does.
/// A hundredth is where the sunlit zone ends; crusts of red algae live on far less (Littler et al. 1985, Science 227), but
/// cover little. The lower one is by eye.
const GROWTH_LIGHT: [f32; 2] = [0.0005, 0.01];

/// Share of what lives on light that grows at the ground's depth, by the colour that reaches farthest down.
fn growth(f: &Inputs<'_>) -> f32 {
    let [none, all] = GROWTH_LIGHT.map(f32::ln);
    let light = f.daylight.downwelling(f.scene.seabed_depth_m.min(1e4)).max_element();
    smoothstep(none, all, light.max(f32::MIN_POSITIVE).ln())
}

/// Irradiance that the mean ground sends up; none where there is no ground, at an infinite depth.
fn ground_bounce(scene: &RenderScene) -> Vec3 {
    if !scene.seabed_depth_m.is_finite() {
        return Vec3::ZERO;
    }
    scene.seabed_colour * scene.daylight.irradiance(scene.seabed_depth_m)
}

/// Terms of the water's radiance as the shaders sum them: the constant factors of the lobes are multiplied in.
fn water_terms(f: &Inputs<'_>) -> [Vec4; SOURCE_TERMS] {
    let share = f.daylight.downwelling(f.eye_depth_m);
    let over = |value: f32, share: f32| if share > 1e-12 { value / share } else { 0.0 };
    std::array::from_fn(|i| {
        let term = f.source.terms[i];
        let asymmetry = LOBE_ASYMMETRIES.get(i).copied();
        let factor = asymmetry.map_or(1.0, lobe_factor);
        let term = factor * Vec3::new(over(term.x, share.x), over(term.y, share.y), over(term.z, share.z));
        term.extend(asymmetry.unwrap_or(0.0))
    })
}

/// Inverse distance of each slice of the caustic map below the one before, of the first below the surface. Unit: 1/m.
fn caustic_spacing(seabed_depth_m: f32) -> Vec4 {
    let depths = Vec4::from(slice_depths_m(seabed_depth_m));
    (depths - depths.wxyz().with_x(0.0)).recip()
}

/// Light from the mean ground that water at the eye's depth scatters on, for each unit of `eye_downwelling`. The
/// ground's light falls upward twice as fast as daylight downward: it comes from all sides.
fn ground_glow(f: &Inputs<'_>) -> Vec3 {
    let height_m = (f.scene.seabed_depth_m - f.eye_depth_m).max(0.0);
    let left = (-2.0 * f.daylight.parts[0].depth_attenuation * height_m).exp();
    let share = f.daylight.downwelling(f.eye_depth_m).max(Vec3::splat(1e-12));
    f.medium.mean(|sample| sample.scattering) * ground_bounce(f.scene) * left / (std::f32::consts::PI * share)
}

/// Lobes as the shaders sum them, none sharper than vertices and the coarse maps of shafts can carry.
fn particle_lobes(medium: &Medium) -> [Vec4; LOBES] {
    Lobes::of_asymmetry(medium.asymmetry).0.map(|(share, g)| {
        let g = (g as f32).min(LOBE_ASYMMETRIES[0]);
        Vec4::new(share as f32 * lobe_factor(g), g, 0.0, 0.0)
    })
}

/// One vector a light, zeros for missing ones.
fn of_lights(scene: &RenderScene, vector: impl Fn(&PointLight) -> Vec4) -> [Vec4; LIGHTS] {
    std::array::from_fn(|i| scene.lights.get(i).map_or(Vec4::ZERO, &vector))
}

/// The block on the GPU.
pub struct FrameBlock {
    buffer: Buffer,
}

impl FrameBlock {
    /// An empty block.
    ///
    /// # Errors
    /// If the driver refuses the buffer.
    pub fn new(gl: &Gl) -> Result<Self, GlError> {
        Ok(Self { buffer: Buffer::streaming(gl, "frame uniforms", BufferKind::Uniforms)? })
    }

    /// Sends this frame's values and binds the block.
    ///
    /// # Errors
    /// If the driver has no memory for it.
    pub fn upload(&self, uniforms: &FrameUniforms) -> Result<(), GlError> {
        self.buffer.bind_base(FRAME_BLOCK.binding);
        self.buffer.replace(&uniforms.bytes())
    }
}
