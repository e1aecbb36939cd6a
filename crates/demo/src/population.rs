//! The keys that change how many fish there are.

/// Factor on the number of fish for `+`, and its inverse for `-`.
const FACTOR: f32 = 1.25;

/// Presses of `+` and `-` since the last frame, which become one change: on a large scene each change takes long.
#[derive(Clone, Copy, Debug, Default)]
pub struct PopulationKeys {
    /// Presses of `+` less those of `-`.
    steps: i32,
    /// Factor that waits for the next frame.
    held: Option<f32>,
    /// Whether the factor that was taken last had waited.
    has_waited: bool,
}

impl PopulationKeys {
    /// Takes in a press of `+` (`more`) or `-`. A key that is held counts once a frame, however often it `repeat`s.
    pub fn press(&mut self, more: bool, repeat: bool) {
        if !repeat || self.steps == 0 {
            self.steps += if more { 1 } else { -1 };
        }
    }

    /// Has the next frame take the factor that was just taken. `false` if it has waited already: then it is due.
    pub fn hold(&mut self, factor: f32) -> bool {
        self.held = (!self.has_waited).then_some(factor);
        !self.has_waited
    }

    /// The factor on the number of fish that the presses come to, if there were any; they are then forgotten.
    pub fn take_factor(&mut self) -> Option<f32> {
        let held = self.held.take();
        self.has_waited = held.is_some();
        if held.is_some() {
            return held;
        }
        let steps = std::mem::take(&mut self.steps);
        (steps != 0).then(|| FACTOR.powi(steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_do_not_pile_up_and_presses_add_up() {
        let mut keys = PopulationKeys::default();
        assert_eq!(keys.take_factor(), None);
        keys.press(true, false);
        (0..1000).for_each(|_| keys.press(true, true));
        assert_eq!((keys.take_factor(), keys.take_factor()), (Some(FACTOR), None));
        keys.press(true, true);
        assert_eq!(keys.take_factor(), Some(FACTOR), "still held a frame later");
        (0..2).for_each(|_| keys.press(false, false));
        assert_eq!(keys.take_factor(), Some(1.0 / (FACTOR * FACTOR)));
        keys.press(true, false);
        keys.press(false, false);
        assert_eq!(keys.take_factor(), None);
        assert!(keys.hold(FACTOR));
        assert_eq!(keys.take_factor(), Some(FACTOR));
        assert!(!keys.hold(FACTOR), "it is due");
        assert_eq!(keys.take_factor(), None);
    }
}
