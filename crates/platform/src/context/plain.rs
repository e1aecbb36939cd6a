//! Windows and macOS alike: one window system, which is always there, and which chooses the graphics card.

use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::WindowAttributes;

use super::{Events, Purpose, guarded};
use crate::context_error::ContextError;

/// Opens an event loop. Must be called once in a process, on its main thread.
///
/// # Errors
/// If there is no desktop to show windows on.
pub fn event_loop(_: Purpose) -> Result<Events, ContextError> {
    let pump = guarded(|| EventLoop::new().map_err(|error| error.to_string()));
    Ok(Events::new(pump.map_err(|why| ContextError::NoDisplay { why })?, || {}))
}

/// The attributes as they are: desktops here know a window by its program.
pub fn with_app_id(attributes: WindowAttributes, _: &str, _: &str) -> WindowAttributes {
    attributes
}

/// Names of the devices that draw without a window: the system chooses.
pub fn device_names() -> Vec<String> {
    Vec::new()
}

/// Colour depth of the screen in bits, if it is less than that of true colour: never there.
pub fn few_bits(_: &ActiveEventLoop) -> Option<u8> {
    None
}
