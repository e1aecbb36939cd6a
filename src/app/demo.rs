//! The scene in a window: what `pelagic` without a subcommand shows.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::time::Instant;

use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::platform::{wayland, x11};
use winit::window::{Fullscreen, Window, WindowAttributes, WindowId};

use crate::app::context::{self, ContextError};
use crate::app::{AppError, SceneOptions, files, load};
use crate::config::{Config, LoadedScene};
use crate::render::ShaderSource;

mod frame_times;
mod overlay;
mod pointer;
mod population;
mod rate;
mod running;
mod session;
mod shader_folder;
mod window;

use running::RunningDemo;
use session::SceneSession;
use shader_folder::ShaderFolder;
use window::DemoWindow;

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
    /// Whether the camera sways a little, as a diver does.
    pub sway: bool,
}

/// Shows the scene until the window is closed. `started` is when the program was, for the time to the first frame.
///
/// # Errors
/// If the scene is wrong, there is no window or no usable OpenGL, or the driver gives up for good;
/// [`AppError::Interrupted`] after Ctrl-C.
pub fn run(options: DemoOptions, started: Instant) -> Result<(), AppError> {
    let loaded = load(&options.scene)?;
    let event_loop = context::event_loop()?;
    let mut app = DemoApp::Starting(Box::new(Starting { options, loaded, started }));
    event_loop.run_app(&mut app).map_err(|error| ContextError::Window { why: error.to_string() })?;
    match app {
        DemoApp::Starting(_) => Ok(()),
        DemoApp::Running(demo) => demo.finish(),
        DemoApp::Failed(error) => Err(error),
    }
}

/// The program's life as the event loop sees it.
enum DemoApp {
    Starting(Box<Starting>),
    Running(Box<RunningDemo>),
    Failed(AppError),
}

/// What is known before there is a window.
struct Starting {
    options: DemoOptions,
    loaded: LoadedScene,
    started: Instant,
}

impl Starting {
    /// Makes the window and the world, at the same time.
    fn run(&self, event_loop: &ActiveEventLoop) -> Result<RunningDemo, AppError> {
        let Self { options, loaded, started } = self;
        let folder = options.scene.shaders.clone().or_else(|| Some(PathBuf::from("shaders")).filter(|f| f.is_dir()));
        // Watched before it is read: no edit is missed.
        let shader_folder = folder.map(ShaderFolder::new);
        let shaders = files::shaders(options.scene.shaders.as_deref());
        let (session, window) = std::thread::scope(|scope| {
            let session = scope.spawn(|| SceneSession::new(options.scene.clone(), loaded.clone(), options.sway));
            let window = open_window(event_loop, options, &shaders, &loaded.config)?;
            let session = session.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            Ok::<_, AppError>((session, window))
        })?;
        RunningDemo::new(options.clone(), session, window, shader_folder, *started)
    }
}

/// Opens the window and compiles the shaders that are to be used in it.
fn open_window(
    event_loop: &ActiveEventLoop,
    options: &DemoOptions,
    shaders: &ShaderSource,
    config: &Config,
) -> Result<DemoWindow, AppError> {
    let attributes = attributes(&format!("Pelagic: {}", config.scene.name), options.scene.size)
        .with_fullscreen(options.fullscreen.then_some(Fullscreen::Borderless(None)));
    DemoWindow::open(event_loop, &attributes, options.vsync, options.ui, shaders, config)
}

impl ApplicationHandler for DemoApp {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if let Self::Starting(start) = self {
            *self = match start.run(event_loop) {
                Ok(demo) => Self::Running(Box::new(demo)),
                Err(error) => {
                    event_loop.exit();
                    Self::Failed(error)
                }
            };
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Self::Running(demo) = self {
            demo.window_event(event_loop, event);
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let Self::Running(demo) = self {
            demo.device_event(event);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if let Self::Running(demo) = self {
            demo.about_to_wait(event_loop);
        }
    }
}

/// A window of a size, as all of the program's are.
pub fn attributes(title: &str, (width, height): (u32, u32)) -> WindowAttributes {
    let attributes = Window::default_attributes()
        .with_title(title)
        .with_inner_size(PhysicalSize::new(width, height))
        .with_min_inner_size(LogicalSize::new(160, 90));
    named(attributes)
}

/// The name by which desktops know the program's windows.
fn named(attributes: WindowAttributes) -> WindowAttributes {
    let attributes = x11::WindowAttributesExtX11::with_name(attributes, "pelagic", "pelagic");
    wayland::WindowAttributesExtWayland::with_name(attributes, "pelagic", "pelagic")
}
