//! The pointer as a way to look round: while a button is held, or caught by a click.

use std::time::{Duration, Instant};

use glam::Vec2;
use winit::window::{CursorGrabMode, Window};

/// Longest a click takes; longer is holding.
const CLICK: Duration = Duration::from_millis(250);
/// Farthest the mouse moves within a click. Unit: pixels.
const CLICK_PIXELS: f32 = 4.0;

/// Whether the mouse looks round at the moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointerLook {
    /// When and how far since a button went down.
    held: Option<(Instant, f32)>,
    caught: bool,
}

impl PointerLook {
    /// Whether a click has caught it.
    pub fn is_caught(&self) -> bool {
        self.caught
    }

    /// Takes in a mouse movement; `true` if it looks round.
    pub fn moved(&mut self, pixels: Vec2) -> bool {
        if let Some((_, way)) = &mut self.held {
            *way += pixels.length();
        }
        self.caught || self.held.is_some()
    }

    /// Takes in a button going down or up at `now`.
    pub fn button(&mut self, down: bool, now: Instant, window: &Window) {
        if self.turn(down, now) {
            grab(window);
        } else {
            self.let_go(window);
        }
    }

    /// Lets go of it, whatever held it.
    pub fn release(&mut self, window: &Window) {
        if self.caught || self.held.is_some() {
            *self = Self::default();
            self.let_go(window);
        }
    }

    /// The new state after a button; whether the pointer is to be kept.
    fn turn(&mut self, down: bool, now: Instant) -> bool {
        match (down, self.held) {
            (true, _) => self.held = Some((now, 0.0)),
            (false, Some((since, way))) => {
                let click = now.duration_since(since) < CLICK && way < CLICK_PIXELS;
                self.caught ^= click;
                self.held = None;
            }
            (false, None) => {}
        }
        self.caught || self.held.is_some()
    }

    fn let_go(&self, window: &Window) {
        if let Err(error) = window.set_cursor_grab(CursorGrabMode::None) {
            log::debug!("the pointer is not let go: {error}");
        }
        window.set_cursor_visible(true);
    }
}

fn grab(window: &Window) {
    // X11 cannot lock it in place; within the window will do, since movements come unclipped.
    let grabbed =
        window.set_cursor_grab(CursorGrabMode::Locked).or_else(|_| window.set_cursor_grab(CursorGrabMode::Confined));
    match grabbed {
        Ok(()) => window.set_cursor_visible(false),
        Err(error) => log::debug!("the pointer cannot be caught: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holding_looks_only_while_held_and_a_click_catches() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut pointer = PointerLook::default();
        assert!(!pointer.moved(Vec2::ONE));
        assert!(pointer.turn(true, at(0)) && pointer.moved(Vec2::new(30.0, 0.0)));
        assert!(!pointer.turn(false, at(100)), "a drag is no click, however short");
        assert!(pointer.turn(true, at(1000)) && pointer.turn(false, at(1100)) && pointer.is_caught());
        assert!(pointer.turn(true, at(2000)));
        assert!(!pointer.turn(false, at(2050)), "a second click lets go");
    }
}
