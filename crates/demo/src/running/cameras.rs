//! Keys of the camera.

use camera::CameraMode;
use render::Stereo;

use crate::running::RunningDemo;

impl RunningDemo {
    /// Switches to the next camera mode.
    pub(super) fn next_camera(&mut self) {
        let said = match self.session.steer(|rig, about| rig.next_mode(about)) {
            CameraMode::Fly => "camera-fly",
            CameraMode::Orbit => "camera-orbit",
            CameraMode::Follow => "camera-follow",
            CameraMode::Ride => "camera-ride",
            CameraMode::Tour => "camera-tour",
        };
        self.notify_about("camera", self.messages().get(said));
    }

    /// Switches between one eye and two, in the layout asked for when the program was started, else side by side.
    pub(super) fn toggle_stereo(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let wanted = match (stage.stereo(), self.options.stereo) {
            (Stereo::Off, Stereo::Off) => Stereo::SideBySide,
            (Stereo::Off, asked) => asked,
            _ => Stereo::Off,
        };
        if let Err(error) = stage.set_stereo(wanted) {
            return self.show_error("stereo", &error);
        }
        let said = match wanted {
            Stereo::Off => "stereo-off",
            Stereo::SideBySide => "stereo-side-by-side",
            Stereo::TopBottom => "stereo-top-bottom",
            Stereo::Anaglyph => "stereo-anaglyph",
        };
        self.notify_about("stereo", self.messages().get(said));
    }

    /// Flies to the next species, or the one before, and follows one of its animals.
    pub(super) fn next_species(&mut self, before: bool) {
        let last = self.species;
        let found = self.session.steer(|rig, about| {
            let species = about.next_species(rig.subject().map(|subject| subject.species).or(last), before)?;
            let subject = about.nearest(species, rig.eye())?;
            rig.follow(subject, about).then(|| (subject, about.animal(subject).map_or(0.0, |animal| animal.length_m)))
        });
        let Some((subject, length_m)) = found else {
            return self.notify_about("camera", self.messages().get("no-animals"));
        };
        self.species = Some(subject.species);
        let name = self.messages().creature(&self.session.config.scene.species[subject.species].name);
        let count = self.session.world().animals_of(subject.species);
        let length = format!("{length_m:.2}");
        let values = [("name", name.into()), ("count", count.to_string().into()), ("length", length.into())];
        self.notify_about("camera", self.messages().format("species", &values));
    }
}
