//! B: a benchmark of what is on the screen. A page can also have one with ever more fish.

use crate::command::Command;
use crate::recorder::{Conditions, Recorder, Shown};
use crate::running::RunningDemo;

impl RunningDemo {
    /// Begins to record the picture on the screen, or stops the recording in progress.
    pub(super) fn toggle_recording(&mut self) {
        self.record(|recorder, shown| recorder.toggle(shown));
    }

    /// Ends a recording early, or calls off one that has not begun.
    pub(super) fn stop_recording(&mut self, what: &str) {
        self.record(|recorder, shown| recorder.stop(what, shown));
    }

    /// Begins to record the picture with one number of fish after another, or stops the recording in progress.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn climb_ladder(&mut self) {
        self.record(|recorder, shown| recorder.climb_ladder(shown));
    }

    /// The number of fish of the rung that is being recorded, if one is.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn rung(&self) -> Option<u32> {
        self.recorder.rung()
    }

    /// Lets the recorder act on what is shown, and carries out the commands that it returns.
    pub(super) fn record(&mut self, act: impl FnOnce(&mut Recorder, Shown<'_>) -> Vec<Command>) {
        self.answer_recorder(act);
        while self.recorder.is_between_rungs() {
            let next = self.recorder.next_rung().map(|fish| self.session.with_fish(fish));
            if next.is_some_and(|next| self.change_scene(next)) {
                self.answer_recorder(|recorder, shown| recorder.begin_rung(shown));
                continue;
            }
            // If a number of fish cannot be shown, the reason has been reported already.
            if let Some((options, edits)) = self.recorder.before_ladder() {
                let before = self.session.asked_as(options, edits);
                self.change_scene(before);
            }
            self.answer_recorder(|recorder, shown| recorder.leave_ladder(shown));
        }
    }

    fn answer_recorder(&mut self, act: impl FnOnce(&mut Recorder, Shown<'_>) -> Vec<Command>) {
        let conditions = self.conditions();
        let Self { recorder, session, stage, frame, panels, pace, outcome, .. } = self;
        let commands = act(
            recorder,
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
            scenes: self.switch.changes(),
            is_loading: self.switch.is_loading(),
            camera: (rig.mode(), rig.subject()),
            in_photo_mode: self.photo.is_some(),
            is_paused: self.session.paused,
            interference: self.session.interference(),
            focus_losses: self.controls.focus_losses,
            vsync: self.options.vsync,
            is_filmed: self.film.is_some(),
            captures: stage.map_or(0, |stage| stage.captures()),
            changes: stage.map_or(0, |stage| stage.changes()),
        }
    }
}
