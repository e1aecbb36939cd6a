//! Interface of the surface that the demo is shown on, window or page.

use egui::PlatformOutput;
use gl::{DeviceInfo, Gl, RenderTarget};
use platform::context_error::{ContextError, Reset};

/// A window with a context in it, or a stand-in for one.
///
/// Its context is current on this thread as long as it lives; everything made with [`Self::gl`] must be dropped before
/// it.
pub trait Screen {
    /// The GL function table.
    fn gl(&self) -> Gl;

    /// Driver and device information.
    fn device(&self) -> &DeviceInfo;

    /// Width and height in pixels; both 0 while there is nothing to draw on.
    fn size(&self) -> (u32, u32);

    /// Pixels a point of text.
    fn scale(&self) -> f32;

    /// Whether it is minimised, so that no frame could be seen.
    fn is_minimised(&self) -> bool;

    /// Refresh rate, if it is known. Unit: 1/s.
    fn refresh_hz(&self) -> Option<f64>;

    /// Render target of a frame; `None` for the context's own framebuffer.
    fn output(&self) -> Option<&RenderTarget>;

    /// Resizes the render target to the size of the picture.
    fn resize(&mut self, size: (u32, u32));

    /// Presents the frame that was drawn.
    ///
    /// # Errors
    /// If the context or the window is lost; the text is the driver's.
    fn swap(&self) -> Result<(), String>;

    /// Whether the driver has thrown the context away, as far as it tells.
    fn reset(&self) -> Option<Reset>;

    /// Requests another frame.
    fn request_redraw(&self);

    /// Sets the window's title.
    fn set_title(&self, title: &str);

    /// Whether it is full screen.
    fn is_full_screen(&self) -> bool;

    /// Enters or leaves full screen.
    fn set_full_screen(&self, full_screen: bool);

    /// Hides the pointer and confines it to the window, or releases it.
    fn catch_pointer(&self, caught: bool);

    /// Turns on or off waiting for the screen in [`Self::swap`].
    fn set_vsync(&self, vsync: bool);

    /// Whether frames are requested at the screen's pace and drawn afterwards by another process: then only the time
    /// between frames tells what they cost.
    fn is_paced(&self) -> bool {
        false
    }

    /// Whether Escape can leave it; not so in a page.
    fn can_be_left(&self) -> bool {
        true
    }

    /// Applies what egui's panels ask for: the pointer's shape, text for the clipboard, an input method.
    fn serve_panels(&self, wishes: PlatformOutput);
}

/// Callback that opens a screen with a title: the first one, and a replacement for each that is lost.
pub type Opener<'a> = dyn FnMut(&str) -> Result<Box<dyn Screen>, ContextError> + 'a;
