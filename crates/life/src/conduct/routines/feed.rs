//! Feeding on things that do not flee: grazing off the ground, and picking plankton out of the current.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::DECISION_S;
use crate::animal::{Animal, NOOKS, Species};
use crate::avoidance::keep_apart;
use crate::conduct::Senses;
use crate::conduct::routines::{Course, refuge, roam};
use crate::food::Food;
use crate::grid::Seen;
use crate::settings::Routine;
use crate::spawn::in_disc;

/// Least and greatest time of a stop for a few bites. Parrotfish make about six stops a minute, of 2.3 s each. Unit: s.
const BITES_S: [f32; 2] = [1.5, 4.0];

/// Distance of the next spot. Unit: body lengths.
const NEXT_SPOT_BL: f32 = 4.0;

/// Candidates for the next spot.
const SPOTS: u32 = 8;

/// Spacing of animals that pick plankton, over that in a travelling school. By eye.
const FEEDS_APART: f32 = 1.8;

/// Length of a dart of an animal that picks plankton. By eye. Unit: body lengths.
const DARTS_BL: f32 = 2.0;

/// Time beyond the travel time after which an unreached spot is given up. Unit: s.
const GIVES_UP_S: f32 = 7.0;

/// Distance ahead for each metre down to the first spot, and the least for each metre up to any: 20 degrees, as steep
/// as a calm fish goes.
const GLIDES_DOWN: f32 = 2.75;

/// Additional height that the next spot may have. By eye. Unit: m.
const CLIMBS_M: f32 = 0.8;

/// Sine of the angle of a grazing fish on its nose as it pecks: 27 degrees.
const NOSE_DOWN: f32 = 0.45;

/// Time from peck to peck, between which it comes up again, and its share of the tilt then. By eye. Units: s, 1.
const PECKS_EVERY_S: f32 = 1.7;
const BETWEEN_PECKS: f32 = 0.6;

/// Speed at which fins alone row a grazing fish to its spot. By eye. Unit: body lengths/s.
const ROWS_BL_S: f32 = 0.3;

/// Variation of the tilt from spot to spot. By eye.
const NODS: f32 = 0.6;

/// Grazes from spot to spot on the ground: goes there, stops and pecks.
pub(super) fn graze(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    let species = senses.species;
    let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, 1.2 * species.spacing)).sum();
    let is_new = animal.mind.since_s <= DECISION_S;
    let is_there = animal.position.distance_squared(animal.goal) < 1.3 * 1.3 * animal.length * animal.length;
    if is_there {
        animal.mind.stay_s += DECISION_S;
    }
    if is_new || animal.timer <= 0.0 {
        // The first spot lies as far ahead as the way down requires.
        let drop =
            (animal.position.y - senses.scene.habitat.floor_m(animal.position.x, animal.position.z)).clamp(0.0, 8.0);
        let from = if is_new { animal.position + animal.heading * (GLIDES_DOWN * drop) } else { animal.goal };
        if let Some(spot) = spot_near(animal, senses, from, rng) {
            animal.goal = spot;
        }
        animal.mind.stay_s = 0.0;
        animal.timer = GIVES_UP_S + animal.position.distance(animal.goal) / species.cruise.max(0.01);
    } else if is_there && animal.mind.stay_s <= DECISION_S {
        animal.timer = BITES_S[0] + (BITES_S[1] - BITES_S[0]) * rng.random::<f32>();
        animal.gait.snap();
    }
    if !is_there {
        let course = roam::dart(animal, species, animal.goal);
        return Course { pull: course.pull + 1.2 * apart, ..course };
    }
    // Its fins row it the rest of the way.
    animal.carried += (animal.goal - animal.position).clamp_length_max(ROWS_BL_S * animal.length);
    // Head down, nodding a little, held there by its fins; winged animals lie flat.
    let nose_down =
        if species.laws.turns_by_wings { 0.0 } else { pecks(animal) * NOSE_DOWN * (1.0 + NODS * own_angle(animal)) };
    let down = Vec3::Y * (-nose_down - animal.heading.y);
    Course {
        pull: 1.2 * down + 1.2 * apart + 0.15 * animal.wander,
        speed: (0.05 + 0.5 * apart.length().min(1.0)) * species.cruise,
    }
}

/// Share of an animal's full tilt, head down: it pecks, and comes up to look about.
fn pecks(animal: &Animal) -> f32 {
    let time = animal.mind.stay_s / PECKS_EVERY_S;
    let phase = time - time.floor();
    let up = (2.0 * phase - 1.0).abs();
    1.0 - (1.0 - BETWEEN_PECKS) * up
}

/// Deviation of an animal's tilt from the mean at its present spot: -1..=1, different at each spot.
fn own_angle(animal: &Animal) -> f32 {
    let number = (7.0 * (animal.goal.x + 1.7 * animal.goal.z)).abs() as usize;
    NOOKS[number % NOOKS.len()].y
}

/// A free spot on the ground near `from`, and near the school if it has one.
fn spot_near(animal: &Animal, senses: &Senses<'_>, from: Vec3, rng: &mut Pcg64Mcg) -> Option<Vec3> {
    let habitat = senses.scene.habitat;
    let middle = senses.school.map_or(animal.home, |school| school.centroid);
    // Half of the way back to the others each time: the band stays together as it goes over the ground.
    let from = from.lerp(middle, if from.distance(middle) > 2.0 + 8.0 * animal.length { 0.6 } else { 0.15 });
    // Nothing beyond its range: it would be drawn back from there, and go round and round.
    let Species { home, range, .. } = *senses.species;
    let plan = home + (glam::Vec2::new(from.x, from.z) - home).clamp_length_max(range);
    let is_taken = |spot: Vec3| {
        let is_there = |other: &Seen| {
            let room = 0.6 * (animal.length + other.length);
            other.index != senses.index && other.position.distance_squared(spot) < room * room
        };
        // Species that see no neighbours of their size look at all animals.
        match senses.species.is_gregarious() {
            true => senses.near.iter().any(|(_, other)| is_there(other)),
            false => senses.scene.seen.iter().any(is_there),
        }
    };
    // Algae grow on rock: bare sand only where there is none.
    let mut on_ground = None;
    for _ in 0..SPOTS {
        let spot = in_disc(plan, (NEXT_SPOT_BL * animal.length).max(0.5), rng);
        let (y, is_rock) = animal.footing(senses.species, habitat, spot.x, spot.z);
        let spot = spot.with_y(y);
        let is_in_range = glam::Vec2::new(spot.x, spot.z).distance_squared(home) < range * range;
        let is_open =
            is_in_range && y.is_finite() && y < -animal.length && habitat.is_clear(spot, animal.clearance().min(2.0));
        // No animal goes straight up to feed.
        let way = spot - animal.position;
        let is_climb = way.y > CLIMBS_M + way.with_y(0.0).length() / GLIDES_DOWN;
        if is_open && !is_climb && !is_taken(spot) {
            if is_rock {
                return Some(spot);
            }
            on_ground = on_ground.or(Some(spot));
        }
    }
    on_ground
}

/// Heads for the nearest food in the water, and circles it in a throng.
pub(super) fn eat(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    let species = senses.species;
    let far = |food: &Food| food.place.distance_squared(animal.position);
    let Some(food) = senses.scene.food.iter().min_by(|a, b| far(a).total_cmp(&far(b))) else {
        return Course { pull: Vec3::ZERO, speed: species.cruise };
    };
    let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, 0.8 * species.spacing)).sum();
    let to = food.place - animal.position;
    let distance_bl = to.length() / animal.length;
    if distance_bl < 2.0 {
        animal.gait.snap();
    }
    let course = Course::toward(animal, to, 1.2, species.cruise * (0.6 + 0.25 * distance_bl).min(2.0));
    Course { pull: course.pull + 1.3 * apart + 0.4 * animal.wander, ..course }
}

/// Hangs in the current with the nose against it and takes what drifts by.
pub(super) fn pick_plankton(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    if senses.species.habits.has(Routine::Host) {
        // Over its host, where it has a place of its own.
        let (above, reach) = refuge::over_host(animal, senses);
        let off = animal.goal - above;
        animal.goal = above + off.clamp_length_max(reach);
    }
    let course = hover(animal, senses, FEEDS_APART);
    if let Some(school) = senses.school.filter(|_| animal.mind.since_s <= DECISION_S && !senses.species.lives_alone()) {
        // A fish that has been hiding comes up again to where the school feeds.
        animal.goal.y += school.goal.y - school.centroid.y;
    }
    if animal.timer <= 0.0 {
        // A short dart at a copepod, a length or two to any side.
        animal.beside = in_disc(glam::Vec2::ZERO, DARTS_BL * animal.length, rng)
            .with_y(DARTS_BL * animal.length * (rng.random::<f32>() - 0.5));
        animal.timer = 0.7 + 2.5 * rng.random::<f32>();
        animal.gait.snap();
    }
    let to = animal.goal + animal.beside - animal.position;
    // Food behind it comes with the current: it lets itself drift and rather rows than turns round.
    let behind = to.dot(animal.heading).min(0.0);
    animal.carried += animal.heading * behind.max(-ROWS_BL_S * animal.length);
    let to = to - animal.heading * behind;
    let distance_bl = (to.length() / animal.length).min(2.0);
    Course {
        pull: course.pull + 0.8 * distance_bl * to.normalize_or_zero(),
        speed: course.speed + 0.25 * distance_bl * senses.species.cruise,
    }
}

/// Holds station over one place, nose against the current, at the speed of the water.
pub(super) fn hold_station(animal: &mut Animal, senses: &Senses<'_>) -> Course {
    hover(animal, senses, 1.0)
}

/// Holds station at `loose` times the usual distance from its like.
fn hover(animal: &mut Animal, senses: &Senses<'_>, loose: f32) -> Course {
    let (species, current) = (senses.species, senses.scene.current);
    if animal.mind.since_s <= DECISION_S {
        (animal.goal, animal.beside) = (animal.position, Vec3::ZERO);
    }
    let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, loose * species.spacing)).sum();
    // In a crowd the goal moves on with the fish.
    animal.goal += apart.clamp_length_max(1.0) * (0.5 * animal.length * DECISION_S);
    let flow = current.length();
    let against = if flow > 0.01 { -current / flow } else { animal.heading };
    animal.carried = current;
    let back = animal.goal - animal.position;
    let along = back.dot(animal.heading) / animal.length.max(0.01);
    let pull = 0.9 * (against - animal.heading)
        + 0.25 * (back / animal.length).clamp_length_max(1.5)
        + 0.8 * apart
        + 0.2 * animal.wander;
    Course { pull, speed: (flow + (0.08 + 0.3 * along.clamp(-0.2, 1.0)) * species.cruise).max(0.0) }
}
