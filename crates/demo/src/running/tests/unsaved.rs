//! Unsaved changes: the question before the window closes, and their recovery when it ends otherwise.

use std::path::Path;

use egui::{Event, Key, Modifiers, PointerButton};
use tempfile::TempDir;

use super::room::{Driver, Room, SMALL, pass};
use crate::input::{Action, Input};
use crate::overlay::question::{About, Reply, reply_id};
use crate::panel::PanelCommand;

const SIZE: (u32, u32) = (640, 360);

/// A demo of `mine.toml` in a folder, in which other windows may have left something.
fn open(folder: TempDir) -> Room {
    let file = folder.path().join("mine.toml");
    if !file.exists() {
        std::fs::write(&file, SMALL).expect("written");
    }
    let mut room = Room::open(Driver::NullCard, folder, &file.display().to_string(), SIZE, &[]).expect("it opens");
    (0..2).for_each(|_| room.frame());
    room
}

fn new() -> Room {
    open(tempfile::tempdir().expect("a folder"))
}

/// The same window once more after this one has been killed.
fn killed_and_opened(room: Room) -> Room {
    let Room { demo, folder, .. } = room;
    drop(demo);
    open(folder)
}

fn change_water(room: &mut Room, water: &str) {
    let mut edits = room.demo.session.edits.clone();
    edits.set(&["water".into(), "type".into()], water.into(), &room.demo.session.values());
    room.demo.panels.settings.asked.push(PanelCommand::Change(edits));
    (0..3).for_each(|_| room.frame());
}

fn water(room: &Room) -> String {
    room.demo.session.config.scene.water.kind.to_string()
}

/// Lets so much time pass that changes are kept.
fn settle(room: &mut Room) {
    for _ in 0..4 {
        pass(0.3);
        room.demo.idle();
        while room.demo.recovery.is_writing() {
            std::thread::yield_now();
        }
    }
}

fn key(room: &mut Room, key: Key) {
    let event = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    room.take(Input::Ui(event));
}

fn click(room: &mut Room, reply: Reply) {
    (0..2).for_each(|_| room.frame());
    let egui = room.demo.stage.as_ref().expect("it is shown").egui().expect("there is an overlay").clone();
    let place: egui::Rect = egui.data(|data| data.get_temp(reply_id(reply))).expect("it is laid out");
    let (pos, button, modifiers) = (place.center(), PointerButton::Primary, Modifiers::NONE);
    room.take(Input::Ui(Event::PointerMoved(pos)));
    for pressed in [true, false] {
        room.take(Input::Ui(Event::PointerButton { pos, button, pressed, modifiers }));
        room.take(Input::Button { down: pressed });
        room.frame();
    }
    room.frame();
}

fn asks(room: &Room) -> Option<About> {
    room.demo.panels.question.as_ref().map(|question| question.about)
}

fn left(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("recovery")).map_or(0, Iterator::count)
}

#[test]
fn a_window_without_changes_closes_at_once() {
    for input in [Input::Close, Input::Action { action: Action::Escape, repeat: false }] {
        let mut room = new();
        room.take(input);
        assert!(room.demo.is_over() && room.demo.panels.question.is_none());
    }
}

#[test]
fn changes_are_asked_about_and_escape_stays() {
    for input in [Input::Close, Input::Action { action: Action::Escape, repeat: false }] {
        let mut room = new();
        change_water(&mut room, "3C");
        room.take(input);
        assert_eq!((room.demo.is_over(), asks(&room)), (false, Some(About::Leaving)));
        let text = room.demo.panels.question.as_ref().expect("it is asked").text.clone();
        assert!(text.contains("mine.toml: 1 change"), "{text}");
        // Closing once more is no reply, and no other key is heard.
        room.take(Input::Close);
        room.press(Action::Pause);
        (0..2).for_each(|_| room.frame());
        assert!(!room.demo.is_over() && asks(&room).is_some() && !room.demo.session.paused);
        room.press(Action::Escape);
        assert_eq!((room.demo.is_over(), asks(&room)), (false, None));
        assert_eq!((water(&room).as_str(), room.demo.session.edits.iter().len()), ("3C", 1));
    }
}

#[test]
fn enter_saves_and_d_discards_and_so_does_the_mouse() {
    type Answer = fn(&mut Room);
    let answers: [(Answer, bool); 4] = [
        (|room| key(room, Key::Enter), true),
        (|room| click(room, Reply::Yes), true),
        (|room| key(room, Key::D), false),
        (|room| click(room, Reply::No), false),
    ];
    for (answer, saves) in answers {
        let mut room = new();
        change_water(&mut room, "3C");
        settle(&mut room);
        assert_eq!(left(room.folder.path()), 1);
        room.take(Input::Close);
        answer(&mut room);
        assert!(room.demo.is_over());
        let Room { demo, folder, .. } = room;
        demo.finish().expect("nothing is wrong");
        let file = std::fs::read_to_string(folder.path().join("mine.toml")).expect("there");
        assert_eq!(file.contains("3C"), saves, "{file}");
        assert_eq!(left(folder.path()), 0, "what is decided is not offered");
    }
}

#[test]
fn the_mouse_can_stay_too() {
    let mut room = new();
    change_water(&mut room, "3C");
    room.take(Input::Close);
    click(&mut room, Reply::Later);
    assert_eq!((room.demo.is_over(), asks(&room)), (false, None));
    assert!(!room.outside.pointer_caught.get(), "a click on it does not look round");
}

#[test]
fn what_cannot_be_saved_keeps_the_window_open_and_says_why() {
    let mut room = new();
    change_water(&mut room, "3C");
    std::fs::remove_file(room.path("mine.toml")).expect("there");
    std::fs::create_dir(room.path("mine.toml")).expect("made");
    room.take(Input::Close);
    key(&mut room, Key::Enter);
    room.frame();
    assert_eq!((room.demo.is_over(), asks(&room)), (false, Some(About::Leaving)));
    let problem = room.demo.panels.question.as_ref().and_then(|question| question.problem.clone());
    assert!(problem.as_ref().is_some_and(|why| why.contains("it is a folder")), "{problem:?}");
    assert_eq!(room.demo.session.edits.iter().len(), 1);
}

#[test]
fn changes_of_scenes_that_were_left_are_asked_about_and_saved_too() {
    let mut room = new();
    change_water(&mut room, "3C");
    let deep = config::BUILTIN_SCENES.iter().position(|scene| scene.name == "calibration").expect("there");
    room.press(Action::Scene(deep));
    room.frame();
    assert!(room.demo.session.edits.is_empty());
    room.take(Input::Close);
    assert_eq!(asks(&room), Some(About::Leaving));
    key(&mut room, Key::Enter);
    assert!(room.demo.is_over());
    assert!(std::fs::read_to_string(room.path("mine.toml")).expect("there").contains("3C"));
}

#[test]
fn a_killed_window_s_changes_are_offered_until_somebody_decides() {
    let mut room = new();
    change_water(&mut room, "3C");
    settle(&mut room);
    let mut room = killed_and_opened(room);
    assert_eq!(asks(&room), Some(About::LeftChanges));
    assert_ne!(water(&room), "3C");
    // Later: it is offered again, however often.
    room.press(Action::Escape);
    assert_eq!((asks(&room), room.demo.is_over()), (None, false));
    let mut room = killed_and_opened(room);
    key(&mut room, Key::Enter);
    assert_eq!((asks(&room), water(&room).as_str()), (None, "3C"));
    assert_eq!(room.demo.session.edits.iter().len(), 1, "it is a change that is not saved");
    // Killed once more before anything was saved.
    let mut room = killed_and_opened(room);
    assert_eq!((asks(&room), left(room.folder.path())), (Some(About::LeftChanges), 1));
    key(&mut room, Key::D);
    assert_eq!((asks(&room), left(room.folder.path())), (None, 0));
    let room = killed_and_opened(room);
    assert_eq!(asks(&room), None);
}

#[test]
fn an_interrupted_window_leaves_its_changes_and_a_living_one_is_not_robbed() {
    let mut room = new();
    change_water(&mut room, "3C");
    settle(&mut room);
    let file = room.path("mine.toml").display().to_string();
    let (recovery, scene) = (room.path("recovery"), file.clone());
    let other = crate::recovery::Recovery::new(Some(recovery));
    assert!(other.find(&scene).is_none(), "it is still there");
    // Changes that are not kept yet are kept when it ends.
    change_water(&mut room, "II");
    room.take(Input::Interrupt);
    let Room { demo, folder, .. } = room;
    assert!(demo.finish().is_err());
    let mut room = open(folder);
    key(&mut room, Key::Enter);
    assert_eq!(water(&room), "II");
}

#[test]
fn changes_that_are_refused_by_now_stay_left() {
    let mut room = new();
    change_water(&mut room, "3C");
    settle(&mut room);
    let Room { demo, folder, .. } = room;
    drop(demo);
    let kept = folder.path().join("recovery/1/changes.toml");
    let text = std::fs::read_to_string(&kept).expect("there").replace("3C", "12X");
    std::fs::write(&kept, text).expect("written");
    let mut room = open(folder);
    key(&mut room, Key::Enter);
    let problem = room.demo.panels.question.as_ref().and_then(|question| question.problem.clone());
    assert!(problem.as_ref().is_some_and(|why| why.contains("12X")), "{problem:?}");
    assert_eq!(left(room.folder.path()), 1);
    room.press(Action::Escape);
    room.take(Input::Close);
    assert!(room.demo.is_over(), "there is nothing to save");
}
