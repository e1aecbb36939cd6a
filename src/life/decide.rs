//! What an animal wants: neighbours, dangers and obstacles become a heading and a speed.
//!
//! Schooling follows Reynolds' three rules with the seven nearest that an animal sees (topological neighbours, as in
//! starlings) and a blind spot behind. Those at the skin of a school see neighbours to one side only; they weigh the
//! school's goal more and turn first, and the turn runs through the others by alignment.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::life::animal::{Animal, Kind, MAX_PITCH_SINE, School, level_off};
use crate::life::grid::{Entry, Grid, nearest_cells, nearest_flat_cells};
use crate::life::path::Path;
use crate::life::spawn::{LOAF, in_disc};
use crate::life::{Behaviour, DECISION_S, Habitat, STEP_S};

/// Neighbours that count.
const NEIGHBOURS: usize = 7;

/// Entries looked at in one search at most, however thick the crowd.
pub(super) const MAX_VISITS: usize = 56;

/// Cosine of the angle from the nose beyond which others are not seen: 135 degrees either side.
const BLIND_COSINE: f32 = -0.7;

/// Side of the cells in which large animals are kept; nobody notices one from farther than half of it. Unit: m.
pub(super) const GIANT_CELL_M: f32 = 10.0;

/// Class of large animals in their grid.
pub(super) const GIANT_CLASS: u32 = u32::MAX;

/// Everything a decision may look at.
pub(super) struct Scene<'a> {
    pub kinds: &'a [Kind],
    pub schools: &'a [School],
    pub habitat: &'a Habitat,
    /// Schooling and reef fish.
    pub grid: &'a Grid,
    /// Cruisers, drifters and the like.
    pub giants: &'a Grid,
    /// Size classes in use, ascending, with their cells' sides.
    pub classes: &'a [(u32, f32)],
}

/// The nearest neighbours, nearest first: squared distance, and place in the grid.
struct Nearest<'a> {
    grid: &'a Grid,
    found: [(f32, u32); NEIGHBOURS],
    count: usize,
}

impl Nearest<'_> {
    fn iter(&self) -> impl Iterator<Item = (f32, &Entry)> {
        self.found[..self.count].iter().map(|&(distance2, at)| (distance2, self.grid.entry(at as usize)))
    }

    fn offer(&mut self, distance2: f32, place: usize) {
        let mut at = self.count.min(NEIGHBOURS - 1);
        self.count = (self.count + 1).min(NEIGHBOURS);
        while at > 0 && self.found[at - 1].0 > distance2 {
            self.found[at] = self.found[at - 1];
            at -= 1;
        }
        self.found[at] = (distance2, place as u32);
    }
}

/// Decides for the animal at `index`; gives the number of entries it looked at.
pub(super) fn decide(animal: &mut Animal, index: u32, scene: &Scene<'_>, rng: &mut Pcg64Mcg) -> usize {
    let kind = &scene.kinds[animal.kind as usize];
    let jolt = Vec3::new(rng.random::<f32>() - 0.5, 0.4 * (rng.random::<f32>() - 0.5), rng.random::<f32>() - 0.5);
    let hold = if kind.is_small_fry() { 0.95 } else { 0.985 };
    animal.whim = animal.whim * hold + jolt * (1.0 - hold) * 6.0;
    animal.timer -= DECISION_S;
    let mut visits = 0;
    let (mut pull, speed) = match kind.behaviour {
        Behaviour::Still => return 0,
        Behaviour::Drifter => {
            animal.want = level_off(animal.heading + 0.5 * animal.whim, 0.4, animal.heading);
            return 0;
        }
        Behaviour::School => {
            let near = search(animal, index, kind, scene, &mut visits);
            school(animal, kind, &scene.schools[animal.school as usize], &near)
        }
        Behaviour::Reef => {
            let near = search(animal, index, kind, scene, &mut visits);
            reef(animal, kind, &near, scene, rng)
        }
        Behaviour::Cruiser => match &kind.path {
            Some(path) => go_round(animal, kind, path),
            None => cruise(animal, kind, scene, rng),
        },
    };
    pull += give_way(animal, index, kind, scene, &mut visits);
    pull += keep_off(animal, kind, scene.habitat);
    animal.is_at_large = kind.is_small_fry() && is_at_large(animal, kind, scene.habitat);
    let out = glam::Vec2::new(animal.position.x, animal.position.z) - kind.home;
    let excess = out.length() - kind.range;
    if excess > 0.0 {
        let inward = -out / out.length() * (excess / kind.turn_radius.max(0.5)).min(1.5);
        pull += Vec3::new(inward.x, 0.0, inward.y);
    }
    animal.want = level_off(animal.heading + pull, 0.95 * MAX_PITCH_SINE, animal.heading);
    animal.want_speed = speed * animal.pace * (1.0 + 1.8 * animal.alarm);
    visits
}

/// The nearest of its size about it.
fn search<'a>(animal: &Animal, index: u32, kind: &Kind, scene: &Scene<'a>, visits: &mut usize) -> Nearest<'a> {
    let grid = scene.grid;
    // Places not taken yet stand at the limit of sight: the last of them is always the one to beat.
    let reach2 = (2.5 * kind.room) * (2.5 * kind.room);
    let mut near = Nearest { grid, found: [(reach2, 0); NEIGHBOURS], count: 0 };
    for key in nearest_cells(kind.class, animal.position, kind.cell) {
        for place in grid.bucket(key) {
            let entry = grid.entry(place);
            *visits += 1;
            let distance2 = entry.position.distance_squared(animal.position);
            if distance2 < near.found[NEIGHBOURS - 1].0 && entry.key == key && entry.index != index {
                near.offer(distance2, place);
            }
            if *visits >= MAX_VISITS {
                return near;
            }
        }
    }
    near
}

/// Separation, alignment and cohesion, and the school's goal.
fn school(animal: &Animal, kind: &Kind, school: &School, near: &Nearest<'_>) -> (Vec3, f32) {
    // Bodies are long and narrow: abreast they swim closer than in file.
    let spacing = 0.95 * school.looseness * kind.room;
    let mut apart = Vec3::ZERO;
    let mut others = Vec3::ZERO;
    let mut middle = Vec3::ZERO;
    let mut pace = 0.0;
    let mut seen = 0.0;
    for (distance2, other) in near.iter() {
        let distance = distance2.sqrt().max(1e-4);
        let to = other.position - animal.position;
        apart += keep_apart(animal, other, spacing);
        if other.school == animal.school && to.dot(animal.heading) > BLIND_COSINE * distance {
            others += other.heading;
            middle += to;
            pace += other.speed;
            seen += 1.0;
        }
    }
    let to_middle = school.centroid - animal.position;
    let mut pull = 1.5 * apart + 0.5 * animal.whim;
    let mut edge: f32 = 1.0;
    let mut speed = kind.cruise * school.pace;
    if seen > 0.0 {
        let middle = middle / (seen * spacing);
        pull += 1.1 * (others / seen - animal.heading) + 0.22 * middle;
        edge = middle.reject_from_normalized(animal.heading).length().min(1.0);
        speed = 0.5 * (speed + pace / seen / animal.pace);
    }
    // On a way all know where to go.
    pull += if kind.path.is_some() { 0.9 } else { 0.15 + 0.45 * edge } * school.course;

    // The school as a whole is a loaf, and strays come home.
    let girth = school.radius + 0.6 * kind.length;
    let along = school.course * school.course.dot(to_middle);
    let from_loaf = (to_middle - along * (1.0 - LOAF.x / LOAF.z)) * Vec3::new(1.0, LOAF.x / LOAF.y, 1.0) / girth;
    let stray = (from_loaf.length() - 1.0).clamp(0.0, 2.0);
    pull += from_loaf.normalize_or_zero() * (0.8 * stray);
    pull.y -= 0.3 * animal.heading.y;

    // Those behind hurry, those ahead dawdle; nobody runs into the tail before it.
    let lag = to_middle.dot(animal.heading) / (LOAF.z * girth);
    let lag = (lag - lag.clamp(-0.75, 0.75)).clamp(-1.0, 2.0);
    let room = (1.0 + 0.5 * apart.dot(animal.heading)).clamp(0.35, 1.4);
    (pull, speed * (1.0 + 0.3 * lag + 0.25 * animal.whim.x) * room)
}

/// Push away from one that comes within `spacing` metres, now or within a moment if both go on as they are: gentle at
/// that distance, and beyond anything else that an animal wants before bodies touch.
fn keep_apart(animal: &Animal, other: &Entry, spacing: f32) -> Vec3 {
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

/// The way of a school from its middle to its goal, round solid things that stand between.
pub(super) fn course(school: &School, kind: &Kind, habitat: &Habitat) -> Vec3 {
    let to_goal = school.goal - school.centroid;
    let straight = to_goal.normalize_or(school.course);
    if kind.path.is_some() {
        // Who drew the way led it round what stands there.
        return level_off(straight, 0.4, school.course);
    }
    let margin = (0.8 * school.radius + kind.length).min(2.0);
    let look = (2.0 * margin + 4.0 * kind.cruise).min(to_goal.length());
    let mut push = Vec3::ZERO;
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let ahead = school.centroid + straight * (look * share);
        for obstacle in habitat.obstacles_near(ahead).filter(|o| o.may_share(ahead, margin, 1.3)) {
            let depth = 1.3 - obstacle.share(ahead, margin);
            if depth > 0.0 {
                let normal = obstacle.normal(ahead, margin);
                // The side it is already taking, or it would dither before a broad wall.
                let lean = (normal + 2.0 * school.course) * Vec3::new(1.0, 0.3, 1.0);
                let aside = lean.reject_from_normalized(straight).normalize_or(straight.cross(Vec3::Y));
                push += (2.0 * aside + 0.5 * normal) * (4.0 * depth).min(1.0);
            }
        }
    }
    level_off(straight + push, 0.4, school.course)
}

/// Short darts from stop to stop about the home, and hovering between them.
fn reef(animal: &mut Animal, kind: &Kind, near: &Nearest<'_>, scene: &Scene<'_>, rng: &mut Pcg64Mcg) -> (Vec3, f32) {
    let spacing = 1.3 * kind.room;
    let apart: Vec3 = near.iter().map(|(_, other)| keep_apart(animal, other, spacing)).sum();
    let mut pull = 0.35 * animal.whim + 1.2 * apart;
    let to_goal = animal.goal - animal.position;
    let is_there = to_goal.length() < 1.1 * kind.length;
    if animal.timer <= 0.0 {
        let reach = (6.0 * kind.length).min(if kind.path.is_some() { kind.path_spread } else { 0.5 * kind.range });
        let stop = Vec3::new(rng.random::<f32>() - 0.5, 0.3 * (rng.random::<f32>() - 0.5), rng.random::<f32>() - 0.5);
        let mut goal = animal.home + 2.0 * reach * stop;
        if let Some((low, high)) = kind.levels(scene.habitat, animal.length, goal.x, goal.z) {
            goal.y = goal.y.clamp(low, high);
        }
        let is_taken = near.iter().any(|(_, other)| other.position.distance_squared(goal) < kind.room * kind.room);
        if !is_taken && scene.habitat.is_clear(goal, 0.5 * kind.length) {
            animal.goal = goal;
        }
        animal.timer = 1.5 + 5.0 * rng.random::<f32>();
    }
    if is_there {
        // Who feeds over the ground tips its nose down to it.
        let (p, reach) = (animal.position, 1.5 * animal.length);
        let grazes = animal.gait.is_feeding() && scene.habitat.floor_m(p.x, p.z) > p.y - reach;
        pull.y -= animal.heading.y + if grazes { 0.8 } else { 0.0 };
        // Who is in another's way rows out of it.
        return (pull, (0.08 + 0.5 * apart.length().min(1.0)) * kind.cruise);
    }
    // Off like a dart, then gliding in.
    let distance_bl = to_goal.length() / kind.length;
    pull += 1.2 * (to_goal.normalize_or_zero() - animal.heading);
    pull.y -= 0.4 * animal.heading.y;
    (pull, kind.cruise * (0.25 + 0.35 * distance_bl).min(1.6))
}

/// Long slow curves from way point to way point.
fn cruise(animal: &mut Animal, kind: &Kind, scene: &Scene<'_>, rng: &mut Pcg64Mcg) -> (Vec3, f32) {
    let to_goal = animal.goal - animal.position;
    if animal.timer <= 0.0 || to_goal.length() < 1.5 * kind.turn_radius {
        animal.goal = way_point(animal, kind, scene, rng);
        animal.timer = 15.0 + 25.0 * rng.random::<f32>();
    }
    let course = to_goal.normalize_or(animal.heading) + 0.25 * animal.whim;
    (0.9 * (course - animal.heading), kind.cruise * (1.0 + 0.15 * animal.whim.y))
}

/// Round its kind's way, in its own place among the others.
fn go_round(animal: &mut Animal, kind: &Kind, path: &Path) -> (Vec3, f32) {
    let lead = kind.lead(0.0);
    animal.along = path.lead(animal.along, animal.position - animal.beside, lead);
    animal.goal = path.at(animal.along) + animal.beside;
    let course = (animal.goal - animal.position).normalize_or(animal.heading) + 0.12 * animal.whim;
    let pace = kind.pace_on(path, animal.along, lead, animal.slot);
    (1.2 * (course - animal.heading), kind.cruise * (pace + 0.1 * animal.whim.y) / animal.pace)
}

fn way_point(animal: &Animal, kind: &Kind, scene: &Scene<'_>, rng: &mut Pcg64Mcg) -> Vec3 {
    let mut best = Vec3::new(kind.home.x, animal.position.y, kind.home.y);
    let mut best_score = f32::NEG_INFINITY;
    let hunts = kind.is_predator && !scene.schools.is_empty() && rng.random::<f32>() < 0.45;
    for _ in 0..6 {
        let mut p = match hunts {
            true => scene.schools[rng.random_range(0..scene.schools.len())].centroid,
            false => in_disc(kind.home, 0.95 * kind.range, rng),
        };
        let Some((low, high)) = kind.levels(scene.habitat, animal.length, p.x, p.z) else { continue };
        p.y = if hunts { p.y.clamp(low, high) } else { low + (high - low) * rng.random::<f32>() };
        let to = p - animal.position;
        let within = glam::Vec2::new(p.x, p.z).distance(kind.home) <= kind.range;
        // Far ones and those ahead make for long curves.
        let score = to.length().min(kind.range) / kind.range + 0.5 * to.normalize_or_zero().dot(animal.heading);
        if within && score > best_score && scene.habitat.is_clear(p, 1.0f32.min(animal.length)) {
            (best, best_score) = (p, score);
        }
    }
    best
}

/// Small ones keep clear of large ones, and schooling fish flee predators: outward from its path and round behind it,
/// so that the school opens before it and closes after it (the fountain manoeuvre).
fn give_way(animal: &mut Animal, index: u32, kind: &Kind, scene: &Scene<'_>, visits: &mut usize) -> Vec3 {
    let mut push = Vec3::ZERO;
    if !scene.giants.is_empty() {
        let mut left = 12;
        for key in nearest_flat_cells(GIANT_CLASS, animal.position, GIANT_CELL_M) {
            for giant in scene.giants.cell(key) {
                *visits += 1;
                left -= 1;
                if giant.index != index {
                    push += flee(animal, kind, giant, scene);
                }
                if left == 0 {
                    return push;
                }
            }
        }
    }
    if kind.is_small_fry() {
        for &(class, cell) in scene.classes.iter().filter(|(class, _)| *class > kind.class) {
            let mut left = 6;
            for key in nearest_cells(class, animal.position, cell) {
                for larger in scene.grid.cell(key).take(left) {
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
fn make_room(animal: &Animal, larger: &Entry) -> Vec3 {
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

fn flee(animal: &mut Animal, kind: &Kind, giant: &Entry, scene: &Scene<'_>) -> Vec3 {
    let length = giant.length;
    let away = animal.position - giant.position;
    // Most are far: no reach below is greater than this.
    let farthest = 1.6 + 1.6 * length + 1.5 * animal.length;
    if away.length_squared() > farthest * farthest || (length < 1.2 * animal.length && kind.is_small_fry()) {
        return Vec3::ZERO;
    }
    // From the nearest point of its axis: a whale is long.
    let axis = away.dot(giant.heading).clamp(-0.4 * length, 0.4 * length);
    let away = away - giant.heading * axis;
    let distance = away.length().max(1e-3);
    let is_feared = kind.is_small_fry() && scene.kinds[giant.school as usize].is_predator;
    let personal = 0.35 * length + 1.5 * animal.length;
    let reach = if is_feared { 1.6 + 1.1 * length } else { personal }.min(0.5 * GIANT_CELL_M);
    if distance >= reach {
        return Vec3::ZERO;
    }
    let nearness = 1.0 - distance / reach;
    let outward = away / distance;
    if !is_feared {
        return outward * (2.5 * nearness);
    }
    let is_before = outward.dot(giant.heading) > -0.3;
    if is_before {
        animal.alarm = animal.alarm.max((1.6 * nearness).min(1.0));
    }
    let sideways = outward.reject_from_normalized(giant.heading).normalize_or(outward);
    let flat = Vec3::new(1.0, 0.5, 1.0);
    let strength = if is_before { 5.0 } else { 1.5 };
    (sideways * 0.9 + outward * 0.4 - giant.heading * 0.6) * flat * (strength * nearness)
}

/// Whether there is nothing that the animal could reach before it decides again.
fn is_at_large(animal: &Animal, kind: &Kind, habitat: &Habitat) -> bool {
    let p = animal.position;
    // Full flight, with a step to spare.
    let reach = (DECISION_S + STEP_S) * animal.speed.max(4.0 * kind.cruise);
    let Some((low, high)) = kind.levels(habitat, animal.length, p.x, p.z) else { return false };
    p.y - low > reach * (1.0 + habitat.steepest())
        && high - p.y > reach
        && !habitat.obstacles_near(p).any(|o| o.may_share(p, animal.clearance().min(2.0) + reach, 1.0))
}

/// Keeps off the ground, the surface, the ends of the depth band and solid things, looking ahead.
fn keep_off(animal: &Animal, kind: &Kind, habitat: &Habitat) -> Vec3 {
    let margin = animal.clearance().min(2.0);
    let look = 1.2 * animal.length + 1.2 * animal.speed + kind.turn_radius;
    let mut push = Vec3::ZERO;
    for share in [0.35, 1.0] {
        let ahead = animal.position + animal.heading * (look * share);
        let Some((low, high)) = kind.levels(habitat, animal.length, ahead.x, ahead.z) else {
            let home = Vec3::new(kind.home.x, 0.0, kind.home.y) - animal.position;
            push += (home.with_y(0.0).normalize_or(-animal.heading) - animal.heading) * 1.5;
            continue;
        };
        let soft = (0.8 * animal.length + 0.1).min(0.4 * (high - low)).max(1e-3);
        push.y += ((low + soft - ahead.y) / soft).clamp(0.0, 2.0) * 0.8;
        push.y -= ((ahead.y + soft - high) / soft).clamp(0.0, 2.0) * 0.8;
    }
    let soft = margin + 0.25 * animal.length + 0.05;
    for share in [0.0, 0.5, 1.0] {
        let ahead = animal.position + animal.heading * (look * share).min(2.4);
        for obstacle in habitat.obstacles_near(ahead).filter(|o| o.may_share(ahead, soft, 1.35)) {
            let depth = 1.35 - obstacle.share(ahead, soft);
            if depth > 0.0 {
                let normal = obstacle.normal(ahead, soft);
                // Aside rather than back: along the wall on the side it already leans to.
                let aside = (normal - animal.heading * normal.dot(animal.heading)).normalize_or(normal);
                push += (aside * 2.2 + normal * 0.8) * (depth * (1.3 - 0.5 * share)).min(1.0);
            }
        }
    }
    push
}
