//! Depth of field of photographs, by accumulation: the mean of frames seen from points spread over the lens.

use glam::Vec2;

use crate::scene::Camera;

/// Points of the lens that a photograph is taken from.
pub const LENS_SAMPLES: usize = 64;

/// A thin lens, held still while the picture is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Diameter. Unit: m.
    pub aperture_m: f32,
    /// Distance of the plane that is sharp, along the middle of the view. Unit: m.
    pub focus_m: f32,
}

impl Lens {
    /// `camera` as it sees from each of the lens's [`LENS_SAMPLES`]: moved over the lens, with an off-axis projection that
    /// keeps the plane in focus where it is in the picture.
    pub fn samples(self, camera: Camera) -> impl Iterator<Item = Camera> {
        (0..LENS_SAMPLES).map(move |i| {
            // Evenly over the disc: Vogel's spiral.
            let radius = 0.5 * self.aperture_m * ((i as f32 + 0.5) / LENS_SAMPLES as f32).sqrt();
            let offset = radius * Vec2::from_angle(math::GOLDEN_ANGLE * i as f32);
            let eye = camera.eye + camera.orientation * offset.extend(0.0);
            Camera { eye, off_axis: camera.off_axis + offset / self.focus_m, ..camera }
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec3, Vec4Swizzles};

    use super::*;

    #[test]
    fn what_lies_in_the_plane_of_focus_is_sharp_and_the_rest_is_not() {
        let camera = Camera::look_at(Vec3::new(1.0, -4.0, 3.0), Vec3::new(0.0, -5.0, -2.0), 1.0);
        let lens = Lens { aperture_m: 0.05, focus_m: 2.0 };
        let clip = |camera: Camera, p: Vec3| {
            let clip = camera.clip_from_view(1.0) * camera.view_from_world() * p.extend(1.0);
            clip.xy() / clip.w
        };
        // Largest distance from where one pinhole in the middle shows it; the picture is 2 high.
        let blur = |p: Vec3| {
            let away = lens.samples(camera).map(|pinhole| clip(pinhole, p).distance(clip(camera, p)));
            away.fold(0.0, f32::max)
        };
        let at = |x: f32, y: f32, z: f32| camera.eye + camera.orientation * Vec3::new(x, y, -z);
        assert!(blur(at(0.0, 0.0, 2.0)) < 1e-4 && blur(at(1.2, -0.8, 2.0)) < 1e-4);
        // Circle of confusion of a thin lens: aperture |z - f| / f, seen from z; half of it, over the half height.
        let expected = |z: f32| 0.025 * (z - 2.0).abs() / 2.0 / z / 0.5f32.tan();
        for z in [0.7, 1.5, 4.0, 20.0] {
            let found = blur(at(0.0, 0.0, z));
            assert!((found / expected(z) - 1.0).abs() < 0.02, "{z} m: {found}, not {}", expected(z));
        }
    }
}
