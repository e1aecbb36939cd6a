//! A window of the system as a screen. All of the demo's calls into winit's window are here.

use std::rc::Rc;

use egui::PlatformOutput;
use gl::{DeviceInfo, Gl, RenderTarget};
use platform::context::{Context, NativeContext, Purpose, with_app_id};
use platform::context_error::{ContextError, Reset};
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::window::{CursorGrabMode, Fullscreen, Window, WindowAttributes, WindowId};

use crate::screen::Screen;
use crate::window_panels::WindowPanels;

/// A window with its context.
pub struct WindowScreen {
    panels: Rc<WindowPanels>,
    context: Context,
}

impl WindowScreen {
    /// Opens a window; `wanted` says whether it waits for the screen, and what it is for.
    ///
    /// # Errors
    /// If the window cannot be opened, or there is no usable OpenGL for it.
    pub fn open(
        event_loop: &ActiveEventLoop,
        attributes: &WindowAttributes,
        wanted: (bool, Purpose),
    ) -> Result<Self, ContextError> {
        let context = Context::in_window(event_loop, attributes, wanted)?;
        match context.window() {
            Some(window) => Ok(Self { panels: Rc::new(WindowPanels::new(window)), context }),
            None => Err(ContextError::Window { why: "it is gone already".into() }),
        }
    }

    /// Id by which the system's events name the window.
    pub fn id(&self) -> WindowId {
        self.window().id()
    }

    /// Handles of the system to its context, where a headset's runtime could take pictures of it.
    pub fn native(&self) -> Option<NativeContext> {
        self.context.native()
    }

    /// Translator between the window and its panels.
    pub fn panels(&self) -> Rc<WindowPanels> {
        self.panels.clone()
    }

    fn window(&self) -> &Window {
        self.context.window().expect("`open` has seen it, and nothing takes it away")
    }
}

impl Screen for WindowScreen {
    fn gl(&self) -> Gl {
        self.context.gl()
    }

    fn device(&self) -> &DeviceInfo {
        self.context.device()
    }

    fn size(&self) -> (u32, u32) {
        self.window().inner_size().into()
    }

    fn scale(&self) -> f32 {
        self.window().scale_factor() as f32
    }

    fn is_minimised(&self) -> bool {
        self.window().is_minimized() == Some(true)
    }

    fn refresh_hz(&self) -> Option<f64> {
        self.context.refresh_hz()
    }

    fn output(&self) -> Option<&RenderTarget> {
        None
    }

    fn resize(&mut self, (width, height): (u32, u32)) {
        self.context.resize(width, height);
    }

    fn swap(&self) -> Result<(), String> {
        self.window().pre_present_notify();
        self.context.swap()
    }

    fn reset(&self) -> Option<Reset> {
        self.context.reset()
    }

    fn request_redraw(&self) {
        self.window().request_redraw();
    }

    fn set_title(&self, title: &str) {
        self.window().set_title(title);
    }

    fn is_full_screen(&self) -> bool {
        self.window().fullscreen().is_some()
    }

    fn set_full_screen(&self, full_screen: bool) {
        self.window().set_fullscreen(full_screen.then_some(Fullscreen::Borderless(None)));
    }

    fn catch_pointer(&self, caught: bool) {
        let window = self.window();
        let done = match caught {
            // X11 cannot lock the pointer; confining it to the window suffices, since movements are not clipped.
            true => window
                .set_cursor_grab(CursorGrabMode::Locked)
                .or_else(|_| window.set_cursor_grab(CursorGrabMode::Confined)),
            false => window.set_cursor_grab(CursorGrabMode::None),
        };
        if let Err(error) = &done {
            log::debug!("the pointer is not {}: {error}", if caught { "caught" } else { "let go" });
        }
        // A pointer that cannot be caught stays visible.
        window.set_cursor_visible(!caught || done.is_err());
    }

    fn set_vsync(&self, vsync: bool) {
        self.context.set_vsync(vsync);
    }

    fn serve_panels(&self, wishes: PlatformOutput) {
        self.panels.serve(wishes);
    }
}

/// Attributes of a window of that size, as for all of the program's windows.
pub fn attributes(title: &str, (width, height): (u32, u32)) -> WindowAttributes {
    let attributes = Window::default_attributes()
        .with_title(title)
        .with_inner_size(PhysicalSize::new(width, height))
        .with_min_inner_size(LogicalSize::new(160, 90));
    with_app_id(attributes, build_info::APP_ID, build_info::NAME)
}
