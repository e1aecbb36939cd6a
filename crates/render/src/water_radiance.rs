//! Radiance of open water as shaders draw it: for the background of a picture, its exposure and its colour swatches.

use std::f32::consts::PI;

use glam::Vec3;
use math::smoothstep;
use ocean::{KEY_LIGHT_LOBES, LOBE_ASYMMETRIES, SOURCE_LOBES, WINDOW_EDGE, WaterSource};
use view::RenderScene;

/// Open water about the eye of a scene.
pub struct WaterRadiance<'a> {
    scene: &'a RenderScene,
    source: WaterSource,
    eye_depth_m: f32,
}

impl<'a> WaterRadiance<'a> {
    /// The water about the scene's camera.
    pub fn new(scene: &'a RenderScene) -> Self {
        let eye_depth_m = (-scene.camera.eye.y).max(0.0);
        Self { scene, source: scene.daylight.source(eye_depth_m), eye_depth_m }
    }

    /// Radiance that comes from `direction`, a unit vector away from the eye, with nothing but water, the mean ground
    /// and a level surface in the way: `inscatter` of `water_optics.glsl`, and the ground through it. Linear RGB.
    pub fn toward(&self, direction: Vec3) -> Vec3 {
        let up = direction.y;
        let to_surface_m = if up > 0.0 { self.eye_depth_m.max(0.05) / up.max(1e-3) } else { f32::INFINITY };
        let to_ground_m = (self.scene.seabed_depth_m - self.eye_depth_m).max(0.05) / (-up).max(1e-3);
        let meets_ground =
            up < 0.0 && self.scene.seabed_depth_m > self.eye_depth_m && to_ground_m < self.scene.camera.far;
        let distance_m = self.scene.camera.far.min(if meets_ground { to_ground_m } else { to_surface_m });
        let water = self.within(direction, distance_m);
        if !meets_ground {
            return water;
        }
        let ground = self.scene.seabed_colour / PI;
        water
            + ground
                * self.scene.daylight.irradiance(self.scene.seabed_depth_m)
                * self.scene.medium.transmittance(distance_m)
    }

    /// Radiance that the first `distance_m` of water add from `direction`.
    pub fn within(&self, direction: Vec3, distance_m: f32) -> Vec3 {
        self.source_toward(direction) * self.path_m(direction, distance_m)
    }

    /// Radiance that a metre of water adds to a ray from `direction`: `source_toward` of `water_optics.glsl`, but for
    /// the light of the ground. Unit: 1/m of radiance.
    fn source_toward(&self, direction: Vec3) -> Vec3 {
        let to_key_light = self.scene.light.to_key_light_water;
        let lobes = LOBE_ASYMMETRIES.iter().zip(&self.source.terms).enumerate().map(|(i, (&g, &term))| {
            let cos = if i < KEY_LIGHT_LOBES { direction.dot(to_key_light) } else { direction.y };
            term * lobe_factor(g) * (1.0 + g * g - 2.0 * g * cos).powf(-1.5)
        });
        let window = smoothstep(WINDOW_EDGE[0], WINDOW_EDGE[1], direction.y) * self.source.terms[SOURCE_LOBES];
        let sum = lobes.sum::<Vec3>() + window + self.source.terms[SOURCE_LOBES + 1];
        self.scene.medium.inscatter * sum.max(Vec3::ZERO)
    }

    /// Length that a ray gathers light from: `inscatter_path_m` of `water_optics.glsl`. Unit: m.
    fn path_m(&self, direction: Vec3, distance_m: f32) -> Vec3 {
        let rate = (self.source.attenuation - self.source.depth_attenuation * direction.y).max(Vec3::splat(1e-3));
        (Vec3::ONE - (-rate * distance_m).exp()) / rate
    }
}

/// The direction-independent factor of Henyey and Greenstein's function. Unit: 1/sr.
pub fn lobe_factor(g: f32) -> f32 {
    (1.0 - g * g) / (4.0 * std::f32::consts::PI)
}
