//! The sea that settings ask for, resolved: medium, waves and light, and the light of every moment.

use std::sync::Arc;

use glam::Vec3;

use crate::{
    DayCycle, Daylight, Light, Medium, MoonSettings, SkySettings, SunSettings, WaterSettings, WaveField, WavesSettings,
    day, light, medium, sun_after, surge, wave_field,
};

/// Settings that an [`Environment`] is resolved from, but for its seed.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentSettings {
    /// The medium.
    pub water: WaterSettings,
    /// The surface.
    pub waves: WavesSettings,
    /// The sun at the beginning, and the rate at which the day passes.
    pub sun: SunSettings,
    /// The light of the night.
    pub moon: MoonSettings,
    /// The diffuse light above.
    pub sky: SkySettings,
    /// Mean depth of the ground, infinite without one. Unit: m.
    pub seabed_depth_m: f32,
}

impl EnvironmentSettings {
    /// Light above and just below the surface at the beginning.
    pub fn light(&self) -> Light {
        light(&self.sun, &self.moon, &self.sky)
    }

    /// Whether the sun goes round.
    pub fn day_passes(&self) -> bool {
        self.sun.time_rate > 0.0
    }
}

/// Medium, waves and light, resolved from settings once; the same at every moment, but for the hour.
#[derive(Clone, Debug)]
pub struct Environment {
    settings: EnvironmentSettings,
    seed: u64,
    medium: Medium,
    light: Light,
    daylight: Arc<Daylight>,
    /// The light of the other hours, if the sun goes round.
    day_cycle: Option<Arc<DayCycle>>,
    waves: Arc<WaveField>,
}

impl Environment {
    /// Resolves `settings`; `seed` places the waves.
    pub fn new(settings: EnvironmentSettings, seed: u64) -> Self {
        let (medium, light) = (medium(&settings.water), settings.light());
        Self {
            medium,
            light,
            daylight: Arc::new(Daylight::new(&medium, &light)),
            day_cycle: day_cycle(&settings, &medium),
            waves: Arc::new(wave_field(&settings.waves, settings.seabed_depth_m, seed)),
            settings,
            seed,
        }
    }

    /// The environment of other settings with the same seed; shares what is the same in both.
    pub fn retuned(&self, settings: EnvironmentSettings) -> Self {
        let old = &self.settings;
        let (medium, light) = (medium(&settings.water), settings.light());
        let keeps_waves = (&old.waves, old.seabed_depth_m) == (&settings.waves, settings.seabed_depth_m);
        let (daylight, day_cycle) = if self.has_light_of(&settings) {
            (Arc::clone(&self.daylight), self.day_cycle.clone())
        } else {
            (Arc::new(Daylight::new(&medium, &light)), day_cycle(&settings, &medium))
        };
        let waves = if keeps_waves {
            Arc::clone(&self.waves)
        } else {
            Arc::new(wave_field(&settings.waves, settings.seabed_depth_m, self.seed))
        };
        Self { medium, light, daylight, day_cycle, waves, settings, seed: self.seed }
    }

    /// Whether `settings` ask for the same light in the same water.
    pub fn has_light_of(&self, settings: &EnvironmentSettings) -> bool {
        let old = &self.settings;
        (&old.water, &old.sun, &old.moon, &old.sky) == (&settings.water, &settings.sun, &settings.moon, &settings.sky)
    }

    /// The settings it was resolved from.
    pub fn settings(&self) -> &EnvironmentSettings {
        &self.settings
    }

    /// The water.
    pub fn medium(&self) -> &Medium {
        &self.medium
    }

    /// The waves.
    pub fn waves(&self) -> &Arc<WaveField> {
        &self.waves
    }

    /// Position of the sun after `time_s` seconds.
    pub fn sun_at(&self, time_s: f64) -> SunSettings {
        sun_after(&self.settings.sun, time_s)
    }

    /// Light above the sea after `time_s` seconds. The light below it goes into `daylight`, whose memory is used again.
    pub fn light_into(&self, time_s: f64, daylight: &mut Arc<Daylight>) -> Light {
        match &self.day_cycle {
            None => {
                *daylight = Arc::clone(&self.daylight);
                self.light
            }
            Some(day_cycle) => {
                let sun = self.sun_at(time_s);
                day_cycle.light_into(&sun, Arc::make_mut(daylight));
                light(&sun, &self.settings.moon, &self.settings.sky)
            }
        }
    }

    /// Displacement (m) and velocity (m/s) of the water near the ground, by the waves, after `time_s` seconds.
    pub fn surge(&self, time_s: f64) -> (Vec3, Vec3) {
        surge(&self.waves, self.settings.seabed_depth_m, time_s)
    }

    /// Progress of nightfall after `time_s` seconds if the day passes, else 0. Range 0..=1.
    pub fn fallen_night(&self, time_s: f64) -> f32 {
        if self.settings.day_passes() { 1.0 - day(&self.sun_at(time_s)) } else { 0.0 }
    }
}

fn day_cycle(settings: &EnvironmentSettings, medium: &Medium) -> Option<Arc<DayCycle>> {
    let EnvironmentSettings { sun, moon, sky, .. } = settings;
    settings.day_passes().then(|| Arc::new(DayCycle::new(medium, sun, moon, sky)))
}
