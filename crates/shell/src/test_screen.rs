//! Screen that tests inspect and manipulate, on a null driver or off-screen on a real one, and a clock that tests
//! advance.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use egui::PlatformOutput;
use gl::{DeviceInfo, Filter, Format, Gl, RenderTarget, TargetFormat, Wrap, faults, null};
use platform::context::Context;
use platform::context_error::{ContextError, Reset};

use crate::screen::Screen;

/// Driver of a test screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Draws nothing; reports itself as a software renderer.
    NullSoftware,
    /// Draws nothing; reports itself as a graphics card.
    NullCard,
    /// OpenGL, off-screen.
    Real,
}

thread_local! {
    static NOW_S: Cell<f64> = const { Cell::new(0.0) };
}

/// Clock that advances only by [`pass`] and by a moment at each reading. Unit: s.
pub fn now_s() -> f64 {
    pass(1e-5);
    NOW_S.get()
}

/// Advances the clock. Unit: s.
pub fn pass(seconds: f64) {
    NOW_S.set(NOW_S.get() + seconds);
}

/// State of a screen, for a test to inspect and change.
pub struct Outside {
    driver: Driver,
    /// Size of a new screen in pixels.
    first_size: (u32, u32),
    /// Size of the screen in pixels.
    pub size: Cell<(u32, u32)>,
    /// Whether it is minimised.
    pub minimised: Cell<bool>,
    /// Whether the context is lost at the next frame.
    pub lost: Cell<bool>,
    /// Whether no screen opens any more.
    pub closed: Cell<bool>,
    /// Whether it is full screen.
    pub full_screen: Cell<bool>,
    /// Whether the pointer is hidden and confined.
    pub pointer_caught: Cell<bool>,
    /// Whether vsync is on.
    pub vsync: Cell<bool>,
    /// Whether a redraw was requested.
    pub wants_redraw: Cell<bool>,
    /// The window's title.
    pub title: RefCell<String>,
    /// Latest output of the panels for the platform.
    pub wishes: RefCell<PlatformOutput>,
    /// Latest picture shown by the real driver, if [`Self::keeps_shown`] is set.
    pub shown: RefCell<Vec<u8>>,
    /// Whether [`Self::shown`] is kept.
    pub keeps_shown: Cell<bool>,
}

/// A screen that a test inspects.
struct TestScreen {
    /// Render target of a real driver; its creation is not counted by [`faults`].
    // Dropped before its context.
    target: Option<RenderTarget>,
    gl: Gl,
    context: Option<Context>,
    device: DeviceInfo,
    outside: Rc<Outside>,
}

impl Outside {
    /// Initial state.
    pub fn new(driver: Driver, size: (u32, u32)) -> Rc<Self> {
        Rc::new(Self {
            driver,
            first_size: size,
            size: Cell::new(size),
            minimised: Cell::default(),
            lost: Cell::default(),
            closed: Cell::default(),
            full_screen: Cell::default(),
            pointer_caught: Cell::default(),
            vsync: Cell::default(),
            wants_redraw: Cell::default(),
            title: RefCell::default(),
            wishes: RefCell::default(),
            shown: RefCell::default(),
            keeps_shown: Cell::default(),
        })
    }

    /// Restores the screen from being minimised.
    pub fn uncover(&self) {
        self.minimised.set(false);
        self.size.set(self.first_size);
    }

    /// Opens a screen in its initial state.
    ///
    /// # Errors
    /// If there is no OpenGL for a [`Driver::Real`], or [`Self::closed`] is set.
    pub fn open(self: &Rc<Self>) -> Result<Box<dyn Screen>, ContextError> {
        if self.closed.get() {
            return Err(ContextError::Window { why: "the test is against it".into() });
        }
        self.size.set(self.first_size);
        self.lost.set(false);
        self.minimised.set(false);
        self.full_screen.set(false);
        self.pointer_caught.set(false);
        let context = match self.driver {
            Driver::Real => Some(Context::offscreen()?),
            _ => None,
        };
        let (gl, device) = match &context {
            Some(context) => (faults::counted(context.loader()), context.device().clone()),
            None => (faults::counted(null::load), null::device(self.driver == Driver::NullSoftware)),
        };
        let mut screen = TestScreen { target: None, gl, context, device, outside: self.clone() };
        screen.resize(self.first_size);
        Ok(Box::new(screen))
    }
}

impl Screen for TestScreen {
    fn gl(&self) -> Gl {
        self.gl.clone()
    }

    fn device(&self) -> &DeviceInfo {
        &self.device
    }

    fn size(&self) -> (u32, u32) {
        self.outside.size.get()
    }

    fn scale(&self) -> f32 {
        1.0
    }

    fn is_minimised(&self) -> bool {
        self.outside.minimised.get()
    }

    fn refresh_hz(&self) -> Option<f64> {
        Some(60.0)
    }

    fn output(&self) -> Option<&RenderTarget> {
        self.target.as_ref()
    }

    fn resize(&mut self, size: (u32, u32)) {
        if let Some(context) = &self.context {
            let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
            let target = RenderTarget::new(&context.gl(), "screen", size, &format);
            self.target = Some(target.expect("the driver has room for the screen"));
        }
    }

    fn swap(&self) -> Result<(), String> {
        if self.outside.lost.get() {
            return Err("the test is against it".into());
        }
        if let Some(target) = self.target.as_ref().filter(|_| self.outside.keeps_shown.get()) {
            self.outside.shown.replace(target.read_u8(0));
        }
        Ok(())
    }

    fn reset(&self) -> Option<Reset> {
        self.context.as_ref().and_then(Context::reset)
    }

    fn request_redraw(&self) {
        self.outside.wants_redraw.set(true);
    }

    fn set_title(&self, title: &str) {
        self.outside.title.replace(title.into());
    }

    fn is_full_screen(&self) -> bool {
        self.outside.full_screen.get()
    }

    fn set_full_screen(&self, full_screen: bool) {
        self.outside.full_screen.set(full_screen);
    }

    fn catch_pointer(&self, caught: bool) {
        self.outside.pointer_caught.set(caught);
    }

    fn set_vsync(&self, vsync: bool) {
        self.outside.vsync.set(vsync);
    }

    fn serve_panels(&self, wishes: PlatformOutput) {
        self.outside.wishes.replace(wishes);
    }
}
