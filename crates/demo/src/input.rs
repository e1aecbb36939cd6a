//! Inputs of the demo from outside.

use camera::{Dial, Movement, Sticks};
use glam::Vec2;

/// An event of the screen, or a request of a person.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A key went down, or is held for so long that it `repeat`s.
    Action {
        /// Action that it asks for.
        action: Action,
        /// Whether it was down already.
        repeat: bool,
    },
    /// A key of movement went down or up.
    Movement {
        /// Movement that it asks for.
        movement: Movement,
        /// Whether it is down now.
        down: bool,
    },
    /// A button of the mouse but the right one went down or up.
    Button {
        /// Whether it is down now.
        down: bool,
    },
    /// The right button of the mouse went down, with the pointer's distance from the left and the top of the picture if
    /// that is known. Unit: pixels.
    Frighten(Option<Vec2>),
    /// The mouse moved by that much, wherever its pointer is. Unit: pixels.
    Mouse(Vec2),
    /// The view is turned by that much without a mouse. Unit: pixels.
    Look(Vec2),
    /// A gamepad's sticks were moved, or two fingers that act as sticks.
    Sticks(Sticks),
    /// The wheel turned by so many notches.
    Wheel(f32),
    /// An event that may be for a panel, with positions in points of the screen's scale. It comes before the other
    /// input that the same event causes.
    Ui(egui::Event),
    /// The screen has another size in pixels.
    Resized((u32, u32)),
    /// The keyboard focus is elsewhere now.
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

/// Action that a key asks for once, when it goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Shows or hides the list of keys.
    Help,
    /// Opens or closes the settings.
    Settings,
    /// Shows or hides the frame statistics.
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
    /// Pauses the world or resumes it.
    Pause,
    /// Pauses the world and moves it on by one step.
    SingleStep,
    /// Restarts the world from its beginning, seen from the first view.
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
    /// Enters or leaves photo mode.
    Photo,
    /// Turns a dial of photo mode's camera.
    Dial(Dial),
    /// Switches between the pictures of two eyes and of one.
    Stereo,
    /// The next camera mode.
    Camera,
    /// Goes to the next species, or the one before, and follows it.
    Species {
        /// Whether it goes to the one before.
        before: bool,
    },
    /// Closes the open panel or mode, else leaves.
    Escape,
}

/// Keys that serve one task.
#[derive(Clone, Copy, Debug)]
pub struct KeyGroup {
    /// The text that names the task.
    pub task: &'static str,
    /// One key or several, with the text that describes them; keys that are no letters are texts too.
    pub keys: &'static [(&'static str, &'static str)],
}

/// The keys grouped by task, as the help panel and `--help` list them.
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
