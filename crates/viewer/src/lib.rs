//! The model viewer, opened by `pelagic model view`: a window that shows a model from all sides, with its skeleton,
//! normals and weights.
//!
//! [`run`] opens the window; `viewing` is the viewer without one. Lengths are the model's own units.
//!
//! ```no_run
//! use model::ModelRequest;
//! use platform::out_folders::OutFolders;
//! use shell::messages::Language;
//! use viewer::ViewOptions;
//!
//! let options = ViewOptions {
//!     model: ModelRequest::new("builtin:sardine"),
//!     length_m: Some(0.2),
//!     size: (800, 600),
//!     language: Language::English,
//!     pictures: OutFolders::new(".".into(), None),
//! };
//! viewer::run(options)?;
//! # Ok::<(), runtime::AppError>(())
//! ```
#![allow(clippy::disallowed_methods, reason = "winit waits until a moment of the system; tests write files")]

use std::rc::Rc;
use std::time::{Duration, Instant};

use model::ModelRequest;
use platform::context::{Purpose, leave};
use platform::out_folders::OutFolders;
use platform::{clock, context, interrupt};
use runtime::AppError;
use shell::messages::{Language, Messages, fonts};
use shell::window::{WindowScreen, attributes};
use shell::window_panels::WindowPanels;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

mod bones;
mod orbit;
mod playback;
mod strip;
mod subject;
#[cfg(test)]
mod tests;
mod viewing;

use subject::Subject;
use viewing::Viewing;

/// Window that waits for the screen.
const WINDOW: (bool, Purpose) = (true, Purpose::Screen);

/// A model, and the options for showing it.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewOptions {
    /// The model.
    pub model: ModelRequest,
    /// Length of its body, if it is known. Unit: m.
    pub length_m: Option<f32>,
    /// Size of the window in pixels.
    pub size: (u32, u32),
    /// Language of the text beside it.
    pub language: Language,
    /// Folders for pictures.
    pub pictures: OutFolders,
}

/// Shows the model until the window is closed.
///
/// # Errors
/// If it cannot be loaded, there is no window or no usable OpenGL, or the driver gives up; [`AppError::Interrupted`]
/// after Ctrl-C.
pub fn run(options: ViewOptions) -> Result<(), AppError> {
    let subject = Subject::new(options.model.clone())?;
    for warning in &subject.loaded.warnings {
        log::warn!("{warning}");
    }
    fonts::find();
    let mut events = context::event_loop(Purpose::Screen)?;
    let mut app = ViewerApp::Starting(Box::new((options, subject)));
    events.run(&mut app);
    match app {
        ViewerApp::Running(mut shown) => shown.viewing.take_outcome().unwrap_or(Ok(())),
        ViewerApp::Failed(error) => Err(error),
        ViewerApp::Starting(_) | ViewerApp::Over => Ok(()),
    }
}

/// State of the program in the event loop.
enum ViewerApp {
    Starting(Box<(ViewOptions, Subject)>),
    Running(Box<Shown>),
    Failed(AppError),
    Over,
}

/// The viewer in its window.
struct Shown {
    viewing: Viewing,
    window: WindowId,
    panels: Rc<WindowPanels>,
}

impl Shown {
    fn open(event_loop: &ActiveEventLoop, options: ViewOptions, subject: Subject) -> Result<Self, AppError> {
        let screen = WindowScreen::open(event_loop, &attributes(&subject.window_title(), options.size), WINDOW)?;
        let (window, panels) = (screen.id(), screen.panels());
        let outside = (options.length_m, options.pictures, Messages::new(options.language));
        let viewing = Viewing::new(Box::new(screen), subject, outside, clock::now_s)?;
        Ok(Self { viewing, window, panels })
    }

    /// Moves the viewer to another window, in place of one whose context is lost.
    fn reopened(self, event_loop: &ActiveEventLoop) -> Result<Self, AppError> {
        let (size, mut opened) = (self.viewing.size(), None);
        let viewing = self.viewing.reopened(|title| {
            let screen = WindowScreen::open(event_loop, &attributes(title, size), WINDOW)?;
            opened = Some((screen.id(), screen.panels()));
            Ok(Box::new(screen))
        })?;
        let (window, panels) = opened.unwrap_or((self.window, self.panels));
        Ok(Self { viewing, window, panels })
    }

    fn take(&mut self, event: &WindowEvent) {
        for event in self.panels.events(event) {
            self.viewing.take(event);
        }
        match event {
            WindowEvent::CloseRequested => self.viewing.leave(Ok(())),
            WindowEvent::Destroyed => leave::lost(leave::DESTROYED),
            WindowEvent::Resized(size) => self.viewing.resized((*size).into()),
            WindowEvent::Occluded(is_hidden) => self.viewing.hidden(*is_hidden),
            WindowEvent::RedrawRequested => self.viewing.draw(),
            _ => {}
        }
    }
}

impl ViewerApp {
    /// Opens the first window, or another in place of one whose context is lost.
    fn open(&mut self, event_loop: &ActiveEventLoop) {
        let opened = match std::mem::replace(self, Self::Over) {
            Self::Starting(start) => Shown::open(event_loop, start.0, start.1),
            Self::Running(shown) if shown.viewing.is_lost() => shown.reopened(event_loop),
            other => return *self = other,
        };
        *self = match opened {
            Ok(shown) => Self::Running(Box::new(shown)),
            Err(error) => {
                event_loop.exit();
                Self::Failed(error)
            }
        };
    }
}

impl ApplicationHandler for ViewerApp {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.open(event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, window: WindowId, event: WindowEvent) {
        let Self::Running(shown) = self else { return };
        if window == shown.window {
            shown.take(&event);
        }
        if shown.viewing.is_over() {
            return event_loop.exit();
        }
        self.open(event_loop);
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Self::Running(shown) = self else { return };
        if interrupt::requested() {
            shown.viewing.leave(Err(AppError::Interrupted));
            return event_loop.exit();
        }
        let wait_s = (shown.viewing.idle() - clock::now_s()).max(0.0);
        event_loop.set_control_flow(ControlFlow::WaitUntil(Instant::now() + Duration::from_secs_f64(wait_s)));
    }
}
