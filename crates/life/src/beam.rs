//! Beams of torches, from which fish flinch by night until their eyes are used to them.

use glam::Vec3;

use crate::animal::{Animal, Species};
use crate::conduct::fear;
use crate::perception::Perception;
use crate::{DECISION_S, Habitat};

/// Daylight below which a torch dazzles. By eye.
const DARK: f32 = 0.3;

/// Time in the beam after which eyes are used to it, and out of it after which they are not any more. By eye. Unit: s.
const USED_AFTER_S: f32 = 6.0;
const UNUSED_AFTER_S: f32 = 20.0;

/// Share of that below which the first light makes a fish start, and the strength of the start, which few pass on. By eye.
const STARTS_BELOW: f32 = 0.3;
const START: f32 = 0.35;

/// Pull out of the beam, and the extra speed over cruising, for eyes that are not used to it. By eye.
const PULL: f32 = 1.6;
const HURRIES: f32 = 0.8;

/// A torch's cone of light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Position of the torch.
    pub position: Vec3,
    /// Unit vector along the middle of the beam.
    pub direction: Vec3,
    /// Cosine of half its angle.
    pub cos_cone: f32,
    /// Distance up to which it dazzles. Unit: m.
    pub reach_m: f32,
}

impl Beam {
    /// Unit vector out of the beam, level or nearly so, at a lit place; `None` where it does not shine.
    fn way_out(&self, p: Vec3, habitat: &Habitat) -> Option<Vec3> {
        let to = p - self.position;
        let distance2 = to.length_squared();
        if distance2 > self.reach_m * self.reach_m || to.dot(self.direction) < self.cos_cone * distance2.sqrt() {
            return None;
        }
        if habitat.hides(self.position, p) {
            return None;
        }
        let out = to - self.direction * to.dot(self.direction);
        let spare = self.direction.cross(Vec3::Y).normalize_or(Vec3::X);
        Some((out * Vec3::new(1.0, 0.4, 1.0)).normalize_or(spare))
    }
}

/// Way out of the beams that shine on an animal, if any does.
fn way_out(beams: &[Beam], p: Vec3, habitat: &Habitat) -> Option<Vec3> {
    beams.iter().find_map(|beam| beam.way_out(p, habitat))
}

/// Makes the eyes of those that are lit used to the beams at once.
pub(super) fn get_used(animals: &mut [Animal], beams: &[Beam], habitat: &Habitat) {
    for animal in animals.iter_mut().filter(|animal| way_out(beams, animal.position, habitat).is_some()) {
        animal.used_to_light = 1.0;
    }
}

/// Pull out of the beams, and factor on the speed, of an animal awake; small fish start when a beam first falls on them.
pub(super) fn flinch(animal: &mut Animal, species: &Species, scene: &Perception<'_>) -> Option<(Vec3, f32)> {
    if scene.daylight > DARK || scene.beams.is_empty() {
        return None;
    }
    let Some(out) = way_out(scene.beams, animal.position, scene.habitat) else {
        animal.used_to_light = (animal.used_to_light - DECISION_S / UNUSED_AFTER_S).max(0.0);
        return None;
    };
    let dazzled = 1.0 - animal.used_to_light;
    if species.is_gregarious() && animal.used_to_light < STARTS_BELOW && animal.alarm < START {
        fear::start(animal, out + 0.5 * animal.heading, START);
    }
    animal.used_to_light = (animal.used_to_light.max(STARTS_BELOW) + DECISION_S / USED_AFTER_S).min(1.0);
    Some((out * (PULL * dazzled), 1.0 + HURRIES * dazzled))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::Population;
    use crate::{LifeSettings, serial};

    /// Share of a school that is still in the light a second and a half after a torch has been pointed at it, and the
    /// number of those that have started.
    fn dazzled(daylight: f32, shines: bool) -> (f32, usize) {
        let sprats = LifeSettings {
            count: 60,
            school_size: 60,
            length_m: 0.15,
            depth_m: [3.0, 12.0],
            burst_bl_s: Some(8.0),
            ..LifeSettings::default()
        };
        let mut population = Population::new(&[sprats], Habitat::default().at_daylight(daylight), 4, serial);
        population.set_beams(&[]);
        for _ in 0..120 {
            population.step(Vec3::ZERO);
        }
        let at = population.schools[0].centroid;
        let position = at + Vec3::new(0.0, 4.0, 0.5);
        let beam = Beam { position, direction: (at - position).normalize(), cos_cone: 0.995, reach_m: 8.0 };
        let is_lit = |animal: &Animal| beam.way_out(animal.position, &population.habitat).is_some();
        let lit: Vec<usize> = (0..60).filter(|i| is_lit(&population.animals[*i])).collect();
        assert!(lit.len() > 8, "{} are lit", lit.len());
        if shines {
            population.set_beams(&[beam]);
        }
        let mut started = 0;
        for _ in 0..90 {
            population.step(Vec3::ZERO);
            started = started.max(lit.iter().filter(|i| population.animals[**i].start.is_on()).count());
        }
        let is_lit = |animal: &Animal| beam.way_out(animal.position, &population.habitat).is_some();
        let left = lit.iter().filter(|i| is_lit(&population.animals[**i])).count();
        (left as f32 / lit.len() as f32, started)
    }

    #[test]
    fn fish_flinch_from_a_torch_by_night() {
        let (night, dark, day) = (dazzled(0.0, true), dazzled(0.0, false), dazzled(1.0, true));
        eprintln!("left in the beam and started: {night:?} by night, {dark:?} without a torch, {day:?} by day");
        assert_eq!(dark, day, "by day nobody heeds a torch");
        assert!(night.1 > 4 && dark.1 == 0, "{} start", night.1);
        assert!(night.0 < 0.6 * dark.0.max(0.3), "{} of those lit are left, {} without a torch", night.0, dark.0);
    }

    #[test]
    fn eyes_get_used_to_the_light_that_is_there_from_the_first() {
        let sprats = LifeSettings { count: 40, school_size: 40, length_m: 0.15, ..LifeSettings::default() };
        let mut population = Population::new(&[sprats], Habitat::default().at_daylight(0.0), 4, serial);
        let everywhere =
            Beam { position: Vec3::new(0.0, 5.0, 0.0), direction: Vec3::NEG_Y, cos_cone: -1.0, reach_m: 1e3 };
        population.set_beams(&[everywhere]);
        for _ in 0..60 {
            population.step(Vec3::ZERO);
            assert!(population.animals.iter().all(|animal| !animal.start.is_on()));
        }
    }
}
