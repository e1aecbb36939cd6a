//! Key bindings, in a window and in a page.
//!
//! A key has a code for its place on the keyboard whatever its letter, such as `KeyW`, and a name for the text that it
//! writes, such as `w`, or for its function, such as `Escape`. They are those of the specifications UI Events
//! KeyboardEvent code Values and key Values, <https://www.w3.org/TR/uievents-code/>,
//! <https://www.w3.org/TR/uievents-key/>.

use camera::{Dial, Movement};

use crate::input::{Action, Input};

/// A key that has gone down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// Code of its place on the keyboard.
    pub code: &'a str,
    /// Text that it writes, or name of its function.
    pub name: &'a str,
    /// Whether it is down now.
    pub down: bool,
    /// Whether it was down already.
    pub repeat: bool,
    /// Whether Control is held, or its counterpart on a Mac.
    pub control: bool,
    /// Whether Alt is held.
    pub alt: bool,
}

/// Input that a key causes, if any.
pub fn input(key: Key<'_>) -> Option<Input> {
    // With Control, keys are for the open panel: copy, undo, save.
    if key.down && key.control {
        return None;
    }
    if let Some(movement) = movement(key.code) {
        return Some(Input::Movement { movement, down: key.down });
    }
    let action = action(key).filter(|_| key.down)?;
    Some(Input::Action { action, repeat: key.repeat })
}

/// Action that a key asks for.
fn action(Key { code, name, alt, .. }: Key<'_>) -> Option<Action> {
    let by_place = match code {
        "F1" => Action::Help,
        "Tab" | "F2" => Action::Settings,
        "F3" => Action::Statistics,
        "F5" => Action::Reload,
        "F9" => Action::Film,
        "F11" => Action::FullScreen,
        "Enter" | "NumpadEnter" if alt => Action::FullScreen,
        "F12" | "PrintScreen" => Action::Screenshot,
        "Space" => Action::Pause,
        "Escape" => Action::Escape,
        "NumpadAdd" => Action::MoreFish,
        "NumpadSubtract" => Action::FewerFish,
        _ => return digit(code).map(Action::Scene).or_else(|| by_name(name)),
    };
    Some(by_place)
}

/// Index of a digit's scene, by place on the keyboard: digits are shifted on some layouts.
fn digit(code: &str) -> Option<usize> {
    let digit = code.strip_prefix("Digit").or_else(|| code.strip_prefix("Numpad"))?;
    digit.parse::<usize>().ok()?.checked_sub(1)
}

fn by_name(name: &str) -> Option<Action> {
    Some(match name {
        "r" | "R" => Action::Reset,
        "l" | "L" => Action::Torch,
        "m" | "M" => Action::Mind,
        "f" | "F" => Action::Food,
        "p" | "P" => Action::Predator,
        "b" | "B" => Action::Benchmark,
        "c" | "C" => Action::Camera,
        "x" | "X" => Action::Stereo,
        "o" | "O" => Action::Photo,
        "j" | "J" => Action::Dial(Dial::Roll { right: false }),
        "k" | "K" => Action::Dial(Dial::Roll { right: true }),
        "v" | "V" => Action::Dial(Dial::Aperture),
        "t" | "T" => Action::Dial(Dial::Thirds),
        "h" | "H" => Action::Dial(Dial::Overlay),
        "g" | "G" => Action::Dial(Dial::Size),
        "n" => Action::Species { before: false },
        "N" => Action::Species { before: true },
        "." => Action::SingleStep,
        "+" | "=" => Action::MoreFish,
        "-" => Action::FewerFish,
        // Keyboards without codes: a remote desktop, an on-screen keyboard.
        "Escape" => Action::Escape,
        _ => return None,
    })
}

/// The movement that a key asks for while it is held. By place on the keyboard, whatever its letter.
fn movement(code: &str) -> Option<Movement> {
    Some(match code {
        "KeyW" | "ArrowUp" => Movement::Forward,
        "KeyS" | "ArrowDown" => Movement::Back,
        "KeyA" | "ArrowLeft" => Movement::Left,
        "KeyD" | "ArrowRight" => Movement::Right,
        "KeyE" | "PageUp" => Movement::Up,
        "KeyQ" | "PageDown" => Movement::Down,
        "ShiftLeft" | "ShiftRight" => Movement::Fast,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed<'a>(code: &'a str, name: &'a str) -> Key<'a> {
        Key { code, name, down: true, repeat: false, control: false, alt: false }
    }

    fn asked(action: Action) -> Option<Input> {
        Some(Input::Action { action, repeat: false })
    }

    #[test]
    fn every_key_that_the_help_lists_asks_for_something() {
        let listed = crate::input::HELP.iter().flat_map(|group| group.keys).map(|(keys, _)| *keys);
        for key in listed.flat_map(str::split_whitespace).filter(|key| !key.starts_with("key-")) {
            let place = format!("Key{key}");
            let name = key.strip_prefix("Shift+").map_or_else(|| key.to_lowercase(), str::to_owned);
            let (code, name) = match key {
                "Esc" => ("Escape", ""),
                "Shift" => ("ShiftLeft", ""),
                digit if digit.starts_with(|c: char| c.is_ascii_digit()) => ("Digit1", ""),
                word if word.len() > 1 && !word.contains('+') => (word, ""),
                _ => (place.as_str(), name.as_str()),
            };
            assert!(input(pressed(code, name)).is_some(), "{key}");
        }
    }

    #[test]
    fn every_key_that_asks_for_something_is_in_the_help_or_turns_a_dial() {
        let listed = crate::input::HELP.iter().flat_map(|group| group.keys);
        let words: Vec<String> = listed.flat_map(|(keys, _)| keys.split_whitespace()).map(str::to_lowercase).collect();
        // Keys that stand for one that is listed.
        let alike =
            [("numpadadd", "+"), ("=", "+"), ("numpadsubtract", "-"), ("printscreen", "f12"), ("escape", "esc")];
        let codes =
            ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "Tab", "Enter", "Insert"];
        let codes = codes.into_iter().chain(["PrintScreen", "NumpadAdd", "NumpadSubtract", "Escape", "Delete", "Home"]);
        let letters: Vec<String> = ('!'..='~').filter(|c| !c.is_ascii_digit()).map(String::from).collect();
        let keys = codes.map(|code| pressed(code, "")).chain(letters.iter().map(|name| pressed("", name)));
        for key in keys {
            let Some(Input::Action { action, .. }) = input(key) else { continue };
            let name = format!("{}{}", key.code, key.name).to_lowercase();
            let name = alike.iter().find(|(other, _)| *other == name).map_or(name.as_str(), |(_, listed)| listed);
            let is_listed = words.iter().any(|word| word == name);
            assert!(is_listed || matches!(action, Action::Dial(_)), "{key:?} asks for {action:?}");
        }
    }

    #[test]
    fn movement_goes_by_place_and_letters_by_what_they_say() {
        assert_eq!(movement("KeyW"), Some(Movement::Forward));
        // A Dvorak keyboard says "r" where the code says O.
        assert_eq!(input(pressed("KeyO", "r")), asked(Action::Reset));
    }

    #[test]
    fn a_key_that_is_let_go_ends_a_movement_and_asks_for_nothing() {
        let up = |code, name| Key { down: false, ..pressed(code, name) };
        assert_eq!(input(up("KeyW", "w")), Some(Input::Movement { movement: Movement::Forward, down: false }));
        assert_eq!(input(up("KeyR", "r")), None);
    }

    #[test]
    fn with_control_keys_are_for_what_is_open() {
        assert_eq!(input(Key { control: true, ..pressed("KeyR", "r") }), None);
        let up = Key { control: true, down: false, ..pressed("KeyW", "w") };
        assert!(input(up).is_some(), "it was down before");
    }

    #[test]
    fn enter_is_full_screen_only_with_alt() {
        assert_eq!(input(Key { alt: true, ..pressed("Enter", "Enter") }), asked(Action::FullScreen));
        assert_eq!(input(pressed("Enter", "Enter")), None);
    }

    #[test]
    fn nine_digits_are_nine_scenes() {
        assert_eq!(input(pressed("Digit1", "&")), asked(Action::Scene(0)));
        assert_eq!(input(pressed("Numpad9", "9")), asked(Action::Scene(8)));
        assert_eq!(input(pressed("Digit0", "0")), None);
    }
}
