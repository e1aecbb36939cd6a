//! The demo while its window is open: frames, edits from outside, loss and recovery.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::ModifiersState;
use winit::window::Window;

use crate::app::demo::frame_times::FrameHistory;
use crate::app::demo::overlay::{FrameGraph, Panels};
use crate::app::demo::pointer::PointerLook;
use crate::app::demo::rate::{FrameRate, shortest_frame};
use crate::app::demo::session::{Change, SceneSession};
use crate::app::demo::window::DemoWindow;
use crate::app::demo::{DemoOptions, open_screen};
use crate::app::fly::HeldKeys;
use crate::app::{AppError, interrupt};
use crate::bench::live::Recording;
use crate::bench::run::FrameSample;
use crate::config::FileWatcher;
use crate::scene::RenderScene;

mod input;
mod record;

/// A file that is being written beside the animation: what it is, and where it went.
type Saving = (&'static str, JoinHandle<Result<PathBuf, AppError>>);

/// How often files and interrupts are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Context losses within [`LOSS_SPAN`] after which the program gives up.
const MOST_LOSSES: usize = 3;
/// See [`MOST_LOSSES`].
const LOSS_SPAN: Duration = Duration::from_secs(60);

/// A show on a screen, and the person before it.
pub struct RunningDemo {
    options: DemoOptions,
    show: SceneSession,
    screen: Option<DemoWindow>,
    frame: RenderScene,
    panels: Panels,
    held: HeldKeys,
    pointer: PointerLook,
    modifiers: ModifiersState,
    shaders: Option<(PathBuf, FileWatcher)>,
    saving: Vec<Saving>,
    recording: Option<Recording>,
    history: FrameHistory,
    /// Frames drawn in this window's context, as its renderer counts them.
    drawn: u32,
    started: Instant,
    rate: FrameRate,
    last_frame: Instant,
    last_shown: Option<Instant>,
    next_frame: Instant,
    next_look: Instant,
    shortest_frame: Duration,
    occluded: bool,
    losses: Vec<Instant>,
    outcome: Result<(), AppError>,
}

impl RunningDemo {
    /// Fills the window with the show.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(
        options: DemoOptions,
        show: SceneSession,
        screen: DemoWindow,
        started: Instant,
    ) -> Result<Self, AppError> {
        let now = Instant::now();
        let folder = options.shaders.clone().or_else(|| Some(PathBuf::from("shaders")).filter(|f| f.is_dir()));
        let shaders = folder.map(|folder| {
            let watched = FileWatcher::new(&shader_files(&folder));
            (folder, watched)
        });
        let mut live = Self {
            shaders,
            options,
            show,
            screen: None,
            frame: RenderScene::default(),
            panels: Panels::default(),
            held: HeldKeys::default(),
            pointer: PointerLook::default(),
            modifiers: ModifiersState::default(),
            saving: Vec::new(),
            recording: None,
            history: FrameHistory::default(),
            drawn: 0,
            started,
            rate: FrameRate::new(now),
            last_frame: now,
            last_shown: None,
            next_frame: now,
            next_look: now,
            shortest_frame: Duration::ZERO,
            occluded: false,
            losses: Vec::new(),
            outcome: Ok(()),
        };
        live.take(screen)?;
        Ok(live)
    }

    /// Fills a new window with the show.
    fn take(&mut self, mut screen: DemoWindow) -> Result<(), AppError> {
        screen.load(&self.show)?;
        let refresh = screen.window().and_then(Window::current_monitor).and_then(|m| m.refresh_rate_millihertz());
        self.shortest_frame = match self.options.vsync {
            true => shortest_frame(refresh.map(|mhz| f64::from(mhz) / 1000.0), screen.context().device().software),
            false => Duration::ZERO,
        };
        self.screen = Some(screen);
        self.last_frame = Instant::now();
        (self.drawn, self.last_shown) = (0, None);
        self.history.clear();
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
            && let Some(window) = self.window()
        {
            window.request_redraw();
        }
        let wake = if hidden || now >= self.next_frame { self.next_look } else { self.next_frame.min(self.next_look) };
        event_loop.set_control_flow(ControlFlow::WaitUntil(wake));
    }

    fn now_s(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn say(&mut self, text: impl Into<String>) {
        self.panels.say(text, self.now_s());
    }

    fn say_about(&mut self, topic: &'static str, text: impl Into<String>) {
        self.panels.say_about(topic, text, self.now_s());
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
        self.screen.as_ref().and_then(DemoWindow::window)
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
        let simulated = Instant::now();
        self.show.extract(&mut self.frame);
        let extracted = Instant::now();
        let now_s = self.now_s();
        let Some(screen) = &mut self.screen else { return };
        // A recording is of the picture alone.
        let panels = self.recording.is_none().then_some(&mut self.panels);
        let shown = match screen.draw(&self.frame, panels, now_s) {
            Ok(shown) => shown,
            Err(why) => return self.recover(event_loop, why),
        };
        if self.rate.frames() == 0 {
            log::info!("first frame after {:.2} s", self.started.elapsed().as_secs_f64());
            self.panels.hint(now_s);
            self.rate = FrameRate::new(Instant::now());
        }
        let ms = |from: Instant, to: Instant| to.duration_since(from).as_secs_f64() * 1e3;
        let sample = FrameSample {
            sim_time_s: self.frame.time_s,
            frame_ms: self.last_shown.map_or(ms(now, shown.shown), |last| ms(last, shown.shown)),
            simulate_ms: ms(now, simulated),
            extract_ms: ms(simulated, extracted),
            cull_ms: shown.cull_ms,
            draw_ms: (ms(extracted, shown.submitted) - shown.cull_ms).max(0.0),
            wait_ms: ms(shown.overlaid, shown.shown),
            gpu_ms: None,
            stats: shown.stats,
        };
        self.last_shown = Some(shown.shown);
        self.timed(sample, ms(shown.submitted, shown.overlaid), elapsed_s);
        if let Some(fps) = self.rate.count(Instant::now()) {
            self.panels.statistics_text = self.statistics(fps, &sample);
            if let Some(window) = self.window() {
                window.set_title(&format!("Pelagic: {}, {fps:.0} fps", self.show.config.scene.name));
            }
        }
        if self.options.frames.is_some_and(|frames| self.rate.frames() >= frames) {
            self.leave(event_loop, Ok(()));
        }
    }

    /// Hands a frame's times to everybody who follows them.
    fn timed(&mut self, sample: FrameSample, overlay_ms: f64, elapsed_s: f64) {
        let number = self.drawn;
        self.drawn = self.drawn.wrapping_add(1);
        self.history.push(number, &sample, overlay_ms);
        let Some(screen) = &mut self.screen else { return };
        let mut newest_gpu_ms = None;
        while let Some((number, times)) = screen.clock().poll_gpu() {
            let sum: f64 = times.iter().map(|(_, ms)| ms).sum();
            self.history.gpu(number, sum);
            if let Some(recording) = &mut self.recording {
                recording.gpu(number, times);
            }
            newest_gpu_ms = Some(sum);
        }
        // Waiting for the driver may be waiting for the screen; where the GPU tells, that is left out.
        let busy_ms = sample.cpu_ms() + overlay_ms + sample.wait_ms;
        let load_ms = match newest_gpu_ms.filter(|_| self.history.gpu_median().is_some()) {
            Some(gpu_ms) => gpu_ms.max(sample.cpu_ms() + overlay_ms),
            None => busy_ms,
        };
        if self.panels.statistics {
            self.panels.graph = Some(FrameGraph { target_ms: screen.target_ms(), history: self.history.clone() });
        }
        if self.recording.is_some() {
            // The picture that is recorded stays as it is.
            return self.recorded(number, sample);
        }
        match screen.govern(load_ms, elapsed_s) {
            Ok(None) => {}
            Ok(Some(decision)) => {
                log::info!("{decision}");
                self.say_about("quality", decision.to_string());
            }
            Err(error) => self.complain(&error),
        }
    }

    /// The text of the panel that F3 shows.
    fn statistics(&self, fps: f64, sample: &FrameSample) -> String {
        let stats = sample.stats;
        let mut text = format!(
            "{fps:6.1} fps {:8.1} ms a frame\n{:6} draws {:6} k triangles {:6} visible",
            1000.0 / fps,
            stats.draws,
            stats.triangles / 1000,
            stats.visible
        );
        if let Some((median, p99)) = self.history.spread() {
            text += &format!("\n{median:6.1} ms at work, 99 % under {p99:.1}");
        }
        match self.history.gpu_median() {
            Some(gpu) => text += &format!("\n{gpu:6.1} ms of the GPU"),
            None if self.screen.as_ref().is_some_and(|screen| screen.context().device().software) => {
                text += "\n     - ms of the GPU: drawn on the CPU";
            }
            None => {}
        }
        if let Some(screen) = &self.screen
            && let (Some(level), Some(target)) = (screen.level(), screen.target_ms())
        {
            text += &format!("\n{level}, held to {target:.1} ms");
        }
        text
    }

    /// Makes everything of the driver's anew; gives up if that has been needed too often.
    fn recover(&mut self, event_loop: &ActiveEventLoop, why: String) {
        let now = Instant::now();
        log::warn!("the graphics driver has thrown everything away ({why}); making it anew");
        self.losses.retain(|loss| now.duration_since(*loss) < LOSS_SPAN);
        self.losses.push(now);
        self.screen = None;
        self.recording = None;
        if self.losses.len() > MOST_LOSSES {
            return self.leave(event_loop, Err(AppError::ContextLost(why)));
        }
        let opened = open_screen(event_loop, &self.options, &self.show.config);
        if let Err(error) = opened.and_then(|screen| self.take(screen)) {
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
        let (done, busy): (Vec<Saving>, Vec<Saving>) =
            std::mem::take(&mut self.saving).into_iter().partition(|(_, thread)| thread.is_finished());
        self.saving = busy;
        for saving in done {
            self.saved(saving);
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

    fn saved(&mut self, (what, thread): Saving) {
        match thread.join() {
            Ok(Ok(path)) => {
                log::info!("{what} written to {}", path.display());
                self.say(format!("{what} written to {}", path.display()));
            }
            Ok(Err(error)) => self.complain(&error),
            Err(_) => log::error!("a {what} could not be written"),
        }
    }

    /// Ends whatever still runs and says how it went.
    ///
    /// # Errors
    /// Whatever ended it, if not the person.
    pub fn finish(mut self) -> Result<(), AppError> {
        self.stop_recording("the program's end");
        for saving in std::mem::take(&mut self.saving) {
            self.saved(saving);
        }
        let frames = self.rate.frames();
        if frames > 0 {
            log::info!("{frames} frames, {:.1} a second on average", self.rate.average(self.last_frame));
        }
        self.outcome
    }
}

/// The shaders in a folder and in the folders right below it.
fn shader_files(folder: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default()
    };
    let (folders, mut files): (Vec<_>, Vec<_>) = list(folder).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| list(folder)));
    files.retain(|path| path.extension().is_some_and(|ending| ending == "glsl"));
    files
}
