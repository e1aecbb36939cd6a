//! Fear: a small fish's reaction to a hunter nearby, and the spread of fright through a school.
//!
//! A frightened fish starts (`Animal::startled`: the body bends and is off at its burst speed) and is afraid for some
//! seconds. Its neighbours see it start and start in their turn, a neighbour a step: at 0.12 to 0.2 m from fish to fish
//! that is 7 to 12 m/s, as waves of agitation run through anchovies (7.45 m/s: Gerlotto et al. 2006; 11.8 to 15.1 by
//! Radakov). Then none of them starts again for a while, or the fright would run to and fro for ever.

use glam::Vec3;

use crate::STEP_S;
use crate::animal::{Animal, Species};
use crate::attitude::{MAX_PITCH_SINE, level_off};
use crate::avoidance::is_hidden;
use crate::grid::Seen;
use crate::mind::{Fright, NOBODY};
use crate::perception::Perception;
use crate::school::School;

/// Fright above which it is passed on at full strength: it then crosses a school.
const CROSSES: f32 = 0.5;

/// Share of a weaker fright that is passed on: it dies out within some neighbours.
const PASSED_ON: f32 = 0.85;

/// Fright below which it has no effect.
const MIN: f32 = 0.3;

/// Time after a start in which a fish does not start again because others do. Unit: s.
const REFRACTORY_S: f32 = 2.5;

/// Time after a start in which a fish does not start again at a danger that it sees itself. Unit: s.
const OWN_REFRACTORY_S: f32 = 1.6;

/// Time in which fear fades if nothing happens. Schools are calm again after 5 to 20 s. Unit: s.
const CALM_AFTER_S: f32 = 8.0;

/// Time to a meeting below which a fish starts: a strike, not an approach. Unit: s.
const STRIKE_S: f32 = 0.55;

/// Time to a meeting below which a hunter counts as coming. Unit: s.
const COMES_S: f32 = 1.2;

/// Extra flight distance from a rushing hunter, and the least share of its speed that counts as closing in: its target
/// is unknown. By eye.
const RUSH_FARTHER: f32 = 0.4;
const RUSH_COMES: f32 = 0.5;

/// Extra flight distance just after a strike. By eye.
const UNEASY_FARTHER: f32 = 0.1;

/// Greatest fear of a hunter that is not coming: less than the fear that puts a fish to flight.
const WARY: f32 = 0.4;

/// The most dangerous hunter for one fish.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threat {
    /// Unit vector from the nearest point of its body to the fish.
    pub outward: Vec3,
    /// Unit vector along its nose.
    pub heading: Vec3,
    /// Nearness: 1 at the hunter's body to 0 at the limit of notice.
    pub nearness: f32,
    /// Whether the fish is in front of the hunter rather than behind.
    pub is_before: bool,
    /// Time until the hunter arrives if it goes on and the fish does not. Unit: s.
    pub arrival_s: f32,
}

/// Distance from a hunter's body at which fish of a length (m) fear it: the flight initiation distance. Parrotfish flee
/// at 2 to 10 of their lengths, more from larger animals (Gotanda et al. 2009); a hunter at rest may come nearer, and
/// so may one hardly larger than they are. Unit: m.
pub(crate) fn reach(hunter: &Seen, length: f32, boldness: f32) -> f32 {
    let briskness = (hunter.speed / (0.6 * hunter.length)).min(1.0);
    let larger = (hunter.length / length - 1.0).clamp(0.0, 1.0);
    larger * (1.6 + 1.1 * hunter.length) * (1.5 - boldness) * (0.45 + 0.55 * briskness)
}

/// Current [`reach`]: farther for a rushing hunter, though that does not keep fish from their meals for long.
pub(crate) fn reach_now(hunter: &Seen, length: f32, boldness: f32) -> f32 {
    reach(hunter, length, boldness) * (1.0 + RUSH_FARTHER * hunter.rush())
}

/// Factor on [`reach`] in a school of an `unease`: after a strike they flee earlier.
pub(crate) fn wariness(unease: f32) -> f32 {
    1.0 + UNEASY_FARTHER * unease
}

/// Returns the greatest threat to a fish among the hunters that its school heeds.
pub(crate) fn threat(animal: &Animal, species: &Species, school: &School, scene: &Perception<'_>) -> Option<Threat> {
    if !species.habits.flinches {
        return None;
    }
    let mut greatest: Option<Threat> = None;
    for hunter in school.threats.iter().take_while(|i| **i != NOBODY).map(|i| &scene.hunters[*i as usize]) {
        let beyond = greatest.map_or(0.0, |threat| threat.nearness);
        greatest = from_hunter((animal, species), hunter, (wariness(school.roles.unease), beyond), scene).or(greatest);
    }
    greatest
}

/// Threat of one hunter to a fish of some [`wariness`], if its [`Threat::nearness`] exceeds `beyond`, that of another.
fn from_hunter(
    (animal, species): (&Animal, &Species),
    hunter: &Seen,
    (wariness, beyond): (f32, f32),
    scene: &Perception<'_>,
) -> Option<Threat> {
    if !species.habits.is_timid && hunter.rush() <= 0.0 {
        return None;
    }
    let away = animal.position - hunter.position;
    // From the nearest point of its axis: a whale is long.
    let half = 0.4 * hunter.length;
    let away = away - hunter.heading * away.dot(hunter.heading).clamp(-half, half);
    let distance = away.length().max(1e-3);
    let reach = wariness * reach_now(hunter, animal.length, species.habits.boldness);
    let nearness = 1.0 - distance / reach;
    if nearness <= beyond {
        return None;
    }
    // A near hunter out of sight is felt by the lateral line.
    let is_felt = distance < 0.3 * reach;
    if !is_felt && is_hidden(scene.habitat, animal.position, hunter.position) {
        return None;
    }
    let outward = away / distance;
    let closing = hunter.heading.dot(outward);
    let closing = hunter.speed * if closing > 0.0 && hunter.rush() > 0.0 { closing.max(RUSH_COMES) } else { closing };
    Some(Threat {
        outward,
        heading: hunter.heading,
        nearness,
        is_before: outward.dot(hunter.heading) > -0.3,
        arrival_s: distance / closing.max(1e-3),
    })
}

/// Raises a fish's alarm by a threat.
pub(crate) fn take_notice(animal: &mut Animal, threat: &Threat) {
    if !threat.is_before {
        return;
    }
    // A hunter that passes by is kept in sight; one that comes nearer is fled.
    let (weight, most) = if threat.arrival_s < COMES_S { (1.6, 1.0) } else { (1.0, WARY) };
    animal.alarm = animal.alarm.max((weight * threat.nearness).min(most));
    let strikes = threat.arrival_s < STRIKE_S;
    if (strikes || threat.nearness > 0.75) && animal.mind.fright.since_s > OWN_REFRACTORY_S {
        // Outward, and not into its mouth: before a fast one the school bursts like a shell.
        let aside = threat.outward.reject_from_normalized(threat.heading);
        let way = threat.outward + 0.8 * aside.normalize_or_zero() + 0.5 * animal.wander;
        start(animal, way, if strikes { 1.0 } else { 0.6 });
    }
}

/// Makes a fish start if its neighbours have just started.
pub(crate) fn catch(animal: &mut Animal, seen: &[Seen]) {
    if animal.mind.fright.since_s < REFRACTORY_S {
        return;
    }
    let mut most = (0.0, NOBODY);
    for &neighbour in animal.neighbours.iter().take_while(|i| **i != NOBODY) {
        let fright = seen[neighbour as usize].fright;
        if fright > most.0 {
            most = (fright, neighbour);
        }
    }
    let strength = if most.0 >= CROSSES { most.0 } else { PASSED_ON * most.0 };
    if strength >= MIN {
        let source = &seen[most.1 as usize];
        let away = (animal.position - source.position).normalize_or_zero();
        start(animal, source.heading + 0.6 * away + 0.5 * animal.heading, strength);
    }
}

/// Makes a fish start along `way` (any length); one in its crevice only draws back.
pub(crate) fn start(animal: &mut Animal, way: Vec3, strength: f32) {
    if animal.is_in_crevice {
        animal.alarm = animal.alarm.max(strength);
        return;
    }
    animal.want = level_off(way, 0.95 * MAX_PITCH_SINE, animal.heading);
    animal.startled = true;
    animal.alarm = animal.alarm.max(strength);
    animal.mind.fright = Fright { since_s: 0.0, strength };
}

/// Lets fear and fright fade for a step.
pub(crate) fn subside(animal: &mut Animal) {
    animal.mind.fright.since_s += STEP_S;
    animal.alarm = (animal.alarm - STEP_S / CALM_AFTER_S).max(0.0);
}
