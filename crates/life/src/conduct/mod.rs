//! Conduct: actions of animals on their intentions.
//!
//! An animal perceives its surroundings ([`Senses`]), notices threats ([`fear`]), chooses an intention ([`choose`]) and
//! follows the routine for it ([`follow`]), which gives a heading and a speed. Avoidance (`life::avoidance`) then has
//! the last word, and the body (`life::swim`) does what it can.

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
