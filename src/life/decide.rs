//! What an animal wants: neighbours, dangers and obstacles become a heading and a speed.
//!
//! Schooling follows Reynolds' three rules with the seven nearest that an animal sees (topological neighbours, as in
//! starlings) and a blind spot behind. Those at the skin of a school see neighbours to one side only; they weigh the
//! school's goal more and turn first, and the turn runs through the others by alignment.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::life::animal::{Animal, MAX_PITCH_SINE, School, Species, level_off};
use crate::life::grid::{NeighbourGrid, Seen};
use crate::life::path::Path;
use crate::life::spawn::{SCHOOL_SHAPE, in_disc};
use crate::life::{Behaviour, DECISION_S, Habitat, STEP_S};

/// Neighbours that count.
const NEIGHBOURS: usize = 7;

/// Entries looked at in one search at most, however thick the crowd; about 24 are in reach in a school at its own spacing.
pub(super) const MAX_VISITS: usize = 40;

/// Cosine of the angle from the nose beyond which others are not seen: 135 degrees either side.
const BLIND_COSINE: f32 = -0.7;

/// Side of the cells of the grid of large animals; nobody notices one from farther than half of it. Unit: m.
pub(super) const LARGE_CELL_M: f32 = 10.0;

/// Everything that a decision may look at: the same for all who decide at one step, whoever comes first.
pub(super) struct Perception<'a> {
    pub species: &'a [Species],
    pub schools: &'a [School],
    pub habitat: &'a Habitat,
    /// Schooling and reef fish, a grid a size class, the smallest first.
    pub grids: &'a [NeighbourGrid],
    /// All others: cruisers, drifters and what stays where it is.
    pub large: &'a NeighbourGrid,
}

/// The nearest neighbours, nearest first.
struct Nearest<'a> {
    grid: &'a NeighbourGrid,
    /// Squared distance, whose bits are in order since it is never negative, above the place in the grid.
    found: [u64; NEIGHBOURS],
    /// Squared distance at which the sight ends, likewise.
    limit: u64,
}

impl Nearest<'_> {
    fn iter(&self) -> impl Iterator<Item = (f32, &Seen)> {
        let found = self.found.iter().take_while(|found| **found < self.limit);
        found.map(|&found| (f32::from_bits((found >> 32) as u32), self.grid.entry(found as u32 as usize)))
    }
}

/// How near: less is nearer.
fn rank(distance2: f32, place: usize) -> u64 {
    u64::from(distance2.to_bits()) << 32 | place as u64
}

/// Lets the animal at `index` decide; gives the number of others that it looked at.
pub(super) fn decide(animal: &mut Animal, index: u32, perception: &Perception<'_>, rng: &mut Pcg64Mcg) -> usize {
    let species = &perception.species[animal.species as usize];
    let jolt = Vec3::new(rng.random::<f32>() - 0.5, 0.4 * (rng.random::<f32>() - 0.5), rng.random::<f32>() - 0.5);
    let hold = if species.is_gregarious() { 0.95 } else { 0.985 };
    animal.wander = animal.wander * hold + jolt * (1.0 - hold) * 6.0;
    animal.timer -= DECISION_S;
    let mut visits = 0;
    let (mut pull, speed) = match species.behaviour {
        Behaviour::Still => return 0,
        Behaviour::Drifter => {
            animal.want = level_off(animal.heading + 0.5 * animal.wander, 0.4, animal.heading);
            return 0;
        }
        Behaviour::School => {
            let near = search(animal, index, species, perception, &mut visits);
            school(animal, species, &perception.schools[animal.school as usize], &near)
        }
        Behaviour::Reef => {
            let near = search(animal, index, species, perception, &mut visits);
            reef(animal, species, &near, perception, rng)
        }
        Behaviour::Cruiser => match &species.path {
            Some(path) => go_round(animal, species, path),
            None => cruise(animal, species, perception, rng),
        },
    };
    pull += give_way(animal, index, species, perception, &mut visits);
    pull += keep_off(animal, species, perception.habitat);
    animal.is_unobstructed = species.is_gregarious() && is_unobstructed(animal, species, perception.habitat);
    let out = glam::Vec2::new(animal.position.x, animal.position.z) - species.home;
    let excess = out.length() - species.range;
    if excess > 0.0 {
        let inward = -out / out.length() * (excess / species.turn_radius.max(0.5)).min(1.5);
        pull += Vec3::new(inward.x, 0.0, inward.y);
    }
    animal.want = level_off(animal.heading + pull, 0.95 * MAX_PITCH_SINE, animal.heading);
    animal.want_speed = speed * animal.pace * (1.0 + 1.8 * animal.alarm);
    visits
}

/// The nearest of its size about it.
fn search<'a>(
    animal: &Animal,
    index: u32,
    species: &Species,
    perception: &Perception<'a>,
    visits: &mut usize,
) -> Nearest<'a> {
    let grid = &perception.grids[species.grid];
    // Places not taken yet stand at the limit of sight.
    let limit = rank((2.5 * species.spacing) * (2.5 * species.spacing), 0);
    let mut found = [limit; NEIGHBOURS];
    for key in grid.nearest_cells(animal.position) {
        for place in grid.bucket(key).take(MAX_VISITS - *visits) {
            let other = grid.entry(place);
            let is_other = other.key == key && other.index != index;
            let distance2 = other.position.distance_squared(animal.position);
            let mut next = if is_other { rank(distance2, place) } else { u64::MAX };
            // Through all of them: a branch that nobody can foresee takes longer.
            for found in &mut found {
                (*found, next) = (next.min(*found), next.max(*found));
            }
            *visits += 1;
        }
    }
    Nearest { grid, found, limit }
}

/// Separation, alignment and cohesion, and the school's goal.
fn school(animal: &Animal, species: &Species, school: &School, near: &Nearest<'_>) -> (Vec3, f32) {
    // Bodies are long and narrow: abreast they swim closer than in file.
    let spacing = 0.95 * school.looseness * species.spacing;
    let mut apart = Vec3::ZERO;
    let mut others = Vec3::ZERO;
    let mut middle = Vec3::ZERO;
    let mut pace = 0.0;
    let mut seen = 0.0;
    for (distance2, other) in near.iter() {
        let distance = distance2.sqrt().max(1e-4);
        let to = other.position - animal.position;
        apart += keep_apart(animal, other, spacing);
        if other.group == animal.school && to.dot(animal.heading) > BLIND_COSINE * distance {
            others += other.heading;
            middle += to;
            pace += other.speed;
            seen += 1.0;
        }
    }
    let to_middle = school.centroid - animal.position;
    let mut pull = 1.5 * apart + 0.5 * animal.wander;
    let mut edge: f32 = 1.0;
    let mut speed = species.cruise * school.pace;
    if seen > 0.0 {
        let middle = middle / (seen * spacing);
        pull += 1.1 * (others / seen - animal.heading) + 0.22 * middle;
        edge = middle.reject_from_normalized(animal.heading).length().min(1.0);
        speed = 0.5 * (speed + pace / seen / animal.pace);
    }
    // On a path every member knows where to go.
    pull += if species.path.is_some() { 0.9 } else { 0.15 + 0.45 * edge } * school.course;

    // The school as a whole keeps its shape, and strays come back to it.
    let girth = school.radius + 0.6 * species.length;
    let along = school.course * school.course.dot(to_middle);
    let from_shape = (to_middle - along * (1.0 - SCHOOL_SHAPE.x / SCHOOL_SHAPE.z))
        * Vec3::new(1.0, SCHOOL_SHAPE.x / SCHOOL_SHAPE.y, 1.0)
        / girth;
    let stray = (from_shape.length() - 1.0).clamp(0.0, 2.0);
    pull += from_shape.normalize_or_zero() * (0.8 * stray);
    pull.y -= 0.3 * animal.heading.y;

    // Those behind hurry, those ahead slow down; nobody runs into the tail before it.
    let lag = to_middle.dot(animal.heading) / (SCHOOL_SHAPE.z * girth);
    let lag = (lag - lag.clamp(-0.75, 0.75)).clamp(-1.0, 2.0);
    let room = (1.0 + 0.5 * apart.dot(animal.heading)).clamp(0.35, 1.4);
    (pull, speed * (1.0 + 0.3 * lag + 0.25 * animal.wander.x) * room)
}

/// Push away from one that comes within `spacing` metres, now or within a moment if both go on as they are: gentle at
/// that distance, and beyond anything else that an animal wants before bodies touch.
fn keep_apart(animal: &Animal, other: &Seen, spacing: f32) -> Vec3 {
    /// How far ahead it sees a meeting. Unit: s.
    const FORESIGHT_S: f32 = 0.5;
    let to = other.position - animal.position;
    let closing = animal.heading * animal.speed - other.heading * other.speed;
    let until = (to.dot(closing) / closing.length_squared().max(1e-6)).clamp(0.0, FORESIGHT_S);
    let passing = to - closing * until;
    let distance = passing.length();
    if distance >= spacing {
        return Vec3::ZERO;
    }
    // Of two that meet nose to nose each keeps to its own left.
    let away = match distance > 1e-3 * spacing {
        true => passing / -distance,
        false => to.cross(Vec3::Y).normalize_or(Vec3::X),
    };
    let nearness = 1.0 - distance / spacing;
    away * (nearness + 3.0 * (nearness - 0.3).max(0.0))
}

/// Heading of a school from its middle to its goal, round solid things that stand between.
pub(super) fn course(school: &School, species: &Species, habitat: &Habitat) -> Vec3 {
    let to_goal = school.goal - school.centroid;
    let straight = to_goal.normalize_or(school.course);
    if species.path.is_some() {
        // A path leads round what stands there: whoever drew it saw to that.
        return level_off(straight, 0.4, school.course);
    }
    let margin = (0.8 * school.radius + species.length).min(2.0);
    let look = (2.0 * margin + 4.0 * species.cruise).min(to_goal.length());
    let mut push = Vec3::ZERO;
    for ahead_by in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let ahead = school.centroid + straight * (look * ahead_by);
        for obstacle in habitat.obstacles_near(ahead).filter(|o| o.bounds_hold(ahead, margin, 1.3)) {
            let depth = 1.3 - obstacle.normalized_distance(ahead, margin);
            if depth > 0.0 {
                let normal = obstacle.normal(ahead, margin);
                // The side it is already taking, or it would dither before a broad wall.
                let side = (normal + 2.0 * school.course) * Vec3::new(1.0, 0.3, 1.0);
                let aside = side.reject_from_normalized(straight).normalize_or(straight.cross(Vec3::Y));
                push += (2.0 * aside + 0.5 * normal) * (4.0 * depth).min(1.0);
            }
        }
    }
    level_off(straight + push, 0.4, school.course)
}

/// Short darts from stop to stop about the home, and hovering between them.
fn reef(
    animal: &mut Animal,
    species: &Species,
    near: &Nearest<'_>,
    perception: &Perception<'_>,
    rng: &mut Pcg64Mcg,
) -> (Vec3, f32) {
    let spacing = 1.3 * species.spacing;
    let apart: Vec3 = near.iter().map(|(_, other)| keep_apart(animal, other, spacing)).sum();
    let mut pull = 0.35 * animal.wander + 1.2 * apart;
    let to_goal = animal.goal - animal.position;
    let is_there = to_goal.length() < 1.1 * species.length;
    if animal.timer <= 0.0 {
        let reach =
            (6.0 * species.length).min(if species.path.is_some() { species.path_spread } else { 0.5 * species.range });
        let stop = Vec3::new(rng.random::<f32>() - 0.5, 0.3 * (rng.random::<f32>() - 0.5), rng.random::<f32>() - 0.5);
        let mut goal = animal.home + 2.0 * reach * stop;
        if let Some((low, high)) = species.levels(perception.habitat, animal.length, goal.x, goal.z) {
            goal.y = goal.y.clamp(low, high);
        }
        let is_taken =
            near.iter().any(|(_, other)| other.position.distance_squared(goal) < species.spacing * species.spacing);
        if !is_taken && perception.habitat.is_clear(goal, 0.5 * species.length) {
            animal.goal = goal;
        }
        animal.timer = 1.5 + 5.0 * rng.random::<f32>();
    }
    if is_there {
        // Who feeds over the ground tips its nose down to it.
        let (p, reach) = (animal.position, 1.5 * animal.length);
        let grazes = animal.gait.is_feeding() && perception.habitat.floor_m(p.x, p.z) > p.y - reach;
        pull.y -= animal.heading.y + if grazes { 0.8 } else { 0.0 };
        // It rows aside with its fins where another comes too near.
        return (pull, (0.08 + 0.5 * apart.length().min(1.0)) * species.cruise);
    }
    // Off like a dart, then gliding in.
    let distance_bl = to_goal.length() / species.length;
    pull += 1.2 * (to_goal.normalize_or_zero() - animal.heading);
    pull.y -= 0.4 * animal.heading.y;
    (pull, species.cruise * (0.25 + 0.35 * distance_bl).min(1.6))
}

/// Long slow curves from waypoint to waypoint.
fn cruise(animal: &mut Animal, species: &Species, perception: &Perception<'_>, rng: &mut Pcg64Mcg) -> (Vec3, f32) {
    let to_goal = animal.goal - animal.position;
    if animal.timer <= 0.0 || to_goal.length() < 1.5 * species.turn_radius {
        animal.goal = way_point(animal, species, perception, rng);
        animal.timer = 15.0 + 25.0 * rng.random::<f32>();
    }
    let course = to_goal.normalize_or(animal.heading) + 0.25 * animal.wander;
    (0.9 * (course - animal.heading), species.cruise * (1.0 + 0.15 * animal.wander.y))
}

/// Along its species' path, in its own slot among the others.
fn go_round(animal: &mut Animal, species: &Species, path: &Path) -> (Vec3, f32) {
    let lead = species.lead(0.0);
    animal.along = path.lead(animal.along, animal.position - animal.beside, lead);
    animal.goal = path.at(animal.along) + animal.beside;
    let course = (animal.goal - animal.position).normalize_or(animal.heading) + 0.12 * animal.wander;
    let pace = species.pace_on(path, animal.along, lead, animal.slot);
    (1.2 * (course - animal.heading), species.cruise * (pace + 0.1 * animal.wander.y) / animal.pace)
}

fn way_point(animal: &Animal, species: &Species, perception: &Perception<'_>, rng: &mut Pcg64Mcg) -> Vec3 {
    let mut best = Vec3::new(species.home.x, animal.position.y, species.home.y);
    let mut best_score = f32::NEG_INFINITY;
    let hunts = species.is_predator && !perception.schools.is_empty() && rng.random::<f32>() < 0.45;
    for _ in 0..6 {
        let mut p = match hunts {
            true => perception.schools[rng.random_range(0..perception.schools.len())].centroid,
            false => in_disc(species.home, 0.95 * species.range, rng),
        };
        let Some((low, high)) = species.levels(perception.habitat, animal.length, p.x, p.z) else { continue };
        p.y = if hunts { p.y.clamp(low, high) } else { low + (high - low) * rng.random::<f32>() };
        let to = p - animal.position;
        let within = glam::Vec2::new(p.x, p.z).distance(species.home) <= species.range;
        // Far ones and those ahead make for long curves.
        let score = to.length().min(species.range) / species.range + 0.5 * to.normalize_or_zero().dot(animal.heading);
        if within && score > best_score && perception.habitat.is_clear(p, 1.0f32.min(animal.length)) {
            (best, best_score) = (p, score);
        }
    }
    best
}

/// Small ones keep clear of large ones, and schooling fish flee predators: outward from its path and round behind it,
/// so that the school opens before it and closes after it (the fountain manoeuvre).
fn give_way(
    animal: &mut Animal,
    index: u32,
    species: &Species,
    perception: &Perception<'_>,
    visits: &mut usize,
) -> Vec3 {
    let mut push = Vec3::ZERO;
    if !perception.large.is_empty() {
        let mut left = 12;
        for key in perception.large.nearest_flat_cells(animal.position) {
            for other in perception.large.cell(key) {
                *visits += 1;
                left -= 1;
                if other.index != index {
                    push += flee(animal, species, other, perception);
                }
                if left == 0 {
                    return push;
                }
            }
        }
    }
    if species.is_gregarious() {
        for grid in &perception.grids[species.grid + 1..] {
            let mut left = 6;
            for key in grid.nearest_cells(animal.position) {
                for larger in grid.cell(key).take(left) {
                    *visits += 1;
                    left -= 1;
                    push += make_room(animal, larger);
                }
            }
        }
    }
    push
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

fn flee(animal: &mut Animal, species: &Species, other: &Seen, perception: &Perception<'_>) -> Vec3 {
    let length = other.length;
    let away = animal.position - other.position;
    // Most are far: no reach below is greater than this.
    let farthest = 1.6 + 1.6 * length + 1.5 * animal.length;
    if away.length_squared() > farthest * farthest || (length < 1.2 * animal.length && species.is_gregarious()) {
        return Vec3::ZERO;
    }
    // From the nearest point of its axis: a whale is long.
    let axis = away.dot(other.heading).clamp(-0.4 * length, 0.4 * length);
    let away = away - other.heading * axis;
    let distance = away.length().max(1e-3);
    let is_feared = species.is_gregarious() && perception.species[other.group as usize].is_predator;
    let personal = 0.35 * length + 1.5 * animal.length;
    let reach = if is_feared { 1.6 + 1.1 * length } else { personal }.min(0.5 * LARGE_CELL_M);
    if distance >= reach {
        return Vec3::ZERO;
    }
    let nearness = 1.0 - distance / reach;
    let outward = away / distance;
    if !is_feared {
        return outward * (2.5 * nearness);
    }
    let is_before = outward.dot(other.heading) > -0.3;
    if is_before {
        animal.alarm = animal.alarm.max((1.6 * nearness).min(1.0));
    }
    let sideways = outward.reject_from_normalized(other.heading).normalize_or(outward);
    let flat = Vec3::new(1.0, 0.5, 1.0);
    let strength = if is_before { 5.0 } else { 1.5 };
    (sideways * 0.9 + outward * 0.4 - other.heading * 0.6) * flat * (strength * nearness)
}

/// Whether there is nothing that the animal could reach before it decides again.
fn is_unobstructed(animal: &Animal, species: &Species, habitat: &Habitat) -> bool {
    let p = animal.position;
    // Full flight, with a step to spare.
    let reach = (DECISION_S + STEP_S) * animal.speed.max(4.0 * species.cruise);
    let Some((low, high)) = species.levels(habitat, animal.length, p.x, p.z) else { return false };
    p.y - low > reach * (1.0 + habitat.steepest())
        && high - p.y > reach
        && !habitat.obstacles_near(p).any(|o| o.bounds_hold(p, animal.clearance().min(2.0) + reach, 1.0))
}

/// Push away from the ground, the surface, the ends of the depth band and solid things ahead.
fn keep_off(animal: &Animal, species: &Species, habitat: &Habitat) -> Vec3 {
    let margin = animal.clearance().min(2.0);
    let look = 1.2 * animal.length + 1.2 * animal.speed + species.turn_radius;
    let mut push = Vec3::ZERO;
    for ahead_by in [0.35, 1.0] {
        let ahead = animal.position + animal.heading * (look * ahead_by);
        let Some((low, high)) = species.levels(habitat, animal.length, ahead.x, ahead.z) else {
            let home = Vec3::new(species.home.x, 0.0, species.home.y) - animal.position;
            push += (home.with_y(0.0).normalize_or(-animal.heading) - animal.heading) * 1.5;
            continue;
        };
        let soft = (0.8 * animal.length + 0.1).min(0.4 * (high - low)).max(1e-3);
        push.y += ((low + soft - ahead.y) / soft).clamp(0.0, 2.0) * 0.8;
        push.y -= ((ahead.y + soft - high) / soft).clamp(0.0, 2.0) * 0.8;
    }
    let soft = margin + 0.25 * animal.length + 0.05;
    for ahead_by in [0.0, 0.5, 1.0] {
        let ahead = animal.position + animal.heading * (look * ahead_by).min(2.4);
        for obstacle in habitat.obstacles_near(ahead).filter(|o| o.bounds_hold(ahead, soft, 1.35)) {
            let depth = 1.35 - obstacle.normalized_distance(ahead, soft);
            if depth > 0.0 {
                let normal = obstacle.normal(ahead, soft);
                // Aside rather than back: along the wall on the side it already leans to.
                let aside = (normal - animal.heading * normal.dot(animal.heading)).normalize_or(normal);
                push += (aside * 2.2 + normal * 0.8) * (depth * (1.3 - 0.5 * ahead_by)).min(1.0);
            }
        }
    }
    push
}
