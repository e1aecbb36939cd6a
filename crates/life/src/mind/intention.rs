//! Intentions of an animal.

use crate::settings::{Behaviour, Routine};

/// Current aim of an animal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Intention {
    /// Nothing special: it follows its behaviour.
    #[default]
    Live,
    /// Escape.
    Flee,
    /// Eating dropped food.
    Eat,
    /// One of the routines of its species.
    Do(Routine),
}

impl Intention {
    /// Whether it takes an animal out of its species' depths.
    pub fn leaves_depths(self) -> bool {
        use Routine::*;
        self == Self::Eat || matches!(self, Self::Do(Graze | Hide | Rest | VisitCleaner | Clean | Breathe))
    }

    /// Whether it is to hunt.
    pub fn is_hunt(self) -> bool {
        matches!(self, Self::Do(routine) if routine.is_hunt())
    }

    /// Unique number of the intention.
    pub fn code(self) -> u8 {
        match self {
            Self::Live => 0,
            Self::Flee => 1,
            Self::Eat => 2,
            Self::Do(routine) => 3 + routine as u8,
        }
    }

    /// Name of the intention; an animal without a special one has the name of its behaviour.
    pub fn name(self, behaviour: Behaviour) -> &'static str {
        match self {
            Self::Live => match behaviour {
                Behaviour::School => "school",
                Behaviour::Reef => "wander",
                Behaviour::Cruiser => "cruise",
                Behaviour::Drifter => "drift",
                Behaviour::Still => "rest",
            },
            Self::Flee => "flee",
            Self::Eat => "eat",
            Self::Do(routine) => match routine {
                Routine::Wander => "wander",
                Routine::School => "school",
                Routine::Mill => "mill",
                Routine::Station => "hold station",
                Routine::Graze => "graze",
                Routine::Plankton => "pick plankton",
                Routine::Hide => "hide",
                Routine::Clean => "clean",
                Routine::VisitCleaner => "visit cleaner",
                Routine::Host => "keep to host",
                Routine::Rest => "rest",
                Routine::Ambush => "ambush",
                Routine::Pursue => "pursue",
                Routine::Herd => "herd",
                Routine::Breathe => "breathe",
                Routine::Guard => "guard",
            },
        }
    }
}
