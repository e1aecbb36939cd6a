//! The conditions of a recording: everything that is to stay the same from its first frame to its last.

use camera::{CameraMode, Subject};

use crate::session::Interference;

/// Everything but the animation itself that a recorded picture depends on. It is compared once per frame, so that code
/// that changes one of the conditions need not know of recordings.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Number of changes of the scene.
    pub scenes: u32,
    /// Whether a scene, or fish for this one, are being made meanwhile.
    pub is_loading: bool,
    /// Mode of the camera, and the animal that it is about.
    pub camera: (CameraMode, Option<Subject>),
    /// Whether photo mode is on.
    pub in_photo_mode: bool,
    /// Whether the world stands still.
    pub is_paused: bool,
    /// Interventions of a person in the world.
    pub interference: Interference,
    /// Number of times the window has lost its focus.
    pub focus_losses: u32,
    /// Whether frames wait for the screen.
    pub vsync: bool,
    /// Whether a headset is worn.
    pub is_worn: bool,
    /// Whether a film is being made.
    pub is_filmed: bool,
    /// Number of pictures taken.
    pub captures: u32,
    /// Changes of shaders, stereo and exposure, as [`Stage::picture_changes`](crate::stage::Stage::picture_changes) counts them.
    pub changes: u32,
}

impl Conditions {
    /// First difference that spoils a recording begun under these conditions, as a report says it after `stopped by`.
    pub fn first_difference(&self, now: &Self) -> Option<&'static str> {
        // Taken apart, so that a condition that is compared with nothing does not compile.
        let Self {
            size,
            scenes,
            is_loading: _,
            camera,
            in_photo_mode,
            is_paused,
            interference,
            focus_losses,
            vsync,
            is_worn,
            is_filmed,
            captures,
            changes,
        } = self;
        [
            (*is_worn != now.is_worn, "a headset's being put on or taken off"),
            (*size != now.size, "the window's being resized"),
            (*focus_losses != now.focus_losses, "the window's losing its focus"),
            (*scenes != now.scenes || now.is_loading, "a change of the scene"),
            (*camera != now.camera, "another camera"),
            (*in_photo_mode != now.in_photo_mode, "photo mode"),
            (*interference != now.interference, now.interference.last),
            (*is_paused != now.is_paused, "a pause or its end"),
            (*vsync != now.vsync, "a change of the waiting for the screen"),
            (*is_filmed != now.is_filmed, "a film"),
            (*captures != now.captures, "a picture's being taken"),
            (*changes != now.changes, "another picture"),
        ]
        .into_iter()
        .find_map(|(differs, what)| differs.then_some(what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions() -> Conditions {
        Conditions {
            size: (64, 36),
            scenes: 1,
            is_loading: false,
            camera: (CameraMode::Fly, None),
            in_photo_mode: false,
            is_paused: false,
            interference: Interference::default(),
            focus_losses: 0,
            vsync: true,
            is_worn: false,
            is_filmed: false,
            captures: 0,
            changes: 5,
        }
    }

    #[test]
    fn the_change_that_a_person_made_is_named_before_what_follows_from_it() {
        let before = conditions();
        assert_eq!(before.first_difference(&conditions()), None);
        let resized = Conditions { size: (65, 36), changes: 6, ..conditions() };
        assert_eq!(before.first_difference(&resized), Some("the window's being resized"));
        let filmed = Conditions { is_filmed: true, captures: 1, ..conditions() };
        assert_eq!(before.first_difference(&filmed), Some("a film"));
        assert_eq!(before.first_difference(&Conditions { changes: 6, ..conditions() }), Some("another picture"));
    }
}
