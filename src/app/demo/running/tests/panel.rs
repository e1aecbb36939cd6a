//! The panel of settings, worked with.

use egui::{Event, Modifiers, PointerButton, Pos2, pos2};

use super::room::{Driver, Room, SMALL};
use crate::app::demo::input::{Action, Input};

/// A demo of a window that the panel leaves some room in.
fn room() -> Room {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, SMALL).expect("written");
    Room::open(Driver::NullCard, folder, &file.display().to_string(), (1280, 720), &[]).expect("it opens")
}

/// What the window tells of a pointer that goes to `at` and of a button there.
fn press(room: &mut Room, at: Pos2, down: bool) {
    room.take(Input::Ui(Event::PointerMoved(at)));
    let modifiers = Modifiers::NONE;
    room.take(Input::Ui(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed: down, modifiers }));
    room.take(Input::Button { down });
}

#[test]
fn a_press_on_the_panel_does_not_look_round_and_one_beside_it_does() {
    let mut room = room();
    let (on_it, beside_it) = (pos2(1230.0, 40.0), pos2(300.0, 400.0));
    for (open, at, looks) in [(false, on_it, true), (true, on_it, false), (true, beside_it, true)] {
        room.demo.panels.settings.is_open = open;
        (0..2).for_each(|_| room.frame());
        press(&mut room, at, true);
        assert_eq!(room.outside.pointer_caught.get(), looks, "{open} {at}");
        press(&mut room, at, false);
        (0..30).for_each(|_| room.frame());
        // A click catches the pointer; another lets it go.
        if looks {
            press(&mut room, at, true);
            press(&mut room, at, false);
        }
        assert!(!room.outside.pointer_caught.get());
    }
}

#[test]
fn escape_closes_the_panel_before_the_window() {
    let mut room = room();
    room.press(Action::Settings);
    room.frame();
    room.press(Action::Escape);
    room.frame();
    assert!(!room.demo.is_over() && !room.demo.panels.settings.is_open);
    room.press(Action::Escape);
    assert!(room.demo.is_over());
}
