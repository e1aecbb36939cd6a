//! More fish and fewer.

use config::{BUILTIN_SCENES, FishError};
use glam::Vec3;
use runtime::AppError;

use super::room::{Driver, Room, SMALL};
use crate::input::{Action, Input};
use crate::session::SceneSession;

/// A demo of a crowd that has swum for a while.
fn crowd() -> Room {
    let mut room = Room::new(Driver::NullCard, &SMALL.replace("count = 7", "count = 1700"));
    (0..3).for_each(|_| room.frame());
    room
}

/// Presses a key without waiting for what it asks for.
fn tap(room: &mut Room, action: Action) {
    room.take(Input::Action { action, repeat: false });
    room.frame();
}

fn said(room: &Room) -> String {
    room.demo.panels.texts().join("\n")
}

fn fish(room: &Room) -> u32 {
    room.demo.session.config.fish()
}

fn places(session: &SceneSession) -> Vec<Vec3> {
    session.world().reports().map(|animal| animal.position).collect()
}

#[test]
fn the_scene_goes_on_while_a_crowd_is_made_which_joins_it_as_it_is_then() {
    let mut room = crowd();
    let at_first = places(&room.demo.session);
    tap(&mut room, Action::MoreFish);
    assert!(said(&room).contains("2125 fish are coming: about "), "{}", said(&room));
    let coming = room.demo.crowd.wait().expect("they are being made");
    assert_eq!(fish(&room), 1700);
    (0..3).for_each(|_| room.frame());
    room.press(Action::Food);
    let now = places(&room.demo.session);
    assert!(now != at_first && room.demo.session.world().time_s() > 0.0);
    room.demo.change_fish_by(coming.0, Some(coming.1));
    assert_eq!((fish(&room), room.demo.session.world().animals()), (2125, 2125));
    assert_eq!(places(&room.demo.session)[..1700], now[..], "all go on from where they are");
    assert_eq!(room.demo.session.world().food().len(), 1);
    assert!(said(&room).contains("2125 fish (about "), "{}", said(&room));
    tap(&mut room, Action::FewerFish);
    assert_eq!((fish(&room), room.demo.makes_fish()), (1700, false), "to leave takes no time");
}

#[test]
fn presses_while_a_crowd_is_made_come_after_it() {
    let mut room = crowd();
    tap(&mut room, Action::MoreFish);
    for _ in 0..2 {
        room.take(Input::Action { action: Action::MoreFish, repeat: false });
    }
    room.demo.settle_population();
    assert_eq!(fish(&room), 2125);
    room.frame();
    assert!(said(&room).contains("3320 fish are coming"), "{}", said(&room));
    room.take(Input::Action { action: Action::FewerFish, repeat: false });
    room.demo.settle_population();
    assert_eq!(fish(&room), 3320);
    room.frame();
    assert_eq!((fish(&room), room.demo.makes_fish()), (2656, false));
}

#[test]
fn what_is_changed_while_a_crowd_is_made_stays_changed_and_the_crowd_comes() {
    let mut room = crowd();
    tap(&mut room, Action::MoreFish);
    room.press(Action::Torch);
    let text = SMALL.replace("count = 7", "count = 1700");
    std::fs::write(room.path("mine.toml"), format!("{text}[water]\nvisibility_m = 9.0\n")).expect("written");
    room.press(Action::Reload);
    room.demo.settle_population();
    let scene = |room: &Room| room.demo.session.config.scene.clone();
    assert_eq!((fish(&room), scene(&room).water.visibility_m), (2125, 9.0));
    // These make the animals, or their number, others than those that the newcomers were made for.
    tap(&mut room, Action::MoreFish);
    std::fs::write(room.path("mine.toml"), format!("{text}length_m = 0.3\n")).expect("written");
    room.press(Action::Reload);
    room.demo.settle_population();
    assert_eq!((fish(&room), scene(&room).species[0].life.length_m), (2656, 0.3));
    tap(&mut room, Action::MoreFish);
    room.press(Action::Reset);
    assert_eq!(fish(&room), 2656, "from the beginning, with its changes");
    room.demo.settle_population();
    assert_eq!(fish(&room), 3320);
    assert!(room.demo.panels.error("scene").is_none(), "{}", said(&room));
}

#[test]
fn a_crowd_does_not_follow_into_another_scene() {
    let mut room = crowd();
    tap(&mut room, Action::MoreFish);
    room.take(Input::Action { action: Action::MoreFish, repeat: false });
    room.press(Action::Scene(BUILTIN_SCENES.iter().position(|scene| scene.name == "open_blue").expect("there is one")));
    let there = fish(&room);
    room.demo.settle_population();
    room.frame();
    assert_eq!((fish(&room), room.demo.makes_fish()), (there, false));
}

#[test]
fn numbers_of_species_that_a_file_has_no_more_do_not_keep_it_from_being_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    for (base, species) in [("sardines", "sardine"), ("tangs", "blue_tang")] {
        let text = SMALL.replace("sardine", species);
        std::fs::write(folder.path().join(format!("{base}.toml")), text).expect("written");
    }
    let turn_to = |base: &str| std::fs::write(&file, format!("extends = \"{base}.toml\"\n")).expect("written");
    turn_to("sardines");
    let scene = file.display().to_string();
    let mut room = Room::open(Driver::NullCard, folder, &scene, (64, 36), &[]).expect("it opens");
    for action in [Action::Reload, Action::Reset] {
        turn_to("sardines");
        room.press(Action::Reload);
        tap(&mut room, Action::MoreFish);
        tap(&mut room, Action::Torch);
        assert_eq!((fish(&room), room.demo.session.edits.iter().len()), (9, 1));
        turn_to("tangs");
        room.press(action);
        assert!(room.demo.panels.error("scene").is_none(), "{action:?}: {}", said(&room));
        let session = &room.demo.session;
        assert_eq!((&*session.config.scene.species[0].name, fish(&room)), ("blue_tang", 7), "{action:?}");
        assert!(session.edits.is_empty(), "{action:?}: {}", session.edits.command_line());
    }
}

#[test]
fn a_scene_opened_again_has_the_fish_of_its_file() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    let index = BUILTIN_SCENES.iter().position(|scene| scene.name == "open_blue").expect("there is one");
    room.press(Action::Scene(index));
    let in_file = fish(&room);
    assert!(in_file > 1000, "{in_file}: enough that they are made in the background");
    tap(&mut room, Action::MoreFish);
    assert!(room.demo.makes_fish());
    room.press(Action::Scene(index));
    room.demo.settle_population();
    room.frame();
    assert_eq!((fish(&room), room.demo.makes_fish()), (in_file, false));
}

#[test]
fn a_crowd_that_is_not_wanted_any_more_ends_before_another_begins() {
    let mut room = crowd();
    tap(&mut room, Action::MoreFish);
    room.demo.forget_population();
    (0..2).for_each(|_| tap(&mut room, Action::MoreFish));
    while fish(&room) != 2656 {
        assert!([1700, 2125].contains(&fish(&room)), "{}: neither lost nor doubled", fish(&room));
        room.frame();
        std::thread::yield_now();
    }
    room.frame();
    assert_eq!((fish(&room), room.demo.makes_fish()), (2656, false));
}

#[test]
fn a_crowd_waits_for_the_end_of_photo_mode() {
    let mut room = crowd();
    tap(&mut room, Action::MoreFish);
    room.press(Action::Photo);
    while !room.demo.crowd.is_done() {
        std::thread::yield_now();
    }
    room.frame();
    assert_eq!(fish(&room), 1700);
    room.press(Action::Photo);
    room.frame();
    assert_eq!(fish(&room), 2125);
}

#[test]
fn more_than_there_can_be_are_not_asked_for_and_what_is_refused_changes_nothing() {
    let room = crowd();
    assert_eq!(room.demo.session.fish_times(1e6), 1_000_000);
    let mut room = Room::new(Driver::NullCard, &SMALL.replace("count = 7", "count = 2000\nbehaviour = \"cruiser\""));
    let before = room.demo.session.world().animals();
    tap(&mut room, Action::MoreFish);
    assert!(room.demo.panels.error("scene").is_some_and(|text| text.contains("no species that schools")));
    assert_eq!((room.demo.session.world().animals(), room.demo.makes_fish()), (before, false));
    assert!(matches!(room.demo.session.newcomers(1_000_001), Err(AppError::Fish(1_000_001, FishError::TooMany))));
}

#[test]
fn no_recording_begins_while_a_crowd_is_made() {
    let mut room = crowd();
    tap(&mut room, Action::MoreFish);
    tap(&mut room, Action::Benchmark);
    room.frame();
    assert!(!room.demo.benchmark.is_recording());
    room.demo.settle_population();
    assert_eq!(fish(&room), 2125);
}
