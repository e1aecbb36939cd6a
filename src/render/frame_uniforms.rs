//! The uniform block that every shader of a frame reads, as bytes.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

use crate::gl::{Buffer, Gl, GlError};
use crate::ocean::{PHASE_SAMPLES, SCATTERING_ORDERS};
use crate::render::passes::CAUSTIC_DEPTHS_M;
use crate::render::{PostSettings, exposure};
use crate::scene::{LIGHTS, PointLight, RenderScene};

/// Name of the block in the shaders.
pub const BLOCK: &str = "Frame";
/// Its binding point.
pub const BINDING: u32 = 0;

/// Share of the scattered beam that leaves the caustics' sharp bundles. Unit: 1.
const BEAM_BLUR: f32 = 0.18;

/// How long a picture is exposed: what the water carries is drawn as long as it goes meanwhile. Unit: s.
const SHUTTER_S: f32 = 1.0 / 40.0;

/// Mirror of `Frame` in `shaders/include/frame.glsl`, std140: every vec3 is followed by a scalar, so that there is no
/// padding and the struct may be sent as bytes. Units are given there.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[allow(missing_docs)] // The GLSL block documents each member.
pub struct FrameUniforms {
    pub clip_from_world: Mat4,
    pub world_from_clip: Mat4,
    pub shadow_from_world: Mat4,
    pub eye_ws: Vec3,
    pub time_s: f32,
    pub to_sun_water: Vec3,
    pub broadened_asymmetry: f32,
    pub to_sun_air: Vec3,
    pub inscatter_factor: f32,
    pub sun_water: Vec3,
    pub seabed_depth_m: f32,
    pub sky_water: Vec3,
    pub light_count: f32,
    pub sun_air: Vec3,
    pub snow_glow: f32,
    pub sky_zenith: Vec3,
    pub march_reach_m: f32,
    pub sky_horizon: Vec3,
    pub caustic_patch_m: f32,
    pub attenuation: Vec3,
    pub sun_path: f32,
    pub scattering: Vec3,
    pub beam_blur: f32,
    pub diffuse_attenuation: Vec3,
    pub far_m: f32,
    pub seabed_colour: Vec3,
    pub exposure: f32,
    pub white_balance: Vec3,
    pub saturation: f32,
    pub surge: Vec3,
    pub snow_extent_m: f32,
    pub ground_bounce: Vec3,
    pub bloom: f32,
    pub eye_downwelling: Vec3,
    pub pixel_angle: f32,
    pub snow_drift: Vec3,
    pub snow_radius_m: f32,
    pub caustic_depths: Vec4,
    pub light_place: [Vec4; LIGHTS],
    pub light_direction: [Vec4; LIGHTS],
    pub light_intensity: [Vec4; LIGHTS],
    pub phase_table: [Vec4; PHASE_SAMPLES / 4],
    pub star_light: Vec4,
    pub snow_streak: Vec3,
    pub clouds: f32,
}

const _: () = assert!(size_of::<FrameUniforms>() == 3 * 64 + 16 * 17 + 16 + 3 * 16 * LIGHTS + 4 * PHASE_SAMPLES + 32);

macro_rules! layout {
    ($($member:ident),* $(,)?) => {
        /// (name, byte offset) of every member, in order.
        pub const LAYOUT: &[(&str, usize)] = &[$((stringify!($member), offset_of!(FrameUniforms, $member))),*];
    };
}
layout!(
    clip_from_world,
    world_from_clip,
    shadow_from_world,
    eye_ws,
    time_s,
    to_sun_water,
    broadened_asymmetry,
    to_sun_air,
    inscatter_factor,
    sun_water,
    seabed_depth_m,
    sky_water,
    light_count,
    sun_air,
    snow_glow,
    sky_zenith,
    march_reach_m,
    sky_horizon,
    caustic_patch_m,
    attenuation,
    sun_path,
    scattering,
    beam_blur,
    diffuse_attenuation,
    far_m,
    seabed_colour,
    exposure,
    white_balance,
    saturation,
    surge,
    snow_extent_m,
    ground_bounce,
    bloom,
    eye_downwelling,
    pixel_angle,
    snow_drift,
    snow_radius_m,
    caustic_depths,
    light_place,
    light_direction,
    light_intensity,
    phase_table,
    star_light,
    snow_streak,
    clouds,
);

impl FrameUniforms {
    /// What the frame of `scene` in a picture of `width` x `height` pixels tells the shaders.
    pub fn of(scene: &RenderScene, post: &PostSettings, shadow_from_world: Mat4, (width, height): (u32, u32)) -> Self {
        let (camera, light, medium) = (&scene.camera, &scene.light, &scene.medium);
        let clip_from_world = camera.clip_from_view(width as f32 / height as f32) * camera.view_from_world();
        let adapted = exposure::adapt(scene, post);
        let sun_path = 1.0 / light.to_sun_water.y.max(0.2);
        Self {
            clip_from_world,
            world_from_clip: clip_from_world.inverse(),
            shadow_from_world,
            eye_ws: camera.eye,
            // The shaders' sines stay exact for hours; what must be exact for longer wraps on the CPU.
            time_s: scene.time_s.rem_euclid(3600.0) as f32,
            to_sun_water: light.to_sun_water,
            broadened_asymmetry: medium.asymmetry.powi(SCATTERING_ORDERS),
            to_sun_air: light.to_sun_air,
            inscatter_factor: medium.inscatter,
            sun_water: light.sun_irradiance_water,
            seabed_depth_m: scene.seabed_depth_m.min(1e4),
            sky_water: light.sky_irradiance_water,
            light_count: scene.lights.len().min(LIGHTS) as f32,
            sun_air: light.sun_irradiance_air,
            snow_glow: scene.snow.glow,
            sky_zenith: light.sky_zenith,
            // Three attenuation lengths leave 5 %.
            march_reach_m: (3.0 / medium.attenuation().min_element().max(1e-3)).min(30.0),
            sky_horizon: light.sky_horizon,
            // The caustics come from the shortest waves and share their tile.
            caustic_patch_m: scene.waves.cascades.last().map_or(10.0, |c| c.patch_m),
            attenuation: medium.attenuation(),
            sun_path,
            scattering: medium.scattering,
            beam_blur: BEAM_BLUR * medium.scattering.y * sun_path,
            diffuse_attenuation: medium.diffuse_attenuation,
            far_m: camera.far,
            seabed_colour: Vec3::from(scene.seabed_colour),
            exposure: adapted.exposure,
            white_balance: adapted.white_balance,
            saturation: post.saturation,
            surge: scene.surge,
            snow_extent_m: scene.snow.extent_m.max(0.1),
            ground_bounce: ground_bounce(scene),
            bloom: post.bloom,
            eye_downwelling: (-medium.diffuse_attenuation * (-camera.eye.y).max(0.0)).exp(),
            pixel_angle: camera.fov_y / height as f32,
            snow_drift: scene.snow.drift,
            snow_radius_m: scene.snow.radius_m,
            caustic_depths: Vec4::from(CAUSTIC_DEPTHS_M),
            light_place: of_lights(scene, |light| light.position.extend(light.cos_cone)),
            light_direction: of_lights(scene, |light| light.direction.extend(0.0)),
            light_intensity: of_lights(scene, |light| light.intensity.extend(0.0)),
            phase_table: bytemuck::cast(medium.phase.0),
            star_light: (light.sky_zenith * light.stars).extend(0.0),
            snow_streak: scene.snow.velocity * SHUTTER_S,
            clouds: light.clouds,
        }
    }
}

/// One vector a light, zeros for those that are not there.
fn of_lights(scene: &RenderScene, vector: impl Fn(&PointLight) -> Vec4) -> [Vec4; LIGHTS] {
    std::array::from_fn(|i| scene.lights.get(i).map_or(Vec4::ZERO, &vector))
}

/// Irradiance that the mean ground sends up; none where there is no ground.
fn ground_bounce(scene: &RenderScene) -> Vec3 {
    if !scene.seabed_depth_m.is_finite() {
        return Vec3::ZERO;
    }
    let below = scene.light.sun_irradiance_water + scene.light.sky_irradiance_water;
    Vec3::from(scene.seabed_colour) * below * (-scene.medium.diffuse_attenuation * scene.seabed_depth_m).exp()
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
        Ok(Self { buffer: Buffer::streaming(gl, "frame uniforms", glow::UNIFORM_BUFFER)? })
    }

    /// Sends this frame's values and binds the block.
    pub fn upload(&mut self, uniforms: &FrameUniforms) {
        self.buffer.replace(bytemuck::bytes_of(uniforms));
        self.buffer.bind_base(BINDING);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (name, std140 offset) of the members of the block in the GLSL text.
    fn std140(text: &str) -> Vec<(String, usize)> {
        let body = text.split_once('{').and_then(|(_, rest)| rest.split_once('}')).expect("a block").0;
        let mut offset = 0;
        let mut members = Vec::new();
        for line in body.lines() {
            let declaration = line.split("//").next().unwrap_or("").trim().trim_end_matches(';');
            let Some((kind, name)) = declaration.split_once(' ') else { continue };
            let (name, count) = match name.trim().trim_end_matches(']').split_once('[') {
                Some((name, count)) => (name, count.parse::<usize>().expect("a number of elements")),
                None => (name.trim(), 1),
            };
            let (size, align) = match kind {
                "float" | "int" | "uint" => (4, 4),
                "vec2" => (8, 8),
                "vec3" => (12, 16),
                "vec4" => (16, 16),
                "mat4" => (64, 16),
                other => panic!("type {other} is not allowed in the block"),
            };
            offset = usize::div_ceil(offset, align) * align;
            assert!(count == 1 || kind == "vec4", "arrays of {kind} are padded");
            members.push((name.to_owned(), offset));
            offset += size * count;
        }
        members
    }

    #[test]
    fn the_struct_and_the_glsl_block_agree() {
        let glsl = std140(include_str!("../../shaders/include/frame.glsl"));
        let rust: Vec<_> = LAYOUT.iter().map(|&(name, offset)| (name.to_owned(), offset)).collect();
        assert_eq!(glsl, rust);
    }

    #[test]
    fn swapped_members_would_be_noticed() {
        let text = include_str!("../../shaders/include/frame.glsl").replace("float exposure", "float was_exposure");
        let rust: Vec<_> = LAYOUT.iter().map(|&(name, offset)| (name.to_owned(), offset)).collect();
        assert_ne!(std140(&text), rust);
    }
}
