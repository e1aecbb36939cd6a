//! Conduct: what animals do about what is on their minds.
//!
//! An animal takes in what is about it ([`Senses`]), notices what it has to fear ([`fear`]), chooses what to be about
//! ([`choose`]) and follows the routine for that ([`follow`]), which gives a heading and a speed. Avoidance
//! (`life::avoidance`) then has the last word, and the body (`life::swim`) does what it can.

mod choice;
pub(super) mod fear;
mod routines;
mod senses;

pub(super) use choice::choose;
pub(super) use routines::{
    evasion_speed, follow, fountain, give_ground, is_asleep, is_rival, keep_to_crevice, school_course, sleep,
};
pub(super) use senses::{GRAZES_WITHIN_M, Senses};

#[cfg(test)]
mod tests;
