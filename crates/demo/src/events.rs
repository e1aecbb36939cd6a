//! The window system's events as the demo's [`Input`].

use glam::Vec2;
use winit::event::{DeviceEvent, ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key, ModifiersState, PhysicalKey};
use winit::window::WindowId;

use crate::input::Input;
use crate::keys;

/// State of a window that is needed to translate its events.
pub struct WindowEvents {
    window: WindowId,
    modifiers: ModifiersState,
    /// Position of the pointer while it is in the window. Unit: pixels.
    pointer: Option<Vec2>,
}

impl WindowEvents {
    /// Translates the events of that window alone.
    pub fn of(window: WindowId) -> Self {
        Self { window, modifiers: ModifiersState::default(), pointer: None }
    }

    /// Whether these are the events of `window`.
    pub fn are_of(&self, window: WindowId) -> bool {
        window == self.window
    }

    /// Translates an event; `None` if it is another window's, or means nothing to the demo.
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
        // winit names codes and keys as the specifications do.
        let code = match event.physical_key {
            PhysicalKey::Code(code) => format!("{code:?}"),
            PhysicalKey::Unidentified(_) => String::new(),
        };
        let name = match &event.logical_key {
            Key::Character(text) => text.to_string(),
            Key::Named(name) => format!("{name:?}"),
            Key::Unidentified(_) | Key::Dead(_) => String::new(),
        };
        keys::input(keys::Key {
            code: &code,
            name: &name,
            down: event.state == ElementState::Pressed,
            repeat: event.repeat,
            control: self.modifiers.control_key(),
            alt: self.modifiers.alt_key(),
        })
    }
}

/// Translates an event that belongs to no window.
pub fn device_input(event: &DeviceEvent) -> Option<Input> {
    match event {
        DeviceEvent::MouseMotion { delta: (x, y) } => Some(Input::Mouse(Vec2::new(*x as f32, *y as f32))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use winit::keyboard::KeyCode;

    use super::*;

    #[test]
    fn codes_are_called_as_the_specification_does() {
        let named = [KeyCode::KeyW, KeyCode::ShiftLeft, KeyCode::ArrowUp, KeyCode::PageUp, KeyCode::Digit1];
        assert_eq!(named.map(|code| format!("{code:?}")), ["KeyW", "ShiftLeft", "ArrowUp", "PageUp", "Digit1"]);
        let named = [KeyCode::Numpad9, KeyCode::NumpadAdd, KeyCode::F12, KeyCode::PrintScreen, KeyCode::Escape];
        assert_eq!(named.map(|code| format!("{code:?}")), ["Numpad9", "NumpadAdd", "F12", "PrintScreen", "Escape"]);
        assert_eq!(format!("{:?}", winit::keyboard::NamedKey::Escape), "Escape");
    }

    #[test]
    fn another_windows_events_are_not_heard() {
        let mut events = WindowEvents::of(WindowId::from(1));
        assert_eq!(events.input(WindowId::from(1), &WindowEvent::CloseRequested), Some(Input::Close));
        assert_eq!(events.input(WindowId::from(2), &WindowEvent::CloseRequested), None);
    }
}
