//! Auto exposure and white balance, from the light at the camera.

use glam::Vec3;

use crate::ocean;
use crate::render::PostSettings;
use crate::scene::RenderScene;

/// Reflectance that ends up as display white at exposure 0 (before the filmic shoulder). Chosen by eye.
const WHITE_REFLECTANCE: f32 = 0.40;
/// How far the eye adapts to darkness: 1 all the way, 0 not at all. Chosen by eye: depth stays darker than the shallows.
const ADAPTATION: f32 = 0.82;

/// How much darker a night is shown that falls while one looks on: there is no time to get used to it. What `night_reef` is
/// below `reef`. Unit: stops.
const NIGHT_EV: f32 = -1.75;

/// Luminance of each channel at 1 (linear sRGB, IEC 61966-2-1).
pub const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

/// How long a picture is exposed: what the water carries is drawn as long as its way meanwhile. Unit: s.
pub const SHUTTER_S: f32 = 1.0 / 40.0;

/// Factors from radiance to the tone map's input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exposure {
    /// Factor on all channels.
    pub exposure: f32,
    /// Factor per channel; luminance of the balanced light is kept.
    pub white_balance: Vec3,
}

/// Adapts to the light at the camera's depth. Deterministic: no history.
pub fn adapt(scene: &RenderScene, post: &PostSettings) -> Exposure {
    let here = scene.daylight.irradiance(-scene.camera.eye.y);
    let brightness = luminance(here).max(1e-5);
    let white = WHITE_REFLECTANCE / std::f32::consts::PI;
    let adapted = if post.auto_exposure { 1.0 / (white * brightness.powf(ADAPTATION)) } else { 1.0 };
    let exposure = (post.exposure_ev + NIGHT_EV * fallen_night(scene)).exp2() * adapted;
    let cast = here.max(Vec3::splat(1e-6)) / brightness;
    let white_balance = cast.powf(-post.white_balance);
    // Balanced light keeps its luminance.
    let kept = luminance(cast * white_balance).max(1e-4);
    Exposure { exposure, white_balance: white_balance / kept }
}

/// How far night has fallen, if the day goes by: 0..=1.
fn fallen_night(scene: &RenderScene) -> f32 {
    let sun = &scene.settings.sun;
    if sun.time_rate > 0.0 { 1.0 - ocean::day(&ocean::sun_after(sun, scene.time_s)) } else { 0.0 }
}

fn luminance(c: Vec3) -> f32 {
    c.dot(LUMINANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(depth_m: f32) -> RenderScene {
        let light = ocean::light(&Default::default(), &Default::default(), &Default::default());
        let medium = ocean::medium(&Default::default());
        let daylight = ocean::Daylight::new(&medium, &light).into();
        let mut scene = RenderScene { light, medium, daylight, ..Default::default() };
        scene.camera.eye.y = -depth_m;
        scene
    }

    #[test]
    fn deeper_is_exposed_longer_and_balanced_toward_red() {
        let post = PostSettings::default();
        let (shallow, deep) = (adapt(&scene(2.0), &post), adapt(&scene(12.0), &post));
        assert!(deep.exposure > shallow.exposure);
        assert!(deep.white_balance.x / deep.white_balance.z > shallow.white_balance.x / shallow.white_balance.z);
    }

    #[test]
    fn no_balance_is_neutral_and_stops_double() {
        let post = PostSettings { white_balance: 0.0, ..Default::default() };
        let plain = adapt(&scene(5.0), &post);
        assert!((plain.white_balance - Vec3::ONE).length() < 1e-4);
        let brighter = adapt(&scene(5.0), &PostSettings { exposure_ev: 1.0, ..post });
        assert!((brighter.exposure / plain.exposure - 2.0).abs() < 1e-4);
    }
}
