use glam::Vec2;

use super::*;
use crate::{Behaviour, HeightMap, LifeSettings, Population, Routine, Swimming, serial};

/// Events of a minute over a ground two metres deep.
fn minute(settings: LifeSettings) -> Vec<Event> {
    let settings = LifeSettings {
        count: 8,
        behaviour: Behaviour::Reef,
        depth_m: [1.7, 2.0],
        range_m: 6.0,
        length_m: 0.5,
        ..settings
    };
    let floor = HeightMap::sample(Vec2::ZERO, 20.0, 1.0, |_, _| -2.0);
    let mut population = Population::new(&[settings], Habitat::new(Some(floor), vec![]), 3, serial);
    (0..60 * STEPS_PER_S)
        .flat_map(|_| {
            population.step(glam::Vec3::ZERO);
            population.events().to_vec()
        })
        .collect()
}

#[test]
fn turtles_and_divers_breathe_out_grazers_bite_and_void_rays_dig_and_others_leave_no_trace() {
    let count = |events: &[Event], kind| events.iter().filter(|event| event.kind == kind).count();
    let turtle = minute(LifeSettings { routines: vec![Routine::Breathe], ..LifeSettings::default() });
    assert!(count(&turtle, EventKind::Exhale) > 8 * 18 && count(&turtle, EventKind::Exhale) == turtle.len());
    let diver = minute(LifeSettings { swimming: Swimming::Flutter, ..LifeSettings::default() });
    assert!(count(&diver, EventKind::Exhale) > 8 * 8 * 18 && count(&diver, EventKind::Exhale) == diver.len());
    let grazer = LifeSettings { routines: vec![Routine::Graze], grinds_coral: true, ..LifeSettings::default() };
    let grazer = minute(grazer);
    assert!(count(&grazer, EventKind::Bite) > 0);
    assert!(count(&grazer, EventKind::Void) > 40, "{} droppings", count(&grazer, EventKind::Void));
    let ray = minute(LifeSettings { swimming: Swimming::Rajiform, ..LifeSettings::default() });
    assert!(count(&ray, EventKind::Settle) > 0 && count(&ray, EventKind::Settle) == ray.len());
    assert!(ray.iter().all(|event| event.position.y < -1.6), "they dig in the ground");
    assert!(minute(LifeSettings::default()).is_empty());
}
