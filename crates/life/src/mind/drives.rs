//! Drives: needs that grow with time and are stilled by fitting actions. Each is 0 (stilled) to 1 (pressing).

use crate::DECISION_S;
use crate::mind::habits::Habits;
use crate::mind::intention::Intention;
use crate::settings::Routine;

/// Time in which a sated animal grows hungry. Reef fish feed by the minute all day long (damselfish for more than 85 %
/// of it, butterflyfish take 5 to 11 bites a minute). Unit: s.
const HUNGRY_AFTER_S: f32 = 80.0;

/// Time in which a sated turtle or ray grows hungry: turtles forage for a third of the day. Unit: s.
const GLIDER_HUNGRY_AFTER_S: f32 = 200.0;

/// Time in which a sated hunter grows hungry, between two bouts of hunting. By eye: real ones take hours. Unit: s.
const HUNTER_HUNGRY_AFTER_S: f32 = 130.0;

/// Time in which a feeding animal is sated. Unit: s.
const SATED_AFTER_S: f32 = 18.0;

/// Time in which a hunter tires of a hunt. Unit: s.
const TIRED_AFTER_S: f32 = 60.0;

/// Time after which parasites send an animal to the cleaner again: some fish go there a hundred times in ten hours of
/// daylight. Unit: s.
const ITCHES_AFTER_S: f32 = 360.0;

/// Time in which a cleaner removes the itch. Clients stay for 5 to 60 s. Unit: s.
const CLEANED_AFTER_S: f32 = 14.0;

/// Time for which a whale or dolphin stays below: they come up every 20 to 60 s. Unit: s.
const DOLPHIN_BREATH_S: f32 = 55.0;

/// Time for which other air breathers stay below. Turtles stay down for up to 40 minutes; a demo is shorter. Unit: s.
const TURTLE_BREATH_S: f32 = 170.0;

/// Needs of one animal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Drives {
    pub hunger: f32,
    /// Need for rest by the time of day.
    pub fatigue: f32,
    /// Need for company.
    pub loneliness: f32,
    /// Need for a cleaner.
    pub itch: f32,
    /// Used share of its breath, for animals that breathe air.
    pub breath: f32,
}

impl Drives {
    /// Advances the drives by a decision's time; `daylight` is 0 by night to 1 by day.
    ///
    /// On the way to its food an animal's hunger neither grows nor falls: `is_there` means that it has arrived at the
    /// place of its intention.
    pub fn live(&mut self, habits: &Habits, intention: Intention, daylight: f32, is_there: bool, is_astray: bool) {
        let feeds = matches!(intention, Intention::Eat | Intention::Do(Routine::Graze | Routine::Plankton));
        let eats = feeds && (is_there || intention != Intention::Do(Routine::Graze));
        let hunts = intention.is_hunt();
        let time_s = match habits.hunts() {
            _ if eats => -SATED_AFTER_S,
            _ if feeds => f32::INFINITY,
            true if hunts => -TIRED_AFTER_S,
            true => HUNTER_HUNGRY_AFTER_S,
            false if habits.is_glider => GLIDER_HUNGRY_AFTER_S,
            false => HUNGRY_AFTER_S,
        };
        self.hunger = grow(self.hunger, time_s);
        self.fatigue = habits.fatigue(daylight);
        self.loneliness = grow(self.loneliness, if is_astray { 6.0 } else { -2.0 });
        let is_cleaned = intention == Intention::Do(Routine::VisitCleaner);
        self.itch = grow(self.itch, if is_cleaned { -CLEANED_AFTER_S } else { ITCHES_AFTER_S });
        self.breath = grow(self.breath, if habits.is_cetacean { DOLPHIN_BREATH_S } else { TURTLE_BREATH_S });
    }
}

/// Advances a drive that goes from 0 to 1 in `time_s` seconds, or from 1 to 0 if that is negative.
fn grow(drive: f32, time_s: f32) -> f32 {
    (drive + DECISION_S / time_s).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Active;

    #[test]
    fn a_drive_grows_until_it_is_answered() {
        let habits = Habits::default();
        let mut drives = Drives::default();
        let pass = |drives: &mut Drives, seconds: f32, intention| {
            for _ in 0..(seconds / DECISION_S) as u32 {
                drives.live(&habits, intention, 1.0, true, false);
            }
        };
        pass(&mut drives, 0.5 * HUNGRY_AFTER_S, Intention::Live);
        assert!((drives.hunger - 0.5).abs() < 0.02, "{}", drives.hunger);
        pass(&mut drives, 2.0 * HUNGRY_AFTER_S, Intention::Live);
        assert_eq!(drives.hunger, 1.0);
        pass(&mut drives, 1.1 * SATED_AFTER_S, Intention::Do(Routine::Graze));
        assert_eq!(drives.hunger, 0.0);
    }

    #[test]
    fn each_has_its_hours() {
        let fatigue = |active, daylight| {
            let mut habits = Habits::default();
            habits.active = active;
            habits.fatigue(daylight)
        };
        assert_eq!((fatigue(Active::Day, 1.0), fatigue(Active::Day, 0.0)), (0.0, 1.0));
        assert_eq!((fatigue(Active::Night, 1.0), fatigue(Active::Night, 0.0)), (1.0, 0.0));
        assert_eq!((fatigue(Active::Twilight, 1.0), fatigue(Active::Twilight, 0.5)), (1.0, 0.0));
        assert_eq!(fatigue(Active::Always, 0.0), 0.0);
    }
}
