//! What each water type would look like here and now, worked out beside the animation.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use crate::app::demo::panel::WaterSample;
use crate::config::Config;
use crate::ocean::{self, Daylight, Light, WaterSettings, WaterType};
use crate::render::water_colour;
use crate::scene::RenderScene;

/// Depths that differ by less look the same. Unit: m.
const STEP_M: f32 = 0.5;
/// Deepest that differences are looked for: below it there is no daylight to tell. Unit: m.
const DEEPEST_M: f32 = 200.0;

/// The samples, and for what they are worked out.
#[derive(Debug, Default)]
pub struct WaterSamples {
    samples: Vec<WaterSample>,
    made_for: Option<Moment>,
    /// Gives them one after the other, with their places, while they are worked out.
    coming: Option<Receiver<(usize, WaterSample)>>,
}

/// What they depend on, besides their own type.
#[derive(Clone, Debug)]
struct Moment {
    config: Config,
    light: Light,
    time_s: f64,
    depth_m: f32,
}

impl WaterSamples {
    /// Follows what is worked out for the moment `frame` of a scene; gives them all if they are others now.
    pub fn update(&mut self, config: &Config, frame: &RenderScene) -> Option<&[WaterSample]> {
        let depth_m = ((-frame.camera.eye.y / STEP_M).round() * STEP_M).clamp(STEP_M, DEEPEST_M);
        let is_same = self.made_for.as_ref().is_some_and(|made_for| made_for.looks_like(config, depth_m));
        let mut is_new = false;
        while let Some(coming) = &self.coming {
            match coming.try_recv() {
                Ok((place, sample)) => {
                    match self.samples.get_mut(place) {
                        Some(old) => *old = sample,
                        None => self.samples.push(sample),
                    }
                    is_new = true;
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.coming = None,
            }
        }
        if !is_same {
            // Whoever works out the others hears of it with the next one: nobody takes it.
            let moment = Moment { config: config.clone(), light: frame.light, time_s: frame.time_s, depth_m };
            self.coming = moment.clone().start();
            self.made_for = Some(moment);
        }
        is_new.then_some(&self.samples)
    }
}

impl Moment {
    fn looks_like(&self, config: &Config, depth_m: f32) -> bool {
        let (old, new) = (&self.config.scene, &config.scene);
        let of = |water: &WaterSettings| (water.inscatter, water.turbidity, water.particles, water.asymmetry);
        self.depth_m == depth_m
            && of(&old.water) == of(&new.water)
            && (&old.sun, &old.moon, &old.sky) == (&new.sun, &new.moon, &new.sky)
            && self.config.post == config.post
    }

    /// Works them all out on a thread of its own, if the system has one.
    fn start(self) -> Option<Receiver<(usize, WaterSample)>> {
        let (sender, coming) = channel();
        let work = move || {
            for (place, kind) in WaterType::JERLOV.into_iter().enumerate() {
                if sender.send((place, self.sample(kind))).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("water".into()).spawn(work).ok().map(|_| coming)
    }

    fn sample(&self, kind: WaterType) -> WaterSample {
        let mut settings = self.config.scene.clone();
        settings.water.kind = kind;
        let medium = ocean::medium(&settings.water);
        let mut moment = RenderScene {
            time_s: self.time_s,
            light: self.light,
            medium,
            daylight: Arc::new(Daylight::new(&medium, &self.light)),
            settings: Arc::new(settings),
            ..RenderScene::default()
        };
        moment.camera.eye.y = -self.depth_m;
        (kind.to_string(), water_colour(&moment, &self.config.post))
    }
}
