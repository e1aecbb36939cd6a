//! The scene in a window: what `pelagic` without a subcommand shows.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Fullscreen, WindowId};

use crate::app::context::{self, ContextError};
use crate::app::out_folders::OutFolders;
use crate::app::words::{Language, fonts};
use crate::app::{AppError, SceneOptions, clock, files, interrupt, load};
use crate::config::LoadedScene;

mod aim;
mod events;
mod frame_times;
pub mod input;
mod overlay;
mod painter;
mod panel;
mod pointer;
mod population;
mod rate;
mod running;
mod screen;
mod session;
mod shader_folder;
mod stage;
mod ui_input;
mod watched;
pub mod window;
mod window_panels;

use events::WindowEvents;
use input::Input;
use running::RunningDemo;
use session::SceneSession;
use shader_folder::ShaderFolder;
use stage::Stage;
use window::{WindowScreen, attributes};
use window_panels::WindowPanels;

/// What the window is to show and how.
#[derive(Clone, Debug, PartialEq)]
pub struct DemoOptions {
    /// The scene.
    pub scene: SceneOptions,
    /// Starts in full screen.
    pub fullscreen: bool,
    /// Waits for the screen; without it frames come as fast as they can.
    pub vsync: bool,
    /// Leaves after that many frames.
    pub frames: Option<u64>,
    /// Whether text is shown over the picture.
    pub ui: bool,
    /// What language it is in.
    pub language: Language,
    /// Whether the camera sways a little, as a diver does.
    pub sway: bool,
    /// Where pictures go.
    pub pictures: OutFolders,
    /// Where recorded benchmarks go, each into a folder of its own.
    pub recordings: OutFolders,
}

/// Shows the scene until the window is closed. `started` is when the program was, for the time to the first frame.
///
/// # Errors
/// If the scene is wrong, there is no window or no usable OpenGL, or the driver gives up for good;
/// [`AppError::Interrupted`] after Ctrl-C.
pub fn run(options: DemoOptions, started: Instant) -> Result<(), AppError> {
    if options.language == Language::Chinese {
        fonts::look();
    }
    let loaded = load(&options.scene)?;
    let mut events = context::event_loop()?;
    let mut app = DemoApp::Starting(Box::new(Starting { options, loaded, started }));
    events.run(&mut app);
    match app {
        DemoApp::Starting(_) => Ok(()),
        DemoApp::Running(running) => running.demo.finish(),
        DemoApp::Failed(error) => Err(error),
    }
}

/// The program's life as the event loop sees it.
enum DemoApp {
    Starting(Box<Starting>),
    Running(Box<Running>),
    Failed(AppError),
}

/// What is known before there is a window.
struct Starting {
    options: DemoOptions,
    loaded: LoadedScene,
    started: Instant,
}

/// The demo in its window.
struct Running {
    demo: RunningDemo,
    opening: Opening,
    events: WindowEvents,
    panels: Rc<WindowPanels>,
}

/// How a window is to be opened.
struct Opening {
    size: (u32, u32),
    fullscreen: bool,
    vsync: bool,
}

impl Opening {
    fn open(&self, event_loop: &ActiveEventLoop, title: &str) -> Result<WindowScreen, ContextError> {
        let fullscreen = self.fullscreen.then_some(Fullscreen::Borderless(None));
        WindowScreen::open(event_loop, &attributes(title, self.size).with_fullscreen(fullscreen), self.vsync)
    }
}

impl Starting {
    /// Makes the window and the world, at the same time.
    fn run(&self, event_loop: &ActiveEventLoop) -> Result<Running, AppError> {
        let Self { options, loaded, started } = self;
        let folder = options.scene.shaders.clone().or_else(|| Some(PathBuf::from("shaders")).filter(|f| f.is_dir()));
        // Watched before it is read: no edit is missed.
        let shader_folder = folder.map(ShaderFolder::new);
        let shaders = files::shaders(options.scene.shaders.as_deref())?;
        let opening = Opening { size: options.scene.size, fullscreen: options.fullscreen, vsync: options.vsync };
        let (session, (stage, window, panels)) = std::thread::scope(|scope| {
            let session = scope.spawn(|| SceneSession::new(options.scene.clone(), loaded.clone(), options.sway));
            let screen = opening.open(event_loop, &running::title(&loaded.config.scene.name))?;
            let (window, panels) = (screen.id(), screen.panels());
            let stage = Stage::new(Box::new(screen), clock::now_s, options.ui, &shaders, &loaded.config)?;
            let session = session.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            Ok::<_, AppError>((session, (stage, window, panels)))
        })?;
        let started_s = clock::now_s() - started.elapsed().as_secs_f64();
        let demo = RunningDemo::new(options.clone(), session, stage, shader_folder, (clock::now_s, started_s))?;
        Ok(Running { demo, opening, events: WindowEvents::of(window), panels })
    }
}

impl Running {
    fn take(&mut self, event_loop: &ActiveEventLoop, input: Input) {
        let Self { demo, opening, events, panels } = self;
        demo.take(input, &mut |title| {
            let screen = opening.open(event_loop, title)?;
            (*events, *panels) = (WindowEvents::of(screen.id()), screen.panels());
            Ok(Box::new(screen))
        });
        if demo.is_over() {
            event_loop.exit();
        }
    }
}

impl ApplicationHandler for DemoApp {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if let Self::Starting(start) = self {
            *self = match start.run(event_loop) {
                Ok(running) => Self::Running(Box::new(running)),
                Err(error) => {
                    event_loop.exit();
                    Self::Failed(error)
                }
            };
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, window: WindowId, event: WindowEvent) {
        let Self::Running(running) = self else { return };
        if event == WindowEvent::Destroyed && running.events.are_of(window) {
            context::lost(context::DESTROYED);
        }
        if running.events.are_of(window) {
            let events = running.panels.events(&event);
            events.into_iter().for_each(|event| running.take(event_loop, Input::Ui(event)));
        }
        if let Some(input) = running.events.input(window, &event) {
            running.take(event_loop, input);
        }
    }

    fn device_event(&mut self, event_loop: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let Self::Running(running) = self
            && let Some(input) = events::device_input(&event)
        {
            running.take(event_loop, input);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Self::Running(running) = self else { return };
        if interrupt::requested() {
            running.take(event_loop, Input::Interrupt);
        }
        let wait_s = (running.demo.idle() - clock::now_s()).max(0.0);
        event_loop.set_control_flow(ControlFlow::WaitUntil(Instant::now() + Duration::from_secs_f64(wait_s)));
    }
}
