//! The uniform block that every shader of a frame may read: `#include "frame.glsl"`.

use glam::{Mat4, Vec3, Vec4};

use crate::gl::{Buffer, BufferKind, Gl, GlError, UniformBlock};
use crate::ocean::PHASE_SAMPLES;
use crate::render::PostSettings;
use crate::render::exposure::{self, Exposure, SHUTTER_S};
use crate::render::std140::uniform_block;
use crate::scene::{Camera, LIGHTS, Light, Medium, PointLight, RenderScene};

/// The block as programs bind it.
pub const FRAME_BLOCK: UniformBlock<'static> =
    UniformBlock { name: FrameUniforms::BLOCK, binding: 0, layout: &FrameUniforms::LAYOUT };

/// What the block's values are worked out from.
struct Inputs<'a> {
    scene: &'a RenderScene,
    camera: &'a Camera,
    light: &'a Light,
    medium: &'a Medium,
    post: &'a PostSettings,
    adapted: Exposure,
    clip_from_world: Mat4,
    shadow_from_world: Mat4,
    /// Height of the scene's target (internal resolution) in texels.
    extent_height: u32,
}

uniform_block! {
    /// What every shader of a frame may read: one line a member gives the field, its place in the block, its GLSL
    /// declaration and its value.
    ///
    /// A scalar that shaders take as the scene file has it: add a line here and read it from `f.scene.settings`.
    ///
    /// Suffixes are spaces: `_ws` world (metres, +y up, sea level 0), `_ts` texture (0..1), `_tx` texels. Irradiance: 1 is
    /// about the sun overhead through clear air. Members need no order and no padding, but a scalar after a `Vec3` takes
    /// no room.
    pub struct FrameUniforms = "Frame", from f: &Inputs<'_> {
        /// World to clip space.
        clip_from_world: Mat4 = f.clip_from_world;
        /// And back.
        world_from_clip: Mat4 = f.clip_from_world.inverse();
        /// World to texture space and depth, 0..1, of the key light's shadow map.
        shadow_from_world: Mat4 = f.shadow_from_world;
        /// Place of the eye, m.
        eye_ws: Vec3 = f.camera.eye;
        /// Time of the scene, s; wraps after an hour, so that sines stay exact.
        time_s: f32 = f.scene.time_s.rem_euclid(3600.0) as f32;
        /// Unit vector toward the key light, the sun or the moon, in air.
        to_key_light_air: Vec3 = f.light.to_key_light_air;
        /// Asymmetry g of the particles' phase function.
        asymmetry: f32 = f.medium.asymmetry;
        /// Unit vector toward the refracted key light.
        to_key_light_water: Vec3 = f.light.to_key_light_water;
        /// The same after several scatterings.
        broadened_asymmetry: f32 = f.medium.broadened_asymmetry();
        /// Irradiance of the key light on a plane facing it, in air.
        key_light_air: Vec3 = f.light.key_light_irradiance_air;
        /// Factor on in-scattered light.
        inscatter_factor: f32 = f.scene.settings.water.inscatter;
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
        /// How far light shafts and beams are followed, m.
        shaft_reach_m: f32 = f.medium.shaft_reach_m();
        /// Radiance of the sky at the horizon.
        sky_horizon: Vec3 = f.light.sky_horizon;
        /// Side of the caustic map's tile, m: the caustics come from the shortest waves and share their tile.
        caustic_patch_m: f32 = f.scene.waves.cascades.last().map_or(10.0, |c| c.patch_m);
        /// Beam attenuation c = a + b, 1/m.
        attenuation: Vec3 = f.medium.attenuation();
        /// Length of the refracted beam's way down a metre, m.
        key_light_path: f32 = f.light.key_light_path();
        /// Scattering b, 1/m.
        scattering: Vec3 = f.medium.scattering;
        /// How fast forward scattering blurs the beam away, 1/m of depth.
        beam_blur: f32 = f.medium.beam_blur(f.light.key_light_path());
        /// Of the scattering, that by the water's own molecules, 1/m.
        molecular_scattering: Vec3 = f.medium.molecular_scattering();
        /// Share of the flakes that light up by themselves.
        snow_emissive_share: f32 = f.scene.snow.emissive_share;
        /// What path radiance loses on its way, 1/m.
        path_attenuation: Vec3 = f.medium.path_attenuation();
        /// Share of the sky that white clouds cover.
        clouds: f32 = f.light.clouds;
        /// Irradiance by light scattered about in the water, on a plane that looks up, over the downwelling one.
        ambient_share: Vec3 = f.medium.ambient_share();
        /// Factor on colourfulness.
        saturation: f32 = f.post.saturation;
        /// Irradiance that the deep water sends up over the downwelling one.
        water_reflectance: Vec3 = f.medium.reflectance();
        /// Share of the bloom in the picture.
        bloom: f32 = f.post.bloom;
        /// Diffuse attenuation Kd, 1/m.
        diffuse_attenuation: Vec3 = f.medium.diffuse_attenuation;
        /// Distance of the far plane, m.
        far_m: f32 = f.camera.far;
        /// Diffuse reflectance of the ground.
        seabed_colour: Vec3 = Vec3::from(f.scene.settings.seabed.colour);
        /// Factor from radiance to the tone map's input.
        exposure: f32 = f.adapted.exposure;
        /// White balance, a factor per channel.
        white_balance: Vec3 = f.adapted.white_balance;
        /// Angle that a pixel spans, rad.
        pixel_angle: f32 = f.camera.fov_y / f.extent_height as f32;
        /// Displacement of the water near the ground, m.
        surge: Vec3 = f.scene.surge;
        /// Side of the cube of marine snow about the eye, m.
        snow_extent_m: f32 = f.scene.snow.extent_m.max(0.1);
        /// Irradiance that the mean ground sends up.
        ground_bounce: Vec3 =
            f.light.ground_bounce(f.medium, Vec3::from(f.scene.settings.seabed.colour), f.scene.seabed_depth_m);
        /// Mean radius of a flake, m.
        snow_radius_m: f32 = f.scene.snow.radius_m;
        /// How far the flakes have drifted, m.
        snow_drift: Vec3 = f.scene.snow.drift;
        /// Way of a flake while the picture is exposed, m.
        snow_streak: Vec3 = f.scene.snow.velocity * SHUTTER_S;
        /// Downwelling irradiance at the eye's depth over that just below the surface.
        eye_downwelling: Vec3 = f.medium.downwelling(-f.camera.eye.y);
        /// Radiance that the stars' brightness goes by.
        star_light: Vec3 = f.light.sky_zenith * f.light.stars;
        /// xyz: place of an artificial light; w: cosine of half its cone.
        light_place: [Vec4; LIGHTS] = of_lights(f.scene, |light| light.position.extend(light.cos_cone));
        /// xyz: unit vector along the middle of its cone.
        light_direction: [Vec4; LIGHTS] = of_lights(f.scene, |light| light.direction.extend(0.0));
        /// rgb: its irradiance at 1 m in clear air.
        light_intensity: [Vec4; LIGHTS] = of_lights(f.scene, |light| light.intensity.extend(0.0));
        /// The particles' broadened phase function at even steps of sin(theta / 2), 1/sr; four a vector.
        phase_table: [Vec4; PHASE_SAMPLES / 4] = bytemuck::cast(f.medium.phase.0);
    }
}

impl FrameUniforms {
    /// What the frame of `scene` in a target of `extent` texels (internal resolution) tells the shaders.
    pub fn of(scene: &RenderScene, post: &PostSettings, shadow_from_world: Mat4, extent: (u32, u32)) -> Self {
        let (camera, light, medium) = (&scene.camera, &scene.light, &scene.medium);
        Self::new(&Inputs {
            scene,
            camera,
            light,
            medium,
            post,
            adapted: exposure::adapt(scene, post),
            clip_from_world: camera.clip_from_view(extent.0 as f32 / extent.1 as f32) * camera.view_from_world(),
            shadow_from_world,
            extent_height: extent.1,
        })
    }
}

/// One vector a light, zeros for those that are not there.
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
