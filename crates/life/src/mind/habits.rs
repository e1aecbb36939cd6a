//! Habits of a species from its card, ready for use.

use glam::Vec3;

use crate::LifeSettings;
use crate::settings::{Active, Routine, Swimming};

/// Drive above which an animal acts on it.
pub(crate) const PRESSING: f32 = 0.55;

/// Habits that the animals of a species share.
#[derive(Clone, Debug)]
pub(crate) struct Habits {
    /// Bit set of its [`Routine`]s.
    routines: u32,
    pub active: Active,
    /// Lateness of flight: 0 early and far, 1 late.
    pub boldness: f32,
    /// Speed of flight and strike. Unit: body lengths/s.
    pub burst_bl_s: f32,
    /// Places where its animals can hide and sleep.
    pub shelters: Vec<Vec3>,
    /// Greatest distance of a [`Routine::Host`] from its shelter. Unit: m.
    pub host_m: f32,
    /// Indices of the species that it hunts.
    pub prey: Vec<u32>,
    /// Radius of the territory of a [`Routine::Guard`]. Unit: m.
    pub territory_m: f32,
    /// Indices of the species that it drives off.
    pub rivals: Vec<u32>,
    /// Whether it is driven by wings or flippers, slowly and for long.
    pub is_glider: bool,
    /// Whether it is a whale or dolphin.
    pub is_cetacean: bool,
    /// Whether it is afraid of hunters.
    pub is_timid: bool,
    /// Whether it starts at least from a hunter that rushes at it.
    pub flinches: bool,
}

impl Default for Habits {
    fn default() -> Self {
        Self::new(&LifeSettings::default(), Vec::new())
    }
}

impl Habits {
    /// Creates the habits of an entry of the scene file whose animals hide at `shelters`.
    pub fn new(settings: &LifeSettings, shelters: Vec<Vec3>) -> Self {
        Self {
            routines: settings.routines.iter().fold(0, |bits, routine| bits | bit(*routine)),
            active: settings.active,
            boldness: settings.boldness.clamp(0.0, 1.0),
            burst_bl_s: settings.burst_bl_s().max(settings.speed_bl_s),
            shelters,
            host_m: settings.host_m.max(0.1),
            prey: Vec::new(),
            territory_m: settings.territory_m.max(0.1),
            rivals: Vec::new(),
            is_glider: settings.swimming.is_winged(),
            is_cetacean: settings.swimming == Swimming::Cetacean,
            is_timid: false,
            flinches: false,
        }
    }

    /// Whether it has a routine.
    pub fn has(&self, routine: Routine) -> bool {
        self.routines & bit(routine) != 0
    }

    /// Returns the first of some routines that it has.
    pub fn first_of(&self, routines: &[Routine]) -> Option<Routine> {
        routines.iter().copied().find(|routine| self.has(*routine))
    }

    /// Distance of the daylight, 0 by night to 1 by day, from its active hours: 0..=1.
    pub fn fatigue(&self, daylight: f32) -> f32 {
        match self.active {
            Active::Always => 0.0,
            Active::Day => 1.0 - daylight,
            Active::Night => daylight,
            // Active in twilight: it rests by day and by night.
            Active::Twilight => (2.0 * daylight - 1.0) * (2.0 * daylight - 1.0),
        }
    }

    /// Whether it sleeps in a given daylight.
    pub fn rests_at(&self, daylight: f32) -> bool {
        self.has(Routine::Rest) && self.fatigue(daylight) > PRESSING
    }

    /// Hunting routine, if any.
    pub fn hunting(&self) -> Option<Routine> {
        self.first_of(&[Routine::Ambush, Routine::Pursue, Routine::Herd])
    }

    /// Whether it hunts.
    pub fn hunts(&self) -> bool {
        self.hunting().is_some()
    }

    /// Returns the `nth` of the six shelters nearest to `p` within `reach` metres, so that not all choose the same.
    pub fn shelter_near(&self, p: Vec3, reach: f32, nth: u32) -> Option<u32> {
        let mut nearest = [(f32::INFINITY, 0); 6];
        for (number, at) in (0u32..).zip(&self.shelters) {
            let mut next = (at.distance_squared(p), number);
            for one in &mut nearest {
                if next.0 < one.0 {
                    std::mem::swap(one, &mut next);
                }
            }
        }
        let known = nearest.iter().filter(|(distance2, _)| *distance2 < reach * reach).count() as u32;
        (known > 0).then(|| nearest[(nth % known) as usize].1)
    }

    /// Returns the shelter of the `nth` of its kind from `p` within `reach` metres: for a guest, its `own`.
    pub fn shelter_of(&self, own: u32, p: Vec3, reach: f32, nth: u32) -> Option<u32> {
        match self.has(Routine::Host) && (own as usize) < self.shelters.len() {
            true => Some(own),
            false => self.shelter_near(p, reach, nth),
        }
    }
}

fn bit(routine: Routine) -> u32 {
    1 << routine as u32
}
