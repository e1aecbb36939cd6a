//! Photo mode: a still picture is drawn as it is to be written.

use camera::{Dial, Movement};
use render::Quality;
use render::governor::QualityLevel;

use super::room::{Driver, Room, SMALL, pass};
use crate::input::{Action, Input};

/// A window whose quality is left to the program, and has been lowered.
fn lowered() -> (Room, QualityLevel) {
    let mut room = Room::new(Driver::NullSoftware, &SMALL.replace("\"low\"", "\"auto\""));
    room.frame();
    for _ in 0..400 {
        let stage = room.demo.stage.as_mut().expect("it is shown");
        if stage.govern(200.0, 0.2).expect("nothing is refused").is_some_and(|decision| decision.level.scale <= 0.5) {
            let level = stage.level();
            return (room, level);
        }
    }
    panic!("the governor does nothing");
}

/// Tier and resolution that are drawn now.
fn drawn(room: &Room) -> (Quality, f32) {
    let render = room.demo.stage.as_ref().expect("it is shown").drawn_with();
    (render.quality, render.scale)
}

fn frames(room: &mut Room, count: u32) {
    (0..count).for_each(|_| room.frame());
}

#[test]
fn a_picture_at_rest_is_whole_and_a_tier_finer_and_moving_or_leaving_takes_that_back() {
    let (mut room, level) = lowered();
    let lowered = (level.quality, level.scale);
    assert_eq!((drawn(&room), lowered), (lowered, (Quality::Low, 0.5)));
    room.press(Action::Photo);
    frames(&mut room, 3);
    assert_eq!(drawn(&room), lowered, "it has only just begun to stand still");
    frames(&mut room, 40);
    assert_eq!(drawn(&room), (Quality::Medium, 1.0));
    room.take(Input::Movement { movement: Movement::Forward, down: true });
    frames(&mut room, 30);
    assert_eq!(drawn(&room), lowered, "while it moves");
    room.take(Input::Movement { movement: Movement::Forward, down: false });
    // The diver glides on for a while.
    frames(&mut room, 600);
    assert_eq!(drawn(&room), (Quality::Medium, 1.0));
    room.press(Action::Dial(Dial::Exposure { up: true }));
    frames(&mut room, 3);
    assert_eq!(drawn(&room), lowered, "another exposure is another picture");
    frames(&mut room, 40);
    assert_eq!(drawn(&room), (Quality::Medium, 1.0));
    room.press(Action::Photo);
    frames(&mut room, 1);
    assert_eq!(drawn(&room), lowered);
    assert_eq!(room.demo.stage.as_ref().map(|stage| stage.level()), Some(level), "the governor is as it was");
}

#[test]
fn the_governor_neither_watches_nor_changes_a_photograph() {
    let (mut room, level) = lowered();
    room.press(Action::Photo);
    for _ in 0..200 {
        pass(0.01);
        room.frame();
    }
    assert_eq!(room.demo.stage.as_ref().map(|stage| stage.level()), Some(level));
    assert!(room.demo.panels.texts().iter().all(|text| !text.contains("resolution")), "{:?}", room.demo.panels.texts());
}

#[test]
fn a_world_that_goes_on_and_a_benchmark_are_drawn_as_before() {
    let (mut room, level) = lowered();
    room.press(Action::Photo);
    frames(&mut room, 40);
    assert_eq!(drawn(&room), (Quality::Medium, 1.0));
    room.press(Action::Pause);
    frames(&mut room, 40);
    assert_eq!(drawn(&room), (level.quality, level.scale));
    room.press(Action::Pause);
    room.press(Action::Benchmark);
    frames(&mut room, 40);
    assert_eq!(drawn(&room), (level.quality, level.scale));
}

#[test]
fn what_was_asked_for_is_drawn_as_it_was_asked_for() {
    let mut room = Room::new(Driver::NullSoftware, SMALL);
    room.frame();
    room.press(Action::Photo);
    frames(&mut room, 40);
    assert_eq!(drawn(&room), (Quality::Low, 1.0));
}
