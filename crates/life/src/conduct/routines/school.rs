//! Schooling: Reynolds' three rules with the seven nearest visible neighbours (topological neighbours, as in
//! starlings), a blind spot behind, and the shape of the school as a whole.
//!
//! Members at the skin of a school see neighbours to one side only; they weigh the school's goal more and turn first,
//! and the turn runs through the others by alignment.

use glam::Vec3;

use crate::Habitat;
use crate::animal::{Animal, NOOKS, Species};
use crate::attitude::level_off;
use crate::avoidance::{aside_rather_than_over, keep_apart, keep_rods_apart};
use crate::conduct::Senses;
use crate::conduct::routines::Course;
use crate::roles::FEW;
use crate::school::School;

/// Cosine of the angle from the nose beyond which others are not seen: 135 degrees either side.
const BLIND_COSINE: f32 = -0.7;

/// Pull of the goal on those of a pair or family that follow.
const FOLLOWS: f32 = 0.15;

/// Weight of a member's own way, in a school and in a pair or family, which are seldom parallel. By eye.
const OWN_WAY: [f32; 2] = [0.5, 0.8];

/// Members of a school above which they would be seen to swim in rows, were they all level.
const MANY: usize = 60;

/// Factor on the climb of a member's own way in such a school. By eye.
const OWN_CLIMB: f32 = 5.0;

/// Distance of a straggler from the rim of its school, at which it stays. By eye. Unit: body lengths.
const APART_BL: f32 = 5.0;

/// Speed of a straggler over the usual. By eye.
const STRAGGLES: f32 = 0.6;

/// Tilt of a mill: rise over run, for each unit of its school's stretch in length above or below the usual. By eye.
const MILL_TILT: f32 = 0.5;

/// Variation of the ring's radius from one member of a mill to another, permanent and momentary, and of the level over
/// half the thickness. By eye.
const OWN_RING: f32 = 0.4;
const STRAYS: f32 = 0.5;
const OWN_LEVEL: f32 = 0.7;

/// Eagerness of a ball that is too flat to fill up. By eye.
const FILLS_UP: f32 = 2.0;

/// Spacing to fish of other schools, over that to its own. By eye.
const STRANGERS: f32 = 1.4;

/// Gap from body to body between rods, over the spacing of their middles.
pub(super) const ROD_GAP: f32 = 0.7;

/// Course by separation, alignment and cohesion, and towards the school's goal.
pub(super) fn school(animal: &Animal, senses: &Senses<'_>, school: &School) -> Course {
    let Senses { index, species, near, .. } = *senses;
    // Bodies are long and narrow: abreast they swim closer than in file.
    let spacing = 0.95 * school.tightness() * species.spacing;
    let is_rod = species.is_rod;
    let mut apart = Vec3::ZERO;
    let mut others = Vec3::ZERO;
    let mut middle = Vec3::ZERO;
    let mut pace = 0.0;
    let mut seen = 0.0;
    for (distance2, other) in near.iter() {
        let distance = distance2.sqrt().max(1e-4);
        let to = other.position - animal.position;
        apart += match is_rod {
            true => keep_rods_apart(animal, other, ROD_GAP * spacing),
            false if other.group == animal.school => keep_apart(animal, other, spacing),
            false => keep_apart(animal, other, STRANGERS * spacing),
        };
        if other.group == animal.school && to.dot(animal.heading) > BLIND_COSINE * distance {
            others += other.heading;
            middle += to;
            pace += other.speed;
            seen += 1.0;
        }
    }
    if species.keeps_near_ground() {
        apart = aside_rather_than_over(apart);
    }
    if school.roles.is_apart(index as usize - school.animals.start) {
        return straggle(animal, species, school, apart);
    }
    let (to_middle, part) = school.to_middle(animal.position);
    let is_few = school.animals.len() <= FEW && !is_rod;
    let climbs = if school.animals.len() > MANY && !is_rod { OWN_CLIMB } else { 1.0 };
    let own = animal.wander.with_y(climbs * animal.wander.y);
    let mut pull = 1.5 * apart + OWN_WAY[usize::from(is_few)] * own;
    let mut edge: f32 = 1.0;
    let mut speed = species.cruise * school.pace;
    if seen > 0.0 {
        let middle = middle / (seen * spacing);
        let alike = if is_rod { 2.2 } else { 1.1 };
        pull += alike * (others / seen - animal.heading) + (0.22 + 0.5 * school.tension) * middle;
        edge = middle.reject_from_normalized(animal.heading).length().min(1.0);
        speed = 0.5 * (speed + pace / seen / animal.pace);
    }
    // On a path every member knows the way, but the mate of a pair follows the other.
    let led = match &species.path {
        Some(_) if follows(index, school) => FOLLOWS,
        Some(_) => 0.9,
        None => 0.15 + 0.45 * edge,
    };
    pull += led * (1.0 - 0.8 * school.tension) * school.course;

    // The school as a whole keeps its shape, and strays come back to it.
    let axes = school.axes();
    let girth = part * school.tightness() / school.looseness * school.radius + 0.6 * species.length;
    let along = school.course * school.course.dot(to_middle);
    let from_shape =
        (to_middle - along * (1.0 - axes.x / axes.z)) * Vec3::new(1.0, axes.x / axes.y, 1.0) / (axes.x * girth);
    let stray = (from_shape.length() - 1.0).clamp(0.0, 2.0);
    pull += from_shape.normalize_or_zero() * ((0.8 + 4.0 * school.tension) * stray);
    // A ball is as high as it is wide: while it is flatter the members at the rim go over and under the others.
    let lacks = (1.0 - school.height / (axes.y * girth)).clamp(0.0, 0.5);
    let flatness = from_shape.with_y(0.0).length() - from_shape.y.abs();
    pull.y -= (FILLS_UP * lacks * school.tension * flatness.max(0.0)).copysign(to_middle.y);
    pull.y -= 0.3 * animal.heading.y;

    // Stragglers hurry, leaders slow down; no fish runs into the tail before it.
    let lag = to_middle.dot(animal.heading) / (axes.z * girth);
    let lag = (lag - lag.clamp(-0.75, 0.75)).clamp(-1.0, 2.0);
    let room = (1.0 + 0.5 * apart.dot(animal.heading)).clamp(0.35, 1.4);
    Course { pull, speed: speed * (1.0 + 0.3 * lag + 0.25 * animal.wander.x) * room }
}

/// Course of a fish left apart after a strike: it keeps off the others, going their way, until it makes for them again.
fn straggle(animal: &Animal, species: &Species, school: &School, apart: Vec3) -> Course {
    let out = (animal.position - school.centroid).with_y(0.0);
    let rim = school.axes().max_element() * school.tightness() / school.looseness * school.radius;
    let far = rim + APART_BL * animal.length;
    let off = (1.0 - out.length() / far).clamp(-1.0, 1.0);
    let outward = out.normalize_or(animal.heading.cross(Vec3::Y));
    let to = school.heading + 2.0 * off * outward;
    let pull = (to.normalize_or(animal.heading) - animal.heading) + 1.5 * apart + 0.5 * animal.wander;
    // It does not fall back for ever.
    let speed = species.cruise * if off < -0.3 { 1.0 } else { STRAGGLES };
    Course { pull, speed }
}

/// Whether the animal at `index` follows others: all of a pair or family but its leader.
fn follows(index: u32, school: &School) -> bool {
    school.animals.len() <= FEW && index as usize != school.animals.start + school.roles.leader
}

/// Circles the school's middle: a mill. Left to themselves schools of a hundred do so at times; larger ones are led
/// into it by a common centre and a goal along the tangent.
pub(super) fn mill(animal: &Animal, senses: &Senses<'_>) -> Course {
    let (species, Some(school)) = (senses.species, senses.school) else {
        return Course { pull: Vec3::ZERO, speed: senses.species.cruise };
    };
    let spacing = 0.95 * school.tightness() * species.spacing;
    let apart: Vec3 = senses.near.iter().map(|(_, other)| keep_apart(animal, other, spacing)).sum();
    let out = animal.position - school.centroid;
    let radial = out.with_y(0.0).normalize_or(animal.heading.cross(Vec3::Y));
    let tangent = radial.cross(Vec3::Y) * school.spin;
    // A ring as thick as its radius, whose hole stays open; each fish has its own, slowly varying distance and level,
    // so that no rim is sharp.
    let own = NOOKS[senses.index as usize % NOOKS.len()];
    let ring = (1.2 * school.radius * school.figure.stretch.x.max(0.8) + species.length)
        * (1.0 + OWN_RING * own.x + STRAYS * animal.wander.x);
    let off = (out.with_y(0.0).length() / ring).clamp(0.0, 2.5) - 1.0;
    let thick = 0.6 * school.radius * school.figure.stretch.y + 0.5 * species.length;
    // No ring lies quite level.
    let tilt = MILL_TILT * (school.figure.stretch.z - 1.0) * out.dot(school.course);
    let level = ((out.y - tilt) / thick - OWN_LEVEL * own.y).clamp(-1.5, 1.5);
    let inward = if off.abs() > 0.35 { off } else { 0.3 * off };
    let to = tangent - radial * (0.4 * spacing / ring + 1.2 * inward) - Vec3::Y * (0.5 * level);
    Course {
        pull: 1.3 * (to.normalize_or_zero() - animal.heading) + 1.3 * apart + 0.3 * animal.wander,
        speed: species.cruise,
    }
}

/// Heading of a school from its middle to its goal, round solid things between.
pub(crate) fn course(school: &School, species: &Species, habitat: &Habitat) -> Vec3 {
    let to_goal = school.goal - school.centroid;
    let straight = to_goal.normalize_or(school.course);
    if species.path.is_some() {
        // Paths are drawn clear of obstacles by the scene's author.
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
                // The side that it is already taking, or it would dither before a broad wall.
                let side = (normal + 2.0 * school.course) * Vec3::new(1.0, 0.3, 1.0);
                let aside = side.reject_from_normalized(straight).normalize_or(straight.cross(Vec3::Y));
                push += (2.0 * aside + 0.5 * normal) * (4.0 * depth).min(1.0);
            }
        }
    }
    level_off(straight + push, 0.4, school.course)
}
