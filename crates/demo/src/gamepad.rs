//! A gamepad as the demo's [`Input`]: sticks fly and look, triggers go up and down, buttons are keys.

use camera::Sticks;
use gilrs::{Axis, Button, Event, EventType, Gilrs, GilrsBuilder};
use glam::{Vec2, Vec3};

use crate::input::{Action, Input};

/// Dead zone of a stick, as a share of its full deflection: worn sticks do not rest in the middle.
const DEAD_ZONE: f32 = 0.15;

/// Actions of the buttons.
const BUTTONS: [(Button, Action); 6] = [
    (Button::South, Action::Camera),
    (Button::East, Action::Species { before: false }),
    (Button::West, Action::Species { before: true }),
    (Button::North, Action::Photo),
    (Button::Start, Action::Pause),
    (Button::Select, Action::Screenshot),
];

/// All gamepads, whenever they are plugged in; the one that was used last steers.
pub struct Gamepads {
    /// `None` where the system does not let gamepads be read.
    gilrs: Option<Gilrs>,
    sticks: Sticks,
}

impl Gamepads {
    /// Opens the gamepads of this machine. Without any, or the right to read them, no input comes and the log says so.
    pub fn new() -> Self {
        let gilrs = GilrsBuilder::new().with_default_filters(false).build();
        let gilrs = gilrs.inspect_err(|error| log::warn!("gamepads cannot be read: {error}")).ok();
        if gilrs.as_ref().is_some_and(|gilrs| gilrs.gamepads().next().is_none()) {
            log::info!("no gamepad is plugged in; one that is plugged in later will do");
        }
        Self { gilrs, sticks: Sticks::default() }
    }

    /// Returns the inputs since the last call.
    pub fn poll(&mut self) -> Vec<Input> {
        let Some(gilrs) = &mut self.gilrs else { return Vec::new() };
        let mut inputs = Vec::new();
        let mut sticks = self.sticks;
        while let Some(Event { id, event, .. }) = gilrs.next_event() {
            let gamepad = gilrs.gamepad(id);
            match event {
                EventType::Connected => log::info!("gamepad: {}", gamepad.name()),
                EventType::Disconnected => {
                    log::info!("gamepad: {} is gone", gamepad.name());
                    sticks = Sticks::default();
                }
                EventType::ButtonPressed(button, _) => {
                    let action = BUTTONS.iter().find(|(known, _)| *known == button).map(|&(_, action)| action);
                    inputs.extend(action.map(|action| Input::Action { action, repeat: false }));
                }
                EventType::AxisChanged(..) | EventType::ButtonChanged(..) => {
                    let stick = |x, y| off_middle(Vec2::new(gamepad.value(x), gamepad.value(y)));
                    let trigger = |button| gamepad.button_data(button).map_or(0.0, |data| data.value());
                    let (left, right) =
                        (stick(Axis::LeftStickX, Axis::LeftStickY), stick(Axis::RightStickX, Axis::RightStickY));
                    let rise = trigger(Button::RightTrigger2) - trigger(Button::LeftTrigger2);
                    let rise = off_middle(Vec2::new(rise, 0.0)).x;
                    sticks = Sticks { go: Vec3::new(left.x, rise, -left.y), look: right };
                }
                _ => {}
            }
        }
        if sticks != self.sticks {
            self.sticks = sticks;
            inputs.push(Input::Sticks(sticks));
        }
        inputs
    }
}

/// Deflection of a stick without the dead zone, at whose edge it begins from 0; its length is 1 at most.
fn off_middle(at: Vec2) -> Vec2 {
    let way = at.length();
    if way.is_nan() || way <= DEAD_ZONE {
        return Vec2::ZERO;
    }
    at / way * ((way - DEAD_ZONE) / (1.0 - DEAD_ZONE)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stick_at_rest_is_at_rest_and_begins_slowly() {
        assert_eq!(off_middle(Vec2::new(0.1, -0.1)), Vec2::ZERO);
        assert_eq!(off_middle(Vec2::new(f32::NAN, 0.0)), Vec2::ZERO);
        assert!(off_middle(Vec2::new(0.16, 0.0)).x < 0.02);
        assert!((off_middle(Vec2::new(-1.0, -1.0)).length() - 1.0).abs() < 1e-5);
    }
}
