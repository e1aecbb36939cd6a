//! Change of shape: a puffer swallows water when it is frightened, a jelly gathers its bell with each pulse. The times
//! of fear are by eye, short enough that an onlooker sees it come and go.

use crate::STEP_S;
use crate::settings::Drive;

/// Fear above which it takes the shape: more than a hunter that only passes by ever causes.
const AFRAID: f32 = 0.45;
/// Time in which it takes the shape. Unit: s.
const IN_S: f32 = 1.0;
/// Time in which it loses the shape once it is calm again. Unit: s.
const OUT_S: f32 = 15.0;
/// Share of a stroke at which a bell is drawn together: it closes in a third of the time and opens in the rest
/// (Costello & Colin 1994). The joints of the project's own bell keep the same times.
const CLOSED_AT: f32 = 0.30;
/// Share of a stroke at which the bell is open again.
const OPEN_AT: f32 = 0.92;

/// Progress of an animal's change of shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Morph {
    /// Linear progress: 0 at rest to 1.
    progress: f32,
}

impl Morph {
    /// Advances by a step at an alarm of 0..=1.
    pub fn step(&mut self, drive: Option<Drive>, alarm: f32) {
        let change = match drive {
            None | Some(Drive::Pulse) => return,
            Some(Drive::Fear) if alarm > AFRAID => STEP_S / IN_S,
            Some(Drive::Fear) => -STEP_S / OUT_S,
        };
        self.progress = (self.progress + change).clamp(0.0, 1.0);
    }

    /// Weight of the shape at a phase of the stroke, 0..1: it begins and ends smoothly.
    pub fn weight(self, drive: Option<Drive>, phase: f32) -> f32 {
        match drive {
            Some(Drive::Pulse) if phase < CLOSED_AT => math::smoothstep(0.0, CLOSED_AT, phase),
            Some(Drive::Pulse) => math::smoothstep(OPEN_AT, CLOSED_AT, phase),
            _ => math::smoothstep(0.0, 1.0, self.progress),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(morph: Morph) -> f32 {
        morph.weight(Some(Drive::Fear), 0.5)
    }

    #[test]
    fn a_bell_closes_in_a_third_of_its_pulse_and_is_open_before_the_next() {
        let mut morph = Morph::default();
        morph.step(Some(Drive::Pulse), 1.0);
        let at = |phase| morph.weight(Some(Drive::Pulse), phase);
        assert_eq!([at(0.0), at(0.3), at(0.93), at(0.9999)], [0.0, 1.0, 0.0, 0.0]);
        assert!((at(0.15) - 0.5).abs() < 1e-4 && (at(0.61) - 0.5).abs() < 1e-4);
        let steps = (0..200).map(|i| (at((i + 1) as f32 / 200.0) - at(i as f32 / 200.0)).abs());
        assert!(steps.fold(0.0, f32::max) < 0.03, "no jerk");
    }

    #[test]
    fn fear_puffs_within_a_second_and_calm_takes_a_quarter_of_a_minute() {
        let mut morph = Morph::default();
        let mut live = |seconds: f32, alarm: f32| {
            let before = weight(morph);
            let mut largest = 0.0f32;
            for _ in 0..(seconds / STEP_S).round() as u32 {
                let last = weight(morph);
                morph.step(Some(Drive::Fear), alarm);
                largest = largest.max((weight(morph) - last).abs());
            }
            assert!(largest < 0.06, "{largest} in a step");
            (before, weight(morph))
        };
        assert_eq!(live(5.0, 0.4), (0.0, 0.0), "wary is not afraid");
        assert_eq!(live(1.1, 0.9).1, 1.0);
        let (_, half) = live(7.5, 0.0);
        assert!((half - 0.5).abs() < 0.05, "{half}");
        assert_eq!(live(8.0, 0.0).1, 0.0);
        let mut other = Morph::default();
        other.step(None, 1.0);
        assert_eq!(weight(other), 0.0, "one that takes no shape");
    }
}
