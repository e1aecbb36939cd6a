//! A headset, whose runtime is this test: put on, looked round, pointed, turned, taken off, and put on again.

use std::rc::Rc;

use glam::{Quat, Vec2, Vec3};
use headset::mock::{self, Outside};
use headset::{Hand, HeadsetEye, HeadsetFrame, RuntimeError, SessionEvent};
use image::{ExtendedColorType, save_buffer};
use render::Stereo;

use super::room::{Driver, Room, SMALL};
use crate::aim::Sight;
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
        part: None,
    };
    HeadsetFrame { eyes: vec![eye(-1.0), eye(1.0)], hands, ..HeadsetFrame::default() }
}

/// The reef on a real driver; `None` where there is none and none is required.
fn reef(size: (u32, u32)) -> Option<Room> {
    let folder = tempfile::tempdir().expect("a folder");
    match Room::open(Driver::Real, folder, "reef", size, &["render.quality=low".into()]) {
        Ok(room) => Some(room),
        Err(error) => {
            assert!(std::env::var_os("REQUIRE_GL").is_none(), "{error}");
            None
        }
    }
}

/// Draws a moment; returns the mean brightness of the left eye's picture and of the right one's.
fn draw(room: &mut Room, frame: HeadsetFrame) -> [f32; 2] {
    room.demo.wear(frame).expect("targets");
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
fn the_first_time_in_a_scene_one_stands_in_its_place_and_hunters_are_calm_for_a_minute() {
    let place = "[camera.standing]\nat_m = [3.0, -9.0, 2.0]\ntarget_m = [-5.0, 0.0, 2.0]\n";
    let mut room = Room::new(Driver::NullCard, &format!("{SMALL}{place}"));
    room.frame();
    let home = room.demo.frame.camera.eye;
    draw(&mut room, head(0.4, [None; 2]));
    let camera = room.demo.frame.camera;
    assert!(camera.eye.distance(Vec3::new(3.0, -9.0 + 1.6, 2.0)) < 1e-4, "{}", camera.eye);
    assert!((camera.orientation * Vec3::NEG_Z).dot(Vec3::NEG_X) > 0.999, "the target is ahead");
    let is_quiet = |room: &Room, time_s: f64| room.demo.session.visit.is_quiet(time_s);
    assert!(is_quiet(&room, 59.0) && !is_quiet(&room, 61.0));
    // A swim, and the headset put off and on again.
    let hand = Some(Hand { stick: Vec2::Y, ..Hand::default() });
    for _ in 0..30 {
        draw(&mut room, head(0.4, [hand, None]));
    }
    let left = room.demo.frame.camera.eye;
    assert!(left.distance(camera.eye) > 0.3);
    room.demo.take_off();
    room.frame();
    assert!(!is_quiet(&room, 1.0));
    draw(&mut room, head(0.0, [None; 2]));
    assert!(room.demo.frame.camera.eye.distance(left) < 1e-3, "where one has left");
    // The scene from its beginning, while the headset is worn.
    room.press(crate::input::Action::Reset);
    draw(&mut room, head(0.0, [None; 2]));
    draw(&mut room, head(0.0, [None; 2]));
    assert!(room.demo.frame.camera.eye.distance(camera.eye) < 1e-3, "{}", room.demo.frame.camera.eye);
    assert!(camera.eye.distance(home) > 1.0);
}

#[test]
fn panels_stand_in_the_sea_and_hands_act_there() {
    let Some(mut room) = reef(SIZE) else { return };
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

#[test]
fn hands_are_seen_and_work_the_settings() {
    let Some(mut room) = reef(SIZE) else { return };
    // At the middle of the sheet, 2 m ahead and 0.25 m below the eyes.
    let aim = (Vec3::new(0.2, 1.3, -0.3), (Vec3::new(0.0, 1.35, -2.0) - Vec3::new(0.2, 1.3, -0.3)).normalize());
    let right = |trigger: bool| Some(Hand { aim, trigger, ..Hand::default() });
    let left = |first: bool| Some(Hand { aim: (Vec3::new(-0.2, 1.0, 0.3), Vec3::Z), first, ..Hand::default() });
    let without = draw(&mut room, head(0.0, [None; 2]));
    let with = draw(&mut room, head(0.0, [left(false), right(false)]));
    assert_ne!(without, with, "lines and spots");
    let line = room.demo.frame.headset.pointers.last().copied().expect("the right hand's");
    assert!(line[0].distance(line[1]) > 0.5, "{line:?}");
    draw(&mut room, head(0.0, [left(true), right(false)]));
    assert!(room.demo.panels.settings.is_open, "the left hand's first button opens the settings");
    draw(&mut room, head(0.0, [left(false), right(false)]));
    draw(&mut room, head(0.0, [left(false), right(true)]));
    let egui = room.demo.stage.as_ref().and_then(|stage| stage.egui()).expect("panels").clone();
    let (at, is_down) = egui.input(|input| (input.pointer.latest_pos(), input.pointer.primary_down()));
    let middle = 0.5 * egui.content_rect().size();
    assert!(at.is_some_and(|at| (at.to_vec2() - middle).length() < 2.0) && is_down, "{at:?} of {middle}, {is_down}");
    assert!(!room.demo.panels.mind, "the trigger is for the panel");
    if let Some(file) = std::env::var_os("PELAGIC_KEEP") {
        save_buffer(file, &room.outside.shown.borrow(), SIZE.0, SIZE.1, ExtendedColorType::Rgba8).expect("a file");
    }
    draw(&mut room, head(0.0, [left(true), right(true)]));
    draw(&mut room, head(0.0, [left(false), right(true)]));
    assert!(!room.demo.panels.settings.is_open && !egui.input(|input| input.pointer.primary_down()), "it is let go");
    draw(&mut room, head(0.0, [left(false), right(false)]));
    draw(&mut room, head(0.0, [left(false), right(true)]));
    assert!(room.demo.panels.mind);
}

/// A room with a headset of that runtime, whose session begins, before which a frame was drawn.
fn with_headset(driver: Driver, eye_extent: (u32, u32)) -> (Room, Rc<Outside>) {
    let mut room = Room::new(driver, SMALL);
    room.frame();
    let outside = connect(&mut room, eye_extent);
    (room, outside)
}

fn connect(room: &mut Room, eye_extent: (u32, u32)) -> Rc<Outside> {
    let outside = Rc::new(Outside::default());
    outside.moment.replace(head(0.0, [None; 2]));
    outside.events.borrow_mut().push_back(SessionEvent::Ready);
    let gl = room.demo.screen().expect("a screen").gl();
    room.demo.connect(Ok(mock::runtime(&gl, eye_extent, &outside)));
    outside
}

fn stage_size(room: &Room) -> (u32, u32) {
    room.demo.stage.as_ref().expect("a stage").size()
}

#[test]
fn a_runtime_keeps_the_pace_while_its_session_runs() {
    let (mut room, headset) = with_headset(Driver::NullCard, (80, 90));
    let window = room.outside.size.get();
    room.outside.vsync.set(true);
    for _ in 0..3 {
        room.frame();
    }
    assert_eq!((headset.shown.get(), stage_size(&room)), (3, (160, 90)));
    assert!(!room.outside.vsync.get(), "one pace, not two");
    // A window that nobody sees, and one of another size.
    room.outside.minimised.set(true);
    room.outside.size.set((70, 40));
    room.take(Input::Resized((70, 40)));
    room.frame();
    assert_eq!((headset.shown.get(), stage_size(&room)), (4, (160, 90)));
    room.outside.minimised.set(false);
    // Frames that are not seen, and a head that nothing is known of, are gone along with.
    headset.is_hidden.set(true);
    room.frame();
    headset.is_hidden.set(false);
    headset.moment.replace(HeadsetFrame::default());
    room.frame();
    headset.moment.replace(head(0.3, [None; 2]));
    room.frame();
    assert_eq!((headset.shown.get(), room.demo.frame.headset.eyes.len()), (5, 2));
    // Put down, and put on again.
    headset.events.borrow_mut().push_back(SessionEvent::Stopping);
    room.frame();
    assert_eq!((headset.shown.get(), stage_size(&room)), (5, (70, 40)));
    assert!(room.demo.frame.headset.eyes.is_empty() && room.outside.vsync.get() && !room.demo.runs_headset());
    headset.events.borrow_mut().push_back(SessionEvent::Ready);
    room.frame();
    room.frame();
    assert_eq!((headset.shown.get(), stage_size(&room)), (7, (160, 90)));
    // Left by the runtime's menu.
    headset.events.borrow_mut().extend([SessionEvent::Stopping, SessionEvent::Over]);
    room.frame();
    assert!(headset.is_gone.get() && stage_size(&room) == (70, 40) && window != (70, 40));
    assert!(room.demo.panels.texts().iter().any(|text| text.contains("ended its session")));
    room.frame();
}

#[test]
fn a_window_that_was_never_seen_keeps_no_headset_waiting() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.demo.close_loading_screen();
    room.take(Input::Covered(true));
    let headset = connect(&mut room, (32, 32));
    for _ in 0..3 {
        room.frame();
    }
    assert_eq!(headset.shown.get(), 3);
    // Another scene arrives, too.
    let scene = config::BUILTIN_SCENES.iter().position(|scene| scene.name == "open_blue").expect("a scene");
    room.take(Input::Action { action: crate::input::Action::Scene(scene), repeat: false });
    for number in 4.. {
        room.frame();
        assert_eq!(headset.shown.get(), number, "the sea goes on meanwhile");
        if room.demo.session.config.scene.name == "open_blue" {
            break;
        }
        assert!(number < 20_000);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let before = headset.shown.get();
    room.frame();
    assert_eq!((headset.shown.get(), stage_size(&room)), (before + 1, (64, 32)));
}

#[test]
fn a_session_that_shows_nothing_for_long_leaves_the_picture_to_the_window_meanwhile() {
    let (mut room, headset) = with_headset(Driver::NullCard, (80, 90));
    let window = room.outside.size.get();
    for _ in 0..3 {
        room.frame();
    }
    let place = room.demo.frame.camera.eye;
    headset.is_hidden.set(true);
    for _ in 0..40 {
        room.frame();
    }
    let drawn = room.demo.pace.drawn();
    room.frame();
    assert_eq!((stage_size(&room), room.demo.pace.drawn(), headset.shown.get()), (window, drawn + 1, 3));
    assert!(room.demo.frame.headset.eyes.is_empty() && room.demo.runs_headset());
    // A window of another size, and one that nobody sees either.
    room.outside.size.set((70, 40));
    room.take(Input::Resized((70, 40)));
    room.frame();
    assert_eq!((stage_size(&room), room.demo.pace.drawn()), ((70, 40), drawn + 2));
    room.outside.minimised.set(true);
    room.frame();
    assert_eq!(room.demo.pace.drawn(), drawn + 2);
    // The room is where it was, wherever the head is in it by now.
    headset.is_hidden.set(false);
    let step = Vec3::new(0.5, -0.3, 0.2);
    headset.moment.borrow_mut().eyes.iter_mut().for_each(|eye| eye.place += step);
    room.frame();
    assert_eq!((stage_size(&room), headset.shown.get()), ((160, 90), 4));
    assert!((room.demo.frame.camera.eye.distance(place) - step.length()).abs() < 1e-3);
}

#[test]
fn a_session_that_showed_nothing_leaves_the_picture_to_the_window() {
    let (mut room, headset) = with_headset(Driver::NullCard, (80, 90));
    headset.is_hidden.set(true);
    room.frame();
    room.outside.size.set((70, 40));
    room.take(Input::Resized((70, 40)));
    room.frame();
    assert_eq!((headset.shown.get(), stage_size(&room)), (0, (70, 40)));
    headset.events.borrow_mut().push_back(SessionEvent::Stopping);
    room.frame();
    assert_eq!((headset.shown.get(), stage_size(&room)), (0, (70, 40)));
}

#[test]
fn a_call_that_fails_at_any_time_leaves_the_window() {
    let play = |fails_at: Option<usize>| {
        let (mut room, headset) = with_headset(Driver::NullCard, (32, 32));
        headset.fails_at.set(fails_at);
        for _ in 0..3 {
            room.frame();
        }
        headset.events.borrow_mut().push_back(SessionEvent::Stopping);
        room.frame();
        headset.events.borrow_mut().push_back(SessionEvent::Ready);
        room.frame();
        let before = room.demo.pace.drawn();
        room.frame();
        room.frame();
        assert_eq!(room.demo.pace.drawn(), before + 2, "frames go on");
        (room, headset)
    };
    let (_room, headset) = play(None);
    let all = headset.calls.borrow().len();
    assert!(all > 40, "{:?}", headset.calls.borrow());
    for number in 0..all {
        let (room, headset) = play(Some(number));
        let name = headset.calls.borrow().last().copied();
        assert!(headset.is_gone.get(), "call {number}, {name:?}: it is of no use any more");
        assert_eq!((stage_size(&room), room.demo.worn.is_some()), (room.outside.size.get(), false), "{name:?}");
        let said = room.demo.panels.texts().into_iter().any(|text| text.contains("the test is against it"));
        assert!(said, "call {number}, {name:?}: {:?}", room.demo.panels.texts());
    }
}

/// A wearer's hands and the turn of the head (rad) in the moments of a script, by the number of its frame: each five
/// seconds something else is done, and the head looks round all the while.
fn script(number: u32) -> HeadsetFrame {
    let seconds = number as f32 / 60.0;
    let swing = |period_s: f32| (seconds * std::f32::consts::TAU / period_s).sin();
    let aim = (Vec3::new(0.2, 1.3, -0.3), Vec3::new(swing(3.0), -0.1, -1.0).normalize());
    let rest = Hand { aim, grip: Vec3::new(0.2, 1.2, -0.3 + 0.2 * swing(2.0)), ..Hand::default() };
    // A press lasts for half of each second.
    let press = seconds.fract() > 0.5;
    let (left, right) = match (seconds / 5.0) as u32 % 12 {
        0 => (Hand { stick: Vec2::Y, ..rest }, rest),
        1 => (rest, Hand { stick: Vec2::X * swing(1.0), ..rest }),
        2 => (Hand { squeeze: true, ..rest }, Hand { squeeze: true, ..rest }),
        3 => (rest, Hand { trigger: press, ..rest }),
        4 => (rest, Hand { first: press, ..rest }),
        5 => (rest, Hand { second: press, ..rest }),
        6 => (Hand { first: press, ..rest }, rest),
        7 => (rest, Hand { trigger: press, stick: Vec2::Y * swing(2.0), ..rest }),
        8 => (Hand { second: press, ..rest }, rest),
        9 => (
            Hand { stick: Vec2::new(swing(1.5), swing(2.5)), ..rest },
            Hand { stick: Vec2::NEG_X * swing(1.0), ..rest },
        ),
        _ => (rest, rest),
    };
    // One hand, both, or none.
    let hands = match (seconds / 7.0) as u32 % 3 {
        0 => [Some(left), Some(right)],
        1 => [None, Some(right)],
        _ => [Some(left), None],
    };
    HeadsetFrame { ..head(2.0 * swing(11.0), hands) }
}

#[test]
fn five_minutes_by_script_leave_the_horizon_level_and_the_head_in_water() {
    let reef = "[seabed]\ndepth_m = 9.0\n[render]\nquality = \"low\"\n[particles]\nsnow_count = 50\n\
        [[species]]\nname = \"sardine\"\nmodel = \"builtin:sardine\"\ncount = 40\n";
    let mut room = Room::new(Driver::NullCard, reef);
    room.frame();
    let headset = connect(&mut room, (32, 32));
    let (mut shown, mut rested, mut farthest_m) = (0, 0, 0.0_f32);
    let begin = room.demo.frame.camera.eye;
    for number in 0..5 * 60 * 60 {
        headset.moment.replace(script(number));
        // It is put down for a second in each minute, and shows nothing for another.
        match number % 3600 {
            2000 => headset.events.borrow_mut().push_back(SessionEvent::Stopping),
            2060 => headset.events.borrow_mut().push_back(SessionEvent::Ready),
            3000 => headset.is_hidden.set(true),
            3060 => headset.is_hidden.set(false),
            _ => {}
        }
        room.frame();
        let scene = &room.demo.frame;
        let is_shown = headset.shown.get() > shown;
        (shown, rested) = (headset.shown.get(), rested + u32::from(!is_shown));
        if let [left, right] = scene.headset.eyes[..] {
            let across = right.eye - left.eye;
            assert!((across.length() - 0.064).abs() < 1e-4 && across.y.abs() < 1e-4, "frame {number}: {across}");
        } else {
            assert!(!is_shown, "frame {number}: a picture of {} eyes", scene.headset.eyes.len());
        }
        let (eye, world) = (scene.camera.eye, room.demo.session.world());
        assert!(eye.is_finite() && eye.y > -9.0, "frame {number}: {eye}");
        assert!(world.habitat().is_clear(eye, 0.0), "frame {number}: in rock at {eye}");
        farthest_m = farthest_m.max(eye.distance(begin));
    }
    assert!((17_000..17_800).contains(&shown) && (200..1000).contains(&rested), "{shown} shown, {rested} not");
    assert!(farthest_m > 3.0, "it swam {farthest_m} m at most");
    assert!(headset.calls.borrow().len() > 100_000 && gl::null::misuse().is_empty(), "{:?}", gl::null::misuse());
    let errors = room.demo.panels.texts().into_iter().filter(|text| text.contains("headset is gone"));
    assert_eq!(errors.count(), 0);
}

#[test]
fn a_lost_context_takes_the_headset_with_it() {
    let (mut room, headset) = with_headset(Driver::NullCard, (32, 32));
    room.frame();
    room.frame();
    room.outside.lost.set(true);
    room.frame();
    assert!(headset.is_gone.get() && room.demo.worn.is_none());
    room.frame();
    assert_eq!(room.demo.stage.as_ref().map(|stage| stage.stereo()), Some(Stereo::Off));
    let again = connect(&mut room, (32, 32));
    room.frame();
    room.frame();
    assert!(again.shown.get() > 0 && gl::null::misuse().is_empty(), "{:?}", gl::null::misuse());
}

#[test]
fn without_a_headset_the_window_says_why_and_goes_on() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.demo.connect(Err(RuntimeError::NoRuntime { why: "there is none".into() }));
    room.frame();
    assert!(room.demo.panels.texts().iter().any(|text| text.contains("no OpenXR runtime answers")));
    assert_eq!(room.demo.pace.drawn(), 1);
}

/// Number of depths in the left eye's lower half, where there is ground, at which its rays meet the world; and of all.
fn right_depths(room: &Room, depths: &[f32], [near_m, far_m]: [f32; 2]) -> (usize, usize) {
    let (HeadsetEye { across, upright, .. }, scene) = (head(0.0, [None; 2]).eyes[0], &room.demo.frame);
    let (mut right, mut all) = (0, 0);
    for (x, y) in (170..320).step_by(10).flat_map(|y| (5..320).step_by(10).map(move |x| (x, y))) {
        let share = Vec2::new((x as f32 + 0.5) / 320.0, (y as f32 + 0.5) / 320.0);
        let tangent = |[from, to]: [f32; 2], share: f32| from + (to - from) * share;
        let ray = Vec3::new(tangent(across, share.x), tangent(upright, 1.0 - share.y), -1.0);
        let depth = depths[y * 640 + x];
        let ahead_m = near_m * far_m / (far_m - depth * (far_m - near_m));
        let eye = scene.headset.eyes[0];
        let meets = Sight::along(eye.eye, (eye.orientation * ray).normalize()).meets(room.demo.session.world());
        let met_m = meets.distance(eye.eye);
        all += 1;
        right += usize::from(depth < 1.0 && (ahead_m * ray.length() / met_m - 1.0).abs() < 0.1);
    }
    (right, all)
}

#[test]
fn a_headset_shows_what_the_window_mirrors() {
    let Some(mut room) = reef((320, 180)) else { return };
    let headset = connect(&mut room, (320, 320));
    headset.keeps_picture.set(true);
    room.outside.keeps_shown.set(true);
    for _ in 0..3 {
        room.frame();
    }
    let (picture, mirror) = (headset.picture.borrow(), room.outside.shown.borrow());
    assert_eq!((picture.len(), mirror.len()), (640 * 320 * 4, 320 * 180 * 4));
    // The middle of the left eye's picture, as wide as the window.
    for (x, y) in [(0, 0), (160, 90), (319, 179), (37, 120)] {
        let (wanted, shown) = (&picture[((y + 70) * 640 + x) * 4..][..3], &mirror[(y * 320 + x) * 4..][..3]);
        assert!(wanted.iter().zip(shown).all(|(wanted, shown)| wanted.abs_diff(*shown) <= 1), "{wanted:?} {shown:?}");
    }
    let depth = headset.depth.borrow();
    let (right, all) = right_depths(&room, &depth.0, depth.1);
    // Rocks are rounder to a ray than they are drawn.
    assert!(2 * right > all, "{right} of {all} depths are right");
    let half = |eye: usize| picture.chunks_exact(640 * 4).flat_map(move |row| row[eye * 1280..][..1280].iter());
    let apart = half(0).zip(half(1)).filter(|(left, right)| left != right).count();
    assert!(apart > 320 * 320 / 2, "two eyes: {apart}");
}
