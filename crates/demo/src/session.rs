//! The scene that is shown, apart from its window: settings, world, camera, time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use camera::{CameraCollision, CameraRig, GroundHeights, HeldKeys, Surroundings};
use config::{BUILTIN_SCENES, Config, Edits, FISH_LIMIT, FileWatcher, LoadedScene};
use model::FileVersion;
#[cfg(any(test, target_arch = "wasm32"))]
use model::Image;
use platform::clock;
use platform::clock::Clock;
use runtime::check::located;
use runtime::files::load_model;
use runtime::steps::FixedSteps;
use runtime::{AppError, SceneOptions, threads};
use scene::{Join, LightCarrier, LightSettings, LoadModel, ModelCache, Progress, World, model_requests};
use view::RenderScene;

mod changes;
mod numbers;

use crate::wearer::Visit;
use changes::load_anew;
pub use changes::load_changed;

/// Name of the torch among the lights.
const TORCH_NAME: &str = "torch";
/// Irradiance of the torch at one metre; the sun's is 1.
const TORCH: f32 = 2.5;
/// Most steps that a slow frame may make up for; below five frames a second the world slows down.
const MAX_STEPS: u32 = 12;
/// Time after which no more steps are taken in a frame, so that keys and camera answer however many fish there are;
/// then the world slows down. Unit: s.
const LONGEST_STEPS_S: f64 = 0.1;
/// Memory for models of earlier scenes: those of all the program's own scenes take about 150 MB. Unit: bytes.
const MAX_KEPT_BYTES: usize = 256 << 20;
/// Greatest number of fish that `+` can reach. A page has one thread, and stands still while newcomers are made: for a
/// second or two with so many.
const MAX_FISH: u32 = if cfg!(target_arch = "wasm32") { 100_000 } else { FISH_LIMIT };

/// A scene in motion.
///
/// A change of what is shown makes another session and leaves this one as it is, so that this one goes on if anything
/// on the way to the screen fails. Unchanged parts are shared.
pub struct SceneSession {
    /// Options with which it was asked for.
    pub options: SceneOptions,
    /// Unsaved changes of it.
    pub edits: Edits,
    /// The settings it was made from.
    pub config: Config,
    /// Warnings of values in its files that are allowed but hardly meant.
    pub warnings: Vec<String>,
    /// Camera from which it is seen.
    pub rig: CameraRig,
    /// Whether the world stands still.
    pub paused: bool,
    /// Visit with a headset.
    pub visit: Visit,
    world: World,
    /// Models of scenes before this one.
    known: ModelCache,
    ground: Option<Arc<GroundHeights>>,
    steps: FixedSteps,
    /// Its files and those of its models.
    watched: FileWatcher,
    /// Watched files that have been edited since the world was made.
    edited: Vec<PathBuf>,
    /// Whether the torch is lit, or the scene's own put out.
    torch_is_switched: bool,
    /// Time that the camera has swayed, if it does. Unit: s.
    sway_s: Option<f64>,
    interference: Interference,
}

/// Steps of the world that are due; they need nothing else of the session.
pub struct DueSteps<'a> {
    world: &'a mut World,
    count: u32,
}

impl DueSteps<'_> {
    /// Takes them; `clock` tells how long that takes.
    pub fn take(self, clock: Clock) {
        let until_s = clock() + LONGEST_STEPS_S;
        for _ in 0..self.count {
            self.world.step();
            if clock() > until_s {
                break;
            }
        }
    }
}

/// Count of a person's interventions in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interference {
    count: u32,
    /// Name of the last one, such as `food`.
    pub last: &'static str,
}

/// A scene that is to be shown from its beginning, with its file read.
pub struct WantedScene {
    /// Options with which it is asked for.
    pub options: SceneOptions,
    /// Unsaved changes of it.
    pub edits: Edits,
    /// The file.
    pub loaded: LoadedScene,
    /// Whether the camera sways.
    pub sway: bool,
    /// Models that are there already.
    pub known: ModelCache,
}

impl WantedScene {
    /// Scene without changes, and without any loaded models.
    pub fn new(options: SceneOptions, loaded: LoadedScene, sway: bool) -> Self {
        Self { options, edits: Edits::default(), loaded, sway, known: ModelCache::default() }
    }

    /// The scene's name.
    pub fn name(&self) -> &str {
        &self.loaded.config.scene.name
    }

    /// Makes its world; `tell` is called with each step.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn make(self, tell: &Progress<'_>) -> Result<SceneSession, AppError> {
        let Self { options, edits, loaded, sway, known } = self;
        let began_s = clock::now_s();
        let by = (load_model as LoadModel, threads::join as Join);
        let world = World::new_telling(&loaded.config.scene, options.seed, by, &known, tell)
            .map_err(|error| located(&loaded, &options.scene, error.into()))?;
        log::debug!("the world was made in {:.0} ms", (clock::now_s() - began_s) * 1e3);
        let mut watched = loaded.files;
        world.model_files().for_each(|file| watched.watch_since(file));
        Ok(SceneSession {
            options,
            edits,
            warnings: loaded.warnings.iter().map(ToString::to_string).collect(),
            torch_is_switched: false,
            rig: CameraRig::new(world.first_view()),
            paused: false,
            visit: Visit::default(),
            ground: ground_of(&world),
            world,
            known,
            steps: FixedSteps::new(World::STEP_S, MAX_STEPS),
            watched,
            edited: Vec::new(),
            sway_s: sway.then_some(0.0),
            interference: Interference::default(),
            config: loaded.config,
        })
    }
}

impl SceneSession {
    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Intervenes in the world by hand; `what` names the intervention, such as `food`.
    pub fn interfere<T>(&mut self, what: &'static str, act: impl FnOnce(&mut World) -> T) -> T {
        let Interference { count, .. } = self.interference;
        self.interference = Interference { count: count.wrapping_add(1), last: what };
        act(&mut self.world)
    }

    /// Interventions of a person in the world so far.
    pub fn interference(&self) -> Interference {
        self.interference
    }

    /// Moves the diver on by a frame's time (s).
    pub fn move_diver(&mut self, elapsed_s: f64, held: HeldKeys) {
        if let Some(sway_s) = self.sway_s.as_mut().filter(|_| !self.paused) {
            *sway_s += elapsed_s;
        }
        self.steer(|rig, about| rig.update(held, elapsed_s, about));
    }

    /// Steps of the world that are due after a frame's time (s), from which the world sees the diver where he is now.
    pub fn due_steps(&mut self, elapsed_s: f64) -> DueSteps<'_> {
        if self.paused {
            return DueSteps { world: &mut self.world, count: 0 };
        }
        self.show_eye();
        DueSteps { count: self.steps.advance(elapsed_s), world: &mut self.world }
    }

    /// Steers the camera with knowledge of its surroundings.
    pub fn steer<T>(&mut self, steer: impl FnOnce(&mut CameraRig, &Surroundings<'_>) -> T) -> T {
        let Self { rig, world, ground, steps, .. } = self;
        let collision = CameraCollision { ground: ground.as_deref(), habitat: world.habitat() };
        steer(rig, &Surroundings { collision, settings: world.settings(), world, alpha: steps.alpha() })
    }

    /// Fills `frame` with the present moment as the diver sees it.
    pub fn extract(&self, frame: &mut RenderScene) {
        let collision = CameraCollision { ground: self.ground.as_deref(), habitat: self.world.habitat() };
        let camera = self.rig.camera(self.sway_s, &collision);
        self.world.extract(self.steps.alpha(), camera, frame);
    }

    /// Tells the world the position of the eye and of its torches, unless it is with an animal, and whether its visit is
    /// quiet.
    fn show_eye(&mut self) {
        let is_alone = self.rig.subject().is_none();
        self.world.set_onlooker(is_alone.then(|| self.rig.eye()));
        let collision = CameraCollision { ground: self.ground.as_deref(), habitat: self.world.habitat() };
        let camera = is_alone.then(|| self.rig.camera(None, &collision));
        self.world.set_torches(camera.as_ref());
        self.world.set_hunters_calm(self.visit.is_quiet(self.world.time_s()));
    }

    /// Stops the world and moves it on by one step.
    pub fn single_step(&mut self) {
        self.paused = true;
        self.show_eye();
        self.interfere("a single step", World::step);
    }

    /// Whether the files of the scene or of its models have been edited since they were read. To be asked a few times a
    /// second.
    pub fn is_edited(&mut self) -> bool {
        let edited = self.watched.edited();
        let is_edited = !edited.is_empty();
        // Files that cannot be read now are read again with the next edit of any.
        self.edited.extend(edited);
        is_edited
    }

    /// The files that are not there any more, each told once. To be asked after [`Self::is_edited`].
    pub fn gone_files(&self) -> Vec<PathBuf> {
        self.watched.gone().map(Path::to_owned).collect()
    }

    /// The scene as its files are now; unchanged parts go on as they were.
    ///
    /// # Errors
    /// If the scene is wrong now. In either case only the set of watched files of this session changes: one of them has
    /// the mistake.
    pub fn reloaded(&mut self) -> Result<Self, AppError> {
        let (loaded, edits) = load_anew(&self.options, self.edits.clone()).inspect_err(|error| {
            if let AppError::Config(error) = error {
                self.watched.follow(&error.files);
            }
        })?;
        self.watched.follow(&loaded.files);
        loaded.warnings.iter().for_each(|warning| log::warn!("{warning}"));
        let world = self.world.reloaded(&loaded.config.scene, &self.edited).map_err(|error| {
            // A file that was not watched before may be the broken one.
            let models = model_requests(&loaded.config.scene).filter(|asked| !asked.request.is_builtin());
            models.for_each(|asked| self.watched.expect(Path::new(&asked.request.source)));
            located(&loaded, &self.options.scene, error.into())
        })?;
        let warnings = loaded.warnings.iter().map(ToString::to_string).collect();
        let next = self.with_world(world, loaded.config, self.options.clone())?;
        Ok(Self { edits, edited: Vec::new(), warnings, torch_is_switched: false, ..next })
    }

    /// The built-in scene of that index with `edits`, from its beginning.
    ///
    /// # Errors
    /// If there is none of that index, or its file is wrong.
    pub fn switched(&self, index: usize, edits: Edits) -> Result<WantedScene, AppError> {
        let Some(scene) = BUILTIN_SCENES.get(index) else {
            return Err(AppError::NoSuchScene { index, known: BUILTIN_SCENES.len() });
        };
        self.opened(scene.name, edits)
    }

    /// The scene of that name or file with `edits`, from its beginning.
    ///
    /// # Errors
    /// If its file is wrong.
    pub fn opened(&self, scene: &str, edits: Edits) -> Result<WantedScene, AppError> {
        // The number of fish was asked for the scene that is left; the keys of --set hold for every scene.
        self.restarted(SceneOptions { scene: scene.into(), fish: None, ..self.options.clone() }, edits)
    }

    /// The same scene from its beginning, seen from its first view.
    ///
    /// # Errors
    /// If its file is wrong now.
    pub fn reset(&self) -> Result<WantedScene, AppError> {
        self.restarted(self.options.clone(), self.edits.clone())
    }

    fn restarted(&self, options: SceneOptions, edits: Edits) -> Result<WantedScene, AppError> {
        let (loaded, edits) = load_anew(&options, edits)?;
        let known = self.world.models().kept_with(&self.known, MAX_KEPT_BYTES);
        Ok(WantedScene { options, edits, loaded, sway: self.sway_s.is_some(), known })
    }

    /// The scene with the lamps that the camera carries put out, or with a torch if there are none.
    ///
    /// # Errors
    /// If a model cannot be loaded.
    pub fn with_torch_switched(&self) -> Result<Self, AppError> {
        let mut config = self.config.clone();
        switch_torch(&mut config);
        let next = self.with(config, self.options.clone())?;
        Ok(Self { torch_is_switched: !self.torch_is_switched, ..next })
    }

    /// Whether the camera carries a lamp.
    pub fn has_torch(&self) -> bool {
        carries_lamp(&self.config)
    }

    /// This moment with other textures on its models, where `other` has one for a texture. Models kept from other
    /// scenes are forgotten.
    ///
    /// # Errors
    /// Errors of [`Self::reloaded`], although none is to be expected.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn repainted(&self, other: &dyn Fn(&Image) -> Option<Arc<Image>>) -> Result<Self, AppError> {
        let next = self.with_world(self.world.repainted(other), self.config.clone(), self.options.clone())?;
        Ok(Self { known: ModelCache::default(), ..next })
    }

    /// This moment under other settings.
    fn with(&self, config: Config, options: SceneOptions) -> Result<Self, AppError> {
        self.with_world(self.world.retuned(&config.scene)?, config, options)
    }

    /// This moment in another world. The diver stays, unless the first view has changed.
    fn with_world(&self, world: World, config: Config, options: SceneOptions) -> Result<Self, AppError> {
        let ground = if world.shares_static_scene(&self.world) { self.ground.clone() } else { ground_of(&world) };
        let home = world.first_view();
        let mut rig = self.rig.clone();
        let asked = |config: &Config| (config.scene.camera.clone(), config.scene.seabed.clone());
        let is_elsewhere = asked(&config) != asked(&self.config);
        rig.settle(home, is_elsewhere);
        // On other ground a wearer of a headset is put onto it.
        let visit = if is_elsewhere { Visit::default() } else { self.visit };
        let (paused, steps, mut watched, sway_s) = (self.paused, self.steps, self.watched.clone(), self.sway_s);
        let is_new = |file: &&FileVersion| self.world.model_files().all(|known| known != *file);
        world.model_files().filter(is_new).for_each(|file| watched.watch_since(file));
        let (edits, edited, warnings) = (self.edits.clone(), self.edited.clone(), self.warnings.clone());
        let (torch_is_switched, known) = (self.torch_is_switched, self.known.clone());
        Ok(Self {
            options,
            edits,
            config,
            warnings,
            rig,
            paused,
            visit,
            world,
            known,
            ground,
            steps,
            watched,
            edited,
            torch_is_switched,
            sway_s,
            interference: self.interference,
        })
    }
}

fn carries_lamp(config: &Config) -> bool {
    config.scene.lights.iter().any(|light| light.follow == LightCarrier::Camera)
}

/// Puts out the lamps that the camera carries, or lights a torch if there are none.
fn switch_torch(config: &mut Config) {
    if carries_lamp(config) {
        config.scene.lights.retain(|light| light.follow != LightCarrier::Camera);
    } else {
        config.scene.lights.push(LightSettings {
            name: TORCH_NAME.into(),
            follow: LightCarrier::Camera,
            place: String::new(),
            at_m: [0.6, 0.4, -0.1],
            toward_m: [0.0, -0.4, 6.0],
            cone_deg: 50.0,
            colour: [1.0, 0.93, 0.80],
            intensity: TORCH,
            beam: 1.0,
            // By day the sun goes on casting them.
            shadows: config.scene.sun.elevation_deg < 0.0 && config.scene.sun.time_rate == 0.0,
        });
    }
}

fn ground_of(world: &World) -> Option<Arc<GroundHeights>> {
    world.static_scene().seabed.as_ref().and_then(GroundHeights::new).map(Arc::new)
}

#[cfg(test)]
mod tests {
    use runtime::load;
    use scene::ignore_progress;

    use super::*;

    fn made(options: SceneOptions, loaded: LoadedScene, sway: bool) -> SceneSession {
        WantedScene::new(options, loaded, sway).make(&ignore_progress).expect("its models are built in")
    }

    /// A small scene after a few steps, watched from a place of its own.
    fn session(file: &std::path::Path) -> SceneSession {
        let options = SceneOptions { scene: file.display().to_string(), ..SceneOptions::default() };
        let loaded = load(&options).expect("a scene");
        let mut session = made(options, loaded, true);
        let held = HeldKeys { forward: true, ..HeldKeys::default() };
        for _ in 0..10 {
            session.due_steps(0.05).take(|| 0.0);
            session.move_diver(0.05, held);
        }
        session
    }

    fn write(folder: &std::path::Path, text: &str) -> std::path::PathBuf {
        let file = folder.join("mine.toml");
        std::fs::write(&file, text).expect("written");
        file
    }

    const SCENE: &str =
        "[seabed]\npresent = false\n[[species]]\nname = \"sardine\"\nmodel = \"builtin:sardine\"\ncount = 7\n";

    fn moment(session: &SceneSession) -> (u64, RenderScene) {
        let mut frame = RenderScene::default();
        session.extract(&mut frame);
        (session.world.state_hash(), frame)
    }

    #[test]
    fn another_session_leaves_this_one_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let before = session(&write(folder.path(), SCENE));
        let (state, frame) = moment(&before);
        let more = before.with_fish(before.fish_times(2.0)).expect("the model is known");
        let lit = more.with_torch_switched().expect("nothing to load");
        assert_eq!((more.config.fish(), lit.edits.iter().len(), lit.has_torch()), (14, 1, true));
        assert!(!lit.with_torch_switched().expect("nothing to load").has_torch());
        let (state_after, frame_after) = moment(&before);
        assert_eq!((before.config.fish(), before.edits.iter().len(), before.has_torch()), (7, 0, false));
        assert_eq!(state, state_after);
        assert_eq!(format!("{frame:?}"), format!("{frame_after:?}"), "the same moment, seen from the same place");
    }

    #[test]
    fn other_pictures_on_models_leave_the_rest_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let before = session(&write(folder.path(), SCENE));
        let other = Arc::new(Image { name: "other".into(), width: 1, height: 1, rgba: vec![9; 4] });
        let after = before.repainted(&|old| old.name.contains("sardine.png").then(|| Arc::clone(&other)));
        let after = after.expect("nothing to load");
        let name = |session: &SceneSession| {
            let model = &session.world.static_scene().models[0];
            model.materials.iter().find_map(|material| Some(material.texture.as_ref()?.name.clone()))
        };
        assert_eq!((name(&before).as_deref(), name(&after).as_deref()), (Some("builtin:/sardine.png"), Some("other")));
        assert_eq!(format!("{:?}", moment(&before)), format!("{:?}", moment(&after)));
        let same = after.repainted(&|_| None).expect("nothing to load");
        assert!(Arc::ptr_eq(&same.world.static_scene().models[0], &after.world.static_scene().models[0]));
    }

    #[test]
    fn steps_that_take_long_slow_the_world_and_not_the_frame() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut session = session(&write(folder.path(), SCENE));
        let mut steps_in = |elapsed_s: f64, clock: Clock| {
            let before_s = session.world.time_s();
            session.due_steps(elapsed_s).take(clock);
            ((session.world.time_s() - before_s) / World::STEP_S).round() as u32
        };
        assert_eq!(steps_in(0.15, || 0.0), 9, "what is due, where they take no time");
        assert_eq!(steps_in(9.0, || 0.0), MAX_STEPS);
        // Each look at this clock finds it 60 ms later.
        fn slow_s() -> f64 {
            thread_local!(static LOOKS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
            0.06 * f64::from(LOOKS.replace(LOOKS.get() + 1))
        }
        assert_eq!(steps_in(0.15, slow_s), 2);
    }

    #[test]
    fn settings_change_around_a_diver_who_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut before = session(&write(folder.path(), SCENE));
        write(folder.path(), &format!("{SCENE}[water]\ntype = \"3C\"\n"));
        let green = before.reloaded().expect("a scene");
        assert!(green.world.shares_static_scene(&before.world));
        let ((state, old), (same_state, new)) = (moment(&before), moment(&green));
        assert_eq!((state, old.camera, old.time_s), (same_state, new.camera, new.time_s));
        assert_ne!(format!("{:?}", old.medium), format!("{:?}", new.medium));
        let restarted = green.reset().and_then(|wanted| wanted.make(&ignore_progress)).expect("a scene");
        assert_eq!((moment(&restarted).1.time_s, restarted.sway_s), (0.0, Some(0.0)));
    }

    #[test]
    fn a_scene_that_was_shown_before_finds_its_models_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let [sardines, tangs] = ["sardine", "blue_tang"].map(|name| {
            let file = folder.path().join(format!("{name}.toml"));
            std::fs::write(&file, SCENE.replace("sardine", name)).expect("written");
            file
        });
        let first = session(&sardines);
        let opened = |from: &SceneSession, file: &Path| {
            let wanted = from.opened(&file.display().to_string(), Edits::default());
            wanted.and_then(|wanted| wanted.make(&ignore_progress)).expect("a scene")
        };
        let back = opened(&opened(&first, &tangs), &sardines);
        assert!(back.world.models().is_same(first.world.models()), "loaded once");
    }

    #[test]
    fn an_edit_is_told_unless_it_has_been_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let options =
            SceneOptions { scene: write(folder.path(), SCENE).display().to_string(), ..SceneOptions::default() };
        let loaded = load(&options).expect("a scene");
        write(folder.path(), &format!("{SCENE}#"));
        let mut session = made(options, loaded, false);
        assert!(!session.is_edited() && session.is_edited(), "edited while the world was being made");
        write(folder.path(), &format!("{SCENE}##"));
        let mut again = session.reloaded().expect("a scene");
        assert!(!again.is_edited() && !again.is_edited(), "read already");
    }

    #[test]
    fn what_cannot_be_is_an_error_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut before = session(&write(folder.path(), SCENE));
        let state = moment(&before).0;
        assert!(matches!(before.switched(99, Edits::default()), Err(AppError::NoSuchScene { index: 99, .. })));
        write(folder.path(), "[water]\ntipe = \"3C\"\n");
        assert!(matches!(before.reloaded(), Err(AppError::Config(_))));
        assert!(matches!(before.reset(), Err(AppError::Config(_))));
        write(folder.path(), &SCENE.replace("builtin:sardine", "builtin:dodo"));
        let Err(AppError::Config(error)) = before.reloaded() else { panic!("extinct") };
        let said = error.problems[0].to_string();
        assert!(said.contains(":5:9: species.sardine.model: there is no built-in model 'dodo'"), "{said}");
        assert_eq!((moment(&before).0, before.config.fish()), (state, 7));
    }
}
