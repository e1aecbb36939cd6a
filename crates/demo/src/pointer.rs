//! Looking round with the pointer: while a button is held, or after a click has caught it.

use glam::Vec2;

/// Longest duration of a click; beyond it the button is held. Unit: s.
const CLICK_S: f64 = 0.25;
/// Farthest the mouse moves within a click. Unit: pixels.
const CLICK_PIXELS: f32 = 4.0;

/// Whether the mouse looks round at the moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointerLook {
    /// Time at which a button went down, and distance moved since then.
    held: Option<(f64, f32)>,
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
        self.is_kept()
    }

    /// Whether it is kept within the screen, for the mouse to look round.
    pub fn is_kept(&self) -> bool {
        self.caught || self.held.is_some()
    }

    /// Takes in a button going down or up.
    pub fn button(&mut self, down: bool, now_s: f64) {
        match (down, self.held) {
            (true, _) => self.held = Some((now_s, 0.0)),
            (false, Some((since, way))) => {
                let click = now_s - since < CLICK_S && way < CLICK_PIXELS;
                self.caught ^= click;
                self.held = None;
            }
            (false, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holding_looks_only_while_held_and_a_click_catches() {
        let mut pointer = PointerLook::default();
        let turn = |pointer: &mut PointerLook, down, now_s| {
            pointer.button(down, now_s);
            pointer.is_kept()
        };
        assert!(!pointer.moved(Vec2::ONE));
        assert!(turn(&mut pointer, true, 0.0) && pointer.moved(Vec2::new(30.0, 0.0)));
        assert!(!turn(&mut pointer, false, 0.1), "a drag is no click, however short");
        assert!(turn(&mut pointer, true, 1.0) && turn(&mut pointer, false, 1.1) && pointer.is_caught());
        assert!(turn(&mut pointer, true, 2.0));
        assert!(!turn(&mut pointer, false, 2.05), "a second click lets go");
    }
}
