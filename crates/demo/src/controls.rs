//! The state of keys, pointer and window, as the window system tells it.

use camera::HeldKeys;

use crate::pointer::PointerLook;
use crate::population::PopulationKeys;

/// Keys and buttons that are held, and whether anybody sees the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Controls {
    /// The keys that move the camera.
    pub held: HeldKeys,
    /// The pointer.
    pub pointer: PointerLook,
    /// The keys for more fish and fewer.
    pub population: PopulationKeys,
    /// Whether other windows cover this one.
    pub is_covered: bool,
    /// Number of times the window has lost its focus.
    pub focus_losses: u32,
}

impl Controls {
    /// Resets the state for another screen, which has not reported any keys, buttons or covers.
    pub fn change_screen(&mut self) {
        (self.held, self.pointer, self.is_covered) = (HeldKeys::default(), PointerLook::default(), false);
    }

    /// Releases all keys: without the focus nothing reports their release.
    pub fn lose_focus(&mut self) {
        self.focus_losses = self.focus_losses.wrapping_add(1);
        self.held = HeldKeys::default();
    }
}
