//! What a person does to the animals: a fright, food, another predator.

use glam::{Vec2, Vec3};

use crate::aim::Sight;
use crate::running::RunningDemo;
use crate::watched::WatchedAnimal;

/// How far a fright reaches. Unit: m.
const FRIGHT_M: f32 = 1.5;
/// How far ahead of the eye food is dropped. Unit: m.
const FOOD_AHEAD_M: f32 = 3.0;
/// Where a predator comes from: so far right of the eye, above and behind it. Unit: m.
const PREDATOR_FROM_M: Vec3 = Vec3::new(3.0, 0.0, 5.0);
/// Where it swims to, likewise: across the view.
const PREDATOR_TO_M: Vec3 = Vec3::new(0.0, 0.0, -5.0);
/// Depth beyond which it comes. Unit: m.
const PREDATOR_DEPTH_M: f32 = 1.0;

impl RunningDemo {
    /// Frightens who is about the place that is pointed at: `at` in pixels, or the middle.
    pub(super) fn frighten(&mut self, at: Option<Vec2>) {
        let Some(stage) = &self.stage else { return };
        // A pointer that is caught is not in sight.
        let at = at.filter(|_| !self.controls.pointer.is_kept());
        let stereo = stage.stereo();
        let at = at.map(|at| stereo.place_in_eye(at, stage.size()));
        let sight = Sight::new(&self.frame.camera, at, stereo.eye_extent(stage.size()));
        let place = sight.meets(self.session.world());
        self.session.interfere("a fright", |world| world.frighten(place, FRIGHT_M));
    }

    /// Drops food before the eye.
    pub(super) fn drop_food(&mut self) {
        let camera = self.frame.camera;
        let place = camera.eye + camera.orientation * Vec3::NEG_Z * FOOD_AHEAD_M;
        self.session.interfere("food", |world| world.drop_food(place));
        self.notify_about("play", self.messages().get("food-dropped"));
    }

    /// Has a predator swim into the view.
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
        // The others' numbers have changed.
        self.watched = WatchedAnimal::default();
        self.notify_about("play", said);
    }
}
