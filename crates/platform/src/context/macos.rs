//! macOS: CGL, which ends at OpenGL 4.1 and has no OpenGL ES.

use gl::Dialect;
use glutin::context::{NotCurrentContext, PossiblyCurrentContext};
use glutin::display::{Display, DisplayApiPreference};
use glutin::surface::{Surface, WindowSurface};
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::{AppKitDisplayHandle, RawDisplayHandle};
use winit::window::WindowAttributes;

pub use super::plain::{device_names, event_loop, few_bits, with_app_id};
use super::search::{Search, on, surface_of, template};
use super::{Context, NativeContext, Purpose, raw_handle};
use crate::context_error::ContextError;

const LABEL: &str = "CGL";

/// Opens a context without a window.
pub(super) fn offscreen(search: &mut Search, _: &[Dialect]) -> Result<Context, ContextError> {
    let display = display().map_err(|why| ContextError::NoEgl { why })?;
    let Some(config) = search.config(&display, Dialect::Core330, template(Dialect::Core330), LABEL) else {
        return Err(search.failed());
    };
    search.open(&display, &config, Dialect::Core330, LABEL, &surfaceless).ok_or_else(|| search.failed())
}

/// Opens a window and a context for it.
pub(super) fn windowed(
    event_loop: &ActiveEventLoop,
    attributes: &WindowAttributes,
    _: Purpose,
    search: &mut Search,
) -> Result<Context, ContextError> {
    let refused = |why: String| ContextError::Window { why };
    let display = display().map_err(refused)?;
    let Some(config) = search.config(&display, Dialect::Core330, template(Dialect::Core330), LABEL) else {
        return Err(search.failed());
    };
    let window = event_loop.create_window(attributes.clone()).map_err(|error| refused(error.to_string()))?;
    let handle = raw_handle(&window).map_err(refused)?;
    let surface = surface_of(&display, &config, handle, window.inner_size().into()).map_err(refused)?;
    let Some(mut context) = search.open(&display, &config, Dialect::Core330, LABEL, &on(&surface)) else {
        return Err(search.failed());
    };
    context.show_in(window, surface);
    Ok(context)
}

/// Handles to a context: no headset's runtime here takes any.
pub(super) fn native(_: &PossiblyCurrentContext, _: Option<&Surface<WindowSurface>>) -> Option<NativeContext> {
    None
}

fn display() -> Result<Display, String> {
    let display = RawDisplayHandle::AppKit(AppKitDisplayHandle::new());
    // SAFETY: the handle holds nothing that could be invalid.
    unsafe { Display::new(display, DisplayApiPreference::Cgl) }.map_err(|error| error.to_string())
}

fn surfaceless(context: NotCurrentContext) -> Result<PossiblyCurrentContext, String> {
    let NotCurrentContext::Cgl(context) = context;
    context.make_current_surfaceless().map(PossiblyCurrentContext::Cgl).map_err(|error| error.to_string())
}
