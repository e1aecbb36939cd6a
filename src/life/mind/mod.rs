//! Minds: what an animal wants, what it is afraid of, and what it is about.
//!
//! A mind has a few [`Drives`] that grow and are stilled, a fright that fades, and one [`Intention`] that it keeps to for
//! a while. Each kind of intention has its routine in [`routines`], which gives a heading and a speed; avoidance
//! (`life::decide`) then has the last word, and the body (`life::swim`) does what it can.
//!
//! The order in which intentions are weighed is that of Tu and Terzopoulos' artificial fishes (SIGGRAPH 1994): danger
//! first, then what it was about already, then the strongest drive, and company and roaming last.

mod drives;
pub(super) mod fear;
mod habits;
mod intention;
mod plan;
mod routines;

pub(super) use drives::Drives;
pub(super) use fear::{Fright, Threat};
pub(super) use habits::Habits;
pub(super) use intention::{Intention, choose};
pub(super) use plan::Plan;
pub(super) use routines::{SCHOOL_SHAPE, follow, fountain, nook, school_course};

use crate::life::animal::{School, Species};
use crate::life::decide::{Nearest, Perception};

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
    /// Index of the animal that it is concerned with, prey or client; [`NOBODY`] if there is none.
    pub other: u32,
    /// Time until a hunter strikes again. Unit: s.
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

    /// Takes up an intention, unless it is about that already.
    pub fn take_up(&mut self, intention: Intention) {
        if self.intention != intention {
            (self.intention, self.since_s, self.stay_s, self.other) = (intention, 0.0, 0.0, NOBODY);
        }
    }
}

/// What an animal has before it when it makes up its mind.
pub(super) struct Senses<'a> {
    /// Its own index.
    pub index: u32,
    pub species: &'a Species,
    /// Its school, if it has one.
    pub school: Option<&'a School>,
    /// The nearest of its size.
    pub near: &'a Nearest<'a>,
    pub scene: &'a Perception<'a>,
}

#[cfg(test)]
mod tests;
