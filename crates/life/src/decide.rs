//! Decisions: the animal looks about, makes up its mind, and avoids everything in its way.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::animal::{Animal, NEIGHBOURS, Species};
use crate::attitude::{CALM_PITCH_SINE, HUNTS_SINE, MAX_PITCH_SINE, ROD_STRIKES_SINE, level_off};
use crate::avoidance::{from_body_to_body, give_way, is_unobstructed, keep_off, keep_off_eye};
use crate::beam::flinch;
use crate::conduct::{self, Senses, fear};
use crate::height::come_down;
use crate::mind::{Intention, NOBODY};
use crate::perception::{Nearest, Perception, search};
use crate::{Behaviour, DECISION_EVERY, DECISION_S, Routine};

/// Share of a new drift or rowing velocity that a decision takes over: no drift begins at once.
const CARRIED_SHARE: f32 = 0.4;

/// Sine of the steepest climb or dive of a rod-like animal, under way and while it hangs. By eye.
const ROD_SINE: f32 = 0.15;
const HANGS_SINE: f32 = 0.05;

/// Fear below which an animal behaves as usual.
const NOT_AFRAID: f32 = 0.2;

/// Unease of a school above which its members look out at every turn: a threat makes them more alert (Bode et al. 2010).
const UNEASY: f32 = 0.4;

/// Interval, in turns, of a coasting animal's decisions, and of the search for larger animals by one that has seen
/// none. They have no common divisor: a coasting animal searches as often.
const COASTERS_DECIDE_EVERY: u32 = 2;
const LOOKS_FOR_LARGE_EVERY: u32 = 3;

/// Makes the animal at `index` decide; returns the number of others that it looked at.
pub(super) fn decide(animal: &mut Animal, index: u32, scene: &Perception<'_>, rng: &mut Pcg64Mcg) -> usize {
    let species = &scene.species[animal.species as usize];
    let jolt = Vec3::new(rng.random::<f32>() - 0.5, 0.4 * (rng.random::<f32>() - 0.5), rng.random::<f32>() - 0.5);
    let hold = if species.is_gregarious() { 0.95 } else { 0.985 };
    animal.wander = animal.wander * hold + jolt * (1.0 - hold) * 6.0;
    animal.timer -= DECISION_S;
    match species.behaviour {
        Behaviour::Still => return 0,
        Behaviour::Drifter => {
            let aside = scene.onlooker.map_or(Vec3::ZERO, |eye| keep_off_eye(animal, eye));
            animal.want = level_off(animal.heading + 0.5 * animal.wander + aside, 0.4, animal.heading);
            return 0;
        }
        Behaviour::School | Behaviour::Reef | Behaviour::Cruiser => {}
    }
    if may_coast(animal, index, scene) {
        let mind = &mut animal.mind;
        mind.since_s += DECISION_S;
        mind.has_struck = false;
        mind.drives.live(&species.habits, mind.intention, scene.daylight, mind.stay_s > 0.0, false);
        return 0;
    }
    let mut visits = 0;
    let (school, near) = match species.is_gregarious() {
        true => {
            let near = search(animal, index, species, scene, &mut visits);
            (Some(&scene.schools[animal.school as usize]), near)
        }
        false => (None, Nearest::none(scene.large)),
    };
    animal.neighbours = [NOBODY; NEIGHBOURS];
    let mut like = 0;
    for (_, other) in near.iter().filter(|(_, other)| other.group == animal.school) {
        animal.neighbours[like] = other.index;
        like += 1;
    }
    // An animal asleep in its shelter sees no threat.
    let is_asleep = conduct::is_asleep(animal, species, index);
    let threat = school.filter(|_| !is_asleep).and_then(|school| fear::threat(animal, species, school, scene));
    let senses = Senses { index, species, school, near: &near, scene };

    let mut mind = animal.mind;
    mind.since_s += DECISION_S;
    mind.has_struck = false;
    // A solitary species misses no company.
    let is_astray = !species.lives_alone()
        && like == 0
        && school.is_some_and(|school| school.has_lost(animal.position, animal.length));
    mind.drives.live(&species.habits, mind.intention, scene.daylight, mind.stay_s > 0.0, is_astray);
    animal.mind = mind;
    if let Some(threat) = &threat {
        fear::take_notice(animal, threat);
    }
    conduct::choose(animal, &senses);
    if animal.is_in_crevice {
        lie_in_crevice(animal, &senses);
        return visits;
    }
    if conduct::is_asleep(animal, species, index) {
        lie_in_bed(animal, &senses);
        return visits;
    }
    let was_carried = std::mem::take(&mut animal.carried);
    let (mut pull, speed) = match animal.mind.fright.is_fresh() {
        true => (animal.want - animal.heading, species.cruise),
        false => {
            let course = conduct::follow(animal, &senses, rng);
            (course.pull, course.speed)
        }
    };
    let mut speed = speed;
    if let Some(threat) = &threat {
        pull += conduct::fountain(animal, threat);
        speed = speed.max(conduct::evasion_speed(threat, species, animal.length));
    }
    if let Some(chase) = scene.chase_of(index) {
        let course = conduct::give_ground(animal, species, chase, scene);
        (pull, speed) = (pull + course.pull, speed.max(course.speed));
    }
    if let Some((out, faster)) = flinch(animal, species, scene) {
        (pull, speed) = (pull + out, speed * faster);
    }
    pull += come_down(animal, species, scene.habitat);
    // An approaching animal moves even those aside that stand or sleep.
    let aside = match species.is_gregarious() && animal.has_room && is_off_turn(index, LOOKS_FOR_LARGE_EVERY, scene) {
        true => Vec3::ZERO,
        false => give_way(animal, index, species, scene, &mut visits),
    };
    animal.has_room = aside == Vec3::ZERO;
    let speed = speed.max(0.6 * species.cruise * aside.length().min(1.0));
    pull += aside;
    let column = animal.levels(species, scene.habitat, animal.position.x, animal.position.z);
    pull += keep_off(animal, species, scene.habitat, column);
    animal.is_unobstructed = species.is_gregarious() && is_unobstructed(animal, species, scene.habitat, column);
    let out = glam::Vec2::new(animal.position.x, animal.position.z) - species.home;
    let excess = out.length() - species.range;
    if excess > 0.0 {
        let inward = -out / out.length() * (excess / species.turn_radius.max(0.5)).min(1.5);
        pull += Vec3::new(inward.x, 0.0, inward.y);
    }
    scull_aside(animal, &near, aside, species.is_rod);
    animal.carried = was_carried.lerp(animal.carried, CARRIED_SHARE);
    animal.want = level_off(animal.heading + pull, steepest(animal, species), animal.heading);
    animal.want_speed = speed * animal.pace;
    animal.coasts = animal.is_unobstructed
        && threat.is_none()
        && animal.speed < 0.5 * species.habits.burst_bl_s * animal.length
        && matches!(animal.mind.intention, Intention::Live | Intention::Do(Routine::School | Routine::Mill));
    visits
}

/// Decides for an animal in a crevice: it has rock about it and gives way to no other.
fn lie_in_crevice(animal: &mut Animal, senses: &Senses<'_>) {
    let was_carried = animal.carried;
    let course = conduct::keep_to_crevice(animal, senses);
    animal.carried = was_carried.lerp(animal.carried, CARRIED_SHARE);
    animal.want = (animal.heading + course.pull).normalize_or(animal.heading);
    animal.want_speed = course.speed;
    (animal.is_unobstructed, animal.coasts) = (true, false);
}

/// Decides for a sleeper: it lies still whoever passes, kept safe by its surroundings and the others' avoidance.
fn lie_in_bed(animal: &mut Animal, senses: &Senses<'_>) {
    let was_carried = animal.carried;
    let course = conduct::sleep(animal, senses);
    animal.carried = was_carried.lerp(animal.carried, CARRIED_SHARE);
    animal.want = (animal.heading + course.pull).normalize_or(animal.heading);
    animal.want_speed = course.speed;
    animal.coasts = false;
}

/// Whether an animal skips this decision: every other one if nothing solid is near it and it is not afraid.
fn may_coast(animal: &Animal, index: u32, scene: &Perception<'_>) -> bool {
    animal.coasts
        && animal.alarm < NOT_AFRAID
        && is_off_turn(index, COASTERS_DECIDE_EVERY, scene)
        && scene.schools[animal.school as usize].fright <= 0.0
        && scene.schools[animal.school as usize].roles.unease < UNEASY
}

/// Whether this is one of all but one of `every` turns of an animal; the remaining turn differs between animals.
fn is_off_turn(index: u32, every: u32, scene: &Perception<'_>) -> bool {
    !(scene.round + index / DECISION_EVERY).is_multiple_of(every)
}

/// Sine of the steepest climb or dive that an animal wants: animals that flee, strike or head for the ground dive
/// steeply, others do not, and winged animals never do.
fn steepest(animal: &Animal, species: &Species) -> f32 {
    let mind = &animal.mind;
    // A fish on its way to graze glides down and stands on its nose only there.
    let is_on_its_way = mind.intention == Intention::Do(Routine::Graze) && mind.stay_s <= 0.0;
    // An animal at its hiding place lies level.
    let is_hidden = mind.intention == Intention::Do(Routine::Hide) && mind.stay_s > 0.0;
    let is_on_its_way = is_on_its_way || is_hidden;
    let is_urgent = animal.alarm > 0.3 || mind.other != NOBODY || mind.intention.leaves_depths() && !is_on_its_way;
    if species.is_rod && animal.alarm <= 0.3 {
        return match mind.intention {
            _ if mind.other != NOBODY => ROD_STRIKES_SINE,
            Intention::Do(Routine::Ambush) => HANGS_SINE,
            _ => ROD_SINE,
        };
    }
    match mind.intention {
        Intention::Do(Routine::Guard) => return CALM_PITCH_SINE.min(0.95 * species.laws.steepest_sine),
        Intention::Do(Routine::Pursue | Routine::Herd) if mind.other == NOBODY => {
            return HUNTS_SINE.min(0.95 * species.laws.steepest_sine);
        }
        _ => {}
    }
    // An animal on its way to bed sinks onto it and lies level.
    if mind.intention == Intention::Do(Routine::Rest) && animal.alarm <= 0.3 && !species.laws.crawls {
        return ROD_SINE;
    }
    let most = if is_urgent { 0.95 * MAX_PITCH_SINE } else { CALM_PITCH_SINE };
    most.min(0.95 * species.laws.steepest_sine)
}

/// Rows a body aside, or back, by its fins if another is about to touch it; `aside` is away from animals of other
/// sizes.
fn scull_aside(animal: &mut Animal, near: &Nearest<'_>, aside: Vec3, is_rod: bool) {
    /// Distance from middle to middle within which bodies may touch. Unit: body lengths.
    const MAY_TOUCH_BL: f32 = 0.9;
    /// Distance from body to body below which rowing begins. Unit: body lengths.
    const TOO_NEAR_BL: f32 = 0.42;
    /// Factor on both for a rod-like animal.
    const ROD_FARTHER: f32 = 1.6;
    /// Greatest speed at which fins alone move a body aside, relative and absolute. By eye. Units: body lengths/s, m/s.
    const MAX_BL_S: f32 = 0.35;
    const MAX_M_S: f32 = 0.1;
    let farther = if is_rod { ROD_FARTHER } else { 1.0 };
    let (reach, too_near) = (farther * MAY_TOUCH_BL * animal.length, farther * TOO_NEAR_BL * animal.length);
    let mut push = aside;
    for (_, other) in near.iter().take_while(|(distance2, _)| *distance2 < reach * reach) {
        let away = from_body_to_body(animal, other);
        let distance = away.length().max(1e-3 * too_near);
        push += away * (2.0 * (1.0 - distance / too_near).max(0.0) / distance);
    }
    if push != Vec3::ZERO {
        animal.carried += push.clamp_length_max(1.0) * (MAX_BL_S * animal.length).min(MAX_M_S);
    }
}
