//! The scene in a window, as `pelagic` without a subcommand shows it.
#![expect(clippy::disallowed_methods, reason = "winit waits until a moment of the system")]
#![expect(unsafe_code, reason = "a headset's runtime is handed the window's context")]

use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use headset::{RuntimeError, openxr};
use platform::context::{self, NativeContext, Purpose, leave};
use platform::context_error::ContextError;
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Fullscreen, WindowId};

use crate::events::WindowEvents;
#[cfg(feature = "gamepad")]
use crate::gamepad;
use crate::loading_screen::TEXT_EVERY_S;
use crate::{DemoOptions, events};
use config::LoadedScene;
use platform::{clock, interrupt};
use runtime::{AppError, files, load};
use shell::messages::{Language, Messages, fonts};
use shell::window::{WindowScreen, attributes};
use shell::window_panels::WindowPanels;

use crate::input::{Action, Input};
use crate::loading::{LOOK_EVERY_S, Loading};
use crate::running;
use crate::running::RunningDemo;
use crate::scene_maker::SceneMaker;
use crate::session::WantedScene;
use crate::shader_folder::ShaderFolder;
use crate::stage::OverlaidScreen;

/// Shows the scene until the window is closed. `started` is the program's start, for the time to the first frame.
///
/// # Errors
/// If the scene is wrong, there is no window or no usable OpenGL, or the driver gives up for good;
/// [`AppError::Interrupted`] after Ctrl-C.
pub fn run(options: DemoOptions, started: Instant) -> Result<(), AppError> {
    if options.language == Language::Chinese {
        fonts::find();
    }
    let loaded = load(&options.scene)?;
    let mut events = context::event_loop(purpose(&options))?;
    let mut app = DemoApp::Starting(Box::new(Starting { options, loaded, started }));
    events.run(&mut app);
    match app {
        DemoApp::Starting(_) | DemoApp::Loading(_) | DemoApp::Left => Ok(()),
        DemoApp::Running(running) => running.demo.finish(),
        DemoApp::Failed(error) => Err(error),
    }
}

/// Purpose of the window.
fn purpose(options: &DemoOptions) -> Purpose {
    if options.headset { Purpose::Headset } else { Purpose::Screen }
}

/// State of the program in the event loop.
enum DemoApp {
    Starting(Box<Starting>),
    Loading(Box<LoadingInWindow>),
    Running(Box<Running>),
    Failed(AppError),
    /// Left before there was a picture.
    Left,
}

/// Data that is known before there is a window.
struct Starting {
    options: DemoOptions,
    loaded: LoadedScene,
    started: Instant,
}

/// The first scene while it is being made.
struct LoadingInWindow {
    loading: Loading,
    options: DemoOptions,
    shader_folder: Option<ShaderFolder>,
    started: Instant,
    window: OpenWindow,
}

/// The demo in its window.
struct Running {
    demo: RunningDemo,
    window: OpenWindow,
    #[cfg(feature = "gamepad")]
    gamepads: gamepad::Gamepads,
}

/// The open window with the state for its events, and the options for opening another in its place.
struct OpenWindow {
    opening: Opening,
    events: WindowEvents,
    panels: Rc<WindowPanels>,
    /// Handles to its context, if a headset is to take pictures of it.
    native: Option<NativeContext>,
}

/// Options for opening a window.
#[derive(Clone, Copy)]
struct Opening {
    size: (u32, u32),
    fullscreen: bool,
    vsync: bool,
    purpose: Purpose,
}

impl Opening {
    fn open(&self, event_loop: &ActiveEventLoop, title: &str) -> Result<WindowScreen, ContextError> {
        let fullscreen = self.fullscreen.then_some(Fullscreen::Borderless(None));
        let attributes = attributes(title, self.size).with_fullscreen(fullscreen);
        WindowScreen::open(event_loop, &attributes, (self.vsync, self.purpose))
    }
}

impl OpenWindow {
    fn of(screen: &WindowScreen, opening: Opening) -> Self {
        let native = screen.native().filter(|_| opening.purpose == Purpose::Headset);
        Self { opening, events: WindowEvents::of(screen.id()), panels: screen.panels(), native }
    }

    /// Seeks a headset for the demo in this window, if one is wanted.
    fn connect(&self, demo: &mut RunningDemo) {
        if self.opening.purpose == Purpose::Headset {
            let unfit = || RuntimeError::Impossible {
                why: "runtimes take the desktop's OpenGL by GLX, EGL or WGL, and this window's is another; \
                      `pelagic doctor` says which",
            };
            // SAFETY: the window was just opened, so that its context is current, and the demo gives the headset up before
            // the screen that holds it.
            let runtime = |native| unsafe { openxr::connect(native) };
            demo.connect(self.native.as_ref().ok_or_else(unfit).and_then(runtime));
        }
    }
}

impl Starting {
    /// Starts to make the world and opens the window meanwhile.
    fn run(self, event_loop: &ActiveEventLoop) -> Result<LoadingInWindow, AppError> {
        let Self { options, loaded, started } = self;
        let folder = options.scene.shaders.clone().or_else(|| Some(PathBuf::from("shaders")).filter(|f| f.is_dir()));
        // Watched before it is read: no edit is missed.
        let shader_folder = folder.map(ShaderFolder::new);
        let shaders = files::shaders(options.scene.shaders.as_deref())?;
        let (size, purpose) = (options.scene.size, purpose(&options));
        let opening = Opening { size, fullscreen: options.fullscreen, vsync: options.vsync, purpose };
        let config = loaded.config.clone();
        let maker = SceneMaker::start(WantedScene::new(options.scene.clone(), loaded, options.sway))?;
        let screen = opening.open(event_loop, &running::title(&config.scene.name))?;
        let window = OpenWindow::of(&screen, opening);
        let screen = OverlaidScreen::new(Box::new(screen), options.ui);
        let loading = Loading::new(screen, maker, (config, shaders), (Messages::new(options.language), clock::now_s))?;
        log::debug!("first picture after {:.2} s", started.elapsed().as_secs_f64());
        Ok(LoadingInWindow { loading, options, shader_folder, started, window })
    }
}

impl LoadingInWindow {
    /// Continues loading; returns the demo once that is done.
    fn go_on(self) -> Result<DemoApp, AppError> {
        let Self { loading, options, shader_folder, started, window } = self;
        Ok(match loading.go_on()? {
            Ok((session, stage)) => {
                let started_s = clock::now_s() - started.elapsed().as_secs_f64();
                let mut demo = RunningDemo::new(options, session, stage, shader_folder, (clock::now_s, started_s))?;
                demo.close_loading_screen();
                window.connect(&mut demo);
                DemoApp::Running(Box::new(Running {
                    demo,
                    window,
                    #[cfg(feature = "gamepad")]
                    gamepads: gamepad::Gamepads::new(),
                }))
            }
            Err(loading) => DemoApp::Loading(Box::new(Self { loading, options, shader_folder, started, window })),
        })
    }

    /// Handles an input; `false` if the person leaves.
    fn take(&mut self, input: Input) -> Result<bool, AppError> {
        match input {
            Input::Close | Input::Action { action: Action::Escape, .. } => return Ok(false),
            Input::Interrupt => return Err(AppError::Interrupted),
            Input::Resized(size) => self.loading.resize(size),
            Input::Redraw => self.loading.draw()?,
            _ => {}
        }
        Ok(true)
    }
}

impl DemoApp {
    /// Replaces the present state by the one that `next` makes of it, or ends if that fails.
    fn advance(&mut self, event_loop: &ActiveEventLoop, next: impl FnOnce(Self) -> Result<Self, AppError>) {
        *self = next(std::mem::replace(self, Self::Left)).unwrap_or_else(Self::Failed);
        if matches!(self, Self::Failed(_) | Self::Left) {
            event_loop.exit();
        }
    }

    /// Passes an input on to the present state.
    fn take(&mut self, event_loop: &ActiveEventLoop, input: Input) {
        match self {
            Self::Running(running) => running.take(event_loop, input),
            Self::Loading(_) => self.advance(event_loop, |app| match app {
                Self::Loading(mut loading) => {
                    Ok(if loading.take(input)? { Self::Loading(loading) } else { Self::Left })
                }
                app => Ok(app),
            }),
            Self::Starting(_) | Self::Failed(_) | Self::Left => {}
        }
    }

    fn window(&mut self) -> Option<&mut OpenWindow> {
        match self {
            Self::Running(running) => Some(&mut running.window),
            Self::Loading(loading) => Some(&mut loading.window),
            Self::Starting(_) | Self::Failed(_) | Self::Left => None,
        }
    }
}

impl Running {
    fn take(&mut self, event_loop: &ActiveEventLoop, input: Input) {
        let Self { demo, window, .. } = self;
        let mut is_another = false;
        demo.take(input, &mut |title| {
            let screen = window.opening.open(event_loop, title)?;
            (*window, is_another) = (OpenWindow::of(&screen, window.opening), true);
            Ok(Box::new(screen))
        });
        if is_another && !demo.is_over() {
            window.connect(demo);
        }
        if demo.is_over() {
            event_loop.exit();
        }
    }
}

impl ApplicationHandler for DemoApp {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.advance(event_loop, |app| match app {
            Self::Starting(start) => Ok(Self::Loading(Box::new(start.run(event_loop)?))),
            app => Ok(app),
        });
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        let Some(window) = self.window().filter(|window| window.events.are_of(id)) else { return };
        if event == WindowEvent::Destroyed {
            leave::lost(leave::DESTROYED);
        }
        let inputs = window.panels.events(&event).into_iter().map(Input::Ui).collect::<Vec<_>>();
        let input = window.events.input(id, &event);
        inputs.into_iter().chain(input).for_each(|input| self.take(event_loop, input));
    }

    fn device_event(&mut self, event_loop: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let Some(input) = events::device_input(&event) {
            self.take(event_loop, input);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if interrupt::requested() {
            self.take(event_loop, Input::Interrupt);
        }
        if let Self::Loading(_) = self {
            self.advance(event_loop, |app| match app {
                Self::Loading(loading) => loading.go_on(),
                app => Ok(app),
            });
        }
        #[cfg(feature = "gamepad")]
        if let Self::Running(running) = self {
            let inputs = running.gamepads.poll();
            inputs.into_iter().for_each(|input| running.take(event_loop, input));
        }
        let wait_s = match self {
            Self::Running(running) => {
                let next_s = running.demo.idle();
                if running.demo.runs_headset() {
                    // Its runtime keeps the pace, whether or not the window is seen.
                    running.take(event_loop, Input::Redraw);
                    0.0
                } else {
                    (next_s - clock::now_s()).max(0.0)
                }
            }
            Self::Loading(_) => LOOK_EVERY_S,
            _ => TEXT_EVERY_S,
        };
        event_loop.set_control_flow(ControlFlow::WaitUntil(Instant::now() + Duration::from_secs_f64(wait_s)));
    }
}
