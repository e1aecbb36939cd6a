//! B: a benchmark of what is on the screen, after a moment in which the screen says what comes. A page can also have one with
//! ever more fish.

use bench::files::OutDir;
use bench::header::Facts;
use platform::out_folders::OutFolders;
use platform::stderr::say;
use runtime::{AppError, SceneOptions};

use crate::running::RunningDemo;
use crate::running::save::{Saved, Unsaved, with_reason};
use crate::stage::Stage;
#[cfg(any(test, target_arch = "wasm32"))]
use bench::ladder::RUNGS;
use bench::live::{self, Finished, Length, Recording};
use bench::live_ladder::{self, LiveLadder};
use bench::picture::ScenePicture;
use bench::run::FrameSample;
use bench::{BenchError, FrameEnd, table};
use config::Edits;
use render::Capture;

/// What is saved, and a topic of errors.
const BENCHMARK: &str = "benchmark";
/// From the key to the first frame that is recorded: time to read what is about to happen. Unit: s.
const COUNTDOWN_S: f64 = 3.0;

/// A recording that is about to begin.
pub struct Countdown {
    begins_s: f64,
    /// Seconds that the screen said last.
    said_s: Option<u32>,
    place: Place,
}

/// Where a recording goes.
struct Place {
    out: OutDir,
    /// Why it does not go where it was to go.
    refused: Option<String>,
}

/// A recording, and where it goes.
pub struct LiveRecording {
    /// The frames so far.
    pub recording: Recording,
    place: Place,
    /// The ladder of fish that it is a rung of, if it is.
    climb: Option<Climb>,
}

/// A ladder of fish on which somebody is.
struct Climb {
    ladder: LiveLadder,
    /// What was asked for before.
    before: (SceneOptions, Edits),
}

impl RunningDemo {
    /// Begins to record what is on the screen, or stops if that is being done.
    pub(super) fn toggle_recording(&mut self) {
        if self.recording.is_some() {
            return self.stop_recording("the key B");
        }
        if self.countdown.is_some() {
            return self.call_off_recording();
        }
        if !self.unwritten.is_empty() {
            return self.write_again();
        }
        match self.options.recordings.first(live::claim) {
            Ok((out, refused)) => {
                self.panels.clear_error(BENCHMARK);
                let place = Place { out, refused: refused.map(|error| error.to_string()) };
                self.countdown = Some(Countdown { begins_s: (self.clock)() + COUNTDOWN_S, said_s: None, place });
            }
            Err(error) => self.show_error(BENCHMARK, &refusal(&error)),
        }
    }

    /// Says what is about to happen, and begins to record when it is time to; called between frames.
    pub(super) fn count_down(&mut self) {
        let Some(countdown) = &mut self.countdown else { return };
        let left_s = (countdown.begins_s - (self.clock)()).ceil().max(0.0) as u32;
        if left_s == 0 {
            if let Some(Countdown { place, .. }) = self.countdown.take() {
                self.begin_recording(place);
            }
            return;
        }
        if countdown.said_s.replace(left_s) == Some(left_s) {
            return;
        }
        let Length { frames, longest } = Length::USUAL;
        let longest_s = longest.as_secs_f64();
        let intervals: Vec<f64> = self.history.frames().map(|frame| frame.frame_ms).collect();
        let takes_s = math::median(&intervals).map_or(longest_s, |median| f64::from(frames) * median / 1e3);
        let takes_s = takes_s.clamp(1.0, longest_s);
        let values = [
            ("left", left_s.into()),
            ("frames", frames.into()),
            ("takes", format!("{takes_s:.0}").into()),
            ("longest", longest.as_secs().into()),
            ("path", countdown.place.out.path().display().to_string().into()),
        ];
        let refused = countdown.place.refused.clone();
        let said = self.messages().format("benchmark-begins", &values);
        self.notify_about(BENCHMARK, with_reason(said, refused.as_deref()));
    }

    /// What is changed and not saved is part of what is measured.
    fn set(&self) -> Vec<String> {
        self.session.options.set.iter().cloned().chain(self.session.edits.arguments()).collect()
    }

    /// What is known of what is shown; `set` is [`Self::set`].
    fn facts<'a>(&'a self, stage: &'a Stage, set: &'a [String]) -> Facts<'a> {
        Facts {
            config: &self.session.config,
            static_scene: self.session.world().static_scene(),
            shaders: stage.shaders(),
            device: stage.screen().device(),
            set,
            asked: (&self.session.options).into(),
            size: stage.size(),
            seed: self.session.options.seed,
            level: stage.level(),
            stereo: stage.stereo(),
            // It stands still while the picture is recorded.
            governor: false,
            vsync: Some(self.options.vsync),
            refresh_hz: stage.screen().refresh_hz(),
            frame_end: FrameEnd::Swap,
            offscreen: false,
            live: true,
            label: None,
        }
    }

    fn begin_recording(&mut self, place: Place) {
        let Some(stage) = &self.stage else { return place.out.abandon() };
        let (eye, paused) =
            (self.frame.camera.eye, if self.session.paused { ", the world standing still" } else { "" });
        let seen_from = format!(
            "recorded live, seen from {:.1} {:.1} {:.1} at {:.1} s{paused}",
            eye.x, eye.y, eye.z, self.frame.time_s
        );
        let held = stage.target_ms().map(|_| format!("{}, held while recording", stage.level()));
        let notes = std::iter::once(seen_from).chain(held).collect();
        let Length { frames, longest } = Length::USUAL;
        let recording = Recording::new(self.facts(stage, &self.set()), notes, Length::USUAL);
        let (longest_s, folder) = (longest.as_secs(), place.out.path().display());
        log::info!("recording {frames} frames or {longest_s} s of what is on the screen into {folder}; B stops");
        stage.screen().set_title(&format!("Pelagic: recording, {longest_s} s at most; B stops"));
        self.recording = Some(LiveRecording { recording, place, climb: None });
        // What this took is no part of the world's time.
        self.last_frame_s = (self.clock)();
    }

    /// Begins to record what is on the screen with one number of fish after another, or stops what is recorded.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn climb_ladder(&mut self) {
        if self.recording.is_some() || self.countdown.is_some() {
            return self.stop_recording("another benchmark's being asked for");
        }
        let Some(stage) = &self.stage else { return };
        let ladder = LiveLadder::new(self.facts(stage, &self.set()), &RUNGS);
        match self.options.recordings.first(live::claim) {
            Ok((out, refused)) => {
                self.panels.clear_error(BENCHMARK);
                let place = Place { out, refused: refused.map(|error| error.to_string()) };
                let before = (self.session.options.clone(), self.session.edits.clone());
                self.begin_rung(Climb { ladder, before }, place);
            }
            Err(error) => self.show_error(BENCHMARK, &refusal(&error)),
        }
    }

    /// The number of fish of the rung that is being recorded, if one is.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn rung(&self) -> Option<u32> {
        self.recording.as_ref()?.climb.as_ref()?.ladder.fish()
    }

    fn begin_rung(&mut self, climb: Climb, place: Place) {
        let fish = climb.ladder.fish().unwrap_or_default();
        let next = self.session.with_fish(fish);
        let Some(stage) = self.change_scene(next).then_some(self.stage.as_ref()).flatten() else {
            // Why is said already.
            return self.leave_ladder(climb, place);
        };
        let recording = Recording::new(self.facts(stage, &self.set()), Vec::new(), live_ladder::LENGTH);
        log::info!("recording with {fish} fish");
        stage.screen().set_title(&format!("Pelagic: recording with {fish} fish; B stops"));
        self.recording = Some(LiveRecording { recording, place, climb: Some(climb) });
        // What this took is no part of the world's time.
        self.last_frame_s = (self.clock)();
    }

    /// Has as many fish as before, and writes what was recorded.
    fn leave_ladder(&mut self, Climb { ladder, before: (options, edits) }: Climb, place: Place) {
        let finished = ladder.end();
        let rungs = finished.report.ladder.iter().flatten().filter(|rung| rung.runs > 0).count();
        let before = self.session.asked_as(options, edits);
        self.change_scene(before);
        log::info!("a ladder of fish: {rungs} numbers of them");
        self.notify_about(BENCHMARK, self.messages().format("ladder-done", &[("rungs", rungs.into())]));
        self.show_title();
        self.write(finished, place);
        self.last_frame_s = (self.clock)();
    }

    /// Calls off a recording that has not begun, if there is one.
    pub(super) fn call_off_recording(&mut self) {
        if let Some(Countdown { place, .. }) = self.countdown.take() {
            place.out.abandon();
            self.notify_about(BENCHMARK, self.messages().get("benchmark-called-off"));
        }
    }

    /// Takes in a frame while recording.
    pub(super) fn recorded(&mut self, frame: &FrameSample) {
        let Some(LiveRecording { recording, .. }) = &mut self.recording else { return };
        if recording.frame(*frame) || recording.is_disturbed() {
            self.write_recording();
        }
    }

    /// Something has happened that spoils a recording, if there is one.
    pub(super) fn disturb_recording(&mut self, what: &str) {
        if let Some(LiveRecording { recording, .. }) = &mut self.recording {
            recording.disturb(what);
        }
    }

    /// Ends a recording before its time; what there is of it is written. One that has not begun does not begin.
    pub(super) fn stop_recording(&mut self, what: &str) {
        self.call_off_recording();
        self.disturb_recording(what);
        self.write_recording();
    }

    fn write_recording(&mut self) {
        let Some(LiveRecording { recording, place, climb }) = self.recording.take() else { return };
        let state_hash = self.session.world().state_hash();
        if let Some(mut climb) = climb {
            return match climb.ladder.climb(self.session.config.animals(), recording, state_hash) {
                true => self.begin_rung(climb, place),
                false => self.leave_ladder(climb, place),
            };
        }
        let finished = recording.end(state_hash);
        let run = &finished.report.runs[0];
        let median = run.metrics.median_ms.map_or("no frames".into(), |ms| format!("median {ms:.2} ms"));
        let (frames, seconds) = (run.metrics.n, format!("{:.1}", run.metrics.duration_s));
        // The last note says what ended it.
        let ended = run.notes.last().cloned().unwrap_or_default();
        let (id, log) = match run.valid {
            true => ("benchmark-done", format!("benchmark of {frames} frames in {seconds} s: {median}")),
            false => ("benchmark-stopped", format!("benchmark {ended}: {median}")),
        };
        log::info!("{log}");
        let ms = run.metrics.median_ms.map_or("-".into(), |ms| format!("{ms:.2}"));
        let values = [("frames", frames.into()), ("seconds", seconds.into()), ("median", ms.into())];
        self.notify_about(BENCHMARK, self.messages().format(id, &values));
        self.show_title();
        self.write(finished, place);
    }

    /// Writes a recording that is over.
    fn write(&mut self, mut finished: Finished, Place { out, refused }: Place) {
        // The frames are over. A driver that cannot draw another has no picture to give.
        let shown = self.stage.as_mut().filter(|_| self.outcome.is_none()).map(|stage| stage.capture(&self.frame));
        let folders = self.options.recordings.clone();
        self.save(BENCHMARK, None, move || {
            if let Some(Ok(Capture::Display { width, height, rgba })) = shown {
                finished.picture = ScenePicture::of((width, height), &rgba);
            }
            match live::write(out, &finished) {
                Ok(path) => Ok(Saved { path, refused }),
                Err(error) => write_anywhere(finished, &folders, Some(error)),
            }
        });
    }

    /// Tries once more to write what could not be written.
    fn write_again(&mut self) {
        self.notify_about(BENCHMARK, self.messages().get("benchmark-written-again"));
        for finished in std::mem::take(&mut self.unwritten) {
            let folders = self.options.recordings.clone();
            self.save(BENCHMARK, None, move || write_anywhere(finished, &folders, None));
        }
    }

    /// Writes what is still kept, to the terminal if there is no folder for it.
    pub(super) fn finish_recordings(&mut self) {
        for finished in std::mem::take(&mut self.unwritten) {
            let report = table::render(&finished.report);
            match write_anywhere(finished, &self.options.recordings, None) {
                Ok(Saved { path, .. }) => log::info!("{BENCHMARK} written to {}", path.display()),
                Err(Unsaved { error, .. }) => {
                    log::error!("{error}. The table is all that is left of it");
                    say(&report);
                }
            }
        }
    }
}

/// Writes a recording into a folder of its own in the first of `folders` that takes it; `refused` is why it is not where it
/// was to be. What no folder takes is given back.
fn write_anywhere(finished: Finished, folders: &OutFolders, refused: Option<BenchError>) -> Result<Saved, Unsaved> {
    match folders.first(|folder| live::claim(folder).and_then(|out| live::write(out, &finished))) {
        Ok((path, error)) => Ok(Saved { path, refused: refused.or(error).map(|error| error.to_string()) }),
        Err(error) => {
            let error = AppError::Unrecorded(error.to_string());
            Err(Unsaved { error, kept: Some(Box::new(finished)) })
        }
    }
}

/// Why nothing is recorded, and what to do.
fn refusal(error: &BenchError) -> AppError {
    AppError::Benchmark(format!("{error}; make it writable, or start with --out DIR"))
}
