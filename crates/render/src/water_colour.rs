//! The colour of open water as the picture shows it, for a sample of it beside the picture.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use ocean::{Daylight, EnvironmentSettings, LUMINANCE, Light, WaterSettings, WaterType};
use view::RenderScene;

use crate::PostSettings;
use crate::exposure::adapt;
use crate::water_radiance::WaterRadiance;

/// Level directions over which the colour is averaged.
const DIRECTIONS: u8 = 8;
/// Difference of depths below which they look the same. Unit: m.
const STEP_M: f32 = 0.5;
/// Greatest depth that is told apart: below it there is no daylight left. Unit: m.
const DEEPEST_M: f32 = 200.0;

/// Inputs of the colours of the water types here and now.
#[derive(Clone, Debug)]
pub struct WaterColours {
    settings: EnvironmentSettings,
    seabed_colour: Vec3,
    post: PostSettings,
    light: Light,
    time_s: f64,
    depth_m: f32,
}

impl WaterColours {
    /// Inputs at the eye of `scene`, which was resolved from `settings`, seen with `post`.
    pub fn new(scene: &RenderScene, settings: EnvironmentSettings, post: &PostSettings) -> Self {
        let depth_m = ((-scene.camera.eye.y / STEP_M).round() * STEP_M).clamp(STEP_M, DEEPEST_M);
        let RenderScene { light, time_s, seabed_colour, .. } = *scene;
        Self { settings, seabed_colour, post: post.clone(), light, time_s, depth_m }
    }

    /// Whether the colours look the same as those of `other`.
    pub fn look_like(&self, other: &Self) -> bool {
        let (old, new) = (&self.settings, &other.settings);
        let of = |water: &WaterSettings| (water.inscatter, water.turbidity, water.particles, water.asymmetry);
        self.depth_m == other.depth_m
            && of(&old.water) == of(&new.water)
            && (&old.sun, &old.moon, &old.sky) == (&new.sun, &new.moon, &new.sky)
            && self.post == other.post
    }

    /// The names of Jerlov's types, clearest first.
    pub fn names() -> [String; WaterType::JERLOV.len()] {
        WaterType::JERLOV.map(|kind| kind.to_string())
    }

    /// Name and colour (sRGB) of each of Jerlov's types. Each takes a while.
    pub fn all(self) -> impl Iterator<Item = (String, [u8; 3])> {
        WaterType::JERLOV.into_iter().map(move |kind| (kind.to_string(), self.of(kind)))
    }

    fn of(&self, kind: WaterType) -> [u8; 3] {
        let medium = ocean::medium(&WaterSettings { kind, ..self.settings.water });
        let mut scene = RenderScene {
            time_s: self.time_s,
            light: self.light,
            medium,
            daylight: Arc::new(Daylight::new(&medium, &self.light)),
            seabed_colour: self.seabed_colour,
            ..RenderScene::default()
        };
        scene.camera.eye.y = -self.depth_m;
        water_colour(&scene, &self.post)
    }
}

/// Colour of water at the eye's depth, seen level, the mean of all sides, exposed and tone mapped as in
/// `tonemap.frag.glsl`. sRGB.
fn water_colour(scene: &RenderScene, post: &PostSettings) -> [u8; 3] {
    let water = WaterRadiance::new(scene);
    let turns = (0..DIRECTIONS).map(|i| TAU * f32::from(i) / f32::from(DIRECTIONS));
    let radiance =
        turns.map(|turn| water.toward(Vec3::new(turn.cos(), 0.0, turn.sin()))).sum::<Vec3>() / f32::from(DIRECTIONS);
    let adapted = adapt(scene, post);
    let c = adapted.shown(radiance);
    let bright = c.dot(LUMINANCE);
    let headroom = (3.0 * c.min_element() / (bright - c.min_element()).max(1e-4)).clamp(0.0, 1.0);
    let more = (post.saturation - 1.0) * if post.saturation > 1.0 { headroom } else { 1.0 };
    let c = Vec3::splat(bright).lerp(c, 1.0 + more).max(Vec3::ZERO);
    let (of_channels, of_luminance) = (c.map(filmic), filmic(bright.max(1e-5)) / bright.max(1e-5));
    let c = of_channels.lerp(c * of_luminance, 0.4);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 255")]
    c.to_array().map(|linear| {
        let display = with_contrast(srgb(linear.clamp(0.0, 1.0)), post.contrast);
        (255.0 * with_toe(display, post.black_point)).round() as u8
    })
}

fn with_contrast(c: f32, contrast: f32) -> f32 {
    c + contrast * (c * c * (3.0 - 2.0 * c) - c)
}

fn with_toe(c: f32, black_point: f32) -> f32 {
    let (c2, k2) = (c * c, black_point * black_point);
    c * c2 * (1.0 + k2) / (c2 + k2).max(1e-6)
}

/// Filmic curve, as in `colour.glsl`.
fn filmic(x: f32) -> f32 {
    let curve = |x: f32| (x * (0.22 * x + 0.03) + 0.002) / (x * (0.22 * x + 0.30) + 0.06) - 0.01 / 0.30;
    curve(x) / curve(6.0)
}

/// The sRGB curve (IEC 61966-2-1).
fn srgb(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use ocean::{MoonSettings, SkySettings, SunSettings, WaterSettings, WavesSettings};

    use super::*;

    #[test]
    fn the_ocean_is_blue_and_the_murky_coast_is_not() {
        let settings = EnvironmentSettings {
            water: WaterSettings::default(),
            waves: WavesSettings::default(),
            sun: SunSettings::default(),
            moon: MoonSettings::default(),
            sky: SkySettings::default(),
            seabed_depth_m: 20.0,
        };
        let mut scene = RenderScene { light: settings.light(), ..RenderScene::default() };
        scene.camera.eye.y = -8.0;
        let colours = WaterColours::new(&scene, settings, &PostSettings::default());
        let ([r, g, b], [_, green, blue]) = (colours.of(WaterType::I), colours.of(WaterType::Coastal7));
        assert!(b > g && g > r && b > 45, "{r} {g} {b}");
        assert!(green > blue, "{green} {blue}");
    }
}
