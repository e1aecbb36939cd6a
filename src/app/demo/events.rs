//! The window system's events as the demo's [`Input`].

use glam::Vec2;
use winit::event::{DeviceEvent, ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};
use winit::window::WindowId;

use crate::app::camera::{Dial, Movement};
use crate::app::demo::input::{Action, Input};

/// What there is to know of a window to understand its events.
pub struct WindowEvents {
    window: WindowId,
    modifiers: ModifiersState,
    /// Where the pointer is, while it is in the window. Unit: pixels.
    pointer: Option<Vec2>,
}

impl WindowEvents {
    /// Of that window alone.
    pub fn of(window: WindowId) -> Self {
        Self { window, modifiers: ModifiersState::default(), pointer: None }
    }

    /// Whether they are those of `window`.
    pub fn are_of(&self, window: WindowId) -> bool {
        window == self.window
    }

    /// What an event means; `None` if it is another window's, or nothing to the demo.
    pub fn input(&mut self, window: WindowId, event: &WindowEvent) -> Option<Input> {
        if !self.are_of(window) {
            return None;
        }
        match event {
            WindowEvent::CloseRequested => Some(Input::Close),
            WindowEvent::RedrawRequested => Some(Input::Redraw),
            WindowEvent::Resized(size) => Some(Input::Resized((*size).into())),
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                log::debug!("window: scale {scale_factor}");
                None
            }
            WindowEvent::Occluded(covered) => Some(Input::Covered(*covered)),
            WindowEvent::Focused(false) => Some(Input::FocusLost),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                None
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => self.key(event),
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer = Some(Vec2::new(position.x as f32, position.y as f32));
                None
            }
            WindowEvent::CursorLeft { .. } => {
                self.pointer = None;
                None
            }
            WindowEvent::MouseInput { state, button: MouseButton::Right, .. } => {
                (*state == ElementState::Pressed).then_some(Input::Frighten(self.pointer))
            }
            WindowEvent::MouseInput { state, .. } => Some(Input::Button { down: *state == ElementState::Pressed }),
            WindowEvent::MouseWheel { delta, .. } => Some(Input::Wheel(match delta {
                MouseScrollDelta::LineDelta(_, y) => *y,
                MouseScrollDelta::PixelDelta(at) => at.y as f32 / 40.0,
            })),
            _ => None,
        }
    }

    fn key(&self, event: &KeyEvent) -> Option<Input> {
        let down = event.state == ElementState::Pressed;
        // With Control, keys are for what is open: copy, undo, save.
        if down && self.modifiers.control_key() {
            return None;
        }
        if let Some(movement) = movement(event.physical_key) {
            return Some(Input::Movement { movement, down });
        }
        let action = action(event.physical_key, &event.logical_key, self.modifiers.alt_key()).filter(|_| down)?;
        Some(Input::Action { action, repeat: event.repeat })
    }
}

/// What an event of no window means.
pub fn device_input(event: &DeviceEvent) -> Option<Input> {
    match event {
        DeviceEvent::MouseMotion { delta: (x, y) } => Some(Input::Mouse(Vec2::new(*x as f32, *y as f32))),
        _ => None,
    }
}

/// What a key asks for. `alt` says that Alt is held.
fn action(physical: PhysicalKey, logical: &Key, alt: bool) -> Option<Action> {
    use KeyCode as K;
    match physical {
        PhysicalKey::Code(K::F1) => return Some(Action::Help),
        PhysicalKey::Code(K::Tab | K::F2) => return Some(Action::Settings),
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
            "m" | "M" => Some(Action::Mind),
            "f" | "F" => Some(Action::Food),
            "p" | "P" => Some(Action::Predator),
            "b" | "B" => Some(Action::Benchmark),
            "c" | "C" => Some(Action::Camera),
            "x" | "X" => Some(Action::Stereo),
            "o" | "O" => Some(Action::Photo),
            "j" | "J" => Some(Action::Dial(Dial::Roll { right: false })),
            "k" | "K" => Some(Action::Dial(Dial::Roll { right: true })),
            "v" | "V" => Some(Action::Dial(Dial::Aperture)),
            "t" | "T" => Some(Action::Dial(Dial::Thirds)),
            "h" | "H" => Some(Action::Dial(Dial::Overlay)),
            "g" | "G" => Some(Action::Dial(Dial::Size)),
            "n" => Some(Action::Species { before: false }),
            "N" => Some(Action::Species { before: true }),
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

/// The movement that a key asks for while it is held. By place on the keyboard, whatever its letter.
fn movement(physical: PhysicalKey) -> Option<Movement> {
    let PhysicalKey::Code(code) = physical else { return None };
    match code {
        KeyCode::KeyW | KeyCode::ArrowUp => Some(Movement::Forward),
        KeyCode::KeyS | KeyCode::ArrowDown => Some(Movement::Back),
        KeyCode::KeyA | KeyCode::ArrowLeft => Some(Movement::Left),
        KeyCode::KeyD | KeyCode::ArrowRight => Some(Movement::Right),
        KeyCode::KeyE | KeyCode::PageUp => Some(Movement::Up),
        KeyCode::KeyQ | KeyCode::PageDown => Some(Movement::Down),
        KeyCode::ShiftLeft | KeyCode::ShiftRight => Some(Movement::Fast),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movement_goes_by_place_and_letters_by_what_they_say() {
        assert_eq!(movement(PhysicalKey::Code(KeyCode::KeyW)), Some(Movement::Forward));
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

    #[test]
    fn another_windows_events_are_not_heard() {
        let mut events = WindowEvents::of(WindowId::from(1));
        assert_eq!(events.input(WindowId::from(1), &WindowEvent::CloseRequested), Some(Input::Close));
        assert_eq!(events.input(WindowId::from(2), &WindowEvent::CloseRequested), None);
    }
}
