//! Fingers on the canvas: one looks round, two swim.

use glam::{Vec2, Vec3};

use crate::app::camera::Sticks;

/// Way of two fingers together that is as fast as can be. Unit: points.
const FULL_SPEED_POINTS: f32 = 90.0;

/// The fingers that are down.
#[derive(Clone, Debug, Default)]
pub struct Fingers {
    /// Each with where it is. Unit: points.
    down: Vec<(i32, Vec2)>,
    /// The middle of the first two and the distance between them when the second came down. Unit: points.
    began: Option<(Vec2, f32)>,
}

/// What fingers come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touched {
    /// Looks round by so much. Unit: points.
    Look(Vec2),
    /// Swims as if sticks were moved.
    Swim(Sticks),
}

impl Fingers {
    /// A finger came down. Another one comes to something.
    pub fn press(&mut self, finger: i32, at: Vec2) {
        self.lift(finger);
        self.down.push((finger, at));
        self.began = self.pair();
    }

    /// A finger moved.
    pub fn slide(&mut self, finger: i32, to: Vec2) -> Option<Touched> {
        let (_, at) = self.down.iter_mut().find(|(known, _)| *known == finger)?;
        let way = to - std::mem::replace(at, to);
        match (self.began, self.pair()) {
            (Some((middle, span)), Some((middle_now, span_now))) => {
                let way = (middle_now - middle) / FULL_SPEED_POINTS;
                let apart = (span_now - span) / FULL_SPEED_POINTS;
                // As if the water were moved along by them; what is spread comes nearer.
                let go = Vec3::new(-way.x, way.y, -apart).clamp(Vec3::NEG_ONE, Vec3::ONE);
                Some(Touched::Swim(Sticks { go, look: Vec2::ZERO }))
            }
            _ => Some(Touched::Look(way)),
        }
    }

    /// A finger is gone; who swam with it stops.
    pub fn lift(&mut self, finger: i32) -> Option<Touched> {
        self.down.retain(|(known, _)| *known != finger);
        let swam = self.began.take().is_some();
        self.began = self.pair();
        (swam && self.began.is_none()).then(|| Touched::Swim(Sticks::default()))
    }

    /// The middle of the first two fingers and the distance between them.
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
        fingers.press(1, Vec2::new(10.0, 10.0));
        assert_eq!(fingers.slide(1, Vec2::new(13.0, 6.0)), Some(Touched::Look(Vec2::new(3.0, -4.0))));
        fingers.press(2, Vec2::new(113.0, 6.0));
        let spread = fingers.slide(2, Vec2::new(203.0, 6.0));
        let go = Vec3::new(-0.5, 0.0, -1.0);
        assert_eq!(spread, Some(Touched::Swim(Sticks { go, look: Vec2::ZERO })));
        assert_eq!(fingers.lift(1), Some(Touched::Swim(Sticks::default())));
        assert_eq!(fingers.slide(2, Vec2::new(203.0, 7.0)), Some(Touched::Look(Vec2::Y)));
        assert_eq!((fingers.lift(2), fingers.slide(2, Vec2::ZERO)), (None, None));
    }
}
