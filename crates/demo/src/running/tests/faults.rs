//! A driver that refuses calls: whichever call fails that takes memory or compiles, the demo shows the same picture as
//! before and gives the reason, or has done what was wanted.

use std::collections::BTreeMap;

use config::Config;
use gl::{faults, null, take_back};
use render::ShaderSource;

use super::room::{Driver, Room, SMALL, now_s, pass};
use crate::input::{Action, Input};
use crate::running::RunningDemo;
use crate::stage::{OverlaidScreen, Stage};

/// An action of a person or the program, of which each call into the driver may fail.
struct Operation {
    /// The scene in which it is done.
    scene: String,
    /// Preparation, in which no call fails.
    before: fn(&mut Room),
    /// The action itself.
    act: fn(&mut Room),
    /// Topic of the error that is shown when it fails.
    topic: &'static str,
}

/// State of the picture and of the demo behind it.
#[derive(Debug, PartialEq)]
struct State {
    picture: Picture,
    /// A hash of the settings.
    config: u64,
    size: (u32, u32),
    world: u64,
    objects: BTreeMap<&'static str, i64>,
}

/// A frame without text.
#[derive(PartialEq)]
pub enum Picture {
    /// Hash of the calls to a driver that draws nothing.
    Asked(u64),
    /// Pixels that a real driver has drawn.
    Pixels(Vec<u8>),
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Asked(hash) => write!(f, "{hash:x}"),
            Self::Pixels(bytes) => {
                write!(f, "{} bytes, mean {}", bytes.len(), bytes.iter().map(|b| u64::from(*b)).sum::<u64>())
            }
        }
    }
}

/// The moment on the screen, drawn again.
pub fn picture(room: &mut Room, driver: Driver) -> Picture {
    let Room { demo, outside, .. } = room;
    let RunningDemo { stage, frame, .. } = demo;
    let stage = stage.as_mut().expect("it is shown somewhere");
    let gl = stage.screen().gl();
    outside.keeps_shown.set(true);
    // The first frame may upload data that has not been uploaded yet.
    let mut draw = || assert!(stage.draw(frame, None, 0.0).is_ok());
    draw();
    // State that is known to be set would not be sent again.
    take_back(&gl);
    let asked = null::frame(draw);
    outside.keeps_shown.set(false);
    match driver {
        Driver::Real => Picture::Pixels(outside.shown.take()),
        _ => Picture::Asked(asked),
    }
}

fn state(room: &mut Room, driver: Driver) -> State {
    let picture = picture(room, driver);
    let demo = &room.demo;
    State {
        picture,
        config: hash_of(&demo.session.config),
        size: demo.stage.as_ref().expect("it is shown somewhere").size(),
        world: demo.session.world().state_hash(),
        objects: faults::live(),
    }
}

fn hash_of(config: &Config) -> u64 {
    let mut fnv = math::Fnv::default();
    fnv.item(format!("{config:?}").as_bytes());
    fnv.finish()
}

/// A room in which an operation can begin.
fn begun(driver: Driver, operation: &Operation) -> Room {
    let mut room = Room::new(driver, &operation.scene);
    (0..3).for_each(|_| room.frame());
    room.press(Action::Pause);
    (operation.before)(&mut room);
    room.frame();
    room
}

/// Carries out an operation with each `stride`-th call failing in turn, until all succeed.
fn check(driver: Driver, stride: usize, operation: &Operation) {
    let mut room = begun(driver, operation);
    let mut before = state(&mut room, driver);
    let mut noticed = 0;
    for n in (0..).step_by(stride) {
        faults::fail(n, 0);
        (operation.act)(&mut room);
        let failed = faults::heal();
        let said = room.demo.panels.error(operation.topic).map(str::to_owned);
        assert!(!room.demo.is_over(), "call {n}, {failed:?}, ends the demo");
        if failed.is_empty() {
            assert_eq!(said, None, "all calls succeeded");
            assert!(n == 0 || noticed > 0, "{}: nothing that failed was noticed", operation.topic);
            return;
        }
        if said.is_some() {
            noticed += 1;
            assert_eq!(state(&mut room, driver), before, "call {n}, {failed:?}, has failed: {said:?}");
            room.demo.panels.clear_error(operation.topic);
        } else {
            // The failed call did not matter.
            drop(room);
            assert!(faults::live().is_empty(), "call {n}, {failed:?}: {:?}", faults::live());
            room = begun(driver, operation);
            before = state(&mut room, driver);
        }
        assert!(null::misuse().is_empty(), "call {n}, {failed:?}: {:?}", null::misuse());
    }
}

const GREEN: &str = "[water]\ntype = \"3C\"\n[[lights]]\nname = \"lamp\"\nat_m = [0.0, -3.0, 0.0]\n";

fn operations() -> Vec<Operation> {
    let small = || SMALL.to_owned();
    fn write(room: &mut Room, name: &str, text: &str) {
        std::fs::write(room.path(name), text).expect("written");
    }
    vec![
        // Another scene with models of its own.
        Operation {
            scene: small(),
            before: |room| write(room, "mine.toml", &SMALL.replace("sardine", "clownfish")),
            act: |room| room.press(Action::Reset),
            topic: "scene",
        },
        // An edit that asks for other shaders.
        Operation {
            scene: small(),
            before: |room| write(room, "mine.toml", &format!("{SMALL}{GREEN}")),
            act: |room| room.press(Action::Reload),
            topic: "scene",
        },
        // One that asks for another tier, whose textures are finer.
        Operation {
            scene: small(),
            before: |room| write(room, "mine.toml", &SMALL.replace("\"low\"", "\"high\"")),
            act: |room| room.press(Action::Reload),
            topic: "scene",
        },
        Operation {
            scene: small(),
            before: |_| {},
            act: |room| {
                room.press(Action::MoreFish);
                room.demo.change_population();
            },
            topic: "scene",
        },
        Operation { scene: small(), before: |_| {}, act: |room| room.press(Action::Torch), topic: "scene" },
        Operation {
            scene: small(),
            before: |_| {},
            act: |room| {
                room.outside.size.set((80, 50));
                room.take(Input::Resized((80, 50)));
            },
            topic: "size",
        },
        Operation {
            scene: small(),
            before: |_| {},
            act: |room| {
                let before = room.demo.saving.len();
                room.press(Action::Screenshot);
                // Either it is being written or it is not.
                let is_saving = room.demo.saving.len() > before;
                assert_eq!(is_saving, room.demo.panels.error("picture").is_none());
                room.demo.finish_saving();
            },
            topic: "picture",
        },
        // Frames that take too long, until the governor gives way.
        Operation {
            scene: small().replace("\"low\"", "\"auto\""),
            before: |_| {},
            act: |room| {
                let level = |room: &Room| room.demo.stage.as_ref().map(|stage| stage.level());
                let before = level(room);
                room.demo.stage.as_mut().expect("it is shown somewhere").govern_anew();
                for _ in 0..400 {
                    pass(0.2);
                    let stage = room.demo.stage.as_mut().expect("it is shown somewhere");
                    match stage.govern(200.0, 0.2) {
                        Ok(None) => {}
                        Ok(Some(_)) => return assert_ne!(level(room), before),
                        Err(error) => return room.demo.show_error("quality", &error),
                    }
                }
                panic!("the governor does nothing");
            },
            topic: "quality",
        },
    ]
}

/// Checks that shaders are read again, as `ShaderFolder` does.
fn shaders(driver: Driver, stride: usize) {
    let scene = SMALL.to_owned();
    let act = |room: &mut Room| {
        let other: Vec<(String, String)> =
            runtime::files::shader_files(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shaders"))
                .into_iter()
                .map(|(name, path)| (name, std::fs::read_to_string(path).expect("text") + "\n// edited\n"))
                .collect();
        let stage = room.demo.stage.as_mut().expect("it is shown somewhere");
        match stage.use_shaders(ShaderSource::of_files(other.into_iter().collect())) {
            Ok(()) => room.demo.panels.clear_error("shaders"),
            Err(error) => room.demo.show_error("shaders", &error),
        }
    };
    check(driver, stride, &Operation { scene, before: |_| {}, act, topic: "shaders" });
}

/// Checks a frame with everything over it: a part that fails is missing in it and there in the next.
fn frames(driver: Driver, stride: usize) {
    let scene = format!("{}{GREEN}", SMALL.replace("\"low\"", "\"high\""));
    let mut room = Room::new(driver, &scene);
    room.press(Action::Pause);
    room.press(Action::Help);
    room.press(Action::Statistics);
    room.press(Action::Torch);
    // Enough frames that no more objects are made.
    (0..20).for_each(|_| room.frame());
    let whole = state(&mut room, driver);
    for n in (0..).step_by(stride) {
        room.demo.stage.as_mut().expect("it is shown somewhere").forget_text();
        faults::fail(n, 0);
        room.frame();
        let failed = faults::heal();
        assert!(!room.demo.is_over());
        room.frame();
        assert_eq!(state(&mut room, driver), whole, "call {n}, {failed:?}");
        if failed.is_empty() {
            return;
        }
    }
}

/// Checks the demo's start, and its recovery from a loss: a failure ends it, and no object is left.
fn starts(driver: Driver, stride: usize) {
    let Room { demo, outside, folder: _folder } = Room::new(driver, SMALL);
    let RunningDemo { mut session, mut options, stage, .. } = demo;
    drop(stage);
    for n in (0..).step_by(stride) {
        let mut start = |ui: bool, first: u64| {
            let session = session.reloaded().expect("it is as it was");
            let screen = outside.open().expect("it opens");
            faults::fail(first, 0);
            options.ui = ui;
            Stage::new(OverlaidScreen::new(screen, ui), now_s, &ShaderSource::default(), &session.config)
                .and_then(|stage| RunningDemo::new(options.clone(), session, stage, None, (now_s, now_s())))
        };
        let started = start(true, n);
        let failed = faults::heal();
        // The picture can do without text.
        assert!(started.is_ok() || !failed.is_empty());
        drop(started);
        assert!(faults::live().is_empty(), "call {n}, {failed:?}: {:?}", faults::live());

        let mut demo = start(false, u64::MAX / 2).expect("all is well");
        outside.lost.set(true);
        demo.take(Input::Redraw, &mut |_| outside.open().inspect(|_| faults::fail(n, 0)));
        let failed_again = faults::heal();
        assert_eq!(demo.is_over(), !failed_again.is_empty(), "call {n}, {failed_again:?}");
        assert_eq!(demo.stage.is_none(), demo.is_over());
        assert_eq!(demo.finish().is_err(), !failed_again.is_empty());
        assert!(faults::live().is_empty(), "call {n}, {failed_again:?}: {:?}", faults::live());
        if failed.is_empty() {
            return assert!(failed_again.is_empty());
        }
    }
}

#[test]
fn whatever_the_driver_refuses_the_picture_stays() {
    for operation in operations() {
        check(Driver::NullSoftware, 1, &operation);
    }
    shaders(Driver::NullCard, 1);
}

#[test]
fn what_a_frame_lacks_is_in_the_next() {
    frames(Driver::NullCard, 1);
}

#[test]
fn a_driver_that_refuses_from_the_beginning_is_an_error() {
    starts(Driver::NullSoftware, 5);
}

#[test]
fn whatever_a_real_driver_refuses_its_picture_stays() {
    for operation in operations() {
        check(Driver::Real, 29, &operation);
    }
    shaders(Driver::Real, 29);
    frames(Driver::Real, 29);
    starts(Driver::Real, 59);
}
