//! What each water type would look like here and now, worked out one a frame.

use std::sync::Arc;

use crate::app::demo::panel::WaterSample;
use crate::config::Config;
use crate::ocean::{self, Daylight, WaterType};
use crate::render::water_colour;
use crate::scene::{RenderScene, SceneSettings};

/// Depths that differ by less look the same. Unit: m.
const STEP_M: f32 = 0.5;
/// Deepest that differences are looked for: below it there is no daylight to tell. Unit: m.
const DEEPEST_M: f32 = 200.0;

/// The samples, and for what they were worked out.
#[derive(Debug, Default)]
pub struct WaterSamples {
    samples: Vec<WaterSample>,
    made_for: Option<Config>,
    depth_m: f32,
    /// How many of them are as they should be.
    done: usize,
}

impl WaterSamples {
    /// Works out one more for the moment `frame` of a scene, if one is missing; gives them all if they are others now.
    pub fn update(&mut self, config: &Config, frame: &RenderScene) -> Option<&[WaterSample]> {
        let depth_m = ((-frame.camera.eye.y / STEP_M).round() * STEP_M).clamp(STEP_M, DEEPEST_M);
        let is_same = |made_for: &Config| {
            let of = |config: &Config| {
                let SceneSettings { water, sun, moon, sky, .. } = config.scene.clone();
                (water.inscatter, water.turbidity, water.asymmetry, sun, moon, sky, config.post.clone())
            };
            self.depth_m == depth_m && of(made_for) == of(config)
        };
        if !self.made_for.as_ref().is_some_and(is_same) {
            (self.made_for, self.depth_m, self.done) = (Some(config.clone()), depth_m, 0);
        }
        let kind = *WaterType::JERLOV.get(self.done)?;
        let mut settings = config.scene.clone();
        settings.water.kind = kind;
        let (medium, light) = (ocean::medium(&settings.water), frame.light);
        let daylight = Arc::new(Daylight::new(&medium, &light));
        let mut moment = RenderScene {
            time_s: frame.time_s,
            light,
            medium,
            daylight,
            settings: Arc::new(settings),
            ..RenderScene::default()
        };
        moment.camera.eye.y = -depth_m;
        let sample = (kind.to_string(), water_colour(&moment, &config.post));
        match self.samples.get_mut(self.done) {
            Some(old) => *old = sample,
            None => self.samples.push(sample),
        }
        self.done += 1;
        Some(&self.samples)
    }
}
