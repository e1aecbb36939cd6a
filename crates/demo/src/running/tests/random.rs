//! A random user: actions of a person, a disk and a driver in any order, with a check of the state after each step.
//!
//! A run is determined by its seed: `PELAGIC_SEED=7 PELAGIC_STEPS=5000 make random` plays it again on each driver.

mod step;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use camera::{Dial, HeldKeys};
use config::BUILTIN_SCENES;
use gl::{faults, null};
use glam::Vec2;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use runtime::AppError;

use self::step::{Edit, Step};
use super::room::{Driver, Room, SMALL, pass};
use crate::input::{Action, Input};
use crate::session::load_changed;
use crate::stage::Stage;

/// Longest time of one step: beyond it the program hangs. Unit: s.
const PATIENCE_S: u64 = 300;
/// Number of last steps that are printed when one fails.
const TOLD: usize = 40;

/// Expected state of the screen and of the demo behind it.
struct Model {
    scene: String,
    paused: bool,
    help: bool,
    settings: bool,
    statistics: bool,
    mind: bool,
    full_screen: bool,
    size: (u32, u32),
    /// Whether it may be recording.
    may_record: bool,
    pictures_in_the_way: bool,
    /// Last edit of the scene's file.
    file: Edit,
    /// Last edit of the shader.
    shader: Edit,
}

/// The random user, which plays and checks.
struct User {
    driver: Driver,
    rng: Pcg64Mcg,
    room: Option<Room>,
    model: Model,
    /// Number of edits so far, so that no two are of one size.
    edits: usize,
    log: Log,
}

/// Steps that were done, to find out why one failed.
struct Log {
    seed: u64,
    done: Arc<AtomicU64>,
    last: VecDeque<Step>,
}

impl Drop for Log {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let done = self.done.load(Ordering::Relaxed);
            eprintln!("the last steps: {:?}", self.last);
            eprintln!("PELAGIC_SEED={} fails at step {done}", self.seed);
        }
    }
}

fn room(driver: Driver, with_shaders: bool) -> Room {
    let folder = tempfile::tempdir().expect("a folder");
    if with_shaders {
        let shaders = folder.path().join("shaders");
        for (from, to) in [("shaders", shaders.clone()), ("shaders/include", shaders.join("include"))] {
            std::fs::create_dir_all(&to).expect("made");
            let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(from);
            for file in from.read_dir().expect("the project's shaders").flatten().filter(|file| file.path().is_file()) {
                std::fs::copy(file.path(), to.join(file.file_name())).expect("copied");
            }
        }
    }
    let scene = folder.path().join("mine.toml");
    std::fs::write(&scene, SMALL).expect("written");
    Room::open(driver, folder, &scene.display().to_string(), (64, 36), &[]).expect("it opens")
}

impl Model {
    fn of(room: &Room) -> Self {
        Self {
            scene: room.demo.session.config.scene.name.clone(),
            paused: false,
            help: false,
            settings: false,
            statistics: false,
            mind: false,
            full_screen: false,
            size: (64, 36),
            may_record: false,
            pictures_in_the_way: false,
            file: Edit::Good,
            shader: Edit::Good,
        }
    }
}

impl User {
    fn new(driver: Driver, seed: u64) -> Self {
        let room = room(driver, true);
        let log = Log { seed, done: Arc::default(), last: VecDeque::new() };
        let model = Model::of(&room);
        Self { driver, rng: Pcg64Mcg::seed_from_u64(seed), room: Some(room), model, edits: 0, log }
    }

    fn play(&mut self, steps: u64) {
        for _ in 0..steps {
            let step = self.choose();
            if self.log.last.len() == TOLD {
                self.log.last.pop_front();
            }
            self.log.last.push_back(step);
            self.take(step);
            self.check();
            self.log.done.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn room(&mut self) -> &mut Room {
        self.room.as_mut().expect("there is one between steps")
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Press(action) => self.press(action),
            Step::Repeat(action) => {
                if action == Action::SingleStep {
                    self.model.paused = true;
                }
                self.room().take(Input::Action { action, repeat: true });
            }
            Step::Hold(movement, down) => self.room().take(Input::Movement { movement, down }),
            Step::Button(down) => self.room().take(Input::Button { down }),
            Step::Frighten(x, y) => self.room().take(Input::Frighten(Some(Vec2::new(x, y)))),
            Step::Mouse(x, y) => self.room().take(Input::Mouse(Vec2::new(x, y))),
            Step::Wheel(notches) => self.room().take(Input::Wheel(notches)),
            Step::Resize(width, height) => self.resize((width, height)),
            Step::FocusLost => {
                self.room().take(Input::FocusLost);
                assert_eq!(self.room().demo.controls.held, HeldKeys::default());
                assert!(!self.room().demo.controls.pointer.is_kept());
            }
            Step::Cover(covered) => {
                self.room().take(Input::Covered(covered));
                self.model.may_record &= !covered;
            }
            Step::Minimise(minimised) => self.room().outside.minimised.set(minimised),
            Step::Wait(seconds) => {
                pass(seconds);
                self.room().demo.idle();
            }
            Step::Frames(frames) => (0..frames).for_each(|_| self.room().frame()),
            Step::EditScene(edit) => self.edit_scene(edit),
            Step::EditShader(edit) => self.edit_shader(edit),
            Step::PicturesInTheWay(in_the_way) => self.put_in_the_way(in_the_way),
            Step::Lose => {
                self.room().uncover();
                pass(61.0);
                self.lose();
                assert!(!self.room().demo.is_over(), "one loss is no end");
            }
            Step::LoseAgainAndAgain => {
                self.room().uncover();
                pass(61.0);
                (0..4).for_each(|_| self.lose());
                self.restart(|outcome| matches!(outcome, Err(AppError::ContextLost(_))));
            }
            Step::LoseForGood => {
                self.room().uncover();
                pass(61.0);
                self.room().outside.closed.set(true);
                self.lose();
                self.restart(|outcome| matches!(outcome, Err(AppError::Context(_))));
            }
            Step::Refuse(action, first, more) => self.refuse(action, first, more),
            Step::LoseAndRefuse(first, more) => {
                self.room().uncover();
                pass(61.0);
                faults::fail(first, more);
                self.lose();
                let failed = faults::heal();
                if self.room().demo.is_over() {
                    assert!(!failed.is_empty(), "one loss is no end");
                    self.restart(|outcome| matches!(outcome, Err(AppError::Render(_))));
                }
            }
            Step::Interrupt => {
                self.room().take(Input::Interrupt);
                self.restart(|outcome| matches!(outcome, Err(AppError::Interrupted)));
            }
            Step::Close => self.close(Input::Close),
        }
    }

    /// Closes the window, and discards unsaved changes.
    fn close(&mut self, input: Input) {
        let room = self.room();
        let (unsaved, can_ask) =
            (!room.demo.unsaved().is_empty(), room.demo.stage.as_ref().is_some_and(Stage::has_overlay));
        room.take(input);
        assert_eq!(room.demo.panels.question.is_some(), unsaved && can_ask);
        if room.demo.panels.question.is_some() {
            room.frame();
            let (key, modifiers) = (egui::Key::D, egui::Modifiers::NONE);
            let event = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
            room.take(Input::Ui(event));
        }
        self.restart(|outcome| outcome.is_ok());
    }

    fn press(&mut self, action: Action) {
        let room = self.room.as_mut().expect("there is one between steps");
        let demo = &room.demo;
        match action {
            Action::Help => self.model.help ^= true,
            Action::Settings => self.model.settings ^= true,
            Action::Statistics => self.model.statistics ^= true,
            Action::Mind => self.model.mind ^= true,
            Action::Pause => self.model.paused ^= true,
            Action::SingleStep => self.model.paused = true,
            Action::FullScreen => self.model.full_screen ^= true,
            Action::Benchmark => self.model.may_record = !demo.benchmark.is_recording(),
            Action::Reset => return self.change_scene(action),
            Action::Reload => {
                self.change_scene(action);
                return self.expect_shaders();
            }
            Action::Scene(index) => {
                let known = index < BUILTIN_SCENES.len();
                if known {
                    (self.model.scene, self.model.paused) = (BUILTIN_SCENES[index].name.into(), false);
                }
                room.press(action);
                assert_eq!(room.demo.panels.error("scene").is_none(), known);
                return;
            }
            Action::Torch => {
                let lit = demo.session.has_torch();
                room.press(action);
                assert_ne!(room.demo.session.has_torch(), lit);
                return;
            }
            Action::Screenshot => {
                let saving = demo.saving.len();
                room.press(action);
                let is_saving = room.demo.saving.len() > saving;
                assert_eq!(is_saving, !self.model.pictures_in_the_way, "{:?}", room.demo.panels);
                assert!(is_saving || room.demo.panels.error("picture").is_some());
                return;
            }
            Action::Film => {
                let (was_filming, size) = (demo.film.is_some(), self.model.size);
                room.press(action);
                let can_film = !was_filming && size.0 > 1 && size.1 > 1 && !self.model.pictures_in_the_way;
                assert_eq!(room.demo.film.is_some(), can_film, "{:?}", room.demo.panels);
                assert!(was_filming || can_film || room.demo.panels.error("film").is_some());
                return;
            }
            Action::Escape => {
                if demo.controls.pointer.is_caught() {
                } else if demo.panels.help {
                    self.model.help = false;
                } else if demo.panels.settings.is_open {
                    self.model.settings = false;
                } else if demo.photo.is_some() {
                    room.press(action);
                    self.model.paused = room.demo.session.paused;
                    return;
                } else if room.outside.full_screen.get() {
                    self.model.full_screen = false;
                } else {
                    return self.close(Input::Action { action, repeat: false });
                }
            }
            Action::MoreFish | Action::FewerFish | Action::Food | Action::Predator => {}
            Action::Camera | Action::Species { .. } => {}
            Action::Photo => {
                let before = demo.photo.is_some();
                room.press(action);
                assert_ne!(room.demo.photo.is_some(), before);
                self.model.paused = room.demo.session.paused;
                return;
            }
            Action::Dial(dial) => {
                let before = demo.session.rig.photo;
                room.press(action);
                let turned = room.demo.session.rig.photo.map(|photo| photo.hides_overlay);
                assert!(dial != Dial::Overlay || turned == before.map(|photo| !photo.hides_overlay));
                return;
            }
            Action::Stereo => {
                let before = demo.stage.as_ref().map(Stage::stereo);
                room.press(action);
                assert_ne!(room.demo.stage.as_ref().map(Stage::stereo), before);
                return;
            }
        }
        room.press(action);
    }

    /// F5 or R: the scene as its file is now, or an error and nothing else.
    fn change_scene(&mut self, action: Action) {
        let demo = &self.room().demo;
        let before = demo.session.config.clone();
        let wanted = load_changed(&demo.session.options, &demo.session.edits).map(|loaded| loaded.config);
        let dangles = self.model.file == Edit::Dangling && self.is_own_scene();
        self.room().press(action);
        let demo = &self.room().demo;
        match wanted {
            Ok(wanted) if !dangles => {
                assert_eq!(demo.panels.error("scene"), None);
                assert_eq!(demo.session.config, wanted);
                if action == Action::Reset {
                    self.model.paused = false;
                }
            }
            _ => {
                assert!(demo.panels.error("scene").is_some());
                assert_eq!(demo.session.config, before);
            }
        }
        self.model.scene = self.room().demo.session.config.scene.name.clone();
    }

    /// Checks the error about the shaders after they were read.
    fn expect_shaders(&mut self) {
        let said = self.room().demo.panels.error("shaders").map(str::to_owned);
        match self.model.shader {
            Edit::Good | Edit::Other => assert_eq!(said, None),
            Edit::Broken | Edit::Dangling => {
                assert!(said.as_ref().is_some_and(|said| said.contains("tonemap.frag.glsl")), "{said:?}");
            }
            Edit::Deleted | Edit::Folder | Edit::Fifo => {}
        }
    }

    fn resize(&mut self, size: (u32, u32)) {
        let most = match self.driver {
            Driver::Real => 16_384,
            _ => null::MAX_PIXELS as u32,
        };
        let room = self.room.as_mut().expect("there is one between steps");
        room.outside.size.set(size);
        room.take(Input::Resized(size));
        let is_nothing = size.0 == 0 || size.1 == 0;
        let fits = size.0 <= most && size.1 <= most;
        assert!(is_nothing || fits || room.demo.panels.error("size").is_some(), "{size:?}");
        if !is_nothing && fits {
            self.model.size = size;
        }
    }

    fn edit_scene(&mut self, edit: Edit) {
        self.edits += 1;
        let marks = "#".repeat(1 + self.edits % 61);
        let path = self.room().path("mine.toml");
        let text = match edit {
            Edit::Good => SMALL.into(),
            Edit::Other => format!("{SMALL}[water]\ntype = \"3C\"\n[waves]\nwind_m_s = {}\n", self.edits % 13),
            Edit::Broken => format!("{SMALL}[water]\ntipe = 3\n"),
            Edit::Dangling => SMALL.replace("builtin:sardine", "builtin:dodo"),
            Edit::Deleted | Edit::Folder | Edit::Fifo => String::new(),
        };
        put(&path, edit, &format!("{text}{marks}\n"));
        self.model.file = edit;
        let own = self.is_own_scene();
        let paused = self.model.paused;
        self.look_twice();
        let demo = &self.room().demo;
        assert_eq!(demo.session.paused, paused, "an edit does not stop the world");
        if own {
            match edit {
                Edit::Good | Edit::Other => assert_eq!(demo.panels.error("scene"), None),
                // A file that is gone may come back in a moment.
                Edit::Deleted => {}
                _ => assert!(demo.panels.error("scene").is_some(), "{edit:?}"),
            }
        }
    }

    fn edit_shader(&mut self, edit: Edit) {
        if !self.room().path("shaders").exists() {
            return;
        }
        self.edits += 1;
        let path = self.room().path("shaders/tonemap.frag.glsl");
        let good = include_str!("../../../../../shaders/tonemap.frag.glsl");
        let marks = "/".repeat(2 + self.edits % 61);
        let text = match edit {
            Edit::Broken => good.replacen("void main", "broken;\nuniform float unheard_of;\nvoid main", 1),
            Edit::Dangling => good.replacen("void main", "#include \"nowhere.glsl\"\nvoid main", 1),
            _ => good.into(),
        };
        put(&path, edit, &format!("{text}{marks}\n"));
        // A driver that draws nothing compiles nothing either.
        let edit = if edit == Edit::Broken && self.driver != Driver::Real { Edit::Good } else { edit };
        self.model.shader = edit;
        self.look_twice();
        self.expect_shaders();
    }

    /// Lets the demo look at its files, and again when they have settled.
    fn look_twice(&mut self) {
        for _ in 0..3 {
            pass(0.3);
            self.room().demo.idle();
        }
    }

    fn put_in_the_way(&mut self, in_the_way: bool) {
        let folder = self.room().path("pictures");
        remove(&folder);
        // Results pile up otherwise.
        remove(&self.room().path("recordings"));
        if in_the_way {
            std::fs::write(&folder, "").expect("written");
        }
        self.model.pictures_in_the_way = in_the_way;
    }

    fn lose(&mut self) {
        self.room().outside.lost.set(true);
        self.room().take(Input::Redraw);
        let size = (64, 36);
        (self.model.size, self.model.full_screen, self.model.may_record) = (size, false, false);
    }

    /// Does an action of which the driver refuses some calls: it is done, or an error gives the reason and nothing has
    /// changed.
    fn refuse(&mut self, action: Action, first: u64, more: u64) {
        let room = self.room.as_mut().expect("there is one between steps");
        // Files that were edited before are read first: their mistakes are not the driver's.
        pass(1.0);
        room.frame();
        room.demo.panels.clear_error("scene");
        let before = room.demo.session.config.clone();
        faults::fail(first, more);
        room.press(action);
        room.frame();
        faults::heal();
        let demo = &mut room.demo;
        if let Some(error) = demo.panels.error("scene") {
            assert!(demo.session.config == before, "{action:?} has changed the scene in spite of: {error}");
        }
        for topic in ["scene", "shaders", "picture", "film"] {
            demo.panels.clear_error(topic);
        }
        self.model.scene = demo.session.config.scene.name.clone();
        (self.model.paused, self.model.help) = (demo.session.paused, demo.panels.help);
        self.model.settings = demo.panels.settings.is_open;
        self.model.full_screen = room.outside.full_screen.get();
        demo.finish_saving();
    }

    /// Checks that the demo is over for the `expected` reason and leaves no objects, and opens another one.
    fn restart(&mut self, expected: impl FnOnce(&Result<(), AppError>) -> bool) {
        let room = self.room.take().expect("there is one between steps");
        assert!(room.demo.is_over());
        let outcome = room.demo.finish();
        assert!(expected(&outcome), "{outcome:?}");
        let left = faults::live();
        assert!(left.is_empty(), "{left:?}");
        let room = self::room(self.driver, self.rng.random());
        self.model = Model::of(&room);
        self.room = Some(room);
    }

    fn check(&mut self) {
        let room = self.room.as_mut().expect("there is one between steps");
        // So that a run depends on its seed alone.
        while room.demo.saving.iter_mut().any(|saving| !saving.work.is_done()) {
            std::thread::yield_now();
        }
        let (demo, model) = (&room.demo, &self.model);
        assert!(!demo.is_over(), "nobody has ended it");
        let stage = demo.stage.as_ref().expect("it is shown somewhere");
        assert_eq!(stage.size(), model.size);
        assert_eq!(demo.session.config.scene.name, model.scene);
        assert_eq!((demo.session.paused, demo.panels.help), (model.paused, model.help));
        assert_eq!(demo.panels.settings.is_open, model.settings);
        assert_eq!((demo.panels.statistics, demo.panels.mind), (model.statistics, model.mind));
        assert_eq!(room.outside.full_screen.get(), model.full_screen);
        assert_eq!(room.outside.pointer_caught.get(), demo.controls.pointer.is_kept());
        assert!(model.may_record || !demo.benchmark.is_recording(), "nobody wanted a recording");
        assert!(demo.frame.camera.eye.is_finite() && demo.frame.camera.orientation.is_finite());
        let live: i64 = faults::live().values().sum();
        assert!(live < 2000, "{:?}", faults::live());
        assert!(null::misuse().is_empty(), "{:?}", null::misuse());
    }
}

/// Applies an edit to a file, as editors do: the new one takes the old one's place.
fn put(path: &PathBuf, edit: Edit, text: &str) {
    remove(path);
    match edit {
        Edit::Deleted => {}
        Edit::Folder => std::fs::create_dir(path).expect("made"),
        Edit::Fifo => {
            let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo is there");
            assert!(made.success());
        }
        _ => std::fs::write(path, text).expect("written"),
    }
}

fn remove(path: &PathBuf) {
    let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    if let Err(error) = removed {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{error}");
    }
}

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    Some(std::env::var(name).ok()?.parse().expect("a number"))
}

/// Plays that many steps, or as many as the environment says.
fn play(driver: Driver, seed: Option<u64>, steps: u64) {
    let anew = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let seed = number("PELAGIC_SEED").or(seed).unwrap_or_else(anew);
    let steps = number("PELAGIC_STEPS").unwrap_or(steps);
    eprintln!("{driver:?}: PELAGIC_SEED={seed} PELAGIC_STEPS={steps}");
    let began = Instant::now();
    let mut user = User::new(driver, seed);
    // The watchdog ends with the user: a test that has failed does not hang.
    let done = Arc::downgrade(&user.log.done);
    std::thread::spawn(move || {
        let mut before = u64::MAX;
        loop {
            std::thread::sleep(Duration::from_secs(PATIENCE_S));
            let Some(now) = done.upgrade().map(|done| done.load(Ordering::Relaxed)) else { return };
            eprintln!("{driver:?}: {now} steps");
            if now == before && now < steps {
                eprintln!("PELAGIC_SEED={seed} hangs at step {now}");
                std::process::abort();
            }
            before = now;
        }
    });
    user.play(steps);
    user.take(Step::Close);
    eprintln!("{driver:?}: {steps} steps of seed {seed} in {:.1} s", began.elapsed().as_secs_f64());
}

#[test]
fn a_random_user_meets_no_surprise() {
    play(Driver::NullSoftware, Some(1), 1500);
    play(Driver::NullCard, Some(2), 1500);
}

/// Takes minutes.
#[test]
#[ignore = "long: make random"]
fn a_random_user_meets_no_surprise_for_long() {
    play(Driver::NullSoftware, None, 500_000);
    play(Driver::NullCard, None, 500_000);
}

/// Takes minutes.
#[test]
#[ignore = "long: make random"]
fn a_random_user_of_a_real_driver_meets_no_surprise() {
    play(Driver::Real, None, 10_000);
}
