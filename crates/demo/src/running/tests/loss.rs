//! Loss of the context: the picture after it is the same as before.

use config::BUILTIN_SCENES;
use gl::null;

use super::faults::picture;
use super::room::{Driver, Room};
use crate::input::{Action, Input};

const TIERS: [&str; 4] = ["low", "medium", "high", "ultra"];

/// Loses the context in the middle of a scene and compares the pictures before and after.
fn check(driver: Driver, scene: &str, tier: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let set = [format!("render.quality=\"{tier}\"")];
    let mut room = Room::open(driver, folder, scene, (64, 36), &set).expect("it opens");
    (0..3).for_each(|_| room.frame());
    room.press(Action::Torch);
    room.press(Action::Pause);
    room.take(Input::Redraw);
    let before = picture(&mut room, driver);
    room.outside.lost.set(true);
    room.take(Input::Redraw);
    assert!(!room.demo.is_over(), "{scene}, {tier}");
    room.take(Input::Redraw);
    assert_eq!(picture(&mut room, driver), before, "{scene}, {tier}");
    room.press(Action::Torch);
    room.take(Input::Redraw);
    assert_ne!(picture(&mut room, driver), before, "{scene}, {tier}: pictures are told apart");
    assert!(null::misuse().is_empty(), "{:?}", null::misuse());
}

#[test]
fn a_lost_context_comes_back_with_the_same_picture() {
    for tier in TIERS {
        check(Driver::NullCard, "open_blue", tier);
    }
    check(Driver::Real, "open_blue", "low");
    check(Driver::Real, "open_blue", "high");
}

/// Takes minutes.
#[test]
#[ignore = "long: make random"]
fn a_random_users_lost_context_comes_back_in_every_scene_and_tier() {
    for scene in BUILTIN_SCENES {
        for tier in TIERS {
            check(Driver::Real, scene.name, tier);
            eprintln!("{}, {tier}: the same picture", scene.name);
        }
    }
}
