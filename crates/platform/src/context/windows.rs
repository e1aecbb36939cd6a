//! Windows: WGL.

use std::num::NonZeroIsize;
use std::ptr::null;

use gl::Dialect;
use glutin::config::ConfigTemplateBuilder;
use glutin::context::{AsRawContext, PossiblyCurrentContext, RawContext};
use glutin::display::{Display, DisplayApiPreference};
use glutin::surface::{Surface, WindowSurface};
use windows_sys::Win32::Foundation::HWND;
use windows_sys::Win32::Graphics::OpenGL::wglGetCurrentDC;
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::UI::WindowsAndMessaging::{CreateWindowExW, DestroyWindow, WS_POPUP};
use windows_sys::w;
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::{RawDisplayHandle, RawWindowHandle, Win32WindowHandle, WindowsDisplayHandle};
use winit::window::WindowAttributes;

pub use super::plain::{device_names, event_loop, few_bits, with_app_id};
use super::search::{Search, on, surface_of, template};
use super::{Context, NativeContext, Purpose, dialects, raw_handle};
use crate::console;
use crate::context_error::ContextError;

/// Window that nobody sees: WGL draws with none of its own.
pub(super) struct HiddenWindow(HWND);

/// Opens a context without a window that anyone sees.
pub(super) fn offscreen(search: &mut Search, dialects: &[Dialect]) -> Result<Context, ContextError> {
    for &dialect in dialects {
        // A window takes one format of pixels for good.
        let window = HiddenWindow::new().map_err(|why| ContextError::Window { why })?;
        let found = in_handle(window.handle(), (1, 1), dialect, search);
        if let Some((mut context, surface)) = found {
            (context.surface, context._hidden) = (Some(surface), Some(window));
            return Ok(context);
        }
    }
    Err(search.failed())
}

/// Opens a window and a context for it.
pub(super) fn windowed(
    event_loop: &ActiveEventLoop,
    attributes: &WindowAttributes,
    _: Purpose,
    search: &mut Search,
) -> Result<Context, ContextError> {
    let refused = |why: String| ContextError::Window { why };
    for dialect in dialects() {
        let window = event_loop.create_window(attributes.clone()).map_err(|error| refused(error.to_string()))?;
        let handle = raw_handle(&window).map_err(refused)?;
        if let Some((mut context, surface)) = in_handle(handle, window.inner_size().into(), dialect, search) {
            context.show_in(window, surface);
            console::close_own();
            return Ok(context);
        }
    }
    Err(search.failed())
}

/// Handles to a context that is current.
pub(super) fn native(context: &PossiblyCurrentContext, _: Option<&Surface<WindowSurface>>) -> Option<NativeContext> {
    // SAFETY: asks for a handle of this thread.
    let device = unsafe { wglGetCurrentDC() };
    match context.raw_context() {
        RawContext::Wgl(context) => Some(NativeContext::Wgl { device: device as isize, context: context as isize }),
        _ => None,
    }
}

/// Opens a context for a window of that size.
fn in_handle(
    window: RawWindowHandle,
    size: (u32, u32),
    dialect: Dialect,
    search: &mut Search,
) -> Option<(Context, Surface<WindowSurface>)> {
    let label = "WGL";
    let display = RawDisplayHandle::Windows(WindowsDisplayHandle::new());
    // SAFETY: the window is alive and of this thread.
    let display = match unsafe { Display::new(display, DisplayApiPreference::Wgl(Some(window))) } {
        Ok(display) => display,
        Err(error) => {
            search.note(label, error.to_string());
            return None;
        }
    };
    let template: ConfigTemplateBuilder = template(dialect).compatible_with_native_window(window);
    let config = search.config(&display, dialect, template, label)?;
    let surface = match surface_of(&display, &config, window, size) {
        Ok(surface) => surface,
        Err(why) => {
            search.note(label, format!("the window's surface: {why}"));
            return None;
        }
    };
    let context = search.open(&display, &config, dialect, label, &on(&surface))?;
    Some((context, surface))
}

impl HiddenWindow {
    fn new() -> Result<Self, String> {
        // SAFETY: the class is one of the system's own, the texts end in a null, and nothing else is passed.
        let window = unsafe {
            let this = GetModuleHandleW(null());
            let (class, title) = (w!("STATIC"), w!("Pelagic"));
            CreateWindowExW(
                0,
                class,
                title,
                WS_POPUP,
                0,
                0,
                1,
                1,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                this,
                null(),
            )
        };
        if window.is_null() { Err(std::io::Error::last_os_error().to_string()) } else { Ok(Self(window)) }
    }

    fn handle(&self) -> RawWindowHandle {
        // SAFETY: asks for the program's own module.
        let this = unsafe { GetModuleHandleW(null()) };
        let mut handle = Win32WindowHandle::new(NonZeroIsize::new(self.0 as isize).expect("it was made"));
        handle.hinstance = NonZeroIsize::new(this as isize);
        RawWindowHandle::Win32(handle)
    }
}

impl Drop for HiddenWindow {
    fn drop(&mut self) {
        // SAFETY: it is ours, of this thread, and nothing is drawn into it any more.
        unsafe { DestroyWindow(self.0) };
    }
}
