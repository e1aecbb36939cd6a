//! Depth of field of photographs, by accumulation: the mean of frames seen from points spread over the lens.

use glam::{Vec2, vec2};
use view::Camera;

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
    /// Cameras of the lens's [`LENS_SAMPLES`]: `camera` moved over the lens, with an off-axis projection that keeps the
    /// plane in focus where it is in the picture.
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

/// `camera` moved within a pixel of a picture `height` pixels high: sample `number` of a sequence that covers the pixel
/// evenly at any length (Halton's of 2 and 3). The first is in the middle.
pub fn within_pixel(camera: Camera, number: usize, height: u32) -> Camera {
    let halton = |base: usize| {
        let (mut rest, mut share, mut sum) = (number + 1, 1.0, 0.0);
        while rest > 0 {
            share /= base as f32;
            sum += share * (rest % base) as f32;
            rest /= base;
        }
        sum
    };
    let pixel = 2.0 * (0.5 * camera.fov_y).tan() / height as f32;
    let offset = vec2(halton(2) - 0.5, if number == 0 { 0.0 } else { halton(3) - 0.5 });
    Camera { off_axis: camera.off_axis + pixel * offset, ..camera }
}

#[cfg(test)]
mod tests {
    use glam::{Vec3, Vec4Swizzles};

    use super::*;

    #[test]
    fn samples_cover_a_pixel_evenly_and_stay_in_it() {
        let camera = Camera::default();
        let pixel = 2.0 * (0.5 * camera.fov_y).tan() / 90.0;
        let offsets: Vec<Vec2> = (0..36).map(|i| within_pixel(camera, i, 90).off_axis / pixel).collect();
        assert!(offsets.iter().all(|offset| offset.abs().max_element() <= 0.5));
        assert!((offsets.iter().sum::<Vec2>() / 36.0).length() < 0.03);
        let quarter =
            |right: bool, up: bool| offsets.iter().filter(|o| (o.x > 0.0) == right && (o.y > 0.0) == up).count();
        for (right, up) in [(false, false), (false, true), (true, false), (true, true)] {
            assert!((7..=11).contains(&quarter(right, up)), "{right} {up}");
        }
    }

    #[test]
    fn what_lies_in_the_plane_of_focus_is_sharp_and_the_rest_is_not() {
        let camera = Camera::look_at(Vec3::new(1.0, -4.0, 3.0), Vec3::new(0.0, -5.0, -2.0), 1.0);
        let lens = Lens { aperture_m: 0.05, focus_m: 2.0 };
        let clip = |camera: Camera, p: Vec3| {
            let clip = camera.clip_from_view(1.0) * camera.view_from_world() * p.extend(1.0);
            clip.xy() / clip.w
        };
        // Largest distance from the place at which a pinhole in the middle shows it; the picture is 2 high.
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
