//! What is being shown, apart from the window it is shown in: scene, world, camera, time.

use std::time::Instant;

use crate::app::files::load_model;
use crate::app::fly::{FlyCamera, HeldKeys};
use crate::app::ground_heights::GroundHeights;
use crate::app::offscreen::camera;
use crate::app::steps::FixedSteps;
use crate::app::{AppError, SceneOptions, load};
use crate::config::{BUILTIN_SCENES, Config, FileWatcher, LoadedScene};
use crate::scene::{LightCarrier, LightSettings, RenderScene, World};

/// Irradiance of the torch at one metre; the sun's is 1.
const TORCH: f32 = 2.5;
/// Steps that a slow frame may make up for; beyond it the world slows down.
const MOST_STEPS: u32 = 5;
/// Fish that `+` can come to.
const MOST_FISH: u32 = 100_000;

/// What of the renderer a change concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Settings only.
    Settings,
    /// Models, seabed or props too.
    Stage,
}

/// A scene in motion.
pub struct SceneSession {
    /// What was asked for.
    pub options: SceneOptions,
    /// The settings in use: the last good ones.
    pub config: Config,
    /// The diver.
    pub fly: FlyCamera,
    /// Whether the world stands still.
    pub paused: bool,
    world: World,
    ground: Option<GroundHeights>,
    steps: FixedSteps,
    watched: FileWatcher,
    sway_s: Option<f64>,
}

impl SceneSession {
    /// Makes the world of a scene that is loaded; `sway` is whether the camera breathes.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn new(options: SceneOptions, loaded: LoadedScene, sway: bool) -> Result<Self, AppError> {
        let began = Instant::now();
        let world = World::new(&loaded.config.scene, options.seed, load_model)?;
        log::debug!("the world was made in {:.0} ms", began.elapsed().as_secs_f64() * 1e3);
        let home = camera(&loaded.config, None)?;
        let ground = world.static_scene().seabed.as_ref().and_then(GroundHeights::new);
        Ok(Self {
            options,
            fly: FlyCamera::new(home),
            paused: false,
            ground,
            world,
            steps: FixedSteps::new(World::STEP_S, MOST_STEPS),
            watched: FileWatcher::new(&loaded.files),
            sway_s: sway.then_some(0.0),
            config: loaded.config,
        })
    }

    /// The world, for its stage.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Moves the world and the diver on by a frame's time.
    pub fn advance(&mut self, elapsed_s: f64, held: HeldKeys) {
        if !self.paused {
            for _ in 0..self.steps.advance(elapsed_s) {
                self.world.step();
            }
            if let Some(sway_s) = &mut self.sway_s {
                *sway_s += elapsed_s;
            }
        }
        self.fly.update(held, elapsed_s as f32, self.ground.as_ref());
    }

    /// Fills `frame` with the present moment as the diver sees it.
    pub fn extract(&self, frame: &mut RenderScene) {
        let camera = self.fly.camera(self.sway_s, self.ground.as_ref());
        self.world.extract(self.steps.alpha(), camera, frame);
    }

    /// Stops the world and moves it on by one step.
    pub fn single_step(&mut self) {
        self.paused = true;
        self.world.step();
    }

    /// Whether the scene's files have been edited since they were read. To be asked a few times a second.
    pub fn is_edited(&mut self) -> bool {
        self.watched.changed()
    }

    /// Reads the scene again and takes over what is different; everything else goes on as it was.
    ///
    /// # Errors
    /// If the scene is wrong now; what was shown goes on unchanged.
    pub fn reload(&mut self) -> Result<Change, AppError> {
        let loaded = load(&self.options).inspect_err(|error| {
            if let AppError::Config(error) = error {
                self.watched.follow(&error.files);
            }
        })?;
        self.watched.follow(&loaded.files);
        self.take_over(loaded.config)
    }

    /// Goes to the built-in scene of that index, from its beginning.
    ///
    /// # Errors
    /// If there is none of that index, or it cannot be loaded; what was shown goes on.
    pub fn switch(&mut self, index: usize) -> Result<Change, AppError> {
        let Some(scene) = BUILTIN_SCENES.get(index) else {
            return Err(AppError::NoSuchScene { index, known: BUILTIN_SCENES.len() });
        };
        // The number of fish was asked of the scene that is left, and a value set may not suit another.
        let options = SceneOptions { scene: scene.name.into(), fish: None, ..self.options.clone() };
        self.restart(options)
    }

    /// The first view and the world from its beginning.
    ///
    /// # Errors
    /// If the scene cannot be loaded any more; what was shown goes on.
    pub fn reset(&mut self) -> Result<Change, AppError> {
        self.restart(self.options.clone())
    }

    fn restart(&mut self, options: SceneOptions) -> Result<Change, AppError> {
        let loaded = load(&options)?;
        *self = Self::new(options, loaded, self.sway_s.is_some())?;
        Ok(Change::Stage)
    }

    /// Multiplies the fish and gives their new number.
    ///
    /// # Errors
    /// If a model cannot be loaded; the number stays.
    pub fn multiply_fish(&mut self, factor: f32) -> Result<(Change, u32), AppError> {
        let before = self.config.fish();
        let wanted = (before as f32 * factor).round() as u32;
        // Small numbers move too.
        let wanted = if factor > 1.0 { wanted.max(before + 1) } else { wanted.min(before.saturating_sub(1)) };
        let mut config = self.config.clone();
        let wanted = wanted.clamp(1, MOST_FISH);
        config.deal_fish(wanted).map_err(|error| AppError::Fish(wanted, error))?;
        let fish = config.fish();
        let change = self.take_over(config)?;
        // Asked for again whenever the file is read.
        self.options.fish = Some(fish);
        Ok((change, fish))
    }

    /// Lights the lamps that the camera carries, a torch if there is none, or puts them out. Says whether one is lit.
    ///
    /// # Errors
    /// As for [`Self::reload`]; what was lit stays lit.
    pub fn toggle_torch(&mut self) -> Result<(Change, bool), AppError> {
        let mut config = self.config.clone();
        let lights = &mut config.scene.lights;
        let before = lights.len();
        lights.retain(|light| light.follow != LightCarrier::Camera);
        let lit = lights.len() == before;
        if lit {
            lights.push(LightSettings {
                name: "torch".into(),
                follow: LightCarrier::Camera,
                at_m: [0.6, 0.4, -0.1],
                toward_m: [0.0, -0.4, 6.0],
                cone_deg: 50.0,
                colour: [1.0, 0.93, 0.80],
                intensity: TORCH,
            });
        }
        Ok((self.take_over(config)?, lit))
    }

    fn take_over(&mut self, config: Config) -> Result<Change, AppError> {
        let home = camera(&config, None)?;
        let world = self.world.retuned(&config.scene)?;
        let restaged = !world.shares_static_scene(&self.world);
        self.world = world;
        if home != camera(&self.config, None)? {
            self.fly.set_home(home);
            self.fly.go_home();
        }
        self.config = config;
        if restaged {
            self.ground = self.world.static_scene().seabed.as_ref().and_then(GroundHeights::new);
        }
        Ok(if restaged { Change::Stage } else { Change::Settings })
    }
}
