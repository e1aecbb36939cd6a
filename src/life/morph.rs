//! How an animal takes another shape: a puffer that swallows water when it is frightened. Its times are by eye, so short
//! that one who looks on sees it come and go.

use crate::life::STEP_S;
use crate::life::settings::Drive;

/// Fear above which it takes the shape: what a hunter that only passes by never causes.
const AFRAID: f32 = 0.45;
/// Time in which it takes it. Unit: s.
const IN_S: f32 = 1.0;
/// Time in which it loses it once it is calm again. Unit: s.
const OUT_S: f32 = 15.0;

/// How far an animal has taken a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Morph {
    /// 0 at rest to 1, evenly over time.
    progress: f32,
}

impl Morph {
    /// Lets a step pass for one that is so afraid, 0..=1.
    pub fn step(&mut self, drive: Option<Drive>, alarm: f32) {
        let change = match drive {
            None => return,
            Some(Drive::Fear) if alarm > AFRAID => STEP_S / IN_S,
            Some(Drive::Fear) => -STEP_S / OUT_S,
        };
        self.progress = (self.progress + change).clamp(0.0, 1.0);
    }

    /// Weight of the shape: it neither begins nor ends with a jerk.
    pub fn weight(self) -> f32 {
        math::smoothstep(0.0, 1.0, self.progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fear_puffs_within_a_second_and_calm_takes_a_quarter_of_a_minute() {
        let mut morph = Morph::default();
        let mut live = |seconds: f32, alarm: f32| {
            let before = morph.weight();
            let mut largest = 0.0f32;
            for _ in 0..(seconds / STEP_S).round() as u32 {
                let last = morph.weight();
                morph.step(Some(Drive::Fear), alarm);
                largest = largest.max((morph.weight() - last).abs());
            }
            assert!(largest < 0.06, "{largest} in a step");
            (before, morph.weight())
        };
        assert_eq!(live(5.0, 0.4), (0.0, 0.0), "wary is not afraid");
        assert_eq!(live(1.1, 0.9).1, 1.0);
        let (_, half) = live(7.5, 0.0);
        assert!((half - 0.5).abs() < 0.05, "{half}");
        assert_eq!(live(8.0, 0.0).1, 0.0);
        let mut other = Morph::default();
        other.step(None, 1.0);
        assert_eq!(other.weight(), 0.0, "one that takes no shape");
    }
}
