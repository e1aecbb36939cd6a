//! Which key does what.

use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

use crate::app::fly::HeldKeys;

/// What a key asks for once, when it goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Shows or hides the list of keys.
    Help,
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
    /// Closes what is open, else leaves.
    Escape,
}

/// The keys, for the help panel.
pub const HELP: [(&str, &str); 16] = [
    ("mouse", "look round: hold a button, or click to catch the pointer"),
    ("W A S D", "swim"),
    ("E  Q", "up, down"),
    ("Shift", "faster"),
    ("wheel", "speed"),
    ("Space", "stop and go on"),
    (".", "one step"),
    ("R", "back to the beginning"),
    ("1 - 9", "scenes"),
    ("+  -", "more fish, fewer fish"),
    ("L", "a diver's torch, on and off"),
    ("F3", "what frames take"),
    ("B", "record a benchmark of what is on the screen"),
    ("F5", "read the scene and the shaders again"),
    ("F11  F12", "full screen, picture to a file"),
    ("Esc", "close this, leave full screen, quit"),
];

/// What a key asks for. `alt` says that Alt is held.
pub fn action(physical: PhysicalKey, logical: &Key, alt: bool) -> Option<Action> {
    use KeyCode as K;
    match physical {
        PhysicalKey::Code(K::F1) => return Some(Action::Help),
        PhysicalKey::Code(K::F3) => return Some(Action::Statistics),
        PhysicalKey::Code(K::F5) => return Some(Action::Reload),
        PhysicalKey::Code(K::F11) => return Some(Action::FullScreen),
        PhysicalKey::Code(K::Enter | K::NumpadEnter) if alt => return Some(Action::FullScreen),
        PhysicalKey::Code(K::F12 | K::PrintScreen) => return Some(Action::Screenshot),
        PhysicalKey::Code(K::Space) => return Some(Action::Pause),
        PhysicalKey::Code(K::Escape) => return Some(Action::Escape),
        PhysicalKey::Code(K::NumpadAdd) => return Some(Action::MoreFish),
        PhysicalKey::Code(K::NumpadSubtract) => return Some(Action::FewerFish),
        // By place: digits are shifted on some layouts.
        PhysicalKey::Code(code) => {
            if let Some(index) = DIGITS.iter().position(|&(row, pad)| code == row || code == pad) {
                return Some(Action::Scene(index));
            }
        }
        PhysicalKey::Unidentified(_) => {}
    }
    match logical {
        Key::Character(text) => match text.as_str() {
            "r" | "R" => Some(Action::Reset),
            "l" | "L" => Some(Action::Torch),
            "b" | "B" => Some(Action::Benchmark),
            "." => Some(Action::SingleStep),
            "+" | "=" => Some(Action::MoreFish),
            "-" => Some(Action::FewerFish),
            _ => None,
        },
        // Keyboards without scan codes: a remote desktop, an on-screen keyboard.
        Key::Named(NamedKey::Escape) => Some(Action::Escape),
        _ => None,
    }
}

const DIGITS: [(KeyCode, KeyCode); 9] = [
    (KeyCode::Digit1, KeyCode::Numpad1),
    (KeyCode::Digit2, KeyCode::Numpad2),
    (KeyCode::Digit3, KeyCode::Numpad3),
    (KeyCode::Digit4, KeyCode::Numpad4),
    (KeyCode::Digit5, KeyCode::Numpad5),
    (KeyCode::Digit6, KeyCode::Numpad6),
    (KeyCode::Digit7, KeyCode::Numpad7),
    (KeyCode::Digit8, KeyCode::Numpad8),
    (KeyCode::Digit9, KeyCode::Numpad9),
];

/// Notes that a movement key went down or up; `false` if it is none. By place on the keyboard, whatever its letter.
pub fn hold(held: &mut HeldKeys, physical: PhysicalKey, down: bool) -> bool {
    let PhysicalKey::Code(code) = physical else { return false };
    let key = match code {
        KeyCode::KeyW | KeyCode::ArrowUp => &mut held.forward,
        KeyCode::KeyS | KeyCode::ArrowDown => &mut held.back,
        KeyCode::KeyA | KeyCode::ArrowLeft => &mut held.left,
        KeyCode::KeyD | KeyCode::ArrowRight => &mut held.right,
        KeyCode::KeyE | KeyCode::PageUp => &mut held.up,
        KeyCode::KeyQ | KeyCode::PageDown => &mut held.down,
        KeyCode::ShiftLeft | KeyCode::ShiftRight => &mut held.fast,
        _ => return false,
    };
    *key = down;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movement_goes_by_place_and_letters_by_what_they_say() {
        let mut held = HeldKeys::default();
        assert!(hold(&mut held, PhysicalKey::Code(KeyCode::KeyW), true) && held.forward);
        assert!(hold(&mut held, PhysicalKey::Code(KeyCode::KeyW), false) && !held.forward);
        // A Dvorak keyboard says "r" where the scan code says O.
        let r = Key::Character("r".into());
        assert_eq!(action(PhysicalKey::Code(KeyCode::KeyO), &r, false), Some(Action::Reset));
    }

    #[test]
    fn enter_is_full_screen_only_with_alt() {
        let enter = Key::Named(NamedKey::Enter);
        assert_eq!(action(PhysicalKey::Code(KeyCode::Enter), &enter, true), Some(Action::FullScreen));
        assert_eq!(action(PhysicalKey::Code(KeyCode::Enter), &enter, false), None);
    }

    #[test]
    fn nine_digits_are_nine_scenes() {
        let scene = |code| action(PhysicalKey::Code(code), &Key::Character("&".into()), false);
        assert_eq!(scene(KeyCode::Digit1), Some(Action::Scene(0)));
        assert_eq!(scene(KeyCode::Numpad9), Some(Action::Scene(8)));
    }
}
