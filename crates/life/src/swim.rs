//! The kinematics of swimming: along the nose, in curves no tighter than the body allows, never through anything.

use glam::Vec3;
use ocean::Current;

use crate::animal::{Animal, Species};
use crate::attitude::{CALM_PITCH_SINE, MAX_PITCH_SINE, level_off};
use crate::body::BodyInputs;
use crate::gait::GaitInputs;
use crate::mind::{Intention, NOBODY};
use crate::start::Start;
use crate::swimming::Laws;
use crate::{Behaviour, Habitat, Routine, STEP_S};

/// Time in which an unwanted roll falls to a twentieth: trout take 70 ms (Webb 2004). Unit: s.
const ROLL_RIGHTED_S: f32 = 0.07;

/// Roll given to the body by a start: killifish reach 77 degrees. Unit: rad.
const START_ROLL: f32 = 0.6;

/// Fear below which an animal that has turned about keeps on for a while.
const CALM: f32 = 0.3;

/// Share of its usual speed below which an animal hangs level, in any direction.
const LEVEL_BELOW: f32 = 0.4;

/// Sine of the wanted dive below which a feeding fish pecks at the ground. By eye.
const PECKS_SINE: f32 = -0.25;

/// Sine of the dive from which weight alone carries a heavy body on. By eye.
const SINKING_SINE: f32 = 0.1;

/// Share of a lack of speed that counts as effort, and the tolerated lack as a share of its usual speed. By eye.
const EXERTS: f32 = 0.6;
const LACKS: f32 = 0.2;

/// Speed that matches the effort of beating the ground with the fins. By eye. Unit: body lengths/s.
const DIGS_BL_S: f32 = 0.8;

/// [`BodyInputs::curl`] in a crevice, where there is less room. By eye.
const CREVICE_CURL: f32 = 0.35;

/// Speed above which the required force limits a curve, and the lateral acceleration. By eye, below that of a pike's
/// start. Units: m/s, m/s^2.
const FAST_M_S: f32 = 4.0;
const MAX_LATERAL: f32 = 60.0;

/// Speed above which an animal brakes before obstacles, and its deceleration. By eye, below that of a pike's start.
/// Units: m/s, m/s^2.
const HEADLONG_M_S: f32 = 1.5;
const BRAKING: f32 = 60.0;

/// Share of the surge that reaches a sleeper in the lee of rock or coral. By eye.
const SURGE_IN_LEE: f32 = 0.3;
/// Roll of a sleeper by the surge. By eye. Unit: rad per m/s.
const SURGE_ROLL: f32 = 10.0;
/// Greatest roll by the surge: 14 degrees. Unit: rad.
const MAX_SURGE_ROLL: f32 = 0.24;
/// Turning of the nose into the surge. By eye. Unit: rad/m.
const SURGE_YAW: f32 = 2.5;

/// Greatest push of a body out of an obstacle in a step, beyond its own movement. Unit: m.
const PUSHED_M: f32 = 0.012;

/// Moves an animal by one step towards its wanted heading and speed.
pub(super) fn advance(animal: &mut Animal, species: &Species, habitat: &Habitat, current: &Current) {
    animal.prev_position = animal.position;
    animal.prev_heading = animal.heading;
    animal.prev_bank = animal.bank;
    match species.behaviour {
        Behaviour::Still => rest(animal, species),
        Behaviour::Drifter => drift(animal, species, habitat, current.velocity(animal.position)),
        Behaviour::School | Behaviour::Reef | Behaviour::Cruiser => {
            if std::mem::take(&mut animal.startled) && !animal.start.is_on() {
                animal.start = Start::new(animal.heading, animal.want, animal.length);
                animal.bank += START_ROLL * animal.start.side();
            }
            let was = animal.speed;
            match animal.start.is_on() {
                true => start(animal, species),
                false => steer(animal, species),
            }
            if was > HEADLONG_M_S && !animal.is_unobstructed && is_walled(animal, habitat) {
                animal.speed = animal.speed.min(was - BRAKING * STEP_S);
            }
            let swayed = sway(animal, species, current.surge);
            right(animal, species);
            let ahead = animal.position + (animal.heading * animal.speed + animal.carried + swayed) * STEP_S;
            match animal.is_unobstructed && !animal.start.is_on() {
                true => animal.position = ahead,
                false => settle(animal, species, habitat, ahead),
            }
            limit_turn(animal);
            animal.turning_about.look(animal.prev_heading, animal.heading);
            animal.body.advance(&species.laws, &body_inputs(animal, species));
        }
    }
    animal.gait.advance(&gait_inputs(animal, species));
}

/// Collects the inputs of the body's movement.
fn body_inputs(animal: &Animal, species: &Species) -> BodyInputs {
    BodyInputs {
        speed_bl: animal.body.lengths(animal.speed),
        effort_bl: effort_bl(animal, species),
        cruise_bl: animal.body.lengths(species.cruise),
        yaw_rate: yaw_rate(animal),
        start: animal.start.bend(),
        may_glide: !animal.start.is_on() && animal.alarm < 0.3,
        sinks: sinks(animal),
        sleeps: animal.mind.sleeps(),
        curl: if animal.is_in_crevice { CREVICE_CURL } else { 1.0 },
        stride_bl: species.stride_bl,
    }
}

/// Effort: see [`BodyInputs::effort_bl`].
fn effort_bl(animal: &Animal, species: &Species) -> f32 {
    let lacks = (animal.want_speed - animal.speed - LACKS * species.cruise).max(0.0);
    let effort = animal.body.lengths(animal.speed + EXERTS * lacks).min(species.habits.burst_bl_s);
    let digs = species.traces.digs && animal.gait.is_feeding();
    let effort = if digs { effort.max(DIGS_BL_S) } else { effort };
    effort.max(animal.body.lengths(animal.speed))
}

/// Whether it is moving down and lets its weight carry it.
fn sinks(animal: &Animal) -> bool {
    animal.heading.y < -SINKING_SINE
}

/// Collects the inputs of the animal's gait.
fn gait_inputs(animal: &Animal, species: &Species) -> GaitInputs {
    let cruise = (species.cruise * animal.pace).max(1e-3 * animal.length);
    let per_cruise = 1.0 / cruise;
    let laws = &species.laws;
    let rows = laws.fins_until_bl > 0.0;
    let turns = laws.turns_by_wings;
    GaitInputs {
        behaviour: species.behaviour,
        speed: animal.speed * per_cruise,
        push: (animal.want_speed - animal.speed) * per_cruise,
        starts: animal.start.is_on(),
        sleeps: animal.mind.intention == Intention::Do(Routine::Rest),
        bend: if turns { yaw_rate(animal) * animal.length / animal.speed.max(0.5 * cruise) } else { 0.0 },
        rowing: if rows { animal.body.lengths(animal.speed) / laws.fins_until_bl } else { f32::INFINITY },
        length: animal.length,
    }
}

/// Turning rate, positive to the left. Unit: rad/s.
fn yaw_rate(animal: &Animal) -> f32 {
    animal.heading.cross(animal.turn).y
}

/// Turns the nose and changes the speed.
fn steer(animal: &mut Animal, species: &Species) {
    let laws = &species.laws;
    let want = hovering(animal, species);
    let along = want.dot(animal.heading);
    let across = want - along * animal.heading;
    let sine = across.length();
    // Monotone in the angle over the whole circle, and close to it for small turns.
    let angle = if along >= 0.0 { sine } else { 2.0 - sine };
    let shortest = across / sine.max(1e-4);
    let side = if along >= 0.0 { shortest } else { right_round(animal, shortest) };
    let haste = haste(animal, species);
    let [usual, tight] = species.curvature;
    let curvature = usual + (tight - usual) * haste;
    let most = (laws.turn_in_place + animal.speed * curvature).min(laws.most_yaw * (1.0 + haste));
    let most = if animal.speed > FAST_M_S { most.min(MAX_LATERAL / animal.speed) } else { most };
    let most = most.min(Laws::yaw_limit(animal.length));
    // In fear it turns as often as it must.
    let most = if animal.alarm < CALM { animal.turning_about.limit(most) } else { most };
    let eagerness = laws.eagerness[0] + (laws.eagerness[1] - laws.eagerness[0]) * haste;
    // The shortest way on a sphere bulges up or down: no animal goes steeper than it wants.
    let is_steeper = along < 0.5 && animal.heading.y * side.y > 0.0 && animal.heading.y.abs() > want.y.abs();
    let side = if is_steeper { side.with_y(0.0) } else { side };
    let wanted = side * (eagerness * angle).min(most);
    let ease = species.ease;
    animal.turn += (wanted - animal.turn) * (ease * (1.0 + 2.0 * haste)).min(1.0);
    animal.turn -= animal.heading * animal.turn.dot(animal.heading);
    animal.turn = animal.turn.clamp_length_max(most);
    // Normalised later, when pitch is righted.
    animal.heading += animal.turn * STEP_S;

    let roll = (laws.bank_gain * yaw_rate(animal)).clamp(-laws.max_bank, laws.max_bank);
    animal.lean += (roll - animal.lean) * 0.5 * ease;

    // Fish gain speed faster than the water slows them. Alternating strokes and pauses make it visible.
    let pauses = laws.glide.is_some() && !(laws.glides_down && sinks(animal));
    let kick = if pauses { 0.8 + 0.3 * animal.body.vigour } else { 1.0 };
    let most = species.habits.burst_bl_s * animal.length;
    let want_speed = (animal.want_speed * (kick + (1.0 - kick) * haste)).min(most);
    // It coasts down, and to stop it spreads its fins.
    let brakes = if want_speed < 0.5 * animal.speed { 4.0 } else { 0.6 };
    let response = if want_speed > animal.speed { 1.0 + 4.0 * haste } else { brakes };
    animal.speed += (want_speed - animal.speed) * (0.4 * ease * response).min(1.0);
}

/// Direction of turn for an animal that wants to go back, with the shortest way along the unit vector `shortest`: over
/// back or belly it would stand on end half way and stay there, so it turns round level.
fn right_round(animal: &Animal, shortest: Vec3) -> Vec3 {
    /// Share of the shortest way that lies aside, below which it goes over rather than round: 30 degrees.
    const OVER: f32 = 0.5;
    let right = animal.heading.cross(Vec3::Y).normalize_or(Vec3::X);
    let aside = shortest.dot(right);
    if aside.abs() < OVER { right * 1.0f32.copysign(aside) } else { shortest }
}

/// Haste: 0 at its usual speed, 1 in a fright or at full speed.
fn haste(animal: &Animal, species: &Species) -> f32 {
    (0.6 * animal.alarm).max(((animal.want_speed - 1.2 * species.cruise) * species.per_spare).clamp(0.0, 1.0))
}

/// Advances a start: the body bends and is off, without the usual limits on turning.
fn start(animal: &mut Animal, species: &Species) {
    let burst = species.habits.burst_bl_s * animal.length;
    let before = animal.heading;
    let was = before * animal.speed;
    let (heading, speed) = animal.start.advance(before, animal.want, animal.speed, burst);
    (animal.heading, animal.speed) = animal.start.ease(was, heading, speed);
    limit_turn(animal);
    let most = species.laws.most_yaw;
    animal.turn = ((animal.heading - before) / STEP_S).clamp_length_max(most);
    animal.turn -= animal.heading * animal.turn.dot(animal.heading);
}

/// Keeps the turn of a step to what a body can make in a start: a slow one could be pushed about, and one at a wall
/// thrown back, in no time.
fn limit_turn(animal: &mut Animal) {
    let most = Laws::STARTS * Laws::yaw_limit(animal.length) * STEP_S;
    let turn = animal.heading - animal.prev_heading;
    if turn.length_squared() > most * most {
        let aside = animal.prev_heading.cross(Vec3::Y) * (0.1 * most);
        let turned = animal.prev_heading + turn.clamp_length_max(most) + aside;
        animal.heading = level_off(turned, MAX_PITCH_SINE, animal.prev_heading);
    }
}

/// Rights unwanted roll and pitch.
fn right(animal: &mut Animal, species: &Species) {
    // Three time constants leave a twentieth.
    animal.bank += (animal.lean - animal.bank) * (3.0 * STEP_S / ROLL_RIGHTED_S);
    let wanted = animal.want.y * (1.0 - levelness(animal, species));
    let excess = animal.heading.y - animal.heading.y.clamp(wanted.min(0.0), wanted.max(0.0));
    let pitched = animal.heading.with_y(animal.heading.y - excess * species.ease);
    animal.heading = level_off(pitched, species.laws.steepest_sine, animal.prev_heading);
}

/// Wanted heading of an animal: level if it hovers.
fn hovering(animal: &Animal, species: &Species) -> Vec3 {
    let level = levelness(animal, species);
    if level <= 0.0 {
        return animal.want;
    }
    animal.want.with_y(animal.want.y * (1.0 - level)).normalize_or(animal.heading)
}

/// Degree to which an animal keeps level: 1 while it hangs, 0 at some way or where it tilts on purpose.
fn levelness(animal: &Animal, species: &Species) -> f32 {
    if tilts(animal, species) {
        return 0.0;
    }
    // Rather level than not at half of the way.
    (1.5 * (1.0 - animal.speed * species.per_cruise / LEVEL_BELOW)).clamp(0.0, 1.0)
}

/// Whether it stands on its head, or on its tail, on purpose.
fn tilts(animal: &Animal, species: &Species) -> bool {
    use Routine::{Clean, Graze, Plankton, VisitCleaner};
    // Who takes its food out of the water stays level.
    let picks = animal.mind.intention == Intention::Do(Plankton) || species.habits.has(Routine::Host);
    animal.is_in_crevice
        || animal.gait.is_feeding() && !picks && animal.want.y < PECKS_SINE
        || matches!(animal.mind.intention, Intention::Do(Clean | Graze | VisitCleaner))
}

/// Makes the surge roll and turn a sleeper; returns the velocity at which the surge carries it.
fn sway(animal: &mut Animal, species: &Species, surge: Vec3) -> Vec3 {
    if !animal.mind.sleeps() || species.laws.crawls {
        return Vec3::ZERO;
    }
    let felt = SURGE_IN_LEE * surge;
    let right = animal.heading.cross(Vec3::Y);
    let across = felt.dot(right);
    if !species.laws.turns_by_wings {
        // An animal flat on the ground stays flat.
        let roll = (SURGE_ROLL * across).clamp(-MAX_SURGE_ROLL, MAX_SURGE_ROLL);
        animal.lean -= roll * 0.5 * species.ease;
    }
    animal.heading -= right * (SURGE_YAW * across * STEP_S);
    felt
}

/// Stays in place and plays its clips.
fn rest(animal: &mut Animal, species: &Species) {
    animal.body.advance(&species.laws, &BodyInputs { speed_bl: 0.0, effort_bl: 0.0, ..body_inputs(animal, species) });
}

/// Takes the animal to `to`, or as near as ground, surface and solid things allow.
fn settle(animal: &mut Animal, species: &Species, habitat: &Habitat, mut to: Vec3) {
    let margin = animal.clearance().min(2.0);
    let way = to.distance(animal.position);
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
    // After a push there may be no room: then it waits at its last, free position, and turns round.
    let is_stuck = blocked && {
        let leaps = to.distance(animal.position) > 1.2 * way + PUSHED_M;
        leaps || !is_free(animal, species, habitat, to)
    };
    if is_stuck && is_free(animal, species, habitat, animal.position) {
        animal.speed *= 0.3;
        animal.want = level_off(-animal.heading, MAX_PITCH_SINE, animal.heading);
        return;
    }
    animal.position += (to - animal.position).clamp_length_max(1.2 * way + PUSHED_M);
}

/// Whether an animal may be at `p`.
pub(super) fn is_free(animal: &Animal, species: &Species, habitat: &Habitat, p: Vec3) -> bool {
    let levels = animal.levels(species, habitat, p.x, p.z);
    levels.is_some_and(|(low, high)| low <= p.y && p.y <= high) && habitat.is_clear(p, animal.clearance().min(2.0))
}

/// Whether rock or ground ahead is nearer than its braking distance.
fn is_walled(animal: &Animal, habitat: &Habitat) -> bool {
    let way = animal.speed * (animal.speed / (2.0 * BRAKING) + 2.0 * STEP_S);
    let margin = animal.clearance().min(2.0);
    [0.5, 1.0].into_iter().any(|share| {
        let ahead = animal.position + animal.heading * (share * way);
        !habitat.is_clear(ahead, margin) || ahead.y < habitat.floor_m(ahead.x, ahead.z) + margin
    })
}

/// Turns the nose along a wall with the given normal: aside rather than up or down, unless the wall is more of a ledge.
fn slide(animal: &mut Animal, normal: Vec3) {
    /// Horizontal length of the normal above which a wall has a side: less than 37 degrees off the plumb.
    const HAS_SIDE: f32 = 0.6;
    let level = normal.with_y(0.0);
    let normal = if level.length() > HAS_SIDE { level.normalize() } else { normal };
    let into = animal.heading.dot(normal);
    if into < 0.0 {
        let spare = normal.cross(Vec3::Y).normalize_or(Vec3::X);
        // Without alarm or prey no animal stands on end against a rock that it touches.
        let most = if animal.alarm > 0.3 || animal.mind.other != NOBODY { MAX_PITCH_SINE } else { CALM_PITCH_SINE };
        animal.heading = level_off(animal.heading - normal * into, most, spare);
    }
}

/// Drifts with the water and pulses upward along the body's own axis.
fn drift(animal: &mut Animal, species: &Species, habitat: &Habitat, current: Vec3) {
    let ease = (STEP_S / 2.0).min(1.0);
    let turn = (animal.want - animal.heading).clamp_length_max(species.laws.turn_in_place);
    animal.turn += (turn - animal.turn) * ease;
    animal.heading = level_off(animal.heading + animal.turn * STEP_S, 0.4, animal.heading);
    let max_bank = species.laws.max_bank;
    let roll = (animal.wander.x * max_bank).clamp(-max_bank, max_bank);
    animal.bank += (roll - animal.bank) * 0.25 * ease;

    // The bell pushes in the first third of its cycle and glides through the rest; on average it holds its depth, with
    // a little more push when it is below its goal.
    let phase = animal.body.phase;
    let push = if phase < 0.35 { 4.0 * phase / 0.35 * (1.0 - phase / 0.35) } else { 0.0 };
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
    rest(animal, species);
}
