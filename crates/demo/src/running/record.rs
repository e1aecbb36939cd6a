//! B: a benchmark of what is on the screen. A page can also have one with ever more fish.

use crate::command::Command;
use crate::live_benchmark::{Conditions, LiveBenchmark, Shown};
use crate::running::RunningDemo;

impl RunningDemo {
    /// Begins to record the picture on the screen, or stops the recording in progress.
    pub(super) fn toggle_recording(&mut self) {
        self.record(|benchmark, shown| benchmark.toggle(shown));
    }

    /// Ends a recording early, or calls off one that has not begun.
    pub(super) fn stop_recording(&mut self, what: &str) {
        self.record(|benchmark, shown| benchmark.stop(what, shown));
    }

    /// Begins to record the picture with one number of fish after another, or stops the recording in progress.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn climb_ladder(&mut self) {
        self.record(|benchmark, shown| benchmark.climb_ladder(shown));
    }

    /// The number of fish of the rung that is being recorded, if one is.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn rung(&self) -> Option<u32> {
        self.benchmark.rung()
    }

    /// Lets the benchmark act on what is shown, and carries out the commands that it returns.
    pub(super) fn record(&mut self, act: impl FnOnce(&mut LiveBenchmark, Shown<'_>) -> Vec<Command>) {
        self.answer_benchmark(act);
        while self.benchmark.is_between_rungs() {
            let next = self.benchmark.next_rung().map(|fish| self.session.with_fish(fish));
            if next.is_some_and(|next| self.change_scene(next)) {
                self.answer_benchmark(|benchmark, shown| benchmark.begin_rung(shown));
                continue;
            }
            // If a number of fish cannot be shown, the reason has been reported already.
            if let Some((options, edits)) = self.benchmark.before_ladder() {
                let before = self.session.asked_as(options, edits);
                self.change_scene(before);
            }
            self.answer_benchmark(|benchmark, shown| benchmark.leave_ladder(shown));
        }
    }

    fn answer_benchmark(&mut self, act: impl FnOnce(&mut LiveBenchmark, Shown<'_>) -> Vec<Command>) {
        let conditions = self.conditions();
        let Self { benchmark, session, stage, frame, panels, pace, outcome, .. } = self;
        let commands = act(
            benchmark,
            Shown {
                session,
                // A driver that cannot draw another frame has no picture to give.
                stage: stage.as_mut().filter(|_| outcome.is_none()),
                frame,
                conditions,
                messages: &panels.messages,
                clock_s: pace.clock_s(),
            },
        );
        self.follow(commands);
    }

    /// Conditions that are to stay the same while the picture is recorded.
    fn conditions(&self) -> Conditions {
        let (stage, rig) = (self.stage.as_ref(), &self.session.rig);
        Conditions {
            size: stage.map_or((0, 0), |stage| stage.size()),
            scenes: self.switch.scene_changes(),
            is_loading: self.switch.is_loading() || self.makes_fish(),
            camera: (rig.mode(), rig.subject()),
            in_photo_mode: self.photo.is_some(),
            is_paused: self.session.paused,
            interference: self.session.interference(),
            focus_losses: self.controls.focus_losses,
            vsync: self.options.vsync && self.worn.is_none(),
            is_worn: self.worn.is_some(),
            is_filmed: self.film.is_some(),
            captures: stage.map_or(0, |stage| stage.captures()),
            changes: stage.map_or(0, |stage| stage.picture_changes()),
        }
    }
}
