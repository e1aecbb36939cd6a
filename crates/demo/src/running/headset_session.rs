//! The session with a headset of the desktop: when it runs, frames are drawn at its pace and for it.

use std::fmt::Display;

use headset::{Headset, Runtime, RuntimeError, State};

use crate::running::RunningDemo;
use crate::running::headset::{HEADSET, UNSEEN};
use crate::stage::Stage;

impl RunningDemo {
    /// Shows the scene in the headset of `runtime` whenever that wants it, or says why there is none.
    pub fn connect(&mut self, runtime: Result<Box<dyn Runtime>, RuntimeError>) {
        let Some(stage) = &mut self.stage else { return };
        let headset = match runtime.and_then(|runtime| Headset::new(&stage.screen().gl(), runtime)) {
            Ok(headset) => headset,
            Err(error) => return self.show_error(HEADSET, &error),
        };
        let name = headset.name().to_owned();
        stage.connect(headset);
        self.notify(self.messages().format("headset-found", &[("headset", name.into())]));
    }

    /// Whether the session of a headset runs: its runtime keeps the pace, and frames are seen whatever covers the window.
    pub fn runs_headset(&self) -> bool {
        self.stage.as_ref().is_some_and(Stage::runs_headset)
    }

    /// Follows what the headset's runtime has to say.
    pub(super) fn follow_headset(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        match stage.poll_headset() {
            Ok(None | Some(State::Running)) => {}
            Ok(Some(State::Resting)) => self.end_moments(),
            Ok(Some(State::Over)) => {
                stage.disconnect();
                self.end_moments();
                self.notify(self.messages().get("headset-over"));
            }
            Err(error) => self.lose_headset(&error),
        }
    }

    /// Waits for the next moment of the headset whose session runs, if one does. Returns whether anybody sees what would
    /// be drawn.
    pub(super) fn waits_for_moment(&mut self) -> bool {
        let Some(stage) = self.stage.as_mut().filter(|stage| stage.runs_headset()) else { return true };
        match stage.next_in_headset() {
            Ok(Some(frame)) => {
                if let Err(error) = stage.fit_outputs().and_then(|()| self.wear(frame)) {
                    self.lose_headset(&error);
                }
                true
            }
            Ok(None) => self.passes_unseen_frame(),
            Err(error) => {
                self.lose_headset(&error);
                true
            }
        }
    }

    /// Passes over a frame that the headset does not show; after some of them the window has the picture, and the wearer
    /// keeps the room. Returns whether the window is to be drawn.
    fn passes_unseen_frame(&mut self) -> bool {
        let Some(stage) = &mut self.stage else { return false };
        let mut set = Ok(());
        if let Some(worn) = &mut self.worn {
            worn.unseen = worn.unseen.saturating_add(1);
            if worn.unseen == UNSEEN {
                set = stage.set_stereo(worn.before);
            }
        }
        let has_picture = self.worn.as_ref().is_none_or(|worn| !worn.is_seen());
        if has_picture {
            set = set.and_then(|()| stage.fit_outputs());
        }
        if let Err(error) = set {
            self.lose_headset(&error);
            return true;
        }
        let is_drawn = has_picture && self.window_is_seen();
        if !is_drawn {
            // The world does not jump over what nobody has seen.
            self.pace.skip();
        }
        is_drawn
    }

    /// Shows what was drawn in the headset that it was drawn for, if it was for one.
    pub(super) fn show_moment(&mut self) {
        let depth_m = [self.frame.camera.near, self.frame.camera.far];
        if let Some(Err(error)) = self.stage.as_mut().map(|stage| stage.show_in_headset(depth_m)) {
            self.lose_headset(&error);
        }
    }

    /// Whether a stage has a headset, which is lost with it.
    pub(super) fn has_headset(stage: &Stage) -> bool {
        stage.has_headset()
    }

    fn lose_headset(&mut self, error: &dyn Display) {
        if let Some(stage) = &mut self.stage {
            stage.disconnect();
        }
        self.end_moments();
        self.show_error(HEADSET, error);
    }

    /// Has the picture in the window alone again.
    fn end_moments(&mut self) {
        self.take_off();
        if let Some(Err(error)) = self.stage.as_mut().map(Stage::fit_outputs) {
            self.show_error("size", &error);
        }
    }
}
