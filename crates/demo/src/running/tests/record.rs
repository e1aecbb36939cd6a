//! B: the announcement, the recording, and the folder that it goes to when its own does not take it.

use std::fs;
use std::path::{Path, PathBuf};

use bench::ladder::RUNGS;
use bench::live::Length;
use bench::live_ladder;
use platform::out_folders::OutFolders;
use serde_json::Value;

use super::room::{Driver, Room, SMALL};
use crate::input::{Action, Input};

const FRAMES: u32 = Length::USUAL.frames;

fn begun(driver: Driver) -> Room {
    let mut room = Room::new(driver, SMALL);
    room.frame();
    room
}

/// Presses B and lets frames pass until the recording has begun.
fn record(room: &mut Room) {
    room.press(Action::Benchmark);
    (0..1000).find(|_| {
        room.frame();
        room.demo.benchmark.is_recording()
    });
    assert!(room.demo.benchmark.is_recording(), "it begins");
}

fn frames(room: &mut Room, count: u32) {
    (0..count).for_each(|_| room.frame());
}

/// The folders of results in `name`.
fn results(room: &Room, name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(room.path(name)).map(|entries| entries.map(|entry| entry.expect("an entry").path()));
    entries.map(Iterator::collect).unwrap_or_default()
}

fn report(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("result.json")).expect("written")).expect("JSON")
}

#[test]
fn it_says_how_long_how_to_stop_and_where_before_anything_is_recorded() {
    let mut room = begun(Driver::NullCard);
    frames(&mut room, 30);
    room.press(Action::Benchmark);
    room.frame();
    let said = room.demo.panels.texts().join("\n");
    for part in ["in 3 s: ", "300 frames, about 5 s (20 s at most)", "B stops it", "recordings"] {
        assert!(said.contains(part), "\"{part}\" is not in {said}");
    }
    assert!(!room.demo.benchmark.is_recording());
    frames(&mut room, 60);
    assert!(room.demo.panels.texts().join("\n").contains("in 2 s: "));
    assert!(!room.demo.benchmark.is_recording());
    frames(&mut room, 150);
    assert!(room.demo.benchmark.is_recording());
    assert_eq!(*room.outside.title.borrow(), "Pelagic: recording, 20 s at most; B stops");
    frames(&mut room, 120);
    assert_eq!(*room.outside.title.borrow(), "Pelagic: recording, 20 s at most; B stops", "nothing else is said");
    frames(&mut room, FRAMES);
    assert!(!room.demo.benchmark.is_recording(), "it ends by itself");
    assert!(!room.outside.title.borrow().contains("recording"));
    room.demo.finish_saving();
    let [folder] = results(&room, "recordings").try_into().expect("one result");
    let report = report(&folder);
    assert_eq!((&report["aborted"], &report["runs"][0]["n"]), (&false.into(), &FRAMES.into()));
}

#[test]
fn b_calls_off_what_has_not_begun_and_so_does_what_covers_the_window() {
    for input in [Input::Action { action: Action::Benchmark, repeat: false }, Input::Covered(true)] {
        let mut room = begun(Driver::NullCard);
        room.press(Action::Benchmark);
        frames(&mut room, 30);
        assert_eq!(results(&room, "recordings").len(), 1, "the folder is claimed");
        room.take(input.clone());
        room.uncover();
        frames(&mut room, 300);
        assert!(!room.demo.benchmark.is_recording() && results(&room, "recordings").is_empty(), "{input:?}");
    }
}

#[test]
fn what_is_stopped_is_written_marked_and_with_a_picture() {
    let mut room = begun(Driver::Real);
    record(&mut room);
    frames(&mut room, 30);
    room.press(Action::Benchmark);
    room.demo.finish_saving();
    let [folder] = results(&room, "recordings").try_into().expect("one result");
    let report = report(&folder);
    assert_eq!((&report["aborted"], &report["runs"][0]["valid"]), (&true.into(), &false.into()));
    assert!(report["runs"][0]["n"].as_u64().is_some_and(|n| n > 10), "{}", report["runs"][0]);
    let page = fs::read_to_string(folder.join("report.html")).expect("written");
    assert!(page.contains("<img src=\"data:image/jpeg;base64,") && page.contains("aborted"));
}

#[test]
fn whatever_changes_the_picture_ends_it_and_is_named() {
    let key = |action| Input::Action { action, repeat: false };
    for (input, what) in [
        (key(Action::Pause), "a pause or its end"),
        (key(Action::SingleStep), "a single step"),
        (key(Action::Food), "food"),
        (key(Action::Predator), "another predator"),
        (Input::Frighten(None), "a fright"),
        (key(Action::Camera), "another camera"),
        (key(Action::Species { before: false }), "another camera"),
        (key(Action::Stereo), "another picture"),
        (key(Action::Photo), "photo mode"),
        (key(Action::Screenshot), "a picture's being taken"),
        (key(Action::Film), "a film"),
        (key(Action::Torch), "a change of the scene"),
        (key(Action::Reset), "a change of the scene"),
        (Input::Resized((70, 40)), "the window's being resized"),
        (Input::FocusLost, "the window's losing its focus"),
    ] {
        let mut room = begun(Driver::NullCard);
        record(&mut room);
        frames(&mut room, 30);
        assert!(room.demo.benchmark.is_recording());
        room.take(input.clone());
        room.frame();
        assert!(!room.demo.benchmark.is_recording(), "{input:?}");
        room.demo.finish_saving();
        let [folder] = results(&room, "recordings").try_into().expect("one result");
        let notes = report(&folder)["runs"][0]["notes"].to_string();
        assert!(notes.contains(what), "{input:?}: {notes}");
    }
}

#[test]
fn a_lost_context_ends_it_and_what_was_measured_is_written() {
    let mut room = begun(Driver::NullCard);
    record(&mut room);
    frames(&mut room, 30);
    room.outside.lost.set(true);
    frames(&mut room, 2);
    room.demo.finish_saving();
    let [folder] = results(&room, "recordings").try_into().expect("one result");
    assert!(report(&folder)["runs"][0]["notes"].to_string().contains("the loss of the graphics context"));
}

#[test]
fn a_folder_that_cannot_be_written_is_found_at_once_and_the_next_one_taken() {
    let mut room = begun(Driver::NullCard);
    fs::write(room.path("recordings"), "in the way").expect("written");
    room.press(Action::Benchmark);
    assert!(!room.demo.benchmark.is_busy());
    let said = room.demo.panels.error("benchmark").expect("it says why").to_owned();
    assert!(said.contains("recordings") && said.contains("--out"), "{said}");

    let folders = OutFolders::new(room.path("recordings"), Some(room.path("mine")));
    room.demo.benchmark.write_into(folders);
    room.press(Action::Benchmark);
    room.frame();
    let said = room.demo.panels.texts().join("\n");
    assert!(said.contains("mine") && said.contains("cannot be written"), "{said}");
    frames(&mut room, 30);
    room.press(Action::Benchmark);
    assert!(results(&room, "mine").is_empty());
}

#[test]
fn what_its_folder_does_not_take_any_more_goes_to_the_next() {
    let mut room = begun(Driver::NullCard);
    let folders = OutFolders::new(room.path("recordings"), Some(room.path("mine")));
    room.demo.benchmark.write_into(folders);
    record(&mut room);
    frames(&mut room, 30);
    fs::remove_dir_all(room.path("recordings")).expect("removed");
    fs::write(room.path("recordings"), "in the way").expect("written");
    room.press(Action::Benchmark);
    room.demo.finish_saving();
    assert_eq!(results(&room, "mine").len(), 1);
    assert!(room.demo.benchmark.unwritten() == 0 && room.demo.panels.error("benchmark").is_none());
    let said = room.demo.panels.texts().join("\n");
    assert!(said.contains("mine") && said.contains("recordings"), "{said}");
}

#[test]
fn what_no_folder_takes_is_kept_until_one_does() {
    let mut room = begun(Driver::NullCard);
    record(&mut room);
    frames(&mut room, 30);
    fs::remove_dir_all(room.path("recordings")).expect("removed");
    fs::write(room.path("recordings"), "in the way").expect("written");
    room.press(Action::Benchmark);
    room.demo.finish_saving();
    for _ in 0..2 {
        let said = room.demo.panels.error("benchmark").expect("it says why").to_owned();
        assert!(said.contains("recordings") && said.contains("then B writes it"), "{said}");
        assert_eq!(room.demo.benchmark.unwritten(), 1);
        // Not yet.
        room.press(Action::Benchmark);
        room.demo.finish_saving();
    }
    fs::remove_file(room.path("recordings")).expect("removed");
    room.press(Action::Benchmark);
    room.demo.finish_saving();
    assert!(room.demo.benchmark.unwritten() == 0 && room.demo.panels.error("benchmark").is_none());
    let [folder] = results(&room, "recordings").try_into().expect("one result");
    assert!(report(&folder)["runs"][0]["n"].as_u64().is_some_and(|n| n > 10));
}

#[test]
fn what_is_kept_at_the_end_is_written_then() {
    let mut room = begun(Driver::NullCard);
    record(&mut room);
    frames(&mut room, 30);
    fs::remove_dir_all(room.path("recordings")).expect("removed");
    fs::write(room.path("recordings"), "in the way").expect("written");
    room.press(Action::Benchmark);
    room.demo.finish_saving();
    fs::remove_file(room.path("recordings")).expect("removed");
    let Room { demo, folder, .. } = room;
    demo.finish().expect("nobody minds");
    assert_eq!(fs::read_dir(folder.path().join("recordings")).expect("made").count(), 1);
}

#[test]
fn a_picture_goes_to_the_next_folder_and_says_so() {
    let mut room = begun(Driver::NullCard);
    room.demo.options.pictures = OutFolders::new(room.path("pictures"), Some(room.path("mine")));
    fs::write(room.path("pictures"), "in the way").expect("written");
    room.press(Action::Screenshot);
    room.demo.finish_saving();
    assert_eq!(results(&room, "mine").len(), 1);
    let said = room.demo.panels.texts().join("\n");
    assert!(said.contains("picture written to ") && said.contains("pictures/"), "{said}");
}

#[test]
fn a_ladder_of_fish_is_climbed_rung_by_rung_and_left_as_it_was() {
    let mut room = begun(Driver::NullCard);
    // Asked for with the scene's options, not as a change of the scene.
    room.demo.session.options.fish = Some(9);
    room.demo.climb_ladder();
    let mut seen = Vec::new();
    while let Some(fish) = room.demo.rung().filter(|&fish| fish <= RUNGS[1]) {
        assert_eq!(room.demo.session.config.fish(), fish);
        seen.push(fish);
        frames(&mut room, live_ladder::LENGTH.frames);
    }
    seen.dedup();
    assert_eq!((&seen[..], room.demo.rung()), (&RUNGS[..2], Some(RUNGS[2])));
    room.press(Action::Benchmark);
    assert_eq!((room.demo.rung(), room.demo.session.config.fish()), (None, 9), "as many as before");
    room.demo.finish_saving();
    let [folder] = results(&room, "recordings").try_into().expect("one result");
    let report = report(&folder);
    let runs = |rung: &Value| (rung["fish"].as_u64().expect("a number"), rung["runs"].as_u64().expect("a number"));
    let rungs: Vec<_> = report["ladder"].as_array().expect("a ladder").iter().map(runs).collect();
    assert_eq!((&rungs[..], &report["aborted"]), (&[(1, 1), (100, 1), (500, 0)][..], &true.into()));
    assert!(fs::read_to_string(folder.join("report.html")).expect("written").contains("Fish and frames"));
}
