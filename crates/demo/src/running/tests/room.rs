//! A demo with everything that is outside of it: a screen, a clock and a folder of its own.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use platform::out_folders::OutFolders;
use render::Stereo;
use runtime::{AppError, SceneOptions, files, load};
use scene::ignore_progress;
use shell::messages::Language;
pub use shell::test_screen::{Driver, Outside, now_s, pass};
use tempfile::TempDir;

use crate::DemoOptions;
use crate::input::{Action, Input};
use crate::running::RunningDemo;
use crate::session::WantedScene;
use crate::shader_folder::ShaderFolder;
use crate::stage::{OverlaidScreen, Stage};

/// A scene of a few fish, which is made and drawn in no time.
pub const SMALL: &str = "[render]\nquality = \"low\"\n[seabed]\npresent = false\n[particles]\nsnow_count = 50\n\
    [[species]]\nname = \"sardine\"\nmodel = \"builtin:sardine\"\ncount = 7\n";

/// A demo and what is outside of it.
pub struct Room {
    // The demo goes first: its saving threads write into the folder.
    pub demo: RunningDemo,
    pub outside: Rc<Outside>,
    pub folder: TempDir,
}

impl Room {
    /// A demo of the scene file `mine.toml`, which holds `scene`.
    pub fn new(driver: Driver, scene: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("mine.toml"), scene).expect("written");
        let scene = folder.path().join("mine.toml").display().to_string();
        Self::open(driver, folder, &scene, (64, 36), &[]).expect("it opens")
    }

    /// A demo of a scene by its name or file, with the keys of `set`, and the shaders in `folder`'s `shaders` if there
    /// are any.
    ///
    /// # Errors
    /// The errors of the demo.
    pub fn open(
        driver: Driver,
        folder: TempDir,
        scene: &str,
        size: (u32, u32),
        set: &[String],
    ) -> Result<Self, AppError> {
        let shaders = Some(folder.path().join("shaders")).filter(|folder| folder.is_dir());
        let (shaders, set) = (shaders, set.to_vec());
        let scene = SceneOptions { scene: scene.into(), set, size, shaders: shaders.clone(), ..Default::default() };
        let loaded = load(&scene)?;
        let options = DemoOptions {
            scene,
            fullscreen: false,
            vsync: true,
            frames: None,
            ui: true,
            language: Language::English,
            headset: false,
            stereo: Stereo::Off,
            sway: false,
            pictures: OutFolders::new(folder.path().join("pictures"), None),
            recordings: OutFolders::new(folder.path().join("recordings"), None),
            scenes: OutFolders::new(folder.path().to_owned(), Some(folder.path().join("home"))),
            recovery: Some(folder.path().join("recovery")),
            ffmpeg: folder.path().join("ffmpeg"),
        };
        let outside = Outside::new(driver, size);
        let shader_folder = shaders.clone().map(ShaderFolder::new);
        let screen = OverlaidScreen::new(outside.open()?, options.ui);
        let stage = Stage::new(screen, now_s, &files::shaders(shaders.as_deref())?, &loaded.config)?;
        let session = WantedScene::new(options.scene.clone(), loaded, options.sway).make(&ignore_progress)?;
        let demo = RunningDemo::new(options, session, stage, shader_folder, (now_s, now_s()))?;
        Ok(Self { demo, outside, folder })
    }

    pub fn take(&mut self, input: Input) {
        let outside = self.outside.clone();
        self.demo.take(input, &mut |_| outside.open());
    }

    /// Presses a key and waits for the scene it asks for, if it does.
    pub fn press(&mut self, action: Action) {
        self.take(Input::Action { action, repeat: false });
        self.demo.settle();
    }

    /// Lets a 60th of a second pass and draws a frame if the demo asks for one.
    pub fn frame(&mut self) {
        pass(1.0 / 60.0);
        self.demo.idle();
        if self.outside.wants_redraw.take() || self.demo.runs_headset() {
            self.take(Input::Redraw);
        }
    }

    /// Makes the screen visible.
    pub fn uncover(&mut self) {
        self.outside.uncover();
        self.take(Input::Resized(self.outside.size.get()));
        self.take(Input::Covered(false));
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }
}
