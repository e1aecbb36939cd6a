//! The demo while it is shown: frames, edits from outside, loss and recovery.
//!
//! It knows no window system and no clock: it draws on a [`Screen`], takes [`Input`](super::input::Input)s, and is
//! given the time from outside.

use std::fmt::Display;

use bench::run::FrameSample;
use life::AnimalReport;
use math::beside;
use platform::clock::Clock;
use render::{ShaderSource, Stereo};
use runtime::{AppError, threads};
use shell::context_loss::ContextLossLimiter;
use shell::messages::Messages;
use shell::rate::shortest_frame_s;
use shell::screen::{Opener, Screen};
use view::RenderScene;

use crate::DemoOptions;
use crate::aim;
use crate::controls::Controls;
use crate::crowd_maker::CrowdMaker;
use crate::frame_times::FrameHistory;
use crate::live_benchmark::LiveBenchmark;
use crate::overlay::{FrameGraph, IN_SETTINGS, Panels};
use crate::pace::Pace;
use crate::photo_mode::PhotoMode;
use crate::recovery::Recovery;
use crate::saving::Saving;
use crate::scene_switch::SceneSwitch;
use crate::session::SceneSession;
use crate::settings_editor::SettingsEditor;
use crate::shader_folder::ShaderFolder;
use crate::stage::{OverlaidScreen, Stage};
use crate::watched::WatchedAnimal;

mod act;
mod cameras;
#[cfg_attr(target_arch = "wasm32", path = "running/no_film.rs")]
mod film;
mod headset;
#[cfg_attr(target_arch = "wasm32", path = "running/no_headset_session.rs")]
mod headset_session;
#[cfg(target_arch = "wasm32")]
mod outside;
mod photo;
mod play;
mod population;
mod record;
mod save;
mod scenes;
mod settings;
mod tell;
#[cfg(test)]
pub(crate) mod tests;
mod unsaved;

use film::LiveFilm;
use headset::Worn;
#[cfg(target_arch = "wasm32")]
pub use outside::Report;

/// Topic of errors about the scene, each of which stays until it is cleared.
const SCENE: &str = IN_SETTINGS;
/// Topic of errors about files that are gone, like [`SCENE`].
const FILE: &str = "file";
/// Topic of errors about shaders, like [`SCENE`].
const SHADERS: &str = "shaders";
/// Topic of errors about graphics memory, like [`SCENE`].
const MEMORY: &str = "memory";

/// A scene on a screen, and the person before it.
///
/// Each part owns its state: the live benchmark, the film, photo mode, the editor of settings, the switch of scenes,
/// the pace of frames, the controls. The session is the scene in motion, the stage its picture; parts are handed these, and
/// do not know this struct. Their interaction is in this module.
pub struct RunningDemo {
    options: DemoOptions,
    session: SceneSession,
    /// `None` only while a lost one is replaced, and after that has failed.
    stage: Option<Stage>,
    /// Moment of `session` that was extracted last.
    frame: RenderScene,
    panels: Panels,
    pace: Pace,
    history: FrameHistory,
    controls: Controls,
    /// Fish that are being made.
    crowd: CrowdMaker,
    switch: SceneSwitch,
    editor: SettingsEditor,
    recovery: Recovery,
    benchmark: LiveBenchmark,
    /// A film that is being made.
    film: Option<LiveFilm>,
    /// Photo mode, while it is on.
    photo: Option<PhotoMode>,
    watched: WatchedAnimal,
    /// The headset, while one is worn.
    worn: Option<Worn>,
    /// Species that the camera went to last.
    species: Option<usize>,
    shader_folder: Option<ShaderFolder>,
    saving: Vec<Saving>,
    losses: ContextLossLimiter,
    /// Outcome, once the demo has ended.
    outcome: Option<Result<(), AppError>>,
}

/// Title of the screen that shows a scene.
pub fn title(scene: &str) -> String {
    format!("Pelagic: {scene}")
}

impl RunningDemo {
    /// Shows the scene. The time is `clock`'s, by which the program was started at `started_s`.
    ///
    /// # Errors
    /// If the driver refuses an object.
    pub fn new(
        options: DemoOptions,
        session: SceneSession,
        stage: Stage,
        shader_folder: Option<ShaderFolder>,
        (clock, started_s): (Clock, f64),
    ) -> Result<Self, AppError> {
        let (messages, stereo) = (Messages::new(options.language), options.stereo);
        let mut demo = Self {
            recovery: Recovery::new(options.recovery.clone()),
            benchmark: LiveBenchmark::new(options.recordings.clone()),
            options,
            session,
            stage: None,
            frame: RenderScene::default(),
            panels: Panels::new(messages),
            pace: Pace::new(clock, started_s),
            history: FrameHistory::default(),
            controls: Controls::default(),
            crowd: CrowdMaker::default(),
            switch: SceneSwitch::default(),
            editor: SettingsEditor::default(),
            film: None,
            photo: None,
            watched: WatchedAnimal::default(),
            worn: None,
            species: None,
            shader_folder,
            saving: Vec::new(),
            losses: ContextLossLimiter::default(),
            outcome: None,
        };
        demo.fill(stage, stereo)?;
        Ok(demo)
    }

    /// Shows the scene on a new screen.
    fn fill(&mut self, mut stage: Stage, stereo: Stereo) -> Result<(), AppError> {
        self.session.extract(&mut self.frame);
        stage.set_stereo(stereo)?;
        stage.commit(stage.prepare(&self.session, &self.frame, false)?);
        self.stage = Some(stage);
        self.limit_rate();
        self.pace.change_screen();
        self.controls.change_screen();
        self.history.clear();
        Ok(())
    }

    /// Limits the frame rate to that of the screen, if that is wanted.
    fn limit_rate(&mut self) {
        let screen = self.screen().filter(|screen| self.options.vsync && !screen.is_paced());
        let shortest_s = screen.map_or(0.0, |screen| shortest_frame_s(screen.refresh_hz(), screen.device().software));
        self.pace.limit(shortest_s);
    }

    /// Looks outside when it is time to, and requests the next frame when that is due and anybody sees it; if nobody
    /// does, a look follows requests too. Returns the latest time by the clock for the next call.
    pub fn idle(&mut self) -> f64 {
        if self.pace.takes_look() {
            self.look();
            if self.visible_screen().is_none() {
                self.follow_requests();
            }
        }
        let next_look_s = self.pace.next_look_s();
        self.follow_headset();
        let Some(screen) = self.visible_screen() else { return next_look_s };
        if let Some(next_frame_s) = self.pace.waits_until_s() {
            return next_frame_s.min(next_look_s);
        }
        screen.request_redraw();
        next_look_s
    }

    /// Whether the demo has ended; inputs have no effect then.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    fn messages(&self) -> &Messages {
        &self.panels.messages
    }

    fn notify(&mut self, text: impl Into<String>) {
        self.notify_about("", text);
    }

    fn notify_about(&mut self, topic: &'static str, text: impl Into<String>) {
        let text = text.into();
        log::debug!("said: {text}");
        self.panels.notify_about(topic, text, self.pace.since_start_s());
    }

    fn show_error(&mut self, topic: &'static str, error: &dyn Display) {
        let text = error.to_string();
        log::error!("{text}");
        self.panels.show_error(topic, &text, self.pace.since_start_s());
    }

    fn leave(&mut self, outcome: Result<(), AppError>) {
        self.outcome = Some(outcome);
    }

    fn screen(&self) -> Option<&dyn Screen> {
        self.stage.as_ref().map(Stage::screen)
    }

    /// The screen, if anybody could see a frame on it now.
    fn visible_screen(&self) -> Option<&dyn Screen> {
        self.screen().filter(|_| self.runs_headset() || self.window_is_seen())
    }

    /// Whether anybody could see a frame in the window.
    fn window_is_seen(&self) -> bool {
        self.screen().is_some_and(|screen| {
            let (width, height) = screen.size();
            !self.controls.is_covered && width > 0 && height > 0 && !screen.is_minimised()
        })
    }

    /// Follows what keys and panels have asked for; returns whether the loading screen hides the picture meanwhile.
    fn follow_requests(&mut self) -> bool {
        self.follow_reply();
        if self.follow_switch() {
            return true;
        }
        self.change_population();
        self.do_what_is_asked();
        self.turn_shown_dials();
        false
    }

    fn draw(&mut self, open: &mut Opener<'_>) {
        if self.follow_requests() {
            return self.draw_loading_screen(open);
        }
        self.count_down();
        if !self.waits_for_moment() {
            return;
        }
        let (began_s, elapsed_s) = self.pace.begin_frame();
        // A film's frames are at equal intervals, however long they take.
        let (moved_s, clock): (f64, Clock) = match self.film_step_s() {
            Some(step_s) => (step_s, || 0.0),
            None => (elapsed_s, self.pace.clock()),
        };
        self.session.move_diver(moved_s, self.controls.held);
        self.move_wearer(moved_s);
        self.session.extract(&mut self.frame);
        self.show_in_headset();
        let extracted_s = self.pace.clock_s();
        self.rest_photo();
        self.watch_animal();
        let now_s = self.pace.since_start_s();
        let Some(stage) = &mut self.stage else { return };
        // A recording is of the picture alone.
        let panels = (!self.benchmark.is_recording()).then_some(&mut self.panels);
        // The world moves on to the next frame while this one is drawn.
        let (steps, frame, mut stepped_s) = (self.session.due_steps(moved_s), &self.frame, 0.0);
        let now = self.pace.clock();
        let step = || {
            let began_s = now();
            steps.take(clock);
            stepped_s = now() - began_s;
        };
        let shown = match beside(threads::beside, step, || stage.draw(frame, panels, now_s)) {
            Ok(shown) => shown,
            Err(why) => return self.recover(open, why),
        };
        let waited_s = self.pace.clock_s() - shown.presented_s;
        self.show_moment();
        if shown.stats.refused == 0 {
            self.panels.clear_error(MEMORY);
        } else if self.history.newest().is_none_or(|frame| frame.stats.refused == 0) {
            self.show_error(
                MEMORY,
                &"the graphics driver has no memory for all that is in view; some of it is missing",
            );
        }
        if self.pace.frames() == 0 {
            log::info!("first frame after {:.2} s", self.pace.since_start_s());
            // A page has a button for it, and fingers have no F1.
            if cfg!(not(target_arch = "wasm32")) {
                self.panels.hint(now_s);
            }
            self.raise_loading_screen();
            self.offer_left_changes();
            self.pace.count_anew();
        }
        let ms = |from_s: f64, to_s: f64| (to_s - from_s) * 1e3;
        let (number, frame_s) = self.pace.present(began_s, shown.presented_s);
        let frame = FrameSample {
            number,
            sim_time_s: self.frame.time_s,
            frame_ms: 1e3 * frame_s,
            simulate_ms: 1e3 * waited_s,
            extract_ms: ms(began_s, extracted_s),
            cull_ms: shown.cull_ms,
            draw_ms: (ms(extracted_s, shown.submitted_s) - shown.cull_ms).max(0.0),
            overlay_ms: ms(shown.submitted_s, shown.overlaid_s),
            wait_ms: ms(shown.overlaid_s, shown.presented_s),
            beside_ms: (1e3 * (stepped_s - waited_s)).max(0.0),
            gpu_ms: None,
            stats: shown.stats,
        };
        self.timed(frame, elapsed_s);
        self.film_frame();
        // A recording is of the picture alone: its title stays.
        if let Some(fps) = self.pace.count().filter(|_| !self.benchmark.is_recording()) {
            self.panels.statistics_text = self.statistics(fps, &frame.stats);
            if self.film.is_none() {
                self.set_title(&format!("{}, {fps:.0} fps", title(&self.session.config.scene.name)));
            }
        }
        if self.options.frames.is_some_and(|frames| self.pace.frames() >= frames) {
            self.leave(Ok(()));
        }
    }

    /// Sets the title back to that of the scene.
    fn show_title(&self) {
        self.set_title(&title(&self.session.config.scene.name));
    }

    fn set_title(&self, title: &str) {
        if let Some(screen) = self.screen() {
            screen.set_title(title);
        }
    }

    /// Counts down to a recording.
    fn count_down(&mut self) {
        if !self.benchmark.is_busy() {
            return;
        }
        let history = std::mem::take(&mut self.history);
        self.record(|benchmark, shown| benchmark.count_down(shown, &history));
        self.history = history;
    }

    /// Finds the animal in the middle of the picture, if its mind is shown.
    fn watch_animal(&mut self) {
        if self.panels.mind && !self.benchmark.is_recording() {
            let world = self.session.world();
            let camera = &self.watching();
            let is_hidden = |place| aim::is_hidden(world, camera.eye, place);
            let animal = self.watched.find(camera, world.reports(), is_hidden);
            let species = &self.session.config.scene.species;
            let name = |animal: &AnimalReport| self.panels.messages.creature(&species[animal.species].name);
            self.panels.animal = animal.map(|animal| (name(&animal), animal));
        }
    }

    /// Passes a frame's times on to the history, the benchmark, the graph and the governor.
    fn timed(&mut self, frame: FrameSample, elapsed_s: f64) {
        self.history.push(frame);
        let Some(stage) = &mut self.stage else { return };
        let mut newest_gpu_ms = None;
        while let Some((number, times)) = stage.clock().poll_gpu() {
            let sum: f64 = times.iter().map(|(_, ms)| ms).sum();
            self.history.gpu(number, sum);
            self.benchmark.gpu(number, times);
            newest_gpu_ms = Some(sum);
        }
        // Waiting for the driver may be waiting for the screen; where there are GPU times, it is left out.
        let load_ms = match newest_gpu_ms.filter(|_| self.history.gpu_median().is_some()) {
            Some(gpu_ms) => gpu_ms.max(frame.cpu_ms() + frame.overlay_ms),
            None if stage.screen().is_paced() => frame.frame_ms,
            None => frame.total_ms(),
        };
        if self.benchmark.is_recording() {
            // While recording, the quality stays the same, and nothing is prepared that the picture does not show.
            return self.record(|benchmark, shown| benchmark.frame(&frame, shown));
        }
        if self.panels.statistics {
            self.panels.graph = Some(FrameGraph { target_ms: stage.target_ms(), history: self.history.clone() });
        }
        // A still picture is drawn as it is to be written, however long that takes.
        if self.photo.is_some() {
            return;
        }
        match stage.govern(load_ms, elapsed_s) {
            Ok(None) => {}
            Ok(Some(decision)) => {
                log::info!("{decision}");
                self.notify_about("quality", self.quality_changed(&decision));
            }
            Err(error) => self.show_error("quality", &error),
        }
    }

    /// Shows the scene on a new screen in place of one that is lost; gives up if that has been needed too often.
    fn recover(&mut self, open: &mut Opener<'_>, why: String) {
        let now_s = self.pace.clock_s();
        log::warn!("context lost, recreating ({why})");
        let is_worth_while = self.losses.another(now_s);
        let Some(stage) = self.stage.take() else { return };
        // The last good shaders, whatever is in their folder now.
        let (shaders, mut stereo) = (stage.shaders().clone(), stage.stereo());
        if Self::has_headset(&stage)
            && let Some(before) = self.leave_wearer()
        {
            stereo = before;
        }
        drop(stage);
        self.stop_recording("the loss of the graphics context");
        self.end_film();
        if !is_worth_while {
            return self.leave(Err(AppError::ContextLost(why)));
        }
        if let Err(error) = self.reopen(open, &shaders, stereo) {
            self.leave(Err(error));
        }
    }

    fn reopen(&mut self, open: &mut Opener<'_>, shaders: &ShaderSource, stereo: Stereo) -> Result<(), AppError> {
        let config = &self.session.config;
        let screen = open(&title(&config.scene.name))?;
        let screen = OverlaidScreen::new(screen, self.options.ui);
        let make = if cfg!(target_arch = "wasm32") { Stage::with_deferred_compilation } else { Stage::new };
        self.fill(make(screen, self.pace.clock(), shaders, config)?, stereo)
    }

    /// Looks for changes outside: edited files, pictures that have been written.
    fn look(&mut self) {
        if self.session.is_edited() {
            self.reload_scene();
        }
        for file in self.session.gone_files() {
            let file = file.display();
            self.show_error(FILE, &format!("{file} is gone; its scene goes on, and is read again once it is back"));
        }
        if self.shader_folder.as_mut().is_some_and(ShaderFolder::is_edited) {
            self.reload_shaders();
        }
        self.look_after_saving();
        self.keep_unsaved();
    }

    fn reload_scene(&mut self) {
        let next = self.session.reloaded();
        if self.change_scene(next) {
            log::info!("scene \"{}\" read again", self.session.config.scene.name);
            self.panels.clear_error(FILE);
            self.notify(self.messages().get("scene-read-again"));
        }
    }

    fn reload_shaders(&mut self) {
        let (Some(folder), Some(stage)) = (&mut self.shader_folder, &mut self.stage) else { return };
        match folder.read().and_then(|shaders| stage.use_shaders(shaders)) {
            Ok(()) => {
                log::info!("shaders read again from {}", folder.path().display());
                self.panels.clear_error(SHADERS);
                self.notify(self.messages().get("shaders-read-again"));
            }
            Err(error) => self.show_error(SHADERS, &error),
        }
    }

    /// Ends everything that still runs, logs the frame rate and returns the outcome.
    ///
    /// # Errors
    /// The error that ended it, if the person did not.
    pub fn finish(mut self) -> Result<(), AppError> {
        self.stop_recording("the program's end");
        self.finish_saving();
        self.benchmark.finish();
        let unsaved = self.unsaved();
        if let Err(error) = self.recovery.keep_now(&unsaved) {
            log::error!("changes that are not saved are lost: {error}");
        }
        let frames = self.pace.frames();
        match self.pace.average() {
            Some(rate) => log::info!("{frames} frames, {rate:.1} a second on average"),
            None if frames > 0 => log::info!("1 frame"),
            None => {}
        }
        self.outcome.unwrap_or(Ok(()))
    }
}
