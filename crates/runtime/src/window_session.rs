//! A scene in a window that nobody steers, drawn frame by frame by the caller: for measuring.
#![expect(clippy::disallowed_methods, reason = "the scene is made beside the window")]

use std::panic::resume_unwind;
use std::rc::Rc;
use std::time::{Duration, Instant};

use platform::context::{Context, Events, Purpose, leave};
use platform::context_error::ContextError;
use platform::{context, interrupt};
use scene::World;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::{WindowAttributes, WindowId};

use crate::files::load_model;
use crate::offscreen::Session;
use crate::{AppError, SceneOptions, load, offscreen, threads};

/// Time for a new window to settle: the window manager may move and resize it first.
const SETTLE: Duration = Duration::from_millis(600);

/// A session whose context is a window's.
pub struct WindowSession {
    /// The scene.
    // Dropped before the event loop, which holds the connection to the screen.
    pub session: Session,
    /// The window's events.
    pub events: WindowEvents,
    /// The picture's size in pixels: the window's, which may not be the one that was asked for.
    pub size: (u32, u32),
    /// Whether the driver refused to switch vsync on or off as asked.
    pub vsync_refused: bool,
}

/// The event loop, and the handler that watches its events.
pub struct WindowEvents {
    events: Events,
    watch: WindowWatch,
}

/// Handler of window events: makes the context and keeps the disturbances.
struct WindowWatch {
    attributes: WindowAttributes,
    vsync: bool,
    made: Option<Result<Context, ContextError>>,
    disturbances: Disturbances,
}

/// Window events that spoil a measurement.
#[derive(Debug, Default)]
struct Disturbances {
    /// The picture's size, once it is known.
    size: Option<(u32, u32)>,
    /// Whether the window has another size than the picture. No measurement counts then.
    is_resized: bool,
    happened: Option<&'static str>,
}

/// The words for a window of another size.
const RESIZED: &str = "the window's being resized";

impl Disturbances {
    fn take_in(&mut self, event: &WindowEvent) {
        let happened = match event {
            WindowEvent::CloseRequested => "the window's being closed",
            WindowEvent::Focused(false) => "the window's losing its focus",
            WindowEvent::Occluded(true) => "the window's being covered",
            WindowEvent::Resized(size) => {
                self.is_resized = self.size.is_some_and(|known| known != (size.width, size.height));
                if !self.is_resized {
                    return;
                }
                RESIZED
            }
            _ => return,
        };
        self.happened.get_or_insert(happened);
    }

    fn clear(&mut self) {
        self.happened = None;
    }

    fn take(&mut self) -> Option<&'static str> {
        self.happened.take().or(self.is_resized.then_some(RESIZED))
    }
}

impl WindowSession {
    /// Opens a window and makes everything the scene needs in it.
    ///
    /// # Errors
    /// If the scene is wrong, a model cannot be loaded, or there is no window or no usable OpenGL.
    pub fn open(options: &SceneOptions, attributes: WindowAttributes, vsync: bool) -> Result<Self, AppError> {
        let config = load(options)?.config;
        let events = context::event_loop(Purpose::Screen)?;
        let watch = WindowWatch { attributes, vsync, made: None, disturbances: Disturbances::default() };
        let mut events = WindowEvents { events, watch };
        let (world, context) = std::thread::scope(|scope| {
            let world = scope.spawn(|| World::new(&config.scene, options.seed, load_model, threads::join));
            let until = Instant::now() + SETTLE;
            while events.watch.made.is_none() || Instant::now() < until {
                events.pump(Duration::from_millis(20));
            }
            let world = world.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            let gone = ContextError::Window { why: "it is gone already".into() };
            let context = events.watch.made.take().unwrap_or(Err(gone))?;
            Ok::<_, AppError>((world, context))
        })?;
        let size =
            context.window().map(|window| window.inner_size()).map_or(options.size, |size| (size.width, size.height));
        let size = (size.0.max(1), size.1.max(1));
        context.resize(size.0, size.1);
        let vsync_refused = !context.set_vsync(vsync);
        let renderer = offscreen::renderer(&context, size, &config, options.shaders.as_deref())?;
        events.watch.disturbances.size = Some(size);
        let session = Session::new(renderer, world, config, Rc::new(context))?;
        Ok(Self { session, events, size, vsync_refused })
    }
}

impl WindowEvents {
    /// Handles pending events; waits at most `wait` for one.
    pub fn pump(&mut self, wait: Duration) {
        // Nothing here ends the loop.
        self.events.pump(Some(wait), &mut self.watch);
    }

    /// Forgets past disturbances, but not that the window has another size than the picture.
    pub fn clear_disturbance(&mut self) {
        self.pump(Duration::ZERO);
        self.watch.disturbances.clear();
    }

    /// Disturbance since then that spoils a measurement.
    pub fn disturbance(&mut self) -> Option<String> {
        self.watch.disturbances.take().map(str::to_owned)
    }
}

impl ApplicationHandler for WindowWatch {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.made.is_none() {
            self.made = Some(Context::in_window(event_loop, &self.attributes, (self.vsync, Purpose::Screen)));
        }
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => interrupt::request(),
            WindowEvent::Destroyed => leave::lost(leave::DESTROYED),
            _ => {}
        }
        self.disturbances.take_in(&event);
    }
}

#[cfg(test)]
mod tests {
    use winit::dpi::PhysicalSize;

    use super::*;

    #[test]
    fn a_window_of_another_size_spoils_every_run_until_it_is_as_before() {
        let mut disturbances = Disturbances { size: Some((640, 360)), ..Disturbances::default() };
        let resized = |width, height| WindowEvent::Resized(PhysicalSize::new(width, height));
        disturbances.take_in(&resized(640, 360));
        assert_eq!(disturbances.take(), None);
        disturbances.take_in(&resized(800, 600));
        assert_eq!(disturbances.take(), Some(RESIZED));
        disturbances.clear();
        assert_eq!(disturbances.take(), Some(RESIZED), "the next run is of another size too");
        disturbances.take_in(&resized(640, 360));
        disturbances.clear();
        assert_eq!(disturbances.take(), None);
    }

    #[test]
    fn a_lost_focus_spoils_one_run() {
        let mut disturbances = Disturbances::default();
        disturbances.take_in(&WindowEvent::Focused(false));
        assert_eq!(disturbances.take(), Some("the window's losing its focus"));
        assert_eq!(disturbances.take(), None);
    }
}
