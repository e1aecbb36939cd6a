//! The settings panel in use.

use camera::{HeldKeys, Movement};
use config::Edits;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2};

use super::room::{Driver, Room, SMALL};
use crate::input::{Action, Input};
use crate::panel::{PanelCommand, add_id, remove_id, row_id};

/// A demo in a window in which the panel leaves some room.
fn room() -> Room {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, SMALL).expect("written");
    Room::open(Driver::NullCard, folder, &file.display().to_string(), (1280, 720), &[]).expect("it opens")
}

/// Sends the window's events for a pointer that goes to `at` and for a button there.
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

fn path(keys: &str) -> Vec<String> {
    keys.split('.').map(str::to_owned).collect()
}

/// Opens the panel and lets it be laid out.
fn open(room: &mut Room) {
    room.press(Action::Settings);
    (0..3).for_each(|_| room.frame());
}

/// Point in the row of `keys`, `along` (0..1) its width.
fn on_row(room: &Room, keys: &str, along: f32) -> Pos2 {
    let stage = room.demo.stage.as_ref().expect("it is shown");
    let row = stage.egui().expect("there is an overlay").read_response(row_id(&path(keys)));
    let rect = row.unwrap_or_else(|| panic!("{keys} is in sight")).rect;
    pos2(rect.left() + along * rect.width(), rect.center().y)
}

/// Presses the button of that id.
fn click(room: &mut Room, button: egui::Id) {
    let egui = room.demo.stage.as_ref().expect("it is shown").egui().expect("there is an overlay").clone();
    let at = egui.read_response(button).expect("it is in sight").rect.center();
    for down in [true, false] {
        press(room, at, down);
        room.frame();
    }
    (0..4).for_each(|_| room.frame());
}

fn key(room: &mut Room, key: Key, modifiers: Modifiers) {
    room.take(Input::Ui(Event::ModifiersChanged(modifiers)));
    for pressed in [true, false] {
        room.take(Input::Ui(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }));
    }
    room.take(Input::Ui(Event::ModifiersChanged(Modifiers::NONE)));
    (0..3).for_each(|_| room.frame());
}

/// Changes a value, as a widget does.
fn set(room: &mut Room, keys: &str, value: impl Into<toml::Value>) {
    let mut edits = room.demo.session.edits.clone();
    edits.set(&path(keys), value.into(), &room.demo.session.values());
    room.demo.panels.settings.asked.push(PanelCommand::Change(edits));
    (0..3).for_each(|_| room.frame());
}

fn file(room: &Room) -> String {
    std::fs::read_to_string(room.path("mine.toml")).expect("it is there")
}

fn write(room: &Room, text: &str) {
    std::fs::write(room.path("mine.toml"), text).expect("written");
}

/// Lets so much time pass that an edit of a file is seen.
fn look(room: &mut Room) {
    for _ in 0..6 {
        super::room::pass(0.3);
        room.frame();
    }
}

#[test]
fn a_slider_that_is_dragged_changes_the_sea_at_once_and_is_one_change_to_undo() {
    let mut room = room();
    open(&mut room);
    let before = room.demo.session.config.scene.water.turbidity;
    let at = on_row(&room, "water.turbidity", 0.55);
    press(&mut room, at, true);
    room.frame();
    for step in 1_u8..4 {
        room.take(Input::Ui(Event::PointerMoved(at + egui::vec2(8.0 * f32::from(step), 0.0))));
        (0..2).for_each(|_| room.frame());
        assert_ne!(room.demo.session.config.scene.water.turbidity, before, "while it is dragged");
    }
    press(&mut room, at + egui::vec2(24.0, 0.0), false);
    (0..3).for_each(|_| room.frame());
    assert_eq!(room.demo.session.edits.iter().len(), 1);
    key(&mut room, Key::Z, Modifiers::CTRL | Modifiers::COMMAND);
    assert_eq!(room.demo.session.config.scene.water.turbidity, before);
    key(&mut room, Key::Y, Modifiers::CTRL | Modifiers::COMMAND);
    assert_ne!(room.demo.session.config.scene.water.turbidity, before);
    assert!(!room.outside.pointer_caught.get());
}

#[test]
fn what_takes_long_waits_until_it_is_let_go_of_and_says_so() {
    let mut room = room();
    open(&mut room);
    let at = on_row(&room, "water.turbidity", 0.1);
    press(&mut room, at, true);
    room.frame();
    set(&mut room, "species.sardine.count", 3);
    assert_eq!(room.demo.session.world().animals(), 7, "not while the button is down");
    assert!(room.demo.panels.settings.is_working);
    press(&mut room, at, false);
    (0..3).for_each(|_| room.frame());
    assert_eq!(room.demo.session.world().animals(), 3);
    assert!(!room.demo.panels.settings.is_working);
}

#[test]
fn lists_are_added_to_and_taken_from_with_buttons_and_saved() {
    let mut room = room();
    open(&mut room);
    // A search lists only its matches.
    key(&mut room, Key::F, Modifiers::CTRL | Modifiers::COMMAND);
    room.take(Input::Ui(Event::Text("lights".into())));
    key(&mut room, Key::Enter, Modifiers::NONE);
    let lights = |room: &Room| room.demo.session.config.scene.lights.len();
    assert_eq!(lights(&room), 0);
    click(&mut room, add_id(&path("lights")));
    assert_eq!((lights(&room), room.demo.session.edits.command_line().as_str()), (1, "--set 'lights.light={  }'"));
    key(&mut room, Key::S, Modifiers::CTRL | Modifiers::COMMAND);
    assert_eq!(file(&room), format!("{SMALL}\n[[lights]]\nname = \"light\"\n"));
    assert_eq!(lights(&room), 1);
    click(&mut room, remove_id(&path("lights.light")));
    assert_eq!(lights(&room), 0);
    key(&mut room, Key::Z, Modifiers::CTRL | Modifiers::COMMAND);
    assert_eq!(lights(&room), 1, "it can be undone");
}

#[test]
fn keys_that_fill_in_a_field_do_nothing_else() {
    let mut room = room();
    open(&mut room);
    key(&mut room, Key::F, Modifiers::CTRL | Modifiers::COMMAND);
    for action in [Action::Pause, Action::Mind, Action::Settings] {
        room.press(action);
    }
    room.take(Input::Movement { movement: Movement::Forward, down: true });
    assert!(!room.demo.session.paused && !room.demo.panels.mind && room.demo.panels.settings.is_open);
    assert_eq!(room.demo.controls.held, HeldKeys::default());
    for is_open in [true, false] {
        room.take(Input::Ui(Event::Key {
            key: Key::Escape,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        }));
        room.press(Action::Escape);
        (0..2).for_each(|_| room.frame());
        assert_eq!(room.demo.panels.settings.is_open, is_open, "the field first, then the panel");
    }
    assert!(!room.demo.is_over());
}

#[test]
fn saving_keeps_comments_and_is_not_taken_for_an_edit_of_somebody_else() {
    let mut room = room();
    write(&room, &format!("# my bay\n[water]\ntype = \"IA\" # clear\n{SMALL}"));
    look(&mut room);
    open(&mut room);
    set(&mut room, "water.type", "3C");
    assert_eq!(room.demo.session.config.scene.water.kind.to_string(), "3C");
    assert!(file(&room).contains("type = \"IA\" # clear"), "not saved yet");
    key(&mut room, Key::S, Modifiers::CTRL | Modifiers::COMMAND);
    assert_eq!(file(&room), format!("# my bay\n[water]\ntype = \"3C\" # clear\n{SMALL}"));
    assert!(room.demo.session.edits.is_empty());
    assert!(!room.demo.session.is_edited() && !room.demo.session.is_edited());
    // Before it was saved the water was another.
    key(&mut room, Key::Z, Modifiers::CTRL | Modifiers::COMMAND);
    assert_eq!(room.demo.session.config.scene.water.kind.to_string(), "IA");
    assert!(file(&room).contains("type = \"3C\" # clear"));
}

#[test]
fn an_edit_of_the_file_leaves_the_changes_on_top() {
    let mut room = room();
    open(&mut room);
    set(&mut room, "sun.elevation_deg", 12.0);
    write(&room, &format!("{SMALL}[water]\ntype = \"5C\"\n"));
    look(&mut room);
    let scene = &room.demo.session.config.scene;
    assert_eq!((scene.water.kind.to_string().as_str(), scene.sun.elevation_deg), ("5C", 12.0));
    room.demo.panels.settings.asked.push(PanelCommand::Change(Edits::default()));
    (0..3).for_each(|_| room.frame());
    assert_ne!(room.demo.session.config.scene.sun.elevation_deg, 12.0, "reverted");
}

#[test]
fn a_file_that_is_broken_or_gone_is_said_and_loses_nothing() {
    let mut room = room();
    open(&mut room);
    set(&mut room, "water.type", "3C");
    write(&room, "[water\n");
    key(&mut room, Key::S, Modifiers::CTRL | Modifiers::COMMAND);
    assert_eq!(file(&room), "[water\n");
    let said = room.demo.panels.error("save").expect("it is said").to_owned();
    assert!(said.contains("mine.toml:1:"), "{said}");
    std::fs::remove_file(room.path("mine.toml")).expect("it was there");
    (0..2).for_each(|_| look(&mut room));
    let said = room.demo.panels.error("file").expect("it is said").to_owned();
    assert!(said.contains("mine.toml is gone"), "{said}");
    key(&mut room, Key::S, Modifiers::CTRL | Modifiers::COMMAND);
    let said = room.demo.panels.error("save").expect("it is said").to_owned();
    assert!(said.contains("mine.toml") && said.contains("\"Save as new\""), "{said}");
    assert_eq!(room.demo.session.config.scene.water.kind.to_string(), "3C");
    assert_eq!(room.demo.session.edits.iter().len(), 1);
    // Mended, and saved after all.
    write(&room, SMALL);
    key(&mut room, Key::S, Modifiers::CTRL | Modifiers::COMMAND);
    assert!(file(&room).contains("type = \"3C\"") && room.demo.session.edits.is_empty());
    write(&room, &format!("{SMALL}\n"));
    look(&mut room);
    assert_eq!(room.demo.panels.error("file"), None, "it is back");
}

#[test]
fn a_new_file_says_what_differs_and_is_the_scene_from_then_on() {
    let mut room = room();
    open(&mut room);
    set(&mut room, "water.type", "3C");
    room.demo.panels.settings.asked.push(PanelCommand::SaveAsNew);
    (0..3).for_each(|_| room.frame());
    let new = room.path("my-mine.toml");
    let text = std::fs::read_to_string(&new).expect("written");
    assert_eq!(text, format!("extends = \"{}\"\n\n[water]\ntype = \"3C\"\n", room.path("mine.toml").display()));
    assert_eq!((file(&room).as_str(), room.demo.session.file()), (SMALL, Some(new)));
    assert_eq!(room.demo.session.config.scene.water.kind.to_string(), "3C");
}

#[test]
fn the_panel_fits_small_and_fine_screens() {
    for size in [(1, 1), (160, 90), (300, 160), (800, 450)] {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = folder.path().join("mine.toml");
        std::fs::write(&scene, SMALL).expect("written");
        let mut room = Room::open(Driver::NullCard, folder, &scene.display().to_string(), size, &[]).expect("it opens");
        open(&mut room);
        let ctx = room.demo.stage.as_ref().expect("it is shown").egui().expect("an overlay").clone();
        let panel = ctx.memory(|memory| memory.area_rect(egui::Id::unique("settings")));
        let screen = ctx.content_rect().expand(1.0);
        // On a screen of one pixel no panel is laid out.
        assert_eq!(
            panel.map(|panel| screen.contains_rect(panel)),
            (size.0 > 1).then_some(true),
            "{panel:?} in {screen}"
        );
    }
}

/// Distance of the lowest visible row from the screen's lower edge. Unit: points.
fn room_below_rows(size: (u32, u32)) -> f32 {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = folder.path().join("mine.toml");
    std::fs::write(&scene, SMALL).expect("written");
    let mut room = Room::open(Driver::NullCard, folder, &scene.display().to_string(), size, &[]).expect("it opens");
    open(&mut room);
    let ctx = room.demo.stage.as_ref().expect("it is shown").egui().expect("an overlay").clone();
    let values = room.demo.session.values();
    let keys = |group: &str| values[group].as_table().expect("a table").keys().cloned().collect::<Vec<_>>();
    let rows = ["water", "sun"].map(|group| keys(group).into_iter().map(move |key| [group.to_owned(), key]));
    let rows = rows.into_iter().flatten().filter_map(|path| ctx.read_response(row_id(&path)));
    let lowest = rows.map(|row| row.rect.intersect(row.interact_rect).bottom()).fold(0.0, f32::max);
    ctx.content_rect().bottom() - lowest
}

#[test]
fn rows_have_the_room_of_the_help_on_low_screens() {
    let (low, high) = (room_below_rows((960, 540)), room_below_rows((1280, 720)));
    assert!(low < 45.0 && high > 80.0, "{low} {high}");
}
