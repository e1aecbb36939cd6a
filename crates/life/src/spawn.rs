//! Initial state: places of the animals, already in schools and under way.

use glam::{Vec2, Vec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::animal::{Animal, NEIGHBOURS, NOOKS, Species};
use crate::attitude::{MAX_PITCH_SINE, level_off};
use crate::body::Body;
use crate::conduct::GRAZES_WITHIN_M;
use crate::figure::Figure;
use crate::gait::GaitState;
use crate::mind::{Drives, Intention, Mind, NOBODY, PRESSING, Plan};
use crate::morph::Morph;
use crate::path::{Bout, Path};
use crate::roles::Roles;
use crate::school::{SCHOOL_SHAPE, School, THREATS};
use crate::settings::Routine;
use crate::start::Start;
use crate::swim::is_free;
use crate::turning_about::TurningAbout;
use crate::{Behaviour, Habitat, LifeSettings};

/// Attempts before a place is taken as it is.
const TRIES: usize = 24;

/// Distance of a still animal from the thing that it holds on to. Unit: body lengths.
const HOLDS_ON_BL: f32 = 0.5;

/// Random point of the plan in a disc, uniformly distributed, at y = 0.
pub(super) fn in_disc(center: Vec2, radius: f32, rng: &mut Pcg64Mcg) -> Vec3 {
    loop {
        let p = Vec2::new(2.0 * rng.random::<f32>() - 1.0, 2.0 * rng.random::<f32>() - 1.0);
        if p.length_squared() <= 1.0 {
            let p = center + radius * p;
            return Vec3::new(p.x, 0.0, p.y);
        }
    }
}

/// Rise of an animal after grazing, over the distance travelled since: gentle. By eye.
const RISES: f32 = 0.3;

/// Random level unit vector.
fn bearing(rng: &mut Pcg64Mcg) -> Vec3 {
    in_disc(Vec2::ZERO, 1.0, rng).normalize_or(Vec3::NEG_Z)
}

/// Random place for the middle of a school of the given radius (m): in the range, in the depth band, off the ground.
pub(super) fn school_place(species: &Species, radius: f32, habitat: &Habitat, rng: &mut Pcg64Mcg) -> Vec3 {
    let mut place = Vec3::new(species.home.x, -species.depth[0], species.home.y);
    for _ in 0..TRIES {
        place = in_disc(species.home, (species.range - 1.3 * radius).max(0.2 * species.range), rng);
        let Some((low, high)) = species.levels(habitat, species.length, place.x, place.z) else { continue };
        let inset = (0.7 * radius).min(0.45 * (high - low));
        place.y = low + inset + (high - low - 2.0 * inset) * rng.random::<f32>();
        if habitat.is_clear(place, (0.8 * radius + species.length).min(2.0)) {
            break;
        }
    }
    place
}

/// Half the width of a school of `count` fish with a spacing of `spacing` metres.
fn school_radius(count: usize, spacing: f32) -> f32 {
    // One fish to a cube of the spacing in an ellipsoid of those axes: 4.4 radius^3 is its volume.
    0.61 * spacing * (count as f32).cbrt()
}

/// Adds one entry's animals and schools.
pub(super) fn populate(
    settings: &LifeSettings,
    species: &Species,
    species_index: u32,
    habitat: &Habitat,
    rng: &mut Pcg64Mcg,
    animals: &mut Vec<Animal>,
    schools: &mut Vec<School>,
) {
    let total = settings.count as usize;
    let is_grouped = species.is_gregarious();
    let groups = if is_grouped { total.div_ceil((settings.school_size as usize).max(1)) } else { 1 };
    for group in 0..groups {
        let first = animals.len();
        let count = total / groups + usize::from(group < total % groups);
        let plan = Plan::under_way(&species.habits, count, rng);
        let looseness = 1.0 + 0.45 * rng.random::<f32>();
        let radius = school_radius(count, looseness * species.spacing);
        let slot = species.path.as_ref().map_or(0.0, |path| path.length() * group as f32 / groups as f32);
        let place = match (&species.path, species.behaviour) {
            (Some(path), _) => path.at(slot),
            (None, Behaviour::Reef) => reef_place(species, habitat, rng),
            (None, _) => school_place(species, radius, habitat, rng),
        };
        let course = bearing(rng);
        let course = species.path.as_ref().and_then(|path| path.toward(slot)).unwrap_or(course);
        let aside = course.cross(Vec3::Y);
        let figure = Figure::new(count, rng);
        for (number, seat) in school_points(radius).take(count).enumerate() {
            let seat = seat * figure.stretch;
            let mut animal = individual(settings, species, species_index, course, rng);
            animal.school = schools.len() as u32;
            let middle = Vec3::new(species.home.x, -species.depth[0], species.home.y);
            let shelters = species.habits.shelters.len() as u32;
            // A group of guests gets a host, and each still animal something to hold on to.
            let own = match species.behaviour {
                Behaviour::Still if shelters > 0 => Some(rng.random_range(0..shelters)),
                _ if species.habits.has(Routine::Host) => {
                    species.habits.shelter_near(middle, f32::INFINITY, group as u32)
                }
                _ => None,
            };
            let own_place = own.map(|own| species.habits.shelters[own as usize]);
            animal.mind.shelter = own.unwrap_or(0);
            animal.position = match (&species.path, species.behaviour) {
                (_, Behaviour::School) => place + aside * seat.x + Vec3::Y * seat.y + course * seat.z,
                (Some(path), _) => {
                    line_up(&mut animal, species, path, first - species.animals.start + number, total, rng);
                    path.at(animal.slot) + animal.beside
                }
                (None, Behaviour::Still) if own_place.is_some() => {
                    own_place.unwrap_or(place) + bearing(rng) * (HOLDS_ON_BL * animal.length)
                }
                (None, Behaviour::Reef) => find(species, &animal, habitat, || {
                    let reach = (3.0 + (count as f32).cbrt()) * species.spacing;
                    own_place.unwrap_or(place)
                        + in_disc(Vec2::ZERO, reach, rng)
                        + Vec3::Y * (0.6 * reach * (rng.random::<f32>() - 0.3))
                }),
                (None, Behaviour::Cruiser | Behaviour::Drifter | Behaviour::Still) => {
                    let mut at = || in_disc(species.home, 0.9 * species.range, rng) + Vec3::Y * rng.random::<f32>();
                    find(species, &animal, habitat, || {
                        let at = at();
                        let levels = species.levels(habitat, species.length, at.x, at.z);
                        at.with_y(levels.map_or(-species.depth[0], |(low, high)| low + (high - low) * at.y))
                    })
                }
            };
            animal.position = free_place(species, &animal, habitat);
            animal.home = animal.position;
            let plan = if species.lives_alone() { Plan::under_way(&species.habits, 1, rng) } else { plan };
            begin(&mut animal, first + number, &plan, species, habitat);
            animal.goal = animal.position;
            (animal.prev_position, animal.prev_heading) = (animal.position, animal.heading);
            animals.push(animal);
        }
        if is_grouped {
            let goal = match &species.path {
                Some(path) => path.at(slot + species.lead(1.2 * radius)),
                None => school_place(species, radius, habitat, rng),
            };
            schools.push(School {
                species: species_index,
                animals: first..animals.len(),
                radius,
                looseness,
                goal,
                along: slot,
                slot,
                bout: Bout::default(),
                figure: figure.clone(),
                course,
                timer: 8.0 + 12.0 * rng.random::<f32>(),
                pace: 1.0,
                plan,
                spin: if rng.random() { 1.0 } else { -1.0 },
                threats: [NOBODY; THREATS],
                tension: 0.0,
                hunted_from_below: 0.0,
                fright: 0.0,
                roles: Roles::default(),
                extent: radius,
                height: radius * SCHOOL_SHAPE.y * figure.stretch.y,
                centroid: place,
                heading: course,
            });
        }
    }
}

/// Puts an animal to its sleeping place if the daylight, 0..=1, is that of its hours of rest.
pub(super) fn put_to_bed(animal: &mut Animal, index: u32, species: &Species, (habitat, daylight): (&Habitat, f32)) {
    if !species.habits.rests_at(daylight) {
        return;
    }
    let shelter = species.habits.shelter_of(animal.mind.shelter, animal.position, f32::INFINITY, index);
    animal.mind.take_up(Intention::Do(Routine::Rest));
    animal.mind.shelter = shelter.unwrap_or(0);
    animal.speed = 0.0;
    let bed = species.bed(index);
    if let Some(place) = bed.map(|bed| bed.place).or_else(|| animal.nook(species, index)) {
        animal.position = place;
        animal.is_in_crevice = bed.is_some_and(|bed| bed.is_crevice);
        if !animal.is_in_crevice && !is_free(animal, species, habitat, place) {
            animal.position = free_place(species, animal, habitat);
        }
        let level = animal.heading.with_y(0.0).normalize_or(Vec3::X);
        animal.heading = bed.map_or(level, |bed| bed.heading);
        (animal.want, animal.prev_heading) = (animal.heading, animal.heading);
        (animal.prev_position, animal.home) = (animal.position, animal.position);
    }
}

/// Starts animal number `number` amid `plan`: grazing if there is ground for it, or a little above after that.
fn begin(animal: &mut Animal, number: usize, plan: &Plan, species: &Species, habitat: &Habitat) {
    let feeds = matches!(plan.stop(), Some(Routine::Graze | Routine::Plankton));
    let p = animal.position;
    if species.habits.has(Routine::Graze) {
        let (footing, _) = animal.footing(species, habitat, p.x, p.z);
        if p.y - footing > GRAZES_WITHIN_M {
            return;
        }
        let rise = if feeds { 0.0 } else { RISES * species.cruise * plan.since_s() };
        animal.position.y = p.y.min(footing + rise);
        animal.position = free_place(species, animal, habitat);
    }
    if feeds {
        animal.mind.take_up(plan.intention());
        animal.mind.since_s = plan.since_s();
        // Each pecks at a spot of its own, and their headings vary.
        let way = NOOKS[number % NOOKS.len()];
        animal.heading = (animal.heading + 1.5 * Vec3::new(way.x, 0.0, way.y)).normalize_or(animal.heading);
        animal.want = animal.heading;
    }
}

/// Gives the `number`th of `total` animals its slot on the species' path.
fn line_up(animal: &mut Animal, species: &Species, path: &Path, number: usize, total: usize, rng: &mut Pcg64Mcg) {
    let gap = path.length() / total as f32;
    let jitter = (rng.random::<f32>() - 0.5) * species.path_spread.min(0.6 * gap);
    animal.slot = path.wrap(gap * number as f32 + jitter);
    animal.along = animal.slot;
    let up = 0.7 * species.path_spread * (2.0 * rng.random::<f32>() - 1.0);
    animal.beside = in_disc(Vec2::ZERO, species.path_spread, rng).with_y(up);
    if let Some(way) = path.toward(animal.slot) {
        animal.heading = level_off(way, MAX_PITCH_SINE, animal.heading);
    }
    animal.want = animal.heading;
}

/// Creates an animal of the species with random size, pace and mood, at the origin.
fn individual(
    settings: &LifeSettings,
    species: &Species,
    species_index: u32,
    course: Vec3,
    rng: &mut Pcg64Mcg,
) -> Animal {
    // Sum of two random numbers: sizes cluster about the mean.
    let spread = settings.length_spread.clamp(0.0, 0.9) * (rng.random::<f32>() + rng.random::<f32>() - 1.0);
    let length = species.length * (1.0 + spread);
    let heading = match species.behaviour {
        Behaviour::School => (course + 0.25 * bearing(rng)).normalize_or(course),
        _ => bearing(rng),
    };
    let pace = 0.93 + 0.14 * rng.random::<f32>();
    let start = if species.behaviour == Behaviour::Still { 0.0 } else { 1.0 };
    let body = Body::new(length, rng.random(), 0.94 + 0.12 * rng.random::<f32>());
    Animal {
        position: Vec3::ZERO,
        heading,
        turn: Vec3::ZERO,
        bank: 0.0,
        lean: 0.0,
        speed: start * species.cruise * pace,
        body,
        start: Start::default(),
        turning_about: TurningAbout::default(),
        used_to_light: 0.0,
        gait: GaitState::default(),
        prev_position: Vec3::ZERO,
        prev_heading: heading,
        prev_bank: 0.0,
        want: heading,
        want_speed: start * species.cruise,
        wander: Vec3::ZERO,
        mind: Mind::new(Drives {
            // Hunters have fed: an onlooker sees the place at peace first.
            hunger: rng.random::<f32>()
                * match species.lives_alone() {
                    _ if species.habits.hunts() => 0.4,
                    // Solitary animals eat before they are hungrier.
                    true => PRESSING,
                    false => 1.0,
                },
            itch: rng.random(),
            breath: rng.random(),
            ..Drives::default()
        }),
        startled: false,
        neighbours: [NOBODY; NEIGHBOURS],
        carried: Vec3::ZERO,
        alarm: 0.0,
        morph: Morph::default(),
        is_unobstructed: false,
        is_in_crevice: false,
        has_room: false,
        coasts: false,
        length,
        half_height: species.laws.half_height(length),
        pace,
        species: species_index,
        school: 0,
        home: Vec3::ZERO,
        goal: Vec3::ZERO,
        along: 0.0,
        slot: 0.0,
        beside: Vec3::ZERO,
        scale: 1.0,
        timer: 4.0 * rng.random::<f32>(),
    }
}

/// Places of the members of a school about its middle: the R3 sequence, which leaves no clumps.
fn school_points(radius: f32) -> impl Iterator<Item = Vec3> {
    // Powers of 1 / 1.2207440846, the root of x^4 = x + 1 (M. Roberts, 2018).
    const STEP: [f64; 3] = [0.819_172_513_4, 0.671_043_606_7, 0.549_700_477_9];
    let in_cube = (1u64..).map(|i| Vec3::from(STEP.map(|s| (2.0 * (0.5 + s * i as f64).fract() - 1.0) as f32)));
    in_cube.filter(|p| p.length_squared() <= 1.0).map(move |p| p * radius * SCHOOL_SHAPE)
}

/// Random spot beside a solid thing of the range, or anywhere if there is none.
fn reef_place(species: &Species, habitat: &Habitat, rng: &mut Pcg64Mcg) -> Vec3 {
    let is_near = |center: Vec3| Vec2::new(center.x, center.z).distance(species.home) < species.range;
    let rocks = || habitat.obstacles().iter().filter(|o| is_near(o.center) && o.radii.min_element() > species.length);
    let count = rocks().count();
    if count > 0 && rng.random::<f32>() < 0.8 {
        let nth = rng.random_range(0..count);
        if let Some(rock) = rocks().nth(nth) {
            let side = bearing(rng) * (rock.radii.x.max(rock.radii.z) * (0.6 + 0.6 * rng.random::<f32>()));
            let at = rock.center + side;
            if let Some((low, high)) = species.levels(habitat, species.length, at.x, at.z) {
                let y = rock.center.y + rock.radii.y * rng.random::<f32>() + species.length;
                return at.with_y(y.clamp(low, high));
            }
        }
    }
    let mut place = school_place(species, 2.0 * species.length, habitat, rng);
    if let Some((low, high)) = species.levels(habitat, species.length, place.x, place.z) {
        place.y = low + (high - low).min(8.0 * species.length) * rng.random::<f32>();
    }
    place
}

/// Returns the first free place that `draw` gives, or the last.
fn find(species: &Species, animal: &Animal, habitat: &Habitat, mut draw: impl FnMut() -> Vec3) -> Vec3 {
    let mut place = draw();
    for _ in 0..TRIES {
        if let Some((low, high)) = species.levels(habitat, animal.length, place.x, place.z) {
            place.y = place.y.clamp(low, high);
        }
        if is_free(animal, species, habitat, place) {
            break;
        }
        place = draw();
    }
    place
}

/// Returns the animal's place moved out of ground and rocks as far as possible.
pub(super) fn free_place(species: &Species, animal: &Animal, habitat: &Habitat) -> Vec3 {
    let mut place = animal.position;
    for attempt in 0..TRIES {
        if let Some((low, high)) = species.levels(habitat, animal.length, place.x, place.z) {
            place.y = place.y.clamp(low, high);
        }
        if is_free(animal, species, habitat, place) {
            return place;
        }
        let margin = animal.clearance().min(2.0);
        let inside = habitat.obstacles_near(place).find(|o| o.normalized_distance(place, margin) < 1.0);
        place = match inside {
            Some(o) => {
                let distance = o.normalized_distance(place, margin);
                let out = if distance > 0.05 { (place - o.center) / distance } else { Vec3::Y * (o.radii.y + margin) };
                o.center + out * (1.01 + 0.05 * attempt as f32)
            }
            // Dry: toward the middle of the range.
            None => place.lerp(Vec3::new(species.home.x, place.y, species.home.y), 0.2),
        };
    }
    place
}
