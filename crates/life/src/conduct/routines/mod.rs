//! Routines: actions of an animal on its intention. Each gives a pull on the heading and a speed.

mod breathe;
mod feed;
mod flight;
mod hunt;
mod refuge;
mod roam;
mod school;
mod service;
mod territory;

pub(crate) use flight::{evasion_speed, fountain};
pub(crate) use refuge::{is_asleep, keep_to_crevice, sleep};
pub(crate) use school::course as school_course;
pub(in crate::conduct) use territory::notice_intruder;
pub(crate) use territory::{give_ground, is_rival};

use glam::Vec3;
use rand_pcg::Pcg64Mcg;

use crate::Behaviour;
use crate::animal::Animal;
use crate::conduct::Senses;
use crate::mind::Intention;
use crate::settings::Routine;

/// Demand of a routine on the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    /// Change of the heading towards the wanted direction.
    pub pull: Vec3,
    /// Wanted speed. Unit: m/s.
    pub speed: f32,
}

impl Course {
    /// Creates a course towards `to` (any length) with `eagerness`, at `speed` m/s.
    fn toward(animal: &Animal, to: Vec3, eagerness: f32, speed: f32) -> Self {
        Self { pull: eagerness * (to.normalize_or_zero() - animal.heading), speed }
    }
}

/// Follows the routine of the animal's intention.
pub(crate) fn follow(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    match animal.mind.intention {
        Intention::Live => live(animal, senses, rng),
        Intention::Flee => flight::flee(animal, senses),
        Intention::Eat => feed::eat(animal, senses),
        Intention::Do(routine) => match routine {
            Routine::Wander | Routine::School => live(animal, senses, rng),
            Routine::Mill => school::mill(animal, senses),
            Routine::Station => feed::hold_station(animal, senses),
            Routine::Graze => feed::graze(animal, senses, rng),
            Routine::Plankton => feed::pick_plankton(animal, senses, rng),
            Routine::Hide => refuge::hide(animal, senses),
            Routine::Rest => refuge::rest(animal, senses),
            Routine::Host => refuge::keep_to_host(animal, senses, rng),
            Routine::Clean => service::clean(animal, senses, rng),
            Routine::VisitCleaner => service::visit(animal, senses),
            Routine::Ambush => hunt::ambush(animal, senses, rng),
            Routine::Pursue => hunt::pursue(animal, senses, rng),
            Routine::Herd => hunt::herd(animal, senses, rng),
            Routine::Breathe => breathe::breathe(animal, senses),
            Routine::Guard => territory::guard(animal, senses, rng),
        },
    }
}

/// Follows the default of the animal's behaviour, without a special intention.
fn live(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    match (senses.species.behaviour, senses.school, &senses.species.path) {
        (Behaviour::School, Some(school), _) => school::school(animal, senses, school),
        (Behaviour::Reef, ..) if senses.species.habits.has(Routine::Host) => refuge::keep_to_host(animal, senses, rng),
        (Behaviour::Reef, ..) => roam::about_home(animal, senses, rng),
        (_, _, Some(path)) => roam::go_round(animal, senses.species, path, rng),
        _ => roam::cruise(animal, senses, rng),
    }
}
