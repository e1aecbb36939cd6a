//! Roaming without a special intention: from stop to stop about a home, in long curves, or along a path.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::animal::{Animal, Species};
use crate::avoidance::keep_apart;
use crate::conduct::Senses;
use crate::conduct::routines::Course;
use crate::path::{Bout, Path};
use crate::settings::Routine;
use crate::spawn::in_disc;

/// Darts from stop to stop about the home, and hovers between darts.
pub(super) fn about_home(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    let species = senses.species;
    let reach =
        (6.0 * species.length).min(if species.path.is_some() { species.path_spread } else { 0.5 * species.range });
    dart_about(animal, senses, animal.home, Vec3::new(reach, 0.3 * reach, reach), rng)
}

/// Darts about `center` within `reach` metres along x, y and z.
pub(super) fn dart_about(
    animal: &mut Animal,
    senses: &Senses<'_>,
    center: Vec3,
    reach: Vec3,
    rng: &mut Pcg64Mcg,
) -> Course {
    let (species, habitat) = (senses.species, senses.scene.habitat);
    let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, 1.3 * species.spacing)).sum();
    let pull = 0.35 * animal.wander + 1.2 * apart;
    if animal.timer <= 0.0 {
        let dice = Vec3::new(rng.random::<f32>() - 0.5, rng.random::<f32>() - 0.5, rng.random::<f32>() - 0.5);
        let mut goal = center + 2.0 * reach * dice;
        if let Some((low, high)) = species.levels(habitat, animal.length, goal.x, goal.z) {
            goal.y = goal.y.clamp(low, high);
        }
        let is_taken = (senses.near.iter())
            .any(|(_, other)| other.position.distance_squared(goal) < species.spacing * species.spacing);
        if !is_taken && habitat.is_clear(goal, 0.5 * species.length) {
            animal.goal = goal;
        }
        animal.timer = 1.5 + 5.0 * rng.random::<f32>();
    }
    let mut course = dart(animal, species, animal.goal);
    let p = animal.position;
    let is_guest = species.habits.has(Routine::Host);
    if animal.gait.is_feeding() && !is_guest && habitat.floor_m(p.x, p.z) > p.y - 1.5 * animal.length {
        // A fish feeding over the ground tips its nose down to it.
        course.pull.y -= 0.8;
    }
    if p.distance_squared(animal.goal) < 1.1 * 1.1 * species.length * species.length {
        // It rows aside with its fins if another comes too near.
        course.speed += 0.5 * apart.length().min(1.0) * species.cruise;
    }
    Course { pull: course.pull + pull, ..course }
}

/// Darts off, then glides in; there it hovers, or lies still if it crawls.
pub(super) fn dart(animal: &Animal, species: &Species, goal: Vec3) -> Course {
    let to_goal = goal - animal.position;
    let distance = to_goal.length();
    let (near_bl, hovers) = if species.laws.crawls { (0.4, 0.0) } else { (1.1, 0.08) };
    if distance < near_bl * species.length {
        return Course { pull: -Vec3::Y * animal.heading.y, speed: hovers * species.cruise };
    }
    // It slows down for the turn: at full speed it would go round and round a goal beside it.
    let ahead = (to_goal.dot(animal.heading) / distance).max(0.0);
    let speed = (0.25 + 0.35 * distance / species.length).min(1.6) * (0.4 + 0.6 * ahead);
    let mut course = Course::toward(animal, to_goal, 1.2, species.cruise * speed);
    course.pull.y -= 0.4 * animal.heading.y;
    course
}

/// Swims long slow curves from waypoint to waypoint.
pub(super) fn cruise(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    let species = senses.species;
    let to_goal = animal.goal - animal.position;
    if animal.timer <= 0.0 || to_goal.length() < 1.5 * species.turn_radius {
        animal.goal = way_point(animal, senses, rng);
        animal.timer = 15.0 + 25.0 * rng.random::<f32>();
    }
    let course = to_goal.normalize_or(animal.heading) + 0.25 * animal.wander;
    Course { pull: 0.9 * (course - animal.heading), speed: species.cruise * (1.0 + 0.15 * animal.wander.y) }
}

/// Swims along its species' path, in its own slot among the others.
pub(super) fn go_round(animal: &mut Animal, species: &Species, path: &Path, rng: &mut Pcg64Mcg) -> Course {
    if animal.timer <= 0.0 {
        let bout = Bout::new(species.path_spread, animal.length, rng);
        (animal.pace, animal.beside, animal.timer) = (bout.pace, bout.beside, bout.lasts_s);
        animal.scale = bout.scale;
        // Its slot goes with it, or it would wait for the others.
        animal.along = path.wrap(animal.along + bout.skips * path.length());
        animal.slot += bout.skips * path.length();
    }
    let lead = species.lead(0.0);
    let way = Bout { beside: animal.beside, scale: animal.scale, ..Bout::default() };
    animal.along = path.lead(animal.along, way.on_path(animal.position, species.home), lead / way.scale);
    animal.goal = way.place(path.at(animal.along), species.home);
    let course = (animal.goal - animal.position).normalize_or(animal.heading) + 0.12 * animal.wander;
    let pace = species.pace_on(path, animal.along, lead, animal.slot);
    Course { pull: 1.2 * (course - animal.heading), speed: species.cruise * (pace + 0.1 * animal.wander.y) }
}

fn way_point(animal: &Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Vec3 {
    let (species, habitat) = (senses.species, senses.scene.habitat);
    let mut best = Vec3::new(species.home.x, animal.position.y, species.home.y);
    let mut best_score = f32::NEG_INFINITY;
    for _ in 0..6 {
        let mut p = in_disc(species.home, 0.95 * species.range, rng);
        let Some((low, high)) = species.levels(habitat, animal.length, p.x, p.z) else { continue };
        p.y = low + (high - low) * rng.random::<f32>();
        let to = p - animal.position;
        // Far waypoints and those ahead make for long curves.
        let score = to.length().min(species.range) / species.range + 0.5 * to.normalize_or_zero().dot(animal.heading);
        if score > best_score && habitat.is_clear(p, 1.0f32.min(animal.length)) {
            (best, best_score) = (p, score);
        }
    }
    best
}
