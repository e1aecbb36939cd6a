//! The demo while its window is open: frames, edits from outside, loss and recovery.

use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::ModifiersState;
use winit::window::Window;

use crate::app::demo::frame_times::{FrameHistory, FrameTimes};
use crate::app::demo::overlay::{FrameGraph, Panels};
use crate::app::demo::pointer::PointerLook;
use crate::app::demo::population::PopulationKeys;
use crate::app::demo::rate::{FrameRate, shortest_frame};
use crate::app::demo::session::SceneSession;
use crate::app::demo::shader_folder::ShaderFolder;
use crate::app::demo::window::{DemoWindow, PreparedWindow};
use crate::app::demo::{DemoOptions, open_window};
use crate::app::fly::HeldKeys;
use crate::app::{AppError, interrupt};
use crate::bench::live::Recording;
use crate::render::FrameStats;
use crate::scene::RenderScene;

mod input;
mod record;

/// A file that is being written beside the animation.
struct Saving {
    /// What it is, such as `picture`.
    what: &'static str,
    /// Where it goes, if that is known before it is written.
    path: Option<PathBuf>,
    /// Gives where it went.
    thread: JoinHandle<Result<PathBuf, AppError>>,
}

/// How often files and interrupts are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Context losses within [`LOSS_SPAN`] after which the program gives up.
const MOST_LOSSES: usize = 3;
/// See [`MOST_LOSSES`].
const LOSS_SPAN: Duration = Duration::from_secs(60);

/// A topic of errors, each of which stays until it is cleared.
const SCENE: &str = "scene";
/// As [`SCENE`].
const SHADERS: &str = "shaders";

/// A scene in a window, and the person before it.
pub struct RunningDemo {
    options: DemoOptions,
    session: SceneSession,
    /// `None` only while a lost one is replaced.
    window: Option<DemoWindow>,
    /// The moment of `session` that was gathered last.
    frame: RenderScene,
    panels: Panels,
    held: HeldKeys,
    pointer: PointerLook,
    modifiers: ModifiersState,
    population_keys: PopulationKeys,
    shader_folder: Option<ShaderFolder>,
    saving: Vec<Saving>,
    recording: Option<Recording>,
    history: FrameHistory,
    /// Frames drawn in this window's context, as its renderer counts them.
    drawn: u32,
    started: Instant,
    rate: FrameRate,
    last_frame: Instant,
    last_presented: Option<Instant>,
    next_frame: Instant,
    next_look: Instant,
    shortest_frame: Duration,
    occluded: bool,
    losses: Vec<Instant>,
    outcome: Result<(), AppError>,
}

/// Another scene, or the same one changed, with everything it takes to show it.
struct SceneChange {
    session: SceneSession,
    frame: RenderScene,
    window: Option<PreparedWindow>,
}

impl RunningDemo {
    /// Shows the scene in a window.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(
        options: DemoOptions,
        session: SceneSession,
        window: DemoWindow,
        shader_folder: Option<ShaderFolder>,
        started: Instant,
    ) -> Result<Self, AppError> {
        let now = Instant::now();
        let mut demo = Self {
            shader_folder,
            options,
            session,
            window: None,
            frame: RenderScene::default(),
            panels: Panels::default(),
            held: HeldKeys::default(),
            pointer: PointerLook::default(),
            modifiers: ModifiersState::default(),
            population_keys: PopulationKeys::default(),
            saving: Vec::new(),
            recording: None,
            history: FrameHistory::default(),
            drawn: 0,
            started,
            rate: FrameRate::new(now),
            last_frame: now,
            last_presented: None,
            next_frame: now,
            next_look: now,
            shortest_frame: Duration::ZERO,
            occluded: false,
            losses: Vec::new(),
            outcome: Ok(()),
        };
        demo.fill(window)?;
        Ok(demo)
    }

    /// Shows the scene in a new window.
    fn fill(&mut self, mut window: DemoWindow) -> Result<(), AppError> {
        self.session.extract(&mut self.frame);
        window.commit(window.prepare(&self.session, &self.frame, false)?);
        let context = window.context();
        self.shortest_frame = match self.options.vsync {
            true => shortest_frame(context.refresh_hz(), context.device().software),
            false => Duration::ZERO,
        };
        self.window = Some(window);
        self.last_frame = Instant::now();
        (self.drawn, self.last_presented) = (0, None);
        self.history.clear();
        // What another window was told of keys, buttons and covers is not told to this one.
        (self.held, self.pointer) = (HeldKeys::default(), PointerLook::default());
        (self.modifiers, self.occluded) = (ModifiersState::default(), false);
        Ok(())
    }

    /// Looks outside when it is time to, and asks for the next frame when that is due and anybody sees it.
    pub fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
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
            && let Some(window) = self.system_window()
        {
            window.request_redraw();
        }
        let wake = if hidden || now >= self.next_frame { self.next_look } else { self.next_frame.min(self.next_look) };
        event_loop.set_control_flow(ControlFlow::WaitUntil(wake));
    }

    fn now_s(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn notify(&mut self, text: impl Into<String>) {
        self.panels.notify(text, self.now_s());
    }

    fn notify_about(&mut self, topic: &'static str, text: impl Into<String>) {
        self.panels.notify_about(topic, text, self.now_s());
    }

    fn show_error(&mut self, topic: &'static str, error: &AppError) {
        let text = error.to_string();
        log::error!("{text}");
        self.panels.show_error(topic, &text, self.now_s());
    }

    fn leave(&mut self, event_loop: &ActiveEventLoop, outcome: Result<(), AppError>) {
        self.outcome = outcome;
        event_loop.exit();
    }

    fn system_window(&self) -> Option<&Window> {
        self.window.as_ref().and_then(DemoWindow::system_window)
    }

    /// Whether nobody could see a frame now.
    fn is_hidden(&self) -> bool {
        let Some(window) = self.system_window() else { return true };
        let size = window.inner_size();
        self.occluded || size.width == 0 || size.height == 0 || window.is_minimized() == Some(true)
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        self.change_population();
        let now = Instant::now();
        let elapsed_s = now.duration_since(self.last_frame).as_secs_f64();
        (self.last_frame, self.next_frame) = (now, now + self.shortest_frame);
        self.session.advance(elapsed_s, self.held);
        let simulated = Instant::now();
        self.session.extract(&mut self.frame);
        let extracted = Instant::now();
        let now_s = self.now_s();
        let Some(window) = &mut self.window else { return };
        // A recording is of the picture alone.
        let panels = self.recording.is_none().then_some(&mut self.panels);
        let shown = match window.draw(&self.frame, panels, now_s) {
            Ok(shown) => shown,
            Err(why) => return self.recover(event_loop, why),
        };
        if self.rate.frames() == 0 {
            log::info!("first frame after {:.2} s", self.started.elapsed().as_secs_f64());
            self.panels.hint(now_s);
            self.rate = FrameRate::new(Instant::now());
        }
        let ms = |from: Instant, to: Instant| to.duration_since(from).as_secs_f64() * 1e3;
        let frame = FrameTimes {
            number: self.drawn,
            sim_time_s: self.frame.time_s,
            interval_ms: ms(self.last_presented.unwrap_or(now), shown.presented),
            simulate_ms: ms(now, simulated),
            extract_ms: ms(simulated, extracted),
            cull_ms: shown.cull_ms,
            submit_ms: (ms(extracted, shown.submitted) - shown.cull_ms).max(0.0),
            overlay_ms: ms(shown.submitted, shown.overlaid),
            wait_ms: ms(shown.overlaid, shown.presented),
            gpu_ms: None,
            stats: shown.stats,
        };
        self.last_presented = Some(shown.presented);
        self.drawn = self.drawn.wrapping_add(1);
        self.timed(frame, elapsed_s);
        if let Some(fps) = self.rate.count(Instant::now()) {
            self.panels.statistics_text = self.statistics(fps, &frame.stats);
            if let Some(window) = self.system_window() {
                window.set_title(&format!("Pelagic: {}, {fps:.0} fps", self.session.config.scene.name));
            }
        }
        if self.options.frames.is_some_and(|frames| self.rate.frames() >= frames) {
            self.leave(event_loop, Ok(()));
        }
    }

    /// Hands a frame's times to everybody who follows them.
    fn timed(&mut self, frame: FrameTimes, elapsed_s: f64) {
        self.history.push(frame);
        let Some(window) = &mut self.window else { return };
        let mut newest_gpu_ms = None;
        while let Some((number, times)) = window.clock().poll_gpu() {
            let sum: f64 = times.iter().map(|(_, ms)| ms).sum();
            self.history.gpu(number, sum);
            if let Some(recording) = &mut self.recording {
                recording.gpu(number, times);
            }
            newest_gpu_ms = Some(sum);
        }
        // Waiting for the driver may be waiting for the screen; where the GPU tells, that is left out.
        let load_ms = match newest_gpu_ms.filter(|_| self.history.gpu_median().is_some()) {
            Some(gpu_ms) => gpu_ms.max(frame.cpu_ms()),
            None => frame.total_ms(),
        };
        if self.panels.statistics {
            self.panels.graph = Some(FrameGraph { target_ms: window.target_ms(), history: self.history.clone() });
        }
        if self.recording.is_some() {
            // The picture that is recorded stays as it is.
            return self.recorded(&frame);
        }
        match window.govern(load_ms, elapsed_s) {
            Ok(None) => {}
            Ok(Some(decision)) => {
                log::info!("{decision}");
                self.notify_about("quality", decision.to_string());
            }
            Err(error) => self.show_error("quality", &error),
        }
    }

    /// The text of the panel that F3 shows.
    fn statistics(&self, fps: f64, stats: &FrameStats) -> String {
        let mut text = format!(
            "{fps:6.1} fps {:8.1} ms a frame\n{:6} draws {:6} k triangles {:6} visible",
            1000.0 / fps,
            stats.draws,
            stats.triangles / 1000,
            stats.visible
        );
        if let Some((median, p99)) = self.history.spread() {
            text += &format!("\n{median:6.1} ms frame time, 99 % under {p99:.1}");
        }
        let Some(window) = &self.window else { return text };
        match self.history.gpu_median() {
            Some(gpu) => text += &format!("\n{gpu:6.1} ms of the GPU"),
            None if window.context().device().software => text += "\n     - ms of the GPU: drawn on the CPU",
            None => {}
        }
        if let Some(target) = window.target_ms() {
            let level = window.level();
            text += &format!("\n{level}, held to {target:.1} ms");
        }
        text
    }

    /// Recreates the window and its context; gives up if that has been needed too often.
    fn recover(&mut self, event_loop: &ActiveEventLoop, why: String) {
        let now = Instant::now();
        log::warn!("context lost, recreating ({why})");
        self.losses.retain(|loss| now.duration_since(*loss) < LOSS_SPAN);
        self.losses.push(now);
        let Some(window) = self.window.take() else { return };
        // The last good ones, whatever is in their folder now.
        let shaders = window.shaders().clone();
        drop(window);
        self.recording = None;
        if self.losses.len() > MOST_LOSSES {
            return self.leave(event_loop, Err(AppError::ContextLost(why)));
        }
        let opened = open_window(event_loop, &self.options, &shaders, &self.session.config);
        if let Err(error) = opened.and_then(|window| self.fill(window)) {
            self.leave(event_loop, Err(error));
        }
    }

    /// Looks at what happens outside: edited files, pictures that have been written.
    fn look(&mut self) {
        if self.session.is_edited() {
            self.reload_scene();
        }
        if self.shader_folder.as_mut().is_some_and(ShaderFolder::is_edited) {
            self.reload_shaders();
        }
        let done: Vec<Saving> = self.saving.extract_if(.., |saving| saving.thread.is_finished()).collect();
        done.into_iter().for_each(|saving| self.saved(saving));
    }

    fn reload_scene(&mut self) {
        let next = self.session.reloaded();
        if self.change_scene(next) {
            log::info!("scene \"{}\" read again", self.session.config.scene.name);
            self.notify("scene read again");
        }
    }

    fn reload_shaders(&mut self) {
        let (Some(folder), Some(window)) = (&mut self.shader_folder, &mut self.window) else { return };
        match window.use_shaders(folder.read()) {
            Ok(()) => {
                log::info!("shaders read again from {}", folder.path().display());
                self.disturb_recording("other shaders");
                self.panels.clear_error(SHADERS);
                self.notify("shaders read again");
            }
            Err(error) => self.show_error(SHADERS, &error),
        }
    }

    /// Shows another scene, or the same one changed: all of it, or if anything fails nothing. Says which.
    fn change_scene(&mut self, next: Result<SceneSession, AppError>) -> bool {
        match next.and_then(|next| self.prepare(next)) {
            Ok(change) => {
                self.commit(change);
                self.panels.clear_error(SCENE);
                true
            }
            Err(error) => {
                self.show_error(SCENE, &error);
                false
            }
        }
    }

    /// Makes everything that `session` needs on the screen; what is shown is not touched.
    fn prepare(&self, session: SceneSession) -> Result<SceneChange, AppError> {
        let mut frame = RenderScene::default();
        session.extract(&mut frame);
        let keeps_static_scene = session.world().shares_static_scene(self.session.world());
        let window = self.window.as_ref().map(|window| window.prepare(&session, &frame, keeps_static_scene));
        Ok(SceneChange { window: window.transpose()?, session, frame })
    }

    /// Shows what was prepared; nothing here can fail.
    fn commit(&mut self, change: SceneChange) {
        self.disturb_recording("a change of the scene");
        if let (Some(window), Some(prepared)) = (&mut self.window, change.window) {
            window.commit(prepared);
        }
        (self.session, self.frame) = (change.session, change.frame);
    }

    fn saved(&mut self, Saving { what, thread, .. }: Saving) {
        match thread.join() {
            Ok(Ok(path)) => {
                log::info!("{what} written to {}", path.display());
                self.notify(format!("{what} written to {}", path.display()));
            }
            Ok(Err(error)) => self.show_error(what, &error),
            Err(_) => log::error!("a {what} could not be written"),
        }
    }

    /// Ends whatever still runs and says how it went.
    ///
    /// # Errors
    /// Whatever ended it, if not the person.
    pub fn finish(mut self) -> Result<(), AppError> {
        self.stop_recording("the program's end");
        std::mem::take(&mut self.saving).into_iter().for_each(|saving| self.saved(saving));
        let frames = self.rate.frames();
        if frames > 0 {
            log::info!("{frames} frames, {:.1} a second on average", self.rate.average(self.last_frame));
        }
        self.outcome
    }
}
