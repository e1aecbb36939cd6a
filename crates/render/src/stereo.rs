//! Two eyes: their cameras, and the places of their pictures.

use std::fmt;

use clap::ValueEnum;
use glam::{Vec2, Vec3};
use view::{Camera, Eyes, Headset, PicturePart, RenderScene};

/// Layout of the pictures of two eyes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Stereo {
    /// One eye.
    #[default]
    Off,
    /// The left eye's in the left half, the right eye's in the right one.
    SideBySide,
    /// The left eye's in the upper half, the right eye's in the lower one.
    TopBottom,
    /// Both in one, for red and cyan glasses.
    Anaglyph,
}

impl fmt::Display for Stereo {
    /// Name on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "off",
            Self::SideBySide => "side-by-side",
            Self::TopBottom => "top-bottom",
            Self::Anaglyph => "anaglyph",
        })
    }
}

impl Stereo {
    /// Width and height of one eye's picture in an output of that width and height, in pixels. Pixels stay square; of
    /// an odd number the row in the middle is the second eye's.
    pub fn eye_extent(self, (width, height): (u32, u32)) -> (u32, u32) {
        match self {
            Self::Off | Self::Anaglyph => (width, height),
            Self::SideBySide => (width.div_ceil(2), height),
            Self::TopBottom => (width, height.div_ceil(2)),
        }
    }

    /// The part of such an output that eye `number`'s picture goes to.
    pub fn part(self, number: usize, (width, height): (u32, u32)) -> PicturePart {
        let extent = self.eye_extent((width, height));
        let corner = match (self, number) {
            (Self::SideBySide, 1) => (width - extent.0, 0),
            (Self::TopBottom, 0) => (0, height - extent.1),
            _ => (0, 0),
        };
        PicturePart { corner, extent }
    }

    /// The part of such an output that eye `number`'s picture is shown in: where a headset has it, or else the layout.
    pub fn shown_part(self, headset: &Headset, number: usize, output: (u32, u32)) -> PicturePart {
        headset.parts.get(number).copied().unwrap_or_else(|| self.part(number, output))
    }

    /// Place in the eye's picture that is shown at a place of the output. Both in pixels from the upper left corner.
    pub fn place_in_eye(self, place: Vec2, (width, height): (u32, u32)) -> Vec2 {
        let half = match self {
            Self::Off | Self::Anaglyph => return place,
            Self::SideBySide => Vec2::new((width / 2) as f32, 0.0),
            Self::TopBottom => Vec2::new(0.0, (height / 2) as f32),
        };
        if place.cmpge(half).all() { place - half } else { place }
    }

    /// The cameras that see a scene, the left one first: those of a headset, or else the eyes about its camera.
    pub(super) fn cameras(self, scene: &RenderScene) -> impl Iterator<Item = Camera> {
        let worn = &scene.headset.eyes;
        let own = self.eyes(scene.camera, scene.eyes).filter(|_| worn.is_empty());
        worn.iter().copied().chain(own)
    }

    /// The cameras of the eyes about `middle`, the left one first. They look in parallel, each through a frustum that
    /// is shifted so that both show the plane at the convergence in the same place: nothing is shifted in height.
    pub fn eyes(self, middle: Camera, eyes: Eyes) -> impl Iterator<Item = Camera> {
        let Eyes { interocular_m, convergence_m } = eyes;
        let sides: &[f32] = if self == Self::Off { &[0.0] } else { &[-0.5, 0.5] };
        sides.iter().map(move |side| {
            let right_m = side * interocular_m;
            if right_m == 0.0 {
                return middle;
            }
            Camera {
                eye: middle.eye + middle.orientation * (right_m * Vec3::X),
                off_axis: middle.off_axis + Vec2::new(right_m / convergence_m, 0.0),
                ..middle
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_shifted_as_geometry_has_it_and_only_sideways() {
        let middle = Camera::look_at(Vec3::new(1.0, -4.0, 3.0), Vec3::new(0.0, -5.0, -2.0), 1.1);
        let eyes = Eyes { interocular_m: 0.065, convergence_m: 3.0 };
        let aspect = 16.0 / 9.0;
        let half_width = aspect * (0.5f32 * middle.fov_y).tan();
        for z in [0.5, 1.0, 3.0, 7.0, 90.0] {
            let point = middle.eye + middle.orientation * Vec3::new(0.2 * z, -0.1 * z, -z);
            let [left, right] = [0, 1].map(|i| {
                let eye = Stereo::SideBySide.eyes(middle, eyes).nth(i).expect("two eyes");
                let clip = eye.clip_from_view(aspect) * eye.view_from_world() * point.extend(1.0);
                clip.truncate() / clip.w
            });
            // In a picture that is 2 wide the focal length is 1 / half_width.
            let expected = eyes.interocular_m * (1.0 / z - 1.0 / eyes.convergence_m) / half_width;
            assert!((left.x - right.x - expected).abs() < 2e-6 + 1e-4 * expected.abs(), "{z} m: {left} {right}");
            assert!((left.y - right.y).abs() < 1e-5, "no shift in height at {z} m");
        }
    }

    #[test]
    fn eyes_in_one_place_are_one_eye_and_pictures_cover_all() {
        let middle = Camera::default();
        let one = Eyes::default();
        assert!(Stereo::TopBottom.eyes(middle, one).all(|eye| eye == middle));
        let two = Eyes { interocular_m: 0.064, convergence_m: 3.0 };
        assert_eq!(Stereo::Off.eyes(middle, two).collect::<Vec<_>>(), [middle]);
        for output in [(64, 36), (65, 37), (1, 1)] {
            for stereo in [Stereo::SideBySide, Stereo::TopBottom] {
                let (width, height) = stereo.eye_extent(output);
                let corners = [0, 1].map(|eye| stereo.part(eye, output).corner);
                assert_eq!(corners.iter().map(|corner| corner.0 + width).max(), Some(output.0));
                assert_eq!(corners.iter().map(|corner| corner.1 + height).max(), Some(output.1));
            }
        }
        let place = |x, y| Stereo::SideBySide.place_in_eye(Vec2::new(x, y), (64, 36));
        assert_eq!([place(10.0, 30.0), place(42.0, 30.0)], [Vec2::new(10.0, 30.0); 2]);
    }
}
