//! The time before the first frame: the loading screen is shown while the scene is made in the background.

use config::Config;
use platform::clock::Clock;
use render::ShaderSource;
use runtime::AppError;
use scene::{BuildStep, empty_sea};
use shell::messages::Messages;
use shell::screen::Screen;

use crate::loading_screen::{LoadingScreen, TEXT_EVERY_S, step_text};
use crate::overlay::Panels;
use crate::scene_maker::SceneMaker;
use crate::session::SceneSession;
use crate::stage::{OverlaidScreen, Stage};

/// Interval between calls of [`Loading::go_on`]: a delay there adds to the waiting time. Unit: s.
#[cfg(not(target_arch = "wasm32"))]
pub const LOOK_EVERY_S: f64 = 0.01;

/// Longest wait for the system to ask for the first loading screen: some systems show nothing before. Unit: s.
const FIRST_S: f64 = 0.1;

/// A screen with a loading screen, and a scene that is being made.
pub struct Loading {
    place: Place,
    maker: SceneMaker,
    config: Config,
    shaders: ShaderSource,
    panels: Panels,
    title: String,
    clock: Clock,
    since_s: f64,
    /// Time at which the loading screen was drawn last, and the step that it showed. Unit: s.
    drawn_s: f64,
    said: BuildStep,
    /// Whether the system has asked for a picture and got it.
    is_seen: bool,
    /// Whether an empty sea has been drawn, so that its shaders are fast afterwards, or need not be.
    is_rehearsed: bool,
}

/// Screen, before and after its renderer is made.
enum Place {
    /// Nothing but the loading screen can be drawn yet.
    Screen(Box<OverlaidScreen>),
    Stage(Box<Stage>),
}

impl Loading {
    /// Shows the loading screen on `screen` while `maker` makes the scene of `config`.
    ///
    /// # Errors
    /// If the context is lost already.
    pub fn new(
        screen: OverlaidScreen,
        maker: SceneMaker,
        (config, shaders): (Config, ShaderSource),
        (messages, clock): (Messages, Clock),
    ) -> Result<Self, AppError> {
        let mut panels = Panels::new(messages);
        // A page has its own loading screen before the canvas.
        panels.loading_screen = (!cfg!(target_arch = "wasm32")).then(|| LoadingScreen::closed(&config.scene.name));
        let (title, since_s, said) = (super::running::title(&config.scene.name), clock(), maker.step());
        let place = Place::Screen(Box::new(screen));
        let mut loading = Self {
            place,
            maker,
            config,
            shaders,
            panels,
            title,
            clock,
            since_s,
            drawn_s: since_s,
            said,
            is_seen: false,
            is_rehearsed: false,
        };
        loading.draw_loading_screen()?;
        Ok(loading)
    }

    /// Follows the screen's size.
    pub fn resize(&mut self, size: (u32, u32)) {
        let size = (size.0.max(1), size.1.max(1));
        match &mut self.place {
            Place::Screen(screen) => screen.resize(size),
            Place::Stage(stage) => stage.resize(size).unwrap_or_else(|error| log::error!("{error}")),
        }
    }

    /// Draws the loading screen because the system asks for a picture.
    ///
    /// # Errors
    /// If the context is lost.
    pub fn draw(&mut self) -> Result<(), AppError> {
        self.is_seen = true;
        self.draw_loading_screen()
    }

    fn draw_loading_screen(&mut self) -> Result<(), AppError> {
        let (now_s, step) = ((self.clock)(), self.maker.step());
        (self.drawn_s, self.said) = (now_s, step);
        if let Some(loading_screen) = &mut self.panels.loading_screen {
            loading_screen.say(step);
        }
        self.screen().set_title(&format!("{}, {}", self.title, step_text(&self.panels.messages, step)));
        let drawn = match &mut self.place {
            Place::Screen(screen) => screen.draw_panels(&mut self.panels, now_s),
            Place::Stage(stage) => stage.draw_panels(&mut self.panels, now_s),
        };
        drawn.map_err(AppError::ContextLost)
    }

    /// Description of the present step, in the person's language.
    #[cfg(target_arch = "wasm32")]
    pub fn step_text(&self) -> String {
        step_text(&self.panels.messages, self.maker.step())
    }

    fn screen(&self) -> &dyn Screen {
        match &self.place {
            Place::Screen(screen) => screen.screen(),
            Place::Stage(stage) => stage.screen(),
        }
    }

    /// Does the next part of the loading; returns scene and stage once both are there. To be called every
    /// [`LOOK_EVERY_S`].
    ///
    /// # Errors
    /// If a shader is wrong, the driver refuses an object or a model cannot be loaded.
    pub fn go_on(mut self) -> Result<Result<(SceneSession, Stage), Self>, AppError> {
        let is_due = self.is_seen || (self.clock)() > self.since_s + FIRST_S;
        self.place = match self.place {
            Place::Screen(screen) if is_due => {
                // No driver caches a page's shaders for the next visit; one on the CPU shares it, and compiles slowly.
                let hurries = cfg!(target_arch = "wasm32") || screen.screen().device().software;
                self.is_rehearsed = !hurries;
                let make = if hurries { Stage::with_deferred_compilation } else { Stage::new };
                Place::Stage(Box::new(make(*screen, self.clock, &self.shaders, &self.config)?))
            }
            Place::Stage(mut stage) if !self.is_rehearsed => {
                self.is_rehearsed = stage.warm_up(|| empty_sea(&self.config.scene))?;
                Place::Stage(stage)
            }
            Place::Stage(stage) if self.maker.is_done() => return Ok(Ok((self.maker.finish()?, *stage))),
            place => place,
        };
        // With a software driver each picture takes CPU time from the scene.
        if self.maker.step() != self.said && (self.clock)() > self.drawn_s + TEXT_EVERY_S {
            self.screen().request_redraw();
        }
        Ok(Err(self))
    }
}
