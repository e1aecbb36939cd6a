//! What an animal is about.

use crate::settings::{Behaviour, Routine};

/// What an animal is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Intention {
    /// Nothing special: it goes about as its behaviour says.
    #[default]
    Live,
    /// To get away.
    Flee,
    /// To eat of what somebody dropped.
    Eat,
    /// One of the routines of its species.
    Do(Routine),
}

impl Intention {
    /// Whether it takes an animal out of the depths that its species keeps to.
    pub fn leaves_depths(self) -> bool {
        use Routine::*;
        self == Self::Eat || matches!(self, Self::Do(Graze | Hide | Rest | VisitCleaner | Clean | Breathe))
    }

    /// A number of its own.
    pub fn code(self) -> u8 {
        match self {
            Self::Live => 0,
            Self::Flee => 1,
            Self::Eat => 2,
            Self::Do(routine) => 3 + routine as u8,
        }
    }

    /// A word for it; an animal that does nothing special has that of its behaviour.
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
