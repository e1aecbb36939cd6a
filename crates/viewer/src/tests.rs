//! Tests of the viewer without a window: on a null driver, and off-screen on a real one.

use std::fs;
use std::rc::Rc;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2};
use model::{Forward, ModelRequest};
use platform::out_folders::OutFolders;
use runtime::AppError;
use shell::messages::Messages;
use shell::test_screen::{Driver, Outside, now_s, pass};

use crate::subject::Subject;
use crate::viewing::Viewing;

const SIZE: (u32, u32) = (640, 360);

/// A viewer and the state of its test screen.
struct Room {
    viewing: Viewing,
    outside: Rc<Outside>,
    folder: tempfile::TempDir,
}

impl Room {
    /// Opens a file with a built-in model, its texture beside it.
    fn new(driver: Driver, name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for file in [format!("{name}.ms3d"), format!("{name}.png")] {
            fs::write(folder.path().join(&file), assets::read(&file).expect("a built-in model")).expect("written");
        }
        let source = folder.path().join(format!("{name}.ms3d")).display().to_string();
        let outside = Outside::new(driver, SIZE);
        outside.keeps_shown.set(true);
        let subject = Subject::new(ModelRequest::new(source)).expect("a built-in model");
        let others = (Some(0.3), OutFolders::new(folder.path().join("pictures"), None), Messages::default());
        let viewing = Viewing::new(outside.open().expect("a screen"), subject, others, now_s).expect("it opens");
        let mut room = Self { viewing, outside, folder };
        room.frames(3);
        room
    }

    /// Advances the clock and draws frames if the viewer requests them; returns how many were drawn.
    fn frames(&mut self, most: usize) -> usize {
        (0..most)
            .filter(|_| {
                pass(1.0 / 30.0);
                self.viewing.idle();
                let wants = self.outside.wants_redraw.take();
                if wants {
                    self.viewing.draw();
                }
                wants
            })
            .count()
    }

    fn press(&mut self, key: Key) {
        let event =
            |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
        [true, false].into_iter().for_each(|pressed| self.viewing.take(event(pressed)));
        self.frames(2);
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.viewing.take(Event::PointerMoved(from));
        self.frames(2);
        self.viewing.take(button(from, true));
        self.frames(1);
        self.viewing.take(Event::PointerMoved(to));
        self.frames(1);
        self.viewing.take(button(to, false));
        self.frames(2);
    }

    /// Picture on the screen.
    fn shown(&self) -> Vec<u8> {
        self.outside.shown.borrow().clone()
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.path().join("new"), bytes).expect("written");
        fs::rename(self.folder.path().join("new"), self.folder.path().join(name)).expect("moved");
    }
}

/// Number of pixels in which two pictures differ.
fn changed(a: &[u8], b: &[u8]) -> usize {
    a.chunks_exact(4)
        .zip(b.chunks_exact(4))
        .filter(|(a, b)| a[..3].iter().zip(&b[..3]).any(|(a, b)| a.abs_diff(*b) > 12))
        .count()
}

#[test]
fn every_switch_shows() {
    let mut room = Room::new(Driver::Real, "sardine");
    // The model stands still from now on, and the panel is hidden.
    [Key::Space, Key::Tab].into_iter().for_each(|key| room.press(key));
    let plain = room.shown();
    for key in [Key::W, Key::N, Key::S, Key::G, Key::C, Key::J] {
        room.press(key);
        let pixels = changed(&plain, &room.shown());
        assert!(pixels > 60, "{key:?} changes {pixels} pixels");
        room.press(key);
        assert_eq!(changed(&plain, &room.shown()), 0, "{key:?} is undone");
    }
    room.press(Key::F);
    assert!(changed(&plain, &room.shown()) > 2000, "it looks another way");
    assert_eq!(room.viewing.problem(), None);
    (1..Forward::ALL.len()).for_each(|_| room.press(Key::F));
    room.press(Key::B);
    assert!(changed(&plain, &room.shown()) > 100_000, "another backdrop");
    room.press(Key::F12);
    let pictures: Vec<_> = fs::read_dir(room.folder.path().join("pictures")).expect("made").collect();
    assert_eq!(pictures.len(), 1);
}

#[test]
fn it_moves_with_time_and_mouse_and_rests_otherwise() {
    let mut room = Room::new(Driver::NullCard, "sardine");
    assert_eq!(room.frames(20), 20, "it swims");
    room.press(Key::Space);
    room.frames(5);
    assert_eq!(room.frames(20), 0, "nothing moves");
    let rest = room.viewing.orbit();
    room.drag(pos2(100.0, 100.0), pos2(160.0, 130.0));
    let turned = room.viewing.orbit();
    assert_ne!(turned, rest);
    room.drag(pos2(600.0, 350.0), pos2(560.0, 320.0));
    assert_eq!(room.viewing.orbit(), turned, "the panel is not the model");
    room.press(Key::R);
    assert_eq!(room.viewing.orbit(), rest);
    room.press(Key::T);
    room.frames(5);
    assert_ne!(room.viewing.orbit(), rest, "a turntable");
    room.press(Key::Escape);
    assert!(matches!(room.viewing.take_outcome(), Some(Ok(()))));
}

#[test]
fn an_edit_shows_and_a_broken_one_leaves_what_was_there() {
    let mut room = Room::new(Driver::NullCard, "sardine");
    let triangles = |room: &Room| room.viewing.triangles();
    let sardine = triangles(&room);
    room.write("sardine.ms3d", b"MS3D0000");
    room.frames(30);
    let problem = room.viewing.problem().expect("it is said").to_owned();
    assert!(problem.contains("sardine.ms3d' is not a usable MS3D file"), "{problem}");
    assert_eq!(triangles(&room), sardine);
    fs::remove_file(room.folder.path().join("sardine.ms3d")).expect("it is there");
    room.frames(30);
    assert_eq!(triangles(&room), sardine, "gone for a moment");
    room.write("sardine.ms3d", assets::read("amphora.ms3d").expect("a built-in model"));
    room.frames(30);
    assert_eq!(room.viewing.problem(), None);
    assert_ne!(triangles(&room), sardine);
    room.press(Key::Period);
}

#[test]
fn odd_sizes_are_no_panic() {
    let mut room = Room::new(Driver::NullCard, "sardine");
    for size in [(1, 1), (0, 40), (300, 160), (40, 900)] {
        room.outside.size.set(size);
        room.viewing.resized(size);
        room.frames(4);
        assert!(!room.viewing.is_over(), "{size:?}");
    }
}

#[test]
fn a_lost_context_comes_back_with_the_same_picture_until_it_is_lost_too_often() {
    let mut room = Room::new(Driver::Real, "sardine");
    [Key::Space, Key::Tab, Key::W].into_iter().for_each(|key| room.press(key));
    room.drag(pos2(100.0, 100.0), pos2(160.0, 130.0));
    let before = room.shown();
    for loss in 1..=3 {
        room.outside.lost.set(true);
        room.press(Key::G);
        assert!(room.viewing.is_lost(), "{loss}");
        let Room { viewing, outside, folder } = room;
        let viewing = viewing.reopened(|_| outside.open()).expect("it opens");
        room = Room { viewing, outside, folder };
        room.press(Key::G);
        assert_eq!(changed(&before, &room.shown()), 0, "{loss}");
    }
    room.outside.lost.set(true);
    room.press(Key::G);
    assert!(matches!(room.viewing.take_outcome(), Some(Err(AppError::ContextLost(_)))));
}
