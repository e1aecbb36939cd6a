//! The parts of a scene that are known before its world is made.

use std::sync::Arc;

use glam::Vec3;
use ocean::WHITECAP_WIND_M_S;
use view::{Camera, RenderScene, SceneFeatures};

use crate::{LightSettings, SceneSettings};

/// Depth of the eye in [`empty_sea`]: below all troughs. Unit: m.
const EYE_DEPTH_M: f32 = 50.0;

/// The empty sea of these settings, seen from below: drawn until the world is made.
pub fn empty_sea(settings: &SceneSettings) -> RenderScene {
    let environment = settings.environment();
    RenderScene {
        camera: Camera { eye: Vec3::NEG_Y * EYE_DEPTH_M, ..Camera::default() },
        eyes: settings.camera.stereo.eyes(),
        light: environment.light(),
        medium: ocean::medium(&environment.water),
        waves: Arc::new(ocean::wave_field(&environment.waves, environment.seabed_depth_m, 0)),
        day_passes: environment.day_passes(),
        seabed_depth_m: environment.seabed_depth_m,
        seabed_colour: settings.seabed.colour.into(),
        ..RenderScene::default()
    }
}

/// Render features of a scene at its beginning, except for lights that animals carry.
pub fn expected_features(settings: &SceneSettings) -> SceneFeatures {
    let environment = settings.environment();
    let light = environment.light();
    SceneFeatures {
        lights: !settings.lights.is_empty(),
        lamp_shadows: settings.lights.iter().any(LightSettings::casts_shadows),
        stars: light.stars > 0.0 || environment.day_passes(),
        clouds: light.clouds > 0.0,
        foam: settings.waves.wind_m_s >= WHITECAP_WIND_M_S,
    }
}
