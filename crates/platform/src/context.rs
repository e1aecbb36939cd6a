//! An OpenGL context, with a window or without one: OpenGL 3.3 core, or else OpenGL ES 3.0.
//!
//! The only place outside [`gl`] with `unsafe`: glutin's calls are unsafe, and each note says why ours are sound. Whatever
//! differs from system to system is in `unix`, `windows` and `macos`, which have the same functions; the latter two share
//! those of `plain`.
#![expect(clippy::disallowed_methods, reason = "the environment picks a driver")]
#![allow(unsafe_code)]

use std::ffi::CString;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use gl::{DeviceInfo, Dialect, Gl};
use glutin::context::{PossiblyCurrentContext, PossiblyCurrentGlContext};
use glutin::display::GlDisplay;
use glutin::surface::{GlSurface, Surface, SwapInterval, WindowSurface};
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::{HasWindowHandle, RawWindowHandle};
use winit::window::{Window, WindowAttributes};

use crate::context_error::{ContextError, Reset};

mod events;
mod facts;
pub mod leave;
mod native;
#[cfg(any(windows, target_os = "macos"))]
mod plain;
mod search;
#[cfg_attr(windows, path = "context/windows.rs")]
#[cfg_attr(target_os = "macos", path = "context/macos.rs")]
#[cfg_attr(not(any(windows, target_os = "macos")), path = "context/unix/mod.rs")]
mod system;

pub use events::Events;
pub use facts::Extension;
pub use native::NativeContext;
use search::Search;
pub use system::{device_names, event_loop, with_app_id};

/// Variable that asks for a dialect of OpenGL before the other: `core` or `es`.
const DIALECT_VARIABLE: &str = "PELAGIC_OPENGL";

/// Purpose of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// It is looked at.
    #[default]
    Screen,
    /// A headset takes pictures of its context too: X11 and GLX come first, which most of their runtimes ask for.
    Headset,
}

type GetGraphicsResetStatus = unsafe extern "system" fn() -> u32;

/// An OpenGL context, current on the thread that made it for as long as it lives.
///
/// Everything made with [`Self::gl`] must be dropped before it.
pub struct Context {
    gl: Gl,
    device: DeviceInfo,
    reset_status: Option<GetGraphicsResetStatus>,
    // Dropped in this order: the surface belongs to the context and to the window.
    surface: Option<Surface<WindowSurface>>,
    current: PossiblyCurrentContext,
    window: Option<Rc<Window>>,
    /// Window of an off-screen context, on the one system that draws nothing without.
    #[cfg(windows)]
    _hidden: Option<system::HiddenWindow>,
    /// Whether the window system keeps the pace of frames, so that swaps must not wait.
    paces_itself: bool,
}

impl Context {
    /// Opens a context without a window.
    ///
    /// On Linux it is on an EGL device, hardware first. `PELAGIC_EGL_DEVICE` picks a device by its number, by a part of
    /// its name, or as `software` or `hardware`; `LIBGL_ALWAYS_SOFTWARE=1` prefers software. A device that does not work
    /// is passed over. `PELAGIC_OPENGL` asks for `core` or `es` first.
    ///
    /// # Errors
    /// If no driver gives OpenGL 3.3 core or OpenGL ES 3.0.
    pub fn offscreen() -> Result<Self, ContextError> {
        Self::offscreen_in(&dialects())
    }

    /// Opens a context like [`Self::offscreen`], of the first of these dialects that there is.
    ///
    /// # Errors
    /// If no driver gives any.
    pub fn offscreen_in(dialects: &[Dialect]) -> Result<Self, ContextError> {
        let mut search = Search::default();
        let made = guarded(|| Ok(system::offscreen(&mut search, dialects)))
            .unwrap_or_else(|panic| Err(ContextError::NoEgl { why: format!("EGL's loader gave up: {panic}") }));
        finish(made, &search)
    }

    /// Opens a window and a context for it.
    ///
    /// # Errors
    /// If the window system refuses the window, or no driver gives OpenGL 3.3 core or OpenGL ES 3.0 for it.
    pub fn in_window(
        event_loop: &ActiveEventLoop,
        attributes: &WindowAttributes,
        (vsync, purpose): (bool, Purpose),
    ) -> Result<Self, ContextError> {
        let mut search = Search::default();
        search.is_shared = purpose == Purpose::Headset;
        let made = guarded(|| Ok(system::windowed(event_loop, attributes, purpose, &mut search)))
            .unwrap_or_else(|panic| Err(ContextError::Window { why: format!("its library gave up: {panic}") }));
        let made = made.map_err(|error| match system::few_bits(event_loop) {
            Some(bits) => ContextError::FewColours { bits },
            None => error,
        });
        let context = finish(made, &search)?;
        context.set_vsync(vsync && !context.paces_itself);
        Ok(context)
    }

    /// Makes it that of a window.
    fn show_in(&mut self, window: Window, surface: Surface<WindowSurface>) {
        (self.surface, self.window) = (Some(surface), Some(Rc::new(window)));
    }

    /// Surface of the window that people see.
    fn shown(&self) -> Option<&Surface<WindowSurface>> {
        self.surface.as_ref().filter(|_| self.window.is_some())
    }

    /// The GL function table.
    pub fn gl(&self) -> Gl {
        self.gl.clone()
    }

    /// Loader of the driver's functions by name, for wrappers around it.
    pub fn loader(&self) -> impl Fn(&str) -> *const std::ffi::c_void {
        let display = glutin::display::GetGlDisplay::display(&self.current);
        move |name| CString::new(name).map_or(std::ptr::null(), |name| display.get_proc_address(&name))
    }

    /// Driver and device information.
    pub fn device(&self) -> &DeviceInfo {
        &self.device
    }

    /// Handles of the system to it, where a headset's runtime could take pictures of it.
    pub fn native(&self) -> Option<NativeContext> {
        // Runtimes take the desktop's OpenGL alone.
        let is_desktop = self.gl.dialect() == Dialect::Core330;
        is_desktop.then(|| system::native(&self.current, self.shown())).flatten()
    }

    /// The window, if there is one.
    pub fn window(&self) -> Option<&Rc<Window>> {
        self.window.as_ref()
    }

    /// Refresh rate of the screen that the window is on, if it is known. Unit: 1/s.
    pub fn refresh_hz(&self) -> Option<f64> {
        let monitor = self.window.as_ref()?.current_monitor()?;
        monitor.refresh_rate_millihertz().map(|millihertz| f64::from(millihertz) / 1000.0)
    }

    /// Shows the frame that was drawn. Does nothing without a window.
    ///
    /// # Errors
    /// If the context or the window is lost; the text is the driver's.
    pub fn swap(&self) -> Result<(), String> {
        match self.shown() {
            Some(surface) => surface.swap_buffers(&self.current).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    /// Follows the window's new size in pixels; a size with a zero is ignored.
    pub fn resize(&self, width: u32, height: u32) {
        if let (Some(surface), Some(width), Some(height)) =
            (self.shown(), NonZeroU32::new(width), NonZeroU32::new(height))
        {
            surface.resize(&self.current, width, height);
        }
    }

    /// Turns waiting for the screen in [`Self::swap`] on or off. A driver may refuse, which is logged. Returns whether
    /// it is set.
    pub fn set_vsync(&self, vsync: bool) -> bool {
        let Some(surface) = self.shown() else { return !vsync };
        let interval = if vsync { SwapInterval::Wait(NonZeroU32::MIN) } else { SwapInterval::DontWait };
        let set = surface.set_swap_interval(&self.current, interval);
        if let Err(error) = &set {
            log::debug!("the driver does not set vsync: {error}");
        }
        set.is_ok()
    }

    /// Reason for which the driver has reset the context, as far as it tells.
    pub fn reset(&self) -> Option<Reset> {
        // SAFETY: the address came from this context's loader, which is current on this thread.
        let status = self.reset_status.map(|status| unsafe { status() })?;
        match status {
            0x8253 => Some(Reset::Guilty),
            0x8254 => Some(Reset::Innocent),
            0x8255 => Some(Reset::Unknown),
            // Some drivers return junk without having lost anything.
            _ => None,
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // A surface that is still current would outlive its destruction, and then its window.
        if self.current.is_current()
            && let Err(error) = self.current.make_not_current_in_place()
        {
            log::debug!("the context cannot be put away: {error}");
        }
    }
}

/// Runs a call into the windowing libraries and turns a panic into an error: they panic instead of returning one (an X
/// server without an extension, half of a library missing).
fn guarded<T>(call: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(AssertUnwindSafe(call));
    std::panic::set_hook(hook);
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default())
    })
}

/// Logs the attempts for `-v` and the outcome.
fn finish(made: Result<Context, ContextError>, search: &Search) -> Result<Context, ContextError> {
    for attempt in &search.attempts {
        log::debug!("{attempt}");
    }
    if let Ok(context) = &made {
        log::info!("{}", context.device);
    }
    made
}

/// Dialects in the order in which they are asked for.
fn dialects() -> [Dialect; 2] {
    match std::env::var(DIALECT_VARIABLE).as_deref().map(str::trim) {
        Ok("es") => return [Dialect::Es300, Dialect::Core330],
        Ok("core" | "") | Err(_) => {}
        Ok(_) => log::warn!("{DIALECT_VARIABLE} is core or es; it is ignored"),
    }
    [Dialect::Core330, Dialect::Es300]
}

fn raw_handle(window: &Window) -> Result<RawWindowHandle, String> {
    window.window_handle().map(|handle| handle.as_raw()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guarded::<()>(|| panic!("no such {}", "extension")), Err("no such extension".to_string()));
        assert_eq!(guarded(|| Ok(3)), Ok(3));
    }
}
