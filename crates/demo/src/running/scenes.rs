//! The switch from one scene to another: behind a loading screen, and shown whole or not at all.

use runtime::AppError;
use shell::screen::Opener;
use view::RenderScene;

use crate::loading_screen::{LoadingScreen, TEXT_EVERY_S};
use crate::running::{RunningDemo, SCENE};
use crate::scene_switch::{Arrival, Beginning};
use crate::session::{SceneSession, WantedScene};
use crate::stage::PreparedStage;

/// Another scene, or the same one changed, with everything it takes to show it.
struct SceneChange {
    session: SceneSession,
    frame: RenderScene,
    stage: Option<PreparedStage>,
}

impl RunningDemo {
    /// Takes a picture of the scene that was asked for last, once it is there.
    pub(super) fn picture(&mut self) {
        if !self.switch.picture() {
            self.screenshot();
        }
    }

    /// Begins behind a closed loading screen, which rises with the first frame.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn close_loading_screen(&mut self) {
        self.panels.loading_screen = Some(LoadingScreen::closed(&self.session.config.scene.name));
    }

    /// Starts to make a scene, which is shown from its beginning.
    pub(super) fn begin_scene(&mut self, wanted: Result<WantedScene, AppError>, beginning: Beginning) {
        let wanted = match wanted {
            Ok(wanted) => wanted,
            Err(error) => return self.show_error(SCENE, &error),
        };
        let now_s = self.pace.since_start_s();
        self.panels.loading_screen =
            Some(LoadingScreen::falling(self.panels.loading_screen.as_ref(), wanted.name(), now_s));
        let failed = self.switch.ask(wanted, beginning, now_s);
        self.receive(failed);
    }

    /// Shows the scene that was asked for once it is there and the loading screen, if there is one, has fallen; returns
    /// whether the loading screen hides the picture meanwhile. In a headset it stands in the sea, which goes on.
    pub(super) fn follow_switch(&mut self) -> bool {
        let now_s = self.pace.since_start_s();
        let has_loading_screen =
            self.stage.as_ref().is_some_and(|stage| stage.has_overlay()) && !self.benchmark.is_recording();
        let is_closed =
            self.panels.loading_screen.as_ref().is_some_and(|loading_screen| loading_screen.is_closed(now_s));
        if is_closed || !has_loading_screen {
            let arrival = self.switch.poll();
            self.receive(arrival);
        }
        match (&mut self.panels.loading_screen, self.switch.step()) {
            (Some(loading_screen), Some(step)) => loading_screen.say(step),
            (loading_screen, _) => drop(loading_screen.take_if(|loading_screen| loading_screen.is_gone(now_s))),
        }
        let is_headset = self.worn.is_some() || self.runs_headset();
        has_loading_screen && is_closed && self.switch.is_loading() && !is_headset
    }

    /// Shows a scene that has been made, or says why it could not be.
    fn receive(&mut self, arrival: Option<Arrival>) {
        let Some(Arrival { session, beginning, asked_s, is_pictured }) = arrival else { return };
        let (left, edits) = (self.session.options.scene.clone(), self.session.edits.clone());
        if self.change_scene(session) {
            let said = match beginning {
                Beginning::Opened => {
                    self.forget_population();
                    self.session.config.scene.name.clone()
                }
                Beginning::Again => self.messages().get("from-beginning"),
            };
            self.leave_changes(left, edits);
            self.offer_left_changes();
            self.notify_about("scene", said);
            let took_s = self.pace.since_start_s() - asked_s;
            log::debug!("the scene \"{}\" came after {took_s:.2} s", self.session.config.scene.name);
        }
        if is_pictured {
            self.screenshot();
        }
        self.raise_loading_screen();
        self.pace.skip();
    }

    pub(super) fn raise_loading_screen(&mut self) {
        let now_s = self.pace.since_start_s();
        if let Some(loading_screen) = &mut self.panels.loading_screen {
            loading_screen.rise(now_s);
        }
    }

    /// Draws the loading screen and the panels over it, without the scene.
    pub(super) fn draw_loading_screen(&mut self, open: &mut Opener<'_>) {
        let now_s = self.pace.since_start_s();
        self.pace.begin_slow_frame(TEXT_EVERY_S);
        let Some(stage) = &mut self.stage else { return };
        if let Err(why) = stage.draw_panels(&mut self.panels, now_s) {
            self.recover(open, why);
        }
    }

    /// Waits for the scene that is being made and shows it, without a loading screen.
    #[cfg(test)]
    pub(super) fn settle(&mut self) {
        let arrival = self.switch.wait();
        self.receive(arrival);
        self.panels.loading_screen = None;
    }

    /// Shows another scene, or the same one changed: all of it, or nothing if anything fails. Returns whether it is
    /// shown.
    pub(super) fn change_scene(&mut self, next: Result<SceneSession, AppError>) -> bool {
        match next.and_then(|next| self.prepare(next)) {
            Ok(change) => {
                self.commit(change);
                self.panels.clear_error(SCENE);
                self.scene_has_changed(None);
                true
            }
            Err(error) => {
                self.show_error(SCENE, &error);
                self.scene_has_changed(Some(error.to_string()));
                false
            }
        }
    }

    /// Makes everything that `session` needs on the screen; the present scene is not touched.
    fn prepare(&self, session: SceneSession) -> Result<SceneChange, AppError> {
        let mut frame = RenderScene::default();
        session.extract(&mut frame);
        let keeps_static_scene = session.world().shares_static_scene(self.session.world());
        let stage = self.stage.as_ref().map(|stage| stage.prepare(&session, &frame, keeps_static_scene));
        Ok(SceneChange { stage: stage.transpose()?, session, frame })
    }

    /// Shows a prepared change; nothing here can fail.
    fn commit(&mut self, change: SceneChange) {
        self.switch.scene_has_changed();
        if let (Some(stage), Some(prepared)) = (&mut self.stage, change.stage) {
            stage.commit(prepared);
        }
        (self.session, self.frame) = (change.session, change.frame);
        self.keep_photo();
    }
}
