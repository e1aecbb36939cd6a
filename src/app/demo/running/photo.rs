//! Photo mode: the world stands still, and the camera has dials.

use crate::app::camera::{Dial, PhotoCamera};
use crate::app::demo::running::RunningDemo;
use crate::render::PostSettings;

/// Photo mode while it is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhotoMode {
    /// Whether the world stood still before.
    was_paused: bool,
}

impl RunningDemo {
    /// Photo mode, or what was before it.
    pub(super) fn toggle_photo(&mut self) {
        match self.photo.take() {
            Some(PhotoMode { was_paused }) => {
                self.session.paused = was_paused;
                self.session.rig.photo = None;
            }
            None => {
                self.photo = Some(PhotoMode { was_paused: self.session.paused });
                self.session.paused = true;
                self.session.rig.photo = Some(PhotoCamera::new(self.frame.camera.fov_y));
            }
        }
        self.disturb_recording("photo mode");
        self.show_photo();
    }

    /// Turns a dial of the camera; nothing outside photo mode.
    pub(super) fn turn_dial(&mut self, dial: Dial) {
        if let Some(photo) = &mut self.session.rig.photo {
            photo.turn(dial);
            self.show_photo();
        }
    }

    /// Another focal length, by notches of the wheel; `false` outside photo mode.
    pub(super) fn zoom(&mut self, notches: f32) -> bool {
        let Some(photo) = &mut self.session.rig.photo else { return false };
        photo.zoom(notches);
        self.show_photo();
        true
    }

    /// Photo mode ends with the scene that it was in.
    pub(super) fn keep_photo(&mut self) {
        if self.session.rig.photo.is_none() {
            self.photo = None;
        }
        self.show_photo();
    }

    /// Does what the mouse has turned since the last frame.
    pub(super) fn turn_shown_dials(&mut self) {
        if let (Some(shown), Some(photo)) = (self.panels.photo, &mut self.session.rig.photo)
            && shown != *photo
        {
            *photo = shown;
            self.show_photo();
        }
    }

    /// Shows dials and exposure as they are now.
    fn show_photo(&mut self) {
        let photo = self.session.rig.photo;
        self.panels.photo = photo;
        let post = &self.session.config.post;
        let ev = photo.map_or(0.0, |photo| photo.ev);
        let post = PostSettings { exposure_ev: post.exposure_ev + ev, ..post.clone() };
        if let Err(error) = self.stage.as_mut().map_or(Ok(()), |stage| stage.set_post(&post)) {
            self.show_error("photo", &error);
        }
    }
}
