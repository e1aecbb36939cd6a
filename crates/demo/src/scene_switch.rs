//! The switch from one scene to another, which is made in the background while the present one is shown.

use runtime::AppError;
use scene::BuildStep;

use crate::scene_maker::SceneMaker;
use crate::session::{SceneSession, WantedScene};

/// The way in which a scene begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// It has been opened; fish that are still in the making for the scene before are not wanted any more.
    Opened,
    /// It is the same scene once more, with what has been changed or is still in the making.
    Again,
}

/// Scenes that are to be shown from their beginning.
#[derive(Default)]
pub struct SceneSwitch {
    /// Maker of the scene that is being made.
    maker: Option<(SceneMaker, Beginning)>,
    /// Scene that was asked for last since then; those before it are not wanted any more.
    next: Option<(WantedScene, Beginning)>,
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
    /// The way in which it begins.
    pub beginning: Beginning,
    /// Time at which it was asked for. Unit: s.
    pub asked_s: f64,
    /// Whether a picture is to be taken of it.
    pub is_pictured: bool,
}

impl SceneSwitch {
    /// Starts to make a scene. Returns an arrival if that cannot even be begun.
    pub fn ask(&mut self, wanted: WantedScene, beginning: Beginning, now_s: f64) -> Option<Arrival> {
        (self.asked_s, self.next) = (now_s, Some((wanted, beginning)));
        self.start()
    }

    fn start(&mut self) -> Option<Arrival> {
        if self.maker.is_some() {
            return None;
        }
        let (wanted, beginning) = self.next.take()?;
        match SceneMaker::start(wanted) {
            Ok(maker) => {
                self.maker = Some((maker, beginning));
                None
            }
            Err(error) => Some(self.arrival(Err(error), beginning)),
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
        let (maker, beginning) = self.maker.take_if(|(maker, _)| maker.is_done())?;
        self.take(maker, beginning)
    }

    /// Waits for the scene that was asked for and returns it.
    #[cfg(test)]
    pub fn wait(&mut self) -> Option<Arrival> {
        while let Some((maker, beginning)) = self.maker.take() {
            if let Some(arrival) = self.take(maker, beginning) {
                return Some(arrival);
            }
        }
        None
    }

    fn take(&mut self, maker: SceneMaker, beginning: Beginning) -> Option<Arrival> {
        let session = maker.finish();
        match self.next {
            // Nobody wants it any more.
            Some(_) => self.start(),
            None => Some(self.arrival(session, beginning)),
        }
    }

    fn arrival(&mut self, session: Result<SceneSession, AppError>, beginning: Beginning) -> Arrival {
        Arrival { session, beginning, asked_s: self.asked_s, is_pictured: std::mem::take(&mut self.is_pictured) }
    }
}
