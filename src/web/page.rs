//! State of the page, from the first loading screen on.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use config::Config;
use demo::input::Input;
use demo::loading::Loading;
use demo::running::{Report, RunningDemo};
use demo::scene_maker::SceneMaker;
use demo::session::WantedScene;
use demo::stage::OverlaidScreen;
use demo::{DemoOptions, running};
use headset::HeadsetFrame;
use platform::clock;
use platform::out_folders::OutFolders;
use render::ShaderSource;
use runtime::{AppError, files, load};
use shell::messages::{Language, Messages, fonts};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::WebGlFramebuffer;

use crate::web::canvas::{Canvas, CanvasScreen};
use crate::web::events;
use crate::web::link::Link;
use crate::web::message::{self, Message, Mistake, tell};
use crate::web::still::{Still, still};

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// State of the page.
pub struct Page {
    canvas: Rc<Canvas>,
    link: Link,
    life: Life,
    /// Size known to the demo. Unit: pixels.
    size: (u32, u32),
    /// Whether the context is lost and not restored yet.
    is_away: bool,
    has_shown: bool,
    /// Text of the editor that waits for models.
    text: Option<String>,
    /// Files written but not yet taken by the page.
    written: Vec<(PathBuf, Vec<u8>)>,
}

/// Stage of the page.
enum Life {
    Loading(Box<Loading>),
    Running(Box<RunningDemo>),
    /// A still picture waits for its models.
    Awaited(Box<Config>),
    Still(Still),
    Over,
}

/// Starts the scene or picture of `link`.
///
/// # Errors
/// If there is no usable WebGL, or the scene is wrong.
pub fn start(canvas: Rc<Canvas>, link: Link) -> Result<(), AppError> {
    link.warnings.iter().for_each(|text| tell(Message::Warning { text: text.clone() }));
    if link.language == Language::Chinese {
        fonts::find();
    }
    canvas.fixed_size.set(link.step.map(|_| link.scene.size));
    let size = canvas.wanted_size();
    let life = Life::begin(&canvas, &link)?;
    events::listen(&canvas, take);
    events::on_canvas(&canvas, "webglcontextlost", || with(|page| page.lose()).unwrap_or_default());
    events::on_canvas(&canvas, "webglcontextrestored", || with(|page| page.restore()).unwrap_or_default());
    let page = Page { canvas, link, life, size, is_away: false, has_shown: false, text: None, written: Vec::new() };
    PAGE.set(Some(page));
    run();
    Ok(())
}

/// Applies `act` to the page and delivers the messages; `None` if nothing has been started, or it is busy.
pub fn with<T>(act: impl FnOnce(&mut Page) -> T) -> Option<T> {
    let done = PAGE.with(|page| Some(act(page.try_borrow_mut().ok()?.as_mut()?)));
    message::deliver();
    done
}

fn take(inputs: Vec<Input>) {
    with(|page| inputs.into_iter().for_each(|input| page.take(input)));
}

/// Runs the page's work in each animation frame of the browser.
fn run() {
    type Frame = Closure<dyn FnMut()>;
    let kept: Rc<RefCell<Option<Frame>>> = Rc::default();
    let again = kept.clone();
    let ask = |frame: &Frame| {
        let asked = web_sys::window().map(|window| window.request_animation_frame(frame.as_ref().unchecked_ref()));
        if !matches!(asked, Some(Ok(_))) {
            log::error!("the browser gives no frames");
        }
    };
    let frame = Frame::new(move || {
        with(Page::tick);
        if let Some(frame) = &*again.borrow() {
            ask(frame);
        }
    });
    ask(&frame);
    *kept.borrow_mut() = Some(frame);
}

impl Life {
    fn begin(canvas: &Rc<Canvas>, link: &Link) -> Result<Self, AppError> {
        let loaded = load(&link.scene)?;
        if link.step.is_some() {
            return Ok(Self::Awaited(Box::new(loaded.config)));
        }
        let config = loaded.config.clone();
        let maker = SceneMaker::start(WantedScene::new(link.scene.clone(), loaded, link.sway))?;
        let screen = CanvasScreen::open(canvas, &running::title(&config.scene.name))?;
        let mut screen = OverlaidScreen::new(screen, link.ui);
        screen.resize(canvas.wanted_size());
        let messages = (Messages::new(link.language), clock::now_s as clock::Clock);
        Ok(Self::Loading(Box::new(Loading::new(screen, maker, (config, ShaderSource::default()), messages)?)))
    }
}

impl Page {
    /// The demo, if it is running.
    pub fn running(&mut self) -> Option<&mut RunningDemo> {
        match &mut self.life {
            Life::Running(demo) => Some(demo),
            _ => None,
        }
    }

    /// Report of the current state.
    pub fn report(&mut self) -> Report {
        let size = self.size;
        match &self.life {
            Life::Running(demo) => demo.report(),
            Life::Still(still) => Report { size: still.size, ..Report::default() },
            Life::Loading(_) | Life::Awaited(_) => Report { size, loading: true, ..Report::default() },
            Life::Over => Report { size, ..Report::default() },
        }
    }

    /// The still picture, if one was requested and is finished.
    pub fn still(&self) -> Option<&Still> {
        match &self.life {
            Life::Still(still) => Some(still),
            _ => None,
        }
    }

    /// Settings of the address at the start.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Takes the files written since the last call.
    pub fn take_files(&mut self) -> Vec<(PathBuf, Vec<u8>)> {
        std::mem::take(&mut self.written)
    }

    /// Queues the editor's text, to be shown as soon as its models are loaded.
    pub fn edit(&mut self, text: String) {
        self.text = Some(text);
    }

    /// Handles an input.
    pub fn take(&mut self, input: Input) {
        if self.is_away || self.canvas.is_without_context() {
            return;
        }
        let canvas = self.canvas.clone();
        match &mut self.life {
            Life::Running(demo) => {
                let was_loading = demo.is_loading();
                demo.take(input, &mut |title| CanvasScreen::open(&canvas, title));
                if was_loading
                    && !demo.is_loading()
                    && let Some(text) = demo.problem()
                {
                    tell(Message::Refused { text: text.to_owned() });
                }
                if demo.is_over()
                    && let Life::Running(demo) = std::mem::replace(&mut self.life, Life::Over)
                    && let Err(error) = demo.finish()
                {
                    self.fail(&error);
                }
            }
            Life::Loading(loading) => match input {
                Input::Resized(size) => loading.resize(size),
                Input::Redraw => {
                    if let Err(error) = loading.draw() {
                        self.fail(&error);
                    }
                }
                _ => {}
            },
            Life::Awaited(_) | Life::Still(_) | Life::Over => {}
        }
    }

    fn fail(&mut self, error: &AppError) {
        self.life = Life::Over;
        log::error!("{error}");
        tell(match error {
            AppError::ContextLost(_) => Message::Exhausted,
            error => Message::Failed { text: error.to_string() },
        });
    }

    fn lose(&mut self) {
        self.is_away = true;
        tell(Message::Lost);
    }

    fn restore(&mut self) {
        self.is_away = false;
        tell(Message::Restored);
        self.take(Input::Lost);
        if let Life::Loading(_) | Life::Awaited(_) = self.life {
            match Life::begin(&self.canvas, &self.link) {
                Ok(life) => self.life = life,
                Err(error) => self.fail(&error),
            }
        }
    }

    fn tick(&mut self) {
        let assets = assets::take_asked();
        if !assets.is_empty() {
            tell(Message::Need { assets });
        }
        let is_shown = !self.is_away && !self.canvas.is_without_context() && !self.canvas.is_hidden();
        // The headset's own frames draw while one is worn.
        if is_shown && !self.canvas.is_worn.get() {
            self.follow_size();
            self.go_on();
            if self.canvas.wants_redraw.take() {
                self.take(Input::Redraw);
            }
        }
        for (path, bytes) in storage::take_written() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            tell(Message::File { name, path: path.display().to_string() });
            self.written.push((path, bytes));
        }
    }

    /// Draws a moment of a headset into its framebuffer; `None` stands for the canvas's own.
    ///
    /// # Errors
    /// If there is nothing to be shown yet, or the driver has no memory for the pictures.
    pub fn wear(&mut self, framebuffer: Option<WebGlFramebuffer>, frame: HeadsetFrame) -> Result<(), String> {
        let Some(size) = frame.extent().filter(|_| !self.is_away && !self.canvas.is_without_context()) else {
            return Ok(());
        };
        self.running().ok_or("nothing is shown")?;
        self.canvas.is_worn.set(true);
        self.canvas.fixed_size.set(Some(size));
        self.follow_size();
        self.go_on();
        if let Life::Running(demo) = &mut self.life {
            demo.wear(frame).map_err(|error| error.to_string())?;
        }
        self.canvas.replace(framebuffer);
        self.take(Input::Redraw);
        self.canvas.wants_redraw.set(false);
        Ok(())
    }

    /// Shows the scene on the canvas again.
    pub fn take_off(&mut self) {
        if !self.canvas.is_worn.replace(false) {
            return;
        }
        self.canvas.replace(None);
        self.canvas.fixed_size.set(self.link.step.map(|_| self.link.scene.size));
        if let Life::Running(demo) = &mut self.life {
            demo.take_off();
        }
        // The canvas has kept its own size.
        self.size = (0, 0);
    }

    fn follow_size(&mut self) {
        let size = self.canvas.wanted_size();
        if size != self.size && size.0 > 0 && size.1 > 0 {
            self.size = size;
            self.take(Input::Resized(size));
        }
    }

    fn go_on(&mut self) {
        if let Life::Running(demo) = &mut self.life {
            demo.idle();
            if !self.has_shown && demo.report().frames > 0 {
                self.has_shown = true;
                tell(Message::Shown);
            }
            return self.apply_text();
        }
        match std::mem::replace(&mut self.life, Life::Over) {
            Life::Loading(loading) => match self.load(*loading) {
                Ok(life) => self.life = life,
                Err(error) => self.fail(&error),
            },
            Life::Awaited(config) if files::are_fetched(&files::builtin_models(&config.scene)) => {
                match self.take_still(&config) {
                    Ok(still) => self.life = Life::Still(still),
                    Err(error) => self.fail(&error),
                }
            }
            life => self.life = life,
        }
    }

    fn load(&mut self, loading: Loading) -> Result<Life, AppError> {
        Ok(match loading.go_on()? {
            Ok((session, stage)) => {
                let demo = RunningDemo::new(self.options(), session, stage, None, (clock::now_s, 0.0))?;
                Life::Running(Box::new(demo))
            }
            Err(loading) => {
                tell(Message::Step { text: loading.step_text() });
                Life::Loading(Box::new(loading))
            }
        })
    }

    fn options(&self) -> DemoOptions {
        let folder = |name: &str| OutFolders::new(name.into(), None);
        DemoOptions {
            scene: self.link.scene.clone(),
            fullscreen: false,
            vsync: true,
            frames: None,
            ui: self.link.ui,
            language: self.link.language,
            stereo: self.link.stereo,
            sway: self.link.sway,
            pictures: folder("pictures"),
            scenes: folder("."),
            recordings: folder("bench"),
            recovery: None,
        }
    }

    fn take_still(&self, config: &Config) -> Result<Still, AppError> {
        let mut screen = CanvasScreen::open(&self.canvas, &running::title(&config.scene.name))?;
        screen.resize(self.link.scene.size);
        let still =
            still(config, &self.link.scene, self.link.step.unwrap_or_default(), (screen.gl(), screen.device()))?;
        tell(Message::Shown);
        Ok(still)
    }

    /// Shows the editor's text once its models are loaded.
    fn apply_text(&mut self) {
        let Some(text) = self.text.take() else { return };
        let Life::Running(demo) = &mut self.life else { return };
        let applied = match demo.check_text(&text) {
            Ok(models) if !files::are_fetched(&models) => return self.text = Some(text),
            checked => checked.and_then(|_| demo.apply_text(&text)),
        };
        if let Err(error) = applied {
            tell(Message::Mistakes { mistakes: Mistake::all_of(&error) });
        }
    }
}
