//! Translation between a window and its panels: window events to egui's, and egui's output to the window.

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
    /// Attaches to `window`.
    pub fn new(window: &Rc<Window>) -> Self {
        // An egui context of its own: the one that lays out the panels is replaced together with the painter.
        let state = egui_winit::State::new(egui::Context::default(), ViewportId::ROOT, window, None, None, None);
        Self { window: Rc::downgrade(window), state: RefCell::new(state) }
    }

    /// Translates a window's event to egui's events, with positions in points of the window's scale.
    pub fn events(&self, event: &WindowEvent) -> Vec<egui::Event> {
        let Some(window) = self.window.upgrade() else { return Vec::new() };
        let mut state = self.state.borrow_mut();
        // Whether the event is consumed is decided by the context that lays out the panels.
        let _ = state.on_window_event(&window, event);
        std::mem::take(&mut state.egui_input_mut().events)
    }

    /// Applies egui's output to the window.
    pub fn serve(&self, wishes: PlatformOutput) {
        if let Some(window) = self.window.upgrade() {
            self.state.borrow_mut().handle_platform_output(&window, wishes);
        }
    }
}
