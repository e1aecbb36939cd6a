//! A demo with everything that is outside of it: a screen, a clock and a folder of its own.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use egui::PlatformOutput;
use gl::{DeviceInfo, Filter, Format, Gl, RenderTarget, TargetFormat, Wrap, faults, null};
use render::Stereo;
use scene::tell_nobody;
use tempfile::TempDir;

use crate::app::context::Context;
use crate::app::context_error::{ContextError, Reset};
use crate::app::demo::DemoOptions;
use crate::app::demo::input::{Action, Input};
use crate::app::demo::running::RunningDemo;
use crate::app::demo::screen::Screen;
use crate::app::demo::session::WantedScene;
use crate::app::demo::shader_folder::ShaderFolder;
use crate::app::demo::stage::{OverlaidScreen, Stage};
use crate::app::out_folders::OutFolders;
use crate::app::words::Language;
use crate::app::{AppError, SceneOptions, files, load};

/// What draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Nothing, in the manner of a driver on the CPU.
    NullSoftware,
    /// Nothing, in the manner of a card.
    NullCard,
    /// OpenGL, off-screen.
    Real,
}

thread_local! {
    static NOW_S: Cell<f64> = const { Cell::new(0.0) };
}

/// A clock that stands still but for a moment each time it is looked at. Unit: s.
pub fn now_s() -> f64 {
    pass(1e-5);
    NOW_S.get()
}

/// Lets time pass. Unit: s.
pub fn pass(seconds: f64) {
    NOW_S.set(NOW_S.get() + seconds);
}

/// What there is to know and to do outside of the demo's screen.
pub struct Outside {
    driver: Driver,
    /// The size of a new screen.
    first_size: (u32, u32),
    pub size: Cell<(u32, u32)>,
    pub minimised: Cell<bool>,
    /// Whether the context is lost at the next frame.
    pub lost: Cell<bool>,
    /// Whether no screen opens any more.
    pub closed: Cell<bool>,
    pub full_screen: Cell<bool>,
    pub pointer_caught: Cell<bool>,
    pub vsync: Cell<bool>,
    pub wants_redraw: Cell<bool>,
    pub title: RefCell<String>,
    /// What panels wanted last.
    pub wishes: RefCell<PlatformOutput>,
    /// What the real driver showed last, if it was asked to keep it.
    pub shown: RefCell<Vec<u8>>,
    pub keeps_shown: Cell<bool>,
}

/// A screen that a test looks at.
struct TestScreen {
    /// What a real driver draws into; made past [`faults`].
    // Dropped before its context.
    target: Option<RenderTarget>,
    gl: Gl,
    context: Option<Context>,
    device: DeviceInfo,
    outside: Rc<Outside>,
}

impl Outside {
    /// Where nothing has happened yet.
    pub fn new(driver: Driver, size: (u32, u32)) -> Rc<Self> {
        Rc::new(Self {
            driver,
            first_size: size,
            size: Cell::new(size),
            minimised: Cell::default(),
            lost: Cell::default(),
            closed: Cell::default(),
            full_screen: Cell::default(),
            pointer_caught: Cell::default(),
            vsync: Cell::default(),
            wants_redraw: Cell::default(),
            title: RefCell::default(),
            wishes: RefCell::default(),
            shown: RefCell::default(),
            keeps_shown: Cell::default(),
        })
    }

    pub fn open(self: &Rc<Self>) -> Result<Box<dyn Screen>, ContextError> {
        if self.closed.get() {
            return Err(ContextError::Window { why: "the test is against it".into() });
        }
        self.size.set(self.first_size);
        self.lost.set(false);
        self.minimised.set(false);
        self.full_screen.set(false);
        self.pointer_caught.set(false);
        let context = match self.driver {
            Driver::Real => Some(Context::offscreen()?),
            _ => None,
        };
        let (gl, device) = match &context {
            Some(context) => (faults::counted(context.loader()), context.device().clone()),
            None => (faults::counted(null::load), null::device(self.driver == Driver::NullSoftware)),
        };
        let mut screen = TestScreen { target: None, gl, context, device, outside: self.clone() };
        screen.resize(self.first_size);
        Ok(Box::new(screen))
    }
}

impl Screen for TestScreen {
    fn gl(&self) -> Gl {
        self.gl.clone()
    }

    fn device(&self) -> &DeviceInfo {
        &self.device
    }

    fn size(&self) -> (u32, u32) {
        self.outside.size.get()
    }

    fn scale(&self) -> f32 {
        1.0
    }

    fn is_minimised(&self) -> bool {
        self.outside.minimised.get()
    }

    fn refresh_hz(&self) -> Option<f64> {
        Some(60.0)
    }

    fn output(&self) -> Option<&RenderTarget> {
        self.target.as_ref()
    }

    fn resize(&mut self, size: (u32, u32)) {
        if let Some(context) = &self.context {
            let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
            let target = RenderTarget::new(&context.gl(), "screen", size, &format);
            self.target = Some(target.expect("the driver has room for the screen"));
        }
    }

    fn swap(&self) -> Result<(), String> {
        if self.outside.lost.get() {
            return Err("the test is against it".into());
        }
        if let Some(target) = self.target.as_ref().filter(|_| self.outside.keeps_shown.get()) {
            self.outside.shown.replace(target.read_u8(0));
        }
        Ok(())
    }

    fn reset(&self) -> Option<Reset> {
        self.context.as_ref().and_then(Context::reset)
    }

    fn request_redraw(&self) {
        self.outside.wants_redraw.set(true);
    }

    fn set_title(&self, title: &str) {
        self.outside.title.replace(title.into());
    }

    fn is_full_screen(&self) -> bool {
        self.outside.full_screen.get()
    }

    fn set_full_screen(&self, full_screen: bool) {
        self.outside.full_screen.set(full_screen);
    }

    fn catch_pointer(&self, caught: bool) {
        self.outside.pointer_caught.set(caught);
    }

    fn set_vsync(&self, vsync: bool) {
        self.outside.vsync.set(vsync);
    }

    fn serve_panels(&self, wishes: PlatformOutput) {
        self.outside.wishes.replace(wishes);
    }
}

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

    /// A demo of a scene by its name or file, with what is `set` of it, and the shaders in `folder`'s `shaders` if there
    /// are any.
    ///
    /// # Errors
    /// As those of the demo.
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
        let session = WantedScene::new(options.scene.clone(), loaded, options.sway).make(&tell_nobody)?;
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
        if self.outside.wants_redraw.take() {
            self.take(Input::Redraw);
        }
    }

    /// Puts the screen where somebody sees it.
    pub fn uncover(&mut self) {
        self.outside.minimised.set(false);
        self.outside.size.set(self.outside.first_size);
        self.take(Input::Resized(self.outside.first_size));
        self.take(Input::Covered(false));
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }
}
