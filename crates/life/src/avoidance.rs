//! Avoidance of other animals, ground, surface and everything solid.

use glam::Vec3;

use crate::animal::{Animal, Species};
use crate::grid::Seen;
use crate::perception::{LARGE_CELL_M, Perception};
use crate::{DECISION_S, Habitat, STEP_S};

/// Push away from another animal that comes within `spacing` metres, now or within a moment if both go on as they are:
/// gentle at that distance, and stronger than any other pull before bodies touch.
pub(super) fn keep_apart(animal: &Animal, other: &Seen, spacing: f32) -> Vec3 {
    /// Time ahead for which a meeting is foreseen. Unit: s.
    const FORESIGHT_S: f32 = 0.5;
    let to = other.position - animal.position;
    let closing = animal.heading * animal.speed - other.heading * other.speed;
    let until = (to.dot(closing) / closing.length_squared().max(1e-6)).clamp(0.0, FORESIGHT_S);
    let passing = to - closing * until;
    let distance = passing.length();
    if distance >= spacing {
        return Vec3::ZERO;
    }
    // Two that meet nose to nose each keep to their own left.
    let away = match distance > 1e-3 * spacing {
        true => passing / -distance,
        false => to.cross(Vec3::Y).normalize_or(Vec3::X),
    };
    let nearness = 1.0 - distance / spacing;
    away * (nearness + 3.0 * (nearness - 0.3).max(0.0))
}

/// Push like [`keep_apart`] between rods, from body to body: they are put in file and abreast alike.
pub(super) fn keep_rods_apart(animal: &Animal, other: &Seen, spacing: f32) -> Vec3 {
    let away = from_body_to_body(animal, other);
    let distance = away.length();
    let nearness = 1.0 - distance / spacing;
    match nearness > 0.0 {
        true => away / distance.max(1e-3 * spacing) * (nearness + 3.0 * (nearness - 0.3).max(0.0)),
        false => Vec3::ZERO,
    }
}

/// Vector from the other's body to the animal's at their nearest points: bodies are rods, each along its nose.
pub(super) fn from_body_to_body(animal: &Animal, other: &Seen) -> Vec3 {
    /// Half the length of a rod. Unit: body lengths.
    const HALF_BL: f32 = 0.35;
    let apart = animal.position - other.position;
    let cosine = animal.heading.dot(other.heading);
    let (along, along_other) = (animal.heading.dot(apart), other.heading.dot(apart));
    let sine2 = (1.0 - cosine * cosine).max(1e-3);
    let half = HALF_BL * animal.length;
    let at = ((cosine * along_other - along) / sine2).clamp(-half, half);
    let half = HALF_BL * other.length;
    let at_other = (along_other + at * cosine).clamp(-half, half);
    apart + at * animal.heading - at_other * other.heading
}

/// Push on small animals away from large ones, and on all away from an onlooker.
pub(super) fn give_way(
    animal: &Animal,
    index: u32,
    species: &Species,
    scene: &Perception<'_>,
    visits: &mut usize,
) -> Vec3 {
    let mut push = Vec3::ZERO;
    // Large animals are in a single layer of cells, whatever their depth.
    let place = animal.position.with_y(0.5 * LARGE_CELL_M);
    *visits += scene.large.visit(place, 12, |other| {
        if other.index != index && other.index != animal.mind.other {
            let half_width_bl = scene.species[other.group as usize].laws.half_width_bl;
            push += keep_clear(animal, species, other, half_width_bl);
        }
    });
    if !species.is_gregarious() {
        push += keep_off_large_schools(animal, index, scene, visits);
    }
    if species.is_gregarious() {
        for grid in &scene.grids[species.grid + 1..] {
            *visits += grid.visit(animal.position, 6, |larger| push += make_room(animal, larger));
        }
    }
    let off_eye = scene.onlooker.map_or(Vec3::ZERO, |eye| keep_off_eye(animal, eye));
    // Animals that live by the ground go round the onlooker and not over the head.
    push + if species.keeps_near_ground() { aside_rather_than_over(off_eye) } else { off_eye }
}

/// Turns most of a vertical push to the horizontal: animals that live by the ground are abreast, and no ladder.
pub(super) fn aside_rather_than_over(push: Vec3) -> Vec3 {
    let aside = push.with_y(0.0).normalize_or_zero();
    push.with_y(0.3 * push.y) + aside * (0.7 * push.y.abs())
}

/// Push away from the eye of an onlooker, who is passed at a distance at which the whole animal is seen.
pub(super) fn keep_off_eye(animal: &Animal, eye: Vec3) -> Vec3 {
    /// Distance kept, by its length and for the smallest. Units: body lengths, m.
    const ROOM_BL: f32 = 1.7;
    const ROOM_M: f32 = 0.2;
    /// Time ahead for which coming too near is foreseen. Unit: s.
    const FORESIGHT_S: f32 = 2.0;
    let room = ROOM_BL * animal.length + ROOM_M;
    let (to, velocity) = (eye - animal.position, animal.heading * animal.speed);
    let farthest = room + FORESIGHT_S * animal.speed;
    if to.length_squared() > farthest * farthest {
        return Vec3::ZERO;
    }
    let until = (to.dot(velocity) / velocity.length_squared().max(1e-6)).clamp(0.0, FORESIGHT_S);
    let passing = to - velocity * until;
    let distance = passing.length();
    // An animal that comes straight at the eye goes by on its own left.
    let away = match distance > 1e-3 * room {
        true => passing / -distance,
        false => to.cross(Vec3::Y).normalize_or(Vec3::X),
    };
    away * (4.5 * (1.0 - distance / room).max(0.0))
}

/// Push on a solitary animal off the bodies of schools too large to be swept aside, also in a strike. Few animals are
/// solitary, so each looks through the whole school.
fn keep_off_large_schools(animal: &Animal, index: u32, scene: &Perception<'_>, visits: &mut usize) -> Vec3 {
    /// Length over its own from which a body is an obstacle.
    const LARGE: f32 = 0.4;
    /// Distance from middle to middle that it keeps, over both lengths. By eye.
    const ROOM: f32 = 0.45;
    /// Time ahead that is considered. Unit: s.
    const FORESIGHT_S: f32 = 0.5;
    /// Strength of the push: at its usual speed, when the others make way as well, and the addition of a rush.
    const STRENGTH: [f32; 2] = [0.5, 1.5];
    let strength = STRENGTH[0] + STRENGTH[1] * scene.seen[index as usize].rush();
    let mut push = Vec3::ZERO;
    for school in scene.schools {
        let length = scene.species[school.species as usize].length;
        let far = school.extent + ROOM * (animal.length + 2.0 * length) + FORESIGHT_S * (animal.speed + 2.0 * length);
        if length < LARGE * animal.length || school.centroid.distance_squared(animal.position) > far * far {
            continue;
        }
        *visits += school.animals.len();
        for other in scene.seen[school.animals.clone()].iter().filter(|other| other.index != animal.mind.other) {
            push += strength * keep_apart(animal, other, ROOM * (animal.length + other.length));
        }
    }
    push
}

/// Push away from the body of a large animal that is no hunter, or hunts something else; a manta's wings are wider than
/// it is long.
fn keep_clear(animal: &Animal, species: &Species, other: &Seen, half_width_bl: f32) -> Vec3 {
    /// Foresight of an animal ahead of it. Units: s, m.
    const FORESIGHT_S: f32 = 1.3;
    const MAX_AHEAD_M: f32 = 2.5;
    let length = other.length;
    let away = animal.position - other.position;
    let reach = (half_width_bl * length + 1.5 * animal.length).min(0.5 * LARGE_CELL_M);
    let half = 0.4 * length;
    let gains = other.speed - animal.speed * animal.heading.dot(other.heading);
    let ahead = (FORESIGHT_S * gains).clamp(0.0, MAX_AHEAD_M);
    let farthest = reach + half + ahead;
    if away.length_squared() > farthest * farthest || (length < 1.2 * animal.length && species.is_gregarious()) {
        return Vec3::ZERO;
    }
    // From the nearest point of its axis: a whale is long.
    let away = away - other.heading * away.dot(other.heading).clamp(-half, half + ahead);
    let distance = away.length().max(1e-3);
    away / distance * (4.5 * (1.0 - distance / reach).max(0.0))
}

/// Whether something solid is between two places.
pub(super) fn is_hidden(habitat: &Habitat, from: Vec3, to: Vec3) -> bool {
    [0.25, 0.5, 0.75].iter().any(|&share| !habitat.is_clear(from.lerp(to, share), 0.0))
}

/// Push away from the body of a larger fish.
fn make_room(animal: &Animal, larger: &Seen) -> Vec3 {
    let away = animal.position - larger.position;
    let reach = 0.35 * larger.length + 0.8 * animal.length;
    let half = 0.4 * larger.length;
    if away.length_squared() > (reach + half) * (reach + half) {
        return Vec3::ZERO;
    }
    let away = away - larger.heading * away.dot(larger.heading).clamp(-half, half);
    let distance = away.length();
    let outward = if distance > 1e-3 { away / distance } else { Vec3::Y };
    outward * (4.5 * (1.0 - distance / reach).max(0.0))
}

/// Whether a way of `reach` metres from height `y` meets neither ground nor surface, nor an end of the depths from
/// `low` to `high`.
fn is_off_the_ends(y: f32, (low, high): (f32, f32), reach: f32, habitat: &Habitat) -> bool {
    y - low > reach * (1.0 + habitat.steepest()) && high - y > reach
}

/// Whether the animal can reach no obstacle before its next decision, which may be the next but one.
pub(super) fn is_unobstructed(
    animal: &Animal,
    species: &Species,
    habitat: &Habitat,
    column: Option<(f32, f32)>,
) -> bool {
    let p = animal.position;
    // Full flight, with a step to spare; animals that skip every other decision go at no more than half of that.
    let reach = (DECISION_S + STEP_S) * (species.habits.burst_bl_s * animal.length).max(animal.speed);
    let Some(column) = column else { return false };
    is_off_the_ends(p.y, column, reach, habitat)
        && !habitat.obstacles_near(p).any(|o| o.bounds_hold(p, animal.clearance().min(2.0) + reach, 1.0))
}

/// Push away from the ground, the surface, the ends of the depth band and solid things ahead; `column` is the result of
/// [`Animal::levels`] at the animal.
pub(super) fn keep_off(animal: &Animal, species: &Species, habitat: &Habitat, column: Option<(f32, f32)>) -> Vec3 {
    let margin = animal.clearance().min(2.0);
    // An animal bound for the ground or the surface comes close to it before it turns.
    let is_bound_there = animal.mind.intention.leaves_depths();
    let look = match is_bound_there {
        true => 0.3 * animal.length,
        false => 1.2 * animal.length + 1.2 * animal.speed + species.turn_radius,
    };
    let gap = if is_bound_there { 0.1 * animal.length } else { 0.8 * animal.length + 0.1 };
    let mut push = Vec3::ZERO;
    let is_open = column.is_some_and(|column| is_off_the_ends(animal.position.y, column, look + gap, habitat));
    for ahead_by in if is_open { &[][..] } else { &[0.35, 1.0] } {
        let ahead = animal.position + animal.heading * (look * ahead_by);
        let Some((low, high)) = animal.levels(species, habitat, ahead.x, ahead.z) else {
            let home = Vec3::new(species.home.x, 0.0, species.home.y) - animal.position;
            push += (home.with_y(0.0).normalize_or(-animal.heading) - animal.heading) * 1.5;
            continue;
        };
        let soft = gap.min(0.4 * (high - low)).max(1e-3);
        push.y += ((low + soft - ahead.y) / soft).clamp(0.0, 2.0) * 0.8;
        push.y -= ((ahead.y + soft - high) / soft).clamp(0.0, 2.0) * 0.8;
    }
    /// Normalised distance below which a solid thing with its soft skin is felt.
    const FELT: f32 = 1.35;
    let soft = margin + 0.25 * animal.length + 0.05;
    let way = |ahead_by: f32| (look * ahead_by).min(2.4);
    // A way shorter than the range of known obstacles needs one query, near its beginning.
    let ways: &[&[f32]] =
        if soft + way(1.0) < Habitat::REACH_M { &[&[0.0, 0.5, 1.0]] } else { &[&[0.0], &[0.5], &[1.0]] };
    for shares in ways {
        let from = animal.position + animal.heading * way(shares[0]);
        let reach = soft + way(shares[shares.len() - 1]) - way(shares[0]);
        for obstacle in habitat.obstacles_near(from).filter(|o| o.bounds_hold(from, reach, FELT)) {
            for ahead_by in *shares {
                let ahead = animal.position + animal.heading * way(*ahead_by);
                let depth = FELT - obstacle.normalized_distance(ahead, soft);
                if depth > 0.0 {
                    let normal = obstacle.normal(ahead, soft);
                    // Aside rather than back: along the wall on the side it already leans to.
                    let aside = (normal - animal.heading * normal.dot(animal.heading)).normalize_or(normal);
                    push += (aside * 2.2 + normal * 0.8) * (depth * (1.3 - 0.5 * ahead_by)).min(1.0);
                }
            }
        }
    }
    push
}
