//! The shape of a scene file for serde, and its way into [`Config`] and back.

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::life::SpeciesSettings;
use crate::ocean::{CurrentSettings, MoonSettings, SkySettings, SunSettings, WaterSettings, WavesSettings};
use crate::render::{PostSettings, RenderSettings};
use crate::scene::{
    CameraSettings, CardSettings, FloraSettings, LightSettings, ParticlesSettings, PropSettings, SceneSettings,
    SeabedSettings,
};

/// A scene file after merging; `extends` has done its work by then.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SceneFile {
    name: String,
    water: WaterSettings,
    waves: WavesSettings,
    sun: SunSettings,
    moon: MoonSettings,
    sky: SkySettings,
    lights: Vec<LightSettings>,
    current: CurrentSettings,
    seabed: SeabedSettings,
    flora: FloraSettings,
    species: Vec<SpeciesSettings>,
    props: Vec<PropSettings>,
    particles: ParticlesSettings,
    cards: Vec<CardSettings>,
    camera: CameraSettings,
    post: PostSettings,
    render: RenderSettings,
}

impl From<SceneFile> for Config {
    fn from(file: SceneFile) -> Self {
        let SceneFile { name, water, waves, sun, moon, sky, lights, current, seabed, flora, .. } = file;
        let SceneFile { species, props, particles, cards, camera, post, render, .. } = file;
        let scene = SceneSettings {
            name,
            water,
            waves,
            sun,
            moon,
            sky,
            lights,
            current,
            seabed,
            flora,
            species,
            props,
            particles,
            cards,
            camera,
        };
        Self { scene, post, render }
    }
}

impl From<Config> for SceneFile {
    fn from(config: Config) -> Self {
        let Config { scene, post, render } = config;
        let SceneSettings { name, water, waves, sun, moon, sky, lights, current, seabed, flora, .. } = scene;
        let SceneSettings { species, props, particles, cards, camera, .. } = scene;
        Self {
            name,
            water,
            waves,
            sun,
            moon,
            sky,
            lights,
            current,
            seabed,
            flora,
            species,
            props,
            particles,
            cards,
            camera,
            post,
            render,
        }
    }
}
