//! The kinematics of swimming: along the nose, in curves no tighter than the body allows, never through anything.

use glam::Vec3;

use crate::life::animal::{Animal, MAX_PITCH_SINE, Species, level_off};
use crate::life::gait::GaitInputs;
use crate::life::{Behaviour, Habitat, STEP_S};
use crate::ocean::Current;

/// Moves an animal by one step toward what it wants.
pub(super) fn advance(animal: &mut Animal, species: &Species, habitat: &Habitat, current: &Current) {
    animal.prev_position = animal.position;
    animal.prev_heading = animal.heading;
    animal.prev_bank = animal.bank;
    match species.behaviour {
        Behaviour::Still => beat(animal, species.idle_rate),
        Behaviour::Drifter => drift(animal, species, habitat, current.velocity(animal.position)),
        Behaviour::School | Behaviour::Reef | Behaviour::Cruiser => {
            steer(animal, species);
            let ahead = animal.position + (animal.heading * animal.speed + animal.carried) * STEP_S;
            match animal.is_unobstructed {
                true => animal.position = ahead,
                false => settle(animal, species, habitat, ahead),
            }
            // A stride is the same share of the body at any speed (Videler & Wardle 1991): faster is a faster beat.
            beat(animal, (animal.speed / animal.stride).max(species.idle_rate * animal.pace));
        }
    }
    animal.gait.advance(&gait_inputs(animal, species));
}

/// What decides an animal's gait.
fn gait_inputs(animal: &Animal, species: &Species) -> GaitInputs {
    let cruise = (species.cruise * animal.pace).max(1e-3 * animal.length);
    // The body bends as its path does over a body's length; one that turns on the spot bends as well.
    let yaw_rate = animal.heading.cross(animal.turn).y;
    GaitInputs {
        behaviour: species.behaviour,
        speed: animal.speed / cruise,
        push: (animal.want_speed - animal.speed) / cruise,
        alarm: animal.alarm,
        bend: yaw_rate * animal.length / animal.speed.max(0.5 * cruise),
        length: animal.length,
    }
}

/// Turns the nose and changes speed.
fn steer(animal: &mut Animal, species: &Species) {
    let along = animal.want.dot(animal.heading);
    let across = animal.want - along * animal.heading;
    let sine = across.length();
    // Monotone in the angle all the way round, and near it where turns are small.
    let angle = if along >= 0.0 { sine } else { 2.0 - sine };
    let side = match sine > 1e-4 {
        true => across / sine,
        false => animal.heading.cross(Vec3::Y).normalize_or(Vec3::X),
    };
    let nimble = 1.0 + 1.5 * animal.alarm;
    let most = species.handling.turn_in_place + nimble * animal.speed / species.turn_radius;
    let wanted = side * (species.handling.eagerness * nimble * angle).min(most);
    let ease = (STEP_S / species.inertia_s).min(1.0);
    animal.turn += (wanted - animal.turn) * ease;
    animal.turn -= animal.heading * animal.turn.dot(animal.heading);
    animal.turn = animal.turn.clamp_length_max(most);
    animal.heading = level_off(animal.heading + animal.turn * STEP_S, MAX_PITCH_SINE, animal.heading);

    let yaw_rate = animal.heading.cross(animal.turn).y;
    let roll = (species.handling.bank_gain * yaw_rate).clamp(-species.handling.max_bank, species.handling.max_bank);
    animal.bank += (roll - animal.bank) * 0.5 * ease;

    // Fish take up speed faster than the water takes it from them.
    let response = if animal.want_speed > animal.speed { 1.0 + 4.0 * animal.alarm } else { 0.6 };
    animal.speed += (animal.want_speed - animal.speed) * (0.4 * ease * response).min(1.0);
}

/// Takes the animal to `to`, or as near as ground, surface and solid things allow.
fn settle(animal: &mut Animal, species: &Species, habitat: &Habitat, mut to: Vec3) {
    let margin = animal.clearance().min(2.0);
    let mut blocked = false;
    for obstacle in habitat.obstacles_near(to) {
        if !obstacle.bounds_hold(to, margin, 1.0) {
            continue;
        }
        let distance = obstacle.normalized_distance(to, margin);
        if distance < 1.0 {
            let normal = obstacle.normal(to, margin);
            to = obstacle.center + (to - obstacle.center) / distance.max(0.05) * 1.001;
            slide(animal, normal);
            blocked = true;
        }
    }
    match animal.levels(species, habitat, to.x, to.z) {
        Some((low, high)) => {
            if to.y < low {
                to.y = low;
                blocked = true;
                animal.heading = level_off(animal.heading.with_y(animal.heading.y.max(0.0)), 1.0, animal.heading);
            } else if to.y > high {
                to.y = high;
                blocked = true;
                animal.heading = level_off(animal.heading.with_y(animal.heading.y.min(0.0)), 1.0, animal.heading);
            }
        }
        None => blocked = true,
    }
    // After a push there may be no room: then it waits where it was, which was free, and turns round.
    let is_stuck = blocked && {
        let leaps = to.distance(animal.position) > 2.0 * animal.speed * STEP_S + 0.5 * margin;
        leaps || !is_free(animal, species, habitat, to)
    };
    if is_stuck && is_free(animal, species, habitat, animal.position) {
        animal.speed *= 0.9;
        animal.want = level_off(-animal.heading, MAX_PITCH_SINE, animal.heading);
        return;
    }
    animal.position = to;
}

/// Whether an animal may be at `p`.
pub(super) fn is_free(animal: &Animal, species: &Species, habitat: &Habitat, p: Vec3) -> bool {
    let levels = animal.levels(species, habitat, p.x, p.z);
    levels.is_some_and(|(low, high)| low <= p.y && p.y <= high) && habitat.is_clear(p, animal.clearance().min(2.0))
}

/// Turns the nose along a wall with the given normal.
fn slide(animal: &mut Animal, normal: Vec3) {
    let into = animal.heading.dot(normal);
    if into < 0.0 {
        let spare = normal.cross(Vec3::Y).normalize_or(Vec3::X);
        animal.heading = level_off(animal.heading - normal * into, MAX_PITCH_SINE, spare);
    }
}

/// Goes with the water and pulses upward along the body's own axis.
fn drift(animal: &mut Animal, species: &Species, habitat: &Habitat, current: Vec3) {
    let ease = (STEP_S / 2.0).min(1.0);
    let turn = (animal.want - animal.heading).clamp_length_max(species.handling.turn_in_place);
    animal.turn += (turn - animal.turn) * ease;
    animal.heading = level_off(animal.heading + animal.turn * STEP_S, 0.4, animal.heading);
    let max_bank = species.handling.max_bank;
    let roll = (animal.wander.x * max_bank).clamp(-max_bank, max_bank);
    animal.bank += (roll - animal.bank) * 0.25 * ease;

    // The bell pushes in the first third of its cycle and glides through the rest; in the mean it holds its depth,
    // a little more when it is below where it wants to be.
    let push = if animal.phase < 0.35 { 4.0 * animal.phase / 0.35 * (1.0 - animal.phase / 0.35) } else { 0.0 };
    let thrust = species.cruise * animal.pace * (1.0 + (animal.goal.y - animal.position.y)).clamp(0.3, 1.8);
    animal.speed += (4.0 * push * thrust - animal.speed) * (STEP_S / 0.35);
    // Mean of the pulse above: 4 * (2/3) * 0.35 of the thrust.
    let sinking = 0.93 * species.cruise * animal.pace;

    let right = animal.heading.cross(Vec3::Y).normalize_or(Vec3::X);
    let up = (right.cross(animal.heading) - right * animal.bank).normalize_or(Vec3::Y);
    // At the rim of its range the water turns back in an eddy.
    let out = Vec3::new(animal.position.x - species.home.x, 0.0, animal.position.z - species.home.y);
    let far = out.length();
    let rim = ((far / species.range - 0.7) / 0.3).clamp(0.0, 1.5);
    let back = out.normalize_or_zero() * (-rim * (1.2 * current.dot(out.normalize_or_zero()).max(0.0) + 0.02));
    let round = Vec3::Y.cross(out.normalize_or_zero()) * (0.5 * rim * current.length());
    let velocity = 0.9 * current.with_y(0.0) + back + round + up * animal.speed - Vec3::Y * sinking;
    let to = animal.position + velocity * STEP_S;
    let (heading, speed, want) = (animal.heading, animal.speed, animal.want);
    settle(animal, species, habitat, to);
    // A bump neither turns nor slows it: it has no nose to follow.
    (animal.heading, animal.speed, animal.want) = (heading, speed, want);
    beat(animal, species.idle_rate * animal.pace);
}

/// Moves the clip on.
fn beat(animal: &mut Animal, rate: f32) {
    animal.phase_rate = rate;
    animal.phase += rate * STEP_S;
    animal.phase -= animal.phase as u32 as f32;
}
