//! The cleaning station: clients come, tilt and wait; the cleaner dances and goes over them.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::DECISION_S;
use crate::animal::Animal;
use crate::avoidance::keep_apart;
use crate::conduct::Senses;
use crate::conduct::routines::{Course, roam};
use crate::grid::Seen;
use crate::mind::NOBODY;

/// Greatest distance of a cleaner from its station to meet a client. Unit: m.
const SERVES_WITHIN_M: f32 = 1.6;

/// Greatest distance that a fish goes for a cleaner. Unit: m.
const GOES_FOR_IT_M: f32 = 12.0;

/// Sine of the tilt at which a client poses: they hold 30 to 60 degrees.
const POSE: f32 = 0.5;

/// Distance to a client, beyond that for its length, within which the cleaner is at it. Unit: m.
const ATTENDS_M: f32 = 0.2;

/// Longest time for which a client waits for a cleaner. Unit: s.
const PATIENCE_S: f32 = 45.0;

/// Longest time for which a client is on its way and queues for its turn, and the last place that it takes up. Unit: s.
const QUEUES_S: f32 = 60.0;
const LONGEST_QUEUE: usize = 4;

/// Distance from cleaner to cleaner within which they share a station. Unit: m.
const STATION_M: f32 = 2.5;

/// Distance from a cleaner within which its client poses, constant and by the client's length. Units: m, body lengths.
const POSES_WITHIN: (f32, f32) = (0.6, 0.9);

/// Distance beyond that at which the next client waits, and from each place in the queue to the next, by its length; and
/// the slack in it. By eye. Units: m, body lengths, m.
const QUEUE_M: f32 = 0.5;
const QUEUE_BL: f32 = 0.8;
const QUEUE_SLACK_M: f32 = 0.15;

/// Sinking speed of a client that stays level, by the remaining distance and at most, and the share of the vertical
/// distance that it covers by its nose. By eye. Units: 1/s, body lengths/s, 1.
const SINKS_PER_S: f32 = 0.4;
const SINKS_BL_S: f32 = 0.35;
const ROD_SLOPE: f32 = 0.3;

/// Cleans: about its station, and over the body of the nearest client that has come.
pub(super) fn clean(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    let Some(client) = own_client(animal, senses) else {
        animal.mind.other = NOBODY;
        return roam::about_home(animal, senses, rng);
    };
    if animal.mind.other != client.index || animal.timer <= 0.0 {
        animal.mind.other = client.index;
        // Another place on the client's flank: along the body, and on one side or the other.
        let side = if rng.random::<bool>() { 1.0 } else { -1.0 };
        animal.beside = Vec3::new(side * 0.16, 0.2 * (rng.random::<f32>() - 0.3), 0.8 * (rng.random::<f32>() - 0.5));
        animal.timer = 0.8 + 1.6 * rng.random::<f32>();
        let of_client = senses.scene.species.iter().find(|one| one.animals.contains(&(client.index as usize)));
        let places = of_client.map_or(&[][..], |one| &one.cleaned_at);
        if !places.is_empty() {
            let Vec3 { x, y, z } = places[rng.random_range(0..places.len())];
            // Bodies look along -z.
            animal.beside = Vec3::new(x, y, -z);
        }
    }
    let right = client.heading.cross(Vec3::Y).normalize_or(Vec3::X);
    let spot = right * (animal.beside.x * client.length + animal.length * 0.3 * animal.beside.x.signum())
        + Vec3::Y * (animal.beside.y * client.length)
        + client.heading * (animal.beside.z * client.length);
    // The dance: it bobs up and down on the way.
    let bob = Vec3::Y * (0.25 * animal.wander.x);
    let course = roam::dart(animal, senses.species, client.position + spot);
    Course { pull: course.pull + bob, ..course }
}

/// Client of a cleaner among those that have come: each of a station has its own, while there are enough.
fn own_client<'a>(animal: &Animal, senses: &Senses<'a>) -> Option<&'a Seen> {
    let far = |seen: &'a Seen| (seen.position.distance(animal.home), seen);
    let has_come = |(far, seen): &(f32, &Seen)| *far < SERVES_WITHIN_M + seen.length;
    let mut come: Vec<(f32, &Seen)> = senses.scene.waiting.iter().map(far).filter(has_come).collect();
    let nth = senses.index as usize % come.len().min(senses.species.animals.len()).max(1);
    if come.is_empty() {
        return None;
    }
    let nearer = |a: &(f32, &Seen), b: &(f32, &Seen)| a.0.total_cmp(&b.0).then(a.1.index.cmp(&b.1.index));
    Some(come.select_nth_unstable_by(nth, nearer).1.1)
}

/// Visits the nearest cleaner; there it stops, tilts and holds still.
pub(super) fn visit(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    let species = senses.species;
    let far = |seen: &Seen| seen.position.distance_squared(animal.position);
    let cleaner = senses.scene.cleaners().min_by(|a, b| far(a).total_cmp(&far(b)));
    let Some(cleaner) = cleaner.filter(|seen| far(seen) < GOES_FOR_IT_M * GOES_FOR_IT_M) else {
        animal.mind.drives.itch = 0.0;
        return Course { pull: 0.3 * animal.wander, speed: 0.5 * species.cruise };
    };
    let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, 1.5 * species.spacing)).sum();
    let to = cleaner.position - animal.position;
    let place = place_in_queue(animal, senses, cleaner);
    if place > 0 && animal.mind.stay_s <= 0.0 {
        let course = queue(animal, senses, to, place);
        return Course { pull: course.pull + 1.2 * apart, ..course };
    }
    if to.length() > poses_within(animal.length) {
        animal.mind.drives.itch = 1.0;
        if species.is_rod {
            // It stays level: its fins let it down, or it would go round and round over the place.
            let sinks = SINKS_BL_S * animal.length;
            animal.carried.y += (SINKS_PER_S * to.y).clamp(-sinks, sinks);
            let level = to.with_y(ROD_SLOPE * to.y);
            let far = (level.length() / (2.0 * animal.length)).clamp(0.15, 1.0);
            let course = Course::toward(animal, level, 0.8, far * species.cruise);
            return Course { pull: course.pull + 0.6 * apart, ..course };
        }
        let course = roam::dart(animal, species, cleaner.position);
        return Course { pull: course.pull + 1.2 * apart, ..course };
    }
    animal.mind.stay_s += DECISION_S;
    if animal.mind.stay_s > PATIENCE_S {
        animal.mind.drives.itch = 0.0;
    }
    // Half of the clients stand on their tails, half on their heads; but level until the cleaner is there.
    let is_attended = to.length() < ATTENDS_M + 0.6 * animal.length;
    let tilt = match is_attended {
        true if senses.index.is_multiple_of(2) => POSE,
        true => -POSE,
        false => 0.0,
    };
    Course { pull: 2.5 * Vec3::Y * (tilt - animal.heading.y) + 0.8 * apart, speed: 0.02 * species.cruise }
}

/// Distance from a cleaner within which a client of a length (m) poses. Unit: m.
fn poses_within(length: f32) -> f32 {
    POSES_WITHIN.0 + POSES_WITHIN.1 * length
}

/// Place of an animal in the queue of its cleaner's station, where each cleaner has a client: 0 if it is its turn. Those
/// nearer to the cleaner come first.
fn place_in_queue(animal: &Animal, senses: &Senses<'_>, cleaner: &Seen) -> usize {
    let left = |position: Vec3, length: f32| position.distance(cleaner.position) - poses_within(length);
    let own = left(animal.position, animal.length);
    let is_before = |other: &&Seen| {
        let far = left(other.position, other.length);
        other.index != senses.index && (far < own || far == own && other.index < senses.index)
    };
    let is_colleague = |other: &&Seen| other.position.distance(cleaner.position) < STATION_M;
    let before_it = senses.scene.waiting.iter().filter(is_before).count();
    (before_it + 1).saturating_sub(senses.scene.cleaners().filter(is_colleague).count())
}

/// Waits for its turn at a `place` (1 or more) in the queue, `to` away from the cleaner and facing it.
fn queue(animal: &mut Animal, senses: &Senses<'_>, to: Vec3, place: usize) -> Course {
    let species = senses.species;
    let gives_up = place > LONGEST_QUEUE || animal.mind.since_s > QUEUES_S;
    animal.mind.drives.itch = if gives_up { 0.0 } else { 1.0 };
    let gap = QUEUE_M + QUEUE_BL * animal.length;
    let far = poses_within(animal.length) + gap * place as f32;
    let off = to.length() - far;
    if off > QUEUE_SLACK_M + 0.5 * animal.length {
        let level = to.with_y(if species.is_rod { ROD_SLOPE * to.y } else { to.y });
        let near = (off / (2.0 * animal.length)).clamp(0.15, 1.0);
        return Course::toward(animal, level, 0.8, near * species.cruise);
    }
    // Its fins hold it in its place.
    let holds = to.with_y(0.0).normalize_or_zero() * off.clamp(-animal.length, animal.length);
    animal.carried += (holds * SINKS_PER_S).clamp_length_max(SINKS_BL_S * animal.length);
    let facing = to.with_y(0.0).normalize_or(animal.heading);
    Course { pull: 0.8 * (facing - animal.heading), speed: 0.02 * species.cruise }
}
