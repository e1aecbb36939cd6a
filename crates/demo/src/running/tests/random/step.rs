//! The steps of a random user, and the probability of each.

use camera::{Dial, Movement};
use config::BUILTIN_SCENES;
use gl::null;
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::User;
use crate::input::Action;

/// Fish beyond which the user wants fewer.
const ENOUGH_FISH: u32 = 200;

/// One step of a random user.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Press(Action),
    Repeat(Action),
    Hold(Movement, bool),
    Button(bool),
    Frighten(f32, f32),
    Mouse(f32, f32),
    Wheel(f32),
    Resize(u32, u32),
    FocusLost,
    Cover(bool),
    Minimise(bool),
    /// Time passes without a frame. Unit: s.
    Wait(f64),
    Frames(u32),
    EditScene(Edit),
    EditShader(Edit),
    /// A file stands where the folder of pictures should be, or no longer.
    PicturesInTheWay(bool),
    /// The driver throws the context away, once or, in the next variant, so often that the demo gives up.
    Lose,
    LoseAgainAndAgain,
    /// The driver throws the context away, and there is no other.
    LoseForGood,
    /// The driver refuses some calls of a key's action, from one on.
    Refuse(Action, u64, u64),
    /// The driver throws the context away, and refuses some calls in the next.
    LoseAndRefuse(u64, u64),
    Interrupt,
    Close,
}

/// Edit of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Good,
    /// Another good one.
    Other,
    /// One whose text is invalid.
    Broken,
    /// One that names something that does not exist.
    Dangling,
    Deleted,
    Folder,
    Fifo,
}

pub(super) const EDITS: [Edit; 7] =
    [Edit::Good, Edit::Other, Edit::Broken, Edit::Dangling, Edit::Deleted, Edit::Folder, Edit::Fifo];

const ACTIONS: [Action; 23] = [
    Action::Help,
    Action::Settings,
    Action::Statistics,
    Action::Benchmark,
    Action::FullScreen,
    Action::Screenshot,
    Action::Film,
    Action::Pause,
    Action::SingleStep,
    Action::MoreFish,
    Action::FewerFish,
    Action::Torch,
    Action::Mind,
    Action::Food,
    Action::Predator,
    Action::Photo,
    Action::Dial(Dial::Exposure { up: true }),
    Action::Dial(Dial::Overlay),
    Action::Stereo,
    Action::Camera,
    Action::Species { before: false },
    Action::Species { before: true },
    Action::Escape,
];

const MOVEMENTS: [Movement; 7] =
    [Movement::Forward, Movement::Back, Movement::Left, Movement::Right, Movement::Up, Movement::Down, Movement::Fast];

impl User {
    pub(super) fn choose(&mut self) -> Step {
        let fish = self.room().demo.session.config.fish();
        let is_builtin = !self.is_own_scene();
        let rng = &mut self.rng;
        // A large scene takes a thousand times as long as the small one; there is no key that leads back.
        if is_builtin && rng.random_bool(0.1) {
            return Step::Close;
        }
        match rng.random_range(0..10_000) {
            0..2500 => Step::Frames(rng.random_range(1..4)),
            2500..4500 => match *ACTIONS.choose(rng).expect("there are some") {
                // Each of these makes a new world, or a file.
                Action::Torch | Action::MoreFish | Action::FewerFish if rng.random_bool(0.5) => Step::Frames(1),
                Action::Screenshot | Action::Film | Action::Benchmark if rng.random_bool(0.8) => Step::Frames(2),
                Action::MoreFish if fish > ENOUGH_FISH => Step::Press(Action::FewerFish),
                action => Step::Press(action),
            },
            4500..4900 => Step::Repeat(*ACTIONS.choose(rng).expect("there are some")),
            4900..4920 => Step::Press(Action::Reset),
            4920..4940 => Step::Press(Action::Reload),
            4940..4942 => Step::Press(Action::Scene(rng.random_range(0..BUILTIN_SCENES.len() + 1))),
            4942..4990 => Step::Press(Action::Scene(rng.random_range(BUILTIN_SCENES.len()..20))),
            4990..6000 => Step::Hold(*MOVEMENTS.choose(rng).expect("there are some"), rng.random()),
            6000..6400 => Step::Button(rng.random()),
            6400..6600 => {
                let some = [0.0, 20.0, -7.0, 1e9, f32::NAN];
                Step::Frighten(*some.choose(rng).expect("some"), *some.choose(rng).expect("some"))
            }
            6600..7200 => {
                let some = [0.0, 1.0, -3.5, 200.0, -1e6, f32::MAX, f32::NAN, f32::INFINITY];
                Step::Mouse(*some.choose(rng).expect("some"), *some.choose(rng).expect("some"))
            }
            7200..7500 => {
                let some = [1.0, -1.0, 0.1, 30.0, -1e9, f32::NAN, f32::NEG_INFINITY];
                Step::Wheel(*some.choose(rng).expect("some"))
            }
            7500..7900 => {
                let sizes = [
                    (64, 36),
                    (64, 36),
                    (33, 70),
                    (200, 3),
                    (1, 1),
                    (0, 0),
                    (0, 7),
                    (7, 0),
                    (null::MAX_PIXELS as u32, 2),
                    (65_535, 65_535),
                    (1, u32::MAX),
                    (u32::MAX, u32::MAX),
                ];
                let (width, height) = *sizes.choose(rng).expect("some");
                Step::Resize(width, height)
            }
            7900..8000 => Step::FocusLost,
            8000..8200 => Step::Cover(rng.random_bool(0.3)),
            8200..8300 => Step::Minimise(rng.random_bool(0.3)),
            8300..9400 => Step::Wait(*[0.0, 0.001, 0.1, 0.26, 1.0, 30.0, 1e5].choose(rng).expect("some")),
            9400..9700 => Step::EditScene(*EDITS.choose(rng).expect("some")),
            9700..9850 => Step::EditShader(*EDITS.choose(rng).expect("some")),
            9850..9880 => Step::PicturesInTheWay(rng.random_bool(0.3)),
            9880..9945 => {
                let actions = [
                    Action::Torch,
                    Action::FewerFish,
                    Action::Reload,
                    Action::Reset,
                    Action::Screenshot,
                    Action::Film,
                    Action::Help,
                    Action::FullScreen,
                ];
                let action = *actions.choose(rng).expect("some");
                Step::Refuse(action, rng.random_range(0..200), rng.random_range(0..100))
            }
            9945..9950 => Step::LoseAndRefuse(rng.random_range(0..300), rng.random_range(0..100)),
            9950..9980 => Step::Lose,
            9980..9984 => Step::LoseAgainAndAgain,
            9984..9990 => Step::LoseForGood,
            9990..9995 => Step::Interrupt,
            _ => Step::Close,
        }
    }

    /// Whether the scene of the edited file is shown.
    pub(super) fn is_own_scene(&mut self) -> bool {
        self.room().demo.session.options.scene.ends_with(".toml")
    }
}
