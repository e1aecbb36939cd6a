//! The switch from one scene to another, which is made in the background while the present one is shown.

use runtime::AppError;
use scene::BuildStep;

use crate::scene_maker::SceneMaker;
use crate::session::{SceneSession, WantedScene};

/// Scenes that are to be shown from their beginning.
#[derive(Default)]
pub struct SceneSwitch {
    /// Maker of the scene that is being made, and the message once it is shown.
    maker: Option<(SceneMaker, String)>,
    /// Scene that was asked for last since then, and its message; those before it are not wanted any more.
    next: Option<(WantedScene, String)>,
    /// Time at which it was asked for. Unit: s.
    asked_s: f64,
    /// Whether a picture is to be taken of it.
    is_pictured: bool,
    changes: u32,
}

/// A scene that has been made, or could not be.
pub struct Arrival {
    /// The scene.
    pub session: Result<SceneSession, AppError>,
    /// Message once it is shown.
    pub done: String,
    /// Time at which it was asked for. Unit: s.
    pub asked_s: f64,
    /// Whether a picture is to be taken of it.
    pub is_pictured: bool,
}

impl SceneSwitch {
    /// Starts to make a scene, with the message `done` once it is shown. Returns an arrival if that cannot even be
    /// begun.
    pub fn ask(&mut self, wanted: WantedScene, done: String, now_s: f64) -> Option<Arrival> {
        (self.asked_s, self.next) = (now_s, Some((wanted, done)));
        self.start()
    }

    fn start(&mut self) -> Option<Arrival> {
        if self.maker.is_some() {
            return None;
        }
        let (wanted, done) = self.next.take()?;
        match SceneMaker::start(wanted) {
            Ok(maker) => {
                self.maker = Some((maker, done));
                None
            }
            Err(error) => Some(self.arrival(Err(error), done)),
        }
    }

    /// Takes note that another scene is shown now, or the same one changed.
    pub fn scene_has_changed(&mut self) {
        self.changes = self.changes.wrapping_add(1);
    }

    /// Number of changes of the scene.
    pub fn scene_changes(&self) -> u32 {
        self.changes
    }

    /// Whether another scene is on its way.
    pub fn is_loading(&self) -> bool {
        self.maker.is_some()
    }

    /// Present step of the scene that is being made, if one is.
    pub fn step(&self) -> Option<BuildStep> {
        self.maker.as_ref().map(|(maker, _)| maker.step())
    }

    /// Requests a picture of the scene that is being made; returns `false` if none is.
    pub fn picture(&mut self) -> bool {
        self.is_pictured |= self.is_loading();
        self.is_loading()
    }

    /// The scene that was asked for, once it has been made.
    pub fn poll(&mut self) -> Option<Arrival> {
        let (maker, done) = self.maker.take_if(|(maker, _)| maker.is_done())?;
        self.take(maker, done)
    }

    /// Waits for the scene that was asked for and returns it.
    #[cfg(test)]
    pub fn wait(&mut self) -> Option<Arrival> {
        while let Some((maker, done)) = self.maker.take() {
            if let Some(arrival) = self.take(maker, done) {
                return Some(arrival);
            }
        }
        None
    }

    fn take(&mut self, maker: SceneMaker, done: String) -> Option<Arrival> {
        let session = maker.finish();
        match self.next {
            // Nobody wants it any more.
            Some(_) => self.start(),
            None => Some(self.arrival(session, done)),
        }
    }

    fn arrival(&mut self, session: Result<SceneSession, AppError>, done: String) -> Arrival {
        Arrival { session, done, asked_s: self.asked_s, is_pictured: std::mem::take(&mut self.is_pictured) }
    }
}
