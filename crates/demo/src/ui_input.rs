//! Input events for the panels that a person works with, until they are laid out.

use egui::{Event, Key, Modifiers, Pos2};

/// Events for panels, and the pointer and modifiers as they were left while no panel was open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UiInput {
    events: Vec<Event>,
    pointer: Option<Pos2>,
    modifiers: Modifiers,
    /// Whether the keys that follow are for a field that is not laid out yet.
    fills_in: bool,
}

/// State of the panels that decides whether they take an event.
#[derive(Clone, Copy, Debug)]
pub struct Taker {
    /// Whether a panel is open.
    pub is_open: bool,
    /// Whether it takes keys.
    pub has_keyboard: bool,
    /// Whether the mouse is for looking round.
    pub pointer_is_away: bool,
}

impl UiInput {
    /// Takes in an event if it is for `taker`.
    pub fn take_in(&mut self, event: Event, taker: Taker) {
        match event {
            Event::PointerMoved(at) => self.pointer = Some(at),
            Event::PointerGone => self.pointer = None,
            Event::ModifiersChanged(modifiers) => self.modifiers = modifiers,
            _ => {}
        }
        let is_for_it = taker.is_open
            && match event {
                Event::PointerMoved(_) | Event::PointerButton { pressed: true, .. } | Event::MouseWheel { .. } => {
                    !taker.pointer_is_away
                }
                // Tab opens and closes the panel, except where it leads from one field to the next.
                Event::Key { key: Key::Tab, .. } => taker.has_keyboard,
                _ => true,
            };
        if is_for_it {
            self.fills_in |=
                matches!(event, Event::Key { key: Key::F, pressed: true, modifiers, .. } if modifiers.command);
            self.events.push(event);
        }
    }

    /// Takes in events for a panel that is open.
    pub fn extend(&mut self, events: impl IntoIterator<Item = Event>) {
        self.events.extend(events);
    }

    /// Whether the following keys are for a field that is about to be filled in: typing does not wait for the next
    /// frame.
    pub fn fills_in(&self) -> bool {
        self.fills_in
    }

    /// Prepares the events for a panel that has opened: it is told the pointer's position, and older events are
    /// forgotten.
    pub fn open(&mut self) {
        (self.events, self.fills_in) = (vec![Event::ModifiersChanged(self.modifiers)], false);
        self.events.extend(self.pointer.map(Event::PointerMoved));
    }

    /// Position of the pointer, in points of the screen's scale.
    pub fn pointer(&self) -> Option<Pos2> {
        self.pointer
    }

    /// Takes the events since the last call, in points of which `factor` make one of the screen's.
    pub fn drain(&mut self, factor: f32) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.events);
        self.fills_in = false;
        for event in &mut events {
            match event {
                Event::PointerMoved(at) | Event::PointerButton { pos: at, .. } | Event::Touch { pos: at, .. } => {
                    *at *= factor;
                }
                _ => {}
            }
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Taker = Taker { is_open: true, has_keyboard: false, pointer_is_away: false };

    #[test]
    fn a_closed_panel_hears_nothing_and_an_opened_one_knows_where_the_pointer_is() {
        let mut input = UiInput::default();
        input.take_in(Event::PointerMoved(Pos2::new(3.0, 4.0)), Taker { is_open: false, ..OPEN });
        input.take_in(Event::Text("w".into()), Taker { is_open: false, ..OPEN });
        assert_eq!(input.drain(1.0), []);
        input.open();
        let told = [Event::ModifiersChanged(Modifiers::NONE), Event::PointerMoved(Pos2::new(6.0, 8.0))];
        assert_eq!(input.drain(2.0), told);
    }

    #[test]
    fn what_is_typed_right_after_the_search_is_asked_for_is_for_it() {
        let mut input = UiInput::default();
        let f = |modifiers| Event::Key { key: Key::F, physical_key: None, pressed: true, repeat: false, modifiers };
        input.take_in(f(Modifiers::NONE), OPEN);
        assert!(!input.fills_in());
        input.take_in(f(Modifiers::CTRL | Modifiers::COMMAND), OPEN);
        assert!(input.fills_in());
        input.drain(1.0);
        assert!(!input.fills_in(), "now whoever lays it out knows");
    }

    #[test]
    fn a_mouse_that_looks_round_and_a_tab_that_closes_are_not_for_the_panel() {
        let mut input = UiInput::default();
        let tab = |pressed| Event::Key {
            key: Key::Tab,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        input.take_in(Event::PointerMoved(Pos2::new(3.0, 4.0)), Taker { pointer_is_away: true, ..OPEN });
        input.take_in(tab(true), OPEN);
        assert_eq!(input.drain(1.0), []);
        input.take_in(tab(true), Taker { has_keyboard: true, ..OPEN });
        assert_eq!(input.drain(1.0), [tab(true)]);
    }
}
