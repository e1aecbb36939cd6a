//! Minds: drives and intentions of animals.
//!
//! A mind has a few [`Drives`] that grow and are stilled, a [`Fright`] that fades, and one [`Intention`] that it keeps
//! for a while. The resulting actions are its conduct (`life::conduct`).

mod drives;
mod fright;
mod habits;
mod intention;
mod plan;

pub(super) use drives::Drives;
pub(super) use fright::Fright;
pub(super) use habits::{Habits, PRESSING};
pub(super) use intention::Intention;
pub(super) use plan::Plan;

use crate::settings::Routine;

/// Invalid index: no animal.
pub(super) const NOBODY: u32 = u32::MAX;

/// State of one animal's mind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mind {
    pub intention: Intention,
    /// Time since it took up the intention. Unit: s.
    pub since_s: f32,
    pub drives: Drives,
    pub fright: Fright,
    /// Time spent at the place or in the action of its intention. Unit: s.
    pub stay_s: f32,
    /// Index of the animal that it deals with, prey, client or intruder; [`NOBODY`] if there is none.
    pub other: u32,
    /// Time until a hunter strikes again, or a guard drives off another intruder. Unit: s.
    pub recovers_s: f32,
    /// Whether its last decision was the end of a strike that reached a fish.
    pub has_struck: bool,
    /// Index of its own shelter among its species' shelters.
    pub shelter: u32,
}

impl Mind {
    /// Creates a calm mind with the given drives.
    pub fn new(drives: Drives) -> Self {
        Self {
            intention: Intention::Live,
            since_s: 0.0,
            drives,
            fright: Fright::default(),
            stay_s: 0.0,
            other: NOBODY,
            recovers_s: 0.0,
            has_struck: false,
            shelter: 0,
        }
    }

    /// Whether it rests and has arrived at its resting place.
    pub fn sleeps(&self) -> bool {
        self.intention == Intention::Do(Routine::Rest) && self.stay_s > 0.0
    }

    /// Takes up an intention, unless it is the current one.
    pub fn take_up(&mut self, intention: Intention) {
        if self.intention != intention {
            (self.intention, self.since_s, self.stay_s, self.other) = (intention, 0.0, 0.0, NOBODY);
        }
    }
}
