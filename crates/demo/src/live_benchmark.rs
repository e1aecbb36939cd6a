//! The benchmark of the picture on the screen, after a countdown in which it is announced; or one with ever
//! more fish.

use bench::files::OutDir;
use bench::header::Facts;
#[cfg(any(test, target_arch = "wasm32"))]
use bench::ladder::RUNGS;
use bench::live::{self, Finished, Length, Recording};
use bench::live_ladder::{self, LiveLadder};
use bench::picture::ScenePicture;
use bench::run::{FrameSample, PassMs};
use bench::{BenchError, FrameEnd, table};
use config::Edits;
use math::median;
use platform::out_folders::OutFolders;
use platform::stderr::say;
use render::Capture;
use runtime::threads;
use runtime::{AppError, SceneOptions};
use shell::messages::Messages;
use view::RenderScene;

use crate::command::Command;
use crate::frame_times::FrameHistory;
use crate::saving::{SaveJob, WriteFailure, Written, with_reason};
use crate::session::SceneSession;
use crate::stage::Stage;

mod conditions;

pub use conditions::Conditions;

/// Name of the saved thing, and topic of errors.
const BENCHMARK: &str = "benchmark";
/// Time from the key to the first frame that is recorded, for the announcement to be read. Unit: s.
const COUNTDOWN_S: f64 = 3.0;

/// LiveBenchmark of benchmarks of the picture on the screen.
pub struct LiveBenchmark {
    folders: OutFolders,
    state: State,
    /// Recordings that no folder has taken yet.
    unwritten: Vec<Finished>,
}

/// The picture that is recorded, and everything it depends on.
pub struct Shown<'a> {
    /// Session that is shown.
    pub session: &'a SceneSession,
    /// Stage on which it is shown, unless the driver cannot draw any more.
    pub stage: Option<&'a mut Stage>,
    /// The moment that is shown.
    pub frame: &'a RenderScene,
    /// Conditions that are to stay the same.
    pub conditions: Conditions,
    /// The language of messages.
    pub messages: &'a Messages,
    /// The present moment by the clock. Unit: s.
    pub clock_s: f64,
}

#[derive(Default)]
enum State {
    #[default]
    Idle,
    Countdown(Countdown),
    Recording(Box<LiveRecording>),
    BetweenRungs(Box<Climb>, Place),
}

/// A recording that is about to begin.
struct Countdown {
    begins_s: f64,
    /// Remaining seconds that were announced last.
    said_s: Option<u32>,
    place: Place,
}

/// Destination of a recording.
struct Place {
    out: OutDir,
    /// Reason why it does not go into the preferred folder, if so.
    refused: Option<String>,
}

/// A recording, and its destination.
struct LiveRecording {
    recording: Recording,
    /// Conditions under which it began.
    conditions: Conditions,
    place: Place,
    /// Ladder of fish that it is a rung of, if any.
    climb: Option<Box<Climb>>,
}

/// A ladder of fish that is being climbed.
struct Climb {
    ladder: LiveLadder,
    /// Whether there is another rung to record.
    goes_on: bool,
    /// Options and changes before the ladder.
    before: (SceneOptions, Edits),
}

impl LiveBenchmark {
    /// LiveBenchmark that is idle; recordings go into folders of their own in one of `folders`.
    pub fn new(folders: OutFolders) -> Self {
        Self { folders, state: State::default(), unwritten: Vec::new() }
    }

    /// Whether the picture is being recorded.
    pub fn is_recording(&self) -> bool {
        matches!(self.state, State::Recording(_))
    }

    /// Whether the picture is being recorded, or is about to be.
    pub fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// The number of fish of the rung that is being recorded, if one is.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn rung(&self) -> Option<u32> {
        match &self.state {
            State::Recording(live) => live.climb.as_ref()?.ladder.fish(),
            _ => None,
        }
    }

    /// Begins the countdown, stops the recording in progress, or retries to write the recordings that no folder has
    /// taken.
    pub fn toggle(&mut self, shown: Shown<'_>) -> Vec<Command> {
        match &self.state {
            State::Idle if !self.unwritten.is_empty() => self.write_again(shown.messages),
            State::Idle => match self.claim() {
                Ok(place) => {
                    let begins_s = shown.clock_s + COUNTDOWN_S;
                    self.state = State::Countdown(Countdown { begins_s, said_s: None, place });
                    vec![Command::ClearError(BENCHMARK)]
                }
                Err(refused) => vec![refused],
            },
            _ => self.stop("the key B", shown),
        }
    }

    fn claim(&self) -> Result<Place, Command> {
        match self.folders.first(live::claim) {
            Ok((out, refused)) => Ok(Place { out, refused: refused.map(|error| error.to_string()) }),
            Err(error) => {
                let error = AppError::Benchmark(format!("{error}; make it writable, or start with --out DIR"));
                Err(Command::ShowError(BENCHMARK, error.to_string()))
            }
        }
    }

    /// Announces the recording, and begins it when the countdown is over; to be called between frames.
    pub fn count_down(&mut self, shown: Shown<'_>, history: &FrameHistory) -> Vec<Command> {
        let State::Countdown(countdown) = &mut self.state else { return Vec::new() };
        let left_s = (countdown.begins_s - shown.clock_s).ceil().max(0.0) as u32;
        if left_s == 0 {
            return match std::mem::take(&mut self.state) {
                State::Countdown(Countdown { place, .. }) => self.begin(place, shown),
                _ => Vec::new(),
            };
        }
        if countdown.said_s.replace(left_s) == Some(left_s) {
            return Vec::new();
        }
        let Length { frames, longest } = Length::USUAL;
        let longest_s = longest.as_secs_f64();
        let intervals: Vec<f64> = history.frames().map(|frame| frame.frame_ms).collect();
        let takes_s = median(&intervals).map_or(longest_s, |median| f64::from(frames) * median / 1e3);
        let takes_s = takes_s.clamp(1.0, longest_s);
        let values = [
            ("left", left_s.into()),
            ("frames", frames.into()),
            ("takes", format!("{takes_s:.0}").into()),
            ("longest", longest.as_secs().into()),
            ("path", countdown.place.out.path().display().to_string().into()),
        ];
        let text = shown.messages.format("benchmark-begins", &values);
        vec![Command::Notify(BENCHMARK, with_reason(text, countdown.place.refused.as_deref()))]
    }

    fn begin(&mut self, place: Place, Shown { session, stage, frame, conditions, .. }: Shown<'_>) -> Vec<Command> {
        let Some(stage) = stage else {
            place.out.abandon();
            return Vec::new();
        };
        let (eye, paused) = (frame.camera.eye, if session.paused { ", the world standing still" } else { "" });
        let seen_from =
            format!("recorded live, seen from {:.1} {:.1} {:.1} at {:.1} s{paused}", eye.x, eye.y, eye.z, frame.time_s);
        let held = stage.target_ms().map(|_| format!("{}, held while recording", stage.level()));
        let notes = std::iter::once(seen_from).chain(held).collect();
        let Length { frames, longest } = Length::USUAL;
        let recording = Recording::new(facts(session, stage, &conditions, &set(session)), notes, Length::USUAL);
        let (longest_s, folder) = (longest.as_secs(), place.out.path().display());
        log::info!("recording {frames} frames or {longest_s} s of what is on the screen into {folder}; B stops");
        self.state = State::Recording(Box::new(LiveRecording { recording, conditions, place, climb: None }));
        vec![
            Command::SetTitle(format!("Pelagic: recording, {longest_s} s at most; B stops")),
            // The time this took is no part of the world's time.
            Command::SkipTime,
        ]
    }

    /// Adds a frame, and ends the recording with its last one or if the conditions have changed.
    pub fn frame(&mut self, frame: &FrameSample, shown: Shown<'_>) -> Vec<Command> {
        let State::Recording(live) = &mut self.state else { return Vec::new() };
        let LiveRecording { recording, conditions, .. } = &mut **live;
        if let Some(what) = conditions.first_difference(&shown.conditions) {
            recording.disturb(what);
        }
        if recording.frame(*frame) || recording.is_disturbed() {
            return self.end(shown);
        }
        Vec::new()
    }

    /// Adds the GPU times of the frame of that number, as the renderer counts them.
    pub fn gpu(&mut self, number: u32, times: PassMs<'_>) {
        if let State::Recording(live) = &mut self.state {
            live.recording.gpu(number, times);
        }
    }

    /// Ends a recording early and writes its frames so far. A recording that has not begun is called off.
    pub fn stop(&mut self, what: &str, shown: Shown<'_>) -> Vec<Command> {
        match std::mem::take(&mut self.state) {
            State::Countdown(Countdown { place, .. }) => {
                place.out.abandon();
                vec![Command::Notify(BENCHMARK, shown.messages.get("benchmark-called-off"))]
            }
            State::Recording(mut live) => {
                live.recording.disturb(what);
                self.state = State::Recording(live);
                self.end(shown)
            }
            state => {
                self.state = state;
                Vec::new()
            }
        }
    }

    fn end(&mut self, shown: Shown<'_>) -> Vec<Command> {
        let State::Recording(live) = std::mem::take(&mut self.state) else { return Vec::new() };
        let LiveRecording { recording, place, climb, .. } = *live;
        let state_hash = shown.session.world().state_hash();
        if let Some(mut climb) = climb {
            climb.goes_on = climb.ladder.climb(shown.session.config.animals(), recording, state_hash);
            self.state = State::BetweenRungs(climb, place);
            return Vec::new();
        }
        let finished = recording.end(state_hash);
        let run = &finished.report.runs[0];
        let median = run.metrics.median_ms.map_or("no frames".into(), |ms| format!("median {ms:.2} ms"));
        let (frames, seconds) = (run.metrics.n, format!("{:.1}", run.metrics.duration_s));
        // The last note says why it ended.
        let ended = run.notes.last().cloned().unwrap_or_default();
        let (id, log) = match run.valid {
            true => ("benchmark-done", format!("benchmark of {frames} frames in {seconds} s: {median}")),
            false => ("benchmark-stopped", format!("benchmark {ended}: {median}")),
        };
        log::info!("{log}");
        let ms = run.metrics.median_ms.map_or("-".into(), |ms| format!("{ms:.2}"));
        let values = [("frames", frames.into()), ("seconds", seconds.into()), ("median", ms.into())];
        let text = shown.messages.format(id, &values);
        vec![Command::Notify(BENCHMARK, text), Command::ShowTitle, self.write(finished, place, shown)]
    }

    /// Begins to record the picture with one number of fish after another, or stops the recording in progress. The
    /// scene is then to be that of [`Self::next_rung`].
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn climb_ladder(&mut self, shown: Shown<'_>) -> Vec<Command> {
        if self.is_busy() {
            return self.stop("another benchmark's being asked for", shown);
        }
        let Shown { session, stage: Some(stage), conditions, .. } = shown else { return Vec::new() };
        let ladder = LiveLadder::new(facts(session, stage, &conditions, &set(session)), &RUNGS);
        match self.claim() {
            Ok(place) => {
                let before = (session.options.clone(), session.edits.clone());
                self.state = State::BetweenRungs(Box::new(Climb { ladder, goes_on: true, before }), place);
                vec![Command::ClearError(BENCHMARK)]
            }
            Err(refused) => vec![refused],
        }
    }

    /// Whether it waits for another number of fish.
    pub fn is_between_rungs(&self) -> bool {
        matches!(self.state, State::BetweenRungs(..))
    }

    /// The number of fish of the rung that comes next, if one does.
    pub fn next_rung(&self) -> Option<u32> {
        match &self.state {
            State::BetweenRungs(climb, _) if climb.goes_on => climb.ladder.fish(),
            _ => None,
        }
    }

    /// Begins to record the next rung, whose fish are there.
    pub fn begin_rung(&mut self, Shown { session, stage, conditions, .. }: Shown<'_>) -> Vec<Command> {
        match (std::mem::take(&mut self.state), stage) {
            (State::BetweenRungs(climb, place), Some(stage)) => {
                let fish = climb.ladder.fish().unwrap_or_default();
                let set = set(session);
                let facts = facts(session, stage, &conditions, &set);
                let recording = Recording::new(facts, Vec::new(), live_ladder::LENGTH);
                log::info!("recording with {fish} fish");
                let live = LiveRecording { recording, conditions, place, climb: Some(climb) };
                self.state = State::Recording(Box::new(live));
                vec![Command::SetTitle(format!("Pelagic: recording with {fish} fish; B stops")), Command::SkipTime]
            }
            (State::BetweenRungs(mut climb, place), None) => {
                climb.goes_on = false;
                self.state = State::BetweenRungs(climb, place);
                Vec::new()
            }
            (state, _) => {
                self.state = state;
                Vec::new()
            }
        }
    }

    /// Options and changes before the ladder.
    pub fn before_ladder(&self) -> Option<(SceneOptions, Edits)> {
        match &self.state {
            State::BetweenRungs(climb, _) => Some(climb.before.clone()),
            _ => None,
        }
    }

    /// Leaves the ladder and writes its recordings; there are as many fish as before.
    pub fn leave_ladder(&mut self, shown: Shown<'_>) -> Vec<Command> {
        let State::BetweenRungs(climb, place) = std::mem::take(&mut self.state) else { return Vec::new() };
        let finished = climb.ladder.end();
        let rungs = finished.report.ladder.iter().flatten().filter(|rung| rung.runs > 0).count();
        log::info!("a ladder of fish: {rungs} numbers of them");
        let text = shown.messages.format("ladder-done", &[("rungs", rungs.into())]);
        let write = self.write(finished, place, shown);
        vec![Command::Notify(BENCHMARK, text), Command::ShowTitle, write, Command::SkipTime]
    }

    /// Writes a recording that is over, with the picture that is on the screen.
    fn write(
        &self,
        mut finished: Finished,
        Place { out, refused }: Place,
        Shown { stage, frame, .. }: Shown<'_>,
    ) -> Command {
        let picture = stage.map(|stage| stage.capture(frame));
        let folders = self.folders.clone();
        save(move || {
            if let Some(Ok(Capture::Display { width, height, rgba })) = picture {
                finished.picture = ScenePicture::of((width, height), &rgba);
            }
            match live::write(out, &finished) {
                Ok(path) => Ok(Written { path, refused }),
                Err(error) => write_anywhere(finished, &folders, Some(error)),
            }
        })
    }

    fn write_again(&mut self, messages: &Messages) -> Vec<Command> {
        let again = std::mem::take(&mut self.unwritten).into_iter().map(|finished| {
            let folders = self.folders.clone();
            save(move || write_anywhere(finished, &folders, None))
        });
        let text = messages.get("benchmark-written-again");
        std::iter::once(Command::Notify(BENCHMARK, text)).chain(again).collect()
    }

    /// Keeps a recording that no folder has taken.
    pub fn keep(&mut self, unwritten: Finished) {
        self.unwritten.push(unwritten);
    }

    /// Writes the recordings that are still kept, to the terminal if there is no folder for them.
    pub fn finish(&mut self) {
        for finished in std::mem::take(&mut self.unwritten) {
            let report = table::render(&finished.report);
            match write_anywhere(finished, &self.folders, None) {
                Ok(Written { path, .. }) => log::info!("{BENCHMARK} written to {}", path.display()),
                Err(WriteFailure { error, .. }) => {
                    log::error!("{error}. The table is all that is left of it");
                    say(&report);
                }
            }
        }
    }

    /// Number of recordings that no folder has taken.
    #[cfg(test)]
    pub fn unwritten(&self) -> usize {
        self.unwritten.len()
    }

    /// Sets other folders for recordings.
    #[cfg(test)]
    pub fn write_into(&mut self, folders: OutFolders) {
        self.folders = folders;
    }
}

/// The keys that were set, with the unsaved changes, which are part of what is measured.
fn set(session: &SceneSession) -> Vec<String> {
    session.options.set.iter().cloned().chain(session.edits.arguments()).collect()
}

fn facts<'a>(session: &'a SceneSession, stage: &'a Stage, conditions: &Conditions, set: &'a [String]) -> Facts<'a> {
    Facts {
        config: &session.config,
        static_scene: session.world().static_scene(),
        shaders: stage.shaders(),
        device: stage.screen().device(),
        set,
        asked: (&session.options).into(),
        size: stage.size(),
        seed: session.options.seed,
        level: stage.level(),
        stereo: stage.stereo(),
        // The governor stands still while the picture is recorded.
        governor: false,
        pipelined: threads::IS_PARALLEL,
        vsync: Some(conditions.vsync),
        refresh_hz: stage.screen().refresh_hz(),
        frame_end: FrameEnd::Swap,
        offscreen: false,
        live: true,
        label: None,
    }
}

fn save(work: impl FnOnce() -> Result<Written, WriteFailure> + Send + 'static) -> Command {
    Command::Save(SaveJob { what: BENCHMARK, path: None, work: Box::new(work) })
}

/// Writes a recording into a folder of its own in the first of `folders` that takes it; `refused` is the reason why it
/// is not where it was to be. A recording that no folder takes is given back.
fn write_anywhere(
    finished: Finished,
    folders: &OutFolders,
    refused: Option<BenchError>,
) -> Result<Written, WriteFailure> {
    match folders.first(|folder| live::claim(folder).and_then(|out| live::write(out, &finished))) {
        Ok((path, error)) => Ok(Written { path, refused: refused.or(error).map(|error| error.to_string()) }),
        Err(error) => {
            let error = AppError::Unrecorded(error.to_string());
            Err(WriteFailure { error, kept: Some(Box::new(finished)) })
        }
    }
}
