//! Photo mode: the world stands still, and the camera has dials.

use camera::{Dial, PhotoCamera};
use render::PostSettings;

use crate::photo_mode::PhotoMode;
use crate::running::RunningDemo;

impl RunningDemo {
    /// Enters photo mode, or returns to the state before it.
    pub(super) fn toggle_photo(&mut self) {
        match self.photo.take() {
            Some(PhotoMode { was_paused, .. }) => {
                self.session.paused = was_paused;
                self.session.rig.photo = None;
                self.end_rest();
            }
            None => {
                self.photo = Some(PhotoMode::new(self.session.paused));
                self.session.paused = true;
                self.session.rig.photo = Some(PhotoCamera::new(self.frame.camera.fov_y));
            }
        }
        self.show_photo();
    }

    fn end_rest(&mut self) {
        if let Err(error) = self.stage.as_mut().map_or(Ok(()), |stage| stage.move_on()) {
            self.show_error("photo", &error);
        }
    }

    /// Turns a dial of the camera; does nothing outside photo mode.
    pub(super) fn turn_dial(&mut self, dial: Dial) {
        if let Some(photo) = &mut self.session.rig.photo {
            photo.turn(dial);
            self.show_photo();
        }
    }

    /// Changes the focal length by notches of the wheel; returns `false` outside photo mode.
    pub(super) fn zoom(&mut self, notches: f32) -> bool {
        let Some(photo) = &mut self.session.rig.photo else { return false };
        photo.zoom(notches);
        self.show_photo();
        true
    }

    /// Ends photo mode with the scene that it was in.
    pub(super) fn keep_photo(&mut self) {
        if self.session.rig.photo.is_none() && self.photo.take().is_some() {
            self.end_rest();
        }
        self.show_photo();
    }

    /// Applies the dials that the mouse has turned since the last frame.
    pub(super) fn turn_shown_dials(&mut self) {
        if let (Some(shown), Some(photo)) = (self.panels.photo, &mut self.session.rig.photo)
            && shown != *photo
        {
            *photo = shown;
            self.show_photo();
        }
    }

    /// Refines the picture once nothing in it has moved for a while, and draws it as before when something moves.
    pub(super) fn rest_photo(&mut self) {
        // A picture that is measured is drawn anew with each frame.
        let may_rest = self.session.paused && !self.benchmark.is_busy();
        let (Some(photo), Some(stage)) = (&mut self.photo, &mut self.stage) else { return };
        if let Err(error) = photo.follow(&self.frame, stage, may_rest, self.pace.clock_s()) {
            self.show_error("photo", &error);
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
