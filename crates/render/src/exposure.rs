//! Auto exposure and white balance, from the light at the camera.

use std::f32::consts::PI;

use glam::Vec3;
use ocean::LUMINANCE;
use view::RenderScene;

use crate::PostSettings;
use crate::water_radiance::WaterRadiance;

/// Reflectance that ends up as display white at exposure 0 (before the filmic shoulder). Chosen by eye.
const WHITE_REFLECTANCE: f32 = 0.40;
/// Adaptation of the eye to darkness: 1 all the way, 0 not at all. Chosen by eye: depth stays darker than the shallows.
const ADAPTATION: f32 = 0.82;

/// Greatest level of the water before the lens, as input of the tone map, at exposure 0: it stays below white, also
/// where a scene is exposed a stop longer. Chosen by eye.
const VIEW_LEVEL: f32 = 0.8;
/// Exponent of the mean over the picture: the more, the more its bright parts count.
const VIEW_LEAN: f32 = 3.0;
/// Exponent that joins the exposures by light and by view: the greater, the nearer to the smaller of the two.
const BLEND: f32 = 3.0;
/// Rays along each side of the picture.
const VIEW_RAYS: i32 = 5;
/// Rays in all.
const RAY_COUNT: f32 = (VIEW_RAYS * VIEW_RAYS) as f32;
/// Aspect ratio of the picture that the rays cover, whatever the window's: a picture is exposed alike at any size.
const VIEW_ASPECT: f32 = 16.0 / 9.0;

/// Distance from the lens, over the visibility, whose light an eye in murk sees past: almost up to the subject. Chosen
/// by eye.
const VEIL_REACH: f32 = 0.32;
/// Longer exposure of a picture in murk, where the water before the lens permits it: as in fog. Unit: stops.
const MURK_EV: f32 = 0.5;
/// Visibilities at which an eye sees past all of that light, and past none. Unit: m.
const MURKY_M: f32 = 8.0;
const CLEAR_M: f32 = 20.0;

/// Exposure of a night that falls while one looks on: there is no time to get used to it. The difference between
/// `night_reef` and `reef`. Unit: stops.
const NIGHT_EV: f32 = -1.75;

/// Exposure time of a picture: particles in the water are drawn as long as their way meanwhile. Unit: s.
pub const SHUTTER_S: f32 = 1.0 / 40.0;

/// Factors from radiance to the tone map's input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exposure {
    /// Factor on all channels.
    pub exposure: f32,
    /// Factor per channel; luminance of the balanced light is kept.
    pub white_balance: Vec3,
    /// Radiance of the water right before the lens: light no brighter than it is held back.
    pub veil: Vec3,
}

/// Time in which a watching eye gets used to another light: nine tenths of the way. Unit: s.
const EASED_S: f64 = 0.5;
/// Share by which two exposures may differ and look the same. Unit: 1.
const UNSEEN: f32 = 0.02;

impl Exposure {
    /// Input of the tone map for a radiance, as `tonemap.frag.glsl` makes it.
    pub fn shown(&self, radiance: Vec3) -> Vec3 {
        past(self.veil, radiance) * self.exposure * self.white_balance
    }

    /// The exposure `elapsed_s` seconds further on the way to `aim`.
    pub fn toward(self, aim: Self, elapsed_s: f64) -> Self {
        // A difference too small to see counts as none: a picture that stands still is the same to the bit.
        let is_near = (aim.exposure / self.exposure).ln().abs() < UNSEEN
            && (aim.white_balance - self.white_balance).abs().max_element() < UNSEEN
            && ((aim.veil - self.veil) * self.exposure).abs().max_element() < UNSEEN;
        if is_near {
            return aim;
        }
        let along = 1.0 - 0.1f64.powf(elapsed_s.max(0.0) / EASED_S) as f32;
        Self {
            exposure: (self.exposure.ln() + along * (aim.exposure / self.exposure).ln()).exp(),
            white_balance: self.white_balance.lerp(aim.white_balance, along),
            veil: self.veil.lerp(aim.veil, along),
        }
    }
}

/// Exposure by the light at the camera's depth and by the water before its lens, whichever asks for less.
/// Deterministic: no history.
pub fn adapt(scene: &RenderScene, post: &PostSettings) -> Exposure {
    let here = scene.daylight.irradiance(-scene.camera.eye.y);
    let brightness = luminance(here).max(1e-5);
    let cast = here.max(Vec3::splat(1e-6)) / brightness;
    let white_balance = cast.powf(-post.white_balance);
    // Balanced light keeps its luminance.
    let white_balance = white_balance / luminance(cast * white_balance).max(1e-4);
    let (adapted, veil) = match post.auto_exposure {
        true => {
            let water = WaterRadiance::new(scene);
            let visibility_m = scene.medium.black_disc_m;
            let murk = ((CLEAR_M - visibility_m) / (CLEAR_M - MURKY_M)).clamp(0.0, 1.0);
            let before_lens = rays(scene).map(|ray| water.within(ray, VEIL_REACH * visibility_m)).sum::<Vec3>();
            let veil = post.contrast * murk * before_lens / RAY_COUNT;
            let white = WHITE_REFLECTANCE / PI;
            let reflected = white * here.max(Vec3::splat(1e-6));
            let left = luminance(past(veil, reflected)) / luminance(reflected);
            let by_light = white * brightness.powf(ADAPTATION) * left * (-MURK_EV * murk).exp2();
            let shown = |ray| past(veil, water.toward(ray)) * white_balance;
            let by_view = view_brightness(rays(scene).map(shown)) / VIEW_LEVEL;
            ((by_light.powf(BLEND) + by_view.powf(BLEND)).powf(-1.0 / BLEND), veil)
        }
        false => (1.0, Vec3::ZERO),
    };
    let exposure = (post.exposure_ev + NIGHT_EV * scene.fallen_night).exp2() * adapted;
    Exposure { exposure, white_balance, veil }
}

/// Radiance seen past a veil, as `tonemap.frag.glsl` has it: one as bright as the veil keeps a quarter, a much brighter
/// one all but twice the veil.
fn past(veil: Vec3, radiance: Vec3) -> Vec3 {
    let stays = radiance / (radiance + veil).max(Vec3::splat(1e-9));
    radiance * stays * stays
}

/// Mean of the brightest channel of the colours `shown` along the rays of the picture, leaning to its bright parts.
fn view_brightness(shown: impl Iterator<Item = Vec3>) -> f32 {
    let sum: f32 = shown.map(|colour| colour.max_element().max(0.0).powf(VIEW_LEAN)).sum();
    (sum / RAY_COUNT).powf(1.0 / VIEW_LEAN)
}

/// Directions all over the picture.
fn rays(scene: &RenderScene) -> impl Iterator<Item = Vec3> + use<'_> {
    let half_height = (0.5 * scene.camera.fov_y).tan();
    let across = |i: i32, half: f32| half * (2 * i + 1 - VIEW_RAYS) as f32 / VIEW_RAYS as f32;
    (0..VIEW_RAYS * VIEW_RAYS).map(move |i| {
        let (x, y) = (across(i % VIEW_RAYS, VIEW_ASPECT * half_height), across(i / VIEW_RAYS, half_height));
        scene.camera.orientation * Vec3::new(x, y, -1.0).normalize()
    })
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
    fn bright_water_before_the_lens_is_exposed_less() {
        let post = PostSettings::default();
        let mut murky = scene(5.0);
        let water = ocean::WaterSettings { kind: ocean::WaterType::Coastal1, ..Default::default() };
        murky.medium = ocean::medium(&water);
        murky.daylight = ocean::Daylight::new(&murky.medium, &murky.light).into();
        let look_at = |scene: &mut RenderScene, direction: Vec3| {
            scene.camera = view::Camera::look_at(scene.camera.eye, scene.camera.eye + direction, 1.0);
        };
        let to_light = murky.light.to_key_light_water;
        look_at(&mut murky, to_light);
        let toward = adapt(&murky, &post);
        look_at(&mut murky, to_light * Vec3::new(-1.0, -0.2, -1.0));
        let away = adapt(&murky, &post);
        assert!(toward.exposure < 0.7 * away.exposure, "{} and {}", toward.exposure, away.exposure);
        look_at(&mut murky, to_light);
        let water = WaterRadiance::new(&murky);
        let shown = rays(&murky).map(|ray| toward.shown(water.toward(ray)));
        assert!(view_brightness(shown) < 1.0, "below white");
    }

    #[test]
    fn murk_alone_is_seen_past_as_far_as_contrast_says() {
        let post = PostSettings { contrast: 0.8, ..Default::default() };
        let in_water = |kind| {
            let water = ocean::WaterSettings { kind, ..Default::default() };
            let mut scene = scene(5.0);
            scene.medium = ocean::medium(&water);
            scene.daylight = ocean::Daylight::new(&scene.medium, &scene.light).into();
            scene
        };
        assert_eq!(adapt(&in_water(ocean::WaterType::IB), &post).veil, Vec3::ZERO);
        let murky = in_water(ocean::WaterType::Coastal3);
        let full = adapt(&murky, &post);
        assert!(full.veil.min_element() > 0.0);
        assert_eq!(adapt(&murky, &PostSettings { contrast: 0.0, ..post.clone() }).veil, Vec3::ZERO);
        assert_eq!(adapt(&murky, &PostSettings { auto_exposure: false, ..post }).veil, Vec3::ZERO);
        // Two radiances in murk differ more.
        let (bright, dark) = (2.0 * full.veil, 1.5 * full.veil);
        assert!((full.shown(bright) / full.shown(dark)).min_element() > 1.5, "by a third in the water");
        assert_eq!(full.shown(Vec3::ZERO), Vec3::ZERO);
    }

    #[test]
    fn an_onlooker_is_used_to_another_light_in_half_a_second() {
        let (dim, bright) =
            [1.0, 16.0].map(|exposure| Exposure { exposure, white_balance: Vec3::ONE, veil: Vec3::ZERO }).into();
        let later = dim.toward(bright, 0.5).exposure;
        assert!(later > 11.0 && later < 16.0, "{later}");
        assert_eq!(dim.toward(bright, 0.0), dim);
        let in_steps = (0..50).fold(dim, |shown, _| shown.toward(bright, 0.01));
        assert!((in_steps.exposure / later - 1.0).abs() < 1e-3, "however often it is drawn");
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
