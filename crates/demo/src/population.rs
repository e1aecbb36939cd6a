//! The keys that change how many fish there are.

/// Factor on the number of fish for `+`, and its inverse for `-`.
const FACTOR: f32 = 1.25;

/// Presses of `+` and `-` since the last change, which become one change: on a large scene each takes long.
#[derive(Clone, Copy, Debug, Default)]
pub struct PopulationKeys {
    /// Presses of `+` less those of `-`.
    steps: i32,
}

impl PopulationKeys {
    /// Takes in a press of `+` (`more`) or `-`. A key that is held counts once a change, however often it `repeat`s.
    pub fn press(&mut self, more: bool, repeat: bool) {
        if !repeat || self.steps == 0 {
            self.steps += if more { 1 } else { -1 };
        }
    }

    /// The factor on the number of fish that the presses come to, if there were any; they are then forgotten.
    pub fn take_factor(&mut self) -> Option<f32> {
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
    }
}
