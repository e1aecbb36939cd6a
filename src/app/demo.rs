//! The scene in a window: what `pelagic` without a subcommand shows.

use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use glam::Vec2;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::{DeviceEvent, DeviceId, ElementState, KeyEvent, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::ModifiersState;
use winit::platform::{wayland, x11};
use winit::window::{Fullscreen, Window, WindowAttributes, WindowId};

use crate::app::context::{self, ContextError};
use crate::app::fly::Held;
use crate::app::keys::{self, Action};
use crate::app::output::{Output, screenshot_path};
use crate::app::overlay::Panels;
use crate::app::{AppError, SceneOptions, interrupt};
use crate::config::Watched;
use crate::scene::RenderScene;

mod pointer;
mod rate;
mod screen;
mod show;

use pointer::Pointer;
use rate::{Rate, shortest_frame};
use screen::Screen;
use show::{Change, Show};

/// How often files and interrupts are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Context losses within [`LOSS_SPAN`] after which the program gives up.
const MOST_LOSSES: usize = 3;
/// See [`MOST_LOSSES`].
const LOSS_SPAN: Duration = Duration::from_secs(60);
/// Factor on the number of fish for `+`, and its inverse for `-`.
const FISH_FACTOR: f32 = 1.25;

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
    /// Shaders to use in place of the program's own, watched for edits.
    pub shaders: Option<PathBuf>,
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
    let show = Show::open(options.scene.clone(), options.sway)?;
    let event_loop = context::event_loop()?;
    let mut demo = Demo::new(options, show, started);
    event_loop.run_app(&mut demo).map_err(|error| ContextError::Window { why: error.to_string() })?;
    demo.finish()
}

struct Demo {
    options: DemoOptions,
    show: Show,
    screen: Option<Screen>,
    frame: RenderScene,
    panels: Panels,
    held: Held,
    pointer: Pointer,
    modifiers: ModifiersState,
    shaders: Option<(PathBuf, Watched)>,
    saving: Vec<JoinHandle<Result<PathBuf, AppError>>>,
    started: Instant,
    rate: Rate,
    last_frame: Instant,
    next_frame: Instant,
    next_look: Instant,
    shortest_frame: Duration,
    occluded: bool,
    losses: Vec<Instant>,
    outcome: Result<(), AppError>,
}

impl Demo {
    fn new(options: DemoOptions, show: Show, started: Instant) -> Self {
        let now = Instant::now();
        Self {
            shaders: None,
            options,
            show,
            screen: None,
            frame: RenderScene::default(),
            panels: Panels::default(),
            held: Held::default(),
            pointer: Pointer::default(),
            modifiers: ModifiersState::default(),
            saving: Vec::new(),
            started,
            rate: Rate::new(now),
            last_frame: now,
            next_frame: now,
            next_look: now,
            shortest_frame: Duration::ZERO,
            occluded: false,
            losses: Vec::new(),
            outcome: Ok(()),
        }
    }

    /// Opens the window, or opens it again after the driver has thrown the context away.
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let (width, height) = self.options.scene.size;
        let attributes = Window::default_attributes()
            .with_title(format!("Pelagic: {}", self.show.config.scene.name))
            .with_inner_size(PhysicalSize::new(width, height))
            .with_min_inner_size(LogicalSize::new(160, 90))
            .with_fullscreen(self.options.fullscreen.then_some(Fullscreen::Borderless(None)));
        let attributes = named(attributes);
        let mut screen = Screen::open(event_loop, &attributes, self.options.vsync, self.options.ui, &self.show)?;
        if let Some(folder) = &self.options.shaders {
            screen.reload_shaders(folder)?;
        }
        let watched = self.options.shaders.clone().or_else(|| Some(PathBuf::from("shaders")).filter(|f| f.is_dir()));
        self.shaders = watched.map(|folder| (folder.clone(), Watched::new(&shader_files(&folder))));
        let refresh = screen.window().and_then(Window::current_monitor).and_then(|m| m.refresh_rate_millihertz());
        self.shortest_frame = match self.options.vsync {
            true => shortest_frame(refresh.map(|mhz| f64::from(mhz) / 1000.0), screen.context().info().software),
            false => Duration::ZERO,
        };
        self.screen = Some(screen);
        self.last_frame = Instant::now();
        Ok(())
    }

    fn now_s(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn say(&mut self, text: impl Into<String>) {
        self.panels.say(text, self.now_s());
    }

    fn complain(&mut self, error: &AppError) {
        let text = error.to_string();
        log::error!("{text}");
        self.panels.complain(&text, self.now_s());
    }

    fn leave(&mut self, event_loop: &ActiveEventLoop, outcome: Result<(), AppError>) {
        self.outcome = outcome;
        event_loop.exit();
    }

    fn window(&self) -> Option<&Window> {
        self.screen.as_ref().and_then(Screen::window)
    }

    /// Whether nobody could see a frame now.
    fn is_hidden(&self) -> bool {
        let Some(window) = self.window() else { return true };
        let size = window.inner_size();
        self.occluded || size.width == 0 || size.height == 0 || window.is_minimized() == Some(true)
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let elapsed_s = now.duration_since(self.last_frame).as_secs_f64();
        (self.last_frame, self.next_frame) = (now, now + self.shortest_frame);
        self.show.advance(elapsed_s, self.held);
        self.show.extract(&mut self.frame);
        let now_s = self.now_s();
        let Some(screen) = &mut self.screen else { return };
        let stats = match screen.draw(&self.frame, &mut self.panels, now_s) {
            Ok(stats) => stats,
            Err(why) => return self.recover(event_loop, why),
        };
        if self.rate.frames() == 0 {
            log::info!("first frame after {:.2} s", self.started.elapsed().as_secs_f64());
            self.panels.hint(now_s);
            self.rate = Rate::new(Instant::now());
        }
        if let Some(fps) = self.rate.count(Instant::now()) {
            self.panels.statistics_text = format!(
                "{fps:6.1} fps {:6.1} ms\n{:6} draws {:6} k triangles {:6} visible",
                1000.0 / fps,
                stats.draws,
                stats.triangles / 1000,
                stats.visible
            );
            if let Some(window) = self.window() {
                window.set_title(&format!("Pelagic: {}, {fps:.0} fps", self.show.config.scene.name));
            }
        }
        if self.options.frames.is_some_and(|frames| self.rate.frames() >= frames) {
            self.leave(event_loop, Ok(()));
        }
    }

    /// Makes everything of the driver's anew; gives up if that has been needed too often.
    fn recover(&mut self, event_loop: &ActiveEventLoop, why: String) {
        let now = Instant::now();
        log::warn!("the graphics driver has thrown everything away ({why}); making it anew");
        self.losses.retain(|loss| now.duration_since(*loss) < LOSS_SPAN);
        self.losses.push(now);
        self.screen = None;
        if self.losses.len() > MOST_LOSSES {
            return self.leave(event_loop, Err(AppError::ContextLost(why)));
        }
        if let Err(error) = self.open(event_loop) {
            self.leave(event_loop, Err(error));
        }
    }

    /// Looks at what happens outside: edited files, pictures that have been written.
    fn look(&mut self) {
        if self.show.is_edited() {
            self.reload_scene();
        }
        if let Some((folder, watched)) = &mut self.shaders {
            watched.follow(&shader_files(folder));
            if watched.changed() {
                self.reload_shaders();
            }
        }
        let (done, busy) = std::mem::take(&mut self.saving).into_iter().partition(JoinHandle::is_finished);
        self.saving = busy;
        for thread in done {
            self.saved(thread);
        }
    }

    fn reload_scene(&mut self) {
        let change = self.show.reload();
        if self.take_over(change) {
            log::info!("scene \"{}\" read again", self.show.config.scene.name);
            self.say("scene read again");
        }
    }

    fn reload_shaders(&mut self) {
        let (Some((folder, _)), Some(screen)) = (&self.shaders, &mut self.screen) else { return };
        match screen.reload_shaders(folder) {
            Ok(()) => {
                log::info!("shaders read again from {}", folder.display());
                self.panels.mended();
                self.say("shaders read again");
            }
            Err(error) => self.complain(&error),
        }
    }

    /// Hands a change of the show on to the renderer; `false` if it did not come to one.
    fn take_over(&mut self, change: Result<Change, AppError>) -> bool {
        let applied = change.and_then(|change| match &mut self.screen {
            Some(screen) => screen.apply(change, &self.show),
            None => Ok(()),
        });
        match applied {
            Ok(()) => {
                self.panels.mended();
                true
            }
            Err(error) => {
                self.complain(&error);
                false
            }
        }
    }

    fn act(&mut self, event_loop: &ActiveEventLoop, action: Action) {
        log::debug!("key: {action:?}");
        match action {
            Action::Help => self.panels.help = !self.panels.help,
            Action::Statistics => self.panels.statistics = !self.panels.statistics,
            Action::Pause => {
                self.show.paused = !self.show.paused;
                self.say(if self.show.paused { "stopped; Space goes on" } else { "going on" });
            }
            Action::SingleStep => self.show.single_step(),
            Action::FullScreen => self.toggle_full_screen(),
            Action::Screenshot => self.screenshot(),
            Action::Reload => {
                self.reload_scene();
                self.reload_shaders();
            }
            Action::Reset => {
                let change = self.show.reset();
                if self.take_over(change) {
                    self.say("from the beginning");
                }
            }
            Action::Scene(index) => {
                let change = self.show.switch(index);
                if self.take_over(change) {
                    self.say(self.show.config.scene.name.clone());
                }
            }
            Action::MoreFish | Action::FewerFish => {
                let factor = if action == Action::MoreFish { FISH_FACTOR } else { 1.0 / FISH_FACTOR };
                let (change, fish) = self.show.multiply_fish(factor).map_or_else(|e| (Err(e), 0), |(c, f)| (Ok(c), f));
                if self.take_over(change) {
                    self.say(format!("{fish} fish"));
                }
            }
            Action::Escape => self.escape(event_loop),
        }
        // What a key does may have taken long; the world is not to jump over it.
        self.last_frame = Instant::now();
    }

    fn escape(&mut self, event_loop: &ActiveEventLoop) {
        if self.pointer.is_caught() {
            self.release_pointer();
        } else if self.panels.help {
            self.panels.help = false;
        } else if self.window().is_some_and(|window| window.fullscreen().is_some()) {
            self.toggle_full_screen();
        } else {
            self.leave(event_loop, Ok(()));
        }
    }

    fn toggle_full_screen(&self) {
        if let Some(window) = self.window() {
            let now = window.fullscreen().is_none().then_some(Fullscreen::Borderless(None));
            window.set_fullscreen(now);
        }
    }

    fn release_pointer(&mut self) {
        if let Some(window) = self.screen.as_ref().and_then(Screen::window) {
            self.pointer.release(window);
        }
    }

    /// Draws the frame again without text and writes it to a file beside the animation.
    fn screenshot(&mut self) {
        let path = screenshot_path(&self.show.config.scene.name);
        let Some(screen) = &mut self.screen else { return };
        let taken = Output::check(&path).and_then(|output| Ok((output, screen.capture(&self.frame)?)));
        match taken {
            // Compressing takes longer than a frame.
            Ok((output, capture)) => self.saving.push(std::thread::spawn(move || {
                output.write(&capture)?;
                Ok(output.path().to_path_buf())
            })),
            Err(error) => self.complain(&error),
        }
    }

    fn saved(&mut self, thread: JoinHandle<Result<PathBuf, AppError>>) {
        match thread.join() {
            Ok(Ok(path)) => {
                log::info!("picture written to {}", path.display());
                self.say(format!("picture written to {}", path.display()));
            }
            Ok(Err(error)) => self.complain(&error),
            Err(_) => log::error!("a picture could not be written"),
        }
    }

    /// Ends whatever still runs and says how it went.
    fn finish(mut self) -> Result<(), AppError> {
        for thread in std::mem::take(&mut self.saving) {
            self.saved(thread);
        }
        let frames = self.rate.frames();
        if frames > 0 {
            log::info!("{frames} frames, {:.1} a second on average", self.rate.average(self.last_frame));
        }
        self.outcome
    }
}

impl ApplicationHandler for Demo {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_none()
            && let Err(error) = self.open(event_loop)
        {
            self.leave(event_loop, Err(error));
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => self.leave(event_loop, Ok(())),
            WindowEvent::RedrawRequested if !self.is_hidden() => self.draw(event_loop),
            WindowEvent::Resized(size) => {
                log::debug!("window: {} x {}", size.width, size.height);
                let resized = self.screen.as_mut().map_or(Ok(()), |screen| screen.resize((size.width, size.height)));
                if let Err(error) = resized {
                    self.complain(&error);
                }
            }
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => log::debug!("window: scale {scale_factor}"),
            WindowEvent::Occluded(occluded) => {
                self.occluded = occluded;
                self.last_frame = Instant::now();
            }
            WindowEvent::Focused(false) => {
                self.held = Held::default();
                self.release_pointer();
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => self.key(event_loop, &event),
            WindowEvent::MouseInput { state, .. } => {
                if let Some(window) = self.screen.as_ref().and_then(Screen::window) {
                    self.pointer.button(state == ElementState::Pressed, Instant::now(), window);
                }
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, y) => y,
                    MouseScrollDelta::PixelDelta(at) => at.y as f32 / 40.0,
                };
                let speed = self.show.fly.change_speed(notches);
                self.say(format!("{speed:.1} m/s"));
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event {
            let movement = Vec2::new(x as f32, y as f32);
            if self.pointer.moved(movement) {
                self.show.fly.look(movement);
            }
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if interrupt::requested() {
            return self.leave(event_loop, Err(AppError::Interrupted));
        }
        let now = Instant::now();
        if now >= self.next_look {
            self.next_look = now + LOOK_EVERY;
            self.look();
        }
        let hidden = self.is_hidden();
        if !hidden
            && now >= self.next_frame
            && let Some(window) = self.window()
        {
            window.request_redraw();
        }
        let wake = if hidden || now >= self.next_frame { self.next_look } else { self.next_frame.min(self.next_look) };
        event_loop.set_control_flow(ControlFlow::WaitUntil(wake));
    }
}

impl Demo {
    fn key(&mut self, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        let down = event.state == ElementState::Pressed;
        let is_movement = keys::hold(&mut self.held, event.physical_key, down);
        if !down || is_movement {
            return;
        }
        match keys::action(event.physical_key, &event.logical_key, self.modifiers.alt_key()) {
            Some(action @ (Action::MoreFish | Action::FewerFish | Action::SingleStep)) => self.act(event_loop, action),
            Some(action) if !event.repeat => self.act(event_loop, action),
            _ => {}
        }
    }
}

/// The name by which desktops know the program's windows.
fn named(attributes: WindowAttributes) -> WindowAttributes {
    let attributes = x11::WindowAttributesExtX11::with_name(attributes, "pelagic", "pelagic");
    wayland::WindowAttributesExtWayland::with_name(attributes, "pelagic", "pelagic")
}

/// The shaders in a folder and in the folders right below it.
fn shader_files(folder: &std::path::Path) -> Vec<PathBuf> {
    let list = |folder: &std::path::Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default()
    };
    let (folders, mut files): (Vec<_>, Vec<_>) = list(folder).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| list(folder)));
    files.retain(|path| path.extension().is_some_and(|ending| ending == "glsl"));
    files
}
