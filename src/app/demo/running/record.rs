//! B: a benchmark of what is on the screen.

use crate::app::AppError;
use crate::app::demo::frame_times::FrameTimes;
use crate::app::demo::running::{RunningDemo, Saving};
use crate::bench::FrameEnd;
use crate::bench::header::Facts;
use crate::bench::live::{self, FRAMES, Recording};
use crate::bench::run::FrameSample;

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
            governor: stage.target_ms().is_some(),
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
        self.recording = Some(Recording::new(facts, vec![seen_from]));
        log::info!("recording {FRAMES} frames of what is on the screen; B stops");
        if let Some(screen) = self.screen() {
            screen.set_title("Pelagic: recording a benchmark; B stops");
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
        let (report, runs) = recording.end(self.session.world().state_hash());
        let run = &report.runs[0];
        let median = run.metrics.median_ms.map_or("no frames".into(), |ms| format!("median {ms:.2} ms"));
        let said = match run.valid {
            true => format!("benchmark of {} frames: {median}", run.metrics.n),
            // The last note says what ended it.
            false => format!("benchmark {}: {median}", run.notes.last().cloned().unwrap_or_default()),
        };
        log::info!("{said}");
        self.notify(said);
        let results = self.options.recordings.clone();
        let thread = std::thread::spawn(move || {
            let written =
                live::write(&results, &report, &runs).map_err(|error| AppError::Benchmark(error.to_string()))?;
            Ok(written.path().to_path_buf())
        });
        self.saving.push(Saving { what: "benchmark", path: None, thread });
    }
}
