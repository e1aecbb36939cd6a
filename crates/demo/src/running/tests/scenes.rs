//! Scenes that are made in the background.

use std::thread::sleep;
use std::time::Duration;

use config::{BUILTIN_SCENES, Edits};

use super::room::{Driver, Room, SMALL, now_s, pass};
use crate::input::{Action, Input};
use crate::loading_screen::FALL_S;
use crate::panel::PanelCommand;

/// Presses a key without waiting for the scene it asks for.
fn tap(room: &mut Room, action: Action) {
    room.take(Input::Action { action, repeat: false });
}

/// Draws frames until the loading screen is gone.
fn wait(room: &mut Room) {
    for _ in 0..20_000 {
        if room.demo.panels.loading_screen.is_none() {
            return;
        }
        room.frame();
        sleep(Duration::from_millis(1));
    }
    panic!("the loading screen never rose: {:?}", room.demo.panels)
}

fn index_of(name: &str) -> usize {
    BUILTIN_SCENES.iter().position(|scene| scene.name == name).expect("a scene of the project")
}

#[test]
fn the_old_scene_stays_until_the_loading_screen_has_fallen_and_the_new_one_is_there() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    let name = room.demo.session.config.scene.name.clone();
    tap(&mut room, Action::Scene(index_of("open_blue")));
    let began_s = now_s();
    while now_s() < began_s + FALL_S - 1.0 / 30.0 {
        assert_eq!(room.demo.session.config.scene.name, name, "however soon the new one is made");
        room.frame();
        sleep(Duration::from_millis(20));
    }
    wait(&mut room);
    assert_eq!(room.demo.session.config.scene.name, "open_blue");
    assert!(room.demo.panels.error("scene").is_none());
}

#[test]
fn of_scenes_asked_for_faster_than_they_are_made_the_last_is_shown() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    for name in ["kelp", "deep", "harbour", "calibration"] {
        tap(&mut room, Action::Scene(index_of(name)));
        room.frame();
    }
    wait(&mut room);
    assert_eq!(room.demo.session.config.scene.name, "calibration");
}

#[test]
fn a_scene_that_cannot_be_made_leaves_the_one_before_and_says_why() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    let before = room.demo.session.world().animals();
    std::fs::write(room.path("mine.toml"), SMALL.replace("builtin:sardine", "builtin:dodo")).expect("written");
    tap(&mut room, Action::Reset);
    wait(&mut room);
    assert_eq!(room.demo.session.world().animals(), before);
    assert!(room.demo.panels.error("scene").is_some_and(|text| text.contains("dodo")), "{:?}", room.demo.panels);
}

#[test]
fn a_recording_sees_no_loading_screen_and_ends_with_the_scene() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    (0..3).for_each(|_| room.frame());
    tap(&mut room, Action::Benchmark);
    tap(&mut room, Action::Scene(index_of("open_blue")));
    room.frame();
    assert!(!room.demo.benchmark.is_recording());
    wait(&mut room);
    assert_eq!(room.demo.session.config.scene.name, "open_blue");
}

#[test]
fn a_picture_asked_for_with_a_scene_is_of_that_scene() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    tap(&mut room, Action::Scene(index_of("open_blue")));
    tap(&mut room, Action::Screenshot);
    wait(&mut room);
    room.demo.finish_saving();
    let pictures: Vec<_> = std::fs::read_dir(room.path("pictures")).expect("a folder").flatten().collect();
    assert_eq!(pictures.len(), 1);
    let name = pictures[0].file_name().into_string().expect("UTF-8");
    assert!(name.starts_with("pelagic-open_blue-"), "{name}");
}

#[test]
fn a_covered_window_follows_files_and_keys() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    room.take(Input::Covered(true));
    room.outside.wants_redraw.set(false);
    let look = |room: &mut Room| {
        pass(0.3);
        assert!(room.demo.idle() > now_s(), "until the next look there is nothing to do");
        assert!(!room.outside.wants_redraw.get());
    };
    std::fs::write(room.path("mine.toml"), SMALL.replace("count = 7", "count = 8")).expect("written");
    (0..2).for_each(|_| look(&mut room));
    assert_eq!(room.demo.session.config.fish(), 8);
    tap(&mut room, Action::MoreFish);
    look(&mut room);
    assert_eq!(room.demo.session.config.fish(), 10);
    let edits = room.demo.session.edits.clone();
    room.demo.panels.settings.asked.push(PanelCommand::Change(Edits::default()));
    (0..2).for_each(|_| look(&mut room));
    assert_ne!(room.demo.session.edits, edits);
    tap(&mut room, Action::Scene(index_of("open_blue")));
    for _ in 0..20_000 {
        if room.demo.session.config.scene.name == "open_blue" {
            return;
        }
        look(&mut room);
        sleep(Duration::from_millis(1));
    }
    panic!("the scene never came: {:?}", room.demo.panels)
}
