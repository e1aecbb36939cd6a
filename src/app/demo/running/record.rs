//! B: a benchmark of what is on the screen.

use crate::app::AppError;
use crate::app::demo::frame_times::FrameTimes;
use crate::app::demo::running::RunningDemo;
use crate::bench::FrameEnd;
use crate::bench::header::Facts;
use crate::bench::live::{self, FRAMES, LONGEST, Recording};
use crate::bench::run::FrameSample;

/// What is saved, and a topic of errors.
const BENCHMARK: &str = "benchmark";

impl RunningDemo {
    /// Begins to record what is on the screen, or stops if that is being done.
    pub(super) fn toggle_recording(&mut self) {
        if self.recording.is_some() {
            return self.stop_recording("the key B");
        }
        let Some(stage) = &self.stage else { return };
        let (eye, paused) =
            (self.frame.camera.eye, if self.session.paused { ", the world standing still" } else { "" });
        let facts = Facts {
            config: &self.session.config,
            static_scene: self.session.world().static_scene(),
            shaders: stage.shaders(),
            device: stage.screen().device(),
            set: &self.session.options.set,
            asked: (&self.session.options).into(),
            size: stage.size(),
            seed: self.session.options.seed,
            level: stage.level(),
            // It stands still while the picture is recorded.
            governor: false,
            vsync: Some(self.options.vsync),
            refresh_hz: stage.screen().refresh_hz(),
            frame_end: FrameEnd::Swap,
            offscreen: false,
            live: true,
            label: None,
        };
        let seen_from = format!(
            "recorded live, seen from {:.1} {:.1} {:.1} at {:.1} s{paused}",
            eye.x, eye.y, eye.z, self.frame.time_s
        );
        let held = stage.target_ms().map(|_| format!("{}, held while recording", stage.level()));
        let notes = std::iter::once(seen_from).chain(held).collect();
        let recording = match Recording::new(facts, notes, &self.options.recordings) {
            Ok(recording) => recording,
            Err(error) => return self.show_error(BENCHMARK, &AppError::Benchmark(error.to_string())),
        };
        self.panels.clear_error(BENCHMARK);
        let (longest_s, folder) = (LONGEST.as_secs(), recording.folder().display());
        log::info!("recording {FRAMES} frames or {longest_s} s of what is on the screen into {folder}; B stops");
        self.recording = Some(recording);
        if let Some(screen) = self.screen() {
            screen.set_title(&format!("Pelagic: recording {FRAMES} frames or {longest_s} s; B stops"));
        }
    }

    /// Drops a recording, if there is one.
    pub(super) fn abandon_recording(&mut self) {
        if let Some(recording) = self.recording.take() {
            recording.abandon();
        }
    }

    /// Takes in a frame while recording.
    pub(super) fn recorded(&mut self, frame: &FrameTimes) {
        let Some(recording) = &mut self.recording else { return };
        let sample = FrameSample {
            sim_time_s: frame.sim_time_s,
            frame_ms: frame.interval_ms,
            simulate_ms: frame.simulate_ms,
            extract_ms: frame.extract_ms,
            cull_ms: frame.cull_ms,
            draw_ms: frame.submit_ms,
            wait_ms: frame.wait_ms,
            gpu_ms: None,
            stats: frame.stats,
        };
        if recording.frame(frame.number, sample) || recording.is_disturbed() {
            self.write_recording();
        }
    }

    /// Something has happened that spoils a recording, if there is one.
    pub(super) fn disturb_recording(&mut self, what: &str) {
        if let Some(recording) = &mut self.recording {
            recording.disturb(what);
        }
    }

    /// Ends a recording before its time; what there is of it is written.
    pub(super) fn stop_recording(&mut self, what: &str) {
        self.disturb_recording(what);
        self.write_recording();
    }

    fn write_recording(&mut self) {
        let Some(recording) = self.recording.take() else { return };
        let (report, runs, out) = recording.end(self.session.world().state_hash());
        let run = &report.runs[0];
        let median = run.metrics.median_ms.map_or("no frames".into(), |ms| format!("median {ms:.2} ms"));
        let said = match run.valid {
            true => format!("benchmark of {} frames in {:.1} s: {median}", run.metrics.n, run.metrics.duration_s),
            // The last note says what ended it.
            false => format!("benchmark {}: {median}", run.notes.last().cloned().unwrap_or_default()),
        };
        log::info!("{said}");
        self.notify(said);
        self.save(BENCHMARK, None, move || {
            live::write(out, &report, &runs).map_err(|error| AppError::Benchmark(error.to_string()))
        });
    }
}
