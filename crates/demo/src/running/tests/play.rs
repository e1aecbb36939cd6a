//! Interventions of a person among the animals.

use camera::CameraRig;
use glam::{Vec2, Vec3};
use view::Camera;

use super::room::{Driver, Room, SMALL};
use crate::input::{Action, Input};

/// Looks at the first animal from three metres, or away from it.
fn look(room: &mut Room, away: bool) {
    let there = room.demo.session.world().reports().next().expect("there is one").position;
    let eye = there + Vec3::new(0.0, 0.0, 3.0);
    let target = if away { eye + Vec3::new(0.0, 0.0, 9.0) } else { there };
    room.demo.session.rig = CameraRig::new(Camera::look_at(eye, target, 1.0));
    room.demo.session.paused = true;
    room.frame();
}

fn is_afraid(room: &Room) -> bool {
    room.demo.session.world().reports().next().expect("there is one").fear > 0.5
}

#[test]
fn a_right_click_frightens_who_is_pointed_at_and_nobody_else() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    look(&mut room, true);
    room.take(Input::Frighten(None));
    assert!(!is_afraid(&room));
    look(&mut room, false);
    room.take(Input::Frighten(Some(Vec2::new(0.0, 0.0))));
    assert!(!is_afraid(&room), "in a corner of the picture");
    room.take(Input::Button { down: true });
    room.take(Input::Frighten(Some(Vec2::new(0.0, 0.0))));
    assert!(is_afraid(&room), "a caught pointer is in the middle, wherever it was");
}

#[test]
fn a_press_drops_one_portion_ahead_however_long_it_is_held() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    look(&mut room, false);
    room.press(Action::Food);
    (0..100).for_each(|_| room.take(Input::Action { action: Action::Food, repeat: true }));
    let demo = &room.demo;
    let [food] = demo.session.world().food() else { panic!("{:?}", demo.session.world().food()) };
    let ahead = demo.frame.camera.orientation * Vec3::NEG_Z;
    assert!((food.place - demo.frame.camera.eye).normalize().dot(ahead) > 0.999, "{food:?}");
    room.press(Action::Reset);
    assert!(room.demo.session.world().food().is_empty());
}

#[test]
fn a_predator_comes_where_somebody_hunts_and_is_gone_with_the_scene() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.press(Action::Predator);
    assert_eq!(room.demo.session.world().animals(), 7, "{:?}", room.demo.panels);
    let shark = "[[species]]\nname = \"shark\"\nmodel = \"builtin:reef_shark\"\ncount = 1\nhunts = true\n\
        behaviour = \"cruiser\"\nlength_m = 1.6\n";
    let mut room = Room::new(Driver::NullCard, &format!("{SMALL}{shark}"));
    (0..3).for_each(|_| room.frame());
    room.press(Action::Predator);
    room.take(Input::Action { action: Action::Predator, repeat: true });
    (0..3).for_each(|_| room.frame());
    assert_eq!(room.demo.session.world().animals(), 9);
    assert_eq!(room.demo.frame.batches[1].instances.len(), 2);
    room.press(Action::Reset);
    assert_eq!(room.demo.session.world().animals(), 8);
}

#[test]
fn the_mind_of_who_is_in_the_middle_is_told() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    look(&mut room, false);
    assert_eq!(room.demo.panels.animal, None, "nobody has asked");
    room.press(Action::Mind);
    room.frame();
    let (species, animal) = room.demo.panels.animal.clone().expect("somebody is there");
    assert_eq!(species, "sardine");
    assert!(room.demo.session.world().reports().any(|one| one == animal));
    look(&mut room, true);
    assert_eq!(room.demo.panels.animal, None);
}
