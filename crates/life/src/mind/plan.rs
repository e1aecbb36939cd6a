//! Plan of a school as a whole: it travels, and stops on the way to feed, to mill or to wait.
//!
//! A bodiless leader for the group, as for the herds of *Horizon Zero Dawn* (GDC 2017): members follow its plan as long
//! as no drive of their own is stronger, so that a school turns to its meal together and yet not in the same instant.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::STEP_S;
use crate::mind::habits::Habits;
use crate::mind::intention::Intention;
use crate::settings::Routine;

/// Members from which a school mills by its plan: smaller schools form mills by themselves, and schools of many hundred
/// do not mill at all unless they are led (Calovi et al. 2014).
const MILLS_FROM: usize = 30;

/// Reasons for a stop, with its least and greatest time. By eye after LIFE's figures for single species. Unit: s.
const STOPS: [(Routine, [f32; 2]); 6] = [
    (Routine::Graze, [35.0, 65.0]),
    (Routine::Plankton, [25.0, 50.0]),
    (Routine::Mill, [14.0, 32.0]),
    (Routine::Station, [12.0, 25.0]),
    (Routine::Ambush, [15.0, 30.0]),
    (Routine::Pursue, [14.0, 24.0]),
];

/// Least and greatest time of travel between two stops. Unit: s.
const TRAVEL_S: [f32; 2] = [25.0, 55.0];

/// Least and greatest time of travel of plankton feeders: damselfish feed for more than 85 % of the day. Unit: s.
const PICKERS_TRAVEL_S: [f32; 2] = [8.0, 20.0];

/// Least and greatest time of travel of schools that hunt: they look for prey, without haste. By eye. Unit: s.
const HUNTERS_TRAVEL_S: [f32; 2] = [20.0, 45.0];

/// Tension above which a school breaks off: a hunter within the flight distance, not one that passes by.
const PRESSED: f32 = 0.6;

/// Least and greatest time of travel of a frightened school, before it stops again. By eye. Unit: s.
const FRIGHT_S: [f32; 2] = [5.0, 12.0];

/// Current plan of a school.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plan {
    /// Routine for which it has stopped; `None` while it travels.
    stop: Option<Routine>,
    since_s: f32,
    left_s: f32,
}

impl Plan {
    /// Creates a plan already in progress for a school of a number of members, stopped with its long-run probability.
    pub fn under_way(habits: &Habits, members: usize, rng: &mut Pcg64Mcg) -> Self {
        let travels = Self::new(None, travel_s(habits), rng);
        let stops = Self::stop_of(habits, members, false, rng).unwrap_or(travels);
        let is_stopped = rng.random::<f32>() * (travels.left_s + stops.left_s) < stops.left_s;
        let plan = if is_stopped { stops } else { travels };
        let since_s = plan.left_s * rng.random::<f32>();
        Self { since_s, left_s: plan.left_s - since_s, ..plan }
    }

    fn new(stop: Option<Routine>, time_s: [f32; 2], rng: &mut Pcg64Mcg) -> Self {
        Self { stop, since_s: 0.0, left_s: between(time_s, rng) }
    }

    /// Creates a stop for a random routine that its habits and numbers allow; for none of hunting if it is `calm`.
    fn stop_of(habits: &Habits, members: usize, calm: bool, rng: &mut Pcg64Mcg) -> Option<Self> {
        let knows = |(routine, _): &&(Routine, [f32; 2])| {
            habits.has(*routine) && (*routine != Routine::Mill || members >= MILLS_FROM) && !(calm && routine.is_hunt())
        };
        let known = STOPS.iter().filter(knows).count();
        let nth = if known > 0 { rng.random_range(0..known) } else { 0 };
        let (routine, time_s) = STOPS.iter().filter(knows).nth(nth)?;
        Some(Self::new(Some(*routine), *time_s, rng))
    }

    /// Time since the plan began. Unit: s.
    pub fn since_s(&self) -> f32 {
        self.since_s
    }

    /// Routine for which it has stopped, if any.
    pub fn stop(&self) -> Option<Routine> {
        self.stop
    }

    /// Intention of its members.
    pub fn intention(&self) -> Intention {
        self.stop.map_or(Intention::Live, Intention::Do)
    }

    /// Advances by a step; a frightened school travels on for a while, and one of `calm` hunters does not hunt.
    pub fn go_on(&mut self, habits: &Habits, members: usize, (tension, calm): (f32, bool), rng: &mut Pcg64Mcg) {
        self.left_s -= STEP_S;
        self.since_s += STEP_S;
        let travels = Self::new(None, travel_s(habits), rng);
        if tension > PRESSED && self.stop.is_some() {
            *self = Self::new(None, FRIGHT_S, rng);
        }
        if self.left_s <= 0.0 || calm && self.stop.is_some_and(Routine::is_hunt) {
            let stop = if self.stop.is_none() { Self::stop_of(habits, members, calm, rng) } else { None };
            *self = stop.unwrap_or(travels);
        }
    }
}

/// Least and greatest time of travel by habits: see [`TRAVEL_S`].
fn travel_s(habits: &Habits) -> [f32; 2] {
    match habits.first_of(&[Routine::Plankton, Routine::Pursue]) {
        Some(Routine::Plankton) => PICKERS_TRAVEL_S,
        Some(_) => HUNTERS_TRAVEL_S,
        None => TRAVEL_S,
    }
}

fn between([least, most]: [f32; 2], rng: &mut Pcg64Mcg) -> f32 {
    least + (most - least) * rng.random::<f32>()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::LifeSettings;

    fn habits(routines: &[Routine]) -> Habits {
        Habits::new(&LifeSettings { routines: routines.to_vec(), ..LifeSettings::default() }, Vec::new())
    }

    /// Stops of a school in each second of ten minutes.
    fn life(habits: &Habits, members: usize) -> Vec<Option<Routine>> {
        let mut rng = Pcg64Mcg::seed_from_u64(5);
        let mut plan = Plan::under_way(habits, members, &mut rng);
        let mut all = Vec::new();
        for step in 0..600 * 60 {
            plan.go_on(habits, members, (0.0, false), &mut rng);
            if step % 60 == 0 {
                all.push(plan.stop());
            }
        }
        all
    }

    #[test]
    fn a_school_travels_and_stops_for_what_its_kind_does() {
        let all = life(&habits(&[Routine::School, Routine::Graze]), 6);
        let stops = all.iter().filter(|stop| stop.is_some()).count();
        assert!((240..=400).contains(&stops), "{stops} of 600 s");
        assert!(all.iter().flatten().all(|routine| *routine == Routine::Graze));
    }

    #[test]
    fn few_do_not_mill_and_some_never_stop() {
        let mills = habits(&[Routine::Mill]);
        assert!(life(&mills, 200).contains(&Some(Routine::Mill)));
        assert!(!life(&mills, 12).contains(&Some(Routine::Mill)));
        assert!(life(&habits(&[]), 200).iter().all(Option::is_none));
    }

    #[test]
    fn fear_ends_a_stop() {
        let habits = habits(&[Routine::Graze]);
        let mut rng = Pcg64Mcg::seed_from_u64(6);
        let mut plan = Plan { stop: Some(Routine::Graze), since_s: 1.0, left_s: 5.0 };
        plan.go_on(&habits, 6, (0.8, false), &mut rng);
        assert_eq!(plan.stop(), None);
    }
}
