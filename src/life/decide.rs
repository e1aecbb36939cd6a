//! A decision: the animal looks about, makes up its mind, and keeps clear of everything that is in the way.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::life::animal::{Animal, MAX_PITCH_SINE, School, Species, level_off};
use crate::life::grid::{NeighbourGrid, Seen};
use crate::life::interplay::Food;
use crate::life::mind::{self, NOBODY, Senses, fear};
use crate::life::settings::Routine;
use crate::life::{Behaviour, DECISION_S, Habitat, STEP_S};

/// Neighbours that count.
pub(super) const NEIGHBOURS: usize = 7;

/// Entries looked at in one search at most, however thick the crowd; about 24 are in reach in a school at its own spacing.
pub(super) const MAX_VISITS: usize = 40;

/// Side of the cells of the grid of large animals; nobody notices one from farther than half of it. Unit: m.
pub(super) const LARGE_CELL_M: f32 = 10.0;

/// Everything that a decision may look at: the same for all who decide at one step, whoever comes first.
pub(super) struct Perception<'a> {
    pub species: &'a [Species],
    pub schools: &'a [School],
    pub habitat: &'a Habitat,
    /// All animals as they were before the step.
    pub seen: &'a [Seen],
    /// Those who are feared.
    pub hunters: &'a [Seen],
    /// Food that somebody dropped.
    pub food: &'a [Food],
    /// Schooling and reef fish, a grid a size class, the smallest first.
    pub grids: &'a [NeighbourGrid],
    /// All others: cruisers, drifters and what stays where it is.
    pub large: &'a NeighbourGrid,
    /// Mean drift of the water. Unit: m/s.
    pub current: Vec3,
    /// 0 by night to 1 by day.
    pub daylight: f32,
}

impl<'a> Perception<'a> {
    /// The nearest animal to `p` within `reach` metres among the schools of `species`, indices, that `is_meant`.
    pub fn nearest_of(
        &self,
        p: Vec3,
        reach: f32,
        species: &[u32],
        is_meant: impl Fn(&Seen) -> bool,
    ) -> Option<&'a Seen> {
        let is_near = |school: &&School| {
            let far = school.extent + reach;
            species.contains(&school.species) && school.centroid.distance_squared(p) < far * far
        };
        let all = self.schools.iter().filter(is_near).flat_map(|school| &self.seen[school.animals.clone()]);
        let mut best = (reach * reach, None);
        for seen in all.filter(|seen| is_meant(seen)) {
            let distance2 = seen.position.distance_squared(p);
            if distance2 < best.0 {
                best = (distance2, Some(seen));
            }
        }
        best.1
    }

    /// Those who clean others.
    pub fn cleaners(&self) -> impl Iterator<Item = &'a Seen> {
        self.who_know(Routine::Clean)
    }

    /// Those who go to a cleaner at times.
    pub fn clients(&self) -> impl Iterator<Item = &'a Seen> {
        self.who_know(Routine::VisitCleaner)
    }

    fn who_know(&self, routine: Routine) -> impl Iterator<Item = &'a Seen> {
        let seen = self.seen;
        self.species.iter().filter(move |one| one.habits.has(routine)).flat_map(move |one| &seen[one.animals.clone()])
    }
}

/// The nearest neighbours, nearest first.
pub(super) struct Nearest<'a> {
    grid: &'a NeighbourGrid,
    /// Squared distance, whose bits are in order since it is never negative, above the place in the grid.
    found: [u64; NEIGHBOURS],
    /// Squared distance at which the sight ends, likewise.
    limit: u64,
}

impl Nearest<'_> {
    /// Nobody at all.
    fn none(grid: &NeighbourGrid) -> Nearest<'_> {
        Nearest { grid, found: [0; NEIGHBOURS], limit: 0 }
    }

    /// Squared distance and sight of each.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &Seen)> {
        let found = self.found.iter().take_while(|found| **found < self.limit);
        found.map(|&found| (f32::from_bits((found >> 32) as u32), self.grid.entry(found as u32 as usize)))
    }
}

/// How near: less is nearer.
fn rank(distance2: f32, place: usize) -> u64 {
    u64::from(distance2.to_bits()) << 32 | place as u64
}

/// Lets the animal at `index` decide; gives the number of others that it looked at.
pub(super) fn decide(animal: &mut Animal, index: u32, scene: &Perception<'_>, rng: &mut Pcg64Mcg) -> usize {
    let species = &scene.species[animal.species as usize];
    let jolt = Vec3::new(rng.random::<f32>() - 0.5, 0.4 * (rng.random::<f32>() - 0.5), rng.random::<f32>() - 0.5);
    let hold = if species.is_gregarious() { 0.95 } else { 0.985 };
    animal.wander = animal.wander * hold + jolt * (1.0 - hold) * 6.0;
    animal.timer -= DECISION_S;
    match species.behaviour {
        Behaviour::Still => return 0,
        Behaviour::Drifter => {
            animal.want = level_off(animal.heading + 0.5 * animal.wander, 0.4, animal.heading);
            return 0;
        }
        Behaviour::School | Behaviour::Reef | Behaviour::Cruiser => {}
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
    let threat = school.and_then(|school| fear::threat(animal, species, school, scene));
    let senses = Senses { index, species, school, near: &near, scene };

    let mut mind = animal.mind;
    mind.since_s += DECISION_S;
    mind.drives.live(&species.habits, mind.intention, scene.daylight, like);
    animal.mind = mind;
    if let Some(threat) = &threat {
        fear::take_notice(animal, threat);
    }
    mind::choose(animal, &senses);
    let (mut pull, speed) = match animal.mind.fright.is_fresh() {
        true => (animal.want - animal.heading, species.cruise),
        false => {
            let course = mind::follow(animal, &senses, rng);
            (course.pull, course.speed)
        }
    };
    pull += threat.map_or(Vec3::ZERO, |threat| mind::fountain(animal, &threat));
    // Whoever comes makes even those go aside who stand or sleep.
    let aside = give_way(animal, index, species, scene, &mut visits);
    let speed = speed.max(0.6 * species.cruise * aside.length().min(1.0));
    pull += aside;
    pull += keep_off(animal, species, scene.habitat);
    animal.is_unobstructed = species.is_gregarious() && is_unobstructed(animal, species, scene.habitat);
    let out = glam::Vec2::new(animal.position.x, animal.position.z) - species.home;
    let excess = out.length() - species.range;
    if excess > 0.0 {
        let inward = -out / out.length() * (excess / species.turn_radius.max(0.5)).min(1.5);
        pull += Vec3::new(inward.x, 0.0, inward.y);
    }
    animal.want = level_off(animal.heading + pull, 0.95 * MAX_PITCH_SINE, animal.heading);
    animal.want_speed = speed * animal.pace;
    visits
}

/// The nearest of its size about it.
fn search<'a>(
    animal: &Animal,
    index: u32,
    species: &Species,
    scene: &Perception<'a>,
    visits: &mut usize,
) -> Nearest<'a> {
    let grid = &scene.grids[species.grid];
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

/// Push away from one that comes within `spacing` metres, now or within a moment if both go on as they are: gentle at
/// that distance, and beyond anything else that an animal wants before bodies touch.
pub(super) fn keep_apart(animal: &Animal, other: &Seen, spacing: f32) -> Vec3 {
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

/// Small ones keep clear of large ones.
fn give_way(animal: &Animal, index: u32, species: &Species, scene: &Perception<'_>, visits: &mut usize) -> Vec3 {
    let mut push = Vec3::ZERO;
    if !scene.large.is_empty() {
        let mut left = 12;
        for key in scene.large.nearest_flat_cells(animal.position) {
            for other in scene.large.cell(key) {
                *visits += 1;
                left -= 1;
                if other.index != index && other.index != animal.mind.other {
                    push += keep_clear(animal, species, other);
                }
                if left == 0 {
                    return push;
                }
            }
        }
    }
    if species.is_gregarious() {
        for grid in &scene.grids[species.grid + 1..] {
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

/// Push away from the body of a large animal that is no hunter, or whose hunt is not for it.
fn keep_clear(animal: &Animal, species: &Species, other: &Seen) -> Vec3 {
    let length = other.length;
    let away = animal.position - other.position;
    let reach = (0.35 * length + 1.5 * animal.length).min(0.5 * LARGE_CELL_M);
    let half = 0.4 * length;
    let farthest = reach + half;
    if away.length_squared() > farthest * farthest || (length < 1.2 * animal.length && species.is_gregarious()) {
        return Vec3::ZERO;
    }
    // From the nearest point of its axis: a whale is long.
    let away = away - other.heading * away.dot(other.heading).clamp(-half, half);
    let distance = away.length().max(1e-3);
    away / distance * (4.5 * (1.0 - distance / reach).max(0.0))
}

/// Whether something solid stands between two places.
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

/// Whether there is nothing that the animal could reach before it decides again.
fn is_unobstructed(animal: &Animal, species: &Species, habitat: &Habitat) -> bool {
    let p = animal.position;
    // Full flight, with a step to spare.
    let reach = (DECISION_S + STEP_S) * animal.speed.max(4.0 * species.cruise);
    let Some((low, high)) = animal.levels(species, habitat, p.x, p.z) else { return false };
    p.y - low > reach * (1.0 + habitat.steepest())
        && high - p.y > reach
        && !habitat.obstacles_near(p).any(|o| o.bounds_hold(p, animal.clearance().min(2.0) + reach, 1.0))
}

/// Push away from the ground, the surface, the ends of the depth band and solid things ahead.
fn keep_off(animal: &Animal, species: &Species, habitat: &Habitat) -> Vec3 {
    let margin = animal.clearance().min(2.0);
    // Who makes for the ground or the surface comes close to it before it turns.
    let is_bound_there = animal.mind.intention.leaves_depths();
    let look = match is_bound_there {
        true => 0.3 * animal.length,
        false => 1.2 * animal.length + 1.2 * animal.speed + species.turn_radius,
    };
    let mut push = Vec3::ZERO;
    for ahead_by in [0.35, 1.0] {
        let ahead = animal.position + animal.heading * (look * ahead_by);
        let Some((low, high)) = animal.levels(species, habitat, ahead.x, ahead.z) else {
            let home = Vec3::new(species.home.x, 0.0, species.home.y) - animal.position;
            push += (home.with_y(0.0).normalize_or(-animal.heading) - animal.heading) * 1.5;
            continue;
        };
        let gap = if is_bound_there { 0.1 * animal.length } else { 0.8 * animal.length + 0.1 };
        let soft = gap.min(0.4 * (high - low)).max(1e-3);
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
