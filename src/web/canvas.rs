//! A canvas as a screen.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use egui::{CursorIcon, OutputCommand, PlatformOutput};
use gl::{DeviceInfo, Gl, RenderTarget};
use platform::context_error::{ContextError, Reset};
use shell::screen::Screen;
use wasm_bindgen::JsCast;
use web_sys::{Document, HtmlCanvasElement, WebGl2RenderingContext, WebGlFramebuffer, Window};

use crate::web::context::Context;
use crate::web::message::{Message, tell};

/// Greatest size of a canvas's side in pixels: browsers shrink larger ones without saying so.
const MAX_PIXELS: f64 = 4096.0;

/// A canvas of the page and its state.
pub struct Canvas {
    /// The canvas.
    pub element: HtmlCanvasElement,
    window: Window,
    /// Whether a redraw was requested.
    pub wants_redraw: Cell<bool>,
    /// Whether a mouse button is down.
    pub is_pressed: Cell<bool>,
    /// Fixed size in pixels, if it does not follow the page's layout.
    pub fixed_size: Cell<Option<(u32, u32)>>,
    /// Whether a headset is worn, whose size is then that of the screen.
    pub is_worn: Cell<bool>,
    gl: RefCell<Option<Gl>>,
    cursor: Cell<CursorIcon>,
    title: RefCell<String>,
    context: RefCell<Option<WebGl2RenderingContext>>,
}

impl Canvas {
    /// Wraps a canvas element of the page.
    ///
    /// # Errors
    /// If there is no browser window.
    pub fn new(element: HtmlCanvasElement) -> Result<Rc<Self>, ContextError> {
        let window =
            web_sys::window().ok_or_else(|| ContextError::NoWebGl { why: "There is no page around it".into() })?;
        Ok(Rc::new(Self {
            element,
            window,
            wants_redraw: Cell::new(false),
            is_pressed: Cell::new(false),
            fixed_size: Cell::new(None),
            is_worn: Cell::new(false),
            gl: RefCell::default(),
            cursor: Cell::new(CursorIcon::Default),
            title: RefCell::default(),
            context: RefCell::default(),
        }))
    }

    /// The window of the browser.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// The page's document.
    pub fn document(&self) -> Option<Document> {
        self.window.document()
    }

    /// Pixels a point.
    pub fn scale(&self) -> f64 {
        self.window.device_pixel_ratio().clamp(0.5, 8.0)
    }

    /// Size that the page's layout gives it. Unit: pixels.
    pub fn wanted_size(&self) -> (u32, u32) {
        if let Some(size) = self.fixed_size.get() {
            return size;
        }
        let side = |points: i32| (f64::from(points) * self.scale()).round().clamp(0.0, MAX_PIXELS) as u32;
        (side(self.element.client_width()), side(self.element.client_height()))
    }

    /// Has the screen's picture drawn into a headset's framebuffer; `None` for the canvas again.
    pub fn replace(&self, framebuffer: Option<WebGlFramebuffer>) {
        if let Some(gl) = &*self.gl.borrow() {
            gl.replace_screen(framebuffer);
        }
    }

    /// Whether the page is hidden.
    pub fn is_hidden(&self) -> bool {
        self.document().is_some_and(|document| document.hidden())
    }

    /// Whether its context is lost: nothing can be drawn, nor GL objects made.
    pub fn is_without_context(&self) -> bool {
        self.context.borrow().as_ref().is_some_and(WebGl2RenderingContext::is_context_lost)
    }

    /// Whether the pointer is locked to it.
    pub fn has_pointer(&self) -> bool {
        self.document().is_some_and(|document| document.pointer_lock_element().is_some())
    }

    fn point_with(&self, icon: CursorIcon) {
        if self.cursor.replace(icon) != icon {
            // A failed change of the pointer's shape is ignored.
            let _ = self.element.style().set_property("cursor", css(icon));
        }
    }
}

/// The canvas with its context.
pub struct CanvasScreen {
    canvas: Rc<Canvas>,
    context: Context,
}

impl CanvasScreen {
    /// Opens the canvas, also again after a loss.
    ///
    /// # Errors
    /// If there is no usable WebGL.
    pub fn open(canvas: &Rc<Canvas>, title: &str) -> Result<Box<dyn Screen>, ContextError> {
        let context = Context::of(&canvas.element)?;
        log::info!("{}", context.device);
        *canvas.context.borrow_mut() = Some(context.raw.clone());
        *canvas.gl.borrow_mut() = Some(context.gl.clone());
        let screen = Self { canvas: canvas.clone(), context };
        screen.set_title(title);
        Ok(Box::new(screen))
    }
}

impl Screen for CanvasScreen {
    fn gl(&self) -> Gl {
        self.context.gl.clone()
    }

    fn device(&self) -> &DeviceInfo {
        &self.context.device
    }

    fn size(&self) -> (u32, u32) {
        self.canvas.wanted_size()
    }

    fn scale(&self) -> f32 {
        self.canvas.scale() as f32
    }

    fn is_minimised(&self) -> bool {
        self.canvas.is_hidden() && !self.canvas.is_worn.get()
    }

    fn refresh_hz(&self) -> Option<f64> {
        None
    }

    fn output(&self) -> Option<&RenderTarget> {
        None
    }

    fn resize(&mut self, (width, height): (u32, u32)) {
        // A headset has a picture of its own.
        if !self.canvas.is_worn.get() {
            self.canvas.element.set_width(width);
            self.canvas.element.set_height(height);
        }
    }

    fn swap(&self) -> Result<(), String> {
        // The browser shows the frame, and reports a lost context by itself.
        Ok(())
    }

    fn reset(&self) -> Option<Reset> {
        None
    }

    fn request_redraw(&self) {
        self.canvas.wants_redraw.set(true);
    }

    fn set_title(&self, title: &str) {
        if *self.canvas.title.borrow() != title {
            title.clone_into(&mut self.canvas.title.borrow_mut());
            tell(Message::Title { text: title.into() });
        }
    }

    fn is_full_screen(&self) -> bool {
        self.canvas.document().is_some_and(|document| document.fullscreen_element().is_some())
    }

    fn set_full_screen(&self, full_screen: bool) {
        let Some(document) = self.canvas.document() else { return };
        if !full_screen {
            document.exit_fullscreen();
        } else if let Some(page) = document.document_element()
            && let Err(error) = page.request_fullscreen()
        {
            log::warn!("no full screen: {error:?}");
        }
    }

    fn catch_pointer(&self, caught: bool) {
        // While a button is held the browser sends all movements anyway.
        if caught && !self.canvas.is_pressed.get() {
            self.canvas.element.request_pointer_lock();
        } else if !caught && let Some(document) = self.canvas.document() {
            document.exit_pointer_lock();
        }
        self.canvas.point_with(if caught { CursorIcon::Grabbing } else { CursorIcon::Default });
    }

    fn set_vsync(&self, _: bool) {}

    fn is_paced(&self) -> bool {
        true
    }

    fn can_be_left(&self) -> bool {
        false
    }

    fn serve_panels(&self, wishes: PlatformOutput) {
        self.canvas.point_with(wishes.cursor_icon);
        for command in wishes.commands {
            if let OutputCommand::CopyText(text) = command {
                let clipboard = self.canvas.window.navigator().clipboard();
                // A page without a clipboard has no such object.
                if !JsCast::unchecked_ref::<wasm_bindgen::JsValue>(&clipboard).is_undefined() {
                    let _ = clipboard.write_text(&text);
                }
            }
        }
    }
}

/// Cursor name in CSS.
fn css(icon: CursorIcon) -> &'static str {
    match icon {
        CursorIcon::None => "none",
        CursorIcon::PointingHand => "pointer",
        CursorIcon::Text => "text",
        CursorIcon::Grab => "grab",
        CursorIcon::Grabbing => "grabbing",
        CursorIcon::ResizeHorizontal | CursorIcon::ResizeColumn => "ew-resize",
        CursorIcon::ResizeVertical | CursorIcon::ResizeRow => "ns-resize",
        CursorIcon::NotAllowed => "not-allowed",
        _ => "default",
    }
}
