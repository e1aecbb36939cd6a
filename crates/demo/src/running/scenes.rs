//! From one scene to another: made beside the animation, behind a loading screen, and shown whole or not at all.

use runtime::AppError;
use shell::screen::Opener;
use view::RenderScene;

use crate::loading_screen::{LoadingScreen, TEXT_EVERY_S};
use crate::running::{RunningDemo, SCENE};
use crate::scene_maker::SceneMaker;
use crate::session::{SceneSession, WantedScene};
use crate::stage::PreparedStage;

/// Another scene, or the same one changed, with everything it takes to show it.
struct SceneChange {
    session: SceneSession,
    frame: RenderScene,
    stage: Option<PreparedStage>,
}

/// Scenes that are to be shown from their beginning.
#[derive(Default)]
pub struct ComingScenes {
    /// The one that is being made, and what is said once it is there.
    maker: Option<(SceneMaker, String)>,
    /// What was asked for since, last; what was asked for before that is not wanted any more.
    next: Option<(WantedScene, String)>,
    /// When it was asked for. Unit: s.
    asked_s: f64,
    /// Whether a picture is to be taken of it.
    is_pictured: bool,
}

impl RunningDemo {
    /// Takes a picture: of the scene that was asked for last, once it is there.
    pub(super) fn picture(&mut self) {
        match self.coming.maker {
            Some(_) => self.coming.is_pictured = true,
            None => self.screenshot(),
        }
    }

    /// Begins behind a closed loading screen, which rises with the first frame.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn close_curtain(&mut self) {
        self.panels.loading_screen = Some(LoadingScreen::closed(&self.session.config.scene.name));
    }

    /// Has a scene made and shown from its beginning; then says `done`.
    pub(super) fn begin_scene(&mut self, wanted: Result<WantedScene, AppError>, done: &str) {
        let wanted = match wanted {
            Ok(wanted) => (wanted, done.to_owned()),
            Err(error) => return self.show_error(SCENE, &error),
        };
        self.disturb_recording("a change of the scene");
        let now_s = self.now_s();
        self.panels.loading_screen =
            Some(LoadingScreen::falling(self.panels.loading_screen.as_ref(), wanted.0.name(), now_s));
        self.coming.asked_s = now_s;
        self.coming.next = Some(wanted);
        self.start_maker();
    }

    /// Whether another scene is on its way.
    #[cfg(target_arch = "wasm32")]
    pub fn is_loading(&self) -> bool {
        self.coming.maker.is_some()
    }

    fn start_maker(&mut self) {
        if self.coming.maker.is_some() {
            return;
        }
        let Some((wanted, done)) = self.coming.next.take() else { return };
        match SceneMaker::start(wanted) {
            Ok(maker) => self.coming.maker = Some((maker, done)),
            Err(error) => self.scene_came(Err(error), &done),
        }
    }

    /// Shows the scene that was asked for once it is there and the loading screen has fallen, as far as there is one; tells
    /// whether the loading screen hides the picture meanwhile.
    pub(super) fn follow_maker(&mut self) -> bool {
        let now_s = self.now_s();
        let has_curtain = self.stage.as_ref().is_some_and(|stage| stage.has_overlay()) && self.recording.is_none();
        let is_closed =
            self.panels.loading_screen.as_ref().is_some_and(|loading_screen| loading_screen.is_closed(now_s));
        let is_done = |(maker, _): &mut (SceneMaker, String)| (is_closed || !has_curtain) && maker.is_done();
        if let Some((maker, done)) = self.coming.maker.take_if(is_done) {
            self.take_scene(maker, &done);
        }
        match (&mut self.panels.loading_screen, &self.coming.maker) {
            (Some(loading_screen), Some((maker, _))) => loading_screen.say(maker.step()),
            (loading_screen, _) => drop(loading_screen.take_if(|loading_screen| loading_screen.is_gone(now_s))),
        }
        has_curtain && is_closed && self.coming.maker.is_some()
    }

    fn take_scene(&mut self, maker: SceneMaker, done: &str) {
        let session = maker.finish();
        match self.coming.next {
            // Nobody wants it any more.
            Some(_) => self.start_maker(),
            None => self.scene_came(session, done),
        }
    }

    fn scene_came(&mut self, session: Result<SceneSession, AppError>, done: &str) {
        let (left, edits) = (self.session.options.scene.clone(), self.session.edits.clone());
        if self.change_scene(session) {
            self.leave_changes(left, edits);
            self.offer_left_changes();
            self.notify_about("scene", done);
            let took_s = self.now_s() - self.coming.asked_s;
            log::debug!("the scene \"{}\" came after {took_s:.2} s", self.session.config.scene.name);
        }
        if std::mem::take(&mut self.coming.is_pictured) {
            self.screenshot();
        }
        self.raise_curtain();
        // The world is not to jump over the time this took.
        self.last_frame_s = (self.clock)();
    }

    pub(super) fn raise_curtain(&mut self) {
        let now_s = self.now_s();
        if let Some(loading_screen) = &mut self.panels.loading_screen {
            loading_screen.rise(now_s);
        }
    }

    /// Draws the loading screen alone, and what is over it.
    pub(super) fn draw_curtain(&mut self, open: &mut Opener<'_>) {
        let (now_s, began_s) = (self.now_s(), (self.clock)());
        (self.last_frame_s, self.next_frame_s) = (began_s, began_s + TEXT_EVERY_S);
        let Some(stage) = &mut self.stage else { return };
        if let Err(why) = stage.draw_panels(&mut self.panels, now_s) {
            self.recover(open, why);
        }
    }

    /// Waits for what is being made and shows it, without a loading screen.
    #[cfg(test)]
    pub(super) fn settle(&mut self) {
        while let Some((maker, done)) = self.coming.maker.take() {
            self.take_scene(maker, &done);
        }
        self.panels.loading_screen = None;
    }

    /// Shows another scene, or the same one changed: all of it, or if anything fails nothing. Says which.
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

    /// Makes everything that `session` needs on the screen; what is shown is not touched.
    fn prepare(&self, session: SceneSession) -> Result<SceneChange, AppError> {
        let mut frame = RenderScene::default();
        session.extract(&mut frame);
        let keeps_static_scene = session.world().shares_static_scene(self.session.world());
        let stage = self.stage.as_ref().map(|stage| stage.prepare(&session, &frame, keeps_static_scene));
        Ok(SceneChange { stage: stage.transpose()?, session, frame })
    }

    /// Shows what was prepared; nothing here can fail.
    fn commit(&mut self, change: SceneChange) {
        self.disturb_recording("a change of the scene");
        if let (Some(stage), Some(prepared)) = (&mut self.stage, change.stage) {
            stage.commit(prepared);
        }
        (self.session, self.frame) = (change.session, change.frame);
        self.keep_photo();
    }
}
