//! What can happen to the demo from outside.

use camera::{Dial, Movement, Sticks};
use glam::Vec2;

/// Something that has happened to the screen, or that a person wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A key went down, or is held for so long that it `repeat`s.
    Action {
        /// What it asks for.
        action: Action,
        /// Whether it was down already.
        repeat: bool,
    },
    /// A key of movement went down or up.
    Movement {
        /// Where to.
        movement: Movement,
        /// Whether it is down now.
        down: bool,
    },
    /// A button of the mouse but the right one went down or up.
    Button {
        /// Whether it is down now.
        down: bool,
    },
    /// The right button of the mouse went down, the pointer that far from the left and the top of the picture if that is
    /// known. Unit: pixels.
    Frighten(Option<Vec2>),
    /// The mouse moved, wherever its pointer is. Unit: pixels.
    Mouse(Vec2),
    /// Who looks round without a mouse turns by so much. Unit: pixels.
    Look(Vec2),
    /// A gamepad's sticks were moved, or two fingers that are like one.
    Sticks(Sticks),
    /// The wheel turned by so many notches.
    Wheel(f32),
    /// What may be for a panel, positions in points of the screen's scale. It comes before what else the same means.
    Ui(egui::Event),
    /// The screen has another size in pixels.
    Resized((u32, u32)),
    /// Keys go elsewhere now.
    FocusLost,
    /// The screen is hidden behind others, or no longer.
    Covered(bool),
    /// A frame is to be drawn.
    Redraw,
    /// The screen was lost, and another can be opened in its place.
    Lost,
    /// The screen is closed.
    Close,
    /// The program is to end.
    Interrupt,
}

/// What a key asks for once, when it goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Shows or hides the list of keys.
    Help,
    /// Opens or closes the settings.
    Settings,
    /// Shows or hides what frames take.
    Statistics,
    /// Records a benchmark of what is on the screen, or stops that.
    Benchmark,
    /// Reads the scene and the shaders again.
    Reload,
    /// Full screen and back.
    FullScreen,
    /// Writes the picture to a file.
    Screenshot,
    /// Films what is on the screen, or ends that.
    Film,
    /// Stops and goes on.
    Pause,
    /// One step, stopping first.
    SingleStep,
    /// The first view, and the world from its beginning.
    Reset,
    /// The built-in scene of that index.
    Scene(usize),
    /// More fish.
    MoreFish,
    /// Fewer fish.
    FewerFish,
    /// Lights a torch or puts it out.
    Torch,
    /// Shows or hides the mind of an animal.
    Mind,
    /// Drops food.
    Food,
    /// Releases a predator.
    Predator,
    /// Photo mode and back.
    Photo,
    /// Turns a dial of photo mode's camera.
    Dial(Dial),
    /// Two eyes or one.
    Stereo,
    /// The next way of moving the camera.
    Camera,
    /// Goes to the next species, or the one before, and follows it.
    Species {
        /// Whether to the one before.
        before: bool,
    },
    /// Closes what is open, else leaves.
    Escape,
}

/// Keys that serve one task.
#[derive(Clone, Copy, Debug)]
pub struct KeyGroup {
    /// The text that names the task.
    pub task: &'static str,
    /// Each key, or several, with the text that says what they do; keys that are no letters are texts too.
    pub keys: &'static [(&'static str, &'static str)],
}

/// The keys by what they are for, as the help panel and `--help` list them.
pub const HELP: [KeyGroup; 7] = [
    KeyGroup {
        task: "keys-look",
        keys: &[("key-mouse", "help-look"), ("key-wheel", "help-wheel"), ("C", "help-camera"), ("X", "help-stereo")],
    },
    KeyGroup {
        task: "keys-move",
        keys: &[("W A S D", "help-swim"), ("E  Q", "help-up-down"), ("Shift", "help-faster")],
    },
    KeyGroup {
        task: "keys-animals",
        keys: &[
            ("N  Shift+N", "help-species"),
            ("M", "help-mind"),
            ("key-right-click", "help-frighten"),
            ("F", "help-food"),
            ("P", "help-predator"),
        ],
    },
    KeyGroup { task: "keys-pictures", keys: &[("O", "help-photo"), ("F12", "help-picture"), ("F9", "help-film")] },
    KeyGroup {
        task: "keys-scene",
        keys: &[
            ("1 - 9", "help-scenes"),
            ("Tab  F2", "help-settings"),
            ("+  -", "help-fish"),
            ("L", "help-torch"),
            ("key-space", "help-pause"),
            (".", "help-single-step"),
            ("R", "help-reset"),
            ("F5", "help-reload"),
        ],
    },
    KeyGroup { task: "keys-measure", keys: &[("F3", "help-statistics"), ("B", "help-benchmark")] },
    KeyGroup { task: "keys-window", keys: &[("F1", "help-keys"), ("F11", "help-full-screen"), ("Esc", "help-escape")] },
];
