//! Photo mode: the world stands still, and the picture becomes finer once nothing in it moves.

use runtime::AppError;
use view::{Camera, RenderScene};

use crate::stage::Stage;

/// Time for which the picture has to stand still until it is drawn as finely as it can be. Unit: s.
const REST_S: f64 = 0.3;

/// Photo mode while it is on.
#[derive(Clone, Copy, Debug)]
pub struct PhotoMode {
    /// Whether the world stood still before.
    pub was_paused: bool,
    /// The picture that was shown last, and the moment since which it has been.
    seen: Option<(Seen, f64)>,
}

/// Everything that a picture depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    camera: Camera,
    time_s: f64,
    /// Number of changes, as [`Stage::picture_changes`] counts them.
    changes: u32,
}

impl PhotoMode {
    /// Begins photo mode; `was_paused` says whether the world stood still before.
    pub fn new(was_paused: bool) -> Self {
        Self { was_paused, seen: None }
    }

    /// Refines the picture once nothing in it has moved for a while, if `may_rest`, and draws it as before when
    /// something moves. The moment is the clock's.
    ///
    /// # Errors
    /// If the driver refuses a target.
    pub fn follow(
        &mut self,
        frame: &RenderScene,
        stage: &mut Stage,
        may_rest: bool,
        clock_s: f64,
    ) -> Result<(), AppError> {
        let seen = Seen { camera: frame.camera, time_s: frame.time_s, changes: stage.picture_changes() };
        match self.seen {
            Some((before, since_s)) if before == seen && may_rest => {
                if clock_s - since_s < REST_S {
                    Ok(())
                } else {
                    stage.rest()
                }
            }
            _ => {
                self.seen = Some((seen, clock_s));
                stage.move_on()
            }
        }
    }
}
