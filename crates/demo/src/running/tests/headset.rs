//! A headset, whose runtime is this test: put on, looked round, pointed, turned, taken off, and put on again.

use glam::{Quat, Vec2, Vec3};
use image::{ExtendedColorType, save_buffer};
use render::Stereo;

use super::room::{Driver, Room, SMALL};
use crate::headset::{Hand, HeadsetEye, HeadsetFrame};
use crate::input::Input;

/// Pictures of both eyes, side by side. Unit: pixels.
const SIZE: (u32, u32) = (640, 360);

/// A head that is turned by `yaw` (rad), with lenses such as headsets have.
fn head(yaw: f32, hands: [Option<Hand>; 2]) -> HeadsetFrame {
    let orientation = Quat::from_rotation_y(yaw);
    let eye = |side: f32| HeadsetEye {
        place: Vec3::new(0.0, 1.6, 0.0) + orientation * Vec3::X * (side * 0.032),
        orientation,
        across: if side < 0.0 { [-1.2, 0.85] } else { [-0.85, 1.2] },
        upright: [-1.25, 0.95],
    };
    HeadsetFrame { eyes: vec![eye(-1.0), eye(1.0)], hands }
}

/// Draws a moment; returns the mean brightness of the left eye's picture and of the right one's.
fn draw(room: &mut Room, frame: HeadsetFrame) -> [f32; 2] {
    room.demo.wear(frame);
    room.outside.keeps_shown.set(true);
    room.frame();
    let shown = room.outside.shown.borrow();
    let width = room.outside.size.get().0 as usize;
    [0, 1].map(|eye| {
        let rows = shown.chunks_exact(4 * width).map(|row| &row[eye * 2 * width..][..2 * width]);
        let bytes: Vec<u8> = rows.flatten().copied().collect();
        bytes.iter().map(|&byte| f32::from(byte)).sum::<f32>() / bytes.len().max(1) as f32
    })
}

#[test]
fn a_session_shows_the_sea_to_both_eyes_and_leaves_all_as_it_was() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    let place = room.demo.frame.camera.eye;
    for _ in 0..2 {
        draw(&mut room, head(0.0, [None; 2]));
        assert_eq!(room.demo.frame.headset.eyes.len(), 2);
        assert!(room.demo.frame.camera.eye.distance(place) < 1e-4, "the head begins where the eye was");
        // A swim of a second, and a turn.
        let hand = |stick: Vec2| Some(Hand { stick, ..Hand::default() });
        for _ in 0..60 {
            draw(&mut room, head(0.0, [hand(Vec2::Y), hand(Vec2::X)]));
        }
        assert!((room.demo.frame.camera.eye.distance(place) - 1.0).abs() < 0.05);
        assert_eq!(room.demo.stage.as_ref().map(|stage| stage.stereo()), Some(Stereo::SideBySide));
        let (head_at, looked) = (room.demo.frame.camera.eye, room.demo.frame.camera.orientation);
        room.demo.take_off();
        room.frame();
        assert_eq!(room.demo.stage.as_ref().map(|stage| stage.stereo()), Some(Stereo::Off));
        let camera = room.demo.frame.camera;
        assert_eq!(room.demo.frame.headset.narrowing, 0.0, "it was taken off in the middle of a swim");
        assert!(room.demo.frame.headset.eyes.is_empty() && camera.eye.distance(head_at) < 1e-3);
        assert!((camera.orientation * Vec3::NEG_Z).dot(looked * Vec3::NEG_Z) > 0.999);
        // Back to the beginning, for another session.
        room.press(crate::input::Action::Reset);
        room.frame();
        assert!(room.demo.frame.camera.eye.distance(place) < 1e-4);
    }
}

#[test]
fn panels_stand_in_the_sea_and_hands_act_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut room = match Room::open(Driver::Real, folder, "reef", SIZE, &["render.quality=low".into()]) {
        Ok(room) => room,
        Err(error) => {
            assert!(std::env::var_os("REQUIRE_GL").is_none(), "{error}");
            return;
        }
    };
    let pointing = |trigger: bool| {
        let aim = (Vec3::new(0.2, 1.3, -0.3), Vec3::new(0.0, -0.05, -1.0).normalize());
        Some(Hand { aim, trigger, ..Hand::default() })
    };
    let before = draw(&mut room, head(0.0, [None, pointing(false)]));
    assert!(before.iter().all(|mean| *mean > 30.0) && before[0] != before[1], "{before:?}");
    assert!(!room.demo.panels.mind);
    draw(&mut room, head(0.0, [None, pointing(true)]));
    assert!(room.demo.panels.mind, "the trigger shows a mind");
    let steps = |room: &mut Room| draw(room, head(0.0, [None, pointing(true)]));
    for _ in 0..8 {
        steps(&mut room);
    }
    assert!(room.demo.panels.mind, "and holding it changes nothing");
    if let Some(file) = std::env::var_os("PELAGIC_KEEP") {
        let shown = room.outside.shown.borrow();
        save_buffer(file, &shown, SIZE.0, SIZE.1, ExtendedColorType::Rgba8).expect("a file");
    }
    // Another size, as of a governor of the runtime.
    room.outside.size.set((320, 180));
    room.take(Input::Resized((320, 180)));
    let smaller = steps(&mut room);
    assert!(smaller.iter().all(|mean| *mean > 20.0), "{smaller:?}");
}
