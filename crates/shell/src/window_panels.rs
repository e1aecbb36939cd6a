//! What stands between a window and the panels in it: its events as egui's, and what egui wants of it.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use egui::{PlatformOutput, ViewportId};
use winit::event::WindowEvent;
use winit::window::Window;

/// A window as egui knows it. It does not keep the window open.
pub struct WindowPanels {
    window: Weak<Window>,
    state: RefCell<egui_winit::State>,
}

impl WindowPanels {
    /// Of that window.
    pub fn new(window: &Rc<Window>) -> Self {
        // A context of its own: the one that lays panels out comes and goes with what it draws with.
        let state = egui_winit::State::new(egui::Context::default(), ViewportId::ROOT, window, None, None, None);
        Self { window: Rc::downgrade(window), state: RefCell::new(state) }
    }

    /// What a window's event means to egui, positions in points of the window's own scale.
    pub fn events(&self, event: &WindowEvent) -> Vec<egui::Event> {
        let Some(window) = self.window.upgrade() else { return Vec::new() };
        let mut state = self.state.borrow_mut();
        // Whether anybody takes it is for who lays out the panels to say.
        let _ = state.on_window_event(&window, event);
        std::mem::take(&mut state.egui_input_mut().events)
    }

    /// Does what egui wants.
    pub fn serve(&self, wishes: PlatformOutput) {
        if let Some(window) = self.window.upgrade() {
            self.state.borrow_mut().handle_platform_output(&window, wishes);
        }
    }
}
