//! Touch gestures on the canvas: one finger looks round, two swim, a double tap frightens.

use camera::Sticks;
use glam::{Vec2, Vec3};

/// Distance of two fingers' common slide at which the speed is full. Unit: points.
const FULL_SPEED_POINTS: f32 = 90.0;
/// Greatest distance between two taps, and greatest slide of a finger within one. Unit: points.
const TAP_POINTS: f32 = 24.0;
/// Longest duration of a tap, and longest pause before the next one. Unit: ms.
const TAP_MS: f64 = 300.0;

/// Fingers that touch the canvas.
#[derive(Clone, Debug, Default)]
pub struct Fingers {
    /// Id and position of each finger. Unit: points.
    down: Vec<(i32, Vec2)>,
    /// Centre of the first two fingers and the distance between them when the second came down. Unit: points.
    began: Option<(Vec2, f32)>,
    /// Possible tap: position and time (ms) at which a finger came down alone.
    pressed: Option<(Vec2, f64)>,
    /// Position of the last tap, and the time at which it ended (ms).
    tapped: Option<(Vec2, f64)>,
}

/// Result of a gesture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touched {
    /// Frightens the animals there. Unit: points.
    Frighten(Vec2),
    /// Turns the view by this much. Unit: points.
    Look(Vec2),
    /// Swims as if these sticks were moved.
    Swim(Sticks),
}

impl Fingers {
    /// Records that a finger came down. Returns a result for the second tap of a double tap.
    pub fn press(&mut self, finger: i32, at: Vec2, now_ms: f64) -> Option<Touched> {
        self.lift(finger, None);
        let last = self.tapped.take().filter(|_| self.down.is_empty());
        self.pressed = self.down.is_empty().then_some((at, now_ms));
        self.down.push((finger, at));
        self.began = self.pair();
        let is_second = |(place, then_ms)| at.distance(place) < TAP_POINTS && now_ms - then_ms < TAP_MS;
        last.is_some_and(is_second).then(|| {
            // A third tap counts as the first of another pair.
            self.pressed = None;
            Touched::Frighten(at)
        })
    }

    /// Records that a finger moved.
    pub fn slide(&mut self, finger: i32, to: Vec2) -> Option<Touched> {
        let (_, at) = self.down.iter_mut().find(|(known, _)| *known == finger)?;
        let way = to - std::mem::replace(at, to);
        self.pressed = self.pressed.filter(|(place, _)| to.distance(*place) < TAP_POINTS);
        match (self.began, self.pair()) {
            (Some((middle, span)), Some((middle_now, span_now))) => {
                let way = (middle_now - middle) / FULL_SPEED_POINTS;
                let apart = (span_now - span) / FULL_SPEED_POINTS;
                // The water is dragged along with the fingers; spreading them moves the camera closer.
                let go = Vec3::new(-way.x, way.y, -apart).clamp(Vec3::NEG_ONE, Vec3::ONE);
                Some(Touched::Swim(Sticks { go, look: Vec2::ZERO }))
            }
            _ => Some(Touched::Look(way)),
        }
    }

    /// Records that a finger is gone, lifted at `lifted_ms` or taken by the browser (`None`); swimming with it stops.
    pub fn lift(&mut self, finger: i32, lifted_ms: Option<f64>) -> Option<Touched> {
        self.down.retain(|(known, _)| *known != finger);
        if let (Some((at, pressed_ms)), Some(lifted_ms)) = (self.pressed.take(), lifted_ms) {
            self.tapped = (lifted_ms - pressed_ms < TAP_MS).then_some((at, lifted_ms));
        }
        let swam = self.began.take().is_some();
        self.began = self.pair();
        (swam && self.began.is_none()).then(|| Touched::Swim(Sticks::default()))
    }

    /// Centre of the first two fingers and the distance between them.
    fn pair(&self) -> Option<(Vec2, f32)> {
        let [(_, a), (_, b), ..] = self.down[..] else { return None };
        Some(((a + b) / 2.0, a.distance(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_finger_looks_and_two_swim_until_one_is_gone() {
        let mut fingers = Fingers::default();
        fingers.press(1, Vec2::new(10.0, 10.0), 0.0);
        assert_eq!(fingers.slide(1, Vec2::new(13.0, 6.0)), Some(Touched::Look(Vec2::new(3.0, -4.0))));
        fingers.press(2, Vec2::new(113.0, 6.0), 0.0);
        let spread = fingers.slide(2, Vec2::new(203.0, 6.0));
        let go = Vec3::new(-0.5, 0.0, -1.0);
        assert_eq!(spread, Some(Touched::Swim(Sticks { go, look: Vec2::ZERO })));
        assert_eq!(fingers.lift(1, Some(1.0)), Some(Touched::Swim(Sticks::default())));
        assert_eq!(fingers.slide(2, Vec2::new(203.0, 7.0)), Some(Touched::Look(Vec2::Y)));
        assert_eq!((fingers.lift(2, Some(1.0)), fingers.slide(2, Vec2::ZERO)), (None, None));
    }

    /// Result of a press at `at` (points, ms) after a tap that slides by `slide` points and lasts `tap_ms`.
    fn second(slide: f32, tap_ms: f64, at: (f32, f64)) -> Option<Touched> {
        let mut fingers = Fingers::default();
        assert_eq!(fingers.press(1, Vec2::ZERO, 0.0), None);
        fingers.slide(1, Vec2::new(slide, 0.0));
        fingers.lift(1, Some(tap_ms));
        fingers.press(2, Vec2::new(at.0, 0.0), at.1)
    }

    #[test]
    fn two_taps_at_one_place_frighten() {
        assert_eq!(second(5.0, 100.0, (9.0, 250.0)), Some(Touched::Frighten(Vec2::new(9.0, 0.0))));
        for (why, touched) in [
            ("too late", second(5.0, 100.0, (9.0, 500.0))),
            ("too far", second(5.0, 100.0, (60.0, 250.0))),
            ("a look round", second(60.0, 100.0, (9.0, 250.0))),
            ("a long press", second(5.0, 900.0, (9.0, 950.0))),
        ] {
            assert_eq!(touched, None, "{why}");
        }
    }

    #[test]
    fn the_third_tap_and_a_second_finger_are_no_second_tap() {
        let mut fingers = Fingers::default();
        let mut tap = |now_ms| {
            let touched = fingers.press(1, Vec2::ONE, now_ms);
            fingers.lift(1, Some(now_ms + 50.0));
            touched.is_some()
        };
        assert_eq!([0.0, 100.0, 200.0, 300.0].map(&mut tap), [false, true, false, true]);
        fingers.press(1, Vec2::ONE, 900.0);
        assert_eq!(fingers.press(2, Vec2::ONE, 950.0), None);
        fingers.lift(1, Some(960.0));
        fingers.lift(2, Some(970.0));
        assert_eq!(fingers.press(1, Vec2::ONE, 980.0), None);
    }
}
