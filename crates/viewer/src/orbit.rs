//! Orbit of the camera round the model.

use glam::{Vec2, Vec3};
use view::Camera;

/// Vertical field of view: that of a long lens, which distorts shapes little. Unit: rad.
const FIELD_OF_VIEW: f32 = 0.46;
/// Distance from which a ball of radius 1 fills most of the picture.
const DISTANCE: f32 = 4.5;
/// Nearest and farthest distance of the wheel.
const DISTANCES: [f32; 2] = [1.05, 40.0];
/// Greatest angle of the eye above or below the horizon. Unit: rad.
const STEEPEST: f32 = 1.5;
/// Turning speed of the table. Unit: rad/s.
const TURN: f32 = 0.35;
/// Angle by which a drag of one point turns the view. Unit: rad.
const DRAG: f32 = 0.008;

/// Position of the eye on its orbit about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// Angle round +y from +z. Unit: rad.
    yaw: f32,
    /// Angle above the horizon. Unit: rad.
    pitch: f32,
    distance: f32,
    /// Whether the table turns.
    pub turns: bool,
}

impl Default for Orbit {
    /// View of the left side from slightly ahead, with the nose on the left.
    fn default() -> Self {
        Self { yaw: -2.25, pitch: 0.24, distance: DISTANCE, turns: false }
    }
}

impl Orbit {
    /// Turns the eye after a drag of the pointer by so many points.
    pub fn drag(&mut self, by: Vec2) {
        self.yaw -= DRAG * by.x;
        self.pitch = (self.pitch + DRAG * by.y).clamp(-STEEPEST, STEEPEST);
    }

    /// Divides the distance by a factor.
    pub fn zoom(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance / factor).clamp(DISTANCES[0], DISTANCES[1]);
        }
    }

    /// Turns the table by the elapsed time.
    pub fn advance(&mut self, elapsed_s: f32) {
        if self.turns {
            self.yaw = (self.yaw + TURN * elapsed_s) % std::f32::consts::TAU;
        }
    }

    /// Camera for a picture of `aspect`, of which `covered`, a share of the width on the right, is covered.
    pub fn camera(&self, aspect: f32, covered: f32) -> Camera {
        let ((yaw_sin, yaw_cos), (sin, cos)) = (self.yaw.sin_cos(), self.pitch.sin_cos());
        let toward = Vec3::new(yaw_sin * cos, sin, yaw_cos * cos);
        // The uncovered part may be narrower than it is high.
        let distance = self.distance / (aspect * (1.0 - covered)).clamp(0.2, 1.0);
        let half_width = (0.5 * FIELD_OF_VIEW).tan() * aspect;
        Camera {
            near: (distance - 3.0).max(0.02),
            far: distance + 30.0,
            off_axis: Vec2::new(-half_width * covered, 0.0),
            ..Camera::look_at(distance * toward, Vec3::ZERO, FIELD_OF_VIEW)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eye_stays_outside_and_never_tips_over() {
        let mut orbit = Orbit::default();
        orbit.drag(Vec2::new(50.0, 1e6));
        orbit.zoom(1e9);
        let camera = orbit.camera(1.6, 0.0);
        assert!(camera.eye.length() >= DISTANCES[0] - 1e-4 && camera.eye.y > 0.0);
        assert!((camera.orientation * Vec3::X).y.abs() < 1e-4, "the horizon is level");
        orbit.zoom(f32::NAN);
        orbit.zoom(0.0);
        assert_eq!(orbit.camera(1.6, 0.0), camera, "nonsense moves nothing");
    }

    #[test]
    fn the_model_is_in_the_middle_of_what_is_free() {
        let orbit = Orbit::default();
        for covered in [0.0, 0.3] {
            let camera = orbit.camera(2.0, covered);
            let clip = camera.clip_from_view(2.0) * camera.view_from_world() * glam::Vec4::W;
            assert!((clip.x / clip.w + covered).abs() < 1e-5, "{covered}: {}", clip.x / clip.w);
        }
    }

    #[test]
    fn the_table_turns_when_it_is_asked_to() {
        let mut orbit = Orbit::default();
        orbit.advance(1.0);
        assert_eq!(orbit, Orbit::default());
        orbit.turns = true;
        orbit.advance(1.0);
        assert_ne!(orbit.camera(1.0, 0.0).eye, Orbit::default().camera(1.0, 0.0).eye);
    }
}
