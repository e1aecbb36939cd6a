//! Minds: what an animal wants and what it is about.
//!
//! A mind has a few [`Drives`] that grow and are stilled, a [`Fright`] that fades, and one [`Intention`] that it keeps to for
//! a while. What it does about them is its conduct (`life::conduct`).

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

/// Nobody: no index of an animal.
pub(super) const NOBODY: u32 = u32::MAX;

/// What one animal has on its mind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mind {
    pub intention: Intention,
    /// Time since it took that up. Unit: s.
    pub since_s: f32,
    pub drives: Drives,
    pub fright: Fright,
    /// Time at the place or about the business that its intention is for. Unit: s.
    pub stay_s: f32,
    /// Index of the animal that it is concerned with, prey, client or intruder; [`NOBODY`] if there is none.
    pub other: u32,
    /// Time until a hunter strikes again, or one that guards a place drives off another. Unit: s.
    pub recovers_s: f32,
    /// Which of its species' shelters is its own.
    pub shelter: u32,
}

impl Mind {
    /// A calm mind with the given drives.
    pub fn new(drives: Drives) -> Self {
        Self {
            intention: Intention::Live,
            since_s: 0.0,
            drives,
            fright: Fright::default(),
            stay_s: 0.0,
            other: NOBODY,
            recovers_s: 0.0,
            shelter: 0,
        }
    }

    /// Whether it rests and has come to where it does.
    pub fn sleeps(&self) -> bool {
        self.intention == Intention::Do(Routine::Rest) && self.stay_s > 0.0
    }

    /// Takes up an intention, unless it is about that already.
    pub fn take_up(&mut self, intention: Intention) {
        if self.intention != intention {
            (self.intention, self.since_s, self.stay_s, self.other) = (intention, 0.0, 0.0, NOBODY);
        }
    }
}
