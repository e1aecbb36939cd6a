//! Interventions of a person among the animals: a fright, food, another predator.

use glam::{Vec2, Vec3};

use crate::aim::Sight;
use crate::running::RunningDemo;
use crate::watched::WatchedAnimal;

/// Reach of a fright. Unit: m.
pub(super) const FRIGHT_M: f32 = 1.5;
/// Distance ahead of the eye at which food is dropped. Unit: m.
const FOOD_AHEAD_M: f32 = 3.0;
/// Start of a predator's path: its offset to the right of the eye, above and behind it. Unit: m.
const PREDATOR_FROM_M: Vec3 = Vec3::new(3.0, 0.0, 5.0);
/// End of the path, likewise: across the view.
const PREDATOR_TO_M: Vec3 = Vec3::new(0.0, 0.0, -5.0);
/// Least depth of the start. Unit: m.
const PREDATOR_DEPTH_M: f32 = 1.0;

impl RunningDemo {
    /// Frightens the animals about the place that is pointed at: `at` in pixels, or the middle.
    pub(super) fn frighten(&mut self, at: Option<Vec2>) {
        let Some(stage) = &self.stage else { return };
        // A caught pointer is invisible.
        let at = at.filter(|_| !self.controls.pointer.is_kept());
        let stereo = stage.stereo();
        let at = at.map(|at| stereo.place_in_eye(at, stage.size()));
        let sight = Sight::new(&self.frame.camera, at, stereo.eye_extent(stage.size()));
        let place = sight.meets(self.session.world());
        self.session.interfere("a fright", |world| world.frighten(place, FRIGHT_M));
    }

    /// Drops food in front of the eye.
    pub(super) fn drop_food(&mut self) {
        let camera = self.frame.camera;
        let place = camera.eye + camera.orientation * Vec3::NEG_Z * FOOD_AHEAD_M;
        self.session.interfere("food", |world| world.drop_food(place));
        self.notify_about("play", self.messages().get("food-dropped"));
    }

    /// Releases a predator that swims into the view.
    pub(super) fn release_predator(&mut self) {
        let camera = self.frame.camera;
        let from = camera.eye + camera.orientation * PREDATOR_FROM_M;
        let heading = camera.orientation * (PREDATOR_TO_M - PREDATOR_FROM_M);
        let place = from.with_y(from.y.min(-PREDATOR_DEPTH_M));
        let released =
            self.session.interfere("another predator", |world| world.release_hunter(place, heading).map(str::to_owned));
        let said = match released {
            Some(name) => {
                self.messages().format("predator-released", &[("name", self.messages().creature(&name).into())])
            }
            None => self.messages().get("no-predator"),
        };
        // The numbers of the other animals have changed.
        self.watched = WatchedAnimal::default();
        self.notify_about("play", said);
    }
}
