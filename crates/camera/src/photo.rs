//! Photo mode: a camera with its own lens, exposure and tilt.

use std::ops::RangeInclusive;

use view::Camera;

/// Half the height of the frame to which focal lengths refer, 36 mm x 24 mm. Unit: mm.
const HALF_FRAME_MM: f32 = 12.0;
/// Range of focal lengths. Unit: mm.
const FOCAL_MM: RangeInclusive<f32> = 8.0..=300.0;
/// Zoom factor of a notch of the wheel.
const NOTCH: f32 = 1.07;
/// A step of the exposure. Unit: stops.
const EV_STEP: f32 = 1.0 / 3.0;
/// Greatest exposure compensation, up or down. Unit: stops.
pub const MAX_EV: f32 = 5.0;
/// A step of the tilt. Unit: degrees.
const ROLL_STEP_DEG: f32 = 1.0;
/// Lens openings. Unit: mm.
pub const APERTURES_MM: [f32; 6] = [0.0, 5.0, 10.0, 20.0, 50.0, 100.0];
/// Sizes of the picture over the window's size.
const TIMES: [u32; 3] = [1, 2, 4];

/// A dial of the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dial {
    /// Brighter or darker.
    Exposure {
        /// Whether brighter.
        up: bool,
    },
    /// Tilts the camera.
    Roll {
        /// Whether clockwise.
        right: bool,
    },
    /// Opens the lens, and closes it when it is wide open.
    Aperture,
    /// Lines at thirds of the picture.
    Thirds,
    /// Shows or hides all text over the picture.
    Overlay,
    /// Next size of the picture.
    Size,
}

/// A camera for taking pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhotoCamera {
    /// Focal length for a frame of 36 mm x 24 mm. Unit: mm.
    pub focal_mm: f32,
    /// Exposure compensation. Unit: stops.
    pub ev: f32,
    /// Tilt, clockwise. Unit: degrees.
    pub roll_deg: f32,
    /// Diameter of the lens opening; with 0 everything is sharp. Unit: mm.
    pub aperture_mm: f32,
    /// Focus distance; `None` focuses on the middle of the picture. Unit: m.
    pub focus_m: Option<f32>,
    /// Whether lines at thirds are shown.
    pub thirds: bool,
    /// Whether text over the picture is hidden.
    pub hides_overlay: bool,
    /// Width and height of the picture over those of the window.
    pub times: u32,
}

impl PhotoCamera {
    /// Creates a photo camera with the field of view (rad) of another camera.
    pub fn new(fov_y: f32) -> Self {
        let focal_mm = HALF_FRAME_MM / (0.5 * fov_y).tan();
        let focal_mm = if focal_mm.is_finite() { focal_mm } else { HALF_FRAME_MM };
        Self {
            focal_mm,
            ev: 0.0,
            roll_deg: 0.0,
            aperture_mm: 0.0,
            focus_m: None,
            thirds: true,
            hides_overlay: false,
            times: 1,
        }
    }

    /// Changes the focal length by notches of the wheel.
    pub fn zoom(&mut self, notches: f32) {
        let notches = if notches.is_nan() { 0.0 } else { notches.clamp(-10.0, 10.0) };
        let lengths = self.focal_lengths_mm();
        self.focal_mm = (self.focal_mm * NOTCH.powf(notches)).clamp(*lengths.start(), *lengths.end());
    }

    /// Range of focal lengths, extended to the present one. Unit: mm.
    pub fn focal_lengths_mm(&self) -> RangeInclusive<f32> {
        FOCAL_MM.start().min(self.focal_mm)..=FOCAL_MM.end().max(self.focal_mm)
    }

    /// Turns a dial by one step.
    pub fn turn(&mut self, dial: Dial) {
        let signed = |plus: bool, step: f32| if plus { step } else { -step };
        match dial {
            Dial::Exposure { up } => self.ev = (self.ev + signed(up, EV_STEP)).clamp(-MAX_EV, MAX_EV),
            Dial::Roll { right } => {
                let turned = self.roll_deg + signed(right, ROLL_STEP_DEG);
                self.roll_deg = (turned + 180.0).rem_euclid(360.0) - 180.0;
            }
            Dial::Aperture => self.aperture_mm = next(&APERTURES_MM, self.aperture_mm),
            Dial::Thirds => self.thirds = !self.thirds,
            Dial::Overlay => self.hides_overlay = !self.hides_overlay,
            Dial::Size => self.times = next(&TIMES, self.times),
        }
    }

    /// `camera` with this lens, tilted.
    pub fn through(&self, camera: Camera) -> Camera {
        let roll = glam::Quat::from_rotation_z(-self.roll_deg.to_radians());
        let fov_y = 2.0 * (HALF_FRAME_MM / self.focal_mm).atan();
        Camera { fov_y, orientation: camera.orientation * roll, ..camera }
    }
}

/// Returns the element after `now`; the first one after the last.
fn next<T: Copy + PartialEq>(all: &[T], now: T) -> T {
    let place = all.iter().position(|&one| one == now);
    all[place.map_or(0, |place| (place + 1) % all.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_camera_sees_what_was_seen_and_dials_come_round() {
        let before = Camera::default();
        let mut photo = PhotoCamera::new(before.fov_y);
        let through = photo.through(before);
        assert!((through.fov_y - before.fov_y).abs() < 1e-5 && through.orientation == before.orientation);
        photo.zoom(f32::NAN);
        photo.zoom(2.0);
        assert!(photo.through(before).fov_y < before.fov_y);
        (0..3).for_each(|_| photo.turn(Dial::Exposure { up: true }));
        (0..60).for_each(|_| photo.turn(Dial::Exposure { up: false }));
        (0..365).for_each(|_| photo.turn(Dial::Roll { right: true }));
        (0..APERTURES_MM.len()).for_each(|_| photo.turn(Dial::Aperture));
        (0..4).for_each(|_| photo.turn(Dial::Size));
        assert_eq!((photo.ev, photo.aperture_mm, photo.times), (-MAX_EV, 0.0, 2));
        assert!((photo.roll_deg - 5.0).abs() < 1e-3, "{}", photo.roll_deg);
    }
}
