//! The place that the demo is shown in, whatever it is.

use egui::PlatformOutput;
use gl::{DeviceInfo, Gl, RenderTarget};
use platform::context_error::{ContextError, Reset};

/// A window with a context in it, or what stands for one.
///
/// Its context is current on this thread as long as it lives, and what was made with [`Self::gl`] is dropped before it.
pub trait Screen {
    /// The GL function table.
    fn gl(&self) -> Gl;

    /// What the driver says about itself.
    fn device(&self) -> &DeviceInfo;

    /// Width and height in pixels; both 0 while there is nothing to draw on.
    fn size(&self) -> (u32, u32);

    /// Pixels a point of text.
    fn scale(&self) -> f32;

    /// Whether it is put away, so that nobody could see a frame.
    fn is_minimised(&self) -> bool;

    /// How often it shows another picture, where that is known. Unit: 1/s.
    fn refresh_hz(&self) -> Option<f64>;

    /// What a frame is drawn into; `None` for the context's own framebuffer.
    fn output(&self) -> Option<&RenderTarget>;

    /// Makes what is drawn into as large as the picture will be.
    fn resize(&mut self, size: (u32, u32));

    /// Shows what was drawn.
    ///
    /// # Errors
    /// If the context or the window is lost; the text is the driver's.
    fn swap(&self) -> Result<(), String>;

    /// Whether the driver has thrown the context away, as far as it tells.
    fn reset(&self) -> Option<Reset>;

    /// Asks for another frame when it suits.
    fn request_redraw(&self);

    /// Writes a title over it.
    fn set_title(&self, title: &str);

    /// Whether it covers all of the monitor.
    fn is_full_screen(&self) -> bool;

    /// Covers all of the monitor or gives it back.
    fn set_full_screen(&self, full_screen: bool);

    /// Hides the pointer and keeps it within, or lets it go.
    fn catch_pointer(&self, caught: bool);

    /// Has [`Self::swap`] wait for the screen, or not.
    fn set_vsync(&self, vsync: bool);

    /// Whether frames are asked for when they are to be shown, and drawn after that by somebody else: then only the time
    /// between them tells what they take.
    fn is_paced(&self) -> bool {
        false
    }

    /// Whether a person who presses Escape can leave it: not a page.
    fn can_be_left(&self) -> bool {
        true
    }

    /// Does what panels want of it: a pointer of another shape, text on the clipboard, an input method.
    fn serve_panels(&self, wishes: PlatformOutput);
}

/// Opens a screen with a title, the first one and one in place of each that is lost.
pub type Opener<'a> = dyn FnMut(&str) -> Result<Box<dyn Screen>, ContextError> + 'a;
