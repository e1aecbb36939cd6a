//! Hunting by kind: the barracuda waits, the tuna runs its prey down, dolphins drive it together from below.
//!
//! All end in a strike at one fish, which sates by chance: a sailfish's strike succeeds in a quarter of cases (24 %:
//! Herbert-Read et al. 2016). No fish is ever taken away: the number of animals is the scene file's.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::DECISION_S;
use crate::animal::{Animal, NOOKS};
use crate::attitude::ROD_STRIKES_SINE;
use crate::avoidance::{is_hidden, keep_apart, keep_rods_apart};
use crate::conduct::Senses;
use crate::conduct::routines::school::ROD_GAP;
use crate::conduct::routines::{Course, live};
use crate::grid::Seen;
use crate::mind::{Intention, NOBODY};
use crate::school::School;
use crate::settings::Routine;

/// Share of strikes that succeed.
const SUCCESS: f32 = 0.24;

/// Longest duration of a strike. Unit: s.
const STRIKE_S: f32 = 1.4;

/// Distance at which a strike begins, for a waiting and for a swimming hunter. Unit: body lengths.
const STRIKES_WITHIN_BL: [f32; 2] = [2.5, 3.0];

/// Cosine of the angle to the nose within which prey is chosen.
const BEFORE_IT: f32 = 0.5;

/// Cosine of the angle to the nose within which it strikes at its burst.
const AIMED: f32 = 0.85;

/// Time between two strikes of one bout. Unit: s.
const RECOVERS_S: f32 = 5.0;

/// Variation of the gap between hunters that wait in company, and of the angle at which each looks aside. By eye.
/// Units: 1, rad.
const OWN_GAP: f32 = 0.35;
const OWN_YAW: f32 = 0.3;

/// Greatest distance at which a school is sought. Unit: m.
const SEEKS_WITHIN_M: f32 = 40.0;

/// Length of the largest prey over the hunter's: no hunter runs down what it could not swallow or bite in two.
const LARGEST_PREY: f32 = 0.4;

/// Middle and radius of the strike zone, over the distance at which a strike begins.
const MOUTH: [f32; 2] = [0.5, 0.7];

/// Remaining recovery time above which a hunter that has struck turns off and leaves the prey to others. Unit: s.
const TURNS_OFF_S: f32 = 2.0;

/// Depth of dolphins below their prey, over the prey's radius.
const BELOW: f32 = 0.9;

/// Hangs still with its like until something comes near.
pub(super) fn ambush(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    if let Some(strike) = strike(animal, senses, STRIKES_WITHIN_BL[0], rng) {
        return strike;
    }
    match senses.school {
        // Barracudas wait in company.
        Some(school) if !senses.species.lives_alone() => {
            // Each differs a little from the next in direction and keeps a distance of its own: they form no grid.
            let own = NOOKS[senses.index as usize % NOOKS.len()];
            let spacing = school.looseness * senses.species.spacing * (1.0 + OWN_GAP * own.x);
            let (mut apart, mut others) = (Vec3::ZERO, school.heading);
            for (_, other) in senses.near.iter().filter(|(_, other)| other.group == animal.school) {
                apart += keep_rods_apart(animal, other, ROD_GAP * spacing);
                others += other.heading;
            }
            // Side by side, level and parallel; fins alone row them to free space, none turns aside for it.
            let together = 0.3 * (school.centroid - animal.position) / (school.radius + animal.length);
            animal.carried += (apart + together).clamp_length_max(1.0) * (0.2 * senses.species.cruise);
            let ahead = others.with_y(0.0).normalize_or(animal.heading);
            let abreast = (ahead + OWN_YAW * own.y * ahead.cross(Vec3::Y)).normalize_or(ahead) - animal.heading;
            Course { pull: abreast + 0.15 * animal.wander, speed: 0.12 * senses.species.cruise }
        }
        _ => match chosen_prey(animal, senses) {
            // A hunter that hangs still may come near.
            Some(prey) => {
                let creeps = if senses.species.laws.crawls { 0.0 } else { 0.1 };
                let to = prey.centroid - animal.position;
                let course = Course::toward(animal, to, 0.4, creeps * senses.species.cruise);
                let spacing = senses.species.spacing;
                let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, spacing)).sum();
                Course { pull: course.pull + apart, ..course }
            }
            None => live(animal, senses, rng),
        },
    }
}

/// Heads for a school and runs one of its fish down.
pub(super) fn pursue(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    if let Some(strike) = strike(animal, senses, STRIKES_WITHIN_BL[1], rng) {
        return strike;
    }
    let Some(prey) = chosen_prey(animal, senses) else { return live(animal, senses, rng) };
    let to = prey.centroid - animal.position;
    if animal.mind.recovers_s > TURNS_OFF_S && to.length() < 2.0 * prey.extent + 2.0 * animal.length {
        // Out of the way of the next hunter: on past the prey, and off.
        let off = animal.heading + 0.8 * (-to).normalize_or_zero() * Vec3::new(1.0, 0.3, 1.0);
        return Course::toward(animal, off, 0.9, 1.2 * senses.species.cruise);
    }
    let mut course = Course::toward(animal, to, 0.9, 1.3 * senses.species.cruise);
    let spacing = senses.species.spacing;
    let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, spacing)).sum();
    course.pull += parabola(animal, senses) + 1.2 * apart;
    course
}

/// Circles the prey from below, so that it draws together and rises; now and then one hunter goes in from the side.
pub(super) fn herd(animal: &mut Animal, senses: &Senses<'_>, rng: &mut Pcg64Mcg) -> Course {
    let Some(prey) = chosen_prey(animal, senses) else { return live(animal, senses, rng) };
    let species = senses.species;
    let out = (animal.position - prey.centroid).with_y(0.0);
    let ring = 1.6 * prey.extent + 0.6 * species.length;
    if animal.mind.other != NOBODY || animal.mind.stay_s > RECOVERS_S {
        if let Some(strike) = strike(animal, senses, STRIKES_WITHIN_BL[1], rng) {
            return strike;
        }
        if animal.mind.stay_s < 2.0 * RECOVERS_S {
            // Its turn to go in.
            animal.mind.stay_s += DECISION_S;
            return Course::toward(animal, prey.centroid - animal.position, 1.2, 1.4 * species.cruise);
        }
        animal.mind.stay_s = 0.0;
    }
    animal.mind.stay_s += DECISION_S;
    let radial = out.normalize_or(Vec3::X);
    let round = Vec3::Y.cross(radial) * if senses.index.is_multiple_of(2) { 1.0 } else { -1.0 };
    let off = (out.length() / ring - 1.0).clamp(-1.0, 1.5);
    let depth = prey.centroid.y - BELOW * prey.extent - animal.position.y;
    let to = round - 1.2 * off * radial + Vec3::Y * (depth / species.length).clamp(-0.5, 0.5);
    Course::toward(animal, to, 1.1, 1.4 * species.cruise)
}

/// Continues a strike, or begins one if some prey is within `within` lengths and in front of the hunter.
fn strike(animal: &mut Animal, senses: &Senses<'_>, within: f32, rng: &mut Pcg64Mcg) -> Option<Course> {
    let (species, scene) = (senses.species, senses.scene);
    if animal.mind.other == NOBODY {
        animal.mind.recovers_s -= DECISION_S;
        if animal.mind.recovers_s > 0.0 || scene.hunters_are_calm {
            return None;
        }
        // Only one of a party goes in at a time: sailfish take turns (Herbert-Read et al. 2016).
        if let Some(school) = senses.school.filter(|_| !species.lives_alone())
            && scene.seen[school.animals.clone()].iter().any(|mate| mate.strikes && mate.index != senses.index)
        {
            return None;
        }
        let reach = within * animal.length;
        let mouth = animal.position + animal.heading * (MOUTH[0] * reach);
        let is_meant = |seen: &Seen| {
            let to = (seen.position - animal.position).normalize_or_zero();
            let is_level = !species.is_rod || to.y.abs() < ROD_STRIKES_SINE;
            is_level && is_prey(seen, species.length) && to.dot(animal.heading) > BEFORE_IT
        };
        let prey = scene.nearest_of(mouth, MOUTH[1] * reach, &species.habits.prey, is_meant)?;
        if is_hidden(scene.habitat, animal.position, prey.position) {
            return None;
        }
        animal.mind.other = prey.index;
        animal.mind.stay_s = 0.0;
    }
    let prey = &scene.seen[animal.mind.other as usize];
    let to = prey.position + prey.heading * (prey.speed * 0.1) - animal.position;
    // A hunter that keeps to the ground strikes along it.
    let to = if species.laws.crawls { to.with_y(0.0) } else { to };
    animal.mind.stay_s += DECISION_S;
    let is_reached = to.length() < 0.5 * animal.length;
    // Not headlong into ground or rock: it breaks off.
    let breaks_off = !is_clear_ahead(animal, senses);
    if is_reached || breaks_off || animal.mind.stay_s > STRIKE_S {
        let is_fed = is_reached && rng.random::<f32>() < SUCCESS;
        animal.mind.drives.hunger *= if is_fed { 0.1 } else { 0.85 };
        animal.gait.snap();
        animal.mind.has_struck = is_reached;
        animal.mind.other = NOBODY;
        animal.mind.stay_s = 0.0;
        animal.mind.recovers_s = RECOVERS_S * (0.6 + 0.8 * rng.random::<f32>());
    }
    // First it aims: at its burst it could not turn.
    let aim = (to.normalize_or_zero().dot(animal.heading) - BEFORE_IT) / (AIMED - BEFORE_IT);
    let burst = species.habits.burst_bl_s * species.length;
    let (eagerness, aim) = if breaks_off { (0.0, 0.0) } else { (2.5, aim.clamp(0.3, 1.0)) };
    Some(Course::toward(animal, to, eagerness, species.cruise + (burst - species.cruise) * aim))
}

/// Whether an animal has open water ahead over its braking distance.
fn is_clear_ahead(animal: &Animal, senses: &Senses<'_>) -> bool {
    /// Braking time. Unit: s.
    const BRAKES_S: f32 = 0.7;
    let habitat = senses.scene.habitat;
    let margin = animal.clearance().min(1.0);
    let way = 0.4 * animal.length + BRAKES_S * animal.speed;
    // No rock fits between two looks.
    let looks = (way / margin.max(0.2)).ceil().clamp(2.0, 16.0) as u32;
    (1..=looks).all(|look| {
        let ahead = animal.position + animal.heading * (way * look as f32 / looks as f32);
        // An animal that keeps to the ground goes up and down with it.
        let is_wet = senses.species.laws.crawls
            || habitat.floor_m(ahead.x, ahead.z) + margin < ahead.y && ahead.y < -0.5 * animal.length;
        is_wet && habitat.is_clear(ahead, margin)
    })
}

/// Whether an animal is prey to a hunter of a length (m): animals in their shelters are safe.
fn is_prey(seen: &Seen, length: f32) -> bool {
    let is_safe = matches!(seen.intention, Intention::Do(Routine::Rest | Routine::Hide | Routine::Host));
    !is_safe && seen.length < LARGEST_PREY * length
}

/// Returns the school of its prey within its range that looks largest from its position.
fn chosen_prey<'a>(animal: &Animal, senses: &Senses<'a>) -> Option<&'a School> {
    let species = senses.species;
    let is_within = |p: Vec3| {
        let out = glam::Vec2::new(p.x, p.z).distance(species.home);
        out < species.range + 6.0 && p.distance_squared(animal.position) < SEEKS_WITHIN_M * SEEKS_WITHIN_M
    };
    let scene = senses.scene;
    let is_meant = |s: &&School| {
        species.habits.prey.contains(&s.species)
            && is_within(s.centroid)
            && is_prey(&scene.seen[s.animals.start], species.length)
    };
    let looks = |school: &School| school.radius * school.radius / school.centroid.distance_squared(animal.position);
    scene.schools.iter().filter(is_meant).max_by(|a, b| looks(a).total_cmp(&looks(b)))
}

/// Pull into a hunting party's parabola: the flanks ahead, like tuna (Partridge et al. 1983).
fn parabola(animal: &Animal, senses: &Senses<'_>) -> Vec3 {
    let Some(school) = senses.school.filter(|school| school.animals.len() > 2) else { return Vec3::ZERO };
    let ahead = school.heading.normalize_or(animal.heading);
    let side = ahead.cross(Vec3::Y).normalize_or(Vec3::X);
    // Places from left to right, a length and a half apart; each lies ahead by its squared distance from the middle.
    let place = (senses.index as usize - school.animals.start) as f32 - 0.5 * (school.animals.len() - 1) as f32;
    let gap = 1.5 * senses.species.length;
    let seat = side * (place * gap) + ahead * (0.15 * place * place * gap);
    let to = school.centroid + seat - animal.position;
    (to / (3.0 * gap)).clamp_length_max(1.0)
}
