//! A moment of a headset, as its runtime tells it: poses in metres of the room, +y up from its floor, and -z ahead as it
//! began.

use glam::{Quat, Vec2, Vec3};
use view::PicturePart;

/// An eye of a headset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadsetEye {
    /// Place in the room.
    pub place: Vec3,
    /// Room from view.
    pub orientation: Quat,
    /// Tangents of the angles that it sees to the left (negative) and to the right.
    pub across: [f32; 2],
    /// Tangents of the angles that it sees below (negative) and above.
    pub upright: [f32; 2],
    /// Part of the runtime's picture that its own goes to; `None` if that is a half of its own.
    pub part: Option<PicturePart>,
}

impl HeadsetEye {
    /// Floats of an eye as a page tells it: place, orientation (x y z w), projection by columns, and the part of the
    /// picture that its own goes to: corner, width, height.
    pub const FLOATS: usize = 27;

    /// An eye as a page tells it.
    pub fn of_floats(floats: &[f32; Self::FLOATS]) -> Self {
        let [x, y, z, i, j, k, w, projection @ .., left, below, width, height] = *floats;
        let projection: &[f32; 16] = &projection;
        // A projection maps x to (P0 x + P8 z) / -z, and the edges to -1 and 1; y likewise.
        let edges = |scale: f32, shift: f32| [(shift - 1.0) / scale, (shift + 1.0) / scale];
        Self {
            place: Vec3::new(x, y, z),
            orientation: Quat::from_xyzw(i, j, k, w).normalize(),
            across: edges(projection[0], projection[8]),
            upright: edges(projection[5], projection[9]),
            part: Some(PicturePart { corner: (left as u32, below as u32), extent: (width as u32, height as u32) }),
        }
    }

    /// Whether all its numbers are finite and its lens sees something.
    pub fn is_whole(&self) -> bool {
        let opening = [self.across, self.upright].map(|[from, to]| to - from);
        let sees = opening.iter().all(|opening| opening.is_finite() && *opening > 0.0);
        let is_shown = self.part.is_none_or(|part| part.extent.0 > 0 && part.extent.1 > 0);
        sees && is_shown && self.place.is_finite() && self.orientation.is_finite()
    }
}

/// A hand with a controller.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hand {
    /// Place of its grip in the room.
    pub grip: Vec3,
    /// Start and direction of the line that it points along, in the room.
    pub aim: (Vec3, Vec3),
    /// Whether its trigger is pressed.
    pub trigger: bool,
    /// Whether it is closed about the grip.
    pub squeeze: bool,
    /// Whether its first button is pressed.
    pub first: bool,
    /// Whether its second button is pressed.
    pub second: bool,
    /// Stick: right and ahead are positive.
    pub stick: Vec2,
}

impl Hand {
    /// Floats of a hand as a page tells it: whether it is there, grip, start and direction of its line, trigger, squeeze,
    /// two buttons, stick.
    pub const FLOATS: usize = 16;

    /// A hand as a page tells it; `None` if it is not there.
    pub fn of_floats(floats: &[f32; Self::FLOATS]) -> Option<Self> {
        let [is_there, gx, gy, gz, fx, fy, fz, dx, dy, dz, trigger, squeeze, first, second, right, ahead] = *floats;
        let down = |value: f32| value > 0.5;
        down(is_there).then(|| Self {
            grip: Vec3::new(gx, gy, gz),
            aim: (Vec3::new(fx, fy, fz), Vec3::new(dx, dy, dz).normalize_or(Vec3::NEG_Z)),
            trigger: down(trigger),
            squeeze: down(squeeze),
            first: down(first),
            second: down(second),
            stick: Vec2::new(right, ahead),
        })
    }
}

/// Assumed height of the eyes over the floor where a runtime tells nothing of the floor. Unit: m.
pub const EYE_HEIGHT_M: f32 = 1.6;

/// Frames a second of a headset that does not tell its own.
const RATE_HZ: f64 = 90.0;

/// A moment of a headset.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadsetFrame {
    /// Frames a second that it shows.
    pub rate_hz: f64,
    /// Its eyes, the left one first.
    pub eyes: Vec<HeadsetEye>,
    /// The left hand and the right one, as far as they are there.
    pub hands: [Option<Hand>; 2],
}

impl Default for HeadsetFrame {
    fn default() -> Self {
        Self { rate_hz: RATE_HZ, eyes: Vec::new(), hands: [None; 2] }
    }
}

impl HeadsetFrame {
    /// A moment as a page tells it, of a headset that shows `rate_hz` frames a second, if it tells; `None` if a number is
    /// missing or not finite, or a lens sees nothing.
    pub fn of_floats(rate_hz: Option<f64>, eyes: &[f32], hands: &[f32]) -> Option<Self> {
        if !eyes.iter().chain(hands).all(|number| number.is_finite()) {
            return None;
        }
        let (eyes, []) = eyes.as_chunks() else { return None };
        let [left, right] = hands.as_chunks().0 else { return None };
        let eyes: Vec<_> = eyes.iter().map(HeadsetEye::of_floats).collect();
        let hands = [left, right].map(Hand::of_floats);
        let rate_hz = rate_hz.filter(|rate_hz| rate_hz.is_finite() && *rate_hz > 0.0).unwrap_or(RATE_HZ);
        (!eyes.is_empty() && eyes.iter().all(HeadsetEye::is_whole)).then_some(Self { rate_hz, eyes, hands })
    }

    /// Extent of pictures of the eyes, one or two side by side, that have room for each of its parts; `None` if they have
    /// none.
    pub fn extent(&self) -> Option<(u32, u32)> {
        let parts = || self.eyes.iter().filter_map(|eye| eye.part);
        let (width, height) = (parts().map(|part| part.extent.0).max()?, parts().map(|part| part.extent.1).max()?);
        Some((width * self.eyes.len().clamp(1, 2) as u32, height))
    }

    /// Place of the head, in the room.
    pub fn head(&self) -> Vec3 {
        self.eyes.iter().map(|eye| eye.place).sum::<Vec3>() / self.eyes.len().max(1) as f32
    }

    /// Direction of view in the room, without its height; ahead if it is straight up or down.
    pub fn ahead(&self) -> Vec3 {
        let forward = self.eyes.first().map_or(Vec3::NEG_Z, |eye| eye.orientation * Vec3::NEG_Z);
        forward.with_y(0.0).normalize_or(Vec3::NEG_Z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_as_a_page_tells_it() {
        let ([left, right, down, up], near) = ([-1.38, 0.84, -1.43, 0.97], 0.05);
        let frustum =
            glam::camera::rh::proj::opengl::frustum(near * left, near * right, near * down, near * up, near, 300.0);
        let mut eye = vec![0.1, 1.6, -0.2, 0.0, 0.0, 0.0, 1.0];
        eye.extend(frustum.to_cols_array());
        eye.extend([640.0, 8.0, 600.0, 680.0]);
        let mut hands = vec![0.0; 2 * Hand::FLOATS];
        hands[Hand::FLOATS..][..14].copy_from_slice(&[1., 0., 1., 0., 0., 1., 0., 0., 0., -2., 1., 0., 0., 1.]);
        let read = HeadsetFrame::of_floats(Some(72.0), &eye, &hands).expect("a moment");
        assert_eq!(read.extent(), Some((600, 680)));
        let [HeadsetEye { place, across, upright, part, .. }] = read.eyes[..] else { panic!("{read:?}") };
        let off = [across[0] - left, across[1] - right, upright[0] - down, upright[1] - up];
        assert_eq!(read.rate_hz, 72.0);
        assert!(place == Vec3::new(0.1, 1.6, -0.2) && off.iter().all(|off| off.abs() < 1e-5), "{read:?}");
        assert_eq!(part, Some(PicturePart { corner: (640, 8), extent: (600, 680) }));
        let [None, Some(right)] = read.hands else { panic!("{read:?}") };
        assert!(right.trigger && right.second && !right.first && right.aim.1 == Vec3::NEG_Z, "{right:?}");
        hands[1] = f32::NAN;
        assert_eq!(HeadsetFrame::of_floats(None, &eye, &hands), None);
        hands[1] = 0.0;
        eye[25] = 0.0;
        assert_eq!(HeadsetFrame::of_floats(None, &eye, &hands), None, "a view that is not shown");
        eye[25] = 600.0;
        eye[3] = f32::NAN;
        assert_eq!(HeadsetFrame::of_floats(None, &eye, &hands), None);
        assert_eq!(HeadsetFrame::of_floats(None, &eye[..9], &hands), None);
    }
}
