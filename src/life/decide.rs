//! A decision: the animal looks about, makes up its mind, and keeps clear of everything that is in the way.

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::life::animal::{Animal, NEIGHBOURS};
use crate::life::attitude::{MAX_PITCH_SINE, level_off};
use crate::life::avoidance::{give_way, is_unobstructed, keep_off};
use crate::life::conduct::{self, Senses, fear};
use crate::life::mind::NOBODY;
use crate::life::perception::{Nearest, Perception, search};
use crate::life::{Behaviour, DECISION_S};

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
    // Who lives alone misses nobody.
    let company = if species.lives_alone() { 1 } else { like };
    mind.drives.live(&species.habits, mind.intention, scene.daylight, company);
    animal.mind = mind;
    if let Some(threat) = &threat {
        fear::take_notice(animal, threat);
    }
    conduct::choose(animal, &senses);
    let (mut pull, speed) = match animal.mind.fright.is_fresh() {
        true => (animal.want - animal.heading, species.cruise),
        false => {
            let course = conduct::follow(animal, &senses, rng);
            (course.pull, course.speed)
        }
    };
    pull += threat.map_or(Vec3::ZERO, |threat| conduct::fountain(animal, &threat));
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
